//! The one line of a compaction.

use super::{Laid, Lens, Piece, Row, Run, Tone, thousands};
use crate::session::Trigger;

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
    /// Corrections that hold on it.
    pub corrected: usize,
}

/// The line.
pub fn marker(line: &MarkerLine, lens: &Lens<'_>) -> Laid {
    let signs = lens.signs;
    let rule: String = std::iter::repeat_n(signs.heavy, 2).collect();
    let no = line.no.map_or_else(|| format!("m{}", signs.more), |no| format!("m{no}"));
    let facts = facts(line, lens).join(&format!(" {} ", signs.dot));
    let corrected = if line.corrected > 0 { format!("{} corrected", line.corrected) } else { String::new() };
    let mut row = Row::of([
        Run::dim(&format!("{rule} ")),
        Run::new(&no, Tone::Strong),
        Run::new(&format!(" {} ", signs.marker), Tone::Accent),
        Run::text(&facts),
        Run::text(" "),
    ])
    .fill(signs.heavy);
    if !corrected.is_empty() {
        row = row.right(Run::new(&format!(" {corrected} "), Tone::Accent)).right(Run::dim(&rule));
    }
    Laid { row, piece: Piece::Marker, at: 0 }
}

/// The facts that have room, the most telling ones first to stay.
fn facts(line: &MarkerLine, lens: &Lens<'_>) -> Vec<String> {
    let wide = lens.width >= 90;
    let mut facts = vec![turns(line, lens)];
    if let (Some(trigger), true) = (line.trigger, lens.width >= 70) {
        facts.extend(word(trigger).map(str::to_owned));
    }
    if lens.width >= 46 {
        let count = |n: Option<u64>| n.map(thousands);
        match (count(line.tokens_before), count(line.tokens_after)) {
            (Some(before), Some(after)) => facts.push(format!("{before} {} {after} tok", lens.signs.arrow)),
            (Some(before), None) => facts.push(format!("from {before} tok")),
            (None, Some(after)) => facts.push(format!("{after} tok")),
            (None, None) => {}
        }
    }
    if let (Some(generation), true) = (line.generation, lens.width >= 60) {
        facts.push(format!("{} {generation}", if wide { "generation" } else { "gen" }));
    }
    facts
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
