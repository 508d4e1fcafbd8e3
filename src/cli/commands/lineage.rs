//! `stet lineage`: one claim through all generations.

use anyhow::Result;

use super::{Bench, note_skipped};
use crate::cli::args::{Format, Lineage};
use crate::cli::print::{Out, Text};
use crate::cli::{Outcome, json};
use crate::record::{Generation, Lineage as Claim, Record};
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
    let original = claim.generations.first().and_then(|one| one.certainty);
    let mut before = None;
    for one in &claim.generations {
        let sure = match one.certainty.and_then(|step| STEPS.get(usize::from(step))) {
            Some(word) if one.negated => format!("{word}, denied"),
            Some(word) => (*word).to_owned(),
            None => "–".to_owned(),
        };
        let against = one.told(original).unwrap_or("·");
        let pairwise = one.pairwise.map_or("·", |change| one.word(change, before));
        before = one.certainty.or(before);
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

/// What the rows come to. That nothing was found is no proof.
fn verdict(claim: &Claim) -> String {
    let original = claim.generations.first().and_then(|one| one.certainty);
    let changed = |one: &Generation| Some(format!("{} at m{}", one.word(one.changed?, original), one.marker?));
    let told: Vec<String> = claim.generations.iter().filter_map(changed).collect();
    let found = claim.generations.iter().find_map(|one| Some(format!("{} (m{})", one.found?.plain(), one.marker?)));
    if !told.is_empty() {
        // That a claim is gone altogether shows beside the summary before it as well.
        let shows = |one: &Generation| one.pairwise.is_some() || one.changed.is_some() && one.item.is_none();
        let seen = claim.generations.iter().skip(1).any(shows);
        let apart = if seen { "" } else { " Held against the summary before it, no summary shows that." };
        return format!("First change: {}.{apart}", told.join("; then "));
    }
    if let Some(found) = found {
        return format!("The check against the originals found: {found}.");
    }
    if claim.generations.first().is_some_and(|one| one.marker.is_some()) {
        return "No original words are known for it, so no change can be told.".to_owned();
    }
    "No change against the original was found in any generation.".to_owned()
}
