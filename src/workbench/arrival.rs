//! What binds in a person's words when they arrive: constraints, questions that are still open, decisions. Only their own
//! prose counts: no code, no quotation, no block that a person pasted or a harness put in.
//!
//! What somebody else is told to have said (`the customer said that we must …`) may bind, and may be what the person is
//! about to turn down: a wrong rule that an agent is told for ever costs more than a key. So it is entered as proposed, and
//! binds once a person confirms it. Words of a program or of the agent are nobody's to bind with: they are not entered.

use std::ops::Range;
use std::sync::OnceLock;

use super::doubted::doubted;
use super::own::{elements, in_single_marks, own_words};
use crate::extract::{
    Certainty, Detected, Extracted, Kind, Language, Lexicon, Zone, Zones, certainty, hedges, quotes, read, words,
};
use crate::record::EntryKind;
use crate::store::Binding;

/// A yes or a no with fewer words that say something decides nothing that could be read later.
const TELLING: usize = 3;

/// The sentences of a person's text that are to be entered, in order.
pub(super) fn binding(text: &str) -> Vec<Binding> {
    let mut bindings = Vec::new();
    for (start, said) in own_words(text) {
        let said = said.as_str();
        let language = match Language::told(said) {
            Some(Detected::Known(language)) => language,
            // Nothing is entered of what cannot be read.
            Some(Detected::Other(_)) => continue,
            None => Language::english(),
        };
        let read = read(said, language);
        let found = &read.items;
        let doubted = if language.name == Language::english().name { doubted(said, &read) } else { Vec::new() };
        if doubted.is_empty() && !found.iter().any(|item| kind(said, item, language).is_some()) {
            continue;
        }
        let first = bindings.len();
        let zones = &read.zones;
        let quoted = [quotes(said), elements(said)].concat();
        let mut before: Option<Range<usize>> = None;
        for item in found.iter().filter(|item| is_statement(item)) {
            if before.as_ref() == Some(&item.range) || !is_own(said, &item.range, item.cue.as_ref(), zones, &quoted) {
                continue;
            }
            // All that a sentence does, for it is entered once.
            let of = found.iter().filter(|other| is_statement(other) && other.range == item.range);
            let kinds = of.filter_map(|item| kind(said, item, language));
            // What is still thought about is open, whatever it would bind or decide.
            let Some((_, kind, proposed)) = kinds.min_by_key(|(rank, ..)| *rank) else { continue };
            before = Some(item.range.clone());
            bindings.push(Binding { kind, proposed, range: start + item.range.start..start + item.range.end });
        }
        let of_doubt = doubted.iter().filter(|(range, cue)| is_own(said, range, Some(cue), zones, &quoted));
        for (range, _) in of_doubt {
            let range = start + range.start..start + range.end;
            // What it binds to or decides goes before the doubt.
            let stands = |one: &Binding| one.range.start < range.end && range.start < one.range.end;
            if !bindings[first..].iter().any(stands) {
                bindings.push(Binding { kind: EntryKind::Open, proposed: false, range });
            }
        }
        bindings[first..].sort_by_key(|one| one.range.start);
    }
    bindings
}

fn is_statement(item: &Extracted) -> bool {
    matches!(item.kind, Kind::Constraints | Kind::Decisions | Kind::Open)
}

/// What an item is entered as, and whether it waits for a person; what comes first wins. `None` where it binds nothing.
fn kind(text: &str, item: &Extracted, language: &Language) -> Option<(u8, EntryKind, bool)> {
    let hedged = item.certainty <= Certainty::Believed
        && !(item.kind == Kind::Constraints && is_under_condition(&text[item.range.clone()], language));
    match (item.kind, item.class) {
        // A sentence about a program tells what it does.
        (Kind::Constraints, Some("weak")) => None,
        // Somebody else's words: whether they bind here is for a person to say.
        (Kind::Constraints, Some("reported")) => Some((1, EntryKind::Constraint, true)),
        (Kind::Open, Some("undecided" | "proposal")) | (Kind::Constraints, _) if hedged => {
            Some((0, EntryKind::Open, false))
        }
        (Kind::Open, Some("question")) if weighs(&text[item.range.clone()], language) => {
            Some((0, EntryKind::Open, false))
        }
        (Kind::Constraints, _) => Some((1, EntryKind::Constraint, false)),
        (Kind::Decisions, Some("decision")) => Some((2, EntryKind::Decision, true)),
        (Kind::Decisions, _) if telling(&text[item.range.clone()], language) >= TELLING => {
            Some((2, EntryKind::Decision, true))
        }
        _ => None,
    }
}

/// Whether a sentence is said without a doubt, but for a condition: `never deploy on Friday unless I say so`.
fn is_under_condition(said: &str, language: &Language) -> bool {
    let (level, cue) = certainty(said, language);
    let is_condition =
        |cue: Range<usize>| CONDITIONS.get_or_init(|| Lexicon::parse(CONDITION)).is_in(&words(&said[cue]));
    level == Certainty::Conditional && cue.is_some_and(is_condition) && hedges(said, language).is_empty()
}

/// Whether a question asks what is to be done. Where a language has no words for that, every question may.
fn weighs(question: &str, language: &Language) -> bool {
    language.name != Language::english().name || CHOICES.get_or_init(|| Lexicon::parse(CHOICE)).is_in(&words(question))
}

fn telling(sentence: &str, language: &Language) -> usize {
    words(sentence).iter().filter(|word| language.is_content(&word.lower)).count()
}

/// Whether a sentence is prose of the person: its words, and what makes it bind, stand in no quotation and no code.
fn is_own(
    text: &str,
    sentence: &Range<usize>,
    cue: Option<&Range<usize>>,
    zones: &Zones,
    quoted: &[Range<usize>],
) -> bool {
    let prose = zones
        .iter()
        .filter(|(range, _)| range.start < sentence.end && sentence.start < range.end)
        .all(|(_, zone)| matches!(zone, Zone::Prose | Zone::InlineCode));
    let cue = cue.unwrap_or(sentence);
    let within = |range: &Range<usize>| range.start <= cue.start && cue.end <= range.end;
    let in_code = zones.at(cue.start) == Zone::InlineCode;
    prose && !in_code && !quoted.iter().any(within) && !in_single_marks(text, sentence, cue)
}

const CHOICE: &str = include_str!("../../assets/lexicon/en/choices.txt");
static CHOICES: OnceLock<Lexicon> = OnceLock::new();
const CONDITION: &str = include_str!("../../assets/lexicon/other/conditions.txt");
static CONDITIONS: OnceLock<Lexicon> = OnceLock::new();

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#[path = "arrival_tests.rs"]
mod tests;
