//! What the person says to what the agent offers: a yes, a no, or that they do not know yet.

use std::ops::Range;

use crate::extract::{Certainty, Language, Lexicon, Word, words};
use crate::session::Speaker;

use super::alignment::Original;
use super::clauses::sentence_parts;
use super::lists::lists;
use super::statement::{Statement, Token};
use super::synonyms::same;

/// A part of a sentence of the person, up to a full stop or the like: who writes no capitals writes several in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Which of the originals.
    pub original: usize,
    /// In bytes of it.
    pub part: Range<usize>,
}

/// What the person says in one original, part by part.
pub fn said(originals: &[Original], original: usize) -> impl Iterator<Item = Said> {
    sentence_parts(&originals[original].statement.text).into_iter().map(move |part| Said { original, part })
}

/// What the person says to a proposal when they speak next, questions apart: the parts that take up a word of it, or all
/// where none does.
pub fn answer(proposal: &Original, originals: &[Original]) -> Vec<Said> {
    let persons = |one: &&Original| one.is_told() && one.speaker() == Speaker::User && one.seq() > proposal.seq();
    let states = |one: &&Original| {
        one.statement.level() > Certainty::Asked || phrase(one.statement.words(), &lists().holds_back).is_some()
    };
    let Some(seq) = originals.iter().filter(persons).filter(states).map(Original::seq).min() else { return Vec::new() };
    let all: Vec<Said> =
        (0..originals.len()).filter(|no| originals[*no].seq() == seq).flat_map(|no| said(originals, no)).collect();
    let offered = &proposal.statement;
    let takes_up = |one: &Said| offered.content().any(|at| one.has(originals, &offered.tokens[at]));
    let taken: Vec<Said> = all.iter().filter(|one| takes_up(one)).cloned().collect();
    if taken.is_empty() { all } else { taken }
}

impl Said {
    /// Whether it has a word or one of its meaning.
    pub fn has(&self, originals: &[Original], word: &Token) -> bool {
        let tokens = &originals[self.original].statement.tokens;
        tokens.iter().any(|token| self.part.contains(&token.range.start) && same(token, word))
    }

    /// The words by which it leaves something open or says no; words that the claim has as well, but where it says that
    /// something was settled, are no such words.
    pub fn held_back(&self, claim: &Statement, settled: &Range<usize>, originals: &[Original]) -> Option<Range<usize>> {
        let there = &originals[self.original].statement;
        let heard = words(&there.text[self.part.clone()]);
        let new = |range: &Range<usize>| {
            let mut inside = there.tokens.iter().filter(|token| token.content && range.contains(&token.range.start));
            let told = |own: &&Token| !settled.contains(&own.range.start);
            !inside.any(|token| claim.tokens.iter().filter(told).any(|own| same(own, token)))
        };
        [&lists().holds_back, &Language::english().refusals].into_iter().find_map(|list| {
            let start = self.part.start;
            phrases(&heard, list).map(|range| start + range.start..start + range.end).find(new)
        })
    }

    /// Whether it settles what it speaks of: nothing in it asks or leaves anything open.
    pub fn is_plain(&self, originals: &[Original]) -> bool {
        let there = &originals[self.original].statement;
        let (level, cue) = there.certainty();
        let unsure = cue.filter(|_| level < Certainty::Wanted);
        !unsure.is_some_and(|cue| self.part.contains(&cue.start))
            && !there.hedges().iter().any(|hedge| self.part.contains(&hedge.cue.start))
    }
}

/// Whether the person, asked by the agent, takes up a word of the claim when they speak next, and means it: `oil` where
/// they were asked whether it is oil or varnish.
pub fn is_chosen(claim: &Statement, asked: &Original, originals: &[Original]) -> bool {
    asked.is_told()
        && asked.speaker() == Speaker::Assistant
        && answer(asked, originals).into_iter().any(|one| {
            let takes_up = || claim.content().any(|at| one.has(originals, &claim.tokens[at]));
            one.is_plain(originals) && one.held_back(claim, &(0..0), originals).is_none() && takes_up()
        })
}

/// The first phrase of a list in these words.
pub fn phrase(heard: &[Word], list: &Lexicon) -> Option<Range<usize>> {
    phrases(heard, list).next()
}

/// All of them, in order.
pub fn phrases(heard: &[Word], list: &Lexicon) -> impl Iterator<Item = Range<usize>> {
    (0..heard.len()).filter_map(|at| Some(heard[at].range.start..heard[list.at(heard, at)? - 1].range.end))
}
