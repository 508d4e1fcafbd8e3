//! What a short result says under names of its own: JSON, or lines of `name: value`. Logs, listings and prose say nothing
//! here.

use std::ops::Range;

/// A longer result is no answer but content.
const SHORT: usize = 1_200;
/// So many values of one result are taken up.
const VALUES: usize = 40;
/// A longer value is no name, and a longer label none either.
const LONG: usize = 80;
/// A label has at most so many words.
const LABEL: usize = 3;
/// A word behind a number is its unit when it is no longer.
const UNIT: usize = 8;

/// One value with the name that it stands under, as they are in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    /// Empty where it has none.
    pub label: String,
    /// In bytes of the text: of a figure with its unit.
    pub range: Range<usize>,
    /// Of a figure its number and its unit, which may be empty; `None` of a name.
    pub figure: Option<(String, String)>,
}

/// The names and figures that a result gives; none where it is long or has no such form.
pub(super) fn answers(text: &str) -> Vec<Answer> {
    if text.len() > SHORT {
        return Vec::new();
    }
    let pairs = if text.trim_start().starts_with(['{', '[']) { members(text) } else { lines(text) };
    pairs.into_iter().filter_map(|(label, range)| answer(text, label, range)).take(VALUES).collect()
}

type Pair = (Range<usize>, Range<usize>);

/// The scalars in something like JSON, each with the label before it.
fn members(text: &str) -> Vec<Pair> {
    let bytes = text.as_bytes();
    let (mut found, mut label, mut at) = (Vec::new(), 0..0, 0);
    while let Some(byte) = bytes.get(at) {
        let range = match byte {
            b'"' => {
                let start = at + 1;
                let mut end = start;
                while bytes.get(end).is_some_and(|byte| *byte != b'"') {
                    end += 1 + usize::from(bytes[end] == b'\\');
                }
                let end = end.min(bytes.len());
                at = end + 1;
                start..end
            }
            b'-' | b'0'..=b'9' => {
                let start = at;
                while bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)) {
                    at += 1;
                }
                start..at
            }
            _ => {
                at += 1;
                continue;
            }
        };
        let behind = text.get(range.end..).unwrap_or_default();
        if behind.strip_prefix('"').is_some_and(|rest| rest.trim_start().starts_with(':')) {
            label = range;
        } else {
            found.push((label.clone(), range));
        }
    }
    found
}

/// `name: value`, `name = value` and `name 7 ms`, one a line or between commas; none where some line is of another kind.
fn lines(text: &str) -> Vec<Pair> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let (from, said) = (start, line.trim_end());
        start += line.len();
        if said.trim().is_empty() {
            continue;
        }
        let whole = named(said, from).map(|pair| vec![pair]);
        let Some(pairs) = whole.or_else(|| between_commas(said, from)) else { return Vec::new() };
        found.extend(pairs);
    }
    found
}

fn between_commas(line: &str, mut from: usize) -> Option<Vec<Pair>> {
    let mut found = Vec::new();
    for piece in line.split_inclusive([',', ';']) {
        let said = piece.trim_end_matches([',', ';']);
        found.push(named(said, from).or_else(|| counted(said, from))?);
        from += piece.len();
    }
    Some(found)
}

/// `name: value`; a value that holds further ones is none.
fn named(said: &str, from: usize) -> Option<Pair> {
    let mark = said.find([':', '='])?;
    let (label, value) = (&said[..mark], &said[mark + 1..]);
    let is_one = value.starts_with([' ', '"']) || said[mark..].starts_with('=');
    let is_plain = !value.contains([',', ';', ':', '=']) || !value.trim().contains(' ');
    (is_label(label) && is_one && is_plain).then(|| (trimmed(label, from), trimmed(value, from + mark + 1)))
}

/// `lag 7 ms`
fn counted(said: &str, from: usize) -> Option<Pair> {
    let number = said.find(|c: char| c.is_ascii_digit())?;
    let (label, value) = said.split_at(number);
    let is_figure = label.ends_with(' ') && is_label(label) && figure(value.trim_end()).is_some();
    is_figure.then(|| (trimmed(label, from), trimmed(value, from + number)))
}

fn is_label(said: &str) -> bool {
    let words = said.split_whitespace().count();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ' | '"');
    let begins = said.trim_start().starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '"'));
    (1..=LABEL).contains(&words) && said.len() <= LONG && begins && said.chars().all(is_part)
}

/// Where this stands without the white space and the quotation marks around it.
fn trimmed(said: &str, from: usize) -> Range<usize> {
    let bare = said.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\''));
    let start = from + (bare.as_ptr() as usize - said.as_ptr() as usize);
    start..start + bare.len()
}

fn answer(text: &str, label: Range<usize>, range: Range<usize>) -> Option<Answer> {
    let (label, value) = (text.get(label)?.to_owned(), text.get(range.clone())?);
    if let Some(figure) = figure(value) {
        return (!label.is_empty()).then_some(Answer { label, range, figure: Some(figure) });
    }
    let fits = (3..=LONG).contains(&value.len()) && !value.contains(char::is_whitespace);
    let tells = value.bytes().any(|byte| byte.is_ascii_digit()) || value.contains(['@', '/', '_']);
    let is_name = fits && tells && value.contains(char::is_alphanumeric) && !value.contains(['\\', '{', '(']);
    is_name.then_some(Answer { label, range, figure: None })
}

/// The number and the unit of `7`, `219.50 EUR`, `40%`, `$3,000`.
fn figure(value: &str) -> Option<(String, String)> {
    let before = value.len() - value.trim_start_matches(['$', '€', '£', '-', '+', '~']).len();
    let rest = &value[before..];
    let len = rest.bytes().take_while(|byte| byte.is_ascii_digit() || b".,".contains(byte)).count();
    let (number, unit) = (&rest[..len], rest[len..].trim());
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        && number.ends_with(|c: char| c.is_ascii_digit())
        && number.matches('.').count() <= 1
        && before <= 1;
    let is_unit = unit.chars().count() <= UNIT && unit.chars().all(|c| c.is_alphabetic() || "%/°".contains(c));
    // `3rd`, `12a` are no figures with a unit; `12ms` is one.
    let is_figure = is_number && is_unit && value.len() <= LONG;
    is_figure.then(|| {
        (
            number.to_owned(),
            if unit.is_empty() { value[..before].replace(['-', '+', '~'], "") } else { unit.to_owned() },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `label=value` for names, `label=number unit` for figures.
    fn told(text: &str) -> Vec<String> {
        let one = |answer: Answer| match answer.figure {
            Some((number, unit)) => format!("{}={number}|{unit}", answer.label),
            None => format!("{}={}", answer.label, &text[answer.range]),
        };
        answers(text).into_iter().map(one).collect()
    }

    #[test]
    fn what_a_short_answer_gives_under_a_name_is_told_with_it() {
        for (text, want) in [
            (
                r#"{"parcel":"PK-77", "weight": "2.40 kg", "stops": 3, "to": {"mail": "ada@post.example"}, "late": false}"#,
                vec!["parcel=PK-77", "weight=2.40|kg", "stops=3|", "mail=ada@post.example"],
            ),
            (r#"["a1b2c3", "plain"]"#, vec!["=a1b2c3"]),
            (r#"{"note": "it was \"3\" before", "n": -4}"#, vec!["n=4|"]),
            (
                "port = 8443\nfee: 19.99 EUR\n\nhost: db-3.internal\n",
                vec!["port=8443|", "fee=19.99|EUR", "host=db-3.internal"],
            ),
            ("state 207, sum 88 EUR", vec!["state=207|", "sum=88|EUR"]),
            ("delay 12 s", vec!["delay=12|s"]),
            ("share: 40%", vec!["share=40|%"]),
            // A log, a listing, prose, something cut off.
            ("12:01 started 4 workers\n12:02 port: 80", vec![]),
            ("src/a.rs\nsrc/b.rs", vec![]),
            ("The port is 80 and the fee is 7 EUR, as it was.", vec![]),
            ("{\"open", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(told(text), want, "{text}");
        }
        let long = format!("{{\"port\": 80, \"more\": \"{}\"}}", "x".repeat(SHORT));
        assert_eq!(told(&long), [""; 0]);
    }

    proptest::proptest! {
        /// Whatever a result looks like, what is told of it stands in it.
        #[test]
        fn every_answer_stands_in_its_text(text in "[a-c0-9\"':=,;{}\\[\\]\\\\ \nä€.%-]{0,80}") {
            for answer in answers(&text) {
                proptest::prop_assert!(text.get(answer.range).is_some());
            }
        }
    }
}
