//! A ledger that fills itself: what binds in a person's words is entered verbatim while the words arrive, in the same
//! transaction. Which words bind is said by whoever appends. Nothing is entered of what was stored before, and nothing
//! twice.

use std::collections::HashSet;
use std::ops::Range;

use rusqlite::Connection;

use super::interchange::Heard;
use super::{StoreError, ledger, sessions};
use crate::record::{Act, Draft, EntryKind, Quote, Via, text_hash};
use crate::session::{Body, FileNo, Hash, Line, Outline, Part, PartKind, Role, SessionKey, Speaker};

/// A sentence that is to be entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// What the entry is.
    pub kind: EntryKind,
    /// It waits for a person.
    pub proposed: bool,
    /// The bytes of the text, which are the entry's words.
    pub range: Range<usize>,
}

/// The last entry, and the words of all.
type Known = (Option<(u32, Hash)>, HashSet<Hash>);

/// Finds what binds in a person's words, and remembers what was entered.
pub struct Arrivals {
    find: fn(&str) -> Vec<Binding>,
    author: String,
    clock: fn() -> i64,
    /// The words of all entries, as of this end of the ledger.
    known: Option<Known>,
    /// Numbers the turns; made with the first entry.
    outline: Option<Outline>,
    /// So many lines of the session's own file are in it.
    fed: u64,
}

impl Arrivals {
    /// `find` sees the whole text of a part that a person typed.
    pub fn new(find: fn(&str) -> Vec<Binding>, author: String, clock: fn() -> i64) -> Self {
        Self { find, author, clock, known: None, outline: None, fed: 0 }
    }

    pub(super) fn finder(&self) -> fn(&str) -> Vec<Binding> {
        self.find
    }

    /// What was written did not stay: nothing that was remembered holds.
    pub(super) fn forget(&mut self) {
        (self.known, self.outline) = (None, None);
    }

    /// Enters what binds in lines that have just been stored, each with what was found in its words; `before` is how many
    /// lines the session's own file had. Gives how many entries are new.
    pub(super) fn enter(
        &mut self,
        tx: &Connection,
        session: i64,
        key: &SessionKey,
        before: u64,
        heard: &[(Heard, Vec<Binding>)],
    ) -> Result<usize, StoreError> {
        let opened = heard.iter().filter(|(heard, _)| heard.opens).count() as u64;
        if self.fed != before {
            self.outline = None;
        }
        if let Some(outline) = &mut self.outline {
            for (heard, _) in heard.iter().filter(|(heard, _)| heard.opens) {
                outline.push(&heard.line);
            }
        }
        if heard.iter().all(|(_, found)| found.is_empty()) {
            self.fed = before + opened;
            return Ok(0);
        }
        let outline = match &mut self.outline {
            Some(outline) => outline,
            none => {
                let mut outline = Outline::default();
                sessions::feed(tx, session, FileNo(0), &mut outline)?;
                none.insert(outline)
            }
        };
        self.fed = before + opened;
        let end = ledger::last(tx, session)?;
        let known = match &mut self.known {
            Some((as_of, known)) if *as_of == end => known,
            other => {
                let entries = ledger::entries(tx, session, key)?;
                let words = entries.iter().flat_map(|entry| {
                    let quote = entry.draft.source.as_ref().map(|source| text_hash(&source.quote));
                    [Some(text_hash(&entry.draft.text)), quote].into_iter().flatten()
                });
                &mut other.insert((end, words.collect())).1
            }
        };
        let mut entered = 0;
        for (Heard { line, .. }, found) in heard {
            let Some(part) = typed(line) else { continue };
            let turn = outline.turn_at(line.file, line.offset);
            for Binding { kind, proposed, range } in found {
                let Some(words) = part.text.get(range.clone()).filter(|words| !words.is_empty()) else { continue };
                if !known.insert(text_hash(words)) {
                    continue;
                }
                let number = turn.and_then(|turn| outline.number(turn));
                let source = Quote {
                    turn: number.map(|no| no.to_string()).unwrap_or_default(),
                    turn_id: turn.map_or_else(|| line.offset.to_string(), |turn| turn.id.to_string()),
                    line_id: line.id.clone(),
                    part: part.block,
                    range: (range.start, range.end),
                    quote: words.to_owned(),
                    hash: Hash::of(words.as_bytes()),
                    speaker: part.speaker,
                };
                let draft = Draft {
                    kind: *kind,
                    act: Act::Pinned,
                    outcome: None,
                    text: words.to_owned(),
                    corrects: None,
                    target: None,
                    source: Some(source),
                    via: Via::Arrival,
                    author: self.author.clone(),
                    reason: None,
                    proposed: *proposed,
                    origin: None,
                };
                ledger::append(tx, session, key, draft, line.at.unwrap_or_else(self.clock))?;
                entered += 1;
            }
        }
        if let Some((as_of, _)) = &mut self.known {
            *as_of = ledger::last(tx, session)?;
        }
        Ok(entered)
    }
}

/// The part of a line that a person typed: in the session's own file, and no sub-agent's.
pub(super) fn typed(line: &Line) -> Option<&Part> {
    if line.file != FileNo(0) || line.sidechain.is_some() {
        return None;
    }
    let Body::Message { role: Role::User, parts, .. } = &line.body else { return None };
    parts.iter().find(|part| part.kind == PartKind::Text && part.speaker == Speaker::User)
}
