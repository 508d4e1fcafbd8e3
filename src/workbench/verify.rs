//! Checks a ledger: its chain, its quotes against the session, and the database that holds it.

use std::collections::HashMap;

use super::pins::Pins;
use super::{Cancel, Problem, Reading};
use crate::record::Quote;
use crate::session::{Body, Depth, FileNo, Hash, Line, Log};

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
    let ledger = pins.ledger()?;
    let mut quotes: HashMap<String, Vec<(u32, &Quote, bool)>> = HashMap::new();
    for standing in &ledger.entries {
        if let Some(quote) = &standing.entry.draft.source {
            if Hash::of(quote.quote.as_bytes()) != quote.hash {
                wrong.push(format!("entry L{}: its quote is not what was quoted", standing.entry.no));
            }
            let id = quote.line_id.clone().unwrap_or_else(|| quote.turn_id.clone());
            quotes.entry(id).or_default().push((standing.entry.no, quote, false));
        }
    }
    if !quotes.is_empty() {
        if quotes.values().flatten().any(|(_, quote, _)| quote.line_id.is_none()) {
            // Where lines have no ids, a quote stands in any line of its turn; which those are, the whole session tells.
            reading.index(log, &Cancel::default(), &mut |_| ())?;
        }
        look_up(log, reading, &mut quotes)?;
    }
    let mut missing: Vec<u32> =
        quotes.values().flatten().filter(|(_, _, found)| !found).map(|(no, _, _)| *no).collect();
    missing.sort_unstable();
    wrong.extend(missing.iter().map(|no| format!("entry L{no}: the session does not hold its quote where it says")));
    Ok(wrong)
}

fn look_up(
    log: &mut dyn Log,
    reading: &Reading,
    quotes: &mut HashMap<String, Vec<(u32, &Quote, bool)>>,
) -> Result<(), Problem> {
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
                    *found |= holds(line, quote);
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

fn holds(line: &Line, quote: &Quote) -> bool {
    let Body::Message { parts, .. } = &line.body else { return false };
    parts
        .iter()
        .filter(|part| part.block == quote.part)
        .any(|part| part.text.get(quote.range.0..quote.range.1).is_some_and(|words| words == quote.quote))
}
