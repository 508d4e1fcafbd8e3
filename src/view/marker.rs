//! The one line of a compaction.

use super::closing::range;
use super::{Laid, Lens, Piece, Row, Run, Signs, Tone, thousands};
use crate::record::{CheckStage, FindingKind, Warning};
use crate::session::Trigger;
use crate::text::{Shown, width};

/// What is known of a compaction before its record is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarkerLine {
    /// `None` while the outline has not come this far.
    pub no: Option<u32>,
    /// What it covers, as inclusive ranges of turn numbers; `None` while nobody knows.
    pub covered: Option<Vec<(u32, u32)>>,
    /// `None` where the line does not say.
    pub trigger: Option<Trigger>,
    /// In the agent's context before it.
    pub tokens_before: Option<u64>,
    /// In the agent's context after it; `None` where nobody knows it.
    pub tokens_after: Option<u64>,
    /// `None` where nobody knows it.
    pub generation: Option<u32>,
    /// Items of it that are corrected.
    pub corrected: usize,
    /// Turns that it reaches are not in the file.
    pub beginning_missing: bool,
    /// What the check found; `None` while it was not made.
    pub checked: Option<Tally>,
    /// It will not be made either: the check stopped before it.
    pub left_out: bool,
}

/// What the check of a marker found, in figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How far the check came.
    pub stage: CheckStage,
    /// Findings that nobody answered yet, by kind, worst first.
    pub open: Vec<(FindingKind, usize)>,
    /// Findings that were answered: by a correction, by a pin, or as wrong alarms.
    pub answered: usize,
    /// Claims that could not be checked.
    pub unchecked: usize,
    /// What is wrong with the compaction as such.
    pub warnings: Vec<Warning>,
}

/// The line.
pub fn marker(line: &MarkerLine, lens: &Lens<'_>) -> Laid {
    let signs = lens.signs;
    let rule: String = std::iter::repeat_n(signs.heavy, 2).collect();
    let no = line.no.map_or_else(|| format!("m{}", signs.more), |no| format!("m{no}"));
    let mut row = Row::of([
        Run::dim(&format!("{rule} ")),
        Run::new(&no, Tone::Strong),
        Run::new(&format!(" {} ", signs.marker), Tone::Accent),
    ])
    .fill(signs.heavy);
    if line.corrected > 0 {
        let corrected = Run::new(&format!(" {} corrected ", line.corrected), Tone::Accent);
        row = row.right(corrected).right(Run::dim(&rule));
    }
    let used = row.width() + row.right.iter().map(Run::width).sum::<usize>() + 1;
    let room = lens.width.saturating_sub(used);
    let told = told(line, room);
    let wide: usize = told.iter().map(Run::width).sum();
    let dot = if told.is_empty() { String::new() } else { format!(" {} ", signs.dot) };
    let facts = facts(line, lens, room.saturating_sub(wide + dot.chars().count()), told.is_empty());
    if !facts.is_empty() {
        row.runs.extend([Run::text(&facts), Run::dim(&dot)]);
    }
    row.runs.extend(told);
    row.runs.push(Run::text(" "));
    Laid { row, piece: Piece::Marker, at: 0 }
}

/// What the check found, worst first: as many kinds as have room, and how many more there are.
pub(super) fn told(line: &MarkerLine, room: usize) -> Vec<Run> {
    let Some(tally) = &line.checked else {
        return line.left_out.then(|| Run::new("not checked", Tone::Warning)).into_iter().collect();
    };
    let quiet = |text: &str| vec![Run::dim(text)];
    if tally.open.is_empty() {
        if let Some(instead) = tally.warnings.iter().find_map(Warning::instead_of_findings) {
            return vec![Run::new(instead, Tone::Warning)];
        }
        return match (tally.answered, tally.unchecked) {
            (0, _) if tally.stage == CheckStage::Alone => quiet("nothing found yet"),
            (0, 0) => quiet("all checked, nothing found"),
            (0, not) => quiet(&format!("nothing found, {not} not checked")),
            (_, _) => quiet("every finding answered"),
        };
    }
    let mut runs: Vec<Run> = Vec::new();
    let mut used = 0;
    // What markers share is put together only when all of them are checked: until then there may be fewer.
    let so_far = if tally.stage == CheckStage::Alone { " so far" } else { "" };
    let room = room.saturating_sub(so_far.len());
    for (at, (kind, count)) in tally.open.iter().enumerate() {
        let gap = if at > 0 { "  " } else { "" };
        let run = Run::new(&format!("{gap}{count} {}", kind.plain()), tone(*kind));
        let rest: usize = tally.open[at + 1..].iter().map(|(_, count)| count).sum();
        let behind = if rest > 0 { 2 + more(rest).len() } else { 0 };
        if at > 0 && used + run.width() + behind > room {
            let left: usize = tally.open[at..].iter().map(|(_, count)| count).sum();
            runs.push(Run::new(&format!("  {}", more(left)), Tone::Warning));
            break;
        }
        used += run.width();
        runs.push(run);
    }
    if !so_far.is_empty() {
        runs.push(Run::dim(so_far));
    }
    runs
}

fn more(count: usize) -> String {
    format!("+{count} more")
}

/// Something forgotten is told more quietly than something wrong.
fn tone(kind: FindingKind) -> Tone {
    match kind {
        FindingKind::Inverted
        | FindingKind::Invented
        | FindingKind::Altered
        | FindingKind::Firmed
        | FindingKind::Misattributed
        | FindingKind::Overruled
        | FindingKind::Laundered => Tone::Warning,
        FindingKind::Lost => Tone::Text,
    }
}

/// What is wrong with a compaction, in a word or two.
fn warning(warning: &Warning) -> String {
    match warning {
        Warning::Thrashing { .. } => "too soon".to_owned(),
        Warning::Grown { .. } => "summary grew".to_owned(),
        Warning::CutCalls { calls: 1 } => "1 call cut off".to_owned(),
        Warning::CutCalls { calls } => format!("{calls} calls cut off"),
        Warning::TooMany { unchecked, .. } => format!("{} items not checked", thousands(*unchecked)),
        Warning::EmptySummary | Warning::NoSummary => "nothing kept".to_owned(),
    }
}

/// The facts that have room, as they are told: the least telling ones go first, and none is cut. The turns stay unless
/// something else is told.
fn facts(line: &MarkerLine, lens: &Lens<'_>, room: usize, alone: bool) -> String {
    let wide = lens.width >= 90;
    let mut facts = vec![(0, turns(line, lens.signs))];
    facts.extend(line.trigger.and_then(word).map(|word| (4, word.to_owned())));
    facts.extend(tokens(line, lens.signs).map(|tokens| (5, tokens)));
    facts.extend(line.generation.map(|no| (3, format!("{} {no}", if wide { "generation" } else { "gen" }))));
    if line.beginning_missing {
        facts.push((1, "beginning missing".to_owned()));
    }
    let warnings = line.checked.iter().flat_map(|tally| &tally.warnings);
    facts.extend(warnings.map(|one| (2, warning(one))));
    let dot = format!(" {} ", lens.signs.dot);
    loop {
        let text = facts.iter().map(|(_, fact)| fact.as_str()).collect::<Vec<_>>().join(&dot);
        let last = facts.iter().map(|(rank, _)| *rank).max().filter(|rank| *rank > 0 || !alone);
        match last {
            Some(rank) if width(&Shown::line(&text)) > room => facts.retain(|(of, _)| *of != rank),
            _ => return text,
        }
    }
}

/// How full the context was before and after; `None` where nobody tells either.
pub(super) fn tokens(line: &MarkerLine, signs: &Signs) -> Option<String> {
    let count = |n: Option<u64>| n.map(thousands);
    match (count(line.tokens_before), count(line.tokens_after)) {
        (Some(before), Some(after)) => Some(format!("{before} {} {after} tok", signs.arrow)),
        (Some(before), None) => Some(format!("from {before} tok")),
        (None, Some(after)) => Some(format!("{after} tok")),
        (None, None) => None,
    }
}

/// The turns that it covers.
pub(super) fn turns(line: &MarkerLine, signs: &Signs) -> String {
    let Some(covered) = &line.covered else { return format!("turns {}", signs.more) };
    let range = |turns: &(u32, u32)| range(*turns, signs);
    let more = if covered.len() > 3 { format!(", {}", signs.more) } else { String::new() };
    match covered.as_slice() {
        [] => "no turns of this file".to_owned(),
        [one] if one.0 == one.1 => format!("turn {}", one.0),
        all => format!("turns {}{more}", all.iter().take(3).map(range).collect::<Vec<_>>().join(", ")),
    }
}

/// What set it off; `None` where nobody says.
pub(super) fn word(trigger: Trigger) -> Option<&'static str> {
    match trigger {
        Trigger::Auto => Some("auto"),
        Trigger::Manual => Some("manual"),
        Trigger::Seam => Some("seam"),
        Trigger::Pressure => Some("pressure"),
        Trigger::Length => Some("length"),
        Trigger::Topic => Some("topic"),
        Trigger::Unknown => None,
    }
}
