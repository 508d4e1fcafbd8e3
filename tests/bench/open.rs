//! Opening must not depend on the size of the session: 1 MB beside 300 MB and 1 GB, in one run. A jump meets the thread
//! that still reads the whole of the largest, and must all the same be there within one frame of a screen.
//!
//! `cargo bench --bench open`. Sessions are made once, under `target/`.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench prints, and fails by panicking")]

use std::time::Duration;

#[path = "../support/generate.rs"]
mod generate;
#[path = "measure.rs"]
mod measure;
#[path = "../support/random.rs"]
mod random;
#[path = "screen.rs"]
mod screen;
#[path = "sessions.rs"]
mod sessions;

use generate::{FIRST, LAST};
use measure::{median, millis, verdict};
use screen::Screen;

const ROUNDS: usize = 15;
/// What the first text of the largest may take, as a multiple of what that of the smallest takes.
const GROWTH: f64 = 1.3;
/// What a jump may take at any size, in milliseconds: one frame of a screen.
const FRAME: f64 = 16.0;

fn main() {
    let sessions = [1, 300, 1000].map(|megabytes| (megabytes, sessions::session(megabytes)));
    let home = tempfile::tempdir().unwrap();
    let mut opened: [Vec<Duration>; 3] = Default::default();
    let mut jumped: [Vec<Duration>; 3] = Default::default();
    let mut returned: [Vec<Duration>; 3] = Default::default();
    for _ in 0..ROUNDS {
        for (at, (_, path)) in sessions.iter().enumerate() {
            let mut screen = Screen::open(path, home.path());
            opened[at].push(screen.first(&[FIRST, LAST]));
            // From whichever end it opened at, to the other and back.
            screen.press("gg", FIRST);
            jumped[at].push(screen.press("G", LAST));
            returned[at].push(screen.press("gg", FIRST));
        }
    }
    let mut held = true;
    for (what, times) in
        [("first text", &mut opened), ("jump to the end", &mut jumped), ("jump to the start", &mut returned)]
    {
        let medians: Vec<Duration> = times.iter_mut().map(|times| median(times)).collect();
        for ((megabytes, _), time) in sessions.iter().zip(&medians) {
            println!("{what:18} {megabytes:5} MB  {}", millis(*time));
        }
        let ratio = medians[2].as_secs_f64() / medians[0].as_secs_f64();
        if what == "first text" {
            held &= verdict(&format!("{what}: 1 GB to 1 MB"), ratio, GROWTH);
        } else {
            println!("{what}: 1 GB to 1 MB: {ratio:.2}");
            held &= verdict(&format!("{what}: milliseconds at 1 GB"), medians[2].as_secs_f64() * 1e3, FRAME);
        }
    }
    std::process::exit(i32::from(!held));
}
