//! A record held against the originals: a verdict for each item, and what the compaction did wrong. Nothing is read
//! here; what the originals hold comes in as values, gathered while they passed once.

mod check;
mod lost;
mod names;
mod presence;

pub use check::{Case, check};
pub use lost::{Losses, Lost, Originals};
pub use presence::Presence;
