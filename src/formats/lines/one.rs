//! One line out of its bytes, whatever they are.

use std::borrow::Cow;

use memchr::memchr_iter;

use super::super::json::{self, Mended};
use super::{LONGEST, Lines};
use crate::session::{Body, Depth, FileNo, Line};

impl Lines {
    /// One line made sense of, or why that was not possible.
    pub(super) fn line(&self, file: FileNo, offset: u64, bytes: &[u8], depth: Depth) -> Line {
        let valid = std::str::from_utf8(bytes);
        let text = valid.map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed);
        let text = if offset == 0 { text.strip_prefix('\u{feff}').unwrap_or(&text) } else { &*text };
        let mut mended = Mended::default();
        let mut line = match json::read(text) {
            Ok(value) if value.is_object() => (self.parse)(value, depth, &mut mended),
            Ok(value) => unread(format!("valid JSON, but {} and no record", value.kind())),
            Err(_) if bytes.iter().all(|b| *b == 0) => unread(format!("{} NUL bytes", bytes.len())),
            Err(why) => unread(why),
        };
        let mut notes = Vec::new();
        if valid.is_err() {
            notes.push("bytes that are not UTF-8 are shown as \u{fffd}".to_owned());
        }
        if mended.surrogates > 0 {
            notes.push("half characters (lone surrogates) are shown as \u{fffd}".to_owned());
        }
        if let Some(whole) = mended.cut {
            notes.push(format!("a text of {whole} bytes is cut here; the raw line has all of it"));
        }
        line.lossy = Some(notes.join("; ")).filter(|notes| !notes.is_empty());
        (line.file, line.offset, line.len) = (file, offset, bytes.len() as u64);
        line.sidechain = match usize::from(file.0).checked_sub(1) {
            Some(side) => self.head.sides.get(side).map(|side| side.agent_id.clone()),
            // In a sub-agent's own file its lines are the session.
            None => line.sidechain.filter(|_| self.head.key.sub.is_none()),
        };
        line
    }

    /// The lines in these bytes, which end with a line end. Blank ones are nothing.
    pub(super) fn lines(&self, file: FileNo, start: u64, bytes: &[u8], depth: Depth) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut from = 0;
        for end in memchr_iter(b'\n', bytes) {
            let line = &bytes[from..end];
            if !is_blank(line) {
                lines.push(self.line(file, start + from as u64, line, depth));
            }
            from = end + 1;
        }
        lines
    }

    /// The last line without its line end, if it is whole all the same.
    pub(super) fn unended(&self, file: FileNo, offset: u64, bytes: &[u8], depth: Depth) -> Option<Line> {
        if !bytes.trim_ascii_end().ends_with(b"}") {
            return None;
        }
        let mut line = self.line(file, offset, bytes, depth);
        let Body::Unread { why } = &mut line.body else { return Some(line) };
        // Several objects with carriage returns between them: no later line end can mend that.
        if !bytes.trim_ascii_end().contains(&b'\r') {
            return None;
        }
        why.push_str("; its lines end in CR, and only LF ends a line");
        Some(line)
    }
}

pub(super) fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n'))
}

pub(super) fn too_long(file: FileNo, offset: u64, len: u64) -> Line {
    let mut line = unread(format!("a line of {len} bytes; more than {LONGEST} are not read"));
    (line.file, line.offset, line.len) = (file, offset, len);
    line
}

fn unread(why: String) -> Line {
    bare(Body::Unread { why })
}

/// A line with nothing known but what it says.
pub(in super::super) fn bare(body: Body) -> Line {
    Line {
        file: FileNo(0),
        offset: 0,
        len: 0,
        blanks: 0,
        id: None,
        parent: None,
        logical_parent: None,
        at: None,
        sidechain: None,
        started_agent: None,
        body,
        lossy: None,
    }
}
