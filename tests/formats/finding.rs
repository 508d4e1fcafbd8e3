//! Which files are sessions, what they are called, and which files belong to them.

use std::path::Path;

use stet::formats::{self, Env, OpenError};
use stet::session::{Depth, FileNo};
use tempfile::TempDir;

use super::{CLAUDE, PI, write};

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
            b"{\n  \"type\": \"user\",\n  \"message\": {\n    \"content\": \"hi\"\n  }\n}\n",
            "this is pretty-printed JSON, not a session in JSON lines (write one object a line, as `jq -c` does)",
        ),
        (
            b"[{\"type\":\"user\",\"message\":{\"content\":\"hi\"}}]",
            "this is one JSON list, not a session in JSON lines (write one object a line, as `jq -c '.[]'` does)",
        ),
        (
            b"{\n  \"sessionId\": \"s\",\n  \"messages\": [\n    {\n      \"type\": \"gemini\"\n    }\n  ]\n}\n",
            "no known session format in it (known are claude-code, pi and stet databases)",
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
    let outline = super::outline(&path);
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
    assert!(super::outline(&late).turns.iter().all(stet::session::TurnMeta::is_main));
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
    let renamed = "{\"type\":\"session_info\",\"name\":\"Renamed\"}";
    let path = write(&folder, "pi", format!("{PI}\n{}\n{renamed}\n", renamed.replace("Re", "N")));
    let (head, outline) = (formats::open(&path).unwrap().head().clone(), super::outline(&path));
    assert_eq!((head.title.as_deref(), outline.title.as_deref()), (Some("Renamed"), Some("Renamed")));
    let nameless = CLAUDE.replace("\"sessionId\":\"s1\",", "");
    let path = write(&folder, "nameless", format!("{nameless}\n"));
    assert!(formats::open(&path).unwrap().head().key.id.starts_with("sha256:"));
}
