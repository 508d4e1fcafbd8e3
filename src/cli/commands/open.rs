//! `stet open`, and `stet` alone: a session in the terminal UI; plain text where stdout is no terminal.

use std::ffi::OsStr;
use std::io::IsTerminal;

use anyhow::Result;

use super::{Bench, ls, show};
use crate::app;
use crate::cli::Outcome;
use crate::cli::args::{DocumentFormat, Format};
use crate::cli::print::Text;
use crate::record::Via;
use crate::view::{Signs, Zone};
use crate::workbench::Hand;

pub(super) fn open(bench: &Bench, session: &OsStr) -> Result<Outcome> {
    let target = bench.bench.find(session)?;
    // A terminal that knows no cursor gets what a pipe gets.
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if dumb || !std::io::stdout().is_terminal() {
        return show::transcript(bench, &target, DocumentFormat::Text, Text::Safe);
    }
    let mut desk = bench.bench.open(&target)?;
    // What is entered there is a person's, who sits at the terminal.
    desk.hand_over(Hand { via: Via::Tui, author: bench.settings.author.clone(), proposed: false });
    let background = desk.again()?;
    let config = &bench.settings.config;
    let zone = jiff::tz::TimeZone::system();
    let offset = move |at| jiff::Timestamp::from_millisecond(at).map_or(0, |at| zone.to_offset(at).seconds());
    let settings = app::Settings {
        signs: if config.ui.ascii { &Signs::ASCII } else { &Signs::UNICODE },
        zone: Zone::new(offset),
        keys: config.keys.iter().map(|(id, key)| (id.clone(), vec![key.clone()])).collect(),
        ..app::Settings::default()
    };
    (bench.screen)(desk, background, settings, config.ui.theme.as_deref())?;
    Ok(Outcome::Fine)
}

/// What there is to open.
pub(super) fn pick(bench: &Bench) -> Result<Outcome> {
    ls::ls(bench, Format::Text)
}
