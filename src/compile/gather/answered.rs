//! Questions that were answered later: where each stood, and which turn answered it. Only what is plain is noted: an
//! answer that says most of the question again without a doubt, or a yes to what the agent asked.

use std::collections::HashMap;

use crate::session::{SourceRef, TurnNo};

use super::Gather;
use super::thing::{Where, Words};

/// So much of a question its answer says again.
pub(super) const SURE: f32 = 0.6;
/// So many questions are remembered; what is asked behind that has no note.
const MOST: usize = 20_000;

/// Answers, by where the question stands.
#[derive(Debug, Default)]
pub(super) struct Answered(HashMap<u64, Vec<Answer>>);

#[derive(Debug)]
struct Answer {
    /// The words of the question in its part.
    asked: (usize, usize),
    seq: u64,
    turn: u32,
}

impl Answered {
    /// Notes the first answer to a question.
    pub fn add(&mut self, question: &Words, at: &Where) {
        if self.0.len() >= MOST || question.at.seq >= at.seq || question.at.turn == at.turn {
            return;
        }
        let known = self.0.entry(question.at.seq).or_default();
        if !known.iter().any(|answer| answer.asked == question.range) {
            known.push(Answer { asked: question.range, seq: at.seq, turn: at.turn });
        }
    }
}

impl Gather {
    /// The turn before a marker that plainly answers a question which stands at these words; `None` where nobody can tell.
    pub fn answered_before(&self, marker: usize, question: &SourceRef) -> Option<TurnNo> {
        let mark = self.marks.get(marker)?;
        let asked = |one: &&Answer| one.asked.0 < question.range.1 && question.range.0 < one.asked.1;
        let answer = self.answered.0.get(&question.seq.0)?.iter().find(asked)?;
        (answer.seq <= mark.end && mark.reaches.contains(answer.seq)).then(|| TurnNo::main(answer.turn))
    }
}
