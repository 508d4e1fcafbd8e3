//! The few stretches of a text in which an identifier can stand at all, and what each of them holds. Most of a text are
//! plain words, which one look at each byte passes over; only the rest is worth a pattern.

use std::ops::Range;

/// What stands in a stretch, one bit each.
pub(super) type Marks = u32;

pub(super) const DIGIT: Marks = 1;
pub(super) const SLASH: Marks = 1 << 1;
pub(super) const BACKSLASH: Marks = 1 << 2;
/// A full stop that a letter or `_` follows.
pub(super) const DOT: Marks = 1 << 3;
pub(super) const COLON: Marks = 1 << 4;
pub(super) const UNDERSCORE: Marks = 1 << 5;
pub(super) const AT: Marks = 1 << 6;
pub(super) const DOLLAR: Marks = 1 << 7;
pub(super) const NUMBER_SIGN: Marks = 1 << 8;
pub(super) const HYPHEN: Marks = 1 << 9;
/// Two hyphens in a row.
pub(super) const HYPHENS: Marks = 1 << 10;
/// `(` before `)`.
pub(super) const CALL: Marks = 1 << 11;
/// A capital behind a small letter or a digit.
pub(super) const HUMP: Marks = 1 << 12;
/// `://`
pub(super) const SCHEME: Marks = 1 << 13;
/// A capital at the start of the stretch or behind anything.
pub(super) const CAPITAL: Marks = 1 << 14;
/// A full stop between digits.
pub(super) const DECIMAL: Marks = 1 << 15;
/// A colon between digits.
pub(super) const CLOCK: Marks = 1 << 16;
/// A hyphen before a digit.
pub(super) const DASHED: Marks = 1 << 17;
/// Six letters and digits or more in a row, a digit among them.
pub(super) const RUN: Marks = 1 << 18;
/// A digit behind a capital, or a hyphen behind a capital or digit.
pub(super) const CODED: Marks = 1 << 19;

/// Such a mark makes a stretch worth a look.
const TELLING: Marks =
    DIGIT | SLASH | BACKSLASH | DOT | UNDERSCORE | AT | DOLLAR | HYPHENS | CALL | HUMP | SCHEME | NUMBER_SIGN;

/// Of a label and its number (`order number: 12`), and of a date: so many words before a digit belong to it.
const BEFORE: usize = 4;
/// And so many behind it.
const BEHIND: usize = 2;

/// A stretch and its marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub range: Range<usize>,
    pub marks: Marks,
}

/// The windows of a text in order, between white space, without overlap. A colon pair marks nothing by itself.
pub(super) fn windows(text: &str) -> Vec<Window> {
    let bytes = text.as_bytes();
    let mut found: Vec<Window> = Vec::new();
    // The starts of the last words, the latest last, and the marks of those words.
    let mut last = [(0_usize, 0 as Marks); BEFORE];
    let mut behind = 0;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let word = word(bytes, at);
        let (mut end, marks) = (word.range.end, word.marks);
        if marks & TELLING != 0 {
            if marks & BACKSLASH != 0 {
                // Paths of Windows may hold spaces: they end with the line at the latest.
                end = memchr::memchr(b'\n', &bytes[end..]).map_or(bytes.len(), |line| end + line);
            }
            let from = if marks & (DIGIT | NUMBER_SIGN) != 0 { last[0].0 } else { word.range.start };
            let held = last.iter().filter(|(start, _)| *start >= from).fold(0, |all, (_, marks)| all | marks);
            let marks = if end > word.range.end { Marks::MAX } else { marks | held };
            add(&mut found, from.min(word.range.start)..end, marks);
            behind = if word.marks & DIGIT == 0 { 0 } else { BEHIND };
        } else if behind > 0 {
            behind -= 1;
            add(&mut found, word.range.clone(), marks);
        }
        last.rotate_left(1);
        last[BEFORE - 1] = (word.range.start, marks);
        at = end;
    }
    found
}

/// Adds a window, as a part of the one before where only one white space or nothing lies between.
fn add(found: &mut Vec<Window>, range: Range<usize>, marks: Marks) {
    match found.last_mut() {
        Some(before) if range.start <= before.range.end + 1 => {
            before.range.end = before.range.end.max(range.end);
            before.marks |= marks;
        }
        Some(_) | None => found.push(Window { range, marks }),
    }
}

/// The word that begins here, up to white space.
fn word(bytes: &[u8], start: usize) -> Window {
    let mut marks = 0;
    let mut before = b' ';
    let mut at = start;
    let mut opened = false;
    // Letters and digits in a row, and whether a digit is among them.
    let (mut run, mut counted) = (0_u32, false);
    while let Some(byte) = bytes.get(at).copied() {
        let kind = KINDS[usize::from(byte)];
        match kind {
            SMALL | LARGE | OTHER => {
                if before == b'.' {
                    marks |= DOT;
                }
                if kind == LARGE {
                    marks |= CAPITAL;
                    if before.is_ascii_lowercase() || before.is_ascii_digit() {
                        marks |= HUMP;
                    }
                }
                run += 1;
            }
            FIGURE => {
                marks |= DIGIT;
                marks |= match before {
                    b'.' if digit_at(bytes, at, 2) => DECIMAL,
                    b':' if digit_at(bytes, at, 2) => CLOCK | COLON,
                    b'-' => DASHED,
                    b'A'..=b'Z' => CODED,
                    _ => 0,
                };
                (run, counted) = (run + 1, true);
            }
            SPACE => break,
            _ => {
                match byte {
                    b'/' => marks |= if marks & COLON != 0 && before == b'/' { SLASH | SCHEME } else { SLASH },
                    b'\\' => marks |= BACKSLASH,
                    b':' => marks |= if before == b':' { COLON | UNDERSCORE } else { COLON },
                    b'_' => marks |= if before == b'.' { UNDERSCORE | DOT } else { UNDERSCORE },
                    b'@' => marks |= AT,
                    b'$' => marks |= DOLLAR,
                    b'#' => marks |= NUMBER_SIGN,
                    b'-' => {
                        marks |= if before == b'-' { HYPHEN | HYPHENS } else { HYPHEN };
                        if before.is_ascii_uppercase() || before.is_ascii_digit() {
                            marks |= CODED;
                        }
                    }
                    b'(' => opened = true,
                    b')' if opened => marks |= CALL,
                    _ => {}
                }
                if run >= 6 && counted {
                    marks |= RUN;
                }
                (run, counted) = (0, false);
            }
        }
        before = byte;
        at += 1;
    }
    if run >= 6 && counted {
        marks |= RUN;
    }
    Window { range: start..at, marks }
}

/// Whether a digit stands so many bytes before this one.
fn digit_at(bytes: &[u8], at: usize, back: usize) -> bool {
    at.checked_sub(back).and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit)
}

const OTHER: u8 = 0;
const SMALL: u8 = 1;
const LARGE: u8 = 2;
const FIGURE: u8 = 3;
const SPACE: u8 = 4;
const MARK: u8 = 5;

/// What each byte is.
static KINDS: [u8; 256] = kinds();

const fn kinds() -> [u8; 256] {
    let mut kinds = [OTHER; 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        kinds[at] = if byte.is_ascii_lowercase() {
            SMALL
        } else if byte.is_ascii_uppercase() {
            LARGE
        } else if byte.is_ascii_digit() {
            FIGURE
        } else if byte.is_ascii_whitespace() {
            SPACE
        } else if byte.is_ascii() {
            MARK
        } else {
            OTHER
        };
        at += 1;
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_are_passed_over() {
        for (text, want) in [
            ("It was not the cache. (Really, it's fine!)", vec![]),
            ("see src/main.rs for it", vec!["src/main.rs"]),
            ("on 2 August we met again", vec!["on 2 August we"]),
            ("the order number is 48213 now", vec!["the order number is 48213 now"]),
            ("a fooBar and run() too", vec!["fooBar", "run()"]),
            ("C:\\Program Files\\x y\nnext", vec!["C:\\Program Files\\x y"]),
        ] {
            let found: Vec<_> = windows(text).into_iter().map(|window| &text[window.range]).collect();
            assert_eq!(found, want, "{text}");
        }
    }
}
