//! What tests of this room start from: markers, records and sources, as small as they can be.

use crate::record::{Detail, Field, Item, Record, Verdict};
use crate::session::{
    Compaction, FileNo, Hash, MarkerKey, Originals, PartSeq, Place, Ranges, SourceRef, Speaker, Trigger, TurnNo,
};

/// Marker `no`; it stands at a hundred bytes times its number.
pub fn compaction(no: u32) -> Compaction {
    Compaction {
        no,
        key: MarkerKey { id: format!("k{no}"), summary: Hash::of(format!("summary {no}").as_bytes()) },
        place: Place { file: FileNo(0), offset: 100 * u64::from(no), part: 0 },
        summary: None,
        after_turn: Some(10 * no),
        at: Some(1000 * i64::from(no)),
        trigger: Trigger::Unknown,
        tokens_before: None,
        tokens_after: None,
        covers: Ranges::default(),
        reaches: Ranges::default(),
        generation: Some(no),
        originals: Originals::Present,
        own_record: false,
    }
}

/// A record of these claims, one a line of its summary.
pub fn record(claims: &[(Field, &str)]) -> Record {
    let mut record = Record { rules: 1, ..Record::default() };
    for (field, text) in claims {
        let start = record.summary.len();
        record.summary.push_str(text);
        record.items.push(Item { range: Some((start, start + text.len())), ..item(*field, text) });
        record.summary.push('\n');
    }
    record
}

/// An item without a source.
pub fn item(field: Field, text: &str) -> Item {
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

/// Words of a person that stand at this byte; the part has the same number.
pub fn source(quote: &str, at: u64) -> SourceRef {
    SourceRef {
        turn: TurnNo::main(at as u32),
        turn_id: format!("t{at}"),
        line_id: None,
        place: Place { file: FileNo(0), offset: at, part: 0 },
        seq: PartSeq(at),
        range: (0, quote.len()),
        quote: quote.to_owned(),
        hash: Hash::of(quote.as_bytes()),
        speaker: Speaker::User,
    }
}

/// A text with marks of several bytes, and others, in the place of every, every second and every third space of its lines.
pub(super) fn marked(text: &str) -> impl Iterator<Item = String> + '_ {
    const MARKS: [&str; 12] = [" — ", " – ", "; ", ". ", "’", "…", "İ", "日本", "🙂 ", "\u{301}", "\u{a0}", " €"];
    let line = |line: &str, mark: &str, every: usize| -> String {
        let piece = |(no, word): (usize, &str)| match no {
            0 => word.to_owned(),
            no if no > 1 && no.is_multiple_of(every) => format!("{mark}{word}"),
            _ => format!(" {word}"),
        };
        line.split(' ').enumerate().map(piece).collect()
    };
    let every = MARKS.iter().flat_map(|mark| [1, 2, 3].map(|every| (*mark, every)));
    every.map(move |(mark, every)| text.lines().map(|one| line(one, mark, every)).collect::<Vec<_>>().join("\n"))
}

/// A text that ends behind each of its words but the last.
pub(super) fn cut_short(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices(' ').map(|(at, _)| &text[..at])
}
