//! What is done outside of files: pushed, deployed, published. Who says that it was done needs a command that does it, or
//! somebody's word for it.

use std::ops::Range;

use crate::extract::Certainty;
use crate::record::Field;
use crate::session::Speaker;

use super::Heard;
use super::attribution::Who;
use super::clauses::clause_of;
use super::lists::lists;

/// So much of a command, or of what somebody says, is looked at.
const HEAD: usize = 8 * 1024;
/// What a tool shows of it stands at its beginning.
const SHOWN: usize = 2 * 1024;

/// Where things were done, or told, first.
#[derive(Clone, Debug, Default)]
pub(super) struct Deeds {
    /// In the order of the list; `None` where nothing shows it.
    seen: Vec<Option<u64>>,
    /// Where the agent ran anything first.
    ran: Option<u64>,
}

impl Deeds {
    /// A call of this tool, at a place.
    pub(super) fn call(&mut self, tool: &str, text: &str, at: u64) {
        let tool = tool.to_ascii_lowercase();
        self.note(&tool, at, Told::Done);
        // Code that is written may hold any word.
        if !lists().writing_tools.iter().any(|part| tool.contains(part)) {
            self.ran.get_or_insert(at);
            self.note(&text[..text.floor_char_boundary(HEAD)], at, Told::Done);
        }
    }

    /// What somebody but the agent says, or a tool shows, at a place.
    pub(super) fn hear(&mut self, text: &str, speaker: Speaker, at: u64) {
        match speaker {
            Speaker::User => self.note(&text[..text.floor_char_boundary(HEAD)], at, Told::Done),
            Speaker::Tool => self.note(&text[..text.floor_char_boundary(SHOWN)], at, Told::Shown),
            Speaker::Assistant | Speaker::System => {}
        }
    }

    fn note(&mut self, text: &str, at: u64, told: Told) {
        let deeds = &lists().deeds;
        self.seen.resize(deeds.len(), None);
        if self.seen.iter().all(Option::is_some) {
            return;
        }
        let text = text.to_ascii_lowercase();
        for (seen, (past, words)) in self.seen.iter_mut().zip(deeds).filter(|(seen, _)| seen.is_none()) {
            let shown = match told {
                Told::Done => words.iter().any(|word| begins_word(&text, word)),
                Told::Shown => begins_word(&text, past),
            };
            *seen = shown.then_some(at);
        }
    }

    fn shows(&self, deed: usize, before: u64) -> bool {
        self.seen.get(deed).copied().flatten().is_some_and(|at| at < before)
    }
}

/// What counts as showing it.
#[derive(Clone, Copy)]
enum Told {
    /// Any word for it.
    Done,
    /// That it is over.
    Shown,
}

/// Whether a word of the text begins so.
fn begins_word(text: &str, word: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), word)
        .any(|at| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// The word by which a claim says that something was done of which nothing shows that it was.
pub(super) fn unseen(heard: &Heard) -> Option<Range<usize>> {
    let claim = heard.claim;
    let (deeds, here) = (&heard.case.consents.deeds, heard.case.compaction.place.offset);
    let works = deeds.ran.is_some_and(|at| at < here);
    let tells = !matches!(heard.item.field, Field::Open | Field::Constraints | Field::RuledOut);
    let by_person = heard.said.iter().any(|said| said.who == Who::Person);
    if !works || !tells || by_person || claim.level() < Certainty::Decided {
        return None;
    }
    let is_done = |at: &usize| {
        let clause = clause_of(claim, *at);
        let open = |at: usize| {
            let word = claim.tokens[at].lower.as_str();
            lists().still.contains(word) || lists().conditions.contains(word) || lists().noes.contains(word)
        };
        !claim.is_negated(*at) && !claim.tokens[*at].code && !clause.into_iter().any(open)
    };
    let all = lists().deeds.iter().enumerate().filter(|(no, _)| !deeds.shows(*no, here));
    let found = all.flat_map(|(_, (past, _))| (0..claim.tokens.len()).filter(|at| claim.tokens[*at].lower == *past));
    found.filter(is_done).map(|at| claim.tokens[at].range.clone()).next()
}
