//! `stet lineage`: one claim through all generations.

use anyhow::Result;

use super::{Bench, note_skipped};
use crate::cli::args::{Format, Lineage};
use crate::cli::print::{Out, Text};
use crate::cli::{Outcome, json};
use crate::record::{Change, Generation, Lineage as Claim, Record};
use crate::workbench::{Cancel, lineage_in};

pub(super) fn lineage(bench: &Bench, asked: &Lineage) -> Result<Outcome> {
    let mut desk = bench.read_one(&asked.session)?;
    let records = desk.records(&Cancel::default())?;
    let claim = lineage_in(&records, &asked.claim)?;
    let record = |no: u32| records.iter().find(|marked| marked.compaction.no == no).map(|marked| &*marked.record);
    let mut out = Out::new(Text::Safe);
    match asked.format {
        Format::Json => out.exact(&format!("{}\n", json::line(&json::lineage(&claim, record))?))?,
        Format::Text => tell(&mut out, &claim, &record)?,
    }
    out.flush()?;
    note_skipped(&desk);
    Ok(Outcome::Fine)
}

/// The steps of certainty in words.
const STEPS: [&str; 7] = ["asked", "conditional", "possible", "believed", "proposed", "wanted", "decided"];

fn tell<'a>(out: &mut Out, claim: &Claim, record: &impl Fn(u32) -> Option<&'a Record>) -> Result<()> {
    out.line(&claim.text)?;
    out.line("")?;
    out.line("              how sure            against the original   against the one before")?;
    let mut before: Option<&Generation> = None;
    let first = claim.generations.iter().position(|one| one.changed.is_some()).unwrap_or(usize::MAX);
    for (at, one) in claim.generations.iter().enumerate() {
        let sure = match one.certainty.and_then(|step| STEPS.get(usize::from(step))) {
            Some(word) if one.negated => format!("{word}, denied"),
            Some(word) => (*word).to_owned(),
            None => "–".to_owned(),
        };
        let against = match one.changed {
            Some(change) => word(change, claim.generations.first(), one),
            None if at <= first => "·",
            None if one.item.is_none() => "still forgotten",
            None => "still changed",
        };
        let pairwise = one.pairwise.map_or("·", |change| word(change, before, one));
        before = Some(one).filter(|one| one.certainty.is_some()).or(before);
        let line = format!("{:<12}  {sure:<18}  {against:<21}  {pairwise}", place(one, record));
        out.line(line.trim_end())?;
        let text = if one.text.is_empty() { "(not in this record)" } else { &one.text };
        out.block(text, "              ")?;
    }
    out.line("")?;
    out.line(&verdict(claim))?;
    Ok(())
}

fn place<'a>(one: &Generation, record: &impl Fn(u32) -> Option<&'a Record>) -> String {
    match (one.marker, &one.source) {
        (None, Some(source)) => format!("turn {}", source.turn),
        (None, None) => "…".to_owned(),
        (Some(no), _) => match one.item.and_then(|item| Some(record(no)?.name(item))) {
            Some(name) => format!("m{no}.{name}"),
            None => format!("m{no}"),
        },
    }
}

/// What changed between two generations, in a word or two.
fn word(change: Change, before: Option<&Generation>, after: &Generation) -> &'static str {
    match change {
        Change::Certainty if before.is_some_and(|before| before.certainty < after.certainty) => "made firmer",
        Change::Certainty => "less sure",
        Change::Lost if after.item.is_some() => "its value is gone",
        Change::Polarity | Change::Value | Change::Lost => change.plain(),
    }
}

/// What the rows come to.
fn verdict(claim: &Claim) -> String {
    let told: Vec<String> = claim
        .generations
        .iter()
        .filter_map(|one| Some(format!("{} at m{}", word(one.changed?, claim.generations.first(), one), one.marker?)))
        .collect();
    if told.is_empty() {
        return "It says in every generation what the original says.".to_owned();
    }
    let seen = claim.generations.iter().skip(1).any(|one| one.pairwise.is_some());
    let apart = if seen { "" } else { " Held against the summary before it, no summary shows that." };
    format!("First change: {}.{apart}", told.join("; then "))
}
