//! The calls that wait for their results, and those for which nobody waits any more: a person stopped them, or the agent
//! went on without what they would have given.

use std::collections::BTreeMap;

use foldhash::{HashMap, HashSet};

use super::seen::TurnSeen;

#[derive(Default)]
pub(super) struct Calls {
    /// How many were made.
    made: usize,
    /// Those that wait, by their number, with the number of the first call of their turn; without an id where they have
    /// none.
    open: BTreeMap<usize, (Option<String>, usize)>,
    /// The number of each that has an id, while it waits.
    by_id: HashMap<String, usize>,
    /// The numbers of those that have none.
    nameless: Vec<usize>,
    /// A person spoke behind those made before this one, or a later one was answered.
    passed: usize,
    /// Nobody waits for these: the agent went on behind that.
    given_up: HashMap<String, usize>,
}

impl Calls {
    /// Nobody waits for a result.
    pub fn none_open(&self) -> bool {
        self.open.is_empty()
    }

    /// Before the turn is taken: what comes back in it was waited for, whatever it looked like.
    pub fn expect(&mut self, seen: &TurnSeen) {
        for id in &seen.results {
            if let Some(no) = self.given_up.remove(id) {
                self.open.insert(no, (Some(id.clone()), no));
                self.by_id.insert(id.clone(), no);
            }
        }
    }

    /// The calls whose results come behind this place, of which the next turn is known. What was passed over counts only
    /// where its result is in that turn.
    pub fn cut(&self, next: &TurnSeen) -> Vec<String> {
        let comes: HashSet<&str> = next.results.iter().map(String::as_str).collect();
        let open = self.open.iter().filter_map(|(no, (id, _))| Some((*no, id.as_ref()?)));
        let waits = open.filter(|(no, id)| *no >= self.passed || comes.contains(id.as_str()));
        waits.map(|(_, id)| id.clone()).collect()
    }

    /// Behind the end of a block: who was given up stays so, and at a hard cap the others were named.
    pub fn close(&mut self, at_cap: bool) {
        self.given_up.clear();
        if at_cap {
            *self = Self { made: self.made, ..Self::default() };
        }
    }

    /// Takes up what a turn made and what came back in it.
    pub fn take(&mut self, seen: &TurnSeen) {
        if !seen.by_user {
            self.give_up();
        }
        let first = self.made;
        for id in &seen.calls {
            self.by_id.insert(id.clone(), self.made);
            self.open.insert(self.made, (Some(id.clone()), first));
            self.made += 1;
        }
        for _ in 0..seen.nameless {
            self.nameless.push(self.made);
            self.open.insert(self.made, (None, first));
            self.made += 1;
        }
        for _ in seen.nameless.min(0)..0 {
            if let Some(no) = self.nameless.pop() {
                self.answer(no);
            }
        }
        for id in &seen.results {
            if let Some(no) = self.by_id.remove(id) {
                self.answer(no);
            }
        }
        if seen.by_user {
            self.passed = first;
        }
    }

    fn answer(&mut self, no: usize) {
        if let Some((_, first)) = self.open.remove(&no) {
            self.passed = self.passed.max(first);
        }
    }

    fn give_up(&mut self) {
        let waiting = self.open.split_off(&self.passed);
        for (no, (id, _)) in std::mem::replace(&mut self.open, waiting) {
            if let Some(id) = id {
                self.by_id.remove(&id);
                self.given_up.insert(id, no);
            }
        }
        self.nameless.retain(|no| *no >= self.passed);
    }
}
