//! Items, passes, a hazard and a policy: what is still there after each compaction. Which numbers go in stands in the
//! experiments; windows and tokens are not known here (`survival` has them).

use super::chance::Chance;

/// How likely one rewriting keeps one item.
#[derive(Clone, Debug, PartialEq)]
pub struct Hazard {
    /// By the pass, from the first that an item goes through; the last holds for all later ones.
    keep: Vec<f64>,
}

/// Who carries an item from one pass to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Policy {
    /// Each summary is made from the one before: every pass rewrites every item.
    Recursive,
    /// A block is summarised once, from the originals, and then stays as it is.
    Hierarchical(Span),
    /// A share of the items is pinned word for word; what is not pinned is rewritten as in `Recursive`.
    Ledger {
        /// How many of the items are pinned, from 0 to 1.
        pinned: f64,
    },
    /// Nothing is summarised: what leaves the window is gone.
    None,
}

/// What becomes of blocks when their summaries together no longer fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// They always fit.
    Never,
    /// All closed blocks are read again as they were said, every so many passes.
    FromOriginals {
        /// Passes from one rebuild to the next.
        every: u32,
    },
    /// Their summaries are summarised, every so many passes.
    FromSummaries {
        /// Passes from one rebuild to the next.
        every: u32,
    },
}

/// What is watched, and for how long.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// Items, all of them there before the first pass.
    pub items: u32,
    /// Compactions.
    pub passes: u32,
    /// How likely a rewriting keeps an item.
    pub hazard: Hazard,
    /// Who carries the items.
    pub policy: Policy,
}

impl Hazard {
    /// Every pass keeps with this probability.
    pub fn constant(keep: f64) -> Self {
        Self { keep: vec![keep] }
    }

    /// Passes keep with these, in order; the last one holds on. Without any, all is kept.
    pub fn by_pass(keep: Vec<f64>) -> Self {
        Self { keep }
    }

    /// How likely the pass of this number, from 1, keeps an item.
    pub fn at(&self, pass: u32) -> f64 {
        let at = (pass.max(1) - 1) as usize;
        self.keep.get(at).or(self.keep.last()).copied().unwrap_or(1.0)
    }

    /// How likely an item is still there after so many passes, each made from the one before: the product.
    pub fn survival(&self, passes: u32) -> f64 {
        (1..=passes).map(|pass| self.at(pass)).product()
    }
}

impl Policy {
    /// How many summarisings stand between the originals and what an item is told from after so many passes.
    pub fn generation(self, passes: u32) -> u32 {
        match self {
            Self::Recursive => passes,
            Self::Hierarchical(Span::FromSummaries { every }) if passes >= every.max(1) => passes.min(2),
            Self::Hierarchical(_) => passes.min(1),
            // What is pinned is never summarised.
            Self::Ledger { .. } | Self::None => 0,
        }
    }
}

impl Course {
    /// Items that are still there after each pass, the state before the first one included.
    pub fn run(&self, chance: &mut Chance) -> Vec<u32> {
        let mut items: Vec<Item> = (0..self.items).map(|no| self.first(no)).collect();
        let mut left = vec![self.items];
        for pass in 1..=self.passes {
            for item in &mut items {
                self.pass(item, pass, chance);
            }
            left.push(items.iter().filter(|item| item.told).count() as u32);
        }
        left
    }

    /// Pinned items are spread evenly over all, as far as whole items go.
    fn first(&self, no: u32) -> Item {
        let pinned = match self.policy {
            Policy::Ledger { pinned } => {
                let upto = |count: u32| (f64::from(count) * pinned).round() as u32;
                upto(no + 1) > upto(no)
            }
            Policy::Recursive | Policy::Hierarchical(_) | Policy::None => false,
        };
        Item { in_block: true, told: true, pinned }
    }

    fn pass(&self, item: &mut Item, pass: u32, chance: &mut Chance) {
        // Drawn for every item, needed or not: an item's luck does not hang on what became of the others.
        let kept = chance.hits(self.hazard.at(pass));
        let again = chance.hits(self.hazard.at(1));
        match self.policy {
            Policy::Recursive => item.told &= kept,
            Policy::Ledger { .. } => item.told &= kept || item.pinned,
            Policy::None => item.told = false,
            Policy::Hierarchical(_) if pass == 1 => {
                item.in_block = kept;
                item.told = kept;
            }
            Policy::Hierarchical(span) => match span {
                // Read again as it was said: a second chance, not a second loss.
                Span::FromOriginals { every } if due(pass, every) => item.told = again,
                Span::FromSummaries { every } if due(pass, every) => item.told = item.in_block && again,
                Span::Never | Span::FromOriginals { .. } | Span::FromSummaries { .. } => {}
            },
        }
    }
}

/// Whether spans are rebuilt at this pass.
fn due(pass: u32, every: u32) -> bool {
    pass.is_multiple_of(every.max(1))
}

#[derive(Clone, Copy)]
struct Item {
    /// Whether its block's summary holds it.
    in_block: bool,
    /// Whether what the agent is told holds it.
    told: bool,
    pinned: bool,
}

#[cfg(test)]
mod tests {
    use super::super::chance::Chance;
    use super::{Course, Hazard, Policy, Span};

    /// Share of 20,000 items left after passes 1, 4, 8 and 12 at a loss of .25 (within one hundredth).
    #[test]
    fn each_policy_keeps_what_its_closed_form_says() {
        let table: [(Policy, [f64; 4]); 6] = [
            // (1-l)^n multiplies
            (Policy::Recursive, [0.75, 0.316, 0.100, 0.032]),
            (Policy::Hierarchical(Span::Never), [0.75; 4]),
            // a redraw from the originals is (1-l)^1 again, for ever
            (Policy::Hierarchical(Span::FromOriginals { every: 4 }), [0.75; 4]),
            // (1-l)^2 at the most, however many passes
            (Policy::Hierarchical(Span::FromSummaries { every: 4 }), [0.75, 0.5625, 0.5625, 0.5625]),
            // q + (1-q)(1-l)^n
            (Policy::Ledger { pinned: 0.4 }, [0.85, 0.59, 0.46, 0.419]),
            (Policy::None, [0.0; 4]),
        ];
        for (policy, wanted) in table {
            let course = Course { items: 20_000, passes: 12, hazard: Hazard::constant(0.75), policy };
            let left = course.run(&mut Chance::new(3, 0));
            for (pass, wanted) in [1, 4, 8, 12].into_iter().zip(wanted) {
                let share = f64::from(left[pass]) / 20_000.0;
                assert!((share - wanted).abs() < 0.01, "{policy:?} after {pass}: {share}, not {wanted}");
            }
        }
    }

    #[test]
    fn a_rebuild_from_originals_brings_back_what_was_lost_and_a_rewriting_never_does() {
        let after = |policy| {
            let hazard = Hazard::by_pass(vec![0.5, 1.0]);
            Course { items: 1_000, passes: 2, hazard, policy }.run(&mut Chance::new(5, 0))
        };
        let recursive = after(Policy::Recursive);
        assert_eq!(recursive[1], recursive[2], "absorbing: nothing comes back");
        let frozen = after(Policy::Hierarchical(Span::Never));
        assert_eq!(frozen[1], frozen[2]);
        let mut once = Course {
            items: 1,
            passes: 2,
            hazard: Hazard::constant(0.5),
            policy: Policy::Hierarchical(Span::FromOriginals { every: 2 }),
        };
        assert!((0..100).any(|run| once.run(&mut Chance::new(5, run)) == [1, 0, 1]), "a second chance");
        once.policy = Policy::Recursive;
        assert!((0..100).all(|run| once.run(&mut Chance::new(5, run)) != [1, 0, 1]));
    }

    /// 300 turns at 25 turns a compaction: recursive 12; hierarchical 2 where the session outgrew the summariser, else 1.
    #[test]
    fn generations_are_counted_by_policy() {
        let table = [
            (Policy::Recursive, 12),
            (Policy::Hierarchical(Span::FromSummaries { every: 4 }), 2),
            (Policy::Hierarchical(Span::FromOriginals { every: 4 }), 1),
            (Policy::Hierarchical(Span::Never), 1),
            (Policy::Ledger { pinned: 0.5 }, 0),
            (Policy::None, 0),
        ];
        for (policy, generation) in table {
            assert_eq!(policy.generation(12), generation, "{policy:?}");
        }
        assert_eq!(Policy::Hierarchical(Span::FromSummaries { every: 4 }).generation(3), 1);
    }

    #[test]
    fn a_hazard_without_an_end_holds_on() {
        let hazard = Hazard::by_pass(vec![0.9, 0.5]);
        for (pass, keep) in [(0, 0.9), (1, 0.9), (2, 0.5), (9, 0.5)] {
            assert!((hazard.at(pass) - keep).abs() < 1e-12, "{pass}");
        }
        assert!((hazard.survival(3) - 0.225).abs() < 1e-12);
        assert!((Hazard::by_pass(Vec::new()).survival(5) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn all_of_the_items_or_none_can_be_pinned() {
        for (pinned, left) in [(1.0, 10), (0.0, 0), (0.3, 3)] {
            let course =
                Course { items: 10, passes: 1, hazard: Hazard::constant(0.0), policy: Policy::Ledger { pinned } };
            assert_eq!(course.run(&mut Chance::new(1, 0)), [10, left]);
        }
    }
}
