//! Anchors as columns: what entries and review marks hold on to.

use rusqlite::Row;

use super::rows;
use crate::record::{Anchor, AnchorAt, Field};
use crate::session::{MarkerKey, SessionKey};

/// The values of the columns in [`COLUMNS`]; all empty without an anchor.
#[derive(Default)]
pub(super) struct Values<'a> {
    pub(super) agent: Option<&'a str>,
    pub(super) session: Option<&'a str>,
    pub(super) sub: Option<&'a str>,
    pub(super) marker: Option<&'a str>,
    pub(super) summary: Option<[u8; 32]>,
    pub(super) field: Option<&'a str>,
    pub(super) text: Option<&'a str>,
    pub(super) hash: Option<[u8; 32]>,
    pub(super) start: Option<i64>,
    pub(super) end: Option<i64>,
    pub(super) record: Option<&'a str>,
    pub(super) ordinal: Option<u32>,
}

/// The columns that hold an anchor.
pub(super) const COLUMNS: &str =
    "anchor_agent, anchor_session, anchor_sub, anchor_marker, anchor_summary, anchor_field,
    anchor_text, anchor_hash, anchor_start, anchor_end, anchor_record, anchor_ordinal";

/// The parameters for them.
pub(super) const PARAMETERS: &str = ":anchor_agent, :anchor_session, :anchor_sub, :anchor_marker, :anchor_summary,
    :anchor_field, :anchor_text, :anchor_hash, :anchor_start, :anchor_end, :anchor_record, :anchor_ordinal";

/// An anchor's values; all empty without one.
pub(super) fn values(anchor: Option<&Anchor>) -> Values<'_> {
    let Some(anchor) = anchor else { return Values::default() };
    let all = Values {
        agent: Some(&anchor.session.agent),
        session: Some(&anchor.session.id),
        sub: anchor.session.sub.as_deref(),
        marker: Some(&anchor.marker.id),
        summary: Some(anchor.marker.summary.0),
        field: Some(anchor.field.name()),
        text: Some(&anchor.text),
        hash: Some(anchor.hash.0),
        ..Values::default()
    };
    match &anchor.at {
        AnchorAt::Summary(start, end) => Values { start: Some(*start as i64), end: Some(*end as i64), ..all },
        AnchorAt::Own { record, ordinal } => Values { record: Some(record), ordinal: Some(*ordinal), ..all },
    }
}

/// The anchor in a row; `None` where there is none.
pub(super) fn read(row: &Row) -> rusqlite::Result<Option<Anchor>> {
    let Some(agent) = row.get::<_, Option<String>>("anchor_agent")? else { return Ok(None) };
    let field: String = row.get("anchor_field")?;
    let at = match row.get::<_, Option<String>>("anchor_record")? {
        Some(record) => AnchorAt::Own { record, ordinal: row.get("anchor_ordinal")? },
        None => {
            AnchorAt::Summary(row.get::<_, i64>("anchor_start")? as usize, row.get::<_, i64>("anchor_end")? as usize)
        }
    };
    Ok(Some(Anchor {
        session: SessionKey { agent, id: row.get("anchor_session")?, sub: row.get("anchor_sub")? },
        marker: MarkerKey { id: row.get("anchor_marker")?, summary: rows::hash(row, "anchor_summary")? },
        field: Field::named(&field).ok_or_else(|| unknown("field", &field))?,
        text: row.get("anchor_text")?,
        hash: rows::hash(row, "anchor_hash")?,
        at,
    }))
}

/// A word in a column that no version of this program writes.
pub(super) fn unknown(what: &str, word: &str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(
        0,
        rusqlite::types::Type::Text,
        format!("an unknown {what}: {word:?}").into(),
    )
}
