//! Rewound turns: those that no path of links to the session's end meets.

use std::collections::HashSet;

use super::{FileNo, LineMeta, Outline};

/// What one compaction closed, in a session that was rewound.
#[derive(Debug, Default)]
pub(super) struct Branch {
    /// Indexes of turns.
    pub(super) turns: HashSet<u32>,
    /// Index of the compaction before it; `None` when the branch goes back to the beginning.
    pub(super) before: Option<usize>,
}

/// The path to the end, as far as it was walked the last time.
#[derive(Clone, Debug, Default)]
pub(super) struct Walked {
    /// The last message then.
    leaf: Option<usize>,
    /// How many turns there were.
    turns: usize,
}

impl Outline {
    /// Walks back from the last message; a message turn that the walk never meets was rewound. Links may lie: where
    /// one leads nowhere or in a circle, the line before in file order is taken.
    ///
    /// Returns the first marker whose ranges may have changed. A session that only went on costs no more than what
    /// is new.
    pub(super) fn find_abandoned(&mut self) -> usize {
        let Some(leaf) = self.lines.iter().rposition(|line| self.is_main_message(line)) else { return 0 };
        let before = std::mem::replace(&mut self.build.walked, Walked { leaf: Some(leaf), turns: self.turns.len() });
        let went_on = before.leaf.and_then(|old| {
            let path = if self.build.is_linked { self.walk(leaf, Some(old))? } else { Vec::new() };
            Some((old, path))
        });
        let (from, first_turn, path) = match went_on {
            Some((old, path)) => (old, before.turns, path),
            None if self.build.is_linked => (0, 0, self.walk(leaf, None).unwrap_or_default()),
            None => (0, 0, Vec::new()),
        };
        if self.build.is_linked {
            for turn in first_turn..self.turns.len() {
                let is_own = self.turns[turn].place.file == FileNo(0) && self.turns[turn].is_main();
                self.set_abandoned(turn, is_own);
            }
        }
        for line in path {
            if let Some(turn) = self.lines[line].turn {
                self.set_abandoned(turn as usize, false);
            }
        }
        self.build.boundaries.partition_point(|(line, _)| (*line as usize) < from)
    }

    fn set_abandoned(&mut self, turn: usize, is: bool) {
        let was = std::mem::replace(&mut self.turns[turn].abandoned, is);
        self.build.abandoned = self.build.abandoned + usize::from(is) - usize::from(was);
    }

    /// The branch that a compaction closed: its turns since the compaction before it on the same branch, and which one
    /// that was. `None` while nothing is known to be rewound, and where links run in a circle: then file order holds.
    pub(super) fn branch(&self, marker: usize) -> Option<Branch> {
        if !self.complete || !self.is_rewound() {
            return None;
        }
        let mut branch = Branch::default();
        let mut seen = HashSet::new();
        let mut at = self.before_on_branch(self.build.boundaries[marker].0 as usize);
        while let Some(line) = at {
            let boundary = self.build.boundaries.binary_search_by_key(&(line as u32), |(line, _)| *line);
            if let Ok(before) = boundary {
                branch.before = Some(before);
                break;
            }
            if !seen.insert(line) {
                return None;
            }
            branch.turns.extend(self.lines[line].turn);
            at = self.before_on_branch(line);
        }
        Some(branch)
    }

    /// The line that this one says it follows, else the one before it in the file.
    fn before_on_branch(&self, line: usize) -> Option<usize> {
        let parent = self.build.parents[line].or_else(|| self.build.logical.get(&(line as u32)).copied());
        parent.and_then(|id| self.build.ids.get(&id)).map(|line| *line as usize).or_else(|| line.checked_sub(1))
    }

    fn is_main_message(&self, line: &LineMeta) -> bool {
        line.file == FileNo(0) && !line.repeat && line.turn.is_some_and(|turn| self.turns[turn as usize].is_main())
    }

    /// The lines from the leaf back to the beginning, or to `until`; `None` when `until` is not met.
    fn walk(&self, leaf: usize, until: Option<usize>) -> Option<Vec<usize>> {
        let floor = until.unwrap_or(0);
        let own = |line: usize| self.lines[line].file == FileNo(0) && !self.lines[line].repeat;
        let mut free = Free::new(floor, leaf, own);
        let mut path = Vec::new();
        let mut seen = vec![false; self.lines.len() - floor];
        let mut at = Some(leaf);
        while let Some(line) = at {
            if line < floor {
                return None;
            }
            path.push(line);
            seen[line - floor] = true;
            free.take(line);
            if until == Some(line) {
                return Some(path);
            }
            let parent = self.build.parents[line].or_else(|| self.build.logical.get(&(line as u32)).copied());
            at = parent
                .and_then(|id| self.build.ids.get(&id))
                .map(|line| *line as usize)
                .filter(|line| *line < floor || seen.get(*line - floor) == Some(&false))
                .or_else(|| free.before(line));
        }
        until.is_none().then_some(path)
    }
}

/// Lines that no walk has met yet, for finding the nearest one before a line in next to no time.
struct Free {
    floor: usize,
    /// One place for each line, and one before them all: the place itself while it is free, else one to look on at.
    next: Vec<usize>,
}

impl Free {
    fn new(floor: usize, last: usize, is_free: impl Fn(usize) -> bool) -> Self {
        let places = (floor..=last).zip(1..).map(|(line, place)| if is_free(line) { place } else { place - 1 });
        Self { floor, next: std::iter::once(0).chain(places).collect() }
    }

    fn take(&mut self, line: usize) {
        let place = line - self.floor + 1;
        if let Some(next) = self.next.get_mut(place) {
            *next = (*next).min(place - 1);
        }
    }

    fn before(&mut self, line: usize) -> Option<usize> {
        let mut place = line.checked_sub(self.floor)?.min(self.next.len() - 1);
        let start = place;
        while self.next[place] != place {
            place = self.next[place];
        }
        let mut step = start;
        while self.next[step] != step {
            step = std::mem::replace(&mut self.next[step], place);
        }
        place.checked_sub(1).map(|above| above + self.floor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_free_line_before_another_is_found() {
        let mut free = Free::new(2, 9, |line| line != 5);
        for (line, want) in [(9, Some(8)), (6, Some(4)), (3, Some(2)), (2, None)] {
            assert_eq!(free.before(line), want, "before {line}");
        }
        for line in [4, 3, 2] {
            free.take(line);
        }
        assert_eq!(free.before(6), None);
        assert_eq!(free.before(8), Some(7));
    }
}
