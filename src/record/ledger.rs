//! The append-only list of pinned entries of one session, and what it means when it is replayed.

use std::collections::HashMap;

use super::{Anchor, Field};
use crate::session::{Hash, SessionKey, Speaker, names};

/// What an entry says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// Something undecided.
    Open,
    /// Something that is not so, or rejected.
    RuledOut,
    /// Something that binds.
    Constraint,
    /// Something decided.
    Decision,
    /// Something that is so.
    Fact,
    /// Something that nobody said.
    NeverSaid,
}

/// What an entry does: states something about an item, or changes the standing of an earlier entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// The item is open again.
    Reopened,
    /// The original takes its place.
    Replaced,
    /// Other words take its place.
    Reworded,
    /// An open item found its end.
    Settled,
    /// Nobody said it.
    NeverSaid,
    /// It stays as it is.
    Pinned,
    /// A person stands by a proposed entry.
    Confirmed,
    /// An entry no longer counts.
    Withdrawn,
    /// A withdrawn entry counts again.
    Reinstated,
}

/// How an open item was settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It was decided.
    Decided,
    /// It was ruled out.
    RuledOut,
    /// It was done.
    Done,
}

/// How an entry came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Via {
    /// By a key on the screen.
    Tui,
    /// By a command.
    Cli,
    /// By a compaction that arrived.
    Arrival,
    /// From another database or another person.
    Import,
}

/// What an entry counts for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Waits for a person to confirm it.
    Proposed,
    /// It counts.
    Active,
    /// A newer entry on the same item counts.
    Superseded,
    /// It was taken back.
    Withdrawn,
}

names!(EntryKind {
    Open = "open",
    RuledOut = "ruled_out",
    Constraint = "constraint",
    Decision = "decision",
    Fact = "fact",
    NeverSaid = "never_said",
});
names!(Act {
    Reopened = "reopened",
    Replaced = "replaced",
    Reworded = "reworded",
    Settled = "settled",
    NeverSaid = "never-said",
    Pinned = "pinned",
    Confirmed = "confirmed",
    Withdrawn = "withdrawn",
    Reinstated = "reinstated",
});
names!(Outcome { Decided = "decided", RuledOut = "ruled-out", Done = "done" });
names!(Via { Tui = "tui", Cli = "cli", Arrival = "arrival", Import = "import" });
names!(Status { Proposed = "proposed", Active = "active", Superseded = "superseded", Withdrawn = "withdrawn" });

impl EntryKind {
    /// What an entry about an item of this field is, when it is pinned or reworded.
    pub fn of(field: Field) -> Self {
        match field {
            Field::Constraints => EntryKind::Constraint,
            Field::Decisions => EntryKind::Decision,
            Field::RuledOut => EntryKind::RuledOut,
            Field::Open => EntryKind::Open,
            Field::Narrative | Field::Entities | Field::Figures | Field::Actions => EntryKind::Fact,
        }
    }
}

impl Act {
    /// Whether it changes the standing of an earlier entry instead of stating something.
    pub fn is_about_an_entry(self) -> bool {
        matches!(self, Act::Confirmed | Act::Withdrawn | Act::Reinstated)
    }
}

/// The original words an entry rests on, as they stood when it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// The turn's number when the entry was made: for display only.
    pub turn: String,
    /// The agent's id of the turn.
    pub turn_id: String,
    /// The agent's id of the line, where it has one.
    pub line_id: Option<String>,
    /// Which block of the line.
    pub part: u32,
    /// Byte range in the part's decoded text.
    pub range: (usize, usize),
    /// Exactly those bytes.
    pub quote: String,
    /// Their hash.
    pub hash: Hash,
    /// Who spoke.
    pub speaker: Speaker,
}

/// What somebody wants to enter; the store adds number, time and hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// What the entry is.
    pub kind: EntryKind,
    /// What it does.
    pub act: Act,
    /// How an open item was settled; only for that.
    pub outcome: Option<Outcome>,
    /// What it states; empty where it is about another entry.
    pub text: String,
    /// The item that it overrules; `None` for a new entry.
    pub corrects: Option<Anchor>,
    /// The entry (by hash) that is confirmed, withdrawn or reinstated.
    pub target: Option<Hash>,
    /// The originals that it rests on.
    pub source: Option<Quote>,
    /// How it came here.
    pub via: Via,
    /// Who entered it.
    pub author: String,
    /// Why, in their words.
    pub reason: Option<String>,
    /// Made by a command with no person at a terminal: counts only once confirmed.
    pub proposed: bool,
    /// The hash it had in the database it was imported from.
    pub origin: Option<Hash>,
}

/// One entry, as stored. It never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerEntry {
    /// From 1, within its session: `L1`.
    pub no: u32,
    /// Whose ledger it is in.
    pub session: SessionKey,
    /// Milliseconds since 1970, UTC.
    pub at: i64,
    /// What was entered.
    pub draft: Draft,
    /// The hash of the entry before it; [`Hash::ZERO`] for the first.
    pub prev: Hash,
    /// Its own hash, over everything above.
    pub hash: Hash,
}

impl LedgerEntry {
    /// Where it stands in a record; `None` for one that only says what nobody said, or is about another entry.
    pub fn field(&self) -> Option<Field> {
        if self.draft.act.is_about_an_entry() {
            return None;
        }
        Some(match self.draft.kind {
            EntryKind::Open => Field::Open,
            EntryKind::RuledOut => Field::RuledOut,
            EntryKind::Constraint => Field::Constraints,
            EntryKind::Decision => Field::Decisions,
            // A fact stays where the item that it replaces stood.
            EntryKind::Fact => {
                let stood = self.draft.corrects.as_ref().map(|anchor| anchor.field);
                stood.filter(|field| EntryKind::of(*field) == EntryKind::Fact).unwrap_or(Field::Narrative)
            }
            EntryKind::NeverSaid => return None,
        })
    }

    /// Whether its words stand so in the turn that it names.
    pub fn is_quoted(&self) -> bool {
        self.draft.is_quoted()
    }
}

impl Draft {
    /// See [`LedgerEntry::is_quoted`].
    pub fn is_quoted(&self) -> bool {
        self.source.as_ref().is_some_and(|source| source.quote == self.text)
    }

    /// Whether a person said exactly this in the turn that it names. Nobody says what nobody said.
    pub fn is_said(&self) -> bool {
        let by_a_person = self.source.as_ref().is_some_and(|source| source.speaker == Speaker::User);
        by_a_person && self.is_quoted() && self.kind != EntryKind::NeverSaid
    }
}

/// The hash that an entry must have: over everything it says, and the hash of the entry before it.
pub fn entry_hash(no: u32, session: &SessionKey, at: i64, draft: &Draft, prev: Hash) -> Hash {
    let mut fields: Vec<Vec<u8>> = vec![
        prev.0.to_vec(),
        no.to_le_bytes().to_vec(),
        session.to_string().into_bytes(),
        at.to_le_bytes().to_vec(),
        draft.kind.name().into(),
        draft.act.name().into(),
        draft.outcome.map_or("", Outcome::name).into(),
        draft.text.clone().into_bytes(),
        draft.via.name().into(),
        draft.author.clone().into_bytes(),
        vec![u8::from(draft.proposed)],
    ];
    let optional = |field: Option<Vec<u8>>| field.map_or(vec![0], |bytes| [vec![1], bytes].concat());
    fields.push(optional(draft.reason.clone().map(String::into_bytes)));
    fields.push(optional(draft.target.map(|hash| hash.0.to_vec())));
    fields.push(optional(draft.origin.map(|hash| hash.0.to_vec())));
    fields.push(optional(draft.corrects.as_ref().map(|anchor| {
        let at = match &anchor.at {
            super::AnchorAt::Summary(start, end) => format!("{start}..{end}"),
            super::AnchorAt::Own { record, ordinal } => format!("{record}#{ordinal}"),
        };
        Hash::of_fields([
            anchor.session.to_string().as_bytes(),
            anchor.marker.id.as_bytes(),
            &anchor.marker.summary.0,
            anchor.field.name().as_bytes(),
            anchor.text.as_bytes(),
            &anchor.hash.0,
            at.as_bytes(),
        ])
        .0
        .to_vec()
    })));
    fields.push(optional(draft.source.as_ref().map(|source| {
        Hash::of_fields([
            source.turn.as_bytes(),
            source.turn_id.as_bytes(),
            source.line_id.as_deref().unwrap_or_default().as_bytes(),
            &source.part.to_le_bytes(),
            format!("{}..{}", source.range.0, source.range.1).as_bytes(),
            source.quote.as_bytes(),
            &source.hash.0,
            match source.speaker {
                Speaker::User => b"user",
                Speaker::Assistant => b"assistant",
                Speaker::Tool => b"tool",
                Speaker::System => b"system",
            },
        ])
        .0
        .to_vec()
    })));
    Hash::of_fields(fields.iter().map(Vec::as_slice))
}

/// Entries that say something else after a change, chained anew. Where they come from, their origin tells.
pub fn rechained(mut entries: Vec<LedgerEntry>, mut change: impl FnMut(&mut Draft)) -> Vec<LedgerEntry> {
    let mut prev = Hash::ZERO;
    let mut renamed = HashMap::new();
    for entry in &mut entries {
        let draft = &mut entry.draft;
        change(draft);
        draft.origin = draft.origin.or(Some(entry.hash));
        draft.target = draft.target.map(|target| renamed.get(&target).copied().unwrap_or(target));
        entry.prev = prev;
        prev = entry_hash(entry.no, &entry.session, entry.at, draft, prev);
        renamed.insert(std::mem::replace(&mut entry.hash, prev), prev);
    }
    entries
}

/// An entry with what it counts for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// As stored.
    pub entry: LedgerEntry,
    /// What it counts for.
    pub status: Status,
}

/// The ledger of one session, replayed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// In the order in which they were entered.
    pub entries: Vec<Standing>,
}

impl Ledger {
    /// Replays entries in their order. The same entries always give the same ledger.
    ///
    /// It is worked out from the newest entry back: by the time an entry is looked at, it is known which later entries
    /// about it count.
    pub fn replay(entries: impl IntoIterator<Item = LedgerEntry>) -> Self {
        let entries: Vec<LedgerEntry> = entries.into_iter().collect();
        let index: HashMap<Hash, usize> = entries.iter().enumerate().map(|(at, entry)| (entry.hash, at)).collect();
        let mut about: HashMap<usize, Vec<usize>> = HashMap::new();
        for (at, entry) in entries.iter().enumerate() {
            if let Some(target) = entry.draft.target.and_then(|hash| index.get(&hash)).filter(|target| **target < at) {
                about.entry(*target).or_default().push(at);
            }
        }
        let mut statuses = vec![Status::Active; entries.len()];
        // A proposal counts from the entry on that confirms it.
        let mut since: Vec<usize> = (0..entries.len()).collect();
        let mut counting: HashMap<Hash, Vec<&Anchor>> = HashMap::new();
        for (at, entry) in entries.iter().enumerate().rev() {
            let later =
                about.get(&at).into_iter().flatten().copied().filter(|later| statuses[*later] == Status::Active);
            let (confirming, mut changing): (Vec<usize>, Vec<usize>) =
                later.partition(|later| entries[*later].draft.act == Act::Confirmed);
            changing.sort_by_key(|later| since[*later]);
            let last = changing.pop();
            // What a later one undid was taken back; what it only says once more is superseded.
            for (overtaken, next) in changing.iter().zip(changing[1.min(changing.len())..].iter().chain(&last)) {
                let undone = entries[*overtaken].draft.act != entries[*next].draft.act;
                statuses[*overtaken] = if undone { Status::Withdrawn } else { Status::Superseded };
            }
            since[at] = if entry.draft.proposed { confirming.last().copied().unwrap_or(at) } else { at };
            statuses[at] = if last.is_some_and(|last| entries[last].draft.act == Act::Withdrawn) {
                Status::Withdrawn
            } else if entry.draft.proposed && confirming.is_empty() {
                Status::Proposed
            } else if let (Some(anchor), false) = (&entry.draft.corrects, entry.draft.act.is_about_an_entry()) {
                let newer = counting.entry(anchor.hash).or_default();
                if newer.iter().any(|other| other.overtakes(anchor)) {
                    Status::Superseded
                } else {
                    newer.push(anchor);
                    Status::Active
                }
            } else {
                Status::Active
            };
        }
        let entries = entries.into_iter().zip(statuses).map(|(entry, status)| Standing { entry, status }).collect();
        Self { entries }
    }

    /// The index of the entry with this hash.
    pub fn at(&self, hash: Hash) -> Option<usize> {
        self.entries.iter().position(|standing| standing.entry.hash == hash)
    }

    /// The entry with this number.
    pub fn no(&self, no: u32) -> Option<&Standing> {
        self.entries.iter().find(|standing| standing.entry.no == no)
    }

    /// What counts now: statements that are active.
    pub fn active(&self) -> impl Iterator<Item = &LedgerEntry> {
        self.entries
            .iter()
            .filter(|standing| standing.status == Status::Active && !standing.entry.draft.act.is_about_an_entry())
            .map(|standing| &standing.entry)
    }

    /// The active correction of the item with this anchor.
    pub fn on(&self, anchor: &Anchor) -> Option<&LedgerEntry> {
        self.active().filter(|entry| entry.draft.corrects.as_ref().is_some_and(|other| other.same(anchor))).last()
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::record::AnchorAt;
    use crate::session::MarkerKey;

    /// A ledger in a small notation, one entry a word: `a` and `b` state something about item a or b of marker k1, `A` and
    /// `B` about the same claims of k2, `x` and `X` about a name that both hold; `a?` as a proposal; `-1` withdraws entry 1, `+1` reinstates it, `!1` confirms it; `-1?` proposes to withdraw it.
    fn ledger(notation: &str) -> Vec<LedgerEntry> {
        let mut entries: Vec<LedgerEntry> = Vec::new();
        let session = SessionKey::new("stet", "s");
        for word in notation.split_whitespace() {
            let (word, proposed) = word.strip_suffix('?').map_or((word, false), |word| (word, true));
            let target = |no: &str| Some(entries[no.parse::<usize>().unwrap() - 1].hash);
            let (act, target, item) = match word.split_at(1) {
                ("-", no) => (Act::Withdrawn, target(no), None),
                ("+", no) => (Act::Reinstated, target(no), None),
                ("!", no) => (Act::Confirmed, target(no), None),
                (item, _) => (Act::Reworded, None, Some(item)),
            };
            let corrects = item.map(|item| Anchor {
                session: session.clone(),
                marker: MarkerKey {
                    id: if item == item.to_lowercase() { "k1" } else { "k2" }.into(),
                    summary: Hash::ZERO,
                },
                field: if item.eq_ignore_ascii_case("x") { Field::Entities } else { Field::Decisions },
                text: item.to_lowercase(),
                hash: crate::record::item::text_hash(&item.to_lowercase()),
                at: AnchorAt::Summary(0, 5),
            });
            let draft = Draft {
                kind: EntryKind::Fact,
                act,
                outcome: None,
                text: word.into(),
                corrects,
                target,
                source: None,
                via: Via::Cli,
                author: "mara".into(),
                reason: None,
                proposed,
                origin: None,
            };
            let no = entries.len() as u32 + 1;
            let prev = entries.last().map_or(Hash::ZERO, |entry| entry.hash);
            let hash = entry_hash(no, &session, 0, &draft, prev);
            entries.push(LedgerEntry { no, session: session.clone(), at: 0, draft, prev, hash });
        }
        entries
    }

    fn check(notation: &str, statuses: &str) {
        let ledger = Ledger::replay(ledger(notation));
        let got: Vec<&str> = ledger.entries.iter().map(|standing| &standing.status.name()[..1]).collect();
        assert_eq!(got.join(" "), statuses, "{notation}");
    }

    #[test]
    fn the_newest_entry_on_an_item_counts_and_withdrawing_it_revives_the_one_before() {
        check("a", "a");
        check("a a", "s a");
        check("a b a", "s a a");
        check("a a -2", "a w a");
        check("a a -2 +2", "s a w a");
        check("a -1 +1 -1", "w w w a");
        check("a -1 -1", "w s a");
    }

    #[test]
    fn a_claim_that_two_markers_repeat_has_one_entry_that_counts_and_a_name_one_at_each() {
        check("a A", "s a");
        check("a A a", "s s a");
        check("a B A", "s a a");
        check("a A -2", "a w a");
        check("a A?", "a p");
        check("x X", "a a");
        check("x X x", "s a a");
    }

    #[test]
    fn withdrawing_a_withdrawal_undoes_it() {
        check("a -1 -2", "a w a");
    }

    #[test]
    fn a_proposal_counts_only_once_it_is_confirmed() {
        check("a a?", "a p");
        check("a a? !2", "s a a");
        check("a -1?", "a p");
        check("a -1? !2", "w a a");
        check("a? !1?", "p p");
        // What a person says last holds, whenever it was proposed.
        check("a -1? -1 +1 !2", "w a w w a");
        check("a -1? +1? !3 !2", "w a w a a");
    }

    #[test]
    fn a_withdrawn_entry_leaves_the_others_as_if_it_had_never_been_written() {
        for (with, without) in [("a a -2", "a"), ("a b b -3", "a b"), ("a? b -2", "a?"), ("a A -2", "a")] {
            let active = |notation| {
                let ledger = Ledger::replay(ledger(notation));
                ledger.active().map(|entry| entry.draft.text.clone()).collect::<Vec<_>>()
            };
            assert_eq!(active(with), active(without), "{with}");
        }
    }

    #[test]
    fn every_field_of_an_entry_is_in_its_hash() {
        let entry = &ledger("a -1")[1];
        let hash = |change: &dyn Fn(&mut Draft)| {
            let mut draft = entry.draft.clone();
            change(&mut draft);
            entry_hash(entry.no, &entry.session, entry.at, &draft, entry.prev)
        };
        assert_eq!(hash(&|_| ()), entry.hash);
        let changes: [&dyn Fn(&mut Draft); 9] = [
            &|d| d.text.push('.'),
            &|d| d.kind = EntryKind::Open,
            &|d| d.act = Act::Pinned,
            &|d| d.author.push('x'),
            &|d| d.via = Via::Tui,
            &|d| d.reason = Some(String::new()),
            &|d| d.target = None,
            &|d| d.proposed = true,
            &|d| d.outcome = Some(Outcome::Done),
        ];
        for change in changes {
            assert_ne!(hash(change), entry.hash);
        }
    }
}
