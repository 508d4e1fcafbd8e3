//! Why a stet database cannot be opened, read or written, in words for a person.

use std::time::Duration;

use rusqlite::ErrorCode;

/// What to do with a damaged database.
pub const WHEN_DAMAGED: &str = "keep the file as it is; where it still opens, stet export FILE#SESSION writes what can be \
                                read, and an earlier copy or export brings back the rest";

/// What went wrong with a stet database.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is nothing at this path.
    #[error("there is no file {0}")]
    Missing(String),
    /// Readable, but nothing of ours: nothing is ever created in it.
    #[error("{path} is not a stet database: {why}")]
    NotOurs {
        /// Its name.
        path: String,
        /// What it is instead.
        why: String,
    },
    /// A SQLite database of somebody else.
    #[error("{path} is a SQLite database, but not a stet database: {why}")]
    Foreign {
        /// Its name.
        path: String,
        /// What tells it apart.
        why: String,
    },
    /// The bytes do not hold together.
    #[error("damaged: {0} ({advice})", advice = WHEN_DAMAGED)]
    Damaged(String),
    /// One row holds what it must not; the others are as they were.
    #[error("damaged: {0} ({advice})", advice = WHEN_DAMAGED)]
    Row(String),
    /// More files than can be told apart.
    #[error("the session has more sub-agents' files than there are numbers for them (65535)")]
    Files,
    /// A newer program wrote it: it is read, never written.
    #[error(
        "the database was written by version {theirs}, this program knows {ours}: it is opened read-only (update stet)"
    )]
    Newer {
        /// The version in the file.
        theirs: u32,
        /// The version of this program.
        ours: u32,
    },
    /// The file or its folder cannot be written.
    #[error("{0} cannot be written (this was not saved; check the file's and the folder's permissions)")]
    ReadOnly(String),
    /// What is at the path is not what was opened.
    #[error("{0} was deleted or replaced since it was opened (this was not saved; open it again)")]
    Replaced(String),
    /// The triggers that refuse changes are not what this program put there.
    #[error("the guards of the database were changed ({0}): it is read, but not written")]
    Unguarded(String),
    /// Another program holds the lock.
    #[error("the database is locked by another program for {} s (this was not saved; try again)", .0.as_secs())]
    Busy(Duration),
    /// The disk is full.
    #[error("the disk is full (this was not saved; make room and try again)")]
    Full,
    /// What was written is on the disk, and the log beside the database could not be emptied behind it.
    #[error("what was to go is still in the log beside the database: {0} (what was written is saved; run it again)")]
    Lingers(String),
    /// No such session in this database.
    #[error("no session {0} in this database")]
    NoSession(String),
    /// The same place or id with other bytes.
    #[error(
        "{what} is stored already with other bytes (what is stored never changes; to take it as it is now, use another database: --db FILE)"
    )]
    Conflict {
        /// The line or the id.
        what: String,
    },
    /// Another run closed the same turns, and cut them otherwise.
    #[error("{what} was closed meanwhile by another run, and stays as it is (run it again: it goes on behind that)")]
    ClosedMeanwhile {
        /// `block 4`, `span 2`.
        what: String,
    },
    /// A block or a span that does not fit what is stored.
    #[error("{what} cannot be stored: {why} (nothing was saved)")]
    Unfit {
        /// `block 4`, `span 2`.
        what: String,
        /// What does not fit.
        why: String,
    },
    /// Retention was asked of a session that keeps its originals.
    #[error("session {0} keeps its originals: nothing of it is forgotten (retention is chosen when a session is made)")]
    Keeps(String),
    /// The words that a session quotes cannot be kept and dropped by turns.
    #[error("session {session} was made with --quotes {quotes}, and that never changes")]
    KeptOtherwise {
        /// The session.
        session: String,
        /// What was chosen.
        quotes: &'static str,
    },
    /// A line of the interchange format that cannot be taken.
    #[error(transparent)]
    Line(#[from] LineError),
    /// The chain of entries does not hold.
    #[error("the ledger's chain is broken at entry {no}: {why}")]
    Chain {
        /// The entry's number.
        no: u32,
        /// What does not fit.
        why: String,
    },
    /// What is to be copied in cannot be read.
    #[error(transparent)]
    Source(#[from] crate::session::LogError),
    /// Reading or writing a file failed.
    #[error("{what}: {error}")]
    Io {
        /// What was tried.
        what: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// Whatever else SQLite says.
    #[error("the database says: {0}")]
    Sqlite(String),
}

/// Why one line of the interchange format was not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct LineError {
    /// From 1, in the order in which lines were given.
    pub line: u64,
    /// Names the id or the key that is wrong.
    pub why: String,
}

/// Why an appended line was not taken: the same as for an imported one.
pub type AppendError = LineError;

impl StoreError {
    /// Whether trying again may help.
    pub(super) fn is_busy(&self) -> bool {
        matches!(self, StoreError::Busy(_))
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        if let rusqlite::Error::SqliteFailure(code, message) = &error {
            let text = || message.clone().unwrap_or_else(|| code.to_string());
            return match code.code {
                // A constraint: nothing is written here that a sound file refuses.
                ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::ConstraintViolation => {
                    StoreError::Damaged(text())
                }
                // The file that readers share does not fit any more.
                _ if code.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE => StoreError::Full,
                ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => StoreError::Busy(Duration::ZERO),
                ErrorCode::ReadOnly => StoreError::ReadOnly("the database".into()),
                ErrorCode::DiskFull => StoreError::Full,
                _ => StoreError::Sqlite(text()),
            };
        }
        match error {
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::Utf8Error(..) => StoreError::Row(format!("a row holds what it must not: {error}")),
            other => StoreError::Sqlite(other.to_string()),
        }
    }
}
