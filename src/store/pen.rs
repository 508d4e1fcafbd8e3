//! Writes lines and parts of one session within one transaction, and carries their chains on.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, named_params, params};

use super::rows::int;
use super::seal::{self, Fields, Said, Sealed};
use super::sessions::{self, Tally};
use super::{StoreError, names, rows};
use crate::session::{Body, Boundary, FileNo, FirstKept, Hash, Line, Part, SessionKey};

/// Holds the end of a session while lines are added to it.
pub(super) struct Pen<'c> {
    pub(super) conn: &'c Connection,
    pub(super) session: i64,
    pub(super) tally: Tally,
    /// The next sequence of each file, and the seal of its last line.
    ends: HashMap<u16, (u64, Hash)>,
    pub(super) written: usize,
    /// The next part's text went before it came: its hash and its length.
    pub(super) gone: Option<(Hash, u64)>,
    /// Its texts may go: they stand in no index.
    forgetful: bool,
    /// The first part whose text is not in the search index yet.
    unindexed: Option<i64>,
}

/// Whose format the raw line is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Raw {
    Foreign,
    /// A line of the interchange format.
    Own,
}

impl<'c> Pen<'c> {
    /// Makes the session where there is none.
    pub(super) fn on(conn: &'c Connection, key: &SessionKey, created: Option<i64>) -> Result<Self, StoreError> {
        let session = session_for(conn, key, created)?;
        let (tally, forgetful) = (sessions::tally(conn, session)?, sessions::in_retention(conn, session)?);
        Ok(Self { conn, session, tally, ends: HashMap::new(), written: 0, gone: None, forgetful, unindexed: None })
    }

    /// How many lines a file has by now.
    pub(super) fn size(&mut self, file: FileNo) -> Result<u64, StoreError> {
        Ok(self.end(file)?.0)
    }

    fn end(&mut self, file: FileNo) -> Result<(u64, Hash), StoreError> {
        if let Some(end) = self.ends.get(&file.0) {
            return Ok(*end);
        }
        let mut read = self.conn.prepare_cached(
            "SELECT seq, seal
             FROM line
             WHERE session = :session AND file = :file
             ORDER BY seq DESC
             LIMIT 1",
        )?;
        let last = read.query_row(named_params! {":session": self.session, ":file": file.0}, |row| {
            Ok((row.get::<_, i64>(0)?, rows::hash(row, "seal")?))
        });
        let end = match last.optional()? {
            Some((last, seal)) => (rows::next(last)?, seal),
            None => (0, seal::start(self.conn, self.session)?),
        };
        self.ends.insert(file.0, end);
        Ok(end)
    }

    /// Adds a line at the end of its file, whatever its offset says. `ids` names its parts; without a name a part is
    /// called after its line and block.
    pub(super) fn line(&mut self, line: &Line, raw: &[u8], whose: Raw, ids: &[String]) -> Result<i64, StoreError> {
        let (seq, before) = self.end(line.file)?;
        let (role, message, usage) = match &line.body {
            Body::Message { role, message, usage, .. } => (Some(*role), message.as_deref(), *usage),
            Body::Compaction { .. } | Body::Summary(_) | Body::Note(_) | Body::Noise { .. } | Body::Unread { .. } => {
                (None, None, None)
            }
        };
        let (what, title) = match &line.body {
            Body::Noise { what, title, .. } => (Some(what.as_str()), title.as_deref()),
            Body::Unread { why } => (Some(why.as_str()), None),
            Body::Message { .. } | Body::Compaction { .. } | Body::Summary(_) | Body::Note(_) => (None, None),
        };
        let raw_hash = Hash::of(raw);
        let text_hash = seal::text_of(&line.body).map(|text| Hash::of(text.as_bytes()));
        let (own, raw_length) = (whose == Raw::Own, raw.len() as u64);
        let sealed = Sealed { line, seq, own, raw_length, raw: raw_hash, text: text_hash };
        let seal = sealed.after(before);
        self.conn
            .prepare_cached(
                "INSERT INTO line (session, file, seq, id, parent, logical_parent, at, sidechain, started_agent, lossy,
                                   kind, role, message, usage_input, usage_output, what, title,
                                   own, raw_length, raw_hash, text_hash, seal)
                 VALUES (:session, :file, :seq, :id, :parent, :logical_parent, :at, :sidechain, :started_agent, :lossy,
                         :kind, :role, :message, :usage_input, :usage_output, :what, :title,
                         :own, :raw_length, :raw_hash, :text_hash, :seal)",
            )?
            // In the order of the columns: to look up so many names costs more than to write the row.
            .execute(params![
                self.session,
                line.file.0,
                int(seq),
                line.id,
                line.parent,
                line.logical_parent,
                line.at,
                line.sidechain,
                line.started_agent,
                line.lossy,
                seal::kind(&line.body),
                role.map(names::role),
                message,
                usage.map(|usage| int(usage.input)),
                usage.map(|usage| int(usage.output)),
                what,
                title,
                own,
                int(raw_length),
                raw_hash.0,
                text_hash.map(|hash| hash.0),
                seal.0,
            ])?;
        let row = self.conn.last_insert_rowid();
        self.conn
            .prepare_cached("INSERT INTO line_raw (line, raw) VALUES (:line, :raw)")?
            .execute(named_params! {":line": row, ":raw": raw})?;
        self.body(row, line, seq, ids, raw_hash)?;
        self.ends.insert(line.file.0, (seq + 1, seal));
        self.tally.lines += 1;
        self.written += 1;
        if line.file == FileNo(0) {
            self.tally.modified = line.at.max(self.tally.modified);
            self.tally.title = title.map(str::to_owned).or(self.tally.title.take());
        }
        Ok(row)
    }

    fn body(&mut self, row: i64, line: &Line, seq: u64, ids: &[String], raw_hash: Hash) -> Result<(), StoreError> {
        if let Some(text) = seal::text_of(&line.body) {
            self.text(row, text)?;
        }
        match &line.body {
            Body::Message { role, message, parts, .. } => {
                for (nth, part) in parts.iter().enumerate() {
                    let id = match ids.get(nth) {
                        Some(id) => id.clone(),
                        None => self.part_id(line, seq, part.block)?,
                    };
                    let first = if nth == 0 { raw_hash } else { Hash::ZERO };
                    let message = message.as_deref();
                    let said = Said { file: line.file, seq, role: *role, message, at: line.at, raw: first };
                    self.part(row, part, &id, &said)?;
                }
                Ok(())
            }
            Body::Compaction { boundary, .. } => self.boundary(row, boundary),
            Body::Note(saved) => {
                self.conn
                    .prepare_cached(
                        "INSERT INTO note (line, before, saved, cleared)
                         VALUES (:line, :before, :saved, :cleared)",
                    )?
                    .execute(named_params! {
                        ":line": row, ":before": saved.before.map(int), ":saved": saved.saved.map(int),
                        ":cleared": int(saved.cleared as u64),
                    })?;
                Ok(())
            }
            Body::Summary(_) | Body::Noise { .. } | Body::Unread { .. } => Ok(()),
        }
    }

    /// A part's id is its line's id and its block; a line that repeats an id, or has none, is named by its place.
    fn part_id(&self, line: &Line, seq: u64, block: u32) -> Result<String, StoreError> {
        let place = format!("line:{}:{seq}.{block}", line.file.0);
        let Some(id) = &line.id else { return Ok(place) };
        let id = format!("{id}.{block}");
        let taken = self.part_row(&id)?.is_some();
        Ok(if taken { format!("{id}#{place}") } else { id })
    }

    /// The row of the part with this id.
    pub(super) fn part_row(&self, id: &str) -> Result<Option<i64>, StoreError> {
        let mut find = self.conn.prepare_cached("SELECT part FROM part WHERE session = :session AND id = :id")?;
        Ok(find.query_row(named_params! {":session": self.session, ":id": id}, |row| row.get(0)).optional()?)
    }

    /// Adds a part to a line, to its text and to the chain.
    pub(super) fn part(&mut self, line: i64, part: &Part, id: &str, said: &Said) -> Result<(), StoreError> {
        let fields = Fields::of(part);
        let here = (Hash::of(part.text.as_bytes()), part.text.len() as u64);
        let (hash, length) = self.gone.take().unwrap_or(here);
        let chain = fields.chain(self.tally.chain, part, id, (hash, length), said);
        self.conn
            .prepare_cached(
                "INSERT INTO part (session, seq, line, block, id, kind, speaker, call, tool, ok, what,
                                   length, hash, chain)
                 VALUES (:session, :seq, :line, :block, :id, :kind, :speaker, :call, :tool, :ok, :what,
                         :length, :hash, :chain)",
            )?
            // In the order of the columns, as above.
            .execute(params![
                self.session,
                int(self.tally.parts),
                line,
                part.block,
                id,
                fields.kind,
                names::speaker(part.speaker),
                fields.call,
                fields.tool,
                fields.ok,
                fields.what,
                int(length),
                hash.0,
                chain.0,
            ])?;
        if !part.text.is_empty() {
            let row = self.conn.last_insert_rowid();
            self.conn
                .prepare_cached("INSERT INTO part_text (part, text) VALUES (:part, :text)")?
                .execute(named_params! {":part": row, ":text": part.text})?;
            if !self.forgetful {
                self.unindexed.get_or_insert(row);
            }
        }
        self.tally.parts += 1;
        self.tally.chain = chain;
        self.written += 1;
        Ok(())
    }

    fn text(&self, row: i64, text: &str) -> Result<(), StoreError> {
        self.conn
            .prepare_cached("INSERT INTO line_text (line, text) VALUES (:line, :text)")?
            .execute(named_params! {":line": row, ":text": text})?;
        Ok(())
    }

    fn boundary(&self, row: i64, boundary: &Boundary) -> Result<(), StoreError> {
        let (kept_id, kept_line) = match &boundary.first_kept {
            Some(FirstKept::Id(id)) => (Some(id.as_str()), None),
            Some(FirstKept::Line(line)) => (None, Some(int(*line))),
            None => (None, None),
        };
        let kept = boundary.preserved_segment.as_ref();
        self.conn
            .prepare_cached(
                "INSERT INTO compaction (line, \"trigger\", tokens_before, tokens_after, first_kept_id,
                                         first_kept_line, last_covered, preserved_head, preserved_tail)
                 VALUES (:line, :trigger, :tokens_before, :tokens_after, :first_kept_id,
                         :first_kept_line, :last_covered, :preserved_head, :preserved_tail)",
            )?
            .execute(named_params! {
                ":line": row, ":trigger": boundary.trigger.map(names::trigger),
                ":tokens_before": boundary.tokens_before.map(int), ":tokens_after": boundary.tokens_after.map(int),
                ":first_kept_id": kept_id, ":first_kept_line": kept_line, ":last_covered": boundary.last_covered,
                ":preserved_head": kept.map(|kept| &kept.head), ":preserved_tail": kept.map(|kept| &kept.tail),
            })?;
        let mut keep =
            self.conn.prepare_cached("INSERT INTO compaction_kept (line, nth, id) VALUES (:line, :nth, :id)")?;
        for (nth, id) in boundary.preserved.iter().enumerate() {
            keep.execute(named_params! {":line": row, ":nth": int(nth as u64), ":id": id})?;
        }
        Ok(())
    }

    /// Writes where the session stands now, and puts new texts into the search index. Call it once, before the transaction
    /// ends.
    pub(super) fn done(&self) -> Result<(), StoreError> {
        if let Some(first) = self.unindexed {
            // All at once: the index writes what it holds to the disk before every statement that could be undone by
            // itself, and each guarded table makes its inserts such statements.
            self.conn
                .prepare_cached(
                    "INSERT INTO part_fts (rowid, text)
                     SELECT part, text
                     FROM part_text
                     WHERE part >= :first",
                )?
                .execute(named_params! {":first": first})?;
        }
        sessions::save_tally(self.conn, self.session, &self.tally)
    }
}

/// The row of a session, which is made where there is none.
pub(super) fn session_for(conn: &Connection, key: &SessionKey, created: Option<i64>) -> Result<i64, StoreError> {
    match rows::session_row(conn, key)? {
        Some(session) => Ok(session),
        None => sessions::make(conn, key, created, false),
    }
}
