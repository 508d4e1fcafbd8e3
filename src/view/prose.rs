//! Text as agents and people write it: headings, lists, quotes, code, tables. What is not understood stays as it is.

use super::inline::{Span, spans};
use super::{Row, Run, Tone, table};
use crate::text::{Shown, cut, width, wrap};

/// Rows of a text within `cells`, each with the byte of the text at which it starts.
pub fn prose(text: &str, cells: usize, base: Tone, marked: Option<(usize, usize)>) -> Vec<(Row, u32)> {
    let mut page = Page { cells: cells.max(1), base, marked, rows: Vec::new() };
    let mut lines = Lines { text, at: 0 };
    while let Some((at, line)) = lines.next() {
        let trimmed = line.trim_start();
        if let Some(fence) = fence(trimmed) {
            page.code(&mut lines, fence, trimmed);
        } else if table::is_row(trimmed) {
            table::lay(&mut page, &mut lines, at, line);
        } else {
            page.line(at, line);
        }
    }
    page.rows
}

/// Plain text wrapped within `cells`, in one tone.
pub fn wrapped(text: &str, cells: usize, tone: Tone) -> Vec<Row> {
    let shown = Shown::lines(text);
    wrap(&shown, cells.max(1)).into_iter().map(|range| Row::of([Run::new(&shown.as_str()[range], tone)])).collect()
}

/// One line of text with its inline marks as tones, white space folded, cut to `cells`. A base of [`Tone::Struck`]
/// strikes everything through.
pub(super) fn one_line(text: &str, cells: usize, base: Tone) -> Vec<Run> {
    let folded = beginning(text, ONE_LINE).split_whitespace().collect::<Vec<_>>().join(" ");
    let spans: Vec<(Shown, Tone)> =
        spans(&folded, 0, base).iter().map(|span| (Shown::line(span.text), span.tone)).collect();
    let whole = spans.iter().map(|(text, _)| width(text)).sum::<usize>() <= cells;
    // The last cell is kept for the sign that something was left out.
    let mut room = if whole { cells } else { cells.saturating_sub(1) };
    let mut runs = Vec::new();
    for (text, tone) in spans {
        let tone = if base == Tone::Struck { base } else { tone };
        let fits = width(&text) <= room;
        let text = if fits { text } else { cut(&Shown::line(&format!("{}…", text.as_str())), (room + 1).min(cells)) };
        room = room.saturating_sub(width(&text));
        runs.push(Run { text, ..Run::new("", tone) });
        if !fits {
            break;
        }
    }
    runs
}

/// Bytes of a text that one line of the screen is made of at most.
pub(super) const ONE_LINE: usize = 4096;

/// The first bytes of a text.
pub(super) fn beginning(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// A text as its marks mean it, without them.
pub fn unmarked(text: &str) -> String {
    spans(text, 0, Tone::Text).iter().map(|span| span.text).collect()
}

/// Pieces of text with their tones as one paragraph within `cells`, its first row and the others set in by these.
pub(super) fn flowed(pieces: &[(&str, Tone)], cells: usize, first: &str, hang: &str) -> Vec<Row> {
    let mut page = Page { cells: cells.max(1), base: Tone::Text, marked: None, rows: Vec::new() };
    let folded: Vec<(String, Tone)> = pieces.iter().map(|(text, tone)| (text.replace('\n', " "), *tone)).collect();
    let spans: Vec<Span<'_>> = folded.iter().map(|(text, tone)| Span { at: 0, text, tone: *tone }).collect();
    page.flow(&spans, &[Run::text(first)], &[Run::text(hang)], 0);
    page.rows.into_iter().map(|(row, _)| row).collect()
}

/// The lines of a text that are still to be laid out.
pub(super) struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn peek(&self) -> Option<(usize, &'a str)> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let end = rest.find('\n').unwrap_or(rest.len());
        Some((self.at, rest[..end].strip_suffix('\r').unwrap_or(&rest[..end])))
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.peek()?;
        self.at += self.text[self.at..].find('\n').map_or(self.text.len() - self.at, |end| end + 1);
        Some(line)
    }
}

/// Rows that are being made.
pub(super) struct Page {
    pub cells: usize,
    pub base: Tone,
    pub marked: Option<(usize, usize)>,
    pub rows: Vec<(Row, u32)>,
}

impl Page {
    fn line(&mut self, at: usize, line: &str) {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let trimmed = &line[indent..];
        let start = at + indent;
        if trimmed.trim().is_empty() {
            self.rows.push((Row::blank(), at as u32));
        } else if let Some(title) = heading(trimmed) {
            let skipped = trimmed.len() - title.len();
            self.flow(&spans(title, start + skipped, Tone::Heading), &[], &[], at);
        } else if is_rule(trimmed) {
            self.rows.push((Row::default().fill('─').measure(self.cells.min(24)), at as u32));
        } else if let Some(quoted) = trimmed.strip_prefix('>') {
            let quoted = quoted.strip_prefix(' ').unwrap_or(quoted);
            let bar = [Run::dim("│ ")];
            self.flow(&spans(quoted, start + trimmed.len() - quoted.len(), Tone::Emphasis), &bar, &bar, at);
        } else if let Some((bullet, rest)) = bullet(trimmed) {
            let pad = " ".repeat(indent.min(self.cells / 3));
            let first = [Run::text(&pad), Run::dim(&bullet)];
            let hang = [Run::text(&" ".repeat(pad.len() + width(&Shown::line(&bullet))))];
            self.flow(&spans(rest, start + trimmed.len() - rest.len(), self.base), &first, &hang, at);
        } else {
            let pad = [Run::text(&" ".repeat(indent.min(self.cells / 3)))];
            let pad: &[Run] = if indent == 0 { &[] } else { &pad };
            self.flow(&spans(trimmed, start, self.base), pad, pad, at);
        }
    }

    fn code(&mut self, lines: &mut Lines<'_>, fence: &str, opening: &str) {
        let language = language(opening[fence.len()..].trim());
        for (at, line) in lines.by_ref() {
            let closing = line.trim();
            if closing.starts_with(fence) && closing.trim_start_matches(fence.as_bytes()[0] as char).is_empty() {
                return;
            }
            let span = Span { at, text: line, tone: Tone::Code };
            self.flow_in(&[span], &[Run::text("  ")], &[Run::text("  ")], at, language);
        }
    }

    pub(super) fn flow(&mut self, spans: &[Span<'_>], first: &[Run], hang: &[Run], at: usize) {
        self.flow_in(spans, first, hang, at, None);
    }

    /// Wraps spans as one paragraph, with something before its first row and something before each other.
    fn flow_in(&mut self, spans: &[Span<'_>], first: &[Run], hang: &[Run], at: usize, language: Option<&'static str>) {
        let spans = cut_at_marks(spans, self.marked);
        let mut text = String::new();
        let mut bounds = Vec::new();
        for span in &spans {
            let start = text.len();
            text.push_str(Shown::line(span.text).as_str());
            bounds.push(start..text.len());
        }
        let shown = Shown::line(&text);
        // Where joining changed something (a mark that combines across a border), tones are not worth a wrong cut.
        let exact = shown.as_str() == text;
        let width_of = |runs: &[Run]| runs.iter().map(Run::width).sum::<usize>();
        let before = width_of(first).max(width_of(hang));
        // Rows and spans follow each other: the span in which a row starts is never behind the one of the row before.
        let mut current = 0;
        for (row, line) in wrap(&shown, self.cells.saturating_sub(before).max(1)).into_iter().enumerate() {
            let mut runs = if row == 0 { first.to_vec() } else { hang.to_vec() };
            let mut starts_at = at;
            if exact {
                while bounds.get(current + 1).is_some_and(|next| next.start <= line.start) {
                    current += 1;
                }
                if let (Some(span), Some(bound)) = (spans.get(current), bounds.get(current)) {
                    let whole = bound.len() == span.text.len();
                    starts_at = span.at + if whole { line.start - bound.start } else { 0 };
                }
                let inside = spans.iter().zip(&bounds).skip(current).take_while(|(_, bound)| bound.start < line.end);
                for (span, bound) in inside {
                    let (from, to) = (bound.start.max(line.start), bound.end.min(line.end));
                    if from < to {
                        runs.push(Run { language, ..Run::new(&text[from..to], span.tone) });
                    }
                }
            } else {
                runs.push(Run { language, ..Run::new(&shown.as_str()[line], self.base) });
            }
            if row == 0 {
                starts_at = at;
            }
            self.rows.push((Row::of(runs), starts_at as u32));
        }
    }
}

/// Spans cut where the marked words begin and end, so that these have a tone of their own.
fn cut_at_marks<'a>(spans: &[Span<'a>], marked: Option<(usize, usize)>) -> Vec<Span<'a>> {
    let Some((from, to)) = marked else { return spans.to_vec() };
    let mut cut = Vec::new();
    for span in spans {
        let end = span.at + span.text.len();
        let inside = |at: usize| {
            let mut at = at.clamp(span.at, end) - span.at;
            while !span.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (a, b) = (inside(from), inside(to));
        let parts = [(0, a, span.tone), (a, b, Tone::Marked), (b, span.text.len(), span.tone)];
        cut.extend(parts.into_iter().filter(|(a, b, _)| a < b).map(|(a, b, tone)| Span {
            at: span.at + a,
            text: &span.text[a..b],
            tone,
        }));
    }
    cut
}

fn heading(line: &str) -> Option<&str> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    (1..=6).contains(&level).then_some(title)?.strip_prefix(' ').map(str::trim_start)
}

fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && ["-", "*", "_", "="].iter().any(|mark| line.trim_start_matches(mark).is_empty())
}

fn fence(line: &str) -> Option<&str> {
    let mark = line.as_bytes().first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let run = line.bytes().take_while(|byte| byte == mark).count();
    (run >= 3 && !line[run..].contains('`')).then(|| &line[..run])
}

fn bullet(line: &str) -> Option<(String, &str)> {
    for mark in ["- ", "* ", "+ ", "• "] {
        if let Some(rest) = line.strip_prefix(mark) {
            let done = [("[ ] ", "☐ "), ("[x] ", "☑ "), ("[X] ", "☑ ")];
            return Some(match done.iter().find_map(|(mark, sign)| Some((*sign, rest.strip_prefix(mark)?))) {
                Some((sign, rest)) => (sign.to_owned(), rest),
                None => ("• ".to_owned(), rest),
            });
        }
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line[digits..].strip_prefix(". ").or_else(|| line[digits..].strip_prefix(") "))?;
    (1..=3).contains(&digits).then(|| (line[..digits + 2].to_owned(), rest))
}

/// The highlighter's name of the language that a fence names.
fn language(info: &str) -> Option<&'static str> {
    const NAMES: &[(&str, &str)] = &[
        ("bash", "bash"),
        ("c", "c"),
        ("cpp", "cpp"),
        ("css", "css"),
        ("diff", "diff"),
        ("go", "go"),
        ("html", "html"),
        ("java", "java"),
        ("javascript", "js"),
        ("js", "js"),
        ("json", "json"),
        ("jsx", "js"),
        ("markdown", "md"),
        ("md", "md"),
        ("php", "php"),
        ("py", "py"),
        ("python", "py"),
        ("rb", "rb"),
        ("rs", "rs"),
        ("ruby", "rb"),
        ("rust", "rs"),
        ("sh", "sh"),
        ("shell", "sh"),
        ("sql", "sql"),
        ("toml", "toml"),
        ("ts", "js"),
        ("tsx", "js"),
        ("typescript", "js"),
        ("xml", "xml"),
        ("yaml", "yaml"),
        ("yml", "yaml"),
        ("zsh", "sh"),
    ];
    let word = info.split([' ', '{', ',', ':']).next()?.to_ascii_lowercase();
    NAMES.iter().find(|(name, _)| *name == word).map(|(_, language)| *language)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str, cells: usize) -> String {
        prose(text, cells, Tone::Text, None).iter().map(|(row, _)| row.plain()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn text_is_laid_out_as_it_is_meant() {
        let table = [
            ("# Title\n\nBody **x**", 20, "Title\n\nBody x"),
            ("- one two three\n- four", 10, "• one two\n  three\n• four"),
            ("1. first\n10. tenth", 20, "1. first\n10. tenth"),
            ("> a quote that is long", 12, "│ a quote\n│ that is\n│ long"),
            ("```rust\nfn a() {}\n```\nafter", 20, "  fn a() {}\nafter"),
            ("```\nnever closed", 20, "  never closed"),
            ("| a | bb |\n|---|---|\n| ccc | d |", 20, "a    bb\n\nccc  d"),
            ("| aaaa | bbbb |\n| cccc | dddd |", 7, "aaaa\n  bbbb\ncccc\n  dddd"),
            ("| name | what it does |\n|---|---|\n| a | b |", 16, "name  what it\n      does\n\na     b"),
            ("| | |\n|---|---|\n| ccc | d |", 20, "ccc  d"),
            ("", 10, ""),
            ("- [x] done\n- [ ] not", 20, "☑ done\n☐ not"),
        ];
        for (text, cells, want) in table {
            assert_eq!(page(text, cells), want, "{text:?}");
        }
    }

    #[test]
    fn rows_say_where_they_start_and_marked_words_are_marked() {
        let rows = prose("keep it\nuntil **Friday** noon", 12, Tone::Text, Some((14, 22)));
        let starts: Vec<_> = rows.iter().map(|(_, at)| *at).collect();
        assert_eq!(starts, [0, 8, 25]);
        let marked: Vec<_> =
            rows.iter().flat_map(|(row, _)| &row.runs).filter(|run| run.tone == Tone::Marked).collect();
        assert_eq!(marked.iter().map(|run| run.text.as_str()).collect::<Vec<_>>(), ["Friday"]);
    }

    #[test]
    fn a_line_is_cut_across_its_marks() {
        let table = [
            ("**Key**: use `x`", 20, "Key: use x"),
            ("**Key**: use `x`", 10, "Key: use x"),
            ("**Key**: use `x`", 9, "Key: use…"),
            ("**Key**: use `x`", 4, "Key…"),
            ("**Key**: use `x`", 1, "…"),
            ("**Key**: use `x`", 0, ""),
        ];
        for (text, cells, want) in table {
            let got: String = one_line(text, cells, Tone::Text).iter().map(|run| run.text.as_str()).collect();
            assert_eq!(got, want, "{cells}");
        }
    }

    #[test]
    fn a_fence_names_its_language() {
        let rows = prose("```python title=x\nprint(1)\n```", 40, Tone::Text, None);
        assert_eq!(rows[0].0.runs[1].language, Some("py"));
    }
}
