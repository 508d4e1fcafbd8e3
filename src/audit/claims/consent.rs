//! A person's turns as they pass: which of them say yes. A proposal and the yes behind it are a pair.

use std::sync::OnceLock;

use crate::extract::{Language, Lexicon, words};
use crate::session::Speaker;

/// The person's turns in the order of the session, and whether each begins with a yes.
#[derive(Clone, Debug, Default)]
pub struct Consents {
    turns: Vec<(u64, bool)>,
}

/// So far into a turn a yes is looked for.
const BEGINNING: usize = 160;

impl Consents {
    /// A text of the session; `seq` is its place.
    pub fn hear(&mut self, text: &str, speaker: Speaker, seq: u64) {
        if speaker != Speaker::User || text.trim().is_empty() {
            return;
        }
        let start = &text[..text.floor_char_boundary(BEGINNING)];
        let heard = words(start);
        let language = Language::english();
        let yes = language.asides.at(&heard, 0).is_none()
            && (language.acceptance.at(&heard, 0).is_some() || language.bare_yes.at(&heard, 0).is_some());
        self.turns.push((seq, yes || approvals().is_in(&heard)));
    }

    /// Whether the person said yes when they spoke next.
    pub fn follow(&self, seq: u64) -> bool {
        let next = self.turns.partition_point(|(turn, _)| *turn <= seq);
        self.turns.get(next).is_some_and(|(_, yes)| *yes)
    }
}

fn approvals() -> &'static Lexicon {
    static APPROVALS: OnceLock<Lexicon> = OnceLock::new();
    APPROVALS.get_or_init(|| Lexicon::parse(include_str!("../../../assets/lexicon/en/approvals.txt")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_next_turn_of_the_person_answers() {
        let mut consents = Consents::default();
        for (seq, speaker, text) in [
            (1, Speaker::User, "Can we drop it?"),
            (2, Speaker::Assistant, "Yes, shall I?"),
            (3, Speaker::User, "Yes, do it."),
            (4, Speaker::Assistant, "Done. Push it?"),
            (5, Speaker::User, "No."),
        ] {
            consents.hear(text, speaker, seq);
        }
        for (seq, want) in [(0, false), (2, true), (1, true), (4, false), (5, false)] {
            assert_eq!(consents.follow(seq), want, "{seq}");
        }
    }
}
