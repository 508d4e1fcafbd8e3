//! Figures: a value with its label, unit and comparator, as they stand.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::tokens::is_unspaced;
use super::{Language, Word, Zone, Zones, words};

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
}

static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)
        (?P<cmp> [<>≤≥~≈±]=?\s? )?
        (?P<value> [$€£]?[+-]?\d+(?:[.,]\d+)*(?:[eE][+-]?\d+)?(?:\s?[-–]\s?\d+(?:[.,]\d+)*|/\d+)? )
        (?P<plus>\+)?
        (?P<unit> \s?(?:[%$€£]|[\p{Latin}µ]+(?:/s)?|時間|[秒分日年]間|週間|[かヶカ]月|[秒分日月年円件回行個人台本枚番倍万億割]) )?
        ",
    )
    .expect("the pattern is constant, and a test compiles it")
});

/// The figures of a text in order, outside `taken` (the sorted ranges of identifiers, whose digits are no figures). A
/// bare small number that nothing names is none.
pub fn figures(text: &str, taken: &[Range<usize>], language: &Language) -> Vec<Figure> {
    let zones = Zones::of(text);
    let mut found = Vec::new();
    for caught in NUMBER.captures_iter(text) {
        let Some(value) = caught.name("value") else { continue };
        let free = |range: &Range<usize>| {
            let next = taken.partition_point(|one| one.end <= range.start);
            taken.get(next).is_none_or(|one| one.start >= range.end)
        };
        let glued = caught.name("unit").map(|unit| unit.as_str());
        if !free(&value.range()) || !stands_alone(text, value.range(), glued, language) {
            continue;
        }
        if is_list_number(text, value.range()) {
            continue;
        }
        let unit = caught.name("unit").filter(|unit| language.is_unit(unit.as_str().trim()) && free(&unit.range()));
        let start = match caught.name("cmp") {
            Some(mark) => mark.start(),
            None => comparator_start(text, value.start(), language),
        };
        let end = unit.or(caught.name("plus")).map_or(value.end(), |mark| mark.end());
        let unit = unit.map(|unit| unit.as_str().trim().to_owned()).unwrap_or_default();
        let label = label(text, start, end, language);
        if unit.is_empty() && label.is_empty() && is_small(value.as_str()) {
            continue;
        }
        found.push(Figure {
            label,
            range: start..end,
            value: value.as_str().to_owned(),
            unit,
            comparator: text[start..value.start()].trim().to_owned(),
        });
    }
    for word in words(text) {
        if !language.numbers.contains_key(word.lower.as_str()) || zones.at(word.range.start) != Zone::Prose {
            continue;
        }
        let label = following(text, word.range.end, language);
        if !label.is_empty() {
            found.push(Figure {
                label,
                value: text[word.range.clone()].to_owned(),
                range: word.range,
                unit: String::new(),
                comparator: String::new(),
            });
        }
    }
    found.sort_by_key(|figure| figure.range.start);
    found
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

/// What Japanese joins to the end of a noun.
const PARTICLES: [char; 8] = ['は', 'が', 'を', 'の', 'に', 'で', 'も', 'と'];

/// By rule order: `label = v`, `label: v`, `label v`; else the noun behind it; else the words before it.
fn label(text: &str, start: usize, end: usize, language: &Language) -> String {
    let before = line_before(text, start, 80);
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '=' | ':' | '"' | '\'' | '`' | '(');
    let joined = before.trim_end_matches(is_mark);
    let assigned = before[joined.len()..].contains(['=', ':']);
    let heard = words(joined);
    let last = heard.last().filter(|word| word.range.end == joined.len());
    if let Some(last) = last
        && (assigned || language.places.contains(last.lower.as_str()))
    {
        return joined[last.range.clone()].to_owned();
    }
    let behind = following(text, end, language);
    if !behind.is_empty() {
        return behind;
    }
    let content = |word: &&Word| language.is_content(&word.lower);
    // A bare small number is named by its own clause or by nothing.
    let small = is_small(text[start..end].trim());
    let clause = if small { joined.rfind([',', ';', '.', ')']).map_or(0, |at| at + 1) } else { 0 };
    let said = heard
        .iter()
        .rev()
        .take(6)
        .filter(|word| word.range.start >= clause)
        .filter(content)
        .take(3)
        .map(|word| joined[word.range.clone()].trim_end_matches(PARTICLES));
    said.collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join(" ")
}

/// The content word right behind a value; of `2 of 3 healthy` it is what the whole counts.
fn following(text: &str, end: usize, language: &Language) -> String {
    let near = text.get(end..text.floor_char_boundary(end + 60)).unwrap_or_default();
    let behind = near.split(['\n', '.', ',', ';', ':', ')', '(', '|', '"']).next().unwrap_or_default();
    let letter = |c: char| c == '-' || c.is_alphabetic() && !is_unspaced(c);
    let plain = |word: &Word| word.lower.len() > 1 && word.lower.chars().all(letter);
    let named = |word: &&Word| language.is_content(&word.lower) || language.counted.contains(word.lower.as_str());
    let number = |lower: &str| lower.bytes().all(|b| b.is_ascii_digit()) || language.numbers.contains_key(lower);
    let heard = words(behind);
    let part =
        matches!(&heard[..], [of, whole, ..] if language.parts.contains(of.lower.as_str()) && number(&whole.lower));
    let first = heard.iter().skip(if part { 2 } else { 0 }).take(2).find(|word| plain(word)).filter(named);
    first.map(|word| behind[word.range.clone()].to_owned()).unwrap_or_default()
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
            ("checkpoint_count = 0", vec![("", "0", "", "checkpoint_count")]),
            ("(line 338)", vec![("", "338", "", "line")]),
            ("lines 417-422 in", vec![("", "417-422", "", "lines")]),
            ("found ~95% duplication", vec![("~", "95", "%", "duplication")]),
            ("a timeout of 30 seconds", vec![("", "30", "seconds", "timeout")]),
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
            ("$1,200.50 due", vec![("", "$1,200.50", "", "due")]),
        ] {
            let got = seen(text);
            let got: Vec<_> = got.iter().map(|(a, b, c, d)| (a.as_str(), b.as_str(), c.as_str(), d.as_str())).collect();
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
