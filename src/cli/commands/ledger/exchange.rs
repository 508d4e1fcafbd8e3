//! `stet ledger export` and `import`: entries from one person to another.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::Result;

use super::Bench;
use crate::cli::Outcome;
use crate::cli::print::{self, Out, Text};

pub(super) fn export(bench: &Bench, session: &OsStr) -> Result<Outcome> {
    let mut desk = bench.open(session)?;
    let mut out = Out::new(Text::Raw);
    desk.export_ledger(&mut out)?;
    out.flush()?;
    Ok(Outcome::Fine)
}

pub(super) fn import(bench: &Bench, session: &OsStr, file: &Path) -> Result<Outcome> {
    let mut desk = bench.open(session)?;
    let taken = desk.import_ledger(file)?;
    let mut out = Out::new(Text::Safe);
    out.line(&format!("{} new entries, {} known", taken.new, taken.known))?;
    for (theirs, ours) in &taken.conflicts {
        out.line(&format!("   conflict: theirs, L{}, and ours, L{}, are about one item; the newer one counts", theirs, ours))?;
    }
    out.flush()?;
    if taken.new > 0 && bench.settings.must_confirm() {
        print::note("stet: entries keep the standing they had where they were made");
    }
    Ok(Outcome::Fine)
}
