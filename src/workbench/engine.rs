//! What an agent builder calls: append what was said, close and compile what is due, put the next request together, and
//! compact when it is time. Whatever is appended is on the disk before anything is made of it.
//!
//! Nothing runs behind the builder's back: who appends waits for no record. [`Engine::turn_ended`] (or
//! [`Engine::close`]) finds the blocks that are due and lines up their records, [`Engine::work`] makes one of them each time
//! it is called, as an agent does while its model answers, and what is not made by then [`Engine::window`] makes first: that
//! is recorded as a stall.

mod handover;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::closing::keep_rules;
use super::context::numbered;
use super::course::{Course, Due, LastLine};
use super::making::{close, recorded, spoken, tell};
use super::spanning::{Extent, Spanning, span};
use super::standing::{RegionStanding, live, standing};
use super::utterance::Utterance;
use super::{Appending, Asked, Cancel, Context, Desk, Hand, Problem, Quotes, Settings, Target, Workbench};
use crate::compile::{
    Extractive, GateRegion, HandOver, Job, MOST_MARKERS, Millis, Moment, Next, Permit, Refused, Rules, Schedule, Stall,
    Summariser, SummaryError, Thresholds, When, gate, may_mark, spans,
};
use crate::record::{Record, Via};
use crate::session::{SessionKey, Trigger};
use crate::store::{Access, Closed, Store};

/// How an engine works.
#[derive(Clone, Copy, Debug)]
pub struct EngineRules {
    /// How long blocks are, and where they end.
    pub blocks: Rules,
    /// When to compact.
    pub limits: Thresholds,
    /// So many compactions at most; behind them the session is handed over.
    pub markers: u32,
    /// Tokens that a summariser reads at once: spans are made of no more originals than that.
    pub reads: u64,
    /// Whether texts go when their block closes, and what is kept of them then; `None`: everything stays. It is chosen when
    /// a session is made.
    pub retention: Option<Quotes>,
    /// Milliseconds since 1970, UTC.
    pub clock: fn() -> i64,
}

impl EngineRules {
    /// The usual ones, by this clock: milliseconds since 1970, UTC.
    pub fn by(clock: fn() -> i64) -> Self {
        let (blocks, limits) = (Rules::default(), Thresholds::default());
        Self { blocks, limits, markers: MOST_MARKERS, reads: 100_000, retention: None, clock }
    }
}

/// Why nothing was compacted.
#[derive(Debug, thiserror::Error)]
pub enum NotCompacted {
    /// It would have read a summary, or lost what was said.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// It was done often enough.
    #[error(transparent)]
    HandOver(#[from] HandOver),
    /// Something did not work.
    #[error("{0:#}")]
    Problem(#[from] Problem),
}

/// What a compaction left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compacted {
    /// The marker's id.
    pub id: String,
    /// How many markers the session has now.
    pub markers: u32,
    /// What set it off: stored with it.
    pub trigger: Trigger,
    /// What was kept.
    pub record: Record,
}

/// A session of an agent builder.
pub struct Engine {
    bench: Workbench,
    appending: Appending,
    desk: Desk,
    db: PathBuf,
    key: SessionKey,
    rules: EngineRules,
    when: When,
    schedule: Schedule,
    parts: u64,
    /// Behind the last block that is stored or due.
    course: Course,
    due: VecDeque<Due>,
    summariser: Box<dyn Summariser>,
    failed: Vec<(Closed, SummaryError)>,
}

impl Engine {
    /// Opens a session in a database; both are made where they are not there. The clock gives milliseconds since 1970.
    pub fn open(db: &Path, session: &str, clock: fn() -> i64) -> Result<Self, Problem> {
        Self::with(db, session, EngineRules::by(clock))
    }

    /// The same under other rules.
    pub fn with(db: &Path, session: &str, rules: EngineRules) -> Result<Self, Problem> {
        let key = SessionKey::new("stet", session);
        let bench = Workbench::new(Settings {
            db: db.to_owned(),
            default_db: db.to_owned(),
            copies: PathBuf::new(),
            places: crate::formats::Env { home: None, vars: std::collections::BTreeMap::new() },
            clock: rules.clock,
            hand: Hand { via: Via::Cli, author: "agent".to_owned(), proposed: true },
        });
        let mut appending = bench.append(&key, rules.retention)?;
        let head = json!({"type": "session", "schema": "stet.interchange/1", "agent": "stet", "id": session});
        appending.take(&[head.to_string().into_bytes()])?;
        let mut store = Store::open(db, Access::ReadOnly)?;
        keep_rules(&mut store, &key, rules.blocks)?;
        let db = store.path().to_owned();
        let mut desk = bench.open(&Target::Kept { db: db.clone(), key: key.clone() })?;
        desk.index(&Cancel::default(), &mut |_| ())?;
        let parts = desk.outline().parts();
        let shelved = store.shelved(&key)?.unwrap_or_default();
        let in_spans = shelved.spans.iter().map(|span| span.blocks.1).max().unwrap_or(0);
        let schedule = Schedule::resumed(shelved.blocks.len() as u32, in_spans);
        let when = When::new(rules.limits);
        let course = Course::behind(shelved.blocks.last(), rules.blocks, store.log(&key)?.as_mut())?;
        let (due, summariser, failed) = (VecDeque::new(), Box::new(Extractive), Vec::new());
        Ok(Self { bench, appending, desk, db, key, rules, when, schedule, parts, course, due, summariser, failed })
    }

    /// Lets this one write the prose of records from now on. Until then it is taken from the originals word for word.
    pub fn narrate_by(&mut self, summariser: Box<dyn Summariser>) {
        self.summariser = summariser;
    }

    /// Blocks and spans whose prose is taken from the originals because the summariser failed, and why; each is told once.
    pub fn summariser_failures(&mut self) -> Vec<(Closed, SummaryError)> {
        std::mem::take(&mut self.failed)
    }

    /// Stores what was said, in this order. When this returns, it is on the disk.
    pub fn append(&mut self, said: &[Utterance]) -> Result<(), Problem> {
        let at = (self.rules.clock)();
        let line = |(utterance, no): (&Utterance, u64)| utterance.line(no, at).to_string().into_bytes();
        let lines: Vec<Vec<u8>> = said.iter().zip(self.parts..).map(line).collect();
        self.take(&lines)?;
        self.parts = self.desk.outline().parts();
        Ok(())
    }

    fn take(&mut self, lines: &[Vec<u8>]) -> Result<(), Problem> {
        let taken = self.appending.take(lines)?;
        if let Some(why) = taken.refused {
            anyhow::bail!("cannot append to {}: {why}", self.key.id);
        }
        self.desk.follow()?;
        Ok(())
    }

    /// Looks which blocks are due; their records are jobs from now on ([`Engine::work`]). How many there are; of a session
    /// that was never compiled only the first ones at once.
    pub fn close(&mut self) -> Result<usize, Problem> {
        if self.due.is_empty() {
            let due = self.course.read_on(self.desk.log_again()?.as_mut(), LastLine::Whole)?;
            self.owe(due);
        }
        Ok(self.due.len())
    }

    /// Closes the first block although it is not due. `false` where there are too few turns.
    fn close_early(&mut self) -> Result<bool, Problem> {
        let due = if self.close()? > 0 { None } else { self.course.close_early() };
        self.owe(due);
        self.compile()?;
        Ok(self.course.blocks() > 0)
    }

    fn owe(&mut self, due: impl IntoIterator<Item = Due>) {
        for due in due {
            self.schedule.closed(due.no);
            self.due.push_back(due);
        }
    }

    /// Does one job that waits: the record of a block, or spans. To be called when the agent waits for something else;
    /// `false` when there is nothing to do.
    pub fn work(&mut self) -> Result<bool, Problem> {
        let Some(job) = self.schedule.take() else { return Ok(false) };
        let done = match job {
            Job::Block(no) => self.store_block(no),
            Job::Spans(_) => self.store_spans(),
        };
        self.schedule.done(job, self.now());
        done.map(|()| true)
    }

    /// Closes what is due and does all jobs that wait.
    pub fn compile(&mut self) -> Result<(), Problem> {
        while self.close()? > 0 || !self.schedule.is_ready() {
            let due: Vec<Due> = self.due.drain(..).collect();
            self.store_blocks(due)?;
            // Of the jobs that wait only spans are left to be made.
            while self.work()? {}
        }
        self.bench.shelve(&self.db, &self.key)
    }

    fn now(&self) -> Millis {
        Millis::try_from((self.rules.clock)()).unwrap_or(0)
    }

    fn store_block(&mut self, no: u32) -> Result<(), Problem> {
        let due = self.due.pop_front_if(|due| due.no == no);
        self.store_blocks(due.into_iter().collect())
    }

    fn store_blocks(&mut self, due: Vec<Due>) -> Result<(), Problem> {
        if due.is_empty() {
            return Ok(());
        }
        let mut store = Store::open(&self.db, Access::Write)?;
        let (stored, closed) = close(&mut store, &self.key, due, &*self.summariser);
        let instead = stored.into_iter().filter_map(|made| Some((Closed::Block(made.block.no), made.instead?)));
        self.failed.extend(instead);
        if closed.is_err() {
            // The blocks behind it cannot be stored before it: they are looked for anew at the next closing.
            self.due.clear();
            let last = store.last_block(&self.key)?;
            self.course = Course::behind(last.as_ref(), self.rules.blocks, store.log(&self.key)?.as_mut())?;
        }
        closed
    }

    fn store_spans(&mut self) -> Result<(), Problem> {
        let mut store = Store::open(&self.db, Access::Write)?;
        let mut log = store.log(&self.key)?;
        let Self { course, key, summariser, .. } = self;
        let (reads, summariser) = (self.rules.reads, &**summariser);
        let of = Spanning::new(&mut store, key, reads, summariser).read(log.as_mut(), course);
        let (stored, done) = span(of, Extent::All);
        self.failed.extend(stored.instead.into_iter().map(|(no, why)| (Closed::Span(no), why)));
        done
    }

    fn permit_in(&self, store: &Store, region: &GateRegion) -> Result<Permit, NotCompacted> {
        let live = live(store, &self.key, region).map_err(Problem::from)?;
        Ok(gate(region, live)?)
    }

    /// Asks the gate for one region of this session. Its originals are read for it.
    pub fn gate(&self, region: &GateRegion) -> Result<Permit, NotCompacted> {
        let store = Store::open(&self.db, Access::ReadOnly).map_err(Problem::from)?;
        self.permit_in(&store, region)
    }

    /// Makes the record of a region anew, from the originals that the permit names.
    pub fn recompile(&mut self, permit: Permit) -> Result<Record, Problem> {
        let said = self.course.said_in(permit.originals(), self.desk.log_again()?.as_mut())?;
        let mut record = recorded(&said, permit, &mut []).0;
        tell(&mut record, &spoken(&said), &*self.summariser)?;
        Ok(record)
    }

    /// How every block and span stands: its originals, its facts, and whether it may be built on.
    pub fn standing(&mut self) -> Result<Vec<RegionStanding>, Problem> {
        let store = Store::open(&self.db, Access::ReadOnly)?;
        let (blocks, spans) = (store.blocks(&self.key)?, store.spans(&self.key)?);
        standing(&store, self.desk.log_again()?.as_mut(), &blocks, &spans)
    }

    /// What the next request carries. Jobs that wait are done first, and the stall is recorded.
    pub fn window(&mut self, system: &str, budget: u64) -> Result<Context, Problem> {
        self.close()?;
        if !self.schedule.needed(self.now()) {
            self.compile()?;
        }
        let asked = Asked { budget, system: system.to_owned(), ..Asked::default() };
        let target = Target::Kept { db: self.db.clone(), key: self.key.clone() };
        let context = self.bench.context(&target, &asked)?;
        if context.window.wants_block && self.close_early()? {
            return self.bench.context(&target, &asked);
        }
        Ok(context)
    }

    /// Every request that had to wait for a record.
    pub fn stalls(&self) -> &[Stall] {
        self.schedule.stalls()
    }

    /// Whether to compact now that a turn has ended: the next request would carry so many tokens, and the model reads so
    /// many. Seams and turns of the talk are found in what was appended. Under pressure spans are asked for, so that they
    /// are there in time.
    pub fn turn_ended(&mut self, tokens: u64, window: u64) -> Result<Next, Problem> {
        if self.rules.limits.presses(tokens, window) {
            self.schedule.pressed();
        }
        let due = self.course.read_on(self.desk.log_again()?.as_mut(), LastLine::Whole)?;
        self.owe(due);
        let (seam, topic) = self.course.ending();
        let turns = {
            let outline = self.desk.outline();
            let before = outline.compactions.last().and_then(|last| last.after_turn).unwrap_or(0);
            outline.main_turns.saturating_sub(before)
        };
        Ok(self.when.turn(&Moment { tokens, window, turns, topic, seam }))
    }

    /// How many markers the session has: counted from what is stored.
    pub fn markers(&self) -> u32 {
        self.desk.outline().compactions.len() as u32
    }

    /// Compacts: all that is closed passes the gate, and a marker is stored with the record of it and what set it off.
    /// The turns behind the last closed block stay as they were said.
    pub fn compact(&mut self, trigger: Trigger, tokens_before: u64) -> Result<Compacted, NotCompacted> {
        may_mark(self.markers(), self.rules.markers)?;
        self.compile()?;
        let store = Store::open(&self.db, Access::ReadOnly).map_err(Problem::from)?;
        let mut blocks = store.blocks(&self.key).map_err(Problem::from)?;
        if blocks.is_empty() && self.close_early()? {
            blocks = store.blocks(&self.key).map_err(Problem::from)?;
        }
        let Some(last) = blocks.last() else {
            return Err(NotCompacted::Problem(anyhow::anyhow!(
                "cannot compact {}: it has fewer than two turns (append what was said first)",
                self.key.id
            )));
        };
        for block in &blocks {
            self.permit_in(&store, &GateRegion::block(block))?;
        }
        let mut record = spans::merged(blocks.iter().map(|block| &*block.record));
        // The record of a compaction cannot say of an item that it is a draft: those stay in their blocks.
        record.items.retain(|item| !item.is_draft());
        let markers = self.markers() + 1;
        let id = format!("compaction-{markers}");
        // What the next request carries where it has as much room as this one had; unknown where the ledger fills it.
        let after = self.window("", tokens_before).ok().map(|context| context.window.tokens());
        let kept = self.desk.outline().main_turn(last.run.turns.1 + 1).map(|turn| turn.id.to_string());
        let mut line = json!({
            "type": "compaction", "id": id, "at": (self.rules.clock)(), "trigger": trigger.name(),
            "tokens_before": tokens_before, "tokens_after": after, "summary": null, "record": true,
        });
        if let (Some(kept), Some(line)) = (kept, line.as_object_mut()) {
            line.insert("first_kept".to_owned(), Value::from(kept));
        }
        let of = store.record_line(&self.key, &id, &record).map_err(Problem::from)?;
        drop(store);
        self.take(&[line.to_string().into_bytes(), of.into_bytes()])?;
        Ok(Compacted { id, markers, trigger, record })
    }
}

pub use handover::Handover;

#[cfg(test)]
mod tests;
