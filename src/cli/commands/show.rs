//! `stet show`: a transcript, or the record of one marker.

use std::io::Write;

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::Value;

use super::{Bench, note_overdue, note_skipped};
use crate::cli::args::{DocumentFormat, Show};
use crate::cli::found::found_at;
use crate::cli::print::{Out, Text};
use crate::cli::walk::{Step, walk};
use crate::cli::{Outcome, json, markdown, text};
use crate::record::lay;
use crate::session::{Entry, Fold, Outline, Turn};
use crate::workbench::{Cancel, Depths, Desk, MarkerRecord, Target};

pub(super) fn show(bench: &Bench, show: &Show) -> Result<Outcome> {
    let target = bench.bench.find(&show.session)?;
    let text = if show.raw { Text::Raw } else { Text::Safe };
    match show.marker {
        Some(no) => record(bench, &target, no, show.format, text),
        None => transcript(bench, &target, show.format, text),
    }
}

#[derive(Serialize)]
struct TurnJson {
    turn: Value,
    turn_id: Option<String>,
    role: &'static str,
    at: Option<String>,
    parts: Vec<json::PartJson>,
    /// Why it is folded away on the screen.
    #[serde(skip_serializing_if = "Option::is_none")]
    folded: Option<&'static str>,
    /// More of a turn that began further up.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    continues: bool,
    /// Through what it comes into a request; absent where nothing was compiled of the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<DepthJson>,
}

#[derive(Serialize)]
struct DepthJson {
    /// `null` where no block holds it.
    block: Option<u32>,
    /// `null` where its block stands for itself.
    span: Option<u32>,
    /// Summarising steps between what was said and the request.
    generation: u32,
}

/// The whole session, read and written piece by piece.
pub(super) fn transcript(bench: &Bench, target: &Target, format: DocumentFormat, text: Text) -> Result<Outcome> {
    let mut desk = bench.read(target)?;
    // A database that cannot be read is told where it is asked for; it is no reason to show no transcript.
    let depths = bench.bench.depths(target).unwrap_or_default();
    let mut out = Out::new(text);
    match format {
        DocumentFormat::Text => {
            let info = desk.info()?;
            let title = info.title.clone().unwrap_or_else(|| info.key.id.clone());
            out.line(&format!("{title}   {}", text::size(info.turns, info.compactions as usize)))?;
            if let Some(skipped) = info.skipped.filter(|skipped| *skipped > 0) {
                out.line(&unread(skipped))?;
            }
            out.line("")?;
            let mut block = None;
            walk(&mut desk, &mut |outline, step, depth| {
                if let Step::Entry(Entry::Turn(turn)) = &step
                    && let Some(chain) = outline.seq(turn.place).map(|seq| depths.of(seq.0))
                    && depth == 0
                    && chain.block.is_some_and(|no| block.replace(no) != Some(no))
                {
                    out.line(&text::chain(&chain))?;
                    out.line("")?;
                }
                Ok(text::Transcript::new(&mut out, outline).step(&step, depth)?)
            })?;
        }
        DocumentFormat::Md => {
            let info = desk.info()?;
            out.line(&format!("# {}", info.title.clone().unwrap_or_else(|| info.key.id.clone())))?;
            out.line("")?;
            if let Some(skipped) = info.skipped.filter(|skipped| *skipped > 0) {
                out.line(&format!("*{}.*", unread(skipped)))?;
                out.line("")?;
            }
            walk(&mut desk, &mut |outline, step, _| Ok(markdown::step(&mut out, outline, &step)?))?;
        }
        DocumentFormat::Json => transcript_json(&mut desk, &depths, &mut out)?,
    }
    out.flush()?;
    note_skipped(&desk);
    note_overdue(&desk);
    Ok(Outcome::Fine)
}

fn unread(skipped: usize) -> String {
    let lines = text::count(skipped as u64, "line", "lines");
    format!("{lines} could not be read; where they stand they are named")
}

fn transcript_json(desk: &mut Desk, depths: &Depths, out: &mut Out) -> Result<()> {
    let info = desk.info()?;
    write!(
        out,
        r#"{{"schema":"stet.transcript/1","session":{},"skipped":{},"turns":["#,
        json::line(&json::session(&info))?,
        json::line(&json::skipped(&desk.skipped()))?
    )?;
    let mut first = true;
    let mut folds: Vec<Option<&'static str>> = Vec::new();
    walk(desk, &mut |outline, step, _| {
        let around = folds.last().copied().flatten();
        match step {
            Step::Entry(Entry::Turn(turn)) => {
                out.exact(if first { "" } else { "," })?;
                first = false;
                out.exact(&json::line(&turn_json(outline, depths, turn, around))?)?;
            }
            Step::Entry(_) => {}
            Step::Opens(fold) => folds.push(match fold {
                Fold::Abandoned => Some("abandoned"),
                Fold::SubAgent { .. } => Some("sub-agent"),
                Fold::Repeat => Some("repeat"),
                Fold::Noise => around,
            }),
            Step::Closes { .. } => {
                folds.pop();
            }
        }
        Ok(())
    })?;
    let records = desk.records(&Cancel::default())?;
    let outline = desk.outline();
    let markers: Vec<_> = records.iter().map(|marked| json::checked(&outline, marked, &|_| true)).collect();
    writeln!(out, r#"],"markers":{}}}"#, json::line(&markers)?)?;
    Ok(())
}

fn turn_json(outline: &Outline, depths: &Depths, turn: &Turn, folded: Option<&'static str>) -> TurnJson {
    let depth = outline.seq(turn.place).filter(|_| depths.is_any()).map(|seq| depths.of(seq.0));
    let meta = outline.turn_at(turn.place.file, turn.place.offset);
    let no = turn.no.as_ref().or(turn.result_of.as_ref());
    TurnJson {
        turn: no.map_or(Value::Null, json::turn),
        turn_id: meta.map(|meta| meta.id.to_string()).or_else(|| turn.id.clone()),
        role: turn.role.name(),
        at: turn.at.map(json::time),
        parts: turn.parts.iter().map(json::part).collect(),
        folded,
        continues: turn.no.is_none() && turn.result_of.is_some(),
        depth: depth.map(|chain| DepthJson { block: chain.block, span: chain.span, generation: chain.generation }),
    }
}

#[derive(Serialize)]
struct RecordDocument {
    schema: &'static str,
    session: json::SessionJson,
    skipped: Vec<json::SkippedJson>,
    marker: json::MarkerJson,
    record: json::RecordJson,
    effective: json::RecordJson,
    /// What is compiled mechanically from the same turns.
    compiled: Option<json::RecordJson>,
    /// Corrections on this marker whose item can no longer be found.
    orphans: Vec<String>,
    /// The agent's own prose, which the record was lifted from.
    summary: Option<String>,
}

fn record(bench: &Bench, target: &Target, no: u32, format: DocumentFormat, text: Text) -> Result<Outcome> {
    let mut desk = bench.read(target)?;
    let records = checked(&mut desk, no)?;
    let marked = records.iter().find(|marked| marked.compaction.no == no);
    let marked = marked.with_context(|| format!("cannot read the record of m{no}"))?;
    let ledger = desk.ledger()?;
    let info = desk.info()?;
    let laid = lay(&marked.record, &ledger, &info.key, &marked.compaction.key);
    let mut out = Out::new(text);
    {
        let outline = desk.outline();
        match format {
            DocumentFormat::Text => text::record(&mut out, &outline, marked, &laid, &found_at(&records, marked))?,
            DocumentFormat::Md => markdown::record(&mut out, &outline, marked, &laid)?,
            DocumentFormat::Json => {
                let document = RecordDocument {
                    schema: "stet.record/1",
                    session: json::session(&info),
                    skipped: json::skipped(&desk.skipped()),
                    marker: json::checked(&outline, marked, &|_| true),
                    record: json::record(marked, &laid),
                    effective: json::effective(marked, &laid, &ledger),
                    compiled: json::compiled(marked),
                    orphans: laid.orphans.iter().map(|entry| format!("L{}", entry.no)).collect(),
                    summary: Some(marked.record.summary.clone()).filter(|summary| !summary.is_empty()),
                };
                out.exact(&format!("{}\n", json::line(&document)?))?;
            }
        }
    }
    out.flush()?;
    note_skipped(&desk);
    note_overdue(&desk);
    Ok(Outcome::Fine)
}

/// All records as the check of all left them, the one that is asked for among them: a finding may begin at another marker.
fn checked(desk: &mut Desk, no: u32) -> Result<Vec<MarkerRecord>> {
    if !desk.outline().compactions.iter().any(|compaction| compaction.no == no) {
        // It says which markers there are.
        desk.record(no, &Cancel::default(), &mut |_| {})?;
    }
    desk.records(&Cancel::default())
}
