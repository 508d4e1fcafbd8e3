//! Things that the originals hold, and how many of them are held on to.
//!
//! Bounded by construction: of each field at most [`POOL`] things wait to matter, and what falls out of that is let go
//! unless a marker's record holds it; of a record at most so many items are kept that all markers together hold
//! [`ALL`]. The length of the session is in none of this.

use std::sync::Arc;

use foldhash::HashMap;

use crate::record::{Detail, Field, Item, Verdict};
use crate::session::{Hash, PartSeq, Place, SourceRef, Speaker, TurnNo};

/// So many things of one field may wait; when there are twice as many, the lighter half goes.
const POOL: usize = 1_500;
/// So many things the records of all markers hold together.
const ALL: usize = 40_000;
/// A record holds at least and at most so many.
const RECORD: (usize, usize) = (80, 900);

/// Where something stands, for all things of one part.
#[derive(Debug)]
pub(super) struct Where {
    pub place: Place,
    pub seq: u64,
    pub turn: u32,
    pub turn_id: String,
    pub line_id: Option<String>,
    pub speaker: Speaker,
}

/// Words at their place.
#[derive(Clone, Debug)]
pub(super) struct Words {
    pub at: Arc<Where>,
    pub range: (usize, usize),
    pub quote: String,
}

impl Words {
    pub fn source(&self) -> SourceRef {
        SourceRef {
            turn: TurnNo::main(self.at.turn),
            turn_id: self.at.turn_id.clone(),
            line_id: self.at.line_id.clone(),
            place: self.at.place,
            seq: PartSeq(self.at.seq),
            range: self.range,
            quote: self.quote.clone(),
            hash: Hash::of(self.quote.as_bytes()),
            speaker: self.at.speaker,
        }
    }
}

/// Where something was said behind a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mention {
    pub seq: u64,
    pub turn: u32,
    pub speaker: Speaker,
    /// How many markers stood before it.
    pub period: u32,
    /// The tokens of the part.
    pub tokens: u32,
}

/// One thing.
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of its own, and they go in all combinations")]
#[derive(Clone, Debug)]
pub(super) struct Thing {
    pub key: u64,
    pub field: Field,
    pub text: String,
    pub detail: Detail,
    pub words: Words,
    /// The words of the proposal or question that it settles.
    pub beside: Option<Words>,
    /// Where a person said it first, if that is another place.
    pub by_user: Option<Words>,
    /// Where an action named it first: sequence and turn.
    pub used: Option<(u64, u32)>,
    pub weight: f32,
    pub hedged: bool,
    pub firm: bool,
    pub asks: bool,
    pub named: bool,
    pub times: u32,
    pub last: u64,
    pub gist: Vec<u32>,
    /// Which call shows it: its number.
    pub evidence: Option<u32>,
    pub mentions: Vec<Mention>,
    /// It was taken back or answered.
    pub over: bool,
    /// How many records hold it.
    held: u32,
    pooled: bool,
}

impl Thing {
    pub fn new(key: u64, field: Field, text: String, words: Words, weight: f32) -> Self {
        Self {
            key,
            field,
            text,
            detail: Detail::Plain,
            last: words.at.seq,
            words,
            beside: None,
            by_user: None,
            used: None,
            weight,
            hedged: false,
            firm: false,
            asks: false,
            named: false,
            times: 1,
            gist: Vec::new(),
            evidence: None,
            mentions: Vec::new(),
            over: false,
            held: 0,
            pooled: false,
        }
    }

    /// What it weighs at this sequence: often and lately said counts for more.
    fn weight_at(&self, now: u64) -> f32 {
        let user =
            if self.words.at.speaker == Speaker::User { 0.0 } else { self.by_user.as_ref().map_or(0.0, |_| 3.0) };
        let used = self.used.map_or(0.0, |_| 1.5);
        let often = (self.times as f32).ln() * 0.4;
        let lately = if now == 0 { 0.0 } else { self.last as f32 / now as f32 };
        self.weight + user + used + often + lately * 0.5
    }

    pub fn item(&self, source: SourceRef, reached: &dyn Fn(u64) -> bool) -> Item {
        let mut sources = vec![source];
        sources.extend(self.beside.iter().filter(|words| reached(words.at.seq)).map(Words::source));
        Item {
            field: self.field,
            text: self.text.clone(),
            range: None,
            detail: self.detail.clone(),
            sources,
            verdict: Verdict::Verified,
            why: None,
            better: None,
            own: None,
        }
    }
}

/// A thing as one marker's record holds it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub thing: u32,
    pub times: u32,
    pub last: u64,
    pub weight: f32,
}

/// All things, by number.
#[derive(Debug, Default)]
pub(super) struct Things {
    all: Vec<Option<Thing>>,
    free: Vec<u32>,
    by_key: HashMap<u64, u32>,
    pools: [Vec<u32>; Field::ALL.len()],
}

impl Things {
    pub fn get(&self, no: u32) -> Option<&Thing> {
        self.all.get(no as usize)?.as_ref()
    }

    pub fn get_mut(&mut self, no: u32) -> Option<&mut Thing> {
        self.all.get_mut(no as usize)?.as_mut()
    }

    /// How many are held on to.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.all.len() - self.free.len()
    }

    pub fn find(&self, key: u64) -> Option<u32> {
        self.by_key.get(&key).copied()
    }

    /// Takes up a new thing.
    pub fn add(&mut self, thing: Thing) -> u32 {
        let (key, field, now) = (thing.key, thing.field, thing.last);
        let no = self.free.pop().unwrap_or(self.all.len() as u32);
        match self.all.get_mut(no as usize) {
            Some(slot) => *slot = Some(thing),
            None => self.all.push(Some(thing)),
        }
        self.by_key.insert(key, no);
        self.pool(no, field, now);
        no
    }

    /// Puts a thing that is said again back among those that wait.
    pub fn touch(&mut self, no: u32, now: u64) {
        if let Some(field) = self.get(no).filter(|thing| !thing.pooled).map(|thing| thing.field) {
            self.pool(no, field, now);
        }
    }

    /// Those of one field that wait, the newest first.
    pub fn waiting(&self, field: Field) -> impl Iterator<Item = u32> + '_ {
        self.pools[field as usize].iter().rev().copied()
    }

    fn pool(&mut self, no: u32, field: Field, now: u64) {
        if let Some(thing) = self.get_mut(no) {
            thing.pooled = true;
        }
        self.pools[field as usize].push(no);
        if self.pools[field as usize].len() >= 2 * POOL {
            self.trim(field, POOL, now);
        }
    }

    /// Heaviest first; what is behind the first `keep` waits no longer.
    fn trim(&mut self, field: Field, keep: usize, now: u64) {
        let mut pool = std::mem::take(&mut self.pools[field as usize]);
        pool.sort_by_cached_key(|no| {
            let weight = self.get(*no).filter(|thing| !thing.over).map_or(-1.0, |thing| thing.weight_at(now));
            (std::cmp::Reverse((weight * 1024.0) as i64), *no)
        });
        for no in pool.drain(keep.min(pool.len())..) {
            let Some(thing) = self.get_mut(no) else { continue };
            thing.pooled = false;
            if thing.held == 0 {
                let key = thing.key;
                self.all[no as usize] = None;
                self.free.push(no);
                if self.by_key.get(&key) == Some(&no) {
                    self.by_key.remove(&key);
                }
            }
        }
        self.pools[field as usize] = pool;
    }

    /// What a record of one of `markers` markers holds of what was said up to `now`, by field, heaviest first.
    pub fn held(&mut self, now: u64, markers: usize, reached: &dyn Fn(u64) -> bool) -> Vec<Held> {
        let room = (ALL / markers.max(1)).clamp(RECORD.0, RECORD.1);
        let mut held = Vec::new();
        for field in Field::ALL {
            self.trim(field, POOL, now);
            let share = match field {
                Field::Entities => room / 3,
                Field::Narrative => room / 5,
                Field::Figures => room / 8,
                Field::Constraints | Field::Decisions | Field::Actions | Field::RuledOut | Field::Open => room / 10,
            };
            let pool = self.pools[field as usize].clone();
            let mut left = share;
            for no in pool {
                let Some(thing) = self.get_mut(no).filter(|thing| !thing.over && reached(thing.words.at.seq)) else {
                    continue;
                };
                if left == 0 {
                    break;
                }
                left -= 1;
                thing.held += 1;
                held.push(Held { thing: no, times: thing.times, last: thing.last, weight: thing.weight_at(now) });
            }
        }
        held
    }
}
