//! What a person says as it passes: which of their turns say yes, and which words they ever used to state or want
//! something. A proposal and the yes behind it are a pair.

use foldhash::HashMap;

use crate::extract::{Language, stem, words};
use crate::record::{Manner, Passage};
use crate::session::Speaker;
use crate::text::sentences;

use super::deeds::Deeds;
use super::lists::lists;
use super::own::Own;
use super::reports::Reports;

/// The person's turns in the order of the session.
#[derive(Clone, Debug, Default)]
pub struct Consents {
    turns: Vec<Turn>,
    /// Where the person used a stem first, other than in a question.
    stated: HashMap<String, u64>,
    /// What the person typed, text by text.
    pub(super) own: Own,
    pub(super) reports: Reports,
    pub(super) deeds: Deeds,
}

/// A turn of the person.
#[derive(Clone, Copy, Debug)]
struct Turn {
    seq: u64,
    /// It begins with a yes.
    yes: bool,
    /// It begins by finding something good.
    praises: bool,
    /// It is so short that it only answers, and does not say no.
    answers: bool,
}

/// An answer that says what was proposed in so many words says it.
const ANSWER: usize = 4;
/// So far into a turn a yes is looked for.
const BEGINNING: usize = 160;
/// What is longer was pasted.
const OWN_WORDS: usize = 8 * 1024;

impl Consents {
    /// A text of the session: its place among the parts, and where its line starts.
    pub fn hear(&mut self, text: &str, speaker: Speaker, seq: u64, at: u64) {
        self.reports.hear(text, speaker, at);
        self.deeds.hear(text, speaker, at);
        if speaker != Speaker::User || text.trim().is_empty() {
            return;
        }
        let start = &text[..text.floor_char_boundary(BEGINNING)];
        let heard = words(start);
        let language = Language::english();
        let yes = language.asides.at(&heard, 0).is_none()
            && (language.acceptance.at(&heard, 0).is_some() || language.bare_yes.at(&heard, 0).is_some());
        let (yes, praises) = (yes || lists().approvals.is_in(&heard), lists().praise.is_in(&heard));
        let no = heard.first().is_some_and(|word| lists().no.contains(&*word.lower));
        let answers = heard.len() <= ANSWER && text.len() <= BEGINNING && !no;
        self.turns.push(Turn { seq, yes, praises, answers });
        let own = &text[..text.floor_char_boundary(OWN_WORDS)];
        for sentence in sentences(own) {
            let heard = words(&own[sentence.clone()]);
            if own[sentence].ends_with('?') && !is_request(&heard) {
                continue;
            }
            for word in heard.iter().flat_map(|word| word.lower.split('-')) {
                if let Ok(stem) = std::str::from_utf8(stem(word.as_bytes()))
                    && !self.stated.contains_key(stem)
                {
                    self.stated.insert(stem.to_owned(), at);
                }
            }
        }
    }

    /// A call of this tool whose line starts at a place.
    pub fn call(&mut self, tool: &str, text: &str, at: u64) {
        self.deeds.call(tool, text, at);
    }

    /// A whole text of the session, to be asked for later: kept where the person typed it.
    pub fn keep(&mut self, passage: Passage) {
        let typed = passage.origin.speaker == Speaker::User && passage.origin.manner == Manner::Text;
        if typed && passage.around.len() <= OWN_WORDS {
            self.own.push(passage);
        }
    }

    /// Whether a text of this speaker and manner is worth keeping.
    pub fn wants(speaker: Speaker, len: usize) -> bool {
        speaker == Speaker::User && len <= OWN_WORDS
    }

    /// Whether the person said yes when they spoke next.
    pub fn follow(&self, seq: u64) -> bool {
        self.next(seq).is_some_and(|turn| turn.yes)
    }

    /// Whether the person answered in a word or two, and not with a no, when they spoke next.
    pub fn answered(&self, seq: u64) -> bool {
        self.next(seq).is_some_and(|turn| turn.answers)
    }

    /// Whether the person found something good when they spoke next.
    pub fn praises(&self, seq: u64) -> bool {
        self.next(seq).is_some_and(|turn| turn.praises)
    }

    /// The last turn of the person before this.
    pub fn last_before(&self, seq: u64) -> Option<u64> {
        let next = self.turns.partition_point(|turn| turn.seq < seq);
        self.turns[..next].last().map(|turn| turn.seq)
    }

    fn next(&self, seq: u64) -> Option<&Turn> {
        self.turns.get(self.turns.partition_point(|turn| turn.seq <= seq))
    }

    /// Whether the person used a word of this stem before a place, other than in a question.
    pub fn stated(&self, stem: &str, before: u64) -> bool {
        self.stated.get(stem).is_some_and(|at| *at < before)
    }
}

/// A question in form that asks for something to be done.
pub(super) fn is_request(heard: &[crate::extract::Word]) -> bool {
    let language = Language::english();
    language.requests.is_in(heard) || language.asks.is_in(heard)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_next_turn_of_the_person_answers() {
        let mut consents = Consents::default();
        for (seq, speaker, text) in [
            (1, Speaker::User, "Should we drop it?"),
            (2, Speaker::Assistant, "Yes, shall I?"),
            (3, Speaker::User, "Yes, do it."),
            (4, Speaker::Assistant, "Done. Push it?"),
            (5, Speaker::User, "No."),
        ] {
            consents.hear(text, speaker, seq, seq * 10);
        }
        for (seq, want) in [(0, false), (2, true), (1, true), (4, false), (5, false)] {
            assert_eq!(consents.follow(seq), want, "{seq}");
        }
    }

    #[test]
    fn a_word_or_two_that_do_not_deny_answer_what_was_proposed() {
        for (next, want) in
            [("full", true), ("the second one", true), ("no", false), ("what about the disks first?", false)]
        {
            let mut consents = Consents::default();
            consents.hear("Shall it be a full or a partial copy?", Speaker::Assistant, 1, 10);
            consents.hear(next, Speaker::User, 2, 20);
            assert_eq!(consents.answered(1), want, "{next}");
        }
    }

    #[test]
    fn a_word_in_a_question_is_not_stated() {
        let mut consents = Consents::default();
        consents.hear("Should we merge? Tests first.", Speaker::User, 1, 10);
        consents.hear("We deploy.", Speaker::Assistant, 2, 20);
        for (stem, before, want) in
            [("merg", 50, false), ("test", 50, true), ("test", 10, false), ("deploy", 50, false)]
        {
            assert_eq!(consents.stated(stem, before), want, "{stem} {before}");
        }
    }
}
