//! A whole session, entry by entry and in order, sub-agents' own files included. It is read piece by piece, so no more
//! of it is held than one piece.

use anyhow::Result;

use crate::session::{Entry, FileNo, Fold, Noise, Outline, Trouble};
use crate::workbench::{Desk, Spot};

/// Bytes of a session that are held at once.
const STEP: usize = 4 * 1024 * 1024;

/// What is met on the way.
pub enum Step<'a> {
    /// An entry that holds no others.
    Entry(&'a Entry),
    /// What follows, up to its end, is folded on the screen.
    Opens(&'a Fold),
    /// The end of a fold.
    Closes {
        /// Which.
        fold: &'a Fold,
        /// What was not said in it.
        noise: &'a [Noise],
        /// Nothing stood in it.
        empty: bool,
    },
}

/// Sees every step, with the number of folds it stands in.
pub type See<'a> = dyn FnMut(&Outline, Step<'_>, usize) -> Result<()> + 'a;

/// Walks a session that was read to its end.
pub fn walk(desk: &mut Desk, see: &mut See) -> Result<()> {
    Walk { desk, see, files: Vec::new() }.file(FileNo(0), 0).map(|_| ())
}

struct Walk<'a, 'b> {
    desk: &'a mut Desk,
    see: &'a mut See<'b>,
    /// The sub-agents' files that were walked: each stands in one place, and none within itself.
    files: Vec<FileNo>,
}

impl Walk<'_, '_> {
    fn tell(&mut self, step: Step, depth: usize) -> Result<()> {
        (self.see)(&self.desk.outline(), step, depth)
    }

    /// Gives whether nothing was in it.
    fn file(&mut self, file: FileNo, depth: usize) -> Result<bool> {
        let mut spot = Spot::After(file, 0);
        let mut empty = true;
        loop {
            let window = match self.desk.window(spot, STEP) {
                Ok(window) => window,
                Err(problem) if file == FileNo(0) => return Err(problem),
                Err(problem) => {
                    let offset = if let Spot::After(_, offset) = spot { offset } else { 0 };
                    let trouble = Trouble { file, offset, line: None, why: format!("{problem:#}") };
                    self.tell(Step::Entry(&Entry::Unread(trouble)), depth)?;
                    return Ok(false);
                }
            };
            for entry in &window.entries {
                empty = false;
                self.entry(entry, depth)?;
            }
            if window.at_end || window.end <= window.start {
                return Ok(empty);
            }
            spot = Spot::After(file, window.end);
        }
    }

    fn entry(&mut self, entry: &Entry, depth: usize) -> Result<()> {
        let Entry::Folded { fold, entries, noise, .. } = entry else { return self.tell(Step::Entry(entry), depth) };
        self.tell(Step::Opens(fold), depth)?;
        let mut empty = entries.is_empty();
        for inner in entries {
            self.entry(inner, depth + 1)?;
        }
        if let Fold::SubAgent { file, .. } = fold
            && *file != FileNo(0)
            && !self.files.contains(file)
        {
            self.files.push(*file);
            empty &= self.file(*file, depth + 1)?;
        }
        self.tell(Step::Closes { fold, noise, empty }, depth)
    }
}
