//! What the checks found, beside the records that it is about. A finding stands at the first marker that shows it;
//! later markers that repeat it point there.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::known::{Known, Selected};
use crate::record::{Act, Alarm, Checked, Effective, Finding, FindingKind, LedgerEntry, Severity, text_hash};
use crate::session::{Hash, SourceRef};
use crate::view::{Answer, FIELDS, Piece, Seen, Tally, sources};

/// A finding, by the first marker that shows it and its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FindingAt {
    /// The marker's number.
    pub marker: u32,
    /// Its place among those of that marker.
    pub nth: usize,
}

/// What a person can look at and answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// An item of a record.
    Item(Selected),
    /// A finding that has no row of an item, at the marker that shows it.
    Finding(u32, FindingAt),
}

impl Subject {
    /// The marker on whose record it is looked at.
    pub fn marker(self) -> u32 {
        match self {
            Subject::Item(selected) => selected.marker,
            Subject::Finding(marker, _) => marker,
        }
    }
}

/// A finding, and whether it is said to be a wrong alarm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raised {
    /// What the check found.
    pub finding: Finding,
    /// A person said that it is none.
    pub wrong: bool,
    /// Of its words, see [`text_hash`].
    words: Hash,
}

impl Raised {
    fn new(finding: &Finding, wrong: bool) -> Self {
        Self { finding: finding.clone(), wrong, words: text_hash(&finding.text) }
    }
}

/// All findings by marker.
#[derive(Debug, Default)]
pub struct Findings {
    raised: HashMap<u32, Vec<Raised>>,
    repeats: HashMap<u32, Vec<FindingAt>>,
}

impl Findings {
    /// Takes in what the check of a marker found, in place of what it found before.
    pub fn put(&mut self, marker: u32, checked: &Checked) {
        self.forget(marker);
        let told = checked.findings.iter().map(|finding| (finding, false));
        let wrong = checked.wrong_alarms.iter().map(|finding| (finding, true));
        let mut all: Vec<Raised> = told.chain(wrong).map(|(finding, wrong)| Raised::new(finding, wrong)).collect();
        // Stable: among equals the check's own rank holds.
        all.sort_by_key(|raised| rank(&raised.finding));
        for (nth, raised) in all.iter().enumerate() {
            for other in raised.finding.markers.iter().filter(|other| **other != marker) {
                self.repeats.entry(*other).or_default().push(FindingAt { marker, nth });
            }
        }
        self.raised.insert(marker, all);
    }

    /// Forgets what was found at a marker.
    pub fn forget(&mut self, marker: u32) {
        for raised in self.raised.remove(&marker).unwrap_or_default() {
            for other in &raised.finding.markers {
                if let Some(repeats) = self.repeats.get_mut(other) {
                    repeats.retain(|at| at.marker != marker);
                }
            }
        }
    }

    /// The finding.
    pub fn get(&self, at: FindingAt) -> Option<&Raised> {
        self.raised.get(&at.marker)?.get(at.nth)
    }

    /// Takes in what a person said of it.
    pub fn answer(&mut self, at: FindingAt, wrong: bool) {
        if let Some(raised) = self.raised.get_mut(&at.marker).and_then(|all| all.get_mut(at.nth)) {
            raised.wrong = wrong;
        }
    }

    /// Every finding once, worst first.
    pub fn all(&self) -> Vec<FindingAt> {
        let at = |(marker, all): (&u32, &Vec<Raised>)| {
            let marker = *marker;
            (0..all.len()).map(move |nth| FindingAt { marker, nth }).collect::<Vec<_>>()
        };
        let mut all: Vec<FindingAt> = self.raised.iter().flat_map(at).collect();
        all.sort_by_cached_key(|at| (self.get(*at).map(|raised| rank(&raised.finding)), *at));
        all
    }

    /// Those that a marker shows, worst first.
    fn at(&self, marker: u32) -> Vec<FindingAt> {
        let own = self.raised.get(&marker).map_or(0, Vec::len);
        let own = (0..own).map(|nth| FindingAt { marker, nth });
        let repeats = self.repeats.get(&marker).into_iter().flatten().copied();
        let mut all: Vec<FindingAt> = own.chain(repeats).collect();
        all.sort_by_cached_key(|at| self.get(*at).map(|raised| rank(&raised.finding)));
        all
    }
}

/// What is wrong comes before what is missing, however bad.
fn rank(finding: &Finding) -> (bool, Reverse<Severity>, FindingKind) {
    (finding.kind == FindingKind::Lost, Reverse(finding.severity), finding.kind)
}

impl Known {
    /// The findings that a marker shows, worst first, with what was answered.
    pub fn seen<'a>(&'a self, no: u32, effective: &Effective<'a>) -> Vec<(FindingAt, Seen<'a>)> {
        let entered = |item: usize| effective.items.get(item).and_then(|item| item.corrected_by);
        self.findings.at(no).into_iter().filter_map(|at| Some((at, self.look(at, no, &entered)?))).collect()
    }

    /// One of them.
    pub fn see(&self, at: FindingAt, no: u32) -> Option<Seen<'_>> {
        self.look(at, no, &|item| self.entered(Selected { marker: no, item }))
    }

    fn look<'a>(
        &'a self,
        at: FindingAt,
        no: u32,
        entered: &dyn Fn(usize) -> Option<&'a LedgerEntry>,
    ) -> Option<Seen<'a>> {
        let raised = self.findings.get(at)?;
        let (finding, item) = (&raised.finding, self.item_of(at, no));
        let entered = item.map_or_else(|| self.pin_of(finding), entered);
        let answer = match entered {
            _ if raised.wrong => Answer::WrongAlarm,
            Some(entry) => Answer::Entered(entry),
            None => Answer::Open,
        };
        Some(Seen { finding, item, answer })
    }

    /// The item of a marker that a finding which it shows is about.
    fn item_of(&self, at: FindingAt, no: u32) -> Option<usize> {
        let raised = self.findings.get(at)?;
        if at.marker == no { raised.finding.item } else { self.repeating(raised, no) }
    }

    /// The item of another marker that says again what a finding is about.
    fn repeating(&self, raised: &Raised, no: u32) -> Option<usize> {
        raised.finding.item?;
        let record = &self.records.get(&no)?.record;
        self.lookups.of(no, record).repeating(&raised.finding, &raised.words, record)
    }

    /// The entry by which something forgotten is pinned.
    fn pin_of(&self, finding: &Finding) -> Option<&LedgerEntry> {
        let source = finding.sources.first();
        self.ledger.active().find(|entry| {
            let draft = &entry.draft;
            draft.act == Act::Pinned
                && draft.corrects.is_none()
                && match (&draft.source, source) {
                    (Some(quote), Some(source)) => quote.turn_id == source.turn_id && quote.hash == source.hash,
                    (None, None) => draft.text == finding.text,
                    (Some(_), None) | (None, Some(_)) => false,
                }
        })
    }

    /// What the check of a marker found, in figures; `None` while it was not made.
    pub fn tally(&self, no: u32, effective: &Effective<'_>) -> Option<Tally> {
        let record = self.records.get(&no)?;
        let checked = record.checked.as_ref()?;
        let mut open: Vec<(FindingKind, usize)> = Vec::new();
        let mut answered = 0;
        for (_, seen) in self.seen(no, effective) {
            if !seen.is_open() {
                answered += 1;
                continue;
            }
            match open.iter_mut().find(|(kind, _)| *kind == seen.finding.kind) {
                Some((_, count)) => *count += 1,
                None => open.push((seen.finding.kind, 1)),
            }
        }
        open.sort_unstable();
        let unchecked =
            |item: &&crate::record::Item| item.field.is_claim() && item.verdict == crate::record::Verdict::Unchecked;
        let unchecked = record.record.items.iter().filter(unchecked).count();
        Some(Tally { stage: checked.stage, open, answered, unchecked, warnings: checked.warnings.clone() })
    }

    /// The finding about a subject, at the marker where it is looked at.
    pub fn finding_of(&self, subject: Subject) -> Option<(FindingAt, Seen<'_>)> {
        let marker = subject.marker();
        let at = match subject {
            Subject::Item(Selected { item, .. }) => {
                self.findings.at(marker).into_iter().find(|at| self.item_of(*at, marker) == Some(item))?
            }
            Subject::Finding(_, at) => at,
        };
        Some((at, self.see(at, marker)?))
    }

    /// The subject of a finding at the marker that first shows it.
    pub fn subject_of(&self, at: FindingAt) -> Option<Subject> {
        let item = self.findings.get(at)?.finding.item;
        Some(match item {
            Some(item) => Subject::Item(Selected { marker: at.marker, item }),
            None => Subject::Finding(at.marker, at),
        })
    }

    /// The original that shows best what a subject is about.
    pub fn source_of(&self, subject: Subject) -> Option<&SourceRef> {
        let item = match subject {
            Subject::Item(selected) => self.item(selected).map(|(_, item)| item),
            Subject::Finding(..) => None,
        };
        let finding = self.finding_of(subject).map(|(_, seen)| seen.finding);
        sources(item, finding).first().copied()
    }

    /// What a finding is known by in the database.
    pub fn alarm_of(&self, at: FindingAt) -> Option<Alarm> {
        let raised = self.findings.get(at)?;
        let marker = &self.records.get(&at.marker)?.compaction.key;
        Some(Alarm::of(&raised.finding, &self.head.key, marker))
    }

    /// The rows of a marker's unanswered findings in the order in which they stand in its record.
    pub fn stops(&self, no: u32) -> Vec<(Order, Piece)> {
        if self.findings.at(no).is_empty() {
            return Vec::new();
        }
        let Some((record, effective)) = self.effective(no) else { return Vec::new() };
        let mut stops: Vec<(Order, Piece)> = self
            .seen(no, &effective)
            .iter()
            .enumerate()
            .filter(|(_, (_, seen))| seen.is_open())
            .map(|(nth, (_, seen))| match seen.item {
                Some(item) => {
                    let field = record.record.items.get(item).map(|item| item.field);
                    let field = FIELDS.iter().position(|of| Some(*of) == field).unwrap_or(FIELDS.len());
                    (Order(field, item), Piece::Item(item as u32))
                }
                None => (order_of_finding(seen, nth), Piece::Finding(nth as u32)),
            })
            .collect();
        stops.sort_unstable();
        stops.dedup();
        stops
    }

    /// Where a row of a record stands among the others; `None` for its line.
    pub fn order(&self, no: u32, piece: Piece) -> Option<Order> {
        let (record, effective) = self.effective(no)?;
        match piece {
            Piece::Item(item)
            | Piece::Evidence(item)
            | Piece::Correction(item)
            | Piece::Verdict(item)
            | Piece::Link(item, _) => {
                let field = record.record.items.get(item as usize)?.field;
                Some(Order(FIELDS.iter().position(|of| *of == field)?, item as usize))
            }
            Piece::MoreItems(field) => Some(Order(FIELDS.iter().position(|of| *of == field)?, usize::MAX)),
            Piece::Finding(nth) | Piece::FindingEvidence(nth) | Piece::FindingLink(nth, _) => {
                let seen = self.seen(no, &effective);
                seen.get(nth as usize).map(|(_, seen)| order_of_finding(seen, nth as usize))
            }
            Piece::MoreForgotten => Some(Order(FORGOTTEN, usize::MAX)),
            Piece::Orphan(at) => Some(Order(FIELDS.len(), at as usize)),
            Piece::Blank
            | Piece::Head
            | Piece::Text(_)
            | Piece::Thinking(_)
            | Piece::Call(_)
            | Piece::Under(_)
            | Piece::More(_)
            | Piece::Noise
            | Piece::Fold
            | Piece::Note
            | Piece::Unread
            | Piece::Marker
            | Piece::Section(_)
            | Piece::Warning => None,
        }
    }
}

/// Where a row stands in its record: which section, and where in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Order(usize, usize);

const APART: usize = FIELDS.len() + 1;
const FORGOTTEN: usize = FIELDS.len() + 2;

fn order_of_finding(seen: &Seen<'_>, nth: usize) -> Order {
    Order(if seen.is_forgotten() { FORGOTTEN } else { APART }, nth)
}
