//! The boundary of a compaction out of its line: what it names by the ids of parts is named by their lines.

use rusqlite::{OptionalExtension, named_params};

use super::lines::line;
use super::shapes::CompactionShape;
use super::take::{Refusal, Taker};
use crate::session::{Body, Boundary, FirstKept, Line, Segment, Summary};
use crate::store::{StoreError, names};

impl Taker<'_> {
    pub(super) fn compaction_of(&self, shape: &CompactionShape) -> Result<Line, Refusal> {
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
}
