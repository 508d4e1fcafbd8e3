//! `stet export`: a session as JSON lines, everything in it.

use std::ffi::OsStr;

use anyhow::Result;

use super::Bench;
use crate::cli::print::{Out, Text};
use crate::cli::{Outcome, json};

pub(super) fn export(bench: &Bench, session: &OsStr) -> Result<Outcome> {
    let target = bench.bench.find(session)?;
    let mut out = Out::new(Text::Raw);
    bench.bench.export(&target, &mut json::Escaping::new(&mut out))?;
    out.flush()?;
    Ok(Outcome::Fine)
}
