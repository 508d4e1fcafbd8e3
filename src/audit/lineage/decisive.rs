//! The words that a change turns on, marked in every generation: the hedge that went, the word that denies, the value that
//! is another. A kind of change that no generation shows marks nothing.

use std::ops::Range;

use super::super::likeness::{Rarity, sentence_about, values_at};
use crate::extract::{Language, certainty, hedges, negations};
use crate::record::{Change, Generation};

/// Marks the words that decide. `about` are the stems of what the claim is about.
pub(super) fn mark(generations: &mut [Generation], about: &[String], rarity: &Rarity) {
    let shows = |change| generations.iter().any(|one| one.changed == Some(change) || one.pairwise == Some(change));
    let (sure, denied) = (shows(Change::Certainty), shows(Change::Polarity));
    let values = shows(Change::Value) || shows(Change::Lost);
    let contested = if values { contested(generations, about, rarity) } else { Vec::new() };
    for one in generations {
        let (said, from) = said(one, about, rarity);
        let language = Language::english();
        let mut words = Vec::new();
        // A doubt about what was asked often stands in a sentence of its own.
        let mut marks: Vec<Range<usize>> = Vec::new();
        if sure {
            words.extend(certainty(said, language).1);
            marks.extend(hedges(&one.text, language).into_iter().map(|hedge| hedge.cue));
        }
        if denied {
            words.extend(negations(said, language).into_iter().map(|negation| negation.cue));
        }
        words.extend(values_at(said).into_iter().filter(|(_, value)| contested.contains(value)).map(|(at, _)| at));
        marks.extend(words.into_iter().map(|word| word.start + from..word.end + from));
        one.decisive = joined(marks);
    }
}

/// In the order of the text, those that overlap as one.
fn joined(mut marks: Vec<Range<usize>>) -> Vec<(usize, usize)> {
    marks.sort_unstable_by_key(|mark| (mark.start, mark.end));
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for mark in marks {
        match joined.last_mut().filter(|last| mark.start <= last.1) {
            Some(last) => last.1 = last.1.max(mark.end),
            None => joined.push((mark.start, mark.end)),
        }
    }
    joined
}

/// What a generation says of the claim, and where in its text that begins: a quotation may say other things besides.
fn said<'a>(one: &'a Generation, about: &[String], rarity: &Rarity) -> (&'a str, usize) {
    let range = if one.marker.is_none() { sentence_about(&one.text, about, rarity) } else { 0..one.text.len() };
    let start = range.start;
    (&one.text[range], start)
}

/// The values that the oldest words have and a changed generation has not, or the other way round.
fn contested(generations: &[Generation], about: &[String], rarity: &Rarity) -> Vec<String> {
    let values = |one: &Generation| -> Vec<String> {
        values_at(said(one, about, rarity).0).into_iter().map(|(_, value)| value).collect()
    };
    let Some(oldest) = generations.first().map(values) else { return Vec::new() };
    let changed = generations.iter().filter(|one| matches!(one.changed, Some(Change::Value | Change::Lost)));
    let mut contested = Vec::new();
    for now in changed.filter(|one| one.certainty.is_some()).map(values) {
        contested.extend(oldest.iter().filter(|value| !now.contains(value)).cloned());
        contested.extend(now.iter().filter(|value| !oldest.contains(value)).cloned());
    }
    contested
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Generations with the words that decide in brackets, the original first; `~` stands behind a surer one, `!` behind one
    /// that denies what was affirmed or the other way round, `#` behind one with another value, `-` behind one without it.
    fn check(rows: &[&str]) {
        let plain = |row: &str| row.replace(['[', ']'], "");
        let mut generations: Vec<Generation> = Vec::new();
        for (no, row) in (0..).zip(rows) {
            let (text, changed) = match row.chars().last() {
                Some('~') => (&row[..row.len() - 1], Some(Change::Certainty)),
                Some('!') => (&row[..row.len() - 1], Some(Change::Polarity)),
                Some('#') => (&row[..row.len() - 1], Some(Change::Value)),
                Some('-') => (&row[..row.len() - 1], Some(Change::Lost)),
                _ => (*row, None),
            };
            generations.push(Generation {
                marker: Some(no).filter(|no| *no > 0),
                text: plain(text),
                certainty: Some(6),
                changed,
                ..Generation::default()
            });
        }
        mark(&mut generations, &super::super::super::likeness::stems("queue ceiling archive"), &Rarity::default());
        for (one, row) in generations.iter().zip(rows) {
            let mut marked = one.text.clone();
            for (start, end) in one.decisive.iter().rev() {
                marked.insert(*end, ']');
                marked.insert(*start, '[');
            }
            let want = row.trim_end_matches(['~', '!', '#', '-']);
            assert_eq!(marked, want, "{rows:?}");
        }
    }

    #[test]
    fn the_words_that_a_change_turns_on_are_marked_in_every_generation() {
        for rows in [
            &["[I think] the archive is full.", "The archive is [probably] full", "The archive is full~"][..],
            &["Is the archive full[?] I [doubt] it.", "The archive is full~"],
            &["The archive was [not] deleted.", "The archive was deleted!"],
            &["It ran for 3 days. The queue ceiling is [40].", "a queue ceiling of [25]#", "a ceiling of [25]"],
            &["The queue ceiling is [40], 2 times a day", "The queue has a ceiling, 2 times a day-"],
            &["I think the queue ceiling is not 40", "I think the queue ceiling is not 40"],
        ] {
            check(rows);
        }
    }
}
