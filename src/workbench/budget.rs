//! How many tokens a window may hold where nobody says it.

use crate::session::Compaction;

/// Budgets that are usual, in tokens.
pub const BUDGETS: [u64; 13] =
    [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 100_000, 128_000, 200_000, 400_000, 1_000_000, 2_000_000];
/// The budget where no compaction tells how full the agent's context became.
const UNTOLD: u64 = 200_000;

/// The budget where nobody said one: enough for the fullest context that a compaction tells of.
pub fn usual_budget<'a>(compactions: impl IntoIterator<Item = &'a Compaction>) -> u64 {
    let fullest = compactions.into_iter().filter_map(|compaction| compaction.tokens_before).max();
    fullest.map_or(UNTOLD, |fullest| BUDGETS.into_iter().find(|budget| *budget >= fullest).unwrap_or(fullest))
}
