//! Every record of a session checked against its originals, in one pass over them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::answers::{self, Answers};
use super::gone::Gone;
use super::pass::{Span, pass};
use super::pins::Pins;
use super::pool::{Next, both, in_order};
use super::records::{Records, reviewed};
use super::{Cancel, MarkerRecord, Problem, Reading, across, again};
use crate::audit::{Calls, Case, Consents, Gists, Losses, Originals, Presence, Reader, check, held, lost};
use crate::compile::{Gather, Original, Plan, Sources, compiled, settle};
use crate::record::{Again, Checked, Fact, Finding, Judgement, Passage, Record};
use crate::session::{Compaction, FileNo, LineMeta, Log, Outline, PartSeq};

/// So far around a quote its surroundings go.
const AROUND: usize = 400;

/// One marker whose record is to be checked.
struct Wanted {
    compaction: Compaction,
    record: Record,
}

/// What the last audit read and found, shared by every desk on the session: an audit behind it reads only what was
/// appended since.
#[derive(Default)]
pub(super) struct Audits(Mutex<Option<Known>>);

/// What was heard, up to a place, for these markers.
struct Known {
    wanted: Vec<Wanted>,
    /// `None` where the outcome is that of an earlier run.
    heard: Option<Heard>,
    calls: Calls,
    reach: Reach,
    /// The outcome for each marker alone; what the ledger says of it comes later.
    alone: Vec<MarkerRecord>,
}

/// How far the files were read: behind the last line of the session's own, and how many lines of its sub-agents'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reach {
    own: u64,
    sides: usize,
}

impl Reach {
    fn of(outline: &Outline) -> Self {
        let is_own = |line: &&LineMeta| line.file == FileNo(0);
        let own = outline.lines.iter().filter(is_own).map(|line| line.offset + 1).max().unwrap_or(0);
        Self { own, sides: outline.lines.iter().filter(|line| !is_own(line)).count() }
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

/// Reads everything once and tells the checked record of every marker, in their order.
pub(super) fn audit(
    threads: usize,
    session: Session,
    cancel: &Cancel,
    tell: &mut dyn FnMut(MarkerRecord),
) -> Result<(), Problem> {
    let Session { records, audits, log, reading, pins } = session;
    let key = log.head().key.clone();
    let mut kept = audits.0.lock().unwrap_or_else(PoisonError::into_inner);
    let (compactions, reach) = {
        let outline = reading.outline();
        (outline.compactions.clone(), Reach::of(&outline))
    };
    if compactions.is_empty() {
        return Ok(());
    }
    let known = match kept.take().filter(|known| known.is_of(&compactions, reach)) {
        Some(known) if known.reach == reach => Some(known),
        Some(known) => known.read_on(threads, reach, log, reading, cancel)?,
        None => match Known::recalled(&compactions, reach, log, reading, pins) {
            Some(known) => Some(known),
            None => Known::heard(threads, compactions, reach, (records, log, reading, pins), cancel)?,
        },
    };
    let Some(mut known) = known else { return Ok(()) };
    if let Some(heard) = known.heard.as_ref().filter(|_| known.alone.is_empty()) {
        known.alone = each(threads, &known.wanted, heard, cancel);
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
    let reviews = pins.reviews().unwrap_or_default();
    let mut alone = known.alone.clone();
    for marked in &mut alone {
        marked.reviewed = reviewed(&reviews, &marked.record, &key, &marked.compaction.key);
    }
    // A ledger that cannot be read is told where it is asked for; it is no reason to show no findings.
    let (ledger, alarms) = (pins.ledger_aside().unwrap_or_default(), pins.wrong_alarms().unwrap_or_default());
    across::finish(threads, &key, alone, &ledger, &alarms, &known.calls).into_iter().for_each(tell);
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
        let wanted = alone.iter().map(|one| (one.compaction.clone(), one.record.clone()));
        let wanted = wanted.map(|(compaction, record)| Wanted { compaction, record }).collect();
        Some(Self { wanted, heard: None, calls, reach, alone })
    }

    /// Hears everything; `None` when cancelled.
    fn heard(
        threads: usize,
        compactions: Vec<Compaction>,
        reach: Reach,
        (records, log, reading, pins): (&Records, &mut dyn Log, &Reading, &mut Pins),
        cancel: &Cancel,
    ) -> Result<Option<Self>, Problem> {
        let untied = records.untied_all(threads, &compactions, log, reading, pins)?;
        let pairs = compactions.into_iter().zip(untied);
        let wanted: Vec<Wanted> =
            pairs.map(|(compaction, record)| Wanted { compaction, record: Record::clone(&record) }).collect();
        let heard = hear(threads, &wanted, log, reading, cancel)?;
        Ok(heard.map(|(heard, calls)| Self { wanted, heard: Some(heard), calls, reach, alone: Vec::new() }))
    }

    /// Whether it holds for these markers, and the files only grew since it was heard.
    fn is_of(&self, compactions: &[Compaction], reach: Reach) -> bool {
        (self.heard.is_some() || self.reach == reach)
            && self.reach.own <= reach.own
            && self.reach.sides == reach.sides
            && self.wanted.iter().map(|one| &one.compaction).eq(compactions)
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
        let Some(Heard { gather, consents, answers, .. }) = &mut self.heard else { return Ok(Some(self)) };
        let calls = &mut self.calls;
        let own = Span { own_from: self.reach.own, sides: false };
        let passed = pass(threads, (&nothing, silent), (log, reading), own, cancel, &mut |original, look| {
            let part = original.part;
            gather.add(original, look);
            listen(consents, original);
            answers.hear(original);
            calls.hear(part, original.seq, original.place.offset);
        })?;
        gather.close();
        self.reach = reach;
        self.alone.clear();
        Ok(passed.map(|_| self))
    }
}

/// The outcome for each marker alone, in their order; fewer when cancelled.
fn each(threads: usize, wanted: &[Wanted], heard: &Heard, cancel: &Cancel) -> Vec<MarkerRecord> {
    let mut losses = Losses::default();
    let mut examined: Vec<(Examined, Vec<usize>)> = Vec::new();
    let one = |known: &mut (Reader, Gists), no: usize| examine(no, &wanted[no], heard, known);
    in_order(threads, wanted.len(), Default::default, one, |_, one| {
        let fresh = losses.fresh(&one.facts, &one.held);
        examined.push((one, fresh));
        if cancel.is_cancelled() { Next::Stop } else { Next::Go }
    });
    let one = |(): &mut (), no: usize| {
        let (one, fresh) = &examined[no];
        let behind = Behind { gather: &heard.gather, marker: no };
        lost(&one.case(no, &wanted[no].compaction, heard), &one.facts, fresh, &behind)
    };
    let mut all = Vec::new();
    in_order(
        threads,
        examined.len(),
        || (),
        one,
        |_, lost| {
            all.push(lost);
            if cancel.is_cancelled() { Next::Stop } else { Next::Go }
        },
    );
    let markers = examined.into_iter().zip(all).zip(wanted);
    let marked = markers.map(|(((one, _), lost), wanted)| {
        let Examined { mut record, facts, mut findings, judgements, .. } = one;
        let compiled = Arc::new(compiled(facts));
        findings.extend(lost.findings);
        for (item, judgement) in record.items.iter_mut().zip(judgements) {
            (item.verdict, item.why, item.better) = (judgement.verdict, judgement.why, judgement.better);
        }
        let checked = Checked { findings, compiled, refetch_tokens: lost.refetch_tokens, ..Checked::default() };
        MarkerRecord {
            reviewed: Vec::new(),
            compaction: wanted.compaction.clone(),
            record,
            checked: Some(Arc::new(checked)),
            partial: false,
        }
    });
    marked.collect()
}

/// What one marker's record and the originals say, each marker for itself.
#[derive(Default)]
struct Examined {
    record: Record,
    facts: Vec<Fact>,
    /// Of each fact whether it was not lost.
    held: Vec<bool>,
    judgements: Vec<Judgement>,
    findings: Vec<Finding>,
}

impl Examined {
    fn case<'a>(&'a self, no: usize, compaction: &'a Compaction, heard: &'a Heard) -> Case<'a> {
        let Heard { passages, presence, consents, .. } = heard;
        Case { compaction, record: &self.record, passages: &passages[no], presence, consents }
    }
}

fn examine(no: usize, wanted: &Wanted, heard: &Heard, (reader, gists): &mut (Reader, Gists)) -> Examined {
    let mut record = wanted.record.clone();
    if record.rules == 0 {
        heard.answers.add(no, &mut record);
    } else {
        let ties = heard.passages[no].iter().zip(&heard.ties[no]);
        let sources =
            |(passages, ties): (&Vec<Passage>, &usize)| passages[..*ties].iter().map(Passage::source).collect();
        settle(&mut record, ties.map(sources).collect());
    }
    let facts = heard.gather.facts(no);
    let mut examined = Examined { record, facts, ..Examined::default() };
    let case = examined.case(no, &wanted.compaction, heard);
    let (mut judgements, mut findings) = check(&case, reader);
    answers::note(&examined.record, &mut judgements, |source| heard.gather.answered_before(no, source));
    let held = held(&case, &examined.facts, &Behind { gather: &heard.gather, marker: no }, gists);
    heard.gone.take_back(&examined.record, &mut judgements, &mut findings);
    for finding in findings.iter_mut().filter(|finding| finding.kind.is_accusing()) {
        finding.acted_on = heard.gather.acted_on(no, &finding.text);
    }
    (examined.held, examined.judgements, examined.findings) = (held, judgements, findings);
    examined
}

/// What is known of the originals behind one marker.
struct Behind<'a> {
    gather: &'a Gather,
    marker: usize,
}

impl Originals for Behind<'_> {
    fn again(&self, fact: usize) -> Vec<Again> {
        self.gather.again(self.marker, fact)
    }

    fn is_kept_word_for_word(&self, seq: PartSeq) -> bool {
        self.gather.is_kept_word_for_word(self.marker, seq)
    }

    fn prose(&self) -> usize {
        self.gather.prose(self.marker)
    }
}

/// What the originals said while they passed.
struct Heard {
    /// For every item of every record what speaks of the same in the originals; what the record itself names is first.
    passages: Vec<Vec<Vec<Passage>>>,
    /// How many of them tie the item.
    ties: Vec<Vec<usize>>,
    presence: Presence,
    consents: Consents,
    answers: Answers,
    gather: Gather,
    gone: Gone,
}

/// Shows everything to those who listen; `None` when cancelled.
fn hear(
    threads: usize,
    wanted: &[Wanted],
    log: &dyn Log,
    reading: &Reading,
    cancel: &Cancel,
) -> Result<Option<(Heard, Calls)>, Problem> {
    let targets: Vec<_> = wanted.iter().map(|one| (&one.record, &one.compaction.reaches)).collect();
    let asking = || Presence::asking(wanted.iter().map(|one| (&one.record, one.compaction.place.offset)));
    let (plan, presence) = both(threads, || Arc::new(Plan::new(&targets)), asking);
    let mut consents = Consents::default();
    let mut answers = Answers::default();
    let mut gather = Gather::new(wanted.iter().map(|one| &one.compaction));
    let mut calls = Calls::cut_by(wanted.iter().map(|one| &one.compaction));
    let (mut own, mut gone) = (Vec::new(), Gone::default());
    let mut named: HashMap<u64, Vec<(usize, usize, usize)>> = HashMap::new();
    for (no, one) in wanted.iter().enumerate().filter(|(_, one)| one.record.rules == 0) {
        answers.ask(no, &one.record, &one.compaction.reaches);
        for (at, item) in one.record.checked().iter().enumerate() {
            for (which, source) in item.sources.iter().enumerate() {
                named.entry(source.seq.0).or_default().push((no, at, which));
            }
        }
    }
    let all = Span { own_from: 0, sides: true };
    let passed = pass(threads, (&plan, presence), (log, reading), all, cancel, &mut |original, look| {
        let part = original.part;
        gather.add(original, look);
        listen(&mut consents, original);
        answers.hear(original);
        calls.hear(part, original.seq, original.place.offset);
        for (no, item, which) in named.get(&original.seq.0).filter(|_| !gone.notes(original)).into_iter().flatten() {
            let source = &wanted[*no].record.items[*item].sources[*which];
            own.push(((*no, *item), around(original, source.range)));
        }
    })?;
    gather.close();
    Ok(passed.map(|(sources, presence)| {
        let ties = sources.iter().map(|items| items.iter().map(|one| one.ties).collect()).collect();
        let items = |items: Sources| items.into_iter().map(|one| one.passages).collect();
        let mut passages: Vec<Vec<Vec<Passage>>> = sources.into_iter().map(items).collect();
        for ((no, item), passage) in own {
            passages[no][item].insert(0, passage);
        }
        (Heard { passages, ties, presence, consents, answers, gather, gone }, calls)
    }))
}

/// What a person says is kept whole: claims are held against it.
pub(super) fn listen(consents: &mut Consents, original: &Original) {
    let part = original.part;
    consents.hear(&part.text, part.speaker, original.seq.0, original.place.offset);
    if Consents::wants(part.speaker, part.text.len()) {
        consents.keep(around(original, (0, part.text.len())));
    }
}

/// Words of a part, with what stands around them.
fn around(original: &Original, range: (usize, usize)) -> Passage {
    let text = original.part.text.as_str();
    let from = text.floor_char_boundary(range.0.saturating_sub(AROUND));
    let to = text.ceil_char_boundary((range.1 + AROUND).min(text.len()));
    Passage {
        origin: Arc::new(original.origin()),
        range,
        around: text.get(from..to).unwrap_or_default().into(),
        at: (range.0.min(text.len()) - from, range.1.min(text.len()) - from),
        share: 1.0,
    }
}
