//! Where the items of a record are found again: by their words, and by the originals that they rest on. Made once for a
//! record that is looked at: a long one is not gone through for every row of a screen.

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use super::{Finding, Item, Record};
use crate::session::{Hash, Place};

/// The items of one record.
#[derive(Debug)]
pub struct Lookup {
    /// Of each item, see [`Record::name`].
    pub names: Vec<String>,
    words: OnceLock<Words>,
}

/// What items say and rest on: made when somebody asks for it.
#[derive(Debug)]
struct Words {
    hashes: Vec<Hash>,
    /// The first item with these words.
    first: HashMap<Hash, usize>,
    /// Items that rest on words there.
    by_place: HashMap<Place, Vec<Resting>>,
}

/// The range of the words that an item rests on, and the item.
type Resting = ((usize, usize), usize);

impl Words {
    fn of(record: &Record) -> Self {
        let hashes: Vec<Hash> = record.items.iter().map(Item::hash).collect();
        let (mut first, mut by_place) = (HashMap::new(), HashMap::<_, Vec<_>>::new());
        for (at, item) in record.items.iter().enumerate() {
            first.entry(hashes[at]).or_insert(at);
            for source in &item.sources {
                by_place.entry(source.place).or_default().push((source.range, at));
            }
        }
        Self { hashes, first, by_place }
    }
}

impl Lookup {
    /// Where the items of this record are found.
    pub fn new(record: &Record) -> Self {
        Self { names: record.names(), words: OnceLock::new() }
    }

    fn words(&self, record: &Record) -> &Words {
        self.words.get_or_init(|| Words::of(record))
    }

    /// The hash of each item, see [`Item::hash`].
    pub fn hashes(&self, record: &Record) -> &[Hash] {
        &self.words(record).hashes
    }

    /// The item that says again what a finding of another marker is about: in the same words (by their hash), else on the
    /// strength of the same originals.
    pub fn repeating(&self, finding: &Finding, hash: &Hash, record: &Record) -> Option<usize> {
        let words = self.words(record);
        if let Some(at) = words.first.get(hash) {
            return Some(*at);
        }
        let mut shared = BTreeSet::new();
        for of in &finding.sources {
            let near = words.by_place.get(&of.place).into_iter().flatten();
            let shares = near.filter(|(range, _)| of.range.0 < range.1 && range.0 < of.range.1);
            shared.extend(shares.map(|(_, at)| *at));
        }
        let of_field = shared.iter().find(|at| record.items[**at].field == finding.field);
        of_field.or_else(|| shared.iter().find(|at| record.items[**at].field.is_claim())).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Detail, Field, Severity, Verdict};
    use crate::record::{FindingKind, text_hash};
    use crate::session::{FileNo, PartSeq, SourceRef, Speaker, TurnNo};

    /// An item that rests on ten bytes of a line, from this one on.
    fn item(field: Field, text: &str, from: usize) -> Item {
        let source = SourceRef {
            turn: TurnNo::main(1),
            turn_id: "t1".into(),
            line_id: None,
            place: Place { file: FileNo(0), offset: 0, part: 0 },
            seq: PartSeq(0),
            range: (from, from + 10),
            quote: String::new(),
            hash: Hash::ZERO,
            speaker: Speaker::User,
        };
        let (detail, verdict) = (Detail::Plain, Verdict::Verified);
        let text = text.to_owned();
        Item { field, text, range: None, detail, sources: vec![source], verdict, why: None, better: None, own: None }
    }

    #[test]
    fn a_claim_is_found_again_by_its_words_else_by_the_same_originals_in_its_field_first() {
        let items = vec![
            item(Field::Open, "ask Ana", 20),
            item(Field::Decisions, "the port  is 80", 5),
            item(Field::Constraints, "never 81", 8),
        ];
        let record = Record { items, ..Record::default() };
        let found = |field, text: &str, from| {
            let of = item(field, text, from);
            let mut finding = Finding::of((1, 0, &of), FindingKind::Altered, Severity::High, String::new());
            finding.sources.clone_from(&of.sources);
            Lookup::new(&record).repeating(&finding, &text_hash(text), &record)
        };
        assert_eq!(found(Field::Open, "the port is\t80", 90), Some(1));
        assert_eq!(found(Field::Constraints, "something else", 0), Some(2));
        assert_eq!(found(Field::Actions, "something else", 0), Some(1));
        assert_eq!(found(Field::Actions, "something else", 90), None);
    }
}
