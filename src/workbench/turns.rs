//! The words of one turn, found by its number.

use std::sync::RwLockReadGuard;

use super::resolve::short;
use super::{Problem, Reading};
use crate::record::telling_words;
use crate::session::{Body, Depth, Hash, Line, Log, Outline, Part, PartKind, PartSeq, SourceRef, TurnMeta, TurnNo};
use crate::text::sentences;

/// A quote of a whole part is cut here.
const LONGEST: usize = 400;
/// A turn's lines stand within this many lines after its first.
const STEP: usize = 1024 * 1024;

/// See [`super::Desk::words_of`].
pub(super) fn words_of(
    log: &mut dyn Log,
    reading: &Reading,
    turn: &str,
    text: Option<&str>,
) -> Result<SourceRef, Problem> {
    let turn = read(log, reading, turn)?;
    if let Some(text) = text {
        let found = turn.parts().find_map(|(line, part)| Some((line, part, part.text.find(text)?)));
        if let Some((line, part, at)) = found {
            return Ok(turn.source(line, part, (at, at + text.len())));
        }
    }
    turn.first_words()
}

/// See [`super::Desk::words_about`].
pub(super) fn words_about(log: &mut dyn Log, reading: &Reading, turn: &str, about: &str) -> Result<SourceRef, Problem> {
    let turn = read(log, reading, turn)?;
    let wanted = telling_words(about);
    let mut best: Option<(usize, bool, SourceRef)> = None;
    for (line, part) in turn.parts() {
        let speaks = matches!(part.kind, PartKind::Text);
        for range in sentences(&part.text) {
            let shared = telling_words(&part.text[range.clone()]).intersection(&wanted).count();
            if shared > 0 && best.as_ref().is_none_or(|(most, spoken, _)| (shared, speaks) > (*most, *spoken)) {
                best = Some((shared, speaks, turn.source(line, part, (range.start, range.end))));
            }
        }
    }
    match best {
        Some((_, _, source)) => Ok(source),
        None => turn.first_words(),
    }
}

/// One turn with its lines.
struct TurnText<'a> {
    asked: &'a str,
    no: TurnNo,
    meta: TurnMeta,
    lines: Vec<Line>,
    outline: RwLockReadGuard<'a, Outline>,
}

fn read<'a>(log: &mut dyn Log, reading: &'a Reading, turn: &'a str) -> Result<TurnText<'a>, Problem> {
    let outline = reading.outline();
    let no = parse(turn);
    let meta = no.as_ref().and_then(|no| outline.turn(no)).or_else(|| outline.turns.iter().find(|it| &*it.id == turn));
    let Some(meta) = meta.cloned() else {
        anyhow::bail!("cannot find turn {turn}: {} has {} turns", short(&log.head().key), outline.main_turns);
    };
    let no = outline.number(&meta).unwrap_or(TurnNo(Vec::new()));
    let mut lines = log.forward(meta.place.file, meta.place.offset, STEP, Depth::Full)?.lines;
    lines.retain(|line| outline.turn_at(line.file, line.offset).is_some_and(|other| other.place == meta.place));
    Ok(TurnText { asked: turn, no, meta, lines, outline })
}

impl TurnText<'_> {
    fn parts(&self) -> impl Iterator<Item = (&Line, &Part)> {
        self.lines.iter().flat_map(|line| {
            let parts: &[Part] = if let Body::Message { parts, .. } = &line.body { parts } else { &[] };
            parts.iter().map(move |part| (line, part))
        })
    }

    fn source(&self, line: &Line, part: &Part, range: (usize, usize)) -> SourceRef {
        let place = line.place(part.block);
        let quote = part.text[range.0..range.1].to_owned();
        SourceRef {
            turn: self.no.clone(),
            turn_id: self.meta.id.to_string(),
            line_id: line.id.clone(),
            place,
            seq: self.outline.seq(place).unwrap_or(PartSeq(0)),
            range,
            hash: Hash::of(quote.as_bytes()),
            quote,
            speaker: part.speaker,
        }
    }

    /// What the turn says; one that says nothing is quoted by what it did.
    fn first_words(&self) -> Result<SourceRef, Problem> {
        let mut words = self.parts().filter(|(_, part)| !part.text.trim().is_empty());
        let speaks = |(_, part): &(&Line, &Part)| matches!(part.kind, PartKind::Text);
        let first = self.parts().filter(|(_, part)| !part.text.trim().is_empty()).find(speaks).or_else(|| words.next());
        match first {
            Some((line, part)) => Ok(self.source(line, part, (0, cut(&part.text)))),
            None => anyhow::bail!("cannot quote turn {}: it holds no text (give --text its exact words)", self.asked),
        }
    }
}

fn parse(turn: &str) -> Option<TurnNo> {
    let digits = turn.strip_prefix('t').unwrap_or(turn);
    let path: Vec<u32> = digits.split('.').map(|no| no.parse().ok()).collect::<Option<_>>()?;
    Some(TurnNo(path))
}

fn cut(text: &str) -> usize {
    if text.len() <= LONGEST {
        return text.len();
    }
    let sentence = text[..text.floor_char_boundary(LONGEST)].rfind(". ").map(|at| at + 1);
    sentence.unwrap_or_else(|| text.floor_char_boundary(LONGEST))
}
