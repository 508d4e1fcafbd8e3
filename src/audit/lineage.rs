//! One claim followed through the records of all markers, back to the words that it comes from.

mod decisive;

use super::likeness::{Gist, Rarity, common, denies};
use crate::record::{Change, Field, Generation, Item, Lineage, Record};
use crate::session::{Compaction, SourceRef};

/// A record in which the claim is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Rendering<'a> {
    /// Its marker.
    pub compaction: &'a Compaction,
    /// What it kept, with sources and verdicts.
    pub record: &'a Record,
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
/// Between these steps of certainty something changed, where one of them is at least proposed.
const STEPS: u8 = 2;
const PROPOSED: u8 = 4;
/// What a shared value adds.
const VALUE: f32 = 0.1;

/// The claim through all records; without generations where no record holds it.
pub fn lineage(records: &[Rendering], followed: Followed) -> Lineage {
    let gists: Vec<Vec<Option<Gist>>> = records.iter().map(|one| gists(one.record)).collect();
    let mut rarity = Rarity::default();
    gists.iter().flatten().flatten().for_each(|gist| rarity.count(&gist.stems));
    let search = Search { records, gists, rarity };
    let (text, start) = match followed {
        Followed::Item(record, item) => (search.item(record, item).map(|item| item.text.clone()), Some((record, item))),
        Followed::Text(text) => (Some(text.to_owned()), search.most_like(text)),
    };
    let text = text.unwrap_or_default();
    let Some(start) = start.filter(|(record, item)| search.item(*record, *item).is_some()) else {
        return Lineage { text, generations: Vec::new() };
    };
    let found = search.follow(start);
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
        ..nothing()
    };
    let reached = records.iter().filter(|one| one.compaction.reaches.contains(source.seq.0));
    let lost = reached.enumerate().map(|(nth, one)| Generation {
        marker: Some(one.compaction.no),
        changed: (nth == 0).then_some(Change::Lost),
        ..nothing()
    });
    Lineage { text: source.quote.clone(), generations: std::iter::once(original).chain(lost).collect() }
}

/// The gists of a record's claims and figures. Names are no claims: each would be found wherever it is mentioned.
fn gists(record: &Record) -> Vec<Option<Gist>> {
    record.items.iter().map(|item| (item.field != Field::Entities).then(|| Gist::of_item(item))).collect()
}

struct Search<'a> {
    records: &'a [Rendering<'a>],
    gists: Vec<Vec<Option<Gist>>>,
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

    /// For each record the item that renders the claim, found from one to the next on both sides of where it starts.
    fn follow(&self, start: (usize, usize)) -> Vec<Option<usize>> {
        let mut found = vec![None; self.records.len()];
        found[start.0] = Some(start.1);
        let mut near = start;
        for (no, found) in found.iter_mut().enumerate().skip(start.0 + 1) {
            *found = self.rendered(no, &[start, near]);
            near = found.map_or(near, |item| (no, item));
        }
        near = start;
        for (no, found) in found.iter_mut().enumerate().take(start.0).rev() {
            *found = self.rendered(no, &[start, near]);
            near = found.map_or(near, |item| (no, item));
        }
        self.fill(&mut found);
        found
    }

    /// What does not look like the records before it may look like those behind it, or like the last.
    fn fill(&self, found: &mut [Option<usize>]) {
        let last = found.iter().enumerate().rev().find_map(|(no, item)| Some((no, (*item)?)));
        let Some(last) = last else { return };
        let mut behind = None;
        for no in (0..=last.0).rev() {
            if let (None, Some(near)) = (found[no], behind) {
                found[no] = self.rendered(no, &[near, last]);
            }
            behind = found[no].map(|item| (no, item)).or(behind);
        }
    }

    /// The item of a record that is most like one of these, where one is like enough.
    fn rendered(&self, no: usize, known: &[(usize, usize)]) -> Option<usize> {
        let gists: Vec<Gist> = known.iter().map(|one| self.gist(*one)).collect();
        let items: Vec<_> = known.iter().filter_map(|(record, item)| self.item(*record, *item)).collect();
        let claim = items.first()?.field.is_claim();
        let mut best: Option<(f32, usize)> = None;
        for (at, gist) in self.gists[no].iter().enumerate() {
            let item = &self.records[no].record.items[at];
            let Some(gist) = gist.as_ref().filter(|_| item.field.is_claim() == claim) else { continue };
            let like = gists.iter().map(|other| self.likeness(gist, other)).fold(0.0, f32::max);
            if like <= 0.0 {
                continue;
            }
            let rests =
                |other: &&Item| other.sources.first().zip(item.sources.first()).is_some_and(|(a, b)| overlap(a, b));
            let shares = |other: &Gist| gist.values.iter().any(|value| other.values.contains(value));
            let source = if items.iter().any(rests) { SOURCE } else { 0.0 };
            let value = if gists.iter().any(shares) { VALUE } else { 0.0 };
            let score = like + source + value;
            if score >= SAME && best.is_none_or(|(known, _)| score > known) {
                best = Some((score, at));
            }
        }
        best.map(|(_, at)| at)
    }

    fn likeness(&self, one: &Gist, other: &Gist) -> f32 {
        let (of_shorter, of_longer) = self.rarity.shares(&one.stems, &other.stems);
        // One common word alone is chance.
        let few = common(&one.stems, &other.stems).take(2).count() < 2 && of_longer < 0.6;
        if few { 0.0 } else { 0.6 * of_shorter + 0.4 * of_longer }
    }

    /// The original words: what the first record that knows any rests on.
    fn original(&self, found: &[Option<usize>]) -> Option<&SourceRef> {
        let mut items = found.iter().enumerate().filter_map(|(no, item)| self.item(no, (*item)?));
        items.find_map(|item| item.sources.first())
    }

    fn generations(&self, found: &[Option<usize>]) -> Vec<Generation> {
        let original = self.original(found);
        let about = self.about(found);
        let quoted = original.map(|source| Gist::about(&source.quote, &about, &self.rarity));
        let mut told = Told::new(quoted, self.with_values(found));
        let mut all = Vec::new();
        if let Some(source) = original {
            let gist = told.original.clone().unwrap_or_default();
            all.push(Generation {
                marker: None,
                item: None,
                source: Some(source.clone()),
                text: source.quote.clone(),
                certainty: Some(gist.certainty),
                negated: gist.negated,
                verdict: None,
                changed: None,
                pairwise: None,
                decisive: Vec::new(),
            });
        }
        let first = found.iter().position(Option::is_some).unwrap_or_default();
        for (no, rendering) in self.records.iter().enumerate() {
            let reached = original.is_some_and(|source| rendering.compaction.reaches.contains(source.seq.0));
            if no < first && !reached {
                continue;
            }
            let marker = Some(rendering.compaction.no);
            let Some(at) = found[no] else {
                let changed = told.first(Some(Change::Lost));
                all.push(Generation { marker, changed, ..nothing() });
                continue;
            };
            let item = &rendering.record.items[at];
            let negated = item.field == Field::RuledOut || denies(&item.text, &about);
            let gist = Gist { negated, ..self.gist((no, at)) };
            let (changed, pairwise) = told.compare(&gist);
            all.push(Generation {
                marker,
                item: Some(at),
                source: item.sources.first().cloned(),
                text: item.text.clone(),
                certainty: Some(gist.certainty),
                negated: gist.negated,
                verdict: Some(item.verdict),
                changed,
                pairwise,
                decisive: Vec::new(),
            });
        }
        decisive::mark(&mut all, &about, &self.rarity);
        all
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

fn nothing() -> Generation {
    Generation {
        marker: None,
        item: None,
        source: None,
        text: String::new(),
        certainty: None,
        negated: false,
        verdict: None,
        changed: None,
        pairwise: None,
        decisive: Vec::new(),
    }
}

fn overlap(one: &SourceRef, other: &SourceRef) -> bool {
    one.seq == other.seq && one.range.0 < other.range.1 && other.range.0 < one.range.1
}

/// What was told so far: each kind of change is told once.
struct Told {
    original: Option<Gist>,
    before: Option<Gist>,
    values: bool,
    changes: Vec<Change>,
}

impl Told {
    fn new(original: Option<Gist>, values: bool) -> Self {
        Self { before: original.clone(), original, values, changes: Vec::new() }
    }

    fn compare(&mut self, gist: &Gist) -> (Option<Change>, Option<Change>) {
        // Without original words the first rendering is the oldest that is known.
        let original = self.original.get_or_insert_with(|| gist.clone());
        let lost = self.values && !original.values.is_empty() && gist.values.is_empty();
        let changed = contradiction(original, gist, self.values).or(lost.then_some(Change::Lost));
        let pairwise = self.before.as_ref().and_then(|before| contradiction(before, gist, self.values));
        self.before = Some(gist.clone());
        (self.first(changed), pairwise)
    }

    fn first(&mut self, change: Option<Change>) -> Option<Change> {
        let change = change.filter(|change| !self.changes.contains(change))?;
        self.changes.push(change);
        Some(change)
    }
}

/// What one text says against another that holds the same claim.
fn contradiction(before: &Gist, after: &Gist, values: bool) -> Option<Change> {
    if before.negated != after.negated {
        return Some(Change::Polarity);
    }
    if values && before.differs_in_value(after) {
        return Some(Change::Value);
    }
    let (less, more) = (before.certainty.min(after.certainty), before.certainty.max(after.certainty));
    (more - less >= STEPS && more >= PROPOSED).then_some(Change::Certainty)
}

#[cfg(test)]
mod tests {
    use super::super::world::{compaction, record, source};
    use super::*;

    /// The claim that starts at this record, over one record a marker, `-` being one without it; the original words stand
    /// before m1 and m1's claim rests on them. Then for each row: marker, certainty, changed, pairwise.
    fn check(original: &str, claims: &[(Field, &str)], from: usize, want: &[(u32, Option<u8>, &str, &str)]) {
        let other = "The export job runs at night.";
        let mut records: Vec<Record> = Vec::new();
        for (no, claim) in claims.iter().enumerate() {
            let mut kept = vec![(Field::Narrative, other)];
            kept.extend(Some(*claim).filter(|(_, text)| *text != "-"));
            let mut made = record(&kept);
            if no == 0
                && let Some(item) = made.items.get_mut(1)
            {
                item.sources = vec![source(original, 7)];
            }
            records.push(made);
        }
        let markers: Vec<Compaction> = (1..=claims.len() as u32)
            .map(|no| {
                let mut marker = compaction(no);
                marker.reaches.add(0..50);
                marker
            })
            .collect();
        let renderings: Vec<Rendering> =
            markers.iter().zip(&records).map(|(compaction, record)| Rendering { compaction, record }).collect();
        let got = lineage(&renderings, Followed::Item(from, 1));
        let name = |change: Option<Change>| change.map_or("", Change::name);
        let rows: Vec<_> = got
            .generations
            .iter()
            .map(|one| (one.marker.unwrap_or(0), one.certainty, name(one.changed), name(one.pairwise)))
            .collect();
        assert_eq!(rows, want, "{original}");
    }

    #[test]
    fn a_question_that_hardens_is_told_where_it_is_first_surer() {
        check(
            "Should `invoices.state` be an enum? I have doubts.",
            &[
                (Field::Open, "The user asked whether invoices.state should be an enum."),
                (Field::Open, "Whether invoices.state becomes an enum."),
                (Field::Decisions, "The user wants invoices.state as an enum."),
                (Field::Decisions, "Decided: make invoices.state an enum."),
            ],
            3,
            &[
                (0, Some(0), "", ""),
                (1, Some(0), "", ""),
                (2, Some(0), "", ""),
                (3, Some(5), "certainty", "certainty"),
                (4, Some(6), "", ""),
            ],
        );
    }

    #[test]
    fn a_value_that_goes_and_comes_back_as_another_is_seen_only_against_the_original() {
        let claims = [
            (Field::Narrative, "The queue ceiling is 40 (`max_items = 40`)"),
            (Field::Narrative, "Queue items are bounded, then the oldest item is dropped"),
            (Field::Narrative, "Queue items are bounded at 25, then the oldest item is dropped"),
            (Field::Narrative, "The queue ceiling is 25 items"),
        ];
        let want = [
            (0, Some(6), "", ""),
            (1, Some(6), "", ""),
            (2, Some(6), "lost", ""),
            (3, Some(6), "value", ""),
            (4, Some(6), "", ""),
        ];
        check("The queue ceiling is 40.", &claims, 0, &want);
        check("The queue ceiling is 40.", &claims, 2, &want);
        check("The queue ceiling is 40.", &claims, 3, &want);
    }

    #[test]
    fn a_claim_that_is_gone_is_lost_once_and_one_turned_round_is_told() {
        let hold = "It is not a credit hold, the flag was never set.";
        check(
            hold,
            &[(Field::RuledOut, "a credit hold"), (Field::Open, "-"), (Field::Open, "-")],
            0,
            &[(0, Some(6), "", ""), (1, Some(6), "", ""), (2, None, "lost", ""), (3, None, "", "")],
        );
        check(
            hold,
            &[(Field::RuledOut, "a credit hold"), (Field::Decisions, "It is a credit hold")],
            1,
            &[(0, Some(6), "", ""), (1, Some(6), "", ""), (2, Some(6), "polarity", "polarity")],
        );
    }

    #[test]
    fn a_sentence_is_followed_from_the_claim_that_holds_most_of_it() {
        let kept =
            record(&[(Field::Narrative, "The export job runs at night."), (Field::Open, "Whether to move the export")]);
        let marker = compaction(1);
        let one = [Rendering { compaction: &marker, record: &kept }];
        for (text, item) in [("export runs at night", Some(0)), ("move the export", Some(1)), ("gift cards", None)] {
            let got = lineage(&one, Followed::Text(text));
            assert_eq!(got.generations.first().and_then(|one| one.item), item, "{text}");
        }
    }
}
