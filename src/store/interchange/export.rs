//! Writes a session out as lines of the interchange format, so that an import gives the same session again.

use std::io::Write;

use rusqlite::{Connection, named_params};

use super::SCHEMA;
use super::entry;
use super::shapes::{
    CompactionShape, GoneShape, LineShape, Links, NoteShape, PartShape, SessionShape, SideShape, UsageShape, text,
};
use super::told;
use super::words::{At, OfLine};
use crate::session::{Body, Boundary, Depth, FileNo, FirstKept, Line, Part, SessionKey, Summary};
use crate::store::file::{hex, put};
use crate::store::rows::{self, Stored};
use crate::store::seal::Fields;
use crate::store::{Store, StoreError, forget, ledger, names, sessions};

impl Store {
    /// Writes everything that is stored of a session: lines in file order, each record after its compaction,
    /// blocks and spans behind them, and the ledger last.
    pub fn export(&self, key: &SessionKey, out: &mut dyn Write) -> Result<(), StoreError> {
        // One snapshot for all that follows.
        let tx = self.conn.unchecked_transaction()?;
        let session = rows::session_row(&tx, key)?.ok_or_else(|| StoreError::NoSession(key.to_string()))?;
        let head = head(&tx, session, key)?;
        put(out, &text("session", &head))?;
        let files = [0].into_iter().chain(head.sides.iter().map(|side| side.file));
        for file in files {
            let mut from = 0;
            loop {
                let page = rows::forward(&tx, session, FileNo(file), from, rows::Most::lines(500), Depth::Full)?;
                let Some(last) = page.last() else { break };
                from = last.line.offset + 1;
                for stored in &page {
                    line(&tx, session, stored, out)?;
                }
            }
        }
        told::closed(&tx, session, out)?;
        for entry in ledger::entries(&tx, session, key)? {
            put(out, &text("entry", &entry::shape(&entry)))?;
        }
        Ok(())
    }

    /// Writes the entries of a session alone.
    pub fn export_ledger(&self, key: &SessionKey, out: &mut dyn Write) -> Result<(), StoreError> {
        self.ledger(key)?.iter().try_for_each(|entry| put(out, &text("entry", &entry::shape(entry))))
    }
}

fn head(conn: &Connection, session: i64, key: &SessionKey) -> Result<SessionShape, StoreError> {
    let mut read =
        conn.prepare_cached("SELECT file, agent_id, path FROM side WHERE session = :session ORDER BY file")?;
    let sides = read.query_map(named_params! {":session": session}, |row| {
        Ok(SideShape { file: row.get(0)?, agent_id: row.get(1)?, path: row.get(2)? })
    })?;
    Ok(SessionShape {
        schema: Some(SCHEMA.into()),
        agent: Some(key.agent.clone()),
        id: key.id.clone(),
        sub: key.sub.clone(),
        title: sessions::title(conn, session)?,
        sides: sides.collect::<Result<_, _>>()?,
        retention: forget::kept_of(conn, session)?.map(|quotes| quotes.name().to_owned()),
    })
}

fn line(conn: &Connection, session: i64, stored: &Stored, out: &mut dyn Write) -> Result<(), StoreError> {
    let Stored { row, line } = stored;
    let own: bool = conn
        .prepare_cached("SELECT own FROM line WHERE line = :line")?
        .query_row(named_params! {":line": row}, |row| row.get(0))?;
    match rows::raw(conn, *row)? {
        // A line of this very format goes out as it came. It is the first of those that make up a line of several parts.
        Some(raw) if own => {
            out.write_all(&raw)
                .and_then(|()| out.write_all(b"\n"))
                .map_err(|error| crate::store::file::io("cannot write".into(), error))?;
            if let Body::Message { parts, .. } = &line.body {
                written_parts(conn, *row, line, parts, None, out)?;
            }
        }
        raw => written(conn, *row, line, raw, out)?,
    }
    if let Body::Compaction { boundary: Boundary { own_record: true, .. }, .. } = &line.body {
        told::record(conn, session, stored, out)?;
    }
    Ok(())
}

fn written(
    conn: &Connection,
    row: i64,
    line: &Line,
    raw: Option<Vec<u8>>,
    out: &mut dyn Write,
) -> Result<(), StoreError> {
    let (raw, raw_hex) = match raw.map(String::from_utf8) {
        None => (None, None),
        Some(Ok(text)) => (Some(text), None),
        Some(Err(bytes)) => (None, Some(hex(bytes.as_bytes()))),
    };
    let links = Links {
        parent: line.parent.clone(),
        logical_parent: line.logical_parent.clone(),
        agent_id: line.sidechain.clone(),
        started_agent: line.started_agent.clone(),
        lossy: line.lossy.clone(),
        file: line.file.0,
        raw,
        raw_hex,
    };
    let (id, at) = (line.id.clone(), line.at.map(At));
    let plain = |kind: &str, links| LineShape { id: id.clone(), kind: kind.into(), at, links, ..LineShape::default() };
    match &line.body {
        Body::Message { parts, role, message, usage } if parts.is_empty() => {
            let shape = LineShape {
                role: Some(names::role(*role).into()),
                turn: message.clone(),
                usage: usage.map(|usage| UsageShape { input: usage.input, output: usage.output }),
                ..plain("message", links)
            };
            put(out, &text("line", &shape))
        }
        Body::Message { parts, .. } => written_parts(conn, row, line, parts, Some(links), out),
        Body::Compaction { boundary, summary } => {
            put(out, &text("compaction", &compaction_shape(line, boundary, summary.as_ref(), links)))
        }
        Body::Summary(summary) => {
            put(out, &text("line", &LineShape { text: Some(summary.text.clone()), ..plain("summary", links) }))
        }
        Body::Note(saved) => {
            let (before, saved, cleared) = (saved.before, saved.saved, saved.cleared as u64);
            put(out, &text("note", &NoteShape { id, at, before, saved, cleared, links }))
        }
        Body::Noise { what, title, text: said } => {
            let shape = LineShape {
                what: Some(what.clone()),
                title: title.clone(),
                text: Some(said.clone()).filter(|text| !text.is_empty()),
                ..plain("noise", links)
            };
            put(out, &text("line", &shape))
        }
        Body::Unread { why } => {
            put(out, &text("line", &LineShape { what: Some(why.clone()), ..plain("unread", links) }))
        }
    }
}

/// The parts of a line; without the links all but the first.
fn written_parts(
    conn: &Connection,
    row: i64,
    line: &Line,
    parts: &[Part],
    links: Option<Links>,
    out: &mut dyn Write,
) -> Result<(), StoreError> {
    let skip = usize::from(links.is_none());
    if parts.len() <= skip {
        return Ok(());
    }
    let ids: Vec<String> = conn
        .prepare_cached("SELECT id FROM part WHERE line = :line ORDER BY block")?
        .query_map(named_params! {":line": row}, |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let mut links = links;
    let gone = forget::gone(conn, row)?;
    for (part, id) in parts.iter().zip(&ids).skip(skip) {
        let mut shape = part_shape(line, part, id, links.take());
        if let Some((_, bytes, hash)) = gone.iter().find(|(block, ..)| *block == part.block) {
            shape.gone = Some(GoneShape { bytes: *bytes, hash: hash.to_string() });
            shape.text = None;
        }
        put(out, &text("part", &shape))?;
    }
    Ok(())
}

/// The first part of a line also carries what the line says.
fn part_shape(line: &Line, part: &Part, id: &str, links: Option<Links>) -> PartShape {
    let Body::Message { role, message, parts, usage } = &line.body else { return PartShape::default() };
    let fields = Fields::of(part);
    let first = links.is_some();
    let links = links.unwrap_or_else(|| Links { file: line.file.0, ..Links::default() });
    let alone = parts.len() == 1 && line.id.as_deref() == Some(id);
    PartShape {
        id: id.to_owned(),
        turn: message.clone(),
        role: names::role(*role).into(),
        kind: fields.kind.into(),
        speaker: Some(names::speaker(part.speaker).into()),
        at: line.at.map(At),
        line: match (&line.id, alone) {
            (_, true) => OfLine::TheParts,
            (Some(id), false) => OfLine::Id(id.clone()),
            (None, false) => OfLine::None,
        },
        block: part.block,
        text: Some(part.text.clone()),
        tool: fields.tool.map(str::to_owned),
        call: fields.call.map(str::to_owned),
        ok: fields.ok,
        what: fields.what.map(str::to_owned),
        gone: None,
        usage: usage.filter(|_| first).map(|usage| UsageShape { input: usage.input, output: usage.output }),
        links,
    }
}

fn compaction_shape(line: &Line, boundary: &Boundary, summary: Option<&Summary>, links: Links) -> CompactionShape {
    let (first_kept, first_kept_line) = match &boundary.first_kept {
        Some(FirstKept::Id(id)) => (Some(id.clone()), None),
        Some(FirstKept::Line(line)) => (None, Some(*line)),
        None => (None, None),
    };
    CompactionShape {
        id: line.id.clone(),
        at: line.at.map(At),
        trigger: boundary.trigger.map(|trigger| names::trigger(trigger).into()),
        tokens_before: boundary.tokens_before,
        tokens_after: boundary.tokens_after,
        preserved: boundary.preserved.clone(),
        preserved_head: boundary.preserved_segment.as_ref().map(|kept| kept.head.clone()),
        preserved_tail: boundary.preserved_segment.as_ref().map(|kept| kept.tail.clone()),
        first_kept,
        first_kept_line,
        last_covered: boundary.last_covered.clone(),
        summary: summary.map(|summary| summary.text.clone()),
        record: boundary.own_record,
        links,
    }
}
