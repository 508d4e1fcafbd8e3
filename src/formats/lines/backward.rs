//! Reading back from the start of a line, or from the end of what there is.

use memchr::{memchr, memrchr};

use super::one::{is_blank, too_long};
use super::{LONGEST, Lines, STEP};
use crate::session::{Depth, FileNo, LogError, Stretch};

impl Lines {
    /// Where the line that reaches up to `before` starts: after the last line end before it.
    pub(super) fn line_start(&mut self, file: FileNo, before: u64) -> Result<u64, LogError> {
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
    pub(super) fn backward_once(
        &mut self,
        file: FileNo,
        before: u64,
        budget: usize,
        depth: Depth,
    ) -> Result<Stretch, LogError> {
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
