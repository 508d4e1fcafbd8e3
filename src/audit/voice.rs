//! Who says a text and where, so that its words can be cited.

use crate::session::{Hash, PartSeq, Place, SourceRef, Speaker, TurnNo};

/// A quote goes so far around what it shows.
const AROUND: usize = 90;

/// Where a text comes from.
#[derive(Clone, Copy, Debug)]
pub struct Voice<'a> {
    /// The number of its turn.
    pub turn: &'a TurnNo,
    /// The id of its turn.
    pub turn_id: &'a str,
    /// The id of its line, where the agent gives one.
    pub line_id: Option<&'a str>,
    /// Where it stands.
    pub place: Place,
    /// Its place in file order.
    pub seq: PartSeq,
    /// Who says it.
    pub speaker: Speaker,
}

impl Voice<'_> {
    /// The words around these bytes, and where the bytes stand in them.
    pub(super) fn cite(&self, text: &str, at: &std::ops::Range<usize>) -> (Citation, (usize, usize)) {
        let from = text.ceil_char_boundary(at.start.saturating_sub(AROUND)).min(at.start);
        let to = text.floor_char_boundary(text.len().min(at.end + AROUND)).max(at.end);
        let from = text[from..at.start].rfind('\n').map_or(from, |end| from + end + 1);
        let to = text[at.end..to].find('\n').map_or(to, |len| at.end + len);
        let from = from + (text[from..at.start].len() - text[from..at.start].trim_start().len());
        let to = at.end + text[at.end..to].trim_end().len();
        let quote = text[from..to].to_owned();
        let source = SourceRef {
            turn: self.turn.clone(),
            turn_id: self.turn_id.to_owned(),
            line_id: self.line_id.map(str::to_owned),
            place: self.place,
            seq: self.seq,
            range: (from, to),
            hash: Hash::ZERO,
            quote,
            speaker: self.speaker,
        };
        (Citation(source), (at.start - from, at.end - from))
    }
}

/// Words of a text as a source, all but their hash: of those that are kept few are ever shown.
#[derive(Clone, Debug)]
pub(super) struct Citation(SourceRef);

impl Citation {
    /// The words as a source.
    pub(super) fn source(&self) -> SourceRef {
        SourceRef { hash: Hash::of(self.0.quote.as_bytes()), ..self.0.clone() }
    }

    pub(super) fn quote(&self) -> &str {
        &self.0.quote
    }

    pub(super) fn place(&self) -> Place {
        self.0.place
    }

    pub(super) fn turn(&self) -> &TurnNo {
        &self.0.turn
    }
}
