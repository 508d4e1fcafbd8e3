//! A record held against the originals: a verdict for each item, and what the compaction did wrong. Nothing is read
//! here; what the originals hold comes in as values, gathered while they passed once.

mod capitals;
mod check;
mod claims;
mod context;
mod figures;
mod forms;
mod lost;
mod names;
mod near;
mod numbers;
mod presence;
mod readings;
mod tokens;
mod voice;

pub use check::{Case, check};
pub use claims::Consents;
pub use lost::{Losses, Lost, Originals};
pub use presence::Presence;
pub use voice::Voice;
