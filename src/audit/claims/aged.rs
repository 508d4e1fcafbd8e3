//! What was worked out and may be asked for again, in two ages: what nobody asked for during a whole age goes. So what one
//! marker after the other asks for stays, however long the session is, and what is kept is bounded all the same.

use std::borrow::Borrow;
use std::hash::Hash;

use foldhash::HashMap;

/// Values by what they were worked out from; to clone one must be cheap.
#[derive(Debug)]
pub struct Aged<K, V> {
    young: HashMap<K, V>,
    old: HashMap<K, V>,
}

impl<K, V> Default for Aged<K, V> {
    fn default() -> Self {
        Self { young: HashMap::default(), old: HashMap::default() }
    }
}

impl<K: Hash + Eq, V: Clone> Aged<K, V> {
    /// What is known, or was worked out now.
    pub fn get_or<Q>(&mut self, key: &Q, make: impl FnOnce() -> V) -> V
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = K> + ?Sized,
    {
        if let Some(known) = self.young.get(key) {
            return known.clone();
        }
        let value = self.old.remove(key).unwrap_or_else(make);
        self.young.insert(key.to_owned(), value.clone());
        value
    }

    /// How many were asked for in this age.
    pub fn len(&self) -> usize {
        self.young.len()
    }

    /// Begins another age.
    pub fn age(&mut self) {
        self.old = std::mem::take(&mut self.young);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_in_every_age_is_worked_out_once() {
        let (mut aged, mut made) = (Aged::<u32, u32>::default(), Vec::new());
        for asked in [&[1, 2, 1][..], &[1], &[1, 2]] {
            for key in asked {
                let value = aged.get_or(key, || {
                    made.push(*key);
                    key * 10
                });
                assert_eq!(value, key * 10);
            }
            aged.age();
        }
        assert_eq!(made, [1, 2, 2]);
    }
}
