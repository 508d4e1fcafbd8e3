//! The records of markers: own ones from the store, others lifted from their summaries and tied to the turns they come
//! from. Whatever was tied once is kept while the session is open.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::pins::Pins;
use super::{Cancel, MarkerRecord, Problem, Reading};
use crate::compile::lift::{RULES, lift};
use crate::compile::tie::{Original, Tying, settle};
use crate::record::{Anchor, Record};
use crate::session::{Body, Compaction, Depth, FileNo, Line, Log, MarkerKey, Outline, Place, Ranges, SessionKey};

const OWN: FileNo = FileNo(0);
const STEP: usize = 4 * 1024 * 1024;

/// What a tied record depends on: the marker with its summary, the rules, and what it reaches.
type Key = (MarkerKey, u32, Vec<(u64, u64)>);

/// Records that were made, shared by every desk on the session.
#[derive(Default)]
pub(super) struct Records {
    tied: Mutex<HashMap<Key, Arc<Record>>>,
    untied: Mutex<HashMap<MarkerKey, Arc<Record>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn key(compaction: &Compaction) -> Key {
    (compaction.key.clone(), RULES, compaction.reaches.iter().map(|range| (range.start, range.end)).collect())
}

impl Records {
    /// Tells the record of each compaction, first without sources (`partial`) where they take time, then whole. All of
    /// them together are tied in one pass over the session.
    pub fn tell(
        &self,
        compactions: Vec<Compaction>,
        log: &mut dyn Log,
        reading: &Reading,
        pins: &mut Pins,
        cancel: &Cancel,
        tell: &mut dyn FnMut(MarkerRecord),
    ) -> Result<(), Problem> {
        let session = log.head().key.clone();
        let reviews = pins.reviews()?;
        let mut told = |compaction: &Compaction, record: &Record, partial| {
            tell(MarkerRecord {
                reviewed: reviewed(&reviews, record, &session, &compaction.key),
                compaction: compaction.clone(),
                record: record.clone(),
                partial,
            });
        };
        let mut wanted = Vec::new();
        for compaction in compactions {
            let known = lock(&self.tied).get(&key(&compaction)).cloned();
            if let Some(record) = known {
                told(&compaction, &record, false);
                continue;
            }
            let record = self.untied(&compaction, log, reading, pins)?;
            if compaction.own_record || record.items.is_empty() {
                told(&compaction, &record, false);
                lock(&self.tied).insert(key(&compaction), record);
                continue;
            }
            told(&compaction, &record, true);
            let tying = Tying::new(&record);
            wanted.push((compaction, Record::clone(&record), tying));
        }
        if wanted.is_empty() || !tie(&mut wanted, log, reading, cancel)? {
            return Ok(());
        }
        for (compaction, mut record, tying) in wanted {
            settle(&mut record, tying);
            told(&compaction, &record, false);
            lock(&self.tied).insert(key(&compaction), Arc::new(record));
        }
        Ok(())
    }

    /// A record before its sources were looked for: enough to name its items.
    pub fn untied(
        &self,
        compaction: &Compaction,
        log: &mut dyn Log,
        reading: &Reading,
        pins: &mut Pins,
    ) -> Result<Arc<Record>, Problem> {
        if let Some(record) = lock(&self.untied).get(&compaction.key) {
            return Ok(Arc::clone(record));
        }
        let own = if compaction.own_record { own_record(compaction, log, reading, pins)? } else { None };
        let record = match own {
            Some(record) => record,
            None => lift(&summary(compaction.summary, log)?),
        };
        let record = Arc::new(record);
        lock(&self.untied).insert(compaction.key.clone(), Arc::clone(&record));
        Ok(record)
    }
}

fn own_record(
    compaction: &Compaction,
    log: &mut dyn Log,
    reading: &Reading,
    pins: &mut Pins,
) -> Result<Option<Record>, Problem> {
    let session = log.head().key.clone();
    let Some(store) = pins.store()? else { return Ok(None) };
    let Some(mut record) = store.own_record(&session, &compaction.key.id)? else { return Ok(None) };
    let outline = reading.outline();
    for source in record.items.iter_mut().flat_map(|item| item.sources.iter_mut().chain(item.better.as_mut())) {
        if let Some(meta) = outline.turn_at(source.place.file, source.place.offset) {
            source.turn = outline.number(meta).unwrap_or_else(|| source.turn.clone());
            source.turn_id = meta.id.to_string();
        }
        source.seq = outline.seq(source.place).unwrap_or(source.seq);
    }
    Ok(Some(record))
}

/// The text of a summary; empty where there is none to read.
fn summary(place: Option<Place>, log: &mut dyn Log) -> Result<String, Problem> {
    let Some(place) = place else { return Ok(String::new()) };
    let stretch = log.forward(place.file, place.offset, 1, Depth::Full)?;
    let line = stretch.lines.into_iter().find(|line| line.offset == place.offset);
    Ok(match line.map(|line| line.body) {
        Some(Body::Summary(summary)) => summary.text,
        Some(Body::Compaction { summary, .. }) => summary.map(|summary| summary.text).unwrap_or_default(),
        Some(Body::Message { .. } | Body::Note(_) | Body::Noise { .. } | Body::Unread { .. }) | None => String::new(),
    })
}

fn reviewed(reviews: &[Anchor], record: &Record, session: &SessionKey, marker: &MarkerKey) -> Vec<usize> {
    let mut reviewed: Vec<usize> =
        reviews.iter().filter_map(|anchor| anchor.find(record, session, marker)).collect();
    reviewed.sort_unstable();
    reviewed.dedup();
    reviewed
}

/// Shows every original that a marker reaches to its tying. False when cancelled.
fn tie(
    wanted: &mut [(Compaction, Record, Tying)],
    log: &mut dyn Log,
    reading: &Reading,
    cancel: &Cancel,
) -> Result<bool, Problem> {
    let mut all = Ranges::default();
    wanted.iter().for_each(|(compaction, ..)| all.extend(&compaction.reaches));
    let Some((from, to)) = bounds(&reading.outline(), &all) else { return Ok(true) };
    let mut at = from;
    while at < to {
        if cancel.is_cancelled() {
            return Ok(false);
        }
        let stretch = log.forward(OWN, at, STEP, Depth::Full)?;
        let outline = reading.outline();
        for line in stretch.lines.iter().filter(|line| line.offset < to) {
            show(line, &outline, wanted);
        }
        if stretch.at_end || stretch.lines.is_empty() {
            break;
        }
        at = stretch.end;
    }
    Ok(true)
}

/// Where the first and after the last line of these parts stand.
fn bounds(outline: &Outline, parts: &Ranges) -> Option<(u64, u64)> {
    let first = parts.iter().next()?.start;
    let last = parts.iter().last()?.end;
    let from = outline.line_of(crate::session::PartSeq(first))?.offset;
    let to = outline.line_of(crate::session::PartSeq(last - 1))?.offset + 1;
    Some((from, to))
}

fn show(line: &Line, outline: &Outline, wanted: &mut [(Compaction, Record, Tying)]) {
    let Body::Message { parts, .. } = &line.body else { return };
    let Some(at) = outline.line_at(line.file, line.offset) else { return };
    let meta = &outline.lines[at];
    let Some(turn) = meta.turn.and_then(|turn| outline.turns.get(turn as usize)) else { return };
    let Some(no) = outline.number(turn) else { return };
    for part in parts {
        let place = line.place(part.block);
        let Some(seq) = outline.seq(place) else { continue };
        let original = Original {
            turn: no.clone(),
            turn_id: turn.id.to_string(),
            line_id: line.id.clone(),
            place,
            seq,
            part,
        };
        for (_, _, tying) in wanted.iter_mut().filter(|(compaction, ..)| compaction.reaches.contains(seq.0)) {
            tying.see(&original);
        }
    }
}
