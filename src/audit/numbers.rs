//! A line with its numbers, and the words that say what each of them is of.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use crate::extract::Language;
use crate::extract::runs::{Filter, key_of, runs};

use super::tokens::{in_lower_case, is_name, key};
use super::vocabulary::{Vocabulary, said};

/// So many words on each side of a number say what it is of.
const WORDS: usize = 8;
/// A number has at most so many bytes.
const LONGEST: usize = 16;

/// Whether a number may stand in this line, in digits or in words: most lines have none and need not be cut up.
pub(super) fn may_hold_one(line: &str) -> bool {
    static IN_WORDS: OnceLock<Filter> = OnceLock::new();
    if line.bytes().any(|byte| byte.is_ascii_digit()) {
        return true;
    }
    let in_words = IN_WORDS.get_or_init(|| {
        let language = Language::english();
        let words: Vec<u64> =
            language.numbers.iter().chain(language.tens.iter()).map(|(word, _)| key_of(word)).collect();
        Filter::of(words.into_iter())
    });
    let mut found = false;
    runs(line, |_, key| found |= in_words.may_hold(key));
    found
}

/// A word near a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct About {
    pub key: String,
    pub name: bool,
}

/// A line cut into words and numbers.
pub(super) struct Numbered<'a> {
    line: &'a str,
    pieces: Vec<Piece<'a>>,
}

#[derive(Clone, Debug)]
struct Piece<'a> {
    range: Range<usize>,
    /// Digits alone where it is a number: `2,400` and `nine` as `2400` and `9`.
    value: Option<Cow<'a, str>>,
    /// Letters that stand right behind the digits: `41s`.
    glued: Option<Range<usize>>,
    /// The word that it is.
    word: Option<u32>,
}

/// A number of a line.
pub(super) struct Number<'a> {
    at: usize,
    pub value: &'a str,
    pub range: Range<usize>,
}

impl<'a> Numbered<'a> {
    pub(super) fn of(line: &'a str, language: &Language, vocabulary: &mut Vocabulary) -> Self {
        let mut pieces: Vec<Piece> = Vec::with_capacity(line.len() / 8);
        let bytes = line.as_bytes();
        let mut at = 0;
        while at < line.len() {
            let Some(start) = word_start(line, at) else { break };
            if let Some(len) = stamp(&bytes[start..]) {
                at = start + len;
                continue;
            }
            if bytes[start].is_ascii_digit() && !line[..start].ends_with(['.', '#']) {
                let end = number_end(bytes, start);
                let letters = word_end(line, end, false) - end;
                let tail = &line[end..end + letters];
                at = end + letters;
                if (tail.is_empty() || language.is_unit(tail)) && end - start <= LONGEST {
                    let digits = &line[start..end];
                    let bare = digits.bytes().all(|byte| byte.is_ascii_digit());
                    let value = Some(if bare { Cow::Borrowed(digits) } else { Cow::Owned(plain(digits)) });
                    let glued = (!tail.is_empty()).then(|| end..end + letters);
                    pieces.push(Piece { range: start..end, value, glued, word: None });
                    continue;
                }
                let word = Some(vocabulary.no_of(&line[start..at], language));
                pieces.push(Piece { range: start..at, value: None, glued: None, word });
                continue;
            }
            at = word_end(line, start, true);
            let word = line[start..at].trim_end_matches('-');
            let end = start + word.len().max(1);
            let no = vocabulary.no_of(word, language);
            let spelled = vocabulary.word(no).spelled.as_deref();
            // `twenty five` is the value of both, where this one stands right behind tens.
            let tens = pieces.last().filter(|last| line[last.range.end..start].trim().is_empty());
            let tens = tens.and_then(|last| vocabulary.word(last.word?).tens.as_deref());
            if let (Some(tens), Some(ones), Some(last)) =
                (tens, spelled.filter(|ones| ones.len() == 1), pieces.last_mut())
            {
                (last.value, last.range.end, last.word) = (Some(Cow::Owned(format!("{tens}{ones}"))), end, None);
                continue;
            }
            let value = spelled.map(|spelled| Cow::Owned(spelled.to_owned()));
            pieces.push(Piece { range: start..end, value, glued: None, word: Some(no) });
        }
        Self { line, pieces }
    }

    /// Whether a number stands here, and a label that somebody asks for.
    pub(super) fn is_telling(&self, vocabulary: &Vocabulary) -> bool {
        self.pieces.iter().any(|piece| piece.value.is_some())
            && self.pieces.iter().any(|piece| {
                piece.value.is_none() && piece.word.is_some_and(|no| !vocabulary.word(no).labels.is_empty())
            })
    }

    pub(super) fn numbers(&self) -> impl Iterator<Item = Number<'_>> {
        self.pieces.iter().enumerate().filter_map(|(at, piece)| {
            let value = piece.value.as_deref()?;
            Some(Number { at, value, range: piece.range.clone() })
        })
    }

    /// What stands around a number: nearest first, each once.
    pub(super) fn about(&self, number: &Number, language: &Language) -> Vec<About> {
        let mut found: Vec<About> = Vec::new();
        self.around(number, |piece| {
            for about in said(&self.line[piece.range.clone()], language) {
                if !found.iter().any(|other| other.key == about.key) {
                    found.push(about);
                }
            }
        });
        found
    }

    /// The labels that stand around a number and that somebody asks for, each once.
    pub(super) fn labels(&self, number: &Number, vocabulary: &Vocabulary, found: &mut Vec<(u32, bool)>) {
        found.clear();
        self.around(number, |piece| {
            for label in piece.word.iter().flat_map(|no| &vocabulary.word(*no).labels) {
                if !found.iter().any(|other| other.0 == label.0) {
                    found.push(*label);
                }
            }
        });
    }

    /// The words around a number, in its sentence, nearest first.
    fn around(&self, number: &Number, mut meet: impl FnMut(&Piece)) {
        let ends = |one: &Range<usize>, next: &Range<usize>| {
            let between = &self.line.as_bytes()[one.end..next.start];
            between.windows(2).any(|two| matches!(two, b". " | b"? " | b"! " | b"; "))
        };
        let (mut first, mut last) = (number.at, number.at);
        for _ in 0..WORDS {
            let before = first.checked_sub(1).filter(|at| !ends(&self.pieces[*at].range, &self.pieces[first].range));
            let behind = Some(last + 1)
                .filter(|at| self.pieces.get(*at).is_some_and(|next| !ends(&self.pieces[last].range, &next.range)));
            (first, last) = (before.unwrap_or(first), behind.unwrap_or(last));
            let both = [before, behind].into_iter().flatten().map(|at| &self.pieces[at]);
            both.filter(|piece| piece.value.is_none()).for_each(&mut meet);
        }
    }

    /// What a number counts or measures: the letters glued to it, else the two words behind it; of `338` in `line 338`
    /// the word before it.
    pub(super) fn units(&self, number: &Number, language: &Language) -> Vec<String> {
        let piece = &self.pieces[number.at];
        if let Some(place) = self.place(number, language) {
            return vec![place];
        }
        if let Some(glued) = &piece.glued {
            return vec![unit(&self.line[glued.clone()], language)];
        }
        if self.line[piece.range.end..].starts_with('%') {
            return vec!["%".to_owned()];
        }
        let mut found = Vec::new();
        let mut end = piece.range.end;
        for next in self.pieces[number.at + 1..].iter().take(2).filter(|next| next.value.is_none()) {
            let between = &self.line[end..next.range.start];
            // `**4** plans`, but not `12*time`.
            let inner = between.trim_start_matches(['*', '`', '+']).trim_end_matches(['*', '`']);
            if !between.is_empty() && (inner.is_empty() || !inner.chars().all(|c| matches!(c, ' ' | '\t'))) {
                break;
            }
            found.push(unit(&self.line[next.range.clone()], language));
            end = next.range.end;
        }
        found.retain(|word| {
            language.is_content(word)
                || language.is_unit(word)
                || language.counted.contains(format!("{word}s").as_str())
        });
        found
    }

    /// The word before a number that says which one of a row it is: `line 338`, `step 2`.
    pub(super) fn place(&self, number: &Number, language: &Language) -> Option<String> {
        let before = &self.pieces[number.at.checked_sub(1)?].range;
        let between = &self.line[before.end..self.pieces[number.at].range.start];
        if !between.bytes().all(|byte| matches!(byte, b' ' | b'#')) {
            return None;
        }
        let lower = in_lower_case(&self.line[before.clone()]);
        let word = singular(&lower);
        language.places.contains(word).then(|| word.to_owned())
    }

    /// The name that a number is assigned to: `max_attempts = 7`, `"count": 3`.
    pub(super) fn assigned(&self, number: &Number, language: &Language) -> Option<String> {
        let before = &self.pieces[number.at.checked_sub(1)?];
        let between = &self.line[before.range.end..self.pieces[number.at].range.start];
        let word = &self.line[before.range.clone()];
        let marks = between.chars().all(|c| matches!(c, ' ' | '=' | ':' | '"' | '\'' | '`' | '*' | '~'));
        // A plain word is no name of one thing: `total: 5` may be said of many.
        let quoted = between.starts_with(['"', '`', '\'']);
        let assigned = marks && between.contains(['=', ':']) && before.value.is_none() && (is_name(word) || quoted);
        assigned.then(|| key(word, language)).flatten()
    }
}

/// Where the next word or number begins.
fn word_start(line: &str, from: usize) -> Option<usize> {
    let bytes = line.as_bytes();
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        if byte.is_ascii_alphanumeric() || *byte == b'_' {
            return Some(at);
        }
        if *byte >= 0x80 {
            let next = line[at..].chars().next()?;
            if next.is_alphanumeric() {
                return Some(at);
            }
            at += next.len_utf8();
        } else {
            at += 1;
        }
    }
    None
}

/// Where the word ends that begins here; hyphens may join it.
fn word_end(line: &str, from: usize, hyphens: bool) -> usize {
    let bytes = line.as_bytes();
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        if byte.is_ascii_alphanumeric() || *byte == b'_' || hyphens && *byte == b'-' {
            at += 1;
        } else if *byte >= 0x80 {
            match line[at..].chars().next().filter(|c| c.is_alphanumeric()) {
                Some(c) => at += c.len_utf8(),
                None => break,
            }
        } else {
            break;
        }
    }
    at
}

/// One form for all of a unit, or of a noun.
fn unit(word: &str, language: &Language) -> String {
    let lower = word.to_lowercase();
    language.unit_forms.get(lower.as_str()).map_or_else(|| singular(&lower), |first| *first).to_owned()
}

/// Without the ending of a plural.
fn singular(word: &str) -> &str {
    word.strip_suffix('s').filter(|one| one.len() > 2).unwrap_or(word)
}

/// The length of a time stamp, `2026-03-23T15:41:52.227Z`, that stands here: a log has one in each line, and none of its
/// digits says anything of what stands behind it.
fn stamp(bytes: &[u8]) -> Option<usize> {
    const SHAPE: &[u8] = b"dddd-dd-ddTdd:dd";
    let fits = |(want, byte): (&u8, &u8)| match want {
        b'd' => byte.is_ascii_digit(),
        b'T' => matches!(byte, b'T' | b' '),
        mark => byte == mark,
    };
    let stands = bytes.len() >= SHAPE.len() && SHAPE.iter().zip(bytes).all(fits);
    let rest = || bytes[SHAPE.len()..].iter();
    stands.then(|| {
        SHAPE.len() + rest().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.' | b'Z')).count()
    })
}

fn number_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    while end < bytes.len() {
        let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        if digit(end) || matches!(bytes[end], b'.' | b',') && digit(end + 1) {
            end += 1;
        } else {
            break;
        }
    }
    end
}

/// The digits of a value: no separators of thousands, no empty decimals, words as digits.
pub(super) fn plain(value: &str) -> String {
    let bare: String = value.chars().filter(|c| c.is_ascii_digit() || matches!(c, '.' | ',')).collect();
    let thousands = |mark: char| {
        let mut groups = bare.split(mark);
        let first = groups.next().unwrap_or_default();
        let rest: Vec<&str> = groups.collect();
        !first.is_empty() && first.len() <= 3 && !rest.is_empty() && rest.iter().all(|group| group.len() == 3)
    };
    if thousands(',') { bare.replace(',', "") } else { bare.replace(',', ".") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_a_number_is_known_at_a_look() {
        for (line, want) in [
            ("took 41s", true),
            ("We tried Seven times", true),
            ("at twenty-five euro", true),
            ("Nobody tried it — not even once.", false),
            ("", false),
        ] {
            assert_eq!(may_hold_one(line), want, "{line}");
            let numbered = Numbered::of(line, Language::english(), &mut Vocabulary::default());
            assert_eq!(numbered.numbers().next().is_some(), want, "{line}");
        }
    }

    #[test]
    fn a_number_knows_what_it_is_of() {
        let english = Language::english();
        for (line, value, unit, assigned, about) in [
            ("`max_attempts = 7`", "7", "", Some("maxattempt"), "maxattempt* \0limit attempt"),
            ("tile-loader.ts (3,100 lines)", "3100", "line", None, "lin tileloader* til loader"),
            ("see line 338 of it", "338", "line", None, "lin see"),
            ("took 41s, nearly", "41", "s", None, "took near"),
            ("We tried seven times", "7", "time", None, "tri tim"),
            ("within 12*time.Second of it", "12", "", None, "within tim second"),
            ("within 12 * time.Second", "12", "", None, "within tim second"),
            ("the **4** **plans**", "4", "plan", None, "plan"),
            ("at twenty five euro", "25", "€", None, "euro"),
            ("at Twenty-five euro", "25", "€", None, "euro"),
            ("about 95% of v2", "95", "%", None, ""),
            ("2026-03-23T15:41:52.227Z took 41s", "41", "s", None, "took"),
            ("2026-03-23 15:41 took 41s", "41", "s", None, "took"),
        ] {
            let numbered = Numbered::of(line, english, &mut Vocabulary::default());
            let Some(number) = numbered.numbers().next() else { panic!("{line}") };
            assert_eq!(number.value, value, "{line}");
            assert_eq!(numbered.units(&number, english).join(" "), unit, "{line}");
            assert_eq!(numbered.assigned(&number, english).as_deref(), assigned, "{line}");
            let heard = numbered.about(&number, english);
            let heard: Vec<_> =
                heard.iter().map(|one| format!("{}{}", one.key, if one.name { "*" } else { "" })).collect();
            let mut heard = heard;
            heard.retain(|one| one != "ts");
            assert_eq!(heard.join(" "), about, "{line}");
        }
    }
}
