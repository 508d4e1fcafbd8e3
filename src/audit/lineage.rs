//! One claim followed through the records of all markers, back to the words that it comes from. What became of it is said
//! by the check of each record, which held every claim against all originals; words that are merely alike accuse nobody.

mod decisive;
#[cfg(test)]
mod tests;
mod told;

use super::likeness::{Gist, Rarity, common, denies, stems};
use crate::record::{
    Change, Detail, Field, Finding, FindingKind, Generation, Item, Lineage, Lookup, Record, text_hash,
};
use crate::session::{Compaction, SourceRef};
use told::Told;

/// A record in which the claim is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Rendering<'a> {
    /// Its marker.
    pub compaction: &'a Compaction,
    /// What it kept, with sources and verdicts.
    pub record: &'a Record,
    /// What the check found in it.
    pub findings: &'a [Finding],
}

/// What is followed.
#[derive(Clone, Copy, Debug)]
pub enum Followed<'a> {
    /// An item: the index of its rendering and its own.
    Item(usize, usize),
    /// A sentence.
    Text(&'a str),
}

/// Two texts that share less are not the same claim.
const SAME: f32 = 0.34;
/// What a shared source adds.
const SOURCE: f32 = 0.25;
/// So much of a sentence must stand in an item or in its source for the sentence to be followed from there.
const ASKED: f32 = 0.5;
/// What a shared value adds.
const VALUE: f32 = 0.1;
/// From here on one text says the other nearly word for word.
const VERBATIM: f32 = 0.85;

/// The claim through all records; without generations where no record holds it.
pub fn lineage(records: &[Rendering], followed: Followed) -> Lineage {
    let gists: Vec<Vec<Option<Gist>>> = records.iter().map(|one| gists(one.record)).collect();
    let mut rarity = Rarity::default();
    gists.iter().flatten().flatten().for_each(|gist| rarity.count(&gist.stems));
    let lookups = records.iter().map(|one| Lookup::new(one.record)).collect();
    let search = Search { records, gists, lookups, rarity };
    let (text, start) = match followed {
        Followed::Item(record, item) => (search.item(record, item).map(|item| item.text.clone()), Some((record, item))),
        Followed::Text(text) => (Some(text.to_owned()), search.most_like(text)),
    };
    let text = text.unwrap_or_default();
    let Some(start) = start.filter(|(record, item)| search.item(*record, *item).is_some()) else {
        return Lineage { text, generations: Vec::new() };
    };
    let found = search.follow(search.claim_of(start));
    Lineage { text, generations: search.generations(&found) }
}

/// What every record whose summariser read these words forgot: the words, and a generation without an item for each.
pub fn forgotten(records: &[Rendering], source: &SourceRef) -> Lineage {
    let gist = Gist::of(&source.quote);
    let original = Generation {
        source: Some(source.clone()),
        text: source.quote.clone(),
        certainty: Some(gist.certainty),
        negated: gist.negated,
        ..Generation::default()
    };
    let reached = records.iter().filter(|one| one.compaction.reaches.contains(source.seq.0));
    let lost = reached.enumerate().map(|(nth, one)| Generation {
        marker: Some(one.compaction.no),
        differs: Some(Change::Lost),
        changed: (nth == 0).then_some(Change::Lost),
        ..Generation::default()
    });
    Lineage { text: source.quote.clone(), generations: std::iter::once(original).chain(lost).collect() }
}

/// The gists of a record's claims and figures. Names are no claims: each would be found wherever it is mentioned.
fn gists(record: &Record) -> Vec<Option<Gist>> {
    record.items.iter().map(|item| (item.field != Field::Entities).then(|| Gist::of_item(item))).collect()
}

/// The trail ends here: a record goes on with something that only looks like the claim.
struct Another;

struct Search<'a> {
    records: &'a [Rendering<'a>],
    gists: Vec<Vec<Option<Gist>>>,
    lookups: Vec<Lookup>,
    rarity: Rarity,
}

impl Search<'_> {
    fn item(&self, record: usize, item: usize) -> Option<&Item> {
        self.records.get(record)?.record.items.get(item)
    }

    fn gist(&self, (record, item): (usize, usize)) -> Gist {
        let known = self.gists[record][item].clone();
        known.unwrap_or_else(|| self.item(record, item).map(Gist::of_item).unwrap_or_default())
    }

    /// The item that holds most of a sentence, in its own words or in those it comes from; the first of those alike.
    fn most_like(&self, text: &str) -> Option<(usize, usize)> {
        let asked = Gist::of(text);
        let mut best: Option<(f32, (usize, usize))> = None;
        for (no, gists) in self.gists.iter().enumerate() {
            for (at, gist) in gists.iter().enumerate() {
                let Some(gist) = gist else { continue };
                let item = &self.records[no].record.items[at];
                let quoted =
                    item.sources.first().map_or(0.0, |source| self.held(&asked, &Gist::of(&source.quote)) * 0.9);
                let score = self.held(&asked, gist).max(quoted);
                if score >= ASKED && best.is_none_or(|(known, _)| score > known + 1e-4) {
                    best = Some((score, (no, at)));
                }
            }
        }
        best.map(|(_, at)| at)
    }

    /// How much of what is asked for another text holds, less a little for what it says besides.
    fn held(&self, asked: &Gist, other: &Gist) -> f32 {
        let whole = self.rarity.sum(&asked.stems);
        let shared: f32 = common(&asked.stems, &other.stems).map(|stem| self.rarity.weight(stem)).sum();
        let besides = self.rarity.sum(&other.stems) - shared;
        if whole > 0.0 { shared / whole - 0.1 * (besides / whole).min(1.0) } else { 0.0 }
    }

    /// Of a figure that stands in the words of a claim that claim: it is what says whose figure it is. Else the item itself.
    fn claim_of(&self, (record, item): (usize, usize)) -> (usize, usize) {
        let figure = &self.records[record].record.items[item];
        let claims = self.records[record].record.items.iter().enumerate().filter(|(_, other)| other.field.is_claim());
        let holds = |(_, claim): &(usize, &Item)| figure.field == Field::Figures && figure.is_within(claim);
        (record, claims.into_iter().find(holds).map_or(item, |(at, _)| at))
    }

    /// For each record the item that renders the claim, found from one to the next on both sides of where it starts.
    fn follow(&self, start: (usize, usize)) -> Vec<Option<usize>> {
        let mut found = vec![None; self.records.len()];
        found[start.0] = Some(start.1);
        let mut near = start;
        for (no, found) in found.iter_mut().enumerate().skip(start.0 + 1) {
            let Ok(item) = self.rendered(no, &[start, near]) else { break };
            *found = item;
            near = item.map_or(near, |item| (no, item));
        }
        let last = near;
        near = start;
        for (no, found) in found.iter_mut().enumerate().take(start.0).rev() {
            let Ok(item) = self.rendered(no, &[start, near, last]) else { break };
            *found = item;
            near = item.map_or(near, |item| (no, item));
        }
        self.fill(&mut found);
        // From record to record it may drift off to what stood beside the claim.
        let claim = self.gist(start);
        for (no, item) in found.iter_mut().enumerate() {
            *item = item.filter(|item| common(&claim.stems, &self.gist((no, *item)).stems).next().is_some());
        }
        found[start.0] = Some(start.1);
        found
    }

    /// What does not look like the records before it may look like those behind it, or like the last.
    fn fill(&self, found: &mut [Option<usize>]) {
        let last = found.iter().enumerate().rev().find_map(|(no, item)| Some((no, (*item)?)));
        let Some(last) = last else { return };
        let mut behind = None;
        for no in (0..=last.0).rev() {
            if let (None, Some(near)) = (found[no], behind) {
                let Ok(item) = self.rendered(no, &[near, last]) else { break };
                found[no] = item;
            }
            behind = found[no].map(|item| (no, item)).or(behind);
        }
    }

    /// The item of a record that is most like one of these, where one is like enough, else that is most like the words they
    /// rest on; [`Another`] where only such are that render another claim.
    fn rendered(&self, no: usize, known: &[(usize, usize)]) -> Result<Option<usize>, Another> {
        let own = |at: &(usize, usize)| Some((self.gist(*at), at.0, self.item(at.0, at.1)?));
        let quoted = |at: &(usize, usize)| {
            let (claim, item) = (self.gist(*at), self.item(at.0, at.1)?);
            Some((Gist::about(&item.sources.first()?.quote, &claim.stems, &self.rarity), at.0, item))
        };
        let found = self.most_like_one_of(no, &known.iter().filter_map(own).collect::<Vec<_>>())?;
        let originals = || known.iter().filter_map(quoted).collect::<Vec<_>>();
        found.map_or_else(|| self.most_like_one_of(no, &originals()), |found| Ok(Some(found)))
    }

    fn most_like_one_of(&self, no: usize, known: &[(Gist, usize, &Item)]) -> Result<Option<usize>, Another> {
        let claim = known.iter().any(|(_, _, item)| item.field.is_claim());
        let mut best: Option<(f32, usize)> = None;
        let mut another = false;
        for (at, gist) in self.gists[no].iter().enumerate() {
            let item = &self.records[no].record.items[at];
            let Some(gist) = gist.as_ref().filter(|_| item.field.is_claim() == claim) else { continue };
            for (other, record, known) in known {
                let like = self.likeness(gist, other);
                if like <= 0.0 || !claim && !is_figure_of(item, known) {
                    continue;
                }
                let rests =
                    known.sources.first().zip(item.sources.first()).is_some_and(|(one, other)| overlap(one, other));
                let shares = gist.values.iter().any(|value| other.values.contains(value));
                let score = like + if rests { SOURCE } else { 0.0 } + if shares { VALUE } else { 0.0 };
                if score < SAME || best.is_some_and(|(known, _)| score <= known) {
                    continue;
                }
                if like < VERBATIM && self.is_said_in(*record, gist) {
                    another = true;
                } else {
                    best = Some((score, at));
                }
            }
        }
        match best {
            None if another => Err(Another),
            best => Ok(best.map(|(_, at)| at)),
        }
    }

    /// Whether an item of a record says this nearly word for word: then it renders that one, and nothing else there.
    fn is_said_in(&self, record: usize, gist: &Gist) -> bool {
        self.gists[record].iter().flatten().any(|other| self.likeness(gist, other) >= VERBATIM)
    }

    fn likeness(&self, one: &Gist, other: &Gist) -> f32 {
        let (of_shorter, of_longer) = self.rarity.shares(&one.stems, &other.stems);
        // One common word alone is chance.
        let few = common(&one.stems, &other.stems).take(2).count() < 2 && of_longer < 0.6;
        if few { 0.0 } else { 0.6 * of_shorter + 0.4 * of_longer }
    }

    /// The original words, and whether they deny the claim: what the first record that knows any rests on.
    fn original(&self, found: &[Option<usize>], about: &[String]) -> Option<(&SourceRef, Gist)> {
        let mut items = found.iter().enumerate().filter_map(|(no, item)| Some((no, self.item(no, (*item)?)?)));
        let (no, item, source) = items.find_map(|(no, item)| Some((no, item, item.sources.first()?)))?;
        let mut gist = Gist::about(&source.quote, about, &self.rarity);
        // Words can rule a thing out without a word that denies; what the check let stand does.
        gist.negated |= item.field == Field::RuledOut && self.accused(found, no).is_none();
        Some((source, gist))
    }

    fn generations(&self, found: &[Option<usize>]) -> Vec<Generation> {
        let about = self.about(found);
        let original = self.original(found, &about);
        let mut told = Told::new(original.as_ref().map(|(_, gist)| gist.clone()), self.with_values(found));
        let mut all = Vec::new();
        if let Some((source, gist)) = &original {
            all.push(Generation {
                source: Some(SourceRef::clone(source)),
                text: source.quote.clone(),
                certainty: Some(gist.certainty),
                negated: gist.negated,
                ..Generation::default()
            });
        }
        let first = found.iter().position(Option::is_some).unwrap_or_default();
        for (no, rendering) in self.records.iter().enumerate() {
            let reached =
                original.as_ref().is_some_and(|(source, _)| rendering.compaction.reaches.contains(source.seq.0));
            if no < first && !reached {
                continue;
            }
            let marker = Some(rendering.compaction.no);
            let Some(at) = found[no] else {
                let differs = Some(Change::Lost);
                all.push(Generation { marker, differs, changed: told.first(differs, None), ..Generation::default() });
                continue;
            };
            let item = &rendering.record.items[at];
            let negated = item.field == Field::RuledOut || denies(&item.text, &about);
            let gist = Gist { negated, ..self.gist((no, at)) };
            let accused = self.accused(found, no);
            let (differs, pairwise) = told.compare(&gist, item.field, accused);
            all.push(Generation {
                marker,
                item: Some(at),
                source: item.sources.first().cloned(),
                text: item.text.clone(),
                certainty: Some(gist.certainty),
                negated: gist.negated,
                verdict: Some(item.verdict),
                found: accused,
                differs,
                changed: told.first(differs, accused),
                pairwise,
                decisive: Vec::new(),
            });
        }
        decisive::mark(&mut all, &about, &self.rarity);
        all
    }

    /// The worst that the check holds against the claim in this record, or against a figure in its words; a finding stands
    /// at the first marker that says it and names those that say it again.
    fn accused(&self, found: &[Option<usize>], no: usize) -> Option<FindingKind> {
        found[no]?;
        let marker = self.records[no].compaction.no;
        let is_claim = |no: usize, at: Option<usize>| {
            let items = &self.records[no].record.items;
            let (claim, accused) = (found[no].and_then(|at| items.get(at)), at.and_then(|at| items.get(at)));
            claim.zip(accused).is_some_and(|(claim, accused)| {
                std::ptr::eq(accused, claim) || accused.field == Field::Figures && accused.is_within(claim)
            })
        };
        let here = |of: usize, finding: &Finding| {
            let again = || self.lookups[no].repeating(finding, &text_hash(&finding.text), self.records[no].record);
            is_claim(of, finding.item) || of != no && is_claim(no, again())
        };
        let told = self.records.iter().enumerate().take(no + 1).flat_map(|(of, one)| {
            let says_it = |finding: &&Finding| finding.kind != FindingKind::Lost && finding.markers.contains(&marker);
            one.findings.iter().filter(says_it).map(move |finding| (of, finding))
        });
        told.filter(|(of, finding)| here(*of, finding)).map(|(_, finding)| finding.kind).min()
    }

    /// What the claim is about: the stems that at least half of its renderings have.
    fn about(&self, found: &[Option<usize>]) -> Vec<String> {
        let gists: Vec<Gist> =
            found.iter().enumerate().filter_map(|(no, item)| Some(self.gist((no, (*item)?)))).collect();
        let mut stems: Vec<String> = gists.iter().flat_map(|gist| gist.stems.clone()).collect();
        stems.sort_unstable();
        stems.dedup();
        let held = |stem: &String| gists.iter().filter(|gist| gist.stems.contains(stem)).count();
        stems.retain(|stem| held(stem) * 2 >= gists.len());
        stems
    }

    /// Whether the claim is about a value: at least half of its renderings have one.
    fn with_values(&self, found: &[Option<usize>]) -> bool {
        let gists: Vec<Gist> =
            found.iter().enumerate().filter_map(|(no, item)| Some(self.gist((no, (*item)?)))).collect();
        gists.iter().filter(|gist| !gist.values.is_empty()).count() * 2 >= gists.len()
    }
}

/// Whether two figures are of the same thing: `size of orders` is not `size of order_items`.
fn is_figure_of(one: &Item, other: &Item) -> bool {
    let (Detail::Figure { label: one, .. }, Detail::Figure { label: other, .. }) = (&one.detail, &other.detail) else {
        return true;
    };
    stems(one) == stems(other)
}

fn overlap(one: &SourceRef, other: &SourceRef) -> bool {
    one.seq == other.seq && one.range.0 < other.range.1 && other.range.0 < one.range.1
}
