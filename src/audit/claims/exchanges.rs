//! A word in the place of another, an `only` more, and what is said not to have been told: findings with their evidence.

use crate::record::{Field, Finding, FindingKind, Severity};

use super::findings::{capital, make, quoted, shown, who, word};
use super::{Heard, alternatives, binds, codes, modifiers, restriction, unspoken};

/// A word in the place of another that it excludes.
pub(super) fn exchanged(heard: &Heard) -> Option<Finding> {
    if !heard.case.is_whole() {
        return None;
    }
    let unheard = |word: &str| heard.is_unheard(word);
    let one = alternatives::exchanged(heard.claim, &heard.originals, &unheard)
        .or_else(|| modifiers::modified(heard.claim, &heard.originals, &unheard))?;
    let source = &heard.originals[one.original];
    let why = format!(
        "{} said “{}” (turn {}); the summary says “{}” in its place",
        capital(who(source.speaker())),
        source.statement.text.get(one.there.clone()).unwrap_or_default(),
        source.passage.origin.turn,
        word(heard, &one.here)
    );
    let severity = if binds(heard.item.field) || !heard.said.is_empty() { Severity::High } else { Severity::Medium };
    let kind = if one.opposite { FindingKind::Inverted } else { FindingKind::Altered };
    let finding = make(heard, kind, severity, why);
    Some(shown(finding, heard, one.original, vec![one.here], &[one.there]))
}

/// A code of which one part was changed.
pub(super) fn recoded(heard: &Heard) -> Option<Finding> {
    if !heard.case.is_whole() {
        return None;
    }
    let here = heard.case.compaction.place.offset;
    // Only what was listened for is known to be said by nobody.
    let unheard = |code: &str| heard.case.presence.is_loosely_before(code, here) == Some(false);
    let one = codes::changed(heard.claim, &heard.originals, &unheard)?;
    let source = &heard.originals[one.original];
    let why = format!(
        "The originals say {} (turn {}); the summary says {}",
        source.statement.text.get(one.there.clone()).unwrap_or_default(),
        source.passage.origin.turn,
        word(heard, &one.here)
    );
    let severity = if binds(heard.item.field) { Severity::High } else { Severity::Medium };
    let finding = make(heard, FindingKind::Altered, severity, why);
    Some(shown(finding, heard, one.original, vec![one.here], &[one.there]))
}

/// An `only` that came in.
pub(super) fn narrowed(heard: &Heard) -> Option<Finding> {
    if !heard.case.is_whole() || heard.item.field == Field::RuledOut {
        return None;
    }
    let one = restriction::restricted(heard.claim, &heard.originals)?;
    let source = &heard.originals[one.original];
    let why = format!(
        "{} said {} (turn {}); the summary adds an “{}”",
        capital(who(source.speaker())),
        quoted(&source.statement.text),
        source.passage.origin.turn,
        word(heard, &one.here)
    );
    let finding = make(heard, FindingKind::Inverted, Severity::Medium, why);
    Some(shown(finding, heard, one.original, vec![one.here], &[one.there]))
}

/// What was told and is said not to have been.
pub(super) fn silenced(heard: &Heard) -> Option<Finding> {
    if heard.item.field == Field::RuledOut {
        return None;
    }
    let one = unspoken::spoken(heard.claim, &heard.originals)?;
    let source = &heard.originals[one.original];
    let why = format!(
        "{} speaks of it (turn {}: {}); the summary says “{}”",
        capital(who(source.speaker())),
        source.passage.origin.turn,
        quoted(&source.statement.text),
        one.here.iter().map(|range| word(heard, range)).collect::<Vec<_>>().join(" ")
    );
    let finding = make(heard, FindingKind::Inverted, Severity::Medium, why);
    Some(shown(finding, heard, one.original, one.here, &one.there))
}
