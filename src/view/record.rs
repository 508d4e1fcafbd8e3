//! A record, unfolded in place: a section for each field, a row for each item, columns aligned.

use super::{Laid, Lens, Piece, Row, Run, Tone, counted, prose};
use crate::record::{Act, Effective, Field, Item, LedgerEntry, Verdict};
use crate::text::{Shown, cut};
use crate::workbench::MarkerRecord;

/// The fields as the screen shows them: what was claimed comes before names and figures, which run long, so that a
/// wrong decision is seen at once.
pub const FIELDS: [Field; 8] = [
    Field::Narrative,
    Field::Decisions,
    Field::Constraints,
    Field::RuledOut,
    Field::Open,
    Field::Actions,
    Field::Figures,
    Field::Entities,
];

/// Items of a field that are shown before the rest has to be asked for: prose and names run long, and what was
/// decided, ruled out or left open should not stand below the screen for their sake.
fn first_of(field: Field) -> usize {
    match field {
        Field::Entities | Field::Figures => 6,
        Field::Narrative => 8,
        Field::Constraints | Field::Decisions | Field::Actions | Field::RuledOut | Field::Open => usize::MAX,
    }
}

/// What the rows of a record are made of.
pub struct RecordRows<'a> {
    /// The record and what is known about it.
    pub record: &'a MarkerRecord,
    /// The ledger laid over it.
    pub effective: &'a Effective<'a>,
    /// Cells for a row of it.
    pub cells: usize,
    /// Where evidence opens below: of which item, and its rows.
    pub evidence: Option<(usize, Vec<Row>)>,
    /// The record has at least this many rows, so that a pane beside it has room.
    pub at_least: usize,
}

/// The rows of a record.
pub fn record(of: &RecordRows<'_>, lens: &Lens<'_>) -> Vec<Laid> {
    // The first row is empty in any case, so nothing moves when the originals are read.
    let reading = Row::of([Run::dim(&format!("   reading the originals{}", lens.signs.more))]);
    let first = if of.record.partial { reading } else { Row::blank() };
    let mut rows = vec![Laid { row: first, piece: Piece::Blank, at: 0 }];
    let (done, claims) = of.effective.progress(&of.record.reviewed);
    let mut count = Some(format!("{done} of {claims} checked")).filter(|_| claims > 0);
    for field in FIELDS {
        section(field, of, lens, &mut count, &mut rows);
    }
    if of.effective.items.is_empty() {
        let row = Row::of([Run::dim("   nothing readable was kept of this compaction")]);
        rows.push(Laid { row, piece: Piece::Blank, at: 2 });
        rows.push(Laid::blank());
    }
    orphans(of, lens, &mut rows);
    while rows.len() < of.at_least {
        rows.push(Laid::blank());
    }
    let rule = Row::default().fill(lens.signs.light);
    rows.push(Laid { row: rule, piece: Piece::Blank, at: 3 });
    rows.push(Laid::blank());
    rows
}

fn section(field: Field, of: &RecordRows<'_>, lens: &Lens<'_>, count: &mut Option<String>, rows: &mut Vec<Laid>) {
    let items: Vec<_> = of.effective.items.iter().enumerate().filter(|(_, item)| item.item.field == field).collect();
    if items.is_empty() {
        return;
    }
    let mut head = Row::of([Run::text("   "), Run::new(field.title(), Tone::Heading)]).measure(of.cells);
    if let (true, Some(text)) = (field.is_claim(), count.take_if(|_| field.is_claim())) {
        head = head.right(Run::dim(&text));
    }
    rows.push(Laid { row: head, piece: Piece::Section(field), at: 0 });
    let first = first_of(field);
    let all = (lens.open)(Piece::MoreItems(field)) || items.len() <= first.saturating_add(1);
    let shown = if all { items.len() } else { first };
    for (nth, (index, item)) in items.iter().take(shown).enumerate() {
        let name = format!("{}{}", field.letter(), nth + 1);
        rows.push(item_row(*index, &name, item.item, item.corrected_by, of, lens));
        if let Some(entry) = item.corrected_by {
            rows.push(correction_row(*index, entry, of, lens));
        }
        if let Some((at, evidence)) = &of.evidence
            && at == index
        {
            let piece = Piece::Evidence(*index as u32);
            rows.extend(evidence.iter().cloned().zip(0..).map(|(row, at)| Laid { row, piece, at }));
        }
    }
    if !all {
        let text = format!("   {} {} more", lens.signs.folded, items.len() - shown);
        let row = Row::of([Run::new(&text, Tone::Accent)]);
        rows.push(Laid { row, piece: Piece::MoreItems(field), at: 0 });
    }
    rows.push(Laid::blank());
}

/// The sign before an item.
fn sign(item: &Item, corrected: Option<&LedgerEntry>, lens: &Lens<'_>) -> Run {
    if let Some(entry) = corrected {
        return match entry.draft.act {
            Act::Pinned | Act::Confirmed => Run::new(lens.signs.right, Tone::Accent),
            Act::Reopened
            | Act::Replaced
            | Act::Reworded
            | Act::Settled
            | Act::NeverSaid
            | Act::Withdrawn
            | Act::Reinstated => Run::new(lens.signs.wrong, Tone::Warning),
        };
    }
    match item.verdict {
        Verdict::Verified => Run::new(lens.signs.right, Tone::Text),
        Verdict::Unchecked => Run::dim(lens.signs.unknown),
        Verdict::Weak | Verdict::WrongTurn => Run::new(lens.signs.unknown, Tone::Warning),
        Verdict::Unsupported | Verdict::Contested | Verdict::Laundered => Run::new(lens.signs.wrong, Tone::Warning),
    }
}

fn item_row(
    index: usize,
    name: &str,
    item: &Item,
    corrected: Option<&LedgerEntry>,
    of: &RecordRows<'_>,
    lens: &Lens<'_>,
) -> Laid {
    let overruled = corrected.is_some_and(|entry| entry.draft.act != Act::Pinned);
    let turn = item.sources.first().map_or_else(|| "no turn".to_owned(), |source| format!("t{}", source.turn));
    let reviewed = of.record.reviewed.contains(&index) || corrected.is_some();
    let mark = match (item.field.is_claim(), reviewed) {
        (false, _) => Run::text("  "),
        (true, true) => Run::new(&format!(" {}", lens.signs.seen), Tone::Accent),
        (true, false) => Run::dim(&format!(" {}", lens.signs.unseen)),
    };
    let turn = if of.cells >= 40 { format!("{turn:<7}") } else { turn };
    let mut runs = vec![Run::text("   "), sign(item, corrected, lens), Run::dim(&format!(" {name:<4} "))];
    let used: usize = runs.iter().map(Run::width).sum::<usize>() + turn.len() + mark.width() + 2;
    let room = of.cells.saturating_sub(used);
    let tone = if overruled { Tone::Struck } else { Tone::Text };
    runs.extend(prose::one_line(&item.text, room, tone));
    let row = Row::of(runs).right(Run::dim(&turn)).right(mark).measure(of.cells);
    Laid { row, piece: Piece::Item(index as u32), at: 0 }
}

/// White space folded, so that a wrapped sentence reads as one line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn correction_row(index: usize, entry: &LedgerEntry, of: &RecordRows<'_>, lens: &Lens<'_>) -> Laid {
    let (open, close) = lens.signs.quotes;
    let no = format!("L{}", entry.no);
    let what = super::ledger::says(entry);
    let text = match entry.draft.act {
        Act::NeverSaid | Act::Pinned => what.to_owned(),
        Act::Reopened
        | Act::Replaced
        | Act::Reworded
        | Act::Settled
        | Act::Confirmed
        | Act::Withdrawn
        | Act::Reinstated => format!("{what}: {open}{}{close}", one_line(&entry.draft.text)),
    };
    // The entry's number stands under the turn.
    let room = of.cells.saturating_sub(10 + 9 + 2);
    let runs = [Run::text("          "), Run { text: cut(&Shown::line(&text), room), ..Run::new("", Tone::Accent) }];
    let right = Run::new(&format!("{no:<7}  "), Tone::Accent);
    Laid { row: Row::of(runs).right(right).measure(of.cells), piece: Piece::Correction(index as u32), at: 0 }
}

fn orphans(of: &RecordRows<'_>, lens: &Lens<'_>, rows: &mut Vec<Laid>) {
    if of.effective.orphans.is_empty() {
        return;
    }
    let text = format!("{} whose item is gone", counted(of.effective.orphans.len() as u64, "correction"));
    rows.push(Laid { row: Row::of([Run::text("   "), Run::new(&text, Tone::Warning)]), piece: Piece::Blank, at: 4 });
    for (at, entry) in of.effective.orphans.iter().enumerate() {
        let old = entry.draft.corrects.as_ref().map_or("", |anchor| anchor.text.as_str());
        let text = format!("{}: {}  (on: {old})", super::ledger::says(entry), entry.draft.text);
        let room = of.cells.saturating_sub(18);
        let runs = [
            Run::text("   "),
            Run::new(lens.signs.wrong, Tone::Warning),
            Run::dim("      "),
            Run { text: cut(&Shown::line(&one_line(&text)), room), ..Run::text("") },
        ];
        let right = Run::dim(&format!("{:<7}  ", format!("L{}", entry.no)));
        rows.push(Laid { row: Row::of(runs).right(right).measure(of.cells), piece: Piece::Orphan(at as u32), at: 0 });
    }
    rows.push(Laid::blank());
}
