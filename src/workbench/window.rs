//! A window of the transcript: a stretch of lines that begins and ends where turns do, as entries.

use super::lay::Layer;
use super::{Problem, Reading, Spot, Window};
use crate::session::{Depth, FileNo, Line, Log, Stretch, clean_start};

const OWN: FileNo = FileNo(0);
/// A turn longer than this is shown in pieces.
const LONGEST: usize = 64 * 1024 * 1024;

/// The entries at this spot. A spot in a sub-agent's file gives the entries of that file.
pub(super) fn window(log: &mut dyn Log, reading: &Reading, spot: Spot, budget: usize) -> Result<Window, Problem> {
    let budget = budget.max(1);
    let spot = match spot {
        Spot::Turn(no) => reading.outline().main_turn(no).map_or(Spot::End, |turn| Spot::Around(turn.place)),
        Spot::Start | Spot::End | Spot::Around(_) | Spot::Before(..) | Spot::After(..) => spot,
    };
    let file = match spot {
        Spot::Start | Spot::End | Spot::Turn(_) => OWN,
        Spot::Around(place) => place.file,
        Spot::Before(file, _) | Spot::After(file, _) => file,
    };
    let mut of = OfFile { log, file };
    let stretch = match spot {
        Spot::Start => of.forward(0, budget, 0)?,
        Spot::End | Spot::Turn(_) => {
            let size = of.log.size(file)?;
            of.backward(size, budget)?
        }
        Spot::Before(_, offset) => of.backward(offset, budget)?,
        Spot::After(_, offset) => of.forward(offset, budget, offset)?,
        Spot::Around(place) => {
            let before = of.backward(place.offset, budget / 2 + 1)?;
            let after = of.forward(place.offset, budget / 2 + 1, place.offset)?;
            join(before, after)
        }
    };
    let size = log.size(file)?;
    let entries = Layer::new(log, reading).entries(&stretch);
    Ok(Window {
        entries,
        file,
        start: stretch.start,
        end: stretch.end,
        at_start: stretch.at_start,
        at_end: stretch.at_end,
        pending: stretch.pending,
        size,
    })
}

/// One file of a session, to be read by stretches.
struct OfFile<'a> {
    log: &'a mut dyn Log,
    file: FileNo,
}

impl OfFile<'_> {
    /// Lines from here on, up to where a turn surely begins (or the end). `hold` must stay inside.
    fn forward(&mut self, from: u64, budget: usize, hold: u64) -> Result<Stretch, Problem> {
        let mut wanted = budget;
        loop {
            let mut stretch = self.log.forward(self.file, from, wanted, Depth::Full).map(own_words)?;
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
    fn backward(&mut self, before: u64, budget: usize) -> Result<Stretch, Problem> {
        let mut wanted = budget;
        loop {
            let mut stretch = self.log.backward(self.file, before, wanted, Depth::Full).map(own_words)?;
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
}

/// In its own file a sub-agent's lines are like anybody's.
fn own_words(mut stretch: Stretch) -> Stretch {
    if stretch.file != OWN {
        stretch.lines.iter_mut().for_each(|line| line.sidechain = None);
    }
    stretch
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
        file: after.file,
        lines,
        start: if before.start < before.end { before.start } else { after.start },
        end: after.end,
        at_start: before.at_start,
        at_end: after.at_end,
        pending: after.pending,
    }
}
