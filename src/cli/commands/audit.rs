//! `stet audit`: every item of every record with its verdict and its sources.

use anyhow::Result;
use serde::Serialize;

use super::{Bench, note_skipped};
use crate::cli::args::{Audit, Format};
use crate::cli::print::{self, Out, Text};
use crate::cli::{Outcome, json, text};
use crate::record::{Verdict, lay};
use crate::workbench::{Cancel, Desk, Target};

#[derive(Serialize)]
struct AuditJson {
    schema: &'static str,
    session: json::SessionJson,
    skipped: Vec<json::SkippedJson>,
    markers: Vec<json::MarkerJson>,
}

/// Several sessions are looked at in turn; one that cannot be read does not keep the others from it.
pub(super) fn audit(bench: &Bench, audit: &Audit) -> Result<Outcome> {
    let mut out = Out::new(Text::Safe);
    let mut failed = None;
    for name in &audit.sessions {
        let targets = match bench.bench.find_all(name) {
            Ok(targets) if targets.is_empty() => {
                let empty = anyhow::anyhow!("cannot find a session in {}: it holds none", name.display());
                failed = Some(later(failed, empty));
                continue;
            }
            Ok(targets) => targets,
            Err(error) => {
                failed = Some(later(failed, error));
                continue;
            }
        };
        for target in targets {
            if let Err(error) = one(bench, &target, audit.format, &mut out) {
                if print::is_broken_pipe(&error) {
                    return Err(error);
                }
                failed = Some(later(failed, error));
            }
        }
    }
    out.flush()?;
    // No check against the originals makes findings yet, so none can be as severe as `--fail-on` asks.
    match failed {
        Some(error) => Err(error),
        None => Ok(Outcome::Fine),
    }
}

/// Tells the earlier error now, because only one can be the last word.
fn later(earlier: Option<anyhow::Error>, error: anyhow::Error) -> anyhow::Error {
    if let Some(earlier) = earlier {
        print::error(&earlier);
    }
    error
}

fn one(bench: &Bench, target: &Target, format: Format, out: &mut Out) -> Result<()> {
    let mut desk = bench.read(target)?;
    let records = desk.records(&Cancel::default())?;
    let ledger = desk.ledger()?;
    let info = desk.info()?;
    {
        let outline = desk.outline();
        let laid = |at: usize| {
            let marked: &crate::workbench::MarkerRecord = &records[at];
            lay(&marked.record, &ledger, &info.key, &marked.compaction.key)
        };
        match format {
            Format::Json => {
                let markers = (0..records.len()).map(|at| json::audited(&outline, &records[at], &laid(at))).collect();
                let document = AuditJson {
                    schema: "stet.audit/1",
                    session: json::session(&info),
                    skipped: json::skipped(&desk.skipped()),
                    markers,
                };
                out.exact(&format!("{}\n", json::line(&document)?))?;
            }
            Format::Text => {
                summary(&desk, out)?;
                for (at, marked) in records.iter().enumerate() {
                    text::record(out, &outline, marked, &laid(at))?;
                    let items = &marked.record.items;
                    let verified = items.iter().filter(|item| item.verdict == Verdict::Verified).count();
                    let untied = items.iter().filter(|item| item.sources.is_empty()).count();
                    out.line("")?;
                    out.line(&format!(
                        "   {} items · {verified} verified · {untied} without a turn · not checked against the originals yet",
                        items.len()
                    ))?;
                    out.line("")?;
                }
            }
        }
    }
    out.flush()?;
    note_skipped(&desk);
    Ok(())
}

fn summary(desk: &Desk, out: &mut Out) -> Result<()> {
    let outline = desk.outline();
    let head = desk.head();
    let title = outline.title.clone().or_else(|| head.title.clone()).unwrap_or_else(|| head.key.id.clone());
    out.line(&format!("{title}   {}", text::size(outline.main_turns, outline.compactions.len())))?;
    for skipped in desk.skipped() {
        out.line(&format!("!! {}", text::unread(&skipped.trouble, &outline)))?;
    }
    out.line("")?;
    Ok(())
}
