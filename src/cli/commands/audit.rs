//! `stet audit`: what each compaction did wrong, in one session or in thousands of them side by side.

use std::ffi::OsString;
use std::io::Write;
use std::num::NonZero;

use anyhow::Result;
use serde::Serialize;

use super::side_by_side::{in_order, pace};
use super::{Bench, Failures, note_passed_over};
use crate::cli::args::{Audit, Format};
use crate::cli::found::found_at;
use crate::cli::print::{self, Out, Text};
use crate::cli::{Outcome, json, report, text};
use crate::record::{Finding, FindingKind, Severity, lay};
use crate::session::Outline;
use crate::text::Shown;
use crate::workbench::{Cancel, Desk, Fault, MarkerRecord, SessionInfo, Skipped, Target};

/// So many lines that were read with a loss are named.
const MENDED: usize = 5;

#[derive(Serialize)]
struct AuditJson {
    schema: &'static str,
    session: json::SessionJson,
    skipped: Vec<json::SkippedJson>,
    /// Lines that were read with a loss.
    mended: Vec<json::SkippedJson>,
    markers: Vec<json::MarkerJson>,
    /// Corrections whose item is in no record any more.
    orphans: Vec<String>,
}

/// What is to be done, in the order of the command line.
enum Work {
    Session(Target),
    /// What could not be found or looked into.
    Failed(anyhow::Error),
    PassedOver(OsString, usize),
}

/// What came of one session: what is printed in its turn.
struct Done {
    printed: Vec<u8>,
    row: Row,
    /// Its path.
    path: String,
    /// How many of its lines could not be read, and how many were read with a loss.
    skipped: usize,
    mended: usize,
}

/// A session in the table at the end.
struct Row {
    title: String,
    turns: u32,
    markers: usize,
    severities: [usize; 3],
    forgotten: usize,
    /// Of what nobody corrected.
    worst: Option<Severity>,
}

/// Sessions are looked at side by side and told in their order; one that cannot be read does not keep the others from it.
pub(super) fn audit(bench: &Bench, audit: &Audit) -> Result<Outcome> {
    let work = work(bench, audit);
    let jobs = audit.jobs.map_or_else(pace, |jobs| NonZero::new(usize::from(jobs)).unwrap_or(NonZero::<usize>::MIN));
    let sessions = work.iter().filter(|work| matches!(work, Work::Session(_))).count();
    let bar = print::progress_of_sessions(sessions as u64, "checking");
    let mut out = Out::new(Text::Safe);
    let mut failures = Failures::default();
    let mut rows = Vec::new();
    let asked = Asked { audit, alone: sessions == 1 };
    let one = |work: &Work| match work {
        Work::Session(target) => one(bench, target, &asked).map(Some),
        Work::Failed(_) | Work::PassedOver(..) => Ok(None),
    };
    let mut broken = None;
    let mut told = |out: &mut Out, done: Done| -> Result<()> {
        out.write_all(&done.printed)?;
        out.flush()?;
        for (lines, what) in [(done.skipped, "could not be read"), (done.mended, "not wholly readable")] {
            if lines > 0 {
                let lines = text::count(lines as u64, "line", "lines");
                print::note(&format!("{}: {lines} {what}", done.path));
            }
        }
        rows.push(done.row);
        Ok(())
    };
    in_order(&work, jobs, &one, &mut |work, done| {
        if sessions > 1 && matches!(work, Work::Session(_)) {
            bar.inc(1);
        }
        match (work, done) {
            (Work::Session(_), Ok(Some(done))) => {
                if let Err(error) = bar.suspend(|| told(&mut out, done)) {
                    broken = Some(error);
                    return false;
                }
            }
            (Work::Session(target), Err(error)) => {
                let is_fault = error.is::<Fault>();
                let error = if is_fault { error.context(format!("cannot check {}", target.name())) } else { error };
                bar.suspend(|| failures.add(error));
            }
            (Work::Failed(error), _) => bar.suspend(|| failures.add(anyhow::anyhow!(print::message(error)))),
            (Work::PassedOver(name, count), _) => bar.suspend(|| note_passed_over(name, *count)),
            (Work::Session(_), Ok(None)) => {}
        }
        true
    });
    bar.finish_and_clear();
    if let Some(error) = broken {
        return Err(error);
    }
    if audit.format == Format::Text && rows.len() > 1 {
        table(&mut out, &rows, audit)?;
    }
    out.flush()?;
    let worst = rows.iter().filter_map(|row| row.worst).max();
    failures.end(outcome(worst, audit.fail_on))
}

fn work(bench: &Bench, audit: &Audit) -> Vec<Work> {
    let mut work = Vec::new();
    for name in &audit.sessions {
        match bench.bench.find_all(name) {
            Ok(found) => {
                if found.targets.is_empty() && found.troubles.is_empty() {
                    let none = anyhow::anyhow!("cannot find a session in {}: it holds none", name.display());
                    work.push(Work::Failed(none));
                }
                work.extend(found.troubles.into_iter().map(Work::Failed));
                work.extend(found.targets.into_iter().map(Work::Session));
                work.push(Work::PassedOver(name.clone(), found.passed_over));
            }
            Err(error) => work.push(Work::Failed(error)),
        }
    }
    work
}

/// Whether the worst finding is at least as severe as was asked for.
fn outcome(worst: Option<Severity>, fail_on: Option<Severity>) -> Outcome {
    match (worst, fail_on) {
        (Some(worst), Some(fail_on)) if worst >= fail_on => Outcome::CheckFailed,
        _ => Outcome::Fine,
    }
}

/// How it was asked for.
struct Asked<'a> {
    audit: &'a Audit,
    /// The only session: its reading is shown.
    alone: bool,
}

impl Asked<'_> {
    fn shows(&self, finding: &Finding) -> bool {
        let audit = self.audit;
        (audit.kind.is_empty() || audit.kind.contains(&finding.kind))
            && audit.severity.is_none_or(|least| finding.severity >= least)
    }
}

/// Checks one session and prints it for later.
fn one(bench: &Bench, target: &Target, asked: &Asked) -> Result<Done> {
    let mut desk = if asked.alone { bench.read(target)? } else { bench.bench.read(target, &mut |_| {})? };
    let records = desk.records(&Cancel::default())?;
    let info = desk.info()?;
    let (skipped, mended) = (desk.skipped().len(), desk.mended().len());
    let mut out = Out::kept(Text::Safe);
    match asked.audit.format {
        Format::Json => as_json(&mut desk, &records, &info, asked, &mut out)?,
        Format::Text => as_text(&mut desk, &records, &info, asked, &mut out)?,
    }
    let path = desk.head().path.display().to_string();
    Ok(Done { printed: out.into_kept(), row: row(&info, &records, asked), path, skipped, mended })
}

fn as_json(desk: &mut Desk, records: &[MarkerRecord], info: &SessionInfo, asked: &Asked, out: &mut Out) -> Result<()> {
    let ledger = desk.ledger()?;
    let orphans = desk.orphans()?;
    let outline = desk.outline();
    let audited = |marked: &MarkerRecord| {
        let laid = lay(&marked.record, &ledger, &info.key, &marked.compaction.key);
        json::audited(&outline, marked, &laid, &|finding| asked.shows(finding))
    };
    let document = AuditJson {
        schema: "stet.audit/1",
        session: json::session(info),
        skipped: json::skipped(&desk.skipped()),
        mended: json::skipped(&desk.mended()),
        markers: records.iter().map(audited).collect(),
        orphans: orphans.iter().map(|entry| format!("L{}", entry.no)).collect(),
    };
    let mut line = json::line(&document)?;
    line.push('\n');
    Ok(out.exact(&line)?)
}

fn as_text(desk: &mut Desk, records: &[MarkerRecord], info: &SessionInfo, asked: &Asked, out: &mut Out) -> Result<()> {
    let ledger = desk.ledger()?;
    let orphans = desk.orphans()?;
    let outline = desk.outline();
    summary(info, desk, &outline, out)?;
    for marked in records {
        let found = found_at(records, marked);
        report::report(out, &outline, marked, &found, &|finding| asked.shows(finding))?;
        if asked.audit.items {
            let mut laid = lay(&marked.record, &ledger, &info.key, &marked.compaction.key);
            // They are told once, at the end.
            laid.orphans.clear();
            text::record(out, &outline, marked, &laid, &found)?;
            out.line("")?;
        }
    }
    text::orphans(out, orphans.iter())?;
    Ok(())
}

fn summary(info: &SessionInfo, desk: &Desk, outline: &Outline, out: &mut Out) -> Result<()> {
    let title = info.title.as_ref().unwrap_or(&info.key.id);
    out.line(&format!("{title}   {}", text::size(info.turns, info.compactions as usize)))?;
    for skipped in desk.skipped() {
        out.line(&format!("!! {}{}", text::unread(&skipped.trouble, outline), side(&skipped)))?;
    }
    let mended = desk.mended();
    for mended in mended.iter().take(MENDED) {
        out.line(&format!("!  {}{}", text::mended(&mended.trouble, outline), side(mended)))?;
    }
    if let Some(more) = mended.len().checked_sub(MENDED).filter(|more| *more > 0) {
        let lines = text::count(more as u64, "more line", "more lines");
        out.line(&format!("!  {lines} not wholly readable (--format json tells them all)"))?;
    }
    out.line("")?;
    Ok(())
}

/// The file of a line that is not in the session's own.
fn side(of: &Skipped) -> String {
    of.side.as_ref().map_or_else(String::new, |path| format!(" ({})", path.display()))
}

fn row(info: &SessionInfo, records: &[MarkerRecord], asked: &Asked) -> Row {
    let mut row = Row {
        title: info.title.clone().unwrap_or_else(|| info.key.id.clone()),
        turns: info.turns,
        markers: records.len(),
        severities: [0; 3],
        forgotten: 0,
        worst: None,
    };
    for checked in records.iter().filter_map(|marked| marked.checked.as_ref()) {
        for (at, finding) in checked.findings.iter().enumerate().filter(|(_, finding)| asked.shows(finding)) {
            if finding.kind == FindingKind::Lost {
                row.forgotten += 1;
            } else {
                row.severities[finding.severity as usize] += 1;
            }
            if checked.corrected_by(at).is_none() {
                row.worst = row.worst.max(Some(finding.severity));
            }
        }
    }
    row
}

/// What was found in each of several sessions, and in all together; `–` where it was not asked for.
fn table(out: &mut Out, rows: &[Row], asked: &Audit) -> Result<()> {
    let line = |numbers: [String; 6], title: &str| {
        let [turns, markers, high, medium, low, forgotten] = numbers;
        format!("{turns:>7}  {markers:>7}  {high:>5}  {medium:>6}  {low:>5}  {forgotten:>9}  {title}")
    };
    let kinds =
        |lost: bool| asked.kind.is_empty() || asked.kind.iter().any(|kind| (*kind == FindingKind::Lost) == lost);
    let severe = |severity| kinds(false) && asked.severity.is_none_or(|least| severity >= least);
    let told = [true, true, severe(Severity::High), severe(Severity::Medium), severe(Severity::Low), kinds(true)];
    let cells =
        |numbers: [usize; 6]| std::array::from_fn(|at| if told[at] { numbers[at].to_string() } else { "–".to_owned() });
    let head = ["turns", "markers", "high", "medium", "low", "forgotten"].map(str::to_owned);
    out.line(&line(head, "session"))?;
    let mut sum = [0_usize; 6];
    for row in rows {
        let [low, medium, high] = row.severities;
        let numbers = [row.turns as usize, row.markers, high, medium, low, row.forgotten];
        sum.iter_mut().zip(numbers).for_each(|(sum, n)| *sum += n);
        out.line(&line(cells(numbers), Shown::line(&row.title).as_str()))?;
    }
    let sessions = text::count(rows.len() as u64, "session", "sessions");
    out.line(&line(cells(sum), &sessions))?;
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
