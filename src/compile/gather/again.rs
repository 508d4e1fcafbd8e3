//! What was needed once more behind a marker: read again, run again, asked again, said again.

use crate::record::{Again, Detail, Field};
use crate::session::{Speaker, TurnNo};

use super::Gather;
use super::call::{Nature, read_key};
use super::later::Made;
use super::thing::Thing;

/// So much of a statement comes back in a sentence that says it again.
const AGAIN: f32 = 0.6;
/// In a person's own words less is enough.
const AGAIN_BY_USER: f32 = 0.5;
/// A command that ran so often before was run as a habit.
const HABIT: usize = 3;
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
        needs.sort_by_key(|need| need.seq);
        needs.dedup_by_key(|need| (need.turn, need.what));
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
        let read = match &thing.detail {
            Detail::Entity { class } if class == "path" => Some(read_key(&thing.text)),
            Detail::Plain
            | Detail::Entity { .. }
            | Detail::Figure { .. }
            | Detail::Action { .. }
            | Detail::RuledOut { .. } => None,
        };
        if let Some(key) = read {
            let calls: Vec<&Made> = self.later.same_calls(key).collect();
            let before = calls.iter().any(|made| made.seq <= behind);
            return calls.into_iter().filter(|made| before && made.seq > behind).map(need).collect();
        }
        let Some(call) = thing.evidence else { return Vec::new() };
        let Some(made) = self.later.made(call) else { return Vec::new() };
        let mut calls: Vec<&Made> = match made.nature {
            Nature::Read | Nature::Search | Nature::Run => self.later.same_calls(made.key).collect(),
            Nature::Write => Vec::new(),
        };
        let habit = calls.iter().filter(|made| made.seq <= behind).count() >= HABIT;
        if habit {
            calls.clear();
        }
        if thing.field != Field::Actions {
            calls.extend(self.later.same_results(call).into_iter().filter(|other| other.nature == made.nature));
        }
        calls.into_iter().filter(|made| made.seq > behind).map(need).collect()
    }

    /// Words that came again.
    fn words_again(&self, thing: &Thing, behind: u64) -> Vec<Need> {
        if thing.field == Field::Actions || thing.gist.len() < 2 {
            return Vec::new();
        }
        let is_name = thing.field == Field::Entities;
        let by_user = thing.words.at.speaker == Speaker::User;
        let mut needs = Vec::new();
        for (sentence, share) in self.later.said_again(&thing.gist, behind) {
            let wanted = match sentence.speaker {
                _ if is_name || thing.field == Field::Figures => 0.99,
                Speaker::User => AGAIN_BY_USER,
                Speaker::Assistant | Speaker::Tool | Speaker::System => AGAIN,
            };
            if share < wanted {
                continue;
            }
            let what = match sentence.speaker {
                Speaker::User if sentence.asks => "asked again",
                Speaker::User => "the user said it again",
                Speaker::Assistant if sentence.asks && thing.asks => "asked again",
                Speaker::Assistant if !is_name && !by_user => "worked out again",
                Speaker::Tool => "looked up again",
                Speaker::Assistant | Speaker::System => continue,
            };
            needs.push(Need { seq: sentence.seq, turn: sentence.turn, tokens: sentence.tokens, what });
        }
        needs
    }
}

/// A name that came back before the agent used it by itself: it stood in a result, or the person said it.
fn named_again(thing: &Thing, period: u32) -> Option<Need> {
    if thing.field != Field::Entities {
        return None;
    }
    let first = thing.mentions.iter().find(|one| one.period >= period)?;
    let what = match first.speaker {
        Speaker::User => "the user said it again",
        Speaker::Tool => "looked up again",
        Speaker::Assistant | Speaker::System => return None,
    };
    Some(Need { seq: first.seq, turn: first.turn, tokens: first.tokens, what })
}
