//! A text being typed, and where in it.

use unicode_segmentation::UnicodeSegmentation;

use super::{Key, KeyCode};

/// A text being typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edit {
    text: String,
    /// A byte where a character a person sees starts.
    at: usize,
}

/// Bytes that are typed or pasted at most: every key lays the whole text out.
const MOST: usize = 64 * 1024;

impl Edit {
    /// Whether no more can be typed.
    pub fn is_full(&self) -> bool {
        self.text.len() >= MOST
    }

    /// A text with the caret at its end.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { at: text.len(), text }
    }

    /// What was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What stands before the caret.
    pub fn before(&self) -> &str {
        &self.text[..self.at]
    }

    /// What stands after it.
    pub fn after(&self) -> &str {
        &self.text[self.at..]
    }

    /// Puts text in at the caret, as much of it as a person would type.
    pub fn insert(&mut self, text: &str) {
        let text = &text[..text.floor_char_boundary(MOST.saturating_sub(self.text.len()))];
        self.text.insert_str(self.at, text);
        self.at += text.len();
    }

    /// Whether the key meant something.
    pub fn key(&mut self, key: Key) -> bool {
        match (key.code, key.ctrl, key.alt) {
            (KeyCode::Char(c), false, false) => self.insert(c.encode_utf8(&mut [0; 4])),
            (KeyCode::Backspace, false, false) | (KeyCode::Char('h'), true, _) => {
                let start = self.left();
                self.text.replace_range(start..self.at, "");
                self.at = start;
            }
            (KeyCode::Delete, ..) | (KeyCode::Char('d'), true, _) => {
                let end = self.right();
                self.text.replace_range(self.at..end, "");
            }
            (KeyCode::Left, false, _) | (KeyCode::Char('b'), true, _) => self.at = self.left(),
            (KeyCode::Right, false, _) | (KeyCode::Char('f'), true, _) => self.at = self.right(),
            (KeyCode::Left, true, _) => self.at = self.word_left(),
            (KeyCode::Right, true, _) => self.at = self.word_right(),
            (KeyCode::Home, ..) | (KeyCode::Char('a'), true, _) => self.at = 0,
            (KeyCode::End, ..) | (KeyCode::Char('e'), true, _) => self.at = self.text.len(),
            (KeyCode::Char('w'), true, _) | (KeyCode::Backspace, _, true) => {
                let start = self.word_left();
                self.text.replace_range(start..self.at, "");
                self.at = start;
            }
            (KeyCode::Char('u'), true, _) => {
                self.text.replace_range(..self.at, "");
                self.at = 0;
            }
            (KeyCode::Char('k'), true, _) => self.text.truncate(self.at),
            _ => return false,
        }
        true
    }

    fn left(&self) -> usize {
        self.before().grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    fn right(&self) -> usize {
        self.at + self.after().graphemes(true).next().map_or(0, str::len)
    }

    fn word_left(&self) -> usize {
        self.before().trim_end().unicode_word_indices().next_back().map_or(0, |(at, _)| at)
    }

    fn word_right(&self) -> usize {
        let end = |(at, word): (usize, &str)| self.at + at + word.len();
        self.after().unicode_word_indices().next().map_or(self.text.len(), end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_edit_what_a_person_sees_as_one_character() {
        let table: &[(&str, &[&str], &str)] = &[
            ("abc", &["backspace"], "ab|"),
            ("abc", &["left", "left", "del"], "a|c"),
            ("e\u{301}", &["backspace"], "|"),
            ("one two", &["ctrl-w"], "one |"),
            ("one two", &["ctrl-a", "ctrl-k"], "|"),
            ("one two", &["home", "ctrl-right", "X"], "oneX| two"),
            ("one two", &["ctrl-u"], "|"),
            ("", &["backspace", "del", "left", "right", "ctrl-w"], "|"),
        ];
        for (text, keys, want) in table {
            let mut edit = Edit::new(*text);
            for key in *keys {
                assert!(edit.key(Key::parse(key).unwrap_or_else(|| panic!("{key}"))), "{key}");
            }
            assert_eq!(format!("{}|{}", edit.before(), edit.after()), *want, "{text:?} {keys:?}");
        }
    }
}
