//! What a person is offered for an item besides the one-key fix: how an open item was settled, and the menu's choices.

use std::collections::HashSet;

use super::{Act, Choice, Correction, EntryKind, Field, Item, Outcome, Record, one_key};
use crate::session::{Originals, SourceRef};

/// One way in which an open item may have been settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// How.
    pub outcome: Outcome,
    /// What settled it: the record's words, or those of the turn. Never the question itself.
    pub text: String,
    /// Where; `None` where no turn is known.
    pub source: Option<SourceRef>,
}

/// The ways in which an open item may have been settled, likeliest first: what the same record says about the same
/// words, then what later turns say about them. Empty where nothing settles it: then the answer has to be asked for.
pub fn settlements(item: &Item, record: &Record) -> Vec<Settlement> {
    let wanted = telling_words(&item.text);
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
            let shared = telling_words(&other.text).intersection(&wanted).count();
            // One word in common is chance; two, or half of a short question, are not.
            if shared < 2 && shared * 2 < wanted.len().max(1) {
                return None;
            }
            let source = other.sources.first().cloned();
            Some((shared, Settlement { outcome, text: other.text.clone(), source }))
        })
        .collect();
    found.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
    found.into_iter().map(|(_, settlement)| settlement).chain(later(item)).collect()
}

/// What was said about an open item after it was asked; another question settles nothing.
fn later(item: &Item) -> impl Iterator<Item = Settlement> + '_ {
    let asked = item.sources.first();
    item.sources
        .iter()
        .skip(1)
        .filter(move |source| asked.is_some_and(|asked| source.seq > asked.seq && source.turn != asked.turn))
        .filter(|source| !source.quote.trim_end().ends_with('?'))
        .map(|source| Settlement {
            outcome: Outcome::Decided,
            text: source.quote.clone(),
            source: Some(source.clone()),
        })
}

/// The words of a text that say what it is about.
pub fn telling_words(text: &str) -> HashSet<String> {
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

/// The correction that a choice of the menu makes. `text` is what a person typed for [`Choice::Reword`]. `None` only for
/// [`Choice::Fix`], where [`one_key`] has none.
pub fn chosen(item: &Item, choice: Choice, text: Option<String>, originals: Originals) -> Option<Correction> {
    let source = item.sources.first().cloned();
    let plain = |act, kind| Correction {
        act,
        kind,
        outcome: None,
        text: item.text.clone(),
        source: source.clone(),
        note: None,
    };
    Some(match choice {
        Choice::Fix => return one_key(item, originals),
        Choice::Reword => Correction {
            text: text.unwrap_or_else(|| item.text.clone()),
            ..plain(Act::Reworded, EntryKind::of(item.field))
        },
        Choice::WasDecided => {
            Correction { outcome: Some(Outcome::Decided), ..plain(Act::Settled, EntryKind::Decision) }
        }
        Choice::NeverSaid => plain(Act::NeverSaid, EntryKind::NeverSaid),
        Choice::PinAsIs => plain(Act::Pinned, EntryKind::of(item.field)),
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::record::{Detail, Verdict};
    use crate::session::{FileNo, Hash, PartSeq, Place, Speaker, TurnNo};

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
        assert_eq!(ways, [(Outcome::Done, "gave the nightly export to billing".to_owned())]);
    }

    #[test]
    fn an_open_item_is_proposed_as_settled_by_what_later_turns_answer_and_never_by_itself() {
        let said = |seq: u64, quote: &str| SourceRef {
            turn: TurnNo::main(seq as u32),
            turn_id: format!("t{seq}"),
            line_id: None,
            place: Place { file: FileNo(0), offset: seq, part: 0 },
            seq: PartSeq(seq),
            range: (0, quote.len()),
            quote: quote.to_owned(),
            hash: Hash::of(quote.as_bytes()),
            speaker: Speaker::User,
        };
        let question = said(14, "does she accept two parts?");
        for (later, want) in [
            (vec![], vec![]),
            (vec![said(20, "two parts are fine")], vec!["two parts are fine"]),
            (vec![said(9, "two parts were sent")], vec![]),
            (vec![said(15, "two parts or one?"), said(20, "in two parts, please")], vec!["in two parts, please"]),
        ] {
            let mut open = item(Field::Open, "does she accept two parts?");
            open.sources = std::iter::once(question.clone()).chain(later).collect();
            let ways = settlements(&open, &Record { items: vec![open.clone()], ..Record::default() });
            let got: Vec<&str> = ways.iter().map(|way| way.text.as_str()).collect();
            assert_eq!(got, want);
            assert!(ways.iter().all(|way| way.outcome == Outcome::Decided && way.source.is_some()));
        }
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
        for (choice, act, kind, said) in table {
            let text = Some("partitioning by day".to_owned());
            let made = chosen(&ruled_out, choice, text, Originals::Present).unwrap();
            assert_eq!((made.act, made.kind, made.text.as_str()), (act, kind, said), "{choice:?}");
        }
    }
}
