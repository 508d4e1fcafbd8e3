//! How far a session was read, shared by every desk on it: the outline, fed in steps, and what is needed to follow a
//! session that grows.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::pool::{self, Next};
use super::{Cancel, Problem};
use crate::session::{
    Batch, Body, Depth, FileNo, Line, Log, LogError, Outline, Part, PartKind, Place, Speaker, Stretch, Trouble,
};

/// The first step is small, so that the first markers and numbers come at once.
const FIRST_STEP: usize = 256 * 1024;
const OWN: FileNo = FileNo(0);
const STEP: usize = 4 * 1024 * 1024;

/// The outline of one open session and the work that feeds it.
#[derive(Default)]
pub(super) struct Reading {
    outline: RwLock<Outline>,
    work: Mutex<Work>,
    /// Sub-agents' files that began while the session was open: how many are known now, and a log that knows them.
    sides: AtomicUsize,
    newest: Mutex<Option<Box<dyn Log>>>,
    first_words: OnceLock<String>,
}

#[derive(Default)]
struct Work {
    /// How far each file was read, the session's own first.
    read: Vec<(FileNo, u64)>,
    /// Sub-agents' files that cannot be read: told once, and left alone.
    unreadable: Vec<FileNo>,
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

    /// How far each file was read, in the order of their numbers.
    pub fn read(&self) -> Vec<(FileNo, u64)> {
        let mut read = self.work().read.clone();
        read.sort_unstable();
        read
    }

    /// Reads everything once, in steps, from where an earlier reading stopped.
    pub fn index(&self, log: &mut dyn Log, cancel: &Cancel, tell: &mut dyn FnMut(Batch)) -> Result<(), Problem> {
        let mut work = self.work();
        if self.outline().complete {
            tell(self.told(log, &mut work));
            return Ok(());
        }
        let mut step = if *work.at(OWN) == 0 { FIRST_STEP } else { STEP };
        if *work.at(OWN) == 0 && log.has_forgotten() {
            // What was said there cannot be known any more: nothing is said to be invented or never said.
            self.change().starts_midway = true;
        }
        for file in files(log) {
            loop {
                if cancel.is_cancelled() {
                    return Ok(());
                }
                let (lines, ended) = self.step_on(log, file, &mut work, step)?;
                self.push(&lines);
                if file == OWN {
                    tell(self.told(log, &mut work));
                    if step == FIRST_STEP && !ended {
                        self.run_on(log, &mut work, cancel, tell)?;
                    }
                }
                step = STEP;
                if ended {
                    break;
                }
            }
        }
        self.change().finish();
        tell(self.told(log, &mut work));
        Ok(())
    }

    /// Reads the session's own file on by several threads, up to the last line that surely ends. Nothing where only a
    /// reading from its beginning tells where lines begin.
    fn run_on(
        &self,
        log: &mut dyn Log,
        work: &mut Work,
        cancel: &Cancel,
        tell: &mut dyn FnMut(Batch),
    ) -> Result<(), Problem> {
        let (threads, size) = (pool::threads(), log.size(OWN)?);
        let mut starts = vec![*work.at(OWN)];
        while let Some(next) = starts.last().map(|last| last + STEP as u64 / 2).filter(|next| *next < size) {
            match log.line_from(OWN, next)? {
                Some(start) if start < size => starts.push(start),
                Some(_) | None => break,
            }
        }
        if threads < 2 || starts.len() < 3 {
            return Ok(());
        }
        let logs = (0..threads).map(|_| log.again()).collect::<Result<Vec<_>, _>>()?;
        let logs = Mutex::new(logs);
        let mut failed = None;
        let take = || logs.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let read = |log: &mut Option<Box<dyn Log>>, no: usize| -> Result<Vec<Line>, LogError> {
            let (mut at, end, mut lines) = (starts[no], starts[no + 1], Vec::new());
            while let Some(log) = log.as_mut().filter(|_| at < end && !cancel.is_cancelled()) {
                let stretch = log.forward(OWN, at, (end - at) as usize, Depth::Outline)?;
                if stretch.lines.is_empty() {
                    break;
                }
                lines.extend(stretch.lines);
                at = stretch.end;
            }
            Ok(lines)
        };
        pool::in_order(threads, starts.len() - 1, take, read, |no, lines| match lines {
            Ok(lines) if !cancel.is_cancelled() => {
                self.push(&lines);
                let read_to = lines.last().map_or(0, |line| line.offset + line.len + 1);
                *work.at(OWN) = starts[no + 1].max(read_to);
                tell(self.told(log, work));
                Next::Go
            }
            Ok(_) => Next::Stop,
            Err(error) => {
                failed = Some(error);
                Next::Stop
            }
        });
        failed.map_or(Ok(()), |error| Err(error.into()))
    }

    /// Reads what was appended since everything was read; `None` when nothing was, or when not everything was read yet.
    pub fn follow(&self, log: &mut dyn Log) -> Result<Option<Batch>, Problem> {
        let mut work = self.work();
        if !self.outline().complete {
            return Ok(None);
        }
        if log.look_for_sides() > 0 {
            *self.newest.lock().unwrap_or_else(PoisonError::into_inner) = Some(log.again()?);
            self.sides.store(log.head().sides.len(), Ordering::Release);
        }
        let lengthened = self.lengthen(log, &mut work)?;
        let mut grown = lengthened.is_some();
        for file in files(log) {
            loop {
                let (lines, ended) = self.step_on(log, file, &mut work, STEP)?;
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
        Ok(Some(Batch { lengthened, ..self.told(log, &mut work) }))
    }

    /// Reads parts that came to the last line of a file after it was read: in a database lines are stored part by part.
    /// Where they are more than an end to what was read last, everything is to be read anew.
    fn lengthen(&self, log: &mut dyn Log, work: &mut Work) -> Result<Option<Place>, Problem> {
        if !log.head().rows {
            return Ok(None);
        }
        for (file, at) in work.read.clone() {
            let Some(last) = at.checked_sub(1) else { continue };
            let Some(line) = read(log, file, last, 1)?.lines.into_iter().next() else { continue };
            let Body::Message { parts, .. } = &line.body else { continue };
            let known = {
                let outline = self.outline();
                outline.line_at(file, line.offset).and_then(|at| outline.lines.get(at)).copied()
            };
            if known.is_none_or(|known| known.repeat || known.parts as usize >= parts.len()) {
                continue;
            }
            if !self.change().lengthen(&line) {
                *work = Work::default();
                let mut outline = self.change();
                *outline = Outline::default();
                outline.starts_midway = log.has_forgotten();
            }
            return Ok(Some(line.place(0)));
        }
        Ok(None)
    }

    /// A log that knows every sub-agent's file, where this one does not.
    pub fn newer(&self, log: &dyn Log) -> Result<Option<Box<dyn Log>>, Problem> {
        if self.sides.load(Ordering::Acquire) <= log.head().sides.len() {
            return Ok(None);
        }
        let newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(newest.as_ref().map(|newest| newest.again()).transpose()?)
    }

    /// The next lines of a file, and whether it ends with them. A sub-agent's file that cannot be read is a trouble of
    /// the session, not its end.
    fn step_on(
        &self,
        log: &mut dyn Log,
        file: FileNo,
        work: &mut Work,
        step: usize,
    ) -> Result<(Vec<Line>, bool), Problem> {
        if work.unreadable.contains(&file) {
            return Ok((Vec::new(), true));
        }
        match step_on(log, file, work.at(file), step) {
            Err(problem) if file != OWN => {
                work.unreadable.push(file);
                let why = format!("{problem:#}");
                self.change().troubles.push(Trouble { file, offset: 0, line: None, why });
                Ok((Vec::new(), true))
            }
            done => done,
        }
    }

    fn push(&self, lines: &[Line]) {
        let mut outline = self.change();
        for line in lines {
            outline.push(line);
        }
    }

    fn told(&self, log: &mut dyn Log, work: &mut Work) -> Batch {
        let batch = self.change().batch();
        Batch { read_to: *work.at(OWN), title: self.title(log), ..batch }
    }

    /// What the session is called: by a person or its agent, else in the words that it began with.
    pub fn title(&self, log: &mut dyn Log) -> Option<String> {
        named(&self.outline(), log).or_else(|| {
            if let Some(words) = self.first_words.get() {
                return Some(words.clone());
            }
            // Not kept while there are none: the first words may still be written.
            let words = first_words(log)?;
            Some(self.first_words.get_or_init(|| words).clone())
        })
    }
}

/// What a session is called, see [`Reading::title`].
pub(super) fn title(outline: &Outline, log: &mut dyn Log) -> Option<String> {
    named(outline, log).or_else(|| first_words(log))
}

fn named(outline: &Outline, log: &dyn Log) -> Option<String> {
    outline.title.clone().or_else(|| log.head().title.clone())
}

/// The beginning of the first thing that a person said, where it stands near the start. Where that is to go it names
/// nothing: the session would be called otherwise once it went.
fn first_words(log: &mut dyn Log) -> Option<String> {
    if log.forgets() {
        return None;
    }
    let stretch = log.forward(OWN, 0, FIRST_STEP, Depth::Full).ok()?;
    let own = stretch.lines.iter().filter(|line| line.sidechain.is_none());
    let parts = own.filter_map(|line| match &line.body {
        Body::Message { parts, .. } => Some(parts),
        _ => None,
    });
    let typed = |part: &&Part| part.speaker == Speaker::User && part.kind == PartKind::Text;
    parts.flatten().filter(typed).find_map(|part| beginning(&part.text))
}

/// At most so many characters of what somebody said name a session.
const TITLE: usize = 60;

fn beginning(text: &str) -> Option<String> {
    let mut words = String::new();
    for word in text.split_whitespace() {
        let long = words.chars().count() + word.chars().count() + 1;
        if long > TITLE {
            let rest: String = if words.is_empty() { word.chars().take(TITLE - 1).collect() } else { words };
            return Some(format!("{rest}…"));
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    Some(words).filter(|words| !words.is_empty())
}

/// The session's own file, then its sub-agents'.
fn files(log: &dyn Log) -> Vec<FileNo> {
    std::iter::once(OWN).chain(log.head().sides.iter().map(|side| side.file)).collect()
}

/// The next lines of a file, and whether it ends with them.
fn step_on(log: &mut dyn Log, file: FileNo, at: &mut u64, step: usize) -> Result<(Vec<Line>, bool), Problem> {
    let stretch = read(log, file, *at, step)?;
    *at = stretch.end.max(*at);
    let ended = stretch.at_end || stretch.lines.is_empty();
    Ok((stretch.lines, ended))
}

fn read(log: &mut dyn Log, file: FileNo, from: u64, budget: usize) -> Result<Stretch, LogError> {
    let agent = log.head().sides.iter().find(|side| side.file == file).map(|side| side.agent_id.clone());
    let mut stretch = log.forward(file, from, budget, Depth::Outline)?;
    if let Some(agent) = agent {
        for line in &mut stretch.lines {
            // Everything in that file is the sub-agent's, whatever a single line says.
            line.sidechain = Some(agent.clone());
        }
    }
    Ok(stretch)
}
