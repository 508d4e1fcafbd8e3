//! What a signal ends is ended with everything that it started: the programs of a summariser do not run on alone. What
//! need not end it does not.

use std::sync::Arc;
use std::thread;

use anyhow::Context;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

use crate::workbench::kill_programs;

/// From now on a signal that ends this process kills all programs of a summariser first.
pub fn take_programs_along() -> anyhow::Result<()> {
    let ignored = ignored();
    // What `nohup` or a shell let it ignore does not end it.
    let ends = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = Signals::new(ends).context("asking to be told of signals")?;
    let end = move || {
        for signal in signals.forever() {
            kill_programs();
            // Whoever sent it sees that it worked.
            if signal_hook::low_level::emulate_default_handler(signal).is_err() {
                std::process::exit(128 + signal);
            }
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(end).context("starting the thread that hears signals")?;
    Ok(())
}

/// From now on a file that may grow no further is an error of whoever writes to it, and no signal ends this process for it.
pub fn outlive_full_files() -> anyhow::Result<()> {
    let heard = signal_hook::flag::register(SIGXFSZ, Arc::default());
    heard.map(drop).context("asking to be told of files that are full")
}

/// The signals that this process ignores, the first in the lowest bit; none where the system does not say so.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
