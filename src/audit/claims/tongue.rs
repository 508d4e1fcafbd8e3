//! In which language a claim and what it comes from are written. The checks of claims know English: what is written in
//! another language is not analysed, and is said to be so.

use crate::extract::{Language, Zone, Zones, words};
use crate::record::{FindingKind, Judgement, NOT_ANALYSED, Verdict};

use super::super::Case;

/// The languages of one record that are not English.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tongues {
    summary: Option<&'static str>,
    person: Option<&'static str>,
}

/// So much of what the person typed last tells their language.
const TYPED: usize = 4 * 1024;
/// A single claim of so many words, names in code not counted, may be in another language than the summary around it.
const TELLING: usize = 8;

impl Tongues {
    pub fn of(case: &Case) -> Self {
        let mut typed = String::new();
        for text in case.consents.own.before(case.compaction.place) {
            if typed.len() + text.len() > TYPED {
                break;
            }
            typed.push_str(text);
            typed.push('\n');
        }
        Self { summary: foreign(&case.record.summary), person: foreign(&typed) }
    }

    /// The language of a claim that is not in English; `None` for one that can be checked.
    pub fn of_claim(&self, text: &str) -> Option<&'static str> {
        let prose = || Zones::of(text).of_kind(Zone::Prose).map(|range| words(&text[range]).len()).sum::<usize>();
        let alone = || prose() >= TELLING;
        match Language::told(text) {
            Some(told) if is_english(told.name()) => None,
            Some(told) if self.summary.is_some() || alone() => Some(told.name()),
            // What tells nothing itself is written as what stands around it.
            Some(_) | None => self.summary,
        }
    }

    /// Whether a finding of this kind on a claim in English holds: what the person said in another language was not heard.
    pub fn holds(&self, kind: FindingKind) -> bool {
        match kind {
            FindingKind::Invented | FindingKind::Misattributed => self.person.is_none(),
            FindingKind::Inverted
            | FindingKind::Altered
            | FindingKind::Firmed
            | FindingKind::Overruled
            | FindingKind::Laundered
            | FindingKind::Lost => true,
        }
    }

    /// The verdict of a claim in English, given that what the person said in another language was not heard.
    pub fn judged(&self, judgement: Judgement) -> Judgement {
        match (judgement.verdict, self.person) {
            (Verdict::Unsupported | Verdict::Unchecked, Some(person)) => unread(person),
            _ => judgement,
        }
    }
}

/// The verdict of what is written in this language.
pub(super) fn unread(language: &str) -> Judgement {
    Judgement { verdict: Verdict::Unchecked, why: Some(format!("{NOT_ANALYSED} ({language})")), better: None }
}

/// The name of the language of a text, where it is not English.
fn foreign(text: &str) -> Option<&'static str> {
    Language::told(text).map(crate::extract::Detected::name).filter(|name| !is_english(name))
}

fn is_english(name: &str) -> bool {
    name == Language::english().title()
}
