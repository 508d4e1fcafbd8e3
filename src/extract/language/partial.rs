//! The languages of which only the cues are known: what negates, how certain a sentence is, what asks and what binds. What
//! was decided, ruled out or done is not looked for in them; [`Language::covers`] says so. What names and counts things is
//! mostly the same in all languages, so they have it from English with their own words added.

use std::sync::OnceLock;

use super::english::{by_name, lines, words};
use super::{CueLists, Language};
use crate::extract::Words;

macro_rules! list {
    ($code:literal, $name:literal) => {
        include_str!(concat!("../../../assets/lexicon/", $code, "/", $name, ".txt"))
    };
}

macro_rules! cues {
    ($code:literal) => {
        CueLists {
            negations: list!($code, "negations"),
            negations_behind: list!($code, "negations_behind"),
            pseudo_negations: list!($code, "pseudo_negations"),
            terminators: list!($code, "terminators"),
            certainty: list!($code, "certainty"),
            questions: list!($code, "questions"),
            constraints: list!($code, "constraints"),
            ..CueLists::default()
        }
    };
}

macro_rules! counting {
    ($code:literal) => {
        Counting {
            stop: list!($code, "function"),
            units: list!($code, "units"),
            comparators: list!($code, "comparators"),
            numbers: list!($code, "numbers"),
            months: list!($code, "months"),
        }
    };
}

/// What figures and their labels are read with; empty where a language has no such words.
#[derive(Default)]
struct Counting {
    stop: &'static str,
    units: &'static str,
    comparators: &'static str,
    numbers: &'static str,
    months: &'static str,
}

impl Language {
    /// German.
    pub fn german() -> &'static Self {
        static GERMAN: OnceLock<Language> = OnceLock::new();
        GERMAN.get_or_init(|| {
            let cues = CueLists { negations_around: list!("de", "negations_around"), ..cues!("de") };
            Self::of_cues("de", &cues).counting(&counting!("de")).speaking(list!("de", "speech"))
        })
    }

    /// French.
    pub fn french() -> &'static Self {
        static FRENCH: OnceLock<Language> = OnceLock::new();
        FRENCH.get_or_init(|| {
            let cues = CueLists { negations_around: list!("fr", "negations_around"), ..cues!("fr") };
            Self::of_cues("fr", &cues).counting(&counting!("fr")).speaking(list!("fr", "speech"))
        })
    }

    /// Spanish.
    pub fn spanish() -> &'static Self {
        static SPANISH: OnceLock<Language> = OnceLock::new();
        SPANISH.get_or_init(|| {
            let cues = CueLists { negations_around: list!("es", "negations_around"), ..cues!("es") };
            Self::of_cues("es", &cues).counting(&counting!("es")).speaking(list!("es", "speech"))
        })
    }

    /// Japanese.
    pub fn japanese() -> &'static Self {
        static JAPANESE: OnceLock<Language> = OnceLock::new();
        JAPANESE.get_or_init(|| {
            let counting = Counting {
                units: list!("ja", "units"),
                comparators: list!("ja", "comparators"),
                ..Counting::default()
            };
            Self::of_cues("ja", &cues!("ja")).counting(&counting)
        })
    }

    /// Any language without lists: identifiers and figures are found, and nothing that is told in words.
    pub fn unlisted() -> &'static Self {
        static UNLISTED: OnceLock<Language> = OnceLock::new();
        UNLISTED.get_or_init(|| Self::of_cues("", &CueLists::default()).counting(&Counting::default()))
    }

    fn speaking(mut self, speech: &'static str) -> Self {
        self.speech = by_name(speech);
        self
    }

    fn counting(mut self, own: &Counting) -> Self {
        let english = Self::english();
        self.not_symbols.clone_from(&english.not_symbols);
        self.not_tickets.clone_from(&english.not_tickets);
        self.commands.clone_from(&english.commands);
        self.units = joined(&english.units, own.units);
        self.months = joined(&english.months, own.months);
        self.stop = words(own.stop);
        self.comparators = lines(own.comparators).collect();
        self.numbers = lines(own.numbers).filter_map(|line| line.split_once(' ')).collect();
        self
    }
}

fn joined(words: &Words, own: &'static str) -> Words {
    words.iter().map(|(word, ())| word).chain(lines(own).flat_map(str::split_whitespace)).collect()
}
