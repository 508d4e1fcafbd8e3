//! Hashes over what is stored, each over the one before it: of parts, of lines, of own records. What was changed or taken
//! away behind the guards no longer fits them. Nothing is written here.

use rusqlite::{Connection, OptionalExtension, named_params};

use super::{StoreError, names};
use crate::record::{Block, Detail, Field, Run};
use crate::session::{Body, Boundary, FileNo, FirstKept, Hash, HashedFields, Line, Part, PartKind, Role};

/// What every chain of a session begins with: whose it is, whether its texts may go, and what is kept of them then. A
/// session in retention mode that an older version made says nothing of the last.
pub(super) fn start(conn: &Connection, session: i64) -> Result<Hash, StoreError> {
    Ok(match kept_retention(conn, session)? {
        Some((_, Some(seal))) => seal,
        Some((_, None)) | None => whose(conn, session)?,
    })
}

/// The choice that is kept of a session in retention mode, with its seal; `None` where there is none.
pub(super) fn kept_retention(conn: &Connection, session: i64) -> Result<Option<(String, Option<Hash>)>, StoreError> {
    if !conn.table_exists(None, "retention")? {
        return Ok(None);
    }
    let seal = if conn.column_exists(None, "retention", "seal")? { "seal" } else { "NULL" };
    let mut read = conn.prepare_cached(&format!("SELECT quotes, {seal} FROM retention WHERE session = :session"))?;
    let row = read.query_row(named_params! {":session": session}, |row| {
        Ok((row.get(0)?, row.get::<_, Option<[u8; 32]>>(1)?.map(Hash)))
    });
    Ok(row.optional()?)
}

/// The seal of that choice.
pub(super) fn retention(conn: &Connection, session: i64, quotes: &str) -> Result<Hash, StoreError> {
    Ok(Fed::after(whose(conn, session)?).text(quotes).hash())
}

fn whose(conn: &Connection, session: i64) -> Result<Hash, StoreError> {
    let mut read = conn.prepare_cached("SELECT agent, id, sub, mode FROM session WHERE session = :session")?;
    Ok(read.query_row(named_params! {":session": session}, |row| {
        let mut fields = Fed::default();
        fields.text(&row.get::<_, String>(0)?).text(&row.get::<_, String>(1)?);
        fields.option(row.get::<_, Option<String>>(2)?.as_deref()).text(&row.get::<_, String>(3)?);
        Ok(fields.hash())
    })?)
}

/// Fields that are hashed one after the other. What is absent differs from what is empty.
#[derive(Default)]
struct Fed(HashedFields);

impl Fed {
    fn after(before: Hash) -> Self {
        let mut fields = Self::default();
        fields.bytes(&before.0);
        fields
    }

    fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.add([bytes]);
        self
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.bytes(text.as_bytes())
    }

    fn option(&mut self, text: Option<&str>) -> &mut Self {
        match text {
            Some(text) => self.0.add([b"+", text.as_bytes()]),
            None => self.0.add([]),
        }
        self
    }

    fn number(&mut self, number: u64) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }

    fn maybe(&mut self, number: Option<u64>) -> &mut Self {
        match number {
            Some(number) => self.number(number),
            None => self.bytes(&[]),
        }
    }

    fn hash(&self) -> Hash {
        self.0.clone().hash()
    }
}

/// The word for what a line is.
pub(super) fn kind(body: &Body) -> &'static str {
    match body {
        Body::Message { .. } => "message",
        Body::Compaction { .. } => "compaction",
        Body::Summary(_) => "summary",
        Body::Note(_) => "note",
        Body::Noise { .. } => "noise",
        Body::Unread { .. } => "unread",
    }
}

/// The text that a line says besides its parts.
pub(super) fn text_of(body: &Body) -> Option<&str> {
    match body {
        Body::Compaction { summary, .. } => summary.as_ref().map(|summary| summary.text.as_str()),
        Body::Summary(summary) => Some(&summary.text),
        Body::Noise { text, .. } => Some(text.as_str()).filter(|text| !text.is_empty()),
        Body::Message { .. } | Body::Note(_) | Body::Unread { .. } => None,
    }
}

/// A line as it is sealed. Its parts have a chain of their own, and may come later than the line.
pub(super) struct Sealed<'a> {
    pub(super) line: &'a Line,
    pub(super) seq: u64,
    pub(super) own: bool,
    pub(super) raw_length: u64,
    pub(super) raw: Hash,
    /// Of the text besides the parts.
    pub(super) text: Option<Hash>,
}

impl Sealed<'_> {
    /// The next seal: everything the line says, and the seal before it.
    pub(super) fn after(&self, before: Hash) -> Hash {
        let line = self.line;
        let mut fields = Fed::after(before);
        fields
            .number(u64::from(line.file.0))
            .number(self.seq)
            .option(line.id.as_deref())
            .option(line.parent.as_deref())
            .option(line.logical_parent.as_deref())
            .maybe(line.at.map(i64::cast_unsigned))
            .option(line.sidechain.as_deref())
            .option(line.started_agent.as_deref())
            .option(line.lossy.as_deref())
            .text(kind(&line.body))
            .number(u64::from(self.own))
            .number(self.raw_length)
            .bytes(&self.raw.0)
            .bytes(self.text.as_ref().map_or(&[], |hash| &hash.0));
        match &line.body {
            Body::Message { role, message, usage, .. } => {
                fields.text(names::role(*role)).option(message.as_deref());
                fields.maybe(usage.map(|usage| usage.input)).maybe(usage.map(|usage| usage.output));
            }
            Body::Compaction { boundary, .. } => feed(boundary, &mut fields),
            Body::Note(saved) => {
                fields.maybe(saved.before).maybe(saved.saved).number(saved.cleared as u64);
            }
            Body::Noise { what, title, .. } => {
                fields.text(what).option(title.as_deref());
            }
            Body::Unread { why } => {
                fields.text(why);
            }
            Body::Summary(_) => {}
        }
        fields.hash()
    }
}

/// Whether a record belongs to the boundary is the record's to say.
fn feed(boundary: &Boundary, fields: &mut Fed) {
    let Boundary {
        trigger,
        tokens_before,
        tokens_after,
        preserved,
        preserved_segment,
        first_kept,
        last_covered,
        own_record: _,
    } = boundary;
    let (kept_id, kept_line) = match first_kept {
        Some(FirstKept::Id(id)) => (Some(id.as_str()), None),
        Some(FirstKept::Line(line)) => (None, Some(*line)),
        None => (None, None),
    };
    let segment = preserved_segment.as_ref();
    fields
        .option(trigger.map(names::trigger))
        .maybe(*tokens_before)
        .maybe(*tokens_after)
        .option(kept_id)
        .maybe(kept_line)
        .option(last_covered.as_deref())
        .option(segment.map(|kept| kept.head.as_str()))
        .option(segment.map(|kept| kept.tail.as_str()))
        .number(preserved.len() as u64);
    for id in preserved {
        fields.text(id);
    }
}

/// An item of an own record as it is sealed.
pub(super) struct SealedItem<'a> {
    pub(super) field: Field,
    pub(super) text: &'a str,
    pub(super) detail: &'a Detail,
    pub(super) sources: Vec<SealedSource<'a>>,
}

/// What an item rests on as it is sealed.
pub(super) struct SealedSource<'a> {
    /// The id of the part.
    pub(super) part: &'a str,
    pub(super) range: (usize, usize),
    /// Empty where the words may not be kept; then the hash stands for them.
    pub(super) quote: &'a str,
    pub(super) hash: Hash,
    /// In the record of a block.
    pub(super) seq: Option<u64>,
}

/// The next seal of a session's records.
pub(super) fn record(before: Hash, id: &str, place: Option<(FileNo, u64)>, items: &[SealedItem]) -> Hash {
    let mut fields = Fed::after(before);
    fields.text(id).maybe(place.map(|(file, _)| u64::from(file.0))).maybe(place.map(|(_, seq)| seq));
    for item in items {
        fields.text(item.field.name()).text(item.text);
        match item.detail {
            Detail::Plain => {}
            Detail::Entity { class } => {
                fields.text(class);
            }
            Detail::Figure { label, value, unit } => {
                fields.text(label).text(value).text(unit);
            }
            Detail::Action { tool, args, ok } => {
                fields.text(tool).text(args).maybe(ok.map(u64::from));
            }
            Detail::RuledOut { claim, evidence } => {
                fields.text(claim).text(evidence);
            }
        }
        fields.number(item.sources.len() as u64);
        for SealedSource { part, range, quote, hash, seq } in &item.sources {
            fields.text(part).number(range.0 as u64).number(range.1 as u64).text(quote);
            if quote.is_empty() {
                fields.bytes(&hash.0);
            }
            if seq.is_some() {
                fields.maybe(*seq);
            }
        }
    }
    fields.hash()
}

/// What a closed run of turns is sealed by, besides what only a block or only a span says.
pub(super) struct SealedRun<'a> {
    pub(super) no: u32,
    pub(super) run: &'a Run,
    pub(super) generation: u32,
    /// The seal of its record.
    pub(super) record: Hash,
    /// Items that are still drafts.
    pub(super) drafts: &'a [(u32, String)],
}

impl SealedRun<'_> {
    fn feed(&self, before: Hash) -> Fed {
        let Run { parts, turns, from_id, tokens, originals } = self.run;
        let mut fields = Fed::after(before);
        fields
            .number(u64::from(self.no))
            .number(parts.start)
            .number(parts.end)
            .number(u64::from(turns.0))
            .number(u64::from(turns.1))
            .text(from_id)
            .number(*tokens)
            .bytes(&originals.0)
            .number(u64::from(self.generation))
            .bytes(&self.record.0)
            .number(self.drafts.len() as u64);
        for (ordinal, why) in self.drafts {
            fields.number(u64::from(*ordinal)).text(why);
        }
        fields
    }

    /// The next seal of a session's blocks.
    pub(super) fn block(&self, before: Hash, block: &Block, last: &str) -> Hash {
        let mut fields = self.feed(before);
        fields.text(block.closed_by.name()).text(last).number(block.cut.len() as u64);
        for call in &block.cut {
            fields.text(call);
        }
        // Nothing where it says nothing: so were blocks sealed before it could.
        if let Some(turned) = block.turned {
            fields.text(turned.name());
        }
        fields.hash()
    }

    /// The next seal of a session's spans.
    pub(super) fn span(&self, before: Hash, blocks: (u32, u32)) -> Hash {
        self.feed(before).number(u64::from(blocks.0)).number(u64::from(blocks.1)).hash()
    }
}

/// What a part's line says about it.
pub(super) struct Said<'a> {
    pub(super) file: FileNo,
    pub(super) seq: u64,
    pub(super) role: Role,
    pub(super) message: Option<&'a str>,
    pub(super) at: Option<i64>,
    /// The hash of the raw line on its first part; zero on the others.
    pub(super) raw: Hash,
}

/// What a part's kind knows, as columns.
pub(super) struct Fields<'a> {
    pub(super) kind: &'static str,
    pub(super) call: Option<&'a str>,
    pub(super) tool: Option<&'a str>,
    pub(super) ok: Option<bool>,
    pub(super) what: Option<&'a str>,
}

impl<'a> Fields<'a> {
    pub(super) fn of(part: &'a Part) -> Self {
        let none = Fields { kind: "text", call: None, tool: None, ok: None, what: None };
        match &part.kind {
            PartKind::Text => none,
            PartKind::Thinking => Fields { kind: "thinking", ..none },
            PartKind::ToolCall { id, name } => {
                Fields { kind: "tool_call", call: id.as_deref(), tool: Some(name), ..none }
            }
            PartKind::ToolResult { id, ok } => {
                Fields { kind: "tool_result", call: id.as_deref(), ok: Some(*ok), ..none }
            }
            PartKind::Opaque { what } => Fields { kind: "opaque", what: Some(what), ..none },
        }
    }

    /// The next link of the chain of parts: everything the part says, where, and the link before it. Of the text only the
    /// hash and the length, for it may be gone.
    pub(super) fn chain(&self, before: Hash, part: &Part, id: &str, text: (Hash, u64), said: &Said) -> Hash {
        Fed::after(before)
            .text(id)
            .number(u64::from(said.file.0))
            .number(said.seq)
            .number(u64::from(part.block))
            .text(names::role(said.role))
            .option(said.message)
            .maybe(said.at.map(i64::cast_unsigned))
            .text(self.kind)
            .text(names::speaker(part.speaker))
            .option(self.call)
            .option(self.tool)
            .maybe(self.ok.map(u64::from))
            .option(self.what)
            .bytes(&text.0.0)
            .number(text.1)
            .bytes(&said.raw.0)
            .hash()
    }
}
