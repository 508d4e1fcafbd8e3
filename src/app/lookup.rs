//! The items of the records that were looked at last, ready to be found again.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use crate::record::{Lookup, Record};

/// So many records are held at once.
const HELD: usize = 32;

/// The records that were looked at last, by the marker's number.
#[derive(Debug, Default)]
pub(super) struct Lookups(RefCell<HashMap<u32, Arc<Lookup>>>);

impl Lookups {
    /// That of a marker's record.
    pub fn of(&self, marker: u32, record: &Record) -> Arc<Lookup> {
        let mut held = self.0.borrow_mut();
        if held.len() >= HELD && !held.contains_key(&marker) {
            held.clear();
        }
        Arc::clone(held.entry(marker).or_insert_with(|| Arc::new(Lookup::new(record))))
    }

    /// The record of a marker is another one.
    pub fn forget(&mut self, marker: u32) {
        self.0.get_mut().remove(&marker);
    }
}
