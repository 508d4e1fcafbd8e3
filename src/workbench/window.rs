//! A window of the transcript: a stretch of lines that begins and ends where turns do, as entries.

use super::lay::Layer;
use super::{Problem, Reading, Spot, Window};
use crate::session::{Depth, FileNo, Line, Log, Stretch, clean_start};

const OWN: FileNo = FileNo(0);
/// A turn longer than this is shown in pieces.
const LONGEST: usize = 64 * 1024 * 1024;

/// The entries at this spot.
pub(super) fn window(log: &mut dyn Log, reading: &Reading, spot: Spot, budget: usize) -> Result<Window, Problem> {
    let budget = budget.max(1);
    let stretch = match own_spot(reading, spot) {
        Spot::Start => forward(log, 0, budget, 0)?,
        Spot::End | Spot::Turn(_) => {
            let size = log.size(OWN)?;
            backward(log, size, budget)?
        }
        Spot::Before(_, offset) => backward(log, offset, budget)?,
        Spot::After(_, offset) => forward(log, offset, budget, offset)?,
        Spot::Around(place) => {
            let before = backward(log, place.offset, budget / 2 + 1)?;
            let after = forward(log, place.offset, budget / 2 + 1, place.offset)?;
            join(before, after)
        }
    };
    let size = log.size(OWN)?;
    let entries = Layer::new(log, reading).entries(&stretch);
    Ok(Window {
        entries,
        file: OWN,
        start: stretch.start,
        end: stretch.end,
        at_start: stretch.at_start,
        at_end: stretch.at_end,
        pending: stretch.pending,
        size,
    })
}

/// A turn by its number is the place where it stands; a place in a sub-agent's file stands, folded, under the turn that
/// started the sub-agent.
fn own_spot(reading: &Reading, spot: Spot) -> Spot {
    let place = match spot {
        Spot::Around(place) => place,
        Spot::Turn(no) => {
            return reading.outline().main_turn(no).map_or(Spot::End, |turn| Spot::Around(turn.place));
        }
        Spot::Start | Spot::End | Spot::Before(..) | Spot::After(..) => return spot,
    };
    if place.file == OWN {
        return spot;
    }
    let outline = reading.outline();
    let starter = outline.turn_at(place.file, place.offset).and_then(|turn| outline.number(turn)).and_then(|no| {
        let no = no.0.first().copied()?;
        outline.main_turn(no).map(|turn| turn.place)
    });
    match starter {
        Some(place) => Spot::Around(place),
        None => Spot::End,
    }
}

/// Lines from here on, up to where a turn surely begins (or the end). `hold` must stay inside.
fn forward(log: &mut dyn Log, from: u64, budget: usize, hold: u64) -> Result<Stretch, Problem> {
    let mut wanted = budget;
    loop {
        let mut stretch = log.forward(OWN, from, wanted, Depth::Full)?;
        if stretch.at_end || stretch.lines.is_empty() {
            return Ok(stretch);
        }
        if let Some(cut) = last_clean(&stretch.lines).filter(|cut| stretch.lines[*cut].offset > hold) {
            stretch.end = stretch.lines[cut].offset;
            stretch.lines.truncate(cut);
            return Ok(stretch);
        }
        if wanted >= LONGEST {
            return Ok(stretch);
        }
        wanted = wanted.saturating_mul(4);
    }
}

/// Lines before here, from where a turn surely begins (or the start).
fn backward(log: &mut dyn Log, before: u64, budget: usize) -> Result<Stretch, Problem> {
    let mut wanted = budget;
    loop {
        let mut stretch = log.backward(OWN, before, wanted, Depth::Full)?;
        if stretch.at_start || stretch.lines.is_empty() {
            return Ok(stretch);
        }
        if let Some(cut) = clean_start(&stretch.lines) {
            stretch.start = stretch.lines[cut].offset;
            stretch.lines.drain(..cut);
            return Ok(stretch);
        }
        if wanted >= LONGEST {
            return Ok(stretch);
        }
        wanted = wanted.saturating_mul(4);
    }
}

/// The last line, not the first one, at which a turn surely begins.
fn last_clean(lines: &[Line]) -> Option<usize> {
    let mut last = None;
    let mut from = 1;
    while let Some(at) = lines.get(from..).and_then(clean_start) {
        last = Some(from + at);
        from += at + 1;
    }
    last
}

fn join(before: Stretch, after: Stretch) -> Stretch {
    let mut lines = before.lines;
    lines.extend(after.lines);
    Stretch {
        file: OWN,
        lines,
        start: if before.start < before.end { before.start } else { after.start },
        end: after.end,
        at_start: before.at_start,
        at_end: after.at_end,
        pending: after.pending,
    }
}
