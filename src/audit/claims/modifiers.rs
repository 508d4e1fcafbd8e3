//! `the retention job` that became `the indexing job`: the word that says which one is meant, where the originals have
//! another before the same noun.

use std::ops::Range;

use super::additions::is_concrete;
use super::alignment::{ALIGNED, Original};
use super::alternatives::Exchanged;
use super::lists::lists;
use super::polarity::is_said;
use super::quotes::is_near;
use super::statement::{Statement, Token};
use super::synonyms::same;

/// So many other words must be the same, the noun apart.
const COMMON: usize = 2;
/// A sentence that holds so much of a claim speaks of the same though the word is said of something else.
const MUCH: f32 = 0.5;
/// Shorter words say rather how something is.
const SHORTEST: usize = 4;

/// Another word before the same noun, where nobody has this one in a sentence with it.
pub fn modified(claim: &Statement, originals: &[Original], unheard: &dyn Fn(&str) -> bool) -> Option<Exchanged> {
    (1..claim.tokens.len()).find_map(|noun| {
        let (word, head) = (&claim.tokens[noun - 1], &claim.tokens[noun]);
        if !is_modifier(claim, noun) {
            return None;
        }
        let has = |one: &Original, token: &Token| one.statement.has_same(token);
        if originals.iter().any(|one| has(one, word) && has(one, head)) {
            return None;
        }
        let least = if unheard(&word.lower) { ALIGNED } else { MUCH };
        let speaking = originals.iter().enumerate().filter(|(_, one)| one.cover >= least && is_said(one, false));
        speaking.into_iter().find_map(|(original, one)| {
            let there = &one.statement;
            let shared = claim.content().filter(|at| *at != noun && there.has(claim.tokens[*at].number));
            if shared.count() < COMMON {
                return None;
            }
            let fits = |at: &usize| {
                let other = &there.tokens[at - 1];
                let alike = is_near(&other.lower, &word.lower) || same(other, word);
                there.tokens[*at].number == head.number && is_modifier(there, *at) && !alike && !claim.has_same(other)
            };
            let at = (1..there.tokens.len()).find(fits)?;
            let (here, there) = (pair(claim, noun), pair(there, at));
            Some(Exchanged { original, here, there, opposite: false })
        })
    })
}

/// Whether the word before this one only says which one it is: two plain words beside each other, behind an article.
fn is_modifier(statement: &Statement, noun: usize) -> bool {
    let article = noun > 1 && lists().articles.contains(statement.tokens[noun - 2].lower.as_str());
    let (word, head) = (&statement.tokens[noun - 1], &statement.tokens[noun]);
    let plain = |token: &Token| {
        let said = &statement.text[token.range.clone()];
        !token.code && token.content && said.len() >= SHORTEST - 1 && said.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    let beside = &statement.text[word.range.end..head.range.start] == " ";
    article
        && beside
        && plain(word)
        && plain(head)
        && word.lower.len() >= SHORTEST
        && is_concrete(word)
        && !["ed", "est"].iter().any(|end| word.lower.ends_with(end))
        && !head.lower.ends_with("ed")
}

fn pair(statement: &Statement, noun: usize) -> Range<usize> {
    statement.tokens[noun - 1].range.start..statement.tokens[noun].range.end
}
