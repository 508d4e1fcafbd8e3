//! The words of one turn, found by its number.

use super::{Problem, Reading};
use crate::session::{Body, Depth, Hash, Line, Log, Part, PartKind, SourceRef, TurnNo};

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
    let outline = reading.outline();
    let no = parse(turn);
    let meta = no.as_ref().and_then(|no| outline.turn(no)).or_else(|| outline.turns.iter().find(|it| &*it.id == turn));
    let Some(meta) = meta else {
        anyhow::bail!("cannot find turn {turn}: {} has {} turns", log.head().key, outline.main_turns);
    };
    let no = outline.number(meta).unwrap_or(TurnNo(Vec::new()));
    let (file, first) = (meta.place.file, meta.place.offset);
    let source = |line: &Line, part: &Part, range: (usize, usize)| {
        let place = line.place(part.block);
        let quote = part.text[range.0..range.1].to_owned();
        SourceRef {
            turn: no.clone(),
            turn_id: meta.id.to_string(),
            line_id: line.id.clone(),
            place,
            seq: outline.seq(place).unwrap_or(crate::session::PartSeq(0)),
            range,
            hash: Hash::of(quote.as_bytes()),
            quote,
            speaker: part.speaker,
        }
    };
    let stretch = log.forward(file, first, STEP, Depth::Full)?;
    let own = |line: &&Line| outline.turn_at(line.file, line.offset).is_some_and(|other| other.place == meta.place);
    // Without the words, what the turn says; a turn that says nothing is quoted by what it did.
    let mut fallback: Option<(SourceRef, bool)> = None;
    for line in stretch.lines.iter().filter(own) {
        let Body::Message { parts, .. } = &line.body else { continue };
        for part in parts {
            if let Some(text) = text
                && let Some(at) = part.text.find(text)
            {
                return Ok(source(line, part, (at, at + text.len())));
            }
            if part.text.trim().is_empty() {
                continue;
            }
            let speaks = matches!(part.kind, PartKind::Text);
            if fallback.as_ref().is_none_or(|(_, spoken)| speaks && !spoken) {
                fallback = Some((source(line, part, (0, cut(&part.text))), speaks));
            }
        }
    }
    match fallback {
        Some((source, _)) => Ok(source),
        None => anyhow::bail!("cannot quote turn {turn}: it holds no text (give --text its exact words)"),
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
