//! The default: a few of the sentences that were said, word for word and with their sources. No model is asked, the same
//! turns always give the same sentences, and no two of them are ever made one: that would be a claim of its own.
//!
//! Four slots, in this order: what the person wants (the first request, or the last time that it is said again), the last
//! step that was completed, what is in the way or not settled, what comes next. Each takes the sentence that fits its
//! place best and that is near what the whole is about; what says the same as a sentence that was chosen already is
//! passed over. Where fewer than two slots find anything, what is nearest to the whole fills them.

use foldhash::{HashMap, HashMapExt};

use super::candidate::{Candidate, Slot, candidates, likeness, speaks};
use super::{Brief, Sentence, Spoken, Summariser, SummaryError};
use crate::session::{Hash, SourceRef, Speaker};

/// At most so many sentences, whatever is wanted.
const MOST: usize = 4;
/// Of the talk so many bytes from the end are looked at, beside the first words of the person.
const LOOKED_AT: usize = 8 * 1024;
/// And so many bytes of what the person says.
const ASKED: usize = 4 * 1024;
/// So many texts of the agent are listened to in any case.
const HEARD: usize = 4;
/// How much being near the whole counts beside being new (lambda of maximal marginal relevance).
const NEAR: f32 = 0.7;
/// So much alike says the same.
const SAME: f32 = 0.75;
/// So much of the first request stands in what says it again.
const AGAIN: f32 = 0.5;

/// Sentences of the originals, word for word.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extractive;

impl Summariser for Extractive {
    fn name(&self) -> String {
        "extractive".to_owned()
    }

    fn window(&self) -> u64 {
        u64::MAX
    }

    fn picks(&self) -> bool {
        true
    }

    fn summarise(&self, brief: &Brief, stop: &dyn Fn() -> bool) -> Result<Vec<Sentence>, SummaryError> {
        if stop() {
            return Err(SummaryError::Cancelled);
        }
        let all = looked_at(brief.originals);
        let centre = Centre::of(&all);
        let most = brief.sentences.min(MOST);
        let mut chosen: Vec<usize> = Vec::new();
        for slot in [Slot::Goal, Slot::State, Slot::Open, Slot::Next] {
            if chosen.len() < most {
                chosen.extend(best(slot, &all, &chosen, &centre));
            }
        }
        while chosen.len() < most.min(2) {
            let Some(next) = nearest(&all, &chosen, &centre) else { break };
            chosen.push(next);
        }
        Ok(chosen.into_iter().map(|at| sentence(&all[at], brief.originals)).collect())
    }
}

/// The sentences of the first words of the person, and of the last that were said, in order. The agent is listened to from
/// the end on, until it has said what every slot of its own asks for.
fn looked_at(originals: &[Spoken]) -> Vec<Candidate> {
    let by_user = |spoken: &Spoken| spoken.part.speaker == Speaker::User;
    let mut parts: Vec<Vec<Candidate>> = Vec::new();
    let (mut talk, mut asked, mut heard) = (0, 0, 0);
    let mut wanted = vec![Slot::State, Slot::Open, Slot::Next];
    let first = originals.iter().position(|spoken| speaks(spoken) && by_user(spoken));
    for (at, spoken) in originals.iter().enumerate().rev().filter(|(_, spoken)| speaks(spoken)) {
        let spent = if by_user(spoken) { &mut asked } else { &mut talk };
        let enough =
            if by_user(spoken) { *spent >= ASKED } else { *spent >= LOOKED_AT || wanted.is_empty() && heard >= HEARD };
        if enough && first != Some(at) {
            continue;
        }
        *spent += spoken.part.text.len();
        heard += usize::from(!by_user(spoken));
        let found = candidates(at, spoken);
        wanted.retain(|slot| !found.iter().any(|one| one.slots.contains(slot)));
        parts.push(found);
    }
    parts.into_iter().rev().flatten().collect()
}

/// What the whole is about: of each stem in how many sentences it stands.
struct Centre {
    held: HashMap<u32, f32>,
    sentences: f32,
}

impl Centre {
    fn of(all: &[Candidate]) -> Self {
        let mut held = HashMap::new();
        for stem in all.iter().flat_map(|one| &one.gist) {
            *held.entry(*stem).or_insert(0.0) += 1.0;
        }
        Self { held, sentences: (all.len() as f32).max(1.0) }
    }

    /// How near a sentence is to it, from 0 to 1: stems that only this sentence has count nothing.
    fn near(&self, one: &Candidate) -> f32 {
        let weight = |stem: &u32| self.held.get(stem).map_or(0.0, |count| (count - 1.0) / self.sentences);
        let sum: f32 = one.gist.iter().map(weight).sum();
        (sum / (one.gist.len() as f32).sqrt()).min(1.0)
    }
}

/// The sentence for a slot; `None` where nothing fits that is not said already.
fn best(slot: Slot, all: &[Candidate], chosen: &[usize], centre: &Centre) -> Option<usize> {
    let fits = |at: &usize| all[*at].slots.contains(&slot) && is_new(&all[*at], all, chosen);
    match slot {
        Slot::Goal => goal(all),
        // The last part that says any, and of its sentences the one nearest to the whole.
        Slot::State | Slot::Next | Slot::Open => {
            let last = (0..all.len()).rfind(fits)?;
            let same = (0..all.len()).filter(fits).filter(|at| all[*at].original == all[last].original);
            first_of_best(same, |at| worth(&all[at], all, chosen, centre))
        }
    }
}

/// The first request of the person, or the last sentence that says it again; without a request their first words.
fn goal(all: &[Candidate]) -> Option<usize> {
    let asks = |at: &usize| all[*at].by_user && all[*at].slots.contains(&Slot::Goal);
    let first = (0..all.len()).find(asks);
    let Some(first) = first else { return all.iter().position(|one| one.by_user) };
    let again = |at: &usize| asks(at) && likeness(&all[*at].gist, &all[first].gist) >= AGAIN;
    (first..all.len()).rfind(again).or(Some(first))
}

/// What is nearest to the whole of what was not chosen.
fn nearest(all: &[Candidate], chosen: &[usize], centre: &Centre) -> Option<usize> {
    let new = (0..all.len()).filter(|at| is_new(&all[*at], all, chosen));
    first_of_best(new, |at| worth(&all[at], all, chosen, centre))
}

fn is_new(one: &Candidate, all: &[Candidate], chosen: &[usize]) -> bool {
    chosen.iter().all(|at| likeness(&one.gist, &all[*at].gist) < SAME)
}

/// Near the whole, and new beside what was chosen.
fn worth(one: &Candidate, all: &[Candidate], chosen: &[usize], centre: &Centre) -> f32 {
    let known = chosen.iter().map(|at| likeness(&one.gist, &all[*at].gist)).fold(0.0, f32::max);
    NEAR * centre.near(one) - (1.0 - NEAR) * known
}

/// Of several that are worth the same the first one, in the order of turns.
fn first_of_best(of: impl Iterator<Item = usize>, worth: impl Fn(usize) -> f32) -> Option<usize> {
    let mut best: Option<(usize, f32)> = None;
    for at in of {
        let worth = worth(at);
        if best.is_none_or(|(_, most)| worth > most) {
            best = Some((at, worth));
        }
    }
    best.map(|(at, _)| at)
}

fn sentence(one: &Candidate, originals: &[Spoken]) -> Sentence {
    let spoken = &originals[one.original];
    let quote = spoken.part.text[one.range.clone()].to_owned();
    let source = SourceRef {
        turn: spoken.turn.clone(),
        turn_id: spoken.turn_id.clone(),
        line_id: spoken.line_id.clone(),
        place: spoken.place,
        seq: spoken.seq,
        range: (one.range.start, one.range.end),
        hash: Hash::of(quote.as_bytes()),
        quote: quote.clone(),
        speaker: spoken.part.speaker,
    };
    Sentence { text: quote, sources: vec![source] }
}
