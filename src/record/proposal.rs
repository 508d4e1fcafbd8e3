//! What a person is offered for an item besides the one-key fix: how an open item was settled, and the menu's choices.

use std::collections::HashSet;

use super::{Act, Choice, Correction, EntryKind, Field, Item, Outcome, Record, one_key};
use crate::session::SourceRef;

/// One way in which an open item may have been settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// How.
    pub outcome: Outcome,
    /// What settled it, in the record's words; the item's own where nothing did.
    pub text: String,
    /// Where; `None` where no turn is known.
    pub source: Option<SourceRef>,
}

/// The ways in which an open item may have been settled, likeliest first: what the same record says about the same
/// words. Last comes the bare decision, so there is always one.
pub fn settlements(item: &Item, record: &Record) -> Vec<Settlement> {
    let wanted = words(&item.text);
    let mut found: Vec<(usize, Settlement)> = record
        .items
        .iter()
        .filter_map(|other| {
            let outcome = match other.field {
                Field::Decisions => Outcome::Decided,
                Field::RuledOut => Outcome::RuledOut,
                Field::Actions => Outcome::Done,
                Field::Narrative | Field::Entities | Field::Figures | Field::Constraints | Field::Open => return None,
            };
            let shared = words(&other.text).intersection(&wanted).count();
            // One word in common is chance; two, or half of a short question, are not.
            if shared < 2 && shared * 2 < wanted.len().max(1) {
                return None;
            }
            let source = other.sources.first().cloned();
            Some((shared, Settlement { outcome, text: other.text.clone(), source }))
        })
        .collect();
    found.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
    let bare = Settlement { outcome: Outcome::Decided, text: item.text.clone(), source: None };
    found.into_iter().map(|(_, settlement)| settlement).chain([bare]).collect()
}

/// The words of a text that say what it is about.
fn words(text: &str) -> HashSet<String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| word.chars().count() > 3)
        .map(str::to_lowercase)
        .collect()
}

/// The correction that settles an open item.
pub fn settled(settlement: Settlement) -> Correction {
    let kind = match settlement.outcome {
        Outcome::Decided => EntryKind::Decision,
        Outcome::RuledOut => EntryKind::RuledOut,
        Outcome::Done => EntryKind::Fact,
    };
    Correction {
        act: Act::Settled,
        kind,
        outcome: Some(settlement.outcome),
        text: settlement.text,
        source: settlement.source,
        note: None,
    }
}

/// The correction that a choice of the menu makes. `text` is what a person typed for [`Choice::Reword`].
pub fn chosen(item: &Item, choice: Choice, text: Option<String>) -> Correction {
    let source = item.sources.first().cloned();
    let plain = |act, kind| Correction {
        act,
        kind,
        outcome: None,
        text: item.text.clone(),
        source: source.clone(),
        note: None,
    };
    match choice {
        Choice::Fix => one_key(item),
        Choice::Reword => Correction {
            text: text.unwrap_or_else(|| item.text.clone()),
            ..plain(Act::Reworded, EntryKind::of(item.field))
        },
        Choice::WasDecided => {
            Correction { outcome: Some(Outcome::Decided), ..plain(Act::Settled, EntryKind::Decision) }
        }
        Choice::NeverSaid => plain(Act::NeverSaid, EntryKind::NeverSaid),
        Choice::PinAsIs => plain(Act::Pinned, EntryKind::of(item.field)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Detail, Verdict};

    fn item(field: Field, text: &str) -> Item {
        Item {
            field,
            text: text.to_owned(),
            range: None,
            detail: Detail::Plain,
            sources: Vec::new(),
            verdict: Verdict::Unchecked,
            why: None,
            better: None,
            own: None,
        }
    }

    #[test]
    fn an_open_item_is_proposed_as_settled_by_what_the_record_says_of_the_same_words() {
        let open = item(Field::Open, "who owns the nightly export?");
        let record = Record {
            items: vec![
                item(Field::Decisions, "keep the old column until Friday"),
                item(Field::Actions, "gave the nightly export to billing"),
                open.clone(),
            ],
            ..Record::default()
        };
        let ways: Vec<_> = settlements(&open, &record).into_iter().map(|way| (way.outcome, way.text)).collect();
        assert_eq!(
            ways,
            [
                (Outcome::Done, "gave the nightly export to billing".to_owned()),
                (Outcome::Decided, "who owns the nightly export?".to_owned()),
            ]
        );
    }

    #[test]
    fn every_choice_makes_the_entry_that_it_names() {
        let ruled_out = item(Field::RuledOut, "partitioning by month");
        let table = [
            (Choice::Fix, Act::Reopened, EntryKind::Open, "partitioning by month"),
            (Choice::Reword, Act::Reworded, EntryKind::RuledOut, "partitioning by day"),
            (Choice::WasDecided, Act::Settled, EntryKind::Decision, "partitioning by month"),
            (Choice::NeverSaid, Act::NeverSaid, EntryKind::NeverSaid, "partitioning by month"),
            (Choice::PinAsIs, Act::Pinned, EntryKind::RuledOut, "partitioning by month"),
        ];
        for (choice, act, kind, text) in table {
            let made = chosen(&ruled_out, choice, Some("partitioning by day".to_owned()));
            assert_eq!((made.act, made.kind, made.text.as_str()), (act, kind, text), "{choice:?}");
        }
    }
}
