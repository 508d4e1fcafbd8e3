//! A record, unfolded in place: a section for each field, a row for each item, columns aligned.

use std::borrow::Cow;
use std::collections::HashMap;

use super::retention::{bar, kept_of};
use super::{Answer, Evident, Laid, Lens, Piece, Row, Run, Seen, Tone, counted, forgotten, prose};
use crate::record::{Act, Detail, Effective, Field, Item, LedgerEntry, Verdict};
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
/// decided, ruled out or left open should not stand below the screen for their sake. No summary says more than a few
/// hundred things of one field: what does is none.
fn first_of(field: Field) -> usize {
    match field {
        Field::Entities | Field::Figures => 6,
        Field::Narrative => 8,
        Field::Constraints | Field::Decisions | Field::Actions | Field::RuledOut | Field::Open => 400,
    }
}

/// What evidence opens below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Below {
    /// The item with this index.
    Item(usize),
    /// The finding at this place.
    Finding(usize),
}

/// What the rows of a record are made of.
pub struct RecordRows<'a> {
    /// The record and what is known about it.
    pub record: &'a MarkerRecord,
    /// The ledger laid over it.
    pub effective: &'a Effective<'a>,
    /// Cells for a row of it.
    pub cells: usize,
    /// What the check found, worst first.
    pub seen: &'a [Seen<'a>],
    /// Where evidence opens below: of what, and its rows.
    pub evidence: Option<(Below, Vec<Evident>)>,
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
    forgotten::warnings(of, lens, &mut rows);
    // The worst finding of an item stands first.
    let mut found: HashMap<usize, &Seen<'_>> = HashMap::new();
    for seen in of.seen {
        if let Some(item) = seen.item {
            found.entry(item).or_insert(seen);
        }
    }
    for field in FIELDS {
        section(field, of, &found, lens, &mut count, &mut rows);
    }
    forgotten::hedges(of, lens, &mut rows);
    if of.effective.items.is_empty() {
        let row = Row::of([Run::dim("   nothing readable was kept of this compaction")]);
        rows.push(Laid { row, piece: Piece::Blank, at: 2 });
        rows.push(Laid::blank());
    }
    orphans(of, lens, &mut rows);
    forgotten::apart(of, lens, &mut rows);
    forgotten::section(of, lens, &mut rows);
    while rows.len() < of.at_least {
        rows.push(Laid::blank());
    }
    let rule = Row::default().fill(lens.signs.light);
    rows.push(Laid { row: rule, piece: Piece::Blank, at: 3 });
    rows.push(Laid::blank());
    rows
}

fn section<'a>(
    field: Field,
    of: &RecordRows<'a>,
    found: &HashMap<usize, &Seen<'a>>,
    lens: &Lens<'_>,
    count: &mut Option<String>,
    rows: &mut Vec<Laid>,
) {
    let items: Vec<_> = of.effective.items.iter().enumerate().filter(|(_, item)| item.item.field == field).collect();
    let kept = of.record.checked.as_ref().and_then(|checked| kept_of(&checked.retention, field));
    if items.is_empty() && kept.is_none() {
        return;
    }
    let mut head = Row::of([Run::text("   "), Run::new(field.title(), Tone::Heading)]).measure(of.cells);
    if let Some(kept) = kept {
        head.runs.push(Run::text("  "));
        head.runs.extend(bar(kept, lens.signs));
    }
    if let (true, Some(text)) = (field.is_claim(), count.take_if(|_| field.is_claim() && !items.is_empty())) {
        head = head.right(Run::dim(&text));
    }
    rows.push(Laid { row: head, piece: Piece::Section(field), at: 0 });
    if items.is_empty() {
        let none = kept.is_none_or(|kept| kept.kept == 0);
        let text = if none { "nothing of it was kept" } else { "what was kept of it stands in other sections" };
        rows.push(Laid { row: Row::of([Run::dim(&format!("     {text}"))]), piece: Piece::Blank, at: 0 });
    }
    let first = first_of(field);
    let all = (lens.open)(Piece::MoreItems(field)) || items.len() <= first.saturating_add(1);
    let mut hidden = 0;
    for (nth, (index, item)) in items.into_iter().enumerate() {
        let seen = found.get(&index).copied();
        // What is wrong is never among what has to be asked for.
        if !all && nth >= first && seen.is_none() {
            hidden += 1;
            continue;
        }
        let name = format!("{}{}", field.letter(), nth + 1);
        let told = Told { index, name: &name, item: item.item, corrected: item.corrected_by, seen };
        item_rows(&told, of, lens, rows);
        if let Some(entry) = item.corrected_by {
            rows.push(correction_row(index, entry, of, lens));
        }
        if let Some((Below::Item(at), evidence)) = &of.evidence
            && *at == index
        {
            let piece = |link| if link { Piece::Link(index as u32, 0) } else { Piece::Evidence(index as u32) };
            rows.extend(below(evidence, piece));
        }
    }
    if hidden > 0 {
        let text = format!("   {} {hidden} more", lens.signs.folded);
        let row = Row::of([Run::new(&text, Tone::Accent)]);
        rows.push(Laid { row, piece: Piece::MoreItems(field), at: 0 });
    }
    rows.push(Laid::blank());
}

/// Rows of evidence below the one they are about. Those that lead somewhere can be rested on; the first is where
/// `Enter` on the item itself leads.
pub(super) fn below(evidence: &[Evident], piece: impl Fn(bool) -> Piece) -> Vec<Laid> {
    let mut links = 0;
    let lay = |(at, evident): (usize, &Evident)| {
        let piece = match (piece(evident.link.is_some()), evident.link.is_some()) {
            (Piece::Link(item, _), true) => Piece::Link(item, links),
            (Piece::FindingLink(finding, _), true) => Piece::FindingLink(finding, links),
            (other, _) => other,
        };
        links += u32::from(evident.link.is_some());
        Laid { row: evident.row.clone(), piece, at: at as u32 }
    };
    evidence.iter().enumerate().map(lay).collect()
}

/// An item with what is known of it.
struct Told<'a> {
    index: usize,
    name: &'a str,
    item: &'a Item,
    corrected: Option<&'a LedgerEntry>,
    seen: Option<&'a Seen<'a>>,
}

/// The sign before an item.
fn sign(of: &Told<'_>, lens: &Lens<'_>) -> Run {
    if let Some(entry) = of.corrected {
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
    if let Some(seen) = of.seen {
        return super::finding::sign(seen, lens.signs);
    }
    match of.item.verdict {
        Verdict::Verified => Run::new(lens.signs.right, Tone::Text),
        Verdict::Unchecked => Run::dim(lens.signs.unknown),
        Verdict::Weak => Run::text(lens.signs.alike),
        // What is not borne out is not yet wrong: a finding says that.
        Verdict::WrongTurn | Verdict::Unsupported | Verdict::Laundered => Run::new(lens.signs.unknown, Tone::Warning),
        Verdict::Contested => Run::new(lens.signs.wrong, Tone::Warning),
    }
}

/// What the check says of an item in plain words; nothing where it is fine, or where the sign says all there is to say.
fn plain(of: &Told<'_>) -> Option<Run> {
    if of.corrected.is_some() {
        return None;
    }
    if let Some(seen) = of.seen {
        return Some(match seen.answer {
            Answer::Open | Answer::Entered(_) => Run::new(seen.finding.kind.plain(), Tone::Warning),
            Answer::WrongAlarm => Run::dim("said to be a wrong alarm"),
        });
    }
    let verdict = of.item.verdict;
    match verdict {
        Verdict::Unchecked => of.item.not_analysed().map(Run::dim),
        Verdict::Verified | Verdict::Weak => None,
        Verdict::WrongTurn | Verdict::Unsupported | Verdict::Contested | Verdict::Laundered => {
            Some(Run::dim(super::evidence::word(verdict)))
        }
    }
}

/// Cells that an item's words keep beside what the check says of them.
const WORDS: usize = 24;

fn item_rows(of: &Told<'_>, record: &RecordRows<'_>, lens: &Lens<'_>, rows: &mut Vec<Laid>) {
    let overruled = of.corrected.is_some_and(|entry| entry.draft.act != Act::Pinned);
    let better = of.item.better.as_ref().filter(|_| of.item.verdict == Verdict::WrongTurn);
    let shows = super::evidence::sources(Some(of.item), of.seen.map(|seen| seen.finding)).into_iter().next();
    let turn = better.or(shows).map_or_else(|| "no turn".to_owned(), |source| format!("t{}", source.turn));
    let reviewed = record.record.reviewed.contains(&of.index) || of.corrected.is_some();
    let mark = match (of.item.field.is_claim(), reviewed) {
        (false, _) => Run::text("  "),
        (true, true) => Run::new(&format!(" {}", lens.signs.seen), Tone::Accent),
        (true, false) => Run::dim(&format!(" {}", lens.signs.unseen)),
    };
    let turn = if record.cells >= 40 { format!("{turn:<7}") } else { turn };
    let mut runs = vec![Run::text("   "), sign(of, lens), Run::dim(&format!(" {:<4} ", of.name))];
    let used: usize = runs.iter().map(Run::width).sum::<usize>() + turn.len() + mark.width() + 2;
    let mut room = record.cells.saturating_sub(used);
    let tone = if overruled { Tone::Struck } else { Tone::Text };
    let plain = plain(of);
    // Where the row has no room for both, what the check says stands below it.
    let beside = plain.clone().filter(|plain| plain.width() + 2 + WORDS <= room);
    let under = plain.filter(|_| beside.is_none());
    if let Some(beside) = &beside {
        room -= beside.width() + 2;
    }
    runs.extend(prose::one_line(&named(of.item), room, tone));
    let mut row = Row::of(runs);
    if let Some(beside) = beside {
        row = row.right(beside).right(Run::text("  "));
    }
    row = row.right(Run::dim(&turn)).right(mark).measure(record.cells);
    rows.push(Laid { row, piece: Piece::Item(of.index as u32), at: 0 });
    if let Some(under) = under {
        let row = Row::of([Run::text("          "), under]);
        rows.push(Laid { row, piece: Piece::Verdict(of.index as u32), at: 0 });
    }
}

/// What an item says; a bare figure with what it is of.
pub fn named(item: &Item) -> Cow<'_, str> {
    match &item.detail {
        Detail::Figure { label, .. } if !label.is_empty() && !item.text.contains(label.as_str()) => {
            Cow::Owned(format!("{label}: {}", item.text))
        }
        Detail::Figure { .. }
        | Detail::Plain
        | Detail::Entity { .. }
        | Detail::Action { .. }
        | Detail::RuledOut { .. } => Cow::Borrowed(&item.text),
    }
}

/// White space folded, so that a wrapped sentence reads as one line.
pub(super) fn one_line(text: &str) -> String {
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
