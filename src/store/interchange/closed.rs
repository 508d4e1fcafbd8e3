//! Blocks and spans out of lines. They are held against what is stored as those are that have just closed.

use std::sync::Arc;

use rusqlite::{OptionalExtension, named_params};

use super::record::said;
use super::recorded::{BlockShape, ItemShape, ItemsShape, RunShape, SourceShape, SpanShape};
use super::take::{Refusal, Taker, other_bytes};
use super::words::hash;
use crate::record::{Block, ClosedBy, Field, Item, Record, Run, Span, Turned, Verdict};
use crate::session::{FileNo, Hash, PartSeq, Place, SourceRef, TurnNo};
use crate::store::anchors::unknown;
use crate::store::{StoreError, blocks, names};

impl Taker<'_> {
    pub(super) fn block(&mut self, shape: &BlockShape) -> Result<(), Refusal> {
        let closed_by = ClosedBy::named(&shape.closed_by);
        let turned = shape.turned.as_ref().map(|name| Turned::named(name).ok_or_else(|| name.clone()));
        let block = Block {
            no: shape.no,
            run: run(&shape.run)?,
            closed_by: closed_by.ok_or_else(|| format!("closed_by is {:?}, which is none", shape.closed_by))?,
            turned: turned.transpose().map_err(|name| format!("turned is {name:?}, which is none"))?,
            cut: shape.cut.clone(),
            generation: shape.generation,
            record: self.closed(&format!("block {}", shape.no), &shape.items)?,
        };
        let texts = self.texts()?;
        let added = blocks::add_block(self.pen.conn, &mut self.pen, &block, texts);
        self.counted(added)
    }

    pub(super) fn span(&mut self, shape: &SpanShape) -> Result<(), Refusal> {
        let span = Span {
            no: shape.no,
            blocks: (shape.blocks[0], shape.blocks[1]),
            run: run(&shape.run)?,
            generation: shape.generation,
            record: self.closed(&format!("span {}", shape.no), &shape.items)?,
        };
        let texts = self.texts()?;
        let added = blocks::add_span(self.pen.conn, &mut self.pen, &span, texts);
        self.counted(added)
    }

    fn counted(&mut self, added: Result<usize, StoreError>) -> Result<(), Refusal> {
        match added {
            Ok(written) => {
                self.done.records_new += u64::from(written > 0);
                self.pen.written += written;
                Ok(())
            }
            Err(StoreError::Unfit { what, why }) => Err(format!("{what}: {why}").into()),
            Err(StoreError::Conflict { what }) => Err(other_bytes(&what)),
            Err(other) => Err(Refusal::Store(other)),
        }
    }

    fn closed(&self, what: &str, shapes: &ItemsShape) -> Result<Arc<Record>, Refusal> {
        let mut items = Vec::new();
        for (field, shapes) in shapes.by_field() {
            for (nth, shape) in (1..).zip(shapes) {
                items.push(self.item_of_run(field, shape).map_err(|why| match why {
                    Refusal::Line(why) => Refusal::Line(format!("{what}, {} {nth}: {why}", field.name())),
                    Refusal::Store(error) => Refusal::Store(error),
                })?);
            }
        }
        Ok(Arc::new(Record { items, summary: String::new(), rules: 0 }))
    }

    fn item_of_run(&self, field: Field, shape: &ItemShape) -> Result<Item, Refusal> {
        let (text, detail) = said(field, shape)?;
        let sources = shape.source.iter().chain(&shape.sources);
        Ok(Item {
            field,
            text,
            range: None,
            detail,
            sources: sources.map(|source| self.source_of_run(source)).collect::<Result<_, _>>()?,
            verdict: Verdict::Unchecked,
            why: shape.draft.clone(),
            better: None,
            own: None,
        })
    }

    fn source_of_run(&self, shape: &SourceShape) -> Result<SourceRef, Refusal> {
        let mut find = self.pen.conn.prepare_cached(
            "SELECT line.file, line.seq, part.block, line.id, part.speaker
             FROM part JOIN line USING (line)
             WHERE part.session = :session AND part.id = :id",
        )?;
        let params = named_params! {":session": self.pen.session, ":id": shape.part};
        let found = find.query_row(params, |row| {
            let place = Place { file: FileNo(row.get(0)?), offset: row.get::<_, i64>(1)? as u64, part: row.get(2)? };
            let speaker: String = row.get(4)?;
            let speaker = names::speaker_named(&speaker).ok_or_else(|| unknown("speaker", &speaker))?;
            Ok((place, row.get::<_, Option<String>>(3)?, speaker))
        });
        let Some((place, line_id, speaker)) = found.optional()? else {
            return Err(format!("its source is part {}, which is not here", shape.part).into());
        };
        let Some([start, end]) = shape.range else {
            return Err(format!("its source in part {} has no range", shape.part).into());
        };
        let seq = shape.seq.ok_or_else(|| format!("its source in part {} has no seq", shape.part))?;
        let given = shape.hash.as_deref().map(|text| hash("source.hash", text)).transpose()?;
        Ok(SourceRef {
            turn: TurnNo(Vec::new()),
            turn_id: String::new(),
            line_id,
            place,
            seq: PartSeq(seq),
            range: (start, end),
            quote: shape.quote.clone(),
            hash: given.unwrap_or_else(|| Hash::of(shape.quote.as_bytes())),
            speaker,
        })
    }
}

fn run(shape: &RunShape) -> Result<Run, String> {
    Ok(Run {
        parts: shape.parts[0]..shape.parts[1],
        turns: (shape.turns[0], shape.turns[1]),
        from_id: shape.from.clone(),
        tokens: shape.tokens,
        originals: hash("originals", &shape.originals)?,
    })
}
