//! What kind of text stands where: prose, inline code, a fence, a quoted line, a log, a diff, a table, what a harness or
//! a paste put in. Most errors of extraction come from reading code as prose. One pass over the lines.

use std::ops::Range;

use foldhash::HashMap;

/// The kind of a stretch of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Zone {
    /// What is told; bullets and headings too.
    Prose,
    /// Between back ticks, the ticks included.
    InlineCode,
    /// Between ``` or ~~~ lines, those included.
    Fence,
    /// A line that begins with `>`.
    Quote,
    /// Three or more lines in a row as programs write them: with a time, a level, a place in a stack.
    Log,
    /// Changes to lines, as a version control prints them.
    Diff,
    /// Lines between `|`.
    Table,
    /// From `<some-tag>` to `</some-tag>`: what a harness, a hook or a paste put into somebody's words.
    Aside,
}

/// A text cut into zones, without gaps.
#[derive(Clone, Debug, Default)]
pub struct Zones(Vec<(Range<usize>, Zone)>);

/// What a line belongs to beyond itself.
enum Inside<'a> {
    Nothing,
    Fence(u8, usize),
    Diff,
    /// Until this tag is closed.
    Aside(&'a str),
}

impl Zones {
    /// The zones of a text. An open fence goes on to the end; an open back tick or tag is prose.
    pub fn of(text: &str) -> Self {
        let mut zones = Self::default();
        let closed = last_closings(text);
        let mut inside = Inside::Nothing;
        // Lines in a row that look like a log, not yet told: how many, and where they begin.
        let mut log = (0_usize, 0..0);
        let mut at = 0;
        let mut lines = text.split_inclusive('\n').peekable();
        while let Some(line) = lines.next() {
            let range = at..at + line.len();
            at = range.end;
            if matches!(inside, Inside::Nothing) && is_logged(line) {
                log = if log.0 == 0 { (1, range) } else { (log.0 + 1, log.1.start..range.end) };
                continue;
            }
            zones.flush(text, &mut log);
            let trimmed = line.trim_start();
            match inside {
                Inside::Fence(kind, len) => {
                    zones.push(range, Zone::Fence);
                    if fence_mark(trimmed)
                        .is_some_and(|(other, longer)| kind == other && longer >= len && bare(line, kind))
                    {
                        inside = Inside::Nothing;
                    }
                }
                Inside::Aside(tag) => inside = zones.aside(line, range, tag),
                Inside::Diff if is_changed(line) => zones.push(range, Zone::Diff),
                Inside::Diff | Inside::Nothing => {
                    inside = Inside::Nothing;
                    if let Some((kind, len)) = fence_mark(trimmed) {
                        inside = Inside::Fence(kind, len);
                        zones.push(range, Zone::Fence);
                    } else if let Some(tag) =
                        opened(trimmed).filter(|tag| closed.get(tag).is_some_and(|last| *last > range.start))
                    {
                        inside = zones.aside(line, range, tag);
                    } else if opens_diff(line, lines.peek().copied()) {
                        inside = Inside::Diff;
                        zones.push(range, Zone::Diff);
                    } else if trimmed.starts_with('>') {
                        zones.push(range, Zone::Quote);
                    } else {
                        zones.line(line, range.start);
                    }
                }
            }
        }
        zones.flush(text, &mut log);
        zones
    }

    /// The zone at this byte; prose beyond the end.
    pub fn at(&self, byte: usize) -> Zone {
        let found = self.0.partition_point(|(range, _)| range.end <= byte);
        self.0.get(found).map_or(Zone::Prose, |(_, zone)| *zone)
    }

    /// Whether all of this is of one kind.
    pub fn holds(&self, range: &Range<usize>, kind: Zone) -> bool {
        let found = self.0.partition_point(|(held, _)| held.end <= range.start);
        self.0
            .get(found)
            .is_some_and(|(held, zone)| *zone == kind && held.start <= range.start && range.end <= held.end)
    }

    /// Every stretch with its kind, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Range<usize>, Zone)> + '_ {
        self.0.iter().cloned()
    }

    /// The stretches of one kind, in order.
    pub fn of_kind(&self, wanted: Zone) -> impl Iterator<Item = Range<usize>> + '_ {
        self.0.iter().filter(move |(_, zone)| *zone == wanted).map(|(range, _)| range.clone())
    }

    /// A line of prose or of a table, and the code in it.
    fn line(&mut self, line: &str, start: usize) {
        let around = if is_row(line) { Zone::Table } else { Zone::Prose };
        let mut from = 0;
        while let Some(open) = line[from..].find('`').map(|at| from + at) {
            let ticks = line[open..].bytes().take_while(|b| *b == b'`').count();
            let Some(close) = line[open + ticks..].find(&line[open..open + ticks]).map(|at| open + ticks + at) else {
                break;
            };
            self.push(start + from..start + open, around);
            self.push(start + open..start + close + ticks, Zone::InlineCode);
            from = close + ticks;
        }
        self.push(start + from..start + line.len(), around);
    }

    /// A line inside a tag, and whether the tag goes on behind it.
    fn aside<'a>(&mut self, line: &str, range: Range<usize>, tag: &'a str) -> Inside<'a> {
        let mut from = 0;
        while let Some(close) = line[from..].find("</").map(|at| from + at + 2) {
            if line[close..].strip_prefix(tag).is_some_and(|rest| rest.starts_with('>')) {
                let end = close + tag.len() + 1;
                self.push(range.start..range.start + end, Zone::Aside);
                let rest = &line[end..];
                if rest.trim().is_empty() {
                    self.push(range.start + end..range.end, Zone::Aside);
                } else {
                    self.line(rest, range.start + end);
                }
                return Inside::Nothing;
            }
            from = close;
        }
        self.push(range, Zone::Aside);
        Inside::Aside(tag)
    }

    /// Tells the lines that looked like a log: three or more are one.
    fn flush(&mut self, text: &str, log: &mut (usize, Range<usize>)) {
        let (count, range) = std::mem::replace(log, (0, 0..0));
        match count {
            0 => {}
            1 | 2 => {
                let mut at = range.start;
                for line in text[range].split_inclusive('\n') {
                    self.line(line, at);
                    at += line.len();
                }
            }
            _ => self.push(range, Zone::Log),
        }
    }

    fn push(&mut self, range: Range<usize>, zone: Zone) {
        if range.is_empty() {
            return;
        }
        match self.0.last_mut() {
            Some((last, same)) if *same == zone && zone != Zone::InlineCode => last.end = range.end,
            Some(_) | None => self.0.push((range, zone)),
        }
    }
}

/// The character and length of the mark that opens or closes a fence on this line.
fn fence_mark(line: &str) -> Option<(u8, usize)> {
    let kind = *line.as_bytes().first().filter(|b| matches!(b, b'`' | b'~'))?;
    let len = line.bytes().take_while(|b| *b == kind).count();
    (len >= 3 && !(kind == b'`' && line[len..].contains('`'))).then_some((kind, len))
}

fn bare(line: &str, kind: u8) -> bool {
    line.trim().bytes().all(|b| b == kind)
}

/// Where each tag is closed for the last time, so that one which is never closed hides nothing.
fn last_closings(text: &str) -> HashMap<&str, usize> {
    let found = memchr::memmem::find_iter(text.as_bytes(), b"</");
    found.filter_map(|at| tag(&text[at + 2..]).map(|tag| (tag, at))).collect()
}

/// The tag that a line opens with, if it is one that programs put around what they add.
fn opened(line: &str) -> Option<&str> {
    let name = tag(line.strip_prefix('<')?)?;
    let ends = line[1 + name.len()..].starts_with(['>', ' ']);
    (ends && (name.contains(['-', '_']) || ADDED.contains(&name))).then_some(name)
}

/// Tags of one word that programs put around what they add.
const ADDED: &[&str] =
    &["stdout", "stderr", "output", "document", "documents", "file", "files", "attachment", "paste", "context"];

fn tag(text: &str) -> Option<&str> {
    let len = text
        .bytes()
        .take(64)
        .take_while(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_'))
        .count();
    (len > 1 && text.as_bytes()[0].is_ascii_lowercase()).then(|| &text[..len])
}

/// A row of a table: it begins with `|` and has another one.
fn is_row(line: &str) -> bool {
    let line = line.trim();
    line.len() > 1 && line.starts_with('|') && line[1..].contains('|')
}

fn opens_diff(line: &str, next: Option<&str>) -> bool {
    line.starts_with("diff --git ")
        || line.starts_with("@@ -")
        || (line.starts_with("--- ") && next.is_some_and(|next| next.starts_with("+++ ")))
}

fn is_changed(line: &str) -> bool {
    line.starts_with([' ', '+', '-', '@', '\\', '\t']) || line.starts_with("diff ") || line.starts_with("index ")
}

/// As programs write lines: a time or a level at the start, a place in a stack.
pub(super) fn is_logged(line: &str) -> bool {
    let line = line.trim_start();
    let start = line.strip_prefix(['[', '(']).unwrap_or(line);
    let bytes = start.as_bytes();
    match bytes.first() {
        Some(b'0'..=b'9') => is_time(bytes),
        Some(b'a') => {
            line.strip_prefix("at ").is_some_and(|place| place.trim_end().ends_with([')', '>']) || is_place(place))
        }
        Some(b'F') => line.starts_with("File \"") && line.contains(", line ") || is_level(start),
        Some(b'A'..=b'Z') => is_level(start),
        Some(_) | None => false,
    }
}

/// `at src/main.js:12:3`
fn is_place(place: &str) -> bool {
    let place = place.trim();
    !place.contains(' ') && place.contains(':') && place.ends_with(|c: char| c.is_ascii_digit())
}

/// `2026-03-02T09:14`, `2026/03/02 09:14`, `09:14:07`
fn is_time(bytes: &[u8]) -> bool {
    let like = |shape: &[u8]| {
        bytes.len() >= shape.len()
            && shape.iter().zip(bytes).all(|(want, byte)| match want {
                b'9' => byte.is_ascii_digit(),
                b'-' => matches!(byte, b'-' | b'/'),
                b' ' => matches!(byte, b' ' | b'T'),
                other => byte == other,
            })
    };
    like(b"9999-99-99 99:99") || like(b"99:99:99")
}

fn is_level(start: &str) -> bool {
    const LEVELS: &[&str] = &["TRACE", "DEBUG", "INFO", "WARN", "WARNING", "ERROR", "FATAL", "CRITICAL", "NOTICE"];
    let word = start.split(|c: char| !c.is_ascii_uppercase()).next().unwrap_or_default();
    LEVELS.contains(&word) && !start[word.len()..].starts_with(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_told_from_prose() {
        let text = "use `x` now\n> quoted\n```go\nfmt.Println(`a`)\n```\nend `open\n";
        let zones: Vec<_> = Zones::of(text).0.into_iter().map(|(range, zone)| (&text[range], zone)).collect();
        assert_eq!(
            zones,
            [
                ("use ", Zone::Prose),
                ("`x`", Zone::InlineCode),
                (" now\n", Zone::Prose),
                ("> quoted\n", Zone::Quote),
                ("```go\nfmt.Println(`a`)\n```\n", Zone::Fence),
                ("end `open\n", Zone::Prose),
            ]
        );
    }

    #[test]
    fn a_fence_that_is_never_closed_goes_on_to_the_end() {
        let zones = Zones::of("a\n~~~\nb\n\nc");
        assert_eq!(zones.at(0), Zone::Prose);
        assert_eq!(zones.at(9), Zone::Fence);
    }

    fn kinds(text: &str) -> Vec<(&str, Zone)> {
        Zones::of(text).iter().map(|(range, zone)| (text[range].trim_end(), zone)).collect()
    }

    #[test]
    fn what_programs_print_is_no_prose() {
        for (text, want) in [
            (
                "see\n09:14:07 up\n09:14:08 down\n09:14:09 up\nok",
                vec![("see", Zone::Prose), ("09:14:07 up\n09:14:08 down\n09:14:09 up", Zone::Log), ("ok", Zone::Prose)],
            ),
            ("ERROR is bad\nWARN too", vec![("ERROR is bad\nWARN too", Zone::Prose)]),
            (
                "x\n  File \"a.py\", line 2\n  at f (a.js:1:2)\n[ERROR] no",
                vec![("x", Zone::Prose), ("  File \"a.py\", line 2\n  at f (a.js:1:2)\n[ERROR] no", Zone::Log)],
            ),
            (
                "so:\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-not\n+never\nthen",
                vec![
                    ("so:", Zone::Prose),
                    ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-not\n+never", Zone::Diff),
                    ("then", Zone::Prose),
                ],
            ),
            (
                "| a | `b` |\n- no |",
                vec![("| a |", Zone::Table), ("`b`", Zone::InlineCode), (" |", Zone::Table), ("- no |", Zone::Prose)],
            ),
        ] {
            assert_eq!(kinds(text), want, "{text}");
        }
    }

    #[test]
    fn what_a_harness_puts_in_is_aside_up_to_its_closing_tag() {
        for (text, want) in [
            (
                "go\n<system-reminder>\nnever\n</system-reminder>\non",
                vec![
                    ("go", Zone::Prose),
                    ("<system-reminder>\nnever\n</system-reminder>", Zone::Aside),
                    ("on", Zone::Prose),
                ],
            ),
            (
                "<some-hook>no</some-hook> and on",
                vec![("<some-hook>no</some-hook>", Zone::Aside), (" and on", Zone::Prose)],
            ),
            ("<never-closed>\nno", vec![("<never-closed>\nno", Zone::Prose)]),
            ("</early-end>\n<early-end>\nno", vec![("</early-end>\n<early-end>\nno", Zone::Prose)]),
            ("<b>no</b>", vec![("<b>no</b>", Zone::Prose)]),
        ] {
            assert_eq!(kinds(text), want, "{text}");
        }
    }
}
