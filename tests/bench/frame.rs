//! A key and a frame must not depend on the session's length: 1 MB beside 300 MB, at the end of each, wholly read; and
//! a frame beside one of plain spans of the same size, in one run.
//!
//! `cargo bench --bench frame`. Sessions are made once, under `target/`.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench prints, and fails by panicking")]

use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::{Color, Stylize};
use ratatui::text::{Line, Span};

#[path = "../support/generate.rs"]
mod generate;
#[path = "measure.rs"]
mod measure;
#[path = "../support/random.rs"]
mod random;
#[path = "sessions.rs"]
mod sessions;
#[path = "../support/stage.rs"]
mod stage;

use measure::{median, millis, verdict};
use stage::Stage;

const SIZE: (u16, u16) = (200, 50);
const ROUNDS: usize = 600;
/// What the long session may take, as a multiple of what the short one takes.
const GROWTH: f64 = 1.3;
/// What a frame may take, as a multiple of one of plain spans.
const OVER_BARE: f64 = 3.0;

#[derive(Default)]
struct Times {
    keys: Vec<Duration>,
    frames: Vec<Duration>,
}

fn terminal() -> Terminal<TestBackend> {
    Terminal::new(TestBackend::new(SIZE.0, SIZE.1)).unwrap()
}

/// Lines of twenty styled spans; each frame shows other ones, as scrolling does.
fn bare(rounds: usize) -> Vec<Duration> {
    let mut terminal = terminal();
    let line = |n: usize| {
        let spans =
            (0..20).map(|at| Span::from(format!("word{:05} ", n * 20 + at)).fg(Color::Rgb(at as u8 * 9, 120, 90)));
        Line::from(spans.collect::<Vec<_>>())
    };
    let lines: Vec<Line<'_>> = (0..rounds + 50).map(line).collect();
    (0..rounds)
        .map(|from| {
            let started = Instant::now();
            terminal
                .draw(|frame| {
                    for (line, row) in lines[from..].iter().zip(frame.area().rows()) {
                        frame.render_widget(line, row);
                    }
                })
                .unwrap();
            started.elapsed()
        })
        .collect()
}

fn p99(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() * 99 / 100]
}

fn main() {
    let home = tempfile::tempdir().unwrap();
    let sizes = [1, 300];
    let mut stages = sizes.map(|megabytes| Stage::open(&sessions::session(megabytes), home.path(), SIZE));
    let mut times: [Times; 2] = Default::default();
    let mut terminals = sizes.map(|_| terminal());
    for stage in &mut stages {
        stage.read();
        stage.keys("G");
    }
    for round in 0..ROUNDS {
        // Up by rows, with a page now and then.
        let key = if round % 10 == 9 { "pgup" } else { "k" };
        for at in 0..sizes.len() {
            times[at].keys.push(stages[at].keys(key));
            let started = Instant::now();
            stages[at].draw(&mut terminals[at]);
            times[at].frames.push(started.elapsed());
        }
    }
    let mut bare = bare(ROUNDS);
    let mut held = true;
    let mut medians = Vec::new();
    for (megabytes, times) in sizes.iter().zip(&mut times) {
        for (what, times) in [("key", &mut times.keys), ("frame", &mut times.frames)] {
            let middle = median(times);
            println!("{what:6} {megabytes:4} MB  median {}  p99 {}", millis(middle), millis(p99(times)));
            medians.push(middle.as_secs_f64());
        }
    }
    println!("bare frame     median {}  p99 {}", millis(median(&mut bare)), millis(p99(&mut bare)));
    held &= verdict("key: 300 MB to 1 MB", medians[2] / medians[0], GROWTH);
    held &= verdict("frame: 300 MB to 1 MB", medians[3] / medians[1], GROWTH);
    held &= verdict("frame to a bare one", medians[3] / median(&mut bare).as_secs_f64(), OVER_BARE);
    std::process::exit(i32::from(!held));
}
