//! Sorted, disjoint, half-open ranges: what a compaction covers and reaches.

use std::ops::Range;

/// A set of numbers as ranges, always sorted, disjoint and without gaps of nothing between neighbours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges(Vec<Range<u64>>);

impl Ranges {
    /// Adds a range; an empty one changes nothing.
    pub fn add(&mut self, range: Range<u64>) {
        if range.is_empty() {
            return;
        }
        let first = self.0.partition_point(|r| r.end < range.start);
        let last = self.0.partition_point(|r| r.start <= range.end);
        let merged = self.0[first..last].iter().fold(range, |m, r| m.start.min(r.start)..m.end.max(r.end));
        self.0.splice(first..last, [merged]);
    }

    /// Adds everything another set holds.
    pub fn extend(&mut self, other: &Ranges) {
        other.0.iter().for_each(|r| self.add(r.clone()));
    }

    /// Whether this number is in.
    pub fn contains(&self, n: u64) -> bool {
        let at = self.0.partition_point(|r| r.end <= n);
        self.0.get(at).is_some_and(|r| r.start <= n)
    }

    /// The ranges in order.
    pub fn iter(&self) -> impl Iterator<Item = Range<u64>> + '_ {
        self.0.iter().cloned()
    }

    /// Whether nothing is in.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many numbers are in.
    pub fn count(&self) -> u64 {
        self.0.iter().map(|r| r.end - r.start).sum()
    }
}

impl FromIterator<Range<u64>> for Ranges {
    fn from_iter<I: IntoIterator<Item = Range<u64>>>(iter: I) -> Self {
        let mut ranges = Self::default();
        iter.into_iter().for_each(|r| ranges.add(r));
        ranges
    }
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "one range is meant")]
mod tests {
    use super::*;

    #[test]
    fn neighbours_and_overlaps_become_one_range() {
        for (given, want) in [
            (vec![0..2, 2..4], vec![0..4]),
            (vec![5..9, 0..2, 1..6], vec![0..9]),
            (vec![0..1, 3..4], vec![0..1, 3..4]),
            (vec![2..2], vec![]),
        ] {
            assert_eq!(given.into_iter().collect::<Ranges>().0, want);
        }
    }

    #[test]
    fn contains_is_half_open() {
        let ranges: Ranges = [2..4, 7..8].into_iter().collect();
        let inside: Vec<u64> = (0..10).filter(|n| ranges.contains(*n)).collect();
        assert_eq!(inside, [2, 3, 7]);
        assert_eq!(ranges.count(), 3);
    }
}
