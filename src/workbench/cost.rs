//! What compacting a session costs, and would cost the other way.

use std::collections::HashMap;

use super::{Problem, SessionInfo, Target, Workbench};
use crate::compile::cost::{Cost, Habits, Own, own};
use crate::session::{Body, Depth, FileNo, Line, Log, Outline, Role, TurnMeta};
use crate::store::{Access, Shelved, Store};

const OWN: FileNo = FileNo(0);
const STEP: usize = 4 * 1024 * 1024;

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
            turns: turns(log.as_mut(), &outline)?,
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

/// What one turn weighs.
#[derive(Default)]
struct Weight {
    /// What the agent wrote, as it tells.
    told: u64,
    /// The bytes of what was said.
    said: u64,
    /// The bytes of results.
    results: u64,
}

/// Tokens of each of the session's own turns: what the agent tells that it wrote, else four bytes a token.
fn turns(log: &mut dyn Log, outline: &Outline) -> Result<Vec<u64>, Problem> {
    let main = outline.turns.iter().filter(|turn| turn.is_main());
    let numbers: HashMap<u64, usize> = main.enumerate().map(|(no, turn)| (turn.place.offset, no)).collect();
    let mut weights: Vec<Weight> = std::iter::repeat_with(Weight::default).take(numbers.len()).collect();
    let mut at = 0;
    loop {
        let stretch = log.forward(OWN, at, STEP, Depth::Full)?;
        for line in &stretch.lines {
            let turn = outline.turn_at(OWN, line.offset).filter(|turn| turn.is_main());
            let no = turn.and_then(|turn| numbers.get(&turn.place.offset));
            if let (Some(turn), Some(weight)) = (turn, no.and_then(|no| weights.get_mut(*no))) {
                weigh(weight, line, turn);
            }
        }
        if stretch.at_end || stretch.lines.is_empty() {
            break;
        }
        at = stretch.end;
    }
    let tokens = |weight: Weight| {
        let said = if weight.told > 0 { weight.told } else { weight.said.div_ceil(4) };
        said + weight.results.div_ceil(4)
    };
    Ok(weights.into_iter().map(tokens).collect())
}

fn weigh(weight: &mut Weight, line: &Line, turn: &TurnMeta) {
    let Body::Message { role, parts, usage, .. } = &line.body else { return };
    let bytes: u64 = parts.iter().map(|part| part.text.len() as u64).sum();
    if *role == turn.role || turn.role != Role::Assistant {
        weight.said += bytes;
    } else {
        weight.results += bytes;
    }
    if let (Role::Assistant, Some(usage)) = (role, usage) {
        weight.told = weight.told.max(usage.output);
    }
}
