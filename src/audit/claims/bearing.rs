//! Whether a sentence bears a claim out. A person stops looking at what is verified, so that every word of the claim must
//! stand in one clause of the sentence, in its order, denied or not as there, and be said as firmly and by whom it says.

use std::ops::Range;

use crate::extract::{Certainty, Language};
use crate::session::Speaker;

use super::attribution::{Act, Attribution, Who};
use super::clauses::{sentence_part, sentence_parts, span};
use super::lists::lists;
use super::plain::plain;
use super::statement::{Statement, Token};
use super::synonyms::same;
use super::verdict::{agrees, asks, begins_with, is_self};
use super::wording::negates;

/// A sentence that may bear a claim out.
#[derive(Clone, Copy)]
pub struct Witness<'s> {
    /// What it says.
    pub says: &'s Statement,
    /// Who says it.
    pub speaker: Speaker,
    /// It is told, or the person's: not part of a call or its result.
    pub told: bool,
}

/// Whether these sentences bear a claim out: one alone, or each part of the claim one of them.
pub fn bear(claim: &Statement, said: &[Attribution], witnesses: &[Witness]) -> bool {
    let any = |part: Range<usize>| witnesses.iter().any(|one| Pair { claim, said, part: part.clone(), one }.holds());
    !is_cut_off(claim) && (any(0..claim.text.len()) || sentence_parts(&claim.text).into_iter().all(any))
}

/// Half of a sentence, `The limit is`: it says nothing.
pub fn is_cut_off(claim: &Statement) -> bool {
    let last = claim.tokens.last();
    !claim.text.trim_end().ends_with('?') && last.is_none_or(|last| plain().hanging.contains(last.lower.as_str()))
}

/// A part of a claim, in bytes, and one sentence.
struct Pair<'p> {
    claim: &'p Statement,
    said: &'p [Attribution],
    part: Range<usize>,
    one: &'p Witness<'p>,
}

impl Pair<'_> {
    fn holds(&self) -> bool {
        let (claim, there) = (self.claim, self.one.says);
        let named = |said: &&Attribution| !is_pronoun(&claim.text[said.cue.clone()]);
        let cues = self.said.iter().filter(|said| self.part.contains(&said.cue.start));
        let cues: Vec<&Attribution> = cues.filter(named).collect();
        let asked = cues.iter().any(|cue| cue.act == Act::Asks) || asks(claim);
        if !cues.iter().all(|cue| self.is_by(cue)) || !asked && (asks(there) || !self.is_as_firm()) {
            return false;
        }
        let Some(names) = self.names(!cues.is_empty()) else { return false };
        let own = (0..claim.tokens.len()).filter(|at| self.part.contains(&claim.tokens[*at].range.start));
        let told = |at: &usize| *at < names || cues.iter().any(|cue| cue.cue.contains(&claim.tokens[*at].range.start));
        let own: Vec<usize> = own.filter(|at| !told(at)).collect();
        let wanted: Vec<usize> = own.iter().copied().filter(|at| says(&claim.tokens[*at])).collect();
        let noes: Vec<usize> = own.iter().copied().filter(|at| negates(&claim.tokens[*at].lower)).collect();
        !wanted.is_empty()
            && (there.pieces().iter().any(|piece| self.is_in(piece, &wanted, &noes)) || self.is_run(&wanted, &noes))
    }

    /// What somebody is said to have said must be by them, and a yes a yes.
    fn is_by(&self, cue: &Attribution) -> bool {
        match cue.who {
            Who::Person => {
                self.one.told
                    && self.one.speaker == Speaker::User
                    && (cue.act != Act::Approves || agrees(self.one.says))
            }
            Who::Agent => self.one.speaker == Speaker::Assistant,
        }
    }

    /// An order says what is wanted; what is only possible says nothing firm. A question that is none here asks to confirm
    /// it, or for it.
    fn is_as_firm(&self) -> bool {
        let level = self.one.says.level();
        level >= self.claim.level().min(Certainty::Wanted) || level == Certainty::Asked
    }

    /// How many of the first words only name who did what is told: the others must be in their words, `I moved it`.
    /// `None` where it is somebody else who speaks.
    fn names(&self, reported: bool) -> Option<usize> {
        let Some(who) = begins_with(self.claim).filter(|_| self.part.start == 0) else { return Some(0) };
        let own = |token: &Token| is_pronoun(&token.lower);
        let speaks = match who {
            Who::Person => self.one.speaker == Speaker::User && self.one.told,
            Who::Agent => self.one.speaker == Speaker::Assistant,
        };
        let first = self.claim.tokens.iter().take(2).position(|token| is_self(token, who))? + 1;
        (speaks && (reported || who == Who::Agent || self.one.says.tokens.iter().any(own))).then_some(first)
    }

    /// Whether all of these words stand in a piece of the sentence, or in the label in front of it; one of them may have
    /// another place.
    fn is_in(&self, piece: &Range<usize>, wanted: &[usize], noes: &[usize]) -> bool {
        let label = label(self.one.says);
        let (mut at, mut placed): (Vec<usize>, Vec<usize>) = (Vec::with_capacity(wanted.len()), Vec::new());
        for own in wanted {
            let from = placed.last().map_or(piece.start, |last| last + 1);
            let fits = |other: &usize| self.fits(*own, *other);
            let inside = (from..piece.end).find(fits).or_else(|| piece.clone().find(fits));
            placed.extend(inside);
            let Some(next) = inside.or_else(|| label.clone().find(fits)) else { return false };
            at.push(next);
        }
        // Of figures none has another place: `1.8` is not `8.1`.
        let figures = wanted.iter().zip(&at).filter(|(own, _)| figure(&self.claim.tokens[**own]).is_some());
        figures.map(|(_, at)| at).is_sorted()
            && placed.len() - rising(&placed) <= 1
            && !self.counts(piece, wanted, &at)
            && self.is_alike(noes, piece, wanted, &at)
            && self.is_unbound(piece, &at)
    }

    /// Whether these words stand in the sentence one after the other, whatever marks are between them.
    fn is_run(&self, wanted: &[usize], noes: &[usize]) -> bool {
        let there = self.one.says;
        let all: Vec<usize> = (0..there.tokens.len()).filter(|at| says(&there.tokens[*at])).collect();
        let holds = |(no, run): (usize, &[usize])| {
            // A no in front of the first word is of them, and so is one behind the last.
            let from = no.checked_sub(1).map_or(0, |before| all[before] + 1);
            let piece = from..all.get(no + wanted.len()).copied().unwrap_or(there.tokens.len());
            let around = no.saturating_sub(1)..(no + wanted.len() + 1).min(all.len());
            let around = all[around.start]..all[around.end - 1] + 1;
            wanted.iter().zip(run).all(|(own, other)| self.fits(*own, *other))
                && !self.counts(&around, wanted, run)
                && self.is_alike(noes, &piece, wanted, run)
                && self.is_unbound(&piece, run)
        };
        all.windows(wanted.len()).enumerate().any(holds)
    }

    /// Whether a word of the sentence says a word of the claim; what is only to be done was not done.
    fn fits(&self, own: usize, other: usize) -> bool {
        let (own, other) = (&self.claim.tokens[own], &self.one.says.tokens[other]);
        let wanted = || {
            let wants = |cue: &Attribution| cue.who == Who::Person && cue.span.contains(&own.range.start);
            self.said.iter().any(wants)
        };
        let called = || !self.one.told && self.one.speaker == Speaker::Assistant;
        own.lower == other.lower
            || tells(other, own) && (!is_past(&own.lower) || is_done(&other.lower) || wanted() || called())
    }

    /// Whether a claim with a figure leaves out another that stands there: of `3 of 20` neither holds alone.
    fn counts(&self, piece: &Range<usize>, wanted: &[usize], at: &[usize]) -> bool {
        let is_figure = |token: &Token| figure(token).is_some();
        wanted.iter().any(|own| is_figure(&self.claim.tokens[*own]))
            && piece.clone().any(|no| is_figure(&self.one.says.tokens[no]) && !at.contains(&no))
    }

    /// Whether each word is denied in both or in neither: the noes stand before the same words, or reach them.
    fn is_alike(&self, noes: &[usize], piece: &Range<usize>, wanted: &[usize], at: &[usize]) -> bool {
        let (claim, there) = (self.claim, self.one.says);
        let theirs = || piece.clone().filter(|no| negates(&there.tokens[*no].lower));
        let before = |no: usize, words: &[usize]| words.iter().filter(|word| **word < no).count();
        let same = || noes.iter().map(|no| before(*no, wanted)).eq(theirs().map(|no| before(no, at)));
        let reached = |own: usize, other: usize| claim.is_negated(own) == there.is_negated(other);
        let mut pairs = wanted.iter().zip(at).filter(|(own, _)| claim.tokens[**own].content);
        noes.len() % 2 == theirs().count() % 2
            && (!noes.is_empty() && same() || pairs.all(|(own, other)| reached(*own, *other)))
    }

    /// Whether the sentence says it without a bound that the claim leaves out: `only if …`, `nobody else …`.
    fn is_unbound(&self, piece: &Range<usize>, at: &[usize]) -> bool {
        let there = self.one.says;
        let part = sentence_part(&there.text, &span(there, piece));
        let bound = |no: usize| {
            let token = &there.tokens[no];
            // A no denies its own piece; an `if` beside it binds what it stands beside.
            (piece.contains(&no) || part.contains(&token.range.start) && !lists().noes.contains(&*token.lower))
                && !at.contains(&no)
                && plain().bounds.contains(token.lower.as_str())
                && !self.claim.tokens.iter().any(|own| own.lower == token.lower)
        };
        let refused = |words| {
            Language::english().ruled_out.is_in(words) != Language::english().ruled_out.is_in(self.claim.words())
        };
        !(0..there.tokens.len()).any(bound) && !refused(there.words())
    }
}

/// `I`, `we've`, `our`: who speaks means themselves.
fn is_pronoun(words: &str) -> bool {
    let first = words.split([' ', '\'', '’']).next().unwrap_or_default();
    ["i", "we", "my", "our", "me", "us"].iter().any(|own| first.eq_ignore_ascii_case(own))
}

/// The digits of a word that is a number.
pub fn figure(token: &Token) -> Option<&str> {
    let plain = || token.lower.bytes().next().is_some_and(|byte| byte.is_ascii_digit()).then_some(&*token.lower);
    token.digits().or_else(plain)
}

/// Whether a word says something by itself; a no is counted.
pub fn says(token: &Token) -> bool {
    !plain().empty.contains(token.lower.as_str()) && !negates(&token.lower)
}

/// Whether a word says another, or is the same number.
fn tells(token: &Token, other: &Token) -> bool {
    same(token, other) || token.digits().is_some() && token.digits() == other.digits()
}

/// Whether a word is a past form: `sorted`, `built`.
fn is_past(word: &str) -> bool {
    word.len() > 3 && word.ends_with("ed") || lists().participles.contains(word)
}

/// Whether a word may tell of what is or was: `sorts`, `sorted`; `sort` and `sorting` may be wanted.
fn is_done(word: &str) -> bool {
    is_past(word) || word.ends_with('s')
}

/// The words before the only colon of a sentence: they stand before each piece behind it.
fn label(there: &Statement) -> Range<usize> {
    let mut colons = there.text.match_indices(": ");
    let (Some((colon, _)), None) = (colons.next(), colons.next()) else { return 0..0 };
    0..there.tokens.partition_point(|token| token.range.end <= colon)
}

/// How many of these places, at most, rise from left to right.
fn rising(at: &[usize]) -> usize {
    let mut least: Vec<usize> = Vec::new();
    for place in at {
        let no = least.partition_point(|known| known <= place);
        match least.get_mut(no) {
            Some(known) => *known = *place,
            None => least.push(*place),
        }
    }
    least.len()
}
