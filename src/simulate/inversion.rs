//! What a rate of inversion for each item and pass comes to for a whole session: by formula, and by drawing sessions.

use super::{Axis, Chance, Course, Hazard, Line, Plot, Policy, Sheet, Stroke, Table, Unit};

/// What is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Items that are followed in a session.
    pub items: u32,
    /// Compactions of a session.
    pub passes: u32,
    /// Sessions that are drawn.
    pub runs: u32,
    /// What the random numbers follow from.
    pub seed: u64,
}

/// The published setting.
pub const PUBLISHED: (u32, u32) = (40, 6);
/// The rate as published, and the tenth of it.
pub const RATES: [f64; 2] = [0.006, 0.0006];
/// The share of sessions that the same text gives. It does not follow from the rate beside it.
const SESSIONS: f64 = 0.125;

/// How likely at least one of so many trials hits.
pub fn at_least_one(rate: f64, trials: u32) -> f64 {
    1.0 - (0..trials).fold(1.0, |none, _| none * (1.0 - rate))
}

/// The rate at which at least one of so many trials hits with this probability; by halving.
pub fn rate_for(probability: f64, trials: u32) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if at_least_one(middle, trials) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// How many steps it takes with so many sessions.
pub fn steps(runs: u32) -> u64 {
    u64::from(runs) * RATES.len() as u64
}

/// Runs it, and says each step.
pub fn experiment(settings: Settings, step: &mut dyn FnMut()) -> Sheet {
    let trials = settings.items * settings.passes;
    let here = |published: f64| Some(published).filter(|_| (settings.items, settings.passes) == PUBLISHED);
    let drawn: Vec<Vec<f64>> = RATES.iter().map(|rate| affected(settings, *rate, step)).collect();
    let last = |no: usize| drawn[no].last().copied().unwrap_or(0.0);
    let of = |no: usize, share: Option<f64>, title: &str| {
        Table::new(title)
            .row("inversions in a session, expected", Unit::Mean, None, RATES[no] * f64::from(trials))
            .row("sessions with at least one, by formula", Unit::Percent, share, at_least_one(RATES[no], trials))
            .row("sessions with at least one, drawn", Unit::Percent, share, last(no))
    };
    let needed = rate_for(SESSIONS, trials);
    let readings = Table::new("what the published share of sessions asks for")
        .row("the rate that gives it, if items are independent", Unit::FinePercent, None, needed)
        .row(
            "or, at the higher rate: inversions in each session that has any",
            Unit::Mean,
            None,
            RATES[0] * f64::from(trials) / SESSIONS,
        );
    let lines = RATES.iter().enumerate().flat_map(|(no, rate)| {
        let name = format!("{} %", rate * 100.0);
        let curve = |pass: u32| (f64::from(pass), at_least_one(*rate, settings.items * pass));
        let sessions = drawn[no].iter().enumerate().map(|(pass, share)| (pass as f64, *share)).collect();
        [
            Line::new(format!("{name} a pass, drawn"), Stroke::Points, sessions),
            Line::new(format!("{name} a pass, formula"), Stroke::Dashed, (0..=settings.passes).map(curve).collect()),
        ]
    });
    Sheet {
        name: "inversion",
        question: format!(
            "If each pass turns round a small share of {} items, how many sessions end with at least one turned round?",
            settings.items
        ),
        seed: settings.seed,
        settings: vec![
            ("items", settings.items.to_string()),
            ("passes", settings.passes.to_string()),
            ("sessions", settings.runs.to_string()),
        ],
        tables: vec![
            of(0, None, "0.6 % of items in each pass, the published rate"),
            of(1, here(SESSIONS), "0.06 % of items in each pass, beside the published share of sessions"),
            readings,
        ],
        plot: Plot {
            title: "Sessions with at least one item turned round".to_owned(),
            x: Axis::counted("passes", settings.passes, (settings.passes / 8).max(1)),
            y: Axis::share("sessions"),
            lines: lines.collect(),
        },
        reading: vec![
            format!(
                "The arithmetic: {} items × {} passes = {trials} trials; 1 − (1 − 0.006)^{trials} = {:.1} %, \
                 1 − (1 − 0.0006)^{trials} = {:.1} %.",
                settings.items,
                settings.passes,
                at_least_one(RATES[0], trials) * 100.0,
                at_least_one(RATES[1], trials) * 100.0
            ),
            "The published rate and the published share of sessions do not go together: either the rate is ten times \
             too high, or inversions come in clusters, many in few sessions. Both readings are in the last table."
                .to_owned(),
        ],
        assumed: vec![
            "Every item has the same rate in every pass, and items are turned round independently of each other."
                .to_owned(),
            "What was turned round stays so: a later pass cannot see that it was a question.".to_owned(),
        ],
    }
}

/// The share of sessions with at least one inversion, after each pass.
fn affected(settings: Settings, rate: f64, step: &mut dyn FnMut()) -> Vec<f64> {
    let course = Course {
        items: settings.items,
        passes: settings.passes,
        hazard: Hazard::constant(1.0 - rate),
        policy: Policy::Recursive,
    };
    let mut sessions = vec![0_u32; settings.passes as usize + 1];
    for run in 0..settings.runs {
        let left = course.run(&mut Chance::new(settings.seed, u64::from(run)));
        sessions.iter_mut().zip(left).for_each(|(count, left)| *count += u32::from(left < settings.items));
        step();
    }
    sessions.into_iter().map(|count| f64::from(count) / f64::from(settings.runs.max(1))).collect()
}

#[cfg(test)]
mod tests {
    use super::{PUBLISHED, Settings, affected, at_least_one, experiment, rate_for};
    use crate::simulate::SEED;

    const HERE: Settings = Settings { items: PUBLISHED.0, passes: PUBLISHED.1, runs: 8_000, seed: SEED };

    /// A1.14: 40 items × 6 passes: .006 → 76.4 %, not one in eight; .0006 → 13.4 %, one in 7.5.
    #[test]
    fn the_arithmetic_is_what_it_is() {
        for (rate, wanted) in [(0.006, 0.764), (0.0006, 0.134)] {
            assert!((at_least_one(rate, 240) - wanted).abs() < 0.0005, "{}", at_least_one(rate, 240));
            let drawn = affected(HERE, rate, &mut || {});
            // 8,000 sessions: three standard errors of the larger share
            assert!((drawn[6] - wanted).abs() < 0.0145, "{}", drawn[6]);
        }
    }

    /// One session in eight needs 0.0556 % for each item and pass; 1.44 inversions in an eighth of the sessions are 11.5 each.
    #[test]
    fn both_readings_of_the_published_share_are_told() {
        assert!((rate_for(0.125, 240) - 0.000_556).abs() < 0.000_000_5);
        let sheet = experiment(Settings { runs: 10, ..HERE }, &mut || {});
        let readings: Vec<f64> = sheet.tables[2].rows.iter().map(|row| row.ours).collect();
        assert!((readings[0] - 0.000_556).abs() < 0.000_000_5 && (readings[1] - 11.52).abs() < 0.001, "{readings:?}");
        assert!((sheet.tables[0].rows[0].ours - 1.44).abs() < 1e-9);
    }

    #[test]
    fn the_published_share_never_stands_beside_the_published_rate() {
        let sheet = experiment(Settings { runs: 10, ..HERE }, &mut || {});
        assert!(sheet.tables[0].rows.iter().all(|row| row.published.is_none()));
        assert!(sheet.tables[1].rows[1].published.is_some());
        let words = format!("{sheet:?}").to_lowercase();
        assert!(!words.contains("in eight") && !words.contains("1 in 8"), "{words}");
        let other = experiment(Settings { items: 20, runs: 10, ..HERE }, &mut || {});
        assert!(other.tables[1].rows.iter().all(|row| row.published.is_none()), "published for 40 items only");
    }

    #[test]
    fn a_certain_hit_and_no_trial_at_all() {
        assert!((at_least_one(1.0, 1) - 1.0).abs() < 1e-12 && at_least_one(0.5, 0).abs() < 1e-12);
    }
}
