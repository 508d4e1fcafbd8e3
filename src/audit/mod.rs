//! A record held against the originals: a verdict for each item, and what the compaction did wrong. Nothing is read
//! here; what the originals hold comes in as values, gathered while they passed once.

mod check;
mod names;
mod presence;

pub use check::{Case, check};
pub use presence::Presence;
