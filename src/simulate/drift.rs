//! Twenty facts through ten passes with nothing new said: what is kept, and what is stated that nobody said.

use super::{Axis, Chance, Course, Hazard, Line, Plot, Policy, Scale, Sheet, Stroke, Table, Unit};

/// What is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Conversations that are run.
    pub runs: u32,
    /// What the random numbers follow from.
    pub seed: u64,
}

/// Facts in a conversation.
pub const FACTS: u32 = 20;
/// Passes.
pub const PASSES: u32 = 10;
/// By pass: facts kept, statements that nobody made.
pub const PUBLISHED: [(u32, f64, f64); 4] = [(1, 19.0, 0.0), (3, 16.0, 1.0), (5, 13.0, 3.0), (10, 9.0, 7.0)];
/// What each pass keeps of the facts: one rate for all.
pub const KEEP: f64 = 0.923;
/// How likely a pass fills a gap, once a fact was lost, with a statement of its own.
pub const FILL: f64 = 0.23;

/// Runs it.
pub fn experiment(settings: Settings) -> Sheet {
    let (kept, claims) = averages(settings);
    let by_pass = |of: &[f64]| of.iter().enumerate().map(|(pass, mean)| (pass as f64, *mean)).collect::<Vec<_>>();
    let rows = |title: &str, of: &[f64], published: fn(&(u32, f64, f64)) -> f64| {
        PUBLISHED.iter().fold(Table::new(title), |table, row| {
            table.row(format!("after pass {}", row.0), Unit::Mean, published(row), of[row.0 as usize])
        })
    };
    let dots = |published: fn(&(u32, f64, f64)) -> f64| {
        PUBLISHED.iter().map(|row| (f64::from(row.0), published(row))).collect::<Vec<_>>()
    };
    Sheet {
        name: "drift",
        question: "What becomes of 20 known facts in ten passes with nothing new said, and what is stated that \
                   nobody said?"
            .to_owned(),
        seed: settings.seed,
        settings: vec![
            ("facts", FACTS.to_string()),
            ("passes", PASSES.to_string()),
            ("runs", settings.runs.to_string()),
        ],
        tables: vec![
            rows("facts kept, of 20", &kept, |row| row.1),
            rows("statements that nobody made", &claims, |row| row.2),
        ],
        plot: Plot {
            title: "Facts kept and statements made up, by pass".to_owned(),
            x: Axis::counted("passes", PASSES, 1),
            y: Axis {
                label: "of 20 facts".to_owned(),
                from: 0.0,
                to: f64::from(FACTS),
                ticks: vec![0.0, 5.0, 10.0, 15.0, 20.0],
                scale: Scale::Plain,
            },
            lines: vec![
                Line::new("facts kept, .923 a pass", Stroke::Marked, by_pass(&kept)),
                Line::new("made up, simulated", Stroke::Marked, by_pass(&claims)),
                Line::new("facts kept, published", Stroke::Points, dots(|row| row.1)),
                Line::new("made up, published", Stroke::Points, dots(|row| row.2)),
            ],
        },
        reading: vec![
            "Losing facts is what compression does. What nobody said is the other thing: it comes late and then \
             steadily, because a gap has to be there before it is filled, and what fills it reads like any other line."
                .to_owned(),
        ],
        assumed: vec![
            format!("Each pass keeps a fact with {KEEP}: the tenth root of 9/20. Facts go independently."),
            format!(
                "A lost fact leaves a gap, and each later pass fills an open gap with a statement of its own with \
                 {FILL}. That rate is fitted to 0, 1, 3, 7; the mechanism is ours."
            ),
            "A statement that was made up stays: nothing in the input contradicts it.".to_owned(),
        ],
    }
}

/// Facts kept and statements made up after each pass, on average.
fn averages(settings: Settings) -> (Vec<f64>, Vec<f64>) {
    let facts = Course { items: FACTS, passes: PASSES, hazard: Hazard::constant(KEEP), policy: Policy::Recursive };
    let (mut kept, mut claims) = (vec![0.0; PASSES as usize + 1], vec![0.0; PASSES as usize + 1]);
    for run in 0..settings.runs {
        let mut chance = Chance::new(settings.seed, u64::from(run));
        let left = facts.run(&mut chance);
        let filled = fill(&left, &mut chance);
        for pass in 0..left.len() {
            kept[pass] += f64::from(left[pass]);
            claims[pass] += f64::from(filled[pass]);
        }
    }
    let runs = f64::from(settings.runs.max(1));
    let mean = |of: Vec<f64>| of.into_iter().map(|sum| sum / runs).collect();
    (mean(kept), mean(claims))
}

/// Statements that are made up by each pass, from the facts that are left after each.
fn fill(left: &[u32], chance: &mut Chance) -> Vec<u32> {
    let (mut open, mut filled) = (0, 0);
    let mut told = vec![0];
    for pair in left.windows(2) {
        // A gap can be filled from the pass after the one that made it.
        let now = (0..open).filter(|_| chance.hits(FILL)).count() as u32;
        filled += now;
        open += pair[0] - pair[1];
        open -= now;
        told.push(filled);
    }
    told
}

#[cfg(test)]
mod tests {
    use super::{FACTS, KEEP, PASSES, PUBLISHED, Settings, averages, fill};
    use crate::simulate::{Chance, SEED};

    /// A4.26: 19 / 16 / 13 / 9 kept after 1, 3, 5 and 10 passes, within a fact; the implied rates are .950 .928 .917 .923.
    #[test]
    fn one_rate_gives_the_published_facts() {
        let (kept, _) = averages(Settings { runs: 2_000, seed: SEED });
        for (pass, published, _) in PUBLISHED {
            let closed = f64::from(FACTS) * (0..pass).map(|_| KEEP).product::<f64>();
            assert!((closed - published).abs() < 1.0, "{closed} after {pass}");
            assert!((kept[pass as usize] - closed).abs() < 0.15, "{} after {pass}", kept[pass as usize]);
        }
    }

    /// 0 / 1 / 3 / 7 statements that nobody made, within half of one.
    #[test]
    fn gaps_that_are_filled_give_the_published_statements() {
        let (_, claims) = averages(Settings { runs: 2_000, seed: SEED });
        for (pass, _, published) in PUBLISHED {
            assert!((claims[pass as usize] - published).abs() < 0.5, "{} after {pass}", claims[pass as usize]);
        }
        assert!((claims[1]).abs() < f64::EPSILON, "nothing is made up before something was lost");
    }

    #[test]
    fn no_more_is_made_up_than_was_lost() {
        for run in 0..200 {
            let mut chance = Chance::new(9, run);
            let left: Vec<u32> = (0..=PASSES).map(|pass| FACTS - pass * 2).collect();
            let filled = fill(&left, &mut chance);
            assert!(filled.iter().zip(&left).all(|(filled, left)| filled + left <= FACTS), "{filled:?}");
            assert!(filled.windows(2).all(|pair| pair[0] <= pair[1]));
        }
    }
}
