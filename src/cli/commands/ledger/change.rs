//! `stet ledger withdraw`, `reinstate` and `confirm`: the standing of an entry.

use anyhow::Result;

use super::{Bench, saved, sign};
use crate::cli::Outcome;
use crate::cli::args::LedgerTarget;
use crate::workbench::{Desk, Saved};

pub(super) fn withdraw(bench: &Bench, target: LedgerTarget) -> Result<Outcome> {
    change(bench, target, "withdraws", Desk::withdraw)
}

pub(super) fn reinstate(bench: &Bench, target: LedgerTarget) -> Result<Outcome> {
    change(bench, target, "reinstates", Desk::reinstate)
}

pub(super) fn confirm(bench: &Bench, target: LedgerTarget) -> Result<Outcome> {
    change(bench, target, "confirms", Desk::confirm)
}

fn change(
    bench: &Bench,
    target: LedgerTarget,
    verb: &str,
    change: fn(&mut Desk, u32, Option<String>) -> Result<Saved>,
) -> Result<Outcome> {
    let mut desk = bench.open(&target.session)?;
    sign(bench, &mut desk, &target.writing);
    let entry = change(&mut desk, target.entry, target.writing.reason)?;
    saved(&target.session, &entry, &format!("{verb} L{}", target.entry))
}
