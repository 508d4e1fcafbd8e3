//! Takes lines of the interchange format into a session, within one transaction. What is there already must be the
//! same; a line that is refused has written nothing.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, named_params};

use super::SCHEMA;
use super::shapes::{
    At, CompactionShape, Given, ItemShape, LineShape, Links, NoteShape, PartShape, RecordShape, SessionShape,
    SourceShape, UsageShape, plain, unhex,
};
use crate::record::{Detail, Field};
use crate::session::{
    Body, Boundary, Depth, FileNo, FirstKept, Hash, Line, Outline, Part, PartKind, Ranges, Role, Segment, SessionKey,
    Speaker, Summary, TokensSaved, Usage,
};
use crate::store::pen::{Pen, Raw, Said};
use crate::store::records::{self, NewItem, NewSource};
use crate::store::rows::{self, int};
use crate::store::{Imported, StoreError, names, sessions};

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

fn other_bytes(what: &str) -> Refusal {
    Refusal::Line(format!("{what} is stored already with other bytes"))
}

/// One session while lines are taken into it.
pub(in crate::store) struct Taker<'c> {
    pub(in crate::store) pen: Pen<'c>,
    mode: Mode,
    /// In [`Mode::Whole`]: the next stored line of each file.
    cursor: HashMap<u16, u64>,
    /// What the compactions of this session cover, as far as they were fed.
    outline: Option<(Outline, u64)>,
    pub(in crate::store) done: Imported,
}

impl<'c> Taker<'c> {
    pub(in crate::store) fn on(conn: &'c Connection, key: &SessionKey, mode: Mode) -> Result<Self, StoreError> {
        let pen = Pen::on(conn, key, None)?;
        Ok(Self { pen, mode, cursor: HashMap::new(), outline: None, done: Imported::default() })
    }

    /// Takes one line; gives the id to acknowledge, where it has one. Session lines and entries are not for here.
    pub(in crate::store) fn take(&mut self, given: &Given, json: &str) -> Result<Option<String>, Refusal> {
        match given {
            Given::Part(shape) => self.part(shape, json).map(|()| Some(shape.id.clone())),
            Given::Line(shape) => {
                let line = line_of(shape)?;
                self.whole(&line, &shape.links, json).map(|()| shape.id.clone())
            }
            Given::Note(shape) => self.whole(&note_of(shape), &shape.links, json).map(|()| shape.id.clone()),
            Given::Compaction(shape) => {
                let line = self.compaction_of(shape)?;
                self.whole(&line, &shape.links, json).map(|()| shape.id.clone())
            }
            Given::Record(shape) => self.record(shape).map(|()| Some(shape.compaction.clone())),
            Given::Session(_) => Err("a session line starts a session and stands before its parts".to_owned().into()),
            Given::Entry(_) => Err("a ledger entry is not taken here (stet ledger import)".to_owned().into()),
        }
    }

    /// What a session line says besides the key.
    pub(in crate::store) fn session(&mut self, shape: &SessionShape) -> Result<(), StoreError> {
        if shape.title.is_some() {
            self.pen.tally.title.clone_from(&shape.title);
        }
        let mut add = self.pen.conn.prepare_cached(
            "INSERT INTO side (session, file, agent_id, path)
             VALUES (:session, :file, :agent_id, :path)
             ON CONFLICT (session, file) DO NOTHING",
        )?;
        for side in &shape.sides {
            add.execute(named_params! {
                ":session": self.pen.session, ":file": side.file, ":agent_id": side.agent_id, ":path": side.path,
            })?;
        }
        Ok(())
    }

    fn part(&mut self, shape: &PartShape, json: &str) -> Result<(), Refusal> {
        let (line, part) = part_of(shape)?;
        let raw = raw(shape.raw.as_deref(), shape.raw_hex.as_deref())?;
        // The first part of a line is its block 0, or the one that brings the line's bytes along.
        let first = shape.block == 0 || raw.is_some();
        if let Some(row) = self.pen.part_row(&shape.id)? {
            return self.known_part(row, &line, &part, raw.as_deref(), &shape.id);
        }
        if first {
            self.at_the_end(line.file, &shape.id)?;
            let (bytes, whose) = own_or(raw.as_deref(), json);
            self.pen.line(&line, bytes, whose, std::slice::from_ref(&shape.id))?;
            self.done.lines_new += 1;
            self.moved(line.file)?;
        } else {
            let row = self.open_line(&line, shape.block)?;
            let Body::Message { role, message, .. } = &line.body else { return Ok(()) };
            let said = Said { role: *role, message: message.as_deref(), at: line.at, raw: Hash::ZERO };
            self.pen.part(row, &part, &shape.id, &said)?;
        }
        self.done.parts_new += 1;
        Ok(())
    }

    /// The last line, when this block comes next in it.
    fn open_line(&mut self, line: &Line, block: u32) -> Result<i64, Refusal> {
        let name = line.id.as_deref().unwrap_or("(without id)");
        let size = self.pen.size(line.file)?;
        let last = size.checked_sub(1);
        let last = match last {
            Some(at) => rows::forward(self.pen.conn, self.pen.session, line.file, at, 1, Depth::Outline)?.pop(),
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
                Ok(last.row)
            }
            _ => Err(format!("block {block} of line {name} does not go on where its block before it ended").into()),
        }
    }

    fn known_part(&mut self, row: i64, line: &Line, part: &Part, raw: Option<&[u8]>, id: &str) -> Result<(), Refusal> {
        let first = part.block == 0 || raw.is_some();
        let conn = self.pen.conn;
        let mut read = conn.prepare_cached(
            "SELECT block, kind, speaker, call, tool, ok, what, text, line
             FROM part LEFT JOIN part_text USING (part)
             WHERE part = :part",
        )?;
        let mut found = read.query(named_params! {":part": row})?;
        let found = found.next()?.ok_or_else(|| format!("part {id} is gone"))?;
        let (stored, stored_line) = (rows::part(found)?, found.get::<_, i64>(8)?);
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
            Some(raw) => rows::raw(conn, stored_line)?.as_deref() == Some(raw),
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
        let raw = raw(links.raw.as_deref(), links.raw_hex.as_deref())?;
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
            if stored != *line || !same_raw {
                return Err(other_bytes(&what));
            }
            self.done.lines_known += 1;
            return Ok(());
        }
        self.at_the_end(line.file, &what)?;
        let (bytes, whose) = own_or(raw.as_deref(), json);
        let row = self.pen.line(line, bytes, whose, &[])?;
        self.done.lines_new += 1;
        self.moved(line.file)?;
        match &line.body {
            Body::Compaction { .. } if line.file == FileNo(0) => Ok(self.ranges(row)?),
            _ => Ok(()),
        }
    }

    /// The stored line that this one must be: the next one of a whole session, the one with its id of a tail.
    fn stored(&mut self, line: &Line) -> Result<Option<i64>, Refusal> {
        match self.mode {
            Mode::Whole => {
                let at = self.cursor.get(&line.file.0).copied().unwrap_or(0);
                let next = rows::forward(self.pen.conn, self.pen.session, line.file, at, 1, Depth::Outline)?.pop();
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

    /// Stores what an own compaction covers and reaches.
    fn ranges(&mut self, row: i64) -> Result<(), StoreError> {
        let (mut outline, from) = self.outline.take().unwrap_or_default();
        let to = sessions::feed(self.pen.conn, self.pen.session, FileNo(0), from, &mut outline)?;
        if let Some(compaction) = outline.compactions.last() {
            let mut add = self.pen.conn.prepare_cached(
                "INSERT INTO compaction_range (line, kind, nth, start, \"end\")
                 VALUES (:line, :kind, :nth, :start, :end)",
            )?;
            for (kind, ranges) in [("covers", &compaction.covers), ("reaches", &compaction.reaches)] {
                for (nth, range) in (0_u32..).zip(Ranges::iter(ranges)) {
                    add.execute(named_params! {
                        ":line": row, ":kind": kind, ":nth": nth, ":start": int(range.start), ":end": int(range.end),
                    })?;
                }
            }
        }
        self.outline = Some((outline, to));
        Ok(())
    }

    fn compaction_of(&self, shape: &CompactionShape) -> Result<Line, Refusal> {
        let trigger = match shape.trigger.as_deref() {
            Some(name) => Some(names::trigger_named(name).ok_or_else(|| format!("trigger is {name:?}"))?),
            None => None,
        };
        let preserved = shape.preserved.iter().map(|id| self.line_id(id)).collect::<Result<_, _>>()?;
        let segment = shape.preserved_head.as_deref().zip(shape.preserved_tail.as_deref());
        let segment = segment
            .map(|(head, tail)| Ok::<_, StoreError>(Segment { head: self.line_id(head)?, tail: self.line_id(tail)? }));
        let preserved_segment = segment.transpose()?;
        let first_kept = match (&shape.first_kept, shape.first_kept_line) {
            (Some(id), _) => Some(FirstKept::Id(self.line_id(id)?)),
            (None, line) => line.map(FirstKept::Line),
        };
        let last_covered = shape.last_covered.as_deref().map(|id| self.line_id(id)).transpose()?;
        let boundary = Boundary {
            trigger,
            tokens_before: shape.tokens_before,
            tokens_after: shape.tokens_after,
            preserved,
            preserved_segment,
            first_kept,
            last_covered,
            own_record: false,
        };
        let summary = shape.summary.clone().map(|text| Summary { text });
        Ok(line(shape.id.clone(), shape.at, &shape.links, Body::Compaction { boundary, summary }))
    }

    /// The id of the line that a part id or a line id names.
    fn line_id(&self, id: &str) -> Result<String, StoreError> {
        let mut find = self.pen.conn.prepare_cached(
            "SELECT line.id
             FROM part JOIN line USING (line)
             WHERE part.session = :session AND part.id = :id",
        )?;
        let params = named_params! {":session": self.pen.session, ":id": id};
        let found: Option<Option<String>> = find.query_row(params, |row| row.get(0)).optional()?;
        Ok(found.flatten().unwrap_or_else(|| id.to_owned()))
    }

    fn record(&mut self, shape: &RecordShape) -> Result<(), Refusal> {
        let id = &shape.compaction;
        let Some(line) = records::marker_line(self.pen.conn, self.pen.session, id)? else {
            return Err(format!("a record of the compaction {id}, which is not here").into());
        };
        let mut items = Vec::new();
        for (field, shapes) in [
            (Field::Narrative, &shape.narrative),
            (Field::Entities, &shape.entities),
            (Field::Figures, &shape.figures),
            (Field::Constraints, &shape.constraints),
            (Field::Decisions, &shape.decisions),
            (Field::Actions, &shape.actions),
            (Field::RuledOut, &shape.ruled_out),
            (Field::Open, &shape.open),
        ] {
            for (nth, shape) in (1..).zip(shapes) {
                let item = self.item(field, shape);
                items.push(item.map_err(|why| match why {
                    Refusal::Line(why) => Refusal::Line(format!("record {id}, {} {nth}: {why}", field.name())),
                    Refusal::Store(error) => Refusal::Store(error),
                })?);
            }
        }
        match records::of_line(self.pen.conn, line)? {
            None => {
                records::insert(self.pen.conn, self.pen.session, line, id, &items)?;
                self.done.records_new += 1;
                self.pen.written += 2 * items.len();
                Ok(())
            }
            Some(stored) if same_items(&stored.items, &items) => Ok(()),
            Some(_) => Err(other_bytes(&format!("the record of {id}"))),
        }
    }

    fn item(&self, field: Field, shape: &ItemShape) -> Result<NewItem, Refusal> {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let detail = match field {
            Field::Entities => Detail::Entity { class: text(&shape.class) },
            Field::Figures => Detail::Figure {
                label: text(&shape.label),
                value: shape.value.clone().map(plain).unwrap_or_default(),
                unit: text(&shape.unit),
            },
            Field::Actions => Detail::Action {
                tool: text(&shape.tool),
                args: shape.args.clone().map(plain).unwrap_or_default(),
                ok: shape.ok,
            },
            Field::RuledOut => Detail::RuledOut {
                claim: shape.claim.clone().or_else(|| shape.text.clone()).unwrap_or_default(),
                evidence: text(&shape.evidence),
            },
            Field::Narrative | Field::Constraints | Field::Decisions | Field::Open => Detail::Plain,
        };
        let text = shape.text.clone().or_else(|| shape.claim.clone());
        let text = text.ok_or_else(|| "it has no text".to_owned())?;
        let sources = shape.source.iter().chain(&shape.sources);
        let sources = sources.map(|source| self.source(source)).collect::<Result<_, _>>()?;
        Ok(NewItem { field, text, detail, sources })
    }

    /// Looks the quote up in its part. One that is not there is refused: nothing is quoted that nobody said.
    fn source(&self, shape: &SourceShape) -> Result<NewSource, Refusal> {
        let Some(part) = self.pen.part_row(&shape.part)? else {
            return Err(format!("its source is part {}, which is not here", shape.part).into());
        };
        let mut read = self.pen.conn.prepare_cached("SELECT text FROM part_text WHERE part = :part")?;
        let text: String =
            read.query_row(named_params! {":part": part}, |row| row.get(0)).optional()?.unwrap_or_default();
        let missing = || format!("the quote {:?} is not in part {}", shape.quote, shape.part);
        if shape.quote.is_empty() {
            return Err("an empty quote".to_owned().into());
        }
        let start = match shape.range {
            Some([start, end]) if text.get(start..end) == Some(&shape.quote) => start,
            Some([start, end]) => return Err(format!("{} at {start}..{end}", missing()).into()),
            None => text.find(&shape.quote).ok_or_else(missing)?,
        };
        Ok(NewSource { part, range: (start, start + shape.quote.len()), quote: shape.quote.clone() })
    }
}

fn same_items(stored: &[crate::record::Item], given: &[NewItem]) -> bool {
    stored.len() == given.len()
        && stored.iter().zip(given).all(|(stored, given)| {
            let ranges = |item: &crate::record::Item| {
                item.sources.iter().map(|source| (source.range, source.quote.clone())).collect::<Vec<_>>()
            };
            stored.field == given.field
                && stored.text == given.text
                && stored.detail == given.detail
                && ranges(stored)
                    == given.sources.iter().map(|source| (source.range, source.quote.clone())).collect::<Vec<_>>()
        })
}

/// The key that a session line names.
pub(in crate::store) fn key_of(shape: &SessionShape) -> Result<SessionKey, String> {
    if let Some(schema) = shape.schema.as_deref().filter(|schema| *schema != SCHEMA) {
        return Err(format!("schema is {schema:?}, this program reads {SCHEMA:?}"));
    }
    if shape.id.is_empty() {
        return Err("a session line with an empty id".into());
    }
    let agent = shape.agent.clone().unwrap_or_else(|| "stet".into());
    Ok(SessionKey { agent, id: shape.id.clone(), sub: shape.sub.clone() })
}

/// The raw bytes that a line brings along.
fn raw(text: Option<&str>, hex: Option<&str>) -> Result<Option<Vec<u8>>, String> {
    match (text, hex) {
        (Some(text), _) => Ok(Some(text.as_bytes().to_vec())),
        (None, Some(hex)) => unhex(hex).map(Some),
        (None, None) => Ok(None),
    }
}

fn own_or<'a>(raw: Option<&'a [u8]>, json: &'a str) -> (&'a [u8], Raw) {
    match raw {
        Some(raw) => (raw, Raw::Foreign),
        None => (json.as_bytes(), Raw::Own),
    }
}

fn line(id: Option<String>, at: Option<At>, links: &Links, body: Body) -> Line {
    Line {
        file: FileNo(links.file),
        offset: 0,
        len: 0,
        id,
        parent: links.parent.clone(),
        logical_parent: links.logical_parent.clone(),
        at: at.map(|at| at.0),
        sidechain: links.agent_id.clone(),
        started_agent: links.started_agent.clone(),
        body,
        lossy: links.lossy.clone(),
    }
}

fn note_of(shape: &NoteShape) -> Line {
    let saved = TokensSaved { before: shape.before, saved: shape.saved, cleared: shape.cleared as usize };
    line(shape.id.clone(), shape.at, &shape.links, Body::Note(saved))
}

fn line_of(shape: &LineShape) -> Result<Line, String> {
    let body = match shape.kind.as_str() {
        "noise" => Body::Noise {
            what: shape.what.clone().unwrap_or_default(),
            title: shape.title.clone(),
            text: shape.text.clone().unwrap_or_default(),
        },
        "unread" => Body::Unread { why: shape.what.clone().unwrap_or_default() },
        "summary" => Body::Summary(Summary { text: shape.text.clone().unwrap_or_default() }),
        "message" => Body::Message {
            role: role(shape.role.as_deref().unwrap_or_default())?,
            message: shape.turn.clone(),
            parts: Vec::new(),
            usage: shape.usage.map(usage),
        },
        other => return Err(format!("kind is {other:?}, not noise, unread, summary or message")),
    };
    Ok(line(shape.id.clone(), shape.at, &shape.links, body))
}

fn role(name: &str) -> Result<Role, String> {
    names::role_named(name).ok_or_else(|| format!("role is {name:?}, not user, assistant or system"))
}

fn usage(shape: UsageShape) -> Usage {
    Usage { input: shape.input, output: shape.output }
}

fn part_of(shape: &PartShape) -> Result<(Line, Part), String> {
    if shape.id.is_empty() {
        return Err("a part with an empty id".into());
    }
    let role = role(&shape.role)?;
    let kind = match shape.kind.as_str() {
        "text" => PartKind::Text,
        "thinking" => PartKind::Thinking,
        "tool_call" => PartKind::ToolCall {
            id: shape.call.clone(),
            name: shape.tool.clone().ok_or_else(|| format!("part {}: a tool_call without its tool", shape.id))?,
        },
        "tool_result" => PartKind::ToolResult { id: shape.call.clone(), ok: shape.ok.unwrap_or(true) },
        "opaque" => PartKind::Opaque { what: shape.what.clone().unwrap_or_default() },
        other => {
            return Err(format!("kind is {other:?}, not text, thinking, tool_call, tool_result or opaque"));
        }
    };
    let speaker = match (shape.speaker.as_deref(), &kind, role) {
        (Some(name), _, _) => {
            names::speaker_named(name).ok_or_else(|| format!("speaker is {name:?}, which is none"))?
        }
        (None, PartKind::ToolResult { .. }, _) => Speaker::Tool,
        (None, _, Role::User) => Speaker::User,
        (None, _, Role::Assistant) => Speaker::Assistant,
        (None, _, Role::System) => Speaker::System,
    };
    let part = Part { block: shape.block, kind, speaker, text: shape.text.clone() };
    let line = Line {
        file: FileNo(shape.file),
        offset: 0,
        len: 0,
        id: shape.line.clone().unwrap_or_else(|| Some(shape.id.clone())),
        parent: shape.parent.clone(),
        logical_parent: shape.logical_parent.clone(),
        at: shape.at.map(|at| at.0),
        sidechain: shape.agent_id.clone(),
        started_agent: shape.started_agent.clone(),
        body: Body::Message {
            role,
            message: shape.turn.clone(),
            parts: vec![part.clone()],
            usage: shape.usage.map(usage),
        },
        lossy: shape.lossy.clone(),
    };
    Ok((line, part))
}
