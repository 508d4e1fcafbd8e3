//! The whole of a session in memory: what the next request carries, and the session at a glance.

use std::sync::Arc;

use stet::record::{Block, ClosedBy, Field, Record, Run, Span, Turned};
use stet::session::{Body, Hash, TurnNo};
use stet::workbench::{Assembled, Context, Curve, LedgerOverBudget, Overview, Region, RegionKind, WouldClose};

use crate::world::{World, checked_orders, key};

/// The same migration with two blocks closed, and an entry in its ledger.
pub fn compiled_orders() -> World {
    let mut world = checked_orders();
    world.blocks = vec![(1, 4), (5, 7)];
    world.pins(1);
    world
}

/// Below this budget a span stands for the blocks.
const SPANNED: u64 = 300;
/// Below this one it stands in brief.
const BRIEF: u64 = 10;

impl World {
    /// What is said in each of the session's own turns, the words one after the other.
    fn words(&self) -> Vec<String> {
        let mut words = vec![String::new(); self.outline.main_turns as usize];
        for line in &self.lines {
            let turn = self.outline.turn_at(line.file, line.offset).filter(|turn| turn.is_main());
            let number = turn.and_then(|turn| self.outline.number(turn));
            let (Some(TurnNo(number)), Body::Message { parts, .. }) = (number, &line.body) else { continue };
            for part in parts {
                let said = &mut words[number[0] as usize - 1];
                said.push_str(if said.is_empty() { "" } else { "\n" });
                said.push_str(&part.text);
            }
        }
        words
    }

    fn run(&self, turns: (u32, u32)) -> Run {
        let words = self.words();
        let bytes: usize = words[turns.0 as usize - 1..turns.1 as usize].iter().map(String::len).sum();
        Run { parts: 0..1, turns, from_id: String::new(), tokens: bytes.div_ceil(4) as u64, originals: Hash::ZERO }
    }

    /// The window of this budget.
    pub fn context(&self, budget: u64) -> Result<Context, LedgerOverBudget> {
        let region = |kind, no, turns, text: &str| Region {
            kind,
            no,
            turns,
            parts: 0..1,
            tokens: text.len().div_ceil(4) as u64,
            generation: u32::from(matches!(kind, RegionKind::Block | RegionKind::Span)),
            present: true,
            left_out: Vec::new(),
            drafts: 0,
            text: text.to_owned(),
        };
        let pinned: String =
            self.ledger().active().flat_map(|entry| ["- ", &entry.draft.text, "\n"].map(str::to_owned)).collect();
        let ledger = region(RegionKind::Ledger, None, None, &pinned);
        if ledger.tokens > budget {
            return Err(LedgerOverBudget { tokens: ledger.tokens, budget });
        }
        let mut regions = vec![region(RegionKind::System, None, None, ""), ledger];
        let kept = |no: usize| format!("block {no}: {}", "what was kept of it ".repeat(7 + no));
        match (self.blocks.first(), self.blocks.last()) {
            (Some((from, _)), Some((_, to))) if budget < SPANNED => {
                let left_out = if budget < BRIEF { vec![(Field::Actions, 12)] } else { Vec::new() };
                let span = region(RegionKind::Span, Some(1), Some((*from, *to)), &kept(0));
                regions.push(Region { left_out, ..span });
            }
            _ => regions.extend(
                (1..)
                    .zip(&self.blocks)
                    .map(|(no, turns)| region(RegionKind::Block, Some(no), Some(*turns), &kept(no as usize))),
            ),
        }
        let after = self.blocks.last().map_or(0, |(_, to)| *to);
        for (no, said) in (1..).zip(self.words()).skip(after as usize) {
            regions.push(region(RegionKind::Turn, None, Some((no, no)), &format!("[turn {no}]\n{said}")));
        }
        let window = Assembled { budget, regions, wants_block: false };
        let blocks = self.blocks.len();
        let whole = blocks > 0 && budget >= BRIEF;
        let in_brief = window.over().filter(|_| whole).map(|_| window.tokens() / 3);
        let (ledger_left_out, changed) = (Vec::new(), Vec::new());
        Ok(Context { key: key(), window, ledger_left_out, blocks, in_brief, behind: 0, changed })
    }

    /// The session at a glance.
    pub fn overview(&self) -> Overview {
        let block = |(no, turns): (u32, &(u32, u32))| {
            let (run, record) = (self.run(*turns), Arc::new(Record::default()));
            (
                Block { no, run, closed_by: ClosedBy::Step, turned: None, cut: Vec::new(), generation: 1, record },
                Some(40 + u64::from(no)),
            )
        };
        let blocks: Vec<_> = (1..).zip(&self.blocks).map(block).collect();
        let spans = match (self.blocks.first(), self.blocks.last()) {
            (Some((from, _)), Some((_, to))) if blocks.len() > 1 => {
                let (run, record) = (self.run((*from, *to)), Arc::new(Record::default()));
                vec![(Span { no: 1, blocks: (1, blocks.len() as u32), run, generation: 1, record }, None)]
            }
            _ => Vec::new(),
        };
        let turns = self.outline.main_turns;
        let due = (turns > 5).then(|| {
            let run = self.run((1, 6));
            WouldClose { turns: run.turns, tokens: run.tokens, closed_by: ClosedBy::Topic, turned: Some(Turned::Words) }
        });
        let mut tokens = 0;
        let mut curve = Curve { tokens: Vec::new(), told: false };
        for (no, said) in (1..).zip(self.words()) {
            let left = self.outline.compactions.iter().find(|of| of.after_turn == Some(no - 1));
            tokens = left.and_then(|of| of.tokens_after).unwrap_or(tokens) + 40 * said.len() as u64;
            curve.tokens.push(tokens);
        }
        Overview {
            name: "orders.jsonl".to_owned(),
            foreign: blocks.is_empty(),
            due: due.filter(|_| blocks.is_empty()).into_iter().collect(),
            blocks,
            spans,
            curve,
            overdue: Vec::new(),
        }
    }
}
