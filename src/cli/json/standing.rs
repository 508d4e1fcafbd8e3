//! How a block or a span stands as JSON.

use serde::Serialize;

use crate::record::Record;
use crate::workbench::{Liveness, RegionStanding};

/// See [`standing`].
#[derive(Serialize)]
pub struct StandingJson {
    originals: &'static str,
    facts: FactsJson,
    idempotence: IdempotenceJson,
    validity: ValidityJson,
}

#[derive(Serialize)]
struct FactsJson {
    all: usize,
    held: usize,
    closed: usize,
    dangling: usize,
    only_summaries: usize,
}

#[derive(Serialize)]
struct IdempotenceJson {
    facts: usize,
    again: usize,
    share: f64,
    /// Those that a second reading loses, by their names in the record.
    lost: Vec<String>,
}

#[derive(Serialize)]
struct ValidityJson {
    originals: bool,
    references: bool,
    put_aside: bool,
}

/// Whether its originals are what they were, how its facts are held up, and whether it may be built on.
pub fn standing(standing: &RegionStanding, record: &Record) -> StandingJson {
    let RegionStanding { live, facts, validity, idempotence, .. } = standing;
    StandingJson {
        originals: match live {
            Liveness::Live => "live",
            Liveness::Unnamed => "unnamed",
            Liveness::Gone(_) => "gone",
            Liveness::Changed(_) => "changed",
        },
        facts: FactsJson {
            all: facts.facts,
            held: facts.held,
            closed: facts.closed,
            dangling: facts.dangling.len(),
            only_summaries: facts.only_summaries.len(),
        },
        idempotence: IdempotenceJson {
            facts: idempotence.facts,
            again: idempotence.again(),
            share: idempotence.share(),
            lost: idempotence.lost.iter().map(|at| record.name(*at)).collect(),
        },
        validity: ValidityJson {
            originals: validity.originals,
            references: validity.references,
            put_aside: validity.put_aside,
        },
    }
}
