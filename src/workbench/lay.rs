//! Lays over a window what only the whole session can tell: numbers, rewound turns, repeats, sub-agents' files.
//! Without an outline the entries are simply less wise.

use super::Reading;
use crate::session::{Entry, FileNo, Fold, Line, Log, Outline, Place, SideFile, Stretch, Trouble, Turn, group_knowing};

const OWN: FileNo = FileNo(0);
pub(super) struct Layer<'a> {
    log: &'a dyn Log,
    reading: &'a Reading,
}

impl<'a> Layer<'a> {
    pub fn new(log: &'a dyn Log, reading: &'a Reading) -> Self {
        Self { log, reading }
    }

    /// The lines of a stretch as entries.
    pub fn entries(&self, stretch: &Stretch) -> Vec<Entry> {
        let mut entries = {
            let outline = self.reading.outline();
            let mut entries = grouped(&outline, &stretch.lines);
            number(&outline, &mut entries);
            entries
        };
        self.fill_sub_agents(&mut entries);
        if stretch.at_end && stretch.file == OWN {
            self.unlinked(&mut entries);
        }
        let outline = self.reading.outline();
        fold_abandoned(&outline, entries)
    }

    /// Under every turn, the sub-agents that it started and that have files of their own.
    fn fill_sub_agents(&self, entries: &mut Vec<Entry>) {
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
    fn unlinked(&self, entries: &mut Vec<Entry>) {
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

    /// A sub-agent's file as a fold whose entries are read when somebody asks for them; where it is known that it cannot
    /// be read, the reason stands in its place.
    fn side(&self, side: &SideFile) -> Entry {
        let outline = self.reading.outline();
        let whole = |trouble: &&Trouble| trouble.file == side.file && trouble.offset == 0 && trouble.line.is_none();
        if let Some(trouble) = outline.troubles.iter().find(whole) {
            return Entry::Unread(trouble.clone());
        }
        let fold = Fold::SubAgent { agent: side.agent_id.clone(), file: side.file };
        let place = Place { file: side.file, offset: 0, part: 0 };
        Entry::Folded { fold, place, entries: Vec::new(), noise: Vec::new() }
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
