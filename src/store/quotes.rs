//! Whether what entries quote still stands where they say. A line without an id is found by its turn, and a turn has more
//! lines than its first: results, and what an agent writes in pieces.

use std::collections::HashMap;

use rusqlite::{Connection, named_params};

use super::rows::{self, Most};
use super::verify::Damage;
use super::{StoreError, sessions};
use crate::record::{LedgerEntry, Quote};
use crate::session::{Body, Depth, FileNo, Hash, Line, Outline, TurnMeta};

/// What was found of a quote.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Nothing,
    /// Its line, or a line of its turn.
    Place,
    Words,
}

/// Checks every quote of these entries.
pub(super) fn check(
    conn: &Connection,
    session: i64,
    entries: &[LedgerEntry],
    damages: &mut Vec<Damage>,
) -> Result<(), StoreError> {
    let mut without_id = Vec::new();
    for entry in entries {
        let Some(quote) = &entry.draft.source else { continue };
        if Hash::of(quote.quote.as_bytes()) != quote.hash {
            damages.push(Damage::new(format!("entry L{}", entry.no), "its quote is not what was quoted"));
        } else if let Some(id) = &quote.line_id {
            tell(entry.no, quote, in_line(conn, session, id, quote)?, damages);
        } else {
            without_id.push((entry.no, quote));
        }
    }
    if without_id.is_empty() {
        return Ok(());
    }
    let outline = sessions::outline(conn, session)?;
    let found = in_turns(conn, session, &outline, &without_id)?;
    // Of a turn whose text went nothing can be told.
    let may_be_gone = sessions::in_retention(conn, session)?;
    for ((no, quote), found) in without_id.into_iter().zip(found) {
        if found == Found::Place && may_be_gone {
            continue;
        }
        tell(no, quote, found, damages);
    }
    Ok(())
}

fn tell(no: u32, quote: &Quote, found: Found, damages: &mut Vec<Damage>) {
    let why = match found {
        Found::Words => return,
        Found::Nothing => format!("the turn {} that it quotes is not here", quote.turn_id),
        Found::Place => format!("its quote is not in turn {} where it says", quote.turn_id),
    };
    damages.push(Damage::new(format!("entry L{no}"), why));
}

/// Looks in the lines with this id.
fn in_line(conn: &Connection, session: i64, id: &str, quote: &Quote) -> Result<Found, StoreError> {
    let mut read = conn.prepare_cached(
        "SELECT text, mode = 'retention' AND text IS NULL AND length > 0
         FROM line JOIN session USING (session) JOIN part USING (line) LEFT JOIN part_text USING (part)
         WHERE line.session = :session AND part.block = :block AND line.id = :id",
    )?;
    let mut rows = read.query(named_params! {":session": session, ":block": quote.part, ":id": id})?;
    let mut found = Found::Nothing;
    while let Some(row) = rows.next()? {
        let (text, gone): (Option<String>, bool) = (row.get(0)?, row.get(1)?);
        if gone || says(text.as_deref().unwrap_or_default(), quote) {
            return Ok(Found::Words);
        }
        found = Found::Place;
    }
    Ok(found)
}

fn says(text: &str, quote: &Quote) -> bool {
    text.get(quote.range.0..quote.range.1).is_some_and(|words| words == quote.quote)
}

/// Looks in every line of the quotes' turns that has no id of its own.
fn in_turns(
    conn: &Connection,
    session: i64,
    outline: &Outline,
    quotes: &[(u32, &Quote)],
) -> Result<Vec<Found>, StoreError> {
    let mut found = vec![Found::Nothing; quotes.len()];
    // Index of a turn, and which quotes name it.
    let mut named: HashMap<u32, Vec<usize>> = HashMap::new();
    for (at, (_, quote)) in quotes.iter().enumerate() {
        for turn in turns(outline, quote) {
            named.entry(turn).or_default().push(at);
        }
    }
    for meta in &outline.lines {
        let Some(asked) = meta.turn.and_then(|turn| named.get(&turn)) else { continue };
        let page = rows::forward(conn, session, meta.file, meta.offset, Most::lines(1), Depth::Full)?;
        let Some(line) = page.first().map(|stored| &stored.line).filter(|line| line.id.is_none()) else { continue };
        for at in asked {
            found[*at] = better(found[*at], holds(line, quotes[*at].1));
        }
    }
    Ok(found)
}

fn better(one: Found, other: Found) -> Found {
    match (one, other) {
        (Found::Words, _) | (_, Found::Words) => Found::Words,
        (Found::Place, _) | (_, Found::Place) => Found::Place,
        (Found::Nothing, Found::Nothing) => Found::Nothing,
    }
}

fn holds(line: &Line, quote: &Quote) -> Found {
    let Body::Message { parts, .. } = &line.body else { return Found::Nothing };
    let here = parts.iter().any(|part| part.block == quote.part && says(&part.text, quote));
    if here { Found::Words } else { Found::Place }
}

/// The turns that a quote may mean. A turn without an id is called by its line, and each file has such a line: where one
/// has the very number that the quote shows, the others are in other files.
fn turns(outline: &Outline, quote: &Quote) -> Vec<u32> {
    let named = |turn: &TurnMeta| *turn.id == *quote.turn_id;
    let numbered = |turn: &TurnMeta| outline.number(turn).is_some_and(|no| no.to_string() == quote.turn);
    let all = || (0..).zip(&outline.turns).filter(|(_, turn)| named(turn));
    let same_file: Vec<FileNo> = all().filter(|(_, turn)| numbered(turn)).map(|(_, turn)| turn.place.file).collect();
    all()
        .filter(|(_, turn)| same_file.is_empty() || same_file.contains(&turn.place.file))
        .map(|(index, _)| index)
        .collect()
}
