//! Records as lines: those of compactions, and those of blocks and spans with what they are of.

use std::io::Write;
use std::sync::Arc;

use rusqlite::{Connection, named_params};

use super::recorded::{BlockShape, ItemShape, ItemsShape, RecordShape, RunShape, SourceShape, SpanShape};
use super::shapes::text;
use crate::record::{Block, Detail, Field, Item, Record, Run, Span};
use crate::session::SessionKey;
use crate::store::blocks;
use crate::store::closed::{kept_blocks, kept_spans};
use crate::store::file::put;
use crate::store::rows::{self, Stored};
use crate::store::{Store, StoreError, records};

pub(super) fn record(conn: &Connection, session: i64, stored: &Stored, out: &mut dyn Write) -> Result<(), StoreError> {
    let Some(record) = records::of_line(conn, stored.row)? else { return Ok(()) };
    let compaction = stored.line.id.clone().unwrap_or_else(|| format!("line:{}", stored.line.offset));
    put(out, &text("record", &RecordShape { compaction, items: items(conn, session, &record, false)? }))
}

impl Store {
    /// The line of the interchange format that gives a compaction this record: what [`Store::appender`] takes behind the
    /// compaction's own line.
    pub fn record_line(&self, key: &SessionKey, compaction: &str, record: &Record) -> Result<String, StoreError> {
        let session = rows::session_row(&self.conn, key)?.ok_or_else(|| StoreError::NoSession(key.to_string()))?;
        let items = items(&self.conn, session, record, false)?;
        Ok(text("record", &RecordShape { compaction: compaction.to_owned(), items }))
    }
}

/// Every block and span in the order in which they were stored.
pub(super) fn closed(conn: &Connection, session: i64, out: &mut dyn Write) -> Result<(), StoreError> {
    for closed in closed_runs(conn, session)? {
        match closed {
            ClosedRun::Block(block) => {
                let Block { no, run, closed_by, turned, cut, generation, record } = block;
                let items = items(conn, session, &record, true)?;
                let closed_by = closed_by.name().to_owned();
                let turned = turned.map(|turned| turned.name().to_owned());
                let shape = BlockShape { no, run: run_shape(run), closed_by, turned, cut, generation, items };
                put(out, &text("block", &shape))?;
            }
            ClosedRun::Span(span) => {
                let Span { no, blocks, run, generation, record } = span;
                let items = items(conn, session, &record, true)?;
                let shape = SpanShape { no, blocks: [blocks.0, blocks.1], run: run_shape(run), generation, items };
                put(out, &text("span", &shape))?;
            }
        }
    }
    Ok(())
}

/// What has a record of its own and no line.
enum ClosedRun {
    Block(Block),
    Span(Span),
}

/// Blocks and spans in the order in which they were stored.
fn closed_runs(conn: &Connection, session: i64) -> Result<Vec<ClosedRun>, StoreError> {
    let mut all = Vec::new();
    for kept in kept_blocks(conn, session)? {
        let record = Arc::new(blocks::record(conn, kept.record, &blocks::block_id(kept.block.no))?);
        all.push((kept.record, ClosedRun::Block(Block { record, ..kept.block })));
    }
    for kept in kept_spans(conn, session)? {
        let record = Arc::new(blocks::record(conn, kept.record, &blocks::span_id(kept.block.no))?);
        all.push((kept.record, ClosedRun::Span(Span { record, ..kept.block })));
    }
    all.sort_by_key(|(row, _)| *row);
    Ok(all.into_iter().map(|(_, closed)| closed).collect())
}

fn run_shape(run: Run) -> RunShape {
    let Run { parts, turns, from_id, tokens, originals } = run;
    RunShape {
        parts: [parts.start, parts.end],
        turns: [turns.0, turns.1],
        from: from_id,
        tokens,
        originals: originals.to_string(),
    }
}

/// `of_run` says that the record is that of a block or span.
fn items(conn: &Connection, session: i64, record: &Record, of_run: bool) -> Result<ItemsShape, StoreError> {
    let mut shape = ItemsShape::default();
    for item in &record.items {
        let to = match item.field {
            Field::Narrative => &mut shape.narrative,
            Field::Entities => &mut shape.entities,
            Field::Figures => &mut shape.figures,
            Field::Constraints => &mut shape.constraints,
            Field::Decisions => &mut shape.decisions,
            Field::Actions => &mut shape.actions,
            Field::RuledOut => &mut shape.ruled_out,
            Field::Open => &mut shape.open,
        };
        to.push(item_shape(conn, session, item, of_run)?);
    }
    Ok(shape)
}

fn item_shape(conn: &Connection, session: i64, item: &Item, of_run: bool) -> Result<ItemShape, StoreError> {
    let mut find = conn.prepare_cached(
        "SELECT part.id
         FROM part JOIN line USING (line)
         WHERE line.session = :session AND line.file = :file AND line.seq = :seq AND block = :block",
    )?;
    let mut sources = Vec::new();
    for source in &item.sources {
        let part = find.query_row(
            named_params! {
                ":session": session, ":file": source.place.file.0,
                ":seq": rows::int(source.place.offset), ":block": source.place.part,
            },
            |row| row.get(0),
        )?;
        let range = Some([source.range.0, source.range.1]);
        let (seq, gone) = (of_run.then_some(source.seq.0), source.quote.is_empty());
        let hash = gone.then(|| source.hash.to_string());
        sources.push(SourceShape { part, quote: source.quote.clone(), range, seq, hash });
    }
    let mut shape = ItemShape { text: Some(item.text.clone()), draft: item.why.clone(), ..ItemShape::default() };
    match sources.len() {
        1 => shape.source = sources.pop(),
        _ => shape.sources = sources,
    }
    match item.detail.clone() {
        Detail::Plain => {}
        Detail::Entity { class } => shape.class = Some(class),
        Detail::Figure { label, value, unit } => {
            (shape.label, shape.value, shape.unit) = (Some(label), Some(value.into()), Some(unit));
        }
        Detail::Action { tool, args, ok } => {
            (shape.tool, shape.args, shape.ok) = (Some(tool), Some(args.into()), ok);
        }
        Detail::RuledOut { claim, evidence } => (shape.claim, shape.evidence) = (Some(claim), Some(evidence)),
    }
    Ok(shape)
}
