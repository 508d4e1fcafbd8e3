//! What tests of this room start from: markers, records and sources, as small as they can be.

use std::sync::Arc;

use crate::extract::{Class, Language, figures, identifiers};
use crate::record::{Detail, Field, Item, Manner, Origin, Passage, Record, Verdict};
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

/// A record as it is lifted, plainly: each line a claim, with what it holds of names and figures.
pub(super) fn lifted(summary: &str) -> Record {
    let language = Language::english();
    let item = |field, range: std::ops::Range<usize>, detail| {
        let place = Some((range.start, range.end));
        Item { range: place, detail, ..item(field, &summary[range]) }
    };
    let mut items = Vec::new();
    let mut start = 0;
    for line in summary.split('\n') {
        items.push(item(Field::Narrative, start..start + line.len(), Detail::Plain));
        start += line.len() + 1;
    }
    let named = identifiers(summary, language);
    for one in &named {
        items.push(item(Field::Entities, one.range.clone(), Detail::Entity { class: one.class.name().to_owned() }));
    }
    let taken: Vec<_> = named
        .into_iter()
        .filter(|one| !matches!(one.class, Class::Command | Class::Code))
        .map(|one| one.range)
        .collect();
    for one in figures(summary, &taken, language) {
        let detail = Detail::Figure { label: one.label, value: one.value, unit: one.unit };
        items.push(item(Field::Figures, one.range, detail));
    }
    Record { items, summary: summary.to_owned(), rules: 1 }
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

/// Originals in a small notation, a line each: `u:` the person, `a:` the agent, `t:` a thought, `>` a call, `<` a result.
pub(super) fn said(originals: &str) -> Vec<Passage> {
    let line = |(no, line): (usize, &str)| {
        let (mark, text) = line.trim().split_at(2);
        let (speaker, manner) = match mark {
            "u:" => (Speaker::User, Manner::Text),
            "a:" => (Speaker::Assistant, Manner::Text),
            "t:" => (Speaker::Assistant, Manner::Thinking),
            "> " => (Speaker::Assistant, Manner::ToolCall),
            _ => (Speaker::Tool, Manner::ToolResult),
        };
        let text = text.trim();
        let source = source(text, no as u64 + 1);
        let origin = Origin {
            turn: source.turn,
            turn_id: source.turn_id,
            line_id: None,
            place: source.place,
            seq: source.seq,
            speaker,
            manner,
        };
        let all = (0, text.len());
        Passage { origin: Arc::new(origin), range: all, around: text.into(), at: all, share: 1.0 }
    };
    originals.lines().filter(|line| !line.trim().is_empty()).enumerate().map(line).collect()
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
