//! Marks inside a line of text: bold, lean, code. The marks go, what they mean stays as a tone.

use super::Tone;

/// A stretch of one line with its tone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span<'a> {
    /// Where it starts in the whole text.
    pub at: usize,
    pub text: &'a str,
    pub tone: Tone,
}

/// The spans of a line that starts at byte `at` of its text.
pub(super) fn spans(line: &str, at: usize, base: Tone) -> Vec<Span<'_>> {
    let mut spans = Vec::new();
    let mut plain = 0;
    let mut here = 0;
    let mut open = Unclosed::default();
    while let Some(mark) = line[here..].find(['`', '*', '_']).map(|found| here + found) {
        let Some((open, inner, close, tone)) = marked(line, mark, &mut open) else {
            // A run of the same character is one mark: `***` is not looked at three times.
            here = mark + line[mark..].bytes().take_while(|byte| *byte == line.as_bytes()[mark]).count();
            continue;
        };
        if plain < mark {
            spans.push(Span { at: at + plain, text: &line[plain..mark], tone: base });
        }
        let start = mark + open;
        spans.push(Span { at: at + start, text: &line[start..start + inner], tone });
        here = start + inner + close;
        plain = here;
    }
    if plain < line.len() || spans.is_empty() {
        spans.push(Span { at: at + plain, text: &line[plain..], tone: base });
    }
    spans
}

/// Marks that nothing closes in the rest of the line: what was looked for once in vain is not looked for again, so that
/// a line of nothing but opening marks costs no more than its length.
#[derive(Default)]
struct Unclosed(Vec<(u8, usize)>);

/// Lengths of the opening mark, what stands in it and the closing mark, when one starts at this byte.
fn marked(line: &str, at: usize, open: &mut Unclosed) -> Option<(usize, usize, usize, Tone)> {
    let bytes = line.as_bytes();
    let mark = bytes[at];
    let run = bytes[at..].iter().take_while(|byte| **byte == mark).count();
    let rest = &line[at + run..];
    let starts_word = at == 0 || !bytes[at - 1].is_ascii_alphanumeric();
    if rest.starts_with([' ', '\t']) && mark != b'`' || rest.is_empty() || mark == b'_' && !starts_word {
        return None;
    }
    let (close, tone) = match (mark, run) {
        (b'`', 1 | 2) => (&line[at..at + run], Tone::Code),
        (b'*' | b'_', 2) => (&line[at..at + 2], Tone::Strong),
        (b'*' | b'_', 1) => (&line[at..=at], Tone::Emphasis),
        _ => return None,
    };
    if open.0.contains(&(mark, run)) {
        return None;
    }
    let mut from = 0;
    while let Some(found) = rest[from..].find(close).map(|found| from + found) {
        let after = rest.as_bytes().get(found + run);
        let longer = after == Some(&mark);
        let inside = !rest[..found].ends_with(' ') || mark == b'`';
        let ends_word = mark != b'_' || !after.is_some_and(u8::is_ascii_alphanumeric);
        if found > 0 && !longer && inside && ends_word {
            return Some((run, found, run, tone));
        }
        from = found + run + usize::from(longer);
        if from >= rest.len() {
            break;
        }
    }
    open.0.push((mark, run));
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_tones_and_what_only_looks_like_a_mark_stays() {
        use Tone::{Code, Emphasis, Strong, Text};
        let table: &[(&str, &[(&str, Tone)])] = &[
            ("plain", &[("plain", Text)]),
            ("", &[("", Text)]),
            ("a `b c` d", &[("a ", Text), ("b c", Code), (" d", Text)]),
            ("**must** stay", &[("must", Strong), (" stay", Text)]),
            ("an *aside*.", &[("an ", Text), ("aside", Emphasis), (".", Text)]),
            ("snake_case_name", &[("snake_case_name", Text)]),
            ("2 * 3 * 4", &[("2 * 3 * 4", Text)]),
            ("`open", &[("`open", Text)]),
            ("***", &[("***", Text)]),
            ("**a*b**", &[("a*b", Strong)]),
            ("ü**é**ß", &[("ü", Text), ("é", Strong), ("ß", Text)]),
        ];
        for (line, want) in table {
            let got: Vec<_> = spans(line, 0, Text).iter().map(|span| (span.text, span.tone)).collect();
            assert_eq!(got, *want, "{line:?}");
        }
    }

    #[test]
    fn a_line_of_opening_marks_is_read_through_once() {
        // What a search for the end of each mark would take: the square of the length.
        for hostile in ["*a ", "**a ", "_a ", "`` ` ", "`a", "*a**b "] {
            let line = hostile.repeat(1_000_000 / hostile.len());
            let started = std::time::Instant::now();
            let count: usize = spans(&line, 0, Tone::Text).iter().map(|span| span.text.len()).sum();
            assert!(count <= line.len());
            assert!(started.elapsed() < std::time::Duration::from_secs(2), "{hostile:?}: {:?}", started.elapsed());
        }
    }

    #[test]
    fn spans_say_where_they_stand() {
        let got: Vec<_> = spans("a `b`", 10, Tone::Text).iter().map(|span| span.at).collect();
        assert_eq!(got, [10, 13]);
    }
}
