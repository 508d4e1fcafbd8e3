//! The interchange format: a session as JSON lines, written by an export, read by an import, and line by line by an
//! append. The shapes on disk stay in here; what comes out are the session's own values.

mod boundary;
mod closed;
mod entry;
mod export;
mod lines;
mod record;
mod recorded;
mod shapes;
mod take;
mod told;
mod words;

pub use entry::read_entries;
pub(super) use entry::{Entered, entered};
pub(super) use lines::{at_of, key_of, typed_in};
pub(super) use shapes::{Given, parse};
pub(super) use take::{Heard, Mode, Refusal, Taker};

/// The `schema` of a session line.
pub(super) const SCHEMA: &str = "stet.interchange/1";
