//! A list of cue phrases, as the files under `assets/lexicon/` hold them.

use super::Word;

/// A list of phrases. In its file one phrase a line; `#` starts a comment line, `*` at the end of a word stands for any
/// ending, `^` before the phrase means: only at the start, `$` behind it: only at the end.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    phrases: Vec<Phrase>,
    /// One bit for each byte that a phrase begins with: most words begin none.
    begins: [u64; 4],
}

#[derive(Clone, Debug)]
struct Phrase {
    first: bool,
    last: bool,
    words: Vec<(String, bool)>,
}

impl Lexicon {
    /// Reads a list.
    pub fn parse(list: &str) -> Self {
        let phrases: Vec<Phrase> = list
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .map(|line| Phrase {
                first: line.starts_with('^'),
                last: line.ends_with('$'),
                words: line
                    .trim_start_matches('^')
                    .trim_end_matches('$')
                    .split_whitespace()
                    .map(|word| (word.trim_end_matches('*').to_lowercase(), word.ends_with('*')))
                    .collect(),
            })
            .collect();
        let mut begins = [0; 4];
        for first in phrases.iter().filter_map(|phrase| phrase.words.first()?.0.bytes().next()) {
            begins[usize::from(first) / 64] |= 1 << (first % 64);
        }
        Self { phrases, begins }
    }

    /// Where the first of its phrases stands in these words: the index of its first word and of the one behind it.
    pub fn find(&self, words: &[Word]) -> Option<(usize, usize)> {
        (0..words.len()).find_map(|at| self.at(words, at).map(|end| (at, end)))
    }

    /// Whether any of its phrases stands in these words.
    pub fn is_in(&self, words: &[Word]) -> bool {
        self.find(words).is_some()
    }

    /// The end of the phrase that begins at this word.
    pub fn at(&self, words: &[Word], at: usize) -> Option<usize> {
        let first = words.get(at)?.lower.bytes().next()?;
        if self.begins[usize::from(first) / 64] & 1 << (first % 64) == 0 {
            return None;
        }
        self.phrases.iter().find_map(|phrase| {
            let end = at + phrase.words.len();
            let fits = (!phrase.first || at == 0)
                && (!phrase.last || end == words.len())
                && words.get(at..end)?.iter().zip(&phrase.words).all(|(word, (wanted, open))| {
                    if *open { word.lower.starts_with(wanted.as_str()) } else { word.lower == *wanted }
                });
            fits.then_some(end)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::words;

    #[test]
    fn phrases_match_whole_words_open_endings_and_starts() {
        let list = Lexicon::parse("# comment\n^ok\nnext step*\nruled out\n^fix$");
        for (text, want) in [
            ("Ok then", Some((0, 1))),
            ("this is ok", None),
            ("the next steps are", Some((1, 3))),
            ("It was RULED out", Some((2, 4))),
            ("ruled outside", None),
            ("Fix", Some((0, 1))),
            ("fix it", None),
            ("", None),
        ] {
            assert_eq!(list.find(&words(text)), want, "{text}");
        }
    }
}
