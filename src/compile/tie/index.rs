//! From a run of a text to the features that it may stand for.

use std::ops::Range;

use crate::extract::runs::{ByKey, Filter, key_of, runs};
use crate::extract::stem;
use foldhash::{HashMap, HashMapExt};

use super::features::Feature;

/// Where a feature may begin.
#[derive(Clone, Copy, Debug)]
pub struct Anchor {
    pub feature: u32,
    /// Where in the feature's bytes the run stands.
    pub offset: u32,
    /// The feature's bytes on both sides of the run; 0 where it ends there.
    marks: [u8; 2],
}

impl Anchor {
    /// Whether the feature may stand at a run with these bytes on its sides: most places are told without a look at it.
    #[inline]
    pub fn fits(&self, sides: [u8; 2]) -> bool {
        (0..2).all(|side| self.marks[side] == 0 || self.marks[side] == sides[side])
    }
}

/// The bytes on both sides of a run; 0 where the text ends there.
#[inline]
pub fn sides(text: &[u8], run: &Range<usize>) -> [u8; 2] {
    let before = run.start.checked_sub(1).map_or(0, |at| text[at]);
    [before, text.get(run.end).copied().unwrap_or(0)]
}

/// All features by a run that stands in them: those that are found by their bytes, and those that are stems.
pub struct Index {
    bytes: Rows<Anchor>,
    short: ByKey<Vec<u32>>,
    stems: Rows<u32>,
    /// One bit for each beginning of three letters: a stem keeps them, so most words say without a look-up that they
    /// stand for nothing.
    beginnings: Vec<u64>,
}

/// What stands at some numbers.
struct Rows<T> {
    by_key: ByKey<u32>,
    filter: Filter,
    all: Vec<Vec<T>>,
}

/// No row.
const NONE: u32 = u32::MAX;

impl<T> Rows<T> {
    fn of(map: ByKey<Vec<T>>) -> Self {
        let filter = Filter::of(map.keys().copied());
        let (keys, all): (Vec<u64>, Vec<Vec<T>>) = map.into_iter().unzip();
        Self { by_key: keys.into_iter().zip(0..).collect(), filter, all }
    }

    #[inline]
    fn row_of(&self, key: u64) -> u32 {
        if self.filter.may_hold(key) { self.by_key.get(&key).copied().unwrap_or(NONE) } else { NONE }
    }

    #[inline]
    fn row(&self, no: u32) -> &[T] {
        self.all.get(no as usize).map_or(&[], Vec::as_slice)
    }
}

/// What a run may stand for, as rows of the index.
#[derive(Clone, Copy)]
pub struct Run {
    bytes: u32,
    stems: u32,
}

/// The runs that were looked up lately: a text says the same words over and over, and to find a word's stem costs more than
/// to know it again.
pub struct Lately(Vec<(u64, Run)>);

/// So many are remembered; a power of two.
const LATELY: usize = 1 << 14;

impl Default for Lately {
    fn default() -> Self {
        // No run has this number and stands here.
        Self(vec![(u64::MAX, Run { bytes: NONE, stems: NONE }); LATELY])
    }
}

impl Lately {
    /// What the run of ASCII with this number may stand for.
    #[inline]
    pub fn run(&mut self, index: &Index, word: &str, key: u64) -> Run {
        let slot = &mut self.0[(key >> 8) as usize % LATELY];
        if slot.0 != key {
            *slot = (key, index.run(word, key));
        }
        slot.1
    }
}

const BEGINNINGS: usize = 1 << 16;
/// Words are compared by no more than so many bytes.
const WORD: usize = 48;
/// How a hash is found that the text writes longer.
pub const SHORT_HASH: usize = 7;
/// In how few features a run stands, and its length.
type Rank = (std::cmp::Reverse<u32>, usize);
/// So many features are found by one run; more would make a hostile text slow, and are not found at all.
const FULL: usize = 48;

impl Index {
    /// The index of all features.
    pub fn new(features: &[Feature]) -> Self {
        let (mut bytes, mut short, mut stems) = (ByKey::default(), ByKey::default(), ByKey::default());
        let mut beginnings = vec![0; BEGINNINGS / 64];
        let common = common(features);
        for (id, feature) in (0_u32..).zip(features) {
            let text = feature.bytes.as_str();
            if !feature.kind.is_bytes() {
                let bit = beginning(text.as_bytes());
                beginnings[bit / 64] |= 1 << (bit % 64);
                stems.entry(key_of(text)).or_insert_with(Vec::new).push(id);
                continue;
            }
            // The run that stands in fewest features, of equals the longest: long ones are rare.
            let mut best: Option<(Rank, Range<usize>, u64)> = None;
            runs(text, |range, key| {
                let rank = (std::cmp::Reverse(common[&key]), range.len());
                if best.as_ref().is_none_or(|(other, ..)| rank > *other) {
                    best = Some((rank, range, key));
                }
            });
            let Some((_, at, key)) = best else { continue };
            let offset = at.start;
            let anchors = bytes.entry(key).or_insert_with(Vec::new);
            if anchors.len() < FULL {
                anchors.push(Anchor { feature: id, offset: offset as u32, marks: sides(text.as_bytes(), &at) });
            }
            if feature.open_end && offset == 0 && text.len() >= SHORT_HASH && text.is_ascii() {
                let starts = short.entry(key_of(&text[..SHORT_HASH])).or_insert_with(Vec::new);
                if starts.len() < FULL {
                    starts.push(id);
                }
            }
        }
        Self { bytes: Rows::of(bytes), short, stems: Rows::of(stems), beginnings }
    }

    /// What the run with this number may stand for.
    pub fn run(&self, word: &str, key: u64) -> Run {
        Run { bytes: self.bytes.row_of(key), stems: self.stem(word) }
    }

    /// What a run may belong to.
    #[inline]
    pub fn bytes(&self, run: Run) -> &[Anchor] {
        self.bytes.row(run.bytes)
    }

    /// The stems that a word may have.
    #[inline]
    pub fn stems(&self, run: Run) -> &[u32] {
        self.stems.row(run.stems)
    }

    /// The hashes that begin with these bytes.
    pub fn short(&self, prefix: &str) -> &[u32] {
        if self.short.is_empty() {
            return &[];
        }
        self.short.get(&key_of(prefix)).map_or(&[], Vec::as_slice)
    }

    fn stem(&self, word: &str) -> u32 {
        let bit = beginning(word.as_bytes());
        if self.beginnings[bit / 64] & (1 << (bit % 64)) == 0 {
            return NONE;
        }
        let key = if word.is_ascii() {
            let mut lower = [0_u8; WORD];
            let len = word.len().min(WORD);
            for (to, from) in lower.iter_mut().zip(&word.as_bytes()[..len]) {
                *to = from.to_ascii_lowercase();
            }
            let stem = stem(&lower[..len]);
            crate::extract::runs::key(stem, 0..stem.len())
        } else {
            key_of(word)
        };
        self.stems.row_of(key)
    }
}

/// In how many features each run stands.
fn common(features: &[Feature]) -> HashMap<u64, u32> {
    let mut common = HashMap::new();
    for feature in features.iter().filter(|feature| feature.kind.is_bytes()) {
        runs(&feature.bytes, |_, key| *common.entry(key).or_default() += 1);
    }
    common
}

/// The first three bytes, folded; a stem keeps them.
#[inline]
fn beginning(word: &[u8]) -> usize {
    let byte = |at: usize| word.get(at).map_or(0, |byte| usize::from(byte | 0x20));
    (byte(0) ^ (byte(1) << 5) ^ (byte(2) << 9)) % BEGINNINGS
}
