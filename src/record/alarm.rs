//! A finding that a person said to be a wrong alarm: what it is known by, so that it is not raised again.

use super::item::text_hash;
use super::{Field, Finding, FindingKind};
use crate::session::{Hash, MarkerKey, SessionKey};

/// What a finding is known by, whatever number it has and however its record was lifted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Alarm {
    /// The session.
    pub session: SessionKey,
    /// The marker that the finding is shown at.
    pub marker: MarkerKey,
    /// What was said to be wrong.
    pub kind: FindingKind,
    /// The field that it was in.
    pub field: Field,
    /// What the record says, or what was said to be missing from it.
    pub text: String,
    /// Of the text with white space folded.
    pub hash: Hash,
    /// Where in the summary; `None` where it is about the originals.
    pub range: Option<(usize, usize)>,
}

impl Alarm {
    /// What a finding of this marker is known by.
    pub fn of(finding: &Finding, session: &SessionKey, marker: &MarkerKey) -> Self {
        Self {
            session: session.clone(),
            marker: marker.clone(),
            kind: finding.kind,
            field: finding.field,
            text: finding.text.clone(),
            hash: text_hash(&finding.text),
            range: finding.summary_range,
        }
    }

    /// Whether both say the same of the same text at the same marker.
    pub fn same(&self, other: &Alarm) -> bool {
        self.session == other.session
            && self.marker == other.marker
            && self.kind == other.kind
            && self.hash == other.hash
    }

    /// Whether it is about this finding.
    pub fn is_about(&self, finding: &Finding, session: &SessionKey, marker: &MarkerKey) -> bool {
        self.session == *session
            && self.marker == *marker
            && self.kind == finding.kind
            && self.hash == text_hash(&finding.text)
    }
}
