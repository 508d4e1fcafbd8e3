//! The share that is left after n compactions, as measured: Kaplan and Meier's product, with Greenwood's variance.

/// How many facts faced their n-th compaction, and how many were kept by it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faced {
    /// From the first compaction on: faced, kept.
    counts: Vec<(u64, u64)>,
}

/// A point of the curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Left {
    /// After so many compactions.
    pub passes: usize,
    /// How many facts faced the last of them.
    pub faced: u64,
    /// The share that is left: the product of kept through faced.
    pub share: f64,
    /// Its standard error.
    pub error: f64,
}

impl Faced {
    /// A fact faces its n-th compaction, counted from 1.
    pub fn add(&mut self, nth: usize, kept: bool) {
        if self.counts.len() < nth {
            self.counts.resize(nth, (0, 0));
        }
        if let Some(count) = nth.checked_sub(1).and_then(|at| self.counts.get_mut(at)) {
            count.0 += 1;
            count.1 += u64::from(kept);
        }
    }

    /// Together with what another run counted.
    pub fn join(&mut self, other: &Self) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), (0, 0));
        }
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            mine.0 += theirs.0;
            mine.1 += theirs.1;
        }
    }

    /// Facts that faced a first compaction.
    pub fn first(&self) -> u64 {
        self.counts.first().map_or(0, |count| count.0)
    }

    /// The curve from the first compaction to the last one that a fact faced and one was kept by.
    pub fn curve(&self) -> Vec<Left> {
        let (mut share, mut sum) = (1.0, 0.0);
        let mut curve = Vec::new();
        for (at, (faced, kept)) in self.counts.iter().enumerate().take_while(|(_, count)| count.1 > 0) {
            let lost = faced - kept;
            share *= *kept as f64 / *faced as f64;
            // Greenwood: S² Σ lost / (faced · kept)
            sum += lost as f64 / (*faced as f64 * *kept as f64);
            curve.push(Left { passes: at + 1, faced: *faced, share, error: share * f64::sqrt(sum) });
        }
        curve
    }
}

#[cfg(test)]
mod tests {
    use super::Faced;

    fn faced(counts: &[(u64, u64)]) -> Faced {
        Faced { counts: counts.to_vec() }
    }

    /// 672 first compactions of which 3 in 4 are kept: the standard error of the first step is √(.75·.25/672) = .0167.
    #[test]
    fn the_first_step_has_the_error_of_a_share() {
        let left = faced(&[(672, 504)]).curve();
        assert!((left[0].share - 0.75).abs() < 1e-12 && (left[0].error - 0.0167).abs() < 0.0001, "{left:?}");
    }

    #[test]
    fn the_curve_is_a_product_and_ends_where_nothing_is_left() {
        let shares = |counts| faced(counts).curve().iter().map(|left| left.share).collect::<Vec<_>>();
        assert_eq!(shares(&[(4, 2), (2, 1), (1, 0)]), [0.5, 0.25]);
        assert_eq!(shares(&[(4, 4), (4, 4)]), [1.0, 1.0]);
        assert_eq!(shares(&[]), [0.0; 0]);
        // Facts that came late face fewer compactions; they count where they were.
        assert_eq!(shares(&[(8, 4), (2, 1)]), [0.5, 0.25]);
    }

    #[test]
    fn runs_are_pooled() {
        let mut all = Faced::default();
        all.add(1, true);
        all.add(2, false);
        let mut other = Faced::default();
        other.add(1, false);
        other.join(&all);
        assert_eq!(other, faced(&[(2, 1), (1, 0)]));
        assert_eq!((other.first(), Faced::default().first()), (2, 0));
    }
}
