//! `stet import`: sessions, verbatim, into the stet database.

use std::ffi::OsString;

use anyhow::Result;

use super::{Bench, Failures, note_passed_over};
use crate::cli::Outcome;
use crate::cli::print::{self, Out, Text};
use crate::cli::text::count;
use crate::view::thousands;
use crate::workbench::Import;

/// One that cannot be imported does not keep the others from it.
pub(super) fn import(bench: &Bench, sessions: &[OsString]) -> Result<Outcome> {
    let mut out = Out::new(Text::Safe);
    let mut failures = Failures::default();
    for session in sessions {
        let bar = print::progress(0, "importing");
        let imported = bench.bench.import(session, &mut |done, whole| {
            bar.set_length(whole);
            bar.set_position(done);
        });
        bar.finish_and_clear();
        match imported {
            Ok(imports) => {
                for import in &imports.done {
                    out.line(&told(import))?;
                }
                imports.failed.into_iter().for_each(|problem| failures.add(problem));
                out.flush()?;
                note_passed_over(session, imports.passed_over);
            }
            Err(error) => failures.add(error),
        }
    }
    out.flush()?;
    failures.end(Outcome::Fine)
}

/// What came of one session, in a line.
fn told(import: &Import) -> String {
    let done = &import.done;
    let mut told = vec![count(done.parts_new, "new part", "new parts")];
    if done.parts_known > 0 {
        told.push(format!("{} known", thousands(done.parts_known)));
    }
    if done.records_new > 0 {
        told.push(count(done.records_new, "record", "records"));
    }
    let entries = done.entries_new + import.entries as u64;
    if entries > 0 {
        let waiting = match done.entries_doubted {
            _ if import.proposed => ", proposed until a person confirms (stet ledger confirm)".to_owned(),
            0 => String::new(),
            some => {
                format!(", {some} proposed: no words of a person in the session bear them out (stet ledger confirm)")
            }
        };
        told.push(format!("{}{waiting}", count(entries, "ledger entry", "ledger entries")));
    }
    if !done.troubles.is_empty() {
        let lines = count(done.troubles.len() as u64, "line", "lines");
        told.push(format!("{lines} that could not be read (kept as it is in the file)"));
    }
    if done.pending > 0 {
        told.push(format!("{} bytes at the end are no whole line yet", thousands(done.pending)));
    }
    format!("{}: {}", import.name, told.join(" · "))
}
