//! When a session is compacted, by which trigger: the published rule, the same with patience, and pressure alone.

use super::session::{Session, Turn};

/// Why a compaction happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// The user changed the subject.
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

/// Where a session is compacted. After each compaction a summary of `summary` tokens stands in the window.
pub fn cuts(session: &Session, rule: Rule, window: u32, summary: u32) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let (mut tokens, mut since) = (u64::from(summary), 0);
    for (at, turn) in session.turns.iter().enumerate() {
        // Asked when the turn comes in, before it is answered: a new subject is known by then.
        if let Some(trigger) = trigger(rule, tokens as f64 / f64::from(window.max(1)), since, *turn) {
            cuts.push(Cut { before: at, trigger });
            (tokens, since) = (u64::from(summary), 0);
        }
        tokens += u64::from(turn.tokens);
        since += 1;
    }
    cuts
}

/// Why to compact before this turn, if at all; both limits are exclusive.
fn trigger(rule: Rule, full: f64, since: usize, turn: Turn) -> Option<Trigger> {
    let (soft, hard, long) = (full > SOFT, full > HARD, since > TURNS);
    match rule {
        _ if since == 0 => None,
        Rule::Plain | Rule::Patient if turn.new_topic => Some(Trigger::Seam),
        Rule::Plain | Rule::PressureOnly if soft => Some(Trigger::Pressure),
        Rule::Plain if long => Some(Trigger::Length),
        Rule::Patient if hard => Some(Trigger::Pressure),
        Rule::Plain | Rule::Patient | Rule::PressureOnly => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::session::{Session, Turn};
    use super::{Cut, Rule, Trigger, cuts};

    fn session(turns: usize, tokens: u32, topics: &[usize]) -> Session {
        let turns = (0..turns).map(|at| Turn { tokens, new_topic: topics.contains(&at) }).collect();
        Session { turns, threads: Vec::new() }
    }

    /// tokens > 0.6·W or turns since > 15 or a new topic; 0.6·W exactly and 15 exactly do not fire.
    #[test]
    fn each_rule_fires_where_it_says() {
        let cut = |before, trigger| Cut { before, trigger };
        let table = [
            (Rule::Plain, 40, 1, &[][..], vec![cut(16, Trigger::Length), cut(32, Trigger::Length)]),
            (Rule::Plain, 10, 100, &[], vec![cut(7, Trigger::Pressure)]),
            (Rule::Plain, 10, 1, &[4], vec![cut(4, Trigger::Seam)]),
            (Rule::Patient, 12, 100, &[8], vec![cut(8, Trigger::Seam)]),
            (Rule::Patient, 12, 100, &[], vec![cut(9, Trigger::Pressure)]),
            (Rule::Patient, 40, 1, &[], vec![]),
            (Rule::PressureOnly, 10, 100, &[4], vec![cut(7, Trigger::Pressure)]),
        ];
        for (rule, turns, tokens, topics, wanted) in table {
            assert_eq!(cuts(&session(turns, tokens, topics), rule, 1_000, 0), wanted, "{rule:?} {turns} {topics:?}");
        }
    }

    #[test]
    fn a_summary_larger_than_the_window_leaves_a_turn_between_compactions() {
        let all = cuts(&session(5, 1, &[]), Rule::Plain, 10, 100);
        assert_eq!(all.iter().map(|cut| cut.before).collect::<Vec<_>>(), [1, 2, 3, 4]);
    }
}
