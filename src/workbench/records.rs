//! The records of markers: own ones from the store, others lifted from their summaries and tied to the turns they come
//! from. Whatever was tied once is kept while the session is open.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::answers::{self, Answers};
use super::pins::Pins;
use super::pool::{Next, in_order};
use super::{Cancel, MarkerRecord, Problem, Reading};
use crate::compile::{Original, RULES, Sources, Ties, Tying, lift, settle};
use crate::record::{Anchor, Record};
use crate::session::{
    Body, Compaction, Depth, FileNo, Line, Log, MarkerKey, Outline, PartSeq, Place, Ranges, SessionKey,
};

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
    /// Tells the record of each compaction, first without sources (`partial`) where they take time, then whole, as soon as
    /// what it reaches was read. All of them together are tied in one pass over the session.
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
        // A ledger that cannot be read is told where it is asked for; it is no reason to show no record.
        let reviews = pins.reviews().unwrap_or_default();
        let mut told = |compaction: &Compaction, record: &Arc<Record>, partial| {
            tell(MarkerRecord {
                reviewed: reviewed(&reviews, record, &session, &compaction.key),
                compaction: compaction.clone(),
                record: Arc::clone(record),
                checked: None,
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
            let one = Wanted { compaction, record: Record::clone(&record) };
            if !one.is_something() {
                told(&one.compaction, &record, false);
                lock(&self.tied).insert(key(&one.compaction), record);
                continue;
            }
            told(&one.compaction, &record, true);
            wanted.push(one);
        }
        tie(&wanted, log, reading, cancel, &mut |at, record| {
            let (compaction, record) = (&wanted[at].compaction, Arc::new(record));
            told(compaction, &record, false);
            lock(&self.tied).insert(key(compaction), record);
        })
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

impl Records {
    /// All of them, before their sources were looked for. Summaries are read one after the other and lifted by several
    /// threads.
    pub fn untied_all(
        &self,
        threads: usize,
        compactions: &[Compaction],
        log: &mut dyn Log,
        reading: &Reading,
        pins: &mut Pins,
    ) -> Result<Vec<Arc<Record>>, Problem> {
        let mut texts = Vec::new();
        for compaction in compactions {
            let known = lock(&self.untied).contains_key(&compaction.key);
            if known || compaction.own_record {
                self.untied(compaction, log, reading, pins)?;
                texts.push(None);
            } else {
                texts.push(Some(summary(compaction.summary, log)?));
            }
        }
        let work = |(): &mut (), no: usize| texts[no].as_deref().map(lift);
        in_order(
            threads,
            texts.len(),
            || (),
            work,
            |no, record| {
                let key = compactions[no].key.clone();
                record.map(|record| lock(&self.untied).insert(key, Arc::new(record)));
                Next::Go
            },
        );
        compactions.iter().map(|compaction| self.untied(compaction, log, reading, pins)).collect()
    }
}

/// A record whose items are to be tied to the turns that they come from. Of an own record, which names its sources,
/// only answers to its open items are looked for.
struct Wanted {
    compaction: Compaction,
    record: Record,
}

impl Wanted {
    fn is_something(&self) -> bool {
        let items = &self.record.items;
        if self.record.rules == 0 { items.iter().any(answers::is_open) } else { !items.is_empty() }
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
    let Some(mut record) = store.own_record(&session, &compaction.key)? else { return Ok(None) };
    let outline = reading.outline();
    for source in record.items.iter_mut().flat_map(|item| item.sources.iter_mut().chain(item.better.as_mut())) {
        if let Some(meta) = outline.turn_at(source.place.file, source.place.offset) {
            source.turn = outline.number(meta).unwrap_or_else(|| source.turn.clone());
            source.turn_id = meta.id.to_string();
        }
        source.seq = outline.seq(source.place).unwrap_or(source.seq);
    }
    let sources = record.items.iter_mut().map(|item| std::mem::take(&mut item.sources)).collect();
    settle(&mut record, sources);
    for item in record.items.iter_mut().filter(|item| item.sources.is_empty()) {
        item.why = Some("its record names no turn for it".to_owned());
    }
    Ok(Some(record))
}

/// The text of a summary; empty where there is none to read.
pub(super) fn summary(place: Option<Place>, log: &mut dyn Log) -> Result<String, Problem> {
    let Some(place) = place else { return Ok(String::new()) };
    let stretch = log.forward(place.file, place.offset, 1, Depth::Full)?;
    let line = stretch.lines.into_iter().find(|line| line.offset == place.offset);
    Ok(match line.map(|line| line.body) {
        Some(Body::Summary(summary)) => summary.text,
        Some(Body::Compaction { summary, .. }) => summary.map(|summary| summary.text).unwrap_or_default(),
        Some(Body::Message { .. } | Body::Note(_) | Body::Noise { .. } | Body::Unread { .. }) | None => String::new(),
    })
}

pub(super) fn reviewed(reviews: &[Anchor], record: &Record, session: &SessionKey, marker: &MarkerKey) -> Vec<usize> {
    let mut reviewed: Vec<usize> = reviews.iter().filter_map(|anchor| anchor.find(record, session, marker)).collect();
    reviewed.sort_unstable();
    reviewed.dedup();
    reviewed
}

/// Shows every original that the markers reach to their tying, and tells each record with its sources as soon as all that
/// it reaches has passed. Fewer are told when cancelled.
fn tie(
    wanted: &[Wanted],
    log: &mut dyn Log,
    reading: &Reading,
    cancel: &Cancel,
    tell: &mut dyn FnMut(usize, Record),
) -> Result<(), Problem> {
    let nothing = Record::default();
    let asked = |one: &'_ Wanted| one.record.rules != 0;
    let targets: Vec<_> =
        wanted.iter().map(|one| (if asked(one) { &one.record } else { &nothing }, &one.compaction.reaches)).collect();
    let mut listening =
        Listening { tying: Tying::new(&targets), answers: Answers::default(), reached: Ranges::default() };
    for (no, one) in wanted.iter().enumerate() {
        listening.reached.extend(&one.compaction.reaches);
        if !asked(one) {
            listening.answers.ask(no, &one.record, &one.compaction.reaches);
        }
    }
    let finished = |no: usize, sources: Sources, answers: &Answers| {
        let mut record = wanted[no].record.clone();
        if asked(&wanted[no]) {
            settle(&mut record, sources.iter().map(Ties::sources).collect());
        } else {
            answers.add(no, &mut record);
        }
        record
    };
    let mut waiting: HashSet<usize> = (0..wanted.len()).collect();
    let (from, to) = bounds(&reading.outline(), &listening.reached).unwrap_or_default();
    let mut at = from;
    while at < to {
        if cancel.is_cancelled() {
            return Ok(());
        }
        let stretch = log.forward(OWN, at, STEP, Depth::Full)?;
        let outline = reading.outline();
        for line in stretch.lines.iter().filter(|line| line.offset < to) {
            listening.show(line, &outline);
        }
        drop(outline);
        for (no, sources) in listening.tying.take_done() {
            waiting.remove(&no);
            tell(no, finished(no, sources, &listening.answers));
        }
        if stretch.at_end || stretch.lines.is_empty() {
            break;
        }
        at = stretch.end;
    }
    for (no, sources) in listening.tying.finish().into_iter().enumerate().filter(|(no, _)| waiting.contains(no)) {
        tell(no, finished(no, sources, &listening.answers));
    }
    Ok(())
}

/// What the originals are shown to.
struct Listening {
    tying: Tying,
    answers: Answers,
    reached: Ranges,
}

impl Listening {
    fn show(&mut self, line: &Line, outline: &Outline) {
        let Body::Message { parts, .. } = &line.body else { return };
        let Some(turn) = outline.turn_at(line.file, line.offset) else { return };
        let Some(no) = outline.number(turn) else { return };
        for part in parts {
            let place = line.place(part.block);
            let Some(seq) = outline.seq(place).filter(|seq| self.reached.contains(seq.0)) else { continue };
            let original = Original { part, place, line_id: line.id.as_deref(), seq, turn: &no, turn_id: &turn.id };
            self.tying.feed(&original);
            self.answers.hear(&original);
        }
    }
}

/// Where the first and after the last line of these parts stand.
fn bounds(outline: &Outline, parts: &Ranges) -> Option<(u64, u64)> {
    let first = parts.iter().next()?.start;
    let last = parts.iter().last()?.end;
    let from = outline.line_of(PartSeq(first))?.offset;
    let to = outline.line_of(PartSeq(last - 1))?.offset + 1;
    Some((from, to))
}
