//! The outline of a whole session (every line's place, turns, markers, ranges) beside parsing the same file into
//! `serde_json` values, in one run.
//!
//! `cargo bench --bench index`. The session is made once, under `target/`.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench prints, and fails by panicking")]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::{Duration, Instant};

use stet::session::{Depth, FileNo, Outline};

#[path = "../support/generate.rs"]
mod generate;
#[path = "measure.rs"]
mod measure;
#[path = "../support/random.rs"]
mod random;
#[path = "sessions.rs"]
mod sessions;

use measure::{median, millis, verdict};

const ROUNDS: usize = 7;
const MEGABYTES: u64 = 300;
/// What the outline may take, as a multiple of what parsing takes.
const LIMIT: f64 = 1.3;

fn outline(path: &Path) -> (Duration, usize) {
    let started = Instant::now();
    let mut log = stet::formats::open(path).unwrap();
    let mut outline = Outline::default();
    let mut from = 0;
    loop {
        let stretch = log.forward(FileNo(0), from, 1 << 20, Depth::Outline).unwrap();
        stretch.lines.iter().for_each(|line| outline.push(line));
        from = stretch.end;
        if stretch.at_end {
            break;
        }
    }
    outline.finish();
    (started.elapsed(), outline.compactions.len())
}

fn values(path: &Path) -> (Duration, usize) {
    let started = Instant::now();
    let mut file = BufReader::with_capacity(1 << 20, std::fs::File::open(path).unwrap());
    let (mut line, mut summaries) = (Vec::new(), 0);
    while file.read_until(b'\n', &mut line).unwrap() > 0 {
        let value: serde_json::Value = serde_json::from_slice(&line).unwrap();
        summaries += usize::from(value["isCompactSummary"] == true);
        line.clear();
    }
    (started.elapsed(), summaries)
}

fn main() {
    let path = sessions::session(MEGABYTES);
    let size = std::fs::metadata(&path).unwrap().len() as f64 / 1e6;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let ((our_time, markers), (their_time, summaries)) = (outline(&path), values(&path));
        assert_eq!(markers, summaries, "the outline misses compactions");
        ours.push(our_time);
        theirs.push(their_time);
    }
    let (ours, theirs) = (median(&mut ours), median(&mut theirs));
    for (what, time) in [("outline", ours), ("serde_json values", theirs)] {
        println!("{what:18} {size:5.0} MB  {}  {:6.0} MB/s", millis(time), size / time.as_secs_f64());
    }
    let held = verdict("outline to values", ours.as_secs_f64() / theirs.as_secs_f64(), LIMIT);
    std::process::exit(i32::from(!held));
}
