//! Names that stand nowhere but in results so far. Most of them never matter; one that is used later was first read
//! here. The last two lots of [`LOT`] are remembered, older ones are let go.

use std::collections::HashMap;

use super::thing::Words;
use crate::extract::Class;

/// So many names make a lot.
const LOT: usize = 8_192;

#[derive(Debug, Default)]
pub(super) struct Young {
    now: HashMap<u64, (Class, Words)>,
    before: HashMap<u64, (Class, Words)>,
}

impl Young {
    /// Whether this name is remembered.
    pub fn holds(&self, key: u64) -> bool {
        self.now.contains_key(&key) || self.before.contains_key(&key)
    }

    /// Remembers a name with the words around it.
    pub fn add(&mut self, key: u64, class: Class, words: Words) {
        if self.now.len() >= LOT {
            self.before = std::mem::take(&mut self.now);
        }
        self.now.insert(key, (class, words));
    }

    /// A name is used: it is young no longer.
    pub fn take(&mut self, key: u64) -> Option<(Class, Words)> {
        self.now.remove(&key).or_else(|| self.before.remove(&key))
    }
}
