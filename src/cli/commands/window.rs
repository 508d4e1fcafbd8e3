//! `stet window`: what the next request carries, region by region.

use anyhow::{Context as _, Result};

use super::Bench;
use crate::cli::args::{Format, WindowOf};
use crate::cli::print::{self, Out, Text};
use crate::cli::{Outcome, json, text};
use crate::view::{Signs, share_bar, thousands};
use crate::workbench::{Asked, Context, Region, RegionKind, Wording};

/// So many cells are the whole budget.
const BAR: usize = 32;

pub(super) fn window(bench: &Bench, asked: &WindowOf) -> Result<Outcome> {
    let system = match &asked.system {
        Some(path) => std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?,
        None => String::new(),
    };
    let target = bench.bench.find(&asked.session)?;
    let wording = if asked.text { Wording::Whole } else { Wording::Beginnings };
    let checked = asked.format == Format::Json;
    let wanted = Asked { budget: asked.budget, system, brief: asked.brief, wording, checked };
    let context = bench.bench.context(&target, &wanted)?;
    let mut out = Out::new(Text::Safe);
    match asked.format {
        Format::Json => out.exact(&format!("{}\n", json::line(&json::window(&context, asked.text))?))?,
        Format::Text => tell(&mut out, &context, asked)?,
    }
    out.flush()?;
    note(&context, asked);
    Ok(Outcome::Fine)
}

/// One line of the table: a region, or the recent turns together.
struct Row {
    what: String,
    turns: String,
    tokens: u64,
    depth: String,
}

fn tell(out: &mut Out, context: &Context, asked: &WindowOf) -> Result<()> {
    let window = &context.window;
    let (tokens, budget) = (window.tokens(), window.budget);
    let share = tokens.saturating_mul(100) / budget.max(1);
    out.line(&format!("{} · ≈{} of {} tokens · {share} %", context.key.id, thousands(tokens), thousands(budget)))?;
    out.line("")?;
    let rows = rows(&window.regions);
    let wide = |text: fn(&Row) -> &str, least: usize| {
        rows.iter().map(|row| text(row).chars().count()).max().unwrap_or(0).max(least)
    };
    let (what, turns) = (wide(|row| &row.what, 6), wide(|row| &row.turns, 5));
    out.line(&format!(
        "{:<what$}  {:>turns$}  {:>9}  {:<width$}  depth",
        "region",
        "turns",
        "tokens",
        "",
        width = BAR
    ))?;
    for row in &rows {
        let bar = share_bar(row.tokens, budget, BAR, &Signs::UNICODE);
        let line = format!(
            "{:<what$}  {:>turns$}  {:>9}  {bar:<width$}  {}",
            row.what,
            row.turns,
            thousands(row.tokens),
            row.depth,
            width = BAR
        );
        out.line(line.trim_end())?;
    }
    let rest = match window.over() {
        Some(over) => format!("over budget by {}", thousands(over)),
        None => format!("{} free", thousands(budget - tokens)),
    };
    out.line("")?;
    out.line(&rest)?;
    if asked.text {
        for region in window.regions.iter().filter(|region| !region.text.is_empty()) {
            out.line("")?;
            out.block(&region.text, "")?;
        }
    }
    Ok(())
}

fn rows(regions: &[Region]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut recent: Option<(u32, u32, u64, u32)> = None;
    for region in regions {
        let no = region.no.map(|no| format!(" {no}")).unwrap_or_default();
        let turns = region.turns.map(span).unwrap_or_default();
        let gone = if region.present { "" } else { " · originals gone" };
        let depth = match region.kind {
            RegionKind::System => begins_with(region),
            RegionKind::Ledger => "pinned, word for word".to_owned(),
            RegionKind::Span | RegionKind::Block => format!("generation {}{gone}", region.generation),
            RegionKind::Turn => {
                let (from, to) = region.turns.unwrap_or_default();
                let (first, _, tokens, count) = recent.unwrap_or((from, to, 0, 0));
                recent = Some((first, to, tokens + region.tokens, count + 1));
                continue;
            }
        };
        rows.push(Row { what: format!("{}{no}", region.kind.name()), turns, tokens: region.tokens, depth });
    }
    if let Some((from, to, tokens, count)) = recent {
        let depth = "as they were said".to_owned();
        rows.push(Row { what: text::count(count.into(), "turn", "turns"), turns: span((from, to)), tokens, depth });
    }
    rows
}

fn begins_with(region: &Region) -> String {
    if region.tokens == 0 { "not known: --system FILE".to_owned() } else { "as given".to_owned() }
}

fn span((from, to): (u32, u32)) -> String {
    if from == to { from.to_string() } else { format!("{from}–{to}") }
}

/// What a reader should know beside the figures.
fn note(context: &Context, asked: &WindowOf) {
    let window = &context.window;
    if let Some(over) = window.over() {
        let todo = match (context.blocks, asked.brief) {
            (0, _) => "close blocks first: stet compile SESSION",
            (_, false) => "render records in brief: --brief",
            (_, true) => "give a larger budget",
        };
        let (over, budget) = (thousands(over), thousands(window.budget));
        print::note(&format!("stet: the window is over its budget of {budget} by {over} tokens ({todo})"));
    } else if context.blocks == 0 {
        print::note("stet: nothing is compiled: every turn stands as it was said (stet compile SESSION)");
    }
    for region in window.regions.iter().filter(|region| !region.left_out.is_empty()) {
        let counts: Vec<String> = region
            .left_out
            .iter()
            .map(|(field, count)| format!("{} {}", thousands(u64::from(*count)), field.name()))
            .collect();
        let turns = region.turns.map(span).unwrap_or_default();
        print::note(&format!("stet: turns {turns}: left out for length: {}", counts.join(", ")));
    }
    if !context.ledger_left_out.is_empty() {
        let count = text::count(context.ledger_left_out.len() as u64, "entry", "entries");
        print::note(&format!("stet: {count} of the ledger left out for length (stet ledger print says which)"));
    }
    if context.behind > 0 {
        let turns = text::count(context.behind.into(), "turn", "turns");
        print::note(&format!("stet: {turns} of the agent's file are not in the database yet (stet compile SESSION)"));
    }
}
