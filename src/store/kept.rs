//! Whether the blocks and spans of a session are those that were stored: their seals, their places one behind the other,
//! and the hashes of their originals, which stay when the texts may not. Nothing is mended.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, named_params};

use super::blocks::{self, block_id, span_id};
use super::closed;
use super::runs::{self, By, Passed};
use super::seal::SealedRun;
use super::verify::Damage;
use super::{StoreError, rows};
use crate::record::{Run, Span};
use crate::session::Hash;

pub(super) fn check(conn: &Connection, session: i64, start: Hash, damages: &mut Vec<Damage>) -> Result<(), StoreError> {
    if !conn.table_exists(None, "block")? {
        return Ok(());
    }
    let mut unclaimed = unclaimed(conn, session)?;
    // The last part before a block, by the block's number: where its parts are counted from.
    let mut from: HashMap<u32, Option<i64>> = HashMap::new();
    let mut runs: HashMap<u32, Run> = HashMap::new();
    let (mut seal, mut no, mut end, mut last) = (start, 0_u32, 0, None);
    for kept in closed::kept_blocks(conn, session)? {
        let block = &kept.block;
        let mut tell = |why: &str| damages.push(Damage::new(format!("block {}", block.no), why));
        if block.no != no.saturating_add(1) || block.run.parts.start != end {
            tell("blocks before it are missing");
        }
        let last_part = of_run(conn, session, last, &block.run)?;
        let last_id = last_part.filter(|passed| passed.row == kept.last).map(|passed| passed.id);
        if last_id.is_none() {
            tell("its parts are not those that it was made from");
        }
        let sealed = Sealed::of(conn, kept.record, &block_id(block.no))?;
        let wanted = sealed.map(|sealed| {
            unclaimed.remove(&kept.record);
            let last = last_id.unwrap_or_default();
            sealed.run(block.no, &block.run, block.generation).block(seal, block, &last)
        });
        if wanted != Some(kept.seal) {
            tell("it does not follow the block before it, or is not what was stored");
        }
        from.insert(block.no, last);
        runs.insert(block.no, block.run.clone());
        (seal, no, end, last) = (kept.seal, block.no, block.run.parts.end, Some(kept.last));
    }
    let (mut seal, mut no) = (start, 0_u32);
    for kept in closed::kept_spans(conn, session)? {
        let span = &kept.block;
        let mut tell = |why: &str| damages.push(Damage::new(format!("span {}", span.no), why));
        if span.no != no.saturating_add(1) {
            tell("spans before it are missing");
        }
        let fits = reaches(span, &runs)
            && of_run(conn, session, from.get(&span.blocks.0).copied().flatten(), &span.run)?.is_some();
        if !fits {
            tell("its blocks are not those that it was made from");
        }
        let sealed = Sealed::of(conn, kept.record, &span_id(span.no))?;
        let wanted = sealed.map(|sealed| {
            unclaimed.remove(&kept.record);
            sealed.run(span.no, &span.run, span.generation).span(seal, span.blocks)
        });
        if wanted != Some(kept.seal) {
            tell("it does not follow the span before it, or is not what was stored");
        }
        (seal, no) = (kept.seal, span.no);
    }
    let mut names: Vec<String> = unclaimed.into_values().collect();
    names.sort_unstable();
    damages
        .extend(names.into_iter().map(|id| Damage::new(format!("the record of {id}"), "what it was made of is gone")));
    Ok(())
}

/// The last part of a run, where all of them still give the hash that it names.
fn of_run(conn: &Connection, session: i64, after: Option<i64>, run: &Run) -> Result<Option<Passed>, StoreError> {
    let count = run.parts.end.saturating_sub(run.parts.start);
    // The part that came before may be gone; then nothing can be counted from it.
    if let Some(part) = after {
        let mut find = conn.prepare_cached("SELECT 1 FROM part JOIN line USING (line) WHERE part = :part")?;
        if find.query_row(named_params! {":part": part}, |_| Ok(())).optional()?.is_none() {
            return Ok(None);
        }
    }
    let mut last = None;
    let hashes = runs::walk(conn, session, after, (0, count), By::Hashes, |row| {
        last = Some(Passed::of(row)?);
        Ok(())
    })?;
    Ok(last.filter(|_| hashes.is_some_and(|hashes| Run::originals_of(&hashes) == run.originals)))
}

fn reaches(span: &Span, runs: &HashMap<u32, Run>) -> bool {
    let (first, last) = (runs.get(&span.blocks.0), runs.get(&span.blocks.1));
    first.zip(last).is_some_and(|(first, last)| span.run.parts == (first.parts.start..last.parts.end))
}

/// What stands for the record in the seal of a run.
struct Sealed {
    record: Hash,
    drafts: Vec<(u32, String)>,
}

impl Sealed {
    fn of(conn: &Connection, record: i64, id: &str) -> Result<Option<Sealed>, StoreError> {
        let mut read =
            conn.prepare_cached("SELECT seal FROM record WHERE record = :record AND id = :id AND line IS NULL")?;
        let params = named_params! {":record": record, ":id": id};
        let Some(seal) = read.query_row(params, |row| rows::hash(row, "seal")).optional()? else { return Ok(None) };
        Ok(Some(Sealed { record: seal, drafts: blocks::drafts(conn, record)? }))
    }

    fn run<'a>(&'a self, no: u32, run: &'a Run, generation: u32) -> SealedRun<'a> {
        SealedRun { no, run, generation, record: self.record, drafts: &self.drafts }
    }
}

/// Records without a line, and those of a compaction that hold drafts: neither is there without a block or span.
fn unclaimed(conn: &Connection, session: i64) -> Result<HashMap<i64, String>, StoreError> {
    let mut read = conn.prepare_cached(
        "SELECT record, id
         FROM record
         WHERE session = :session
           AND (line IS NULL OR EXISTS (SELECT 1 FROM draft WHERE draft.record = record.record))",
    )?;
    let found = read.query_map(named_params! {":session": session}, |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(found.collect::<Result<_, _>>()?)
}
