//! `stet append`: parts from stdin while a session runs, acknowledged on stdout once they are committed.

use std::io::{BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, sync_channel};

use anyhow::{Context, Result};

use super::Bench;
use crate::cli::args::Append;
use crate::cli::print::{Out, Text};
use crate::cli::{Outcome, json};
use crate::session::SessionKey;
use crate::workbench::Appending;

/// The most lines in one commit.
const BATCH: usize = 1000;
/// A line longer than this is no part of anybody's.
const LONGEST: u64 = 256 * 1024 * 1024;

#[derive(serde::Serialize)]
struct Ack<'a> {
    ack: &'a str,
}

/// Ends at the first line that is refused: what was acknowledged before it stays stored.
pub(super) fn append(bench: &Bench, append: &Append) -> Result<Outcome> {
    let key = SessionKey::new(append.agent.clone(), append.session.clone());
    let mut appending = bench.bench.append(&key)?;
    let mut out = Out::new(Text::Raw);
    // Reading goes on while a commit waits for the disk: what came meanwhile is the next batch.
    let (send, lines) = sync_channel::<std::io::Result<Vec<u8>>>(4 * BATCH);
    std::thread::spawn(move || {
        let mut reader = BufReader::with_capacity(256 * 1024, std::io::stdin());
        loop {
            let mut line = Vec::new();
            match reader.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
                Ok(0) => return,
                Ok(_) if send.send(Ok(line)).is_err() => return,
                Ok(_) => {}
                Err(error) => {
                    let _ = send.send(Err(error));
                    return;
                }
            }
        }
    });
    while let Ok(first) = lines.recv() {
        batch(&mut appending, first, &lines, &mut out)?;
    }
    Ok(Outcome::Fine)
}

/// Takes what has come, commits it, acknowledges it.
fn batch(
    appending: &mut Appending,
    first: std::io::Result<Vec<u8>>,
    lines: &Receiver<std::io::Result<Vec<u8>>>,
    out: &mut Out,
) -> Result<()> {
    let mut batch = Vec::new();
    let mut failed = None;
    for line in std::iter::once(first).chain(lines.try_iter()).take(BATCH) {
        match line {
            Ok(line) => batch.push(line),
            Err(error) => failed = Some(error),
        }
    }
    let taken = appending.take(&batch)?;
    for id in &taken.acknowledged {
        writeln!(out, "{}", json::line(&Ack { ack: id })?)?;
    }
    out.flush()?;
    if let Some(refused) = taken.refused {
        anyhow::bail!(
            "cannot append {refused} (what was acknowledged is stored; this line and what follows it is not)"
        );
    }
    match failed {
        Some(error) => Err(error).context("cannot read stdin"),
        None => Ok(()),
    }
}
