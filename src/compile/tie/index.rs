//! From a token of a text to the features that it may stand for.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::extract::stem;

use super::features::Features;

/// What a token may be the beginning of a look at.
#[derive(Clone, Copy, Debug)]
pub struct Anchor {
    pub feature: u32,
    /// Where in the feature's bytes the token stands; `None` for a stem, where nothing is left to compare.
    pub offset: Option<u32>,
}

/// All anchors by the hash of their token.
pub struct Index {
    /// One bit for each beginning of three letters, and one for each hash, folded: most tokens stand for nothing, and
    /// these say so without a look-up.
    beginnings: Vec<u64>,
    filter: Vec<u64>,
    anchors: HashMap<u64, Vec<Anchor>, BuildHasherDefault<Same>>,
}

const BEGINNINGS: usize = 1 << 16;
const FILTER: usize = 1 << 18;
/// Tokens are compared by no more than so many bytes here; the rest is compared with the feature.
const TOKEN: usize = 48;
/// How a hash is found that the text writes longer.
pub const SHORT_HASH: usize = 7;

impl Index {
    /// The index of all features.
    pub fn new(features: &Features) -> Self {
        let mut index =
            Self { beginnings: vec![0; BEGINNINGS / 64], filter: vec![0; FILTER / 64], anchors: HashMap::default() };
        for (id, feature) in features.all.iter().enumerate() {
            let feature_id = id as u32;
            let bytes = feature.bytes.as_bytes();
            if !feature.kind.is_bytes() {
                index.begin(bytes);
                index.add(hash(bytes), Anchor { feature: feature_id, offset: None });
                continue;
            }
            let Some((start, end)) = telling_token(bytes) else { continue };
            let anchor = Anchor { feature: feature_id, offset: Some(start as u32) };
            index.begin(&bytes[start..end]);
            index.add(key(&bytes[start..end]), anchor);
            if feature.open_end && start == 0 && bytes.len() >= SHORT_HASH {
                index.add(hash(&bytes[..SHORT_HASH]), anchor);
            }
        }
        index
    }

    /// What this token may stand for.
    pub fn get(&self, token: &[u8]) -> &[Anchor] {
        let bit = beginning(token);
        if self.beginnings[bit / 64] & (1 << (bit % 64)) == 0 {
            return &[];
        }
        self.by_hash(key(token))
    }

    /// What a longer token that begins with these bytes may stand for.
    pub fn get_short(&self, prefix: &[u8]) -> &[Anchor] {
        self.by_hash(hash(prefix))
    }

    fn by_hash(&self, hash: u64) -> &[Anchor] {
        let bit = hash as usize % FILTER;
        if self.filter[bit / 64] & (1 << (bit % 64)) == 0 {
            return &[];
        }
        self.anchors.get(&hash).map_or(&[], Vec::as_slice)
    }

    fn begin(&mut self, token: &[u8]) {
        let bit = beginning(token);
        self.beginnings[bit / 64] |= 1 << (bit % 64);
    }

    fn add(&mut self, hash: u64, anchor: Anchor) {
        let bit = hash as usize % FILTER;
        self.filter[bit / 64] |= 1 << (bit % 64);
        let anchors = self.anchors.entry(hash).or_default();
        if !anchors.iter().any(|other| other.feature == anchor.feature) {
            anchors.push(anchor);
        }
    }
}

/// Whether this byte belongs to a token.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The token by which a feature is found: the longest, since long ones are rare.
fn telling_token(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize)> = None;
    let mut at = 0;
    while at < bytes.len() {
        if !is_word(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && is_word(bytes[at]) {
            at += 1;
        }
        if best.is_none_or(|(from, to)| at - start > to - from) {
            best = Some((start, at));
        }
    }
    best
}

/// The first three bytes, folded; a stem keeps them.
fn beginning(token: &[u8]) -> usize {
    let byte = |at: usize| token.get(at).map_or(0, |byte| usize::from(byte | 0x20));
    (byte(0) ^ (byte(1) << 5) ^ (byte(2) << 9)) % BEGINNINGS
}

/// The hash of a token's stem in lower case.
fn key(token: &[u8]) -> u64 {
    let mut lower = [0_u8; TOKEN];
    let len = token.len().min(TOKEN);
    for (to, from) in lower.iter_mut().zip(&token[..len]) {
        *to = from.to_ascii_lowercase();
    }
    hash(stem(&lower[..len]))
}

fn hash(bytes: &[u8]) -> u64 {
    const K: u64 = 0x517c_c1b7_2722_0a95;
    let mut hash = bytes.len() as u64;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let mut eight = [0; 8];
        eight.copy_from_slice(chunk);
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(eight)).wrapping_mul(K);
    }
    let mut last = [0; 8];
    last[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
    hash = (hash.rotate_left(5) ^ u64::from_le_bytes(last)).wrapping_mul(K);
    hash ^ (hash >> 29)
}

/// The keys are hashes already.
#[derive(Default)]
struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash(bytes);
    }

    fn write_u64(&mut self, n: u64) {
        self.0 = n;
    }
}
