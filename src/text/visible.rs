//! What becomes of each character of a foreign text, so that it neither acts nor hides. Only `sanitize` uses this.

use std::fmt::Write;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

/// What becomes of a line's end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnds {
    Kept,
    Marked,
}

/// Marks that one character a person sees may carry; what is more is counted.
const MARKS: usize = 8;
/// Bytes that one character a person sees may have; a heap of joined characters is counted from there on.
const CLUSTER: usize = 64;
/// What a mark without a letter sits on.
pub(super) const CIRCLE: char = '\u{25cc}';
/// A tab is this many cells, wherever it stands.
const TAB: &str = "    ";

/// The text with everything made visible that would act or hide.
pub(super) fn show(text: &str, ends: LineEnds) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        let plain = plain_prefix(rest.as_bytes());
        if plain == rest.len() {
            out.push_str(rest);
            return out;
        }
        let byte = rest.as_bytes()[plain];
        if byte.is_ascii() {
            out.push_str(&rest[..plain]);
            rest = control(byte, &rest[plain + 1..], ends, &mut out);
        } else {
            // The letter before may carry marks that come now; it belongs to the foreign stretch.
            let start = plain.saturating_sub(1);
            out.push_str(&rest[..start]);
            let len = foreign_stretch(&rest.as_bytes()[start..]);
            stretch(&rest[start..start + len], &mut out);
            rest = &rest[start + len..];
        }
    }
}

/// How many bytes from the start are printable ASCII.
fn plain_prefix(bytes: &[u8]) -> usize {
    let is_plain = |b: u8| b.wrapping_sub(0x20) < 0x5f;
    let mut at = 0;
    // Whole blocks without a branch for each byte: this is what nearly all text goes through.
    for block in bytes.chunks_exact(64) {
        if !block.iter().fold(true, |all, b| all & is_plain(*b)) {
            break;
        }
        at += 64;
    }
    at + bytes[at..].iter().take_while(|b| is_plain(**b)).count()
}

/// Writes an ASCII control character and gives what follows it.
fn control<'t>(byte: u8, rest: &'t str, ends: LineEnds, out: &mut String) -> &'t str {
    match byte {
        b'\n' => out.push(if ends == LineEnds::Kept { '\n' } else { '⏎' }),
        b'\t' => out.push_str(TAB),
        b'\r' if rest.starts_with('\n') => {}
        _ => {
            out.push('^');
            out.push(char::from(byte ^ 0x40));
        }
    }
    rest
}

/// The length of the stretch that holds other characters than ASCII: up to a control character or to two plain
/// ones in a row, so that no character a person sees crosses its end.
fn foreign_stretch(bytes: &[u8]) -> usize {
    let is_control = |b: u8| b < 0x20 || b == 0x7f;
    let mut previous_is_plain = false;
    for (at, byte) in bytes.iter().enumerate() {
        if is_control(*byte) {
            return at;
        }
        if byte.is_ascii() && previous_is_plain {
            return at - 1;
        }
        // The first byte is the letter that marks may sit on, so it ends nothing.
        previous_is_plain = byte.is_ascii() && at > 0;
    }
    bytes.len()
}

fn stretch(text: &str, out: &mut String) {
    let mut clusters = text.graphemes(true).peekable();
    while let Some(cluster) = clusters.next() {
        let mut chars = cluster.chars();
        let first = chars.next().unwrap_or_default();
        if chars.as_str().is_empty() && is_hidden(first) {
            let mut count = 1;
            let same = |next: &&str| {
                if is_tag(first) { next.chars().all(is_tag) } else { *next == cluster }
            };
            while let Some(next) = clusters.next_if(same) {
                count += next.chars().count();
            }
            hidden(first, count, out);
        } else {
            one_cluster(cluster, out);
        }
    }
}

/// Writes one character a person sees, with what hides in it made visible.
fn one_cluster(cluster: &str, out: &mut String) {
    let start = out.len();
    let mut chars = cluster.chars().peekable();
    let mut previous = None;
    let mut marks = 0;
    let mut selected = false;
    let mut left_out = 0;
    while let Some(c) = chars.next() {
        let joins = c == '\u{200d}'
            && previous.is_some_and(|p| is_pictograph(p) || is_selector(p))
            && chars.peek().is_some_and(|next| is_pictograph(*next));
        let is_idle = is_selector(c) && (selected || previous.is_none());
        if (is_hidden(c) && !joins) || is_idle {
            let mut count = 1;
            while chars.next_if(|next| *next == c || (is_tag(c) && is_tag(*next))).is_some() {
                count += 1;
            }
            hidden(c, count, out);
            previous = None;
            continue;
        }
        let is_mark = c.width() == Some(0) && !joins && !is_selector(c);
        if out.len() - start + c.len_utf8() > CLUSTER || (is_mark && marks == MARKS) {
            left_out += 1;
            continue;
        }
        if is_mark && previous.is_none() {
            if !sits_on_a_circle(c) {
                hidden(c, 1, out);
                continue;
            }
            out.push(CIRCLE);
        }
        marks += usize::from(is_mark);
        // A joined picture may be selected anew.
        selected = !joins && (selected || is_selector(c)) && !is_pictograph(c);
        out.push(c);
        previous = Some(c);
    }
    if left_out > 0 {
        // Writing to a string cannot fail.
        let _ = write!(out, "<+{left_out} marks>");
    }
}

/// Whether a mark without a letter can be shown on a circle. A vowel of a syllable that never began cannot.
fn sits_on_a_circle(mark: char) -> bool {
    String::from_iter([CIRCLE, mark]).graphemes(true).count() == 1
}

fn hidden(c: char, count: usize, out: &mut String) {
    let code = u32::from(c);
    // Writing to a string cannot fail.
    let _ = match (is_tag(c), count) {
        (true, 1) => write!(out, "<1 tag character>"),
        (true, _) => write!(out, "<{count} tag characters>"),
        (false, 1) => write!(out, "<U+{code:04X}>"),
        (false, _) => write!(out, "<U+{code:04X} ×{count}>"),
    };
}

/// The alphabet that no font shows: hidden instructions are written in it.
fn is_tag(c: char) -> bool {
    ('\u{e0000}'..='\u{e007f}').contains(&c)
}

fn is_selector(c: char) -> bool {
    ('\u{fe00}'..='\u{fe0f}').contains(&c)
}

/// Characters that a terminal draws as nothing, acts on, or draws as it pleases. Variation selectors and marks are
/// counted elsewhere.
fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
        | '\u{f0000}'..)
        || u32::from(c) & 0xfffe == 0xfffe
}

/// Pictures that may be joined into one, and the skin tones that may stand between.
fn is_pictograph(c: char) -> bool {
    matches!(c,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{21ff}'
        | '\u{2300}'..='\u{23ff}' | '\u{24c2}' | '\u{25a0}'..='\u{27bf}' | '\u{2900}'..='\u{297f}'
        | '\u{2b00}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}
