//! Two names that changed places in a claim: what it says of the one, the originals say of the other. `12 for the attic and
//! 3 for the cellar` where the attic has 3 and the cellar 12.

use std::ops::Range;

use crate::extract::{Class, Language, words};
use crate::record::{Finding, FindingKind, Passage, Severity};

use super::beside::{Read, whole_sentences};
use super::instead::{Claim, Named, named};
use super::quantities::quantities;
use super::tokens::{is_name, key};

/// So many words must be said of a name before they tell it from others.
const TELLING: usize = 3;

/// A part of a sentence.
struct Piece {
    range: Range<usize>,
    /// In order.
    names: Vec<Name>,
    /// Its text in lower case.
    lower: String,
    /// The words that say something, and the numbers: names too.
    said: Vec<(Range<usize>, String)>,
    numbers: Vec<String>,
}

struct Name {
    range: Range<usize>,
    /// In lower case, without what stands before a point or a colon: `pool.take` is `take`.
    text: String,
    /// What sort of name it is; `None` for one in prose.
    class: Option<Class>,
}

/// A part of a claim and the name that it speaks of: its first.
struct Told<'p> {
    piece: &'p Piece,
    name: &'p Name,
}

/// Two names that changed places in a claim.
pub(super) fn crossed(claim: &Claim) -> Option<Finding> {
    let text = claim.item.text.as_str();
    if !MARKS.iter().any(|mark| text.contains(mark)) {
        return None;
    }
    let own: Vec<Piece> = pieces(text, 0..text.len());
    // What is said of a name that stands there once is said of nothing else.
    let once = |name: &Name| own.iter().flat_map(|piece| &piece.names).filter(|one| one.text == name.text).count() == 1;
    // What stands before a colon is what all behind it speaks of.
    let is_label = |piece: &Piece| text[piece.range.end..].starts_with(": ");
    let told = own.iter().filter(|piece| !is_label(piece));
    let told = told.filter_map(|piece| Some(Told { piece, name: piece.names.first().filter(|name| once(name))? }));
    let told: Vec<Told> = told.collect();
    let pairs = told.iter().flat_map(|one| told.iter().map(move |two| (one, two)));
    let pairs = pairs.filter(|(one, two)| one.name.text != two.name.text && one.name.class == two.name.class);
    let pairs: Vec<(&Told, &Told)> = pairs.collect();
    if pairs.is_empty() {
        return None;
    }
    let names: Vec<&str> = pairs.iter().map(|(one, _)| one.name.text.as_str()).collect();
    let there: Vec<(&Passage, Vec<Piece>)> =
        claim.passages.iter().map(|passage| (passage, naming(&names, passage, claim.read))).collect();
    let parts: Vec<(&Passage, &Piece)> =
        there.iter().flat_map(|(passage, pieces)| pieces.iter().map(move |piece| (*passage, piece))).collect();
    let numbers: Vec<&String> = told.iter().filter_map(|one| one.piece.number()).collect();
    pairs.into_iter().find_map(|(one, two)| {
        let says = |piece: &Piece, of: &Told, name: &Name| piece.has(name) && piece.says(of, &numbers);
        // Somebody says it of the name that has it in the claim.
        if parts.iter().any(|(_, piece)| says(piece, one, one.name) || says(piece, two, two.name)) {
            return None;
        }
        let (passage, shown) =
            parts.iter().find(|(_, piece)| !piece.has(one.name) && says(piece, one, two.name)).copied()?;
        // One number may stand with two names; both the other way round are no chance.
        let back = || parts.iter().any(|(_, piece)| !piece.has(two.name) && says(piece, two, one.name));
        (one.piece.number().is_none() || back()).then(|| finding(claim, (one, two), passage, shown))
    })
}

impl Piece {
    fn has(&self, name: &Name) -> bool {
        self.find(name).is_some()
    }

    /// Where the text has a name as a word of its own.
    fn find(&self, name: &Name) -> Option<usize> {
        let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        self.lower.match_indices(&name.text).map(|(at, _)| at).find(|at| {
            !self.lower[..*at].ends_with(goes_on) && !self.lower[at + name.text.len()..].starts_with(goes_on)
        })
    }

    /// The number, where it says nothing else of its name.
    fn number(&self) -> Option<&String> {
        let [number] = &self.numbers[..] else { return None };
        (self.names.len() == 1).then_some(number)
    }

    /// Whether this says what is told there of a name: its number and no other of the claim's, or most of its words.
    fn says(&self, of: &Told, numbers: &[&String]) -> bool {
        if let Some(number) = of.piece.number() {
            return self.numbers.contains(number)
                && self.numbers.iter().all(|own| own == number || !numbers.contains(&own));
        }
        let said = || of.piece.said.iter().filter(|(range, _)| !of.name.range.contains(&range.start));
        let held = said().filter(|(_, word)| self.said.iter().any(|(_, own)| own == word)).count();
        held >= TELLING && held * 3 >= said().count() * 2
    }
}

fn finding(claim: &Claim, (one, two): (&Told, &Told), passage: &Passage, shown: &Piece) -> Finding {
    let (start, end) = (shown.range.start, shown.range.end);
    let from = passage.from();
    let source = passage.origin.source((from + start, from + end), &passage.around[start..end]);
    let at = shown.find(two.name).map(|at| (at, at + two.name.text.len()));
    let at = at.filter(|_| shown.lower.len() == end - start);
    let word = |told: &Told| claim.item.text[told.name.range.clone()].to_owned();
    let (here, there) = (word(one), word(two));
    let why = format!("What the summary says of {here} the originals say of {there} (turn {})", source.turn);
    let of = (claim.case.compaction.no, claim.at, claim.item);
    Finding {
        decisive: [one, two].map(|told| (told.name.range.start, told.name.range.end)).to_vec(),
        decisive_there: at.into_iter().collect(),
        sources: vec![source],
        ..Finding::of(of, FindingKind::Altered, Severity::Medium, why)
    }
}

/// The parts of those whole sentences around a passage that have one of these names.
fn naming(names: &[&str], passage: &Passage, read: &Read) -> Vec<Piece> {
    let has = |text: &str| names.iter().any(|name| text.contains(name));
    if !has(&read.lower(passage)) {
        return Vec::new();
    }
    let sentences = whole_sentences(passage).into_iter();
    let telling = sentences.filter(|range| has(&passage.around[range.clone()].to_lowercase()));
    telling.flat_map(|range| pieces(&passage.around, range)).collect()
}

/// Marks between which one thing is said of one name.
const MARKS: [&str; 9] = [", ", "; ", ": ", ". ", " (", " and ", " but ", " while ", " whereas "];

/// The parts of a sentence, in order.
fn pieces(text: &str, sentence: Range<usize>) -> Vec<Piece> {
    let marks = MARKS.iter().flat_map(|mark| text[sentence.clone()].match_indices(mark));
    let mut ends: Vec<usize> = marks.map(|(at, _)| sentence.start + at).chain([sentence.start, sentence.end]).collect();
    ends.sort_unstable();
    let mut found: Vec<Piece> = Vec::new();
    for ends in ends.windows(2).filter(|ends| ends[0] < ends[1]) {
        let one = piece(text, ends[0]..ends[1]);
        // `the door is old and closes late`: of the same.
        match found.last_mut().filter(|_| one.names.is_empty() && text[ends[0]..].starts_with(" and ")) {
            Some(last) => *last = piece(text, last.range.start..ends[1]),
            None => found.push(one),
        }
    }
    found
}

fn piece(text: &str, range: Range<usize>) -> Piece {
    let language = Language::english();
    let inside = &text[range.clone()];
    let heard = words(inside);
    let mut found = named(inside, &heard);
    let free = |word: &Range<usize>| found.iter().all(|one| one.range.end <= word.start || word.end <= one.range.start);
    let joined =
        heard.iter().map(|word| word.range.clone()).filter(|word| is_name(&inside[word.clone()]) && free(word));
    // `agent-added` says how something is.
    let joined = joined.filter(|word| !["ed", "ing"].iter().any(|end| inside[word.clone()].ends_with(end)));
    let joined: Vec<Named> = joined.map(|range| Named { range, class: Some(Class::Symbol) }).collect();
    found.extend(joined);
    found.sort_by_key(|one| one.range.start);
    let numbers = quantities(inside, language);
    let numbers = numbers.into_iter().filter(|one| found.iter().all(|name| !name.range.contains(&one.range.start)));
    let numbers: Vec<(Range<usize>, String)> = numbers.map(|one| (one.range, one.value)).collect();
    let shift = |one: &Range<usize>| range.start + one.start..range.start + one.end;
    let name = |one: &Named| {
        let whole = inside[one.range.clone()].to_lowercase();
        let last = whole.rsplit(['.', ':']).next().filter(|last| last.len() > 3).unwrap_or(&whole);
        let text = last.strip_suffix("'s").unwrap_or(last).to_owned();
        Name { range: shift(&one.range), text, class: one.class }
    };
    Piece {
        names: found.iter().map(name).collect(),
        lower: inside.to_lowercase(),
        said: heard
            .iter()
            .filter_map(|word| Some((word.range.clone(), key(&word.lower, language)?)))
            .chain(numbers.iter().cloned())
            .map(|(at, word)| (shift(&at), word))
            .collect(),
        numbers: numbers.into_iter().map(|(_, value)| value).collect(),
        range,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_the_names_and_numbers_between_two_marks() {
        for (text, want) in [
            ("12 go to hall-door, 3 to roof-door and a mere 6 to yard-door.", "hall-door 12|roof-door 3|yard-door 6"),
            ("hall-door has 12 of the 40. roof-door has 3", "hall-door 12 40|roof-door 3"),
            ("Then it asks openLock; Lock.closeLock is old and returns null", "openlock |lock closelock "),
            ("nothing at all", " "),
        ] {
            let all = pieces(text, 0..text.len());
            let shown = all.iter().map(|piece| {
                let names: Vec<&str> = piece.names.iter().map(|name| name.text.as_str()).collect();
                format!("{} {}", names.join(" "), piece.numbers.join(" "))
            });
            assert_eq!(shown.collect::<Vec<_>>().join("|"), want, "{text}");
        }
    }
}
