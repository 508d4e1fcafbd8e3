//! Records as lines. A quote that is not in its part is refused, and the record with it.

use rusqlite::{OptionalExtension, named_params};

use super::recorded::{ItemShape, ItemsShape, RecordShape, SourceShape};
use super::take::{Refusal, Taker, other_bytes};
use super::words::plain;
use crate::record::{Detail, Field};
use crate::session::Hash;
use crate::store::records::{self, NewItem, NewSource};

impl Taker<'_> {
    pub(super) fn record(&mut self, shape: &RecordShape) -> Result<(), Refusal> {
        let id = &shape.compaction;
        let Some(line) = records::marker_line(self.pen.conn, self.pen.session, id)? else {
            return Err(format!("a record of the compaction {id}, which is not here").into());
        };
        let mut items = Vec::new();
        for (field, shapes) in shape.items.by_field() {
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
                records::insert(self.pen.conn, self.pen.session, Some(line), id, &items)?;
                self.done.records_new += 1;
                self.pen.tally.records += 1;
                self.pen.written += 2 * items.len();
                Ok(())
            }
            Some(stored) if same_items(&stored.items, &items) => Ok(()),
            Some(_) => Err(other_bytes(&format!("the record of {id}"))),
        }
    }

    fn item(&self, field: Field, shape: &ItemShape) -> Result<NewItem, Refusal> {
        let (text, detail) = said(field, shape)?;
        let sources = shape.source.iter().chain(&shape.sources);
        let sources = sources.map(|source| self.source(source)).collect::<Result<_, _>>()?;
        Ok(NewItem { field, text, detail, sources, borrowed: None })
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
        Ok(NewSource {
            part,
            part_id: shape.part.clone(),
            range: (start, start + shape.quote.len()),
            quote: shape.quote.clone(),
            hash: Hash::of(shape.quote.as_bytes()),
            seq: None,
        })
    }
}

/// What an item says, and what its field knows beside that.
pub(super) fn said(field: Field, shape: &ItemShape) -> Result<(String, Detail), String> {
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
    Ok((text.ok_or_else(|| "it has no text".to_owned())?, detail))
}

impl ItemsShape {
    pub(super) fn by_field(&self) -> [(Field, &[ItemShape]); 8] {
        [
            (Field::Narrative, &self.narrative),
            (Field::Entities, &self.entities),
            (Field::Figures, &self.figures),
            (Field::Constraints, &self.constraints),
            (Field::Decisions, &self.decisions),
            (Field::Actions, &self.actions),
            (Field::RuledOut, &self.ruled_out),
            (Field::Open, &self.open),
        ]
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
