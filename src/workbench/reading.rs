//! How far a session was read, shared by every desk on it: the outline, fed in steps, and what is needed to follow a
//! session that grows.

use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::{Cancel, Problem};
use crate::session::{Batch, Depth, FileNo, Line, Log, Outline};

/// The first step is small, so that the first markers and numbers come at once.
const FIRST_STEP: usize = 256 * 1024;
const OWN: FileNo = FileNo(0);
const STEP: usize = 4 * 1024 * 1024;

/// The outline of one open session and the work that feeds it.
#[derive(Default)]
pub(super) struct Reading {
    outline: RwLock<Outline>,
    work: Mutex<Work>,
}

#[derive(Default)]
struct Work {
    /// How far each file was read, the session's own first.
    read: Vec<(FileNo, u64)>,
}

impl Work {
    /// Where reading goes on in a file.
    fn at(&mut self, file: FileNo) -> &mut u64 {
        let at = self.read.iter().position(|(known, _)| *known == file).unwrap_or_else(|| {
            self.read.push((file, 0));
            self.read.len() - 1
        });
        &mut self.read[at].1
    }
}

impl Reading {
    /// The outline as far as it has come.
    pub fn outline(&self) -> RwLockReadGuard<'_, Outline> {
        self.outline.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self) -> RwLockWriteGuard<'_, Outline> {
        self.outline.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads everything once, in steps, from where an earlier reading stopped.
    pub fn index(&self, log: &mut dyn Log, cancel: &Cancel, tell: &mut dyn FnMut(Batch)) -> Result<(), Problem> {
        let mut work = self.work();
        if self.outline().complete {
            tell(self.told(&mut work));
            return Ok(());
        }
        let mut step = if *work.at(OWN) == 0 { FIRST_STEP } else { STEP };
        for file in files(log) {
            loop {
                if cancel.is_cancelled() {
                    return Ok(());
                }
                let (lines, ended) = step_on(log, file, work.at(file), step)?;
                self.push(&lines);
                if file == OWN {
                    tell(self.told(&mut work));
                }
                step = STEP;
                if ended {
                    break;
                }
            }
        }
        self.change().finish();
        tell(self.told(&mut work));
        Ok(())
    }

    /// Reads what was appended since everything was read; `None` when nothing was, or when not everything was read yet.
    pub fn follow(&self, log: &mut dyn Log) -> Result<Option<Batch>, Problem> {
        let mut work = self.work();
        if !self.outline().complete {
            return Ok(None);
        }
        let mut grown = false;
        for file in files(log) {
            loop {
                let (lines, ended) = step_on(log, file, work.at(file), STEP)?;
                if !lines.is_empty() {
                    grown = true;
                    self.change().reopen();
                    self.push(&lines);
                }
                if ended {
                    break;
                }
            }
        }
        if !grown {
            return Ok(None);
        }
        self.change().finish();
        Ok(Some(self.told(&mut work)))
    }

    fn push(&self, lines: &[Line]) {
        let mut outline = self.change();
        for line in lines {
            outline.push(line);
        }
    }

    fn told(&self, work: &mut Work) -> Batch {
        Batch { read_to: *work.at(OWN), ..self.change().batch() }
    }
}

/// The session's own file, then its sub-agents'.
fn files(log: &dyn Log) -> Vec<FileNo> {
    std::iter::once(OWN).chain(log.head().sides.iter().map(|side| side.file)).collect()
}

/// The next lines of a file, and whether it ends with them.
fn step_on(log: &mut dyn Log, file: FileNo, at: &mut u64, step: usize) -> Result<(Vec<Line>, bool), Problem> {
    let agent = log.head().sides.iter().find(|side| side.file == file).map(|side| side.agent_id.clone());
    let mut stretch = log.forward(file, *at, step, Depth::Outline)?;
    if let Some(agent) = agent {
        for line in &mut stretch.lines {
            // Everything in that file is the sub-agent's, whatever a single line says.
            line.sidechain = Some(agent.clone());
        }
    }
    *at = stretch.end.max(*at);
    let ended = stretch.at_end || stretch.lines.is_empty();
    Ok((stretch.lines, ended))
}
