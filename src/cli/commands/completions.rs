//! `stet completions`: what a shell can complete.

use anyhow::Result;
use clap::CommandFactory;

use crate::cli::Outcome;
use crate::cli::args::Cli;
use crate::cli::print::{Out, Text};

pub(super) fn completions(shell: clap_complete::Shell) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "stet", &mut script);
    let mut out = Out::new(Text::Safe);
    out.exact(&String::from_utf8_lossy(&script))?;
    out.flush()?;
    Ok(Outcome::Fine)
}
