//! `stet ledger`: the ledger without the UI.

mod add;
mod change;
mod correct;
mod exchange;
mod list;
mod verify;

use std::ffi::OsStr;

use anyhow::Result;

use super::Bench;
use crate::cli::args::{LedgerCommand, Writing};
use crate::cli::print::{self, Out, Text};
use crate::cli::{Outcome, json};
use crate::record::Via;
use crate::workbench::{Desk, Hand, Saved};

pub(super) fn run(bench: &Bench, command: LedgerCommand) -> Result<Outcome> {
    match command {
        LedgerCommand::List(read) => list::list(bench, &read),
        LedgerCommand::History(read) => list::history(bench, &read),
        LedgerCommand::Print(print) => list::print(bench, &print),
        LedgerCommand::Verify(read) => verify::verify(bench, &read),
        LedgerCommand::Export(one) => exchange::export(bench, &one.session),
        LedgerCommand::Import { session, file } => exchange::import(bench, &session, &file),
        LedgerCommand::Add(add) => add::add(bench, add),
        LedgerCommand::Correct(correct) => correct::correct(bench, correct),
        LedgerCommand::Withdraw(target) => change::withdraw(bench, target),
        LedgerCommand::Reinstate(target) => change::reinstate(bench, target),
        LedgerCommand::Confirm(target) => change::confirm(bench, target),
    }
}

/// Enters under the name that was given.
fn sign(bench: &Bench, desk: &mut Desk, writing: &Writing) {
    if let Some(author) = &writing.author {
        desk.hand_over(Hand { via: Via::Cli, author: author.clone(), proposed: bench.settings.must_confirm() });
    }
}

/// Says what was entered, after it was committed.
fn saved(session: &OsStr, saved: &Saved, what: &str) -> Result<Outcome> {
    let mut out = Out::new(Text::Safe);
    let no = saved.entry.no;
    if saved.entry.draft.proposed {
        out.line(&format!("saved as L{no} · {what} · proposed: it counts once a person confirms it in a terminal"))?;
        let session = session.display();
        print::note(&format!(
            "nobody sits at this terminal, so L{no} is only proposed (stet ledger confirm {session} L{no})"
        ));
    } else {
        out.line(&format!("saved as L{no} · {what} · no agent is connected, so none is told"))?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

/// A document of one line.
fn document(document: &impl serde::Serialize) -> Result<Outcome> {
    let mut out = Out::new(Text::Safe);
    out.exact(&format!("{}\n", json::line(document)?))?;
    out.flush()?;
    Ok(Outcome::Fine)
}
