//! A cost as JSON.

use serde::Serialize;

use super::{SessionJson, session};
use crate::workbench::{Cost, SessionCost, Way, dollars};

/// See [`cost`].
#[derive(Serialize)]
pub struct CostJson {
    schema: &'static str,
    /// Null for the figures of a profile.
    session: Option<SessionJson>,
    profile: Option<&'static str>,
    /// Dollars for a million tokens read.
    price: f64,
    recursive: WayJson,
    hierarchical: WayJson,
    /// Hierarchical for recursive; null where the latter reads nothing.
    ratio: Option<f64>,
}

#[derive(Serialize)]
struct WayJson {
    tokens: u64,
    dollars: f64,
    depth: u32,
    steps: Vec<StepsJson>,
}

#[derive(Serialize)]
struct StepsJson {
    what: &'static str,
    times: u64,
    tokens: u64,
}

/// What a session cost, or a profile without one.
pub fn cost(cost: &Cost, of: Option<&SessionCost>, price: f64) -> CostJson {
    let round = |value: f64| (value * 10_000.0).round() / 10_000.0;
    let way = |way: &Way| WayJson {
        tokens: way.tokens(),
        dollars: round(dollars(way.tokens(), price)),
        depth: way.depth,
        steps: way
            .steps
            .iter()
            .map(|steps| StepsJson { what: steps.what, times: steps.times, tokens: steps.tokens })
            .collect(),
    };
    CostJson {
        schema: "stet.cost/1",
        session: of.map(|of| session(&of.info)),
        profile: of.is_none().then_some("paper"),
        price,
        recursive: way(&cost.recursive),
        hierarchical: way(&cost.hierarchical),
        ratio: cost.ratio().map(round),
    }
}
