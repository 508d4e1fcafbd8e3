//! Finds text in what is shown of a session, forward and backward, around its ends.

use super::{Cancel, Found, Problem};
use crate::session::{Body, Depth, FileNo, Line, Log, Part, PartKind, Place};
use crate::text::Shown;

const STEP: usize = 1024 * 1024;

/// The next place after (or before) `from` that holds the needle; letter case is ignored.
pub(super) fn search(
    log: &mut dyn Log,
    needle: &str,
    from: Place,
    forward: bool,
    cancel: &Cancel,
) -> Result<Option<Found>, Problem> {
    let needle = Shown::lines(needle).as_str().to_lowercase();
    if needle.is_empty() {
        return Ok(None);
    }
    let files: Vec<FileNo> = std::iter::once(FileNo(0)).chain(log.head().sides.iter().map(|side| side.file)).collect();
    let start = files.iter().position(|file| *file == from.file).unwrap_or(0);
    let mut seeker = Seeker { log, needle, cancel };
    // The file of the start is visited twice: first on this side of it, at last on the other.
    for step in 0..=files.len() {
        let at = if forward { start + step } else { start + files.len() * 2 - step };
        let file = files[at % files.len()];
        let wrapped = if forward { at >= files.len() } else { at % files.len() > start || step == files.len() };
        let wrapped = wrapped && step > 0;
        let hit = match (forward, step) {
            (true, 0) => seeker.forward(file, from.offset, &|place| place > from)?,
            (true, _) if step == files.len() => seeker.forward(file, 0, &|place| place <= from)?,
            (true, _) => seeker.forward(file, 0, &|_| true)?,
            (false, 0) => seeker.backward(file, Some(from), &|place| place < from)?,
            (false, _) if step == files.len() => seeker.backward(file, None, &|place| place >= from)?,
            (false, _) => seeker.backward(file, None, &|_| true)?,
        };
        if let Some(place) = hit {
            return Ok(Some(Found { place, wrapped, unsearched: seeker.log.gone_turns() }));
        }
    }
    Ok(None)
}

struct Seeker<'a> {
    log: &'a mut dyn Log,
    needle: String,
    cancel: &'a Cancel,
}

impl Seeker<'_> {
    fn forward(&mut self, file: FileNo, mut at: u64, wanted: &dyn Fn(Place) -> bool) -> Result<Option<Place>, Problem> {
        loop {
            if self.cancel.is_cancelled() {
                return Ok(None);
            }
            let stretch = self.log.forward(file, at, STEP, Depth::Full)?;
            let hit = stretch.lines.iter().flat_map(|line| self.hits(line)).find(|place| wanted(*place));
            if hit.is_some() || stretch.at_end || stretch.lines.is_empty() {
                return Ok(hit);
            }
            at = stretch.end;
        }
    }

    fn backward(
        &mut self,
        file: FileNo,
        from: Option<Place>,
        wanted: &dyn Fn(Place) -> bool,
    ) -> Result<Option<Place>, Problem> {
        let mut before = match from {
            // The line of the start itself may hold a hit in an earlier part.
            Some(place) => self.log.forward(file, place.offset, 1, Depth::Outline)?.end,
            None => self.log.size(file)?,
        };
        loop {
            if self.cancel.is_cancelled() {
                return Ok(None);
            }
            let stretch = self.log.backward(file, before, STEP, Depth::Full)?;
            let hit = stretch.lines.iter().rev().flat_map(|line| {
                let mut hits = self.hits(line);
                hits.reverse();
                hits
            });
            let hit = hit.into_iter().find(|place| wanted(*place));
            if hit.is_some() || stretch.at_start || stretch.lines.is_empty() {
                return Ok(hit);
            }
            before = stretch.start;
        }
    }

    /// The parts of a line that hold the needle.
    fn hits(&self, line: &Line) -> Vec<Place> {
        match &line.body {
            Body::Message { parts, .. } => {
                parts.iter().filter(|part| self.holds_part(part)).map(|part| line.place(part.block)).collect()
            }
            Body::Compaction { summary: Some(summary), .. } | Body::Summary(summary) => {
                if self.holds(&summary.text) {
                    vec![line.place(0)]
                } else {
                    Vec::new()
                }
            }
            Body::Compaction { summary: None, .. } | Body::Note(_) | Body::Noise { .. } => Vec::new(),
            Body::Unread { why } => {
                if self.holds(why) {
                    vec![line.place(0)]
                } else {
                    Vec::new()
                }
            }
        }
    }

    fn holds_part(&self, part: &Part) -> bool {
        let beside = match &part.kind {
            PartKind::ToolCall { name, .. } => self.holds(name),
            PartKind::Opaque { what } => self.holds(what),
            PartKind::Text | PartKind::Thinking | PartKind::ToolResult { .. } => false,
        };
        beside || self.holds(&part.text)
    }

    fn holds(&self, text: &str) -> bool {
        holds(text, &self.needle)
    }
}

/// Whether what is shown of a text holds the needle, which is in lower case and not empty.
fn holds(text: &str, needle: &str) -> bool {
    let is_plain = |byte: u8| byte == b'\n' || (b' '..0x7f).contains(&byte);
    if text.bytes().all(is_plain) {
        // Nearly all text: it is shown as it is.
        return holds_ascii(text.as_bytes(), needle.as_bytes());
    }
    Shown::lines(text).as_str().to_lowercase().contains(needle)
}

fn holds_ascii(text: &[u8], needle: &[u8]) -> bool {
    let Some(first) = needle.first().filter(|_| needle.is_ascii()) else { return false };
    memchr::memchr2_iter(*first, first.to_ascii_uppercase(), text)
        .any(|at| text[at..].get(..needle.len()).is_some_and(|there| there.eq_ignore_ascii_case(needle)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letter_case_is_ignored_and_text_is_searched_as_it_is_shown() {
        for (text, needle, want) in [
            ("The Retry ceiling", "retry c", true),
            ("retr", "retry", false),
            ("xRETRY", "retry", true),
            ("one\ntwo", "e\nt", true),
            ("plain", "ä", false),
            ("ÄPFEL und Birnen", "äpfel", true),
            ("red \u{1b}[31mapple", "31mapple", true),
            ("red \u{1b}[31mapple", "\u{1b}", false),
        ] {
            assert_eq!(holds(text, needle), want, "{text:?} {needle:?}");
        }
    }
}
