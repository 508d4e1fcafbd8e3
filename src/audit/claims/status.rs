//! What a claim says was done, and the agent's own list says is still to be done; and numbers of tests that nobody told.

use std::ops::Range;

use crate::record::Field;

use super::Heard;
use super::lists::lists;
use super::statement::{Statement, Token};

/// A claim of work that was not done.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Undone {
    /// The task as the list has it.
    pub task: String,
    /// The original that has it, where one of those at hand does.
    pub original: Option<usize>,
    /// The words of the claim that decide.
    pub here: Vec<Range<usize>>,
}

/// The task that a claim says was done and that was still to be done when it was told last.
pub(super) fn undone(heard: &Heard) -> Option<Undone> {
    let claim = heard.claim;
    if heard.item.field == Field::Open || claim.text.trim_end().ends_with('?') || leaves_open(claim) {
        return None;
    }
    let done = claim.tokens.iter().find(|token| is_done(token))?.range.clone();
    let mut tasks: Vec<&str> = heard.case.consents.reports.undone(heard.case.compaction.place.offset).collect();
    tasks.sort_unstable();
    tasks.into_iter().find_map(|task| {
        let list = Statement::of(task, heard.terms);
        let words: Vec<usize> = list.content().collect();
        let held: Vec<usize> = words.iter().filter_map(|at| claim.find(list.tokens[*at].number)).collect();
        if words.len() < 2 || held.len() < words.len() {
            return None;
        }
        // All of it stands near the word that says it was done.
        let (from, to) = (held.iter().min()?, held.iter().max()?);
        let span = claim.tokens[*from].range.start..claim.tokens[*to].range.end;
        let near = span.start <= done.end + 40 && done.start <= span.end + 40 && to - from <= words.len() + 6;
        near.then(|| Undone {
            task: task.to_owned(),
            original: heard.originals.iter().rposition(|one| one.statement.text.contains(task)),
            here: vec![span, done.clone()],
        })
    })
}

/// `has been`, `passed`: it is over.
fn is_done(token: &Token) -> bool {
    lists().over.contains(token.lower.as_str())
}

/// Whether a claim itself says that something is not done yet.
fn leaves_open(claim: &Statement) -> bool {
    claim.tokens.iter().any(|token| lists().still.contains(token.lower.as_str()))
}

/// A number of tests that are said to pass, and that stands beside no test anywhere before.
pub(super) fn uncounted(heard: &Heard) -> Option<Vec<Range<usize>>> {
    let claim = heard.claim;
    let before = heard.case.compaction.place.offset;
    let tests = claim.tokens.iter().any(|token| token.stem == "test");
    (0..claim.tokens.len()).find_map(|at| {
        let number = &claim.tokens[at];
        let count: u32 = number.lower.parse().ok().filter(|count| (2..10_000).contains(count))?;
        let near = claim.tokens.get(at + 1..(at + 5).min(claim.tokens.len()))?;
        let end = near.iter().find(|token| lists().passes.contains(token.stem.as_str()))?;
        let between = &claim.text[number.range.end..end.range.start];
        let plain = !between.starts_with('%') && !between.contains([',', ';', '.', ':']);
        let before_it = at.checked_sub(1).map(|at| &claim.tokens[at]);
        let all = before_it.is_some_and(|before| before.lower == "all");
        // `API 34 passed`: a name.
        let named = before_it.is_some_and(|one| claim.text[one.range.clone()].chars().all(char::is_uppercase));
        (plain && !named && (tests || all) && !heard.case.consents.reports.counted(count, before))
            .then(|| vec![number.range.clone(), end.range.clone()])
    })
}
