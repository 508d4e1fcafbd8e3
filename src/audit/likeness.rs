//! What two short texts have in common: their stems weighted by rarity, their values, whether they deny. No order of words
//! and no meaning is looked at.

use std::ops::Range;

use crate::extract::{Language, certainty, each_word, figures, identifiers, negations, stem};
use crate::record::{Detail, Field, Item};
use crate::text::sentences;
use foldhash::{HashMap, HashMapExt};

/// An open item is no surer than proposed, whatever its words; where none of them says, it is possible.
const PROPOSED: u8 = 4;
const POSSIBLE: u8 = 2;

/// A text as it is compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gist {
    /// Content stems, sorted, each once.
    pub stems: Vec<String>,
    /// Values of figures, number words as digits, sorted, each once.
    pub values: Vec<String>,
    /// Whether what it is about is denied.
    pub negated: bool,
    /// From 0, asked, to 6, decided.
    pub certainty: u8,
}

impl Gist {
    /// The gist of a text that stands alone.
    pub fn of(text: &str) -> Self {
        let certainty = certainty(text, Language::english()).0.level();
        Self { stems: stems(text), values: values(text), negated: is_denied(text), certainty }
    }

    /// The gist of an item: its field says something of it as well.
    pub fn of_item(item: &Item) -> Self {
        let negated = item.field == Field::RuledOut || is_denied(&item.text);
        Self { stems: stems_of(item), values: values_of(item), negated, certainty: certainty_of(item) }
    }

    /// The gist of that sentence of a text which says most of what the stems are about; only what is denied of them
    /// counts as denied.
    pub fn about(text: &str, stems: &[String], rarity: &Rarity) -> Self {
        let sentence = &text[sentence_about(text, stems, rarity)];
        Self { negated: denies(sentence, stems), ..Self::of(sentence) }
    }

    /// Whether both have values and share none.
    pub fn differs_in_value(&self, other: &Gist) -> bool {
        let shared = self.values.iter().any(|value| other.values.contains(value));
        !self.values.is_empty() && !other.values.is_empty() && !shared
    }
}

/// The stems of an item; a figure is about its label as well.
pub fn stems_of(item: &Item) -> Vec<String> {
    let mut stems = stems(&item.text);
    if let Detail::Figure { label, .. } = &item.detail {
        stems.extend(self::stems(label));
        stems.sort_unstable();
        stems.dedup();
    }
    stems
}

/// The values of an item; a figure has its own alone.
pub fn values_of(item: &Item) -> Vec<String> {
    match &item.detail {
        Detail::Figure { value, .. } => vec![digits(value)],
        Detail::Plain | Detail::Entity { .. } | Detail::Action { .. } | Detail::RuledOut { .. } => values(&item.text),
    }
}

/// How certain an item is, from 0 to 6.
pub fn certainty_of(item: &Item) -> u8 {
    let (said, cue) = certainty(&item.text, Language::english());
    match item.field {
        Field::Open if cue.is_some() => said.level().min(PROPOSED),
        Field::Open => POSSIBLE,
        Field::Narrative
        | Field::Entities
        | Field::Figures
        | Field::Constraints
        | Field::Decisions
        | Field::RuledOut
        | Field::Actions => said.level(),
    }
}

/// Whether what a text is about is denied.
fn is_denied(text: &str) -> bool {
    let denied = negations(text, Language::english());
    denied.iter().filter(|one| one.scope != one.cue).count() % 2 == 1
}

/// That sentence of a text which says most of what the stems are about.
pub fn sentence_about(text: &str, stems: &[String], rarity: &Rarity) -> Range<usize> {
    let like = |range: Range<usize>| {
        let own = self::stems(&text[range.clone()]);
        (common(&own, stems).map(|stem| rarity.weight(stem)).sum::<f32>(), range)
    };
    let best = sentences(text).into_iter().map(like).reduce(|best, one| if one.0 > best.0 { one } else { best });
    best.map_or(0..text.len(), |(_, range)| range)
}

/// Whether a sentence denies most of those of these stems that it holds.
pub fn denies(sentence: &str, about: &[String]) -> bool {
    let here = stems(sentence);
    let core: Vec<&str> = common(&here, about).collect();
    let reach = |scope: &str| stems(scope).iter().filter(|stem| core.contains(&stem.as_str())).count();
    let denied = negations(sentence, Language::english());
    let over = denied.iter().filter(|one| !core.is_empty() && reach(&sentence[one.scope.clone()]) * 2 > core.len());
    over.count() % 2 == 1
}

/// The content stems of a text, sorted, each once; names are taken apart at their marks.
pub fn stems(text: &str) -> Vec<String> {
    let language = Language::english();
    let mut stems: Vec<String> = Vec::new();
    let number = |piece: &str| !piece.is_empty() && piece.bytes().all(|b| b.is_ascii_digit());
    let counts = |piece: &&str| number(piece) || piece.len() > 1 && language.is_content(piece);
    each_word(text, |word| {
        let pieces = word.lower.split(['_', '\'']).filter(counts);
        stems.extend(pieces.map(|piece| std::str::from_utf8(stem(piece.as_bytes())).unwrap_or(piece).to_owned()));
    });
    stems.sort_unstable();
    stems.dedup();
    stems
}

/// The values of the figures of a text, number words as digits, each with where it stands.
pub fn values_at(text: &str) -> Vec<(Range<usize>, String)> {
    let language = Language::english();
    let taken: Vec<_> = identifiers(text, language).into_iter().map(|one| one.range).collect();
    let mut values: Vec<_> =
        figures(text, &taken, language).into_iter().map(|one| (one.range, digits(&one.value))).collect();
    // A bare small number that nothing names is no figure, but it is a value where a claim is followed.
    each_word(text, |word| {
        if word.lower.bytes().all(|b| b.is_ascii_digit()) {
            values.push((word.range, word.lower.to_owned()));
        }
    });
    values
}

/// The values of the figures of a text, sorted, each once.
fn values(text: &str) -> Vec<String> {
    let mut values: Vec<String> = values_at(text).into_iter().map(|(_, value)| value).collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// A value as it is compared: a number word is its digits.
pub fn digits(value: &str) -> String {
    let lower = value.to_lowercase();
    Language::english().numbers.get(lower.as_str()).map_or(lower.clone(), |digits| (*digits).to_owned())
}

/// How rare stems are among the items of all records of a session.
#[derive(Clone, Debug, Default)]
pub struct Rarity {
    counts: HashMap<String, u32>,
    items: u32,
}

impl Rarity {
    /// Counts the stems of one more text.
    pub fn count(&mut self, stems: &[String]) {
        self.items += 1;
        for stem in stems {
            *self.counts.entry(stem.clone()).or_default() += 1;
        }
    }

    /// What a stem is worth: from about 0.7 for one that stands everywhere.
    pub fn weight(&self, stem: &str) -> f32 {
        let count = self.counts.get(stem).copied().unwrap_or(0).max(1);
        (1.0 + self.items.max(1) as f32 / count as f32).ln()
    }

    /// What all of them are worth.
    pub fn sum(&self, stems: &[String]) -> f32 {
        stems.iter().map(|stem| self.weight(stem)).sum()
    }

    /// How much of the shorter and of the longer of two texts the stems are worth that both have: 0 to 1 each.
    pub fn shares(&self, one: &[String], other: &[String]) -> (f32, f32) {
        let shared: f32 = common(one, other).map(|stem| self.weight(stem)).sum();
        let (a, b) = (self.sum(one), self.sum(other));
        let part = |whole: f32| if whole > 0.0 { shared / whole } else { 0.0 };
        (part(a.min(b)), part(a.max(b)))
    }
}

/// The stems that stand in both, which are sorted.
pub fn common<'a>(one: &'a [String], other: &'a [String]) -> impl Iterator<Item = &'a str> {
    one.iter().filter(|stem| other.binary_search(stem).is_ok()).map(String::as_str)
}

/// Short claims of a record, ready to be asked whether one of them says what something longer says: all that such a claim
/// is about stands in it, or half of what it rules out. `negative ids`, ruled out, keeps `Negative ids are ruled out: the
/// scanner takes ten digits`.
#[derive(Clone, Debug, Default)]
pub struct Brief {
    by_stem: HashMap<(Field, String), Vec<usize>>,
    /// How many stems the claim at a place has.
    sizes: HashMap<usize, usize>,
}

/// One word in common says too little.
const COMMON: usize = 2;

impl Brief {
    /// Takes up an item, by its place and its stems.
    pub fn add(&mut self, at: usize, field: Field, stems: &[String]) {
        if field != Field::Narrative && stems.len() >= COMMON {
            self.sizes.insert(at, stems.len());
            for stem in stems {
                self.by_stem.entry((field, stem.clone())).or_default().push(at);
            }
        }
    }

    /// The first claim of this field that says what is about these stems, each of which is given once.
    pub fn find(&self, field: Field, stems: &[String]) -> Option<usize> {
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for at in stems.iter().filter_map(|stem| self.by_stem.get(&(field, stem.clone()))).flatten() {
            *shared.entry(*at).or_default() += 1;
        }
        let says = |at: usize, count: usize| {
            let size = self.sizes.get(&at).copied().unwrap_or(usize::MAX);
            count >= COMMON && (count == size || field == Field::RuledOut && count * 2 >= size)
        };
        shared.into_iter().filter(|(at, count)| says(*at, *count)).map(|(at, _)| at).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_its_stems_values_denial_and_certainty() {
        for (text, stems, values, negated, certainty) in [
            ("The retry ceiling is 5", &["5", "ceil", "retr"][..], &["5"][..], false, 6),
            ("max_attempts = 7", &["7", "attempt", "max"], &["7"], false, 6),
            ("It did not delete the rows.", &["delet", "row"], &[], true, 6),
            ("Should orders.status be an enum?", &["enum", "order", "statu"], &[], false, 0),
        ] {
            let gist = Gist::of(text);
            let held: Vec<&str> = gist.stems.iter().map(String::as_str).collect();
            let told: Vec<&str> = gist.values.iter().map(String::as_str).collect();
            assert_eq!((held.as_slice(), told.as_slice()), (stems, values), "{text}");
            assert_eq!((gist.negated, gist.certainty), (negated, certainty), "{text}");
        }
    }

    #[test]
    fn seven_in_words_and_in_digits_are_one_value() {
        assert!(!Gist::of("seven retries").differs_in_value(&Gist::of("7 retries")));
        assert!(Gist::of("seven retries").differs_in_value(&Gist::of("5 retries")));
        assert!(
            !Gist::of("capped retries").differs_in_value(&Gist::of("5 retries")),
            "one without a value says nothing"
        );
    }

    #[test]
    fn rare_stems_count_for_more() {
        let mut rarity = Rarity::default();
        let texts = ["keep the order table", "ask the order desk", "the order reads", "the enum"];
        for text in texts {
            rarity.count(&stems(text));
        }
        assert!(rarity.weight("enum") > rarity.weight("order"));
        assert_eq!(rarity.shares(&stems("enum"), &stems("the enum")), (1.0, 1.0));
        assert_eq!(rarity.shares(&stems("enum"), &stems("a table")), (0.0, 0.0));
    }

    #[test]
    fn a_brief_claim_holds_what_says_all_of_it_in_its_own_field() {
        let mut brief = Brief::default();
        for (at, claim) in ["negative ids", "ids", "the carrier's address check"].into_iter().enumerate() {
            brief.add(at, Field::RuledOut, &stems(claim));
        }
        for (field, said, want) in [
            (Field::RuledOut, "Negative ids are ruled out: the scanner takes ten digits.", Some(0)),
            (Field::Open, "Are negative ids ruled out?", None),
            (Field::RuledOut, "The ids are not the reason.", None),
            (Field::RuledOut, "Their address check is not it.", Some(2)),
            (Field::RuledOut, "It was no check of ours.", None),
        ] {
            assert_eq!(brief.find(field, &stems(said)), want, "{said}");
        }
    }
}
