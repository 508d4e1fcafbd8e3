//! The rows of closed blocks and spans, without what their records hold.

use std::ops::RangeInclusive;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, Row, named_params};

use super::anchors::unknown;
use super::{StoreError, rows};
use crate::record::{Block, ClosedBy, Run, Span, Turned};
use crate::session::Hash;

/// A block with what only the database knows of it.
pub(super) struct KeptRun<T> {
    pub(super) block: T,
    /// The row of its record.
    pub(super) record: i64,
    /// The row of its last part.
    pub(super) last: i64,
    pub(super) seal: Hash,
}

/// A database of a version that did not store why a talk turned has no column for it.
fn block_sql(conn: &Connection) -> Result<String, StoreError> {
    let turned = if conn.column_exists(None, "block", "turned")? { "turned" } else { "NULL" };
    Ok(format!(
        "SELECT no, start, \"end\", first_turn, last_turn, from_id, tokens, originals, generation, record, seal,
                closed_by, cut, last, {turned}
         FROM block"
    ))
}

const SPAN: &str = "
    SELECT no, start, \"end\", first_turn, last_turn, from_id, tokens, originals, generation, record, seal,
           first_block, last_block
    FROM span";

/// Every block with an empty record.
pub(super) fn kept_blocks(conn: &Connection, session: i64) -> Result<Vec<KeptRun<Block>>, StoreError> {
    // A database of a version that knew none has none.
    if !conn.table_exists(None, "block")? {
        return Ok(Vec::new());
    }
    let mut read = conn.prepare_cached(&format!("{} WHERE session = :session ORDER BY no", block_sql(conn)?))?;
    let found = read.query_map(named_params! {":session": session}, block)?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// Every span with an empty record.
pub(super) fn kept_spans(conn: &Connection, session: i64) -> Result<Vec<KeptRun<Span>>, StoreError> {
    if !conn.table_exists(None, "span")? {
        return Ok(Vec::new());
    }
    let mut read = conn.prepare_cached(&format!("{SPAN} WHERE session = :session ORDER BY no"))?;
    let found = read.query_map(named_params! {":session": session}, span)?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// Those of these blocks that are here, with empty records.
pub(super) fn blocks_between(
    conn: &Connection,
    session: i64,
    no: RangeInclusive<u32>,
) -> Result<Vec<KeptRun<Block>>, StoreError> {
    let between = format!("{} WHERE session = :session AND no BETWEEN :first AND :last ORDER BY no", block_sql(conn)?);
    let mut read = conn.prepare_cached(&between)?;
    let found = read.query_map(named_params! {":session": session, ":first": no.start(), ":last": no.end()}, block)?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// The spans over these blocks and no other, with empty records.
pub(super) fn spans_between(
    conn: &Connection,
    session: i64,
    (first, last): (u32, u32),
) -> Result<Vec<KeptRun<Span>>, StoreError> {
    let mut read = conn.prepare_cached(&format!(
        "{SPAN} WHERE session = :session AND first_block >= :first AND last_block <= :last ORDER BY no"
    ))?;
    let found = read.query_map(named_params! {":session": session, ":first": first, ":last": last}, span)?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// The newest one with an empty record; `None` where there is none yet.
pub(super) fn last_span(conn: &Connection, session: i64) -> Result<Option<KeptRun<Span>>, StoreError> {
    let mut read = conn.prepare_cached(&format!("{SPAN} WHERE session = :session ORDER BY no DESC LIMIT 1"))?;
    Ok(read.query_row(named_params! {":session": session}, span).optional()?)
}

/// The newest one with an empty record; `None` where none was closed yet.
pub(super) fn last_block(conn: &Connection, session: i64) -> Result<Option<KeptRun<Block>>, StoreError> {
    if !conn.table_exists(None, "block")? {
        return Ok(None);
    }
    let newest = format!("{} WHERE session = :session ORDER BY no DESC LIMIT 1", block_sql(conn)?);
    let mut read = conn.prepare_cached(&newest)?;
    Ok(read.query_row(named_params! {":session": session}, block).optional()?)
}

fn run(row: &Row) -> rusqlite::Result<Run> {
    Ok(Run {
        parts: row.get::<_, i64>(1)? as u64..row.get::<_, i64>(2)? as u64,
        turns: (row.get(3)?, row.get(4)?),
        from_id: row.get(5)?,
        tokens: row.get::<_, i64>(6)? as u64,
        originals: rows::hash(row, "originals")?,
    })
}

fn block(row: &Row) -> rusqlite::Result<KeptRun<Block>> {
    let (closed_by, cut, turned): (String, String, Option<String>) = (row.get(11)?, row.get(12)?, row.get(14)?);
    let turned = turned.map(|name| Turned::named(&name).ok_or_else(|| unknown("turn of the talk", &name)));
    let block = Block {
        no: row.get(0)?,
        run: run(row)?,
        closed_by: ClosedBy::named(&closed_by).ok_or_else(|| unknown("reason to close", &closed_by))?,
        turned: turned.transpose()?,
        cut: serde_json::from_str(&cut).map_err(|_| unknown("list of calls", &cut))?,
        generation: row.get(8)?,
        record: Arc::default(),
    };
    Ok(KeptRun { block, record: row.get(9)?, last: row.get(13)?, seal: rows::hash(row, "seal")? })
}

fn span(row: &Row) -> rusqlite::Result<KeptRun<Span>> {
    let span = Span {
        no: row.get(0)?,
        blocks: (row.get(11)?, row.get(12)?),
        run: run(row)?,
        generation: row.get(8)?,
        record: Arc::default(),
    };
    Ok(KeptRun { block: span, record: row.get(9)?, last: 0, seal: rows::hash(row, "seal")? })
}
