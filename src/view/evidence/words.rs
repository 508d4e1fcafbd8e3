//! The words of evidence: verdicts, speakers, and what the fields of a record hold.

use crate::record::{Field, Verdict};
use crate::session::Speaker;

/// The words for what the check says.
pub(in crate::view) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Verified => "verified",
        Verdict::Weak => "in other words",
        Verdict::Unsupported => "no turn says so",
        Verdict::Contested => "a turn says otherwise",
        Verdict::WrongTurn => "another turn says so",
        Verdict::Laundered => "only a summary says so",
        Verdict::Unchecked => "unchecked",
    }
}

pub(super) fn speaker(speaker: Speaker) -> &'static str {
    match speaker {
        Speaker::User => "you",
        Speaker::Assistant => "agent",
        Speaker::Tool => "tool",
        Speaker::System => "system",
    }
}

/// The shortest word for what an item's field holds.
pub(in crate::view) fn short_noun(field: Field) -> &'static str {
    match field {
        Field::RuledOut => "ruled out",
        Field::Open => "open",
        Field::Narrative
        | Field::Entities
        | Field::Figures
        | Field::Constraints
        | Field::Decisions
        | Field::Actions => noun(field),
    }
}

/// The word for what an item's field holds, in a sentence.
pub fn noun(field: Field) -> &'static str {
    match field {
        Field::Narrative => "sentence",
        Field::Entities => "name",
        Field::Figures => "figure",
        Field::Constraints => "constraint",
        Field::Decisions => "decision",
        Field::Actions => "action",
        Field::RuledOut => "ruled-out item",
        Field::Open => "open item",
    }
}
