//! The ledger of a session: entered one by one, read in one go, copied from one database to another.

use std::collections::HashMap;

use std::collections::HashSet;

use rusqlite::{Connection, OptionalExtension, Row, named_params};

use super::anchors::{self, unknown};
use super::pen::session_for;
use super::{Store, StoreError, alarms, names, reviews, rows};
use crate::record::{Act, Draft, EntryKind, LedgerEntry, Outcome, Quote, Via, entry_hash};
use crate::session::{Hash, SessionKey};

impl Store {
    /// The entries of a session in their order; none where nothing was entered.
    pub fn ledger(&self, key: &SessionKey) -> Result<Vec<LedgerEntry>, StoreError> {
        match rows::session_row(&self.conn, key)? {
            Some(session) => entries(&self.conn, session, key),
            None => Ok(Vec::new()),
        }
    }

    /// Enters a draft. When this returns, it is on the disk.
    pub fn enter(&mut self, key: &SessionKey, draft: Draft, at_ms: i64) -> Result<LedgerEntry, StoreError> {
        let entry = self.write(|tx| {
            let session = session_for(tx, key, Some(at_ms))?;
            append(tx, session, key, draft, at_ms)
        })?;
        self.wrote(1);
        Ok(entry)
    }

    /// Takes the entries, review marks and wrong alarms of the same session from another database: own numbers, the origin's hash
    /// kept. Those that came before are not taken twice. Gives how many entries are new.
    pub fn copy_ledger(&mut self, from: &Store, key: &SessionKey) -> Result<usize, StoreError> {
        let Some(there) = rows::session_row(&from.conn, key)? else { return Ok(0) };
        let theirs = entries(&from.conn, there, key)?;
        check_chain(&theirs)?;
        let marks = reviews::marks(&from.conn, there)?;
        let said = alarms::said(&from.conn, there, key)?;
        if theirs.is_empty() && marks.is_empty() && said.is_empty() {
            return Ok(0);
        }
        let new = self.write(|tx| {
            let session = session_for(tx, key, None)?;
            let known = reviews::marks(tx, session)?;
            for mark in marks.iter().filter(|mark| !known.contains(mark)) {
                mark.insert(tx, session)?;
            }
            let known = alarms::said(tx, session, key)?;
            for one in said.iter().filter(|one| !known.contains(one)) {
                one.insert(tx, session)?;
            }
            take(tx, key, &theirs)
        })?;
        self.wrote(new + marks.len() + said.len());
        Ok(new)
    }

    /// The number and the hash of a session's last entry: cheap to ask, and different after anything was entered.
    pub fn ledger_head(&self, key: &SessionKey) -> Result<Option<(u32, Hash)>, StoreError> {
        match rows::session_row(&self.conn, key)? {
            Some(session) => last(&self.conn, session),
            None => Ok(None),
        }
    }

    /// Takes entries of another ledger of this session, whose chain must hold. See [`Store::copy_ledger`].
    pub fn take_entries(&mut self, key: &SessionKey, theirs: &[LedgerEntry]) -> Result<usize, StoreError> {
        check_chain(theirs)?;
        if theirs.is_empty() {
            return Ok(0);
        }
        let new = self.write(|tx| take(tx, key, theirs))?;
        self.wrote(new);
        Ok(new)
    }
}

/// Copies entries within a transaction. Where nothing was entered yet, a whole chain of this very session is kept as
/// it is, with its numbers and hashes.
pub(super) fn take(tx: &Connection, key: &SessionKey, theirs: &[LedgerEntry]) -> Result<usize, StoreError> {
    let Some(first) = theirs.first() else { return Ok(0) };
    let session = session_for(tx, key, Some(first.at))?;
    let ours = entries(tx, session, key)?;
    let mut own: HashMap<Hash, Hash> = HashMap::new();
    for entry in &ours {
        own.insert(entry.hash, entry.hash);
        if let Some(origin) = entry.draft.origin {
            own.insert(origin, entry.hash);
        }
    }
    let mut new = 0;
    for entry in theirs {
        let origin = entry.draft.origin.unwrap_or(entry.hash);
        if let Some(hash) = own.get(&origin).or_else(|| own.get(&entry.hash)).copied() {
            own.insert(entry.hash, hash);
            continue;
        }
        let mut draft = entry.draft.clone();
        draft.target = draft.target.map(|target| own.get(&target).copied().unwrap_or(target));
        draft.origin = Some(origin);
        let taken = append(tx, session, key, draft, entry.at)?;
        own.insert(origin, taken.hash);
        own.insert(entry.hash, taken.hash);
        new += 1;
    }
    Ok(new)
}

/// Puts a whole ledger back as it was, when this session has none yet. `false` where it has one.
pub(super) fn restore(tx: &Connection, key: &SessionKey, entries: &[LedgerEntry]) -> Result<bool, StoreError> {
    let Some(first) = entries.first() else { return Ok(true) };
    let session = session_for(tx, key, Some(first.at))?;
    if last(tx, session)?.is_some() || first.no != 1 || first.prev != Hash::ZERO {
        return Ok(false);
    }
    if entries.iter().any(|entry| entry.session != *key) {
        return Ok(false);
    }
    for entry in entries {
        insert(tx, session, entry)?;
    }
    Ok(true)
}

/// Whether each entry's hash is over what it says, and follows the one before it.
pub fn check_chain(entries: &[LedgerEntry]) -> Result<(), StoreError> {
    let broken = |entry: &LedgerEntry, why: &str| Err(StoreError::Chain { no: entry.no, why: why.to_owned() });
    let mut before: Option<&LedgerEntry> = None;
    for entry in entries {
        let (no, prev) = before.map_or((1, Hash::ZERO), |before| (before.no.saturating_add(1), before.hash));
        if entry.no != no {
            return broken(entry, "entries before it are missing");
        }
        if entry.prev != prev {
            return broken(entry, "it does not follow the entry before it");
        }
        if entry.hash != entry_hash(entry.no, &entry.session, entry.at, &entry.draft, entry.prev) {
            return broken(entry, "its text is not what was entered");
        }
        before = Some(entry);
    }
    Ok(())
}

/// Adds an entry after the last one.
pub(super) fn append(
    tx: &Connection,
    session: i64,
    key: &SessionKey,
    draft: Draft,
    at: i64,
) -> Result<LedgerEntry, StoreError> {
    let (before, prev) = last(tx, session)?.unwrap_or((0, Hash::ZERO));
    let no = before.checked_add(1).ok_or_else(|| StoreError::Damaged(format!("the ledger ends in L{before}")))?;
    let hash = entry_hash(no, key, at, &draft, prev);
    let entry = LedgerEntry { no, session: key.clone(), at, draft, prev, hash };
    insert(tx, session, &entry)?;
    Ok(entry)
}

/// The number and the hash of the last entry.
pub(super) fn last(tx: &Connection, session: i64) -> Result<Option<(u32, Hash)>, StoreError> {
    let mut read = tx.prepare_cached(
        "SELECT no, hash
         FROM ledger
         WHERE session = :session
         ORDER BY no DESC
         LIMIT 1",
    )?;
    let row = read.query_row(named_params! {":session": session}, |row| Ok((row.get(0)?, rows::hash(row, "hash")?)));
    Ok(row.optional()?)
}

fn insert(tx: &Connection, session: i64, entry: &LedgerEntry) -> Result<(), StoreError> {
    let LedgerEntry { draft, .. } = entry;
    let anchor = anchors::values(draft.corrects.as_ref());
    let source = draft.source.as_ref();
    let mut add = tx.prepare_cached(&format!(
        "INSERT INTO ledger (session, no, at, kind, act, outcome, text, via, author, reason, proposed, target, origin,
                             {},
                             source_turn, source_turn_id, source_line_id, source_part, source_start, source_end,
                             source_quote, source_hash, source_speaker, prev, hash)
         VALUES (:session, :no, :at, :kind, :act, :outcome, :text, :via, :author, :reason, :proposed, :target, :origin,
                 {},
                 :source_turn, :source_turn_id, :source_line_id, :source_part, :source_start, :source_end,
                 :source_quote, :source_hash, :source_speaker, :prev, :hash)",
        anchors::COLUMNS,
        anchors::PARAMETERS,
    ))?;
    add.execute(named_params! {
        ":session": session, ":no": entry.no, ":at": entry.at, ":kind": draft.kind.name(), ":act": draft.act.name(),
        ":outcome": draft.outcome.map(Outcome::name), ":text": draft.text, ":via": draft.via.name(),
        ":author": draft.author, ":reason": draft.reason, ":proposed": draft.proposed,
        ":target": draft.target.map(|hash| hash.0), ":origin": draft.origin.map(|hash| hash.0),
        ":anchor_agent": anchor.agent, ":anchor_session": anchor.session, ":anchor_sub": anchor.sub, ":anchor_marker": anchor.marker,
        ":anchor_summary": anchor.summary, ":anchor_field": anchor.field, ":anchor_text": anchor.text, ":anchor_hash": anchor.hash,
        ":anchor_start": anchor.start, ":anchor_end": anchor.end, ":anchor_record": anchor.record,
        ":anchor_ordinal": anchor.ordinal,
        ":source_turn": source.map(|quote| &quote.turn), ":source_turn_id": source.map(|quote| &quote.turn_id),
        ":source_line_id": source.and_then(|quote| quote.line_id.as_ref()),
        ":source_part": source.map(|quote| quote.part), ":source_start": source.map(|quote| quote.range.0 as i64),
        ":source_end": source.map(|quote| quote.range.1 as i64), ":source_quote": source.map(|quote| &quote.quote),
        ":source_hash": source.map(|quote| quote.hash.0),
        ":source_speaker": source.map(|quote| names::speaker(quote.speaker)),
        ":prev": entry.prev.0, ":hash": entry.hash.0,
    })?;
    let mut end = tx.prepare_cached(if entry.no == 1 {
        "INSERT INTO ledger_end (session, no, hash)
         VALUES (:session, :no, :hash)"
    } else {
        "UPDATE ledger_end
         SET no = :no, hash = :hash
         WHERE session = :session"
    })?;
    end.execute(named_params! {":session": session, ":no": entry.no, ":hash": entry.hash.0})?;
    Ok(())
}

/// Where the ledger ended when the last entry was made.
pub(super) fn kept_end(conn: &Connection, session: i64) -> Result<Option<(u32, Hash)>, StoreError> {
    let mut read = conn.prepare_cached("SELECT no, hash FROM ledger_end WHERE session = :session")?;
    let row = read.query_row(named_params! {":session": session}, |row| Ok((row.get(0)?, rows::hash(row, "hash")?)));
    Ok(row.optional()?)
}

/// The words that the entries of a session hold and quote.
pub(super) fn quoted(conn: &Connection, session: i64) -> Result<HashSet<String>, StoreError> {
    let mut read = conn.prepare_cached(
        "SELECT text FROM ledger WHERE session = :session
         UNION
         SELECT source_quote FROM ledger WHERE session = :session AND source_quote IS NOT NULL",
    )?;
    let found = read.query_map(named_params! {":session": session}, |row| row.get(0))?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// The entries of a session, by one range of one b-tree.
pub(super) fn entries(conn: &Connection, session: i64, key: &SessionKey) -> Result<Vec<LedgerEntry>, StoreError> {
    let mut read = conn.prepare_cached("SELECT * FROM ledger WHERE session = :session ORDER BY no")?;
    let rows = read.query_map(named_params! {":session": session}, |row| entry(row, key))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn entry(row: &Row, key: &SessionKey) -> rusqlite::Result<LedgerEntry> {
    let word = |column: &str| row.get::<_, String>(column);
    let optional = |column: &str| Ok::<_, rusqlite::Error>(row.get::<_, Option<[u8; 32]>>(column)?.map(Hash));
    let (kind, act, via) = (word("kind")?, word("act")?, word("via")?);
    let outcome: Option<String> = row.get("outcome")?;
    let draft = Draft {
        kind: EntryKind::named(&kind).ok_or_else(|| unknown("kind", &kind))?,
        act: Act::named(&act).ok_or_else(|| unknown("act", &act))?,
        outcome: match outcome {
            Some(word) => Some(Outcome::named(&word).ok_or_else(|| unknown("outcome", &word))?),
            None => None,
        },
        text: row.get("text")?,
        corrects: anchors::read(row)?,
        target: optional("target")?,
        source: quote(row)?,
        via: Via::named(&via).ok_or_else(|| unknown("via", &via))?,
        author: row.get("author")?,
        reason: row.get("reason")?,
        proposed: row.get("proposed")?,
        origin: optional("origin")?,
    };
    Ok(LedgerEntry {
        no: row.get("no")?,
        session: key.clone(),
        at: row.get("at")?,
        draft,
        prev: rows::hash(row, "prev")?,
        hash: rows::hash(row, "hash")?,
    })
}

fn quote(row: &Row) -> rusqlite::Result<Option<Quote>> {
    let Some(quote) = row.get::<_, Option<String>>("source_quote")? else { return Ok(None) };
    let speaker: String = row.get("source_speaker")?;
    Ok(Some(Quote {
        turn: row.get("source_turn")?,
        turn_id: row.get("source_turn_id")?,
        line_id: row.get("source_line_id")?,
        part: row.get("source_part")?,
        range: (row.get::<_, i64>("source_start")? as usize, row.get::<_, i64>("source_end")? as usize),
        quote,
        hash: rows::hash(row, "source_hash")?,
        speaker: names::speaker_named(&speaker).ok_or_else(|| unknown("speaker", &speaker))?,
    }))
}
