//! What one key does to an item, and what the menu offers. The table of the product, as a function.

use super::{Act, EntryKind, Field, Item, Outcome};
use crate::session::{Originals, SourceRef};

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

/// What `x` enters for an item. `None` where one key is not enough: an open item, whose end must be said (see
/// [`super::settlements`]), and one for which no original was found in a session whose beginning is not in the file:
/// nobody can know that it was never said.
pub fn one_key(item: &Item, originals: Originals) -> Option<Correction> {
    let source = item.sources.first().cloned();
    let quoted = source.as_ref().map(|source| source.quote.clone());
    let plain = |act, kind, text: String| {
        Some(Correction { act, kind, outcome: None, text, source: source.clone(), note: None })
    };
    match item.field {
        Field::RuledOut => plain(Act::Reopened, EntryKind::Open, item.text.clone()),
        Field::Decisions => plain(Act::Reopened, EntryKind::Open, quoted.unwrap_or_else(|| item.text.clone())),
        Field::Open => None,
        Field::Narrative | Field::Entities | Field::Figures | Field::Constraints | Field::Actions => {
            if let Some(quote) = quoted {
                return plain(Act::Replaced, EntryKind::of(item.field), quote);
            }
            let note = Some("no original words were found for it, so it is entered as never said");
            let never = plain(Act::NeverSaid, EntryKind::NeverSaid, item.text.clone());
            never.filter(|_| originals == Originals::Present).map(|never| Correction { note, ..never })
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::record::{Detail, Verdict};
    use crate::session::{FileNo, Hash, PartSeq, Place, Speaker, TurnNo};

    fn item(field: Field, quote: Option<&str>) -> Item {
        let source = |quote: &str| SourceRef {
            turn: TurnNo::main(22),
            turn_id: "t22".into(),
            line_id: None,
            place: Place { file: FileNo(0), offset: 0, part: 0 },
            seq: PartSeq(0),
            range: (0, quote.len()),
            quote: quote.into(),
            hash: Hash::of(quote.as_bytes()),
            speaker: Speaker::User,
        };
        Item {
            field,
            text: "claim".into(),
            range: None,
            detail: Detail::Plain,
            sources: quote.map(source).into_iter().collect(),
            verdict: Verdict::Unchecked,
            why: None,
            better: None,
            own: None,
        }
    }

    #[test]
    fn one_key_does_what_the_table_says() {
        let quote = Some("should it?");
        for (field, source, act, kind, text) in [
            (Field::RuledOut, quote, Act::Reopened, EntryKind::Open, "claim"),
            (Field::Decisions, quote, Act::Reopened, EntryKind::Open, "should it?"),
            (Field::Decisions, None, Act::Reopened, EntryKind::Open, "claim"),
            (Field::Constraints, quote, Act::Replaced, EntryKind::Constraint, "should it?"),
            (Field::Figures, quote, Act::Replaced, EntryKind::Fact, "should it?"),
            (Field::Entities, quote, Act::Replaced, EntryKind::Fact, "should it?"),
            (Field::Actions, quote, Act::Replaced, EntryKind::Fact, "should it?"),
            (Field::Narrative, quote, Act::Replaced, EntryKind::Fact, "should it?"),
            (Field::Narrative, None, Act::NeverSaid, EntryKind::NeverSaid, "claim"),
        ] {
            let got = one_key(&item(field, source), Originals::Present).unwrap();
            assert_eq!((got.act, got.kind, got.text.as_str()), (act, kind, text), "{field:?} {source:?}");
            assert_eq!(got.note.is_some(), got.act == Act::NeverSaid, "it is said when no original was found");
        }
    }

    #[test]
    fn one_key_never_says_more_than_can_be_known() {
        for originals in [Originals::Partly, Originals::Gone] {
            assert_eq!(one_key(&item(Field::Narrative, None), originals), None, "{originals:?}");
            assert!(one_key(&item(Field::Narrative, Some("it is so")), originals).is_some(), "{originals:?}");
        }
        assert_eq!(one_key(&item(Field::Open, Some("should it?")), Originals::Present), None, "its end must be said");
    }

    #[test]
    fn only_a_ruled_out_item_can_turn_out_to_have_been_decided() {
        for field in Field::ALL {
            assert_eq!(choices(field).contains(&Choice::WasDecided), field == Field::RuledOut);
            assert_eq!(choices(field)[0], Choice::Fix);
        }
    }
}
