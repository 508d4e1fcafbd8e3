//! Takes lines of the interchange format into a session, within one transaction. What is there already must be the
//! same; a line that is refused has written nothing.

use std::collections::{HashMap, HashSet};

use rusqlite::{Connection, OptionalExtension, named_params};

use super::lines::{gone, line_of, note_of, own_or, part_of, raw};
use super::shapes::{Given, Links, PartShape, SessionShape, SideShape};
use crate::session::{Body, Depth, FileNo, Hash, Line, Part, SessionKey};
use crate::store::pen::Pen;
use crate::store::rows;
use crate::store::seal::{Said, text_of};
use crate::store::sources::Texts;
use crate::store::{Imported, LineError, StoreError, sessions};

/// Where lines belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Mode {
    /// From the start: what is stored is the beginning of what is given.
    Whole,
    /// After the end.
    Tail,
}

/// Why a line was not taken.
pub(in crate::store) enum Refusal {
    /// The line itself: nothing of it was written.
    Line(String),
    Store(StoreError),
}

impl Refusal {
    /// As the end of a whole import, with the number of the line.
    pub(in crate::store) fn at(self, line: u64) -> StoreError {
        match self {
            Refusal::Line(why) => LineError { line, why }.into(),
            Refusal::Store(error) => error,
        }
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Refusal::Store(error)
    }
}

impl From<String> for Refusal {
    fn from(why: String) -> Self {
        Refusal::Line(why)
    }
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Self {
        Refusal::Store(error.into())
    }
}

pub(super) fn other_bytes(what: &str) -> Refusal {
    Refusal::Line(format!("{what} is stored already with other bytes"))
}

/// One session while lines are taken into it.
pub(in crate::store) struct Taker<'c> {
    pub(in crate::store) pen: Pen<'c>,
    mode: Mode,
    /// In [`Mode::Whole`]: the next stored line of each file.
    cursor: HashMap<u16, u64>,
    /// Sub-agents' files that are known to be declared.
    declared: HashSet<u16>,
    pub(in crate::store) done: Imported,
    /// New lines of the session's own file, where somebody listens.
    pub(in crate::store) heard: Option<Vec<Heard>>,
}

/// A line that was stored, or a part that was added to one.
pub(in crate::store) struct Heard {
    /// With its place, and with the parts that came with it.
    pub(in crate::store) line: Line,
    /// It is a new line.
    pub(in crate::store) opens: bool,
}

impl<'c> Taker<'c> {
    pub(in crate::store) fn on(conn: &'c Connection, key: &SessionKey, mode: Mode) -> Result<Self, StoreError> {
        let pen = Pen::on(conn, key, None)?;
        Ok(Self { pen, mode, cursor: HashMap::new(), declared: HashSet::new(), done: Imported::default(), heard: None })
    }

    /// Takes one line; gives the id to acknowledge, where it has one. Session lines and entries are not for here.
    pub(in crate::store) fn take(&mut self, given: &Given, json: &str) -> Result<Option<String>, Refusal> {
        match given {
            Given::Part(shape) => self.part(shape, json).map(|()| Some(shape.id.clone())),
            Given::Line(shape) => {
                let mut line = line_of(shape)?;
                if let Body::Noise { title, .. } = &mut line.body
                    && title.is_some()
                    && self.texts()? == Texts::MayBeGone
                {
                    // As in a session line.
                    *title = None;
                }
                self.whole(&line, &shape.links, json).map(|()| shape.id.clone())
            }
            Given::Note(shape) => self.whole(&note_of(shape), &shape.links, json).map(|()| shape.id.clone()),
            Given::Compaction(shape) => {
                let line = self.compaction_of(shape)?;
                // Without an id it is called by its line, as a turn is.
                let seq = self.pen.size(line.file)?;
                let id = shape.id.clone().unwrap_or_else(|| seq.to_string());
                self.whole(&line, &shape.links, json).map(|()| Some(id))
            }
            Given::Record(shape) => self.record(shape).map(|()| Some(shape.compaction.clone())),
            Given::Block(shape) => self.block(shape).map(|()| None),
            Given::Span(shape) => self.span(shape).map(|()| None),
            Given::Session(_) => Err("a session line starts a session and stands before its parts".to_owned().into()),
            Given::Entry(_) => Err("a ledger entry is not taken here (stet ledger import)".to_owned().into()),
        }
    }

    /// Whether what a record quotes must be here.
    pub(super) fn texts(&self) -> Result<Texts, StoreError> {
        let gone = sessions::in_retention(self.pen.conn, self.pen.session)?;
        Ok(if gone { Texts::MayBeGone } else { Texts::Here })
    }

    /// What a session line says besides the key. A sub-agent's file keeps its number.
    pub(in crate::store) fn session(&mut self, shape: &SessionShape) -> Result<(), Refusal> {
        let mut known: HashMap<u16, String> = self
            .pen
            .conn
            .prepare_cached("SELECT file, agent_id FROM side WHERE session = :session")?
            .query_map(named_params! {":session": self.pen.session}, |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        let mut new: Vec<&SideShape> = Vec::new();
        for side in &shape.sides {
            if side.file == 0 {
                return Err("file 0 is the session's own, not a sub-agent's".to_owned().into());
            }
            match known.get(&side.file) {
                Some(agent) if *agent != side.agent_id => {
                    return Err(
                        format!("file {} is the sub-agent {agent}'s, not {}'s", side.file, side.agent_id).into()
                    );
                }
                Some(_) => {}
                None => {
                    known.insert(side.file, side.agent_id.clone());
                    new.push(side);
                }
            }
        }
        let mut add = self.pen.conn.prepare_cached(
            "INSERT INTO side (session, file, agent_id, path)
             VALUES (:session, :file, :agent_id, :path)",
        )?;
        for side in new {
            add.execute(named_params! {
                ":session": self.pen.session, ":file": side.file, ":agent_id": side.agent_id, ":path": side.path,
            })?;
        }
        // A name is made of what was said, and would stay.
        if shape.title.is_some() && self.texts()? == Texts::Here {
            self.pen.tally.title.clone_from(&shape.title);
        }
        Ok(())
    }

    /// A line of a file that no session line declares would be stored and never be seen again.
    fn is_declared(&mut self, file: FileNo) -> Result<(), Refusal> {
        if file == FileNo(0) || self.declared.contains(&file.0) {
            return Ok(());
        }
        if !rows::is_declared(self.pen.conn, self.pen.session, file)? {
            return Err(format!("file {} is not among the sides that the session line names", file.0).into());
        }
        self.declared.insert(file.0);
        Ok(())
    }

    fn hear(&mut self, line: impl FnOnce() -> Line, seq: u64, opens: bool) {
        if let Some(heard) = &mut self.heard {
            heard.push(Heard { line: Line { offset: seq, ..line() }, opens });
        }
    }

    fn part(&mut self, shape: &PartShape, json: &str) -> Result<(), Refusal> {
        let (line, part) = part_of(shape)?;
        self.is_declared(line.file)?;
        let raw = raw(&shape.links)?;
        let gone = gone(shape)?;
        // The first part of a line is its block 0, or the one that brings the line's bytes along.
        let first = shape.block == 0 || raw.is_some();
        if let Some(row) = self.pen.part_row(&shape.id)? {
            return self.known_part(row, &line, &part, raw.as_deref(), &shape.id, gone);
        }
        if gone.is_some() && self.texts()? == Texts::Here {
            return Err(format!("the text of part {} is gone, and the session here keeps its texts", shape.id).into());
        }
        self.pen.gone = gone;
        if first {
            self.at_the_end(line.file, &shape.id)?;
            let (bytes, whose) = own_or(raw.as_deref(), json);
            let seq = self.pen.size(line.file)?;
            self.pen.line(&line, bytes, whose, std::slice::from_ref(&shape.id))?;
            self.done.lines_new += 1;
            self.moved(line.file)?;
            if line.file == FileNo(0) {
                self.hear(|| line, seq, true);
            }
        } else {
            let (row, seq) = self.open_line(&line, shape.block)?;
            let Body::Message { role, message, .. } = &line.body else { return Ok(()) };
            let (file, message) = (line.file, message.as_deref());
            let said = Said { file, seq, role: *role, message, at: line.at, raw: Hash::ZERO };
            self.pen.part(row, &part, &shape.id, &said)?;
            if line.file == FileNo(0) {
                self.hear(|| line, seq, false);
            }
        }
        self.done.parts_new += 1;
        Ok(())
    }

    /// The row and the sequence of the last line, when this block comes next in it.
    fn open_line(&mut self, line: &Line, block: u32) -> Result<(i64, u64), Refusal> {
        let name = line.id.as_deref().unwrap_or("(without id)");
        let size = self.pen.size(line.file)?;
        let last = size.checked_sub(1);
        let last = match last {
            Some(at) => {
                rows::forward(self.pen.conn, self.pen.session, line.file, at, rows::Most::lines(1), Depth::Outline)?
                    .pop()
            }
            None => None,
        };
        let Some(last) = last.filter(|last| last.line.id == line.id) else {
            return Err(format!("block {block} of line {name} does not follow the line's other blocks").into());
        };
        match (&last.line.body, &line.body) {
            (Body::Message { parts, role, message, .. }, Body::Message { role: own, message: turn, .. })
                if parts.last().is_some_and(|last| last.block < block)
                    && role == own
                    && message == turn
                    && last.line.at == line.at =>
            {
                Ok((last.row, last.line.offset))
            }
            _ => Err(format!("block {block} of line {name} does not go on where its block before it ended").into()),
        }
    }

    fn known_part(
        &mut self,
        row: i64,
        line: &Line,
        part: &Part,
        raw: Option<&[u8]>,
        id: &str,
        gone: Option<(Hash, u64)>,
    ) -> Result<(), Refusal> {
        let first = part.block == 0 || raw.is_some();
        let conn = self.pen.conn;
        let mut read = conn.prepare_cached(
            "SELECT block, kind, speaker, call, tool, ok, what, text, line, hash AS hash, length
             FROM part LEFT JOIN part_text USING (part)
             WHERE part = :part",
        )?;
        let mut found = read.query(named_params! {":part": row})?;
        let found = found.next()?.ok_or_else(|| format!("part {id} is gone"))?;
        let (mut stored, stored_line) = (rows::part(found)?, found.get::<_, i64>(8)?);
        let noted = (rows::hash(found, "hash")?, found.get::<_, i64>(10)? as u64);
        let given_text = gone.unwrap_or_else(|| (Hash::of(part.text.as_bytes()), part.text.len() as u64));
        if stored.text.is_empty() || part.text.is_empty() {
            // Where one of them is gone, the hash tells.
            if noted != given_text {
                return Err(other_bytes(id));
            }
            stored.text.clone_from(&part.text);
        }
        let Some(mut whole) = rows::line(conn, stored_line, Depth::Outline)? else { return Err(other_bytes(id)) };
        let seq = whole.offset;
        let mut given = line.clone();
        given.len = whole.len;
        given.offset = whole.offset;
        if !first {
            // Only the first part says what the line says besides its parts.
            (given.parent, given.logical_parent) = (whole.parent.clone(), whole.logical_parent.clone());
            (given.lossy, given.started_agent) = (whole.lossy.clone(), whole.started_agent.clone());
            given.sidechain.clone_from(&whole.sidechain);
        }
        match (&mut whole.body, &mut given.body) {
            (Body::Message { parts, usage, .. }, Body::Message { parts: one, usage: own, .. }) => {
                parts.clear();
                one.clear();
                if !first {
                    *own = *usage;
                }
            }
            _ => return Err(other_bytes(id)),
        }
        let same_raw = match raw {
            // A raw line that is gone has its hash as well.
            Some(raw) => rows::has_raw(conn, stored_line, raw)?,
            None => true,
        };
        if stored != *part || whole != given || !same_raw {
            return Err(other_bytes(id));
        }
        self.done.parts_known += 1;
        self.done.lines_known += u64::from(first);
        self.cursor.insert(line.file.0, seq + 1);
        Ok(())
    }

    /// A line without parts.
    fn whole(&mut self, line: &Line, links: &Links, json: &str) -> Result<(), Refusal> {
        self.is_declared(line.file)?;
        let raw = raw(links)?;
        let what = line.id.clone().unwrap_or_else(|| "the line".to_owned());
        if let Some(row) = self.stored(line)? {
            let stored = rows::line(self.pen.conn, row, Depth::Full)?;
            let Some(mut stored) = stored else { return Err(other_bytes(&what)) };
            self.cursor.insert(line.file.0, stored.offset + 1);
            (stored.offset, stored.len) = (line.offset, line.len);
            if let Body::Compaction { boundary, .. } = &mut stored.body {
                boundary.own_record = false;
            }
            let same_raw = match &raw {
                Some(raw) => rows::raw(self.pen.conn, row)?.as_ref() == Some(raw),
                None => true,
            };
            if (stored != *line || !same_raw)
                && !rows::went(self.pen.conn, row, own_or(raw.as_deref(), json).0, text_of(&line.body))?
            {
                return Err(other_bytes(&what));
            }
            self.done.lines_known += 1;
            return Ok(());
        }
        self.at_the_end(line.file, &what)?;
        let (bytes, whose) = own_or(raw.as_deref(), json);
        let seq = self.pen.size(line.file)?;
        self.pen.line(line, bytes, whose, &[])?;
        self.done.lines_new += 1;
        if line.file == FileNo(0) {
            self.hear(|| line.clone(), seq, true);
        }
        self.moved(line.file)
    }

    /// The stored line that this one must be: the next one of a whole session, the one with its id of a tail.
    fn stored(&mut self, line: &Line) -> Result<Option<i64>, Refusal> {
        match self.mode {
            Mode::Whole => {
                let at = self.cursor.get(&line.file.0).copied().unwrap_or(0);
                let next = rows::forward(
                    self.pen.conn,
                    self.pen.session,
                    line.file,
                    at,
                    rows::Most::lines(1),
                    Depth::Outline,
                )?
                .pop();
                Ok(next.map(|stored| stored.row))
            }
            Mode::Tail => {
                let Some(id) = &line.id else { return Ok(None) };
                let mut find = self.pen.conn.prepare_cached(
                    "SELECT line
                     FROM line
                     WHERE session = :session AND id = :id AND kind <> 'message'",
                )?;
                let params = named_params! {":session": self.pen.session, ":id": id};
                Ok(find.query_row(params, |row| row.get(0)).optional()?)
            }
        }
    }

    /// Something new comes after everything that is stored.
    fn at_the_end(&mut self, file: FileNo, what: &str) -> Result<(), Refusal> {
        let size = self.pen.size(file)?;
        match self.mode {
            Mode::Whole if self.cursor.get(&file.0).copied().unwrap_or(0) < size => {
                Err(format!("{what} is new, but stands before lines that are stored already").into())
            }
            Mode::Whole | Mode::Tail => Ok(()),
        }
    }

    fn moved(&mut self, file: FileNo) -> Result<(), Refusal> {
        let size = self.pen.size(file)?;
        self.cursor.insert(file.0, size);
        Ok(())
    }
}
