//! Our SQLite database: sessions with their lines and parts, own records, blocks and spans, ledgers, review marks, wrong
//! alarms and a search index.
//!
//! Lines, parts, own records, blocks and ledger entries only grow; SQLite itself refuses anything else. In retention mode
//! the texts of closed blocks go, and nothing of them is left in the file. What a line means (turns, markers, ranges) is
//! not stored: a session here is read through [`crate::session::Log`] like any other. No other program's store
//! is read here, and nothing is decided about what a record or an entry means.

mod alarms;
mod anchors;
mod append;
mod arrival;
mod audits;
mod bare;
mod blocks;
mod borrowed;
mod closed;
mod erase;
mod error;
mod file;
mod forget;
mod import;
mod interchange;
mod kept;
mod ledger;
mod lengths;
mod log;
mod names;
mod open;
mod opened;
mod pen;
mod quotes;
mod records;
mod reviews;
mod rows;
mod runs;
mod schema;
mod seal;
mod search;
mod sessions;
mod shelf;
mod sources;
mod stays;
mod verify;

#[cfg(test)]
mod tests;

/// The longest line in bytes that is stored, as an agent's file has it or in the interchange format.
const LONGEST: usize = 256 << 20;

/// The version of SQLite that is built in.
pub fn sqlite_version() -> &'static str {
    rusqlite::version()
}

pub use append::{Appender, BATCH, Committed, Entries};
pub use arrival::{Arrivals, Binding};
pub use audits::Audited;
pub use error::{AppendError, LineError, StoreError, WHEN_DAMAGED};
pub use forget::{Forgotten, Quotes};
pub use import::Imported;
pub use interchange::read_entries;
pub use ledger::check_chain;
pub use lengths::Lengths;
pub use open::{Access, Store};
pub use opened::Opened;
pub use reviews::Review;
pub use search::{Hit, Searched, Unsearched};
pub use sessions::SessionRow;
pub use shelf::{Closed, Shelved, Wordings};
pub use stays::{Stays, StaysAs};
pub use verify::Damage;
