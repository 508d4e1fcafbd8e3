//! Claims: each is aligned to sentences of the originals and gets its verdict; what they turn round, make firmer, add, or
//! lay into somebody's mouth is a finding. Names and figures are checked next door.

mod accord;
mod additions;
mod aged;
mod alignment;
mod alternatives;
mod asserted;
mod attribution;
mod bearing;
#[cfg(test)]
mod bearing_tests;
mod borne;
mod bounds;
mod causes;
#[cfg(test)]
mod clause_tests;
mod clauses;
mod codes;
mod consent;
mod contrasts;
mod credit;
mod deeds;
mod denied;
mod duties;
#[cfg(test)]
mod exchange_tests;
mod exchanges;
mod findings;
mod firmness;
mod first;
#[cfg(test)]
mod first_tests;
mod hedged;
mod imagined;
mod inventions;
mod lists;
mod loose;
mod modifiers;
mod opposed;
mod opposites;
mod order;
mod otherwise;
mod own;
mod permissions;
mod persona;
mod plain;
mod polarity;
mod quotes;
mod reader;
mod replies;
mod reports;
mod restriction;
mod ruled_out;
mod section;
mod settled;
mod speaker;
#[cfg(test)]
mod speaker_tests;
mod statement;
mod status;
mod synonyms;
mod taken_back;
mod tasks;
mod terms;
#[cfg(test)]
mod tests;
mod tongue;
mod turning;
mod unfinished;
mod unspoken;
mod unwritten;
mod verdict;
mod wording;
#[cfg(test)]
mod words_tests;

use crate::extract::stem;
use crate::record::{Field, Finding, Item, Judgement, Verdict};

use super::Case;
use alignment::{Original, Rarity, weigh};
use attribution::Attribution;
use credit::{Credit, credits};
use lists::lists;
use persona::Persona;
use statement::Statement;
use terms::Terms;
use tongue::Tongues;

pub(super) use alternatives::names;
pub use borne::added;
pub use consent::Consents;
pub use reader::Reader;

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
    claim: &'c Statement,
    said: &'c [Attribution],
    credits: &'c [Credit],
    originals: Vec<Original<'a>>,
    rarity: &'c Rarity,
    terms: &'c Terms,
}

impl Heard<'_, '_> {
    /// How rare a stem is.
    fn weight(&self, stem: u32) -> f32 {
        self.rarity.weight(stem)
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
            && !self.terms.number(stem).is_some_and(|number| self.rarity.has(number))
            && forms(word).iter().all(|form| self.case.presence.is_before(form, here) != Some(true))
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

/// How else a word may be written, and what may stand for it.
pub(super) fn forms(word: &str) -> Vec<String> {
    let own = std::str::from_utf8(stem(word.as_bytes())).unwrap_or(word);
    let stems: Vec<&str> = synonyms::around(own).collect();
    let ended = stems.iter().flat_map(|stem| lists().word_endings.iter().map(move |end| format!("{stem}{end}")));
    stems.iter().map(|stem| (*stem).to_owned()).chain(ended).collect()
}

/// What is longer is no statement. Each word of a claim is held against each sentence that speaks of it, so that a bound
/// is needed as well.
pub(super) const LONGEST: usize = 2000;

/// The verdicts and findings of all claims of a record.
pub fn claims(case: &Case, reader: &mut Reader) -> Claims {
    reader.rest();
    let terms = reader.terms();
    let claims = || case.record.items.iter().enumerate().filter(|(_, item)| item.field.is_claim());
    let items = || claims().filter(|(_, item)| item.text.len() <= LONGEST);
    let mut split: Vec<Vec<Original>> =
        items().map(|(at, _)| reader.split(case.passages.get(at).map_or(&[][..], Vec::as_slice))).collect();
    let rarity = Rarity::of(split.iter().flatten().map(|original| &*original.statement));
    let mut found = Claims::default();
    for (at, _) in claims().filter(|(_, item)| item.text.len() > LONGEST) {
        let why = Some("too long to be checked as one statement".to_owned());
        found.judgements.push((at, Judgement { verdict: Verdict::Unchecked, why, better: None }));
    }
    let own = &case.consents.own;
    let tongues = Tongues::of(case);
    let persona = Persona::of(case.record);
    for ((at, item), originals) in items().zip(&mut split) {
        if let Some(language) = tongues.of_claim(&item.text) {
            // Words that stand in an original as they are need no language.
            if item.verdict != Verdict::Verified {
                found.judgements.push((at, tongue::unread(language)));
            }
            continue;
        }
        let read = reader.claim(&item.text);
        let (claim, said) = (&read.statement, &read.said[..]);
        let credits = credits(claim, section::is_of_person(case, item), &persona);
        let settles = settled::cue(claim).is_some();
        let of_person = is_quotation(case, item) || !credits.is_empty() || settles;
        own.join(case.compaction.place, (claim, said, of_person), originals, reader);
        if settles {
            own.answer(case.compaction.place, originals, reader);
        }
        weigh(claim, &read.frame, originals, &rarity);
        let originals = std::mem::take(originals);
        let heard = Heard { case, at, item, claim, said, credits: &credits, originals, rarity: &rarity, terms: &terms };
        let finding = findings::finding(&heard).filter(|finding| tongues.holds(finding.kind));
        found.judgements.push((at, tongues.judged(verdict::judge(&heard, finding.as_ref()))));
        found.findings.extend(finding);
    }
    found
}

/// Whether a claim of this field binds or settles something: an agent acts on it.
fn binds(field: Field) -> bool {
    match field {
        Field::Constraints | Field::Decisions | Field::RuledOut => true,
        Field::Narrative | Field::Entities | Field::Figures | Field::Actions | Field::Open => false,
    }
}
