//! What a session in retention mode still says though its texts went: the words in its records and in its ledger.

use std::collections::HashSet;

use rusqlite::{Connection, Row, named_params};

use super::anchors::unknown;
use super::{Store, StoreError, ledger, rows};
use crate::record::Field;
use crate::session::SessionKey;

/// Words that stay though the text around them went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stays {
    /// What they are.
    pub kind: StaysAs,
    /// `block:3`, `L2`.
    pub by: String,
    /// The words.
    pub words: String,
}

/// What words stay as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StaysAs {
    /// An item of a record.
    Item(Field),
    /// What an item or an entry quotes, where that is not its own words.
    Quote,
    /// An entry of the ledger.
    Entry,
}

impl Store {
    /// The words of a session that stay though their text went, as they stand in its records and its ledger: each once for
    /// who holds it.
    pub fn stays(&self, key: &SessionKey) -> Result<Vec<Stays>, StoreError> {
        let Some(session) = rows::session_row(&self.conn, key)? else { return Ok(Vec::new()) };
        let mut stays = items(&self.conn, session)?;
        stays.extend(quotes(&self.conn, session)?);
        for entry in ledger::entries(&self.conn, session, key)? {
            let by = format!("L{}", entry.no);
            let said = |kind, words| Stays { kind, by: by.clone(), words };
            stays.push(said(StaysAs::Entry, entry.draft.text));
            stays.extend(entry.draft.source.map(|source| said(StaysAs::Quote, source.quote)));
        }
        let mut known = HashSet::new();
        stays.retain(|one| !one.words.is_empty() && known.insert((one.by.clone(), one.words.clone())));
        Ok(stays)
    }
}

/// Items of blocks and spans, and those of a compaction that rest on words which went.
fn items(conn: &Connection, session: i64) -> Result<Vec<Stays>, StoreError> {
    let mut read = conn.prepare_cached(
        "SELECT record.id, field, item.text, label, value, unit, args, claim, evidence
         FROM record JOIN item USING (record)
         WHERE record.session = :session
           AND (record.line IS NULL
                OR EXISTS (SELECT 1
                           FROM item_source JOIN part USING (part)
                           WHERE item_source.record = item.record
                             AND item_source.ordinal = item.ordinal
                             AND length > 0
                             AND part NOT IN (SELECT part FROM part_text)))
         ORDER BY record, ordinal",
    )?;
    let found = read.query_map(named_params! {":session": session}, |row| {
        let field: String = row.get(1)?;
        let field = Field::named(&field).ok_or_else(|| unknown("field", &field))?;
        Ok(Stays { kind: StaysAs::Item(field), by: row.get(0)?, words: whole(row)? })
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// The text of an item, and behind it what else it says.
fn whole(row: &Row) -> rusqlite::Result<String> {
    let mut words: String = row.get(2)?;
    for column in 3..9 {
        let more: Option<String> = row.get(column)?;
        if let Some(more) = more.filter(|more| !words.contains(more.as_str())) {
            words.push_str(" · ");
            words.push_str(&more);
        }
    }
    Ok(words)
}

fn quotes(conn: &Connection, session: i64) -> Result<Vec<Stays>, StoreError> {
    let mut read = conn.prepare_cached(
        "SELECT DISTINCT record.id, quote
         FROM record JOIN item_source USING (record) JOIN part USING (part)
         WHERE record.session = :session
           AND quote <> ''
           AND length > 0
           AND part NOT IN (SELECT part FROM part_text)
         ORDER BY record, ordinal, nth",
    )?;
    let found = read.query_map(named_params! {":session": session}, |row| {
        Ok(Stays { kind: StaysAs::Quote, by: row.get(0)?, words: row.get(1)? })
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}
