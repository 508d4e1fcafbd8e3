//! What compacting a session costs, and would cost the other way.

use super::weights::weights;
use super::{Cancel, Problem, SessionInfo, Target, Workbench};
use crate::compile::cost::{Cost, Habits, Own, own};
use crate::store::{Access, Shelved, Store};

/// The cost of one session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionCost {
    /// Which session.
    pub info: SessionInfo,
    /// What was counted.
    pub own: Own,
    /// What it comes to.
    pub cost: Cost,
}

impl Workbench {
    /// Counts what the compactions of a session read, and what blocks and spans would, or did. `tell` hears how far the
    /// reading came.
    pub fn cost(&self, target: &Target, habits: &Habits, tell: &mut dyn FnMut(u64)) -> Result<SessionCost, Problem> {
        let mut desk = self.read(target, tell)?;
        let info = desk.info()?;
        let shelved = self.shelved(target, &info)?;
        let mut log = desk.log_again()?;
        let outline = desk.outline();
        let own = Own {
            turns: tokens(weights(log.as_mut(), &outline, &Cancel::default())?.iter().map(|turn| turn.said)),
            markers: outline.compactions.iter().map(|compaction| compaction.tokens_before).collect(),
            blocks: shelved.blocks.iter().map(|block| block.run.tokens).collect(),
            spans: shelved.spans.iter().map(|span| span.run.tokens).collect(),
        };
        Ok(SessionCost { info, cost: self::own(&own, habits), own })
    }

    fn shelved(&self, target: &Target, info: &SessionInfo) -> Result<Shelved, Problem> {
        let db = match target {
            Target::Kept { db, .. } => db.clone(),
            Target::Foreign(path) => self.ledger_db(path),
        };
        if !Store::is_stet(&db) {
            return Ok(Shelved::default());
        }
        Ok(Store::open(&db, Access::ReadOnly)?.shelved(&info.key)?.unwrap_or_default())
    }
}

/// Tokens of turns with so many bytes, which together are those of all of them.
fn tokens(said: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut bytes = 0_u64;
    let each = |said: u64| {
        let before = bytes.div_ceil(4);
        bytes += said;
        bytes.div_ceil(4) - before
    };
    said.map(each).collect()
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn turns_together_take_what_all_their_bytes_take() {
        for (said, want) in [(&[][..], &[][..]), (&[4, 4], &[1, 1]), (&[1, 1, 1, 1, 1], &[1, 0, 0, 0, 1]), (&[9], &[3])]
        {
            assert_eq!(tokens(said.iter().copied()), want, "{said:?}");
        }
    }
}
