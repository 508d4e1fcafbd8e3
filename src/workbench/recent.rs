//! The turns behind the last closed block, as they were said: nothing before them is read.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::Problem;
use super::context::{BEGINNING, HowMuch};
use super::guard;
use crate::compile::window::Recent;
use crate::session::{Body, Entry, FileNo, Line, Log, Part, PartKind, Role, Turn, group_knowing};

const OWN: FileNo = FileNo(0);
const STEP: usize = 4 * 1024 * 1024;

/// Where the closed blocks end.
#[derive(Default)]
pub(super) struct Behind {
    /// The next part's sequence.
    pub seq: u64,
    /// The last turn of the last block.
    pub turn: u32,
    /// The line that holds the last closed part, and which of its parts that is.
    pub place: Option<(u64, u32)>,
    /// Calls whose results come behind it.
    pub cut: Vec<String>,
    /// Lines whose parts do not count.
    pub repeats: HashSet<u64>,
}

/// The turns behind the last closed block, as they were said.
pub(super) fn recent(log: &mut dyn Log, behind: &Behind, texts: HowMuch) -> Result<Vec<Recent>, Problem> {
    let mut lines: Vec<Line> = Vec::new();
    let mut cut = Cut::default();
    let mut at = behind.place.map_or(0, |(line, _)| line);
    loop {
        let stretch = log.forward(OWN, at, STEP, crate::session::Depth::Full)?;
        let ended = stretch.at_end || stretch.lines.is_empty();
        let read = lines.len();
        lines.extend(stretch.lines);
        if texts == HowMuch::Beginnings {
            lines[read..].iter_mut().for_each(|line| cut.shorten(line));
        }
        if ended {
            break;
        }
        at = stretch.end;
    }
    if let Some((line, block)) = behind.place {
        lines.retain_mut(|one| {
            if one.offset != line {
                return true;
            }
            let Body::Message { parts, .. } = &mut one.body else { return false };
            parts.retain(|part| part.block > block);
            !parts.is_empty()
        });
    }
    let mut ids = HashSet::new();
    let mut repeats = behind.repeats.clone();
    let mut seqs = BTreeMap::new();
    let mut next = behind.seq;
    for line in &lines {
        let seen = line.id.as_deref().is_some_and(|id| !ids.insert(id));
        let Body::Message { parts, .. } = &line.body else { continue };
        if seen {
            repeats.insert(line.offset);
        }
        if !repeats.contains(&line.offset) {
            seqs.insert(line.offset, next);
            next += parts.len() as u64;
        }
    }
    Ok(turns(&group_knowing(&lines, |line| repeats.contains(&line.offset)), behind, (&seqs, next), &cut))
}

/// What was taken off the texts of parts that only need to begin, by their lines and blocks.
#[derive(Default)]
struct Cut(HashMap<(u64, u32), u64>);

impl Cut {
    fn shorten(&mut self, line: &mut Line) {
        let Body::Message { parts, .. } = &mut line.body else { return };
        // What is not sent again counts nothing. A text is sent with a line end.
        let sent = |text: &str| text.len() + usize::from(!text.ends_with('\n'));
        for part in parts.iter_mut().filter(|part| part.text.len() > BEGINNING) {
            let all = sent(&part.text);
            part.text.truncate(part.text.floor_char_boundary(BEGINNING));
            part.text.shrink_to_fit();
            if part.kind.is_sent() {
                self.0.insert((line.offset, part.block), (all - sent(&part.text)) as u64);
            }
        }
    }

    /// How many bytes of this turn are not here.
    fn bytes_of(&self, turn: &Turn) -> u64 {
        turn.parts.iter().filter_map(|said| self.0.get(&(said.place.offset, said.part.block))).sum()
    }
}

/// Turns with the parts from the first of theirs up to the next turn's.
fn turns(entries: &[Entry], behind: &Behind, (seqs, end): (&BTreeMap<u64, u64>, u64), cut: &Cut) -> Vec<Recent> {
    let mut all: Vec<Recent> = Vec::new();
    let mut no = behind.turn;
    for entry in entries {
        let Entry::Turn(turn) = entry else { continue };
        // A result whose call was cut off belongs to that call's turn.
        let late = all.is_empty() && is_late(turn, &behind.cut);
        no += u32::from(!late);
        let Some(start) = seqs.get(&turn.place.offset) else { continue };
        let text = text(no.max(1), turn);
        let tokens = (text.len() as u64 + cut.bytes_of(turn)).div_ceil(4);
        all.push(Recent { turn: no.max(1), parts: *start..*start, tokens, text });
    }
    let mut next = end;
    for turn in all.iter_mut().rev() {
        turn.parts.end = next;
        next = turn.parts.start;
    }
    // Lines of a sub-agent may stand before the first turn.
    if let Some(first) = all.first_mut() {
        first.parts.start = behind.seq;
    }
    all.retain(|turn| !turn.parts.is_empty());
    all
}

fn is_late(turn: &Turn, cut: &[String]) -> bool {
    !turn.parts.is_empty()
        && turn.parts.iter().all(|said| match &said.part.kind {
            PartKind::ToolResult { id: Some(id), .. } => cut.contains(id),
            PartKind::ToolResult { .. }
            | PartKind::Text
            | PartKind::Thinking
            | PartKind::ToolCall { .. }
            | PartKind::Opaque { .. } => false,
        })
}

/// The words of a turn, untouched but for what would open a region; what an agent thought is not sent again.
fn text(no: u32, turn: &Turn) -> String {
    let who = match turn.role {
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::System => "system",
    };
    let mut text = format!("[turn {no} · {who}]\n");
    for said in &turn.parts {
        let Part { kind, text: words, .. } = &said.part;
        match kind {
            PartKind::Text => text.push_str(&guard::words(words)),
            PartKind::ToolCall { name, .. } => {
                text.extend(["> ", &guard::name(name), " ", &guard::words(words)]);
            }
            PartKind::ToolResult { .. } => text.extend(["< ", &guard::words(words)]),
            PartKind::Opaque { what } => text.push_str(&guard::name(&format!("[{what}]"))),
            PartKind::Thinking => continue,
        }
        if !text.ends_with('\n') {
            text.push('\n');
        }
    }
    text
}
