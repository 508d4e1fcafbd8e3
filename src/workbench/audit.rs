//! Every record of a session checked against its originals, in one pass over them.

use std::collections::HashMap;
use std::sync::Arc;

use super::answers::Answers;
use super::pass::pass;
use super::pins::Pins;
use super::pool::{Next, in_order};
use super::records::{Records, reviewed};
use super::{Cancel, MarkerRecord, Problem, Reading, across};
use crate::audit::{Calls, Case, Consents, Losses, Originals, Presence, check};
use crate::compile::{Gather, Plan, Sources, Ties, settle};
use crate::record::{Again, Checked, Fact, Finding, Judgement, Manner, Passage, Record};
use crate::session::{Compaction, Log, Part, PartKind, PartSeq};

/// So far around a quote its surroundings go.
const AROUND: usize = 400;

/// One marker whose record is to be checked.
struct Wanted {
    compaction: Compaction,
    record: Record,
}

/// Reads everything once and tells the checked record of every marker, in their order.
pub(super) fn audit(
    threads: usize,
    records: &Records,
    log: &mut dyn Log,
    reading: &Reading,
    pins: &mut Pins,
    cancel: &Cancel,
    tell: &mut dyn FnMut(MarkerRecord),
) -> Result<(), Problem> {
    let session = log.head().key.clone();
    let compactions = reading.outline().compactions.clone();
    if compactions.is_empty() {
        return Ok(());
    }
    let untied = records.untied_all(threads, &compactions, log, reading, pins)?;
    let wanted: Vec<Wanted> = compactions
        .into_iter()
        .zip(untied)
        .map(|(compaction, record)| Wanted { compaction, record: Record::clone(&record) })
        .collect();
    let Some(heard) = hear(threads, &wanted, log, reading, cancel)? else { return Ok(()) };
    let reviews = pins.reviews().unwrap_or_default();
    let mut losses = Losses::default();
    let mut alone = Vec::new();
    in_order(
        threads,
        wanted.len(),
        || (),
        |(), no| examine(no, &wanted[no], &heard),
        |no, examined| {
            if cancel.is_cancelled() {
                return Next::Stop;
            }
            let compaction = wanted[no].compaction.clone();
            let case = examined.case(&compaction, &heard);
            let lost = losses.of(&case, &examined.facts, &Behind { gather: &heard.gather, marker: no });
            let Examined { mut record, compiled, mut findings, judgements, .. } = examined;
            findings.extend(lost.findings);
            for (item, judgement) in record.items.iter_mut().zip(judgements) {
                (item.verdict, item.why, item.better) = (judgement.verdict, judgement.why, judgement.better);
            }
            let checked = Checked { findings, compiled, refetch_tokens: lost.refetch_tokens, ..Checked::default() };
            alone.push(MarkerRecord {
                reviewed: reviewed(&reviews, &record, &session, &compaction.key),
                compaction,
                record,
                checked: Some(Arc::new(checked)),
                partial: false,
            });
            Next::Go
        },
    );
    if cancel.is_cancelled() {
        return Ok(());
    }
    // A ledger that cannot be read is told where it is asked for; it is no reason to show no findings.
    let (ledger, alarms) = (pins.ledger_aside().unwrap_or_default(), pins.wrong_alarms().unwrap_or_default());
    across::finish(&session, alone, &ledger, &alarms, &heard.calls).into_iter().for_each(tell);
    Ok(())
}

/// What one marker's record and the originals say, each marker for itself.
struct Examined {
    record: Record,
    passages: Vec<Vec<Passage>>,
    compiled: Record,
    facts: Vec<Fact>,
    judgements: Vec<Judgement>,
    findings: Vec<Finding>,
}

impl Examined {
    fn case<'a>(&'a self, compaction: &'a Compaction, heard: &'a Heard) -> Case<'a> {
        let (Self { record, passages, compiled, .. }, Heard { presence, consents, .. }) = (self, heard);
        Case { compaction, record, passages, presence, consents, compiled }
    }
}

fn examine(no: usize, wanted: &Wanted, heard: &Heard) -> Examined {
    let (ties, mut record) = (&heard.sources[no], wanted.record.clone());
    let mut passages: Vec<Vec<Passage>> = ties.iter().map(|ties| ties.passages.clone()).collect();
    if record.rules == 0 {
        for ((_, item), passage) in heard.own.iter().filter(|((of, _), _)| *of == no) {
            passages[*item].insert(0, passage.clone());
        }
        heard.answers.add(no, &mut record);
    } else {
        settle(&mut record, ties.iter().map(Ties::sources).collect());
    }
    let (compiled, facts) = (heard.gather.record(no), heard.gather.facts(no));
    let mut examined = Examined { record, passages, compiled, facts, judgements: Vec::new(), findings: Vec::new() };
    let (judgements, mut findings) = check(&examined.case(&wanted.compaction, heard));
    for finding in findings.iter_mut().filter(|finding| finding.kind.is_accusing()) {
        finding.acted_on = heard.gather.acted_on(no, &finding.text);
    }
    (examined.judgements, examined.findings) = (judgements, findings);
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
    sources: Vec<Sources>,
    presence: Presence,
    consents: Consents,
    answers: Answers,
    gather: Gather,
    /// The words that own records name, by record and item, with what stands around them.
    own: Vec<((usize, usize), Passage)>,
    calls: Calls,
}

/// Shows everything to those who listen; `None` when cancelled.
fn hear(
    threads: usize,
    wanted: &[Wanted],
    log: &dyn Log,
    reading: &Reading,
    cancel: &Cancel,
) -> Result<Option<Heard>, Problem> {
    let targets: Vec<_> = wanted.iter().map(|one| (&one.record, &one.compaction.reaches)).collect();
    let plan = Arc::new(Plan::new(&targets));
    let presence = Presence::asking(wanted.iter().map(|one| (&one.record, one.compaction.place.offset)));
    let mut consents = Consents::default();
    let mut answers = Answers::default();
    let mut gather = Gather::new(wanted.iter().map(|one| &one.compaction));
    let mut calls = Calls::cut_by(wanted.iter().map(|one| &one.compaction));
    let mut own = Vec::new();
    let mut named: HashMap<u64, Vec<(usize, usize, usize)>> = HashMap::new();
    for (no, one) in wanted.iter().enumerate().filter(|(_, one)| one.record.rules == 0) {
        answers.ask(no, &one.record, &one.compaction.reaches);
        for (at, item) in one.record.items.iter().enumerate() {
            for (which, source) in item.sources.iter().enumerate() {
                named.entry(source.seq.0).or_default().push((no, at, which));
            }
        }
    }
    let passed = pass(threads, &plan, presence, (log, reading), cancel, &mut |original, look| {
        let part = original.part;
        gather.add(original, look);
        consents.hear(&part.text, part.speaker, original.seq.0, original.place.offset);
        answers.hear(original);
        calls.hear(part, original.seq, original.place.offset);
        for (no, item, which) in named.get(&original.seq.0).into_iter().flatten() {
            let source = &wanted[*no].record.items[*item].sources[*which];
            own.push(((*no, *item), around(part, source)));
        }
    })?;
    gather.close();
    Ok(passed.map(|(sources, presence)| Heard { sources, presence, consents, answers, gather, own, calls }))
}

/// The words that an own record names, with what stands around them.
fn around(part: &Part, source: &crate::session::SourceRef) -> Passage {
    let text = part.text.as_str();
    let from = text.floor_char_boundary(source.range.0.saturating_sub(AROUND));
    let to = text.ceil_char_boundary((source.range.1 + AROUND).min(text.len()));
    let at = source.range.0.min(text.len()) - from;
    Passage {
        source: source.clone(),
        manner: match part.kind {
            PartKind::Text | PartKind::Opaque { .. } => Manner::Text,
            PartKind::Thinking => Manner::Thinking,
            PartKind::ToolCall { .. } => Manner::ToolCall,
            PartKind::ToolResult { .. } => Manner::ToolResult,
        },
        around: text.get(from..to).unwrap_or_default().to_owned(),
        at: (at, at + source.quote.len()),
        share: 1.0,
    }
}
