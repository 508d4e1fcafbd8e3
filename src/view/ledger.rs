//! The ledger on the screen: entries with what they count for, and what an agent is told.

use super::{Row, Run, Signs, Tone, Zone, thousands, wrapped};
use crate::record::{Act, EntryKind, LedgerEntry, Outcome, Standing, Status};
use crate::text::{Shown, cut};

/// What an agent is told, and how many tokens it takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToldText {
    /// Its lines.
    pub text: String,
    /// How much of the agent's context it takes.
    pub tokens: u64,
}

/// What an entry says, in a word or two.
pub(super) fn says(entry: &LedgerEntry) -> &'static str {
    match (entry.draft.act, entry.draft.outcome, entry.draft.kind) {
        (Act::Settled, Some(Outcome::Decided), _) => "decided",
        (Act::Settled, Some(Outcome::RuledOut), _) => "ruled out",
        (Act::Settled, Some(Outcome::Done), _) => "done",
        (Act::Withdrawn, ..) => "withdraws",
        (Act::Reinstated, ..) => "reinstates",
        (Act::Confirmed, ..) => "confirms",
        (Act::Pinned, ..) => "pinned as it is",
        (Act::NeverSaid, ..)
        | (Act::Reopened | Act::Replaced | Act::Reworded | Act::Settled, _, EntryKind::NeverSaid) => "never said",
        (Act::Reopened, ..) => "open",
        (Act::Reworded, ..) => "reworded",
        (Act::Replaced, ..) => "original",
        (Act::Settled, None, kind) => kind_word(kind),
    }
}

fn kind_word(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Open => "open",
        EntryKind::RuledOut => "ruled out",
        EntryKind::Constraint => "constraint",
        EntryKind::Decision => "decision",
        EntryKind::Fact => "fact",
        EntryKind::NeverSaid => "never said",
    }
}

/// An entry, and what is known about it.
pub struct EntryRows<'a> {
    /// The entry with what it counts for.
    pub standing: &'a Standing,
    /// The number of the entry that it is about.
    pub target: Option<u32>,
    /// The item that it is about cannot be found again.
    pub gone: bool,
}

/// Whether the words that an entry overrules stand below it, and whether its reason does.
fn below(entry: &LedgerEntry) -> (bool, bool) {
    let words = entry.draft.corrects.as_ref().is_some_and(|anchor| {
        !entry.draft.act.is_about_an_entry() && (anchor.text != entry.draft.text || entry.draft.act != Act::Pinned)
    });
    (words, entry.draft.reason.is_some())
}

/// Whether what an entry is and its words have no room in one row.
fn is_narrow(cells: usize) -> bool {
    cells < 70
}

/// How many rows an entry has.
pub fn entry_height(standing: &Standing, cells: usize) -> usize {
    let (words, reason) = below(&standing.entry);
    let apart = is_narrow(cells) && !standing.entry.draft.act.is_about_an_entry();
    1 + usize::from(apart) + usize::from(words) + usize::from(reason)
}

/// The rows of an entry: what it says, and below what it is about.
pub fn entry_rows(of: &EntryRows<'_>, cells: usize, signs: &Signs, zone: &Zone) -> Vec<Row> {
    let EntryRows { standing, target: targets, gone } = *of;
    let entry = &standing.entry;
    let (open, close) = signs.quotes;
    let status = match standing.status {
        Status::Active | Status::Proposed if gone => "item is gone",
        Status::Active => "",
        Status::Proposed => "proposed",
        Status::Superseded => "superseded",
        Status::Withdrawn => "withdrawn",
    };
    let tone = match standing.status {
        Status::Active => Tone::Text,
        Status::Proposed => Tone::Warning,
        Status::Superseded | Status::Withdrawn => Tone::Struck,
    };
    let status_tone = if gone || standing.status == Status::Proposed { Tone::Warning } else { Tone::Dim };
    let (kind, text) = if let Some(target) = targets {
        (says(entry).to_owned(), format!("L{target}"))
    } else {
        {
            let text = entry.draft.text.split_whitespace().collect::<Vec<_>>().join(" ");
            (
                kind_word(entry.draft.kind).to_owned(),
                if entry.draft.source.is_some() { format!("{open}{text}{close}") } else { text },
            )
        }
    };
    let narrow = is_narrow(cells);
    let author = cut(&Shown::line(&entry.draft.author), 10);
    let turn = entry.draft.source.as_ref().map_or_else(String::new, |source| format!("t{}", source.turn));
    let right = if narrow {
        vec![Run::new(&format!(" {status}"), status_tone), Run::dim(&format!(" {turn:<5}"))]
    } else {
        let mut right = vec![
            Run::new(&if status.is_empty() { "  ".to_owned() } else { format!("  {status}  ") }, status_tone),
            Run::dim(&format!("{turn:<7}")),
        ];
        if cells >= 100 {
            right.push(Run::dim(&format!("{:<10}  ", author.as_str())));
        }
        right.push(Run::dim(&format!("{:<5} ", zone.clock(entry.at))));
        right
    };
    let mut runs = vec![Run::dim(&format!("   {:<5}", format!("L{}", entry.no)))];
    let about = entry.draft.act.is_about_an_entry();
    runs.push(Run::new(&format!("{kind:<12}"), if about { Tone::Dim } else { Tone::Strong }));
    let said =
        |used: usize| Run { text: cut(&Shown::line(&text), cells.saturating_sub(used + 1)), ..Run::new("", tone) };
    let used: usize = runs.iter().chain(&right).map(Run::width).sum();
    let indent = if narrow { 8 } else { 20 };
    let apart = (narrow && !about).then(|| Row::of([Run::text(&" ".repeat(indent)), said(indent)]));
    if apart.is_none() {
        runs.push(said(used));
    }
    let mut rows = vec![Row { right, ..Row::of(runs) }.measure(cells)];
    rows.extend(apart);
    let (words, _) = below(entry);
    let mut below = |text: &str| {
        let text =
            cut(&Shown::line(&text.split_whitespace().collect::<Vec<_>>().join(" ")), cells.saturating_sub(indent + 1));
        rows.push(Row::of([Run::text(&" ".repeat(indent)), Run { text, ..Run::dim("") }]));
    };
    if let (Some(anchor), true) = (&entry.draft.corrects, words) {
        let act = match entry.draft.act {
            Act::Pinned => "pins",
            Act::Reopened
            | Act::Replaced
            | Act::Reworded
            | Act::Settled
            | Act::NeverSaid
            | Act::Confirmed
            | Act::Withdrawn
            | Act::Reinstated => "instead of",
        };
        below(&format!("{act} {open}{}{close}  ({})", anchor.text, super::evidence::noun(anchor.field)));
    }
    if let Some(reason) = &entry.draft.reason {
        below(&format!("because {reason}"));
    }
    rows
}

/// The rows of what an agent is told.
pub fn told_rows(told: Option<&ToldText>, cells: usize, signs: &Signs) -> Vec<Row> {
    let tokens = told.map_or_else(String::new, |told| format!("{} tok", thousands(told.tokens)));
    let light = signs.light;
    let mut rows = vec![
        Row::of([Run::dim(&format!(" {light}{light} ")), Run::new("what the agent will be told ", Tone::Heading)])
            .fill(light)
            .right(Run::dim(&format!(" {tokens} {light}")))
            .measure(cells),
    ];
    match told {
        None => rows.push(Row::of([Run::dim(&format!("   {}", signs.more))])),
        Some(told) if told.text.trim().is_empty() => {
            rows.push(Row::of([Run::dim("   nothing: no entry counts yet")]));
        }
        Some(told) => {
            for mut row in wrapped(told.text.trim_end(), cells.saturating_sub(5).min(104), Tone::Text) {
                row.runs.insert(0, Run::text("   "));
                rows.push(row);
            }
        }
    }
    rows
}
