//! What was needed once more behind a marker: read again, run again, asked again, said again, or tried although it
//! had been ruled out.

use crate::extract::{Language, gist};
use crate::record::{Again, Detail, Field};
use crate::session::{Speaker, TurnNo};

use super::Gather;
use super::call::{Nature, read_key};
use super::later::{Made, SaidAgain, Sentence};
use super::thing::{Mention, Thing};

/// So much of a statement, by the rarity of its words, comes back in a sentence that says it again.
const AGAIN: f32 = 0.7;
/// In a person's own words less is enough.
const AGAIN_BY_USER: f32 = 0.6;
/// A result says many things: nearly all of a statement comes back in one that says it again.
const AGAIN_IN_RESULT: f32 = 0.6;
/// A long result holds many words by chance.
const AGAIN_IN_LONG_RESULT: f32 = 0.9;
/// A result about no more than this is brief.
const BRIEF: usize = 40;
/// So many words of a statement come back at the least.
const LEAST: usize = 3;
const LEAST_IN_RESULT: usize = 5;
/// A command that ran so often before was run as a habit.
const HABIT: usize = 3;
/// A person types no more tokens at once.
const PASTED: u32 = 300;
/// So many places are told of one thing.
const TOLD: usize = 3;

/// A place where something was needed.
struct Need {
    seq: u64,
    turn: u32,
    tokens: u32,
    what: &'static str,
}

impl Gather {
    /// Where a fact of a marker (both by their places, from 0) was needed once more behind the marker, as long as
    /// nobody had it before their eyes again: up to the next marker behind the first such place. In order of turns.
    pub fn again(&self, marker: usize, fact: usize) -> Vec<Again> {
        let (Some(mark), Some(thing)) = (self.marks.get(marker), self.thing_of(marker, fact)) else {
            return Vec::new();
        };
        let mut needs = self.calls_again(thing, mark.end);
        needs.extend(self.words_again(thing, mark.end));
        needs.extend(named_again(thing, marker as u32 + 1));
        needs.extend(self.tried(thing, mark.end));
        needs.sort_by_key(|need| need.seq);
        needs.dedup_by_key(|need| need.turn);
        let Some(first) = needs.first().map(|need| need.seq) else { return Vec::new() };
        let end = self.marks.iter().map(|mark| mark.end).find(|end| *end >= first).unwrap_or(u64::MAX);
        needs
            .iter()
            .take_while(|need| need.seq <= end)
            .take(TOLD)
            .map(|need| Again {
                turn: TurnNo::main(need.turn),
                what: need.what.to_owned(),
                tokens: u64::from(need.tokens),
            })
            .collect()
    }

    /// Calls that were made once more: the same call, or one that brought the same.
    fn calls_again(&self, thing: &Thing, behind: u64) -> Vec<Need> {
        let need =
            |made: &Made| Need { seq: made.seq, turn: made.turn, tokens: made.tokens, what: made.nature.again() };
        if let Detail::Entity { class } = &thing.detail
            && class == "path"
        {
            let calls: Vec<&Made> = self.later.same_calls(read_key(&thing.text)).collect();
            if calls.iter().any(|made| made.seq <= behind) {
                return calls.into_iter().filter(|made| made.seq > behind).map(need).collect();
            }
        }
        let Some((call, made)) = thing.evidence.and_then(|call| Some((call, self.later.made(call)?))) else {
            return Vec::new();
        };
        let mut calls: Vec<&Made> = match made.nature {
            // What was said on the strength of a run is needed again only when a run brings the same.
            Nature::Run if thing.field != Field::Actions => Vec::new(),
            Nature::Read | Nature::Search | Nature::Run => self.later.same_calls(made.key).collect(),
            Nature::Write => self.later.same_calls(made.read).collect(),
        };
        let before = calls.iter().filter(|other| other.seq <= behind && other.nature == made.nature).count();
        if before >= HABIT {
            calls.clear();
        }
        if thing.field != Field::Actions && made.nature != Nature::Write {
            calls.extend(self.later.same_results(call).into_iter().filter(|other| other.nature == made.nature));
        }
        // What runs once more after something was changed is run to see the change.
        let fresh =
            |made: &&Made| made.seq > behind && (made.nature != Nature::Run || !self.later.wrote(behind, made.seq));
        calls.into_iter().filter(fresh).map(need).collect()
    }

    /// What had been ruled out was done after all.
    fn tried(&self, thing: &Thing, behind: u64) -> Option<Need> {
        let Detail::RuledOut { claim, .. } = &thing.detail else { return None };
        let (seq, turn) = self.acts.about(&gist(claim, Language::english()), behind)?;
        Some(Need { seq, turn, tokens: 0, what: "tried although ruled out" })
    }

    /// Words that came again.
    fn words_again(&self, thing: &Thing, behind: u64) -> Vec<Need> {
        let mut needs = Vec::new();
        match thing.field {
            Field::Actions => {}
            Field::Entities => {
                // Of `orders.status` the first half is enough, where that is more than one word.
                let language = Language::english();
                let halves = thing.text.split('.').next().filter(|first| first.len() < thing.text.len());
                for about in halves.map(|first| gist(first, language)).iter().chain([&thing.gist]) {
                    if about.len() < 2 {
                        continue;
                    }
                    let all = self.later.said_again(about, behind).into_iter();
                    let whole = all.filter(|again| again.share > 0.99 && again.rare);
                    let by_user = whole
                        .filter(|again| again.sentence.speaker == Speaker::User && again.sentence.tokens <= PASTED);
                    needs.extend(by_user.map(|again| said(again.sentence, asked_or_said(again.sentence))));
                }
            }
            Field::Figures => {
                let all = self.later.said_again(&thing.gist, behind);
                let whole = all.into_iter().filter(|again| again.share > 0.99 && thing.gist.len() >= 2);
                // A value that results bring all the time is no figure that anybody missed.
                let from_tool =
                    thing.words.at.speaker == Speaker::Tool && (thing.times as usize) < HABIT && tells(&thing.detail);
                needs.extend(whole.filter_map(|again| match again.sentence.speaker {
                    Speaker::User if again.rare => Some(said(again.sentence, asked_or_said(again.sentence))),
                    Speaker::Tool if from_tool => Some(said(again.sentence, "looked up again")),
                    Speaker::User | Speaker::Tool | Speaker::Assistant | Speaker::System => None,
                }));
            }
            Field::Narrative | Field::Constraints | Field::Decisions | Field::RuledOut | Field::Open => {
                let all = self.later.said_again(&thing.gist, behind).into_iter();
                needs.extend(all.filter_map(|again| statement_again(thing, &again)));
            }
        }
        needs
    }
}

/// `0` and `1` stand everywhere.
fn tells(detail: &Detail) -> bool {
    matches!(detail, Detail::Figure { value, .. } if !matches!(value.as_str(), "0" | "1"))
}

fn statement_again(thing: &Thing, again: &SaidAgain) -> Option<Need> {
    if again.sentence.lists {
        return None;
    }
    let by_user = thing.words.at.speaker == Speaker::User;
    let (wanted, dense, what) = match again.sentence.speaker {
        Speaker::User => (AGAIN_BY_USER, 0.3, asked_or_said(again.sentence)),
        Speaker::Assistant if again.sentence.asks => (AGAIN, 0.3, "asked again"),
        Speaker::Assistant if !by_user => (AGAIN, 0.3, "worked out again"),
        Speaker::Tool if again.sentence.gist.len() <= BRIEF => (AGAIN_IN_RESULT, 0.0, "looked up again"),
        Speaker::Tool => (AGAIN_IN_LONG_RESULT, 0.0, "looked up again"),
        Speaker::Assistant | Speaker::System => return None,
    };
    let least = if again.sentence.speaker == Speaker::Tool { LEAST_IN_RESULT } else { LEAST };
    let enough =
        again.shared >= least || again.share > 0.99 && again.shared >= 2 && again.sentence.speaker != Speaker::Tool;
    let fits = enough && again.share >= wanted && again.density >= dense;
    fits.then(|| said(again.sentence, what))
}

fn asked_or_said(sentence: &Sentence) -> &'static str {
    if sentence.asks { "asked again" } else { "the user said it again" }
}

fn said(sentence: &Sentence, what: &'static str) -> Need {
    Need { seq: sentence.seq, turn: sentence.turn, tokens: sentence.tokens, what }
}

/// A name that the person said again before the agent used it by itself.
fn named_again(thing: &Thing, period: u32) -> Option<Need> {
    if thing.field != Field::Entities {
        return None;
    }
    let first = thing.mentions.iter().find(|one| one.period >= period)?;
    let Mention { seq, turn, tokens, .. } = *first;
    // In a long text that a person pastes, names stand by chance.
    (first.speaker == Speaker::User && tokens <= PASTED).then_some(Need {
        seq,
        turn,
        tokens,
        what: "the user said it again",
    })
}
