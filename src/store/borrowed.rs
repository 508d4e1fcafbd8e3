//! Items that the record of a span has from records before it, word for word: they are stored as the places where they
//! stand, and come out as if they were stored with it. A place is always that of a row, never of what is borrowed itself.

use foldhash::{HashMap, HashMapExt};
use rusqlite::{Connection, OptionalExtension, named_params};
use serde::{Deserialize, Serialize};

use super::StoreError;
use super::closed::KeptRun;
use super::records::{self, KeptItem, KeptSource, NewItem, NewSource, Of};
use crate::record::{Block, Field, Item, Span};
use crate::session::Place;

/// An item by its record's row and its ordinal there.
pub(super) type ItemAt = (i64, u32);
/// A source by its item and its number there.
pub(super) type SourceAt = (i64, u32, u32);

/// An item of a span: its ordinal, where its words stand, and where each of its sources stands.
#[derive(Serialize, Deserialize)]
pub(super) struct Borrowed(pub(super) u32, pub(super) ItemAt, pub(super) Vec<SourceAt>);

/// What records before a span hold.
pub(super) struct Lenders {
    items: Vec<KeptItem>,
    /// Indexes of items.
    by_words: HashMap<(Field, String), Vec<usize>>,
    /// An item's index and the source's.
    by_range: HashMap<(Place, (usize, usize)), (usize, usize)>,
}

impl Lenders {
    /// What covers these blocks: the records of the widest spans over them, and of the blocks that no span is over.
    pub(super) fn below(
        conn: &Connection,
        blocks: &[KeptRun<Block>],
        spans: &[KeptRun<Span>],
    ) -> Result<Self, StoreError> {
        let mut lenders = Self { items: Vec::new(), by_words: HashMap::new(), by_range: HashMap::new() };
        let end = |span: &KeptRun<Span>| blocks.iter().position(|kept| kept.block.no == span.block.blocks.1);
        let mut at = 0;
        while let Some(first) = blocks.get(at) {
            let here = spans.iter().filter(|span| span.block.blocks.0 == first.block.no);
            let widest = here.filter_map(|span| Some((end(span)?, span.record))).max();
            let (last, row) = widest.filter(|(last, _)| *last >= at).unwrap_or((at, first.record));
            lenders.items.extend(records::kept(conn, row, "", Of::Run)?.items);
            at = last + 1;
        }
        for (at, kept) in lenders.items.iter().enumerate() {
            lenders.by_words.entry((kept.item.field, kept.item.text.clone())).or_default().push(at);
            for (nth, source) in kept.item.sources.iter().enumerate() {
                lenders.by_range.insert((source.place, source.range), (at, nth));
            }
        }
        Ok(lenders)
    }

    /// The item as it can be borrowed; `None` where it, or a source of it, stands in none of the records. A draft is
    /// always the span's own.
    pub(super) fn lend(&self, item: &Item) -> Option<NewItem> {
        if item.why.is_some() {
            return None;
        }
        let (field, text, detail) = (item.field, item.text.clone(), item.detail.clone());
        let known = self.by_words.get(&(field, text.clone()))?;
        let kept = known.iter().map(|at| &self.items[*at]).find(|kept| kept.item.detail == detail)?;
        let (mut sources, mut places) = (Vec::new(), Vec::new());
        for given in &item.sources {
            let (at, nth) = *self.by_range.get(&(given.place, given.range))?;
            let (source, KeptSource { part, part_id, at }) =
                (&self.items[at].item.sources[nth], &self.items[at].sources[nth]);
            if (&source.quote, source.hash, source.seq) != (&given.quote, given.hash, given.seq) {
                return None;
            }
            sources.push(NewSource {
                part: *part,
                part_id: part_id.clone(),
                range: source.range,
                quote: source.quote.clone(),
                hash: source.hash,
                seq: Some(source.seq.0),
            });
            places.push(*at);
        }
        Some(NewItem { field, text, detail, sources, borrowed: Some((kept.at, places)) })
    }
}

/// Stores what a record borrows.
pub(super) fn insert(tx: &Connection, record: i64, items: &[Borrowed]) -> Result<(), StoreError> {
    if items.is_empty() {
        return Ok(());
    }
    // Numbers alone: there is nothing that cannot be written.
    let items = serde_json::to_string(items).map_err(|error| StoreError::Row(error.to_string()))?;
    tx.prepare_cached("INSERT INTO borrowed (record, items) VALUES (:record, :items)")?
        .execute(named_params! {":record": record, ":items": items})?;
    Ok(())
}

/// Adds what a record borrows to its own items, in their order. What does not stand there any more is left out: the seal
/// of the record tells it.
pub(super) fn add(conn: &Connection, record: i64, id: &str, items: &mut Vec<KeptItem>) -> Result<(), StoreError> {
    if !conn.table_exists(None, "borrowed")? {
        return Ok(());
    }
    let mut read = conn.prepare_cached("SELECT items FROM borrowed WHERE record = :record")?;
    let found: Option<String> = read.query_row(named_params! {":record": record}, |row| row.get(0)).optional()?;
    let Some(found) = found else { return Ok(()) };
    let borrowed: Vec<Borrowed> = serde_json::from_str(&found)
        .map_err(|error| StoreError::Row(format!("what the record of {id} borrows is no list of places: {error}")))?;
    let mut lenders: HashMap<i64, Vec<KeptItem>> = HashMap::new();
    let places = borrowed
        .iter()
        .flat_map(|Borrowed(_, at, sources)| std::iter::once(at.0).chain(sources.iter().map(|(record, _, _)| *record)));
    for lender in places {
        if let std::collections::hash_map::Entry::Vacant(vacant) = lenders.entry(lender) {
            vacant.insert(records::stored(conn, lender, "", Of::Run)?.items);
        }
    }
    let stands = |(record, ordinal): ItemAt| {
        let items = lenders.get(&record)?;
        items.binary_search_by_key(&ordinal, |kept| kept.at.1).ok().map(|at| &items[at])
    };
    for Borrowed(ordinal, at, sources) in borrowed {
        let Some(lent) = stands(at) else { continue };
        let own = Some((id.to_owned(), ordinal));
        let mut kept =
            KeptItem { item: Item { own, sources: Vec::new(), ..lent.item.clone() }, at, sources: Vec::new() };
        for at @ (record, ordinal, nth) in sources {
            let Some(lent) = stands((record, ordinal)) else { continue };
            let Some(place) = lent.sources.iter().position(|source| source.at.2 == nth) else { continue };
            kept.item.sources.push(lent.item.sources[place].clone());
            kept.sources.push(KeptSource { at, ..lent.sources[place].clone() });
        }
        items.push(kept);
    }
    items.sort_by_key(|kept| kept.item.own.as_ref().map(|(_, ordinal)| *ordinal));
    Ok(())
}
