//! JSON lines in a file, read forward and backward from any place. Only LF ends a line; no agent is known here.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

use memchr::{memchr, memchr_iter, memrchr};

use super::OpenError;
use super::json::{self, Mended, Value};
use super::source::{Identity, Source};
use crate::session::{Body, Depth, FileNo, Head, Line, Log, LogError, SideFile, Stretch};

/// Longer lines are not read, only counted: no agent writes such, and memory must stay bounded.
const LONGEST: usize = 256 << 20;
/// How much is looked through at once for a line end.
const STEP: usize = 64 << 10;
/// A greater buffer was for one long line, and is given back.
const KEPT_BUFFER: usize = 8 << 20;

/// What one agent's object means. Places are filled in here.
pub(super) type Parse = fn(Value<'_>, Depth, &mut Mended) -> Line;

/// Finds the sub-agents' files of the session at this path, which has this id.
pub(super) type FindSides = fn(&Path, &str) -> Vec<SideFile>;

/// An open session in JSON lines.
pub(super) struct Lines {
    head: Head,
    parse: Parse,
    /// For agents that keep their sub-agents in files of their own.
    find_sides: Option<FindSides>,
    own: Source,
    /// The side file that was read last; others are closed, a session may have hundreds.
    side: Option<(FileNo, Source)>,
    /// What the side files were when each was first opened, by number from 1.
    known: Vec<Option<Identity>>,
    /// A stretch that holds no line end, found with much reading: the file, from where, up to where.
    quiet: Option<(FileNo, u64, u64)>,
    /// For reading; kept so that it is not made anew each time.
    buffer: Vec<u8>,
}

impl Lines {
    pub(super) fn new(own: Source, head: Head, parse: Parse, find_sides: Option<FindSides>) -> Self {
        let mut lines = Self::bare(own, head, parse, find_sides);
        lines.look_for_sides();
        lines
    }

    fn bare(own: Source, head: Head, parse: Parse, find_sides: Option<FindSides>) -> Self {
        let known = vec![None; head.sides.len()];
        Self { head, parse, find_sides, own, side: None, known, quiet: None, buffer: Vec::new() }
    }

    fn path(&self, file: FileNo) -> PathBuf {
        let side = usize::from(file.0).checked_sub(1).and_then(|at| self.head.sides.get(at));
        side.map_or_else(|| self.head.path.clone(), |side| side.path.clone())
    }

    fn source(&mut self, file: FileNo) -> Result<&mut Source, LogError> {
        let Some(at) = usize::from(file.0).checked_sub(1) else { return Ok(&mut self.own) };
        if self.side.as_ref().is_none_or(|(open, _)| *open != file) {
            let path = self.path(file);
            let no_file = |why: String| LogError::Unreadable { path: path.display().to_string(), why };
            let known = self.known.get_mut(at).ok_or_else(|| no_file("the session has no such file".into()))?;
            let source = match known {
                Some(identity) => Source::again(&path, identity)?,
                None => Source::open(&path).map_err(|error: OpenError| no_file(error.to_string()))?,
            };
            *known = Some(source.identity().clone());
            self.side = Some((file, source));
        }
        let (_, source) = self.side.as_mut().expect("it was opened just now");
        Ok(source)
    }

    /// One line made sense of, or why that was not possible.
    fn line(&self, file: FileNo, offset: u64, bytes: &[u8], depth: Depth) -> Line {
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
    fn lines(&self, file: FileNo, start: u64, bytes: &[u8], depth: Depth) -> Vec<Line> {
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
    fn unended(&self, file: FileNo, offset: u64, bytes: &[u8], depth: Depth) -> Option<Line> {
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

    /// One step of [`Log::forward`]; it may meet blank lines alone.
    fn forward_once(&mut self, file: FileNo, from: u64, budget: usize, depth: Depth) -> Result<Stretch, LogError> {
        let mut bytes = std::mem::take(&mut self.buffer);
        bytes.clear();
        let source = self.source(file)?;
        let size = source.size()?;
        let from = from.min(size);
        let mut stretch = Stretch { file, start: from, end: from, at_start: from == 0, ..Stretch::default() };
        let mut want = budget.clamp(1, LONGEST);
        let complete = loop {
            let looked = bytes.len();
            source.read(from + looked as u64, want - looked, &mut bytes)?;
            if let Some(last) = memrchr(b'\n', &bytes[looked..]) {
                break looked + last + 1;
            }
            if bytes.len() < want || from + bytes.len() as u64 >= size {
                break 0;
            }
            if want >= LONGEST {
                return self.giant(stretch, size);
            }
            want = (want * 2).min(LONGEST);
        };
        let read = from + bytes.len() as u64;
        stretch.lines = self.lines(file, from, &bytes[..complete], depth);
        stretch.end = from + complete as u64;
        if read >= size {
            stretch.at_end = true;
            let tail = &bytes[complete..];
            if is_blank(tail) {
                stretch.end = read;
            } else if let Some(line) = self.unended(file, stretch.end, tail, depth) {
                stretch.lines.push(line);
                stretch.end = read;
            } else {
                stretch.pending = tail.len() as u64;
            }
        }
        if bytes.capacity() <= KEPT_BUFFER {
            self.buffer = bytes;
        }
        Ok(stretch)
    }

    /// Passes over a line that is too long to be read.
    fn giant(&mut self, mut stretch: Stretch, size: u64) -> Result<Stretch, LogError> {
        let file = stretch.file;
        let mut at = stretch.start + LONGEST as u64;
        if let Some((quiet, from, to)) = self.quiet
            && (quiet, from) == (file, stretch.start)
        {
            at = at.max(to);
        }
        let source = self.source(file)?;
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            if source.read(at, STEP * 16, &mut bytes)? == 0 {
                self.quiet = Some((file, stretch.start, at));
                (stretch.pending, stretch.at_end) = (size - stretch.start, true);
                return Ok(stretch);
            }
            if let Some(found) = memchr(b'\n', &bytes) {
                let len = at + found as u64 - stretch.start;
                stretch.lines.push(too_long(file, stretch.start, len));
                stretch.end = stretch.start + len + 1;
                stretch.at_end = stretch.end >= size;
                return Ok(stretch);
            }
            at += bytes.len() as u64;
        }
    }

    /// Where the line that reaches up to `before` starts: after the last line end before it.
    fn line_start(&mut self, file: FileNo, before: u64) -> Result<u64, LogError> {
        let quiet = self.quiet.filter(|(quiet, from, _)| *quiet == file && *from < before);
        let source = self.source(file)?;
        let mut end = before;
        let mut step = STEP / 16;
        let mut bytes = Vec::new();
        while end > 0 {
            if let Some((_, from, to)) = quiet
                && end <= to
                && end > from
            {
                self.quiet = Some((file, from, to.max(before)));
                return Ok(from);
            }
            let start = end.saturating_sub(step as u64);
            bytes.clear();
            source.read(start, (end - start) as usize, &mut bytes)?;
            if let Some(found) = memrchr(b'\n', &bytes) {
                let start = start + found as u64 + 1;
                if before - start > LONGEST as u64 {
                    self.quiet = Some((file, start, before));
                }
                return Ok(start);
            }
            end = start;
            step = (step * 2).min(STEP * 16);
        }
        Ok(0)
    }

    /// One step of [`Log::backward`]; it may meet blank lines alone.
    fn backward_once(&mut self, file: FileNo, before: u64, budget: usize, depth: Depth) -> Result<Stretch, LogError> {
        let source = self.source(file)?;
        let size = source.size()?;
        let before = before.min(size);
        let mut stretch = Stretch { file, at_end: before == size, ..Stretch::default() };
        let last_start = self.line_start(file, before)?;
        let mut tail = Vec::new();
        let mut whole_tail = None;
        if before == size && last_start < size && size - last_start <= LONGEST as u64 {
            self.source(file)?.read(last_start, (size - last_start) as usize, &mut tail)?;
            whole_tail = self.unended(file, last_start, &tail, depth);
            stretch.pending = if whole_tail.is_some() || is_blank(&tail) { 0 } else { tail.len() as u64 };
        } else if before == size {
            stretch.pending = size - last_start;
        }
        let hi = last_start;
        let mut want = budget.clamp(1, LONGEST) as u64;
        let (start, bytes) = loop {
            let lo = hi.saturating_sub(want);
            let mut bytes = Vec::new();
            self.source(file)?.read(lo, (hi - lo) as usize, &mut bytes)?;
            if lo == 0 {
                break (0, bytes);
            }
            // The last byte is the line end before `hi`; an earlier one shows where a line starts.
            if let Some(first) = memchr(b'\n', &bytes[..bytes.len().saturating_sub(1)]) {
                bytes.drain(..=first);
                break (lo + first as u64 + 1, bytes);
            }
            if want >= LONGEST as u64 {
                let start = self.line_start(file, hi - 1)?;
                stretch.lines.push(too_long(file, start, hi - 1 - start));
                (stretch.start, stretch.end, stretch.at_start) = (start, hi, start == 0);
                return Ok(stretch);
            }
            want = (want * 2).min(LONGEST as u64);
        };
        stretch.lines = self.lines(file, start, &bytes, depth);
        (stretch.start, stretch.end, stretch.at_start) = (start, hi, start == 0);
        if let Some(line) = whole_tail {
            stretch.end = line.offset + line.len;
            stretch.lines.push(line);
        }
        Ok(stretch)
    }
}

impl Log for Lines {
    fn head(&self) -> &Head {
        &self.head
    }

    fn forward(&mut self, file: FileNo, from: u64, budget: usize, depth: Depth) -> Result<Stretch, LogError> {
        let mut stretch = self.forward_once(file, from, budget, depth)?;
        while stretch.lines.is_empty() && !stretch.at_end {
            let next = self.forward_once(file, stretch.end, budget, depth)?;
            stretch = Stretch { start: stretch.start, at_start: stretch.at_start, ..next };
        }
        Ok(stretch)
    }

    fn backward(&mut self, file: FileNo, before: u64, budget: usize, depth: Depth) -> Result<Stretch, LogError> {
        let mut stretch = self.backward_once(file, before, budget, depth)?;
        while stretch.lines.is_empty() && !stretch.at_start {
            let next = self.backward_once(file, stretch.start, budget, depth)?;
            let (end, at_end, pending) = (stretch.end, stretch.at_end, stretch.pending);
            stretch = Stretch { end, at_end, pending, ..next };
        }
        Ok(stretch)
    }

    fn raw(&mut self, file: FileNo, offset: u64) -> Result<Vec<u8>, LogError> {
        let source = self.source(file)?;
        let size = source.size()?;
        let mut bytes = Vec::new();
        loop {
            let looked = bytes.len();
            let read = source.read(offset.saturating_add(looked as u64), STEP.max(looked), &mut bytes)?;
            if let Some(end) = memchr(b'\n', &bytes[looked..]) {
                bytes.truncate(looked + end);
                return Ok(bytes);
            }
            if read == 0 || offset + bytes.len() as u64 >= size {
                return Ok(bytes);
            }
            if bytes.len() >= LONGEST {
                let path = self.path(file).display().to_string();
                let why = format!("the line at byte {offset} is longer than {LONGEST} bytes");
                return Err(LogError::Unreadable { path, why });
            }
        }
    }

    fn size(&mut self, file: FileNo) -> Result<u64, LogError> {
        self.source(file)?.size()
    }

    fn look_for_sides(&mut self) -> usize {
        let Some(find) = self.find_sides else { return 0 };
        let before = self.head.sides.len();
        let paths: HashSet<PathBuf> = self.head.sides.iter().map(|side| side.path.clone()).collect();
        for side in find(&self.head.path, &self.head.key.id).into_iter().filter(|side| !paths.contains(&side.path)) {
            let Ok(no) = u16::try_from(self.head.sides.len() + 1) else { break };
            self.head.sides.push(SideFile { file: FileNo(no), ..side });
            self.known.push(None);
        }
        self.head.sides.len() - before
    }

    fn again(&self) -> Result<Box<dyn Log>, LogError> {
        let own = Source::again(&self.head.path, self.own.identity())?;
        let mut again = Self::bare(own, self.head.clone(), self.parse, self.find_sides);
        (again.known, again.quiet) = (self.known.clone(), self.quiet);
        Ok(Box::new(again))
    }
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n'))
}

fn too_long(file: FileNo, offset: u64, len: u64) -> Line {
    let mut line = unread(format!("a line of {len} bytes; more than {LONGEST} are not read"));
    (line.file, line.offset, line.len) = (file, offset, len);
    line
}

fn unread(why: String) -> Line {
    bare(Body::Unread { why })
}

/// A line with nothing known but what it says.
pub(super) fn bare(body: Body) -> Line {
    Line {
        file: FileNo(0),
        offset: 0,
        len: 0,
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
