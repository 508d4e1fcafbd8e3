//! The window: system text, ledger, records of closed turns, recent turns, in this order. Every turn comes into it in
//! exactly one way. What is too much is told in numbers; nothing is left out silently.

use std::ops::Range;

use super::render::{Amount, Rendered, tokens};
use crate::record::Field;

/// What a region of the window is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionKind {
    /// The text that the agent begins with.
    System,
    /// What is pinned, word for word.
    Ledger,
    /// The record of several blocks.
    Span,
    /// The record of one block.
    Block,
    /// A turn as it was said.
    Turn,
}

impl RegionKind {
    /// The value in JSON.
    pub fn name(self) -> &'static str {
        match self {
            RegionKind::System => "system",
            RegionKind::Ledger => "ledger",
            RegionKind::Span => "span",
            RegionKind::Block => "block",
            RegionKind::Turn => "turn",
        }
    }
}

/// One region of the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// What it is.
    pub kind: RegionKind,
    /// The number of the block or span; `None` for one that is not stored, and for anything else.
    pub no: Option<u32>,
    /// The first and the last turn that it stands for; `None` for the system text and the ledger.
    pub turns: Option<(u32, u32)>,
    /// The parts that it stands for, half-open. Empty for the system text and the ledger.
    pub parts: Range<u64>,
    /// Four bytes count as one.
    pub tokens: u64,
    /// Summarising steps between what was said and this text.
    pub generation: u32,
    /// Its originals are here; whether they are what they were, only reading them tells.
    pub present: bool,
    /// Items of its record that it does not hold, for length.
    pub left_out: Vec<(Field, u32)>,
    /// Drafts of its record: it holds none of them.
    pub drafts: u32,
    /// Exactly what the request carries.
    pub text: String,
}

/// The context of one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembled {
    /// What it may hold.
    pub budget: u64,
    /// In the order in which they stand.
    pub regions: Vec<Region>,
    /// No block is closed and it is too much: one should be closed at the best seam.
    pub wants_block: bool,
}

impl Assembled {
    /// What it holds.
    pub fn tokens(&self) -> u64 {
        self.regions.iter().map(|region| region.tokens).sum()
    }

    /// So many tokens are too many; `None` while it fits.
    pub fn over(&self) -> Option<u64> {
        self.tokens().checked_sub(self.budget).filter(|over| *over > 0)
    }

    /// Whether something of its records is left out for length.
    pub fn is_in_brief(&self) -> bool {
        self.regions.iter().any(|region| !region.left_out.is_empty())
    }

    /// The regions one after the other.
    pub fn text(&self) -> String {
        self.regions.iter().map(|region| region.text.as_str()).collect()
    }
}

/// What does not come from records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// The text that the agent begins with; empty where it is not known.
    pub system: String,
    /// Exactly what an agent is told of the ledger.
    pub ledger: String,
    /// The turns behind the last closed block, as they were said.
    pub recent: Vec<Recent>,
    /// What the window may hold.
    pub budget: u64,
    /// What becomes of records that do not fit.
    pub records: Rendition,
}

/// What becomes of records that do not fit into a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Rendition {
    /// Where spans are made for it they are rendered in brief; else they stand there whole, and the window is over its
    /// budget.
    #[default]
    Whole,
    /// They are rendered in brief, with the counts of what is left out.
    Brief,
}

/// A turn as it was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recent {
    /// Its number.
    pub turn: u32,
    /// Its parts.
    pub parts: Range<u64>,
    /// Of all its words; four bytes count as one.
    pub tokens: u64,
    /// Its words; where nobody wants them all, those that each part of it begins with.
    pub text: String,
}

/// A record that stands for turns, before it is rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Of the block, or of a span that is stored.
    pub no: Option<u32>,
    /// Its parts.
    pub parts: Range<u64>,
    /// The first and the last turn.
    pub turns: (u32, u32),
    /// See [`Region::generation`].
    pub generation: u32,
    /// See [`Region::present`].
    pub present: bool,
}

/// How deep the text of a span may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Everything from originals.
    Originals,
    /// The prose may come from prose, where the gate let it.
    ProseOfProse,
}

/// Where the records of closed turns are: no more is read than is asked for.
pub trait Shelf {
    /// Why something cannot be read.
    type Error;

    /// The closed blocks, in their order.
    fn blocks(&self) -> &[Head];

    /// The record of a block, by its index.
    fn block(&mut self, at: usize, amount: Amount) -> Result<Rendered, Self::Error>;

    /// Up to which blocks spans are made already, in ascending order. They are asked for before any that would have to be
    /// made now.
    fn made(&self) -> Vec<usize> {
        Vec::new()
    }

    /// Spans that stand together for exactly the first `end` blocks; `None` where there are none of this depth.
    fn spans(&mut self, end: usize, depth: Depth, amount: Amount)
    -> Result<Option<Vec<(Head, Rendered)>>, Self::Error>;
}

/// What is pinned does not fit by itself: no record could make room for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the ledger alone takes {tokens} tokens of a budget of {budget} (give a larger one, or withdraw entries: stet ledger list)"
)]
pub struct LedgerOverBudget {
    /// What it takes.
    pub tokens: u64,
    /// What there is.
    pub budget: u64,
}

/// Why there is no window.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WindowError<E> {
    /// What is pinned does not fit.
    #[error(transparent)]
    Ledger(#[from] LedgerOverBudget),
    /// A record cannot be read.
    #[error(transparent)]
    Shelf(E),
}

/// Puts the window together. Blocks stand for themselves as long as they fit, the newest first; before them spans, wider
/// until all fits, then with prose of prose where there is any. Where that is too much, spans that were made beforehand
/// stand there in brief, and say in numbers what they leave out. What is still too much is in the window all the same,
/// and [`Assembled::over`] says by how much.
pub fn assemble<S: Shelf>(given: &Given, shelf: &mut S) -> Result<Assembled, WindowError<S::Error>> {
    let ledger = tokens(&given.ledger);
    if ledger > given.budget {
        return Err(LedgerOverBudget { tokens: ledger, budget: given.budget }.into());
    }
    let recent: u64 = given.recent.iter().map(|turn| turn.tokens).sum();
    let room = given.budget.saturating_sub(tokens(&given.system) + ledger + recent);
    let records = records(room, given.records, shelf).map_err(WindowError::Shelf)?;
    let ends = given.system.is_empty() || given.system.ends_with('\n');
    let system = format!("{}{}", given.system, if ends { "" } else { "\n" });
    let mut regions = vec![pinned(RegionKind::System, &system), pinned(RegionKind::Ledger, &given.ledger)];
    regions.extend(records);
    regions.extend(given.recent.iter().map(said));
    let mut assembled = Assembled { budget: given.budget, regions, wants_block: false };
    assembled.wants_block = shelf.blocks().is_empty() && assembled.over().is_some();
    Ok(assembled)
}

fn pinned(kind: RegionKind, text: &str) -> Region {
    Region {
        kind,
        no: None,
        turns: None,
        parts: 0..0,
        tokens: tokens(text),
        generation: 0,
        present: true,
        left_out: Vec::new(),
        drafts: 0,
        text: text.to_owned(),
    }
}

fn said(turn: &Recent) -> Region {
    Region {
        turns: Some((turn.turn, turn.turn)),
        parts: turn.parts.clone(),
        tokens: turn.tokens,
        ..pinned(RegionKind::Turn, &turn.text)
    }
}

fn standing(kind: RegionKind, head: Head, rendered: Rendered) -> Region {
    Region {
        kind,
        no: head.no,
        turns: Some(head.turns),
        parts: head.parts,
        tokens: rendered.tokens,
        generation: head.generation,
        present: head.present,
        left_out: rendered.left_out,
        drafts: rendered.drafts,
        text: rendered.text,
    }
}

fn sum(regions: &[Region]) -> u64 {
    regions.iter().map(|region| region.tokens).sum()
}

/// The regions that stand for the closed blocks.
fn records<S: Shelf>(room: u64, how: Rendition, shelf: &mut S) -> Result<Vec<Region>, S::Error> {
    let count = shelf.blocks().len();
    // The newest first: what no longer fits beside them must go into spans, and is not read one by one.
    let mut newest: Vec<Region> = Vec::new();
    while newest.len() < count {
        let at = count - newest.len() - 1;
        let region = block(shelf, at, Amount::Whole)?;
        if sum(&newest) + region.tokens > room && count > 1 {
            break;
        }
        newest.push(region);
    }
    newest.reverse();
    let first = count - newest.len();
    if first == 0 {
        // All of them; or a single one, which is its own span.
        if how == Rendition::Brief && sum(&newest) > room && count == 1 {
            return Ok(vec![block(shelf, 0, bytes(room))?]);
        }
        return Ok(newest);
    }
    for depth in [Depth::Originals, Depth::ProseOfProse] {
        let made = shelf.made().into_iter().filter(|end| (first.max(2)..=count).contains(end));
        for end in made.chain(widening(first.max(2), count)).collect::<Vec<_>>() {
            let Some(spans) = shelf.spans(end, depth, Amount::Whole)? else { continue };
            let mut regions = spanned(spans);
            if sum(&regions) + sum(&newest[end - first..]) <= room {
                regions.extend(newest.split_off(end - first));
                return Ok(regions);
            }
        }
    }
    // Whoever has spans made wants all turns in the window: what they leave out is counted.
    let how = if shelf.made().is_empty() { how } else { Rendition::Brief };
    in_brief(room, how, shelf, first.max(2))
}

/// Nothing fits whole: spans over all blocks but the last where there are any, in brief where that is wanted.
fn in_brief<S: Shelf>(room: u64, how: Rendition, shelf: &mut S, first: usize) -> Result<Vec<Region>, S::Error> {
    let (count, brief) = (shelf.blocks().len(), how == Rendition::Brief);
    let wide = widening(first, count).into_iter().rev();
    let wide = wide.filter(|end| !brief || *end < count).chain([count]);
    for end in wide {
        // A third for the last blocks, the rest for everything before them.
        let amount = |share: u64| if brief { bytes(share) } else { Amount::Whole };
        let Some(spans) = shelf.spans(end, Depth::Originals, Amount::Whole)? else { continue };
        let many = spans.len() as u64;
        let before = if end < count { room - room / 3 } else { room };
        let Some(spans) = shelf.spans(end, Depth::Originals, amount(before / many.max(1)))? else { continue };
        let mut regions = spanned(spans);
        let last = (count - end) as u64;
        for at in end..count {
            regions.push(block(shelf, at, amount(room.saturating_sub(before) / last))?);
        }
        return Ok(regions);
    }
    // No span can be made: every block stands for itself.
    let amount = if brief { bytes(room / count.max(1) as u64) } else { Amount::Whole };
    (0..count).map(|at| block(shelf, at, amount)).collect()
}

fn block<S: Shelf>(shelf: &mut S, at: usize, amount: Amount) -> Result<Region, S::Error> {
    let rendered = shelf.block(at, amount)?;
    Ok(standing(RegionKind::Block, shelf.blocks()[at].clone(), rendered))
}

fn spanned(spans: Vec<(Head, Rendered)>) -> Vec<Region> {
    spans.into_iter().map(|(head, rendered)| standing(RegionKind::Span, head, rendered)).collect()
}

fn bytes(tokens: u64) -> Amount {
    Amount::Brief(usize::try_from(tokens.saturating_mul(4)).unwrap_or(usize::MAX))
}

/// Where spans may end: first where they must, then wider in a few steps, at last all blocks.
fn widening(first: usize, count: usize) -> Vec<usize> {
    let first = first.min(count);
    let mut ends: Vec<usize> = (0..=4).map(|step| first + (count - first) * step / 4).collect();
    ends.dedup();
    ends
}

#[cfg(test)]
mod tests;
