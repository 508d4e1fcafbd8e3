//! The stored parts that the items of a record rest on. Nothing is quoted that nobody said.

use foldhash::{HashMap, HashMapExt};
use rusqlite::{Connection, OptionalExtension, named_params};

use super::StoreError;
use super::records::NewSource;
use super::rows::int;
use super::runs::Passed;
use crate::session::{Hash, Place, SourceRef};

/// Whether the words of a record can be held against the originals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Texts {
    /// They must be.
    Here,
    /// They must be. Of those that are not kept the record names the hash alone.
    ToGo,
    /// They went before the record came: it is taken from an export.
    MayBeGone,
}

struct Found {
    row: i64,
    id: String,
    /// `None` where it is gone.
    text: Option<String>,
}

/// Looks for parts, each once.
pub(super) struct Finder<'c> {
    conn: &'c Connection,
    session: i64,
    texts: Texts,
    /// Parts whose rows are known.
    known: HashMap<Place, Passed>,
    found: HashMap<Place, Option<Found>>,
}

impl<'c> Finder<'c> {
    pub(super) fn on(conn: &'c Connection, session: i64, texts: Texts) -> Self {
        Self::knowing(conn, session, texts, Vec::new())
    }

    /// The rows of these parts need not be looked for.
    pub(super) fn knowing(conn: &'c Connection, session: i64, texts: Texts, parts: Vec<Passed>) -> Self {
        let known = parts.into_iter().map(|part| (part.place, part)).collect();
        Self { conn, session, texts, known, found: HashMap::new() }
    }

    /// The source as it is stored, or why it cannot be.
    pub(super) fn find(&mut self, source: &SourceRef) -> Result<Result<NewSource, String>, StoreError> {
        let place = source.place;
        if !self.found.contains_key(&place) {
            let found = self.look(place)?;
            self.found.insert(place, found);
        }
        let Some(Some(part)) = self.found.get(&place) else {
            let (line, block) = (place.offset.saturating_add(1), place.part);
            return Ok(Err(format!("its source is block {block} of line {line}, which is not here")));
        };
        let (start, end) = source.range;
        // Where the words were not to be kept, their hash stands for them.
        let by_hash = self.texts != Texts::Here && source.quote.is_empty();
        let said =
            |words: &str| if by_hash { Hash::of(words.as_bytes()) == source.hash } else { words == source.quote };
        let stands = match &part.text {
            // Of a part without a word its place is the source.
            Some(text) => text.get(start..end).is_some_and(said) && (start < end || text.is_empty()),
            None => self.texts == Texts::MayBeGone && start < end,
        };
        if !stands {
            return Ok(Err(format!("the quote {:?} is not in part {} at {start}..{end}", source.quote, part.id)));
        }
        Ok(Ok(NewSource {
            part: part.row,
            part_id: part.id.clone(),
            range: source.range,
            quote: source.quote.clone(),
            hash: if part.text.is_some() && !by_hash { Hash::of(source.quote.as_bytes()) } else { source.hash },
            seq: Some(source.seq.0),
        }))
    }

    fn look(&mut self, place: Place) -> Result<Option<Found>, StoreError> {
        if let Some(Passed { row, id, length, .. }) = self.known.remove(&place) {
            let mut read = self.conn.prepare_cached("SELECT text FROM part_text WHERE part = :part")?;
            let text: Option<String> = read.query_row(named_params! {":part": row}, |row| row.get(0)).optional()?;
            return Ok(Some(Found { row, id, text: text.or_else(|| (length == 0).then(String::new)) }));
        }
        let mut find = self.conn.prepare_cached(
            "SELECT part, part.id, text, length
             FROM line JOIN part USING (line) LEFT JOIN part_text USING (part)
             WHERE line.session = :session AND line.file = :file AND line.seq = :seq AND block = :block",
        )?;
        let place = named_params! {
            ":session": self.session, ":file": place.file.0, ":seq": int(place.offset), ":block": place.part,
        };
        let found = find.query_row(place, |row| {
            let text: Option<String> = row.get(2)?;
            let empty = row.get::<_, i64>(3)? == 0;
            Ok(Found { row: row.get(0)?, id: row.get(1)?, text: text.or_else(|| empty.then(String::new)) })
        });
        Ok(found.optional()?)
    }
}
