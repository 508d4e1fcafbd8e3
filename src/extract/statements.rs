//! What a sentence does: it binds, decides, tells of something done, rules out, asks, offers. One sentence may do several.

use std::ops::Range;

use super::certainty::{self, Certainty};
use super::cues::{Hit, Role};
use super::items::{Extracted, Kind};
use super::negation::{self, Reach};
use super::prose::{Prose, Sentence};
use super::tokens::Tokens;
use super::voice::{Voice, voice};
use super::{Language, Negation, claims, work};

/// A yes or a no that is longer than this is about something else.
const ANSWER: usize = 14;

/// A phrase has at most so many words.
const LONGEST: usize = 12;

/// What is said of a program stands so many words before what binds it.
const SUBJECT: usize = 6;

/// One sentence with all that is known of it.
pub(super) struct Said<'a> {
    pub tokens: &'a Tokens<'a>,
    pub sentence: &'a Sentence,
    pub negations: Vec<Negation>,
    /// What they reach over.
    pub reach: Reach,
    pub certainty: Certainty,
    /// The words that decide how certain it is.
    pub decisive: Option<Range<usize>>,
    pub language: &'a Language,
}

/// Adds the statements of one sentence.
pub(super) fn of_sentence(said: &Said<'_>, found: &mut Vec<Extracted>) {
    found.extend(claims::ruled_out(said));
    if said.sentence.row.is_some() {
        return;
    }
    let asked = said.is_question();
    if !asked {
        found.extend(said.constraint());
        found.extend(said.decision());
        found.extend(said.action());
    }
    found.extend(said.open(asked));
}

impl<'a> Said<'a> {
    /// A sentence of this prose: what it negates, and how certain it is.
    pub fn of(prose: &'a Prose<'a>, sentence: &'a Sentence, language: &'a Language) -> Self {
        let tokens = &prose.tokens;
        let negations = negation::of_sentence(tokens, sentence);
        let reach = Reach::of(&negations);
        let (certainty, decisive) = certainty::level(tokens, sentence, language);
        Self { tokens, sentence, negations, reach, certainty, decisive, language }
    }

    fn first(&self, wanted: &[Role]) -> Option<&Hit> {
        self.sentence.hits.iter().find(|hit| wanted.contains(&hit.role))
    }

    /// The whole sentence as an item.
    pub(super) fn statement(&self, kind: Kind, class: &'static str, cue: Option<Range<usize>>) -> Extracted {
        Extracted {
            class: Some(class),
            cue,
            negated: self.reach.holds(&self.sentence.range),
            certainty: self.certainty,
            ..Extracted::new(kind, self.sentence.range.clone())
        }
    }

    /// Whether it ends with a question mark. What somebody wonders is asked too, and is still a sentence that tells.
    pub(super) fn is_question(&self) -> bool {
        self.decisive.as_ref().is_some_and(|mark| matches!(&self.tokens.text[mark.clone()], "?" | "？"))
    }

    /// Whether a phrase that only looks like a negation holds this cue: `not sure`, `cannot be ruled out`.
    pub(super) fn is_covered(&self, hit: &Hit) -> bool {
        let hits = &self.sentence.hits;
        // Such a phrase has few words, so it begins near by.
        let from = hits.partition_point(|other| other.at + LONGEST < hit.at);
        let mut near = hits[from..].iter().take_while(|other| other.at <= hit.at).inspect(|_| work::step());
        near.any(|other| other.role == Role::NoNegation && hit.end <= other.end)
    }

    /// Whether a longer phrase that only looks like a negation begins with this cue: `nicht` in `nicht nur`.
    fn is_part(&self, bound: &Hit) -> bool {
        self.here(bound).any(|hit| hit.role == Role::NoNegation)
    }

    /// Whether words that bind begin a longer phrase that only guesses: `muss` in `das muss ein Tippfehler sein`.
    fn is_guess(&self, bound: &Hit) -> bool {
        self.here(bound).any(|hit| matches!(hit.role, Role::Certain { level, silent: false } if level < 5))
    }

    /// The longer cues that begin with the same word.
    fn here(&self, short: &Hit) -> impl Iterator<Item = &Hit> {
        let from = self.sentence.hits.partition_point(|hit| hit.at < short.at);
        let here = self.sentence.hits[from..].iter().take_while(|hit| hit.at == short.at);
        here.filter(|hit| hit.end > short.end)
    }

    pub(super) fn cue(&self, hit: &Hit) -> Range<usize> {
        self.tokens.span(hit.at..hit.end)
    }

    /// A sentence that binds. `The function must return 3` describes a program: it binds, if at all, weakly. What somebody
    /// else is told to have said binds as `reported`.
    fn constraint(&self) -> Option<Extracted> {
        let begins = |hit: &Hit| {
            hit.at == self.sentence.words.start || self.tokens.gap(hit.at - 1).contains([',', ';', ':', '(', '–', '—'])
        };
        // A single word such as `only` binds where an order begins with it; `don't know` orders nothing.
        let is_none = |hit: &Hit| self.here(hit).any(|longer| longer.role == Role::NoOrder);
        let orders = |hit: &&Hit| {
            let starts = hit.end > hit.at + 1 || begins(hit);
            hit.role == Role::Orders && starts && !is_none(hit) && !self.is_covered(hit)
        };
        let binds = |hit: &&Hit| hit.role == Role::Binds && !self.is_guess(hit) && !self.is_part(hit) && !is_none(hit);
        let hits = self.sentence.hits.iter();
        let spoken = |whose: Voice| {
            let is = |hit: &&Hit| voice(self, hit) == whose;
            hits.clone().filter(binds).find(is).or_else(|| hits.clone().filter(orders).find(is))
        };
        // What the speaker says themselves goes before what they hand on.
        let own = spoken(Voice::Own);
        let hit = own.or_else(|| spoken(Voice::Reported))?;
        let cue = self.cue(hit);
        let before = hit.at.saturating_sub(SUBJECT).max(self.sentence.words.start)..hit.at;
        let program = |at: usize| {
            self.language.programs.contains(&self.tokens.lower(at))
                || self.tokens.text[self.tokens.range(at)].starts_with('`')
        };
        let forbids = |one: &Negation| one.cue.start < cue.end + 4 && cue.start < one.cue.end + 1;
        let class = if own.is_none() {
            "reported"
        } else if hit.role == Role::Binds && before.clone().any(program) {
            "weak"
        } else if self.negations.iter().any(forbids) {
            "prohibition"
        } else if hit.role == Role::Orders {
            "order"
        } else {
            "obligation"
        };
        Some(self.statement(Kind::Constraints, class, Some(cue)))
    }

    /// A sentence that decides, or that says yes or no to what was proposed before it. `We have not decided` and
    /// `maybe we decided` decide nothing.
    fn decision(&self) -> Option<Extracted> {
        if let Some(hit) = self.first(&[Role::Decides])
            && self.certainty >= Certainty::Proposed
            && !self.reach.holds(&self.cue(hit))
        {
            return Some(self.statement(Kind::Decisions, "decision", Some(self.cue(hit))));
        }
        let answers = |role: Role| self.sentence.hits.iter().find(|hit| hit.role == role && self.is_answer(hit));
        let (class, hit) = match (answers(Role::Refuses), answers(Role::Accepts)) {
            (Some(hit), _) => ("refusal", hit),
            (None, Some(hit)) => ("acceptance", hit),
            (None, None) => return None,
        };
        Some(self.statement(Kind::Decisions, class, Some(self.cue(hit))))
    }

    /// `No.` and `no, leave it` answer; `no errors` does not.
    fn is_answer(&self, hit: &Hit) -> bool {
        let words = &self.sentence.words;
        let alone = hit.end == words.end || self.tokens.gap(hit.end - 1).contains([',', '.', '!', ';', ':', '–', '—']);
        words.len() <= ANSWER && (hit.end > hit.at + 1 || hit.at == words.start && alone)
    }

    /// `Added the index.`, `I have fixed …`, `… has been removed`
    fn action(&self) -> Option<Extracted> {
        if self.certainty < Certainty::Wanted {
            return None;
        }
        let words = &self.sentence.words;
        let filler = |at: &usize| self.language.fillers.contains(&self.tokens.lower(*at));
        let start = words.clone().find(|at| !filler(at))?;
        let begins = self.sentence.hits.iter().find(|hit| hit.role == Role::Acts && hit.at == start);
        let hit = begins.or_else(|| self.first(&[Role::Did]))?;
        let cue = self.cue(hit);
        (!self.reach.holds(&cue)).then(|| self.statement(Kind::Actions, "claimed", Some(cue)))
    }

    /// A question, a doubt, something that waits for a yes, something to be done.
    fn open(&self, asked: bool) -> Option<Extracted> {
        let cue = |hit: &Hit| Some(self.cue(hit));
        if asked {
            let request = self.first(&[Role::Requests]);
            let class = if request.is_some() { "request" } else { "question" };
            return Some(self.statement(Kind::Open, class, request.map_or_else(|| self.decisive.clone(), cue)));
        }
        if let Some(hit) = self.first(&[Role::Asks]) {
            return Some(self.statement(Kind::Open, "undecided", cue(hit)));
        }
        if let Some(hit) = self.first(&[Role::Proposes])
            && self.certainty <= Certainty::Proposed
        {
            return Some(self.statement(Kind::Open, "proposal", cue(hit)));
        }
        let hit = self.first(&[Role::LeavesOpen])?;
        (!self.reach.holds(&self.cue(hit))).then(|| self.statement(Kind::Open, "todo", cue(hit)))
    }
}

/// The words of a sentence that offer something to be agreed to; `None` where it offers nothing.
pub fn proposal(sentence: &str, language: &Language) -> Option<Range<usize>> {
    let Prose { tokens, sentences } = Prose::of_sentence(sentence, language);
    let hit = sentences.first()?.hits.iter().find(|hit| hit.role == Role::Proposes)?;
    Some(tokens.span(hit.at..hit.end))
}

/// What a sentence does with what was said before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// It agrees to what was proposed; a yes of one word must begin it.
    pub accepts: bool,
    /// It turns down what was proposed.
    pub refuses: bool,
    /// It takes back what was said: `actually it is …`.
    pub retracts: bool,
}

impl Reply {
    /// Reads a sentence, whatever it looks like.
    pub fn of(sentence: &str, language: &Language) -> Self {
        let Prose { tokens, sentences } = Prose::of_sentence(sentence, language);
        sentences.first().map_or_else(Self::default, |sentence| Self::told(&tokens, sentence))
    }

    /// Of a sentence whose cues are known.
    pub(super) fn told(tokens: &Tokens, sentence: &Sentence) -> Self {
        let hits = &sentence.hits;
        let has = |role: Role| hits.iter().any(|hit| hit.role == role);
        // `No, leave it` turns down; `no write access there` denies something.
        let denies = |hit: &Hit| {
            let negates = hits.iter().any(|other| other.at == hit.at && other.role == Role::Negates);
            let joined = hit.end < sentence.words.end && tokens.gap(hit.end - 1).trim().is_empty();
            negates && hit.end == hit.at + 1 && joined
        };
        let refuses = hits.iter().any(|hit| hit.role == Role::Refuses && !denies(hit));
        Self { accepts: has(Role::Accepts), refuses, retracts: has(Role::Retracts) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::extract;

    fn seen(text: &str) -> Vec<(&'static str, &'static str, &str)> {
        let told = extract(text, Language::english()).into_iter();
        let statement =
            |item: &Extracted| !matches!(item.kind, Kind::Hedge | Kind::Negation | Kind::Entities | Kind::Figures);
        told.filter(statement)
            .map(|item| (item.kind.name(), item.class.unwrap_or(""), item.cue.map_or("", |cue| &text[cue])))
            .collect()
    }

    #[test]
    fn a_sentence_is_told_by_what_it_does() {
        for (text, want) in [
            ("You must keep the old column.", vec![("constraints", "obligation", "must")]),
            ("Never lock orders by day.", vec![("constraints", "prohibition", "Never")]),
            ("Don't touch the export job.", vec![("constraints", "prohibition", "Don't")]),
            ("Commit it, don't push.", vec![("constraints", "prohibition", "don't")]),
            ("don't know yet", vec![]),
            ("Fine, don't worry about it.", vec![]),
            ("They don't push.", vec![]),
            ("And only Ola runs it.", vec![("constraints", "order", "And only")]),
            ("One more rule: do not touch it.", vec![("constraints", "prohibition", "rule: do not")]),
            ("For now don't touch it.", vec![("constraints", "prohibition", "For now don't")]),
            ("It runs here and only here.", vec![]),
            ("I must admit it works.", vec![]),
            ("no cron jobs, ever", vec![("constraints", "prohibition", "no cron jobs, ever")]),
            ("not longer than an hour", vec![("constraints", "prohibition", "not longer than")]),
            ("Only edit the docs.", vec![("constraints", "order", "Only")]),
            ("It is used only here.", vec![]),
            ("The function must return three rows.", vec![("constraints", "weak", "must")]),
            ("They said we must ask.", vec![("constraints", "reported", "must")]),
            ("They said we must ask, so always ask.", vec![("constraints", "obligation", "always")]),
            ("I never said that you must ask.", vec![]),
            ("It never worked.", vec![]),
            ("We decided on the queue.", vec![("decisions", "decision", "decided on")]),
            ("We have not decided on it.", vec![("open", "undecided", "not decided")]),
            ("Yes, do it.", vec![("decisions", "acceptance", "Yes")]),
            ("No, leave it.", vec![("decisions", "refusal", "No")]),
            ("No errors in the log.", vec![]),
            ("Added an index to orders.", vec![("actions", "claimed", "Added")]),
            ("I have removed the flag.", vec![("actions", "claimed", "removed")]),
            ("Should we split it?", vec![("open", "question", "?")]),
            ("Can you rename it?", vec![("open", "request", "Can you")]),
            ("Not sure it's worth the trouble.", vec![("open", "undecided", "Not sure it's")]),
            ("I'd suggest a smaller batch.", vec![("open", "proposal", "I'd suggest")]),
            ("The gateway is fine and quiet today.", vec![("ruled_out", "claim", "is fine")]),
            ("```\nYou must\n```", vec![]),
            ("> You must.", vec![]),
        ] {
            assert_eq!(seen(text), want, "{text}");
        }
    }

    #[test]
    fn proposals_answers_and_retractions_are_found_by_their_words() {
        let english = Language::english();
        for (text, want) in [("How about a queue?", Some("How about")), ("The queue is full.", None)] {
            assert_eq!(proposal(text, english).map(|cue| &text[cue]), want, "{text}");
        }
        for (text, accepts, refuses, retracts) in [
            ("ok, ship it", true, false, false),
            ("the oklahoma job", false, false, false),
            ("I don't like it", false, true, false),
            ("No, leave it", false, true, false),
            ("No write access there, on purpose.", false, false, false),
            ("Actually it is the proxy.", false, false, true),
            ("It turns out to be the proxy.", false, false, true),
            ("It is the proxy.", false, false, false),
        ] {
            assert_eq!(Reply::of(text, english), Reply { accepts, refuses, retracts }, "{text}");
        }
    }
}
