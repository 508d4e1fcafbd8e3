//! Every record of a session checked against its originals, in one pass over them.

use std::sync::{Arc, Mutex, PoisonError};

use super::checking::{Afterwards, Behind, Checking, HeldRecord, Wanted};
use super::pass::{Span, pass};
use super::pins::Pins;
use super::pool::{Next, both, in_order};
use super::records::{Records, reviewed, summary};
use super::{Cancel, MarkerCheck, MarkerRecord, Problem, Reading, across, again};
use crate::audit::{Calls, Losses, Presence, lost};
use crate::compile::{Plan, compiled};
use crate::record::{CheckStage, Checked, Field, Finding, Record};
use crate::session::{Compaction, FileNo, LineMeta, Log, Outline};

/// What the last audit read and found, shared by every desk on the session: an audit behind it reads only what was
/// appended since.
#[derive(Default)]
pub(super) struct Audits(Mutex<Option<Known>>);

/// What was heard, up to a place, for these markers.
struct Known {
    compactions: Vec<Compaction>,
    /// `None` where the outcome is that of an earlier run.
    heard: Option<(Afterwards, Vec<HeldRecord>)>,
    calls: Calls,
    reach: Reach,
    /// The outcome for each marker alone; what the ledger says of it comes later.
    alone: Vec<MarkerRecord>,
}

/// How far the files were read: behind the last line of the session's own, how many parts there were, and how many lines
/// of its sub-agents'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reach {
    own: u64,
    parts: u64,
    sides: usize,
}

impl Reach {
    fn of(outline: &Outline) -> Self {
        let is_own = |line: &&LineMeta| line.file == FileNo(0);
        let own = outline.lines.iter().filter(is_own).map(|line| line.offset + 1).max().unwrap_or(0);
        Self { own, parts: outline.parts(), sides: outline.lines.iter().filter(|line| !is_own(line)).count() }
    }

    /// Whether everything that was not read stands behind it: parts may have come to the last line of a stored session.
    fn is_begun_by(&self, outline: &Outline) -> bool {
        let behind = outline.lines.iter().find(|line| line.file == FileNo(0) && line.offset >= self.own);
        self.parts == behind.map_or_else(|| outline.parts(), |line| line.seq.0)
    }
}

/// An open session, as an audit needs it.
pub(super) struct Session<'a> {
    pub records: &'a Records,
    pub audits: &'a Audits,
    pub log: &'a mut dyn Log,
    pub reading: &'a Reading,
    pub pins: &'a mut Pins,
}

/// Reads everything once and tells the checked record of every marker: alone as soon as everything before it was read,
/// where it is read at all, and in the end whole, in their order.
pub(super) fn audit(
    threads: usize,
    session: Session,
    cancel: &Cancel,
    tell: &mut dyn FnMut(MarkerCheck),
) -> Result<(), Problem> {
    let Session { records, audits, log, reading, pins } = session;
    let key = log.head().key.clone();
    let mut kept = audits.0.lock().unwrap_or_else(PoisonError::into_inner);
    let (compactions, reach, goes_on) = {
        let outline = reading.outline();
        let goes_on = kept.as_ref().is_some_and(|known| known.reach.is_begun_by(&outline));
        (outline.compactions.clone(), Reach::of(&outline), goes_on)
    };
    if compactions.is_empty() {
        return Ok(());
    }
    let (reviews, alarms) = (pins.reviews().unwrap_or_default(), pins.wrong_alarms().unwrap_or_default());
    let mut first = |compaction: &Compaction, held: &HeldRecord| {
        let is_alarm = |one: &Finding| alarms.iter().any(|alarm| alarm.is_about(one, &key, &compaction.key));
        let findings = held.findings.iter().filter(|one| !is_alarm(one)).cloned().collect();
        tell(MarkerCheck::Alone(MarkerRecord {
            reviewed: reviewed(&reviews, &held.record, &key, &compaction.key),
            compaction: compaction.clone(),
            record: Arc::clone(&held.record),
            checked: Some(Arc::new(Checked { stage: CheckStage::Alone, findings, ..Checked::default() })),
            partial: false,
        }));
    };
    let known = match kept.take().filter(|known| goes_on && known.is_of(&compactions, reach)) {
        Some(known) if known.reach == reach => Some(known),
        Some(known) => known.read_on(threads, reach, log, reading, cancel)?,
        None => match Known::recalled(&compactions, reach, log, reading, pins) {
            Some(known) => Some(known),
            None => Known::heard(threads, compactions, reach, (records, log, reading, pins), cancel, &mut first)?,
        },
    };
    let Some(mut known) = known else { return Ok(()) };
    if let Some((afterwards, held)) = known.heard.as_ref().filter(|_| known.alone.is_empty()) {
        known.alone = each(threads, &known.compactions, afterwards, held, cancel);
        known.calls = afterwards.calls.clone();
        if !cancel.is_cancelled() {
            again::keep(&known.alone, &known.calls, log, reading, pins);
        }
    }
    if cancel.is_cancelled() {
        // What was heard stays true.
        known.alone.clear();
        *kept = Some(known);
        return Ok(());
    }
    // What was entered while the originals passed counts. A ledger that cannot be read is told where it is asked for; it is
    // no reason to show no findings.
    let (ledger, alarms) = (pins.ledger_aside().unwrap_or_default(), pins.wrong_alarms().unwrap_or_default());
    let reviews = pins.reviews().unwrap_or_default();
    let mut alone = known.alone.clone();
    for marked in &mut alone {
        marked.reviewed = reviewed(&reviews, &marked.record, &key, &marked.compaction.key);
    }
    let whole = across::finish(threads, &key, alone, &ledger, &alarms, &known.calls);
    for record in whole {
        tell(MarkerCheck::Whole(record));
    }
    *kept = Some(known);
    Ok(())
}

impl Known {
    /// What an earlier run found; `None` where that is not known.
    fn recalled(
        compactions: &[Compaction],
        reach: Reach,
        log: &mut dyn Log,
        reading: &Reading,
        pins: &mut Pins,
    ) -> Option<Self> {
        let (alone, calls) = again::recalled(compactions, log, reading, pins)?;
        Some(Self { compactions: compactions.to_vec(), heard: None, calls, reach, alone })
    }

    /// Hears everything, and tells what comes of each marker; `None` when cancelled.
    fn heard(
        threads: usize,
        compactions: Vec<Compaction>,
        reach: Reach,
        (records, log, reading, pins): (&Records, &mut dyn Log, &Reading, &mut Pins),
        cancel: &Cancel,
        tell: &mut dyn FnMut(&Compaction, &HeldRecord),
    ) -> Result<Option<Self>, Problem> {
        let untied = records.untied_all(threads, &compactions, log, reading, pins)?;
        let mut wanted = Vec::with_capacity(untied.len());
        for (compaction, record) in compactions.iter().zip(untied) {
            let prose = if record.rules == 0 { summary(compaction.summary, log)? } else { String::new() };
            wanted.push(Wanted { compaction: compaction.clone(), record, prose });
        }
        let targets: Vec<_> = wanted.iter().map(|one| (&*one.record, &one.compaction.reaches)).collect();
        let asking = || Presence::asking(wanted.iter().map(|one| (&*one.record, one.compaction.place.offset)));
        let (plan, presence) = both(threads, || Arc::new(Plan::new(&targets)), asking);
        let mut tell = |no: usize, held: &HeldRecord| tell(&wanted[no].compaction, held);
        let mut checking = Checking::of(&wanted, &mut tell);
        let mut ends: Vec<u64> = wanted.iter().map(|one| one.compaction.place.offset).collect();
        ends.sort_unstable();
        let all = Span { own_from: 0, sides: true, ends };
        let passed = pass(threads, (&plan, presence), (log, reading), &all, cancel, &mut checking)?;
        let Checking { mut afterwards, held, .. } = checking;
        afterwards.gather.close();
        let held = held.into_iter().map(Option::unwrap_or_default).collect();
        let calls = afterwards.calls.clone();
        Ok(passed.then(|| Self { compactions, heard: Some((afterwards, held)), calls, reach, alone: Vec::new() }))
    }

    /// Whether it holds for these markers, and the files only grew since it was heard.
    fn is_of(&self, compactions: &[Compaction], reach: Reach) -> bool {
        (self.heard.is_some() || self.reach == reach)
            && self.reach.own <= reach.own
            && self.reach.sides == reach.sides
            && self.compactions == compactions
    }

    /// Hears what was appended; `None` when cancelled.
    fn read_on(
        mut self,
        threads: usize,
        reach: Reach,
        log: &dyn Log,
        reading: &Reading,
        cancel: &Cancel,
    ) -> Result<Option<Self>, Problem> {
        // Everything that the markers rest on stands before them and was heard: only what came of it is new.
        let (nothing, silent) = (Arc::new(Plan::new(&[])), Presence::default());
        let Some((afterwards, _)) = &mut self.heard else { return Ok(Some(self)) };
        let own = Span { own_from: self.reach.own, sides: false, ends: Vec::new() };
        let passed = pass(threads, (&nothing, silent), (log, reading), &own, cancel, afterwards)?;
        afterwards.gather.close();
        self.reach = reach;
        self.alone.clear();
        Ok(passed.then_some(self))
    }
}

/// What the value of a figure is the value of: the claims that it stands in, and the words that show it wrong. Empty for any
/// other item.
fn beside(record: &Record, finding: &Finding) -> String {
    let item = finding.item.and_then(|at| record.items.get(at));
    let Some(figure) = item.filter(|item| item.field == Field::Figures) else { return String::new() };
    let claims = record.items.iter().filter(|other| other.field.is_claim() && figure.is_within(other));
    let shown = finding.sources.first().map(|source| source.quote.as_str());
    claims.map(|claim| claim.text.as_str()).chain(shown).collect::<Vec<_>>().join("\n")
}

/// The outcome for each marker alone, in their order; fewer when cancelled.
fn each(
    threads: usize,
    compactions: &[Compaction],
    afterwards: &Afterwards,
    held: &[HeldRecord],
    cancel: &Cancel,
) -> Vec<MarkerRecord> {
    let gather = &afterwards.gather;
    let mut losses = Losses::default();
    let fresh: Vec<Vec<usize>> = held.iter().map(|held| losses.fresh(&held.facts)).collect();
    let one = |(): &mut (), no: usize| {
        let (compaction, facts) = (&compactions[no], gather.facts(no));
        let HeldRecord { record, findings, .. } = &held[no];
        let (record, mut findings) = (Arc::clone(record), findings.clone());
        for finding in findings.iter_mut().filter(|finding| finding.kind.is_accusing()) {
            finding.acted_on = gather.acted_on(no, &finding.text, &beside(&record, finding));
        }
        let lost = lost(compaction.no, &facts, &fresh[no], &Behind { gather, marker: no });
        findings.extend(lost.findings);
        let (compiled, refetch_tokens) = (Arc::new(compiled(facts)), lost.refetch_tokens);
        let checked = Some(Arc::new(Checked { findings, compiled, refetch_tokens, ..Checked::default() }));
        MarkerRecord { reviewed: Vec::new(), compaction: compaction.clone(), record, checked, partial: false }
    };
    let mut all = Vec::with_capacity(held.len());
    in_order(
        threads,
        held.len(),
        || (),
        one,
        |_, one| {
            all.push(one);
            if cancel.is_cancelled() { Next::Stop } else { Next::Go }
        },
    );
    all
}
