//! The only door for foreign text to a screen, a file or a prompt. What each character becomes stands in `visible`.

use std::fmt;
use std::ops::Range;

use unicode_width::UnicodeWidthChar;

use super::visible::{CIRCLE, LineEnds, show};

/// Text in which nothing can act on a terminal or hide from a reader. There is no other way to make one.
///
/// Making one of a shown text again changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shown(String);

impl Shown {
    /// One line: line ends become `⏎`.
    pub fn line(text: &str) -> Self {
        Self(show(text, LineEnds::Marked))
    }

    /// Several lines: `\n` stays and is the only control character left.
    pub fn lines(text: &str) -> Self {
        Self(show(text, LineEnds::Kept))
    }

    /// The text as it may be written anywhere.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text as it may be written anywhere, to keep.
    pub fn into_string(self) -> String {
        self.0
    }

    /// Whether there is nothing to see.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A part of the text. Bounds outside it or inside a character move down to where a character starts.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> Self {
        let end = self.0.floor_char_boundary(range.end);
        let start = self.0.floor_char_boundary(range.start).min(end);
        let part = &self.0[start..end];
        // A mark that lost its letter would sit on whatever is drawn before this part.
        let lost = part.chars().next().is_some_and(|c| c.width() == Some(0) && c != '\n');
        Self(if lost { format!("{CIRCLE}{part}") } else { part.to_owned() })
    }

    /// For this room's functions, which only leave out or add what is safe.
    pub(super) fn trusted(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Shown;

    #[test]
    fn what_acts_or_hides_becomes_visible_and_the_rest_stays() {
        let table = [
            ("plain, ünïcode, 日本語, עברית", "plain, ünïcode, 日本語, עברית"),
            ("red \u{1b}[31mtext", "red ^[[31mtext"),
            ("\u{1b}]0;title\u{7}rest", "^[]0;title^Grest"),
            ("\u{1b}Pq never closed", "^[Pq never closed"),
            ("nul\0 bs\u{8} del\u{7f}", "nul^@ bs^H del^?"),
            ("csi as C1 \u{9b}31m, nel \u{85}", "csi as C1 <U+009B>31m, nel <U+0085>"),
            ("over\rprint", "over^Mprint"),
            ("dos\r\nunix\n", "dos⏎unix⏎"),
            ("a\tb", "a    b"),
            ("two\u{2028}lines", "two<U+2028>lines"),
            ("rtl \u{202e}evil\u{2066}x\u{200f}", "rtl <U+202E>evil<U+2066>x<U+200F>"),
            ("zero\u{200b}width\u{feff}", "zero<U+200B>width<U+FEFF>"),
            ("a\u{200d}b, soft\u{ad}hyphen", "a<U+200D>b, soft<U+00AD>hyphen"),
            ("\u{200b}\u{200b}\u{200b}\u{200b}\u{200b}", "<U+200B ×5>"),
            ("hi\u{e0069}\u{e0067}\u{e006e}!", "hi<3 tag characters>!"),
            ("filler \u{3164}|\u{115f}|\u{1160}|\u{ffa0}", "filler <U+3164>|<U+115F>|<U+1160>|<U+FFA0>"),
            ("a syllable that never began \u{1161}", "a syllable that never began <U+1161>"),
            ("private \u{e0b0}, no character \u{fffe}", "private <U+E0B0>, no character <U+FFFE>"),
            ("family 👩\u{200d}👩\u{200d}👧 stays", "family 👩\u{200d}👩\u{200d}👧 stays"),
            (
                "flag 🏳\u{fe0f}\u{200d}🌈, heart ❤\u{fe0f}, 1\u{fe0f}\u{20e3}",
                "flag 🏳\u{fe0f}\u{200d}🌈, heart ❤\u{fe0f}, 1\u{fe0f}\u{20e3}",
            ),
            ("two selectors ❤\u{fe0f}\u{fe0f}", "two selectors ❤\u{fe0f}<U+FE0F>"),
            ("many ❤\u{fe0f}\u{fe0e}\u{fe0e}\u{fe0e}", "many ❤\u{fe0f}<U+FE0E ×3>"),
            ("e\u{301} is é", "e\u{301} is é"),
            ("\u{301}leads", "\u{25cc}\u{301}leads"),
            ("\n\u{301}leads", "⏎\u{25cc}\u{301}leads"),
            ("हिन्दी ไทย 한글", "हिन्दी ไทย 한글"),
            ("", ""),
        ];
        for (text, expected) in table {
            assert_eq!(Shown::line(text).as_str(), expected, "{text:?}");
        }
    }

    #[test]
    fn several_lines_keep_their_ends_and_a_mark_never_leads_one() {
        assert_eq!(Shown::lines("a\r\nb\n\u{301}c\r").as_str(), "a\nb\n\u{25cc}\u{301}c^M");
    }

    #[test]
    fn a_heap_of_marks_is_cut_at_eight_and_counted() {
        let marks = "\u{301}".repeat(40);
        assert_eq!(Shown::line(&format!("z{marks}algo")).as_str(), format!("z{}<+32 marks>algo", "\u{301}".repeat(8)));
        let chain = "क".to_owned() + &"ा".repeat(1000);
        assert!(Shown::line(&chain).as_str().len() < 100, "a cluster has a limit in bytes too");
        let jamo = "\u{1100}".repeat(1000);
        assert!(Shown::line(&jamo).as_str().len() < 100);
    }

    #[test]
    fn a_slice_moves_to_characters_and_stays_safe() {
        let text = Shown::line("aé日e\u{301}");
        let table =
            [(0..2, "a"), (1..3, "é"), (0..100, "aé日e\u{301}"), (7..9, "\u{25cc}\u{301}"), (200..300, ""), (3..5, "")];
        for (range, expected) in table {
            assert_eq!(text.slice(range.clone()).as_str(), expected, "{range:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn showing_twice_changes_nothing_and_no_control_passes(
            chars in proptest::collection::vec(proptest::prop_oneof![
                proptest::char::any(),
                proptest::char::range('\0', '\u{ff}'),
                proptest::char::range('\u{300}', '\u{303}'),
                proptest::char::range('\u{200a}', '\u{202f}'),
                proptest::char::range('\u{fe0d}', '\u{fe10}'),
                proptest::char::range('\u{1f3f3}', '\u{1f469}'),
                proptest::char::range('\u{1100}', '\u{11ff}'),
            ], 0..40),
        ) {
            let text: String = chars.into_iter().collect();
            let line = Shown::line(&text);
            proptest::prop_assert!(!line.as_str().chars().any(char::is_control), "{line:?}");
            let again = Shown::line(line.as_str());
            proptest::prop_assert_eq!(&again, &line);
            let lines = Shown::lines(&text);
            proptest::prop_assert!(!lines.as_str().chars().any(|c| c.is_control() && c != '\n'));
            let again = Shown::lines(lines.as_str());
            proptest::prop_assert_eq!(&again, &lines);
        }
    }
}
