//! JSON lines in a file, read forward and backward from any place. Only LF ends a line; no agent is known here.

mod backward;
mod forward;
mod one;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use memchr::memchr;
pub(super) use one::bare;

use super::OpenError;
use super::json::{Mended, Value};
use super::source::{Identity, Source};
use crate::session::{Depth, FileNo, Hash, Head, Line, Log, LogError, SideFile, Stretch};

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
    /// Whose bytes the buffer still holds, and from where on: those that were read forward last.
    held: Option<(FileNo, u64)>,
}

impl Lines {
    pub(super) fn new(own: Source, head: Head, parse: Parse, find_sides: Option<FindSides>) -> Self {
        let mut lines = Self::bare(own, head, parse, find_sides);
        lines.look_for_sides();
        lines
    }

    fn bare(own: Source, head: Head, parse: Parse, find_sides: Option<FindSides>) -> Self {
        let known = vec![None; head.sides.len()];
        Self { head, parse, find_sides, own, side: None, known, quiet: None, buffer: Vec::new(), held: None }
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
                break;
            }
            if read == 0 || offset.saturating_add(bytes.len() as u64) >= size {
                break;
            }
            if bytes.len() >= LONGEST {
                let path = self.path(file).display().to_string();
                let why = format!("the line at byte {offset} is longer than {LONGEST} bytes");
                return Err(LogError::Unreadable { path, why });
            }
        }
        // Whoever keeps many of them keeps no more than they hold.
        bytes.shrink_to_fit();
        Ok(bytes)
    }

    /// Out of what was read last, where the line stands in it: its file was known again when that was read.
    fn raw_of(&mut self, line: &Line) -> Result<Vec<u8>, LogError> {
        let held = self.held.filter(|(file, _)| *file == line.file);
        let start = held.and_then(|(_, from)| line.offset.checked_sub(from)).and_then(|at| usize::try_from(at).ok());
        let bytes = start.and_then(|start| self.buffer.get(start..start.checked_add(line.len as usize)?));
        match bytes {
            Some(bytes) => Ok(bytes.to_vec()),
            None => self.raw(line.file, line.offset),
        }
    }

    fn line_from(&mut self, file: FileNo, at: u64) -> Result<Option<u64>, LogError> {
        // A line begins behind a line end, and that may be the byte before.
        let Some(mut place) = at.checked_sub(1) else { return Ok(Some(0)) };
        let source = self.source(file)?;
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let read = source.read(place, STEP, &mut bytes)?;
            if let Some(end) = memchr(b'\n', &bytes) {
                return Ok(Some(place + end as u64 + 1));
            }
            place += read as u64;
            if read == 0 {
                return Ok(Some(place));
            }
        }
    }

    fn fingerprint(&mut self, read: &[(FileNo, u64)]) -> Result<Option<Hash>, LogError> {
        let mut files = Vec::new();
        for (file, end) in read {
            // What a file was when it was opened is known again here.
            self.size(*file)?;
            let hash = self.source(*file)?.hash(*end)?;
            files.extend([file.0.to_le_bytes().to_vec(), end.to_le_bytes().to_vec(), hash.0.to_vec()]);
        }
        Ok(Some(Hash::of_fields(files.iter().map(Vec::as_slice))))
    }

    fn size(&mut self, file: FileNo) -> Result<u64, LogError> {
        self.source(file)?.size()
    }

    fn is_gone(&self) -> bool {
        self.own.is_gone()
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
