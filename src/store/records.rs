//! Own records: in structured form, compiled or given once, never touched again. What their items are worth is not decided
//! here: each comes out unchecked.

use rusqlite::{Connection, OptionalExtension, Row, named_params};

use super::anchors::unknown;
use super::seal::{self, SealedItem};
use super::{Store, StoreError, names, rows};
use crate::record::{Detail, Field, Item, Record, Verdict};
use crate::session::{FileNo, Hash, MarkerKey, PartSeq, Place, SessionKey, SourceRef, TurnNo};

/// An item that is to be stored, its sources found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NewItem {
    pub(super) field: Field,
    pub(super) text: String,
    pub(super) detail: Detail,
    pub(super) sources: Vec<NewSource>,
}

/// The bytes of a stored part that an item rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NewSource {
    pub(super) part: i64,
    pub(super) part_id: String,
    pub(super) range: (usize, usize),
    pub(super) quote: String,
}

impl Store {
    /// The record that this database keeps of a compaction; `None` where it has only prose, or nothing. Sources carry
    /// place, line, bytes and speaker; the number and id of a turn are the outline's to say, and `turn` is empty.
    pub fn own_record(&self, key: &SessionKey, marker: &MarkerKey) -> Result<Option<Record>, StoreError> {
        let Some(session) = rows::session_row(&self.conn, key)? else { return Ok(None) };
        let Some(line) = marker_line(&self.conn, session, &marker.id)? else { return Ok(None) };
        let summary: Option<String> = self
            .conn
            .prepare_cached("SELECT text FROM line_text WHERE line = :line")?
            .query_row(named_params! {":line": line}, |row| row.get(0))
            .optional()?;
        if Hash::of(summary.unwrap_or_default().as_bytes()) != marker.summary {
            return Ok(None);
        }
        of_line(&self.conn, line)
    }
}

/// The line of a compaction by its marker id: the agent's, or `line:N`.
pub(super) fn marker_line(conn: &Connection, session: i64, id: &str) -> Result<Option<i64>, StoreError> {
    let mut by_id = conn.prepare_cached(
        "SELECT line
         FROM line
         WHERE session = :session AND id = :id AND kind <> 'message' AND kind = 'compaction'",
    )?;
    let found = by_id.query_row(named_params! {":session": session, ":id": id}, |row| row.get(0)).optional()?;
    if found.is_some() {
        return Ok(found);
    }
    let Some(seq) = id.strip_prefix("line:").and_then(|seq| seq.parse::<i64>().ok()) else { return Ok(None) };
    let mut by_place = conn.prepare_cached(
        "SELECT line
         FROM line
         WHERE session = :session AND file = 0 AND seq = :seq AND id IS NULL AND kind = 'compaction'",
    )?;
    Ok(by_place.query_row(named_params! {":session": session, ":seq": seq}, |row| row.get(0)).optional()?)
}

/// The record of a compaction line.
pub(super) fn of_line(conn: &Connection, line: i64) -> Result<Option<Record>, StoreError> {
    let mut find = conn.prepare_cached("SELECT record, id FROM record WHERE line = :line")?;
    let found: Option<(i64, String)> =
        find.query_row(named_params! {":line": line}, |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let Some((record, id)) = found else { return Ok(None) };
    let mut read = conn.prepare_cached("SELECT * FROM item WHERE record = :record ORDER BY ordinal")?;
    let mut rows = read.query(named_params! {":record": record})?;
    let mut items = Vec::new();
    while let Some(row) = rows.next()? {
        let ordinal = row.get("ordinal")?;
        let sources = sources(conn, record, ordinal)?;
        items.push(item(row, &id, ordinal, sources)?);
    }
    Ok(Some(Record { items, summary: String::new(), rules: 0 }))
}

fn item(row: &Row, record: &str, ordinal: u32, sources: Vec<SourceRef>) -> rusqlite::Result<Item> {
    let name: String = row.get("field")?;
    let field = Field::named(&name).ok_or_else(|| unknown("field", &name))?;
    let text = |column: &str| Ok::<_, rusqlite::Error>(row.get::<_, Option<String>>(column)?.unwrap_or_default());
    let detail = match field {
        Field::Entities => Detail::Entity { class: text("class")? },
        Field::Figures => Detail::Figure { label: text("label")?, value: text("value")?, unit: text("unit")? },
        Field::Actions => Detail::Action { tool: text("tool")?, args: text("args")?, ok: row.get("ok")? },
        Field::RuledOut => Detail::RuledOut { claim: text("claim")?, evidence: text("evidence")? },
        Field::Narrative | Field::Constraints | Field::Decisions | Field::Open => Detail::Plain,
    };
    let text: String = row.get("text")?;
    Ok(Item {
        field,
        text,
        range: None,
        detail,
        sources,
        verdict: Verdict::Unchecked,
        why: None,
        better: None,
        own: Some((record.to_owned(), ordinal)),
    })
}

fn sources(conn: &Connection, record: i64, ordinal: u32) -> Result<Vec<SourceRef>, StoreError> {
    let mut read = conn.prepare_cached(
        "SELECT line.id, line.file, line.seq, part.block, part.seq, part.speaker, start, \"end\", quote,
                item_source.hash AS hash
         FROM item_source JOIN part USING (part) JOIN line USING (line)
         WHERE record = :record AND ordinal = :ordinal
         ORDER BY nth",
    )?;
    let found = read.query_map(named_params! {":record": record, ":ordinal": ordinal}, |row| {
        let speaker: String = row.get(5)?;
        let (line_id, offset): (Option<String>, i64) = (row.get(0)?, row.get(2)?);
        Ok(SourceRef {
            turn: TurnNo(Vec::new()),
            turn_id: line_id.clone().unwrap_or_else(|| offset.to_string()),
            line_id,
            place: Place { file: FileNo(row.get(1)?), offset: offset as u64, part: row.get(3)? },
            seq: PartSeq(row.get::<_, i64>(4)? as u64),
            range: (row.get::<_, i64>(6)? as usize, row.get::<_, i64>(7)? as usize),
            quote: row.get(8)?,
            hash: rows::hash(row, "hash")?,
            speaker: names::speaker_named(&speaker).ok_or_else(|| unknown("speaker", &speaker))?,
        })
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// What the seal of a stored record must be after this one.
pub(super) fn resealed(conn: &Connection, before: Hash, record: i64, id: &str, line: i64) -> Result<Hash, StoreError> {
    let Some(read) = of_line(conn, line)? else { return Ok(Hash::ZERO) };
    let mut parts = conn.prepare_cached(
        "SELECT part.id
         FROM item_source JOIN part USING (part)
         WHERE record = :record AND ordinal = :ordinal
         ORDER BY nth",
    )?;
    let mut sealed = Vec::new();
    for item in &read.items {
        let ordinal = item.own.as_ref().map_or(0, |(_, ordinal)| *ordinal);
        let ids = parts.query_map(named_params! {":record": record, ":ordinal": ordinal}, |row| row.get(0))?;
        let ids: Vec<String> = ids.collect::<Result<_, _>>()?;
        let sources = ids.into_iter().zip(&item.sources).map(|(id, source)| (id, source.range, &*source.quote));
        sealed.push(SealedItem {
            field: item.field,
            text: &item.text,
            detail: &item.detail,
            sources: sources.collect(),
        });
    }
    Ok(seal::record(before, id, Some(place(conn, line)?), &sealed))
}

fn place(conn: &Connection, line: i64) -> Result<(FileNo, u64), StoreError> {
    let mut read = conn.prepare_cached("SELECT file, seq FROM line WHERE line = :line")?;
    Ok(read.query_row(named_params! {":line": line}, |row| Ok((FileNo(row.get(0)?), row.get::<_, i64>(1)? as u64)))?)
}

fn last_seal(conn: &Connection, session: i64) -> Result<Hash, StoreError> {
    let mut read = conn.prepare_cached(
        "SELECT seal
         FROM record
         WHERE session = :session
         ORDER BY record DESC
         LIMIT 1",
    )?;
    let last = read.query_row(named_params! {":session": session}, |row| rows::hash(row, "seal"));
    match last.optional()? {
        Some(seal) => Ok(seal),
        None => seal::start(conn, session),
    }
}

/// Stores the record of a compaction line; its id is the marker's.
pub(super) fn insert(tx: &Connection, session: i64, line: i64, id: &str, items: &[NewItem]) -> Result<(), StoreError> {
    let sealed: Vec<SealedItem> = items
        .iter()
        .map(|item| {
            let sources = item.sources.iter().map(|source| (source.part_id.clone(), source.range, &*source.quote));
            SealedItem { field: item.field, text: &item.text, detail: &item.detail, sources: sources.collect() }
        })
        .collect();
    let seal = seal::record(last_seal(tx, session)?, id, Some(place(tx, line)?), &sealed);
    tx.prepare_cached("INSERT INTO record (session, id, line, seal) VALUES (:session, :id, :line, :seal)")?
        .execute(named_params! {":session": session, ":id": id, ":line": line, ":seal": seal.0})?;
    let record = tx.last_insert_rowid();
    let mut add = tx.prepare_cached(
        "INSERT INTO item (record, ordinal, field, text, class, label, value, unit, tool, args, ok, claim, evidence)
         VALUES (:record, :ordinal, :field, :text, :class, :label, :value, :unit, :tool, :args, :ok, :claim, :evidence)",
    )?;
    let mut rest = tx.prepare_cached(
        "INSERT INTO item_source (record, ordinal, nth, part, start, \"end\", quote, hash)
         VALUES (:record, :ordinal, :nth, :part, :start, :end, :quote, :hash)",
    )?;
    for (ordinal, item) in (0_u32..).zip(items) {
        let mut class = None;
        let mut figure = (None, None, None);
        let mut action = (None, None, None);
        let mut ruled_out = (None, None);
        match &item.detail {
            Detail::Plain => {}
            Detail::Entity { class: of } => class = Some(of),
            Detail::Figure { label, value, unit } => figure = (Some(label), Some(value), Some(unit)),
            Detail::Action { tool, args, ok } => action = (Some(tool), Some(args), *ok),
            Detail::RuledOut { claim, evidence } => ruled_out = (Some(claim), Some(evidence)),
        }
        add.execute(named_params! {
            ":record": record, ":ordinal": ordinal, ":field": item.field.name(), ":text": item.text, ":class": class,
            ":label": figure.0, ":value": figure.1, ":unit": figure.2,
            ":tool": action.0, ":args": action.1, ":ok": action.2,
            ":claim": ruled_out.0, ":evidence": ruled_out.1,
        })?;
        for (nth, source) in (0_u32..).zip(&item.sources) {
            rest.execute(named_params! {
                ":record": record, ":ordinal": ordinal, ":nth": nth, ":part": source.part,
                ":start": source.range.0 as i64, ":end": source.range.1 as i64, ":quote": source.quote,
                ":hash": Hash::of(source.quote.as_bytes()).0,
            })?;
        }
    }
    Ok(())
}
