//! Anchors as columns: what entries and review marks hold on to.

use rusqlite::Row;

use super::rows;
use crate::record::{Anchor, AnchorAt, Field};
use crate::session::{MarkerKey, SessionKey};

/// The values of the ten anchor columns, in the order of [`COLUMNS`].
pub(super) type Values<'a> = (
    Option<&'a str>,
    Option<&'a str>,
    Option<&'a str>,
    Option<&'a str>,
    Option<[u8; 32]>,
    Option<&'a str>,
    Option<&'a str>,
    Option<[u8; 32]>,
    (Option<i64>, Option<i64>),
    (Option<&'a str>, Option<u32>),
);

/// The columns that hold an anchor.
pub(super) const COLUMNS: &str =
    "anchor_agent, anchor_session, anchor_sub, anchor_marker, anchor_summary, anchor_field,
    anchor_text, anchor_hash, anchor_start, anchor_end, anchor_record, anchor_ordinal";

/// The parameters for them.
pub(super) const PARAMETERS: &str = ":anchor_agent, :anchor_session, :anchor_sub, :anchor_marker, :anchor_summary,
    :anchor_field, :anchor_text, :anchor_hash, :anchor_start, :anchor_end, :anchor_record, :anchor_ordinal";

/// An anchor's values; all empty without one.
pub(super) fn values(anchor: Option<&Anchor>) -> Values<'_> {
    let Some(anchor) = anchor else {
        return (None, None, None, None, None, None, None, None, (None, None), (None, None));
    };
    let (range, own) = match &anchor.at {
        AnchorAt::Summary(start, end) => ((Some(*start as i64), Some(*end as i64)), (None, None)),
        AnchorAt::Own { record, ordinal } => ((None, None), (Some(record.as_str()), Some(*ordinal))),
    };
    (
        Some(&anchor.session.agent),
        Some(&anchor.session.id),
        anchor.session.sub.as_deref(),
        Some(&anchor.marker.id),
        Some(anchor.marker.summary.0),
        Some(anchor.field.name()),
        Some(&anchor.text),
        Some(anchor.hash.0),
        range,
        own,
    )
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
