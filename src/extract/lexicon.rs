//! A list of cue phrases, as the files under `assets/lexicon/` hold them.

use super::Word;

/// A list of phrases. In its file one phrase a line; `#` starts a comment line, `*` at the end of a word stands for any
/// ending, `^` before the phrase means: only at the start, `$` behind it: only at the end.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    /// By the byte that they begin with, those of one byte in the order of the file.
    phrases: Vec<Phrase>,
    /// By byte, where its phrases begin: most words begin none.
    begins: Vec<u16>,
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
        let mut phrases: Vec<Phrase> = list
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
        phrases.sort_by_key(Phrase::begins);
        let before = |byte: usize| phrases.partition_point(|phrase| phrase.begins() < byte) as u16;
        let begins = (0..=256).map(before).collect();
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
        let first = usize::from(words.get(at)?.lower.bytes().next()?);
        let [from, to] = [first, first + 1].map(|byte| self.begins.get(byte).map_or(0, |at| usize::from(*at)));
        self.phrases[from..to].iter().find_map(|phrase| {
            let end = at + phrase.words.len();
            let fits = (!phrase.first || at == 0)
                && (!phrase.last || end == words.len())
                && end <= words.len()
                && (at..end).all(|no| {
                    let (word, (wanted, open)) = (&words[no].lower, &phrase.words[no - at]);
                    if *open { word.starts_with(wanted.as_str()) } else { word == wanted }
                });
            fits.then_some(end)
        })
    }
}

impl Phrase {
    fn begins(&self) -> usize {
        self.words.first().and_then(|(word, _)| word.bytes().next()).map_or(0, usize::from)
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
