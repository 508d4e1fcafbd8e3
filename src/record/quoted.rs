//! Whether an entry's quote stands in the originals: the words, where it says, said by whom it says.

use super::Quote;
use crate::session::{Body, Hash, Line, Speaker};

/// What was found of a quote, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quoted {
    /// Not even its line.
    Nowhere,
    /// Its line, or a line of its turn, without the words in their place.
    Place,
    /// The words, and somebody else said them.
    Words,
    /// Its place, said by whom it says; the text is gone, so that nobody can tell the words.
    Gone,
    /// All that it says.
    Whole,
}

impl Quote {
    /// What one part in its place holds of it. `None` where the part's text is gone: only its speaker is known.
    pub fn in_part(&self, speaker: Speaker, text: Option<&str>) -> Quoted {
        let says = |text: &str| text.get(self.range.0..self.range.1).is_some_and(|words| words == self.quote);
        match text {
            Some(text) if !says(text) => Quoted::Place,
            Some(_) | None if speaker != self.speaker => Quoted::Words,
            Some(_) => Quoted::Whole,
            None => Quoted::Gone,
        }
    }

    /// What a line holds of it; `is_gone` says of which of its parts the text is gone.
    pub fn in_line(&self, line: &Line, is_gone: impl Fn(u32) -> bool) -> Quoted {
        let Body::Message { parts, .. } = &line.body else { return Quoted::Nowhere };
        let here = parts.iter().filter(|part| part.block == self.part);
        let held = here.map(|part| self.in_part(part.speaker, (!is_gone(part.block)).then_some(&part.text)));
        held.max().unwrap_or(Quoted::Place)
    }

    /// What is wrong with it after all its lines were looked at; `None` when it holds.
    pub fn fault(&self, found: Quoted) -> Option<String> {
        if Hash::of(self.quote.as_bytes()) != self.hash {
            return Some("its quote is not what was quoted".to_owned());
        }
        let said_by = match self.speaker {
            Speaker::User => "a person",
            Speaker::Assistant => "the agent",
            Speaker::Tool => "a tool",
            Speaker::System => "the system",
        };
        match found {
            Quoted::Nowhere => Some(format!("the turn {} that it quotes is not here", self.turn_id)),
            Quoted::Place => Some(format!("its quote is not in turn {} where it says", self.turn_id)),
            Quoted::Words => Some(format!("its quote in turn {} was not said by {said_by}", self.turn_id)),
            Quoted::Gone | Quoted::Whole => None,
        }
    }
}
