//! Session files of other agents, as a person may have them: whole, damaged, growing, hostile.
#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "a test fails by panicking, and says what it skipped")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use stet::formats;
use stet::session::{Body, Depth, FileNo, Line, Log, Outline, PartKind, Role, Speaker, Trigger};
use tempfile::TempDir;

#[path = "formats/damage.rs"]
mod damage;
#[path = "formats/finding.rs"]
mod finding;
#[path = "formats/growing.rs"]
mod growing;
#[path = "formats/words.rs"]
mod words;

/// Data that is not the project's own; without it such a test is skipped.
fn data(what: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("STET_TEST_DATA").map(|root| PathBuf::from(root).join("data/sessions"));
    if folder.is_none() {
        eprintln!("skipped: {what} (STET_TEST_DATA is not set)");
    }
    folder
}

fn write(folder: &TempDir, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Every line of every file of a session, in the order an outline wants them.
fn all_lines(log: &mut dyn Log, depth: Depth, budget: usize) -> Vec<Line> {
    let files = 1 + log.head().sides.len() as u16;
    let mut lines = Vec::new();
    for file in (0..files).map(FileNo) {
        let mut from = 0;
        loop {
            let stretch = log.forward(file, from, budget, depth).unwrap();
            assert_eq!(stretch.start, from);
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
    for line in all_lines(log.as_mut(), Depth::Outline, 1 << 20) {
        outline.push(&line);
    }
    outline.finish();
    outline
}

/// A line in a few words: `user: <user text "hi">`.
fn show(line: &Line) -> String {
    let mut text = match &line.body {
        Body::Message { role, message, parts, .. } => {
            let mut text = match role {
                Role::User => "user".to_owned(),
                Role::Assistant => "assistant".to_owned(),
                Role::System => "system".to_owned(),
            };
            if let Some(message) = message {
                let _ = write!(text, " {message}");
            }
            for part in parts {
                let speaker = match part.speaker {
                    Speaker::User => "user",
                    Speaker::Assistant => "agent",
                    Speaker::Tool => "tool",
                    Speaker::System => "system",
                };
                let kind = match &part.kind {
                    PartKind::Text => "text".to_owned(),
                    PartKind::Thinking => "thinking".to_owned(),
                    PartKind::ToolCall { id, name } => format!("call {} {name}", id.as_deref().unwrap_or("-")),
                    PartKind::ToolResult { id, ok } => {
                        format!("result {}{}", id.as_deref().unwrap_or("-"), if *ok { "" } else { " failed" })
                    }
                    PartKind::Opaque { what } => format!("[{what}]"),
                };
                let _ = write!(text, " | {speaker}: {kind}");
                if !part.text.is_empty() {
                    let _ = write!(text, " {:?}", part.text);
                }
            }
            text
        }
        Body::Compaction { boundary, summary } => {
            let trigger = boundary.trigger.map_or("?", |trigger| match trigger {
                Trigger::Auto => "auto",
                Trigger::Manual => "manual",
                _ => "other",
            });
            let tokens = |n: Option<u64>| n.map_or("?".into(), |n| n.to_string());
            let kept = boundary.first_kept.as_ref().map(|kept| format!(" kept from {kept:?}")).unwrap_or_default();
            let preserved =
                if boundary.preserved.is_empty() { String::new() } else { format!(" {:?}", boundary.preserved) };
            let segment = boundary.preserved_segment.as_ref().map(|it| format!(" {}..{}", it.head, it.tail));
            format!(
                "compaction {trigger} {} to {}{kept}{preserved}{}{}",
                tokens(boundary.tokens_before),
                tokens(boundary.tokens_after),
                segment.unwrap_or_default(),
                summary.as_ref().map(|summary| format!(" {:?}", summary.text)).unwrap_or_default()
            )
        }
        Body::Summary(summary) => format!("summary {:?}", summary.text),
        Body::Note(saved) => format!("note {:?} {:?} {}", saved.before, saved.saved, saved.cleared),
        Body::Noise { what, title, text } => {
            let title = title.as_ref().map(|title| format!(" named {title:?}")).unwrap_or_default();
            format!("({what}){title} {text:?}")
        }
        Body::Unread { why } => format!("unread: {why}"),
    };
    if let Some(agent) = &line.sidechain {
        let _ = write!(text, " side {agent:?}");
    }
    if let Some(agent) = &line.started_agent {
        let _ = write!(text, " started {agent}");
    }
    if let Some(lossy) = &line.lossy {
        let _ = write!(text, " MENDED {lossy}");
    }
    text
}

const CLAUDE: &str = r#"{"type":"user","uuid":"u0","parentUuid":null,"sessionId":"s1","timestamp":"2026-03-02T09:14:00Z","message":{"role":"user","content":"first"}}"#;
const PI: &str = r#"{"type":"session","version":3,"id":"p1","timestamp":"2026-03-02T09:14:00Z","cwd":"/work"}"#;

/// Reads each row as the second line of a file that begins with `first`.
fn check(first: &str, rows: &[(&str, &str)]) {
    let folder = TempDir::new().unwrap();
    for (row, want) in rows {
        let path = write(&folder, "session", format!("{first}\n{row}\n"));
        let mut log = formats::open(&path).unwrap();
        let lines = all_lines(log.as_mut(), Depth::Full, 1 << 20);
        assert_eq!(show(&lines[1]), *want, "{row}");
        assert_same_parts(&lines, &all_lines(log.as_mut(), Depth::Outline, 1 << 20));
        assert_eq!(log.raw(FileNo(0), lines[1].offset).unwrap(), row.as_bytes());
    }
}

/// Parts are counted by outlines and shown in full: both depths must see the same ones.
fn assert_same_parts(full: &[Line], outline: &[Line]) {
    let skeleton = |lines: &[Line]| -> Vec<String> {
        let mut lines = lines.to_vec();
        for line in &mut lines {
            line.lossy = None;
            match &mut line.body {
                Body::Message { parts, .. } => parts.iter_mut().for_each(|part| part.text.clear()),
                Body::Noise { text, .. } => text.clear(),
                _ => {}
            }
        }
        lines.iter().map(|line| format!("{} {:?} {:?} {:?}", show(line), line.id, line.parent, line.offset)).collect()
    };
    assert_eq!(skeleton(full), skeleton(outline));
}

#[test]
fn real_sessions_have_the_compactions_that_were_counted_in_them() {
    let Some(folder) = data("real sessions") else { return };
    let table = std::fs::read_to_string(folder.join("expected.tsv")).unwrap();
    let mut read = 0;
    for row in table.lines().filter(|row| !row.starts_with('#')) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [file, agent, compactions, notes, tokens, ..] = cells[..] else { panic!("{row}") };
        let path = folder.join(file);
        if !matches!(agent, "claude-code" | "pi") {
            assert!(agent == "?" || formats::open(&path).is_err(), "{file} is of {agent}, but was taken for another's");
            continue;
        }
        let outline = outline(&path);
        assert_eq!(outline.compactions.len().to_string(), compactions, "{file}");
        assert_eq!(outline.notes.to_string(), notes, "{file}");
        let before: Vec<_> =
            outline.compactions.iter().map(|c| c.tokens_before.map_or("-".into(), |n| n.to_string())).collect();
        let before = if before.is_empty() { "-".to_owned() } else { before.join(",") };
        assert_eq!(before, tokens, "{file}");
        assert!(outline.troubles.is_empty(), "{file}: {:?}", outline.troubles);
        assert!(file.starts_with("stage0") || outline.compactions.iter().all(|c| c.summary.is_some()), "{file}");
        // The real ones were never rewound; their calls run in parallel.
        let abandoned = outline.turns.iter().filter(|turn| turn.abandoned).count();
        assert!(file.starts_with("stage0") || abandoned == 0, "{file}: {abandoned} abandoned");
        assert_eq!(outline.starts_midway, file.starts_with("claude-04") || file.starts_with("claude-06"), "{file}");
        let mut log = formats::open(&path).unwrap();
        let full = all_lines(log.as_mut(), Depth::Full, 1 << 16);
        assert_same_parts(&full, &all_lines(log.as_mut(), Depth::Outline, 1 << 20));
        read += 1;
    }
    assert_eq!(read, 9);
}
