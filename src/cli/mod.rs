//! The command line: a thin client of the workbench. What is printed stands here, what is done stands there.

mod args;
mod commands;
mod ending;
mod found;
mod json;
mod markdown;
mod print;
mod report;
mod settings;
mod text;
mod waiting;
mod walk;

use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use crate::app;
use crate::workbench::Desk;

/// How a command that did its work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Fine,
    /// A check that was asked for failed.
    CheckFailed,
    /// Not as it was asked for: a summariser failed, and something else stands for what it should have written.
    Instead,
}

/// Shows an open session on the terminal until the person leaves it. The second desk is the same session, for what goes
/// on behind the screen; the last is the theme that the person named.
pub type Screen = fn(Desk, Desk, app::Settings, Option<&str>) -> anyhow::Result<()>;

/// Does what the command line says; sessions are opened on this screen. 0: fine; 1: a check that was asked for, or a
/// summariser, failed; 2: it could not be done.
pub fn run(screen: Screen) -> ExitCode {
    let cli = match args::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help that nobody reads to its end is no failure.
            if !error.use_stderr() {
                let _ = error.print();
                return ExitCode::SUCCESS;
            }
            if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
                let _ = error.print();
                return ExitCode::from(2);
            }
            print::error(&anyhow::anyhow!("{}", mistake(&error)));
            return ExitCode::from(2);
        }
    };
    match ending::outlive_full_files().and_then(|()| commands::run(cli, screen)) {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::CheckFailed | Outcome::Instead) => ExitCode::from(1),
        Err(error) if print::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            print::error(&error);
            ExitCode::from(2)
        }
    }
}

/// A mistake on the command line in one line, like every other error.
fn mistake(error: &clap::Error) -> String {
    let told = error.to_string();
    let lines = told.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let told: Vec<&str> = lines.filter(|line| !line.is_empty() && !line.starts_with("For more information")).collect();
    let told = told.join(" ").replace(" tip: ", "; ");
    format!("cannot understand the command line: {} (see stet --help)", told.trim_start_matches("error: "))
}
