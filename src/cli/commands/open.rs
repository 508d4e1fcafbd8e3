//! `stet open`, and `stet` alone: a session in the terminal UI; plain text where stdout is no terminal.

use std::ffi::OsStr;
use std::io::IsTerminal;

use anyhow::Result;

use super::{Bench, ls, show};
use crate::app;
use crate::cli::args::{DocumentFormat, Format};
use crate::cli::print::{self, Out, Text};
use crate::cli::{Outcome, text};
use crate::record::Via;
use crate::text::{Shown, cut};
use crate::view::{Signs, Zone};
use crate::workbench::{Hand, SessionInfo, Target};

pub(super) fn open(bench: &Bench, session: &OsStr) -> Result<Outcome> {
    if is_attended() {
        let found = bench.bench.find_all(session)?;
        if found.targets.len() > 1 {
            return choose(bench, found.targets);
        }
    }
    let target = bench.bench.find(session)?;
    // A terminal that knows no cursor gets what a pipe gets.
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if dumb || !std::io::stdout().is_terminal() {
        return show::transcript(bench, &target, DocumentFormat::Text, Text::Safe);
    }
    screen(bench, &target)
}

fn screen(bench: &Bench, target: &Target) -> Result<Outcome> {
    let mut desk = bench.bench.open(target)?;
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

/// How many sessions are offered: those that were written last.
const OFFERED: usize = 20;

/// Whether somebody sits at the terminal, to be asked.
fn is_attended() -> bool {
    std::io::stdout().is_terminal() && std::io::stdin().is_terminal()
}

/// What there is to open: a list to choose from, where somebody sits at the terminal.
pub(super) fn pick(bench: &Bench) -> Result<Outcome> {
    if !is_attended() {
        return ls::ls(bench, Format::Text);
    }
    choose(bench, bench.bench.sessions().0)
}

/// Asks which of these is meant, the newest first.
fn choose(bench: &Bench, mut targets: Vec<Target>) -> Result<Outcome> {
    targets.sort_by_key(|target| {
        let written = std::fs::metadata(target.path()).and_then(|meta| meta.modified()).ok();
        std::cmp::Reverse(written)
    });
    let more = targets.len().saturating_sub(OFFERED);
    targets.truncate(OFFERED);
    let mut offered = Vec::new();
    for target in targets {
        match bench.read(&target).and_then(|mut desk| desk.info()) {
            Ok(info) => offered.push((target, info)),
            Err(error) => print::error(&error),
        }
    }
    // A copy was written when it was copied; what is told, as by `stet ls`, is when something was said last.
    offered.sort_by_key(|(_, info)| std::cmp::Reverse(info.modified));
    let mut out = Out::new(Text::Safe);
    for (at, (_, info)) in offered.iter().enumerate() {
        for line in offer(at + 1, info, print::columns()) {
            out.line(&line)?;
        }
    }
    if offered.is_empty() {
        return ls::ls(bench, Format::Text);
    }
    if more > 0 {
        out.line(&format!("     and {more} older (stet ls lists all)"))?;
    }
    out.exact(&format!("open which? 1–{}, Enter leaves: ", offered.len()))?;
    out.flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    let answer = answer.trim();
    if answer.is_empty() {
        return Ok(Outcome::Fine);
    }
    let chosen = answer.parse::<usize>().ok().and_then(|no| offered.get(no.checked_sub(1)?));
    match chosen {
        Some((target, _)) => screen(bench, target),
        None => anyhow::bail!("cannot open {answer}: it is no number of the list"),
    }
}

/// A session of the list in rows that no terminal of so many columns breaks: one, or two where that is narrow.
fn offer(no: usize, info: &SessionInfo, columns: usize) -> Vec<String> {
    let at = info.modified.map(text::clock).unwrap_or_default();
    let title = info.title.as_ref().unwrap_or(&info.key.id);
    let size = text::size(info.turns, info.compactions as usize);
    let agent = &info.key.agent;
    let fitted = |text: &str, room: usize| cut(&Shown::line(text), room).into_string();
    let beside = 5 + 16 + 2 + 12 + 3 + size.chars().count() + 2;
    match columns.checked_sub(beside).filter(|room| *room >= 24) {
        Some(room) => vec![format!("{no:>3}  {at:<16}  {agent:<12} {}  ({size})", fitted(title, room))],
        None => {
            vec![fitted(&format!("{no:>3}  {title}"), columns), fitted(&format!("     {size}  {at}  {agent}"), columns)]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::offer;
    use crate::session::SessionKey;
    use crate::text::{Shown, width};
    use crate::workbench::SessionInfo;

    #[test]
    fn no_offer_is_wider_than_the_terminal() {
        let info = SessionInfo {
            title: Some("Courier: where do lost webhooks go, and who finds them again".to_owned()),
            turns: 60,
            compactions: 4,
            key: SessionKey::new("claude-code", "s"),
            path: "s.jsonl".into(),
            modified: Some(1_772_442_000_000),
            skipped: None,
        };
        for (columns, rows) in [(100, 1), (80, 2), (50, 2), (20, 2)] {
            let offered = offer(7, &info, columns);
            assert_eq!(offered.len(), rows, "{columns}");
            assert!(offered.iter().all(|row| width(&Shown::line(row)) <= columns), "{columns}: {offered:?}");
        }
    }
}
