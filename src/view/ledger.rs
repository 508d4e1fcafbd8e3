//! The ledger on the screen: entries with what they count for, and what an agent is told.

use super::{Row, Run, Signs, Tone, Zone, thousands, wrapped};
use crate::record::{Act, EntryKind, LedgerEntry, Outcome, Standing, Status};
use crate::text::{Shown, cut};

/// What an agent is told, and how many tokens it takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
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

/// The rows of an entry: what it says, and below what it is about.
pub fn entry_rows(standing: &Standing, targets: Option<u32>, cells: usize, signs: &Signs, zone: &Zone) -> Vec<Row> {
    let entry = &standing.entry;
    let (open, close) = signs.quotes;
    let status = match standing.status {
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
    let narrow = cells < 70;
    let author = cut(&Shown::line(&entry.draft.author), 10);
    let turn = entry.draft.source.as_ref().map_or_else(String::new, |source| format!("t{}", source.turn));
    let right = if narrow {
        vec![Run::new(&format!(" {status}"), Tone::Warning), Run::dim(&format!(" {turn:<5}"))]
    } else {
        vec![
            Run::new(
                &format!("  {status:<11}"),
                if standing.status == Status::Proposed { Tone::Warning } else { Tone::Dim },
            ),
            Run::dim(&format!("{turn:<7}")),
            Run::dim(&format!("{:<10}  ", author.as_str())),
            Run::dim(&format!("{:<5} ", zone.clock(entry.at))),
        ]
    };
    let mut runs = vec![Run::dim(&format!("   {:<5}", format!("L{}", entry.no)))];
    if !narrow {
        runs.push(Run::new(&format!("{kind:<12}"), if targets.is_some() { Tone::Dim } else { Tone::Strong }));
    }
    let used: usize = runs.iter().chain(&right).map(Run::width).sum();
    runs.push(Run { text: cut(&Shown::line(&text), cells.saturating_sub(used + 1)), ..Run::new("", tone) });
    let mut rows = vec![Row { right, ..Row::of(runs) }.measure(cells)];
    let indent = if narrow { 8 } else { 20 };
    let mut below = |text: &str| {
        let text =
            cut(&Shown::line(&text.split_whitespace().collect::<Vec<_>>().join(" ")), cells.saturating_sub(indent + 1));
        rows.push(Row::of([Run::text(&" ".repeat(indent)), Run { text, ..Run::dim("") }]));
    };
    if let (Some(anchor), None) = (&entry.draft.corrects, targets) {
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
        if anchor.text != entry.draft.text || entry.draft.act != Act::Pinned {
            below(&format!("{act} {open}{}{close}  ({})", anchor.text, super::evidence::noun(anchor.field)));
        }
    }
    if let Some(reason) = &entry.draft.reason {
        below(&format!("because {reason}"));
    }
    rows
}

/// The rows of what an agent is told.
pub fn told_rows(told: Option<&Told>, cells: usize, signs: &Signs) -> Vec<Row> {
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
