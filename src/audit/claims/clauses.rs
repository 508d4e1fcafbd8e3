//! Clauses: what is denied or left open in one says nothing of the next. A clause of a claim is held beside one of an
//! original by the words that both have.

use std::ops::Range;

use super::lists::lists;
use super::statement::{Statement, Token};
use super::synonyms::same;

/// What shows that a claim says otherwise than an original.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Which of the originals.
    pub original: usize,
    /// The words of the claim that decide.
    pub here: Vec<Range<usize>>,
    /// The words of that original that decide.
    pub there: Vec<Range<usize>>,
}

/// The clauses of a sentence as runs of its words, in order, none empty.
pub fn cut(statement: &Statement) -> Vec<Range<usize>> {
    let tokens = &statement.tokens;
    let begins = |at: &usize| {
        let gap = statement.text.get(tokens[at - 1].range.end..tokens[*at].range.start).unwrap_or_default();
        let word = tokens[*at].lower.as_str();
        let marked =
            gap.contains([';', ':', '(', ')', '—', '–', '?', '!']) || gap.contains(". ") || gap.contains(" - ");
        marked || lists().clause.contains(word) || gap.contains(',') && lists().clause_at_comma.contains(word)
    };
    let mut found = Vec::new();
    let mut from = 0;
    for at in (1..tokens.len()).filter(begins).chain((!tokens.is_empty()).then_some(tokens.len())) {
        found.push(from..at);
        from = at;
    }
    found
}

/// The clauses of a sentence, parted at every comma.
pub fn cut_at_commas(statement: &Statement) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for clause in statement.clauses() {
        let mut from = clause.start;
        for at in clause.start + 1..clause.end {
            let gap = statement.tokens[at - 1].range.end..statement.tokens[at].range.start;
            // `18,442` is one number.
            let number = |at: usize| statement.tokens[at].digits().is_some();
            let inside = |gap: &str| gap == "," && number(at - 1) && number(at);
            if statement.text.get(gap).is_some_and(|gap| gap.contains(',') && !inside(gap)) {
                found.push(from..at);
                from = at;
            }
        }
        found.push(from..clause.end);
    }
    found
}

/// The clause in which a word stands; the whole sentence where there is none.
pub fn clause_of(statement: &Statement, at: usize) -> Range<usize> {
    let found = statement.clauses().iter().find(|clause| clause.contains(&at)).cloned();
    found.unwrap_or(0..statement.tokens.len())
}

/// The piece of a sentence, parted at every comma, in which a word stands; the whole sentence where there is none.
pub fn piece_of(statement: &Statement, at: usize) -> Range<usize> {
    let found = statement.pieces().iter().find(|piece| piece.contains(&at)).cloned();
    found.unwrap_or(0..statement.tokens.len())
}

/// The piece that this word ends, `bread, salt maybe`: what stands before it it leaves alone. `None` where it ends none, or
/// is all of it; and several words, `…, I think`, mean all that was said.
pub fn ended_by(statement: &Statement, cue: &Range<usize>) -> Option<Range<usize>> {
    let at = statement.tokens.iter().position(|token| token.range.start >= cue.start)?;
    let piece = piece_of(statement, at);
    let before = content(statement, piece.clone()).into_iter().any(|at| statement.tokens[at].range.end <= cue.start);
    let single = !statement.text.get(cue.clone()).is_some_and(|cue| cue.contains(' '));
    (single && before && statement.tokens[piece.end - 1].range.end <= cue.end).then_some(piece)
}

/// A sentence parted at its semicolons, full stops and dashes, in bytes; each part with the mark behind it.
pub fn sentence_parts(text: &str) -> Vec<Range<usize>> {
    const MARKS: [&str; 4] = ["; ", ". ", " – ", " — "];
    let mut ends: Vec<usize> =
        MARKS.iter().flat_map(|mark| text.match_indices(mark)).map(|(at, mark)| at + mark.len()).collect();
    ends.extend([0, text.len()]);
    ends.sort_unstable();
    ends.windows(2).map(|part| part[0]..part[1]).filter(|part| !part.is_empty()).collect()
}

/// How far what these words say of how sure somebody is reaches, in bytes: what stands behind a semicolon or a full stop
/// says nothing of what stands before it.
pub fn sentence_part(text: &str, cue: &Range<usize>) -> Range<usize> {
    let parts = sentence_parts(text);
    let from = parts.iter().rfind(|part| part.start <= cue.start).map_or(0, |part| part.start);
    from..parts.iter().map(|part| part.end).find(|end| cue.end <= *end).unwrap_or(text.len())
}

/// Where the words of a clause stand in its sentence, in bytes.
pub fn span(statement: &Statement, clause: &Range<usize>) -> Range<usize> {
    statement.tokens[clause.start].range.start..statement.tokens[clause.end - 1].range.end
}

/// The content words in some of a sentence's words.
pub fn content(statement: &Statement, words: Range<usize>) -> Vec<usize> {
    words.filter(|at| statement.tokens[*at].content).collect()
}

/// What some words of a claim and some of an original have in common.
#[derive(Debug, Default)]
pub struct Common {
    /// Pairs of words, the claim's first; of each word of the claim the first that fits.
    pub pairs: Vec<(usize, usize)>,
    /// How much of the words of the claim that is, by rarity, and how much of the original's: from 0 to 1.
    pub here: f32,
    /// See `here`.
    pub there: f32,
}

/// The content words that both have.
pub fn common(
    claim: &Statement,
    here: Range<usize>,
    original: &Statement,
    there: Range<usize>,
    weight: &dyn Fn(u32) -> f32,
) -> Common {
    let own = content(claim, here);
    let may_be = |a: &&usize| original.may_have(&claim.tokens[**a]);
    if !own.iter().any(|a| may_be(&a)) {
        return Common::default();
    }
    let theirs = content(original, there);
    let fits = |a: usize, b: usize| same(&claim.tokens[a], &original.tokens[b]);
    let pair = |a: &usize| Some((*a, *theirs.iter().find(|b| fits(*a, **b))?));
    let pairs: Vec<(usize, usize)> = own.iter().filter(may_be).filter_map(pair).collect();
    let share = |statement: &Statement, all: &[usize], held: &dyn Fn(usize) -> bool| {
        let says = |at: &usize| weight(statement.tokens[*at].number);
        let whole: f32 = all.iter().map(says).sum();
        let part: f32 = all.iter().filter(|at| held(**at)).map(says).sum();
        if whole > 0.0 { part / whole } else { 0.0 }
    };
    let here = share(claim, &own, &|a| pairs.iter().any(|(held, _)| *held == a));
    let there = share(original, &theirs, &|b| pairs.iter().any(|(a, _)| fits(*a, b)));
    Common { pairs, here, there }
}

/// Whether a sentence has a figure of the claim that another does not have.
pub fn has_figure(claim: &Statement, there: &Statement, other: &Statement) -> bool {
    const DIGITS: usize = 3;
    let is_figure =
        |token: &&Token| token.lower.len() >= DIGITS && token.lower.bytes().all(|byte| byte.is_ascii_digit());
    claim.tokens.iter().filter(is_figure).any(|token| there.has(token.number) && !other.has(token.number))
}

/// Whether a claim reports by its first words that somebody asked, doubted, proposed or weighed what follows.
pub fn is_reported(claim: &Statement) -> bool {
    const FIRST: usize = 4;
    let first = claim.tokens.iter().take(FIRST).take_while(|token| {
        // In front of the word stands at most who did it.
        !token.content || lists().reporting.contains(token.lower.as_str())
    });
    first.into_iter().any(|token| lists().reporting.contains(token.lower.as_str()))
}

#[cfg(test)]
mod tests {
    use super::super::terms::Terms;
    use super::*;

    #[test]
    fn a_clause_begins_behind_a_mark_and_before_a_word_that_joins() {
        for (text, want) in [
            ("The lock is old; it holds.", &["The lock is old", "it holds"][..]),
            ("Keep the lock and drop the key.", &["Keep the lock", "and drop the key"]),
            ("The lock, which holds, is old", &["The lock", "which holds, is old"]),
            ("Red, green, blue", &["Red, green, blue"]),
            ("", &[]),
        ] {
            let statement = Statement::of(text, &Terms::default());
            let got: Vec<&str> = statement.clauses().iter().map(|clause| &text[span(&statement, clause)]).collect();
            assert_eq!(got, want, "{text}");
        }
    }

    #[test]
    fn a_report_begins_with_what_somebody_did() {
        for (text, want) in [
            ("Suggested a smaller batch", true),
            ("The user wondered whether it holds", true),
            ("They have proposed a smaller batch", true),
            ("Batches were suggested", false),
            ("Locks the table", false),
            ("", false),
        ] {
            assert_eq!(is_reported(&Statement::of(text, &Terms::default())), want, "{text}");
        }
    }
}
