//! The same items under four policies: summaries of summaries, blocks from originals, a ledger, and nothing.

use super::hedges::shares;
use super::{Axis, Chance, Course, Hazard, Line, Plot, Policy, Sheet, Span, Stroke, Table, Unit};

/// What is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Items of the first block that are followed.
    pub items: u32,
    /// Compactions.
    pub passes: u32,
    /// What a rewriting loses, from 0 to 1.
    pub loss: f64,
    /// The share of items that the ledger pins, from 0 to 1.
    pub pinned: f64,
    /// Passes from one span rebuild to the next.
    pub every: u32,
    /// What the random numbers follow from.
    pub seed: u64,
}

/// 300 turns, compacted every 25.
pub const PASSES: u32 = 12;

struct Arm {
    name: &'static str,
    policy: Policy,
    /// The generation that was published for twelve passes.
    generation: Option<f64>,
    /// What is left after so many passes, in closed form.
    closed: f64,
}

fn arms(settings: &Settings) -> [Arm; 5] {
    let keep = 1.0 - settings.loss;
    let recursive = Hazard::constant(keep).survival(settings.passes);
    let (once, every) = (Hazard::constant(keep).survival(settings.passes.min(1)), settings.every);
    let twice = if settings.passes >= every { keep * keep } else { once };
    let gone = if settings.passes == 0 { 1.0 } else { 0.0 };
    let here = |generation: f64| Some(generation).filter(|_| settings.passes == PASSES);
    let arm = |name, policy, generation, closed| Arm { name, policy, generation, closed };
    [
        arm("recursive", Policy::Recursive, here(12.0), recursive),
        arm("hierarchical", Policy::Hierarchical(Span::FromOriginals { every }), here(1.0), once),
        arm(
            "hierarchical, spans from summaries",
            Policy::Hierarchical(Span::FromSummaries { every }),
            here(2.0),
            twice,
        ),
        arm(
            "ledger over recursive",
            Policy::Ledger { pinned: settings.pinned },
            None,
            settings.pinned + (1.0 - settings.pinned) * recursive,
        ),
        arm("none", Policy::None, None, gone),
    ]
}

/// Runs it.
pub fn experiment(settings: Settings) -> Sheet {
    let arms = arms(&settings);
    let mut generations =
        Table::new(format!("generations after {} passes (pinned lines and originals: 0)", settings.passes));
    let mut left = Table::new("items of the first block that the agent is still told");
    let mut closed = Table::new("the same in closed form");
    let mut lines = Vec::new();
    for arm in &arms {
        let course = Course {
            items: settings.items,
            passes: settings.passes,
            hazard: Hazard::constant(1.0 - settings.loss),
            policy: arm.policy,
        };
        // Every arm draws the same numbers: what differs is the policy alone.
        let shares = shares(&course.run(&mut Chance::new(settings.seed, 0)));
        let generation = f64::from(arm.policy.generation(settings.passes));
        generations = generations.row(arm.name, Unit::Count, arm.generation, generation);
        left = left.row(arm.name, Unit::Percent, None, shares.last().copied().unwrap_or(0.0));
        closed = closed.row(arm.name, Unit::Percent, None, arm.closed);
        let points = shares.iter().enumerate().map(|(pass, share)| (pass as f64, *share)).collect();
        lines.push(Line::new(arm.name, Stroke::Marked, points));
    }
    Sheet {
        name: "arms",
        question: "The same items, the same losses: what is left when summaries are summarised, when each block is \
                   summarised once from the originals, when items are pinned, and when nothing is kept?"
            .to_owned(),
        seed: settings.seed,
        settings: vec![
            ("items", settings.items.to_string()),
            ("passes", settings.passes.to_string()),
            ("loss", settings.loss.to_string()),
            ("pinned", settings.pinned.to_string()),
            ("rebuild every", settings.every.to_string()),
        ],
        tables: vec![generations, left, closed],
        plot: Plot {
            title: "Items of the first block that the agent is still told".to_owned(),
            x: Axis::counted("passes", settings.passes, (settings.passes / 12).max(1)),
            y: Axis::share("items still told"),
            lines,
        },
        reading: vec![
            "A rewriting multiplies: (1−l)ⁿ. A rebuild from the originals draws again: (1−l), however often, and what \
             was lost can come back. That single difference is the experiment."
                .to_owned(),
            "Hierarchy bounds how often an item is rewritten; only the ledger keeps one from being rewritten at all."
                .to_owned(),
        ],
        assumed: vec![
            "Every rewriting loses an item with the same probability, whoever does it and from whatever length of text."
                .to_owned(),
            "A rebuild draws independently of the summary before it; real summarisers tend to drop the same things \
             again, so that less comes back than here."
                .to_owned(),
            "Spans from originals ask for originals that fit the summariser's window, and for their price (stet cost)."
                .to_owned(),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::{PASSES, Settings, experiment};
    use crate::simulate::SEED;

    const HERE: Settings = Settings { items: 6_000, passes: PASSES, loss: 0.25, pinned: 0.4, every: 4, seed: SEED };

    /// 300 turns at 25 a compaction: recursive 12, hierarchical 2 (or 1 where the originals fit the summariser).
    #[test]
    fn generations_are_the_published_ones() {
        let sheet = experiment(HERE);
        let told: Vec<_> = sheet.tables[0].rows.iter().map(|row| (row.ours as u32, row.difference())).collect();
        assert_eq!(told, [(12, Some(0.0)), (1, Some(0.0)), (2, Some(0.0)), (0, None), (0, None)]);
    }

    /// (1-l)^12 = .032, (1-l) = .75 for ever (27 of 36), (1-l)^2 = .5625, q + (1-q)(1-l)^12 = .419, nothing.
    #[test]
    fn what_is_left_is_what_the_closed_forms_say() {
        for (settings, wanted) in [
            (HERE, [0.032, 0.75, 0.5625, 0.419, 0.0]),
            (Settings { passes: 3, ..HERE }, [0.422, 0.75, 0.75, 0.653, 0.0]),
            (Settings { passes: 0, ..HERE }, [1.0; 5]),
            (Settings { loss: 1.0, ..HERE }, [0.0, 0.0, 0.0, 0.4, 0.0]),
        ] {
            let sheet = experiment(settings);
            for (row, wanted) in [1, 2].into_iter().flat_map(|no| sheet.tables[no].rows.iter().zip(wanted)) {
                assert!((row.ours - wanted).abs() < 0.02, "{settings:?} {}: {}, not {wanted}", row.what, row.ours);
            }
        }
    }
}
