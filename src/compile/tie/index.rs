//! From a run of a text to the features that it may stand for.

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
}

/// All features by a run that stands in them: those that are found by their bytes, and those that are stems.
pub struct Index {
    bytes: ByKey<Vec<Anchor>>,
    bytes_filter: Filter,
    short: ByKey<Vec<u32>>,
    stems: ByKey<Vec<u32>>,
    stems_filter: Filter,
    /// One bit for each beginning of three letters: a stem keeps them, so most words say without a look-up that they
    /// stand for nothing.
    beginnings: Vec<u64>,
}

const BEGINNINGS: usize = 1 << 16;
/// Words are compared by no more than so many bytes.
const WORD: usize = 48;
/// How a hash is found that the text writes longer.
pub const SHORT_HASH: usize = 7;
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
            let mut best: Option<((std::cmp::Reverse<u32>, usize), usize, u64)> = None;
            runs(text, |range, key| {
                let rank = (std::cmp::Reverse(common[&key]), range.len());
                if best.as_ref().is_none_or(|(other, ..)| rank > *other) {
                    best = Some((rank, range.start, key));
                }
            });
            let Some((_, offset, key)) = best else { continue };
            let anchors = bytes.entry(key).or_insert_with(Vec::new);
            if anchors.len() < FULL {
                anchors.push(Anchor { feature: id, offset: offset as u32 });
            }
            if feature.open_end && offset == 0 && text.len() >= SHORT_HASH && text.is_ascii() {
                let starts = short.entry(key_of(&text[..SHORT_HASH])).or_insert_with(Vec::new);
                if starts.len() < FULL {
                    starts.push(id);
                }
            }
        }
        Self {
            bytes_filter: Filter::of(bytes.keys().copied()),
            stems_filter: Filter::of(stems.keys().copied()),
            bytes,
            short,
            stems,
            beginnings,
        }
    }

    /// What the run with this number may belong to.
    #[inline]
    pub fn bytes(&self, key: u64) -> &[Anchor] {
        if !self.bytes_filter.may_hold(key) {
            return &[];
        }
        self.bytes.get(&key).map_or(&[], Vec::as_slice)
    }

    /// The hashes that begin with these bytes.
    pub fn short(&self, prefix: &str) -> &[u32] {
        if self.short.is_empty() {
            return &[];
        }
        self.short.get(&key_of(prefix)).map_or(&[], Vec::as_slice)
    }

    /// The stems that a word may have.
    #[inline]
    pub fn stems(&self, word: &str) -> &[u32] {
        let bit = beginning(word.as_bytes());
        if self.beginnings[bit / 64] & (1 << (bit % 64)) == 0 {
            return &[];
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
        if !self.stems_filter.may_hold(key) {
            return &[];
        }
        self.stems.get(&key).map_or(&[], Vec::as_slice)
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
