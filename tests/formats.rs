//! Session files of other agents, as a person may have them: whole, damaged, growing, hostile.
#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "a test fails by panicking, and says what it skipped")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use stet::formats::{self, Env, OpenError};
use stet::session::{Body, Depth, FileNo, Line, Log, LogError, Outline, PartKind, Role, Speaker, Trigger};
use tempfile::TempDir;

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
fn claude_code_lines_say_who_spoke() {
    check(
        CLAUDE,
        &[
            (
                r#"{"type":"user","message":{"role":"user","content":"keep port 8080"}}"#,
                r#"user | user: text "keep port 8080""#,
            ),
            (
                r#"{"type":"user","message":{"content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAAAAAA"}}]}}"#,
                r#"user | user: text "a" | user: [image/png, 6 bytes]"#,
            ),
            (
                r#"{"type":"user","message":{"content":"do it<system-reminder>never</system-reminder>"}}"#,
                r#"user | user: text "do it" | tool: text "<system-reminder>never</system-reminder>""#,
            ),
            (
                r#"{"type":"user","origin":{"kind":"task-notification"},"message":{"content":"agent finished"}}"#,
                r#"user | tool: text "agent finished""#,
            ),
            (
                r#"{"type":"user","isVisibleInTranscriptOnly":true,"message":{"content":"only for the eye"}}"#,
                r#"(shown only) "only for the eye""#,
            ),
            (r#"{"type":"user","isMeta":true,"message":{"content":"Caveat: x"}}"#, r#"(meta) "Caveat: x""#),
            (
                r#"{"type":"user","message":{"content":"<command-name>/exit</command-name>\n<command-args></command-args>"}}"#,
                r#"(command) "<command-name>/exit</command-name>\n<command-args></command-args>""#,
            ),
            (
                r#"{"type":"user","message":{"content":[{"type":"text","text":"[Request interrupted by user]"}]}}"#,
                r#"(interrupted) "[Request interrupted by user]""#,
            ),
            (
                r#"{"type":"user","toolUseResult":{"agentId":"ab12"},"message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"one"},{"type":"text","text":"two"},{"type":"image","source":{"media_type":"image/png","data":"AAAA"}}]}]}}"#,
                r#"user | tool: result t1 "one\ntwo" | tool: [image/png, 3 bytes] started ab12"#,
            ),
            (
                r#"{"type":"user","toolUseResult":"Error: no","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"The user doesn't want to proceed with this tool use. The user said:\nnot on main"}]}}"#,
                r#"user | user: result t1 failed "The user doesn't want to proceed with this tool use. The user said:\nnot on main""#,
            ),
            (
                r#"{"type":"user","toolUseResult":{"stdout":"x"},"message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"User has approved your plan"}]}}"#,
                r#"user | tool: result t1 "User has approved your plan""#,
            ),
            (
                r#"{"type":"attachment","uuid":"q","attachment":{"type":"queued_command","prompt":"also test it","commandMode":"prompt"}}"#,
                r#"user | user: text "also test it""#,
            ),
            (
                r#"{"type":"attachment","uuid":"q","attachment":{"type":"queued_command","prompt":"done","commandMode":"task-notification"}}"#,
                r#"user | tool: text "done""#,
            ),
            (
                r#"{"type":"assistant","message":{"id":"m1","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"ok"},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls","n":1}}]}}"#,
                r#"assistant m1 | agent: thinking "hm" | agent: text "ok" | agent: call t1 Bash "command: ls\nn: 1""#,
            ),
            (
                r#"{"type":"assistant","message":{"id":"m1","content":[{"type":"thinking","thinking":"","signature":"AAAA"},{"type":"hologram","x":1}]}}"#,
                "assistant m1 | agent: [thinking, encrypted, 4 bytes] | agent: [unknown block hologram, 25 bytes]",
            ),
            (
                r#"{"type":"assistant","isApiErrorMessage":true,"message":{"id":"m1","content":[{"type":"text","text":"API Error"}]}}"#,
                r#"(api error) "API Error""#,
            ),
            (
                r#"{"type":"assistant","isSidechain":true,"agentId":"ab","message":{"id":"m1","content":"hi"}}"#,
                r#"assistant m1 | agent: text "hi" side "ab""#,
            ),
        ],
    );
}

#[test]
fn claude_code_lines_mark_compactions() {
    check(
        CLAUDE,
        &[
            (
                r#"{"type":"system","subtype":"compact_boundary","uuid":"b","logicalParentUuid":"u0","compactMetadata":{"trigger":"auto","preTokens":176700}}"#,
                "compaction auto 176700 to ?",
            ),
            (
                r#"{"type":"system","subtype":"compact_boundary","compactMetadata":{"trigger":"manual","preTokens":9,"postTokens":3,"preservedMessages":{"anchorUuid":"x","uuids":["a","b"]}}}"#,
                r#"compaction manual 9 to 3 ["a", "b"]"#,
            ),
            (
                r#"{"type":"system","subtype":"compact_boundary","compact_metadata":{"trigger":"auto","pre_tokens":9,"preserved_segment":{"head_uuid":"a","tail_uuid":"c"}}}"#,
                "compaction auto 9 to ? a..c",
            ),
            (r#"{"type":"system","subtype":"compact_boundary"}"#, "compaction ? ? to ?"),
            (
                r#"{"type":"user","isCompactSummary":true,"message":{"content":"Summary:\n1. x"}}"#,
                r#"summary "Summary:\n1. x""#,
            ),
            (
                r#"{"type":"user","isCompactSummary":true,"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}"#,
                r#"summary "a\nb""#,
            ),
            (
                r#"{"type":"system","subtype":"microcompact_boundary","microcompactMetadata":{"preTokens":5,"tokensSaved":2,"compactedToolIds":["a","b"]}}"#,
                "note Some(5) Some(2) 2",
            ),
            (
                r#"{"type":"custom-title","sessionId":"s1","customTitle":"Orders"}"#,
                r#"(custom title) named "Orders" "Orders""#,
            ),
            (r#"{"type":"progress","data":{"type":"bash_progress","output":"50 %"}}"#, r#"(progress) "50 %""#),
            (r#"{"type":"system","subtype":"turn_duration","durationMs":12}"#, r#"(turn duration) "12""#),
        ],
    );
}

#[test]
fn pi_lines_of_every_version_are_read() {
    check(
        PI,
        &[
            (
                r#"{"type":"message","id":"a","parentId":null,"timestamp":"2026-03-02T09:14:00Z","message":{"role":"user","content":"hi"}}"#,
                r#"user | user: text "hi""#,
            ),
            (
                r#"{"type":"message","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"ok"},{"type":"toolCall","id":"t","name":"read","arguments":{"path":"a.rs"}}],"usage":{"input":1,"cacheRead":2}}}"#,
                r#"assistant | agent: thinking "hm" | agent: text "ok" | agent: call t read "path: a.rs""#,
            ),
            (
                r#"{"type":"message","message":{"role":"toolResult","toolCallId":"t","content":[{"type":"text","text":"fn main"},{"type":"image","data":"AAAA","mimeType":"image/png"}],"isError":true}}"#,
                r#"user | tool: result t failed "fn main" | tool: [image/png, 3 bytes]"#,
            ),
            (
                r#"{"type":"message","message":{"role":"bashExecution","command":"ls","output":"a\nb"}}"#,
                r#"user | tool: text "! ls\na\nb""#,
            ),
            (
                r#"{"type":"custom_message","customType":"x","content":"from an extension"}"#,
                r#"user | tool: text "from an extension""#,
            ),
            (
                r#"{"type":"message","message":{"role":"assistant","content":[],"errorMessage":"aborted"}}"#,
                r#"(empty message) "aborted""#,
            ),
            (
                r#"{"type":"compaction","id":"c","summary":"Goal","firstKeptEntryId":"a","tokensBefore":9}"#,
                r#"compaction ? 9 to ? kept from Id("a") "Goal""#,
            ),
            (
                r#"{"type":"compaction","summary":"Goal","firstKeptEntryIndex":293,"tokensBefore":9}"#,
                r#"compaction ? 9 to ? kept from Line(293) "Goal""#,
            ),
            (r#"{"type":"branch_summary","fromId":"a","summary":"went back"}"#, r#"(branch summary) "went back""#),
            (r#"{"type":"session_info","name":"Orders"}"#, r#"(custom title) named "Orders" "Orders""#),
            (r#"{"type":"model_change","modelId":"m"}"#, r#"(model) "m""#),
            (
                r#"{"type":"message","message":{"role":"hologram"}}"#,
                r#"(unknown role hologram) "{\"role\":\"hologram\"}""#,
            ),
        ],
    );
}

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
        r#"{"type":"user","isCompactSummary":true,"uuid":"s1","parentUuid":"b1","message":{"content":"Summary: all is well"}}"#,
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
    }
    let rest = &bytes[covered..bytes.len() - pending as usize];
    assert!(rest.iter().all(u8::is_ascii_whitespace), "{rest:?}");
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
        assert_eq!(back, whole, "backward in steps of {budget}");
    }
    let mut outline = Outline::default();
    for line in &whole {
        outline.push(line);
    }
    outline.finish();
    stet::session::group(&whole);
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

#[test]
fn a_line_that_is_still_written_waits_and_then_shows_once() {
    let folder = TempDir::new().unwrap();
    let second = CLAUDE.replace("first", "sécond").replace("u0", "u1");
    let path = write(&folder, "live", format!("{CLAUDE}\n"));
    let mut log = formats::open(&path).unwrap();
    let mut from = 0;
    let mut shown = Vec::new();
    let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    for piece in format!("{second}\n{CLAUDE}\n").as_bytes().chunks(3) {
        file.write_all(piece).unwrap();
        loop {
            let stretch = log.forward(FileNo(0), from, 1 << 20, Depth::Full).unwrap();
            shown.extend(stretch.lines.iter().map(show));
            from = stretch.end;
            if stretch.at_end {
                assert_eq!(from + stretch.pending, log.size(FileNo(0)).unwrap());
                break;
            }
        }
    }
    assert_eq!(shown, ["user | user: text \"first\"", "user | user: text \"sécond\"", "user | user: text \"first\""]);
}

#[test]
fn a_file_that_was_rewritten_is_not_read_on() {
    let folder = TempDir::new().unwrap();
    let text = format!("{CLAUDE}\n{CLAUDE}\n");
    let rewrites: [fn(&Path, &str); 3] = [
        |path, text| std::fs::write(path, &text[..text.len() / 2]).unwrap(),
        |path, text| std::fs::write(path, text.replace("first", "other") + text).unwrap(),
        |path, text| {
            std::fs::write(path.with_extension("new"), text).unwrap();
            std::fs::rename(path.with_extension("new"), path).unwrap();
        },
    ];
    for rewrite in rewrites {
        let path = write(&folder, "live", &text);
        let mut log = formats::open(&path).unwrap();
        assert!(log.forward(FileNo(0), 0, 10, Depth::Full).is_ok());
        std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{}\n").unwrap();
        assert!(log.size(FileNo(0)).is_ok(), "growing is no rewriting");
        rewrite(&path, &text);
        assert!(matches!(log.forward(FileNo(0), 0, 10, Depth::Full), Err(LogError::Rewritten { .. })));
        assert!(log.again().is_err());
    }
}

#[test]
fn what_is_no_session_is_refused_with_its_reason() {
    let folder = TempDir::new().unwrap();
    let utf16: Vec<u8> = CLAUDE.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (bytes, want) in [
        (b"".as_slice(), "it is empty, there is no session in it yet"),
        (b"\n\n \n", "it is empty, there is no session in it yet"),
        (b"\x1f\x8b\x08\0", "this is gzip data, not a session in JSON lines (unpack it first)"),
        (
            b"SQLite format 3\0....",
            "this is a SQLite database, not a session in JSON lines (only stet databases are read)",
        ),
        (&utf16, "this is UTF-16 text, not a session in JSON lines (convert it to UTF-8)"),
        (
            b"{\n  \"type\": \"user\"\n}\n",
            "this is pretty-printed JSON, not a session in JSON lines (write one object a line, as `jq -c` does)",
        ),
        (
            b"[{\"type\":\"user\"}]",
            "this is one JSON list, not a session in JSON lines (write one object a line, as `jq -c '.[]'` does)",
        ),
        (b"hello\n", "no known session format in it (known are claude-code, pi and stet databases)"),
        (
            b"{\"type\":\"session_meta\",\"payload\":{}}\n",
            "no known session format in it (known are claude-code, pi and stet databases)",
        ),
    ] {
        let path = write(&folder, "no", bytes);
        let error = formats::open(&path).err().unwrap().to_string();
        assert_eq!(error, format!("cannot open {}: {want}", path.display()));
    }
    let link = |name: &str, to: &str| {
        let path = folder.path().join(name);
        std::os::unix::fs::symlink(to, &path).unwrap();
        path
    };
    let refused = |path: &Path| formats::open(path).err().unwrap();
    assert!(matches!(refused(folder.path()), OpenError::Directory { .. }));
    assert!(matches!(refused(&folder.path().join("nowhere")), OpenError::Missing { .. }));
    assert!(matches!(refused(&link("dangling", "nowhere")), OpenError::Missing { .. }));
    link("loop-a", "loop-b");
    assert!(matches!(refused(&link("loop-b", "loop-a")), OpenError::LinkLoop { .. }));
    assert!(matches!(refused(Path::new("/dev/zero")), OpenError::NotRegular { .. }));
    let pipe = folder.path().join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR, 0).unwrap();
    assert!(matches!(refused(&pipe), OpenError::NotRegular { .. }));
}

#[test]
fn sessions_are_found_where_agents_keep_them_and_side_files_are_not_sessions() {
    let folder = TempDir::new().unwrap();
    let names = [
        ".claude/projects/-work/s1.jsonl",
        ".claude/projects/-work/s1/subagents/agent-ab.jsonl",
        ".claude/projects/-work/agent-cd.jsonl",
        ".claude/projects/-work/notes.txt",
        ".pi/agent/sessions/--work--/2026_p1.jsonl",
    ];
    for name in names {
        let line = if name.contains(".pi") { PI } else { CLAUDE };
        write(&folder, name, if name.ends_with("txt") { "notes".to_owned() } else { format!("{line}\n") });
    }
    std::os::unix::fs::symlink(folder.path(), folder.path().join(".claude/projects/-work/circle")).unwrap();
    let relative = |search: formats::Search| -> Vec<String> {
        assert!(search.troubles.is_empty(), "{:?}", search.troubles);
        let name = |found: formats::Found| {
            let path = found.path.strip_prefix(folder.path()).unwrap().display().to_string();
            format!("{} {path} {}", found.format.map_or("database", |format| format.name()), found.size)
        };
        search.found.into_iter().map(name).collect()
    };
    let env = Env { home: Some(folder.path().to_owned()), vars: std::collections::BTreeMap::default() };
    let (claude, pi) = (CLAUDE.len() + 1, PI.len() + 1);
    let want = [
        format!("claude-code .claude/projects/-work/s1.jsonl {claude}"),
        format!("pi .pi/agent/sessions/--work--/2026_p1.jsonl {pi}"),
    ];
    assert_eq!(relative(formats::find(&env)), want);
    write(&folder, "store.db", b"SQLite format 3\0");
    let mut all = want.to_vec();
    all.push("database store.db 16".into());
    assert_eq!(relative(formats::find_in(folder.path())), all);
    let elsewhere = [("CLAUDE_CONFIG_DIR".to_owned(), folder.path().join("other").into_os_string())];
    let env = Env { vars: elsewhere.into_iter().collect(), ..env };
    assert_eq!(relative(formats::find(&env)), want[1..]);
}

#[test]
fn sub_agents_files_belong_to_their_session_and_are_sessions_when_opened_themselves() {
    let folder = TempDir::new().unwrap();
    let agent = |id: &str, at: &str, session: &str| {
        format!(
            "{{\"type\":\"user\",\"isSidechain\":true,\"agentId\":\"{id}\",\"sessionId\":\"{session}\",\"uuid\":\"x{id}\",\
             \"timestamp\":\"2026-03-02T{at}:00Z\",\"message\":{{\"content\":\"find {id}\"}}}}\n"
        )
    };
    let call = |id: &str| {
        format!(
            "{{\"type\":\"assistant\",\"uuid\":\"c{id}\",\"sessionId\":\"s1\",\"message\":{{\"id\":\"m\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"{id}\",\"name\":\"Task\",\"input\":{{}}}}]}}}}\n"
        )
    };
    let result = r#"{"type":"user","uuid":"r","sessionId":"s1","toolUseResult":{"agentId":"late"},"message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"done"}]}}"#;
    let path = write(&folder, "s1.jsonl", format!("{CLAUDE}\n{}{}{result}\n", call("t1"), call("t2")));
    let late = write(&folder, "s1/subagents/agent-late.jsonl", agent("late", "10:00", "s1"));
    write(&folder, "agent-early.jsonl", agent("early", "09:30", "s1"));
    write(&folder, "agent-other.jsonl", agent("other", "09:30", "s2"));
    write(&folder, "s1/subagents/agent-acompact-1.jsonl", agent("acompact-1", "09:00", "s1"));

    let log = formats::open(&path).unwrap();
    let sides: Vec<_> = log.head().sides.iter().map(|side| (side.file.0, side.agent_id.as_str())).collect();
    assert_eq!(sides, [(1, "early"), (2, "late")]);
    let outline = outline(&path);
    let numbers: Vec<_> = outline.turns.iter().map(|turn| outline.number(turn).unwrap().to_string()).collect();
    // The result names the agent of the first call; the other agent takes the call that is left.
    assert_eq!(numbers, ["1", "2", "2.2.1", "2.1.1"]);
    assert_eq!(outline.started_by(outline.turns[1].place), ["late", "early"]);

    let mut log = formats::open(&path).unwrap();
    write(&folder, "s1/subagents/agent-new.jsonl", agent("new", "08:00", "s1"));
    assert_eq!((log.look_for_sides(), log.look_for_sides()), (1, 0));
    let again = log.again().unwrap();
    let last = again.head().sides.last().unwrap();
    assert_eq!((last.file, last.agent_id.as_str()), (FileNo(3), "new"));
    assert_eq!(log.forward(FileNo(3), 0, 1, Depth::Full).unwrap().lines.len(), 1);

    let log = formats::open(&late).unwrap();
    assert_eq!(log.head().key.to_string(), "claude-code:s1/late");
    let mixed = write(&folder, "mixed.jsonl", agent("warm", "09:00", "s3") + &CLAUDE.replace("s1", "s3") + "\n");
    assert_eq!(formats::open(&mixed).unwrap().head().key.to_string(), "claude-code:s3");
    assert!(self::outline(&late).turns.iter().all(stet::session::TurnMeta::is_main));
}

#[test]
fn keys_and_titles_come_from_the_file_and_not_from_its_name() {
    let folder = TempDir::new().unwrap();
    let title = r#"{"type":"summary","summary":"Orders","leafUuid":"x"}"#;
    let path = write(&folder, "any.name", format!("{title}\n{CLAUDE}\n"));
    let head = formats::open(&path).unwrap().head().clone();
    assert_eq!((head.key.to_string().as_str(), head.title.as_deref()), ("claude-code:s1", Some("Orders")));
    let path = write(&folder, "pi", format!("{PI}\n{{\"type\":\"session_info\",\"name\":\"Refactor\"}}\n"));
    let head = formats::open(&path).unwrap().head().clone();
    assert_eq!((head.key.to_string().as_str(), head.title.as_deref()), ("pi:p1", Some("Refactor")));
    let nameless = CLAUDE.replace("\"sessionId\":\"s1\",", "");
    let path = write(&folder, "nameless", format!("{nameless}\n"));
    assert!(formats::open(&path).unwrap().head().key.id.starts_with("sha256:"));
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
