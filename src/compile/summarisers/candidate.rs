//! The sentences that a summary may be made of: whole sentences of people and the agent, in prose. What is code, a log,
//! a quote, a table or a paste is none.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::OnceLock;

use super::Spoken;
use crate::extract::{Kind, Language, Lexicon, Told, gist, told, words};
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

struct Lists {
    tasks: Lexicon,
    next: Lexicon,
    blocked: Lexicon,
    narration: Lexicon,
}

fn lists() -> &'static Lists {
    static LISTS: OnceLock<Lists> = OnceLock::new();
    LISTS.get_or_init(|| Lists {
        tasks: Lexicon::parse(include_str!("../../../assets/lexicon/en/tasks.txt")),
        next: Lexicon::parse(include_str!("../../../assets/lexicon/en/next_steps.txt")),
        blocked: Lexicon::parse(include_str!("../../../assets/lexicon/en/blocked.txt")),
        narration: Lexicon::parse(include_str!("../../../assets/lexicon/en/narration.txt")),
    })
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
    let language = Language::english();
    let head = if by_user && text.len() > PASTED { PASTED / 4 } else { HEAD };
    let head = &text[..text.floor_char_boundary(head)];
    let mut found = Vec::new();
    for one in told(head, language) {
        // The last sentence of a head may be cut.
        let cut = one.range.end == head.len() && head.len() < text.len();
        let said = &head[one.range.clone()];
        if cut || one.cell || one.heading || said.len() > LONGEST || said.ends_with(':') {
            continue;
        }
        let gist = gist(said, language);
        if gist.len() < 2 {
            continue;
        }
        let slots = slots(said, &one, by_user);
        found.push(Candidate { original, range: one.range, by_user, gist, slots });
    }
    found
}

fn slots(said: &str, told: &Told, by_user: bool) -> Vec<Slot> {
    let lists = lists();
    let heard: Vec<_> = words(said).into_iter().filter(|word| !word.code && !word.quoted).collect();
    let asks = told.is(Kind::Open, "question");
    let goal = by_user
        && (told.is(Kind::Open, "request")
            || lists.tasks.is_in(&heard)
            || told.is(Kind::Constraints, "order")
            || told.is(Kind::Constraints, "obligation"));
    let next = lists.next.is_in(&heard) || told.is(Kind::Open, "todo");
    // `Next I look at the file` tells of a step of the next minute where it is the agent that says so before a call; it
    // still is what comes next where nothing better is said.
    let narrates = lists.narration.is_in(&heard) && !next;
    let open = !goal && (asks || told.is(Kind::Open, "undecided") || told.is(Kind::Open, "proposal"))
        || lists.blocked.is_in(&heard);
    let state = !by_user && !asks && !narrates && told.is(Kind::Actions, "");
    [(goal, Slot::Goal), (state, Slot::State), (open, Slot::Open), (next && !asks, Slot::Next)]
        .into_iter()
        .filter_map(|(holds, slot)| holds.then_some(slot))
        .collect()
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
