//! Checks a ledger: its chain, its quotes against the session, and the database that holds it.

use std::collections::HashMap;

use super::pins::Pins;
use super::{Cancel, Problem, Reading};
use crate::record::{LedgerEntry, Quote, Quoted};
use crate::session::{Depth, FileNo, Log};

const STEP: usize = 4 * 1024 * 1024;

/// What is wrong, a sentence each; empty when all is well.
pub(super) fn verify(log: &mut dyn Log, reading: &Reading, pins: &mut Pins) -> Result<Vec<String>, Problem> {
    let key = log.head().key.clone();
    let Some(store) = pins.store()? else { return Ok(Vec::new()) };
    let mut wrong: Vec<String> =
        store.verify(&key)?.into_iter().map(|damage| format!("{}: {}", damage.what, damage.why)).collect();
    if store.holds(&key)? {
        // Its quotes were checked against the parts beside it.
        return Ok(wrong);
    }
    let entries = store.ledger(&key)?;
    wrong.extend(in_log(log, reading, &entries)?.into_iter().map(|(no, why)| format!("entry L{no}: {why}")));
    Ok(wrong)
}

/// Entries, by number, whose quotes do not stand in the session, and what is wrong with them.
pub(super) fn misquoted(
    log: &mut dyn Log,
    reading: &Reading,
    pins: &mut Pins,
    entries: &[LedgerEntry],
) -> Result<Vec<(u32, String)>, Problem> {
    let key = log.head().key.clone();
    let Some(store) = pins.store()? else { return in_log(log, reading, entries) };
    if !store.holds(&key)? {
        return in_log(log, reading, entries);
    }
    let wrong = store.misquoted(&key, entries)?;
    if wrong.is_empty() || store.path() == log.head().path {
        return Ok(wrong);
    }
    // The agent's file may have gone on since its lines were copied here.
    let is_wrong = |entry: &&LedgerEntry| wrong.iter().any(|(no, _)| *no == entry.no);
    in_log(log, reading, &entries.iter().filter(is_wrong).cloned().collect::<Vec<_>>())
}

fn in_log(log: &mut dyn Log, reading: &Reading, entries: &[LedgerEntry]) -> Result<Vec<(u32, String)>, Problem> {
    let mut quotes: Quotes = HashMap::new();
    for entry in entries {
        if let Some(quote) = &entry.draft.source {
            let id = quote.line_id.as_ref().unwrap_or(&quote.turn_id);
            quotes.entry(id).or_default().push((entry.no, quote, Quoted::Nowhere));
        }
    }
    if !quotes.is_empty() {
        if quotes.values().flatten().any(|(_, quote, _)| quote.line_id.is_none()) {
            // Where lines have no ids, a quote stands in any line of its turn; which those are, the whole session tells.
            reading.index(log, &Cancel::default(), &mut |_| ())?;
        }
        look_up(log, reading, &mut quotes)?;
    }
    let quotes = quotes.into_values().flatten();
    let mut wrong: Vec<_> = quotes.filter_map(|(no, quote, found)| Some((no, quote.fault(found)?))).collect();
    wrong.sort_unstable();
    Ok(wrong)
}

/// By the id of a line, or of a turn where the lines have none: numbers of entries, what they quote, and what was found.
type Quotes<'e> = HashMap<&'e str, Vec<(u32, &'e Quote, Quoted)>>;

fn look_up(log: &mut dyn Log, reading: &Reading, quotes: &mut Quotes) -> Result<(), Problem> {
    let files: Vec<FileNo> = std::iter::once(FileNo(0)).chain(log.head().sides.iter().map(|side| side.file)).collect();
    for file in files {
        let mut at = 0;
        loop {
            let stretch = log.forward(file, at, STEP, Depth::Full)?;
            let outline = reading.outline();
            for line in &stretch.lines {
                let turn = || outline.turn_at(line.file, line.offset).map(|turn| &*turn.id);
                let Some(id) = line.id.as_deref().or_else(turn) else { continue };
                for (_, quote, found) in quotes.get_mut(id).into_iter().flatten() {
                    *found = (*found).max(quote.in_line(line, |_| false));
                }
            }
            if stretch.at_end || stretch.lines.is_empty() {
                break;
            }
            at = stretch.end;
        }
    }
    Ok(())
}
