//! A number as it is written, with the signs around it: `≥ $1,200.50+`, `3-5 ms`, `7/10`, `1e6 req/s`.

use std::ops::Range;

/// Where the pieces of a number stand, in bytes of its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Number {
    /// Where a sign such as `<=` or `~` before it begins.
    pub mark: Option<usize>,
    /// With its currency and its sign; of a range or a share both numbers.
    pub value: Range<usize>,
    /// Behind a `+` that means: or more.
    pub plus: Option<usize>,
    /// The word or sign behind it, and the space before that; it need not be a unit.
    pub unit: Option<Range<usize>>,
    /// Behind all of it.
    pub end: usize,
}

impl Number {
    /// The number whose first digit this is; nothing of it begins before `floor`.
    pub fn at(text: &str, digit: usize, floor: usize) -> Self {
        let bytes = text.as_bytes();
        let mut start = digit;
        if start > floor && matches!(bytes[start - 1], b'+' | b'-') {
            start -= 1;
        }
        if let Some(c) = char_before(text, start, floor).filter(|c| matches!(c, '$' | '€' | '£')) {
            start -= c.len_utf8();
        }
        let mark = mark_before(text, start, floor);
        let value = start..value_end(text, digit);
        let plus = (bytes.get(value.end) == Some(&b'+')).then_some(value.end + 1);
        let behind = plus.unwrap_or(value.end);
        let unit = unit_end(text, behind).map(|end| behind..end);
        let end = unit.as_ref().map_or(behind, |unit| unit.end);
        Self { mark, value, plus, unit, end }
    }
}

fn char_before(text: &str, at: usize, floor: usize) -> Option<char> {
    text[floor..at].chars().next_back()
}

/// Where `[<>≤≥~≈±]=?` and one white space begin right before here.
fn mark_before(text: &str, at: usize, floor: usize) -> Option<usize> {
    let mut rest = &text[floor..at];
    if let Some(space) = rest.chars().next_back().filter(|c| c.is_whitespace()) {
        rest = &rest[..rest.len() - space.len_utf8()];
    }
    let rest = rest.strip_suffix('=').unwrap_or(rest);
    // `->` and `=>` point from one value to the next.
    if rest.ends_with("->") || rest.ends_with("=>") {
        return None;
    }
    let mark = rest.chars().next_back().filter(|c| matches!(c, '<' | '>' | '≤' | '≥' | '~' | '≈' | '±'))?;
    Some(floor + rest.len() - mark.len_utf8())
}

fn digits(bytes: &[u8], at: usize) -> usize {
    at + bytes[at.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// `1,234.50`
fn decimal(bytes: &[u8], at: usize) -> usize {
    let mut end = digits(bytes, at);
    while end > at && matches!(bytes.get(end), Some(b'.' | b',')) && digits(bytes, end + 1) > end + 1 {
        end = digits(bytes, end + 1);
    }
    end
}

fn value_end(text: &str, digit: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = decimal(bytes, digit);
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let power = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if digits(bytes, power) > power {
            end = digits(bytes, power);
        }
    }
    // A range: `3-5`, `3 – 5`.
    let behind = space(text, end);
    let dash = match text[behind..].chars().next() {
        Some(c @ ('-' | '–')) => Some(behind + c.len_utf8()),
        Some(_) | None => None,
    };
    if let Some(from) = dash.map(|at| space(text, at)).filter(|from| decimal(bytes, *from) > *from) {
        return decimal(bytes, from);
    }
    if bytes.get(end) == Some(&b'/') && digits(bytes, end + 1) > end + 1 { digits(bytes, end + 1) } else { end }
}

/// Behind one white space, where there is one.
fn space(text: &str, at: usize) -> usize {
    text[at..].chars().next().filter(|c| c.is_whitespace()).map_or(at, |c| at + c.len_utf8())
}

/// `%`, `€`, `ms`, `req/s`
fn unit_end(text: &str, at: usize) -> Option<usize> {
    let from = space(text, at);
    if let Some(sign) = text[from..].chars().next().filter(|c| matches!(c, '%' | '$' | '€' | '£')) {
        return Some(from + sign.len_utf8());
    }
    let rest = &text[from..];
    let word = rest.chars().take_while(|c| is_latin(*c)).map(char::len_utf8).sum::<usize>();
    if word > 0 {
        let end = from + word;
        return Some(if text[end..].starts_with("/s") { end + 2 } else { end });
    }
    UNSPACED.iter().find(|unit| rest.starts_with(**unit)).map(|unit| from + unit.len())
}

fn is_latin(c: char) -> bool {
    c.is_ascii_alphabetic()
        || c == 'µ'
        || matches!(c, '\u{aa}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}') && c.is_alphabetic()
}

/// What counts or measures in writing without spaces; the longer before what it begins with.
const UNSPACED: &[&str] = &[
    "時間", "秒間", "分間", "日間", "年間", "週間", "か月", "ヶ月", "カ月", "秒", "分", "日", "月", "年", "円", "件",
    "回", "行", "個", "人", "台", "本", "枚", "番", "倍", "万", "億", "割", "歳", "名",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_its_signs_and_its_unit() {
        for (text, mark, value, unit) in [
            ("x >= $1,200.50+ due", ">= ", "$1,200.50", " due"),
            ("~95%", "~", "95", "%"),
            ("took 3 – 5 ms.", "", "3 – 5", " ms"),
            ("7 -> 5", "", "7", ""),
            ("7/10 done", "", "7/10", " done"),
            ("1e6 req/s", "", "1e6", " req/s"),
            ("-4.", "", "-4", ""),
            ("5e", "", "5", "e"),
            ("3 días", "", "3", " días"),
            ("最大3回まで", "", "3", "回"),
            ("2,", "", "2", ""),
        ] {
            let digit = text.find(|c: char| c.is_ascii_digit()).unwrap_or_default();
            let number = Number::at(text, digit, 0);
            assert_eq!(number.mark.map_or("", |at| &text[at..number.value.start]), mark, "{text}");
            assert_eq!(&text[number.value.clone()], value, "{text}");
            assert_eq!(number.unit.map_or("", |range| &text[range]), unit, "{text}");
        }
    }
}
