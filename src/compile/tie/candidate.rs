//! The candidates that are kept for an item while the originals pass, and the choice among them.

use std::sync::Arc;

use crate::record::{Excerpt, Field, Manner, Origin, Passage};
use crate::session::{PartKind, Ranges, Speaker};

use super::Original;
use super::features::{Feature, Group, Kind};
use super::shelf::Shelf;

/// The part that a candidate stands in.
#[derive(Debug)]
pub struct Home {
    pub origin: Arc<Origin>,
    /// Of the arguments of a tool call, their length: a file that was written says much and means little of it.
    arguments: Option<usize>,
}

impl Home {
    /// Of a part.
    pub fn of(original: &Original) -> Self {
        let part = original.part;
        let arguments = matches!(part.kind, PartKind::ToolCall { .. }).then_some(part.text.len());
        Self { origin: Arc::new(original.origin()), arguments }
    }

    /// How well this speaker fits what is said: a factor near 1.
    pub fn fits(&self, group: &Group) -> f32 {
        let factor = match self.origin.speaker {
            Speaker::User => match group.field {
                Field::Constraints | Field::Decisions | Field::Open => 1.25,
                Field::Actions => 1.0,
                Field::Narrative | Field::RuledOut | Field::Entities | Field::Figures => {
                    if group.of_person {
                        1.3
                    } else {
                        1.1
                    }
                }
            },
            Speaker::Assistant if group.field == Field::Actions => 1.15,
            Speaker::Assistant => 1.0,
            Speaker::Tool | Speaker::System => 0.9,
        };
        let written = match self.arguments {
            Some(len) if len > FILE => 0.7,
            Some(_) if group.field != Field::Actions => 0.9,
            Some(_) | None => 1.0,
        };
        factor * written * if self.origin.manner == Manner::Thinking { 0.85 } else { 1.0 }
    }
}

/// Words that may be an item's source.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub score: f32,
    /// Of it, what the rest of the part added.
    pub bonus: f32,
    /// What the whole part holds of the item, by weight, and whether the part is short enough for that to mean something.
    pub whole: f32,
    pub short: bool,
    pub features: Vec<u32>,
    /// The quote in its part.
    pub range: (usize, usize),
    /// The quote with what stands around it, and where it stands in that.
    pub around: Excerpt,
    pub at: (usize, usize),
    pub home: Arc<Home>,
}

impl Candidate {
    pub fn origin(&self) -> &Origin {
        &self.home.origin
    }

    fn quote(&self) -> &str {
        &self.around[self.at.0..self.at.1]
    }
}

/// Arguments longer than this are a file or a piece of one.
const FILE: usize = 400;
/// A word beside a number ties a claim with a figure to a unit when it is so rare, and another word is there as well.
const RARE_LABEL: f32 = 3.0;
/// At most so many passages an item has.
const PASSAGES: usize = 16;
/// So many sources an item gets at most.
const SOURCES: usize = 5;
/// The share of an item's words, by rarity, that one unit must hold when nothing else ties them.
const ENOUGH: f32 = 0.5;

/// The share that its whole part must hold, if that is short and the unit holds at least [`SOME`].
const MOST: f32 = 0.67;
const SOME: f32 = 0.34;
/// With so many of an item's words a unit needs to hold no more than [`SOME`] of them all: a claim that sums up several
/// sentences shares no more with each.
const MANY: usize = 4;
/// At least this share of an item's words counts, by rarity, however many of them stand nowhere.
const OWN_WORDS: f32 = 0.6;
/// A person's own words are named among the sources when they are at least so near to the best.
const PERSON: f32 = 0.3;

/// Everything that is needed to choose among candidates.
pub struct Choice<'a> {
    pub features: &'a [Feature],
    /// What finding each of them is worth by now.
    pub weight: &'a dyn Fn(u32) -> f32,
    /// Whether it stood anywhere so far.
    pub stands: &'a dyn Fn(u32) -> bool,
    pub reaches: &'a Ranges,
}

impl Choice<'_> {
    /// The sources for a record that reaches this far: those that tie it first, then others that speak of the same.
    pub fn best(&self, group: &Group, shelf: &Shelf) -> (Vec<Passage>, usize) {
        let weight = |id: &u32| (self.weight)(*id);
        let kind = |id: &u32| self.features[*id as usize].kind;
        let of_words = |ids: &[u32]| ids.iter().filter(|id| kind(id) == Kind::Word).map(weight).sum::<f32>();
        // A word that nobody says is the summary's own way to put it, as long as most of the others are not.
        let known: Vec<u32> = group.features.iter().copied().filter(|id| (self.stands)(*id)).collect();
        let all_words = of_words(&known).max(OWN_WORDS * of_words(&group.features));
        let all: f32 = group.features.iter().map(weight).sum();
        let labelled = group.features.iter().any(|id| kind(id) == Kind::Word);
        let reached = || shelf.all().filter(|candidate| self.reaches.contains(candidate.origin().seq.0));
        let mut able: Vec<(f32, &Candidate)> = reached()
            .filter(|candidate| match group.field {
                Field::Entities => candidate.features.iter().any(|id| kind(id).is_strong()),
                Field::Figures => candidate.features.iter().any(|id| match kind(id) {
                    Kind::Figure => true,
                    Kind::Small => labelled && candidate.features.iter().any(|id| kind(id) == Kind::Word),
                    Kind::Exact
                    | Kind::Quote
                    | Kind::Piece
                    | Kind::Name
                    | Kind::Base
                    | Kind::Word
                    | Kind::Label
                    | Kind::Beside => false,
                }),
                Field::Narrative
                | Field::Constraints
                | Field::Decisions
                | Field::Actions
                | Field::RuledOut
                | Field::Open => {
                    candidate.features.iter().any(|id| kind(id).is_strong())
                        || candidate.features.iter().any(|id| kind(id) == Kind::Label && weight(id) >= RARE_LABEL)
                            && candidate.features.iter().filter(|id| kind(id) == Kind::Word).count() >= 2
                        || all_words > 0.0 && {
                            let own = of_words(&candidate.features) / all_words;
                            let said = group.of_person && candidate.origin().speaker == Speaker::User;
                            // One word alone is said everywhere, only a person's answer is so short.
                            let shared = candidate.features.iter().filter(|id| kind(id) == Kind::Word).count();
                            own >= ENOUGH && (shared > 1 || candidate.origin().speaker == Speaker::User)
                                || own >= SOME && (said || shared >= MANY)
                                || own >= SOME && candidate.short && candidate.whole >= MOST * all
                        }
                }
            })
            .map(|candidate| {
                let own: f32 = candidate.features.iter().map(weight).sum();
                (own * candidate.home.fits(group) + candidate.bonus, candidate)
            })
            .collect();
        able.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.origin().seq.cmp(&b.1.origin().seq)));
        let chosen = choose(&able, group, &kind);
        let share = |candidate: &Candidate| {
            if all > 0.0 { candidate.features.iter().map(weight).sum::<f32>() / all } else { 0.0 }
        };
        // What hardly speaks of a claim may be the sentence that bears it out, or denies it.
        let least = if group.field.is_claim() { 0.0 } else { SOME };
        let mut rest: Vec<&Candidate> = reached()
            .filter(|candidate| !chosen.iter().any(|other| other.origin().seq == candidate.origin().seq))
            .filter(|candidate| share(candidate) >= least)
            .collect();
        rest.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.origin().seq.cmp(&b.origin().seq)));
        let ties = chosen.len();
        let all = chosen.into_iter().chain(rest).take(PASSAGES.max(ties));
        (all.map(|candidate| passage(candidate, share(candidate))).collect(), ties)
    }
}

/// The best, those that hold a telling feature which none before them holds, and others nearly as good.
fn choose<'a>(able: &[(f32, &'a Candidate)], group: &Group, kind: &impl Fn(&u32) -> Kind) -> Vec<&'a Candidate> {
    let Some((top, _)) = able.first() else { return Vec::new() };
    let mut chosen: Vec<&Candidate> = Vec::new();
    let said = able
        .iter()
        .find(|(score, one)| one.origin().speaker == Speaker::User && *score >= PERSON * top)
        .map(|(_, one)| *one);
    if group.of_person {
        chosen.extend(said);
    }
    for (score, candidate) in able {
        let again = chosen.iter().any(|other| other.quote() == candidate.quote());
        let same_turn = chosen.iter().any(|other| other.origin().turn == candidate.origin().turn);
        let fresh = candidate
            .features
            .iter()
            .filter(|id| kind(id).is_strong())
            .any(|id| !chosen.iter().any(|other| other.features.contains(id)));
        let near = !same_turn && chosen.len() < 3 && *score >= 0.7 * top;
        if !again && (fresh || near || chosen.is_empty()) {
            chosen.push(candidate);
        }
        if chosen.len() == SOURCES {
            break;
        }
    }
    if let Some(said) = said
        && !chosen.iter().any(|other| other.quote() == said.quote() || other.origin().turn == said.origin().turn)
    {
        chosen.truncate(SOURCES - 1);
        chosen.push(said);
    }
    chosen
}

fn passage(candidate: &Candidate, share: f32) -> Passage {
    let Candidate { range, ref around, at, ref home, .. } = *candidate;
    Passage { origin: Arc::clone(&home.origin), range, around: around.clone(), at, share }
}
