//! What was found in the sentences of a part when it was looked at, for who picks some of them afterwards.

use super::cues::Cues;
use crate::extract::Told;

/// The sentences of a part's prose with what was found in them, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heard(pub(super) Vec<Sentence>);

/// One of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sentence {
    pub told: Told,
    /// The cues among its words; `None` where nobody looked for them.
    pub cues: Option<Cues>,
    /// What it is about; `None` where nobody asked.
    pub gist: Option<Vec<u32>>,
}

impl Sentence {
    /// Nobody looked for anything in it yet.
    pub fn new(told: Told) -> Self {
        Self { told, cues: None, gist: None }
    }
}
