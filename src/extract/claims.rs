//! What is ruled out, and why: the words around a cue that rules out, in prose and in the cells of tables.

use std::ops::Range;

use super::certainty::Certainty;
use super::cues::{Hit, Role};
use super::items::{Extracted, Kind};
use super::negation::{backward, forward};
use super::statements::Said;

/// What a sentence rules out. Said with less than certainty it is doubted, which leaves it open.
pub(super) fn ruled_out(said: &Said<'_>) -> Option<Extracted> {
    if said.is_question() {
        return None;
    }
    let hit = strongest(said)?;
    let (tokens, sentence) = (said.tokens, said.sentence);
    let behind = backward(tokens, sentence, hit.at);
    let ahead = forward(tokens, sentence, hit.end);
    let words = match hit.role {
        Role::RulesOut if !ahead.is_empty() => ahead,
        _ => antecedent(said, behind),
    };
    // Where nothing stands around the cue, the row or the whole sentence says what it is about.
    let whole = || sentence.row.clone().unwrap_or_else(|| sentence.range.clone());
    let end = words.end.max(hit.end);
    let range = if words.is_empty() { whole() } else { tokens.span(words) };
    let doubted = said.certainty < Certainty::Proposed;
    Some(Extracted {
        class: Some(if doubted { "doubted" } else { "claim" }),
        cue: Some(said.cue(hit)),
        negated: !doubted,
        certainty: said.certainty,
        evidence: evidence(said, end),
        ..Extracted::new(if doubted { Kind::Open } else { Kind::RuledOut }, range)
    })
}

/// What a claim is about that is only a word such as `it`: what its sentence says before (`I tried a bigger pool but it
/// did not help`).
fn antecedent(said: &Said<'_>, claim: Range<usize>) -> Range<usize> {
    let points = claim.len() == 1 && said.language.pronouns.contains(&said.tokens.lower(claim.start));
    let before = said.sentence.words.start..claim.start;
    let ends = |hit: &&Hit| hit.role == Role::Ends && hit.end == claim.start;
    match said.sentence.hits.iter().find(ends) {
        Some(hit) if points && hit.at > before.start => before.start..hit.at,
        Some(_) | None => claim,
    }
}

/// The first cue that rules out, the longest of those that begin with it; none inside a phrase that only looks like one
/// (`cannot be ruled out`).
fn strongest<'a>(said: &'a Said<'_>) -> Option<&'a Hit> {
    let hits = &said.sentence.hits;
    let rules = |hit: &&Hit| matches!(hit.role, Role::RulesOut | Role::RuledOutBefore) && !said.is_covered(hit);
    let first = hits.iter().find(rules)?;
    hits.iter().filter(rules).filter(|hit| hit.at == first.at).max_by_key(|hit| hit.end)
}

/// The words behind a claim that say why: behind `because`, a colon or a dash.
fn evidence(said: &Said<'_>, from: usize) -> Option<Range<usize>> {
    let (tokens, sentence) = (said.tokens, said.sentence);
    let reason = |at: &usize| said.language.reasons.contains(&&*tokens.lower(*at));
    let mark = |at: &usize| *at > sentence.words.start && is_mark(tokens.gap(at - 1));
    let start = (from..sentence.words.end).find(|at| reason(at) || mark(at))?;
    let start = if reason(&start) { start + 1 } else { start };
    (start < sentence.words.end).then(|| tokens.span(start..sentence.words.end))
}

fn is_mark(gap: &str) -> bool {
    gap.contains([':', ';', '—', '(']) || gap.contains(" - ") || gap.contains(" – ")
}

#[cfg(test)]
mod tests {
    use crate::extract::{Kind, Language, extract};

    fn seen(text: &str) -> Option<(Kind, &str, &str)> {
        let mut told = extract(text, Language::english()).into_iter();
        let one = told.find(|item| item.kind == Kind::RuledOut || item.class == Some("doubted"))?;
        Some((one.kind, &text[one.range], one.evidence.map_or("", |range| &text[range])))
    }

    #[test]
    fn what_is_ruled_out_is_found_with_its_evidence() {
        for (text, want) in [
            ("We ruled out the cache because it was cold.", Some((Kind::RuledOut, "the cache", "it was cold"))),
            ("The gateway was ruled out: logs are clean.", Some((Kind::RuledOut, "The gateway", "logs are clean"))),
            ("Restarting the worker did not help.", Some((Kind::RuledOut, "Restarting the worker", ""))),
            ("We tried a bigger pool but it did not help.", Some((Kind::RuledOut, "We tried a bigger pool", ""))),
            ("So it's not the pool.", Some((Kind::RuledOut, "pool", ""))),
            ("No evidence of a leak.", Some((Kind::RuledOut, "a leak", ""))),
            ("It turned out not to be DNS", Some((Kind::RuledOut, "DNS", ""))),
            ("Maybe the proxy is not the cause.", Some((Kind::Open, "Maybe the proxy", ""))),
            ("A leak cannot be ruled out.", None),
            ("Was the proxy ruled out?", None),
            ("| proxy | was ruled out |", Some((Kind::RuledOut, "proxy", ""))),
            ("`ruled out` is a cue", None),
        ] {
            assert_eq!(seen(text), want, "{text}");
        }
    }
}
