//! The one line of a compaction.

use super::{Laid, Lens, Piece, Row, Run, Tone, thousands};
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
    row.runs.push(Run::text(&facts(line, lens, lens.width.saturating_sub(used))));
    row.runs.push(Run::text(" "));
    Laid { row, piece: Piece::Marker, at: 0 }
}

/// The facts that have room, as they are told: the least telling ones go first, and none is cut.
fn facts(line: &MarkerLine, lens: &Lens<'_>, room: usize) -> String {
    let wide = lens.width >= 90;
    let mut facts = vec![(0, turns(line, lens))];
    facts.extend(line.trigger.and_then(word).map(|word| (4, word.to_owned())));
    let count = |n: Option<u64>| n.map(thousands);
    let tokens = match (count(line.tokens_before), count(line.tokens_after)) {
        (Some(before), Some(after)) => Some(format!("{before} {} {after} tok", lens.signs.arrow)),
        (Some(before), None) => Some(format!("from {before} tok")),
        (None, Some(after)) => Some(format!("{after} tok")),
        (None, None) => None,
    };
    facts.extend(tokens.map(|tokens| (2, tokens)));
    facts.extend(line.generation.map(|no| (3, format!("{} {no}", if wide { "generation" } else { "gen" }))));
    if line.beginning_missing {
        facts.push((1, "beginning missing".to_owned()));
    }
    let dot = format!(" {} ", lens.signs.dot);
    loop {
        let text = facts.iter().map(|(_, fact)| fact.as_str()).collect::<Vec<_>>().join(&dot);
        let last = facts.iter().map(|(rank, _)| *rank).max().filter(|rank| *rank > 0);
        match last {
            Some(rank) if width(&Shown::line(&text)) > room => facts.retain(|(of, _)| *of != rank),
            _ => return text,
        }
    }
}

fn turns(line: &MarkerLine, lens: &Lens<'_>) -> String {
    let Some(covered) = &line.covered else { return format!("turns {}", lens.signs.more) };
    let range = |(from, to): &(u32, u32)| {
        if from == to { from.to_string() } else { format!("{from}{}{to}", lens.signs.dash) }
    };
    let more = if covered.len() > 3 { format!(", {}", lens.signs.more) } else { String::new() };
    match covered.as_slice() {
        [] => "no turns of this file".to_owned(),
        [one] if one.0 == one.1 => format!("turn {}", one.0),
        all => format!("turns {}{more}", all.iter().take(3).map(range).collect::<Vec<_>>().join(", ")),
    }
}

fn word(trigger: Trigger) -> Option<&'static str> {
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
