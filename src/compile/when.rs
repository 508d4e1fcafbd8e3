//! When to compact: how full the window is, how many turns have passed, whether the talk turned to something else. In a
//! soft zone it waits for a seam, at a hard limit it does not. No clock is read here; what is made beforehand, so that a
//! hard limit finds it done, stands in [`super::schedule`].

use crate::record::ClosedBy;
use crate::session::Trigger;

/// A share of the window in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share(pub u32);

impl Share {
    fn of(self, window: u64) -> u128 {
        u128::from(self.0) * u128::from(window)
    }
}

/// How it is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// At once, when one of the three says so.
    Paper,
    /// In the soft zone at the next seam, at most so many turns later; at the hard limit at once.
    Seams {
        /// So many turns at most.
        wait: u32,
    },
}

/// The limits. All are strict: what stands exactly at one has not passed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Above this share the window is under pressure.
    pub soft: Share,
    /// Above this share nothing is waited for.
    pub hard: Share,
    /// More turns than this since the last compaction are many.
    pub turns: u32,
    /// At once, or at a seam.
    pub manner: Manner,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { soft: Share(600), hard: Share(850), turns: 15, manner: Manner::Seams { wait: 8 } }
    }
}

impl Thresholds {
    /// At once when one of the three says so, as the figures in the literature have it.
    pub fn paper() -> Self {
        Self { manner: Manner::Paper, ..Self::default() }
    }

    /// Whether so many tokens press: what takes long is begun now, so that it is done at the hard limit.
    pub fn presses(&self, tokens: u64, window: u64) -> bool {
        over(tokens, self.soft, window)
    }
}

/// A turn has come to its end. What is known then:
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// Tokens that the next request would carry.
    pub tokens: u64,
    /// Tokens that the model reads at most.
    pub window: u64,
    /// Turns since the last compaction, or since the beginning.
    pub turns: u32,
    /// The talk turned to something else with this turn.
    pub topic: bool,
    /// Why a block might close here; `None` where none may, as while a call is open.
    pub seam: Option<ClosedBy>,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Nothing.
    GoOn,
    /// It is wanted, and waits for a seam, at most so many turns more.
    Wait {
        /// What set it off.
        wanted: Trigger,
        /// So many turns at most.
        left: u32,
    },
    /// Compact now. The trigger is stored with the compaction.
    Compact(Trigger),
}

/// Decides turn by turn, and remembers only what it waits with and how long it has waited.
#[derive(Clone, Debug)]
pub struct When {
    limits: Thresholds,
    waited: Option<(Trigger, u32)>,
}

impl When {
    /// Under these limits.
    pub fn new(limits: Thresholds) -> Self {
        Self { limits, waited: None }
    }

    /// What is to be done when this turn has ended.
    pub fn turn(&mut self, now: &Moment) -> Next {
        let limits = &self.limits;
        let full = over(now.tokens, limits.soft, now.window);
        let wanted = match (full, now.turns > limits.turns, now.topic) {
            (true, _, _) => Some(Trigger::Pressure),
            (false, true, _) => Some(Trigger::Length),
            (false, false, true) => Some(Trigger::Topic),
            // The talk turned some turns ago, and there was no seam yet.
            (false, false, false) => self.waited.map(|(wanted, _)| wanted).filter(|wanted| *wanted == Trigger::Topic),
        };
        let (Some(wanted), false) = (wanted, now.turns == 0) else {
            self.waited = None;
            return Next::GoOn;
        };
        let Manner::Seams { wait } = limits.manner else { return self.compact(wanted) };
        if over(now.tokens, limits.hard, now.window) {
            return self.compact(Trigger::Pressure);
        }
        match now.seam {
            Some(ClosedBy::Topic) => return self.compact(Trigger::Topic),
            Some(ClosedBy::Step | ClosedBy::ToolLoop) => {
                return self.compact(if wanted == Trigger::Topic { wanted } else { Trigger::Seam });
            }
            Some(ClosedBy::HardCap) | None => {}
        }
        let waited = self.waited.map_or(0, |(_, waited)| waited + 1);
        if waited >= wait {
            return self.compact(wanted);
        }
        self.waited = Some((wanted, waited));
        Next::Wait { wanted, left: wait - waited }
    }

    fn compact(&mut self, trigger: Trigger) -> Next {
        self.waited = None;
        Next::Compact(trigger)
    }
}

fn over(tokens: u64, share: Share, window: u64) -> bool {
    u128::from(tokens) * 1000 > share.of(window)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(tokens: u64, turns: u32) -> Moment {
        Moment { tokens, window: 1000, turns, topic: false, seam: None }
    }

    /// A4.29: more than 0.6 of the window, more than 15 turns, another topic; what stands exactly there does not fire.
    #[test]
    fn each_of_the_three_fires_by_itself_and_only_beyond_its_limit() {
        for (tokens, turns, topic, want) in [
            (600, 15, false, Next::GoOn),
            (601, 15, false, Next::Compact(Trigger::Pressure)),
            (600, 16, false, Next::Compact(Trigger::Length)),
            (600, 15, true, Next::Compact(Trigger::Topic)),
            (601, 16, true, Next::Compact(Trigger::Pressure)),
            (0, 0, true, Next::GoOn),
        ] {
            let now = Moment { topic, ..moment(tokens, turns) };
            assert_eq!(When::new(Thresholds::paper()).turn(&now), want, "{tokens} {turns} {topic}");
        }
        // No share is rounded: 0.6 of 5 is 3.
        let small = |tokens| Moment { window: 5, ..moment(tokens, 1) };
        assert_eq!(When::new(Thresholds::paper()).turn(&small(3)), Next::GoOn);
        assert_eq!(When::new(Thresholds::paper()).turn(&small(4)), Next::Compact(Trigger::Pressure));
    }

    /// C14: in the soft zone it waits for a seam, at most so many turns, and the hard limit waits for nothing.
    #[test]
    fn in_the_soft_zone_it_waits_for_a_seam() {
        let limits = Thresholds { manner: Manner::Seams { wait: 3 }, ..Thresholds::default() };
        let mut when = When::new(limits);
        assert_eq!(when.turn(&moment(700, 4)), Next::Wait { wanted: Trigger::Pressure, left: 3 });
        assert_eq!(when.turn(&moment(720, 5)), Next::Wait { wanted: Trigger::Pressure, left: 2 });
        let seam = Moment { seam: Some(ClosedBy::ToolLoop), ..moment(740, 6) };
        assert_eq!(when.turn(&seam), Next::Compact(Trigger::Seam));
        let waits: Vec<Next> = (0..4).map(|turn| when.turn(&moment(700, 4 + turn))).collect();
        assert_eq!(waits[2], Next::Wait { wanted: Trigger::Pressure, left: 1 });
        assert_eq!(waits[3], Next::Compact(Trigger::Pressure), "it waits no longer");
        assert_eq!(when.turn(&moment(850, 4)), Next::Wait { wanted: Trigger::Pressure, left: 3 });
        assert_eq!(when.turn(&moment(851, 5)), Next::Compact(Trigger::Pressure), "in the middle of a thread");
    }

    #[test]
    fn a_change_of_topic_is_not_forgotten_while_it_waits_for_a_seam() {
        let mut when = When::new(Thresholds { manner: Manner::Seams { wait: 2 }, ..Thresholds::default() });
        assert_eq!(
            when.turn(&Moment { topic: true, ..moment(100, 3) }),
            Next::Wait { wanted: Trigger::Topic, left: 2 }
        );
        assert_eq!(when.turn(&moment(100, 4)), Next::Wait { wanted: Trigger::Topic, left: 1 });
        let seam = Moment { seam: Some(ClosedBy::Step), ..moment(100, 5) };
        assert_eq!(when.turn(&seam), Next::Compact(Trigger::Topic));
        assert_eq!(when.turn(&moment(100, 1)), Next::GoOn);
    }

    #[test]
    fn a_seam_without_need_compacts_nothing_and_what_eases_is_forgotten() {
        let mut when = When::new(Thresholds { manner: Manner::Seams { wait: 2 }, ..Thresholds::default() });
        let seam = Moment { seam: Some(ClosedBy::Step), ..moment(300, 9) };
        assert_eq!(when.turn(&seam), Next::GoOn);
        assert_eq!(when.turn(&moment(700, 3)), Next::Wait { wanted: Trigger::Pressure, left: 2 });
        assert_eq!(when.turn(&moment(100, 4)), Next::GoOn, "a long result was taken out");
        assert_eq!(when.turn(&moment(700, 5)), Next::Wait { wanted: Trigger::Pressure, left: 2 });
        let other = Moment { topic: true, seam: Some(ClosedBy::Topic), ..moment(100, 3) };
        assert_eq!(when.turn(&other), Next::Compact(Trigger::Topic));
        let long = Moment { seam: Some(ClosedBy::Step), ..moment(100, 16) };
        assert_eq!(when.turn(&long), Next::Compact(Trigger::Seam));
    }
}
