//! The whole of a session in memory: what the next request carries, and the session at a glance.

use std::sync::Arc;

use stet::record::{Block, ClosedBy, Record, Run, Span};
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

/// The same with a budget that its window does not fit in, unless a span stands for its blocks.
const SPANNED: u64 = 300;

impl World {
    /// What is said in a turn: its words one after the other, and how many bytes they are.
    fn words(&self, no: u32) -> String {
        let of = |line: &&stet::session::Line| {
            let turn = self.outline.turn_at(line.file, line.offset);
            turn.and_then(|turn| self.outline.number(turn)) == Some(TurnNo::main(no))
        };
        let texts = self.lines.iter().filter(of).flat_map(|line| match &line.body {
            Body::Message { parts, .. } => parts.iter().map(|part| part.text.as_str()).collect(),
            _ => Vec::new(),
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    fn run(&self, turns: (u32, u32)) -> Run {
        let bytes: u64 = (turns.0..=turns.1).map(|no| self.words(no).len() as u64).sum();
        Run { parts: 0..1, turns, from_id: String::new(), tokens: bytes.div_ceil(4), originals: Hash::ZERO }
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
            live: true,
            left_out: Vec::new(),
            text: text.to_owned(),
        };
        let pinned: String = self.ledger().active().map(|entry| format!("- {}\n", entry.draft.text)).collect();
        let ledger = region(RegionKind::Ledger, None, None, &pinned);
        if ledger.tokens > budget {
            return Err(LedgerOverBudget { tokens: ledger.tokens, budget });
        }
        let mut regions = vec![region(RegionKind::System, None, None, ""), ledger];
        let kept = |no: usize| format!("block {no}: {}", "what was kept of it ".repeat(7 + no));
        match (self.blocks.first(), self.blocks.last()) {
            (Some((from, _)), Some((_, to))) if budget < SPANNED => {
                regions.push(region(RegionKind::Span, Some(1), Some((*from, *to)), &kept(0)));
            }
            _ => regions.extend(
                (1..)
                    .zip(&self.blocks)
                    .map(|(no, turns)| region(RegionKind::Block, Some(no), Some(*turns), &kept(no as usize))),
            ),
        }
        let after = self.blocks.last().map_or(0, |(_, to)| *to);
        for no in after + 1..=self.outline.main_turns {
            regions.push(region(RegionKind::Turn, None, Some((no, no)), &format!("[turn {no}]\n{}", self.words(no))));
        }
        let window = Assembled { budget, regions, wants_block: false };
        let blocks = self.blocks.len();
        Ok(Context { key: key(), window, ledger_left_out: Vec::new(), blocks, behind: 0 })
    }

    /// The session at a glance.
    pub fn overview(&self) -> Overview {
        let block = |(no, turns): (u32, &(u32, u32))| {
            let (run, record) = (self.run(*turns), Arc::new(Record::default()));
            (
                Block { no, run, closed_by: ClosedBy::Step, cut: Vec::new(), generation: 1, record },
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
        let due = WouldClose {
            turns: (1, turns.min(6)),
            tokens: self.run((1, turns.min(6))).tokens,
            closed_by: ClosedBy::Topic,
        };
        let mut tokens = 0;
        let mut curve = Curve { tokens: Vec::new(), told: false };
        for no in 1..=turns {
            let left = self.outline.compactions.iter().find(|of| of.after_turn == Some(no - 1));
            tokens = left.and_then(|of| of.tokens_after).unwrap_or(tokens) + 40 * self.words(no).len() as u64;
            curve.tokens.push(tokens);
        }
        Overview {
            name: "orders.jsonl".to_owned(),
            foreign: blocks.is_empty(),
            due: if blocks.is_empty() && turns > 1 { vec![due] } else { Vec::new() },
            blocks,
            spans,
            curve,
        }
    }
}
