//! One marker: every check in turn, and one finding an item.

use std::collections::HashMap;

use crate::record::{Finding, Item, Judgement, NOT_ANALYSED, Passage, Record, Severity, Verdict};
use crate::session::{Compaction, Originals};

use super::beside::Read;
use super::{Consents, Presence, Reader, capitals, claims, figures, instead, names};

/// What is known when the record of one marker is checked.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The marker.
    pub compaction: &'a Compaction,
    /// What was kept, with its sources.
    pub record: &'a Record,
    /// For every item of [`Record::checked`] what speaks of the same in the originals, its sources first.
    pub passages: &'a [Vec<Passage>],
    /// What stands anywhere before the marker.
    pub presence: &'a Presence,
    /// Which of the person's turns say yes.
    pub consents: &'a Consents,
}

impl Case<'_> {
    /// Whether all that the compaction may rest on can be read: only then can it be said that nobody said something.
    pub fn is_whole(&self) -> bool {
        self.compaction.originals == Originals::Present
    }
}

/// The verdicts of all items in their order, and the findings, worst first. What is beyond [`Record::checked`] keeps the
/// verdict that it has.
pub fn check(case: &Case, reader: &mut Reader) -> (Vec<Judgement>, Vec<Finding>) {
    let passed_over = case.record.unchecked();
    if passed_over > 0 {
        let Record { items, summary, rules } = case.record;
        let record = Record { items: items[passed_over..].to_vec(), summary: summary.clone(), rules: *rules };
        let (checked, mut findings) = check(&Case { record: &record, ..*case }, reader);
        findings.iter_mut().filter_map(|finding| finding.item.as_mut()).for_each(|item| *item += passed_over);
        return (items[..passed_over].iter().map(settled).chain(checked).collect(), findings);
    }
    let mut judgements: Vec<Judgement> = case.record.items.iter().map(settled).collect();
    let claims = claims::claims(case, reader);
    let read = Read::default();
    let mut findings = Vec::new();
    for (judged, found) in
        [names::judge(case, &read), figures::judge(case, &read), (claims.judgements, claims.findings)]
    {
        for (item, judgement) in judged {
            judgements[item] = judgement;
        }
        findings.extend(found);
    }
    // In a language that is not read a capital says nothing.
    let unread = |item: usize| judgements[item].why.as_deref().is_some_and(|why| why.starts_with(NOT_ANALYSED));
    let in_prose = capitals::findings(case).into_iter().chain(instead::findings(case, &read));
    findings.extend(in_prose.filter(|found| !found.item.is_some_and(unread)));
    let findings = one_an_item(findings);
    doubt(case.record, &findings, &mut judgements);
    (judgements, findings)
}

/// A claim in whose words something was found wrong is not verified, whoever was accused of it.
fn doubt(record: &Record, findings: &[Finding], judgements: &mut [Judgement]) {
    let accused = findings.iter().filter(|finding| finding.kind.is_accusing()).filter_map(|finding| finding.item);
    let wrong: Vec<&Item> = accused.map(|at| &record.items[at]).collect();
    if wrong.is_empty() {
        return;
    }
    let touch = |a: &Item, b: &Item| match (a.range, b.range) {
        (Some(a), Some(b)) => a.0 < b.1 && b.0 < a.1,
        (Some(_) | None, None) | (None, Some(_)) => a.text == b.text,
    };
    for (item, judgement) in record.items.iter().zip(judgements) {
        if item.field.is_claim() && judgement.verdict == Verdict::Verified && wrong.iter().any(|one| touch(one, item)) {
            let why = Some("something in these words was found wrong".to_owned());
            *judgement = Judgement { verdict: Verdict::Weak, why, better: None };
        }
    }
}

/// What was said of an item before.
fn settled(item: &Item) -> Judgement {
    Judgement { verdict: item.verdict, why: item.why.clone(), better: item.better.clone() }
}

/// Of several findings on one item the worst is kept; they come out worst first, then as they stand in the record.
fn one_an_item(findings: Vec<Finding>) -> Vec<Finding> {
    let mut worst: HashMap<usize, Finding> = HashMap::new();
    let mut kept = Vec::new();
    for finding in findings {
        let Some(item) = finding.item else {
            kept.push(finding);
            continue;
        };
        match worst.get(&item) {
            Some(known) if (known.kind, rank(known)) <= (finding.kind, rank(&finding)) => {}
            Some(_) | None => {
                worst.insert(item, finding);
            }
        }
    }
    kept.extend(worst.into_values());
    kept.sort_by_key(|finding| (rank(finding), finding.kind, finding.item));
    kept
}

fn rank(finding: &Finding) -> std::cmp::Reverse<Severity> {
    std::cmp::Reverse(finding.severity)
}
