//! Markers checked while the originals pass: each as soon as everything before it was heard, so that a reader of a long
//! session has the first findings early, and what speaks of a marker's claims is held no longer than that.

use std::collections::HashMap;
use std::sync::Arc;

use super::answers::{self, Answers};
use super::gone::Gone;
use super::pass::Listener;
use crate::audit::{Calls, Case, Consents, Gists, HeldFact, Originals, Presence, Reader, check, held};
use crate::compile::{Gather, Look, Original, Sources, Ties, settle};
use crate::record::{Again, Finding, FindingKind, Passage, Record};
use crate::session::{Compaction, PartKind, PartSeq};

/// So far around a quote its surroundings go.
const AROUND: usize = 400;

/// One marker whose record is to be checked.
pub(super) struct Wanted {
    pub compaction: Compaction,
    pub record: Arc<Record>,
    /// The summary that stands beside an own record; empty where the record was lifted from it.
    pub prose: String,
}

/// A marker's record held against everything before the marker.
#[derive(Clone, Default)]
pub(super) struct HeldRecord {
    /// With sources and verdicts.
    pub record: Arc<Record>,
    pub findings: Vec<Finding>,
    /// What the originals say, and whether the record holds it.
    pub facts: Vec<HeldFact>,
}

/// What goes on being heard behind the markers: only that can tell what was missed of them.
pub(super) struct Afterwards {
    pub gather: Gather,
    pub calls: Calls,
}

impl Afterwards {
    pub fn of(wanted: &[Wanted]) -> Self {
        let compactions = || wanted.iter().map(|one| &one.compaction);
        Self { gather: Gather::new(compactions()), calls: Calls::cut_by(compactions()) }
    }
}

impl Listener for Afterwards {
    fn part(&mut self, original: &Original, look: Look) {
        self.gather.add(original, look);
        self.calls.hear(original.part, original.seq, original.place.offset);
    }

    fn passed(&mut self, _: u64, _: &Presence, _: Vec<(usize, Sources)>) {}
}

/// Hears the originals and checks the markers as they pass.
pub(super) struct Checking<'a> {
    wanted: &'a [Wanted],
    /// Tells what was found out about a marker (by its number among the markers, from 0).
    tell: &'a mut dyn FnMut(usize, &HeldRecord),
    pub afterwards: Afterwards,
    /// By marker; `None` before it is checked.
    pub held: Vec<Option<HeldRecord>>,
    /// Sources of records whose markers were not passed yet.
    sources: HashMap<usize, Sources>,
    consents: Consents,
    answers: Answers,
    gone: Gone,
    /// By the sequence of a part: the marker, its item and the source of an own record that name it.
    named: HashMap<u64, Vec<(usize, usize, usize)>>,
    /// By marker: what its own record names, with the items.
    own: HashMap<usize, Vec<(usize, Passage)>>,
    reader: Reader,
    gists: Gists,
}

impl<'a> Checking<'a> {
    pub fn of(wanted: &'a [Wanted], tell: &'a mut dyn FnMut(usize, &HeldRecord)) -> Self {
        let mut answers = Answers::default();
        let mut named: HashMap<u64, Vec<(usize, usize, usize)>> = HashMap::new();
        for (no, one) in wanted.iter().enumerate().filter(|(_, one)| one.record.rules == 0) {
            answers.ask(no, &one.record, &one.compaction.reaches);
            for (at, item) in one.record.items.iter().enumerate().skip(one.record.unchecked()) {
                for (which, source) in item.sources.iter().enumerate() {
                    named.entry(source.seq.0).or_default().push((no, at, which));
                }
            }
        }
        Self {
            wanted,
            tell,
            afterwards: Afterwards::of(wanted),
            held: wanted.iter().map(|_| None).collect(),
            sources: HashMap::new(),
            consents: Consents::default(),
            answers,
            gone: Gone::default(),
            named,
            own: HashMap::new(),
            reader: Reader::default(),
            gists: Gists::default(),
        }
    }

    fn check(&mut self, no: usize, sources: Sources, presence: &Presence) {
        let Wanted { compaction, record, prose } = &self.wanted[no];
        let mut record = Record::clone(record);
        if record.rules == 0 {
            self.answers.add(no, &mut record);
        } else {
            settle(&mut record, sources.iter().map(Ties::sources).collect());
        }
        let mut passages: Vec<Vec<Passage>> = sources.into_iter().map(|one| one.passages).collect();
        for (item, passage) in self.own.remove(&no).into_iter().flatten() {
            passages[item - record.unchecked()].insert(0, passage);
        }
        let case = Case { compaction, record: &record, passages: &passages, presence, consents: &self.consents };
        let (mut judgements, mut findings) = check(&case, &mut self.reader);
        let gather = &self.afterwards.gather;
        answers::note(&record, &mut judgements, |source| gather.answered_before(no, source));
        self.gone.take_back(&record, &mut judgements, &mut findings);
        shown_by(&mut record, &findings);
        let facts =
            held((&record, prose, &findings), &gather.facts(no), &Behind { gather, marker: no }, &mut self.gists);
        for (item, judgement) in record.items.iter_mut().zip(judgements) {
            (item.verdict, item.why, item.better) = (judgement.verdict, judgement.why, judgement.better);
        }
        let held = HeldRecord { record: Arc::new(record), findings, facts };
        (self.tell)(no, &held);
        self.held[no] = Some(held);
    }
}

/// An item without a source has that of what was found about it: it can be set right with the words that show it wrong.
fn shown_by(record: &mut Record, findings: &[Finding]) {
    for finding in findings.iter().filter(|one| one.kind.is_accusing() && one.kind != FindingKind::Invented) {
        if let Some(item) = finding.item.and_then(|at| record.items.get_mut(at)).filter(|item| item.sources.is_empty())
        {
            item.sources.extend(finding.sources.first().cloned());
        }
    }
}

impl Listener for Checking<'_> {
    fn part(&mut self, original: &Original, look: Look) {
        self.afterwards.part(original, look);
        listen(&mut self.consents, original);
        self.answers.hear(original);
        let Some(named) = self.named.get(&original.seq.0) else { return };
        if self.gone.notes(original) {
            return;
        }
        for (no, item, which) in named {
            let source = &self.wanted[*no].record.items[*item].sources[*which];
            self.own.entry(*no).or_default().push((*item, around(original, source.range)));
        }
    }

    fn passed(&mut self, place: u64, presence: &Presence, done: Vec<(usize, Sources)>) {
        self.afterwards.gather.reach(place);
        self.sources.extend(done);
        for no in 0..self.wanted.len() {
            if self.wanted[no].compaction.place.offset <= place
                && let Some(sources) = self.sources.remove(&no)
            {
                self.check(no, sources, presence);
            }
        }
    }
}

/// What is known of the originals behind one marker.
pub(super) struct Behind<'a> {
    pub gather: &'a Gather,
    pub marker: usize,
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

/// What a person says is kept whole: claims are held against it.
pub(super) fn listen(consents: &mut Consents, original: &Original) {
    let part = original.part;
    consents.hear(&part.text, part.speaker, original.seq.0, original.place.offset);
    if let PartKind::ToolCall { name, .. } = &part.kind {
        consents.call(name, &part.text, original.place.offset);
    }
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
        // What a stored source says of its end may be anything.
        at: (range.0.min(text.len()) - from, range.1.min(text.len()).saturating_sub(from)),
        share: 1.0,
    }
}
