//! `stet open`, and `stet` alone: a session in the terminal UI; plain text where stdout is no terminal.

use std::ffi::OsStr;
use std::io::IsTerminal;

use anyhow::Result;

use super::{Bench, ls, show};
use crate::cli::Outcome;
use crate::cli::args::{DocumentFormat, Format};
use crate::cli::print::Text;
use crate::record::Via;
use crate::tui;
use crate::view::{Signs, Zone};
use crate::workbench::Hand;

pub(super) fn open(bench: &Bench, session: &OsStr) -> Result<Outcome> {
    let target = bench.bench.find(session)?;
    if !std::io::stdout().is_terminal() {
        return show::transcript(bench, &target, DocumentFormat::Text, Text::Safe);
    }
    let mut desk = bench.bench.open(&target)?;
    // What is entered there is a person's, who sits at the terminal.
    desk.hand_over(Hand { via: Via::Tui, author: bench.settings.author.clone(), proposed: false });
    let background = desk.again()?;
    let config = &bench.settings.config;
    let mut settings = tui::Settings::of_environment(|name| std::env::var(name).ok());
    settings.screen.zone = Zone::new(|at| {
        let zone = jiff::tz::TimeZone::system();
        jiff::Timestamp::from_millisecond(at).map_or(0, |at| zone.to_offset(at).seconds())
    });
    if config.ui.ascii {
        settings.screen.signs = &Signs::ASCII;
    }
    settings.screen.keys = config.keys.iter().map(|(id, key)| (id.clone(), vec![key.clone()])).collect();
    tui::run(desk, background, settings)?;
    Ok(Outcome::Fine)
}

/// What there is to open.
pub(super) fn pick(bench: &Bench) -> Result<Outcome> {
    ls::ls(bench, Format::Text)
}
