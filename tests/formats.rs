//! Session files of other agents, as a person may have them: whole, damaged, growing, hostile.
#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "a test fails by panicking, and says what it skipped")]

use std::path::{Path, PathBuf};

use stet::formats;
use stet::session::{Depth, FileNo, Line, Log, Outline};

/// Data that is not the project's own; without it such a test is skipped.
fn data(what: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("STET_TEST_DATA").map(|root| PathBuf::from(root).join("data/sessions"));
    if folder.is_none() {
        eprintln!("skipped: {what} (STET_TEST_DATA is not set)");
    }
    folder
}

/// Every line of every file of a session, in the order an outline wants them.
fn all_lines(log: &mut dyn Log, depth: Depth, budget: usize) -> Vec<Line> {
    let files = 1 + log.head().sides.len() as u16;
    let mut lines = Vec::new();
    for file in (0..files).map(FileNo) {
        let mut from = 0;
        loop {
            let stretch = log.forward(file, from, budget, depth).unwrap();
            lines.extend(stretch.lines);
            from = stretch.end;
            if stretch.at_end {
                break;
            }
        }
    }
    lines
}

fn outline(path: &Path) -> Outline {
    let mut log = formats::open(path).unwrap();
    let mut outline = Outline::default();
    all_lines(log.as_mut(), Depth::Outline, 1 << 20).iter().for_each(|line| outline.push(line));
    outline.finish();
    outline
}

#[test]
fn real_sessions_have_the_compactions_that_were_counted_in_them() {
    let Some(folder) = data("real sessions") else { return };
    let table = std::fs::read_to_string(folder.join("expected.tsv")).unwrap();
    let mut read = 0;
    for row in table.lines().filter(|row| !row.starts_with('#')) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [file, agent, compactions, notes, tokens, ..] = cells[..] else { panic!("{row}") };
        if !matches!(agent, "claude-code" | "pi") {
            assert!(
                agent == "?" || formats::open(&folder.join(file)).is_err(),
                "{file} is of {agent}, but was taken for another agent's"
            );
            continue;
        }
        let outline = outline(&folder.join(file));
        assert_eq!(outline.compactions.len().to_string(), compactions, "{file}");
        assert_eq!(outline.notes.to_string(), notes, "{file}");
        let before: Vec<_> =
            outline.compactions.iter().map(|c| c.tokens_before.map_or("-".into(), |n| n.to_string())).collect();
        let before = if before.is_empty() { "-".to_owned() } else { before.join(",") };
        assert_eq!(before, tokens, "{file}");
        eprintln!(
            "{file}: {} turns, {} abandoned, midway {}, title {:?}, troubles {}",
            outline.turns.len(),
            outline.turns.iter().filter(|t| t.abandoned).count(),
            outline.starts_midway,
            outline.title,
            outline.troubles.len()
        );
        for c in &outline.compactions {
            eprintln!(
                "   {:?} {:?} {:?} covers {:?} reaches {:?} {:?} gen {:?} {:?}",
                c.key.id,
                c.trigger,
                c.tokens_after,
                outline.turn_ranges(&c.covers),
                outline.turn_ranges(&c.reaches),
                c.after_turn,
                c.generation,
                c.originals
            );
        }
        read += 1;
    }
    assert!(read >= 10, "only {read} of the table's sessions were read");
}
