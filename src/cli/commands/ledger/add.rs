//! `stet ledger add`: a new entry that corrects no item.

use anyhow::Result;

use super::{Bench, saved, sign};
use crate::cli::Outcome;
use crate::cli::args::LedgerAdd;
use crate::record::{Act, Correction, EntryKind};

pub(super) fn add(bench: &Bench, add: LedgerAdd) -> Result<Outcome> {
    anyhow::ensure!(!add.text.trim().is_empty(), "cannot pin an empty text (give --text something to say)");
    let mut desk = match &add.turn {
        Some(_) => bench.read_one(&add.session)?,
        None => bench.open(&add.session)?,
    };
    sign(bench, &mut desk, &add.writing);
    let source = match &add.turn {
        Some(turn) => Some(desk.words_of(turn, Some(&add.text))?),
        None => None,
    };
    let act = if add.kind == EntryKind::NeverSaid { Act::NeverSaid } else { Act::Pinned };
    let correction = Correction { act, kind: add.kind, outcome: None, text: add.text, source, note: None };
    let entry = desk.correct(None, correction, add.writing.reason)?;
    saved(&add.session, &entry, "pinned")
}
