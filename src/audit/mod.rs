//! A record held against the originals: a verdict for each item, and what the compaction did wrong. Nothing is read
//! here; what the originals hold comes in as values, gathered while they passed once.

mod across;
mod asked;
mod beside;
mod capitals;
mod check;
mod claims;
mod context;
mod crossed;
mod figures;
mod forms;
mod instead;
mod lately;
mod likeness;
mod lineage;
mod lost;
mod names;
mod near;
mod numbers;
mod overruled;
mod presence;
mod quantities;
mod readings;
mod retention;
mod sought;
mod sums;
mod tokens;
mod vocabulary;
mod voice;
mod warnings;
#[cfg(test)]
mod world;

/// The version of the rules: a change that finds something else in the same session takes the next number, and what was
/// found before is dropped.
pub const RULES: u32 = 7;

pub use across::{Alone, Among, across};
pub use check::{Case, check};
pub use claims::{Consents, Reader, added};
pub use lineage::{Followed, Rendering, forgotten, lineage};
pub use lost::{Gists, HeldFact, Losses, Lost, Originals, held, lost};
pub use presence::{Overheard, Presence};
pub use retention::{Measure, Measured, retention};
pub use voice::Voice;
pub use warnings::{Calls, warnings};

#[cfg(test)]
mod later_tests;
#[cfg(test)]
mod tests;
