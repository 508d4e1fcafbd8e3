//! What tests start from: a folder, a plain connection, a session of every kind of line, a draft.

use std::path::PathBuf;

use rusqlite::Connection;

use crate::record::{Act, Alarm, Anchor, AnchorAt, Draft, EntryKind, Field, FindingKind, Quote, Via};
use crate::session::{
    Body, Boundary, Depth, FileNo, FirstKept, Hash, Head, Line, Log, LogError, MarkerKey, Part, PartKind, Role,
    Segment, SessionKey, SideFile, Speaker, Stretch, Summary, TokensSaved, Trigger, Usage,
};
use crate::store::Store;

pub(super) struct Folder(tempfile::TempDir);

impl Folder {
    pub(super) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(super) fn store(&self) -> Store {
        Store::create_or_open(&self.path("s.db")).unwrap()
    }

    /// What another program would have: no guard of ours but those in the file.
    pub(super) fn plain(&self) -> Connection {
        Connection::open(self.path("s.db")).unwrap()
    }

    /// The names in the folder, sorted.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

pub(super) fn key() -> SessionKey {
    SessionKey::new("stet", "orders")
}

pub(super) fn anchor(text: &str) -> Anchor {
    Anchor {
        session: key(),
        marker: MarkerKey { id: "k1".into(), summary: Hash::of(b"") },
        field: Field::RuledOut,
        text: text.into(),
        hash: Hash::of(text.as_bytes()),
        at: AnchorAt::Own { record: "k1".into(), ordinal: 3 },
    }
}

pub(super) fn alarm(text: &str) -> Alarm {
    Alarm {
        session: key(),
        marker: MarkerKey { id: "k1".into(), summary: Hash::of(b"") },
        kind: FindingKind::Inverted,
        field: Field::Decisions,
        text: text.into(),
        hash: Hash::of(text.as_bytes()),
        range: Some((4, 9)),
    }
}

pub(super) fn draft(text: &str) -> Draft {
    Draft {
        kind: EntryKind::Open,
        act: Act::Reopened,
        outcome: None,
        text: text.into(),
        corrects: Some(anchor(text)),
        target: None,
        source: Some(Quote {
            turn: "1".into(),
            turn_id: "t1.0".into(),
            line_id: Some("t1.0".into()),
            part: 0,
            range: (0, 3),
            quote: "use".into(),
            hash: Hash::of(b"use"),
            speaker: Speaker::User,
        }),
        via: Via::Tui,
        author: "anna".into(),
        reason: Some("read it again".into()),
        proposed: false,
        origin: None,
    }
}

pub(super) fn about(act: Act, target: Hash) -> Draft {
    Draft { act, corrects: None, source: None, target: Some(target), ..draft("") }
}

/// A session in memory, each line with its raw bytes.
#[derive(Clone)]
pub(super) struct FakeLog {
    pub(super) head: Head,
    pub(super) files: Vec<Vec<(Line, Vec<u8>)>>,
}

impl FakeLog {
    /// Lines of files, with offsets as in a file whose raw lines end in one byte each.
    pub(super) fn new(files: Vec<Vec<(Line, Vec<u8>)>>) -> Self {
        let sides = (1..files.len())
            .map(|file| SideFile {
                file: FileNo(file as u16),
                path: format!("side-{file}.jsonl").into(),
                agent_id: format!("a{file}"),
            })
            .collect();
        let head = Head { key: key(), path: "main.jsonl".into(), title: None, sides, rows: false };
        let mut log = Self { head, files };
        for (file, lines) in (0..).zip(&mut log.files) {
            let mut offset = 0;
            for (line, raw) in lines {
                (line.file, line.offset, line.len) = (FileNo(file), offset, raw.len() as u64);
                offset += raw.len() as u64 + 1;
            }
        }
        log
    }
}

impl Log for FakeLog {
    fn head(&self) -> &Head {
        &self.head
    }

    fn forward(&mut self, file: FileNo, from: u64, budget: usize, _depth: Depth) -> Result<Stretch, LogError> {
        let all = &self.files[file.0 as usize];
        let mut lines = Vec::new();
        let mut spent = 0;
        for (line, raw) in all.iter().filter(|(line, _)| line.offset >= from) {
            lines.push(line.clone());
            spent += raw.len();
            if spent >= budget {
                break;
            }
        }
        let end = lines.last().map_or(from, |line| line.offset + line.len + 1);
        let at_end = all.last().is_none_or(|(line, _)| end > line.offset);
        Ok(Stretch { file, lines, start: from, end, at_start: from == 0, at_end, pending: 0 })
    }

    fn backward(&mut self, _: FileNo, _: u64, _: usize, _: Depth) -> Result<Stretch, LogError> {
        Err(LogError::Unreadable { path: "memory".into(), why: "an import reads forward".into() })
    }

    fn raw(&mut self, file: FileNo, offset: u64) -> Result<Vec<u8>, LogError> {
        let found = self.files[file.0 as usize].iter().find(|(line, _)| line.offset == offset);
        Ok(found.unwrap().1.clone())
    }

    fn size(&mut self, file: FileNo) -> Result<u64, LogError> {
        Ok(self.files[file.0 as usize].iter().map(|(_, raw)| raw.len() as u64 + 1).sum())
    }

    fn again(&self) -> Result<Box<dyn Log>, LogError> {
        Ok(Box::new(self.clone()))
    }
}

pub(super) fn line(id: Option<&str>, body: Body) -> Line {
    Line {
        file: FileNo(0),
        offset: 0,
        len: 0,
        blanks: 0,
        id: id.map(str::to_owned),
        parent: None,
        logical_parent: None,
        at: None,
        sidechain: None,
        started_agent: None,
        body,
        lossy: None,
    }
}

pub(super) fn part(block: u32, kind: PartKind, speaker: Speaker, text: &str) -> Part {
    Part { block, kind, speaker, text: text.into() }
}

pub(super) fn message(role: Role, message: Option<&str>, parts: Vec<Part>) -> Body {
    Body::Message { role, message: message.map(str::to_owned), parts, usage: None }
}

/// Every kind of line and part, every field filled somewhere, bytes that are no UTF-8, a NUL, a repeated id.
pub(super) fn everything() -> Vec<Vec<(Line, Vec<u8>)>> {
    let usage = Some(Usage { input: u64::MAX, output: 7 });
    let user = Line {
        parent: Some("before".into()),
        logical_parent: Some("really".into()),
        at: Some(-1),
        lossy: Some("a lone surrogate was mended".into()),
        ..line(Some("u1"), message(Role::User, None, vec![part(0, PartKind::Text, Speaker::User, "port 80\0?")]))
    };
    let call = PartKind::ToolCall { id: Some("c1".into()), name: "bash".into() };
    let assistant = Line {
        at: Some(1_772_442_840_123),
        body: Body::Message {
            role: Role::Assistant,
            message: Some("m1".into()),
            parts: vec![
                part(0, PartKind::Thinking, Speaker::Assistant, "hm"),
                part(1, PartKind::Text, Speaker::Assistant, ""),
                part(2, call, Speaker::Assistant, "command: ls"),
                part(4, PartKind::Opaque { what: "image/png, 4 kB".into() }, Speaker::Assistant, ""),
            ],
            usage,
        },
        ..line(Some("a1"), Body::Note(TokensSaved::default()))
    };
    let result = PartKind::ToolResult { id: Some("c1".into()), ok: false };
    let result = Line {
        started_agent: Some("a1".into()),
        ..line(None, message(Role::User, None, vec![part(0, result, Speaker::Tool, "none")]))
    };
    let loose = vec![
        part(0, PartKind::ToolCall { id: None, name: String::new() }, Speaker::Assistant, "x"),
        part(1, PartKind::ToolResult { id: None, ok: true }, Speaker::Tool, "y"),
    ];
    let side = Line {
        sidechain: Some(String::new()),
        ..line(Some("s1"), message(Role::System, Some("m"), vec![part(0, PartKind::Text, Speaker::System, "sub")]))
    };
    let boundary = Boundary {
        trigger: Some(Trigger::Manual),
        tokens_before: Some(48_120),
        tokens_after: None,
        preserved: vec!["u1".into(), "a1".into()],
        preserved_segment: Some(Segment { head: "u1".into(), tail: "a1".into() }),
        first_kept: Some(FirstKept::Line(2)),
        last_covered: Some("a1".into()),
        own_record: false,
    };
    let kept = Boundary { first_kept: Some(FirstKept::Id("a1".into())), ..Boundary::default() };
    let noise = |title: Option<&str>, text: &str| Body::Noise {
        what: "progress".into(),
        title: title.map(str::to_owned),
        text: text.into(),
    };
    let note = TokensSaved { before: Some(9), saved: None, cleared: 3 };
    let main = vec![
        (user.clone(), b"{\"raw\": \xff\x00}".to_vec()),
        (assistant, b"{a1}".to_vec()),
        (result, b"{}".to_vec()),
        (line(Some("a2"), message(Role::Assistant, None, loose)), b"{a2}".to_vec()),
        (line(Some("e"), message(Role::User, Some("t"), Vec::new())), b"{e}".to_vec()),
        (line(None, noise(Some("Orders"), "working")), b"{noise}".to_vec()),
        (line(Some("n"), noise(None, "")), Vec::new()),
        (line(None, Body::Unread { why: "not JSON".into() }), b"{{{".to_vec()),
        (line(Some("b1"), Body::Compaction { boundary, summary: None }), b"{b1}".to_vec()),
        (line(Some("s"), Body::Summary(Summary { text: "what was\nkept".into() })), b"{s}".to_vec()),
        (line(None, Body::Note(note)), b"{note}".to_vec()),
        (
            line(None, Body::Compaction { boundary: kept, summary: Some(Summary { text: String::new() }) }),
            b"{b2}".to_vec(),
        ),
        (user, b"{again}".to_vec()),
    ];
    vec![main, vec![(side, b"{side}".to_vec())]]
}

/// Every line of a log with its raw bytes, offsets left out: they are what a store may choose.
pub(super) fn read(log: &mut dyn Log) -> Vec<(Line, Vec<u8>)> {
    let files = [FileNo(0)].into_iter().chain(log.head().sides.iter().map(|side| side.file)).collect::<Vec<_>>();
    let mut all = Vec::new();
    for file in files {
        let mut from = 0;
        loop {
            let stretch = log.forward(file, from, 1, Depth::Full).unwrap();
            from = stretch.end;
            for mut line in stretch.lines {
                let raw = log.raw(file, line.offset).unwrap();
                line.offset = 0;
                all.push((line, raw));
            }
            if stretch.at_end {
                break;
            }
        }
    }
    all
}

/// A small session with a compaction, its record and an entry, in the interchange format.
pub(super) const ORDERS: &str = r#"{"type":"session","schema":"stet.interchange/1","agent":"stet","id":"orders","sub":null,"title":"Orders"}
{"type":"part","id":"t1.0","turn":"t1","role":"user","kind":"text","speaker":"user","at":"2026-03-02T09:14:00Z","text":"use port 8080, never 80"}
{"type":"part","id":"t2.0","turn":"t2","role":"assistant","kind":"text","speaker":"assistant","at":"2026-03-02T09:15:00Z","line":"t2","text":"I will look"}
{"type":"part","id":"t2.1","turn":"t2","role":"assistant","kind":"tool_call","speaker":"assistant","at":"2026-03-02T09:15:00Z","line":"t2","block":1,"tool":"bash","call":"c1","text":"command: ss -ltn"}
{"type":"part","id":"t2.2","turn":"t2","role":"assistant","kind":"tool_result","speaker":"tool","call":"c1","ok":true,"text":"8080 is free"}
{"type":"line","id":"p","kind":"noise","what":"progress","raw":"{\"progress\":1}"}
{"type":"note","at":"2026-03-02T09:16:00Z","before":900,"saved":400,"cleared":1}
{"type":"part","id":"t3.0","turn":"t3","role":"user","kind":"text","speaker":"user","text":"keep this one"}
{"type":"compaction","id":"k1","at":"2026-03-02T09:20:00Z","trigger":"auto","tokens_before":48120,"tokens_after":1204,"preserved":["t3.0"],"first_kept":null,"summary":null,"record":true}
{"type":"record","compaction":"k1","narrative":[{"text":"A port was chosen.","source":null}],"entities":[{"text":"8080","class":"port","source":{"part":"t1.0","quote":"8080"}}],"figures":[{"text":"8080","label":"port","value":8080,"unit":"","source":{"part":"t2.2","quote":"8080"}}],"constraints":[{"text":"never 80","source":{"part":"t1.0","quote":"80","range":[21,23]}}],"decisions":[],"actionsTaken":[{"text":"looked at the ports","tool":"bash","args":"ss -ltn","ok":true,"source":{"part":"t2.1","quote":"ss -ltn"}}],"ruledOut":[{"claim":"port 80","evidence":"the user said never","source":{"part":"t1.0","quote":"never 80"}}],"openQuestions":[]}
"#;
