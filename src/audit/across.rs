//! What was found at each marker, held against the other markers and the ledger: one finding for a claim that later
//! records repeat, which findings are corrected, what only a summary says, and what was said to be a wrong alarm.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::likeness::{Gist, common};
use super::overruled;
use crate::record::{Alarm, Field, Finding, FindingKind, Ledger, LedgerEntry, Record, Severity, lay, text_hash};
use crate::session::{Compaction, Hash, Originals, SessionKey, SourceRef};

/// A marker with what the check of its record alone found.
#[derive(Clone, Debug)]
pub struct Alone<'a> {
    /// The marker.
    pub compaction: &'a Compaction,
    /// What it kept, with sources and verdicts.
    pub record: &'a Record,
    /// Worst first.
    pub findings: Vec<Finding>,
}

/// The same marker among the others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Among {
    /// Worst first; a claim that an earlier marker holds already is told there.
    pub findings: Vec<Finding>,
    /// For each finding the number of the entry that corrects it.
    pub corrected: Vec<Option<u32>>,
    /// Findings that a person said to be wrong alarms.
    pub wrong_alarms: Vec<Finding>,
    /// Items whose only source is an earlier summary.
    pub laundered: Vec<usize>,
}

/// A claim may be missing from so many markers and still be the same when it comes back in other words.
const GAP: u32 = 3;
/// At most so many earlier findings of a field are compared with one in other words.
const LOOK_BACK: usize = 200;
/// Two texts of one field that share so much of the shorter, and so much of the longer, say the same.
const ALIKE: (usize, usize) = (75, 50);

/// Every marker, in their order, among the others.
pub fn across(session: &SessionKey, markers: Vec<Alone>, ledger: &Ledger, alarms: &[Alarm]) -> Vec<Among> {
    let mut among: Vec<Among> = vec![Among::default(); markers.len()];
    let entries = Corrections::of(session, &markers, ledger);
    let mut groups = Groups::default();
    let mut said_before: HashMap<Hash, bool> = HashMap::new();
    for (no, marker) in markers.iter().enumerate() {
        let again = overruled::findings(marker, ledger, &markers);
        let is_again = |item: Option<usize>| item.is_some() && again.iter().any(|other| other.item == item);
        let laundered = laundered(marker, &mut said_before);
        let told: Vec<Finding> = marker.findings.iter().filter(|one| !is_again(one.item)).cloned().collect();
        let accused: HashSet<usize> = told.iter().chain(&again).filter_map(|one| one.item).collect();
        let is_accused = |at: usize| accused.contains(&at);
        let only: Vec<Finding> =
            laundered.iter().filter(|at| !is_accused(**at)).filter_map(|at| only_a_summary(marker, *at)).collect();
        for finding in told.into_iter().chain(again).chain(only) {
            groups.add(no, marker, finding);
        }
        groups.repeat(no, marker, &is_accused);
        among[no].laundered = laundered;
    }
    for mut group in groups.all {
        let wrong = group.members.iter().any(|(no, finding)| {
            let key = &markers[*no].compaction.key;
            alarms.iter().any(|alarm| alarm.is_about(finding, session, key))
        });
        group.finding.markers = group.markers.keys().copied().collect();
        let place = &mut among[group.first];
        if wrong {
            place.wrong_alarms.push(group.finding);
        } else {
            place.corrected.push(entries.corrects(&group));
            place.findings.push(group.finding);
        }
    }
    among.into_iter().map(sorted).collect()
}

/// What is wrong before what is missing, worst first: by severity, by kind, as they stand in the record. What is missing is
/// ranked by who lost it, what was needed again first.
fn sorted(among: Among) -> Among {
    let mut all: Vec<(Finding, Option<u32>)> = among.findings.into_iter().zip(among.corrected).collect();
    all.sort_by_key(|(one, _)| {
        let lost = one.kind == FindingKind::Lost;
        (lost, lost && one.needed_again.is_empty(), std::cmp::Reverse(one.severity), one.kind, one.item)
    });
    let (findings, corrected) = all.into_iter().unzip();
    Among { findings, corrected, ..among }
}

/// One claim that several markers got wrong in the same way.
struct Group {
    finding: Finding,
    /// The marker that it is told at.
    first: usize,
    /// The finding of each marker that has it, as the check there made it.
    members: Vec<(usize, Finding)>,
    /// The numbers of the markers that hold it, each with its item.
    markers: BTreeMap<u32, Option<usize>>,
    last: u32,
    gist: Gist,
}

#[derive(Default)]
struct Groups {
    all: Vec<Group>,
    by_text: HashMap<(Hash, Field), Vec<usize>>,
    by_source: HashMap<u64, Vec<usize>>,
    by_field: HashMap<Field, Vec<usize>>,
}

impl Groups {
    fn add(&mut self, no: usize, marker: &Alone, finding: Finding) {
        let number = marker.compaction.no;
        let hash = normal_hash(&finding.text);
        let gist = Gist::of(&finding.text);
        let at = self.find(hash, &finding, &gist, number).unwrap_or_else(|| {
            self.all.push(Group {
                finding: finding.clone(),
                first: no,
                members: Vec::new(),
                markers: BTreeMap::new(),
                last: number,
                gist,
            });
            self.by_field.entry(finding.field).or_default().push(self.all.len() - 1);
            self.all.len() - 1
        });
        let group = &mut self.all[at];
        group.markers.insert(number, finding.item);
        group.last = number;
        for act in &finding.acted_on {
            if !group.finding.acted_on.contains(act) {
                group.finding.acted_on.push(act.clone());
            }
        }
        for (turn, what) in &finding.needed_again {
            let known = group.finding.needed_again.iter().any(|(known, _)| known == turn);
            if !known {
                group.finding.needed_again.push((turn.clone(), what.clone()));
            }
        }
        self.by_text.entry((hash, finding.field)).or_default().push(at);
        if let Some(source) = finding.sources.first() {
            self.by_source.entry(source.seq.0).or_default().push(at);
        }
        self.all[at].members.push((no, finding));
    }

    /// The group of an earlier marker that says the same and is wrong in the same way.
    fn find(&self, hash: Hash, finding: &Finding, gist: &Gist, number: u32) -> Option<usize> {
        // What one record says twice is two items, and two findings.
        let open = |at: &usize| {
            let group = &self.all[*at];
            !group.markers.contains_key(&number) && group.finding.kind == finding.kind
        };
        let same_text = self.by_text.get(&(hash, finding.field)).into_iter().flatten().copied().rfind(open);
        if same_text.is_some() || !finding.field.is_claim() {
            return same_text;
        }
        let source = finding.sources.first();
        let near = source.and_then(|source| self.by_source.get(&source.seq.0)).into_iter().flatten().copied();
        let shared = |at: &usize| {
            let group = &self.all[*at];
            let overlap = group.members.iter().any(|(_, other)| overlap(other.sources.first(), source));
            // Two that name values name the same.
            let (known, own) = (&group.gist.values, &gist.values);
            let same = known.is_empty() || own.is_empty() || common(known, own).next().is_some();
            overlap && same && common(&group.gist.stems, &gist.stems).next().is_some()
        };
        if let Some(at) = near.filter(open).filter(|at| self.recent(*at, number)).rfind(shared) {
            return Some(at);
        }
        let fields = self.by_field.get(&finding.field).into_iter().flatten().copied();
        fields
            .rev()
            .take(LOOK_BACK)
            .take_while(|at| number - self.all[*at].last.min(number) <= GAP * 4)
            .filter(open)
            .filter(|at| self.recent(*at, number))
            .find(|at| alike(&self.all[*at].gist, gist))
    }

    fn recent(&self, at: usize, number: u32) -> bool {
        number.saturating_sub(self.all[at].last) <= GAP
    }

    /// A record that repeats a claim word for word holds it as well, though the check there says nothing of it.
    fn repeat(&mut self, no: usize, marker: &Alone, is_accused: &dyn Fn(usize) -> bool) {
        let number = marker.compaction.no;
        for (at, item) in
            marker.record.items.iter().enumerate().filter(|(at, item)| item.field.is_claim() && !is_accused(*at))
        {
            let groups = self.by_text.get(&(normal_hash(&item.text), item.field)).cloned().unwrap_or_default();
            for group in groups {
                let group = &mut self.all[group];
                if group.first < no && !group.markers.contains_key(&number) {
                    group.markers.insert(number, Some(at));
                    group.last = number;
                }
            }
        }
    }
}

/// Letter case, white space and the marks at the ends are no difference.
fn normal_hash(text: &str) -> Hash {
    text_hash(text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase().as_str())
}

fn overlap(one: Option<&SourceRef>, other: Option<&SourceRef>) -> bool {
    one.zip(other)
        .is_some_and(|(one, other)| one.seq == other.seq && one.range.0 < other.range.1 && other.range.0 < one.range.1)
}

/// Whether two texts of one field clearly say the same: most of their stems, the same values and the same polarity.
pub(super) fn alike(one: &Gist, other: &Gist) -> bool {
    let shared = common(&one.stems, &other.stems).count();
    let (shorter, longer) = (one.stems.len().min(other.stems.len()), one.stems.len().max(other.stems.len()));
    shared >= 2
        && shared * 100 >= shorter * ALIKE.0
        && shared * 100 >= longer * ALIKE.1
        && one.values == other.values
        && one.negated == other.negated
}

/// Items that rest on no turn and that an earlier record holds as well, word for word.
fn laundered(marker: &Alone, said_before: &mut HashMap<Hash, bool>) -> Vec<usize> {
    let mut found = Vec::new();
    for (at, item) in marker.record.items.iter().enumerate().filter(|(_, item)| item.field.is_claim()) {
        let hash = normal_hash(&item.text);
        let bare = item.sources.is_empty();
        let before = said_before.get(&hash).copied();
        if bare && before == Some(true) {
            found.push(at);
        }
        // Once some record rests it on a turn, it is not from a summary alone.
        said_before.insert(hash, bare && before.unwrap_or(true));
    }
    found
}

/// A finding only where the originals are gone: elsewhere the check says better what is wrong.
fn only_a_summary(marker: &Alone, at: usize) -> Option<Finding> {
    let item = &marker.record.items[at];
    let steers = matches!(item.field, Field::Constraints | Field::Decisions | Field::RuledOut);
    let gone = marker.compaction.originals != Originals::Present;
    let why = "only an earlier summary says so, and what it was made from is not in the file: nobody can check it";
    let of = (marker.compaction.no, at, item);
    (steers && gone).then(|| Finding::of(of, FindingKind::Laundered, Severity::Low, why.to_owned()))
}

/// Which items of which marker the ledger overrules.
struct Corrections<'a> {
    by_item: HashMap<(u32, usize), &'a LedgerEntry>,
    active: Vec<&'a LedgerEntry>,
}

impl<'a> Corrections<'a> {
    fn of(session: &SessionKey, markers: &[Alone<'a>], ledger: &'a Ledger) -> Self {
        let active: Vec<&LedgerEntry> = ledger.active().collect();
        let mut by_item = HashMap::new();
        // Nothing is laid over records where nothing was entered.
        for marker in markers.iter().filter(|_| !active.is_empty()) {
            let laid = lay(marker.record, ledger, session, &marker.compaction.key);
            for (at, item) in laid.items.iter().enumerate() {
                if let Some(entry) = item.overruled() {
                    by_item.insert((marker.compaction.no, at), entry);
                }
            }
        }
        Self { by_item, active }
    }

    /// The entry that corrects a finding at any marker that holds it.
    fn corrects(&self, group: &Group) -> Option<u32> {
        if group.finding.kind == FindingKind::Overruled {
            return None;
        }
        let items = group.markers.iter().filter_map(|(no, item)| Some((*no, (*item)?)));
        let by_item = items.filter_map(|item| self.by_item.get(&item)).map(|entry| entry.no).max();
        by_item.or_else(|| {
            let finding = &group.finding;
            let about = |entry: &&&LedgerEntry| finding.item.is_none() && pins(entry, finding);
            self.active.iter().find(about).map(|entry| entry.no)
        })
    }
}

/// Whether an entry states what a finding misses: the same words, or words of the same place.
fn pins(entry: &LedgerEntry, finding: &Finding) -> bool {
    let quote = entry.draft.source.as_ref().zip(finding.sources.first());
    // Most of what shows it: of a line that says other things too, some words are not enough.
    let same_place = quote.is_some_and(|(quote, source)| {
        let shared = quote.range.1.min(source.range.1).saturating_sub(quote.range.0.max(source.range.0));
        quote.turn_id == source.turn_id
            && quote.part == source.place.part
            && shared > 0
            && shared * 2 >= source.range.1 - source.range.0
    });
    same_place || normal_hash(&entry.draft.text) == normal_hash(&finding.text)
}

#[cfg(test)]
mod tests {
    use super::super::world::{compaction, item, record, source};
    use super::*;
    use crate::record::{Act, Anchor, Draft, EntryKind, Item, Quote, Via, entry_hash};
    use crate::session::TurnNo;

    type Claim = (Field, &'static str, FindingKind);

    fn session() -> SessionKey {
        SessionKey::new("stet", "s")
    }

    fn finding(no: u32, at: usize, item: &Item, kind: FindingKind) -> Finding {
        let sources = item.sources.clone();
        Finding { sources, ..Finding::of((no, at, item), kind, Severity::High, String::new()) }
    }

    /// One marker for each list of claims, each of which has a finding of its kind.
    fn world(markers: &[&[Claim]]) -> Vec<(Compaction, Record, Vec<Finding>)> {
        let made = markers.iter().zip(1..).map(|(claims, no)| {
            let record = record(&claims.iter().map(|(field, text, _)| (*field, *text)).collect::<Vec<_>>());
            let kinds = claims.iter().map(|(_, _, kind)| *kind);
            let findings = record
                .items
                .iter()
                .zip(kinds)
                .enumerate()
                .map(|(at, (item, kind))| finding(no, at, item, kind))
                .collect();
            (compaction(no), record, findings)
        });
        made.collect()
    }

    fn ran(world: &[(Compaction, Record, Vec<Finding>)], ledger: &Ledger, alarms: &[Alarm]) -> Vec<Among> {
        let alone =
            world.iter().map(|(compaction, record, findings)| Alone { compaction, record, findings: findings.clone() });
        across(&session(), alone.collect(), ledger, alarms)
    }

    /// `m1: inverted m1 m2 L1` for each finding.
    fn told(among: &[Among]) -> Vec<String> {
        let mut told = Vec::new();
        for (no, among) in among.iter().enumerate() {
            for (finding, corrected) in among.findings.iter().zip(&among.corrected) {
                let markers: Vec<String> = finding.markers.iter().map(|no| format!("m{no}")).collect();
                let by = corrected.map_or_else(String::new, |no| format!(" L{no}"));
                told.push(format!("m{}: {} {}{by}", no + 1, finding.kind.name(), markers.join(" ")));
            }
        }
        told
    }

    fn entry(at: i64, act: Act, kind: EntryKind, text: &str, corrects: Option<Anchor>) -> Ledger {
        let draft = Draft {
            kind,
            act,
            outcome: None,
            text: text.into(),
            corrects,
            target: None,
            source: None,
            via: Via::Tui,
            author: "mara".into(),
            reason: None,
            proposed: false,
            origin: None,
        };
        let hash = entry_hash(1, &session(), at, &draft, Hash::ZERO);
        Ledger::replay([LedgerEntry { no: 1, session: session(), at, draft, prev: Hash::ZERO, hash }])
    }

    const DECIDED: Claim = (Field::Decisions, "Decided: make the state an enum.", FindingKind::Inverted);
    const AGAIN: Claim = (Field::Decisions, "decided: make the state  an enum", FindingKind::Inverted);
    const WANTS: Claim = (Field::Decisions, "The user wants the state as an enum.", FindingKind::Firmed);

    #[test]
    fn a_claim_that_later_records_repeat_is_one_finding_and_a_stronger_form_is_another() {
        for (markers, want) in [
            (&[&[DECIDED][..], &[AGAIN]][..], &["m1: inverted m1 m2"][..]),
            (&[&[WANTS][..], &[DECIDED], &[AGAIN]], &["m1: firmed m1", "m2: inverted m2 m3"]),
            (&[&[DECIDED, AGAIN][..]], &["m1: inverted m1", "m1: inverted m1"]),
            (
                &[
                    &[(Field::Narrative, "Retries are capped at 5 attempts", FindingKind::Altered)][..],
                    &[(Field::Narrative, "Retries are capped at 6 attempts", FindingKind::Altered)],
                    &[(Field::Narrative, "Attempts and retries capped at 6", FindingKind::Altered)],
                ],
                &["m1: altered m1", "m2: altered m2 m3"],
            ),
        ] {
            assert_eq!(told(&ran(&world(markers), &Ledger::default(), &[])), want, "{markers:?}");
        }
    }

    #[test]
    fn what_the_agent_did_on_a_claim_is_told_behind_every_marker_that_holds_it() {
        let mut made = world(&[&[DECIDED], &[AGAIN]]);
        let acts = [(3, "wrote a.sql"), (7, "wrote b.sql")].map(|(turn, what)| (TurnNo::main(turn), what.to_owned()));
        made[0].2[0].acted_on = vec![acts[0].clone()];
        made[1].2[0].acted_on = acts.to_vec();
        let among = ran(&made, &Ledger::default(), &[]);
        assert_eq!(among[0].findings[0].acted_on, acts);
    }

    #[test]
    fn claims_that_rest_on_the_same_words_are_one() {
        let mut made = world(&[&[DECIDED], &[(Field::Decisions, "An enum it is", FindingKind::Inverted)]]);
        for (_, record, findings) in &mut made {
            record.items[0].sources = vec![source("should the state be an enum?", 9)];
            findings[0].sources.clone_from(&record.items[0].sources);
        }
        assert_eq!(told(&ran(&made, &Ledger::default(), &[])), ["m1: inverted m1 m2"]);
    }

    /// A4.31: a correction is an entry that every later record is held against.
    #[test]
    fn a_correction_shows_at_every_marker_that_holds_the_claim_and_what_is_made_after_it_is_overruled() {
        let made = world(&[&[DECIDED], &[AGAIN]]);
        let anchor = |no: usize| Anchor::to(&made[no].1.items[0], &session(), &made[no].0.key);
        let reopened =
            |at, no| entry(at, Act::Reopened, EntryKind::Open, "should the state be an enum?", Some(anchor(no)));
        for (ledger, want) in [
            // Markers are made at 1000 and 2000.
            (reopened(9000, 0), &["m1: inverted m1 m2 L1"][..]),
            (reopened(9000, 1), &["m1: inverted m1 m2 L1"]),
            (reopened(1500, 0), &["m1: inverted m1 L1", "m2: overruled m2"]),
            (entry(1500, Act::Pinned, EntryKind::Decision, DECIDED.1, Some(anchor(0))), &["m1: inverted m1 m2"]),
        ] {
            assert_eq!(told(&ran(&made, &ledger, &[])), want, "{ledger:?}");
        }
    }

    #[test]
    fn an_entry_is_contradicted_by_another_value_and_by_what_is_decided_again() {
        let seven = |at| entry(at, Act::Pinned, EntryKind::Fact, "The retry ceiling is 7", None);
        let open = entry(1500, Act::Reopened, EntryKind::Open, "Should the state become an enum?", None);
        for (ledger, claim, overruled) in [
            (seven(1500), (Field::Narrative, "the retry ceiling is 5"), true),
            (seven(1500), (Field::Narrative, "the retry ceiling is 7"), false),
            (seven(1500), (Field::Narrative, "the retry delay is 5"), false),
            (seven(2500), (Field::Narrative, "the retry ceiling is 5"), false),
            (open.clone(), (Field::Decisions, "The state becomes an enum"), true),
            (open, (Field::Open, "Whether the state becomes an enum"), false),
        ] {
            let made =
                vec![(compaction(1), Record::default(), Vec::new()), (compaction(2), record(&[claim]), Vec::new())];
            let got = ran(&made, &ledger, &[]);
            assert_eq!(told(&got) == ["m2: overruled m2"], overruled, "{claim:?}: {:?}", told(&got));
        }
    }

    #[test]
    fn a_wrong_alarm_is_not_raised_again_at_any_marker() {
        let made = world(&[&[DECIDED], &[AGAIN]]);
        let alarm = |no: usize| Alarm::of(&made[no].2[0], &session(), &made[no].0.key);
        for no in [0, 1] {
            let got = ran(&made, &Ledger::default(), &[alarm(no)]);
            assert_eq!((told(&got).len(), got[0].wrong_alarms.len()), (0, 1), "said at m{}", no + 1);
        }
        let other = Alarm { kind: FindingKind::Firmed, ..alarm(0) };
        assert_eq!(told(&ran(&made, &Ledger::default(), &[other])).len(), 1);
    }

    #[test]
    fn what_rests_on_no_turn_and_stood_in_the_summary_before_is_laundered() {
        let claim = (Field::Constraints, "Never touch the export job.");
        let cited = Item { sources: vec![source("never touch it", 3)], ..item(claim.0, claim.1) };
        for (second, originals, laundered, finds) in [
            (item(claim.0, claim.1), Originals::Gone, true, true),
            (item(claim.0, claim.1), Originals::Present, true, false),
            (cited, Originals::Gone, false, false),
            (item(claim.0, "Never touch the import job."), Originals::Gone, false, false),
        ] {
            let one = |no, kept: Item| {
                let made = Record { items: vec![kept], ..Record::default() };
                (Compaction { originals, ..compaction(no) }, made, Vec::new())
            };
            let made = vec![one(1, item(claim.0, claim.1)), one(2, second)];
            let got = ran(&made, &Ledger::default(), &[]);
            assert_eq!((got[1].laundered == [0], told(&got).len() == 1), (laundered, finds), "{originals:?}");
        }
    }

    #[test]
    fn a_loss_that_somebody_pinned_is_corrected() {
        let mut lost = finding(1, 0, &item(Field::Open, "ask Ola about the rows"), FindingKind::Lost);
        (lost.item, lost.summary_range) = (None, None);
        let made = vec![(compaction(1), Record::default(), vec![lost])];
        let pinned = |text| entry(9000, Act::Pinned, EntryKind::Open, text, None);
        assert_eq!(told(&ran(&made, &pinned("Ask Ola about the rows."), &[])), ["m1: lost m1 L1"]);
        assert_eq!(told(&ran(&made, &pinned("Ask Ola"), &[])), ["m1: lost m1"]);
        // Words of the same place pin it where they are most of what shows it.
        let shows = source("ask Ola about the rows, all 212 million of them", 3);
        let lost = Finding { sources: vec![shows.clone()], ..made[0].2[0].clone() };
        for (end, want) in [(46, true), (12, false)] {
            let quote = Quote {
                turn: "3".into(),
                turn_id: shows.turn_id.clone(),
                line_id: None,
                part: 0,
                range: (0, end),
                quote: shows.quote[..end].to_owned(),
                hash: Hash::ZERO,
                speaker: shows.speaker,
            };
            let mut pin = pinned("He knows them").active().next().cloned().expect("it was pinned");
            pin.draft.source = Some(quote);
            assert_eq!(pins(&pin, &lost), want, "{end}");
        }
    }
}
