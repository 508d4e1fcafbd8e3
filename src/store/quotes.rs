//! Whether what entries quote still stands where they say. A line without an id is found by its turn, and a turn has more
//! lines than its first: results, and what an agent writes in pieces.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, named_params};

use super::anchors::unknown;
use super::rows::{self, Most};
use super::{Store, StoreError, forget, names, sessions};
use crate::record::{LedgerEntry, Quote, Quoted};
use crate::session::{Depth, FileNo, Outline, SessionKey, TurnMeta};

impl Store {
    /// Entries, by number, whose quotes do not stand in the lines of this session that are here, and what is wrong with
    /// them; all of them where none of its lines is.
    pub fn misquoted(&self, key: &SessionKey, entries: &[LedgerEntry]) -> Result<Vec<(u32, String)>, StoreError> {
        let session = rows::session_row(&self.conn, key)?.ok_or_else(|| StoreError::NoSession(key.to_string()))?;
        check(&self.conn, session, of(entries))
    }

    /// Entries, by number, whose words cannot be held against the session, for their text went: only who said it can.
    pub fn unquotable(&self, key: &SessionKey, entries: &[LedgerEntry]) -> Result<Vec<u32>, StoreError> {
        let Some(session) = rows::session_row(&self.conn, key)? else { return Ok(Vec::new()) };
        let found = look_up(&self.conn, session, of(entries))?;
        Ok(found.into_iter().filter(|(.., found)| *found == Quoted::Gone).map(|(no, ..)| no).collect())
    }
}

/// The number and the id of the turn in which each quote is to be looked for; `None` where no line of that name is here.
pub(super) fn places(
    conn: &Connection,
    session: i64,
    quotes: &[Quote],
) -> Result<Vec<Option<(String, String)>>, StoreError> {
    if quotes.is_empty() {
        return Ok(Vec::new());
    }
    let outline = sessions::outline(conn, session)?;
    let mut find = conn.prepare_cached(
        "SELECT file, seq FROM line WHERE session = :session AND id = :id AND kind = 'message' ORDER BY line LIMIT 1",
    )?;
    let mut places = Vec::with_capacity(quotes.len());
    for quote in quotes {
        let turn = match &quote.line_id {
            Some(id) => {
                let params = named_params! {":session": session, ":id": id};
                let line = find.query_row(params, |row| Ok((FileNo(row.get(0)?), row.get::<_, i64>(1)? as u64)));
                line.optional()?.and_then(|(file, seq)| outline.turn_at(file, seq))
            }
            None => turns(&outline, quote).first().map(|turn| &outline.turns[*turn as usize]),
        };
        let place = |turn: &TurnMeta| {
            let number = outline.number(turn).map(|no| no.to_string()).unwrap_or_default();
            (number, turn.id.to_string())
        };
        places.push(turn.map(place));
    }
    Ok(places)
}

/// What entries quote, with their numbers.
pub(super) fn of(entries: &[LedgerEntry]) -> impl Iterator<Item = (u32, &Quote)> {
    entries.iter().filter_map(|entry| Some((entry.no, entry.draft.source.as_ref()?)))
}

/// See [`Store::misquoted`].
pub(super) fn check<'q>(
    conn: &Connection,
    session: i64,
    quotes: impl Iterator<Item = (u32, &'q Quote)>,
) -> Result<Vec<(u32, String)>, StoreError> {
    let found = look_up(conn, session, quotes)?;
    Ok(found.into_iter().filter_map(|(no, quote, found)| Some((no, quote.fault(found)?))).collect())
}

/// What is found of each quote, with the number of its entry.
fn look_up<'q>(
    conn: &Connection,
    session: i64,
    quotes: impl Iterator<Item = (u32, &'q Quote)>,
) -> Result<Vec<(u32, &'q Quote, Quoted)>, StoreError> {
    let (mut looked_up, mut without_id) = (Vec::new(), Vec::new());
    for (no, quote) in quotes {
        match &quote.line_id {
            Some(id) => looked_up.push((no, quote, in_line(conn, session, id, quote)?)),
            None => without_id.push((no, quote)),
        }
    }
    if !without_id.is_empty() {
        let outline = sessions::outline(conn, session)?;
        let found = in_turns(conn, session, &outline, &without_id)?;
        looked_up.extend(without_id.into_iter().zip(found).map(|((no, quote), found)| (no, quote, found)));
    }
    Ok(looked_up)
}

/// Looks in the lines with this id.
fn in_line(conn: &Connection, session: i64, id: &str, quote: &Quote) -> Result<Quoted, StoreError> {
    let mut read = conn.prepare_cached(
        "SELECT text, mode = 'retention' AND text IS NULL AND length > 0, speaker
         FROM line JOIN session USING (session) JOIN part USING (line) LEFT JOIN part_text USING (part)
         WHERE line.session = :session AND part.block = :block AND line.id = :id",
    )?;
    let mut rows = read.query(named_params! {":session": session, ":block": quote.part, ":id": id})?;
    let mut found = Quoted::Nowhere;
    while let Some(row) = rows.next()? {
        let (text, gone, speaker): (Option<String>, bool, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let speaker = names::speaker_named(&speaker).ok_or_else(|| unknown("speaker", &speaker))?;
        let text = (!gone).then(|| text.unwrap_or_default());
        found = found.max(quote.in_part(speaker, text.as_deref()));
    }
    Ok(found)
}

/// Looks in every line of the quotes' turns that has no id of its own.
fn in_turns(
    conn: &Connection,
    session: i64,
    outline: &Outline,
    quotes: &[(u32, &Quote)],
) -> Result<Vec<Quoted>, StoreError> {
    let mut found = vec![Quoted::Nowhere; quotes.len()];
    let may_be_gone = sessions::in_retention(conn, session)?;
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
        let Some(stored) = page.first().filter(|stored| stored.line.id.is_none()) else { continue };
        let gone = if may_be_gone { forget::gone(conn, stored.row)? } else { Vec::new() };
        for at in asked {
            let is_gone = |block: u32| gone.iter().any(|(gone, ..)| *gone == block);
            found[*at] = found[*at].max(quotes[*at].1.in_line(&stored.line, is_gone));
        }
    }
    Ok(found)
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
