//! Records and blocks in a tiny notation, for tests only. An item a line: `letter turn speaker text`. The part's sequence
//! is ten times its turn, its text the item's own words.

use std::sync::Arc;

use crate::record::{Block, ClosedBy, Detail, Field, Item, Record, Run, Verdict};
use crate::session::{FileNo, Hash, PartSeq, Place, SourceRef, Speaker, TurnNo};

/// The record that these lines tell.
pub(super) fn record(notation: &str) -> Record {
    let items = notation.lines().map(str::trim).filter(|line| !line.is_empty()).map(item).collect();
    Record { items, summary: String::new(), rules: 0 }
}

fn item(line: &str) -> Item {
    let mut words = line.splitn(4, ' ');
    let mut next = || words.next().unwrap_or_default();
    let (letter, no, speaker, text) = (next(), next(), next(), next());
    let field = Field::ALL.into_iter().find(|field| letter == field.letter().to_string()).unwrap_or(Field::Open);
    let no: u32 = no.parse().unwrap_or(1);
    let detail = match field {
        Field::Entities => Detail::Entity { class: "path".into() },
        Field::Figures => {
            let (label, value) = text.rsplit_once(' ').unwrap_or(("", text));
            Detail::Figure { label: label.into(), value: value.into(), unit: String::new() }
        }
        Field::Actions => Detail::Action { tool: String::new(), args: text.into(), ok: Some(true) },
        Field::RuledOut => Detail::RuledOut { claim: text.into(), evidence: String::new() },
        Field::Narrative | Field::Constraints | Field::Decisions | Field::Open => Detail::Plain,
    };
    let source = SourceRef {
        turn: TurnNo::main(no),
        turn_id: format!("t{no}"),
        line_id: None,
        place: Place { file: FileNo(0), offset: u64::from(no), part: 0 },
        seq: PartSeq(u64::from(no) * 10),
        range: (0, text.len()),
        quote: text.into(),
        hash: Hash::of(text.as_bytes()),
        speaker: if speaker == "user" { Speaker::User } else { Speaker::Assistant },
    };
    Item {
        field,
        text: text.into(),
        range: None,
        detail,
        sources: vec![source],
        verdict: Verdict::Verified,
        why: None,
        better: None,
        own: None,
    }
}

/// A block of these turns with this record; each turn has one part and weighs so much.
pub(super) fn block(no: u32, (from, to): (u32, u32), each: u64, notation: &str) -> Block {
    let parts = u64::from(from - 1)..u64::from(to);
    Block {
        no,
        run: Run {
            originals: originals(&parts),
            tokens: each * (parts.end - parts.start),
            parts,
            turns: (from, to),
            from_id: format!("t{from}"),
        },
        closed_by: ClosedBy::Step,
        turned: None,
        cut: Vec::new(),
        generation: 1,
        record: Arc::new(record(notation)),
    }
}

/// The hash that parts of this notation have.
pub(super) fn originals(parts: &std::ops::Range<u64>) -> Hash {
    Hash::of(format!("{parts:?}").as_bytes())
}
