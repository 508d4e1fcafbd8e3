//! A finding as it is shown at one marker: what it says, and what a person answered.

use super::{Run, Signs, Tone};
use crate::record::{Finding, FindingKind, LedgerEntry};

/// What a person answered to a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer<'a> {
    /// Nothing yet.
    Open,
    /// Its item is overruled, or what was forgotten is pinned.
    Entered(&'a LedgerEntry),
    /// It is said to be a wrong alarm.
    WrongAlarm,
}

/// A finding at a marker that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen<'a> {
    /// What was found.
    pub finding: &'a Finding,
    /// The item of this marker's record; `None` for what is not in it.
    pub item: Option<usize>,
    /// What a person answered.
    pub answer: Answer<'a>,
}

impl Seen<'_> {
    /// Whether it still waits for a person.
    pub fn is_open(&self) -> bool {
        self.answer == Answer::Open
    }

    /// Whether it stands among what was forgotten instead of at an item.
    pub fn is_forgotten(&self) -> bool {
        self.finding.kind == FindingKind::Lost && self.item.is_none()
    }
}

/// The sign before a finding.
pub(super) fn sign(of: &Seen<'_>, signs: &Signs) -> Run {
    match of.answer {
        Answer::Entered(_) => Run::new(signs.right, Tone::Accent),
        Answer::WrongAlarm => Run::dim(signs.unknown),
        Answer::Open if of.finding.kind == FindingKind::Lost => {
            let tone = if of.finding.needed_again.is_empty() { Tone::Text } else { Tone::Warning };
            Run::new(signs.lost, tone)
        }
        Answer::Open => Run::new(signs.wrong, Tone::Warning),
    }
}

/// What a person answered, in words; empty for nothing.
pub(super) fn answered(of: &Seen<'_>) -> String {
    match of.answer {
        Answer::Open => String::new(),
        Answer::Entered(entry) if of.is_forgotten() => format!("pinned as L{}", entry.no),
        Answer::Entered(entry) => format!("corrected by L{}", entry.no),
        Answer::WrongAlarm => "said to be a wrong alarm".to_owned(),
    }
}

/// The same where there is little room.
pub(super) fn answered_briefly(of: &Seen<'_>) -> String {
    match of.answer {
        Answer::Open => String::new(),
        Answer::Entered(entry) => format!("L{}", entry.no),
        Answer::WrongAlarm => "wrong alarm".to_owned(),
    }
}
