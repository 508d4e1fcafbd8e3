//! Blocks: where the turns of a session are cut, and the record of each run of turns, made once from the originals. No
//! summary is read here, and no field made here passes through a summariser.

mod answers;
mod calls;
mod fresh;
mod record;
mod rules;
mod seams;
mod seen;
mod things;
mod topic;
mod used;

#[cfg(test)]
mod tests;

pub use record::Recording;
pub use rules::{Rules, Triggers};
pub use seams::{BlockEnd, Seams};
pub use seen::TurnSeen;
