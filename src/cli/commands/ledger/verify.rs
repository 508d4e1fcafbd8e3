//! `stet ledger verify`: the chain, the quotes, the database.

use anyhow::Result;
use serde::Serialize;

use super::{Bench, document};
use crate::cli::Outcome;
use crate::cli::args::{Format, LedgerRead};
use crate::cli::print::{Out, Text};
use crate::cli::text::count;

#[derive(Serialize)]
struct VerifyJson {
    schema: &'static str,
    entries: usize,
    ok: bool,
    problems: Vec<String>,
    /// What cannot be checked; no fault of the session.
    notes: Vec<String>,
}

pub(super) fn verify(bench: &Bench, read: &LedgerRead) -> Result<Outcome> {
    let mut desk = bench.open(&read.session)?;
    let problems = desk.verify()?;
    let notes = desk.unchecked()?;
    let entries = desk.ledger()?.entries.len();
    let outcome = if problems.is_empty() { Outcome::Fine } else { Outcome::CheckFailed };
    match read.format {
        Format::Json => {
            let ok = problems.is_empty();
            document(&VerifyJson { schema: "stet.ledger-verify/1", entries, ok, problems, notes })?;
        }
        Format::Text => {
            let mut out = Out::new(Text::Safe);
            if problems.is_empty() {
                out.line(&format!(
                    "{}: chain, quotes and database are in order",
                    count(entries as u64, "entry", "entries")
                ))?;
            }
            problems.iter().try_for_each(|problem| out.line(problem))?;
            notes.iter().try_for_each(|note| out.line(note))?;
            out.flush()?;
        }
    }
    Ok(outcome)
}
