//! `stet append`: parts from stdin while a session runs, acknowledged on stdout once they are committed.

use std::io::{BufRead, BufReader, Read, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, ensure};

use super::Bench;
use crate::cli::args::Append;
use crate::cli::print::{Out, Text, Unheard, aside, note};
use crate::cli::{Outcome, json};
use crate::session::SessionKey;
use crate::view::{FIELDS, counted, noun};
use crate::workbench::{Quotes, Stays, StaysAs};

/// A line longer than this is no part of anybody's.
const LONGEST: u64 = 256 * 1024 * 1024;
/// Bytes that are read ahead while a commit waits for the disk.
const AHEAD: usize = 8 * 1024 * 1024;

#[derive(serde::Serialize)]
struct Ack<'a> {
    ack: &'a str,
}

/// Ends at the first line that is refused: what was acknowledged before it stays stored.
pub(super) fn append(bench: &Bench, append: &Append) -> Result<Outcome> {
    let id = &append.session;
    let is_path = id.starts_with(['.', '-']) || id.contains(['/', '#']);
    ensure!(
        !id.is_empty() && !is_path && !id.contains(char::is_control),
        "cannot append to a session with the id {id:?}: no other command could name it (an id has no /, no # and no control \
         character in it, and begins with neither . nor -)"
    );
    let agent = &append.agent;
    ensure!(
        !agent.is_empty() && !agent.contains(['/', '#', ':']) && !agent.contains(char::is_control),
        "cannot append to a session of the agent {agent:?}: no other command could name it (an agent's name has no /, no #, \
         no : and no control character in it)"
    );
    let key = SessionKey::new(append.agent.clone(), id.clone());
    let quotes = Quotes::named(&append.quotes).filter(|_| append.retention);
    let mut appending = bench.bench.append(&key, quotes)?;
    appending.forget_by(appending.own_rules()?)?;
    let mut out = Out::new(Text::Raw);
    // Reading goes on while a commit waits for the disk: what came meanwhile is the next batch.
    let queue = Arc::new(Queue::default());
    let ahead = Arc::clone(&queue);
    std::thread::spawn(move || read(std::io::stdin(), &ahead));
    while let Some(came) = queue.take() {
        let taken = appending.take(&came.lines)?;
        acknowledge(&mut out, &taken.acknowledged)?;
        if let Some(refused) = taken.refused {
            anyhow::bail!(
                "cannot append {refused} (what was acknowledged is stored; this line and what follows it is not)"
            );
        }
        if let Some(error) = came.failed {
            return Err(error).context("cannot read stdin");
        }
    }
    tell_kept(&appending.kept()?, append.kept);
    Ok(Outcome::Fine)
}

/// Whoever sends lines goes by what is acknowledged: where nobody reads that any more, no further line is taken.
fn acknowledge(out: &mut Out, ids: &[String]) -> Result<()> {
    for id in ids {
        let told = writeln!(out, "{}", json::line(&Ack { ack: id })?);
        told.map_err(unheard)?;
    }
    Ok(out.flush().map_err(unheard)?)
}

fn unheard(source: std::io::Error) -> Unheard {
    let what =
        "cannot acknowledge what is stored, and took no line behind it (send all that was not acknowledged again)";
    Unheard { what, source }
}

/// What stays of texts that went: counted by kind, or listed.
fn tell_kept(kept: &[Stays], list: bool) {
    let of = |kind: StaysAs| kept.iter().filter(move |one| one.kind == kind);
    let fields = FIELDS.into_iter().map(|field| (StaysAs::Item(field), noun(field)));
    let kinds = fields.chain([(StaysAs::Quote, "quote"), (StaysAs::Entry, "ledger entry")]);
    let kinds: Vec<(StaysAs, String)> = kinds
        .map(|(kind, one)| (kind, counted(of(kind).count() as u64, one)))
        .filter(|(kind, _)| of(*kind).next().is_some())
        .collect();
    if kinds.is_empty() {
        return;
    }
    let counts: Vec<&str> = kinds.iter().map(|(_, count)| count.as_str()).collect();
    let more = if list {
        " (besides ids, times, names of tools, lengths and hashes)"
    } else {
        " (--kept lists them; what goes is chosen with --quotes)"
    };
    note(&format!("of what went stays: {}{more}", counts.join(", ")));
    for (kind, count) in kinds.iter().filter(|_| list) {
        aside(&format!("  {count}:"));
        of(*kind).for_each(|one| aside(&format!("    {}  {}", one.by, one.words)));
    }
}

fn read(from: impl Read, queue: &Queue) {
    let mut reader = BufReader::with_capacity(256 * 1024, from);
    loop {
        let mut line = Vec::new();
        match reader.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
            Ok(0) => return queue.end(None),
            Ok(_) => queue.add(line),
            Err(error) => return queue.end(Some(error)),
        }
    }
}

/// Lines between the thread that reads them and the one that stores them; no more bytes than [`AHEAD`] and a line.
#[derive(Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    came: Came,
    bytes: usize,
    ended: bool,
}

/// What came since it was last asked.
#[derive(Default)]
struct Came {
    lines: Vec<Vec<u8>>,
    failed: Option<std::io::Error>,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, waiting: MutexGuard<'a, Waiting>) -> MutexGuard<'a, Waiting> {
        self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits while too much waits already.
    fn add(&self, line: Vec<u8>) {
        let mut waiting = self.lock();
        while waiting.bytes >= AHEAD {
            waiting = self.wait(waiting);
        }
        waiting.bytes += line.len();
        waiting.came.lines.push(line);
        self.changed.notify_all();
    }

    fn end(&self, failed: Option<std::io::Error>) {
        let mut waiting = self.lock();
        waiting.ended = true;
        waiting.came.failed = failed;
        self.changed.notify_all();
    }

    /// Everything that came, once there is something; `None` at the end.
    fn take(&self) -> Option<Came> {
        let mut waiting = self.lock();
        while waiting.came.lines.is_empty() && !waiting.ended {
            waiting = self.wait(waiting);
        }
        waiting.bytes = 0;
        let came = std::mem::take(&mut waiting.came);
        self.changed.notify_all();
        Some(came).filter(|came| !came.lines.is_empty() || came.failed.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_ahead_is_bounded_by_its_bytes_and_nothing_is_lost() {
        let line = format!("{}\n", "x".repeat(1 << 20));
        let given = line.repeat(40);
        let queue = Arc::new(Queue::default());
        let ahead = Arc::clone(&queue);
        let reading = std::thread::spawn(move || read(given.as_bytes(), &ahead));
        let mut lines = 0;
        while let Some(came) = queue.take() {
            let bytes: usize = came.lines.iter().map(Vec::len).sum();
            assert!(bytes <= AHEAD + line.len(), "{bytes}");
            lines += came.lines.len();
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert_eq!(lines, 40);
        assert!(reading.join().is_ok());
    }
}
