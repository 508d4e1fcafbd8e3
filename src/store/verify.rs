//! Checks what is stored against itself: chains, seals, raw bytes, and the database under them. Whether quotes still stand
//! where they were taken from is next door. Nothing is mended.

use rusqlite::{Connection, named_params};

use super::interchange::{Given, parse};
use super::rows::{self, session_row};
use super::seal::{self, Fields, Said, Sealed};
use super::{Store, StoreError, ledger, names, quotes, records, sessions};
use crate::record::{LedgerEntry, entry_hash};
use crate::session::{Depth, FileNo, Hash, SessionKey};

/// Something stored that is not what was stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Where: `entry L3`, `part t22.0`, `the database`.
    pub what: String,
    /// What is wrong with it.
    pub why: String,
}

impl Damage {
    pub(super) fn new(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self { what: what.into(), why: why.into() }
    }
}

impl Store {
    /// Checks one session: the chain of its ledger, the quotes in it against the parts that are here, the chain of its
    /// parts with their texts, its lines with their raw bytes and what they say of compactions, its own records, and the
    /// whole database. Empty when all of it holds.
    pub fn verify(&self, key: &SessionKey) -> Result<Vec<Damage>, StoreError> {
        let mut damages = self.integrity()?;
        match self.check_session(key, &mut damages) {
            Ok(()) => {}
            Err(StoreError::Damaged(why) | StoreError::Row(why)) => {
                damages.push(Damage::new(format!("session {key}"), why));
            }
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
            Err(StoreError::Damaged(why) | StoreError::Row(why)) => vec![told(why)],
            Err(other) => return Err(other),
        };
        damages.extend(self.homeless()?);
        if let Some(guard) = self.changed_guard() {
            damages.push(told(format!("its guard {guard} was changed")));
        }
        Ok(damages)
    }

    /// Rows that belong to nothing.
    fn homeless(&self) -> Result<Vec<Damage>, StoreError> {
        let mut check =
            self.conn.prepare("SELECT DISTINCT \"table\", parent FROM pragma_foreign_key_check LIMIT 20")?;
        let found = check.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)));
        let told = |(table, parent)| Damage::new("the database", format!("a row of {table} belongs to no {parent}"));
        match found.and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(StoreError::from) {
            Ok(rows) => Ok(rows.into_iter().map(told).collect()),
            Err(StoreError::Damaged(why) | StoreError::Row(why)) => Ok(vec![Damage::new("the database", why)]),
            Err(other) => Err(other),
        }
    }

    fn check_session(&self, key: &SessionKey, damages: &mut Vec<Damage>) -> Result<(), StoreError> {
        let Some(session) = session_row(&self.conn, key)? else { return Ok(()) };
        let entries = ledger::entries(&self.conn, session, key)?;
        check_entries(&entries, ledger::kept_end(&self.conn, session)?, damages);
        if self.holds(key)? {
            let wrong = quotes::check(&self.conn, session, quotes::of(&entries))?;
            damages.extend(wrong.into_iter().map(|(no, why)| Damage::new(format!("entry L{no}"), why)));
        }
        let start = seal::start(&self.conn, session)?;
        let retention = sessions::in_retention(&self.conn, session)?;
        check_retention(&self.conn, session, retention, damages)?;
        let (chain, parts) = check_parts(&self.conn, session, start, retention, damages)?;
        let lines = check_lines(&self.conn, session, start, retention, damages)?;
        let records = check_records(&self.conn, session, start, damages)?;
        super::kept::check(&self.conn, session, start, damages)?;
        let lacking = super::search::lacking(&self.conn, session)?;
        if lacking > 0 {
            let why = format!("{lacking} parts are not in it (they are put in when something is written next)");
            damages.push(Damage::new("the search index", why));
        }
        if let Some(tally) = sessions::kept(&self.conn, session)? {
            let mut tell = |why| damages.push(Damage::new("the end of the session", why));
            if (tally.chain, tally.parts) != (chain, parts) {
                tell(format!("{} parts were said, {parts} are here", tally.parts));
            }
            if tally.lines != lines {
                tell(format!("{} lines came in, {lines} are here", tally.lines));
            }
            if !sessions::counts_hold(&self.conn, session)? {
                tell("its turns and markers are not as many as were counted".into());
            }
            if tally.records != records {
                tell(format!("{} records were kept, {records} are here", tally.records));
            }
        }
        Ok(())
    }
}

/// What a person chose once: whether texts go, and what is kept of them.
fn check_retention(
    conn: &Connection,
    session: i64,
    retention: bool,
    damages: &mut Vec<Damage>,
) -> Result<(), StoreError> {
    let why = match seal::kept_retention(conn, session)? {
        Some(_) if !retention => "its texts were to go, and it says that they stay",
        Some((quotes, Some(sealed))) if seal::retention(conn, session, &quotes)? != sealed => {
            "what is kept of its texts is not what was chosen"
        }
        None if retention && conn.table_exists(None, "retention")? => "nothing says any more what is kept of its texts",
        Some(_) | None => return Ok(()),
    };
    damages.push(Damage::new("the retention of the session", why));
    Ok(())
}

fn check_entries(entries: &[LedgerEntry], end: Option<(u32, Hash)>, damages: &mut Vec<Damage>) {
    let mut before = (0_u32, Hash::ZERO);
    for entry in entries {
        let mut tell = |why: &str| damages.push(Damage::new(format!("entry L{}", entry.no), why));
        if entry.no != before.0.saturating_add(1) {
            tell("entries before it are missing");
        } else if entry.prev != before.1 {
            tell("it does not follow the entry before it");
        }
        if entry.hash != entry_hash(entry.no, &entry.session, entry.at, &entry.draft, entry.prev) {
            tell("it is not what was entered");
        }
        before = (entry.no, entry.hash);
    }
    let end = end.unwrap_or((0, Hash::ZERO));
    if end != before {
        let why = format!("{} entries were made, the last here is {}", end.0, before.0);
        damages.push(Damage::new("the end of the ledger", why));
    }
}

/// Gives where the chain ends, and how many parts are here.
fn check_parts(
    conn: &Connection,
    session: i64,
    start: Hash,
    retention: bool,
    damages: &mut Vec<Damage>,
) -> Result<(Hash, u64), StoreError> {
    let mut read = conn.prepare_cached(
        "SELECT block, part.kind, speaker, call, tool, ok, part.what, text,
                part.id, part.hash AS hash, chain, role, message, at, raw_hash, part.seq, part.length,
                row_number() OVER (PARTITION BY part.line ORDER BY block) = 1, line.file, line.seq
         FROM part JOIN line USING (line) LEFT JOIN part_text USING (part)
         WHERE part.session = :session
         ORDER BY part.seq",
    )?;
    let mut rows = read.query(named_params! {":session": session})?;
    let (mut chain, mut count) = (start, 0_u64);
    while let Some(row) = rows.next()? {
        let part = rows::part(row)?;
        let id: String = row.get(8)?;
        let mut tell = |why: &str| damages.push(Damage::new(format!("part {id}"), why));
        let text = rows::hash(row, "hash")?;
        let length = row.get::<_, i64>(16)? as u64;
        let gone = retention && part.text.is_empty() && length > 0;
        if !gone && (Hash::of(part.text.as_bytes()), part.text.len() as u64) != (text, length) {
            tell("its text is not what was said");
        }
        if row.get::<_, i64>(15)? as u64 != count {
            tell("parts before it are missing");
        }
        let (role, message): (Option<String>, Option<String>) = (row.get(11)?, row.get(12)?);
        let Some(role) = role.as_deref().and_then(names::role_named) else {
            tell("its line is no message");
            (chain, count) = (rows::hash(row, "chain")?, count + 1);
            continue;
        };
        let first: bool = row.get(17)?;
        let raw = if first { rows::hash(row, "raw_hash")? } else { Hash::ZERO };
        let said = Said {
            file: FileNo(row.get(18)?),
            seq: row.get::<_, i64>(19)? as u64,
            role,
            message: message.as_deref(),
            at: row.get(13)?,
            raw,
        };
        let wanted = Fields::of(&part).chain(chain, &part, &id, (text, length), &said);
        chain = rows::hash(row, "chain")?;
        if chain != wanted {
            tell("it does not follow the part before it, or is not what was said");
        }
        count += 1;
    }
    Ok((chain, count))
}

/// Gives how many lines are here.
fn check_lines(
    conn: &Connection,
    session: i64,
    start: Hash,
    retention: bool,
    damages: &mut Vec<Damage>,
) -> Result<u64, StoreError> {
    let mut count = 0;
    for file in rows::files(conn, session)? {
        if file != FileNo(0) && !rows::is_declared(conn, session, file)? {
            damages.push(Damage::new(format!("file {}", file.0), "nothing says any more whose lines it holds"));
        }
        let (mut next, mut before) = (0, start);
        loop {
            let page = rows::forward(conn, session, file, next, rows::Most::bytes(4 << 20), Depth::Full)?;
            if page.is_empty() {
                break;
            }
            for stored in &page {
                let line = &stored.line;
                let name = match file {
                    FileNo(0) => format!("line {}", line.offset + 1),
                    FileNo(file) => format!("line {} of file {file}", line.offset + 1),
                };
                let mut tell = |why: &str| damages.push(Damage::new(name.clone(), why));
                if line.offset != next {
                    tell("lines before it are missing");
                }
                let kept = KeptLine::of(conn, stored.row)?;
                let said = seal::text_of(&line.body).map(|text| Hash::of(text.as_bytes()));
                let text_gone = retention && !kept.has_text;
                if !text_gone && said != kept.text {
                    tell("its text is not what came in");
                }
                match &kept.raw_now {
                    Some(raw) if Hash::of(raw) != kept.raw => tell("its bytes are not what came in"),
                    Some(raw) if kept.own && !has_its_part(conn, session, stored.row, raw)? => {
                        tell("the part that it brought is not in it any more");
                    }
                    None if !retention => tell("its bytes are not what came in"),
                    Some(_) | None => {}
                }
                let sealed = Sealed {
                    line,
                    seq: line.offset,
                    own: kept.own,
                    raw_length: line.len,
                    raw: kept.raw,
                    text: kept.text,
                };
                if sealed.after(before) != kept.seal {
                    tell("it does not follow the line before it, or does not say what it said");
                }
                (next, before, count) = (line.offset + 1, kept.seal, count + 1);
            }
        }
    }
    Ok(count)
}

/// A line of our own format says which part came with it.
fn has_its_part(conn: &Connection, session: i64, line: i64, raw: &[u8]) -> Result<bool, StoreError> {
    let given = std::str::from_utf8(raw).ok().and_then(|json| parse(json).ok());
    let Some(Given::Part(shape)) = given else { return Ok(true) };
    let mut find = conn
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM part WHERE session = :session AND id = :id AND line = :line)")?;
    Ok(find.query_row(named_params! {":session": session, ":id": shape.id, ":line": line}, |row| row.get(0))?)
}

/// What is stored of a line to check it by.
struct KeptLine {
    own: bool,
    raw: Hash,
    text: Option<Hash>,
    seal: Hash,
    has_text: bool,
    /// The bytes, where they are here.
    raw_now: Option<Vec<u8>>,
}

impl KeptLine {
    fn of(conn: &Connection, line: i64) -> Result<KeptLine, StoreError> {
        let mut read = conn.prepare_cached(
            "SELECT own, raw_hash, text_hash, seal, raw, EXISTS (SELECT 1 FROM line_text WHERE line_text.line = line.line)
             FROM line LEFT JOIN line_raw USING (line)
             WHERE line = :line",
        )?;
        Ok(read.query_row(named_params! {":line": line}, |row| {
            Ok(KeptLine {
                own: row.get(0)?,
                raw: rows::hash(row, "raw_hash")?,
                text: row.get::<_, Option<[u8; 32]>>(2)?.map(Hash),
                seal: rows::hash(row, "seal")?,
                has_text: row.get(5)?,
                raw_now: row.get(4)?,
            })
        })?)
    }
}

/// Gives how many records are here.
fn check_records(conn: &Connection, session: i64, start: Hash, damages: &mut Vec<Damage>) -> Result<u64, StoreError> {
    let mut read =
        conn.prepare_cached("SELECT record, id, line, seal FROM record WHERE session = :session ORDER BY record")?;
    let mut rows = read.query(named_params! {":session": session})?;
    let (mut before, mut count) = (start, 0);
    while let Some(row) = rows.next()? {
        let (record, id, line): (i64, String, Option<i64>) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let seal = rows::hash(row, "seal")?;
        // A version that knew no blocks stored no record without its line.
        let known = line.is_some() || conn.table_exists(None, "block")?;
        if !known || records::resealed(conn, before, record, &id, line)? != seal {
            let why = "it does not follow the record before it, or is not what was kept";
            damages.push(Damage::new(format!("the record of {id}"), why));
        }
        (before, count) = (seal, count + 1);
    }
    Ok(count)
}
