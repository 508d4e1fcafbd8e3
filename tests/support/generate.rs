//! Long sessions in Claude Code's shape, for benches: seeded, streamed, with sizes of lines as real ones have them
//! (median about 1.3 kB, most bytes in tool results, now and then a line of megabytes). The words mean nothing.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};

use crate::random::Chance;

/// Stands in the first turn.
pub const FIRST: &str = "FIRST-SCREEN";
/// Stands in the last turn.
pub const LAST: &str = "LAST-SCREEN";

/// How many exchanges at the end are the same at every size.
const ENDING: u32 = 60;

const WORDS: &str = "the a of to and in is that it for on with as be this are was by from at not which we you can if will \
    have but all file function module test error build request server client value index cache buffer parser token \
    session summary context line column table query schema record field type thread lock queue worker event handler \
    should would could might probably because instead already still never before after while run check verify update \
    remove add rename move split merge read write open close load send return commit branch migration config default";
const VERBS: &str = "apply build check close decode drain encode fetch flush format insert load lookup merge open parse poll \
    prune read render reset resolve scan seek send split store sync trim update validate write";
const THINGS: &str = "auth billing cache codec config core diff engine export fetch graph http index ingest journal ledger \
    metrics net parser policy queue render router sched search session store sync token wal";

/// What is asked for.
pub struct Wanted {
    pub bytes: u64,
    pub seed: u64,
    /// Lines between two compactions.
    pub every: u32,
    /// Stands once, near the end.
    pub needle: &'static str,
}

/// What was written.
#[derive(Debug)]
pub struct Written {
    pub bytes: u64,
    pub lines: u64,
    pub compactions: u64,
}

/// Writes a session; the same wish gives the same bytes.
pub fn session(path: &Path, wanted: &Wanted) -> std::io::Result<Written> {
    let mut writer = Writer {
        file: BufWriter::with_capacity(1 << 20, File::create(path)?),
        written: Written { bytes: 0, lines: 0, compactions: 0 },
        since: 0,
        parent: Value::Null,
        tokens: 20_000,
        text: Texts::new(wanted.seed),
    };
    writer.user(&format!("{FIRST} Please refactor the parser; do not touch src/auth.rs, keep p99 under 16 ms."))?;
    let mut hidden = false;
    while writer.written.bytes < wanted.bytes {
        if writer.since >= wanted.every {
            writer.compaction()?;
        }
        writer.exchange()?;
        if !hidden && writer.written.bytes > wanted.bytes / 1000 * 995 {
            writer.assistant(json!([{"type": "text", "text": format!("The rare value is {}.", wanted.needle)}]))?;
            hidden = true;
        }
    }
    // The end is the same at every size, so that what is measured there differs by the size alone.
    writer.text.chance = Chance::new(wanted.seed);
    for _ in 0..ENDING {
        writer.exchange()?;
    }
    writer.assistant(json!([{"type": "text", "text": format!("{LAST} All tests pass; 3 of 41 figures changed.")}]))?;
    writer.file.flush()?;
    Ok(writer.written)
}

struct Writer {
    file: BufWriter<File>,
    written: Written,
    since: u32,
    parent: Value,
    tokens: u64,
    text: Texts,
}

impl Writer {
    fn line(&mut self, kind: &str, more: Value) -> std::io::Result<()> {
        let id = self.text.chance.uuid();
        let second = self.written.lines;
        let mut line = json!({
            "parentUuid": self.parent, "isSidechain": false, "userType": "external", "cwd": "/srv/project",
            "sessionId": "5e551071-0000-4000-8000-000000000001", "version": "2.0.14", "gitBranch": "main",
            "type": kind, "uuid": id,
            "timestamp": format!("2026-03-{:02}T{:02}:{:02}:{:02}.000Z", 1 + second / 86_400 % 28,
                second / 3600 % 24, second / 60 % 60, second % 60),
        });
        if let (Value::Object(line), Value::Object(more)) = (&mut line, more) {
            line.extend(more);
        }
        self.parent = json!(id);
        let bytes = serde_json::to_vec(&line)?;
        self.file.write_all(&bytes)?;
        self.file.write_all(b"\n")?;
        self.written.bytes += bytes.len() as u64 + 1;
        self.written.lines += 1;
        self.since += 1;
        Ok(())
    }

    fn user(&mut self, text: &str) -> std::io::Result<()> {
        self.line("user", json!({"message": {"role": "user", "content": text}}))
    }

    fn assistant(&mut self, content: Value) -> std::io::Result<()> {
        self.tokens += 300 + self.text.chance.below(2300) as u64;
        let id = format!("msg_{:016x}", self.text.chance.next());
        let usage = json!({"input_tokens": 12, "cache_creation_input_tokens": 900,
            "cache_read_input_tokens": self.tokens, "output_tokens": 200});
        self.line(
            "assistant",
            json!({"message": {"id": id, "type": "message", "role": "assistant", "model": "model", "content": content,
                "usage": usage}}),
        )
    }

    /// A question now and then, thoughts, words, one call and its result.
    fn exchange(&mut self) -> std::io::Result<()> {
        let roll = self.text.chance.below(100);
        if roll < 15 {
            let text = self.text.prose(60, 900);
            self.user(&text)?;
        }
        if roll.is_multiple_of(4) {
            let text = self.text.prose(300, 2000);
            self.assistant(json!([{"type": "thinking", "thinking": text, "signature": "c2lnbmF0dXJl".repeat(30)}]))?;
        }
        if roll % 9 < 4 {
            let text = self.text.prose(80, 900);
            self.assistant(json!([{"type": "text", "text": text}]))?;
        }
        let call = format!("toolu_{:016x}", self.text.chance.next());
        let (name, input) = self.text.call();
        self.assistant(json!([{"type": "tool_use", "id": call, "name": name, "input": input}]))?;
        let rare = self.text.chance.below(10_000);
        let content = if rare < 8 {
            let length = 1_200_000 + self.text.chance.below(1_800_000);
            json!([{"type": "image", "source": {"type": "base64", "media_type": "image/png",
                "data": "iVBORw0K".repeat(length / 8)}}])
        } else if rare < 130 {
            json!(self.text.output(50_000, 400_000))
        } else {
            json!(self.text.output(200, 5000))
        };
        let result = json!([{"tool_use_id": call, "type": "tool_result", "content": content, "is_error": rare.is_multiple_of(25)}]);
        self.line("user", json!({"message": {"role": "user", "content": result}, "toolUseResult": {"stdout": ""}}))
    }

    fn compaction(&mut self) -> std::io::Result<()> {
        self.written.compactions += 1;
        let logical = self.parent.take();
        self.line(
            "system",
            json!({"subtype": "compact_boundary", "content": "Conversation compacted", "isMeta": false,
                "logicalParentUuid": logical,
                "compactMetadata": {"trigger": "auto", "preTokens": self.tokens}}),
        )?;
        let mut summary = String::from(
            "This session is being continued from a previous conversation that ran out of context. The conversation \
             is summarized below:\nSummary:\n1. Primary Request and Intent:\n   ",
        );
        summary += &self.text.prose(500, 1500);
        summary += "\n\n2. Key Technical Concepts:\n";
        for _ in 0..12 {
            let _ = writeln!(summary, "   - {}: {}", self.text.name(), self.text.sentence());
        }
        let _ = writeln!(summary, "\n3. Errors and fixes:\n   {}", self.text.prose(500, 1500));
        let message = json!({"role": "user", "content": summary});
        self.line("user", json!({"isVisibleInTranscriptOnly": true, "isCompactSummary": true, "message": message}))?;
        self.since = 0;
        self.tokens = 20_000;
        Ok(())
    }
}

/// Pools of sentences and output lines: drawing from them is fast, making them is not.
struct Texts {
    chance: Chance,
    sentences: Vec<String>,
    outputs: Vec<String>,
}

fn pick<'a>(chance: &mut Chance, words: &'a str) -> &'a str {
    let count = words.split_whitespace().count();
    words.split_whitespace().nth(chance.below(count)).unwrap_or_default()
}

impl Texts {
    fn new(seed: u64) -> Self {
        let mut texts = Self { chance: Chance::new(seed), sentences: Vec::new(), outputs: Vec::new() };
        texts.sentences = (0..3000).map(|_| texts.new_sentence()).collect();
        texts.outputs = (0..3000).map(|_| texts.new_output()).collect();
        texts
    }

    fn name(&mut self) -> String {
        format!("{}_{}", pick(&mut self.chance, VERBS), pick(&mut self.chance, THINGS))
    }

    fn path(&mut self) -> String {
        format!("src/{}/{}.rs", pick(&mut self.chance, THINGS), self.name())
    }

    fn new_sentence(&mut self) -> String {
        let count = 6 + self.chance.below(16);
        let mut words: Vec<String> = (0..count).map(|_| pick(&mut self.chance, WORDS).to_owned()).collect();
        match self.chance.below(8) {
            0 => words.push(format!("`{}`", self.name())),
            1 => words.push(self.path()),
            2 => words.insert(0, format!("{}", self.chance.below(99_999))),
            3 => words.insert(0, ["we must never", "do not", "it might be that", "→ 日本語 é"][count % 4].into()),
            _ => {}
        }
        words.join(" ") + "."
    }

    fn new_output(&mut self) -> String {
        let n = self.chance.below(9000);
        match n % 3 {
            0 => format!(
                "2026-03-07T10:{:02}:{:02}Z INFO {} took {n}ms path={}:{n}",
                n % 60,
                n % 59,
                self.name(),
                self.path()
            ),
            1 => format!("{n:6}\tlet {} = self.{}(ctx, {n})?;", self.name(), self.name()),
            _ => format!("{n:6}\t    \"{}\": {{\"{}\": {n}}},", self.name(), self.name()),
        }
    }

    fn sentence(&mut self) -> &str {
        let at = self.chance.below(self.sentences.len());
        &self.sentences[at]
    }

    fn prose(&mut self, least: usize, most: usize) -> String {
        let length = self.length(least, most);
        let mut text = String::with_capacity(length + 200);
        while text.len() < length {
            let at = self.chance.below(self.sentences.len());
            text += &self.sentences[at];
            text += if at.is_multiple_of(8) { "\n\n" } else { " " };
        }
        text
    }

    fn output(&mut self, least: usize, most: usize) -> String {
        let length = self.length(least, most);
        let mut text = String::with_capacity(length + 200);
        while text.len() < length {
            let at = self.chance.below(self.outputs.len());
            text += &self.outputs[at];
            text.push('\n');
        }
        text
    }

    /// Mostly near the lower end, as real texts are.
    fn length(&mut self, least: usize, most: usize) -> usize {
        let share = self.chance.below(1000) as f64 / 1000.0;
        least + ((most - least) as f64 * share * share * share) as usize
    }

    fn call(&mut self) -> (&'static str, Value) {
        match self.chance.below(4) {
            0 => ("Bash", json!({"command": format!("cargo test {} 2>&1 | tail -40", self.name())})),
            1 => ("Read", json!({"file_path": format!("/srv/project/{}", self.path()), "offset": 1, "limit": 200})),
            2 => (
                "Edit",
                json!({"file_path": format!("/srv/project/{}", self.path()),
                "old_string": self.output(60, 1200), "new_string": self.output(60, 1800)}),
            ),
            _ => ("Grep", json!({"pattern": self.name(), "path": "src"})),
        }
    }
}
