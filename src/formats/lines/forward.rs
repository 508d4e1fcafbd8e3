//! Reading on from the start of a line.

use memchr::{memchr, memchr_iter, memrchr};

use super::one::{is_blank, too_long};
use super::{KEPT_BUFFER, LONGEST, Lines, STEP};
use crate::session::{Depth, FileNo, Line, LogError, Stretch};

impl Lines {
    /// One step of [`Log::forward`]; it may meet blank lines alone.
    pub(super) fn forward_once(
        &mut self,
        file: FileNo,
        from: u64,
        budget: usize,
        depth: Depth,
    ) -> Result<Stretch, LogError> {
        let mut bytes = std::mem::take(&mut self.buffer);
        bytes.clear();
        self.held = None;
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
        self.count_blanks(&mut stretch, from, &bytes)?;
        if bytes.capacity() <= KEPT_BUFFER {
            self.buffer = bytes;
            self.held = Some((file, from));
        }
        Ok(stretch)
    }

    /// Tells each line how many blank ones stand before it.
    fn count_blanks(&mut self, stretch: &mut Stretch, from: u64, bytes: &[u8]) -> Result<(), LogError> {
        let mut end = None;
        for line in &mut stretch.lines {
            let between = &bytes[(end.unwrap_or(from) - from) as usize..(line.offset - from) as usize];
            let ends = memchr_iter(b'\n', between).count() as u64;
            line.blanks = match end {
                // One of them ends the line before.
                Some(_) => ends.saturating_sub(1),
                None => self.blanks_before(stretch.file, from, ends)?,
            };
            end = Some(line.offset + line.len);
        }
        Ok(())
    }

    /// How many blank lines stand before a line, when `ends` line ends lie between this place and it: those before the
    /// place were read earlier.
    fn blanks_before(&mut self, file: FileNo, place: u64, ends: u64) -> Result<u64, LogError> {
        let source = self.source(file)?;
        let (mut at, mut ends, mut step) = (place, ends, 64);
        let mut bytes = Vec::new();
        while at > 0 {
            let start = at.saturating_sub(step);
            bytes.clear();
            source.read(start, (at - start) as usize, &mut bytes)?;
            let blank = bytes.iter().rev().take_while(|b| is_blank(&[**b])).count();
            ends += memchr_iter(b'\n', &bytes[bytes.len() - blank..]).count() as u64;
            if blank < bytes.len() {
                // One of them ends the line before.
                return Ok(ends.saturating_sub(1));
            }
            (at, step) = (start, (step * 2).min(STEP as u64 * 16));
        }
        Ok(ends)
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
                let blanks = self.blanks_before(file, stretch.start, 0)?;
                stretch.lines.push(Line { blanks, ..too_long(file, stretch.start, len) });
                stretch.end = stretch.start + len + 1;
                stretch.at_end = stretch.end >= size;
                return Ok(stretch);
            }
            at += bytes.len() as u64;
        }
    }
}
