//! What the agent did: calls that change something or run something, each with a few words, so that it can be said what
//! was done on the strength of a claim. The last [`ACTS`] are remembered.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::extract::{Language, gist};
use crate::session::TurnNo;

use super::Gather;
use super::call::{Call, Nature, writes_prose};
use super::thing::Where;

/// So many acts are remembered.
const ACTS: usize = 40_000;
/// So many numbers of each.
const NUMBERS: usize = 40;
/// So much of what it was about is shown.
const SHOWN: usize = 100;
/// What was ruled out is about so much at the least where it is seen to be tried.
const TRIED: usize = 3;
/// So many acts are told of one claim.
const TOLD: usize = 3;
/// A value stands anywhere: so much of what it is the value of stands beside it where it is acted on.
const BESIDE: usize = 2;

#[derive(Debug)]
struct Act {
    seq: u64,
    turn: u32,
    what: Box<str>,
    /// It writes words for people: what they tell of is not done by it.
    prose: bool,
    gist: Box<[u32]>,
}

#[derive(Debug, Default)]
pub(super) struct Acts(VecDeque<Act>);

impl Acts {
    pub fn add(&mut self, call: &Call, text: &str, at: &Arc<Where>, about: &[u32]) {
        if !matches!(call.nature, Nature::Write | Nature::Run) {
            return;
        }
        if self.0.len() >= ACTS {
            self.0.pop_front();
        }
        let said = text[call.target.clone()].lines().next().unwrap_or_default();
        let shown = &said[..said.floor_char_boundary(SHOWN)];
        let cut = if shown.len() < said.len() { "…" } else { "" };
        self.0.push_back(Act {
            seq: at.seq,
            turn: at.turn,
            what: format!("{} {shown}{cut}", call.nature.did()).into(),
            prose: writes_prose(call, text),
            gist: about.iter().copied().take(NUMBERS).collect(),
        });
    }

    /// The first act behind a place that is about all of this but a word in four: its sequence and turn. `None` where
    /// what it is about is too little to be told from anything else.
    pub fn about(&self, about: &[u32], behind: u64) -> Option<(u64, u32)> {
        if about.len() < TRIED {
            return None;
        }
        let from = self.0.partition_point(|act| act.seq <= behind);
        let held = |act: &&Act| about.iter().filter(|number| act.gist.contains(number)).count();
        let mut acts = self.0.range(from..).filter(|act| !act.prose);
        acts.find(|act| held(act) * 4 >= about.len() * 3).map(|act| (act.seq, act.turn))
    }
}

impl Gather {
    /// The first things that the agent did behind a marker (by its place among the markers, from 0) and before the next
    /// but one that are about what this text is about; none where nobody saw it act on it. `beside` says what a value is
    /// the value of; it is empty where the text says so itself.
    pub fn acted_on(&self, marker: usize, text: &str, beside: &str) -> Vec<(TurnNo, String)> {
        let about = gist(text, Language::english());
        let beside: Vec<u32> =
            gist(beside, Language::english()).into_iter().filter(|number| !about.contains(number)).collect();
        let enough = if beside.is_empty() { 2 } else { 1 };
        let Some(mark) = self.marks.get(marker).filter(|_| about.len() >= enough) else { return Vec::new() };
        let end = self.marks.get(marker + 1).map_or(u64::MAX, |next| next.end);
        // A name of several words, or half of a short sentence, is enough; a long claim is rarely done in one call.
        let wanted = if beside.is_empty() { about.len().div_ceil(2).clamp(2, 4) } else { about.len() };
        let held = |act: &Act, about: &[u32]| about.iter().filter(|number| act.gist.contains(number)).count();
        let is_about = |act: &&Act| held(act, &about) >= wanted && (beside.is_empty() || held(act, &beside) >= BESIDE);
        let acts = self.acts.0.iter().skip_while(|act| act.seq <= mark.end).take_while(|act| act.seq <= end);
        acts.filter(is_about).map(|act| (TurnNo::main(act.turn), act.what.to_string())).take(TOLD).collect()
    }
}
