//! Names that stand nowhere but in results so far. Most of them never matter; one that is used later was first read
//! here. The last two lots of [`LOT`] are remembered, older ones are let go.

use super::thing::Words;
use foldhash::HashMap;

/// So many names make a lot.
const LOT: usize = 8_192;

/// Where a name was read.
#[derive(Debug)]
pub(super) struct Met {
    pub class: &'static str,
    pub words: Words,
    /// The call in whose result it stood.
    pub call: Option<u32>,
}

#[derive(Debug, Default)]
pub(super) struct Young {
    now: HashMap<u64, Met>,
    before: HashMap<u64, Met>,
}

impl Young {
    /// Whether this name is remembered.
    pub fn holds(&self, key: u64) -> bool {
        self.now.contains_key(&key) || self.before.contains_key(&key)
    }

    /// Remembers a name with the words around it.
    pub fn add(&mut self, key: u64, met: Met) {
        if self.now.len() >= LOT {
            self.before = std::mem::take(&mut self.now);
        }
        self.now.insert(key, met);
    }

    /// A name is used: it is young no longer.
    pub fn take(&mut self, key: u64) -> Option<Met> {
        self.now.remove(&key).or_else(|| self.before.remove(&key))
    }
}
