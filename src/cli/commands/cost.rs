//! `stet cost`: what compacting reads, the one way and the other.

use anyhow::{Context as _, Result};

use super::Bench;
use crate::cli::args::{CostOf, Format};
use crate::cli::print::{self, Out, Text};
use crate::cli::{Outcome, json};
use crate::view::thousands;
use crate::workbench::{self, Cost, Habits, SessionCost, Steps, Way, dollars};

/// The figures of the literature; they need nothing of this machine.
pub(super) fn paper(asked: &CostOf) -> Result<Outcome> {
    print_it(asked, &workbench::paper(), None)
}

pub(super) fn cost(bench: &Bench, asked: &CostOf) -> Result<Outcome> {
    let session =
        asked.session.as_deref().context("cannot tell whose cost is meant: name a session, or give --profile paper")?;
    let target = bench.bench.find(session)?;
    let size = std::fs::metadata(target.path()).map_or(0, |meta| meta.len());
    let bar = print::progress(size, "counting");
    let habits = Habits { every: asked.every.into(), window: asked.window, ..Habits::default() };
    let cost = bench.bench.cost(&target, &habits, &mut |to| bar.set_position(to.min(size)))?;
    bar.finish_and_clear();
    print_it(asked, &cost.cost, Some(&cost))
}

fn print_it(asked: &CostOf, cost: &Cost, of: Option<&SessionCost>) -> Result<Outcome> {
    let mut out = Out::new(Text::Safe);
    match asked.format {
        Format::Json => out.exact(&format!("{}\n", json::line(&json::cost(cost, of, asked.price))?))?,
        Format::Text => tell(&mut out, cost, of, asked.price)?,
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

fn tell(out: &mut Out, cost: &Cost, of: Option<&SessionCost>, price: f64) -> Result<()> {
    match of {
        None => out.line("profile paper · 300 turns")?,
        Some(of) => {
            let title = of.info.title.as_deref().unwrap_or(&of.info.key.id);
            let said: u64 = of.own.turns.iter().sum();
            out.line(&format!(
                "{title} · {} turns · ≈{} tokens said",
                thousands(of.info.turns.into()),
                thousands(said)
            ))?;
        }
    }
    out.line("")?;
    out.line(&format!("{:<13}  {:>12}  {:>9}  {:>5}  what is read", "", "tokens read", "dollars", "depth"))?;
    for (name, way) in [("recursive", &cost.recursive), ("hierarchical", &cost.hierarchical)] {
        let paid = format!("${:.2}", dollars(way.tokens(), price));
        out.line(&format!("{name:<13}  {:>12}  {paid:>9}  {:>5}  {}", thousands(way.tokens()), way.depth, read(way)))?;
    }
    out.line("")?;
    out.line(&match cost.ratio() {
        Some(ratio) => format!("ratio {ratio:.2} · at ${price:.2} for a million tokens"),
        None if cost.recursive.tokens() > 0 => format!(
            "no ratio: the agent counts its instructions and tools too, stet what was said · at ${price:.2} for a million tokens"
        ),
        None => "nothing was compacted, and there are too few turns to reckon with".to_owned(),
    })?;
    if let Some(of) = of {
        for line in whence(of) {
            out.line(&line)?;
        }
    }
    Ok(())
}

/// `7 blocks of 48,000 + 2 spans of 360,000`
fn read(way: &Way) -> String {
    let one = |steps: &Steps| {
        let plural = if steps.times == 1 { "" } else { "s" };
        let each = match steps.each() {
            Some(each) => format!("of {}", thousands(each)),
            None => format!("with {} in all", thousands(steps.tokens)),
        };
        format!("{} {}{plural} {each}", thousands(steps.times), steps.what)
    };
    let told: Vec<String> = way.steps.iter().filter(|steps| steps.times > 0).map(one).collect();
    if told.is_empty() { "nothing".to_owned() } else { told.join(" + ") }
}

/// Where the figures of a session come from.
fn whence(of: &SessionCost) -> Vec<String> {
    let told = of.own.markers.iter().flatten().count();
    let recursive = if told > 0 {
        format!("recursive: what {told} of its {} compactions read, as the agent tells it", of.own.markers.len())
    } else {
        "recursive: reckoned, since no compaction tells what it read".to_owned()
    };
    let spans = of.cost.hierarchical.steps.iter().filter(|steps| steps.what == "span").map(|steps| steps.times).sum();
    let hierarchical = match (of.own.blocks.is_empty(), of.own.spans.is_empty(), spans) {
        (true, ..) => "hierarchical: reckoned with blocks of 40 turns, since none was compiled".to_owned(),
        (false, true, 0) => "hierarchical: its closed blocks".to_owned(),
        (false, true, 1) => "hierarchical: its closed blocks, and one span over those before the last".to_owned(),
        (false, true, more) => {
            format!("hierarchical: its closed blocks, and {} spans over those before the last", thousands(more))
        }
        (false, false, _) => "hierarchical: its closed blocks and its spans".to_owned(),
    };
    let said = "said: four bytes of what was said, called and answered are one token; thinking is not counted";
    vec![recursive, hierarchical, said.to_owned()]
}
