//! What an unfolded record says beside its items: what is wrong with the compaction as such, what stands in no item, and
//! what was forgotten.

use super::finding::{answered, answered_briefly, sign};
use super::record::{Below, RecordRows, below, one_line};
use super::retention::bar;
use super::{Answer, Laid, Lens, Piece, Row, Run, Seen, Tone, evidence, thousands, wrapped};
use crate::record::Warning;
use crate::text::{Shown, cut};

/// Forgotten things that are shown before the rest has to be asked for.
const FIRST: usize = 10;

/// A sentence for each thing that is wrong with the compaction as such.
pub(super) fn warnings(of: &RecordRows<'_>, lens: &Lens<'_>, rows: &mut Vec<Laid>) {
    let Some(checked) = of.record.checked.as_ref().filter(|checked| !checked.warnings.is_empty()) else { return };
    let mut at = 0;
    for warning in &checked.warnings {
        for mut row in wrapped(&sentence(warning, lens), of.cells.saturating_sub(6).max(8), Tone::Warning) {
            row.runs.insert(0, Run::text("   "));
            rows.push(Laid { row, piece: Piece::Warning, at });
            at += 1;
        }
    }
    rows.push(Laid::blank());
}

fn sentence(warning: &Warning, lens: &Lens<'_>) -> String {
    match warning {
        Warning::Thrashing { turns } => {
            let turns = super::counted(u64::from(*turns), "turn");
            format!(
                "Compacted again after only {turns}, and it did not get smaller: the agent may be going round in circles."
            )
        }
        Warning::Grown { from, to } => format!(
            "This summary is longer than the one before it: {} {} {} bytes.",
            thousands(*from),
            lens.signs.arrow,
            thousands(*to)
        ),
        Warning::CutCalls { calls } => {
            let one = *calls == 1;
            format!(
                "{} cut from {} here: the call stands before this compaction, the result behind it.",
                if one { "1 tool call is".to_owned() } else { format!("{calls} tool calls are") },
                if one { "its result" } else { "their results" },
            )
        }
        Warning::TooMany { unchecked, items } => format!(
            "{} of {} items are not checked: the first ones, for only the last {} are held against the originals.",
            thousands(*unchecked),
            thousands(*items),
            thousands(items - unchecked)
        ),
        Warning::EmptySummary | Warning::NoSummary => warning.sentence(),
    }
}

/// How many statements with a hedge still have it.
pub(super) fn hedges(of: &RecordRows<'_>, lens: &Lens<'_>, rows: &mut Vec<Laid>) {
    let Some(kept) = of.record.checked.as_ref().map(|checked| checked.retention.hedges) else { return };
    if kept.held == 0 {
        return;
    }
    let mut row = Row::of([Run::text("   "), Run::new("Hedges", Tone::Heading), Run::text("  ")]);
    row.runs.extend(bar(kept, lens.signs));
    row.runs.push(Run::dim("  (maybe, if, not sure)"));
    rows.push(Laid { row, piece: Piece::Blank, at: 0 });
    rows.push(Laid::blank());
}

/// What is wrong and stands in no item: in the prose between them.
pub(super) fn apart(of: &RecordRows<'_>, lens: &Lens<'_>, rows: &mut Vec<Laid>) {
    let apart: Vec<_> =
        of.seen.iter().enumerate().filter(|(_, seen)| seen.item.is_none() && !seen.is_forgotten()).collect();
    if apart.is_empty() {
        return;
    }
    rows.push(Laid {
        row: Row::of([Run::text("   "), Run::new("Elsewhere in the summary", Tone::Heading)]),
        piece: Piece::Blank,
        at: 0,
    });
    for (nth, seen) in apart {
        finding_rows(nth, seen, seen.finding.kind.plain(), of, lens, rows);
    }
    rows.push(Laid::blank());
}

/// What was forgotten, in its rank.
pub(super) fn section(of: &RecordRows<'_>, lens: &Lens<'_>, rows: &mut Vec<Laid>) {
    let lost: Vec<_> = of.seen.iter().enumerate().filter(|(_, seen)| seen.is_forgotten()).collect();
    let Some(checked) = of.record.checked.as_ref().filter(|_| !lost.is_empty()) else { return };
    let mut head =
        Row::of([Run::text("   "), Run::new("Forgotten", Tone::Heading), Run::dim(&format!("  {}", lost.len()))])
            .measure(of.cells);
    if checked.refetch_tokens > 0 {
        let price = format!("{} tok to look it up again", thousands(checked.refetch_tokens));
        if head.width() + price.len() + 2 <= of.cells {
            head = head.right(Run::dim(&price));
        }
    }
    rows.push(Laid { row: head, piece: Piece::Blank, at: 0 });
    let all = (lens.open)(Piece::MoreForgotten) || lost.len() <= FIRST + 1;
    let shown = if all { lost.len() } else { FIRST };
    for (nth, seen) in lost.iter().take(shown) {
        finding_rows(*nth, seen, evidence::short_noun(seen.finding.field), of, lens, rows);
    }
    if !all {
        let text = format!("   {} {} more", lens.signs.folded, lost.len() - shown);
        rows.push(Laid { row: Row::of([Run::new(&text, Tone::Accent)]), piece: Piece::MoreForgotten, at: 0 });
    }
    rows.push(Laid::blank());
}

/// The row of a finding that has no row of an item: what it is, its words, its turn; below, where it was missed.
fn finding_rows(nth: usize, seen: &Seen<'_>, what: &str, of: &RecordRows<'_>, lens: &Lens<'_>, rows: &mut Vec<Laid>) {
    let piece = Piece::Finding(nth as u32);
    let turn = seen.finding.sources.first().map_or_else(|| "no turn".to_owned(), |source| format!("t{}", source.turn));
    let turn = if of.cells >= 40 { format!("{turn:<7}") } else { turn };
    let mut runs = vec![Run::text("   "), sign(seen, lens.signs), Run::text(" ")];
    if of.cells >= 60 {
        runs.push(Run::dim(&format!("{what:<15} ")));
    }
    let answer = if of.cells < 60 { answered_briefly(seen) } else { answered(seen) };
    let right = if answer.is_empty() { String::new() } else { format!("{answer}  ") };
    let used = runs.iter().map(Run::width).sum::<usize>() + right.len() + turn.len() + 4;
    let text = cut(&Shown::line(&one_line(&super::unmarked(&seen.finding.text))), of.cells.saturating_sub(used));
    let tone = if seen.answer == Answer::WrongAlarm { Tone::Dim } else { Tone::Text };
    runs.push(Run { text, ..Run::new("", tone) });
    let row = Row::of(runs).right(Run::new(&right, Tone::Accent)).right(Run::dim(&turn)).right(Run::text("  "));
    rows.push(Laid { row: row.measure(of.cells), piece, at: 0 });
    // The evidence says it too, with every turn.
    let told = matches!(&of.evidence, Some((Below::Finding(at), _)) if *at == nth);
    if let Some((turn, how)) = seen.finding.needed_again.first().filter(|_| seen.is_open() && !told) {
        let more = seen.finding.needed_again.len() - 1;
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        let text = format!("needed again: {how} at turn {turn}{more}");
        let pad = if of.cells >= 60 { " ".repeat(21) } else { "     ".to_owned() };
        let room = of.cells.saturating_sub(pad.len() + 1);
        let run = Run { text: cut(&Shown::line(&text), room), ..Run::new("", Tone::Warning) };
        rows.push(Laid { row: Row::of([Run::text(&pad), run]), piece: Piece::FindingEvidence(nth as u32), at: 0 });
    }
    if let Some((Below::Finding(at), evidence)) = &of.evidence
        && *at == nth
    {
        let nth = nth as u32;
        let piece = |link| if link { Piece::FindingLink(nth, 0) } else { Piece::FindingEvidence(nth) };
        // The row above it may say where it was missed: the places in the piece go on from there.
        rows.extend(below(evidence, piece).into_iter().map(|laid| Laid { at: laid.at + 1, ..laid }));
    }
}
