//! Words in quotation marks: somebody must have said them. What was changed in them is plain to see. A quotation that is
//! only shortened, or whose spelling was put right, is fine.

use std::ops::Range;

use crate::extract::{Certainty, Word, words};
use crate::session::Speaker;
use crate::text::sentences;

use super::alignment::Original;
use super::firmness::is_tag;
use super::lists::{Words, lists};
use super::opposites::are;
use super::statement::Statement;
use super::terms::Terms;
use super::wording::{negates, unmatched};

/// A quotation that somebody said otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Misquoted {
    /// Which of the originals it repeats.
    pub original: usize,
    /// What became of it.
    pub how: Bent,
    /// The words of the claim that decide.
    pub here: Vec<Range<usize>>,
    /// The words of the original that decide.
    pub there: Vec<Range<usize>>,
}

/// How a quotation was changed, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bent {
    /// A `not` more or less, or a word turned round.
    Turned,
    /// A question, or something that could be, came out as said or wanted.
    Stated,
    /// Another word stands in its place.
    Changed,
}

/// Fewer words say too little.
const FEWEST: usize = 4;
/// Longer sentences are not compared.
const MOST: usize = 80;
/// So much of a quotation must be the same words in the same order.
const SAME: f32 = 0.58;

/// The worst change in any quotation of a claim; `all` of it is one where the marks stand around it.
pub fn misquoted(claim: &Statement, all: bool, originals: &[Original], terms: &Terms) -> Option<Misquoted> {
    let mut worst: Option<Misquoted> = None;
    let whole = all.then_some(0..claim.text.len());
    for quotation in quotations(&claim.text).into_iter().chain(whole) {
        for sentence in sentences(&claim.text[quotation.clone()]) {
            let range = quotation.start + sentence.start..quotation.start + sentence.end;
            if let Some(found) = compare(&claim.text, range, originals, terms)
                && worst.as_ref().is_none_or(|known| found.how < known.how)
            {
                worst = Some(found);
            }
        }
    }
    worst
}

/// Whether a claim only repeats, between quotation marks, words that stand in an original as they are: what was said
/// around them is left off, and nothing is stated. `all` of it is a quotation where the marks stand around it.
pub fn repeats(claim: &Statement, all: bool, original: &Original) -> bool {
    let mut quoted = quotations(&claim.text);
    quoted.extend(all.then_some(0..claim.text.len()));
    let there: Vec<&str> = original.statement.tokens.iter().map(|token| token.lower.as_str()).collect();
    let is_there = |quote: &Range<usize>| {
        let inside =
            claim.tokens.iter().filter(|token| quote.start <= token.range.start && token.range.end <= quote.end);
        let own: Vec<&str> = inside.map(|token| token.lower.as_str()).collect();
        own.len() >= FEWEST && there.windows(own.len()).any(|words| words == own)
    };
    let within = |at: usize| quoted.iter().any(|quote| quote.contains(&claim.tokens[at].range.start));
    // What is told again outside the marks is stated.
    let mut outside = claim.content().filter(|at| !within(*at));
    !quoted.is_empty()
        && quoted.iter().all(is_there)
        && !outside.any(|at| original.statement.has(claim.tokens[at].number))
}

/// What stands between quotation marks, as prose.
pub(super) fn quotations(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut from, mut counted, mut ticks) = (0, 0, 0);
    while let Some(open) = text[from..].find(['"', '“']).map(|at| from + at) {
        let mark = if text[open..].starts_with('“') { '”' } else { '"' };
        let start = open + if mark == '"' { 1 } else { '“'.len_utf8() };
        let Some(end) = text[start..].find(mark).map(|at| start + at) else { break };
        let free = text[..open].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        ticks += text[counted..open].matches('`').count();
        counted = open;
        let code = ticks % 2 == 1 || text[end..].starts_with("\":");
        if free && !code {
            found.push(start..end);
        }
        from = end + mark.len_utf8();
    }
    found
}

fn compare(text: &str, range: Range<usize>, originals: &[Original], terms: &Terms) -> Option<Misquoted> {
    let quote = Statement::of(&text[range.clone()], terms);
    let count = quote.tokens.len();
    if !(FEWEST..=MOST).contains(&count) || is_shortened(&quote.text) {
        return None;
    }
    let told = originals.iter().enumerate().filter(|(_, one)| (3..=MOST).contains(&one.statement.tokens.len()));
    let mut best: Option<(usize, usize, Vec<usize>, Vec<usize>)> = None;
    for (no, original) in told {
        let held = quote.tokens.iter().filter(|token| original.statement.has(token.number)).count();
        if (held as f32) < SAME * count as f32 {
            continue;
        }
        let (mine, theirs) = unmatched(&quote, &original.statement);
        let same = count - mine.len();
        if mine.is_empty() && follows(&theirs) || original.statement.text.contains(&*quote.text) {
            return None;
        }
        let own = original.is_told() && original.speaker() == Speaker::User;
        if own && best.as_ref().is_none_or(|(known, ..)| same > *known) {
            best = Some((same, no, mine, theirs));
        }
    }
    let (same, no, mine, theirs) = best?;
    if (same as f32) < SAME * count as f32 || same < 3 {
        return None;
    }
    let there = &originals[no].statement;
    let theirs = inner(&quote, there, &mine, &theirs);
    let (how, mine, theirs) = change(&quote, &mine, &originals[no], &theirs)?;
    let spans = |statement: &Statement, words: &[usize], from: usize| -> Vec<Range<usize>> {
        let range = |at: &usize| &statement.tokens[*at].range;
        words.iter().map(range).map(|range| from + range.start..from + range.end).collect()
    };
    let mut here = spans(&quote, &mine, range.start);
    if here.is_empty() {
        here.push(range);
    }
    Some(Misquoted { original: no, how, here, there: spans(there, &theirs, 0) })
}

/// Whether something was left out, or put in by whom who quotes.
fn is_shortened(text: &str) -> bool {
    ["…", "...", "[", "<"].iter().any(|mark| text.contains(mark))
}

/// Whether all that is left stands together.
fn follows(at: &[usize]) -> bool {
    at.windows(2).filter(|pair| pair[0] + 1 != pair[1]).count() <= 1
}

/// The words of the original that stand where the quotation stands: what was said before and behind it is left out.
fn inner(quote: &Statement, there: &Statement, mine: &[usize], theirs: &[usize]) -> Vec<usize> {
    let matched = |at: &usize| !theirs.contains(at);
    let first = (0..there.tokens.len()).find(matched).unwrap_or(0);
    let last = (0..there.tokens.len()).rev().find(matched).unwrap_or(0);
    // Where the quotation itself begins or ends with other words, those of the original that stand there count.
    let opening = mine.iter().enumerate().take_while(|(no, at)| *no == **at).count();
    let closing = mine.iter().rev().enumerate().take_while(|(no, at)| no + *at + 1 == quote.tokens.len()).count();
    let near = |at: usize, other: usize, open: usize| open > 0 && at.abs_diff(other) <= open + 1;
    theirs
        .iter()
        .copied()
        .filter(|at| (first..=last).contains(at) || near(*at, first, opening) || near(*at, last, closing))
        .collect()
}

/// What makes it something else, with the words on both sides.
fn change(
    quote: &Statement,
    mine: &[usize],
    original: &Original,
    theirs: &[usize],
) -> Option<(Bent, Vec<usize>, Vec<usize>)> {
    let there = &original.statement;
    for a in mine {
        let other = theirs.iter().find(|b| are(&quote.tokens[*a], &there.tokens[**b]));
        if let Some(b) = other {
            return Some((Bent::Turned, vec![*a], vec![*b]));
        }
    }
    let no = |statement: &Statement, words: &[usize]| -> Vec<usize> {
        words.iter().copied().filter(|at| negates(&statement.tokens[*at].lower)).collect()
    };
    let (own, other) = (no(quote, mine), no(there, theirs));
    if own.len() % 2 != other.len() % 2 {
        return Some((Bent::Turned, own, other));
    }
    let judged = |statement: &Statement, words: &[usize]| {
        let heard = picked(statement, words);
        (lists().praise.is_in(&heard), lists().blame.is_in(&heard))
    };
    if matches!(
        (judged(quote, mine), judged(there, theirs)),
        ((true, false), (false, true)) | ((false, true), (true, false))
    ) {
        return Some((Bent::Turned, mine.to_vec(), theirs.to_vec()));
    }
    if is_stated(quote, mine, original, theirs) {
        return Some((Bent::Stated, mine.to_vec(), theirs.to_vec()));
    }
    let put: Vec<usize> = mine.iter().copied().filter(|at| is_new(quote, *at, there, theirs)).collect();
    let gone: Vec<usize> = theirs.iter().copied().filter(|at| is_new(there, *at, quote, mine)).collect();
    // A word in the place of a word; more than one or two is told in other words.
    (put.len() == 1 && gone.len() == 1 && mine.len() <= 2 && theirs.len() <= 2).then_some((Bent::Changed, put, gone))
}

/// A question that no longer asks, or what could be that is now wanted.
fn is_stated(quote: &Statement, mine: &[usize], original: &Original, theirs: &[usize]) -> bool {
    let there = &original.statement;
    let asks = |statement: &Statement| {
        let text = statement.text.trim_end_matches(['"', '”', '.', ')', '*', ' ']);
        let first = statement.tokens.first().map(|token| token.lower.as_str()).unwrap_or_default();
        text.ends_with('?') || lists().question.contains(first)
    };
    let has = |statement: &Statement, words: &[usize], list: &Words| {
        words.iter().any(|at| list.contains(statement.tokens[*at].lower.as_str()))
    };
    let asked = there.level() == Certainty::Asked && !is_tag(&there.text);
    // Only words that were moved or changed show that it is no question any more: a mark is soon left out.
    let moved = !mine.is_empty() && mine.len() <= 3;
    asked && !asks(quote) && moved || has(quote, mine, &lists().wanted) && has(there, theirs, &lists().possible)
}

/// Whether a telling word is no other spelling of any word that the other side has.
fn is_new(of: &Statement, at: usize, other: &Statement, words: &[usize]) -> bool {
    let token = &of.tokens[at];
    let like = |b: &usize| is_near(&token.lower, &other.tokens[*b].lower);
    token.content && !token.code && token.lower.len() >= 4 && !words.iter().any(like) && !other.has(token.number)
}

/// Whether two words begin or end alike, or differ by little: a slip of the keyboard.
pub(super) fn is_near(a: &str, b: &str) -> bool {
    let begin = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let end = a.chars().rev().zip(b.chars().rev()).take_while(|(a, b)| a == b).count();
    let short = a.chars().count().min(b.chars().count());
    begin >= 3 || begin + end + 1 >= short || a.chars().next() == b.chars().next() && (begin + end) * 2 >= short
}

/// These words, as a list is looked up in them.
fn picked<'a>(statement: &'a Statement, at: &[usize]) -> Vec<Word<'a>> {
    let heard = words(&statement.text);
    let starts: Vec<usize> = at.iter().map(|at| statement.tokens[*at].range.start).collect();
    heard.into_iter().filter(|word| starts.contains(&word.range.start)).collect()
}
