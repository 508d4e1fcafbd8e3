//! The findings of all markers as a list, and how much was kept from compaction to compaction.

use super::finding::{answered, answered_briefly, sign};
use super::retention::{curve, kept_in_all, kept_of};
use super::{Answer, Row, Run, Seen, Signs, Tone, counted, evidence};
use crate::record::{Field, FindingKind, Kept, Retention};
use crate::text::{Shown, cut};

/// A finding in the list.
pub struct ListedFinding<'a> {
    /// What was found, and what was answered.
    pub seen: Seen<'a>,
    /// `m1.d2`, or `m1`.
    pub name: &'a str,
    /// What is said there, or missing.
    pub text: &'a str,
    /// Cells for what was found, see [`what_cells`], and for the name.
    pub columns: (usize, usize),
}

/// What was found, in a list of so many cells: where words have little room, the kind alone.
fn what(kind: FindingKind, field: Field, cells: usize) -> String {
    match kind {
        FindingKind::Lost if cells >= ROOMY => format!("{} {}", kind.plain(), evidence::short_noun(field)),
        kind => kind.plain().to_owned(),
    }
}

/// Cells that a list with these kinds in it needs to say what was found.
pub fn what_cells(kinds: impl Iterator<Item = FindingKind>, cells: usize) -> usize {
    const MOST: usize = 21;
    kinds.map(|kind| what(kind, Field::Constraints, cells).len()).max().unwrap_or(0).min(MOST)
}

/// In fewer cells the words of a finding need the room that a long answer would take.
const ROOMY: usize = 100;

/// Whether the list is too narrow for what was found and its words in one row.
fn is_narrow(cells: usize) -> bool {
    cells < 66
}

/// How many rows a finding has in the list.
pub fn finding_height(cells: usize) -> usize {
    if is_narrow(cells) { 2 } else { 1 }
}

/// The rows of a finding in the list.
pub fn finding_rows(of: &ListedFinding<'_>, cells: usize, signs: &Signs) -> Vec<Row> {
    let finding = of.seen.finding;
    let tone = match (of.seen.is_open(), finding.kind, finding.needed_again.is_empty()) {
        (false, ..) => Tone::Dim,
        // What was forgotten and never missed is told quietly.
        (true, FindingKind::Lost, true) => Tone::Text,
        (true, ..) => Tone::Warning,
    };
    let (room, names) = of.columns;
    let what = what(finding.kind, finding.field, if is_narrow(cells) { ROOMY } else { cells });
    let what = cut(&Shown::line(&what), if is_narrow(cells) { usize::MAX } else { room });
    let turn = finding.sources.first().map_or_else(String::new, |source| format!("t{}", source.turn));
    let (answer, answer_tone) = match (of.seen.is_open(), of.seen.finding.needed_again.first(), cells < ROOMY) {
        (true, None, _) => (String::new(), Tone::Text),
        // Why it is told louder than what nobody missed.
        (true, Some((turn, _)), true) => (format!("needed t{turn}  "), Tone::Warning),
        (true, Some((turn, _)), false) => (format!("needed again t{turn}  "), Tone::Warning),
        (false, _, true) => (format!("{}  ", answered_briefly(&of.seen)), Tone::Accent),
        (false, _, false) => (format!("{}  ", answered(&of.seen)), Tone::Accent),
    };
    let text = super::unmarked(of.text).split_whitespace().collect::<Vec<_>>().join(" ");
    let words = |used: usize| Run {
        text: cut(&Shown::line(&text), cells.saturating_sub(used)),
        ..Run::new("", if of.seen.answer == Answer::WrongAlarm { Tone::Dim } else { Tone::Text })
    };
    let turn = Run::dim(&format!("{turn:<6}"));
    if is_narrow(cells) {
        let head = Row::of([
            Run::text("  "),
            sign(&of.seen, signs),
            Run::text(" "),
            Run { text: what, ..Run::new("", tone) },
            Run::dim(&format!("  {}", of.name)),
        ]);
        let head = head.right(Run::new(&answer, answer_tone)).right(turn).measure(cells);
        return vec![head, Row::of([Run::text("    "), words(6)])];
    }
    let pad = (room + 1).saturating_sub(crate::text::width(&what));
    let mut runs = vec![Run::text("  "), sign(&of.seen, signs), Run::text(" ")];
    runs.push(Run { text: what, ..Run::new("", tone) });
    runs.push(Run::dim(&format!("{}{:<names$}  ", " ".repeat(pad + 1), of.name)));
    let used: usize = runs.iter().map(Run::width).sum::<usize>() + turn.width() + answer.chars().count() + 2;
    runs.push(words(used));
    vec![Row::of(runs).right(Run::new(&answer, answer_tone)).right(turn).measure(cells)]
}

/// How many there are of each kind, with the key that shows only those.
pub fn kind_row(counts: &[(FindingKind, usize)], chosen: Option<FindingKind>, cells: usize) -> Row {
    let all: usize = counts.iter().map(|(_, count)| count).sum();
    let chip = |key: usize, text: &str, here: bool, bare: bool| {
        let tone = if here { Tone::Strong } else { Tone::Dim };
        let text = if bare && !here { String::new() } else { format!(" {text}") };
        let text = if here { format!("[{}]", text.trim_start()) } else { text };
        [
            Run::new(&key.to_string(), Tone::Accent),
            Run::text(if here { " " } else { "" }),
            Run::new(&text, tone),
            Run::text("   "),
        ]
    };
    let make = |bare: bool| {
        let mut runs = vec![Run::text("  ")];
        runs.extend(chip(0, &format!("all {all}"), chosen.is_none(), false));
        for (kind, count) in counts {
            let text = format!("{} {count}", kind.plain());
            runs.extend(chip(*kind as usize + 1, &text, chosen == Some(*kind), bare));
        }
        Row::of(runs)
    };
    let whole = make(false);
    if whole.width() <= cells { whole } else { make(true) }
}

/// The key of the kind that stands in this column of [`kind_row`].
pub fn kind_at(row: &Row, column: usize) -> Option<usize> {
    let mut key = None;
    let mut start = 0;
    for run in &row.runs {
        if run.tone == Tone::Accent {
            key = run.text.as_str().parse().ok();
        }
        start += run.width();
        if column < start {
            return key;
        }
    }
    None
}

/// What a marker kept: of all that it reaches, and of what was said before the first marker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptAt {
    /// The marker's number.
    pub marker: u32,
    /// Of all that it reaches, by field.
    pub retention: Retention,
    /// Of what was first said before the first marker; `None` where nobody counted it.
    pub of_first: Option<Kept>,
}

/// How much each marker kept, by field, as curves over the markers with the first and the last figure.
pub fn curve_rows(markers: &[KeptAt], cells: usize, signs: &Signs) -> Vec<Row> {
    let (Some(first), Some(last)) = (markers.first(), markers.last()) else { return Vec::new() };
    let (first, last) = (first.marker, last.marker);
    if markers.len() < 2 {
        return Vec::new();
    }
    let most = cells.saturating_sub(44).clamp(4, 60);
    // Of very many the first ones give way: the newest say most.
    let shown = &markers[markers.len().saturating_sub(most)..];
    let (dash, light) = (signs.dash, signs.light);
    let title = format!("how much was kept, m{first}{dash}m{last} ");
    let mut rows = vec![
        Row::of([Run::dim(&format!(" {light}{light} ")), Run::new(&title, Tone::Heading)]).fill(light).measure(cells),
    ];
    let mut add = |name: &str, of: &dyn Fn(&KeptAt) -> Option<Kept>| {
        let shares: Vec<Option<Kept>> = shown.iter().map(of).collect();
        let mut held = shares.iter().flatten().filter(|kept| kept.held > 0);
        let Some(from) = held.next() else { return };
        let to = held.next_back().unwrap_or(from);
        let figures = |kept: &Kept| format!("{} of {}", kept.kept, kept.held);
        let numbers = format!("  {} {} {}", figures(from), signs.arrow, figures(to));
        rows.push(Row::of([
            Run::text(&format!("   {name:<12} ")),
            Run::text(&curve(&shares, signs)),
            Run::dim(&numbers),
        ]));
    };
    add("All", &|at| Some(kept_in_all(&at.retention)));
    add(&format!("Before m{first}"), &|at| at.of_first);
    for field in Field::ALL {
        add(field.title(), &|at| kept_of(&at.retention, field));
    }
    add("Hedges", &|at| Some(at.retention.hedges));
    rows
}

/// What is said instead of a list with nothing in it.
pub fn no_findings(unchecked: usize) -> String {
    match unchecked {
        0 => "no finding: every claim that could be checked stands in the turns".to_owned(),
        not => format!(
            "no finding: every claim that could be checked stands in the turns; {} could not be checked, and \
             each says why in its record",
            counted(not as u64, "claim")
        ),
    }
}
