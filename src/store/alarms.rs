//! Findings that a person said to be wrong alarms: kept so that the same alarm is not raised again, and can be counted.

use std::collections::BTreeMap;

use rusqlite::{Connection, Row, named_params};

use super::anchors::unknown;
use super::pen::session_for;
use super::{Store, StoreError, rows};
use crate::record::{Alarm, Field, FindingKind};
use crate::session::{MarkerKey, SessionKey};

impl Store {
    /// What is said to be a wrong alarm now: the newest word on a finding counts.
    pub fn wrong_alarms(&self, key: &SessionKey) -> Result<Vec<Alarm>, StoreError> {
        let Some(session) = rows::session_row(&self.conn, key)? else { return Ok(Vec::new()) };
        Ok(standing(said(&self.conn, session, key)?))
    }

    /// Says that a finding is a wrong alarm, or takes that back. Both are kept.
    pub fn wrong_alarm(&mut self, alarm: &Alarm, author: &str, at_ms: i64, wrong: bool) -> Result<(), StoreError> {
        let said = Said { alarm: alarm.clone(), author: author.to_owned(), at: at_ms, wrong };
        self.write(|tx| said.insert(tx, session_for(tx, &alarm.session, Some(at_ms))?))?;
        self.wrote(1);
        Ok(())
    }

    /// How many findings of each kind are said to be wrong alarms, over all sessions; kinds without any are left out.
    pub fn count_wrong_alarms(&self) -> Result<Vec<(FindingKind, usize)>, StoreError> {
        let mut counts: BTreeMap<FindingKind, usize> = BTreeMap::new();
        let mut read = self.conn.prepare_cached("SELECT session, agent, id, sub FROM session")?;
        let mut found = read.query([])?;
        while let Some(row) = found.next()? {
            let key = SessionKey { agent: row.get(1)?, id: row.get(2)?, sub: row.get(3)? };
            for alarm in standing(said(&self.conn, row.get(0)?, &key)?) {
                *counts.entry(alarm.kind).or_default() += 1;
            }
        }
        Ok(counts.into_iter().collect())
    }
}

/// What somebody said once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    alarm: Alarm,
    author: String,
    at: i64,
    wrong: bool,
}

impl Said {
    pub(super) fn insert(&self, tx: &Connection, session: i64) -> Result<(), StoreError> {
        let alarm = &self.alarm;
        let mut add = tx.prepare_cached(
            "INSERT INTO alarm (session, no, at, author, wrong, marker, summary, kind, field, text, hash, start, \"end\")
             VALUES (:session, (SELECT ifnull(max(no), 0) + 1 FROM alarm WHERE session = :session),
                     :at, :author, :wrong, :marker, :summary, :kind, :field, :text, :hash, :start, :end)",
        )?;
        add.execute(named_params! {
            ":session": session, ":at": self.at, ":author": self.author, ":wrong": self.wrong,
            ":marker": alarm.marker.id, ":summary": alarm.marker.summary.0, ":kind": alarm.kind.name(),
            ":field": alarm.field.name(), ":text": alarm.text, ":hash": alarm.hash.0,
            ":start": alarm.range.map(|range| range.0 as i64), ":end": alarm.range.map(|range| range.1 as i64),
        })?;
        Ok(())
    }
}

/// Everything that was said about a session in its order; nothing in a database of a version that did not know it.
pub(super) fn said(conn: &Connection, session: i64, key: &SessionKey) -> Result<Vec<Said>, StoreError> {
    if !conn.table_exists(None, "alarm")? {
        return Ok(Vec::new());
    }
    let mut read = conn.prepare_cached("SELECT * FROM alarm WHERE session = :session ORDER BY no")?;
    let mut found = read.query(named_params! {":session": session})?;
    let mut all = Vec::new();
    while let Some(row) = found.next()? {
        let (author, at, wrong) = (row.get("author")?, row.get("at")?, row.get("wrong")?);
        all.push(Said { alarm: alarm(row, key)?, author, at, wrong });
    }
    Ok(all)
}

fn alarm(row: &Row, key: &SessionKey) -> rusqlite::Result<Alarm> {
    let (kind, field): (String, String) = (row.get("kind")?, row.get("field")?);
    let range = row.get::<_, Option<i64>>("start")?.zip(row.get::<_, Option<i64>>("end")?);
    Ok(Alarm {
        session: key.clone(),
        marker: MarkerKey { id: row.get("marker")?, summary: rows::hash(row, "summary")? },
        kind: FindingKind::named(&kind).ok_or_else(|| unknown("kind of finding", &kind))?,
        field: Field::named(&field).ok_or_else(|| unknown("field", &field))?,
        text: row.get("text")?,
        hash: rows::hash(row, "hash")?,
        range: range.map(|(start, end)| (start as usize, end as usize)),
    })
}

fn standing(said: Vec<Said>) -> Vec<Alarm> {
    let mut standing: Vec<Alarm> = Vec::new();
    for Said { alarm, wrong, .. } in said {
        standing.retain(|other| !other.same(&alarm));
        if wrong {
            standing.push(alarm);
        }
    }
    standing
}
