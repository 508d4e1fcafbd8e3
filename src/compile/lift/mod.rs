//! A prose summary lifted into a record: claims with their field, and what the text holds of entities and figures.
//! No original is looked at here; [`super::Tying`] finds the sources.

mod claims;
mod context;
mod field;

use std::ops::Range;

use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

use crate::extract::{Class, Figure, Language, figures, identifiers, stem, words};
use crate::record::{Detail, Field, Item, Record, Verdict};

use claims::{Claim, Claims, claims};
use context::Context;

/// The version of these rules: a record that other rules lifted is lifted anew.
pub const RULES: u32 = 5;

/// The record that this summary is, read mechanically. Every item has its byte range, no source yet, and says that it
/// is not checked. Claims stand as they do in the summary; of entities and figures the most mentioned stand first.
pub fn lift(summary: &str) -> Record {
    let language = Language::english();
    let outline = claims(summary, language);
    let mut items: Vec<Item> = outline.claims.iter().map(|claim| stated(summary, claim, language)).collect();
    close_what_was_done(&mut items, &outline, language);
    items.sort_by_key(|item| (item.field, item.range));
    items.extend(mentioned(summary, &outline, language));
    // The sort is stable: what is mentioned keeps its order.
    items.sort_by_key(|item| item.field);
    Record { items, summary: summary.to_owned(), rules: RULES }
}

/// A listed message asks for something that the summary tells as done, or was listed before: nothing is open there.
fn close_what_was_done(items: &mut [Item], outline: &Claims, language: &Language) {
    let subject = |text: &str| -> HashSet<Vec<u8>> {
        let content = words(text).into_iter().filter(|word| language.is_content(&word.lower));
        content.map(|word| stem(word.lower.as_bytes()).to_vec()).collect()
    };
    let done: Vec<HashSet<Vec<u8>>> =
        items.iter().filter(|item| item.field == Field::Actions).map(|item| subject(&item.text)).collect();
    let mut listed = HashSet::new();
    for (item, claim) in items.iter_mut().zip(&outline.claims) {
        if claim.context != Some(Context::UserMessages) || item.field != Field::Open {
            continue;
        }
        let again = !listed.insert(item.text.to_lowercase());
        let wanted = subject(&item.text);
        let told =
            |done: &HashSet<Vec<u8>>| wanted.len() > 1 && wanted.intersection(done).count() * 4 >= wanted.len() * 3;
        if again || language.asks.is_in(&words(&item.text)) && done.iter().any(told) {
            item.field = Field::Narrative;
        }
    }
}

fn stated(summary: &str, claim: &Claim, language: &Language) -> Item {
    let text = &summary[claim.range.clone()];
    let field = field::of(text, claim.context, language);
    let detail = match field {
        Field::RuledOut => {
            let (claim, evidence) = field::ruled_out(text, language);
            Detail::RuledOut { claim, evidence }
        }
        Field::Actions => Detail::Action { tool: field::tool(text, language), args: String::new(), ok: None },
        Field::Narrative | Field::Entities | Field::Figures | Field::Constraints | Field::Decisions | Field::Open => {
            Detail::Plain
        }
    };
    item(field, text, claim.range.clone(), detail)
}

/// Something that a summary mentions, perhaps often.
struct Mention<'a> {
    /// Where it is shown to stand.
    range: Range<usize>,
    class: Option<Class>,
    figure: Option<&'a Figure>,
    count: usize,
}

/// Entities and figures, each once: an entity where a claim begins with it, for that is the claim about it; else, and
/// a figure always, where it stands first. The most mentioned first, then as they stand.
fn mentioned(summary: &str, outline: &Claims, language: &Language) -> Vec<Item> {
    let said = |range: &Range<usize>| {
        let next = outline.boilerplate.partition_point(|frame| frame.end <= range.start);
        outline.boilerplate.get(next).is_none_or(|frame| frame.start > range.start)
    };
    let named = identifiers(summary, language);
    let taken: Vec<Range<usize>> = named
        .iter()
        // A command holds other identifiers and perhaps figures; those are found on their own.
        .filter(|one| one.class != Class::Command && one.class != Class::Code)
        .map(|one| one.range.clone())
        .collect();
    let counted = figures(summary, &taken, language);
    let heads: HashSet<usize> = outline.claims.iter().map(|claim| head(summary, claim)).collect();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut mentions: Vec<Mention> = Vec::new();
    for one in named.iter().filter(|one| said(&one.range)) {
        let is_head = heads.contains(&one.range.start);
        let key = summary[one.range.clone()].trim_end_matches("()").to_owned();
        let Some(at) = places.get(&key) else {
            places.insert(key, mentions.len());
            mentions.push(Mention { range: one.range.clone(), class: Some(one.class), figure: None, count: 1 });
            continue;
        };
        let known = &mut mentions[*at];
        known.count += 1;
        if is_head && !heads.contains(&known.range.start) {
            (known.range, known.class) = (one.range.clone(), Some(one.class));
        }
    }
    for figure in counted.iter().filter(|figure| said(&figure.range)) {
        let lower = figure.value.to_lowercase();
        let value = language.numbers.get(lower.as_str()).map_or(lower.as_str(), |digits| *digits);
        let label = figure.label.to_lowercase();
        let key = format!("\0{value}\0{}\0{}", figure.unit.to_lowercase(), stemmed(&label));
        let Some(at) = places.get(&key) else {
            places.insert(key, mentions.len());
            mentions.push(Mention { range: figure.range.clone(), class: None, figure: Some(figure), count: 1 });
            continue;
        };
        mentions[*at].count += 1;
    }
    mentions.sort_by_key(|mention| (std::cmp::Reverse(mention.count), mention.range.start));
    mentions.into_iter().map(|mention| mention.item(summary)).collect()
}

impl Mention<'_> {
    fn item(self, summary: &str) -> Item {
        let text = &summary[self.range.clone()];
        let Some(Figure { label, value, unit, .. }) = self.figure.cloned() else {
            let class = self.class.map_or("", Class::name).to_owned();
            return item(Field::Entities, text, self.range, Detail::Entity { class });
        };
        item(Field::Figures, text, self.range, Detail::Figure { label, value, unit })
    }
}

/// The stem of a label's last word: `webhook` and `webhooks` count the same.
fn stemmed(label: &str) -> String {
    let last = label.rsplit(' ').next().unwrap_or_default();
    String::from_utf8_lossy(stem(last.as_bytes())).into_owned()
}

/// Where a claim's first word stands, behind its mark-up.
fn head(summary: &str, claim: &Claim) -> usize {
    let text = &summary[claim.range.clone()];
    claim.range.start + text.len() - text.trim_start_matches(['*', '`', '"', ' ']).len()
}

fn item(field: Field, text: &str, range: Range<usize>, detail: Detail) -> Item {
    Item {
        field,
        text: text.to_owned(),
        range: Some((range.start, range.end)),
        detail,
        sources: Vec::new(),
        verdict: Verdict::Unchecked,
        why: Some("not checked yet".to_owned()),
        better: None,
        own: None,
    }
}

#[cfg(test)]
mod tests;
