//! Spans that a text quotes.

use std::ops::Range;

/// Byte ranges of what stands between quotation marks ("…", “…”, «…», „…“), the marks left out; none crosses a line
/// end, and none is empty. A straight mark opens only after white space or an opening bracket, so that `5" disk` and
/// code do not turn a text inside out.
pub fn quotes(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(usize, char)> = None;
    let mut before = '\n';
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match open {
            Some(_) if c == '\n' => open = None,
            Some((start, close)) if c == close || (close == '”' && c == '“') => {
                let after = chars.peek().map_or('\n', |(_, c)| *c);
                if c != '"' || !after.is_alphanumeric() {
                    if at > start {
                        found.push(start..at);
                    }
                    open = None;
                }
            }
            Some(_) => {}
            None => {
                let close = match c {
                    '"' if before.is_whitespace() || "([{-—:=*>".contains(before) => Some('"'),
                    '“' | '„' => Some('”'),
                    '«' => Some('»'),
                    _ => None,
                };
                open = close.map(|close| (at + c.len_utf8(), close));
            }
        }
        before = c;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_spans_are_found_without_their_marks() {
        for (text, want) in [
            ("said \"one by one is slow\" twice", vec!["one by one is slow"]),
            ("“curly” and «angled» and „low“", vec!["curly", "angled", "low"]),
            ("a 5\" disk and \"open", vec![]),
            ("\"across\nlines\"", vec![]),
            ("x = \"\"", vec![]),
        ] {
            assert_eq!(quotes(text).into_iter().map(|range| &text[range]).collect::<Vec<_>>(), want, "{text}");
        }
    }
}
