//! Chance that repeats itself: the same seed gives the same numbers on every machine. Where they are used stands in the
//! experiments.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

/// A stream of random numbers.
pub struct Chance(ChaCha8Rng);

impl Chance {
    /// The stream of one run of one seed. Runs do not share numbers, so a run is the same however many there are.
    pub fn new(seed: u64, run: u64) -> Self {
        // The key is spelt out: how a library spreads a short seed may change with its version, ChaCha does not.
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&run.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// A number from 0 up to, but not including, 1; all 53 bits of it are drawn.
    pub fn unit(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
        (self.0.next_u64() >> 11) as f64 * STEP
    }

    /// Whether something of this probability happens.
    pub fn hits(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A whole number from `low` to `high`, both included; `low` where `high` is below it.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        let span = u64::from(high.saturating_sub(low)) + 1;
        low + (self.unit() * span as f64) as u32
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::Rng as _;

    use super::Chance;

    #[test]
    fn a_seed_means_the_same_numbers_everywhere() {
        let first = |seed, run| {
            let mut chance = Chance::new(seed, run);
            [(); 3].map(|()| chance.0.next_u64())
        };
        // The first block of ChaCha8 under a key of zeros, as its authors' test vectors give it: 3e00ef2f895f40d6…
        assert_eq!(first(0, 0)[0], 0xd640_5f89_2fef_003e);
        assert_eq!(first(1, 0), first(1, 0));
        assert_ne!(first(1, 0), first(2, 0));
        assert_ne!(first(1, 0), first(1, 1));
    }

    #[test]
    fn numbers_are_spread_evenly_and_stay_in_their_range() {
        let mut chance = Chance::new(7, 0);
        let drawn: Vec<f64> = (0..20_000).map(|_| chance.unit()).collect();
        assert!(drawn.iter().all(|at| (0.0..1.0).contains(at)));
        let mean = drawn.iter().sum::<f64>() / 20_000.0;
        assert!((mean - 0.5).abs() < 0.01, "{mean}");
        let mut seen = [0; 4];
        (0..4_000).for_each(|_| seen[chance.between(3, 6) as usize - 3] += 1);
        assert!(seen.iter().all(|count| (850..1150).contains(count)), "{seen:?}");
        assert_eq!(chance.between(5, 2), 5);
        assert!((0..100).all(|_| chance.hits(1.0) && !chance.hits(0.0)));
    }
}
