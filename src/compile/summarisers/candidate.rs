//! The sentences that a summary may be made of: whole sentences of people and the agent, in prose. What is code, a log,
//! a quote, a table or a paste is none.

use std::borrow::Cow;
use std::ops::Range;

use foldhash::HashSet;

use super::super::cues::{Cue, Cues};
use super::super::heard::{self, Heard};
use super::Spoken;
use crate::extract::{Kind, Language, gist, told, words};
use crate::session::{FileNo, PartKind, Speaker};

/// A longer text of a person is mostly pasted.
const PASTED: usize = 6_000;
/// Of a long text so much is looked at.
const HEAD: usize = 8 * 1024;
/// A sentence is told whole or not at all; a longer one is none.
const LONGEST: usize = 400;

/// What a sentence may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// What the person wants.
    Goal,
    /// The last step that was completed.
    State,
    /// What is in the way, or not settled.
    Open,
    /// What comes next.
    Next,
}

/// One sentence, word for word.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// Which of the originals holds it.
    pub original: usize,
    /// In bytes of that part.
    pub range: Range<usize>,
    pub by_user: bool,
    /// What it is about.
    pub gist: Vec<u32>,
    pub slots: Vec<Slot>,
}

/// Whether somebody's own words stand in it: no result, no call, no thinking, and nothing of a sub-agent.
pub(super) fn speaks(spoken: &Spoken) -> bool {
    matches!(spoken.part.kind, PartKind::Text)
        && matches!(spoken.part.speaker, Speaker::User | Speaker::Assistant)
        && spoken.place.file == FileNo(0)
        && spoken.turn.0.len() == 1
}

/// The sentences of one part, in order.
pub(super) fn candidates(original: usize, spoken: &Spoken) -> Vec<Candidate> {
    let (text, by_user) = (spoken.part.text.as_str(), spoken.part.speaker == Speaker::User);
    let head = if by_user && text.len() > PASTED { PASTED / 4 } else { HEAD };
    let head = &text[..text.floor_char_boundary(head)];
    let known = spoken.heard.as_ref().filter(|_| head.len() == text.len());
    let heard = known.map_or_else(|| Cow::Owned(hear(head)), Cow::Borrowed);
    let mut found = Vec::new();
    for one in &heard.0 {
        // The last sentence of a head may be cut.
        let range = one.told.range.clone();
        let cut = range.end == head.len() && head.len() < text.len();
        let said = &head[range.clone()];
        // What goes over several lines without an end is pasted, and what ends with a colon only says that more follows.
        let pasted = said.matches('\n').count() > 1;
        let opens = said.trim_end_matches('*').ends_with(':');
        if cut || one.told.cell || one.told.heading || said.len() > LONGEST || pasted || opens {
            continue;
        }
        let gist = one.gist.clone().unwrap_or_else(|| gist(said, Language::english()));
        if gist.len() < 2 {
            continue;
        }
        let Some(slots) = slots(said, one, by_user) else { continue };
        found.push(Candidate { original, range, by_user, gist, slots });
    }
    found
}

fn hear(text: &str) -> Heard {
    Heard(told(text, Language::english()).into_iter().map(heard::Sentence::new).collect())
}

/// `None` for what only tells of the next minute: `Let me look at the file.`
fn slots(said: &str, one: &heard::Sentence, by_user: bool) -> Option<Vec<Slot>> {
    let cues = one.cues.unwrap_or_else(|| Cues::of(&words(said)));
    let told = &one.told;
    let asks = told.is(Kind::Open, "question");
    let goal = by_user
        && (told.is(Kind::Open, "request")
            || cues.has(Cue::Task)
            || told.is(Kind::Constraints, "order")
            || told.is(Kind::Constraints, "obligation"));
    let next = cues.has(Cue::Next) || told.is(Kind::Open, "todo");
    // What a sentence says of the next step counts, though it opens like narration.
    let did = told.is(Kind::Actions, "");
    if !by_user && !next && !did && cues.has(Cue::Narration) {
        return None;
    }
    let open = !goal && (asks || told.is(Kind::Open, "undecided") || told.is(Kind::Open, "proposal"))
        || cues.has(Cue::Blocked);
    let state = !by_user && !asks && did;
    let all = [(goal, Slot::Goal), (state, Slot::State), (open, Slot::Open), (next && !asks, Slot::Next)];
    Some(all.into_iter().filter_map(|(holds, slot)| holds.then_some(slot)).collect())
}

/// How much of what the shorter of two is about the other shares.
pub(super) fn likeness(one: &[u32], other: &[u32]) -> f32 {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    if short.is_empty() {
        return 0.0;
    }
    let held: HashSet<&u32> = long.iter().collect();
    short.iter().filter(|stem| held.contains(stem)).count() as f32 / short.len() as f32
}
