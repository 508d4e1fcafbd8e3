//! Quantities as they are said: a number with what it measures or counts, a share in words, how often something happens,
//! a weekday, a month. Two ways to say the same are one: `250ms`, `a quarter of a second`, `four times a second`.

use std::ops::Range;

use crate::extract::{Language, Word, words};

use super::numbers::{Numbered, may_hold_one, plain};
use super::vocabulary::Vocabulary;

/// A value and what it is of.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quantity {
    /// From the number to its unit, in bytes of the text.
    pub range: Range<usize>,
    /// Digits alone, or the word in lower case.
    pub value: String,
    /// What it measures or counts.
    pub of: Of,
}

/// What a value measures or counts.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Of {
    /// The text does not say.
    Nothing,
    /// What stands behind it, in the singular; others may call it otherwise.
    Noun(String),
    /// A unit, its kind, and how many of the smallest unit of that kind the value is.
    Unit(String, Kind, f64),
    /// The days of the week by number, from Monday.
    Weekday(usize),
    /// By number, from January.
    Month(usize),
}

/// What a unit is a unit of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// In milliseconds.
    Time,
    /// Milliseconds between one time and the next.
    Period,
    /// In bytes.
    Size,
    /// Of a hundred.
    Share,
    /// In this currency.
    Money,
}

/// The units by their first form, with how many of the smallest of their kind each is.
const UNITS: [(&str, Kind, f64); 18] = [
    ("ns", Kind::Time, 1e-6),
    ("us", Kind::Time, 1e-3),
    ("ms", Kind::Time, 1.0),
    ("s", Kind::Time, 1e3),
    ("min", Kind::Time, 6e4),
    ("h", Kind::Time, 3.6e6),
    ("d", Kind::Time, 8.64e7),
    ("week", Kind::Time, 6.048e8),
    ("month", Kind::Time, 2.63e9),
    ("quarter", Kind::Time, 7.89e9),
    ("year", Kind::Time, 3.156e10),
    ("b", Kind::Size, 1.0),
    ("kb", Kind::Size, 1e3),
    ("mb", Kind::Size, 1e6),
    ("gb", Kind::Size, 1e9),
    ("%", Kind::Share, 1.0),
    ("$", Kind::Money, 1.0),
    ("€", Kind::Money, 1.0),
];

/// Between two numbers that share what stands behind the second.
const JOINS: [&str; 9] = ["to", "-", "–", "and", "or", "/", ",", "→", "->"];

impl Quantity {
    /// Whether two say the same value, whatever they call what they count.
    pub(super) fn is(&self, other: &Self) -> bool {
        let same = self.value == other.value;
        match (&self.of, &other.of) {
            (Of::Weekday(one), Of::Weekday(two)) | (Of::Month(one), Of::Month(two)) => one == two,
            (Of::Unit(unit, kind, one), Of::Unit(other, other_kind, two)) => {
                kind.is_like(*other_kind)
                    && if unit == other { same || near(*one, *two, 1e-6) } else { near(*one, *two, kind.slack()) }
            }
            (Of::Nothing, Of::Nothing | Of::Noun(_) | Of::Unit(..))
            | (Of::Noun(_), Of::Nothing | Of::Noun(_))
            | (Of::Unit(..), Of::Nothing) => same || self.is_begun_by(other) || other.is_begun_by(self),
            (Of::Nothing | Of::Noun(_) | Of::Unit(..) | Of::Weekday(_) | Of::Month(_), _) => false,
        }
    }

    /// `18` of `18.3.1`: the version without what it goes on with.
    fn is_begun_by(&self, short: &Self) -> bool {
        let rest = self.value.strip_prefix(short.value.as_str());
        self.value.matches('.').count() > 1 && rest.is_some_and(|rest| rest.starts_with('.'))
    }

    /// Whether two are values of the same sort, one of which may have been written for the other.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        match (&self.of, &other.of) {
            (Of::Weekday(_), Of::Weekday(_)) | (Of::Month(_), Of::Month(_)) | (Of::Nothing, Of::Nothing) => true,
            (Of::Unit(one, kind, _), Of::Unit(two, other, _)) => {
                kind.is_like(*other) && (*kind != Kind::Money || one == two)
            }
            (Of::Noun(one), Of::Noun(two)) => one == two,
            (Of::Nothing | Of::Noun(_) | Of::Unit(..) | Of::Weekday(_) | Of::Month(_), _) => false,
        }
    }

    /// Whether nothing but a number tells what it is.
    pub(super) fn is_bare(&self) -> bool {
        self.of == Of::Nothing
    }
}

impl Kind {
    /// `every 250 ms` is an interval of 250 ms.
    fn is_like(self, other: Self) -> bool {
        self == other || matches!((self, other), (Self::Time, Self::Period) | (Self::Period, Self::Time))
    }

    /// How far apart two amounts in two units may be: a share in words is said roughly, and a kilobyte has 1,000 or 1,024
    /// bytes.
    fn slack(self) -> f64 {
        match self {
            Self::Time | Self::Period | Self::Money => 0.02,
            Self::Size | Self::Share => 0.08,
        }
    }
}

fn near(one: f64, two: f64, slack: f64) -> bool {
    (one - two).abs() <= slack * one.abs().max(two.abs())
}

/// The quantities of a text in order, none inside another.
pub(super) fn quantities(text: &str, language: &Language) -> Vec<Quantity> {
    let heard = words(text);
    let mut found = in_words(text, &heard, language);
    let mut start = 0;
    for line in text.split('\n') {
        let numbers = if may_hold_one(line) { numbers(line, language) } else { Vec::new() };
        for one in numbers {
            let range = start + one.range.start..start + one.range.end;
            if found.iter().all(|other| other.range.end <= range.start || other.range.start >= range.end) {
                found.push(Quantity { range, ..one });
            }
        }
        start += line.len() + 1;
    }
    found.sort_by_key(|one| one.range.start);
    found
}

/// The numbers of a line with their units.
fn numbers(line: &str, language: &Language) -> Vec<Quantity> {
    let mut vocabulary = Vocabulary::default();
    let numbered = Numbered::of(line, language, &mut vocabulary);
    let mut found: Vec<Quantity> = numbered
        .numbers()
        .filter(|number| !is_reference(&line[..number.range.start]))
        .map(|number| {
            let value = number.value.to_owned();
            let behind = line[number.range.end..].trim_start();
            let sign = ["$", "€", "£"].into_iter().find(|sign| line[..number.range.start].ends_with(sign));
            let sign = sign.or_else(|| behind.starts_with('%').then_some("%"));
            let unit = sign.map(str::to_owned).or_else(|| numbered.units(&number, language).into_iter().next());
            let of = unit.map_or(Of::Nothing, |unit| measured(&unit, &value));
            // A sign before it is its unit: what stands behind `€2 thousand` is none.
            let is_behind = matches!(of, Of::Unit(..)) && sign.is_none_or(|sign| sign == "%");
            let end = number.range.end + if is_behind { unit_end(&line[number.range.end..]) } else { 0 };
            Quantity { range: number.range.start..end, value, of }
        })
        .collect();
    for at in (1..found.len()).rev() {
        // A unit may be a number itself: `2 dozen`.
        let Some(between) = line.get(found[at - 1].range.end..found[at].range.start).map(str::trim) else { continue };
        let shared = matches!(found[at].of, Of::Unit(..)) && !matches!(found[at - 1].of, Of::Unit(..));
        if shared && JOINS.contains(&between) {
            let Of::Unit(unit, ..) = &found[at].of else { continue };
            let of = measured(unit, &found[at - 1].value);
            found[at - 1].of = of;
        }
    }
    found
}

/// Whether a number behind this is that of a line: `store.go:31`.
pub(super) fn is_reference(before: &str) -> bool {
    let word = before.strip_suffix(':').and_then(|before| before.split_whitespace().next_back());
    word.is_some_and(|word| word.contains(['.', '/']))
}

/// Where the unit that stands here ends; 0 where none does.
fn unit_end(behind: &str) -> usize {
    let unit = behind.trim_start_matches([' ', '*', '`']);
    let letters = unit.find(|c: char| !c.is_alphabetic()).unwrap_or(unit.len());
    let len = if unit.starts_with('%') { 1 } else { letters };
    if len > 0 { behind.len() - unit.len() + len } else { 0 }
}

/// Whether this is a unit of time, size, share or money.
pub(super) fn is_measure(unit: &str, language: &Language) -> bool {
    let lower = unit.to_lowercase();
    let form = language.unit_forms.get(lower.as_str()).copied().unwrap_or(&lower);
    UNITS.iter().any(|(name, ..)| *name == form || form.strip_suffix('s') == Some(name))
}

/// What a value with this unit or noun behind it is.
fn measured(unit: &str, value: &str) -> Of {
    let known = UNITS.iter().find(|(name, ..)| *name == unit);
    match known.zip(value.parse::<f64>().ok()) {
        Some(((name, kind, size), value)) => Of::Unit((*name).to_owned(), *kind, value * size),
        None => Of::Noun(unit.to_owned()),
    }
}

/// Weekdays, months, shares and how often something happens: what is said in words of its own.
fn in_words(text: &str, heard: &[Word], language: &Language) -> Vec<Quantity> {
    let mut found: Vec<Quantity> = Vec::new();
    for (at, word) in heard.iter().enumerate() {
        let made = named_day(text, word, language)
            .map(|of| (at, at, of))
            .or_else(|| often(heard, at, language))
            .or_else(|| part(heard, at, language));
        let Some((first, last, of)) = made else { continue };
        let range = heard[first].range.start..heard[last].range.end;
        if found.last().is_none_or(|before| before.range.end <= range.start) {
            found.push(Quantity { value: text[range.clone()].to_lowercase(), range, of });
        }
    }
    found
}

const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// A weekday or a month, also cut short; but `may`, `mar`, `sat` and `sun` are other words as well.
fn named_day(text: &str, word: &Word, language: &Language) -> Option<Of> {
    let begin = word.lower.get(..3)?;
    let of = |names: &[&str]| names.iter().position(|name| *name == begin);
    let (weekday, month) = (of(&WEEKDAYS), of(&MONTHS));
    // Most words are neither, and need not be written anew.
    if weekday.or(month).is_none() || matches!(&*word.lower, "may" | "mar" | "sat" | "sun") {
        return None;
    }
    let said = &text[word.range.clone()];
    let name = said.get(..1)?.to_uppercase() + &said.get(1..)?.to_lowercase();
    if language.weekdays.contains(name.as_str()) {
        return weekday.map(Of::Weekday);
    }
    month.filter(|_| language.months.contains(name.as_str())).map(Of::Month)
}

/// `four times a second`, `twice a year`, `every 250 ms`, `once per hour`: the time from one to the next.
fn often(heard: &[Word], at: usize, language: &Language) -> Option<(usize, usize, Of)> {
    let lower = |at: usize| heard.get(at).map_or("", |word| &*word.lower);
    if language.is_rate("every", lower(at)) {
        let (count, next) = number(lower(at + 1), language).map_or((1.0, at + 1), |count| (count, at + 2));
        // `250ms` is one word.
        let glued = lower(at + 1).trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let size = lower(at + 1).strip_suffix(glued).and_then(|digits| digits.parse::<f64>().ok());
        let (count, last, unit) = match size.filter(|_| !glued.is_empty()) {
            Some(size) => (size, at + 1, glued),
            None => (count, next, lower(next)),
        };
        return duration(unit, language).map(|size| (at, last, period(count * size)));
    }
    let (count, next) = match language.often.get(lower(at)) {
        Some(times) => (times.parse().ok()?, at + 1),
        None if language.is_rate("times", lower(at + 1)) => (number(lower(at), language)?, at + 2),
        None => return None,
    };
    let per = language.is_rate("per", lower(next));
    let size = duration(lower(next + 1), language).filter(|_| per && count > 0.0)?;
    Some((at, next + 1, period(size / count)))
}

fn period(milliseconds: f64) -> Of {
    Of::Unit("period".to_owned(), Kind::Period, milliseconds)
}

/// Milliseconds of a unit of time.
fn duration(word: &str, language: &Language) -> Option<f64> {
    let form = language.unit_forms.get(word).copied().unwrap_or(word);
    let time = UNITS
        .iter()
        .find(|(name, kind, _)| *kind == Kind::Time && (*name == form || *name == form.trim_end_matches('s')));
    time.map(|(.., size)| *size)
}

/// `half of`, `a fifth`, `two thirds of`, and of a time: `a quarter of an hour`, `half a second`.
fn part(heard: &[Word], at: usize, language: &Language) -> Option<(usize, usize, Of)> {
    let lower = |at: usize| heard.get(at).map_or("", |word| &*word.lower);
    let before = at.checked_sub(1).map_or("", lower);
    let word = lower(at);
    // Of most words it is asked no further.
    if ![word, word.strip_suffix('s').unwrap_or(word)].iter().any(|word| language.shares.get(word).is_some()) {
        return None;
    }
    let many = number(before, language);
    let single = if many.is_some() { word.strip_suffix('s').unwrap_or(word) } else { word };
    let share = language.shares.get(single)?.parse::<f64>().ok()? * many.unwrap_or(1.0);
    let counted = many.is_some() || language.is_rate("one", before);
    let first = if counted { at - 1 } else { at };
    let mut last = at;
    if language.is_rate("of", lower(last + 1)) {
        last += 1;
    }
    let of_one = language.is_rate("one", lower(last + 1));
    if let Some(size) = duration(lower(last + 2), language).filter(|_| of_one) {
        return Some((first, last + 2, Of::Unit("part".to_owned(), Kind::Time, size * share / 100.0)));
    }
    // `last quarter`, `a third attempt`: without `of` only a count of parts is a share.
    let is_share = last > at && (counted || single == "half") || many.is_some() || single == "fifth" && counted;
    is_share.then(|| (first, at, Of::Unit("part".to_owned(), Kind::Share, share)))
}

/// The value of a number in digits or in words.
fn number(word: &str, language: &Language) -> Option<f64> {
    match language.numbers.get(word).or_else(|| language.tens.get(word)) {
        Some(digits) => digits.parse().ok(),
        None => plain(word).parse().ok().filter(|_| word.starts_with(|c: char| c.is_ascii_digit())),
    }
}
