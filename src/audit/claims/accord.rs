//! What an original says in other words: a claim that agrees with it turns nothing round.

use std::sync::OnceLock;

use crate::extract::Language;
use crate::record::{Finding, FindingKind, Severity};
use crate::session::Speaker;

use super::super::quantities::{Quantity, quantities};
use super::alignment::{ALIGNED, Original};
use super::bounds::{Bound, alike, bounds, opposed};
use super::findings::{capital, make, quoted, shown, who, word};
use super::lists::{Words, lists, named, words};
use super::polarity::{has_no, is_said};
use super::statement::Statement;
use super::wording::negates;
use super::{Heard, binds};

/// Whether the words that a finding shows say what the claim says.
pub(super) fn agrees(heard: &Heard, finding: &Finding) -> bool {
    let turns = matches!(finding.kind, FindingKind::Inverted | FindingKind::Firmed);
    let Some(source) = finding.sources.first().filter(|_| turns) else { return false };
    let shown = |one: &&Original| one.seq() == source.seq.0 && one.from() + one.range.start == source.range.0;
    heard.originals.iter().find(shown).is_some_and(|one| says_the_same(heard.claim, &one.statement))
}

fn says_the_same(claim: &Statement, there: &Statement) -> bool {
    speaks_against(claim) && has_no(there) && !claim.tokens.iter().any(|token| negates(&token.lower))
        || counts_the_rest(claim, there)
        || bounds_the_same(claim, there)
        || leaves_out_the_same(claim, there)
}

/// `Only they see it` for `they see it, nobody else does`.
fn leaves_out_the_same(claim: &Statement, there: &Statement) -> bool {
    let only = claim.tokens.iter().any(|token| lists().only.contains(token.lower.as_str()));
    only && there.tokens.windows(2).any(|pair| negates(&pair[0].lower) && pair[1].lower == "else")
}

/// `No wider than 45 cm` for `at most 45 cm`: a no belongs to the bound, and all others stand in both.
fn bounds_the_same(claim: &Statement, there: &Statement) -> bool {
    let (own, theirs) = (bounds(claim), bounds(there));
    let noes = |statement: &Statement, of: &Bound| {
        let all = statement.tokens.iter().filter(|token| negates(&token.lower)).count();
        all - usize::from(of.no)
    };
    alike(&own, &theirs).is_some_and(|(a, b)| (a.no || b.no) && noes(claim, a) % 2 == noes(there, b) % 2)
}

/// `Advised against it`, `forbade it`.
fn speaks_against(claim: &Statement) -> bool {
    static CUES: OnceLock<[Words; 2]> = OnceLock::new();
    let list = include_str!("../../../assets/lexicon/en/bounds.txt");
    let [advises, forbids] = CUES.get_or_init(|| ["advises", "forbids"].map(|name| words(named(list, name))));
    let word = |at: usize| claim.tokens.get(at).map_or("", |token| token.lower.as_str());
    (0..claim.tokens.len())
        .any(|at| forbids.contains(word(at)) || advises.contains(word(at)) && word(at + 1) == "against")
}

/// `12 of 60 failed` where `48 of 60` did not.
fn counts_the_rest(claim: &Statement, there: &Statement) -> bool {
    let (own, theirs) = (parts(&claim.text), parts(&there.text));
    own.iter().any(|(part, all)| theirs.iter().any(|(rest, whole)| whole == all && part + rest == *all))
}

/// Pairs of numbers of which one is a part of the other.
fn parts(text: &str) -> Vec<(u64, u64)> {
    let found = quantities(text, Language::english());
    let joined = |pair: &[Quantity]| {
        let gap = text.get(pair[0].range.end..pair[1].range.start)?;
        let mut between = gap.split_whitespace();
        let of = between.next() == Some("of") && between.all(|word| matches!(word, "the" | "all" | "our"));
        of.then_some(())?;
        Some((pair[0].value.parse().ok()?, pair[1].value.parse().ok()?))
    };
    found.windows(2).filter_map(joined).collect()
}

/// `At least` where the originals say `at most`.
pub(super) fn bounded(heard: &Heard) -> Option<Finding> {
    let own = bounds(heard.claim);
    let told = || heard.originals.iter().enumerate().filter(|(_, one)| one.is_told());
    if own.is_empty() || told().any(|(_, one)| alike(&own, &bounds(&one.statement)).is_some()) {
        return None;
    }
    let speaking = told().filter(|(_, one)| one.cover >= ALIGNED && is_said(one, false));
    let (original, here, there) = speaking.into_iter().find_map(|(no, one)| {
        let theirs = bounds(&one.statement);
        opposed(&own, &theirs).map(|(here, there)| (no, here.range.clone(), there.range.clone()))
    })?;
    let source = &heard.originals[original];
    let why = format!(
        "{} said {} (turn {}); the summary says “{}”",
        capital(who(source.speaker())),
        quoted(&source.statement.text),
        source.passage.origin.turn,
        word(heard, &here)
    );
    let of_person = source.speaker() == Speaker::User;
    let severity = if binds(heard.item.field) || of_person { Severity::High } else { Severity::Medium };
    Some(shown(make(heard, FindingKind::Inverted, severity, why), heard, original, vec![here], &[there]))
}
