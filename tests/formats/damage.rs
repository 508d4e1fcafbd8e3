//! Lines that are broken, hostile or without measure.

use std::io::Write as _;
use std::path::Path;

use stet::formats;
use stet::record::Via;
use stet::session::{Body, Depth, FileNo, Line, Outline};
use stet::workbench::{Cancel, Hand, Settings, Spot, Target, Workbench};
use tempfile::TempDir;

use super::{CLAUDE, PI, all_lines, assert_same_parts, check, outline, show, write};

#[test]
fn a_bad_line_harms_no_other_and_nothing_is_dropped() {
    let rows = [
        ("{\"type\":\"user\"", "unread: not JSON: EOF while parsing an object (column 14)"),
        ("{\"type\":\"user\"}{\"type\":\"user\"}", "unread: not JSON: trailing characters (column 16)"),
        ("\0\0\0\0", "unread: 4 NUL bytes"),
        ("null", "unread: valid JSON, but null and no record"),
        ("[{\"type\":\"user\"}]", "unread: valid JSON, but a list and no record"),
        ("{\"a\":NaN}", "unread: not JSON: expected value (column 6)"),
        (
            "{\"type\":\"user\",\"message\":{\"content\":\"\u{1}\"}}",
            "unread: not JSON: control character (\\u0000-\\u001F) found while parsing a string (column 37)",
        ),
        (
            "{\"type\":\"hologram/v9\",\"x\":1}",
            "(unknown type hologram/v9) \"{\\\"type\\\":\\\"hologram/v9\\\",\\\"x\\\":1}\"",
        ),
        ("{}", "(no type) \"{}\""),
        (
            "{\"type\":7,\"uuid\":[],\"timestamp\":{},\"message\":null}",
            "(unknown type 7) \"{\\\"type\\\":7,\\\"uuid\\\":[],\\\"timestamp\\\":{},\\\"message\\\":null}\"",
        ),
        (
            "{\"type\":\"assistant\",\"message\":{\"role\":3,\"content\":42}}",
            "assistant | agent: [content that is a number]",
        ),
        ("{\"type\":\"user\",\"message\":\"just text\"}", "user | user: text \"just text\""),
        (
            "{\"type\":\"user\",\"message\":{\"content\":[null,\"x\",{\"type\":\"text\"}]}}",
            "user | user: [unreadable block, 4 bytes] | user: text \"x\" | user: [unknown block text, 15 bytes]",
        ),
        (
            "{\"type\":\"user\",\"message\":{\"content\":\"a\"},\"message\":{\"content\":\"b\"}}",
            "user | user: text \"b\"",
        ),
        (
            "{\"type\":\"user\",\"message\":{\"content\":\"\\ud83d cut\"}}",
            "user | user: text \"\u{fffd} cut\" MENDED half characters (lone surrogates) are shown as \u{fffd}",
        ),
        (
            "{\"type\":\"user\",\"message\":{\"content\":\"a\u{2028}b\u{85}c\"}}",
            "user | user: text \"a\\u{2028}b\\u{85}c\"",
        ),
        (" {\"type\":\"user\",\"message\":{\"content\":\"spaced\"}} \r", "user | user: text \"spaced\""),
    ];
    check(CLAUDE, &rows);
    let folder = TempDir::new().unwrap();
    let mut bytes = format!("\u{feff}{CLAUDE}\n\n").into_bytes();
    bytes.extend(b"{\"type\":\"user\",\"message\":{\"content\":\"caf\xe9\"}}\n");
    let mut log = formats::open(&write(&folder, "latin", bytes)).unwrap();
    let lines = all_lines(log.as_mut(), Depth::Full, 10);
    assert_eq!(show(&lines[0]), "user | user: text \"first\"");
    assert_eq!(
        show(&lines[1]),
        "user | user: text \"caf\u{fffd}\" MENDED bytes that are not UTF-8 are shown as \u{fffd}"
    );
    assert_eq!(lines.len(), 2);
}

#[test]
fn depth_and_size_of_a_line_are_no_danger() {
    let folder = TempDir::new().unwrap();
    let deep = format!(
        "{{\"type\":\"user\",\"x\":{}1{},\"message\":{{\"content\":\"deep\"}}}}",
        "[".repeat(200_000),
        "]".repeat(200_000)
    );
    let long = format!("{{\"type\":\"user\",\"message\":{{\"content\":\"{}\"}}}}", "é".repeat(3 << 20));
    let many = "{\"type\":\"text\",\"text\":\"x\"},".repeat(50_000);
    let many = format!("{{\"type\":\"user\",\"message\":{{\"content\":[{}]}}}}", many.trim_end_matches(','));
    let path = write(&folder, "big", format!("{CLAUDE}\n{deep}\n{}\n{long}\n{many}\n", "[".repeat(200_000)));
    let mut log = formats::open(&path).unwrap();
    let lines = all_lines(log.as_mut(), Depth::Full, 4096);
    assert_eq!(show(&lines[1]), "user | user: text \"deep\"");
    assert!(matches!(lines[2].body, Body::Unread { .. }));
    let Body::Message { parts, .. } = &lines[3].body else { panic!() };
    assert!(parts[0].text.len() <= 4 << 20);
    assert_eq!(lines[3].lossy.as_deref(), Some("a text of 6291456 bytes is cut here; the raw line has all of it"));
    assert_eq!(log.raw(FileNo(0), lines[3].offset).unwrap(), long.as_bytes());
    let Body::Message { parts, .. } = &lines[4].body else { panic!() };
    assert_eq!(parts.len(), 50_000);
    let last = log.backward(FileNo(0), u64::MAX, 1, Depth::Outline).unwrap();
    assert_eq!((last.lines.len(), last.lines[0].offset), (1, lines[4].offset));
}

/// What a reader would have to suffer if links, calls and agents cost more the more of them there are.
#[test]
fn hostile_links_calls_and_agents_end_fast() {
    let n = 20_000;
    let user = |id: usize, parent: usize| {
        format!(
            "{{\"type\":\"user\",\"uuid\":\"l{id}\",\"parentUuid\":\"l{parent}\",\"message\":{{\"content\":\"x\"}}}}\n"
        )
    };
    let call = |id: usize, name: &str| {
        format!(
            "{{\"type\":\"assistant\",\"isSidechain\":{},\"agentId\":\"A{id}\",\"message\":{{\"id\":\"m\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"t{id}\",\"name\":\"{name}\",\"input\":{{}}}}]}}}}\n",
            name == "Task"
        )
    };
    let result = |id: usize| {
        format!(
            "{{\"type\":\"user\",\"message\":{{\"content\":[{{\"type\":\"tool_result\",\"tool_use_id\":\"t{id}\",\"content\":\"x\"}}]}}}}\n"
        )
    };
    let sessions: [(&str, String); 6] = [
        ("each follows the next", (0..n).map(|i| user(i, i + 1)).collect()),
        ("each follows any", (0..n).map(|i| user(i, i.wrapping_mul(7919) % n)).collect()),
        ("each follows itself", (0..n).map(|i| user(i, i)).collect()),
        ("all have one id", (0..n).map(|i| user(7, i)).collect()),
        ("one message of many calls", (0..n).map(|i| call(i, "Read")).chain((0..n).map(result)).collect()),
        ("agents that start agents", (0..n).map(|i| call(i, "Task")).collect()),
    ];
    let folder = TempDir::new().unwrap();
    for (name, text) in sessions {
        let path = write(&folder, "hostile", format!("{CLAUDE}\n{text}"));
        let started = std::time::Instant::now();
        let outline = outline(&path);
        let numbered = outline.turns.iter().filter(|turn| outline.number(turn).is_some()).count();
        assert!(numbered >= 1, "{name}");
        let lines = all_lines(formats::open(&path).unwrap().as_mut(), Depth::Full, 1 << 20);
        assert!(!stet::session::group(&lines).is_empty(), "{name}");
        assert!(started.elapsed().as_secs() < 10, "{name}: {:?}", started.elapsed());
    }
}

#[test]
fn a_line_beyond_all_measure_is_counted_and_its_neighbours_are_read() {
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "giant", format!("{CLAUDE}\n"));
    let giant = 300 << 20;
    let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.set_len(CLAUDE.len() as u64 + 1 + giant).unwrap();
    let mut log = formats::open(&path).unwrap();
    let first = log.forward(FileNo(0), 0, 1000, Depth::Full).unwrap();
    assert_eq!((first.lines.len(), first.at_end), (1, false));
    let last = log.backward(FileNo(0), u64::MAX, 1000, Depth::Full).unwrap();
    assert_eq!((last.lines.len(), last.pending), (1, giant));

    file.write_all(format!("\n{CLAUDE}\n").as_bytes()).unwrap();
    let lines = all_lines(log.as_mut(), Depth::Outline, 1 << 20);
    let why = format!("unread: a line of {giant} bytes; more than 268435456 are not read");
    assert_eq!(lines.iter().map(show).collect::<Vec<_>>(), ["user | user: text", &why, "user | user: text"]);
    let back = log.backward(FileNo(0), lines[2].offset, 1000, Depth::Outline).unwrap();
    assert_eq!(back.lines, lines[1..2]);
    assert!(log.raw(FileNo(0), lines[1].offset).is_err());
    assert_eq!(log.raw(FileNo(0), lines[2].offset).unwrap(), CLAUDE.as_bytes());
}

fn sample() -> String {
    let rows = [
        CLAUDE,
        r#"{"type":"assistant","uuid":"a1","parentUuid":"u0","sessionId":"s1","message":{"id":"m1","content":[{"type":"text","text":"ünïcode 🙂"},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls \"x\""}}]}}"#,
        r#"{"type":"user","uuid":"r1","parentUuid":"a1","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"a\nb"}]}}"#,
        "",
        r#"{"type":"system","subtype":"compact_boundary","uuid":"b1","compactMetadata":{"trigger":"auto","preTokens":10}}"#,
        r#"{"type":"user","isCompactSummary":true,"uuid":"s1","parentUuid":"b1","message":{"content":"Summary:\n1. Decisions:\n   - **port** 8080, not `src/a.rs`\n2. Pending Tasks:\n   - fix the 17 tests\n"}}"#,
        r#"{"type":"user","uuid":"u2","parentUuid":"s1","message":{"content":"go on \ud83d\ude42"}}"#,
    ];
    rows.join("\n") + "\n"
}

/// Reads the file forward and backward in steps of all sizes: the same lines, and every byte is in one or is blank.
fn assert_tiled(path: &Path, bytes: &[u8]) {
    let Ok(mut log) = formats::open(path) else { return };
    let whole = all_lines(log.as_mut(), Depth::Full, 1 << 20);
    assert_same_parts(&whole, &all_lines(log.as_mut(), Depth::Outline, 1 << 20));
    let at_end = log.forward(FileNo(0), bytes.len() as u64, 1, Depth::Full).unwrap();
    assert!(at_end.at_end && at_end.lines.is_empty());
    let pending = log.backward(FileNo(0), u64::MAX, 1, Depth::Full).unwrap().pending;
    let mut covered = 0;
    for line in &whole {
        let gap = &bytes[covered..line.offset as usize];
        assert!(gap.iter().all(u8::is_ascii_whitespace), "{gap:?}");
        covered = (line.offset + line.len) as usize;
        assert_eq!(log.raw(FileNo(0), line.offset).unwrap(), &bytes[line.offset as usize..covered]);
        assert_eq!(log.raw_of(line).unwrap(), &bytes[line.offset as usize..covered]);
    }
    let rest = &bytes[covered..bytes.len() - pending as usize];
    assert!(rest.iter().all(u8::is_ascii_whitespace), "{rest:?}");
    let without_blanks: Vec<Line> = whole.iter().map(|line| Line { blanks: 0, ..line.clone() }).collect();
    for budget in [1, 100, 4096] {
        assert_eq!(all_lines(log.as_mut(), Depth::Full, budget), whole, "forward in steps of {budget}");
        let mut back = Vec::new();
        let mut before = bytes.len() as u64;
        loop {
            let stretch = log.backward(FileNo(0), before, budget, Depth::Full).unwrap();
            back.splice(0..0, stretch.lines);
            assert!(stretch.at_start || stretch.start < before, "no way back from {before}");
            before = stretch.start;
            if stretch.at_start {
                break;
            }
        }
        assert_eq!(back, without_blanks, "backward in steps of {budget}");
    }
    let mut outline = Outline::default();
    for line in &whole {
        outline.push(line);
    }
    outline.finish();
    for line in &whole {
        let number = bytes[..line.offset as usize].split(|b| *b == b'\n').count() as u64;
        assert_eq!(outline.line_number(FileNo(0), line.offset), Some(number));
    }
    stet::session::group(&whole);
    assert_worked(path, outline.compactions.len());
}

/// The same file on the workbench: every marker has a record, and both ends can be shown.
fn assert_worked(path: &Path, markers: usize) {
    let nowhere = path.with_file_name("none.db");
    let bench = Workbench::new(Settings {
        db: nowhere.clone(),
        default_db: nowhere.clone(),
        copies: nowhere,
        places: formats::Env::default(),
        clock: || 0,
        hand: Hand { via: Via::Cli, author: "me".into(), proposed: false },
    });
    let mut desk = bench.read(&Target::Foreign(path.to_owned()), &mut |_| {}).unwrap();
    assert_eq!(desk.records(&Cancel::default()).unwrap().len(), markers);
    for spot in [Spot::Start, Spot::End] {
        desk.window(spot, 200).unwrap();
    }
}

/// A small generator of numbers, the same on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below.max(1)
    }
}

#[test]
fn no_damage_makes_a_byte_disappear() {
    let folder = TempDir::new().unwrap();
    let pi = format!(
        "{PI}\n{}\n{}\n",
        r#"{"type":"message","id":"a","parentId":null,"timestamp":"2026-03-02T09:14:00Z","message":{"role":"user","content":"hi"}}"#,
        r#"{"type":"compaction","id":"c","parentId":"a","summary":"Goal","firstKeptEntryId":"a","tokensBefore":9}"#
    );
    let mut dice = Dice(7);
    for (sample, rounds) in [(sample(), 250), (pi, 100)] {
        assert_tiled(&write(&folder, "whole", &sample), sample.as_bytes());
        for round in 0..rounds {
            let mut bytes = sample.clone().into_bytes();
            for _ in 0..=dice.roll(3) {
                let at = dice.roll(bytes.len());
                match dice.roll(5) {
                    0 => bytes[at] = dice.roll(256) as u8,
                    1 => bytes.truncate(at.max(1)),
                    2 => drop(bytes.splice(at..at, sample.bytes().skip(dice.roll(sample.len())).take(80)).count()),
                    3 => drop(bytes.drain(at..bytes.len().min(at + dice.roll(200))).count()),
                    _ => bytes.insert(at, b"\n\0\"\\{}[]\xff\r"[dice.roll(10)]),
                }
                if bytes.is_empty() {
                    bytes.push(b'{');
                }
            }
            assert_tiled(&write(&folder, &format!("damaged{}", round % 4), &bytes), &bytes);
        }
    }
}
