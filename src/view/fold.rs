//! What stands in one line: folds, notes, and lines that could not be read.

use super::turn::padded;
use super::{Laid, Lens, Piece, Row, Run, Tone, counted, thousands};
use crate::session::{Fold, Noise, TokensSaved, Trouble};
use crate::text::{Shown, cut};

/// The line of a fold; what is in it are entries of their own.
pub fn folded(fold: &Fold, inside: usize, noise: &[Noise], lens: &Lens<'_>) -> Vec<Laid> {
    let unfolded = (lens.open)(Piece::Fold);
    let sign = if unfolded { lens.signs.unfolded } else { lens.signs.folded };
    let count = |one| if inside == 0 { String::new() } else { format!("  {}", counted(inside as u64, one)) };
    let text = match fold {
        Fold::Abandoned => format!("a branch that was left{}", count("turn")),
        Fold::SubAgent { agent, .. } if agent.is_empty() => format!("a sub-agent{}", count("turn")),
        Fold::SubAgent { agent, .. } => format!("sub-agent {agent}{}", count("turn")),
        Fold::Repeat => format!("written once more{}", count("entry")),
        Fold::Noise => counted(noise.len() as u64, "note"),
    };
    let pad = " ".repeat(lens.indent());
    let room = lens.measure().saturating_sub(lens.indent() + 2);
    let mut rows = vec![Laid {
        row: Row::of([
            Run::text(&pad),
            Run::new(sign, Tone::Accent),
            Run { text: cut(&Shown::line(&format!(" {text}")), room), ..Run::dim("") },
        ]),
        piece: Piece::Fold,
        at: 0,
    }];
    if unfolded {
        rows.extend(noise_rows(noise, lens));
    }
    rows.push(Laid::blank());
    rows
}

/// A line for each meta line.
pub(super) fn noise_rows(noise: &[Noise], lens: &Lens<'_>) -> Vec<Laid> {
    let pad = " ".repeat(lens.indent() + 2);
    let room = lens.measure().saturating_sub(pad.len() + 14).max(1);
    noise
        .iter()
        .enumerate()
        .map(|(at, noise)| {
            let what = cut(&Shown::line(&noise.what), 12);
            let gap = " ".repeat(14_usize.saturating_sub(crate::text::width(&what)));
            let text = cut(&Shown::line(noise.text.trim()), room);
            let runs = [Run { text: what, ..Run::dim("") }, Run::dim(&gap), Run { text, ..Run::dim("") }];
            Laid { row: padded(&pad, Row::of(runs)), piece: Piece::Noise, at: at as u32 + 1 }
        })
        .collect()
}

/// The line of a micro-compaction.
pub fn note(saved: &TokensSaved, at: Option<i64>, lens: &Lens<'_>) -> Vec<Laid> {
    let mut text = match saved.cleared {
        0 => "old tool results were cleared".to_owned(),
        n => format!("{} cleared", counted(n as u64, "old tool result")),
    };
    if let Some(tokens) = saved.saved {
        text = format!("{text} {} {} tok freed", lens.signs.dot, thousands(tokens));
    }
    if let Some(at) = at {
        text = format!("{text} {} {}", lens.signs.dot, lens.zone.clock(at));
    }
    let light = lens.signs.light;
    let row = Row::of([Run::dim(&format!(" {light}{light} {text} "))]).fill(light);
    vec![Laid { row, piece: Piece::Note, at: 0 }, Laid::blank()]
}

/// The line of something that could not be read, with its place and why.
pub fn unread(trouble: &Trouble, lens: &Lens<'_>) -> Vec<Laid> {
    let place = trouble
        .line
        .map_or_else(|| format!("at byte {}", thousands(trouble.offset)), |line| format!("line {}", thousands(line)));
    let pad = " ".repeat(lens.indent());
    let text = format!("{} not read: {place}: {}", lens.signs.wrong, trouble.why);
    let room = lens.text_width();
    let row = Row::of([Run::text(&pad), Run { text: cut(&Shown::line(&text), room), ..Run::new("", Tone::Warning) }]);
    vec![Laid { row, piece: Piece::Unread, at: 0 }, Laid::blank()]
}
