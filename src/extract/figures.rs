//! Figures: a value with its label, unit and comparator, as they stand.

use std::ops::Range;

use super::number::Number;
use super::tokens::{Tokens, is_unspaced};
use super::{Language, Zone, Zones};

/// A figure and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// From the comparator to the unit.
    pub range: Range<usize>,
    /// What it is the value of; empty where the text does not say.
    pub label: String,
    /// The number alone, as written.
    pub value: String,
    /// Empty where there is none.
    pub unit: String,
    /// `~`, `<=`, `up to`, …; empty where there is none.
    pub comparator: String,
    /// Whether it took the place of another figure, or that one took its place.
    pub change: Option<Change>,
}

/// The place of a figure in `from 7 to 5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// What it was before.
    From,
    /// What it is now.
    To,
}

impl Change {
    /// The value in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::From => "from",
            Self::To => "to",
        }
    }
}

/// The figures of a text in order, outside `taken` (the sorted ranges of identifiers, whose digits are no figures). A
/// bare small number that nothing names is none.
pub fn figures(text: &str, taken: &[Range<usize>], language: &Language) -> Vec<Figure> {
    figures_in(text, &Zones::of(text), taken, language)
}

/// The same, of a text whose zones are known.
pub(super) fn figures_in(text: &str, zones: &Zones, taken: &[Range<usize>], language: &Language) -> Vec<Figure> {
    let mut found = in_digits(text, taken, language);
    let mut spelled = in_words(text, zones, language);
    if !spelled.is_empty() {
        found.append(&mut spelled);
        found.sort_by_key(|figure| figure.range.start);
    }
    pair_changes(text, &mut found, language);
    found
}

/// Tells the figures of `from 7 to 5` and `7 → 5` which is which. What names or measures one of them holds for both.
fn pair_changes(text: &str, found: &mut [Figure], language: &Language) {
    for no in 1..found.len() {
        let [before, after] = &mut found[no - 1..=no] else { continue };
        let Some(between) = text.get(before.range.end..after.range.start + lead(text, after)) else { continue };
        let between = between.trim();
        let said = |place: &str, words: &str| {
            language.changes.iter().any(|(at, held)| *at == place && held.eq_ignore_ascii_case(words))
        };
        let last = || line_before(text, before.range.start, 24).split_whitespace().next_back().unwrap_or_default();
        let arrow = matches!(between, "→" | "->" | "=>" | "-->");
        if before.change.is_some() || !(arrow || said("to", between) && said("from", last())) {
            continue;
        }
        before.change = Some(Change::From);
        after.change = Some(Change::To);
        if before.unit.is_empty() && after.unit.is_empty() || before.unit == after.unit {
            let shared = if before.label.is_empty() { after.label.clone() } else { before.label.clone() };
            before.label.clone_from(&shared);
            after.label = shared;
        } else if before.unit.is_empty() {
            before.unit.clone_from(&after.unit);
        }
    }
}

/// How long the words are that say how a figure is meant: `up to` may as well stand between two of them.
fn lead(text: &str, figure: &Figure) -> usize {
    let said = &text[figure.range.clone()];
    said.find(|c: char| c.is_ascii_digit()).filter(|_| !figure.comparator.is_empty()).unwrap_or(0)
}

fn in_digits(text: &str, taken: &[Range<usize>], language: &Language) -> Vec<Figure> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    // Up to here everything was looked at.
    let mut at = 0;
    while let Some(digit) = bytes[at..].iter().position(u8::is_ascii_digit).map(|ahead| at + ahead) {
        let number = Number::at(text, digit, at);
        at = number.end;
        found.extend(figure(text, &number, taken, language));
    }
    found
}

/// The figure of this number, if it is one.
fn figure(text: &str, number: &Number, taken: &[Range<usize>], language: &Language) -> Option<Figure> {
    let free = |range: &Range<usize>| {
        let next = taken.partition_point(|one| one.end <= range.start);
        taken.get(next).is_none_or(|one| one.start >= range.end)
    };
    let value = number.value.clone();
    let glued = number.unit.clone().map(|range| text[range].trim());
    if !free(&value) || !stands_alone(text, value.clone(), glued, language) || is_list_number(text, value.clone()) {
        return None;
    }
    let unit = number.unit.clone().filter(|range| {
        let is_times = || text[range.end..].trim_start().starts_with(|c: char| c.is_ascii_digit());
        language.is_unit(text[range.clone()].trim())
            && free(range)
            && !(text[range.clone()].trim() == "x" && is_times())
    });
    let start = number.mark.unwrap_or_else(|| comparator_start(text, value.start, language));
    let end = unit.as_ref().map(|range| range.end).or(number.plus).unwrap_or(value.end);
    let unit = unit.map(|range| text[range].trim().to_owned()).unwrap_or_default();
    let label = label(text, start, end, language);
    let said = &text[value.clone()];
    if unit.is_empty() && label.is_empty() && is_small(said) {
        return None;
    }
    let comparator = text[start..value.start].trim().to_owned();
    Some(Figure { label, range: start..end, value: said.to_owned(), unit, comparator, change: None })
}

/// Numbers in words that count something.
fn in_words(text: &str, zones: &Zones, language: &Language) -> Vec<Figure> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let letters = bytes[at..].iter().take_while(|byte| is_letter(**byte));
        let (len, all) = letters.fold((0, 0), |(len, all), byte| (len + 1, all | byte));
        let run = at..at + len;
        at = run.end + 1;
        // Beyond ASCII only the characters tell what a letter is.
        if all < 0x80 {
            found.extend(spelled(text, run, zones, language));
            continue;
        }
        let mut start = run.start;
        for part in text[run].split_inclusive(|c: char| !c.is_alphabetic()) {
            let word = start..start + part.trim_end_matches(|c: char| !c.is_alphabetic()).len();
            start += part.len();
            found.extend(spelled(text, word, zones, language));
        }
    }
    found
}

/// Or a byte of something beyond ASCII.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte >= 0x80
}

/// The figure of a number in words, if it is one and counts something.
fn spelled(text: &str, word: Range<usize>, zones: &Zones, language: &Language) -> Option<Figure> {
    let said = &text[word.clone()];
    // Most words are none, and nothing of them is copied.
    let known =
        said.bytes().next().is_some_and(|first| language.numbers.may_hold(first.to_ascii_lowercase(), said.len()))
            && language.numbers.contains(said.to_lowercase().as_str());
    if !known || !is_whole_word(text, &word) || zones.at(word.start) != Zone::Prose {
        return None;
    }
    let label = following(text, word.end, language);
    (!label.is_empty()).then(|| Figure {
        label,
        value: said.to_owned(),
        range: word,
        unit: String::new(),
        comparator: String::new(),
        change: None,
    })
}

/// Whether no part of a longer word stands around these letters: `two`, not `two-phase` or `network`.
fn is_whole_word(text: &str, range: &Range<usize>) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    let joins = |c: char| matches!(c, '-' | '\'' | '’');
    let mut before = text[..range.start].chars().rev();
    let mut behind = text[range.end..].chars();
    let open = match before.next() {
        Some(c) if joins(c) => before.next().is_none_or(|c| !inside(c)),
        Some(c) => !inside(c),
        None => true,
    };
    open && match behind.next() {
        Some(c) if joins(c) => behind.next().is_none_or(|c| !c.is_alphanumeric()),
        Some(c) => !inside(c),
        None => true,
    }
}

/// At most two digits and nothing else: it may stand anywhere.
fn is_small(value: &str) -> bool {
    value.len() <= 2 && value.bytes().all(|b| b.is_ascii_digit())
}

/// Where the words begin that say how the value at `start` is meant; `start` where there are none.
fn comparator_start(text: &str, start: usize, language: &Language) -> usize {
    let before = line_before(text, start, 24);
    let said = before.trim_end();
    let held = |phrase: &&&str| {
        let from = said.len().checked_sub(phrase.len()).filter(|from| said.is_char_boundary(*from));
        from.is_some_and(|from| {
            let whole = !said[..from].ends_with(|c: char| c.is_alphanumeric() && !is_unspaced(c));
            whole && said[from..].eq_ignore_ascii_case(phrase)
        })
    };
    let longest = language.comparators.iter().filter(held).map(|phrase| phrase.len()).max();
    match longest {
        Some(len) if said.len() < before.len() || said.ends_with(is_unspaced) => {
            start - (before.len() - said.len()) - len
        }
        Some(_) | None => start,
    }
}

/// Not a part of a word, of a time or of a longer dotted thing.
fn stands_alone(text: &str, range: Range<usize>, unit: Option<&str>, language: &Language) -> bool {
    let before = text[..range.start].chars().next_back();
    let after = text[range.end..].chars().next();
    // Writing without spaces stands right beside a number.
    let letter = |c: char| c.is_alphanumeric() && !is_unspaced(c);
    if before.is_some_and(|c| letter(c) || matches!(c, '_' | '.' | '#' | '\\')) || after == Some('_') {
        return false;
    }
    let glued = after.is_some_and(|c| c.is_alphabetic() && !is_unspaced(c));
    !glued || unit.is_some_and(|unit| language.is_unit(unit.trim()))
}

/// `1.` and `1)` at the start of a line number a list.
fn is_list_number(text: &str, range: Range<usize>) -> bool {
    let before = line_before(text, range.start, 16);
    let before = before.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '#' | '>' | '"'));
    before.is_empty() && text[range.end..].starts_with(['.', ')'])
}

/// By rule order: `label = v`, `label: v`, `label v`; else the noun behind it; else the words before it.
fn label(text: &str, start: usize, end: usize, language: &Language) -> String {
    let before = line_before(text, start, 80);
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '=' | ':' | '"' | '\'' | '`' | '(');
    let joined = before.trim_end_matches(is_mark);
    let assigned = before[joined.len()..].contains(['=', ':']);
    let heard = Tokens::of(joined);
    let last = heard.len().checked_sub(1).filter(|last| heard.range(*last).end == joined.len());
    if let Some(last) = last
        && (assigned || language.places.contains(&heard.lower(last)))
    {
        return joined[heard.range(last)].to_owned();
    }
    let behind = following(text, end, language);
    if !behind.is_empty() {
        return behind;
    }
    if joined.ends_with(is_unspaced) {
        return unspaced_noun(joined).to_owned();
    }
    // A bare small number is named by its own clause or by nothing, any other by its own sentence.
    let ends: &[_] = if is_small(text[start..end].trim()) { &[',', ';', '.', ')'] } else { &[';', '.', '!', '?'] };
    let is_end = |(at, _): &(usize, &str)| {
        joined[at + 1..].chars().next().is_none_or(char::is_whitespace) || ends.contains(&',')
    };
    let clause = joined.rmatch_indices(ends).find(is_end).map_or(0, |(at, _)| at + 1);
    let named = |from: usize| -> Vec<&str> {
        let near = (0..heard.len()).rev().take(6);
        let said = near.filter(|at| heard.range(*at).start >= from && language.is_content(&heard.lower(*at)));
        // A unit behind a number is that number's.
        let measures = |at: usize| {
            let before = at.checked_sub(1).map(|before| &joined[heard.range(before)]);
            before.is_some_and(is_digits) && language.is_unit(&heard.lower(at))
        };
        let said = said.filter(|at| !measures(*at)).map(|at| &joined[heard.range(at)]);
        said.filter(|word| !is_digits(word)).take(3).collect()
    };
    // What stands between it and the number before names it; where nothing does, they have their name together.
    let own = clause.max(behind_number(joined, &heard, language));
    let mut said = named(own);
    if said.is_empty() {
        said = named(clause);
    }
    said.reverse();
    said.join(" ")
}

fn is_digits(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Where what belongs to the number before a figure ends: itself, its unit, and the rest of its part of a list. 0 where
/// there is none.
fn behind_number(joined: &str, heard: &Tokens, language: &Language) -> usize {
    let is_number = |at: &usize| is_digits(&joined[heard.range(*at)]);
    let Some(number) = (0..heard.len()).rev().find(is_number) else { return 0 };
    let unit = Some(number + 1).filter(|next| *next < heard.len() && language.is_unit(&heard.lower(*next)));
    let end = heard.range(unit.unwrap_or(number)).end;
    joined[end..].rfind([',', '(']).map_or(end, |mark| end + mark + 1)
}

/// The last noun of writing without spaces: what stands before the particle, up to the letters of grammar before it.
fn unspaced_noun(said: &str) -> &str {
    let said = said.trim_end_matches(['は', 'が', 'を', 'の', 'に', 'で', 'も', 'と', '、']);
    let other = |c: char| !is_unspaced(c) || matches!(c, '\u{3040}'..='\u{309f}');
    said.rfind(other).map_or(said, |at| said[at..].trim_start_matches(other))
}

/// The content word right behind a value; of `2 of 3 healthy` it is what the whole counts.
fn following(text: &str, end: usize, language: &Language) -> String {
    let near = text.get(end..text.floor_char_boundary(end + 60)).unwrap_or_default();
    let behind = near.split(['\n', '.', ',', ';', ':', ')', '(', '|', '"']).next().unwrap_or_default();
    let heard = Tokens::of(behind);
    let letter = |c: char| c == '-' || c.is_alphabetic() && !is_unspaced(c);
    let plain = |lower: &str| lower.len() > 1 && lower.chars().all(letter);
    let named = |lower: &str| language.is_content(lower) || language.counted.contains(lower);
    let number = |lower: &str| lower.bytes().all(|b| b.is_ascii_digit()) || language.numbers.contains(lower);
    let part = heard.len() > 1 && language.parts.contains(&heard.lower(0)) && number(&heard.lower(1));
    let from = if part { 2 } else { 0 };
    let first = (from..heard.len().min(from + 2)).find(|at| plain(&heard.lower(*at)));
    // A unit names a value that it stands right behind; one further on measures another value.
    let measures = |at: usize| at > from && language.is_unit(&heard.lower(at));
    first
        .filter(|at| named(&heard.lower(*at)) && !measures(*at))
        .map(|at| behind[heard.range(at)].to_owned())
        .unwrap_or_default()
}

/// What stands before this byte on its line, at most so many bytes of it.
fn line_before(text: &str, at: usize, most: usize) -> &str {
    let near = &text[text.floor_char_boundary(at.saturating_sub(most))..at];
    near.rsplit('\n').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn seen(text: &str) -> Vec<(String, String, String, String)> {
        figures(text, &[], Language::english()).into_iter().map(|f| (f.comparator, f.value, f.unit, f.label)).collect()
    }

    #[test]
    fn a_figure_has_its_label_unit_and_comparator() {
        for (text, want) in [
            ("\"agent_percentage\": 92.2", vec![("", "92.2", "", "agent_percentage")]),
            ("shard_count = 0", vec![("", "0", "", "shard_count")]),
            ("(line 338)", vec![("", "338", "", "line")]),
            ("lines 417-422 in", vec![("", "417-422", "", "lines")]),
            ("found ~95% duplication", vec![("~", "95", "%", "duplication")]),
            ("a timeout of 30 seconds", vec![("", "30", "seconds", "timeout")]),
            ("maybe 100 of them", vec![("maybe", "100", "", "")]),
            ("waits fifteen minutes", vec![("", "fifteen", "", "minutes")]),
            ("up to 5 retries", vec![("up to", "5", "retries", "")]),
            ("between three run modes", vec![("", "three", "", "run")]),
            ("1. first\n2) second", vec![]),
            ("abc123 x_4", vec![]),
            ("1, 1, 2", vec![]),
            ("2 of 3 healthy", vec![("", "2", "", "healthy"), ("", "3", "", "healthy")]),
            (
                "Nine webhooks and at most 9 webhooks",
                vec![("", "Nine", "", "webhooks"), ("at most", "9", "", "webhooks")],
            ),
            (
                "Slate costs 2,950 kg, oak 1,780 kg and pine 2,600 kg",
                vec![("", "2,950", "kg", "Slate costs"), ("", "1,780", "kg", "oak"), ("", "2,600", "kg", "pine")],
            ),
            ("a plate of 220 x 90 cm", vec![("", "220", "", "plate"), ("", "90", "cm", "plate")]),
            ("the budget is 15,800 euros", vec![("", "15,800", "euros", "budget")]),
            ("$1,200.50 due", vec![("", "$1,200.50", "", "due")]),
        ] {
            let got = seen(text);
            let got: Vec<_> = got.iter().map(|(a, b, c, d)| (a.as_str(), b.as_str(), c.as_str(), d.as_str())).collect();
            assert_eq!(got, want, "{text}");
        }
    }

    #[test]
    fn a_change_has_two_sides() {
        for (text, want) in [
            ("lowered the ceiling from 7 to 5", vec![("7", Some(Change::From)), ("5", Some(Change::To))]),
            ("retries: 7 → 5", vec![("7", Some(Change::From)), ("5", Some(Change::To))]),
            ("from 90 MB down to 12 MB", vec![("90", Some(Change::From)), ("12", Some(Change::To))]),
            ("open from 9 am, 12 rows", vec![("9", None), ("12", None)]),
        ] {
            let got = figures(text, &[], Language::english());
            let got: Vec<_> = got.iter().map(|figure| (figure.value.as_str(), figure.change)).collect();
            assert_eq!(got, want, "{text}");
        }
    }

    proptest! {
        #[test]
        fn ranges_are_text_in_order(text in r"[\PC\n0-9.,%$~-]{0,120}") {
            let mut start = 0;
            for figure in figures(&text, &[], Language::english()) {
                prop_assert!(text.get(figure.range.clone()).is_some_and(|held| !held.is_empty()));
                prop_assert!(figure.range.start >= start);
                start = figure.range.start;
            }
        }
    }
}
