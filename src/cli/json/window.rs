//! A window as JSON.

use serde::Serialize;
use std::collections::BTreeMap;

use crate::workbench::{Context, Region};

/// See [`window`].
#[derive(Serialize)]
pub struct WindowJson {
    schema: &'static str,
    session: String,
    budget: u64,
    tokens: u64,
    over_budget: bool,
    /// By how many tokens; 0 while it fits.
    over_by: u64,
    /// Closed blocks; 0 where nothing was compiled.
    blocks: usize,
    /// Turns of the agent's own file that the database does not have.
    behind: u32,
    /// Entries that the ledger's own cap left out.
    ledger_left_out: Vec<String>,
    regions: Vec<RegionJson>,
}

#[derive(Serialize)]
struct RegionJson {
    kind: &'static str,
    no: Option<u32>,
    from: Option<u32>,
    to: Option<u32>,
    tokens: u64,
    generation: u32,
    live_source: bool,
    /// By field, how many items of the record the text does not hold for length; and how many drafts it has.
    left_out: BTreeMap<&'static str, u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

fn left_out(region: &Region) -> BTreeMap<&'static str, u32> {
    let fields = region.left_out.iter().map(|(field, count)| (field.name(), *count));
    fields.chain((region.drafts > 0).then_some(("drafts", region.drafts))).collect()
}

/// The regions of a window, with their texts where they are wanted.
pub fn window(context: &Context, texts: bool) -> WindowJson {
    let window = &context.window;
    let region = |region: &Region| RegionJson {
        kind: region.kind.name(),
        no: region.no,
        from: region.turns.map(|(from, _)| from),
        to: region.turns.map(|(_, to)| to),
        tokens: region.tokens,
        generation: region.generation,
        live_source: context.is_live(region),
        left_out: left_out(region),
        text: texts.then(|| region.text.clone()),
    };
    WindowJson {
        schema: "stet.window/1",
        session: context.key.id.clone(),
        budget: window.budget,
        tokens: window.tokens(),
        over_budget: window.over().is_some(),
        over_by: window.over().unwrap_or(0),
        blocks: context.blocks,
        behind: context.behind,
        ledger_left_out: context.ledger_left_out.iter().map(|no| format!("L{no}")).collect(),
        regions: window.regions.iter().map(region).collect(),
    }
}
