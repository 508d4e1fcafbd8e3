//! Review marks (*checked, right*): kept for people, said to nobody else.

use rusqlite::{Connection, named_params};

use super::pen::session_for;
use super::{Store, StoreError, anchors, rows};
use crate::record::Anchor;
use crate::session::SessionKey;

/// An item that somebody marked as *checked, right*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// The item.
    pub anchor: Anchor,
    /// Who checked it last.
    pub author: String,
    /// Milliseconds since 1970, UTC.
    pub at: i64,
}

impl Store {
    /// What is marked now: the newest mark on an item counts.
    pub fn reviews(&self, key: &SessionKey) -> Result<Vec<Review>, StoreError> {
        let Some(session) = rows::session_row(&self.conn, key)? else { return Ok(Vec::new()) };
        let mut marked: Vec<Review> = Vec::new();
        for Mark { anchor, author, at, checked } in marks(&self.conn, session)? {
            marked.retain(|review| !review.anchor.same(&anchor));
            if checked {
                marked.push(Review { anchor, author, at });
            }
        }
        Ok(marked)
    }

    /// Marks an item, or takes the mark back. Both are kept.
    pub fn review(&mut self, anchor: &Anchor, author: &str, at_ms: i64, checked: bool) -> Result<(), StoreError> {
        let mark = Mark { anchor: anchor.clone(), author: author.to_owned(), at: at_ms, checked };
        self.write(|tx| mark.insert(tx, session_for(tx, &anchor.session, Some(at_ms))?))?;
        self.wrote(1);
        Ok(())
    }
}

/// One mark, given or taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    anchor: Anchor,
    author: String,
    at: i64,
    checked: bool,
}

impl Mark {
    pub(super) fn insert(&self, tx: &Connection, session: i64) -> Result<(), StoreError> {
        let values = anchors::values(Some(&self.anchor));
        let mut add = tx.prepare_cached(&format!(
            "INSERT INTO review (session, no, at, author, checked, {})
             VALUES (:session, (SELECT ifnull(max(no), 0) + 1 FROM review WHERE session = :session),
                     :at, :author, :checked, {})",
            anchors::COLUMNS,
            anchors::PARAMETERS,
        ))?;
        add.execute(named_params! {
            ":session": session, ":at": self.at, ":author": self.author, ":checked": self.checked,
            ":anchor_agent": values.agent, ":anchor_session": values.session, ":anchor_sub": values.sub,
            ":anchor_marker": values.marker, ":anchor_summary": values.summary, ":anchor_field": values.field,
            ":anchor_text": values.text, ":anchor_hash": values.hash, ":anchor_start": values.start,
            ":anchor_end": values.end, ":anchor_record": values.record, ":anchor_ordinal": values.ordinal,
        })?;
        Ok(())
    }
}

/// Every mark of a session in its order.
pub(super) fn marks(conn: &Connection, session: i64) -> Result<Vec<Mark>, StoreError> {
    let mut read = conn.prepare_cached("SELECT * FROM review WHERE session = :session ORDER BY no")?;
    let mut found = read.query(named_params! {":session": session})?;
    let mut marks = Vec::new();
    while let Some(row) = found.next()? {
        if let Some(anchor) = anchors::read(row)? {
            let checked = row.get("checked")?;
            marks.push(Mark { anchor, author: row.get("author")?, at: row.get("at")?, checked });
        }
    }
    Ok(marks)
}
