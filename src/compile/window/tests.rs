//! The window over shelves of made-up records.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::convert::Infallible;

use proptest::prelude::*;

use super::*;
use crate::compile::{given, render, spans::merged};
use crate::record::{Block, Record};

/// Blocks of so many turns each, each turn one part; their records hold as many items as the block has turns.
struct Books {
    blocks: Vec<Block>,
    heads: Vec<Head>,
    /// Reads so far: blocks and spans.
    reads: usize,
    deep: bool,
}

impl Books {
    fn of(lengths: &[u32]) -> Self {
        let mut turn = 0;
        let mut blocks = Vec::new();
        for (no, length) in (1..).zip(lengths) {
            let (from, to) = (turn + 1, turn + length);
            let lines: Vec<String> = (from..=to).map(|turn| format!("e {turn} user file_of_turn_{turn}.rs")).collect();
            blocks.push(given::block(
                no,
                (from, to),
                100,
                &format!("{}\nc {from} user never touch it", lines.join("\n")),
            ));
            turn = to;
        }
        let head = |block: &Block| Head {
            no: Some(block.no),
            parts: block.run.parts.clone(),
            turns: block.run.turns,
            generation: 1,
            present: true,
        };
        Self { heads: blocks.iter().map(head).collect(), blocks, reads: 0, deep: false }
    }

    fn end(&self) -> u64 {
        self.heads.last().map_or(0, |head| head.parts.end)
    }
}

impl Shelf for Books {
    type Error = Infallible;

    fn blocks(&self) -> &[Head] {
        &self.heads
    }

    fn block(&mut self, at: usize, amount: Amount) -> Result<Rendered, Infallible> {
        self.reads += 1;
        Ok(render(&format!("block {}", at + 1), &self.blocks[at].record, amount))
    }

    fn spans(&mut self, end: usize, depth: Depth, amount: Amount) -> Result<Option<Vec<(Head, Rendered)>>, Infallible> {
        self.reads += 1;
        let whole: Record = merged(self.blocks[..end].iter().map(|block| &*block.record));
        let (record, generation) = match depth {
            Depth::Originals => (whole, 1),
            Depth::ProseOfProse if self.deep => (given::record("n 1 user all of it"), 2),
            Depth::ProseOfProse => return Ok(None),
        };
        let (first, last) = (&self.heads[0], &self.heads[end - 1]);
        let head = Head {
            no: None,
            parts: first.parts.start..last.parts.end,
            turns: (first.turns.0, last.turns.1),
            generation,
            present: true,
        };
        Ok(Some(vec![(head, render("span", &record, amount))]))
    }
}

fn recent(from: u64, count: u64, text: &str) -> Vec<Recent> {
    (from..from + count)
        .map(|part| Recent {
            turn: part as u32 + 1,
            parts: part..part + 1,
            tokens: tokens(text),
            text: text.to_owned(),
        })
        .collect()
}

/// Kinds with their turns: `ledger`, `span 1-80`, `block 81-120`, `turn 121`; `system` where it holds something.
fn shape(window: &Assembled) -> String {
    let all: Vec<String> = window
        .regions
        .iter()
        .filter(|region| region.tokens > 0)
        .map(|region| match region.turns {
            None => region.kind.name().to_owned(),
            Some((from, to)) if region.kind == RegionKind::Turn => {
                assert_eq!(from, to);
                format!("turn {from}")
            }
            Some((from, to)) => format!("{} {from}-{to}", region.kind.name()),
        })
        .collect();
    all.join(", ")
}

fn window(lengths: &[u32], budget: u64, tail: u64) -> Assembled {
    let mut books = Books::of(lengths);
    let given = Given {
        system: "be careful".into(),
        ledger: "<stet-ledger>\npinned\n</stet-ledger>\n".into(),
        recent: recent(books.end(), tail, "words that were said"),
        budget,
        records: Rendition::Whole,
    };
    assemble(&given, &mut books).unwrap()
}

/// A1.5: system, ledger, records, recent turns; A1.4: before the last blocks a span.
#[test]
fn the_window_is_system_ledger_records_and_recent_turns_in_this_order() {
    assert_eq!(shape(&window(&[2, 2], 9000, 1)), "system, ledger, block 1-2, block 3-4, turn 5");
    assert_eq!(
        shape(&window(&[40, 40, 2], 700, 2)),
        "system, ledger, block 1-40, block 41-80, block 81-82, turn 83, turn 84"
    );
    let narrow = window(&[4, 4, 4, 4], 187, 1);
    assert_eq!(shape(&narrow), "system, ledger, span 1-8, block 9-12, block 13-16, turn 17", "{}", narrow.text());
}

/// C1: without any block all turns stand as they were said, and what is too much asks for one; a single block is its
/// own span.
#[test]
fn no_block_and_one_block_are_windows_too() {
    let none = window(&[], 1000, 3);
    assert_eq!(
        (shape(&none).as_str(), none.over(), none.wants_block),
        ("system, ledger, turn 1, turn 2, turn 3", None, false)
    );
    let none = window(&[], 20, 3);
    assert_eq!((none.tokens(), none.over(), none.wants_block), (27, Some(7), true));
    assert_eq!(none.regions.len(), 5, "nothing is left out");
    let one = window(&[40], 30, 1);
    assert_eq!((shape(&one).as_str(), one.wants_block), ("system, ledger, block 1-40, turn 41", false));
    assert_eq!(one.over(), Some(one.tokens() - 30));
}

/// C3: spans are widened, then prose of prose is taken, then it is said by how much it is too much.
#[test]
fn what_does_not_fit_is_widened_then_deepened_then_told() {
    let given = Given { budget: 90, ..Given::default() };
    let mut books = Books::of(&[10, 10, 10, 10]);
    let flat = assemble(&given, &mut books).unwrap();
    assert_eq!(flat.over(), Some(flat.tokens() - 90));
    assert!(flat.regions.iter().all(|region| region.generation <= 1));
    books.deep = true;
    let deep = assemble(&given, &mut books).unwrap();
    assert_eq!(deep.over(), None);
    let spans: Vec<_> = deep.regions.iter().filter(|region| region.kind == RegionKind::Span).collect();
    assert_eq!((spans.len(), spans[0].generation), (1, 2));
    let brief = assemble(
        &Given { records: Rendition::Brief, budget: 160, ..Given::default() },
        &mut Books::of(&[10, 10, 10, 10]),
    )
    .unwrap();
    assert_eq!(brief.over(), None, "{}", brief.text());
    let told: u32 = brief.regions.iter().flat_map(|region| &region.left_out).map(|(_, count)| count).sum();
    let held = (1..=40).filter(|turn| brief.text().contains(&format!("file_of_turn_{turn}.rs"))).count();
    assert_eq!((told as usize + held, brief.text().matches("Left out for length").count() > 0), (40, true));
}

/// C3: what is pinned goes before everything, and alone over the budget it is an error of its own.
#[test]
fn a_ledger_that_is_too_long_by_itself_is_an_error() {
    let given = Given { ledger: "x".repeat(401), budget: 100, ..Given::default() };
    let error = assemble(&given, &mut Books::of(&[2])).unwrap_err();
    assert_eq!(error, WindowError::Ledger(LedgerOverBudget { tokens: 101, budget: 100 }));
    assert!(error.to_string().starts_with("the ledger alone takes 101 tokens of a budget of 100 ("), "{error}");
}

#[test]
fn no_more_blocks_are_read_than_the_budget_holds() {
    let mut books = Books::of(&[4; 250]);
    let given = Given { budget: 600, ..Given::default() };
    assemble(&given, &mut books).unwrap();
    assert!(books.reads < 40, "{}", books.reads);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// C2: blocks, spans and recent turns part the log: every part is in exactly one region.
    #[test]
    fn every_part_of_the_log_is_in_exactly_one_region(
        lengths in prop::collection::vec(1_u32..30, 0..12),
        tail in 0_u64..20,
        budget in 40_u64..3000,
        brief: bool,
        deep: bool,
    ) {
        let mut books = Books::of(&lengths);
        books.deep = deep;
        let end = books.end();
        let records = if brief { Rendition::Brief } else { Rendition::Whole };
        let given = Given { recent: recent(end, tail, "said"), budget, records, ..Given::default() };
        let window = assemble(&given, &mut books).unwrap();
        let mut next = 0;
        for region in window.regions.iter().filter(|region| region.turns.is_some()) {
            prop_assert_eq!(region.parts.start, next);
            prop_assert!(region.parts.end > region.parts.start);
            let (from, to) = region.turns.unwrap();
            prop_assert_eq!((u64::from(from), u64::from(to)), (region.parts.start + 1, region.parts.end));
            next = region.parts.end;
        }
        prop_assert_eq!(next, end + tail);
        prop_assert_eq!(window.tokens(), window.regions.iter().map(|region| region.tokens).sum::<u64>());
        prop_assert_eq!(window.over().is_some(), window.tokens() > budget);
    }

    /// A1.5 and A1.10: however often the turns before it are put into records, the ledger stays the same bytes.
    #[test]
    fn the_ledger_is_the_same_bytes_through_any_number_of_compactions(
        pinned in "(?s).{0,200}",
        lengths in prop::collection::vec(1_u32..30, 0..12),
        budget in 300_u64..2000,
    ) {
        for blocks in 0..=lengths.len() {
            let mut books = Books::of(&lengths[..blocks]);
            let turns: u64 = lengths[blocks..].iter().map(|length| u64::from(*length)).sum();
            let recent = recent(books.end(), turns, "said");
            let given = Given { ledger: pinned.clone(), recent, budget, ..Given::default() };
            let window = assemble(&given, &mut books).unwrap();
            prop_assert_eq!(window.regions[1].kind, RegionKind::Ledger);
            prop_assert_eq!(window.regions[1].text.as_bytes(), pinned.as_bytes());
        }
    }
}
