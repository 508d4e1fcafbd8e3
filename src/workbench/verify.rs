//! Checks a ledger: its chain, its quotes against the session, and the database that holds it.

use std::collections::HashMap;

use super::Problem;
use super::pins::Pins;
use crate::record::{Quote, entry_hash};
use crate::session::{Body, Depth, FileNo, Hash, Line, Log};

const STEP: usize = 4 * 1024 * 1024;

/// What is wrong, a sentence each; empty when all is well.
pub(super) fn verify(log: &mut dyn Log, pins: &mut Pins) -> Result<Vec<String>, Problem> {
    let ledger = pins.ledger()?;
    let mut wrong = Vec::new();
    let mut prev = Hash::ZERO;
    for (at, standing) in ledger.entries.iter().enumerate() {
        let entry = &standing.entry;
        if entry.no != at as u32 + 1 {
            wrong.push(format!("L{}: an entry is missing before it", entry.no));
        }
        if entry.prev != prev {
            wrong.push(format!("L{}: it does not follow the entry before it", entry.no));
        }
        if entry_hash(entry.no, &entry.session, entry.at, &entry.draft, entry.prev) != entry.hash {
            wrong.push(format!("L{}: it does not say what was entered (its hash is another)", entry.no));
        }
        prev = entry.hash;
    }
    let mut quotes: HashMap<String, Vec<(u32, &Quote, bool)>> = HashMap::new();
    for standing in &ledger.entries {
        if let Some(quote) = &standing.entry.draft.source {
            if Hash::of(quote.quote.as_bytes()) != quote.hash {
                wrong.push(format!("L{}: the quoted words have another hash", standing.entry.no));
            }
            let id = quote.line_id.clone().unwrap_or_else(|| quote.turn_id.clone());
            quotes.entry(id).or_default().push((standing.entry.no, quote, false));
        }
    }
    if !quotes.is_empty() {
        look_up(log, &mut quotes)?;
    }
    let mut missing: Vec<u32> =
        quotes.values().flatten().filter(|(_, _, found)| !found).map(|(no, _, _)| *no).collect();
    missing.sort_unstable();
    wrong.extend(missing.iter().map(|no| format!("L{no}: the session does not hold the quoted words at their place")));
    if let Some(store) = pins.store()? {
        wrong.extend(store.integrity()?);
    }
    Ok(wrong)
}

fn look_up(log: &mut dyn Log, quotes: &mut HashMap<String, Vec<(u32, &Quote, bool)>>) -> Result<(), Problem> {
    let files: Vec<FileNo> = std::iter::once(FileNo(0)).chain(log.head().sides.iter().map(|side| side.file)).collect();
    for file in files {
        let (mut at, mut index) = (0, 0_u64);
        loop {
            let stretch = log.forward(file, at, STEP, Depth::Full)?;
            for line in &stretch.lines {
                let id = line.id.clone().unwrap_or_else(|| index.to_string());
                if let Some(wanted) = quotes.get_mut(&id) {
                    for (_, quote, found) in wanted {
                        *found |= holds(line, quote);
                    }
                }
                index += 1;
            }
            if stretch.at_end || stretch.lines.is_empty() {
                break;
            }
            at = stretch.end;
        }
    }
    Ok(())
}

fn holds(line: &Line, quote: &Quote) -> bool {
    let Body::Message { parts, .. } = &line.body else { return false };
    parts.iter().filter(|part| part.block == quote.part).any(|part| {
        part.text.get(quote.range.0..quote.range.1).is_some_and(|words| words == quote.quote)
    })
}
