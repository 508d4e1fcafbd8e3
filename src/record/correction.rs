//! What one key does to an item, and what the menu offers. The table of the product, as a function.

use super::{Act, EntryKind, Field, Item, Outcome};
use crate::session::SourceRef;

/// What is to be entered about an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// What is done.
    pub act: Act,
    /// What the entry is.
    pub kind: EntryKind,
    /// How an open item was settled; only for that.
    pub outcome: Option<Outcome>,
    /// What holds instead, or the text that is pinned.
    pub text: String,
    /// The original words it rests on.
    pub source: Option<SourceRef>,
    /// What is said to the person besides: that no original could be found, for instance.
    pub note: Option<&'static str>,
}

/// What a person can choose for an item: the one-key fix first, then the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// What `x` does.
    Fix,
    /// It says the right thing in the wrong words.
    Reword,
    /// Only for a ruled-out item: it was decided.
    WasDecided,
    /// Nobody ever said it.
    NeverSaid,
    /// It is right and must stay.
    PinAsIs,
}

/// The menu of a field, in order; `x` comes first.
pub fn choices(field: Field) -> &'static [Choice] {
    match field {
        Field::RuledOut => &[Choice::Fix, Choice::Reword, Choice::WasDecided, Choice::NeverSaid, Choice::PinAsIs],
        Field::Narrative
        | Field::Entities
        | Field::Figures
        | Field::Constraints
        | Field::Decisions
        | Field::Actions
        | Field::Open => &[Choice::Fix, Choice::Reword, Choice::NeverSaid, Choice::PinAsIs],
    }
}

/// What `x` proposes for an item. An open item is *settled*: its outcome and turn are proposed and wait for `Enter`;
/// everything else is entered at once.
pub fn one_key(item: &Item) -> Correction {
    let source = item.sources.first().cloned();
    let quoted = source.as_ref().map(|source| source.quote.clone());
    let plain =
        |act, kind, text: String| Correction { act, kind, outcome: None, text, source: source.clone(), note: None };
    match item.field {
        Field::RuledOut => plain(Act::Reopened, EntryKind::Open, item.text.clone()),
        Field::Decisions => plain(Act::Reopened, EntryKind::Open, quoted.unwrap_or_else(|| item.text.clone())),
        Field::Open => Correction {
            outcome: Some(Outcome::Decided),
            ..plain(Act::Settled, EntryKind::Decision, item.text.clone())
        },
        Field::Narrative | Field::Entities | Field::Figures | Field::Constraints | Field::Actions => match quoted {
            Some(quote) => plain(Act::Replaced, EntryKind::of(item.field), quote),
            None => Correction {
                note: Some("no original words were found for it, so it is entered as never said"),
                ..plain(Act::NeverSaid, EntryKind::NeverSaid, item.text.clone())
            },
        },
    }
}
