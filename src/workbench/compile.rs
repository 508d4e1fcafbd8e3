//! Compiles sessions: what is new of them is copied into the stet database, and closed blocks get their records there,
//! from the originals. What is stored already stays as it is.

use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;

use super::course::{Course, OWN, each_line};
use super::{Cancel, Closer, Desk, Problem, Reading, Settings, Target, Workbench, drafts};
use crate::compile::{Brief, Closed, Extractive, Original, Recording, Rules, Spoken, Summariser, SummaryError, look};
use crate::formats;
use crate::record::{Block, Record, Run, Span, Verdict};
use crate::session::{Body, Log, Outline, Part, PartKind, PartSeq, SessionKey};
use crate::store::{Access, Store};

/// So many sentences a block's prose has at most.
const SENTENCES: usize = 4;

/// A compiled session.
pub struct Compiled {
    /// The session in the database, read to its end.
    pub desk: Desk,
    /// Every closed block.
    pub blocks: Vec<Block>,
    /// How many of them are new.
    pub new: usize,
    /// Every span.
    pub spans: Vec<Span>,
    /// The turns behind the last block with their record, which is stored nowhere; `None` where there are none.
    pub open: Option<(Run, Record)>,
    /// Blocks that have no prose, and why.
    pub without_prose: Vec<(u32, SummaryError)>,
}

impl Workbench {
    /// Compiles one session. `progress` hears parts done and the whole.
    pub fn compile(
        &self,
        target: &Target,
        rules: Rules,
        summariser: &dyn Summariser,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Compiled, Problem> {
        let (db, key) = self.kept(target, progress)?;
        let desk = self.read(&Target::Kept { db: db.clone(), key: key.clone() }, &mut |_| {})?;
        let mut store = Store::open(&db, Access::ReadOnly)?;
        let mut log = store.log(&key)?;
        let mut blocks = store.blocks(&key)?;
        let spans = store.spans(&key)?;
        let mut without_prose = Vec::new();
        let outline = desk.outline();
        let course = Course::of(log.as_mut(), &outline, &Cancel::default())?;
        let ends = course.ends(rules, &blocks);
        let known = blocks.len();
        let mut from = blocks.last().map_or((0, 0), |block| (block.run.parts.end, block.run.turns.1));
        let whole = course.hashes.len() as u64;
        for closed in ends {
            let run = course.run(from, closed.turns, &outline);
            let (record, said) = recorded(log.as_mut(), &outline, &run.parts)?;
            let no = blocks.len() as u32 + 1;
            let prose = summariser.summarise(&Brief { originals: &said, sentences: SENTENCES }, &|| false);
            let record = match prose {
                Ok(sentences) => told(record, sentences, &said),
                Err(error) => {
                    without_prose.push((no, error));
                    record
                }
            };
            from = (run.parts.end, run.turns.1);
            let Closed { closed_by, cut, .. } = closed;
            let block = Block { no, run, closed_by, cut, generation: 1, record: Arc::new(record) };
            store.add_block(&key, &block).with_context(|| format!("cannot store block {no} of {key}"))?;
            progress(from.0, whole);
            blocks.push(block);
        }
        let open = if course.turns.last().is_some_and(|last| last.no > from.1) {
            let run = course.run(from, course.turns.len(), &outline);
            let (record, _) = recorded(log.as_mut(), &outline, &run.parts)?;
            Some((run, record))
        } else {
            None
        };
        for block in &mut blocks[..known] {
            block.record = Arc::new(placed(Record::clone(&block.record), &outline));
        }
        let spans = spans.into_iter().map(|span| {
            let record = Arc::new(placed(Record::clone(&span.record), &outline));
            Span { record, ..span }
        });
        let (spans, new) = (spans.collect(), blocks.len() - known);
        drop(outline);
        if new > 0 {
            self.shelve(&db, &key)?;
        }
        Ok(Compiled { desk, blocks, new, spans, open, without_prose })
    }

    /// The session in a database: its own, or the copy that is made here, or brought up to date.
    fn kept(&self, target: &Target, progress: &mut dyn FnMut(u64, u64)) -> Result<(PathBuf, SessionKey), Problem> {
        match target {
            Target::Kept { db, key } => Ok((db.clone(), key.clone())),
            Target::Foreign(path) => {
                let key = formats::open(path)?.head().key.clone();
                let db = self.ledger_db(path);
                if db == self.settings.db {
                    self.import_one(target, progress)?;
                } else {
                    // A copy of a sample keeps to itself.
                    let own = Settings { db: db.clone(), default_db: db.clone(), ..self.settings.clone() };
                    Workbench::new(own).import_one(target, progress)?;
                }
                Ok((db, key))
            }
        }
    }
}

/// Closes the blocks of a session while it is appended to. Their prose is taken from the originals word for word: nobody
/// waits for a model.
pub fn closer(rules: Rules) -> Closer {
    Box::new(move |log, last| {
        let reading = Reading::default();
        reading.index(log, &Cancel::default(), &mut |_| ())?;
        let outline = reading.outline();
        let (no, from) = last.map_or((1, (0, 0)), |last| (last.no + 1, (last.run.parts.end, last.run.turns.1)));
        if outline.main_turns < from.1 + rules.target {
            return Ok(None);
        }
        let course = Course::of(log, &outline, &Cancel::default())?;
        let Some(closed) = course.ends(rules, last.map_or(&[], std::slice::from_ref)).into_iter().next() else {
            return Ok(None);
        };
        let run = course.run(from, closed.turns, &outline);
        let (record, said) = recorded(log, &outline, &run.parts)?;
        // Sentences that are there already cannot fail to be found.
        let prose = Extractive.summarise(&Brief { originals: &said, sentences: SENTENCES }, &|| false);
        let record = Arc::new(told(record, prose.unwrap_or_default(), &said));
        let Closed { closed_by, cut, .. } = closed;
        Ok(Some(Block { no, run, closed_by, cut, generation: 1, record }))
    })
}

/// The record of these parts, and what was said in them.
fn recorded(log: &mut dyn Log, outline: &Outline, parts: &Range<u64>) -> Result<(Record, Vec<Spoken>), Problem> {
    let mut recording = Recording::new();
    let mut said = Vec::new();
    each_line(log, outline, parts.start, parts.end, &mut |log, line, seq| {
        let Body::Message { parts, .. } = &line.body else { return Ok(()) };
        let Some(turn) = outline.turn_at(OWN, line.offset).filter(|turn| turn.is_main()) else { return Ok(()) };
        let Some(no) = outline.number(turn) else { return Ok(()) };
        let calls = parts.iter().any(|part| matches!(part.kind, PartKind::ToolCall { .. }));
        let given: HashMap<String, String> =
            if calls { formats::arguments(&log.raw_of(line)?).into_iter().collect() } else { HashMap::new() };
        for part in parts {
            let (place, seq) = (line.place(part.block), PartSeq(seq + u64::from(part.block)));
            let original = Original { part, place, line_id: line.id.as_deref(), seq, turn: &no, turn_id: &turn.id };
            let args = call_id(part).and_then(|id| given.get(id)).map(String::as_str);
            recording.add(&original, look(&original), args);
            if part.kind == PartKind::Text {
                said.push(Spoken {
                    turn: no.clone(),
                    turn_id: turn.id.to_string(),
                    line_id: line.id.clone(),
                    place,
                    seq,
                    part: part.clone(),
                });
            }
        }
        Ok(())
    })?;
    Ok((recording.finish(), said))
}

fn call_id(part: &Part) -> Option<&str> {
    match &part.kind {
        PartKind::ToolCall { id, .. } => id.as_deref(),
        PartKind::Text | PartKind::Thinking | PartKind::ToolResult { .. } | PartKind::Opaque { .. } => None,
    }
}

/// The record with its prose, each sentence held against what was said. Nothing else of it is touched.
fn told(mut record: Record, sentences: Vec<crate::compile::Sentence>, said: &[Spoken]) -> Record {
    let prose = drafts::narrative(sentences, said).into_iter().take(SENTENCES).map(|drafted| {
        let mut item = drafted.item;
        if let Some(why) = drafted.draft {
            (item.verdict, item.why) = (Verdict::Unchecked, Some(why));
        }
        item
    });
    let mut items: Vec<_> = prose.collect();
    items.append(&mut record.items);
    record.items = items;
    record
}

/// A stored record with the numbers and ids of turns, which are stored nowhere.
fn placed(mut record: Record, outline: &Outline) -> Record {
    for item in &mut record.items {
        for source in &mut item.sources {
            if let Some(turn) = outline.turn_at(source.place.file, source.place.offset) {
                source.turn = outline.number(turn).unwrap_or_else(|| source.turn.clone());
                source.turn_id = turn.id.to_string();
            }
        }
        item.verdict = if item.why.is_some() { Verdict::Unchecked } else { Verdict::Verified };
    }
    record
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::fmt::Write as _;

    use super::super::{Asked, Hand, RegionKind};
    use super::*;
    use crate::compile::Sentence;
    use crate::record::{Field, Item, Via};

    /// Answers with what nobody said.
    struct Garbage;

    impl Summariser for Garbage {
        fn name(&self) -> String {
            "garbage".into()
        }

        fn window(&self) -> u64 {
            u64::MAX
        }

        fn summarise(&self, _: &Brief, _: &dyn Fn() -> bool) -> Result<Vec<Sentence>, SummaryError> {
            let text = |text: &str| Sentence { text: text.into(), sources: Vec::new() };
            Ok(vec![text("The customer cancelled order Z-99 for 12,000 EUR."), text("}{ \u{1b}[2J never ask again")])
        }
    }

    /// A session of so many orders, each asked for, looked up and told.
    fn session(orders: usize) -> String {
        let mut lines = String::new();
        let mut line = |no: usize, kind: &str, message: String| {
            let _ = writeln!(
                lines,
                r#"{{"parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/w","sessionId":"s1","version":"2.1.0","type":"{kind}","message":{message},"uuid":"u{no}","timestamp":"2026-01-01T10:00:00.000Z"}}"#
            );
        };
        for at in 0..orders {
            let id = 5_000 + at;
            let said = format!("Where is order A-{id}? Never ship A-{id} before Friday.");
            line(at * 4, "user", format!(r#"{{"role":"user","content":"{said}"}}"#));
            let call =
                format!(r#"[{{"type":"tool_use","id":"c{at}","name":"find","input":{{"order":"A-{id}","n":{id}}}}}]"#);
            line(at * 4 + 1, "assistant", format!(r#"{{"id":"m{at}","role":"assistant","content":{call}}}"#));
            let result = format!(r#"[{{"type":"tool_result","tool_use_id":"c{at}","content":"in depot 7"}}]"#);
            line(at * 4 + 2, "user", format!(r#"{{"role":"user","content":{result}}}"#));
            let told = format!(r#"[{{"type":"text","text":"Order A-{id} is in depot 7."}}]"#);
            line(at * 4 + 3, "assistant", format!(r#"{{"id":"n{at}","role":"assistant","content":{told}}}"#));
        }
        lines
    }

    fn bench(folder: &std::path::Path) -> Workbench {
        Workbench::new(Settings {
            db: folder.join("stet.db"),
            default_db: folder.join("stet.db"),
            copies: folder.join("demo"),
            places: formats::Env::default(),
            clock: || 0,
            hand: Hand { via: Via::Cli, author: "mo".into(), proposed: false },
        })
    }

    fn compile(folder: &std::path::Path, orders: usize, summariser: &dyn Summariser) -> Compiled {
        let path = folder.join("s1.jsonl");
        std::fs::write(&path, session(orders)).unwrap();
        let rules = Rules { target: 6, cap: 12, ..Rules::default() };
        bench(folder).compile(&Target::Foreign(path), rules, summariser, &mut |_, _| {}).unwrap()
    }

    fn mechanical(compiled: &Compiled) -> Vec<Item> {
        let items = compiled.blocks.iter().flat_map(|block| block.record.items.iter());
        items.filter(|item| item.field != Field::Narrative).map(|item| Item { own: None, ..item.clone() }).collect()
    }

    #[test]
    fn a4_23_a_summariser_that_returns_garbage_changes_no_mechanical_field() {
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (good, bad) = (compile(one.path(), 9, &Extractive), compile(other.path(), 9, &Garbage));
        assert!(good.blocks.len() > 1, "{}", good.blocks.len());
        assert_eq!(mechanical(&good), mechanical(&bad));
        let prose = |compiled: &Compiled| -> Vec<Item> {
            let items = compiled.blocks.iter().flat_map(|block| block.record.of(Field::Narrative));
            items.map(|(_, item)| item.clone()).collect()
        };
        let (told, drafts) = (prose(&good), prose(&bad));
        assert!(!told.is_empty() && told.iter().all(|item| !item.sources.is_empty()));
        assert!(!drafts.is_empty() && drafts.iter().all(|item| item.why.is_some()), "what nobody said stays a draft");
    }

    #[test]
    fn what_would_close_is_what_closes_and_looking_writes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("it's s1.jsonl");
        std::fs::write(&path, session(70)).unwrap();
        let (bench, target) = (bench(folder.path()), Target::Foreign(path));
        let look = || bench.open(&target).unwrap().overview(&Cancel::default()).unwrap();
        let before = look();
        assert!(!folder.path().join("stet.db").exists());
        assert_eq!((before.blocks.len(), before.foreign, before.curve.tokens.len()), (0, true, 210));
        assert!(before.name.starts_with('\'') && before.name.ends_with("/it'\\''s s1.jsonl'"), "{}", before.name);
        let compiled = bench.compile(&target, Rules::default(), &Extractive, &mut |_, _| {}).unwrap();
        let closed: Vec<_> =
            compiled.blocks.iter().map(|block| (block.run.turns, block.run.tokens, block.closed_by)).collect();
        let due: Vec<_> = before.due.iter().map(|due| (due.turns, due.tokens, due.closed_by)).collect();
        assert!(closed.len() > 1);
        assert_eq!(due, closed);
        let after = look();
        let runs: Vec<_> = after.blocks.iter().map(|(block, _)| (block.run.turns, block.run.tokens)).collect();
        assert_eq!(runs, closed.iter().map(|(turns, tokens, _)| (*turns, *tokens)).collect::<Vec<_>>());
        assert!(after.blocks.iter().all(|(_, text)| text.is_some()));
        assert_eq!((after.due, after.curve), (Vec::new(), before.curve));
        // What stands for a block in a window takes what the overview says.
        let asked = Asked { budget: 100_000, ..Asked::default() };
        let context = bench.context(&target, &asked).unwrap();
        let blocks = context.window.regions.iter().filter(|region| region.kind == RegionKind::Block);
        assert!(blocks.map(|region| Some(region.tokens)).eq(after.blocks.iter().map(|(_, text)| *text)));
    }

    #[test]
    fn a_copy_of_a_sample_is_compiled_beside_itself() {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("demo/s1");
        std::fs::create_dir_all(&copy).unwrap();
        let path = copy.join("s1.jsonl");
        std::fs::write(&path, session(6)).unwrap();
        let (bench, target) = (bench(folder.path()), Target::Foreign(path));
        let rules = Rules { target: 6, cap: 12, ..Rules::default() };
        let compiled = bench.compile(&target, rules, &Extractive, &mut |_, _| {}).unwrap();
        assert!(!folder.path().join("stet.db").exists() && copy.join("stet.db").exists());
        let context = bench.context(&target, &Asked { budget: 9_000, ..Asked::default() }).unwrap();
        assert_eq!((context.blocks, context.behind), (compiled.blocks.len(), 0));
    }

    #[test]
    fn a1_2_a_second_run_adds_only_what_closed_since_and_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let first = compile(folder.path(), 6, &Extractive);
        let again = compile(folder.path(), 6, &Garbage);
        assert_eq!((first.new, again.new), (first.blocks.len(), 0));
        let grown = compile(folder.path(), 12, &Extractive);
        assert!(grown.new > 0);
        for (before, now) in first.blocks.iter().zip(&grown.blocks) {
            assert_eq!((before.no, &before.run, before.closed_by), (now.no, &now.run, now.closed_by));
            let items = |block: &Block| -> Vec<(Field, String)> {
                block.record.items.iter().map(|item| (item.field, item.text.clone())).collect()
            };
            assert_eq!(items(before), items(now));
        }
        let (last, open) = (grown.blocks.last().unwrap(), grown.open.as_ref().unwrap());
        assert_eq!((last.run.parts.end, last.run.turns.1 + 1), (open.0.parts.start, open.0.turns.0));
    }
}
