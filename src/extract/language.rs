//! Everything that depends on a language: lists of words, phrases and marks, read from the data under
//! `assets/lexicon/`. What reads text is handed a [`Language`]; another one needs its lists and nothing else.
//!
//! # The files of cues
//!
//! One phrase a line, lower case; a line that begins with `#` is a comment. `*` at the end of a word stands for any ending,
//! `_` for any one word, `a|b` for either, `^` in front means: only at the start of a sentence, `$` at the end: only at its end. Words are
//! what stands between spaces and marks, with the apostrophes and hyphens inside them (`isn't`, `non-zero`); in writing
//! without spaces each character is a word, and a phrase is written as it is (`ない`). Of several phrases that begin at one
//! word the longest counts, so that `not only` in one list silences `not` in another.
//!
//! | file | field of [`CueLists`] | holds |
//! |---|---|---|
//! | `negations.txt` | `negations` | what negates the words behind it; `!` in front of words that deny by their meaning (`!fail*`): right behind a plain negation the two cancel |
//! | `negations_around.txt` | `negations_around` | what negates the words on both sides of it in their clause (`nicht`) |
//! | `negations_behind.txt` | `negations_behind` | what negates the words before it (`was ruled out`, `ではない`) |
//! | `pseudo_negations.txt` | `pseudo_negations` | what looks like a negation and is none (`not only`) |
//! | `terminators.txt` | `terminators` | where the negated words end (`but`); `, ` in front: only behind a comma; `,` alone: at every comma; marks such as `;` and `.` end them in every language |
//! | `continuers.txt` | `continuers` | what goes on with a list of negated things (`or`): the window begins anew behind it |
//! | `certainty.txt` | `certainty` | `level: phrase`, level 0 asked to 6 decided (or: looks like a hedge and is none); `level~: phrase` lowers its sentence but is no hedge |
//! | `questions.txt` | `questions` | what asks or leaves open without a question mark |
//! | `constraints.txt` | `constraints` | what binds, wherever it stands |
//! | `orders.txt` | `orders` | what binds in a person's own sentence; with `!` what only looks so |
//! | `decisions.txt`, `proposals.txt`, `acceptance.txt`, `refusals.txt` | the same | what settles; what offers; yes; no |
//! | `rules_out.txt`, `ruled_out_behind.txt` | the same | what rules out the words behind it, and before it |
//! | `retractions.txt`, `open.txt`, `asks.txt` | the same | what takes back, what leaves open, what asks for work |
//! | `done.txt`, `actions.txt` | the same | what tells of work done; past forms that begin a sentence of it |
//!
//! | `speech.txt` | | `what: words` around what somebody is told to have said: its English list says what each is for |
//! | `function.txt` | | everyday words by which a text is known to be in the language; of most other languages only these are known |
//!
//! A list that is empty means that its field is not analysed in that language.

use super::cues::{Cues, Role, phrases};
use super::listed::{Listed, Words};
use super::voice::Speech;
use super::{Kind, Lexicon};

mod detect;
mod english;
mod partial;
mod script;

pub use detect::Detected;

/// The lists of one language.
#[derive(Debug, Default)]
pub struct Language {
    /// Its two letters: `en`.
    pub name: &'static str,
    /// All cues in one table.
    pub(super) cues: Cues,
    /// Past forms of what an agent does.
    pub actions: Lexicon,
    /// That something exists or holds because of the work.
    pub done: Lexicon,
    /// Words that settle something.
    pub decisions: Lexicon,
    /// How a person says yes.
    pub acceptance: Lexicon,
    /// A yes that only opens a sentence.
    pub bare_yes: Lexicon,
    /// Begin like a yes, but only say where to go on.
    pub asides: Lexicon,
    /// Words that bind.
    pub constraints: Lexicon,
    /// Words that bind in a person's own sentence.
    pub orders: Lexicon,
    /// Questions in form, orders in fact.
    pub requests: Lexicon,
    /// Questions in form that ask for something to be done.
    pub asks: Lexicon,
    /// What a summary says of a person who binds.
    pub wishes: Lexicon,
    /// Words that rule something out.
    pub ruled_out: Lexicon,
    /// How a person says no.
    pub refusals: Lexicon,
    /// Words that leave something open.
    pub open: Lexicon,
    /// A person's words about what they still think about.
    pub doubts: Lexicon,
    /// Words that say that something is possible, not so.
    pub hedges: Lexicon,
    /// Who is meant by the person.
    pub people: Lexicon,
    /// What a harness puts around a summary.
    pub boilerplate: Lexicon,
    /// Units of measure.
    pub units: Words,
    /// Units in all their forms, each with the first.
    pub unit_forms: Listed<&'static str>,
    /// Words that say nothing about a subject.
    pub stop: Words,
    /// Names with capitals inside that are no identifiers.
    pub not_symbols: Words,
    /// Written like tickets, but standards.
    pub not_tickets: Words,
    /// First words of commands.
    pub commands: Words,
    /// What numbers count through.
    pub places: Words,
    /// Stop words that say what a number counts.
    pub counted: Words,
    /// A claim that begins so is a rule.
    pub rules: Words,
    /// Make what is said of a person a rule.
    pub binding: Words,
    /// Between two numbers of which the first is a part of the second.
    pub parts: Words,
    /// Stand before the past form of an action.
    pub fillers: Words,
    /// A decision that begins so is against something.
    pub denials: Words,
    /// That a command was run.
    pub runs: Words,
    /// What a program is made of: what must do something there binds nobody.
    pub programs: Words,
    /// Words around what somebody is told to have said.
    pub(super) speech: Speech,
    /// Words for how much is allowed at most.
    pub limits: Words,
    /// Words that ask for something that does not exist yet.
    pub makes: Words,
    /// Words that only point at what was said before them.
    pub pronouns: Words,
    /// Before the name of a person, with a point behind it.
    pub titles: Words,
    /// Months, as they stand in a date.
    pub months: Words,
    /// Days of the week, also cut short.
    pub weekdays: Words,
    /// Marks of what is not done yet.
    pub signs_open: Vec<&'static str>,
    /// Marks of what is done.
    pub signs_done: Vec<&'static str>,
    /// At the end of a claim: not done yet.
    pub endings_open: Vec<&'static str>,
    /// Labels of what is done.
    pub labels_done: Vec<&'static str>,
    /// Between a claim and its evidence.
    pub reasons: Vec<&'static str>,
    /// Endings of past forms.
    pub past_endings: Vec<&'static str>,
    /// Before a value: how it is meant.
    pub comparators: Vec<&'static str>,
    /// Around two values of which the second took the place of the first: `from` or `to`, and the words.
    pub changes: Vec<(&'static str, &'static str)>,
    /// Names of contexts, each with a phrase that opens it in a heading.
    pub headings: Vec<(&'static str, Lexicon)>,
    /// Tens in words, with their digits.
    pub tens: Listed<&'static str>,
    /// Parts of a whole in words, in percent.
    pub shares: Listed<&'static str>,
    /// How many times, in one word, with its digits.
    pub often: Listed<&'static str>,
    /// Words around how often something happens and around a part of a whole, by where they stand.
    pub rates: Vec<(&'static str, Words)>,
    /// Numbers in words, with their digits.
    pub numbers: Listed<&'static str>,
}

/// The texts of the files of cues of one language; empty where there is none. The module says what they hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct CueLists {
    /// What negates the words behind it.
    pub negations: &'static str,
    /// What negates the words on both sides of it.
    pub negations_around: &'static str,
    /// What negates the words before it.
    pub negations_behind: &'static str,
    /// What looks like a negation and is none.
    pub pseudo_negations: &'static str,
    /// Where negated words end.
    pub terminators: &'static str,
    /// What goes on with a list of negated things.
    pub continuers: &'static str,
    /// Levels of certainty and their phrases.
    pub certainty: &'static str,
    /// What asks or leaves open.
    pub questions: &'static str,
    /// What binds.
    pub constraints: &'static str,
    /// What binds in a person's own words.
    pub orders: &'static str,
    /// What settles something.
    pub decisions: &'static str,
    /// What offers something to be agreed to.
    pub proposals: &'static str,
    /// How somebody says yes.
    pub acceptance: &'static str,
    /// How somebody says no.
    pub refusals: &'static str,
    /// What rules out the words behind it.
    pub rules_out: &'static str,
    /// What rules out the words before it.
    pub ruled_out_behind: &'static str,
    /// What takes back what was said before.
    pub retractions: &'static str,
    /// What leaves something to be done.
    pub open: &'static str,
    /// That something exists or holds because of the work.
    pub done: &'static str,
    /// Past forms of what an agent does.
    pub actions: &'static str,
    /// Questions in form that ask for something to be done.
    pub asks: &'static str,
}

impl Language {
    /// The language that most of the prose of a text is written in; English where it holds none.
    pub fn of(text: &str) -> Detected {
        Self::told(text).unwrap_or(Detected::Known(Self::english()))
    }

    /// The language that most of the prose of a text is written in; `None` where nothing in it tells.
    pub fn told(text: &str) -> Option<Detected> {
        detect::detect(text)
    }

    /// Its English name.
    pub fn title(&self) -> &'static str {
        match self.name {
            "de" => "German",
            "fr" => "French",
            "es" => "Spanish",
            "ja" => "Japanese",
            _ => "English",
        }
    }

    /// A language that has its cues and nothing else.
    pub fn of_cues(name: &'static str, lists: &CueLists) -> Self {
        Self { name, cues: cues(lists), ..Self::default() }
    }

    /// Whether the lists of this language can tell this kind of thing. Identifiers and figures need no language; where a
    /// list is empty its kind is not analysed, which is not the same as that there is none.
    pub fn covers(&self, kind: Kind) -> bool {
        match kind {
            Kind::Entities | Kind::Figures => true,
            Kind::Constraints => self.cues.has(|role| matches!(role, Role::Binds | Role::Orders)),
            Kind::Decisions => self.cues.has(|role| role == Role::Decides),
            Kind::Actions => self.cues.has(|role| matches!(role, Role::Did | Role::Acts)),
            Kind::RuledOut => self.cues.has(|role| matches!(role, Role::RulesOut | Role::RuledOutBefore)),
            Kind::Open => self.cues.has(|role| matches!(role, Role::Asks | Role::LeavesOpen)),
            Kind::Hedge => self.cues.has(|role| matches!(role, Role::Certain { .. })),
            Kind::Negation => {
                self.cues.has(|role| matches!(role, Role::Negates | Role::NegatesAround | Role::NegatesBefore))
            }
        }
    }

    /// Whether this is a unit of measure.
    pub fn is_unit(&self, word: &str) -> bool {
        self.units.contains(word)
            || word.bytes().any(|byte| !byte.is_ascii_lowercase()) && self.units.contains(word.to_lowercase().as_str())
    }

    /// Whether a lower-case word says something about the subject: no function word, not a single letter.
    pub fn is_content(&self, lower: &str) -> bool {
        lower.len() > 1 && !self.stop.contains(lower)
    }

    /// Whether a word stands in this place around a rate or a part: `per`, `times`; see [`Self::rates`].
    pub fn is_rate(&self, place: &str, lower: &str) -> bool {
        self.rates.iter().any(|(name, words)| *name == place && words.contains(lower))
    }

    /// How else a number may be written: `nine` as `9`, and the other way round.
    pub fn other_forms(&self, value: &str) -> Vec<&'static str> {
        let lower = value.to_lowercase();
        if let Some(digits) = self.numbers.get(lower.as_str()) {
            return vec![digits];
        }
        let spelled = self.numbers.iter().filter(|(_, digits)| **digits == lower);
        let mut spelled: Vec<_> = spelled.map(|(word, _)| word).collect();
        spelled.sort_unstable();
        spelled
    }
}

/// The table of these lists.
fn cues(lists: &CueLists) -> Cues {
    let mut table = Cues::default();
    for line in phrases(lists.negations) {
        match line.strip_prefix('!') {
            Some(phrase) => table.add_phrase(phrase, Role::Denies),
            None => table.add_phrase(line, Role::Negates),
        }
    }
    table.add(lists.negations_around, Role::NegatesAround);
    table.add(lists.negations_behind, Role::NegatesBefore);
    table.add(lists.pseudo_negations, Role::NoNegation);
    for line in phrases(lists.terminators) {
        table.commas_end |= line == ",";
        match line.strip_prefix(", ") {
            Some(phrase) => table.add_phrase(phrase, Role::EndsAtComma),
            None => table.add_phrase(line, Role::Ends),
        }
    }
    table.add(lists.continuers, Role::Continues);
    for line in phrases(lists.certainty) {
        let Some((level, phrase)) = line.split_once(": ") else { continue };
        let silent = level.ends_with('~');
        if let Ok(level) = level.trim_end_matches('~').parse() {
            table.add_phrase(phrase, Role::Certain { level, silent });
        }
    }
    table.add(lists.questions, Role::Asks);
    table.add(lists.constraints, Role::Binds);
    for line in phrases(lists.orders) {
        match line.strip_prefix('!') {
            Some(phrase) => table.add_phrase(phrase, Role::NoOrder),
            None => table.add_phrase(line, Role::Orders),
        }
    }
    table.add(lists.decisions, Role::Decides);
    table.add(lists.proposals, Role::Proposes);
    table.add(lists.acceptance, Role::Accepts);
    table.add(lists.refusals, Role::Refuses);
    table.add(lists.rules_out, Role::RulesOut);
    table.add(lists.ruled_out_behind, Role::RuledOutBefore);
    table.add(lists.retractions, Role::Retracts);
    table.add(lists.open, Role::LeavesOpen);
    table.add(lists.done, Role::Did);
    table.add(lists.actions, Role::Acts);
    table.add(lists.asks, Role::Requests);
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_known_in_digits_and_in_words() {
        let english = Language::english();
        for (value, want) in [
            ("Nine", &["9"][..]),
            ("9", &["nine"]),
            ("12", &["dozen", "twelve"]),
            ("13", &["thirteen"]),
            ("23", &[]),
            ("x", &[]),
        ] {
            assert_eq!(english.other_forms(value), want, "{value}");
        }
    }
}
