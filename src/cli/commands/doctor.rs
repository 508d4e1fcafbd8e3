//! `stet doctor`: what is found here, and what is wrong with it.

use std::collections::BTreeMap;
use std::io::IsTerminal;

use anyhow::Result;
use serde::Serialize;

use super::Bench;
use crate::cli::Outcome;
use crate::cli::args::Format;
use crate::cli::json;
use crate::cli::print::{self, Out, Text};
use crate::cli::text::count;
use crate::workbench;

#[derive(Serialize)]
struct DoctorJson {
    schema: &'static str,
    version: &'static str,
    sqlite: String,
    database: Database,
    config: String,
    config_exists: bool,
    author: String,
    cli_may_pin: bool,
    /// Which one, and where its key comes from; never the key.
    summariser: String,
    terminal: Terminal,
    stores: Vec<Stores>,
    troubles: Vec<String>,
}

#[derive(Serialize)]
struct Database {
    path: String,
    exists: bool,
    /// `None` where there is no database, or it does not say.
    sessions: Option<usize>,
    /// Empty when all is well.
    problems: Vec<String>,
    /// Findings that somebody said to be wrong alarms, by kind.
    wrong_alarms: BTreeMap<&'static str, usize>,
    opened: OpenedJson,
}

/// Markers that were opened on the screen, and how often.
#[derive(Serialize)]
struct OpenedJson {
    markers: u64,
    times: u64,
}

#[derive(Serialize)]
struct Terminal {
    stdout: bool,
    term: Option<String>,
    colorterm: Option<String>,
    no_color: bool,
    locale: Option<String>,
}

#[derive(Serialize)]
struct Stores {
    agent: &'static str,
    folder: String,
    exists: bool,
    sessions: usize,
}

/// `unknown` says what could not be told of the places themselves.
pub(super) fn doctor(bench: &Bench, unknown: &[anyhow::Error], format: Format) -> Result<Outcome> {
    let settings = &bench.settings;
    let report = bench.bench.examine();
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let document = DoctorJson {
        schema: "stet.doctor/1",
        version: env!("CARGO_PKG_VERSION"),
        sqlite: report.sqlite,
        database: Database {
            path: settings.db.to_string_lossy().into_owned(),
            exists: report.database_exists,
            sessions: report.sessions,
            problems: report.problems,
            opened: OpenedJson { markers: report.opened.markers, times: report.opened.times },
            wrong_alarms: report.wrong_alarms.iter().map(|(kind, count)| (kind.name(), *count)).collect(),
        },
        config: settings.config_file.to_string_lossy().into_owned(),
        config_exists: settings.config_file.exists(),
        author: settings.author.clone(),
        cli_may_pin: settings.config.ledger.cli_may_pin,
        summariser: summariser(bench),
        terminal: Terminal {
            stdout: std::io::stdout().is_terminal(),
            term: variable("TERM"),
            colorterm: variable("COLORTERM"),
            no_color: variable("NO_COLOR").is_some(),
            locale: variable("LC_ALL").or_else(|| variable("LC_CTYPE")).or_else(|| variable("LANG")),
        },
        stores: report
            .stores
            .into_iter()
            .map(|store| Stores {
                agent: store.agent,
                folder: store.folder.to_string_lossy().into_owned(),
                exists: store.exists,
                sessions: store.sessions,
            })
            .collect(),
        troubles: unknown.iter().map(print::message).chain(report.troubles).collect(),
    };
    let mut out = Out::new(Text::Safe);
    match format {
        Format::Json => out.exact(&format!("{}\n", json::line(&document)?))?,
        Format::Text => tell(&mut out, &document)?,
    }
    out.flush()?;
    Ok(if document.database.problems.is_empty() { Outcome::Fine } else { Outcome::CheckFailed })
}

/// Which one is configured, or what is wrong with it. Nothing is run and nobody is asked.
fn summariser(bench: &Bench) -> String {
    let settings = match bench.settings.summariser() {
        Ok(settings) => settings,
        Err(error) => return format!("!! {error:#}"),
    };
    match workbench::summariser(&settings) {
        Ok(_) => settings.told(),
        Err(error) => format!("!! {error:#}"),
    }
}

fn tell(out: &mut Out, document: &DoctorJson) -> std::io::Result<()> {
    let there = |exists: bool| if exists { "" } else { "  (not there yet)" };
    let place = |path: &str, exists: bool| match path {
        "" => "not known".to_owned(),
        path => format!("{path}{}", there(exists)),
    };
    out.line(&format!("stet         {}, SQLite {}", document.version, document.sqlite))?;
    out.line(&format!("database     {}", place(&document.database.path, document.database.exists)))?;
    if let Some(sessions) = document.database.sessions {
        out.line(&format!("             {}", count(sessions as u64, "session", "sessions")))?;
    }
    if !document.database.wrong_alarms.is_empty() {
        let kinds: Vec<String> =
            document.database.wrong_alarms.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        out.line(&format!("             said to be wrong alarms: {}", kinds.join(", ")))?;
    }
    if document.database.opened.times > 0 {
        let (markers, times) = (document.database.opened.markers, document.database.opened.times);
        out.line(&format!(
            "             {} opened, {}",
            count(markers, "marker", "markers"),
            count(times, "time", "times")
        ))?;
    }
    for problem in &document.database.problems {
        out.line(&format!("             !! {problem}"))?;
    }
    out.line(&format!("settings     {}", place(&document.config, document.config_exists)))?;
    let may = if document.cli_may_pin { "commands may pin" } else { "commands without a terminal only propose" };
    out.line(&format!("ledger       entries are by {}; {may}", document.author))?;
    out.line(&format!("summariser   {}", document.summariser))?;
    let terminal = &document.terminal;
    let word = |value: &Option<String>| value.clone().unwrap_or_else(|| "unset".to_owned());
    out.line(&format!(
        "terminal     TERM {}, COLORTERM {}, NO_COLOR {}, locale {}",
        word(&terminal.term),
        word(&terminal.colorterm),
        if terminal.no_color { "set" } else { "unset" },
        word(&terminal.locale),
    ))?;
    for store in &document.stores {
        let held = if store.exists {
            format!("  {}", count(store.sessions as u64, "session", "sessions"))
        } else {
            "  (not there)".to_owned()
        };
        out.line(&format!("{:<12} {}{held}", store.agent, store.folder))?;
    }
    document.troubles.iter().try_for_each(|trouble| out.line(&format!("!!           {trouble}")))
}
