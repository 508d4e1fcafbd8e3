//! Every record of a session checked against its originals, in one pass over them.

use std::collections::HashMap;
use std::sync::Arc;

use super::answers::Answers;
use super::pins::Pins;
use super::records::{Records, reviewed};
use super::{Cancel, MarkerRecord, Problem, Reading, across};
use crate::audit::{Calls, Case, Consents, Losses, Originals, Presence, Voice, check};
use crate::compile::{Gather, Original, Sources, Ties, Tying, settle};
use crate::record::{Again, Checked, Manner, Passage, Record};
use crate::session::{Body, Compaction, Depth, FileNo, Line, Log, Outline, Part, PartKind, PartSeq};

const OWN: FileNo = FileNo(0);
const STEP: usize = 4 * 1024 * 1024;
/// So far around a quote its surroundings go.
const AROUND: usize = 400;

/// One marker whose record is to be checked.
struct Wanted {
    compaction: Compaction,
    record: Record,
}

/// Reads everything once and tells the checked record of every marker, in their order.
pub(super) fn audit(
    records: &Records,
    log: &mut dyn Log,
    reading: &Reading,
    pins: &mut Pins,
    cancel: &Cancel,
    tell: &mut dyn FnMut(MarkerRecord),
) -> Result<(), Problem> {
    let session = log.head().key.clone();
    let compactions = reading.outline().compactions.clone();
    let mut wanted = Vec::new();
    for compaction in compactions {
        let record = Record::clone(&*records.untied(&compaction, log, reading, pins)?);
        wanted.push(Wanted { compaction, record });
    }
    let Some(heard) = hear(&wanted, log, reading, cancel)? else { return Ok(()) };
    let reviews = pins.reviews().unwrap_or_default();
    let Heard { sources, presence, consents, answers, own, gather, calls } = heard;
    let mut losses = Losses::default();
    let mut alone = Vec::new();
    for (no, (Wanted { compaction, mut record }, ties)) in wanted.into_iter().zip(sources).enumerate() {
        let mut passages: Vec<Vec<Passage>> = ties.iter().map(|ties| ties.passages.clone()).collect();
        if record.rules == 0 {
            for ((_, item), passage) in own.iter().filter(|((of, _), _)| *of == no) {
                passages[*item].insert(0, passage.clone());
            }
            answers.add(no, &mut record);
        } else {
            settle(&mut record, ties.iter().map(Ties::sources).collect());
        }
        let facts = gather.facts(no);
        let compiled = gather.record(no);
        let case = Case {
            compaction: &compaction,
            record: &record,
            passages: &passages,
            presence: &presence,
            consents: &consents,
            compiled: &compiled,
        };
        let (judgements, mut findings) = check(&case);
        for finding in findings.iter_mut().filter(|finding| finding.kind.is_accusing()) {
            finding.acted_on = gather.acted_on(no, &finding.text);
        }
        let lost = losses.of(&case, &facts, &Behind { gather: &gather, marker: no });
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
    }
    // A ledger that cannot be read is told where it is asked for; it is no reason to show no findings.
    let (ledger, alarms) = (pins.ledger_aside().unwrap_or_default(), pins.wrong_alarms().unwrap_or_default());
    across::finish(&session, alone, &ledger, &alarms, &calls).into_iter().for_each(tell);
    Ok(())
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

/// Shows every line to those who listen; `None` when cancelled.
fn hear(wanted: &[Wanted], log: &mut dyn Log, reading: &Reading, cancel: &Cancel) -> Result<Option<Heard>, Problem> {
    let targets: Vec<_> = wanted.iter().map(|one| (&one.record, &one.compaction.reaches)).collect();
    let mut tying = Tying::new(&targets);
    let mut heard = Heard {
        sources: Vec::new(),
        presence: Presence::asking(wanted.iter().map(|one| (&one.record, one.compaction.place.offset))),
        consents: Consents::default(),
        answers: Answers::default(),
        gather: Gather::new(wanted.iter().map(|one| &one.compaction)),
        own: Vec::new(),
        calls: Calls::cut_by(wanted.iter().map(|one| &one.compaction)),
    };
    let mut named: HashMap<u64, Vec<(usize, usize, usize)>> = HashMap::new();
    for (no, one) in wanted.iter().enumerate().filter(|(_, one)| one.record.rules == 0) {
        heard.answers.ask(no, &one.record, &one.compaction.reaches);
        for (at, item) in one.record.items.iter().enumerate() {
            for (which, source) in item.sources.iter().enumerate() {
                named.entry(source.seq.0).or_default().push((no, at, which));
            }
        }
    }
    let files: Vec<FileNo> = std::iter::once(OWN).chain(log.head().sides.iter().map(|side| side.file)).collect();
    for file in files {
        let mut at = 0;
        loop {
            if cancel.is_cancelled() {
                return Ok(None);
            }
            let stretch = match log.forward(file, at, STEP, Depth::Full) {
                Ok(stretch) => stretch,
                // A sub-agent's file that cannot be read was told as a trouble when the session was read.
                Err(_) if file != OWN => break,
                Err(error) => return Err(error.into()),
            };
            let outline = reading.outline();
            for line in &stretch.lines {
                let at = if file == OWN { line.offset } else { 0 };
                if says(line) {
                    // The raw line holds what no part does: folders, branches, results in their own form.
                    match log.raw_of(line) {
                        Ok(raw) => heard.presence.see(&decoded(&raw), at),
                        Err(_) => texts(line).into_iter().for_each(|text| heard.presence.see(text, at)),
                    }
                }
                if file == OWN {
                    show(line, &outline, &mut |original| {
                        tying.feed(original);
                        heard.gather.feed(original);
                        let part = original.part;
                        heard.presence.hear(&part.text, &voice(original));
                        heard.consents.hear(&part.text, part.speaker, original.seq.0, line.offset);
                        heard.answers.hear(original);
                        heard.calls.hear(original.part, original.seq, original.place.offset);
                        for (no, item, which) in named.get(&original.seq.0).into_iter().flatten() {
                            let source = &wanted[*no].record.items[*item].sources[*which];
                            heard.own.push(((*no, *item), around(original.part, source)));
                        }
                    });
                }
            }
            if stretch.at_end || stretch.lines.is_empty() {
                break;
            }
            at = stretch.end;
        }
    }
    heard.sources = tying.finish();
    heard.gather.close();
    Ok(Some(heard))
}

/// Whether this is something that was said or done, and no summary.
fn says(line: &Line) -> bool {
    match &line.body {
        Body::Message { .. } | Body::Noise { .. } | Body::Note(_) => true,
        Body::Compaction { .. } | Body::Summary(_) | Body::Unread { .. } => false,
    }
}

/// A line of JSON with its escapes undone, strings and marks alike: only for looking whether something stands in it.
fn decoded(raw: &[u8]) -> String {
    let raw = String::from_utf8_lossy(raw);
    if !raw.contains('\\') {
        return raw.into_owned();
    }
    let mut text = String::with_capacity(raw.len());
    let mut rest = &*raw;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let escape = rest[at + 1..].chars().next();
        let hex = |from: usize| rest.get(from..from + 4).and_then(|hex| u32::from_str_radix(hex, 16).ok());
        let taken = match escape {
            Some('n') => (2, Some('\n')),
            Some('t') => (2, Some('\t')),
            Some('r') => (2, Some('\r')),
            Some('b' | 'f') => (2, Some(' ')),
            Some('u') => match hex(at + 2) {
                Some(high @ 0xD800..=0xDBFF) => match hex(at + 8).filter(|_| rest[at + 6..].starts_with("\\u")) {
                    Some(low @ 0xDC00..=0xDFFF) => {
                        (12, char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)))
                    }
                    Some(_) | None => (6, None),
                },
                Some(code) => (6, char::from_u32(code)),
                None => (2, Some('u')),
            },
            Some(other) => (1 + other.len_utf8(), Some(other)),
            None => (1, None),
        };
        text.push(taken.1.unwrap_or(' '));
        rest = rest.get(at + taken.0..).unwrap_or_default();
    }
    text.push_str(rest);
    text
}

fn voice<'a>(original: &Original<'a>) -> Voice<'a> {
    Voice {
        turn: original.turn,
        turn_id: original.turn_id,
        line_id: original.line_id,
        place: original.place,
        seq: original.seq,
        speaker: original.part.speaker,
    }
}

/// Everything that a line says, summaries apart.
fn texts(line: &Line) -> Vec<&str> {
    match &line.body {
        Body::Message { parts, .. } => parts.iter().map(|part| part.text.as_str()).collect(),
        Body::Noise { text, .. } => vec![text],
        Body::Compaction { .. } | Body::Summary(_) | Body::Note(_) | Body::Unread { .. } => Vec::new(),
    }
}

fn show(line: &Line, outline: &Outline, listen: &mut dyn FnMut(&Original)) {
    let Body::Message { parts, .. } = &line.body else { return };
    let Some(turn) = outline.turn_at(line.file, line.offset) else { return };
    let Some(no) = outline.number(turn) else { return };
    for part in parts {
        let place = line.place(part.block);
        let Some(seq) = outline.seq(place) else { continue };
        listen(&Original { part, place, line_id: line.id.as_deref(), seq, turn: &no, turn_id: &turn.id });
    }
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
