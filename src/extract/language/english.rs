//! English with all its lists; of no other language are so many known.

use std::sync::OnceLock;

use super::{CueLists, Language, cues};
use crate::extract::{Lexicon, Words};

macro_rules! list {
    ($name:literal) => {
        include_str!(concat!("../../../assets/lexicon/en/", $name, ".txt"))
    };
}

impl Language {
    /// English.
    pub fn english() -> &'static Self {
        static ENGLISH: OnceLock<Language> = OnceLock::new();
        ENGLISH.get_or_init(|| Self {
            name: "en",
            cues: cues(&CueLists {
                negations: list!("negations"),
                negations_around: "",
                negations_behind: list!("negations_behind"),
                pseudo_negations: list!("pseudo_negations"),
                terminators: list!("terminators"),
                continuers: list!("continuers"),
                certainty: list!("certainty"),
                questions: list!("questions"),
                constraints: list!("constraints"),
                orders: list!("orders"),
                decisions: list!("decisions"),
                proposals: list!("proposals"),
                acceptance: list!("acceptance"),
                refusals: list!("refusals"),
                rules_out: list!("rules_out"),
                ruled_out_behind: list!("ruled_out_behind"),
                retractions: list!("retractions"),
                open: list!("open"),
                done: list!("done"),
                actions: list!("actions"),
                asks: list!("asks"),
            }),
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
            programs: words(list!("programs")),
            speech: by_name(list!("speech")),
            limits: words(list!("limits")),
            makes: words(list!("makes")),
            titles: words(list!("titles")),
            weekdays: words(list!("weekdays")),
            pronouns: words(list!("pronouns")),
            months: words(list!("months")),
            signs_open: lines(list!("signs_open")).collect(),
            signs_done: lines(list!("signs_done")).collect(),
            endings_open: lines(list!("endings_open")).collect(),
            labels_done: lines(list!("labels_done")).collect(),
            reasons: lines(list!("reasons")).collect(),
            past_endings: lines(list!("past_endings")).collect(),
            comparators: lines(list!("comparators")).collect(),
            changes: lines(list!("changes")).filter_map(|line| line.split_once(": ")).collect(),
            headings: lines(list!("headings"))
                .filter_map(|line| line.split_once(": "))
                .map(|(name, phrase)| (name, Lexicon::parse(phrase)))
                .collect(),
            tens: lines(list!("tens")).filter_map(|line| line.split_once(' ')).collect(),
            shares: lines(list!("shares")).filter_map(|line| line.split_once(' ')).collect(),
            often: lines(list!("often")).filter_map(|line| line.split_once(' ')).collect(),
            rates: by_name(list!("rates")),
            numbers: lines(list!("numbers")).filter_map(|line| line.split_once(' ')).collect(),
        })
    }
}

pub(super) fn lines(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("# "))
}

/// Lines of `name: words`.
pub(super) fn by_name(list: &'static str) -> Vec<(&'static str, Words)> {
    lines(list).filter_map(|line| line.split_once(": ")).map(|(name, list)| (name, words(list))).collect()
}

pub(super) fn words(list: &'static str) -> Words {
    lines(list).flat_map(str::split_whitespace).collect()
}
