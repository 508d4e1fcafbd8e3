//! Blocks and spans: closed runs of turns, each with the record that was made of it. Which turns belong together, and what
//! a record says, is decided elsewhere.

use std::sync::Arc;

use rusqlite::{Connection, named_params};

use super::borrowed::Lenders;
use super::closed::{self, KeptRun};
use super::pen::Pen;
use super::records::{self, NewItem, Of};
use super::rows::{self, int};
use super::runs::{self, By, Passed};
use super::seal::{self, SealedRun};
use super::sources::{Finder, Texts};
use super::{Store, StoreError, Wordings};
use crate::record::{Block, Record, Run, Span, Turned};
use crate::session::{Hash, SessionKey};

impl Store {
    /// The blocks of a session in their order. In the sources of their items, the number and id of a turn are the
    /// outline's to say, and `turn` is empty. An item that is still a draft says why.
    pub fn blocks(&self, key: &SessionKey) -> Result<Vec<Block>, StoreError> {
        match rows::session_row(&self.conn, key)? {
            Some(session) => blocks(&self.conn, session),
            None => Ok(Vec::new()),
        }
    }

    /// The spans of a session in the order in which they were made. See [`Store::blocks`].
    pub fn spans(&self, key: &SessionKey) -> Result<Vec<Span>, StoreError> {
        match rows::session_row(&self.conn, key)? {
            Some(session) => spans(&self.conn, session),
            None => Ok(Vec::new()),
        }
    }

    /// The newest block alone, without its record's items; `None` where none was closed yet.
    pub fn last_block(&self, key: &SessionKey) -> Result<Option<Block>, StoreError> {
        let Some(session) = rows::session_row(&self.conn, key)? else { return Ok(None) };
        Ok(closed::last_block(&self.conn, session)?.map(|kept| kept.block))
    }

    /// Stores spans over blocks that are here, all of them or none. See [`Store::close_blocks`].
    pub fn add_spans(&mut self, key: &SessionKey, spans: &[Span], made: Wordings) -> Result<(), StoreError> {
        let written = self.write(|tx| {
            let mut pen = Pen::on(tx, key, None)?;
            let mut written = 0;
            for span in spans {
                written += add_span(tx, &mut pen, span, Texts::Here).map_err(meanwhile)?;
            }
            pen.done()?;
            made.keep(tx, pen.session).map(|()| written)
        })?;
        self.wrote_records(written);
        Ok(())
    }
}

pub(super) fn blocks(conn: &Connection, session: i64) -> Result<Vec<Block>, StoreError> {
    let with_record = |kept: KeptRun<Block>| {
        let record = Arc::new(record(conn, kept.record, &block_id(kept.block.no))?);
        Ok(Block { record, ..kept.block })
    };
    closed::kept_blocks(conn, session)?.into_iter().map(with_record).collect()
}

pub(super) fn spans(conn: &Connection, session: i64) -> Result<Vec<Span>, StoreError> {
    let with_record = |kept: KeptRun<Span>| {
        let record = Arc::new(record(conn, kept.record, &span_id(kept.block.no))?);
        Ok(Span { record, ..kept.block })
    };
    closed::kept_spans(conn, session)?.into_iter().map(with_record).collect()
}

/// The id under which a block's record stands among the session's records.
pub(super) fn block_id(no: u32) -> String {
    format!("block:{no}")
}

pub(super) fn span_id(no: u32) -> String {
    format!("span:{no}")
}

pub(super) fn record(conn: &Connection, row: i64, id: &str) -> Result<Record, StoreError> {
    let mut record = records::read(conn, row, id, Of::Run)?;
    for (ordinal, why) in drafts(conn, row)? {
        let its = |item: &&mut crate::record::Item| item.own.as_ref().is_some_and(|(_, own)| *own == ordinal);
        if let Some(item) = record.items.iter_mut().find(its) {
            item.why = Some(why);
        }
    }
    Ok(record)
}

/// Items of a record that are still drafts.
pub(super) fn drafts(conn: &Connection, record: i64) -> Result<Vec<(u32, String)>, StoreError> {
    let mut read = conn.prepare_cached("SELECT ordinal, why FROM draft WHERE record = :record ORDER BY ordinal")?;
    let found = read.query_map(named_params! {":record": record}, |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(found.collect::<Result<_, _>>()?)
}

fn unfit(what: &str, why: impl Into<String>) -> StoreError {
    StoreError::Unfit { what: what.to_owned(), why: why.into() }
}

/// Adds a block within a transaction; gives how many rows were written.
pub(super) fn add_block(tx: &Connection, pen: &mut Pen, block: &Block, texts: Texts) -> Result<usize, StoreError> {
    let session = pen.session;
    let what = format!("block {}", block.no);
    let last = closed::last_block(tx, session)?;
    let (no, end) = last.as_ref().map_or((0, 0), |last| (last.block.no, last.block.run.parts.end));
    if block.no <= no && block.no > 0 {
        return known(&what, blocks(tx, session)?.iter().any(|kept| same_block(kept, block)));
    }
    if u64::from(block.no) != u64::from(no) + 1 {
        return Err(unfit(&what, format!("the last one is block {no}")));
    }
    if block.run.parts.start != end {
        let starts = block.run.parts.start;
        return Err(unfit(&what, format!("it begins with part {starts}, the one before it ends before part {end}")));
    }
    let after = last.as_ref().map(|last| last.last);
    let count = block.run.parts.end.saturating_sub(block.run.parts.start);
    let mut parts: Vec<Passed> = Vec::new();
    let hashes = runs::walk(tx, session, after, (0, count), By::Hashes, |row| {
        parts.push(Passed::of(row)?);
        Ok(())
    })?;
    let (Some(hashes), Some((last_part, last_id))) = (hashes, parts.last().map(|last| (last.row, last.id.clone())))
    else {
        return Err(unfit(&what, format!("not all of its {count} parts are here")));
    };
    if Run::originals_of(&hashes) != block.run.originals {
        return Err(unfit(&what, "its originals are not those that are here"));
    }
    let finder = Finder::knowing(tx, session, texts, parts);
    let kept = add_record(tx, pen, &what, &block_id(block.no), &block.record, finder, None)?;
    let sealed = SealedRun {
        no: block.no,
        run: &block.run,
        generation: block.generation,
        record: kept.seal,
        drafts: &kept.drafts,
    };
    let before = match last {
        Some(last) => last.seal,
        None => seal::start(tx, session)?,
    };
    let run = &block.run;
    tx.prepare_cached(
        "INSERT INTO block (session, no, record, start, \"end\", last, first_turn, last_turn, from_id, tokens, originals,
                            closed_by, turned, cut, generation, seal)
         VALUES (:session, :no, :record, :start, :end, :last, :first_turn, :last_turn, :from_id, :tokens, :originals,
                 :closed_by, :turned, :cut, :generation, :seal)",
    )?
    .execute(named_params! {
        ":session": session, ":no": block.no, ":record": kept.row,
        ":start": int(run.parts.start), ":end": int(run.parts.end), ":last": last_part,
        ":first_turn": run.turns.0, ":last_turn": run.turns.1, ":from_id": run.from_id, ":tokens": int(run.tokens),
        ":originals": run.originals.0, ":closed_by": block.closed_by.name(),
        ":turned": block.turned.map(Turned::name), ":cut": list(&block.cut), ":generation": block.generation,
        ":seal": sealed.block(before, block, &last_id).0,
    })?;
    Ok(kept.written + 1)
}

fn list(ids: &[String]) -> String {
    // Strings alone: there is nothing that cannot be written.
    serde_json::to_string(ids).unwrap_or_else(|_| "[]".to_owned())
}

/// Adds a span within a transaction; gives how many rows were written.
pub(super) fn add_span(tx: &Connection, pen: &mut Pen, span: &Span, texts: Texts) -> Result<usize, StoreError> {
    let session = pen.session;
    let what = format!("span {}", span.no);
    let (no, before) = match closed::last_span(tx, session)? {
        Some(last) => (last.block.no, last.seal),
        None => (0, seal::start(tx, session)?),
    };
    if span.no <= no && span.no > 0 {
        return known(&what, spans(tx, session)?.iter().any(|kept| same_span(kept, span)));
    }
    if u64::from(span.no) != u64::from(no) + 1 {
        return Err(unfit(&what, format!("the last one is span {no}")));
    }
    let (first, last) = span.blocks;
    let kept = closed::blocks_between(tx, session, first.min(last).saturating_sub(1)..=first.max(last))?;
    let at = |no: u32| kept.iter().position(|kept| kept.block.no == no);
    let (Some(from), Some(to)) = (at(first), at(last)) else {
        return Err(unfit(&what, format!("not all of blocks {first} to {last} are here")));
    };
    let Some(of) = kept.get(from..=to).filter(|of| !of.is_empty()) else {
        return Err(unfit(&what, format!("block {last} comes before block {first}")));
    };
    let parts = of[0].block.run.parts.start..of[of.len() - 1].block.run.parts.end;
    if span.run.parts != parts {
        return Err(unfit(&what, "its parts are not those of its blocks"));
    }
    let after = from.checked_sub(1).map(|before| kept[before].last);
    let count = parts.end.saturating_sub(parts.start);
    let hashes = runs::walk(tx, session, after, (0, count), By::Hashes, |_| Ok(()))?;
    if hashes.map(|hashes| Run::originals_of(&hashes)) != Some(span.run.originals) {
        return Err(unfit(&what, "its originals are not those that are here"));
    }
    let lenders = Lenders::below(tx, &kept[from..=to], &closed::spans_between(tx, session, span.blocks)?)?;
    let finder = Finder::on(tx, session, texts);
    let kept = add_record(tx, pen, &what, &span_id(span.no), &span.record, finder, Some(&lenders))?;
    let run = &span.run;
    let sealed = SealedRun { no: span.no, run, generation: span.generation, record: kept.seal, drafts: &kept.drafts };
    tx.prepare_cached(
        "INSERT INTO span (session, no, record, first_block, last_block, start, \"end\", first_turn, last_turn, from_id,
                           tokens, originals, generation, seal)
         VALUES (:session, :no, :record, :first_block, :last_block, :start, :end, :first_turn, :last_turn, :from_id,
                 :tokens, :originals, :generation, :seal)",
    )?
    .execute(named_params! {
        ":session": session, ":no": span.no, ":record": kept.row, ":first_block": first, ":last_block": last,
        ":start": int(run.parts.start), ":end": int(run.parts.end),
        ":first_turn": run.turns.0, ":last_turn": run.turns.1, ":from_id": run.from_id, ":tokens": int(run.tokens),
        ":originals": run.originals.0, ":generation": span.generation, ":seal": sealed.span(before, span.blocks).0,
    })?;
    Ok(kept.written + 1)
}

/// What was stored of a record.
struct Added {
    row: i64,
    seal: Hash,
    drafts: Vec<(u32, String)>,
    written: usize,
}

fn add_record(
    tx: &Connection,
    pen: &mut Pen,
    what: &str,
    id: &str,
    record: &Record,
    mut finder: Finder,
    lenders: Option<&Lenders>,
) -> Result<Added, StoreError> {
    let taken: bool = tx
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM record WHERE session = :session AND id = :id)")?
        .query_row(named_params! {":session": pen.session, ":id": id}, |row| row.get(0))?;
    if taken {
        return Err(unfit(what, format!("another record is called {id}")));
    }
    let mut items: Vec<NewItem> = Vec::with_capacity(record.items.len());
    for (at, item) in record.items.iter().enumerate() {
        if let Some(lent) = lenders.and_then(|lenders| lenders.lend(item)) {
            items.push(lent);
            continue;
        }
        let sources = item.sources.iter().map(|source| finder.find(source)).collect::<Result<Vec<_>, _>>();
        let sources = sources?.into_iter().collect::<Result<Vec<_>, String>>();
        let sources = sources.map_err(|why| unfit(what, format!("{}: {why}", record.name(at))))?;
        let (text, detail) = (item.text.clone(), item.detail.clone());
        items.push(NewItem { field: item.field, text, detail, sources, borrowed: None });
    }
    let (row, seal) = records::insert(tx, pen.session, None, id, &items)?;
    let drafts: Vec<(u32, String)> =
        (0..).zip(&record.items).filter_map(|(ordinal, item)| Some((ordinal, item.why.clone()?))).collect();
    let mut add = tx.prepare_cached("INSERT INTO draft (record, ordinal, why) VALUES (:record, :ordinal, :why)")?;
    for (ordinal, why) in &drafts {
        add.execute(named_params! {":record": row, ":ordinal": ordinal, ":why": why})?;
    }
    pen.tally.records += 1;
    let own = items.iter().filter(|item| item.borrowed.is_none());
    let written: usize = own.map(|item| 1 + item.sources.len()).sum();
    Ok(Added { row, seal, written: 2 + written + drafts.len(), drafts })
}

/// Who closes begins behind what is closed: another block under its number was closed since, of the same originals.
pub(super) fn meanwhile(error: StoreError) -> StoreError {
    match error {
        StoreError::Conflict { what } => StoreError::ClosedMeanwhile { what },
        other => other,
    }
}

fn known(what: &str, same: bool) -> Result<usize, StoreError> {
    if same { Ok(0) } else { Err(StoreError::Conflict { what: what.to_owned() }) }
}

fn same_block(kept: &Block, given: &Block) -> bool {
    // A version that did not store why the talk turned says nothing of it.
    let turned = kept.turned.zip(given.turned).is_none_or(|(kept, given)| kept == given);
    turned
        && (kept.no, &kept.run, kept.closed_by, &kept.cut, kept.generation)
            == (given.no, &given.run, given.closed_by, &given.cut, given.generation)
        && same_record(&kept.record, &given.record)
}

fn same_span(kept: &Span, given: &Span) -> bool {
    (kept.no, kept.blocks, &kept.run, kept.generation) == (given.no, given.blocks, &given.run, given.generation)
        && same_record(&kept.record, &given.record)
}

/// Whether two records keep the same. What the check of an item says is not kept.
fn same_record(kept: &Record, given: &Record) -> bool {
    kept.items.len() == given.items.len()
        && kept.items.iter().zip(&given.items).all(|(kept, given)| {
            let same = |(kept, given): (&crate::session::SourceRef, &crate::session::SourceRef)| {
                (kept.place, kept.range, kept.hash) == (given.place, given.range, given.hash)
            };
            (kept.field, &kept.text, &kept.detail, &kept.why) == (given.field, &given.text, &given.detail, &given.why)
                && kept.sources.len() == given.sources.len()
                && kept.sources.iter().zip(&given.sources).all(same)
        })
}
