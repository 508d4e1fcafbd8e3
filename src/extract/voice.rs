//! Whose words bind. `The customer said that we must …` hands on somebody else's, `I never said that you must …` denies
//! them, and `it never worked` tells what happened: with none of these the speaker lays a duty on anybody.

use super::cues::Hit;
use super::listed::Words;
use super::statements::Said;

/// Who is bound by whom in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    /// The speaker binds.
    Own,
    /// Somebody else did, and the speaker hands it on. Whether it binds here is for a person to say.
    Reported,
    /// Nobody: it is denied, a program or the agent said it, or it only tells what happened.
    Nobody,
}

/// Words of one language around what somebody said, by what they do there; see `speech.txt`. Empty where a language has
/// none: then everything is taken for the speaker's own.
pub(super) type Speech = Vec<(&'static str, Words)>;

/// Words between what somebody said and who said it.
const REACH: usize = 24;
/// A clause behind the words that only says whose they are has at most so many.
const BYLINE: usize = 5;

/// Whose the words that bind here are.
pub(super) fn voice(said: &Said<'_>, bound: &Hit) -> Voice {
    let whose = Whose { said, start: said.sentence.words.start, end: said.sentence.words.end };
    if said.language.speech.is_empty() {
        return Voice::Own;
    }
    // `no one ever said …`
    if whose.happened(bound) || whose.is_spoken(bound.end) {
        return Voice::Nobody;
    }
    whose.quoted_first().or_else(|| whose.before(bound)).or_else(|| whose.behind(bound)).unwrap_or(Voice::Own)
}

struct Whose<'a> {
    said: &'a Said<'a>,
    /// Its words among the tokens.
    start: usize,
    end: usize,
}

impl Whose<'_> {
    fn is(&self, what: &str, at: usize) -> bool {
        let word = self.said.tokens.lower(at);
        self.said.language.speech.iter().any(|(name, words)| *name == what && words.contains(&word))
    }

    /// Whether these marks stand behind this word.
    fn marked(&self, at: usize, marks: &[char]) -> bool {
        self.said.tokens.gap(at).contains(marks)
    }

    /// Whether a clause ends behind this word.
    fn is_end(&self, at: usize) -> bool {
        self.marked(at, &[',', ';', ':', '(', '–', '—'])
    }

    /// `according to the customer, …`
    fn quoted_first(&self) -> Option<Voice> {
        let by = self.is("by", self.start).then_some(self.start + 1)?;
        let first = by + usize::from(self.is("joins", by));
        let named = first + usize::from(self.is("nouns", first));
        Some(if self.is("speaker", first) {
            Voice::Own
        } else if self.is("agent", named) {
            Voice::Nobody
        } else {
            Voice::Reported
        })
    }

    /// `the customer said that we must …`: the nearest word of speech before the duty says whose it is.
    fn before(&self, bound: &Hit) -> Option<Voice> {
        let first = self.start.max(bound.at.saturating_sub(REACH));
        let mut apart = false;
        for at in (first..bound.at).rev() {
            if let Some(voice) = self.told_by(at) {
                // `I don't want that, you must …` denies what stands before the comma.
                return Some(voice).filter(|voice| !apart || *voice != Voice::Nobody);
            }
            apart |= self.marked(at, &[',']);
            let turns = at + 1 == bound.at && self.marked(at, &[',']);
            if turns || self.marked(at, &[';', '–', '—']) || self.is("ends", at) {
                return None;
            }
        }
        None
    }

    /// Who said it, where this word is one of speech; `None` where it is none, or tells nothing of what follows.
    fn told_by(&self, verb: usize) -> Option<Voice> {
        let (told, order) = (self.is("said", verb), self.is("says", verb));
        let spoken = order || self.is_spoken(verb) || self.is("heard", verb);
        let denied = self.is("duty", verb) && self.is("joins", verb + 1) || self.is("meant", verb);
        let clause = self.clause(verb);
        if !spoken && !denied || (clause..verb).any(|at| self.is("agreed", at)) {
            return None;
        }
        if self.is_negated(clause, verb) {
            return Some(Voice::Nobody);
        }
        if denied {
            return None;
        }
        if self.is("others", verb) || told && verb > self.start && self.is("passive", verb - 1) {
            return Some(Voice::Reported);
        }
        let Some(subject) = self.subject(verb, order) else { return Some(Voice::Own) };
        // `That said, …` and `the answer must …` tell of nobody's words.
        if subject + 1 == verb && (self.is("nouns", subject) && !self.is("agent", subject) || self.marked(verb, &[',']))
        {
            return None;
        }
        Some(if self.is("heard", verb) {
            Voice::Reported
        } else if self.is("speaker", subject) {
            Voice::Own
        } else if self.is("agent", subject) {
            Voice::Nobody
        } else {
            Voice::Reported
        })
    }

    /// Whether this is a verb that tells of speech.
    fn is_spoken(&self, at: usize) -> bool {
        ["said", "others", "own"].into_iter().any(|form| self.is(form, at))
    }

    /// Where the clause of this word begins.
    fn clause(&self, of: usize) -> usize {
        let first = self.start.max(of.saturating_sub(REACH));
        (first..of).rev().find(|at| self.is_end(*at)).map_or(first, |at| at + 1)
    }

    fn is_negated(&self, clause: usize, verb: usize) -> bool {
        let (tokens, negations) = (self.said.tokens, &self.said.negations);
        let from = negations.partition_point(|one| one.cue.start < tokens.range(clause).start);
        negations.get(from).is_some_and(|one| one.cue.start < tokens.range(verb).start)
    }

    /// The word that says who speaks; `None` where nobody is named, as in an order.
    fn subject(&self, verb: usize, order: bool) -> Option<usize> {
        let mut at = verb;
        while at > self.start && (verb == at || !self.is_end(at - 1)) {
            // `Jane, our auditor, said …`, but not `before you reply, say …`
            if order && self.is_end(at - 1) {
                return None;
            }
            at -= 1;
            if !self.is("beside", at) {
                return Some(at);
            }
        }
        None
    }

    /// `we must never do that, she said`
    fn behind(&self, bound: &Hit) -> Option<Voice> {
        let first = bound.end.max(self.end.saturating_sub(BYLINE + 1));
        let from = (first..self.end.saturating_sub(1)).rev().find(|at| self.is_end(*at))? + 1;
        let verb = (from..self.end).find(|at| self.is_spoken(*at))?;
        if (from..verb).any(|at| self.is("agreed", at) || self.is("ends", at)) {
            return None;
        }
        // `said the customer` too.
        let who = if verb > from { from..verb } else { verb + 1..self.end };
        let named = |what: &str| who.clone().any(|at| self.is(what, at));
        Some(if named("speaker") {
            Voice::Own
        } else if named("agent") {
            Voice::Nobody
        } else {
            Voice::Reported
        })
    }

    /// `it never worked`, `I have always used it`, `nine of them never came`
    fn happened(&self, bound: &Hit) -> bool {
        let Some(before) = bound.at.checked_sub(1).filter(|at| *at >= self.start && !self.is_end(*at)) else {
            return false;
        };
        if bound.end > bound.at + 1 || !self.is("often", bound.at) {
            return false;
        }
        let named = self.is("who", before) || before > self.start && self.is("nouns", before - 1);
        let past = || {
            let ends = self.said.tokens.lower(bound.end).ends_with("ed") && !self.is("base", bound.end);
            ends || self.is("past", bound.end) || named && self.is("either", bound.end)
        };
        self.is("happened", before) || bound.end < self.end && past()
    }
}
