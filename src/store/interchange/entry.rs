//! Ledger entries as lines, with every field that is stored.

use std::io::{BufRead, ErrorKind};

use super::shapes::{AnchorShape, EntryShape, Given, QuoteShape, parse};
use super::words::{At, hash};
use crate::record::{Act, Anchor, AnchorAt, Draft, EntryKind, Field, LedgerEntry, Outcome, Quote, Via};
use crate::session::{Hash, MarkerKey, SessionKey};
use crate::store::{LONGEST, LineError, StoreError, check_chain, file, names};

/// An entry line, read.
pub(in crate::store) enum Entered {
    /// With number and hashes.
    Whole(LedgerEntry),
    /// Written by hand: to be entered.
    Draft { draft: Draft, at: i64 },
}

/// The entries of a file that an export of a ledger wrote, whose chain must hold. Lines of other types are passed over.
pub fn read_entries(mut reader: impl BufRead, key: &SessionKey) -> Result<Vec<LedgerEntry>, StoreError> {
    let mut entries = Vec::new();
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        let refuse = |why| LineError { line, why };
        match file::read_line(&mut reader, LONGEST, &mut bytes) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::InvalidData => return Err(refuse(error.to_string()).into()),
            Err(error) => return Err(file::io("cannot read the entries".into(), error)),
        }
        let text = std::str::from_utf8(&bytes).map_err(|_| refuse("it is not UTF-8".into()))?.trim_end();
        if text.is_empty() {
            continue;
        }
        if let Given::Entry(shape) = parse(text).map_err(refuse)? {
            match entered(*shape, key).map_err(refuse)? {
                Entered::Whole(entry) => entries.push(entry),
                Entered::Draft { .. } => return Err(refuse("an entry without number and hashes".into()).into()),
            }
        }
    }
    check_chain(&entries)?;
    Ok(entries)
}

pub(in crate::store) fn entered(shape: EntryShape, key: &SessionKey) -> Result<Entered, String> {
    let word = |what: &str, word: &str| format!("{what} is {word:?}, which is none");
    let optional = |key: &str, text: Option<&str>| text.map(|text| hash(key, text)).transpose();
    let draft = Draft {
        kind: EntryKind::named(&shape.kind).ok_or_else(|| word("kind", &shape.kind))?,
        act: Act::named(&shape.act).ok_or_else(|| word("as", &shape.act))?,
        outcome: match &shape.outcome {
            Some(name) => Some(Outcome::named(name).ok_or_else(|| word("outcome", name))?),
            None => None,
        },
        text: shape.text,
        corrects: shape.corrects.map(anchor).transpose()?,
        target: optional("target", shape.target.as_deref())?,
        source: shape.source.map(quote).transpose()?,
        via: Via::named(&shape.via).ok_or_else(|| word("via", &shape.via))?,
        author: shape.author,
        reason: shape.reason,
        proposed: shape.proposed,
        origin: optional("origin", shape.origin.as_deref())?,
    };
    let (prev, own) = (optional("prev", shape.prev.as_deref())?, optional("hash", shape.hash.as_deref())?);
    Ok(match (shape.number, prev, own) {
        (Some(no), Some(prev), Some(hash)) => {
            Entered::Whole(LedgerEntry { no, session: key.clone(), at: shape.at.0, draft, prev, hash })
        }
        _ => Entered::Draft { draft, at: shape.at.0 },
    })
}

fn anchor(shape: AnchorShape) -> Result<Anchor, String> {
    let at = match (shape.range, shape.record, shape.ordinal) {
        (Some([start, end]), None, _) => AnchorAt::Summary(start, end),
        (None, Some(record), Some(ordinal)) => AnchorAt::Own { record, ordinal },
        _ => return Err("corrects has neither a range nor a record with an ordinal".into()),
    };
    Ok(Anchor {
        session: SessionKey { agent: shape.agent, id: shape.session, sub: shape.sub },
        marker: MarkerKey { id: shape.marker, summary: hash("corrects.summary", &shape.summary)? },
        field: Field::named(&shape.field).ok_or_else(|| format!("corrects.field is {:?}", shape.field))?,
        text: shape.text,
        hash: hash("corrects.hash", &shape.hash)?,
        at,
    })
}

fn quote(shape: QuoteShape) -> Result<Quote, String> {
    let stored = hash("source.hash", &shape.hash)?;
    if stored != Hash::of(shape.quote.as_bytes()) {
        return Err("source.hash is not the hash of source.quote".into());
    }
    Ok(Quote {
        turn: shape.turn,
        turn_id: shape.turn_id,
        line_id: shape.line_id,
        part: shape.part,
        range: (shape.range[0], shape.range[1]),
        hash: stored,
        quote: shape.quote,
        speaker: names::speaker_named(&shape.speaker)
            .ok_or_else(|| format!("source.speaker is {:?}", shape.speaker))?,
    })
}

/// An entry, to be written.
pub(super) fn shape(entry: &LedgerEntry) -> EntryShape {
    let draft = &entry.draft;
    EntryShape {
        number: Some(entry.no),
        kind: draft.kind.name().into(),
        act: draft.act.name().into(),
        outcome: draft.outcome.map(|outcome| outcome.name().into()),
        text: draft.text.clone(),
        corrects: draft.corrects.as_ref().map(|anchor| {
            let (range, record, ordinal) = match &anchor.at {
                AnchorAt::Summary(start, end) => (Some([*start, *end]), None, None),
                AnchorAt::Own { record, ordinal } => (None, Some(record.clone()), Some(*ordinal)),
            };
            AnchorShape {
                agent: anchor.session.agent.clone(),
                session: anchor.session.id.clone(),
                sub: anchor.session.sub.clone(),
                marker: anchor.marker.id.clone(),
                summary: anchor.marker.summary.to_string(),
                field: anchor.field.name().into(),
                text: anchor.text.clone(),
                hash: anchor.hash.to_string(),
                range,
                record,
                ordinal,
            }
        }),
        target: draft.target.map(|hash| hash.to_string()),
        source: draft.source.as_ref().map(|source| QuoteShape {
            turn: source.turn.clone(),
            turn_id: source.turn_id.clone(),
            line_id: source.line_id.clone(),
            part: source.part,
            range: [source.range.0, source.range.1],
            quote: source.quote.clone(),
            hash: source.hash.to_string(),
            speaker: names::speaker(source.speaker).into(),
        }),
        via: draft.via.name().into(),
        author: draft.author.clone(),
        reason: draft.reason.clone(),
        at: At(entry.at),
        proposed: draft.proposed,
        origin: draft.origin.map(|hash| hash.to_string()),
        prev: Some(entry.prev.to_string()),
        hash: Some(entry.hash.to_string()),
    }
}
