//! A code of several parts, `up-blue-77`, of which a claim changes one.

use std::ops::Range;

use crate::extract::words;

use super::alignment::Original;
use super::statement::Statement;

/// A code and the one that the originals have in its place.
#[derive(Debug, PartialEq)]
pub struct Changed {
    /// Which of the originals has it.
    pub original: usize,
    /// In bytes of the claim.
    pub here: Range<usize>,
    /// In bytes of that original.
    pub there: Range<usize>,
}

/// The first code that nobody says, where an original has one with one other number.
pub fn changed(claim: &Statement, originals: &[Original], unheard: &dyn Fn(&str) -> bool) -> Option<Changed> {
    let has = |one: &Original, code: &str| one.statement.text.to_lowercase().contains(code);
    let is_new = |code: &str| is_code(code) && unheard(code) && !originals.iter().any(|one| has(one, code));
    words(&claim.text).into_iter().filter(|word| is_new(&word.lower)).find_map(|word| {
        let own: Vec<&str> = word.lower.split(['-', '_']).collect();
        originals.iter().enumerate().find_map(|(original, one)| {
            let text = &one.statement.text;
            let there = words(text).into_iter().filter(|other| is_code(&other.lower)).find(|other| {
                let parts: Vec<&str> = other.lower.split(['-', '_']).collect();
                let mut apart = own.iter().zip(&parts).filter(|(a, b)| a != b);
                let one = apart.next().filter(|(a, b)| is_number(a) && is_number(b) && a.len() == b.len());
                own.len() == parts.len() && one.is_some() && apart.next().is_none()
            })?;
            Some(Changed { original, here: word.range.clone(), there: there.range })
        })
    })
}

/// Three parts or more, one of them a number.
fn is_code(word: &str) -> bool {
    let parts = || word.split(['-', '_']);
    parts().count() >= 3 && parts().all(|part| !part.is_empty()) && parts().any(is_number) && !parts().all(is_number)
}

fn is_number(part: &str) -> bool {
    part.len() >= 2 && part.bytes().all(|byte| byte.is_ascii_digit())
}
