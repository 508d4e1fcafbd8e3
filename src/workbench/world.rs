//! A small world for tests: a home with a session, its sub-agents' files and a database.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::*;
use crate::formats;
use crate::record::Via;
use crate::session::{Entry, Fold, TurnNo};

pub(super) const SESSION: &str = "0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f";

/// A home with one session in it.
pub(super) struct World {
    pub(super) home: tempfile::TempDir,
}

impl World {
    pub(super) fn of(lines: &[Value]) -> Self {
        let world = Self { home: tempfile::tempdir().unwrap() };
        fs::write(world.session(), text(lines)).unwrap();
        world
    }

    pub(super) fn session(&self) -> PathBuf {
        self.home.path().join(format!("{SESSION}.jsonl"))
    }

    pub(super) fn db(&self) -> PathBuf {
        self.home.path().join("data/stet.db")
    }

    pub(super) fn append(&self, lines: &[Value]) {
        OpenOptions::new().append(true).open(self.session()).unwrap().write_all(text(lines).as_bytes()).unwrap();
    }

    /// A sub-agent's file beside the session.
    pub(super) fn side(&self, agent: &str, lines: &[Value]) -> PathBuf {
        let folder = self.home.path().join(SESSION).join("subagents");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("agent-{agent}.jsonl"));
        let mut lines = lines.to_vec();
        for line in &mut lines {
            line["isSidechain"] = true.into();
            line["agentId"] = agent.into();
        }
        fs::write(&path, text(&lines)).unwrap();
        path
    }

    pub(super) fn bench(&self) -> Workbench {
        Workbench::new(Settings {
            db: self.db(),
            default_db: self.db(),
            copies: self.home.path().join("data/demo"),
            places: formats::Env::default(),
            clock: || 1_772_460_420_000,
            hand: Hand { via: Via::Tui, author: "ana".to_owned(), proposed: false },
        })
    }

    pub(super) fn desk(&self) -> Desk {
        self.bench().open(&Target::Foreign(self.session())).unwrap()
    }

    pub(super) fn read(&self) -> Desk {
        self.bench().read(&Target::Foreign(self.session()), &mut |_| ()).unwrap()
    }
}

pub(super) fn text(lines: &[Value]) -> String {
    lines.iter().flat_map(|line| [line.to_string(), "\n".to_owned()]).collect()
}

pub(super) fn line(id: &str, parent: Option<&str>, more: Value) -> Value {
    let mut line = json!({"uuid": id, "parentUuid": parent, "sessionId": SESSION, "isSidechain": false,
        "timestamp": "2026-03-02T09:00:00.000Z", "version": "2.1.45", "cwd": "/shop", "userType": "external"});
    for (key, value) in more.as_object().unwrap() {
        line[key] = value.clone();
    }
    line
}

pub(super) fn user(id: &str, parent: Option<&str>, text: &str) -> Value {
    line(id, parent, json!({"type": "user", "message": {"role": "user", "content": text}}))
}

pub(super) fn agent(id: &str, parent: Option<&str>, text: &str) -> Value {
    blocks(id, parent, &format!("msg-{id}"), json!([{"type": "text", "text": text}]))
}

pub(super) fn blocks(id: &str, parent: Option<&str>, message: &str, content: Value) -> Value {
    line(
        id,
        parent,
        json!({"type": "assistant", "message": {"id": message, "type": "message", "role": "assistant", "model": "m",
            "content": content}}),
    )
}

pub(super) fn call(id: &str, parent: Option<&str>, tool: &str, call: &str) -> Value {
    blocks(id, parent, &format!("msg-{id}"), json!([{"type": "tool_use", "id": call, "name": tool, "input": {"q": 1}}]))
}

pub(super) fn result(id: &str, parent: Option<&str>, call: &str, text: &str) -> Value {
    line(
        id,
        parent,
        json!({"type": "user", "message": {"role": "user",
            "content": [{"type": "tool_result", "tool_use_id": call, "content": text}]}}),
    )
}

pub(super) fn compaction(id: &str, parent: &str, summary: &str) -> [Value; 2] {
    let after = format!("{id}s");
    [
        line(
            id,
            None,
            json!({"type": "system", "subtype": "compact_boundary", "logicalParentUuid": parent, "content": "",
                "isMeta": false, "level": "info", "compactMetadata": {"trigger": "auto", "preTokens": 100}}),
        ),
        line(
            &after,
            Some(id),
            json!({"type": "user", "isVisibleInTranscriptOnly": true, "isCompactSummary": true,
                "message": {"role": "user", "content": summary}}),
        ),
    ]
}

/// Forty turns with calls, one marker in the middle.
pub(super) fn long() -> Vec<Value> {
    let mut lines = Vec::new();
    let mut last: Option<String> = None;
    for no in 0..20 {
        let at = |name: &str| format!("{name}{no}");
        lines.push(user(&at("u"), last.as_deref(), &format!("question {no}: where is /srv/file-{no}.txt?")));
        lines.push(call(&at("c"), Some(&at("u")), "Read", &at("toolu_")));
        lines.push(result(&at("r"), Some(&at("c")), &at("toolu_"), &format!("it is in row {no}")));
        last = Some(at("r"));
        if no == 9 {
            lines.extend(compaction("k1", "r9", "## Facts\n- /srv/file-3.txt is in row 3\n- someone likes tea\n"));
            last = Some("k1s".to_owned());
        }
    }
    lines
}

/// Each entry in a word: `3u` a user's turn, `4a` the agent's, `m`, `~` a fold with what is in it.
pub(super) fn said(entries: &[Entry]) -> Vec<String> {
    entries
        .iter()
        .map(|entry| match entry {
            Entry::Turn(turn) => {
                let no = turn.no.as_ref().map_or_else(|| "?".to_owned(), TurnNo::to_string);
                let role = match turn.role {
                    crate::session::Role::User => "u",
                    crate::session::Role::Assistant => "a",
                    crate::session::Role::System => "s",
                };
                format!("{no}{role}{}", turn.parts.len())
            }
            Entry::Marker { .. } => "m".to_owned(),
            Entry::Note { .. } => "note".to_owned(),
            Entry::Folded { fold, entries, .. } => {
                let name = match fold {
                    Fold::Abandoned => "abandoned",
                    Fold::SubAgent { .. } => "agent",
                    Fold::Repeat => "repeat",
                    Fold::Noise => "noise",
                };
                format!("{name}({})", said(entries).join(" "))
            }
            Entry::Unread(_) => "unread".to_owned(),
        })
        .collect()
}

pub(super) fn whole(desk: &mut Desk) -> Vec<String> {
    let window = desk.window(Spot::Start, 1 << 20).unwrap();
    assert!(window.at_start && window.at_end);
    said(&window.entries)
}
