//! What the check of a session found, kept so that opening it again needs no second check. Derived: it holds for the
//! bytes that were read and the rules that read them, and is dropped when there is too much of it.

mod shape;

use rusqlite::{OptionalExtension, named_params};

use super::pen::session_for;
use super::{Store, StoreError, rows};
use crate::record::{Checked, Record};
use crate::session::{Hash, MarkerKey, PartSeq, SessionKey};

/// So many bytes are kept over all sessions; where they would be more, only the newest outcome stays.
const MOST: i64 = 256 << 20;

/// What the check of a session found, each marker for itself: before the ledger and other markers were asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audited {
    /// In their order, with the record as its check left it.
    pub markers: Vec<(MarkerKey, Record, Checked)>,
    /// Calls whose results stand behind a marker: the call, and the places of both.
    pub answered: Vec<(PartSeq, u64, u64)>,
}

impl Store {
    /// Whether anything is known of the session, whatever it holds by now.
    pub fn has_audited(&self, key: &SessionKey) -> Result<bool, StoreError> {
        let Some(session) = rows::session_row(&self.conn, key)? else { return Ok(false) };
        if !self.conn.table_exists(None, "audit")? {
            return Ok(false);
        }
        let mut read = self.conn.prepare_cached("SELECT EXISTS (SELECT 1 FROM audit WHERE session = :session)")?;
        Ok(read.query_row(named_params! {":session": session}, |row| row.get(0))?)
    }

    /// What was found in exactly these originals by these rules; `None` where that is not known.
    pub fn audited(&self, key: &SessionKey, rules: u32, originals: Hash) -> Result<Option<Audited>, StoreError> {
        if !self.has_audited(key)? {
            return Ok(None);
        }
        let session = rows::session_row(&self.conn, key)?;
        let mut read = self.conn.prepare_cached(
            "SELECT found
             FROM audit
             WHERE session = :session AND rules = :rules AND originals = :originals",
        )?;
        let values = named_params! {":session": session, ":rules": rules, ":originals": originals.0};
        let found: Option<Vec<u8>> = read.query_row(values, |row| row.get(0)).optional()?;
        // One that cannot be read is as good as none: it is made anew.
        Ok(found.and_then(|found| shape::read(&found)))
    }

    /// Keeps what was found, in place of what was found before.
    pub fn keep_audited(
        &mut self,
        key: &SessionKey,
        rules: u32,
        originals: Hash,
        audited: &Audited,
    ) -> Result<(), StoreError> {
        let found = shape::written(audited);
        if found.len() as i64 > MOST {
            return Ok(());
        }
        self.write(|tx| {
            let session = session_for(tx, key, None)?;
            let mut add = tx.prepare_cached(
                "INSERT INTO audit (session, rules, originals, found)
                 VALUES (:session, :rules, :originals, :found)
                 ON CONFLICT (session) DO UPDATE
                 SET rules = :rules, originals = :originals, found = :found",
            )?;
            add.execute(named_params! {
                ":session": session,
                ":rules": rules,
                ":originals": originals.0,
                ":found": found,
            })?;
            let mut rest = tx.prepare_cached(
                "DELETE FROM audit
                 WHERE session <> :session AND (SELECT sum(length(found)) FROM audit) > :most",
            )?;
            rest.execute(named_params! {":session": session, ":most": MOST})?;
            Ok(())
        })?;
        self.wrote(1);
        Ok(())
    }
}
