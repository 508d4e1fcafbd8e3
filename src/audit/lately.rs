//! What was looked at lately. A session says the same words and lines over and over: of most of them nothing comes, whoever
//! says them and wherever, and the look at them is spared for good; what something came of is looked at once a stretch.

use super::vocabulary::hash_of;

/// What was looked at, by number; a newer one takes the place of an older one.
#[derive(Clone, Debug, Default)]
pub(super) struct Lately {
    slots: Vec<u64>,
    stretch: u64,
}

/// Something that is looked at, as a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met(u64);

/// So many are remembered; a power of two.
const SLOTS: usize = 1 << 15;

impl Lately {
    /// Begins another stretch: what something came of counts anew.
    pub(super) fn begin_stretch(&mut self) {
        self.stretch += 1;
    }

    /// `None` where nothing new comes of a text: nothing ever does, or it was looked at in this stretch already.
    pub(super) fn meet(&mut self, text: &str) -> Option<Met> {
        if self.slots.is_empty() {
            self.slots = vec![0; SLOTS];
        }
        let met = hash_of(text.as_bytes(), 0);
        // Odd, so that it never is the number itself.
        let now = met ^ (2 * self.stretch + 1);
        let slot = &mut self.slots[met as usize % SLOTS];
        if *slot == met || *slot == now {
            return None;
        }
        *slot = now;
        Some(Met(met))
    }

    /// Nothing came of it, nor does wherever it stands.
    pub(super) fn is_idle(&mut self, Met(met): Met) {
        self.slots[met as usize % SLOTS] = met;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_to_nothing_is_looked_at_once_and_all_else_once_a_stretch() {
        let mut lately = Lately::default();
        let mut looks = Vec::new();
        for stretch in 0..3 {
            for text in ["idle", "telling", "idle", "telling"] {
                let Some(met) = lately.meet(text) else { continue };
                looks.push((stretch, text));
                if text == "idle" {
                    lately.is_idle(met);
                }
            }
            lately.begin_stretch();
        }
        assert_eq!(looks, [(0, "idle"), (0, "telling"), (1, "telling"), (2, "telling")]);
    }
}
