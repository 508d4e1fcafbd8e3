//! Names in calls and results, told by their shape alone and in one pass over the bytes: where there is much text and
//! little of it matters, this is cheap enough. Prose is read with more care elsewhere.

use std::ops::Range;

use crate::extract::Class;

/// Shorter names than this are words.
const SHORTEST: usize = 5;
/// Longer ones are content.
const LONGEST: usize = 160;

/// The names of a text in order.
pub(super) fn names(text: &str) -> impl Iterator<Item = (Range<usize>, Class)> + '_ {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at + bytes[at..].iter().position(|b| is_part(*b))?;
            let len = bytes[start..].iter().position(|b| !is_part(*b)).unwrap_or(bytes.len() - start);
            at = start + len;
            let range = trimmed(bytes, start..at);
            if !(SHORTEST..=LONGEST).contains(&range.len()) {
                continue;
            }
            if let Some(class) = class(&bytes[range.clone()]) {
                return Some((range, class));
            }
        }
        None
    })
}

fn is_part(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'/' | b'-' | b'@' | b'~')
}

fn trimmed(bytes: &[u8], mut range: Range<usize>) -> Range<usize> {
    while range.end > range.start && matches!(bytes[range.end - 1], b'.' | b'-' | b'@' | b'~' | b'/') {
        range.end -= 1;
    }
    while range.end > range.start && matches!(bytes[range.start], b'-' | b'@') {
        range.start += 1;
    }
    range
}

fn class(name: &[u8]) -> Option<Class> {
    let mut seen = Seen::default();
    for b in name {
        match b {
            b'a'..=b'z' => seen.lower += 1,
            b'A'..=b'Z' => {
                seen.humps += u32::from(seen.after_lower);
                seen.upper += 1;
            }
            b'0'..=b'9' => seen.digits += 1,
            b'_' => seen.low_lines += 1,
            b'/' => seen.slashes += 1,
            b'.' => seen.dots += 1,
            _ => seen.others += 1,
        }
        seen.after_lower = b.is_ascii_lowercase();
        seen.not_hex |= !matches!(b, b'0'..=b'9' | b'a'..=b'f');
    }
    let letters = seen.lower + seen.upper;
    if letters == 0 {
        return None;
    }
    if seen.slashes > 0 {
        let real = seen.slashes > 1 || seen.dots > 0 || matches!(name.first(), Some(b'/' | b'~' | b'.'));
        return (real || seen.digits > 0 && seen.lower > 2).then_some(Class::Path);
    }
    if !seen.not_hex && seen.digits > 0 && name.len() >= 7 {
        return Some(Class::Hash);
    }
    if seen.upper > 1 && seen.lower == 0 && seen.digits > 0 && seen.others == 1 {
        return Some(Class::Ticket);
    }
    if seen.dots == 1 && seen.others == 0 && seen.low_lines == 0 && letters > 3 {
        let ending = name.rsplit(|b| *b == b'.').next().unwrap_or_default();
        let known = (1..=5).contains(&ending.len()) && ending.iter().all(u8::is_ascii_lowercase);
        return known.then_some(Class::Path);
    }
    if seen.low_lines > 0 && letters > 3 {
        return Some(if seen.lower == 0 { Class::Env } else { Class::Symbol });
    }
    if seen.humps > 0 && seen.others == 0 {
        return Some(Class::Symbol);
    }
    let mixed = seen.digits > 1 && letters > 1 && name.len() >= 6 && seen.dots == 0;
    mixed.then_some(Class::Id)
}

#[derive(Default)]
struct Seen {
    lower: u32,
    upper: u32,
    digits: u32,
    low_lines: u32,
    slashes: u32,
    dots: u32,
    others: u32,
    humps: u32,
    after_lower: bool,
    not_hex: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_by_their_shape() {
        let text = "see src/a/b.rs, worker.py: 4be81c7 TestDiff_None fileCommands() gift_cards.redeemed_id \
                    MAX_TRIES CS-5502 HB20417 and/or plain words 12.5 1.2.3 e.g. it.";
        let seen: Vec<_> = names(text).map(|(range, class)| (&text[range], class.name())).collect();
        assert_eq!(
            seen,
            [
                ("src/a/b.rs", "path"),
                ("worker.py", "path"),
                ("4be81c7", "hash"),
                ("TestDiff_None", "symbol"),
                ("fileCommands", "symbol"),
                ("gift_cards.redeemed_id", "symbol"),
                ("MAX_TRIES", "env"),
                ("CS-5502", "ticket"),
                ("HB20417", "id"),
            ]
        );
    }
}
