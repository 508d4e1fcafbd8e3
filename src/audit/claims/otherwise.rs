//! Findings on a clause of which an original says something else: what was said there, and how the summary has it.

use crate::record::{Field, Finding, FindingKind, Severity};

use super::attribution::Act;
use super::clauses::Shown;
use super::findings::{SURE, capital, has_idea, make, quoted, shown, who};
use super::lists::lists;
use super::quotes::repeats;
use super::{Heard, binds, causes, contrasts, duties, hedged, imagined, order, permissions, settled, unfinished};

/// What is not done yet and is told as done.
pub(super) fn unfinished(heard: &Heard) -> Option<Finding> {
    let weight = |stem: u32| heard.weight(stem);
    let one = unfinished::unfinished(heard.claim, heard.item.field, &heard.originals, &weight)?;
    said_otherwise(heard, one, FindingKind::Inverted, "says that it was done")
}

/// A contrast the other way round.
pub(super) fn about_turned(heard: &Heard) -> Option<Finding> {
    let one = contrasts::turned_about(heard.claim, &heard.originals)?;
    said_otherwise(heard, one, FindingKind::Inverted, "has it the other way round")
}

/// What somebody said it is not and is told as the cause.
pub(super) fn blamed(heard: &Heard) -> Option<Finding> {
    if matches!(heard.item.field, Field::RuledOut | Field::Open) {
        return None;
    }
    let one = causes::denied(heard.claim, &heard.originals)?;
    said_otherwise(heard, one, FindingKind::Inverted, "says that it is the cause")
}

/// What was forbidden and is told as allowed.
pub(super) fn permitted(heard: &Heard) -> Option<Finding> {
    let one = permissions::granted(heard.claim, &heard.originals)?;
    let finding = said_otherwise(heard, one, FindingKind::Inverted, "says that it may be done")?;
    Some(Finding { severity: Severity::High, ..finding })
}

/// What must be done and need not be.
pub(super) fn obliged(heard: &Heard) -> Option<Finding> {
    let weight = |stem: u32| heard.weight(stem);
    let one = duties::exchanged(heard.claim, &heard.originals, &weight)?;
    said_otherwise(heard, one, FindingKind::Inverted, "says the opposite")
}

/// What comes first told as what comes second.
pub(super) fn reordered(heard: &Heard) -> Option<Finding> {
    let one = order::turned(heard.claim, &heard.originals)?;
    said_otherwise(heard, one, FindingKind::Inverted, "has it the other way round")
}

/// What would have happened and would not have.
pub(super) fn imagined(heard: &Heard) -> Option<Finding> {
    let one = imagined::turned(heard.claim, &heard.originals)?;
    said_otherwise(heard, one, FindingKind::Inverted, "says the opposite")
}

/// What was left open and is told as a fact.
pub(super) fn left_open(heard: &Heard) -> Option<Finding> {
    // Whose idea it was says nothing of how sure anybody is.
    if has_idea(heard) || heard.said.iter().any(|one| one.act == Act::Asks) {
        return None;
    }
    let weight = |stem: u32| heard.weight(stem);
    let one = hedged::hedged(heard.claim, heard.item.field, &heard.originals, &weight)?;
    if repeats(heard.claim, heard.is_quotation(), &heard.originals[one.original]) {
        return None;
    }
    said_otherwise(heard, one, FindingKind::Firmed, "says that it is so")
}

/// What the person left open or refused and is told as settled.
pub(super) fn unsettled(heard: &Heard) -> Option<Finding> {
    if heard.item.field == Field::RuledOut {
        return None;
    }
    let weight = |stem: u32| heard.weight(stem);
    let one = settled::unsettled(heard.claim, &heard.originals, heard.case.consents, &weight)?;
    let there = &heard.originals[one.original].statement;
    let first = there.tokens.first().filter(|first| lists().no.contains(first.lower.as_str()));
    // `No, not that` refuses; `no idea` and `no tuning yet` leave something open.
    let rest = first.map(|first| there.text[first.range.end..].trim());
    if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([',', '.', '!', ';'])) {
        let finding = said_otherwise(heard, one, FindingKind::Inverted, "says that it was settled")?;
        return Some(Finding { severity: Severity::High, ..finding });
    }
    said_otherwise(heard, one, FindingKind::Firmed, "says that it was settled")
}

/// A finding on a clause of which an original says something else.
fn said_otherwise(heard: &Heard, one: Shown, kind: FindingKind, how: &str) -> Option<Finding> {
    let source = &heard.originals[one.original];
    if !heard.case.is_whole() && source.cover < SURE {
        return None;
    }
    let why = format!(
        "{} said {} (turn {}); the summary {how}",
        capital(who(source.speaker())),
        quoted(&source.statement.text),
        source.passage.origin.turn
    );
    let severity = if binds(heard.item.field) { Severity::High } else { Severity::Medium };
    Some(shown(make(heard, kind, severity, why), heard, one.original, one.here, &one.there))
}
