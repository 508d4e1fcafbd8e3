//! The screen as a person sees it: keys in, a frame out, beside a map of its tones.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "frames/world.rs"]
mod world;

use std::collections::BTreeSet;
use std::path::PathBuf;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use stet::app::State;
use stet::tui::colours::{Background, Depth};
use stet::tui::draw::draw;
use stet::tui::theme::Theme;
use stet::view::{Picture, Tone};
use world::orders;

/// Every size that a frame is looked at in.
const SIZES: [(u16, u16); 4] = [(200, 50), (120, 36), (80, 24), (50, 15)];

/// Name, sizes, and the keys that lead there from the start of the session.
const CASES: &[(&str, &[(u16, u16)], &str)] = &[
    ("start", &SIZES, ""),
    ("record", &SIZES, "]<Enter>"),
    ("evidence", &SIZES, "]<Enter>jjjjjjj"),
    ("unchecked", &[(120, 36), (80, 24)], "]<Enter>jjjjjjjjj"),
    ("corrected", &SIZES, "]<Enter>jjjjjjjx"),
    ("repeated-claim", &[(120, 36)], "]<Enter>jjjjjjjx]<Enter>j"),
    ("source", &[(120, 36), (80, 24)], "]<Enter>jjjjjjj<Enter>"),
    ("back", &[(80, 24)], "]<Enter>jjjjjjj<Enter><Backspace>"),
    ("menu", &SIZES, "]<Enter>jjjjjjjc"),
    ("reword", &[(120, 36), (50, 15)], "]<Enter>jjjjjjjcr<ctrl-u>maybe an enum, later"),
    ("settle", &[(120, 36), (80, 24)], "]]<Enter>jjjx"),
    ("settled", &[(80, 24)], "]]<Enter>jjjx<Enter>"),
    ("checked", &[(80, 24)], "]<Enter>jjjjv"),
    ("undo", &[(80, 24)], "]<Enter>jjjjjjjxu"),
    ("tools", &[(120, 36), (80, 24)], "jjjjjjjl<Down>"),
    ("tool-result", &[(80, 24)], "jjjjjjjjjjjl"),
    ("ledger", &SIZES, "]<Enter>jjjjjjjxcrX<Enter>kxuL"),
    ("ledger-empty", &[(80, 24)], "L"),
    ("help", &[(120, 36), (50, 15)], "?"),
    ("help-search", &[(80, 24)], "?/marker<Enter>"),
    ("palette", &[(120, 36), (80, 24)], ":led"),
    ("search", &[(80, 24)], "/export<Enter>n"),
    ("raw", &[(80, 24)], "jr"),
    ("troubles", &[(80, 24)], "!"),
    ("unread-line", &[(80, 24)], "!<Enter>"),
    ("end", &[(120, 36), (80, 24)], "G"),
];

fn golden(name: &str, (width, height): (u16, u16)) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/frames/{name}.{width}x{height}.txt"))
}

/// The frame as text, and under it which tone each cell has.
fn shown(state: &State, size: (u16, u16)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).unwrap();
    let theme = Theme::new(Background::Dark, Depth::True);
    terminal.draw(|frame| draw(state, &theme, frame)).unwrap();
    let buffer = terminal.backend().buffer();
    let mut text = String::new();
    for y in 0..size.1 {
        let mut row = String::new();
        let mut x = 0;
        while x < size.0 {
            let symbol = buffer[(x, y)].symbol();
            row.push_str(symbol);
            x += stet::text::width(&stet::text::Shown::line(symbol)).max(1) as u16;
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    format!("{text}{}\n{}", "=".repeat(usize::from(size.0)), tones(&state.picture(), size))
}

fn tones(picture: &Picture, size: (u16, u16)) -> String {
    let mut cells = vec![vec![' '; usize::from(size.0)]; usize::from(size.1)];
    for area in &picture.areas {
        for nth in 0..usize::from(area.height) {
            let Some(line) = cells.get_mut(usize::from(area.y) + nth) else { continue };
            let from = usize::from(area.x);
            line[from..(from + usize::from(area.width)).min(usize::from(size.0))].fill(' ');
            let Some(row) = area.rows.get(nth) else { continue };
            let mut put = |mut x: usize, runs: &[stet::view::Run]| {
                for run in runs {
                    for cell in line.iter_mut().skip(x).take(run.width()) {
                        *cell = letter(run.tone);
                    }
                    x += run.width();
                }
            };
            put(from, &row.runs);
            let edge = if row.measure == 0 { area.width } else { area.width.min(row.measure) };
            let right: usize = row.right.iter().map(stet::view::Run::width).sum();
            put((from + usize::from(edge)).saturating_sub(right), &row.right);
        }
    }
    let mut text = String::new();
    for line in cells {
        text.push_str(line.into_iter().collect::<String>().trim_end());
        text.push('\n');
    }
    text
}

fn letter(tone: Tone) -> char {
    match tone {
        Tone::Text | Tone::User => ' ',
        Tone::Dim => '.',
        Tone::Accent => 'a',
        Tone::Warning => 'w',
        Tone::Heading => 'h',
        Tone::Strong => 's',
        Tone::Emphasis => 'e',
        Tone::Struck => 'x',
        Tone::Code => 'c',
        Tone::Marked => 'm',
        Tone::Found => 'f',
    }
}

#[test]
fn every_frame_looks_as_its_golden_says() {
    let rewrite = std::env::var_os("UPDATE_GOLDENS").is_some();
    let mut named = BTreeSet::new();
    let mut wrong = Vec::new();
    for (name, sizes, keys) in CASES {
        for size in *sizes {
            let mut world = orders();
            let mut state = world.open(*size);
            world.keys(&mut state, keys);
            let got = shown(&state, *size);
            let path = golden(name, *size);
            named.insert(path.clone());
            if rewrite {
                std::fs::write(&path, &got).unwrap();
            } else if std::fs::read_to_string(&path).unwrap_or_default() != got {
                wrong.push(format!("{}\n{got}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "UPDATE_GOLDENS=1 rewrites these:\n{}", wrong.join("\n"));
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/frames");
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "txt") {
            assert!(named.contains(&path), "{} belongs to no case", path.display());
        }
    }
}
