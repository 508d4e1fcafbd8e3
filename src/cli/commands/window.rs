//! `stet window`: what the next request carries, region by region.

use anyhow::{Context as _, Result};

use super::{Bench, note_overdue};
use crate::cli::args::{Format, WindowOf};
use crate::cli::print::{self, Out, Text};
use crate::cli::{Outcome, json, text};
use crate::view::{Carried, NONE_YET, RecentTurns, Signs, WindowSum, counted, noun, share_bar, thousands, through};
use crate::workbench::{Asked, Cancel, Check, Context, Desk, HowMuch, RegionKind, Rendition, Rules, usual_budget};

/// So many cells are the whole budget.
const BAR: usize = 32;

pub(super) fn window(bench: &Bench, asked: &WindowOf) -> Result<Outcome> {
    let system = match &asked.system {
        Some(path) => std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?,
        None => String::new(),
    };
    let mut desk = bench.open(&asked.session)?;
    let texts = if asked.text { HowMuch::Whole } else { HowMuch::Beginnings };
    let originals = if asked.format == Format::Json { Check::Unchanged } else { Check::There };
    let records = if asked.brief { Rendition::Brief } else { Rendition::Whole };
    let budget = if let Some(budget) = asked.budget {
        budget
    } else {
        desk.index(&Cancel::default(), &mut |_| ())?;
        usual_budget(&desk.outline().compactions)
    };
    let wanted = Asked { budget, system, records, texts, originals };
    let context = desk.context(&wanted, &Cancel::default())?;
    let sum = WindowSum::of(&context.window);
    let mut out = Out::new(Text::Safe);
    match asked.format {
        Format::Json => out.exact(&format!("{}\n", json::line(&json::window(&context, asked.text))?))?,
        Format::Text => tell(&mut out, &context, &sum, asked)?,
    }
    out.flush()?;
    let closing = match context.blocks {
        0 if would_close(&mut desk, sum.recent.as_ref())? => Closing::None,
        0 => Closing::NoneYet,
        _ => Closing::Some,
    };
    note(&context, closing, asked.brief);
    note_overdue(&desk);
    Ok(Outcome::Fine)
}

/// Which blocks are closed.
enum Closing {
    Some,
    /// None, but some would close.
    None,
    /// None, and none would.
    NoneYet,
}

/// Whether a block would close of turns of which none is in one.
fn would_close(desk: &mut Desk, recent: Option<&RecentTurns>) -> Result<bool> {
    let Rules { target, cap, .. } = Rules::default();
    let turns = recent.map_or(0, |recent| recent.count);
    // Between the two it depends on what was said.
    Ok(turns > cap as usize || turns > target as usize && !desk.overview(&Cancel::default())?.due.is_empty())
}

/// One line of the table: a region, or the recent turns together.
struct Row {
    what: String,
    turns: String,
    tokens: u64,
    through: String,
}

fn tell(out: &mut Out, context: &Context, sum: &WindowSum, asked: &WindowOf) -> Result<()> {
    let window = &context.window;
    let (tokens, budget) = (sum.tokens, sum.budget);
    let share = u128::from(tokens) * 100 / u128::from(budget.max(1));
    out.line(&format!("{} · ≈{} of {} tokens · {share} %", context.key.id, thousands(tokens), thousands(budget)))?;
    if asked.budget.is_none() {
        out.line("the budget is the usual one: as large as the fullest context that a compaction tells of (--budget)")?;
    }
    out.line("")?;
    let rows = rows(context, sum);
    let wide = |text: fn(&Row) -> &str, least: usize| {
        rows.iter().map(|row| text(row).chars().count()).max().unwrap_or(0).max(least)
    };
    let (what, turns) = (wide(|row| &row.what, 6), wide(|row| &row.turns, 5));
    let line = |row: [&str; 5]| {
        let [name, of, tokens, bar, through] = row;
        format!("{name:<what$}  {of:>turns$}  {tokens:>9}  {bar:<BAR$}  {through}")
    };
    out.line(&line(["region", "turns", "tokens", "of the budget", "through"]))?;
    for row in &rows {
        let bar = share_bar(row.tokens, budget, BAR, &Signs::UNICODE);
        let line = line([&row.what, &row.turns, &thousands(row.tokens), &bar, &row.through]);
        out.line(line.trim_end())?;
    }
    let rest = match sum.over() {
        Some(over) => format!("over budget by {}", thousands(over)),
        None => format!("{} free", thousands(budget - tokens)),
    };
    out.line("")?;
    out.line(&rest)?;
    out.line("tokens: four bytes of what is sent are one; each turn comes with a line that names it, and no thinking")?;
    if asked.text {
        for region in window.regions.iter().filter(|region| !region.text.is_empty()) {
            out.line("")?;
            out.block(&region.text, "")?;
        }
    }
    Ok(())
}

fn rows(context: &Context, sum: &WindowSum) -> Vec<Row> {
    let through = |of| through(of, usize::MAX, &Signs::UNICODE).0;
    let regions = context.window.regions.iter().filter(|region| region.kind != RegionKind::Turn);
    let mut rows: Vec<Row> = regions
        .map(|region| {
            let no = region.no.map(|no| format!(" {no}")).unwrap_or_default();
            let through = match region.kind {
                RegionKind::System if region.tokens == 0 => "not known here: --system FILE".to_owned(),
                _ => through(Carried::Region(region)),
            };
            let turns = region.turns.map(span).unwrap_or_default();
            Row { what: format!("{}{no}", region.kind.name()), turns, tokens: region.tokens, through }
        })
        .collect();
    rows.extend(sum.recent.as_ref().map(|recent| Row {
        what: "recent".to_owned(),
        turns: span(recent.turns),
        tokens: recent.tokens,
        through: through(Carried::Recent(recent)),
    }));
    rows
}

fn span((from, to): (u32, u32)) -> String {
    if from == to { from.to_string() } else { format!("{from}–{to}") }
}

/// What a reader should know beside the figures.
fn note(context: &Context, closing: Closing, brief: bool) {
    let window = &context.window;
    if let Some(over) = window.over() {
        let todo = match (closing, context.in_brief) {
            (Closing::None, _) => "close blocks first: stet compile SESSION".to_owned(),
            (Closing::NoneYet, _) => format!("give a larger budget: no block is closed, and {NONE_YET}"),
            (Closing::Some, Some(tokens)) if tokens <= window.budget => "render records in brief: --brief".to_owned(),
            (Closing::Some, Some(tokens)) => {
                format!("give a larger budget: with --brief it would still be {}", thousands(tokens))
            }
            (Closing::Some, None) if brief || window.is_in_brief() => {
                "give a larger budget: its records are in brief already".to_owned()
            }
            (Closing::Some, None) => "give a larger budget".to_owned(),
        };
        let (over, budget) = (counted(over, "token"), thousands(window.budget));
        print::note(&format!("the window is over its budget of {budget} by {over} ({todo})"));
    } else {
        let why = match closing {
            Closing::Some => None,
            Closing::None => Some("stet compile SESSION"),
            Closing::NoneYet => Some(NONE_YET),
        };
        if let Some(why) = why {
            print::note(&format!("nothing is compiled: every turn stands as it was said ({why})"));
        }
    }
    for region in window.regions.iter().filter(|region| !region.left_out.is_empty()) {
        let counts: Vec<String> =
            region.left_out.iter().map(|(field, count)| counted(u64::from(*count), noun(*field))).collect();
        let (from, to) = region.turns.unwrap_or_default();
        let turns = if from == to { "turn" } else { "turns" };
        let which = span((from, to));
        print::note(&format!("{turns} {which}: left out for length: {}", counts.join(", ")));
    }
    for region in window.regions.iter().filter(|region| region.drafts > 0) {
        let turns = region.turns.map(span).unwrap_or_default();
        let drafts = text::count(region.drafts.into(), "draft", "drafts");
        print::note(&format!("turns {turns}: {drafts} left out, no turn bears them out (stet compile --records)"));
    }
    if !context.ledger_left_out.is_empty() {
        let count = text::count(context.ledger_left_out.len() as u64, "entry", "entries");
        print::note(&format!("{count} of the ledger left out for length (stet ledger print says which)"));
    }
    if context.behind > 0 {
        let turns = text::count(context.behind.into(), "turn", "turns");
        let are = if context.behind == 1 { "is" } else { "are" };
        print::note(&format!("{turns} of the agent's file {are} not in the database yet (stet compile SESSION)"));
    }
}
