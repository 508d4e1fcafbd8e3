//! Medians and verdicts: ratios of two things measured in one run say something on any machine, times alone do not.
#![expect(clippy::print_stdout, reason = "a bench prints")]

use std::time::Duration;

/// The middle one.
pub fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// A time as a person reads it.
pub fn millis(time: Duration) -> String {
    format!("{:9.3} ms", time.as_secs_f64() * 1000.0)
}

/// Prints the ratio beside its limit; `false` when it is over.
pub fn verdict(what: &str, ratio: f64, limit: f64) -> bool {
    let held = ratio <= limit;
    println!("{what}: {ratio:.2} (at most {limit:.2}) {}", if held { "holds" } else { "DOES NOT HOLD" });
    held
}
