//! `stet open`, and `stet` alone: a session in the terminal UI; plain text where stdout is no terminal.

use std::ffi::OsStr;
use std::io::IsTerminal;

use anyhow::Result;

use super::{Bench, ls, show};
use crate::cli::Outcome;
use crate::cli::args::{DocumentFormat, Format};
use crate::cli::print::Text;

pub(super) fn open(bench: &Bench, session: &OsStr) -> Result<Outcome> {
    let target = bench.bench.find(session)?;
    if !std::io::stdout().is_terminal() {
        return show::transcript(bench, &target, DocumentFormat::Text, Text::Safe);
    }
    show::transcript(bench, &target, DocumentFormat::Text, Text::Safe)
}

/// What there is to open.
pub(super) fn pick(bench: &Bench) -> Result<Outcome> {
    ls::ls(bench, Format::Text)
}
