//! The command line: a thin client of the workbench. What is printed stands here, what is done stands there.

mod args;
mod commands;
mod json;
mod markdown;
mod print;
mod settings;
mod text;

use std::process::ExitCode;

use clap::Parser;

/// How a command that did its work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Fine,
    /// A check that was asked for failed.
    CheckFailed,
}

/// Does what the command line says. 0: fine; 1: a check that was asked for failed; 2: it could not be done.
pub fn run() -> ExitCode {
    let cli = match args::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help that nobody reads to its end is no failure.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match commands::run(cli) {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::CheckFailed) => ExitCode::from(1),
        Err(error) if print::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            print::error(&error);
            ExitCode::from(2)
        }
    }
}
