//! What was said in passing: how somebody felt, where nothing is named, and a figure that stands only in a question. Nobody
//! misses it.

use crate::extract::{Language, identifiers};
use crate::record::{Detail, Fact, Field};
use crate::text::sentences;

/// Whether nobody would miss it.
pub(super) fn is_in_passing(fact: &Fact) -> bool {
    match (&fact.item.detail, fact.item.field) {
        (Detail::Figure { value, .. }, _) => is_asked(fact, value),
        (_, Field::Narrative) => is_felt(&fact.item.text),
        _ => false,
    }
}

/// Whether it says how somebody feels and names nothing.
fn is_felt(text: &str) -> bool {
    let words: Vec<String> = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect();
    let said = format!(" {} ", words.join(" "));
    let mut feelings = include_str!("../../../assets/lexicon/en/feelings.txt").lines();
    let names = || text.contains(['`', '/']) || text.contains(|c: char| c.is_ascii_digit());
    feelings.any(|words| said.contains(&format!(" {words} ")))
        && !names()
        && identifiers(text, Language::english()).is_empty()
}

/// Whether the first sentence of a figure's source that holds it asks something.
fn is_asked(fact: &Fact, value: &str) -> bool {
    let Some(source) = fact.item.sources.first() else { return false };
    let mut said = sentences(&source.quote).into_iter().map(|range| &source.quote[range]);
    said.find(|sentence| sentence.contains(value)).is_some_and(|sentence| sentence.trim_end().ends_with('?'))
}
