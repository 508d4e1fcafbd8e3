//! Letters that are not Latin: how many of each kind a text has, and what is written in them.

/// The kind of letters most of a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    /// Kana, with or without characters from Chinese.
    Japanese,
    /// Whatever else, by the English name of its language, or of the script where it has many languages.
    Other(&'static str),
}

/// Counts of letters that are not Latin.
#[derive(Clone, Debug, Default)]
pub(super) struct Scripts {
    kana: usize,
    han: usize,
    others: [usize; BLOCKS.len()],
    /// Letters that only one language of a script has.
    marks: [usize; MARKS.len()],
    /// What was counted last in Chinese characters alone.
    alone: String,
}

/// A script: the stretches of its letters, and how many letters make about one word.
struct Block {
    name: &'static str,
    stretches: &'static [(char, char)],
    word: usize,
}

const BLOCKS: [Block; 13] = [
    Block { name: "Cyrillic script", stretches: &[('\u{400}', '\u{52f}')], word: 5 },
    Block { name: "Greek", stretches: &[('\u{370}', '\u{3ff}'), ('\u{1f00}', '\u{1fff}')], word: 5 },
    Block {
        name: "Arabic",
        stretches: &[('\u{600}', '\u{6ff}'), ('\u{750}', '\u{77f}'), ('\u{fb50}', '\u{fefc}')],
        word: 4,
    },
    Block { name: "Hebrew", stretches: &[('\u{590}', '\u{5ff}')], word: 4 },
    Block { name: "Hindi", stretches: &[('\u{900}', '\u{97f}')], word: 3 },
    Block { name: "Bengali", stretches: &[('\u{980}', '\u{9ff}')], word: 3 },
    Block { name: "Tamil", stretches: &[('\u{b80}', '\u{bff}')], word: 4 },
    Block { name: "Telugu", stretches: &[('\u{c00}', '\u{c7f}')], word: 4 },
    Block { name: "Thai", stretches: &[('\u{e00}', '\u{e7f}')], word: 4 },
    Block { name: "Georgian", stretches: &[('\u{10a0}', '\u{10ff}')], word: 5 },
    Block { name: "Armenian", stretches: &[('\u{530}', '\u{58f}')], word: 5 },
    Block {
        name: "Korean",
        stretches: &[('\u{1100}', '\u{11ff}'), ('\u{3130}', '\u{318f}'), ('\u{ac00}', '\u{d7a3}')],
        word: 2,
    },
    Block { name: "Chinese", stretches: &[('\u{3100}', '\u{312f}')], word: 2 },
];

/// Where a script has many languages: letters that only this one has.
const MARKS: [(&str, &str, &str); 3] =
    [("Cyrillic script", "Ukrainian", "іїєґ"), ("Cyrillic script", "Russian", "ыэё"), ("Arabic", "Persian", "پچژگ")];

/// Chinese characters that are Japanese where nothing else stands beside them.
const JAPANESE: &str = include_str!("../../../assets/lexicon/ja/function.txt");

impl Scripts {
    /// Counts the letters of what stands between two spaces; says whether there were any that are not Latin.
    pub fn count(&mut self, token: &str) -> bool {
        if token.is_ascii() {
            return false;
        }
        let letters = || token.chars().filter(|c| c.is_alphabetic() || *c == 'ー');
        // One letter among others is a symbol: `Δt`.
        if letters().filter(|c| block(*c).is_some()).count() < 2 && !letters().any(is_eastern) {
            return false;
        }
        for c in letters() {
            match c {
                _ if is_kana(c) => self.kana += 1,
                _ if is_eastern(c) => {
                    self.han += 1;
                    // Only the shortest texts are looked up.
                    if self.han <= 8 {
                        self.alone.push(c);
                    }
                }
                _ => {
                    let Some(no) = block(c) else { continue };
                    self.others[no] += 1;
                    let small = c.to_lowercase().next().unwrap_or(c);
                    if let Some(mark) = MARKS.iter().position(|(_, _, marks)| marks.contains(small)) {
                        self.marks[mark] += 1;
                    }
                }
            }
        }
        true
    }

    /// The script of the text, if there is as much of it as there are Latin words.
    pub fn main(&self, latin: usize) -> Option<Script> {
        let east = (self.kana + self.han).div_ceil(3);
        let (no, words) = (0..BLOCKS.len())
            .map(|no| (no, self.others[no].div_ceil(BLOCKS[no].word)))
            .max_by_key(|(no, words)| (*words, std::cmp::Reverse(*no)))?;
        if east.max(words) < latin.max(1) {
            return None;
        }
        if east >= words {
            // Chinese has no kana; a Japanese sentence has hardly a word without.
            let japanese = self.kana * 10 >= self.kana + self.han || self.is_known();
            return Some(if japanese { Script::Japanese } else { Script::Other("Chinese") });
        }
        let name = BLOCKS[no].name;
        let marked = (0..MARKS.len()).filter(|mark| MARKS[*mark].0 == name && self.marks[*mark] > 0);
        Some(Script::Other(marked.max_by_key(|mark| self.marks[*mark]).map_or(name, |mark| MARKS[mark].1)))
    }

    fn is_known(&self) -> bool {
        self.han <= 8
            && super::english::lines(JAPANESE).flat_map(str::split_whitespace).any(|known| known == self.alone)
    }
}

/// The script of a letter that is neither Latin nor written in Japan.
fn block(c: char) -> Option<usize> {
    let held = |(from, to): &(char, char)| (*from..=*to).contains(&c);
    BLOCKS.iter().position(|block| block.stretches.iter().any(held))
}

fn is_kana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30ff}' | '\u{ff66}'..='\u{ff9f}')
}

/// Kana, and characters from Chinese.
fn is_eastern(c: char) -> bool {
    is_kana(c) || matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}
