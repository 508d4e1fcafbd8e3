//! What a claim adds that nobody said, or lays into the wrong mouth: findings with their evidence.

use crate::record::{Finding, FindingKind, Severity};

use super::attribution::{Act, Who};
use super::credit::{Credit, Thought};
use super::findings::{make, quoted, shown, who, word};
use super::first::first_by_other;
use super::speaker::{Wrong, wrong};
use super::status::uncounted;
use super::{Heard, additions, deeds};

pub(super) fn attributed(heard: &Heard) -> Option<Finding> {
    if !heard.case.is_whole() {
        return None;
    }
    let weight = |stem: u32| heard.weight(stem);
    let unheard = |word: &str| heard.is_unheard(word);
    let here = heard.case.compaction.place.offset;
    let stated = |stem: &str| heard.case.consents.stated(stem, here);
    heard.said.iter().find_map(|said| {
        let wrong = wrong(heard.claim, said, &heard.originals, heard.case.consents, &weight, &unheard, &stated)?;
        let binding = matches!(said.act, Act::Approves | Act::Orders);
        let severity = if binding { Severity::High } else { Severity::Medium };
        let subject = if said.who == Who::Person { "the user" } else { "the agent" };
        let here = vec![said.cue.clone()];
        Some(match wrong {
            Wrong::Other(original) => {
                let source = &heard.originals[original];
                let why = format!(
                    "The summary says that {subject} said it; it was {} (turn {})",
                    who(source.speaker()),
                    source.passage.origin.turn
                );
                shown(make(heard, FindingKind::Misattributed, severity, why), heard, original, here, &[])
            }
            Wrong::Asked(original) => {
                let source = &heard.originals[original];
                let why = format!(
                    "The user only asked (turn {}); the summary says that they agreed",
                    source.passage.origin.turn
                );
                let there: Vec<_> = source.statement.certainty().1.into_iter().collect();
                shown(make(heard, FindingKind::Inverted, Severity::High, why), heard, original, here, &there)
            }
            Wrong::Nobody => {
                let words = heard.item.text.get(said.span.clone()).unwrap_or_default().trim();
                let why = format!("No turn of the user before this compaction speaks of {}", quoted(words));
                let mut finding = make(heard, FindingKind::Invented, severity, why);
                finding.sources = heard.item.sources.iter().take(3).cloned().collect();
                finding.decisive = vec![(said.cue.start, said.cue.end)];
                finding.decisive.extend(said.what.iter().map(|at| {
                    let range = &heard.claim.tokens[*at].range;
                    (range.start, range.end)
                }));
                finding
            }
        })
    })
}

/// A thought, or a wish, that was the other's.
pub(super) fn credited(heard: &Heard) -> Option<Finding> {
    if !heard.case.is_whole() {
        return None;
    }
    let weight = |stem: u32| heard.weight(stem);
    // Who tells what each of them thought of the same thing keeps them apart.
    let is_shared = |credit: &Credit| {
        let others = heard.credits.iter().filter(|other| other.who != credit.who);
        others.flat_map(|other| &other.what).any(|at| credit.what.contains(at))
    };
    heard.credits.iter().filter(|credit| !is_shared(credit)).find_map(|credit| {
        let original = first_by_other(heard.claim, credit, &heard.originals, heard.case.consents, &weight)?;
        let source = &heard.originals[original];
        let subject = if credit.who == Who::Person { "the user" } else { "the agent" };
        let why = format!(
            "The summary says that it came from {subject}; {} said it first (turn {})",
            who(source.speaker()),
            source.passage.origin.turn
        );
        let severity = if credit.thought == Thought::Wish { Severity::High } else { Severity::Medium };
        let finding = make(heard, FindingKind::Misattributed, severity, why);
        let there: Vec<_> = credit
            .what
            .iter()
            .filter_map(|at| source.statement.find(heard.claim.tokens[*at].number))
            .map(|at| source.statement.tokens[at].range.clone())
            .collect();
        Some(shown(finding, heard, original, vec![credit.cue.clone()], &there))
    })
}

pub(super) fn addition(heard: &Heard) -> Option<Finding> {
    if !heard.case.is_whole() {
        return None;
    }
    let unheard = |word: &str| heard.is_unheard(word);
    let (clause, words) = [additions::added, additions::cause, additions::handle]
        .iter()
        .find_map(|of| of(heard.claim, &unheard))
        .or_else(|| additions::reason(heard.claim, &heard.originals, &unheard))?;
    let text = heard.item.text.get(clause).unwrap_or_default().trim_matches([',', ' ', '(', ')', ';']);
    let new = words.iter().map(|range| word(heard, range)).collect::<Vec<_>>().join(", ");
    let why = format!("The summary adds {}; no turn before this compaction has these words: {new}", quoted(text));
    let mut finding = make(heard, FindingKind::Invented, Severity::Medium, why);
    finding.sources = heard.item.sources.iter().take(3).cloned().collect();
    finding.decisive = words.into_iter().map(|range| (range.start, range.end)).collect();
    Some(finding)
}

/// Something that was done outside of files, says the claim, and no command and nobody shows it.
pub(super) fn deed(heard: &Heard) -> Option<Finding> {
    if !heard.case.is_whole() {
        return None;
    }
    let done = deeds::unseen(heard)?;
    let why = format!(
        "No command before this compaction did it, and nobody says that it was done; the summary says {}",
        quoted(&word(heard, &done))
    );
    let mut finding = make(heard, FindingKind::Invented, Severity::Medium, why);
    finding.sources = heard.item.sources.iter().take(3).cloned().collect();
    finding.decisive = vec![(done.start, done.end)];
    Some(finding)
}

pub(super) fn outcome(heard: &Heard) -> Option<Finding> {
    if !heard.case.is_whole() {
        return None;
    }
    let words = additions::untold(heard.claim, &heard.originals).or_else(|| uncounted(heard))?;
    let said = words.iter().map(|range| word(heard, range)).collect::<Vec<_>>().join(" ");
    let why = format!("No turn before this compaction reports {}", quoted(&said));
    let mut finding = make(heard, FindingKind::Invented, Severity::Medium, why);
    finding.sources = heard.item.sources.iter().take(3).cloned().collect();
    finding.decisive = words.into_iter().map(|range| (range.start, range.end)).collect();
    Some(finding)
}
