//! `stet ledger correct`: what a key does on the screen, as a command.

use anyhow::{Context, Result};

use super::{Bench, saved, sign};
use crate::cli::Outcome;
use crate::cli::args::LedgerCorrect;
use crate::record::{Act, Anchor, Correction, EntryKind, Field, Item, Outcome as Settled};
use crate::session::SourceRef;
use crate::workbench::Cancel;

pub(super) fn correct(bench: &Bench, correct: LedgerCorrect) -> Result<Outcome> {
    let (no, name) = parse(&correct.item).with_context(|| {
        format!("cannot understand the item {}: it should look like m1.r1 (stet show -m 1 names them)", correct.item)
    })?;
    understand(&correct)?;
    let mut desk = bench.read_one(&correct.session)?;
    sign(bench, &mut desk, &correct.writing);
    // As the check leaves it: an item that names no turn has the words that show it wrong.
    let marked = desk.checked(no, &Cancel::default())?;
    let index = marked.record.find(&name).with_context(|| {
        format!("cannot find {}: m{no} has no item of this name (stet show -m {no} names them)", correct.item)
    })?;
    let item = &marked.record.items[index];
    anyhow::ensure!(
        correct.act != Act::Settled || item.field == Field::Open,
        "cannot settle {}: only an open item is settled (--as reopened, replaced, reworded, never-said or pinned)",
        correct.item
    );
    let source = match (&correct.turn, &correct.text) {
        (Some(turn), Some(text)) => Some(desk.words_of(turn, Some(text))?),
        (Some(turn), None) if correct.act == Act::Settled => Some(desk.words_about(turn, &item.text)?),
        (Some(turn), None) => Some(desk.words_of(turn, None)?),
        // What settles an item was not said where it was asked.
        (None, _) if correct.act == Act::Settled => None,
        (None, _) => item.sources.first().cloned(),
    };
    let correction = correction(item, &correct, source)?;
    let anchor = Anchor::to(item, &desk.head().key, &marked.compaction.key);
    let what = format!("{} {}", correct.item, correct.act.name());
    let entry = desk.correct(Some(anchor), correction, correct.writing.reason)?;
    saved(&correct.session, &entry, &what)
}

/// What can be said to be wrong before anything is read.
fn understand(correct: &LedgerCorrect) -> Result<()> {
    let settles = correct.act == Act::Settled;
    anyhow::ensure!(
        correct.outcome.is_none() || settles,
        "cannot use --outcome here: only --as settled has an outcome"
    );
    anyhow::ensure!(
        !settles || correct.outcome.is_some(),
        "cannot settle the item without its outcome (give --outcome decided, ruled-out or done)"
    );
    anyhow::ensure!(
        !settles || correct.turn.is_some() || correct.text.is_some(),
        "cannot settle the item without the words that settle it (give --turn, --text or both)"
    );
    anyhow::ensure!(
        correct.act != Act::Pinned || correct.text.is_none(),
        "cannot pin other words than the item's (--as reworded gives it new ones)"
    );
    Ok(())
}

/// `m1.r1` as the marker's number and the item's name.
fn parse(item: &str) -> Option<(u32, String)> {
    let (marker, name) = item.strip_prefix('m')?.split_once('.')?;
    Some((marker.parse().ok().filter(|no| *no > 0)?, name.to_owned()))
}

fn correction(item: &Item, asked: &LedgerCorrect, source: Option<SourceRef>) -> Result<Correction> {
    let quote = source.as_ref().map(|source| source.quote.clone());
    let given = asked.text.clone();
    let kind = EntryKind::of(item.field);
    let (kind, text) = match asked.act {
        // A decision that never was is the question it came from.
        Act::Reopened if item.field == Field::RuledOut => (EntryKind::Open, given.unwrap_or_else(|| item.text.clone())),
        Act::Reopened => (EntryKind::Open, given.or(quote).unwrap_or_else(|| item.text.clone())),
        Act::Replaced => {
            let text = given.or(quote).context(
                "cannot replace the item: no original words were found for it (give --text or --turn, or --as never-said)",
            )?;
            (kind, text)
        }
        Act::Reworded => (kind, given.context("cannot reword the item without the new words (give --text)")?),
        Act::Settled => {
            let kind = match asked.outcome.unwrap_or(Settled::Decided) {
                Settled::Decided => EntryKind::Decision,
                Settled::RuledOut => EntryKind::RuledOut,
                Settled::Done => EntryKind::Fact,
            };
            (kind, given.or(quote).context("cannot settle the item without the words that settle it")?)
        }
        Act::NeverSaid => (EntryKind::NeverSaid, given.unwrap_or_else(|| item.text.clone())),
        Act::Pinned => (kind, item.text.clone()),
        Act::Confirmed | Act::Withdrawn | Act::Reinstated => {
            anyhow::bail!("cannot correct an item as {}: that is done to an entry", asked.act.name())
        }
    };
    let outcome = (asked.act == Act::Settled).then(|| asked.outcome.unwrap_or(Settled::Decided));
    Ok(Correction { act: asked.act, kind, outcome, text, source, note: None })
}
