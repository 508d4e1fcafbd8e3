//! The candidates that are kept for a group or a feature while the originals pass. What is kept is bounded by the
//! items, not by the session.

use crate::session::Speaker;

use super::candidate::Candidate;

/// No candidate scores so much without the whole claim.
const WHOLE: f32 = 200.0;
/// Below this share of the last that is kept a unit is not worth a closer look: its part may still add to it.
const NEARLY: f32 = 0.75;
/// So many places of one feature are kept for groups that it is too common to drive.
const SPOTS: usize = 5;
/// Of one person's.
const SAID: usize = 2;

/// A person's words are kept apart from others', so that no amount of tool output displaces them.
pub fn row(speaker: Speaker) -> usize {
    usize::from(speaker == Speaker::User)
}

/// How many candidates of each row are kept for one group: fewer where groups are very many.
#[derive(Clone, Copy, Debug)]
pub struct Room([usize; 2]);

impl Room {
    /// For so many groups.
    pub fn of(groups: usize) -> Self {
        Self(match groups {
            0..8192 => [10, 5],
            8192..32768 => [6, 3],
            _ => [3, 2],
        })
    }
}

/// The candidates of one group, best first.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    rows: [Vec<Candidate>; 2],
}

impl Shelf {
    /// A candidate must score more than this to be kept.
    pub fn floor(&self, row: usize, room: Room) -> f32 {
        let (row, kept) = (&self.rows[row], room.0[row]);
        if row.len() < kept { 0.0 } else { row[kept - 1].score }
    }

    /// Below this a unit is not worth a closer look.
    pub fn bar(&self, row: usize, room: Room) -> f32 {
        // Once the whole claim was found word for word, only another such place is of interest.
        let exact = self.rows[row].first().filter(|best| best.score >= WHOLE).map_or(0.0, |_| WHOLE * NEARLY);
        exact.max(self.floor(row, room) * NEARLY)
    }

    /// Keeps a candidate; of equals the earlier one stands first.
    pub fn put(&mut self, candidate: Candidate, room: Room) {
        let row = row(candidate.origin().speaker);
        let (row, kept) = (&mut self.rows[row], room.0[row]);
        let at = row.partition_point(|other| other.score >= candidate.score);
        if at < kept {
            row.truncate(kept - 1);
            row.insert(at, candidate);
        }
    }

    /// Those of another shelf, which stand later in the session.
    pub fn extend(&mut self, other: Shelf, room: Room) {
        other.rows.into_iter().flatten().for_each(|candidate| self.put(candidate, room));
    }

    /// A person's words, then others'.
    pub fn all(&self) -> impl Iterator<Item = &Candidate> {
        self.rows[1].iter().chain(&self.rows[0])
    }
}

/// The first places of one feature.
#[derive(Clone, Debug, Default)]
pub struct Spots {
    rows: [Vec<Candidate>; 2],
}

impl Spots {
    /// Whether another one of this speaker is of no use.
    pub fn is_full(&self, row: usize) -> bool {
        self.rows[row].len() >= [SPOTS, SAID][row]
    }

    /// Keeps a place, if it is among the first and in another part than the last.
    pub fn put(&mut self, candidate: Candidate) {
        let row = row(candidate.origin().speaker);
        if !self.is_full(row) {
            self.rows[row].push(candidate);
        }
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &Candidate> {
        self.rows.iter().flatten()
    }
}
