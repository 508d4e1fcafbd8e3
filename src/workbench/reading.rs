//! How far a session was read, shared by every desk on it: the outline, fed in steps, and what is needed to follow a
//! session that grows.

use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::{Cancel, Problem};
use crate::session::{Batch, Depth, FileNo, Line, Log, Outline};

/// The first step is small, so that the first markers and numbers come at once.
const FIRST_STEP: usize = 256 * 1024;
const STEP: usize = 4 * 1024 * 1024;

/// The outline of one open session and the work that feeds it.
#[derive(Default)]
pub(super) struct Reading {
    outline: RwLock<Outline>,
    work: Mutex<Work>,
}

#[derive(Default)]
struct Work {
    /// How far the session's own file was read.
    main: u64,
    /// How far each sub-agent's file was read.
    sides: Vec<(FileNo, u64)>,
    /// The outline before the sub-agents' files: lines of the session's own file always come before theirs, so what is
    /// appended to it goes here first. `None` where there are no such files.
    main_only: Option<Outline>,
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
            tell(self.change().batch());
            return Ok(());
        }
        let mut step = if work.main == 0 { FIRST_STEP } else { STEP };
        while work.main_only.is_none() {
            if cancel.is_cancelled() {
                return Ok(());
            }
            let stretch = log.forward(FileNo(0), work.main, step, Depth::Outline)?;
            let mut batch = {
                let mut outline = self.change();
                for line in &stretch.lines {
                    outline.push(line);
                }
                outline.batch()
            };
            work.main = stretch.end;
            batch.read_to = stretch.end;
            tell(batch);
            step = STEP;
            if stretch.at_end || stretch.lines.is_empty() {
                break;
            }
        }
        let sides: Vec<_> = log.head().sides.iter().map(|side| (side.file, side.agent_id.clone())).collect();
        if !sides.is_empty() && work.main_only.is_none() {
            work.main_only = Some(self.outline().clone());
        }
        for (file, agent) in sides.into_iter().skip(work.sides.len()) {
            let Some((lines, end)) = side_lines(log, file, &agent, cancel)? else { return Ok(()) };
            let mut outline = self.change();
            for line in &lines {
                outline.push(line);
            }
            work.sides.push((file, end));
        }
        let mut batch = {
            let mut outline = self.change();
            outline.finish();
            outline.batch()
        };
        batch.read_to = work.main;
        tell(batch);
        Ok(())
    }

    /// Reads what was appended since everything was read; `None` when nothing was, or when not everything was read yet.
    pub fn follow(&self, log: &mut dyn Log) -> Result<Option<Batch>, Problem> {
        let mut work = self.work();
        if !self.outline().complete {
            return Ok(None);
        }
        let mut lines = Vec::new();
        loop {
            let stretch = log.forward(FileNo(0), work.main, STEP, Depth::Outline)?;
            let done = stretch.at_end || stretch.lines.is_empty();
            work.main = stretch.end.max(work.main);
            lines.extend(stretch.lines);
            if done {
                break;
            }
        }
        let mut grown = !lines.is_empty();
        for (file, end) in &work.sides {
            grown |= log.size(*file)? > *end;
        }
        if !grown {
            return Ok(None);
        }
        let rebuilt = if let Some(main) = &mut work.main_only {
            for line in &lines {
                main.push(line);
            }
            let mut outline = main.clone();
            let sides: Vec<_> = log.head().sides.iter().map(|side| (side.file, side.agent_id.clone())).collect();
            let mut ends = Vec::new();
            for (file, agent) in sides {
                let Some((lines, end)) = side_lines(log, file, &agent, &Cancel::default())? else { continue };
                for line in &lines {
                    outline.push(line);
                }
                ends.push((file, end));
            }
            Some((outline, ends))
        } else {
            None
        };
        let mut outline = self.change();
        match rebuilt {
            Some((new, ends)) => {
                *outline = new;
                work.sides = ends;
            }
            None => {
                outline.reopen();
                for line in &lines {
                    outline.push(line);
                }
            }
        }
        outline.finish();
        let mut batch = outline.batch();
        batch.read_to = work.main;
        Ok(Some(batch))
    }
}

/// All lines of a sub-agent's file, marked as its own, and where they end; `None` when cancelled.
fn side_lines(
    log: &mut dyn Log,
    file: FileNo,
    agent: &str,
    cancel: &Cancel,
) -> Result<Option<(Vec<Line>, u64)>, Problem> {
    let (mut lines, mut at) = (Vec::new(), 0);
    loop {
        if cancel.is_cancelled() {
            return Ok(None);
        }
        let stretch = log.forward(file, at, STEP, Depth::Outline)?;
        let done = stretch.at_end || stretch.lines.is_empty();
        at = stretch.end.max(at);
        lines.extend(stretch.lines);
        if done {
            break;
        }
    }
    for line in &mut lines {
        // Everything in that file is the sub-agent's, whatever a single line says.
        line.sidechain = Some(agent.to_owned());
    }
    Ok(Some((lines, at)))
}
