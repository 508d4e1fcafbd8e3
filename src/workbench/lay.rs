//! Lays over a window what only the whole session can tell: numbers, rewound turns, repeats, sub-agents' files.
//! Without an outline the entries are simply less wise.

use super::Reading;
use crate::session::{
    Depth, Entry, FileNo, Fold, Line, Log, Noise, Outline, Place, SideFile, Stretch, Trouble, Turn, group_knowing,
};

const OWN: FileNo = FileNo(0);
/// A sub-agent's file is unfolded whole up to here; of a longer one this much is shown, and a note says so.
const SIDE_BYTES: usize = 1024 * 1024;

pub(super) struct Layer<'a> {
    log: &'a mut dyn Log,
    reading: &'a Reading,
}

impl<'a> Layer<'a> {
    pub fn new(log: &'a mut dyn Log, reading: &'a Reading) -> Self {
        Self { log, reading }
    }

    /// The lines of a stretch as entries.
    pub fn entries(&mut self, stretch: &Stretch) -> Vec<Entry> {
        let mut entries = {
            let outline = self.reading.outline();
            let mut entries = grouped(&outline, &stretch.lines);
            number(&outline, &mut entries);
            entries
        };
        self.fill_sub_agents(&mut entries);
        if stretch.at_end {
            self.unlinked(&mut entries);
        }
        let outline = self.reading.outline();
        fold_abandoned(&outline, entries)
    }

    /// Under every turn, the sub-agents that it started and that have files of their own.
    fn fill_sub_agents(&mut self, entries: &mut Vec<Entry>) {
        let sides = self.log.head().sides.clone();
        if sides.is_empty() {
            return;
        }
        let mut at = 0;
        while at < entries.len() {
            let agents = match &entries[at] {
                Entry::Turn(turn) if turn.result_of.is_none() => {
                    let mut agents = turn.agents.clone();
                    // Some are named nowhere but in their own files; the whole session tells which call was theirs.
                    let outline = self.reading.outline();
                    agents.extend(outline.started_by(turn.place).into_iter().map(str::to_owned));
                    agents
                }
                Entry::Turn(_)
                | Entry::Marker { .. }
                | Entry::Note { .. }
                | Entry::Folded { .. }
                | Entry::Unread(_) => Vec::new(),
            };
            at += 1;
            for side in sides.iter().filter(|side| agents.contains(&side.agent_id)) {
                entries.insert(at, self.side(side));
                at += 1;
            }
        }
    }

    /// At the end, the sub-agents' files that no turn names.
    fn unlinked(&mut self, entries: &mut Vec<Entry>) {
        let sides: Vec<SideFile> = {
            let outline = self.reading.outline();
            if !outline.complete {
                return;
            }
            let unlinked = |side: &&SideFile| outline.starter(&side.agent_id).is_none();
            self.log.head().sides.iter().filter(unlinked).cloned().collect()
        };
        for side in sides {
            entries.push(self.side(&side));
        }
    }

    /// A sub-agent's file as a fold; where it cannot be read, the reason stands in its place.
    fn side(&mut self, side: &SideFile) -> Entry {
        let mut stretch = match self.log.forward(side.file, 0, SIDE_BYTES, Depth::Full) {
            Ok(stretch) => stretch,
            Err(error) => {
                return Entry::Unread(Trouble { file: side.file, offset: 0, line: None, why: error.to_string() });
            }
        };
        for line in &mut stretch.lines {
            line.sidechain = None;
        }
        let place = Place { file: side.file, offset: stretch.start, part: 0 };
        let outline = self.reading.outline();
        let mut entries = grouped(&outline, &stretch.lines);
        number(&outline, &mut entries);
        let mut noise = Vec::new();
        if !stretch.at_end {
            noise.push(Noise {
                place: Place { file: side.file, offset: stretch.end, part: 0 },
                what: "more".to_owned(),
                text: format!(
                    "only the first {} bytes are shown here: open {} to read on",
                    stretch.end,
                    side.path.display()
                ),
            });
        }
        let fold = Fold::SubAgent { agent: side.agent_id.clone(), file: side.file };
        Entry::Folded { fold, place, entries, noise }
    }
}

/// Lines as entries; those that repeat an id that was there before are folded where they stand.
fn grouped(outline: &Outline, lines: &[Line]) -> Vec<Entry> {
    group_knowing(lines, |line| {
        outline.line_at(line.file, line.offset).and_then(|at| outline.lines.get(at)).is_some_and(|meta| meta.repeat)
    })
}

fn number(outline: &Outline, entries: &mut [Entry]) {
    for entry in entries {
        match entry {
            Entry::Turn(turn) => number_turn(outline, turn),
            Entry::Folded { fold: Fold::Repeat, .. } | Entry::Marker { .. } | Entry::Note { .. } | Entry::Unread(_) => {
            }
            Entry::Folded { entries, .. } => number(outline, entries),
        }
    }
}

fn number_turn(outline: &Outline, turn: &mut Turn) {
    let Some(meta) = outline.turn_at(turn.place.file, turn.place.offset) else { return };
    let no = outline.number(meta);
    // A line of a turn that began elsewhere: the result of a call that stands further up.
    if (meta.place.file, meta.place.offset) == (turn.place.file, turn.place.offset) {
        turn.no = no;
    } else {
        turn.result_of = no;
    }
}

/// Neighbouring turns that were rewound become one fold.
fn fold_abandoned(outline: &Outline, entries: Vec<Entry>) -> Vec<Entry> {
    if !outline.complete || outline.turns.iter().all(|turn| !turn.abandoned) {
        return entries;
    }
    let abandoned = |entry: &Entry| match entry {
        Entry::Turn(turn) if turn.place.file == OWN => {
            outline.turn_at(OWN, turn.place.offset).is_some_and(|meta| meta.abandoned)
        }
        Entry::Turn(_) | Entry::Marker { .. } | Entry::Note { .. } | Entry::Folded { .. } | Entry::Unread(_) => false,
    };
    let follows = |entry: &Entry| matches!(entry, Entry::Folded { fold: Fold::SubAgent { .. } | Fold::Noise, .. });
    let mut folded: Vec<Entry> = Vec::new();
    for entry in entries {
        let gone = abandoned(&entry);
        if let Some(Entry::Folded { fold: Fold::Abandoned, entries, .. }) = folded.last_mut()
            && (gone || follows(&entry))
        {
            entries.push(entry);
        } else if gone {
            let place = entry.place();
            folded.push(Entry::Folded { fold: Fold::Abandoned, place, entries: vec![entry], noise: Vec::new() });
        } else {
            folded.push(entry);
        }
    }
    folded
}
