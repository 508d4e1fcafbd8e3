//! `stet ledger export` and `import`: entries from one person to another.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::Result;

use super::Bench;
use crate::cli::print::{self, Out, Text};
use crate::cli::text::count;
use crate::cli::{Outcome, json};

pub(super) fn export(bench: &Bench, session: &OsStr) -> Result<Outcome> {
    let mut desk = bench.open(session)?;
    let mut out = Out::new(Text::Raw);
    desk.export_ledger(&mut json::Escaping::new(&mut out))?;
    out.flush()?;
    Ok(Outcome::Fine)
}

pub(super) fn import(bench: &Bench, session: &OsStr, file: &Path) -> Result<Outcome> {
    let mut desk = bench.open(session)?;
    let taken = desk.import_ledger(file)?;
    let mut out = Out::new(Text::Safe);
    out.line(&format!(
        "{}, {}",
        count(taken.new as u64, "new entry", "new entries"),
        if taken.known == 0 { "none known".to_owned() } else { format!("{} known", taken.known) }
    ))?;
    let proposed = bench.settings.must_confirm();
    for (theirs, ours) in &taken.conflicts {
        let counts = if proposed {
            format!("L{ours} counts until L{theirs} is confirmed")
        } else {
            format!("L{theirs} counts now")
        };
        out.line(&format!("   conflict: theirs, now L{theirs}, and ours, L{ours}, are about one item; {counts}"))?;
    }
    desk.unchecked()?.iter().try_for_each(|note| out.line(&format!("   {note}")))?;
    out.flush()?;
    if taken.new > 0 && proposed {
        print::note("nobody sits at this terminal, so the entries are only proposed (stet ledger confirm SESSION L…)");
    }
    Ok(Outcome::Fine)
}
