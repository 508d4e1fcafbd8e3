//! When a session is compacted, by which trigger: the published rule, the same with patience, and pressure alone.

use super::session::{Known, Session};

/// Why a compaction happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// The talk had turned to something else.
    Seam,
    /// The window filled.
    Pressure,
    /// Many turns had passed.
    Length,
}

/// When to compact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Over 0.6 of the window, or more than 15 turns since, or at a seam: whichever comes first.
    Plain,
    /// From 0.6 of the window, or after 15 turns, it waits for a seam; at 0.85 it waits no longer.
    Patient,
    /// Over 0.6 of the window, nothing else.
    PressureOnly,
}

/// The window, and what it is held against.
const SOFT: f64 = 0.6;
const HARD: f64 = 0.85;
const TURNS: usize = 15;

/// A compaction: of all turns before this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The first turn that it leaves alone.
    pub before: usize,
    /// Why.
    pub trigger: Trigger,
}

/// Where a session is compacted. After each compaction a summary of `summary` tokens stands in the window, and behind it
/// what was said since the cut: at a seam, which is known some turns late, that is more than nothing.
pub fn cuts(session: &Session, rule: Rule, known: Known, window: u32, summary: u32) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let mut from = 0;
    for at in 0..session.turns.len() {
        let tokens: u32 = session.turns[from..at].iter().map(|turn| turn.tokens).sum();
        let full = f64::from(summary.saturating_add(tokens)) / f64::from(window.max(1));
        // Asked when the turn comes in, before it is answered. A seam before the last cut comes too late.
        let seam = session.turned(at, known).filter(|first| *first > from);
        let trigger = trigger(rule, full, at - from, seam.is_some());
        if let Some(trigger) = trigger {
            from = seam.filter(|_| trigger == Trigger::Seam).unwrap_or(at);
            cuts.push(Cut { before: from, trigger });
        }
    }
    cuts
}

/// Why to compact before this turn, if at all; both limits are exclusive.
fn trigger(rule: Rule, full: f64, since: usize, seam: bool) -> Option<Trigger> {
    let (soft, hard, long) = (full > SOFT, full > HARD, since > TURNS);
    match rule {
        _ if since == 0 => None,
        Rule::Plain | Rule::Patient if seam => Some(Trigger::Seam),
        Rule::Plain | Rule::PressureOnly if soft => Some(Trigger::Pressure),
        Rule::Plain if long => Some(Trigger::Length),
        Rule::Patient if hard => Some(Trigger::Pressure),
        Rule::Plain | Rule::Patient | Rule::PressureOnly => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::session::{Known, Session, Turn};
    use super::{Cut, Rule, Trigger, cuts};

    /// `found`: with which turn it is known that the talk turned, and where.
    fn session(turns: usize, tokens: u32, found: &[(usize, usize)]) -> Session {
        let turned = |at| found.iter().find(|(known, _)| *known == at).map(|(_, first)| *first);
        let turns = (0..turns).map(|at| Turn { tokens, turned: turned(at) }).collect();
        Session { turns, topics: Vec::new() }
    }

    /// tokens > 0.6·W or turns since > 15 or a new topic; 0.6·W exactly and 15 exactly do not fire.
    #[test]
    fn each_rule_fires_where_it_says() {
        let cut = |before, trigger| Cut { before, trigger };
        let table = [
            (Rule::Plain, 40, 1, &[][..], vec![cut(16, Trigger::Length), cut(32, Trigger::Length)]),
            (Rule::Plain, 10, 100, &[], vec![cut(7, Trigger::Pressure)]),
            (Rule::Plain, 10, 1, &[(6, 4)], vec![cut(4, Trigger::Seam)]),
            // What was said since the seam is still there when it is known.
            (Rule::Plain, 12, 100, &[(6, 4)], vec![cut(4, Trigger::Seam), cut(11, Trigger::Pressure)]),
            (Rule::Plain, 12, 100, &[(8, 6)], vec![cut(7, Trigger::Pressure)]),
            (Rule::Patient, 12, 100, &[(8, 7)], vec![cut(7, Trigger::Seam)]),
            (Rule::Patient, 12, 100, &[], vec![cut(9, Trigger::Pressure)]),
            (Rule::Patient, 40, 1, &[], vec![]),
            (Rule::PressureOnly, 10, 100, &[(5, 4)], vec![cut(7, Trigger::Pressure)]),
        ];
        for (rule, turns, tokens, found, wanted) in table {
            assert_eq!(
                cuts(&session(turns, tokens, found), rule, Known::ByBlocks, 1_000, 0),
                wanted,
                "{rule:?} {turns} {found:?}"
            );
        }
    }

    #[test]
    fn a_summary_larger_than_the_window_leaves_a_turn_between_compactions() {
        let all = cuts(&session(5, 1, &[]), Rule::Plain, Known::ByBlocks, 10, 100);
        assert_eq!(all.iter().map(|cut| cut.before).collect::<Vec<_>>(), [1, 2, 3, 4]);
    }
}
