//! Own records: in structured form, compiled or given once, never touched again. What their items are worth is not decided
//! here: each comes out unchecked.

use rusqlite::{Connection, OptionalExtension, Row, named_params, params};

use super::anchors::unknown;
use super::borrowed::{self, Borrowed, ItemAt, SourceAt};
use super::seal::{self, SealedItem, SealedSource};
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
    /// Where it and its sources stand in records before this one; `None`: it is stored with this one.
    pub(super) borrowed: Option<(ItemAt, Vec<SourceAt>)>,
}

/// The bytes of a stored part that an item rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NewSource {
    pub(super) part: i64,
    pub(super) part_id: String,
    pub(super) range: (usize, usize),
    /// Empty where the words may not be kept.
    pub(super) quote: String,
    /// Of the words, kept or not.
    pub(super) hash: Hash,
    /// In the record of a block or span.
    pub(super) seq: Option<u64>,
}

/// An item as it is stored, and where.
pub(super) struct KeptItem {
    pub(super) item: Item,
    /// The row of its words.
    pub(super) at: ItemAt,
    /// Of each source of the item.
    pub(super) sources: Vec<KeptSource>,
}

/// What only the database knows of a source.
#[derive(Clone)]
pub(super) struct KeptSource {
    pub(super) part: i64,
    pub(super) part_id: String,
    pub(super) at: SourceAt,
}

/// What is stored of a record.
pub(super) struct KeptItems {
    pub(super) items: Vec<KeptItem>,
    /// There are sources of items that are not here.
    pub(super) stray: bool,
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

/// What a record is of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Compaction,
    /// A block or a span: it knows the sequences of its parts, and has no line.
    Run,
}

/// The record of a compaction line.
pub(super) fn of_line(conn: &Connection, line: i64) -> Result<Option<Record>, StoreError> {
    let mut find = conn.prepare_cached("SELECT record, id FROM record WHERE line = :line")?;
    let found: Option<(i64, String)> =
        find.query_row(named_params! {":line": line}, |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    found.map(|(record, id)| read(conn, record, &id, Of::Compaction)).transpose()
}

/// A record with its items and their sources.
pub(super) fn read(conn: &Connection, record: i64, id: &str, of: Of) -> Result<Record, StoreError> {
    let items = kept(conn, record, id, of)?.items.into_iter().map(|kept| kept.item).collect();
    Ok(Record { items, summary: String::new(), rules: 0 })
}

/// The items of a record, its own and those that it borrows.
pub(super) fn kept(conn: &Connection, record: i64, id: &str, of: Of) -> Result<KeptItems, StoreError> {
    let mut kept = stored(conn, record, id, of)?;
    if of == Of::Run {
        borrowed::add(conn, record, id, &mut kept.items)?;
    }
    Ok(kept)
}

/// The items that are stored with a record.
pub(super) fn stored(conn: &Connection, record: i64, id: &str, of: Of) -> Result<KeptItems, StoreError> {
    let mut read = conn.prepare_cached(
        "SELECT ordinal, field, text, class, label, value, unit, tool, args, ok, claim, evidence
         FROM item
         WHERE record = :record
         ORDER BY ordinal",
    )?;
    let mut rows = read.query(named_params! {":record": record})?;
    let mut items = Vec::new();
    while let Some(row) = rows.next()? {
        items.push(KeptItem { item: item(row, id)?, at: (record, row.get(0)?), sources: Vec::new() });
    }
    let stray = sources(conn, record, of, &mut items)?;
    Ok(KeptItems { items, stray })
}

/// Whether an item of this field comes out with this detail again.
fn fits(field: Field, detail: &Detail) -> bool {
    match detail {
        Detail::Plain => !matches!(field, Field::Entities | Field::Figures | Field::Actions | Field::RuledOut),
        Detail::Entity { .. } => field == Field::Entities,
        Detail::Figure { .. } => field == Field::Figures,
        Detail::Action { .. } => field == Field::Actions,
        Detail::RuledOut { .. } => field == Field::RuledOut,
    }
}

fn item(row: &Row, record: &str) -> rusqlite::Result<Item> {
    let name = row.get_ref(1)?.as_str()?;
    let field = Field::named(name).ok_or_else(|| unknown("field", name))?;
    let text = |column: usize| Ok::<_, rusqlite::Error>(row.get::<_, Option<String>>(column)?.unwrap_or_default());
    let detail = match field {
        Field::Entities => Detail::Entity { class: text(3)? },
        Field::Figures => Detail::Figure { label: text(4)?, value: text(5)?, unit: text(6)? },
        Field::Actions => Detail::Action { tool: text(7)?, args: text(8)?, ok: row.get(9)? },
        Field::RuledOut => Detail::RuledOut { claim: text(10)?, evidence: text(11)? },
        Field::Narrative | Field::Constraints | Field::Decisions | Field::Open => Detail::Plain,
    };
    Ok(Item {
        field,
        text: row.get(2)?,
        range: None,
        detail,
        sources: Vec::new(),
        verdict: Verdict::Unchecked,
        why: None,
        better: None,
        own: Some((record.to_owned(), row.get(0)?)),
    })
}

/// Reads the sources of all items at once: a record may have hundreds. Whether some are of no item.
fn sources(conn: &Connection, record: i64, of: Of, items: &mut [KeptItem]) -> Result<bool, StoreError> {
    // A database of a version that knew no blocks has no column for a sequence of its own.
    let mut read = conn.prepare_cached(match of {
        Of::Compaction => {
            "SELECT ordinal, line.id, line.file, line.seq, part.block, part.seq, part.speaker, start, \"end\", quote,
                    item_source.hash AS hash, part, part.id, nth
             FROM item_source JOIN part USING (part) JOIN line USING (line)
             WHERE record = :record
             ORDER BY ordinal, nth"
        }
        Of::Run => {
            "SELECT ordinal, line.id, line.file, line.seq, part.block, ifnull(item_source.seq, part.seq), part.speaker,
                    start, \"end\", quote, item_source.hash AS hash, part, part.id, nth
             FROM item_source JOIN part USING (part) JOIN line USING (line)
             WHERE record = :record
             ORDER BY ordinal, nth"
        }
    })?;
    let mut rows = read.query(named_params! {":record": record})?;
    let (mut at, mut stray) = (0, false);
    while let Some(row) = rows.next()? {
        let ordinal: u32 = row.get(0)?;
        while items.get(at).is_some_and(|kept| kept.at.1 < ordinal) {
            at += 1;
        }
        let Some(kept) = items.get_mut(at).filter(|kept| kept.at.1 == ordinal) else {
            stray = true;
            continue;
        };
        kept.item.sources.push(source(row)?);
        let at = (record, ordinal, row.get(13)?);
        kept.sources.push(KeptSource { part: row.get(11)?, part_id: row.get(12)?, at });
    }
    Ok(stray)
}

fn source(row: &Row) -> rusqlite::Result<SourceRef> {
    let speaker = row.get_ref(6)?.as_str()?;
    let (line_id, offset): (Option<String>, i64) = (row.get(1)?, row.get(3)?);
    Ok(SourceRef {
        turn: TurnNo(Vec::new()),
        turn_id: line_id.clone().unwrap_or_else(|| offset.to_string()),
        line_id,
        place: Place { file: FileNo(row.get(2)?), offset: offset as u64, part: row.get(4)? },
        seq: PartSeq(row.get::<_, i64>(5)? as u64),
        range: (row.get::<_, i64>(7)? as usize, row.get::<_, i64>(8)? as usize),
        quote: row.get(9)?,
        hash: rows::hash(row, "hash")?,
        speaker: names::speaker_named(speaker).ok_or_else(|| unknown("speaker", speaker))?,
    })
}

/// What the seal of a stored record must be after this one.
pub(super) fn resealed(
    conn: &Connection,
    before: Hash,
    record: i64,
    id: &str,
    line: Option<i64>,
) -> Result<Hash, StoreError> {
    let of = if line.is_some() { Of::Compaction } else { Of::Run };
    let kept = kept(conn, record, id, of)?;
    let sealed: Vec<SealedItem> = kept
        .items
        .iter()
        .map(|KeptItem { item, sources, .. }| {
            let sources = item.sources.iter().zip(sources).map(|(source, place)| SealedSource {
                part: &place.part_id,
                range: source.range,
                quote: &source.quote,
                hash: source.hash,
                seq: (of == Of::Run).then_some(source.seq.0),
            });
            SealedItem { field: item.field, text: &item.text, detail: &item.detail, sources: sources.collect() }
        })
        .collect();
    // The words of a source are kept beside its hash; one of them alone may not be changed.
    let whole = sealed
        .iter()
        .flat_map(|item| &item.sources)
        .all(|source| source.quote.is_empty() && of == Of::Run || Hash::of(source.quote.as_bytes()) == source.hash);
    if !whole || kept.stray {
        return Ok(Hash::ZERO);
    }
    Ok(seal::record(before, id, line.map(|line| place(conn, line)).transpose()?, &sealed))
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

/// Stores the record of a compaction line, whose id is the marker's, or of a block or span, which has none. Gives its row
/// and its seal.
pub(super) fn insert(
    tx: &Connection,
    session: i64,
    line: Option<i64>,
    id: &str,
    items: &[NewItem],
) -> Result<(i64, Hash), StoreError> {
    if let Some(item) = items.iter().find(|item| !fits(item.field, &item.detail)) {
        let why = format!("“{}” holds what no item of the field {} holds", item.text, item.field.name());
        return Err(StoreError::Unfit { what: id.to_owned(), why });
    }
    let sealed: Vec<SealedItem> = items
        .iter()
        .map(|item| {
            let sources = item.sources.iter().map(|source| SealedSource {
                part: &source.part_id,
                range: source.range,
                quote: &source.quote,
                hash: source.hash,
                seq: source.seq,
            });
            SealedItem { field: item.field, text: &item.text, detail: &item.detail, sources: sources.collect() }
        })
        .collect();
    let place = line.map(|line| place(tx, line)).transpose()?;
    let seal = seal::record(last_seal(tx, session)?, id, place, &sealed);
    tx.prepare_cached("INSERT INTO record (session, id, line, seal) VALUES (:session, :id, :line, :seal)")?
        .execute(named_params! {":session": session, ":id": id, ":line": line, ":seal": seal.0})?;
    let record = tx.last_insert_rowid();
    let mut add = tx.prepare_cached(
        "INSERT INTO item (record, ordinal, field, text, class, label, value, unit, tool, args, ok, claim, evidence)
         VALUES (:record, :ordinal, :field, :text, :class, :label, :value, :unit, :tool, :args, :ok, :claim, :evidence)",
    )?;
    let mut rest = tx.prepare_cached(
        "INSERT INTO item_source (record, ordinal, nth, part, start, \"end\", quote, hash, seq)
         VALUES (:record, :ordinal, :nth, :part, :start, :end, :quote, :hash, :seq)",
    )?;
    let mut borrows = Vec::new();
    for (ordinal, item) in (0_u32..).zip(items) {
        if let Some((at, sources)) = &item.borrowed {
            borrows.push(Borrowed(ordinal, *at, sources.clone()));
            continue;
        }
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
        // In the order of the columns: to look up so many names costs more than to write the row.
        let ((label, value, unit), (tool, args, ok), (claim, evidence)) = (figure, action, ruled_out);
        let (field, text) = (item.field.name(), &item.text);
        add.execute(
            params![record, ordinal, field, text, class, label, value, unit, tool, args, ok, claim, evidence,],
        )?;
        for (nth, source) in (0_u32..).zip(&item.sources) {
            let NewSource { part, range: (start, end), quote, hash, seq, .. } = source;
            let (start, end, seq) = (*start as i64, *end as i64, seq.map(rows::int));
            rest.execute(params![record, ordinal, nth, part, start, end, quote, hash.0, seq])?;
        }
    }
    borrowed::insert(tx, record, &borrows)?;
    Ok((record, seal))
}
