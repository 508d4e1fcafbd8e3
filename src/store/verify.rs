//! Checks what is stored against itself: chains, quotes, raw bytes, and the database under them. Nothing is mended.

use rusqlite::{Connection, OptionalExtension, named_params};

use super::pen::{Fields, Said};
use super::rows::{self, session_row};
use super::{Store, StoreError, ledger, names, sessions};
use crate::record::{LedgerEntry, Quote, entry_hash};
use crate::session::{Hash, SessionKey};

/// Something stored that is not what was stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Where: `entry L3`, `part t22.0`, `the database`.
    pub what: String,
    /// What is wrong with it.
    pub why: String,
}

impl Damage {
    fn new(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self { what: what.into(), why: why.into() }
    }
}

impl Store {
    /// Checks one session: the chain of its ledger, the quotes in it against the parts that are here, the chain of its
    /// parts with their texts and raw lines, and the whole database. Empty when all of it holds.
    pub fn verify(&self, key: &SessionKey) -> Result<Vec<Damage>, StoreError> {
        let mut damages = self.integrity()?;
        match self.check_session(key, &mut damages) {
            Ok(()) => {}
            Err(StoreError::Damaged(why)) => damages.push(Damage::new(format!("session {key}"), why)),
            Err(other) => return Err(other),
        }
        Ok(damages)
    }

    /// SQLite's own check of every page, index and constraint.
    pub fn integrity(&self) -> Result<Vec<Damage>, StoreError> {
        let told = |why: String| Damage::new("the database", why);
        let checked = (|| {
            let mut check = self.conn.prepare("PRAGMA integrity_check(20)")?;
            check.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()
        })();
        let mut damages: Vec<Damage> = match checked.map_err(StoreError::from) {
            Ok(lines) => lines.into_iter().filter(|line| line != "ok").map(told).collect(),
            Err(StoreError::Damaged(why)) => vec![told(why)],
            Err(other) => return Err(other),
        };
        if let Some(guard) = self.changed_guard() {
            damages.push(told(format!("its guard {guard} was changed")));
        }
        Ok(damages)
    }

    fn check_session(&self, key: &SessionKey, damages: &mut Vec<Damage>) -> Result<(), StoreError> {
        let Some(session) = session_row(&self.conn, key)? else { return Ok(()) };
        let entries = ledger::entries(&self.conn, session, key)?;
        check_entries(&entries, damages);
        let held = sessions::tally(&self.conn, session)?.is_some_and(|tally| tally.lines > 0);
        if held {
            for entry in &entries {
                if let Some(why) =
                    entry.draft.source.as_ref().map(|quote| self.check_quote(session, quote)).transpose()?
                {
                    damages.extend(why.map(|why| Damage::new(format!("entry L{}", entry.no), why)));
                }
            }
        }
        check_parts(&self.conn, session, damages)?;
        check_raw(&self.conn, session, damages)
    }

    /// Why a quote is not in the part that it names; `None` when it is.
    fn check_quote(&self, session: i64, quote: &Quote) -> Result<Option<String>, StoreError> {
        if Hash::of(quote.quote.as_bytes()) != quote.hash {
            return Ok(Some("its quote is not what was quoted".into()));
        }
        let mut read = self.conn.prepare_cached(
            "SELECT text
             FROM line JOIN part USING (line) LEFT JOIN part_text USING (part)
             WHERE line.session = :session AND part.block = :block AND line.kind = 'message'
               AND (line.id = :id OR (:id IS NULL AND line.id IS NULL AND line.seq = CAST(:turn AS INTEGER)))",
        )?;
        let texts = read
            .query_map(
                named_params! {":session": session, ":block": quote.part, ":id": quote.line_id,
                ":turn": quote.turn_id},
                |row| row.get::<_, Option<String>>(0),
            )?
            .collect::<Result<Vec<_>, _>>()?;
        let (start, end) = quote.range;
        let found = texts
            .iter()
            .any(|text| text.as_deref().unwrap_or_default().get(start..end).is_some_and(|words| words == quote.quote));
        Ok(match (found, texts.is_empty()) {
            (true, _) => None,
            (false, true) => Some(format!("the turn {} that it quotes is not here", quote.turn_id)),
            (false, false) => Some(format!("its quote is not in turn {} where it says", quote.turn_id)),
        })
    }
}

fn check_entries(entries: &[LedgerEntry], damages: &mut Vec<Damage>) {
    let mut before = (0, Hash::ZERO);
    for entry in entries {
        let mut tell = |why: &str| damages.push(Damage::new(format!("entry L{}", entry.no), why));
        if entry.no != before.0 + 1 {
            tell("entries before it are missing");
        } else if entry.prev != before.1 {
            tell("it does not follow the entry before it");
        }
        if entry.hash != entry_hash(entry.no, &entry.session, entry.at, &entry.draft, entry.prev) {
            tell("it is not what was entered");
        }
        before = (entry.no, entry.hash);
    }
}

fn check_parts(conn: &Connection, session: i64, damages: &mut Vec<Damage>) -> Result<(), StoreError> {
    let retention: Option<bool> = conn
        .query_row(
            "SELECT mode = 'retention' FROM session WHERE session = :session",
            named_params! {":session": session},
            |row| row.get(0),
        )
        .optional()?;
    let mut read = conn.prepare_cached(
        "SELECT block, part.kind, speaker, call, tool, ok, part.what, text,
                part.id, part.hash AS hash, chain, role, message, at, raw_hash, part.seq, part.length,
                row_number() OVER (PARTITION BY part.line ORDER BY block) = 1
         FROM part JOIN line USING (line) LEFT JOIN part_text USING (part)
         WHERE part.session = :session
         ORDER BY part.seq",
    )?;
    let mut rows = read.query(named_params! {":session": session})?;
    let (mut chain, mut count) = (Hash::ZERO, 0_i64);
    while let Some(row) = rows.next()? {
        let part = rows::part(row)?;
        let id: String = row.get(8)?;
        let mut tell = |why: &str| damages.push(Damage::new(format!("part {id}"), why));
        let text = rows::hash(row, "hash")?;
        let gone = retention == Some(true) && part.text.is_empty() && row.get::<_, i64>(16)? > 0;
        if !gone && Hash::of(part.text.as_bytes()) != text {
            tell("its text is not what was said");
        }
        if row.get::<_, i64>(15)? != count {
            tell("parts before it are missing");
        }
        let (role, message): (Option<String>, Option<String>) = (row.get(11)?, row.get(12)?);
        let Some(role) = role.as_deref().and_then(names::role_named) else {
            tell("its line is no message");
            continue;
        };
        let first: bool = row.get(17)?;
        let raw = if first { rows::hash(row, "raw_hash")? } else { Hash::ZERO };
        let said = Said { role, message: message.as_deref(), at: row.get(13)?, raw };
        let wanted = Fields::of(&part).chain(chain, &part, &id, text, &said);
        chain = rows::hash(row, "chain")?;
        if chain != wanted {
            tell("it does not follow the part before it, or is not what was said");
        }
        count += 1;
    }
    if let Some(tally) = sessions::tally(conn, session)?
        && (tally.chain, tally.parts as i64) != (chain, count)
    {
        damages
            .push(Damage::new("the end of the session", format!("{} parts were said, {count} are here", tally.parts)));
    }
    Ok(())
}

fn check_raw(conn: &Connection, session: i64, damages: &mut Vec<Damage>) -> Result<(), StoreError> {
    let mut read = conn.prepare_cached(
        "SELECT file, seq, raw_hash, raw, mode = 'retention'
         FROM line JOIN session USING (session) LEFT JOIN line_raw USING (line)
         WHERE session = :session
         ORDER BY file, seq",
    )?;
    let mut rows = read.query(named_params! {":session": session})?;
    while let Some(row) = rows.next()? {
        let (raw, retention): (Option<Vec<u8>>, bool) = (row.get(3)?, row.get(4)?);
        let holds = match raw {
            Some(raw) => Hash::of(&raw) == rows::hash(row, "raw_hash")?,
            None => retention,
        };
        if !holds {
            let line = row.get::<_, i64>(1)? + 1;
            damages.push(Damage::new(format!("line {line}"), "its bytes are not what came in"));
        }
    }
    Ok(())
}
