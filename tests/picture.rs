//! The pictures in the README: the screen, written from a frame of a sample, and the plot of an experiment. They are out
//! of date when the screen or the experiment has changed. `UPDATE_GOLDENS=1` writes them anew.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

#[path = "support/stage.rs"]
mod stage;
#[path = "support/svg.rs"]
mod svg;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};

use stage::Stage;

const SIZE: (u16, u16) = (118, 34);
/// To the last marker, its record unfolded.
const KEYS: &str = "] ] ] ] ] ] Enter";
/// The row that is looked at: a decision that was a question.
const ROW: &str = "convert orders.status";

#[test]
fn the_picture_shows_the_screen() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let home = tempfile::tempdir().unwrap();
    let session = home.path().join("session.db");
    fs::copy(top.join("sample-sessions/orders-status/session.db"), &session).unwrap();
    let mut stage = Stage::open(&session, home.path(), SIZE);
    stage.read();
    stage.keys(KEYS);
    for _ in 0..60 {
        if rows(&stage).iter().any(|row| row.starts_with('▌') && row.contains(ROW)) {
            break;
        }
        stage.keys("j");
    }
    let shown = rows(&stage).join("\n");
    assert!(shown.contains("turn 22, you"), "the evidence is not beside the decision:\n{shown}");
    assert!(shown.contains("turned round"), "the check says nothing of it:\n{shown}");
    let now = svg::svg(&frame(&stage));
    let picture = top.join("assets/screen.svg");
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        fs::write(&picture, &now).unwrap();
    }
    let then = fs::read_to_string(&picture).unwrap_or_default();
    assert!(now == then, "assets/screen.svg is not the screen any more; UPDATE_GOLDENS=1 writes it anew:\n{shown}");
}

#[test]
fn the_plot_shows_the_experiment() {
    use stet::simulate::{SEED, arms};
    let settings = arms::Settings { items: 2_000, passes: arms::PASSES, loss: 0.25, pinned: 0.4, every: 4, seed: SEED };
    let now = stet::simulate::svg(&arms::experiment(settings).plot);
    let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/arms.svg");
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        fs::write(&picture, &now).unwrap();
    }
    let then = fs::read_to_string(&picture).unwrap_or_default();
    assert!(now == then, "assets/arms.svg is not what `stet simulate arms` draws; UPDATE_GOLDENS=1 writes it anew");
}

fn frame(stage: &Stage) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(SIZE.0, SIZE.1)).unwrap();
    stage.draw(&mut terminal);
    terminal.backend().buffer().clone()
}

fn rows(stage: &Stage) -> Vec<String> {
    let frame = frame(stage);
    let cells: Vec<&str> = frame.content().iter().map(Cell::symbol).collect();
    cells.chunks(usize::from(SIZE.0)).map(<[&str]>::concat).collect()
}
