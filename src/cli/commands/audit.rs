//! `stet audit`: every item of every record with its verdict and its sources.

use anyhow::Result;
use serde::Serialize;

use super::{Bench, Failures, note_passed_over, note_skipped};
use crate::cli::args::{Audit, Format};
use crate::cli::print::{self, Out, Text};
use crate::cli::{Outcome, json, text};
use crate::record::{Severity, Verdict, lay};
use crate::session::Outline;
use crate::workbench::{Cancel, MarkerRecord, SessionInfo, Skipped, Target};

#[derive(Serialize)]
struct AuditJson {
    schema: &'static str,
    session: json::SessionJson,
    skipped: Vec<json::SkippedJson>,
    markers: Vec<json::MarkerJson>,
    /// Corrections whose item is in no record any more.
    orphans: Vec<String>,
}

/// Several sessions are looked at in turn; one that cannot be read does not keep the others from it.
pub(super) fn audit(bench: &Bench, audit: &Audit) -> Result<Outcome> {
    let mut out = Out::new(Text::Safe);
    let mut failures = Failures::default();
    let mut worst: Option<Severity> = None;
    for name in &audit.sessions {
        let found = match bench.bench.find_all(name) {
            Ok(found) => found,
            Err(error) => {
                failures.add(error);
                continue;
            }
        };
        if found.targets.is_empty() && found.troubles.is_empty() {
            failures.add(anyhow::anyhow!("cannot find a session in {}: it holds none", name.display()));
        }
        found.troubles.into_iter().for_each(|trouble| failures.add(trouble));
        for target in found.targets {
            match one(bench, &target, audit.format, &mut out) {
                Ok(found) => worst = worst.max(found),
                Err(error) if print::is_broken_pipe(&error) => return Err(error),
                Err(error) => failures.add(error),
            }
        }
        note_passed_over(name, found.passed_over);
    }
    out.flush()?;
    failures.end(outcome(worst, audit.fail_on))
}

/// Whether the worst finding is at least as severe as was asked for.
fn outcome(worst: Option<Severity>, fail_on: Option<Severity>) -> Outcome {
    match (worst, fail_on) {
        (Some(worst), Some(fail_on)) if worst >= fail_on => Outcome::CheckFailed,
        _ => Outcome::Fine,
    }
}

/// Prints one session, and gives its worst finding.
fn one(bench: &Bench, target: &Target, format: Format, out: &mut Out) -> Result<Option<Severity>> {
    let mut desk = bench.read(target)?;
    let records = desk.records(&Cancel::default())?;
    let ledger = desk.ledger()?;
    let orphans = desk.orphans()?;
    let info = desk.info()?;
    {
        let outline = desk.outline();
        match format {
            Format::Json => {
                let audited = |marked: &MarkerRecord| {
                    let laid = lay(&marked.record, &ledger, &info.key, &marked.compaction.key);
                    json::audited(&outline, marked, &laid)
                };
                let document = AuditJson {
                    schema: "stet.audit/1",
                    session: json::session(&info),
                    skipped: json::skipped(&desk.skipped()),
                    markers: records.iter().map(audited).collect(),
                    orphans: orphans.iter().map(|entry| format!("L{}", entry.no)).collect(),
                };
                out.exact(&format!("{}\n", json::line(&document)?))?;
            }
            Format::Text => {
                summary(&info, &desk.skipped(), &outline, out)?;
                for marked in &records {
                    let mut laid = lay(&marked.record, &ledger, &info.key, &marked.compaction.key);
                    // They are told once, at the end.
                    laid.orphans.clear();
                    text::record(out, &outline, marked, &laid)?;
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
                text::orphans(out, orphans.iter())?;
            }
        }
    }
    out.flush()?;
    note_skipped(&desk);
    Ok(records.iter().flat_map(MarkerRecord::findings).map(|found| found.severity).max())
}

fn summary(info: &SessionInfo, skipped: &[Skipped], outline: &Outline, out: &mut Out) -> Result<()> {
    let title = info.title.as_ref().unwrap_or(&info.key.id);
    out.line(&format!("{title}   {}", text::size(info.turns, info.compactions as usize)))?;
    for skipped in skipped {
        out.line(&format!("!! {}", text::unread(&skipped.trouble, outline)))?;
    }
    out.line("")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_fails_when_a_finding_is_at_least_as_severe_as_asked() {
        use Severity::{High, Low, Medium};
        for (worst, fail_on, failed) in [
            (None, Some(Low), false),
            (Some(High), None, false),
            (Some(Low), Some(Medium), false),
            (Some(Medium), Some(Medium), true),
            (Some(High), Some(Low), true),
        ] {
            assert_eq!(outcome(worst, fail_on) == Outcome::CheckFailed, failed, "{worst:?} {fail_on:?}");
        }
    }
}
