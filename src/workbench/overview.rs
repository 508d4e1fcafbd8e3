//! A session at a glance: what of it is closed, what would close, and how full the agent's context was. Its originals are
//! read once, and nothing is written.

use super::closing::own_rules;
use super::curve::{Curve, curve};
use super::overdue::{Overdue, lengths};
use super::weights::{WouldClose, due, weights};
use super::{Cancel, Desk, Problem, Reading, Target};
use crate::compile::{RENDERED, Rules, tokens};
use crate::record::{Block, Span};
use crate::store::Closed;

/// Each with the tokens of the text that stands for it in a window; `None` where that was not made yet.
type WithText<T> = Vec<(T, Option<u64>)>;

/// A session at a glance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overview {
    /// What the session is called on a command line, with the lengths of its blocks where they are not the usual ones.
    pub name: String,
    /// It is an agent's own file, of which the database has a copy at most.
    pub foreign: bool,
    /// Closed blocks in their order, with empty records.
    pub blocks: WithText<Block>,
    /// Spans over them, in the order in which they were made.
    pub spans: WithText<Span>,
    /// Blocks that would close behind them if the session were compiled now, by the lengths that it was compiled with.
    pub due: Vec<WouldClose>,
    /// What the agent's context held.
    pub curve: Curve,
    /// What of a session in retention mode should be gone and is still here.
    pub overdue: Vec<Overdue>,
}

impl Desk {
    /// The session at a glance, as it is now.
    pub fn overview(&mut self, cancel: &Cancel) -> Result<Overview, Problem> {
        let (blocks, spans) = self.closed()?;
        let mut log = self.log_again()?;
        // Read for itself: nobody else has to wait until this is done.
        let reading = Reading::default();
        reading.index(log.as_mut(), cancel, &mut |_| ())?;
        let outline = reading.outline();
        let turns = weights(log.as_mut(), &outline, cancel)?;
        let closed = blocks.last().map_or(0, |(block, _)| block.run.turns.1);
        let said: Vec<_> = turns.iter().map(|turn| (turn.said, turn.context)).collect();
        let drops: Vec<_> = (outline.compactions.iter())
            .map(|of| (of.after_turn.unwrap_or(0), of.tokens_before, of.tokens_after))
            .collect();
        let rules = match self.kept()? {
            Some((store, kept)) => own_rules(&store, &kept.head().key)?,
            None => Rules::default(),
        };
        let (name, foreign) = self.name()?;
        Ok(Overview {
            name: name + &lengths(rules),
            foreign,
            due: due(&turns, rules, closed),
            curve: curve(&said, &drops),
            overdue: self.overdue()?,
            blocks,
            spans,
        })
    }

    /// What is closed, with the tokens of the texts that stand for it.
    fn closed(&self) -> Result<(WithText<Block>, WithText<Span>), Problem> {
        let Some((store, kept)) = self.kept()? else { return Ok(Default::default()) };
        let key = &kept.head().key;
        let shelved = store.shelved(key)?.unwrap_or_default();
        let text = |which| Ok::<_, Problem>(store.rendered(key, which, RENDERED)?.as_deref().map(tokens));
        let mut blocks = Vec::with_capacity(shelved.blocks.len());
        for block in shelved.blocks {
            let tokens = text(Closed::Block(block.no))?;
            blocks.push((block, tokens));
        }
        let mut spans = Vec::with_capacity(shelved.spans.len());
        for span in shelved.spans {
            let tokens = text(Closed::Span(span.no))?;
            spans.push((span, tokens));
        }
        Ok((blocks, spans))
    }

    /// What the session is called on a command line, and whether it is an agent's own file.
    fn name(&self) -> Result<(String, bool), Problem> {
        let head = self.head();
        let own = self.kept()?.is_some_and(|(store, _)| store.path() == head.path);
        let (path, key) = (head.path.clone(), head.key.clone());
        let target = if own { Target::Kept { db: path, key } } else { Target::Foreign(path) };
        Ok((quoted(&target.name()), !own))
    }
}

/// A word as a shell takes it.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=#".contains(c);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}
