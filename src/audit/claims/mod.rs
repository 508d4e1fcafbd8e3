//! Claims: each is aligned to sentences of the originals and gets its verdict; what they turn round, make firmer, add, or
//! lay into somebody's mouth is a finding. Names and figures are checked next door.

mod additions;
mod alignment;
mod alternatives;
mod attribution;
mod consent;
mod findings;
mod firmness;
mod inventions;
mod loose;
mod opposites;
mod own;
mod polarity;
mod quotes;
mod reports;
mod restriction;
mod ruled_out;
mod speaker;
mod statement;
mod status;
#[cfg(test)]
mod tests;
mod tongue;
mod unspoken;
mod verdict;
mod wording;
#[cfg(test)]
mod words_tests;

use std::ops::Range;

use crate::extract::{Language, stem, words};
use crate::record::{Field, Finding, Item, Judgement, Verdict};

use super::Case;
use alignment::{Original, Rarity, Readings, weigh};
use attribution::{Attribution, attributions};
use statement::Statement;
use tongue::Tongues;

pub(super) use alternatives::names;
pub use consent::Consents;

/// What was found out about the claims of one record.
#[derive(Debug, Default)]
pub struct Claims {
    /// By index of the item.
    pub judgements: Vec<(usize, Judgement)>,
    /// In the order of the items.
    pub findings: Vec<Finding>,
}

/// One claim with what speaks of it.
struct Heard<'c, 'a> {
    case: &'c Case<'a>,
    at: usize,
    item: &'a Item,
    claim: Statement<'a>,
    said: Vec<Attribution>,
    originals: Vec<Original<'a>>,
    rarity: &'c Rarity,
}

impl Heard<'_, '_> {
    /// How rare a stem is.
    fn weight(&self, stem: &str) -> f32 {
        self.rarity.of(stem)
    }

    /// Whether quotation marks stand around the claim in the summary.
    fn is_quotation(&self) -> bool {
        is_quotation(self.case, self.item)
    }

    /// Whether a word, in any form, stands nowhere before the marker.
    fn is_unheard(&self, word: &str) -> bool {
        let here = self.case.compaction.place.offset;
        let stem = std::str::from_utf8(stem(word.as_bytes())).unwrap_or(word);
        self.case.presence.is_before(word, here) == Some(false)
            && !self.rarity.has(stem)
            && forms(stem).iter().all(|form| self.case.presence.is_before(form, here) != Some(true))
    }
}

/// Whether quotation marks stand around an item in the summary.
fn is_quotation(case: &Case, item: &Item) -> bool {
    let summary = case.record.summary.as_str();
    let around = item
        .range
        .and_then(|(start, end)| Some((summary.get(..start)?, summary.get(start..end)?, summary.get(end..)?)));
    around.is_some_and(|(before, inside, behind)| {
        let opens = before.ends_with(['"', '“']) || inside.starts_with(['"', '“']);
        opens && (behind.starts_with(['"', '”']) || inside.ends_with(['"', '”']))
    })
}

/// How else a word may be written.
pub(super) fn forms(word: &str) -> Vec<String> {
    let stem = std::str::from_utf8(stem(word.as_bytes())).unwrap_or(word);
    let endings = ["", "e", "s", "es", "ed", "d", "ing", "er", "ers", "ly", "ion", "ions", "y", "ies", "ied", "ment"];
    endings.iter().map(|ending| format!("{stem}{ending}")).collect()
}

/// What is longer is no statement. Each word of a claim is held against each sentence that speaks of it, so that a bound
/// is needed as well.
pub(super) const LONGEST: usize = 2000;

/// The verdicts and findings of all claims of a record.
pub fn claims(case: &Case) -> Claims {
    let claims = || case.record.items.iter().enumerate().filter(|(_, item)| item.field.is_claim());
    let items = || claims().filter(|(_, item)| item.text.len() <= LONGEST);
    let mut readings = Readings::default();
    let mut split: Vec<Vec<Original>> =
        items().map(|(at, _)| readings.split(case.passages.get(at).map_or(&[][..], Vec::as_slice))).collect();
    let mut rarity = Rarity::default();
    rarity.count(split.iter().flatten().map(|original| &*original.statement));
    let mut found = Claims::default();
    for (at, _) in claims().filter(|(_, item)| item.text.len() > LONGEST) {
        let why = Some("too long to be checked as one statement".to_owned());
        found.judgements.push((at, Judgement { verdict: Verdict::Unchecked, why, better: None }));
    }
    let own = &case.consents.own;
    let tongues = Tongues::of(case);
    for ((at, item), originals) in items().zip(&mut split) {
        if let Some(language) = tongues.of_claim(&item.text) {
            // Words that stand in an original as they are need no language.
            if item.verdict != Verdict::Verified {
                found.judgements.push((at, tongue::unread(language)));
            }
            continue;
        }
        let claim = Statement::of(&item.text);
        let said = attributions(&claim);
        let asked = (&claim, &said[..], is_quotation(case, item));
        own.join(case.compaction.place, asked, originals, &mut readings);
        weigh(&claim, &frame(&claim, &said), originals, &rarity);
        let originals = std::mem::take(originals);
        let heard = Heard { case, at, item, claim, said, originals, rarity: &rarity };
        let finding = findings::finding(&heard).filter(|finding| tongues.holds(finding.kind));
        found.judgements.push((at, tongues.judged(verdict::judge(&heard, finding.as_ref()))));
        found.findings.extend(finding);
    }
    found
}

/// The words of a claim that say who said it and that it was settled, not what.
fn frame(claim: &Statement, said: &[Attribution]) -> Vec<Range<usize>> {
    let heard = words(claim.text);
    let decisions = &Language::english().decisions;
    let settled = (0..heard.len())
        .filter_map(|at| decisions.at(&heard, at).map(|end| heard[at].range.start..heard[end - 1].range.end));
    said.iter().map(|one| one.cue.clone()).chain(settled).collect()
}

/// Whether a claim of this field binds or settles something: an agent acts on it.
fn binds(field: Field) -> bool {
    match field {
        Field::Constraints | Field::Decisions | Field::RuledOut => true,
        Field::Narrative | Field::Entities | Field::Figures | Field::Actions | Field::Open => false,
    }
}
