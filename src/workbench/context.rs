//! The context of the next request: ledger, records of what is closed, recent turns. Of a session in the database only
//! the recent turns are read; of one in an agent's own file, that was never compiled, all of them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use anyhow::Context as _;

use super::recent::{Behind, recent};
use super::{Cancel, Desk, Problem, Target, Workbench, guard};
use crate::compile::window::{
    Assembled, Depth, Given, Head, Recent, Region, RegionKind, Rendition, Shelf, WindowError, assemble,
};
use crate::compile::{Amount, RENDERED, Rendered, render, spans::merged};
use crate::handback::DEFAULT_TOKENS;
use crate::record::{Record, Span, Verdict};
use crate::session::{Log, Outline, SessionKey};
use crate::store::{Access, Closed, Shelved, Store, Wordings};

/// What is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// What the window may hold, in tokens.
    pub budget: u64,
    /// The text that the agent begins with; empty where nobody gives it.
    pub system: String,
    /// What becomes of records that do not fit.
    pub records: Rendition,
    /// How much of each text.
    pub texts: HowMuch,
    /// What is read of the originals of what is closed.
    pub originals: Check,
}

/// What is read of the originals of what is closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Check {
    /// Nothing: it is looked whether they are there.
    #[default]
    There,
    /// All of them, to see whether they are what they were.
    Unchanged,
}

/// How much of each text of a window is wanted. What it holds in tokens is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HowMuch {
    /// Exactly what the request carries.
    #[default]
    Whole,
    /// What it begins with, for who only looks at the window: a long session is not held in memory for it.
    Beginnings,
}

/// A window with what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// Which session.
    pub key: SessionKey,
    /// The regions.
    pub window: Assembled,
    /// Entries of the ledger that did not fit under its own cap, by number.
    pub ledger_left_out: Vec<u32>,
    /// How many blocks are closed. 0: nothing was compiled yet.
    pub blocks: usize,
    /// Where it is too much: what it would hold with its records in brief. `None` where it fits, where they are in brief
    /// already, and where there are none.
    pub in_brief: Option<u64>,
    /// Turns of the agent's own file that the database does not have yet.
    pub behind: u32,
    /// The parts of blocks whose originals are here and not what they were; empty where that was not asked for.
    pub changed: Vec<Range<u64>>,
}

impl Context {
    /// Whether the originals of a region are here and, as far as that was asked for, what they were.
    pub fn is_live(&self, region: &Region) -> bool {
        let touches = |parts: &Range<u64>| parts.start < region.parts.end && region.parts.start < parts.end;
        region.present && !self.changed.iter().any(touches)
    }
}

/// So many bytes of a text are its beginning.
pub(super) const BEGINNING: usize = 200;

impl Desk {
    /// Puts together what the next request of this session carries. An agent's own file of which blocks are closed is
    /// read to its end for it.
    pub fn context(&mut self, asked: &Asked, cancel: &Cancel) -> Result<Context, Problem> {
        let Some((store, mut kept)) = self.kept()? else { return of_log(self, asked) };
        let mut log = kept.log_again()?;
        let mut context = in_store(&store, &mut kept, log.as_mut(), asked)?;
        if kept.head().path != self.head().path {
            self.index(cancel, &mut |_| ())?;
            let last = context.window.regions.iter().filter_map(|region| region.turns).map(|(_, to)| to).max();
            context.behind = self.outline().main_turns.saturating_sub(last.unwrap_or(0));
        }
        Ok(context)
    }
}

impl Workbench {
    /// Puts together what the next request of a session carries.
    pub fn context(&self, target: &Target, asked: &Asked) -> Result<Context, Problem> {
        self.open(target)?.context(asked, &Cancel::default())
    }

    /// Makes the texts that stand for closed blocks and spans in a window, where there are none yet, so that no window
    /// has to. Done behind every `compile`.
    pub fn shelve(&self, db: &std::path::Path, key: &SessionKey) -> Result<(), Problem> {
        let mut desk = self.open(&Target::Kept { db: db.to_owned(), key: key.clone() })?;
        let mut store = Store::open(db, Access::ReadOnly)?;
        if store.notice().is_some() || store.retention(key)?.is_some() {
            return Ok(());
        }
        let Some(shelved) = store.shelved(key)? else { return Ok(()) };
        let mut books = Books::new(&store, &mut desk, key, shelved);
        let all: Vec<Closed> = (books.shelved.blocks.iter().map(|block| Closed::Block(block.no)))
            .chain(books.shelved.spans.iter().map(|span| Closed::Span(span.no)))
            .collect();
        let mut texts = Vec::new();
        for which in all {
            if books.store.rendered(key, which, RENDERED)?.is_none() {
                let (head, record) = (books.title(which), books.record(which)?);
                texts.push((which, render(&head, &record, Amount::Whole).text));
            }
        }
        Ok(store.keep_rendered(key, Wordings { rules: RENDERED, texts: &texts })?)
    }
}

/// A session in a database.
fn in_store(store: &Store, desk: &mut Desk, log: &mut dyn Log, asked: &Asked) -> Result<Context, Problem> {
    let key = log.head().key.clone();
    let shelved = store.shelved(&key)?.unwrap_or_default();
    let told = desk.told(DEFAULT_TOKENS)?;
    let repeats = store.repeats(&key, shelved.last.map_or(0, |(line, _)| line))?;
    let last = shelved.blocks.last();
    let behind = Behind {
        seq: last.map_or(0, |block| block.run.parts.end),
        turn: last.map_or(0, |block| block.run.turns.1),
        place: shelved.last,
        cut: last.map(|block| block.cut.clone()).unwrap_or_default(),
        repeats: repeats.into_iter().collect(),
    };
    let recent = recent(log, &behind, asked.texts)?;
    let blocks = shelved.blocks.len();
    let changed = if asked.originals == Check::Unchanged { changed(store, &key, &shelved)? } else { Vec::new() };
    let mut books = Books::new(store, desk, &key, shelved);
    let given = given(asked, told.text, recent);
    let window = put_together(asked, &given, &mut books)?;
    let in_brief = match window.over() {
        Some(_) if asked.records == Rendition::Whole && blocks > 0 && !window.is_in_brief() => {
            Some(put_together(asked, &Given { records: Rendition::Brief, ..given }, &mut books)?.tokens())
        }
        Some(_) | None => None,
    };
    Ok(Context { key, window, ledger_left_out: told.left_out, blocks, in_brief, behind: 0, changed })
}

/// Blocks whose originals are here and not what they were.
fn changed(store: &Store, key: &SessionKey, shelved: &Shelved) -> Result<Vec<Range<u64>>, Problem> {
    let mut changed = Vec::new();
    for (block, _) in shelved.blocks.iter().zip(&shelved.present).filter(|(_, present)| **present) {
        if store.originals(key, &block.run.parts)? != Some(block.run.originals) {
            changed.push(block.run.parts.clone());
        }
    }
    Ok(changed)
}

/// A session that nothing was compiled of.
fn of_log(desk: &mut Desk, asked: &Asked) -> Result<Context, Problem> {
    let told = desk.told(DEFAULT_TOKENS)?;
    let mut log = desk.log_again()?;
    let recent = recent(log.as_mut(), &Behind::default(), asked.texts)?;
    let window = put_together(asked, &given(asked, told.text, recent), &mut Nothing)?;
    let (key, ledger_left_out) = (desk.head().key.clone(), told.left_out);
    Ok(Context { key, window, ledger_left_out, blocks: 0, in_brief: None, behind: 0, changed: Vec::new() })
}

fn given(asked: &Asked, ledger: String, recent: Vec<Recent>) -> Given {
    Given { system: asked.system.clone(), ledger, recent, budget: asked.budget, records: asked.records }
}

fn put_together<S: Shelf<Error = Problem>>(asked: &Asked, given: &Given, shelf: &mut S) -> Result<Assembled, Problem> {
    let mut window = assemble(given, shelf).map_err(|error| match error {
        WindowError::Ledger(alone) => Problem::new(alone).context("cannot put the window together"),
        WindowError::Shelf(problem) => problem,
    })?;
    if asked.texts == HowMuch::Beginnings {
        // What stands for turns is no longer than the budget, and is looked at here; what was said stands in the session.
        for region in window.regions.iter_mut().filter(|region| region.kind == RegionKind::Turn) {
            region.text.truncate(region.text.floor_char_boundary(BEGINNING));
            region.text.shrink_to_fit();
        }
    }
    Ok(window)
}

/// Nothing is closed.
struct Nothing;

impl Shelf for Nothing {
    type Error = Problem;

    fn blocks(&self) -> &[Head] {
        &[]
    }

    fn block(&mut self, at: usize, _: Amount) -> Result<Rendered, Problem> {
        anyhow::bail!("there is no block {}", at + 1)
    }

    fn spans(&mut self, _: usize, _: Depth, _: Amount) -> Result<Option<Vec<(Head, Rendered)>>, Problem> {
        Ok(None)
    }
}

/// What is closed, read as far as it is needed.
struct Books<'a> {
    store: &'a Store,
    desk: &'a mut Desk,
    key: SessionKey,
    shelved: Shelved,
    heads: Vec<Head>,
    records: BTreeMap<Closed, Arc<Record>>,
}

impl<'a> Books<'a> {
    fn new(store: &'a Store, desk: &'a mut Desk, key: &SessionKey, shelved: Shelved) -> Self {
        let head = |(block, present): (&crate::record::Block, &bool)| Head {
            no: Some(block.no),
            parts: block.run.parts.clone(),
            turns: block.run.turns,
            generation: block.generation,
            present: *present,
        };
        let heads = shelved.blocks.iter().zip(&shelved.present).map(head).collect();
        Self { store, desk, key: key.clone(), shelved, heads, records: BTreeMap::new() }
    }

    fn title(&self, which: Closed) -> String {
        match which {
            Closed::Block(no) => {
                let block = self.shelved.blocks.iter().find(|block| block.no == no);
                block.map_or_else(String::new, |block| title("block", Some(no), block.run.turns, block.generation))
            }
            Closed::Span(no) => {
                let span = self.shelved.spans.iter().find(|span| span.no == no);
                span.map_or_else(String::new, |span| title("span", Some(no), span.run.turns, span.generation))
            }
        }
    }

    /// A record in which every source knows the number of its turn.
    fn record(&mut self, which: Closed) -> Result<Arc<Record>, Problem> {
        if let Some(record) = self.records.get(&which) {
            return Ok(Arc::clone(record));
        }
        let found = self.store.closed_record(&self.key, which)?;
        let mut record = found.with_context(|| format!("the record of {} is not here", self.title(which)))?;
        // Only here the table of contents of the whole session is needed.
        self.desk.index(&Cancel::default(), &mut |_| ())?;
        numbered(&mut record, &self.desk.outline());
        let record = Arc::new(record);
        self.records.insert(which, Arc::clone(&record));
        Ok(record)
    }

    fn rendered(&mut self, which: Closed, amount: Amount) -> Result<Rendered, Problem> {
        if amount == Amount::Whole
            && let Some(text) = self.store.rendered(&self.key, which, RENDERED)?
        {
            let drafts = self.store.drafts(&self.key, which)?;
            let tokens = crate::compile::tokens(&text);
            return Ok(guard::record(Rendered { tokens, text, left_out: Vec::new(), drafts }));
        }
        let record = self.record(which)?;
        Ok(guard::record(render(&self.title(which), &record, amount)))
    }

    /// Stored spans that stand together for the first blocks, as far as they reach: at each block the widest, of those the
    /// newest.
    fn cover(&self, end: usize, depth: Depth) -> Vec<&Span> {
        let deepest = match depth {
            Depth::Originals => 1,
            Depth::ProseOfProse => 2,
        };
        let mut cover: Vec<&Span> = Vec::new();
        loop {
            let next = cover.last().map_or(1, |last| last.blocks.1 + 1);
            let fits =
                |span: &&Span| span.blocks.0 == next && span.blocks.1 as usize <= end && span.generation <= deepest;
            let best =
                self.shelved.spans.iter().filter(fits).max_by_key(|span| (span.blocks.1, span.generation, span.no));
            let Some(best) = best else { return cover };
            cover.push(best);
        }
    }
}

impl Shelf for Books<'_> {
    type Error = Problem;

    fn blocks(&self) -> &[Head] {
        &self.heads
    }

    fn made(&self) -> Vec<usize> {
        let mut ends: Vec<usize> = self.shelved.spans.iter().map(|span| span.blocks.1 as usize).collect();
        ends.sort_unstable();
        ends.dedup();
        ends.retain(|end| reach(&self.cover(*end, Depth::Originals)) == *end);
        ends
    }

    fn block(&mut self, at: usize, amount: Amount) -> Result<Rendered, Problem> {
        let no = self.shelved.blocks[at].no;
        self.rendered(Closed::Block(no), amount)
    }

    fn spans(&mut self, end: usize, depth: Depth, amount: Amount) -> Result<Option<Vec<(Head, Rendered)>>, Problem> {
        let cover = self.cover(end, depth);
        let reached = reach(&cover);
        if depth == Depth::ProseOfProse && cover.iter().all(|span| span.generation <= 1) {
            return Ok(None);
        }
        let of = |span: &Span| (self.head(span), Closed::Span(span.no));
        let stored: Vec<(Head, Closed)> = cover.into_iter().map(of).collect();
        let mut rendered = Vec::with_capacity(stored.len() + 1);
        for (head, which) in stored {
            rendered.push((head, self.rendered(which, amount)?));
        }
        if reached < end {
            rendered.push(self.put_together_now(reached..end, amount)?);
        }
        Ok(Some(rendered))
    }
}

/// Up to which block spans that follow each other reach.
fn reach(cover: &[&Span]) -> usize {
    cover.last().map_or(0, |last| last.blocks.1 as usize)
}

impl Books<'_> {
    fn head(&self, span: &Span) -> Head {
        let present = self.present(span.blocks.0 as usize - 1..span.blocks.1 as usize);
        Head {
            no: Some(span.no),
            parts: span.run.parts.clone(),
            turns: span.run.turns,
            generation: span.generation,
            present,
        }
    }

    fn present(&self, blocks: Range<usize>) -> bool {
        self.shelved.present.get(blocks).is_some_and(|present| present.iter().all(|one| *one))
    }

    /// A span that nobody made beforehand: the fields of its blocks word for word, which is no summarising step.
    fn put_together_now(&mut self, of: Range<usize>, amount: Amount) -> Result<(Head, Rendered), Problem> {
        let numbers: Vec<u32> = self.shelved.blocks[of.clone()].iter().map(|block| block.no).collect();
        let mut records = Vec::with_capacity(of.len());
        for no in numbers {
            records.push(self.record(Closed::Block(no))?);
        }
        let whole = merged(records.iter().map(|record| &**record));
        let blocks = &self.heads[of.clone()];
        let (first, last) = (&blocks[0], &blocks[blocks.len() - 1]);
        let turns = (first.turns.0, last.turns.1);
        let generation = blocks.iter().map(|head| head.generation).max().unwrap_or(1);
        let parts = first.parts.start..last.parts.end;
        let head = Head { no: None, parts, turns, generation, present: self.present(of) };
        let rendered = render(&title("span", None, turns, generation), &whole, amount);
        Ok((head, guard::record(rendered)))
    }
}

/// A stored record with the numbers and ids of turns, which are stored nowhere, and with what its drafts are.
pub(super) fn numbered(record: &mut Record, outline: &Outline) {
    for item in &mut record.items {
        for source in &mut item.sources {
            if let Some(turn) = outline.turn_at(source.place.file, source.place.offset) {
                source.turn = outline.number(turn).unwrap_or_else(|| source.turn.clone());
                source.turn_id = turn.id.to_string();
            }
        }
        item.verdict = if item.why.is_some() { Verdict::Unchecked } else { Verdict::Verified };
    }
}

/// `block 3 · turns 81–121 · generation 1`
pub(super) fn title(what: &str, no: Option<u32>, (from, to): (u32, u32), generation: u32) -> String {
    let no = no.map(|no| format!(" {no}")).unwrap_or_default();
    format!("{what}{no} · turns {from}–{to} · generation {generation}")
}
