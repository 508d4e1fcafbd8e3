//! Which results answer which calls, within one turn.

use std::collections::HashMap;

use super::Said;

/// The parts of one turn in the order in which they came.
#[derive(Default)]
pub(super) struct Talk {
    pub(super) parts: Vec<Said>,
    /// Results -> the call that they answer, both as indexes of `parts`.
    pub(super) under: HashMap<usize, usize>,
    /// Calls with a result.
    pub(super) answered: HashMap<usize, usize>,
    /// The calls, and how many of the first are answered for sure.
    pub(super) calls: Vec<usize>,
    first_open: usize,
}

impl Talk {
    pub(super) fn oldest_open(&mut self) -> Option<usize> {
        while self.calls.get(self.first_open).is_some_and(|call| self.answered.contains_key(call)) {
            self.first_open += 1;
        }
        self.calls.get(self.first_open).copied()
    }

    /// Results under their calls, everything else as it came; and whether a call lacks its result.
    pub(super) fn done(mut self) -> (Vec<Said>, bool) {
        let open = self.oldest_open().is_some();
        let mut results: HashMap<usize, Vec<Said>> = HashMap::new();
        let mut rest = Vec::new();
        for (at, said) in self.parts.into_iter().enumerate() {
            match self.under.get(&at) {
                Some(call) => results.entry(*call).or_default().push(said),
                None => rest.push((at, said)),
            }
        }
        let mut parts = Vec::new();
        for (at, said) in rest {
            parts.push(said);
            parts.extend(results.remove(&at).into_iter().flatten());
        }
        (parts, open)
    }
}
