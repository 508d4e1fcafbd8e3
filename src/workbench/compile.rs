//! Compiles sessions: what is new of them is copied into the stet database, and closed blocks get their records there,
//! from the originals. What is stored already stays as it is.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::closing::keep_rules;
use super::context::numbered;
use super::course::{Course, Due, LastLine, Stretch};
use super::making::{Made, Making, Noted, recorded};
use super::pool::Next;
use super::spanning::{Extent, Spanned, Spanning, span};
use super::{Problem, SessionInfo, Settings, Target, Workbench, reading};
use crate::compile::{Rules, Summariser, SummaryError};
use crate::formats;
use crate::record::{Block, Record, Run, Span};
use crate::session::{FileNo, Log, SessionKey, TurnNo};
use crate::store::{Access, Store};

/// A compiled session.
pub struct Compiled {
    /// The session, as it is in the database.
    pub info: SessionInfo,
    /// Every closed block.
    pub blocks: Vec<Block>,
    /// For each of them the calls that it cuts from their results: the tool, and the turn that made the call.
    pub cut: Vec<Vec<(String, Option<TurnNo>)>>,
    /// How many of them are new: the last ones.
    pub new: usize,
    /// Every span.
    pub spans: Vec<Span>,
    /// How many of them are new: the last ones.
    pub new_spans: usize,
    /// The turns behind the last block with their record, which is stored nowhere; `None` where there are none.
    pub open: Option<(Run, Record)>,
    /// Where the summariser failed.
    pub instead: Instead,
}

/// What is stored with prose from the originals because the summariser failed, and why. It comes with the error where a
/// later block or span could not be made at all: [`Problem::downcast_ref`] finds it.
#[derive(Debug, Default)]
pub struct Instead {
    /// New blocks.
    pub blocks: Vec<(u32, SummaryError)>,
    /// New spans.
    pub spans: Vec<(u32, SummaryError)>,
}

impl Instead {
    /// Whether it failed nowhere.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.spans.is_empty()
    }
}

impl std::fmt::Display for Instead {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not everything was compiled")
    }
}

/// How far compiling one session came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Bytes of an agent's file that are copied, and all of them.
    Copied {
        /// So far.
        done: u64,
        /// In the file; 0 where it is not known.
        whole: u64,
    },
    /// New blocks with their records, and how many are due as far as the session was read.
    Closed {
        /// So far.
        done: u64,
        /// It grows while the session is read.
        found: u64,
    },
}

impl Workbench {
    /// Compiles one session. `progress` hears how far it came.
    pub fn compile(
        &self,
        target: &Target,
        rules: Rules,
        summariser: &dyn Summariser,
        progress: &mut dyn FnMut(Pace),
    ) -> Result<Compiled, Problem> {
        let mut instead = Instead::default();
        match self.compiled(target, rules, summariser, &mut instead, progress) {
            Ok(compiled) => Ok(Compiled { instead, ..compiled }),
            Err(why) if instead.is_empty() => Err(why),
            Err(why) => Err(why.context(instead)),
        }
    }

    fn compiled(
        &self,
        target: &Target,
        rules: Rules,
        summariser: &dyn Summariser,
        failed: &mut Instead,
        progress: &mut dyn FnMut(Pace),
    ) -> Result<Compiled, Problem> {
        let (db, key) = self.kept(target, &mut |done, whole| progress(Pace::Copied { done, whole }))?;
        let mut store = Store::open(&db, Access::ReadOnly)?;
        // What an interrupted closing left. A file that cannot be written is in the way only where something was left.
        let may_write = store.notice().is_none();
        if store.retention(&key)?.is_some() && (may_write || store.unforgotten(&key)?.is_some()) {
            store.forget_closed(&key)?;
        }
        if may_write {
            keep_rules(&mut store, &key, rules)?;
        }
        let mut log = store.log(&key)?;
        let mut blocks = store.blocks(&key)?;
        let known = blocks.len();
        let mut spans = store.spans(&key)?;
        let known_spans = spans.len();
        let mut course = Course::behind(blocks.last(), rules, log.as_mut())?;
        let due = course.read_on(log.as_mut(), LastLine::Whole)?;
        let (mut done, found) = (0, AtomicU64::new(due.len() as u64));
        if !due.is_empty() {
            progress(Pace::Closed { done, found: due.len() as u64 });
        }
        let ahead = Ahead { course, log, store: Store::open(&db, Access::ReadOnly)?, key: &key, due };
        let mut making = Making::new(&mut store, &key, summariser);
        let reads = summariser.window();
        let (mut new_spans, mut next) = (Vec::new(), 0);
        let (read, all_made) = making.make(
            |hand| ahead.read(&found, hand),
            &mut || {
                done += 1;
                progress(Pace::Closed { done, found: found.load(Ordering::Relaxed) });
            },
            &mut |store, made| {
                // Prose of a model takes its time, and comes when every block is there. Looking through what is closed
                // takes longer the more there is.
                if !summariser.picks() || made.len() < next {
                    return Ok(());
                }
                next = made.len() + made.len() / 8;
                let of = Spanning::new(store, &key, reads, summariser).made_now(made, &new_spans);
                let (Spanned { spans, .. }, done) = span(of, Extent::Full);
                new_spans.extend(spans);
                done
            },
        );
        // Also where something could not be made: what was made before it is stored.
        let (mut made, finished) = making.finish();
        for Made { block, instead, .. } in &mut made {
            failed.blocks.extend(instead.take().map(|why| (block.no, why)));
        }
        finished.and(all_made)?;
        let (course, mut log) = read?;
        let outline = course.outline();
        let records = blocks.iter_mut().map(|block| &mut block.record);
        for record in records.chain(spans.iter_mut().map(|span| &mut span.record)) {
            numbered(Arc::make_mut(record), outline);
        }
        let of = Spanning::new(&mut store, &key, reads, summariser).read(log.as_mut(), &course);
        let (Spanned { spans: more, instead }, done) = span(of.made_now(&made, &new_spans), Extent::Full);
        failed.spans.extend(instead);
        done?;
        blocks.extend(made.into_iter().map(|made| made.block));
        spans.extend(new_spans.into_iter().chain(more));
        let new_spans = spans.len() - known_spans;
        let info = SessionInfo {
            key: key.clone(),
            title: reading::title(outline, log.as_mut()),
            path: db.clone(),
            turns: outline.main_turns,
            compactions: outline.compactions.len() as u32,
            modified: outline.last_at,
            skipped: Some(outline.troubles.len()),
        };
        let mut cut = Vec::with_capacity(blocks.len());
        for block in &blocks {
            let turn = |row: u64| outline.turn_at(FileNo(0), row).and_then(|turn| outline.number(turn));
            let calls = if block.cut.is_empty() { Vec::new() } else { store.calls(&key, &block.cut)? };
            cut.push(calls.into_iter().map(|(tool, row)| (tool, turn(row))).collect());
        }
        let open = course.tail().map(|tail| open(&store, &key, &tail)).transpose()?;
        let new = blocks.len() - known;
        if known + known_spans > 0 {
            // They may have been closed when texts were worded otherwise.
            self.shelve(&db, &key)?;
        }
        Ok(Compiled { info, blocks, cut, new, spans, new_spans, open, instead: Instead::default() })
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

/// A session that is read while records of its blocks are made.
struct Ahead<'a> {
    course: Course,
    log: Box<dyn Log>,
    store: Store,
    key: &'a SessionKey,
    /// Read and not handed over.
    due: Vec<Due>,
}

impl Ahead<'_> {
    /// Hands over the blocks that are due, in their order, and counts them in `found`; gives the session as far as it was
    /// read.
    fn read(
        mut self,
        found: &AtomicU64,
        hand: &dyn Fn((Due, Noted)) -> Next,
    ) -> Result<(Course, Box<dyn Log>), Problem> {
        while !self.due.is_empty() {
            for one in std::mem::take(&mut self.due) {
                let noted = Noted::of(&self.store, self.key, &one.of)?;
                // Nobody takes them any more where one could not be made.
                if hand((one, noted)) == Next::Stop {
                    return Ok((self.course, self.log));
                }
            }
            self.due = self.course.read_on(self.log.as_mut(), LastLine::Whole)?;
            found.fetch_add(self.due.len() as u64, Ordering::Relaxed);
        }
        Ok((self.course, self.log))
    }
}

fn open(store: &Store, key: &SessionKey, tail: &Stretch) -> Result<(Run, Record), Problem> {
    let (run, permit) = Noted::of(store, key, tail)?.permit(tail)?;
    Ok((run, recorded(&tail.said, permit, &mut []).0))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::collections::HashSet;
    use std::fmt::Write as _;
    use std::sync::Mutex;
    use std::time::Duration;

    use super::super::{Asked, Cancel, Hand, HowMuch, RegionKind};
    use super::*;
    use crate::compile::{Brief, Extractive, Sentence};
    use crate::record::{Field, Item, Via};
    use crate::store::Quotes;

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
        bench(folder).compile(&Target::Foreign(path), rules, summariser, &mut |_| {}).unwrap()
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
        let told = prose(&good);
        assert!(!told.is_empty() && told.iter().all(|item| !item.sources.is_empty()));
        let (drafts, instead): (Vec<_>, Vec<_>) = prose(&bad).into_iter().partition(|item| item.why.is_some());
        assert!(!drafts.is_empty(), "what nobody said stays a draft");
        assert_eq!(instead.len(), told.len(), "and the prose is the originals'");
        assert_eq!(bad.instead.blocks.len(), bad.blocks.len(), "which is told");
    }

    /// Reads so many tokens at once, and never answers.
    struct Broken(u64);

    impl Summariser for Broken {
        fn name(&self) -> String {
            "broken".into()
        }

        fn window(&self) -> u64 {
            self.0
        }

        fn summarise(&self, _: &Brief, _: &dyn Fn() -> bool) -> Result<Vec<Sentence>, SummaryError> {
            Err(SummaryError::Failed { who: "broken".into(), why: "no answer".into() })
        }
    }

    #[test]
    fn where_a_summariser_fails_blocks_and_spans_have_sentences_of_the_originals_and_say_so() {
        for reads in [1, u64::MAX] {
            let folder = tempfile::tempdir().unwrap();
            let compiled = compile(folder.path(), 60, &Broken(reads));
            let numbers = |all: &[(u32, SummaryError)]| all.iter().map(|(no, _)| *no).collect::<Vec<_>>();
            assert!(numbers(&compiled.instead.blocks).into_iter().eq(compiled.blocks.iter().map(|block| block.no)));
            // A span of one block that is too long for the summariser keeps that block's prose: nobody was asked.
            let asked = compiled.spans.iter().filter(|span| span.blocks.0 < span.blocks.1).map(|span| span.no);
            assert_eq!(numbers(&compiled.instead.spans), asked.collect::<Vec<_>>());
            assert!(!compiled.instead.spans.is_empty());
            let blocks = compiled.blocks.iter().map(|block| &block.record);
            for record in blocks.chain(compiled.spans.iter().map(|span| &span.record)) {
                let prose: Vec<_> = record.of(Field::Narrative).map(|(_, item)| item).collect();
                assert!(!prose.is_empty() && prose.iter().all(|item| item.text == item.sources[0].quote), "{prose:?}");
            }
        }
    }

    /// The first answer fails, and with it the database takes no block any more.
    struct BreaksIt(PathBuf, Mutex<bool>);

    impl Summariser for BreaksIt {
        fn name(&self) -> String {
            "breaks it".into()
        }

        fn window(&self) -> u64 {
            u64::MAX
        }

        fn summarise(&self, brief: &Brief, stop: &dyn Fn() -> bool) -> Result<Vec<Sentence>, SummaryError> {
            let mut done = self.1.lock().unwrap();
            let store = Store::open(&self.0, Access::ReadOnly).unwrap();
            if !store.blocks(&SessionKey::new("claude-code", "s1")).unwrap().is_empty() && !*done {
                *done = true;
                let never = "CREATE TRIGGER never BEFORE INSERT ON block BEGIN SELECT RAISE(ABORT, 'no block'); END";
                rusqlite::Connection::open(&self.0).unwrap().execute_batch(never).unwrap();
            }
            std::thread::sleep(Duration::from_millis(200));
            Extractive.summarise(brief, stop)?;
            Err(SummaryError::Failed { who: "breaks it".into(), why: "no answer".into() })
        }
    }

    #[test]
    fn where_a_later_block_cannot_be_stored_the_failures_of_the_summariser_before_it_are_told_with_the_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s1.jsonl");
        std::fs::write(&path, session(60)).unwrap();
        let breaks = BreaksIt(folder.path().join("stet.db"), Mutex::default());
        let rules = Rules { target: 6, cap: 12, ..Rules::default() };
        let failed = bench(folder.path()).compile(&Target::Foreign(path), rules, &breaks, &mut |_| {}).err().unwrap();
        let told: Vec<u32> = failed.downcast_ref::<Instead>().unwrap().blocks.iter().map(|(no, _)| *no).collect();
        let store = Store::open(&breaks.0, Access::ReadOnly).unwrap();
        let stored: Vec<u32> =
            store.blocks(&SessionKey::new("claude-code", "s1")).unwrap().iter().map(|block| block.no).collect();
        assert!(!stored.is_empty() && told == stored, "{told:?} {stored:?}");
        let why = format!("{failed:#}");
        assert!(why.starts_with("not everything was compiled: ") && why.contains("no block"), "{why}");
    }

    #[test]
    fn a_file_that_cannot_be_written_is_in_the_way_only_where_something_is_due() {
        let world = super::super::world::World::of(&[]);
        let (bench, key) = (world.bench(), SessionKey::new("stet", "quiet"));
        let part = |no: u32| {
            format!(r#"{{"type":"part","id":"t{no}","turn":"t{no}","role":"user","kind":"text","text":"zq{no}x"}}"#)
        };
        let mut appending = bench.append(&key, Some(Quotes::Drop)).unwrap();
        appending.forget_by(Rules::default()).unwrap();
        let say = |appending: &mut super::super::Appending, turns: std::ops::Range<u32>| {
            let lines: Vec<Vec<u8>> = turns.map(|no| part(no).into_bytes()).collect();
            assert_eq!(appending.take(&lines).unwrap().refused, None);
        };
        say(&mut appending, 0..65);
        drop(appending);
        let plain = |sql: &str| rusqlite::Connection::open(world.db()).unwrap().execute_batch(sql).unwrap();
        let target = Target::Kept { db: world.db(), key: key.clone() };
        let compile = || bench.compile(&target, Rules::default(), &Extractive, &mut |_| {});
        // A guard that is not as it was made: the file is only read.
        plain("CREATE TRIGGER more AFTER INSERT ON ledger BEGIN SELECT 1; END");
        let compiled = compile().unwrap();
        assert_eq!(
            (compiled.blocks.len(), compiled.new, compiled.open.map(|(run, _)| run.turns)),
            (1, 0, Some((61, 65)))
        );
        plain("DROP TRIGGER more");
        say(&mut bench.append(&key, None).unwrap(), 65..130);
        plain("CREATE TRIGGER more AFTER INSERT ON ledger BEGIN SELECT 1; END");
        assert!(format!("{:#}", compile().err().unwrap()).contains("more"));
    }

    /// Takes its time, and looks how many blocks are stored by then.
    struct Slow {
        db: PathBuf,
        seen: Mutex<Vec<usize>>,
    }

    impl Summariser for Slow {
        fn name(&self) -> String {
            "slow".into()
        }

        fn window(&self) -> u64 {
            u64::MAX
        }

        fn summarise(&self, brief: &Brief, stop: &dyn Fn() -> bool) -> Result<Vec<Sentence>, SummaryError> {
            std::thread::sleep(Duration::from_millis(300));
            let store = Store::open(&self.db, Access::ReadOnly).unwrap();
            let key = SessionKey::new("claude-code", "s1");
            self.seen.lock().unwrap().push(store.blocks(&key).unwrap().len());
            Extractive.summarise(brief, stop)
        }
    }

    #[test]
    fn what_a_slow_summariser_wrote_is_stored_while_it_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let slow = Slow { db: folder.path().join("stet.db"), seen: Mutex::default() };
        let compiled = compile(folder.path(), 20, &slow);
        let seen = slow.seen.lock().unwrap();
        assert!(seen.iter().any(|stored| (1..compiled.blocks.len()).contains(stored)), "{seen:?}");
    }

    #[test]
    fn a_call_that_is_given_nothing_hangs_nowhere_whether_originals_are_read_for_it_or_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s1.jsonl");
        std::fs::write(&path, session(20).replace(r#""input":{"order":"A-5001","n":5001}"#, r#""input":{}"#)).unwrap();
        let (bench, target) = (bench(folder.path()), Target::Foreign(path));
        for new in [true, false] {
            let rules = Rules { target: 6, cap: 12, ..Rules::default() };
            let compiled = bench.compile(&target, rules, &Extractive, &mut |_| {}).unwrap();
            assert_eq!(compiled.new > 0, new);
            let stand = bench.how_it_stands(&compiled).unwrap();
            assert!(
                stand.len() > 1 && stand.iter().all(|one| one.validity.holds() && one.facts.held == one.facts.facts)
            );
            assert_eq!(bench.what_is_wrong(&compiled).unwrap(), []);
        }
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
        let compiled = bench.compile(&target, Rules::default(), &Extractive, &mut |_| {}).unwrap();
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
    fn a_window_that_is_only_looked_at_holds_as_many_tokens_and_the_beginnings_of_its_texts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s1.jsonl");
        // Long texts with and without a line end behind them or where they are cut, and letters of several bytes.
        let texts =
            ["é".repeat(300), format!("{}\\n", "y".repeat(700)), format!("{}\\nend", "z".repeat(199)), "short".into()];
        let line = |(no, text): (usize, &String)| {
            format!(
                r#"{{"parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/w","sessionId":"s1","version":"2.1.0","type":"user","message":{{"role":"user","content":"{text}"}},"uuid":"u{no}","timestamp":"2026-01-01T10:00:00.000Z"}}"#
            ) + "\n"
        };
        std::fs::write(&path, texts.iter().enumerate().map(line).collect::<String>()).unwrap();
        let look = |texts| {
            let asked = Asked { budget: 100_000, texts, ..Asked::default() };
            bench(folder.path()).context(&Target::Foreign(path.clone()), &asked).unwrap().window.regions
        };
        let (whole, beginnings) = (look(HowMuch::Whole), look(HowMuch::Beginnings));
        assert_eq!(whole.len(), 2 + texts.len());
        for (whole, beginning) in whole.iter().zip(&beginnings) {
            assert_eq!(whole.tokens, (whole.text.len() as u64).div_ceil(4));
            assert_eq!((whole.tokens, beginning.text.len() <= 200), (beginning.tokens, true));
            assert!(whole.text.starts_with(&beginning.text));
        }
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
        let compiled = bench.compile(&target, rules, &Extractive, &mut |_| {}).unwrap();
        assert!(!folder.path().join("stet.db").exists() && copy.join("stet.db").exists());
        let context = bench.context(&target, &Asked { budget: 9_000, ..Asked::default() }).unwrap();
        assert_eq!((context.blocks, context.behind), (compiled.blocks.len(), 0));
    }

    #[test]
    fn a_session_whose_originals_go_gets_any_number_of_blocks_and_no_spans() {
        let folder = tempfile::tempdir().unwrap();
        let (bench, key) = (bench(folder.path()), SessionKey::new("stet", "quiet"));
        let mut appending = bench.append(&key, Some(Quotes::Keep)).unwrap();
        let part = |no: u32| {
            format!(r#"{{"type":"part","id":"t{no}","turn":"t{no}","role":"user","kind":"text","text":"turn {no}"}}"#)
        };
        let rules = Rules { target: 1, cap: 1, ..Rules::default() };
        let target = Target::Kept { db: folder.path().join("stet.db"), key };
        for (turns, closed) in [(0..20, 19), (20..21, 20)] {
            let lines: Vec<Vec<u8>> = turns.map(|no| part(no).into_bytes()).collect();
            assert_eq!(appending.take(&lines).unwrap().refused, None);
            let compiled = bench.compile(&target, rules, &Extractive, &mut |_| {}).unwrap();
            assert_eq!((compiled.blocks.len(), compiled.spans.len()), (closed, 0));
        }
    }

    #[test]
    fn what_an_interrupted_closing_left_in_the_log_goes_when_the_session_is_compiled_again() {
        let folder = tempfile::tempdir().unwrap();
        let (bench, key) = (bench(folder.path()), SessionKey::new("stet", "quiet"));
        let mut appending = bench.append(&key, Some(Quotes::Drop)).unwrap();
        let part = |no: u32| {
            format!(r#"{{"type":"part","id":"t{no}","turn":"t{no}","role":"user","kind":"text","text":"turn {no}"}}"#)
        };
        appending.take(&(0..5).map(|no| part(no).into_bytes()).collect::<Vec<_>>()).unwrap();
        drop(appending);
        let target = Target::Kept { db: folder.path().join("stet.db"), key };
        let rules = Rules { target: 1, cap: 1, ..Rules::default() };
        let compile = || bench.compile(&target, rules, &Extractive, &mut |_| {}).unwrap().new;
        assert_eq!(compile(), 4);
        // It was stopped behind its commit: the file holds the text no more, and its log does.
        let other = rusqlite::Connection::open(folder.path().join("stet.db")).unwrap();
        other
            .execute_batch(
                "PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 0;
                 INSERT INTO title VALUES (1, 'what the log keeps'); DELETE FROM title;",
            )
            .unwrap();
        let holds = || {
            let log = std::fs::read(folder.path().join("stet.db-wal")).unwrap();
            memchr::memmem::find(&log, b"what the log keeps").is_some()
        };
        assert!(holds());
        assert_eq!((compile(), holds()), (0, false));
    }

    #[test]
    fn how_far_it_came_is_told_in_blocks_once_all_is_copied() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s1.jsonl");
        std::fs::write(&path, session(9)).unwrap();
        let rules = Rules { target: 6, cap: 12, ..Rules::default() };
        let mut told = Vec::new();
        let done =
            bench(folder.path()).compile(&Target::Foreign(path), rules, &Extractive, &mut |pace| told.push(pace));
        let blocks = done.unwrap().blocks.len() as u64;
        assert!(matches!(told[0], Pace::Copied { .. }), "{told:?}");
        let closed: Vec<Pace> = told.into_iter().skip_while(|pace| matches!(pace, Pace::Copied { .. })).collect();
        let want: Vec<Pace> = (0..=blocks).map(|done| Pace::Closed { done, found: blocks }).collect();
        assert_eq!(closed, want);
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

    /// Says one thing that the person asked first, and one that nobody said; reads as much as one block.
    struct Writer;

    impl Summariser for Writer {
        fn name(&self) -> String {
            "writer".into()
        }

        fn window(&self) -> u64 {
            1
        }

        fn summarise(&self, brief: &Brief, _: &dyn Fn() -> bool) -> Result<Vec<Sentence>, SummaryError> {
            let first = brief.originals.iter().find(|spoken| spoken.part.text.contains("Never ship")).unwrap();
            let said = first.part.text.split_inclusive('?').next_back().unwrap().trim().to_owned();
            let text = |text: String| Sentence { text, sources: Vec::new() };
            Ok(vec![text(said), text("The customer cancelled order Z-99 for 12,000 EUR.".into())])
        }
    }

    /// Spans by what they stand for, with the deepest text in them.
    fn shape(compiled: &Compiled) -> Vec<((u32, u32), u32)> {
        compiled.spans.iter().map(|span| (span.blocks, span.generation)).collect()
    }

    #[test]
    fn a1_4_sixteen_blocks_go_into_a_span_of_their_very_words_that_is_never_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let first = compile(folder.path(), 50, &Extractive);
        assert!(first.blocks.len() > 16, "{}", first.blocks.len());
        assert_eq!(shape(&first), [((1, 16), 1)]);
        let span = &first.spans[0].record;
        for block in &first.blocks[..16] {
            for item in block.record.items.iter().filter(|item| item.field != Field::Narrative) {
                assert!(span.of(item.field).any(|(_, one)| one.text == item.text), "{item:?}");
            }
        }
        let grown = compile(folder.path(), 90, &Extractive);
        assert_eq!(shape(&grown), [((1, 16), 1), ((17, 32), 1)]);
        assert_eq!(grown.spans[0].run, first.spans[0].run);
    }

    #[test]
    fn c5_prose_of_siblings_is_of_originals_and_only_that_of_a_span_over_them_is_of_prose() {
        let folder = tempfile::tempdir().unwrap();
        let compiled = compile(folder.path(), 60, &Writer);
        let wide: Vec<_> = compiled.spans.iter().filter(|span| span.blocks.0 < span.blocks.1).collect();
        assert!(compiled.spans.iter().filter(|span| span.blocks.0 == span.blocks.1).all(|span| span.generation == 1));
        assert_eq!(wide.iter().map(|span| (span.blocks, span.generation)).collect::<Vec<_>>(), [((1, 16), 2)]);
        let prose: Vec<_> = wide[0].record.of(Field::Narrative).map(|(_, item)| item).collect();
        let told: Vec<_> =
            prose.iter().map(|item| (item.text.as_str(), item.sources.len(), item.why.is_some())).collect();
        assert_eq!(told[0], ("Never ship A-5000 before Friday.", 1, false), "held by the original");
        assert!(told[1].2 && told[1].1 == 0, "{told:?}");
    }

    /// Sixteen spans of sixteen blocks each go into one, and nothing of them is left out.
    #[test]
    fn c5_a_span_over_spans_of_full_size_holds_every_item_of_its_256_blocks() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s1.jsonl");
        std::fs::write(&path, session(88)).unwrap();
        let rules = Rules { target: 1, cap: 1, ..Rules::default() };
        let compiled = bench(folder.path()).compile(&Target::Foreign(path), rules, &Extractive, &mut |_| {}).unwrap();
        assert!(compiled.blocks.len() > 256, "{}", compiled.blocks.len());
        let runs = (0..16).map(|no| ((no * 16 + 1, no * 16 + 16), 1));
        assert_eq!(shape(&compiled), runs.chain([((1, 256), 1)]).collect::<Vec<_>>());
        let (wide, blocks) = (&compiled.spans[16], &compiled.blocks[..256]);
        assert_eq!(wide.run.parts, blocks[0].run.parts.start..blocks[255].run.parts.end);
        let held: HashSet<(Field, &str)> =
            wide.record.items.iter().map(|item| (item.field, item.text.as_str())).collect();
        let items = blocks.iter().flat_map(|block| &block.record.items);
        let lost = items.filter(|item| item.field != Field::Narrative && !held.contains(&(item.field, &*item.text)));
        assert_eq!(lost.count(), 0);
        let key = SessionKey::new("claude-code", "s1");
        let store = Store::open(&folder.path().join("stet.db"), Access::ReadOnly).unwrap();
        assert_eq!((store.spans(&key).unwrap().len(), store.verify(&key).unwrap()), (17, Vec::new()));
    }

    #[test]
    fn a1_8_a_turn_lies_as_deep_as_what_stands_for_it() {
        for (summariser, in_span) in [(&Extractive as &dyn Summariser, 1), (&Writer, 2)] {
            let folder = tempfile::tempdir().unwrap();
            let compiled = compile(folder.path(), 60, summariser);
            let depths = bench(folder.path()).depths(&Target::Foreign(folder.path().join("s1.jsonl"))).unwrap();
            let wide = compiled.spans.iter().find(|span| span.blocks == (1, 16)).unwrap();
            let (last, open) = (compiled.blocks.last().unwrap(), compiled.open.as_ref().unwrap());
            for (seq, span, generation) in [
                (0, Some(wide.no), in_span),
                (wide.run.parts.end - 1, Some(wide.no), in_span),
                (last.run.parts.start, None, 1),
                (open.0.parts.start, None, 0),
            ] {
                let chain = depths.of(seq);
                assert_eq!((chain.span, chain.generation), (span, generation), "{} {seq}", summariser.name());
            }
        }
    }
}
