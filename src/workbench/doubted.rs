//! Questions that a person is in doubt about, and thoughts that they do not hold firmly yet: what they ask or think of
//! doing, and beside it, in so many words, that they do not know whether they want it.

use std::ops::Range;
use std::sync::OnceLock;

use crate::extract::{Certainty, Kind, Lexicon, Read, words};

/// A doubt stands at most so many sentences behind its question.
const BEHIND: usize = 3;

/// The sentences of a question with its doubt, and those that hold both, with the words of doubt; in order.
pub(super) fn doubted(text: &str, read: &Read) -> Vec<(Range<usize>, Range<usize>)> {
    let mut found: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    let mut asked: Option<(usize, &Range<usize>)> = None;
    for (at, one) in read.told.iter().enumerate() {
        if one.is(Kind::Open, "question") {
            asked = Some((at, &one.range));
            continue;
        }
        let said = words(&text[one.range.clone()]);
        let Some((first, behind)) = misgivings().find(&said) else { continue };
        let start = one.range.start;
        let cue = start + said[first].range.start..start + said[behind - 1].range.end;
        let beside = asked.filter(|(no, question)| at - no <= BEHIND && !text[question.end..start].contains("\n\n"));
        if let Some((_, question)) = beside {
            // It is one question, however many doubts stand behind it.
            if found.iter().all(|(range, _)| range != question) {
                let mark = text[question.clone()].rfind(['?', '？']).map_or(question.end, |at| question.start + at);
                found.push((question.clone(), mark..mark + 1));
            }
            found.push((one.range.clone(), cue));
        } else if one.certainty <= Certainty::Possible {
            found.push((one.range.clone(), cue));
        }
    }
    found
}

fn misgivings() -> &'static Lexicon {
    static LIST: OnceLock<Lexicon> = OnceLock::new();
    LIST.get_or_init(|| Lexicon::parse(include_str!("../../assets/lexicon/en/misgivings.txt")))
}
