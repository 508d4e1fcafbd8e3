//! A home of a test's own, small sessions to put into it, and the program run in it.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use serde_json::{Value, json};

/// An empty home; it is gone when the test is over.
pub struct Home {
    folder: tempfile::TempDir,
}

/// How a run ended.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Home {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A file in the home.
    pub fn file(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// The program in this home, in the home as its folder. Nobody sits at its stdin.
    pub fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stet"));
        command.args(args).current_dir(self.path()).env_clear().stdin(Stdio::null());
        for (name, value) in self.environment() {
            command.env(name, value);
        }
        command
    }

    pub fn environment(&self) -> Vec<(&'static str, String)> {
        let below = |name: &str| self.path().join(name).display().to_string();
        vec![
            ("HOME", below("home")),
            ("XDG_DATA_HOME", below("data")),
            ("XDG_CONFIG_HOME", below("config")),
            ("USER", "ana".to_owned()),
            ("TZ", "UTC".to_owned()),
            ("LC_ALL", "C.UTF-8".to_owned()),
            ("TERM", "xterm-256color".to_owned()),
            // 2026-03-02 14:07:00 UTC
            ("STET_NOW", "1772460420000".to_owned()),
        ]
    }

    pub fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Ran {
        ran(self.command(args).output().unwrap())
    }

    /// Runs with this on stdin.
    pub fn feed<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>, input: &str) -> Ran {
        let mut child =
            self.command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        // Written from beside, so that a full pipe of output stops nobody. It may end before it read everything.
        let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
        let ended = child.wait_with_output().unwrap();
        writer.join().unwrap();
        ran(ended)
    }

    /// Runs with a person's terminal, on which this is typed. How it ended, and what the terminal was sent.
    pub fn at_a_terminal(&self, args: &[&str], typed: &str) -> (u32, String) {
        let size = PtySize { rows: 24, cols: 100, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_stet"));
        command.args(args);
        command.cwd(self.path());
        command.env_clear();
        for (name, value) in self.environment() {
            command.env(name, value);
        }
        let mut child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        // Read from beside: a full terminal would keep it waiting.
        let reading = std::thread::spawn(move || {
            let mut sent = Vec::new();
            // The end of a terminal is an error on some systems.
            let _ = reader.read_to_end(&mut sent);
            String::from_utf8_lossy(&sent).into_owned()
        });
        pair.master.take_writer().unwrap().write_all(typed.as_bytes()).unwrap();
        let code = child.wait().unwrap().exit_code();
        drop(pair.master);
        (code, reading.join().unwrap())
    }

    /// The one line of JSON that a run must print.
    pub fn json<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Value {
        let ran = self.run(args);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
        assert_eq!(ran.out.lines().count(), 1, "{}", ran.out);
        serde_json::from_str(&ran.out).unwrap()
    }

    /// Lets commands pin without a person.
    pub fn may_pin(&self) {
        self.file("config/stet/config.toml", "[ledger]\ncli_may_pin = true\n");
    }

    /// What a run printed and how it ended, as a golden shows it. The home is called `~`.
    pub fn told(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        let mut told = format!("$ stet {}\n{}", args.join(" "), ran.out);
        for line in ran.err.lines() {
            writeln!(told, "! {line}").unwrap();
        }
        if ran.code != 0 {
            writeln!(told, "exit {}", ran.code).unwrap();
        }
        told.replace(&self.path().canonicalize().unwrap().display().to_string(), "~")
            .replace(&self.path().display().to_string(), "~")
    }
}

fn ran(output: std::process::Output) -> Ran {
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Writes a session of Claude Code, line by line.
#[derive(Default)]
pub struct Claude {
    lines: Vec<Value>,
}

pub const CLAUDE_ID: &str = "0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f";

impl Claude {
    fn line(mut self, mut more: Value) -> Self {
        let no = self.lines.len();
        let parent = no.checked_sub(1).map(|before| format!("u{before}"));
        let line = json!({
            "parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": "/shop", "version": "2.1.45",
            "sessionId": CLAUDE_ID, "uuid": format!("u{no}"),
            "timestamp": format!("2026-03-02T09:{no:02}:00.000Z"),
        });
        for (key, value) in line.as_object().unwrap() {
            more[key] = value.clone();
        }
        self.lines.push(more);
        self
    }

    pub fn user(self, text: &str) -> Self {
        self.line(json!({"type": "user", "message": {"role": "user", "content": text}}))
    }

    pub fn agent(self, text: &str) -> Self {
        let id = format!("msg_{}", self.lines.len());
        self.line(json!({"type": "assistant", "message": {"id": id, "type": "message", "role": "assistant",
            "model": "m", "content": [{"type": "text", "text": text}], "usage": {"input_tokens": 9, "output_tokens": 3}}}))
    }

    pub fn call(self, tool: &str, input: Value, result: &str) -> Self {
        let no = self.lines.len();
        let (id, call) = (format!("msg_{no}"), format!("toolu_{no}"));
        self.line(json!({"type": "assistant", "message": {"id": id, "type": "message", "role": "assistant",
            "model": "m", "content": [{"type": "tool_use", "id": call, "name": tool, "input": input}]}}))
            .line(json!({"type": "user", "message": {"role": "user",
                "content": [{"type": "tool_result", "tool_use_id": call, "content": result}]}}))
    }

    pub fn compact(self, summary: &str) -> Self {
        self.line(json!({"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted",
            "isMeta": false, "level": "info", "compactMetadata": {"trigger": "auto", "preTokens": 48120}}))
            .line(json!({"type": "user", "isVisibleInTranscriptOnly": true, "isCompactSummary": true,
                "message": {"role": "user", "content": summary}}))
    }

    pub fn text(&self) -> String {
        text(&self.lines)
    }
}

/// A session with one compaction: a question that came out as a decision, a figure that changed.
pub fn orders() -> Claude {
    Claude::default()
        .user("Should orders.status become an enum? Not sure it's worth a migration.")
        .agent("It would save about 90 MB. The retry ceiling is 7.")
        .user("Never lock orders between 08:00 and 20:00.")
        .call("Bash", json!({"command": "psql -c 'select 1'"}), "ok, /srv/db/orders.sql written")
        .compact(
            "## Decisions\n- convert orders.status to an enum\n\n## Constraints\n- Never lock orders between 08:00 and 20:00.\n\n\
             ## Open questions\n- who owns /srv/db/orders.sql?\n",
        )
        .user("Go on.")
        .agent("I go on with the enum.")
}

/// A session of an agent builder in the interchange format, with a record of its own.
pub fn kept() -> String {
    let lines = [
        json!({"type": "session", "schema": "stet.interchange/1", "agent": "stet", "id": "night-shift", "title": "Night shift"}),
        part("t1.0", "t1", "user", "Is 4711 on credit hold? It must not be."),
        part("t2.0", "t2", "assistant", "It is not a credit hold: the limit is 12,000 EUR."),
        json!({"type": "compaction", "id": "k1", "at": "2026-03-02T09:30:00Z", "trigger": "length",
            "tokens_before": 900, "tokens_after": 90, "summary": null, "record": true}),
        json!({"type": "record", "compaction": "k1",
            "figures": [{"text": "12,000 EUR", "label": "limit", "value": "12,000", "unit": "EUR",
                "source": {"part": "t2.0", "quote": "the limit is 12,000 EUR"}}],
            "ruledOut": [{"claim": "credit hold", "evidence": "limit checked",
                "source": {"part": "t2.0", "quote": "It is not a credit hold"}}],
            "openQuestions": [{"text": "who raised it?", "source": null}]}),
        part("t3.0", "t3", "user", "Thanks."),
    ];
    text(&lines)
}

/// One line each.
pub fn text(lines: &[Value]) -> String {
    lines.iter().flat_map(|line| [line.to_string(), "\n".to_owned()]).collect()
}

/// A part line of the interchange format.
pub fn part(id: &str, turn: &str, role: &str, text: &str) -> Value {
    json!({"type": "part", "id": id, "turn": turn, "role": role, "kind": "text", "speaker": role,
        "at": "2026-03-02T09:14:00Z", "text": text})
}
