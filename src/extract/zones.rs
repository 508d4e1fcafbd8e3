//! What kind of text stands where: prose, inline code, a fence, a quoted line. Most errors of extraction come from
//! reading code as prose.

use std::ops::Range;

/// The kind of a stretch of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Zone {
    /// What is told.
    Prose,
    /// Between back ticks, the ticks included.
    InlineCode,
    /// Between ``` or ~~~ lines, those included.
    Fence,
    /// A line that begins with `>`.
    Quote,
}

/// A text cut into zones, without gaps.
#[derive(Clone, Debug, Default)]
pub struct Zones(Vec<(Range<usize>, Zone)>);

impl Zones {
    /// The zones of a text. An open fence goes on to the end; an open back tick is prose.
    pub fn of(text: &str) -> Self {
        let mut zones = Self::default();
        let mut fence: Option<(u8, usize)> = None;
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let range = at..at + line.len();
            at = range.end;
            let mark = fence_mark(line);
            match (fence, mark) {
                (Some((kind, len)), Some((other, longer))) if kind == other && longer >= len && bare(line, other) => {
                    fence = None;
                    zones.push(range, Zone::Fence);
                }
                (Some(_), _) => zones.push(range, Zone::Fence),
                (None, Some(opened)) => {
                    fence = Some(opened);
                    zones.push(range, Zone::Fence);
                }
                (None, None) if line.trim_start().starts_with('>') => zones.push(range, Zone::Quote),
                (None, None) => zones.line(line, range.start),
            }
        }
        zones
    }

    /// The zone at this byte; prose beyond the end.
    pub fn at(&self, byte: usize) -> Zone {
        let found = self.0.partition_point(|(range, _)| range.end <= byte);
        self.0.get(found).map_or(Zone::Prose, |(_, zone)| *zone)
    }

    /// The stretches of one kind, in order.
    pub fn of_kind(&self, wanted: Zone) -> impl Iterator<Item = Range<usize>> + '_ {
        self.0.iter().filter(move |(_, zone)| *zone == wanted).map(|(range, _)| range.clone())
    }

    fn line(&mut self, line: &str, start: usize) {
        let mut from = 0;
        while let Some(open) = line[from..].find('`').map(|at| from + at) {
            let ticks = line[open..].bytes().take_while(|b| *b == b'`').count();
            let Some(close) = line[open + ticks..].find(&line[open..open + ticks]).map(|at| open + ticks + at) else {
                break;
            };
            self.push(start + from..start + open, Zone::Prose);
            self.push(start + open..start + close + ticks, Zone::InlineCode);
            from = close + ticks;
        }
        self.push(start + from..start + line.len(), Zone::Prose);
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
    let line = line.trim_start();
    let kind = *line.as_bytes().first().filter(|b| matches!(b, b'`' | b'~'))?;
    let len = line.bytes().take_while(|b| *b == kind).count();
    (len >= 3 && !(kind == b'`' && line[len..].contains('`'))).then_some((kind, len))
}

fn bare(line: &str, kind: u8) -> bool {
    line.trim().bytes().all(|b| b == kind)
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
}
