//! Stores parts while a session runs.

use super::{Problem, Workbench};
use crate::session::SessionKey;
use crate::store::Store;

/// A session that is being appended to.
pub struct Appending {
    store: Store,
    key: SessionKey,
    /// Lines that were given so far.
    lines: u64,
}

/// What came of one batch, after its commit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// The ids that are on the disk now, in the order in which they came.
    pub acknowledged: Vec<String>,
    /// The first line that was not taken, and why. It and what follows it in the batch are not stored.
    pub refused: Option<String>,
}

impl Workbench {
    /// Opens a session of the database for appending; it need not exist.
    pub fn append(&self, key: &SessionKey) -> Result<Appending, Problem> {
        Ok(Appending { store: Store::create_or_open(&self.settings.db)?, key: key.clone(), lines: 0 })
    }
}

impl Appending {
    /// Stores these lines in one commit. What is acknowledged is on the disk.
    pub fn take(&mut self, lines: &[Vec<u8>]) -> Result<Taken, Problem> {
        let mut appender = self.store.appender(self.key.clone());
        let mut refused = None;
        // Line numbers count from the first line that was ever given, empty ones too.
        let mut numbers = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let no = self.lines + at as u64 + 1;
            if line.trim_ascii().is_empty() {
                continue;
            }
            numbers.push(no);
            let Ok(text) = std::str::from_utf8(line) else {
                refused = Some(format!("line {no}: it is not UTF-8"));
                break;
            };
            if let Err(error) = appender.push(text.trim_end_matches(['\n', '\r'])) {
                refused = Some(format!("line {no}: {}", error.why));
                break;
            }
        }
        let done = appender.commit()?;
        if let Some(error) = done.refused {
            let at = usize::try_from(error.line).unwrap_or(usize::MAX).saturating_sub(1);
            let no = numbers.get(at).copied().unwrap_or(error.line);
            refused = Some(format!("line {no}: {}", error.why));
        }
        self.lines += lines.len() as u64;
        Ok(Taken { acknowledged: done.acked, refused })
    }
}
