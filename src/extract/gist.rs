//! What a text is about, as small numbers: the stems of its words that say something, and its numbers.

use super::{Language, stem};

/// The stems of the content words of a text and its numbers without separators, hashed, each once, in order; a number in words is
/// its digits. Names are
/// taken apart at everything that is no letter or digit, so that `a/b.rs` shares its parts with `b.rs`.
pub fn gist(text: &str, language: &Language) -> Vec<u32> {
    let mut found = Vec::new();
    let mut lower = String::new();
    let mut at = 0;
    let is_word = |c: char| c.is_alphanumeric() || c == '\'' || c == '’';
    while let Some(start) = text[at..].find(char::is_alphanumeric).map(|start| at + start) {
        let len = text[start..].find(|c| !is_word(c)).unwrap_or(text.len() - start);
        let mut end = start + len;
        let number = text[start..end].bytes().all(|b| b.is_ascii_digit());
        if number {
            end = number_end(text, end);
        }
        at = end;
        lower.clear();
        let word = text[start..end].trim_end_matches(['\'', '’']);
        if word.is_ascii() && !number {
            lower.push_str(word);
            lower.make_ascii_lowercase();
        } else {
            lower.extend(word.chars().filter(|c| !(number && *c == ',')).flat_map(char::to_lowercase));
        }
        let plain = lower.split(['\'', '’']).next().unwrap_or_default();
        let is_content = |plain: &str| plain.len() == lower.len() || language.is_content(&lower);
        if number || language.is_content(plain) && is_content(plain) {
            let said = language.numbers.get(plain).map_or(stem(plain.as_bytes()), |digits| digits.as_bytes());
            let hash = hash(said);
            if !found.contains(&hash) {
                found.push(hash);
            }
        }
    }
    found
}

/// Where the number that began before `end` ends, its separators included: `1,486.20`.
fn number_end(text: &str, end: usize) -> usize {
    let rest = &text.as_bytes()[end..];
    let mut len = 0;
    while matches!(rest.get(len), Some(b',' | b'.')) && rest.get(len + 1).is_some_and(u8::is_ascii_digit) {
        len += 1 + rest[len + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
    }
    end + len
}

/// FNV-1a, folded: the same in every run.
fn hash(bytes: &[u8]) -> u32 {
    let hash =
        bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, b| (hash ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3));
    (hash ^ (hash >> 32)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_about_the_same_share_their_gist() {
        let english = Language::english();
        for (one, other) in [
            ("The retries were capped", "retry: capped"),
            ("src/a/worker.rs", "the a worker, src, rs"),
            ("1,486.20 paid", "paid 1486.20"),
            ("user's orders", "orders of the user"),
        ] {
            let of = |text| {
                let mut gist = gist(text, english);
                gist.sort_unstable();
                gist
            };
            assert_eq!(of(one), of(other), "{one} / {other}");
        }
        assert_ne!(gist("attempt 7", english), gist("attempt 5", english));
    }
}
