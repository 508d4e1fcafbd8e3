//! Everything that depends on a language: lists of words, phrases and marks, read from the data under
//! `assets/lexicon/`. What reads text is handed a [`Language`]; another one needs its lists and nothing else.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::Lexicon;

/// The lists of one language.
#[derive(Debug)]
pub struct Language {
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
    pub units: HashSet<&'static str>,
    /// Units in all their forms, each with the first.
    pub unit_forms: HashMap<&'static str, &'static str>,
    /// Words that say nothing about a subject.
    pub stop: HashSet<&'static str>,
    /// Names with capitals inside that are no identifiers.
    pub not_symbols: HashSet<&'static str>,
    /// Written like tickets, but standards.
    pub not_tickets: HashSet<&'static str>,
    /// First words of commands.
    pub commands: HashSet<&'static str>,
    /// What numbers count through.
    pub places: HashSet<&'static str>,
    /// Stop words that say what a number counts.
    pub counted: HashSet<&'static str>,
    /// A claim that begins so is a rule.
    pub rules: HashSet<&'static str>,
    /// Make what is said of a person a rule.
    pub binding: HashSet<&'static str>,
    /// Between two numbers of which the first is a part of the second.
    pub parts: HashSet<&'static str>,
    /// Stand before the past form of an action.
    pub fillers: HashSet<&'static str>,
    /// A decision that begins so is against something.
    pub denials: HashSet<&'static str>,
    /// That a command was run.
    pub runs: HashSet<&'static str>,
    /// Words for how much is allowed at most.
    pub limits: HashSet<&'static str>,
    /// Words that ask for something that does not exist yet.
    pub makes: HashSet<&'static str>,
    /// Months, as they stand in a date.
    pub months: HashSet<&'static str>,
    /// Days of the week, also cut short.
    pub weekdays: HashSet<&'static str>,
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
    /// Names of contexts, each with a phrase that opens it in a heading.
    pub headings: Vec<(&'static str, Lexicon)>,
    /// Tens in words, with their digits.
    pub tens: HashMap<&'static str, &'static str>,
    /// Numbers in words, with their digits.
    pub numbers: HashMap<&'static str, &'static str>,
}

macro_rules! list {
    ($name:literal) => {
        include_str!(concat!("../../assets/lexicon/en/", $name, ".txt"))
    };
}

impl Language {
    /// English.
    pub fn english() -> &'static Self {
        static ENGLISH: OnceLock<Language> = OnceLock::new();
        ENGLISH.get_or_init(|| Self {
            actions: Lexicon::parse(list!("actions")),
            done: Lexicon::parse(list!("done")),
            decisions: Lexicon::parse(list!("decisions")),
            acceptance: Lexicon::parse(list!("acceptance")),
            bare_yes: Lexicon::parse(list!("bare_yes")),
            asides: Lexicon::parse(list!("asides")),
            constraints: Lexicon::parse(list!("constraints")),
            orders: Lexicon::parse(list!("orders")),
            requests: Lexicon::parse(list!("requests")),
            asks: Lexicon::parse(list!("asks")),
            wishes: Lexicon::parse(list!("wishes")),
            ruled_out: Lexicon::parse(list!("ruled_out")),
            refusals: Lexicon::parse(list!("refusals")),
            open: Lexicon::parse(list!("open")),
            doubts: Lexicon::parse(list!("doubts")),
            hedges: Lexicon::parse(list!("hedges")),
            people: Lexicon::parse(list!("people")),
            boilerplate: Lexicon::parse(list!("boilerplate")),
            units: words(list!("units")),
            unit_forms: lines(list!("unit_forms"))
                .filter_map(|line| Some((line.split_whitespace().next()?, line)))
                .flat_map(|(first, line)| line.split_whitespace().map(move |form| (form, first)))
                .collect(),
            stop: words(list!("stop")),
            not_symbols: words(list!("not_symbols")),
            not_tickets: words(list!("not_tickets")),
            commands: words(list!("commands")),
            places: words(list!("places")),
            counted: words(list!("counted")),
            rules: words(list!("rules")),
            binding: words(list!("binding")),
            parts: words(list!("parts")),
            fillers: words(list!("fillers")),
            denials: words(list!("denials")),
            runs: words(list!("runs")),
            limits: words(list!("limits")),
            makes: words(list!("makes")),
            weekdays: words(list!("weekdays")),
            months: words(list!("months")),
            signs_open: lines(list!("signs_open")).collect(),
            signs_done: lines(list!("signs_done")).collect(),
            endings_open: lines(list!("endings_open")).collect(),
            labels_done: lines(list!("labels_done")).collect(),
            reasons: lines(list!("reasons")).collect(),
            past_endings: lines(list!("past_endings")).collect(),
            comparators: lines(list!("comparators")).collect(),
            headings: lines(list!("headings"))
                .filter_map(|line| line.split_once(": "))
                .map(|(name, phrase)| (name, Lexicon::parse(phrase)))
                .collect(),
            tens: lines(list!("tens")).filter_map(|line| line.split_once(' ')).collect(),
            numbers: lines(list!("numbers")).filter_map(|line| line.split_once(' ')).collect(),
        })
    }

    /// Whether this is a unit of measure.
    pub fn is_unit(&self, word: &str) -> bool {
        self.units.contains(word.to_lowercase().as_str())
    }

    /// Whether a lower-case word says something about the subject: no function word, not a single letter.
    pub fn is_content(&self, lower: &str) -> bool {
        lower.len() > 1 && !self.stop.contains(lower)
    }

    /// How else a number may be written: `nine` as `9`, and the other way round.
    pub fn other_forms(&self, value: &str) -> Vec<&'static str> {
        let lower = value.to_lowercase();
        if let Some(digits) = self.numbers.get(lower.as_str()) {
            return vec![digits];
        }
        let spelled = self.numbers.iter().filter(|(_, digits)| **digits == lower);
        let mut spelled: Vec<_> = spelled.map(|(word, _)| *word).collect();
        spelled.sort_unstable();
        spelled
    }
}

fn lines(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("# "))
}

fn words(list: &'static str) -> HashSet<&'static str> {
    lines(list).flat_map(str::split_whitespace).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_known_in_digits_and_in_words() {
        let english = Language::english();
        for (value, want) in
            [("Nine", &["9"][..]), ("9", &["nine"]), ("12", &["dozen", "twelve"]), ("13", &[]), ("x", &[])]
        {
            assert_eq!(english.other_forms(value), want, "{value}");
        }
    }
}
