//! The arguments of `stet ledger`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Format, One, names, prefixed};
use crate::record::{Act, EntryKind, Outcome};

/// What can be done with a ledger.
#[derive(Debug, Subcommand)]
pub enum LedgerCommand {
    /// List the entries with what they count for
    List(LedgerRead),
    /// Print what an agent is told
    Print(LedgerPrint),
    /// Print every entry in order, withdrawn ones too: who, when, why
    History(LedgerRead),
    /// Check the chain of hashes, the quotes and the database; exit code 1 when something is wrong
    Verify(LedgerRead),
    /// Write the entries as JSON lines
    Export(One),
    /// Take over another person's entries; their chain and what they quote are checked
    Import {
        /// The session they are about
        session: OsString,
        /// A file that `stet ledger export` wrote
        file: PathBuf,
    },
    /// Pin a new entry
    #[command(
        after_help = "Example:\n  stet ledger add SESSION --kind constraint --text 'ask before touching the export job' --turn 26"
    )]
    Add(LedgerAdd),
    /// Correct an item of a record
    #[command(
        after_help = "Examples:\n  stet ledger correct SESSION m1.d2 --as reopened\n  stet ledger correct SESSION m3.f1 --as reworded --text 'retry ceiling 7' --turn 14\n  stet ledger correct SESSION m2.o4 --as settled --outcome done --turn 61"
    )]
    Correct(LedgerCorrect),
    /// Take an entry back; it stays in the list
    Withdraw(LedgerTarget),
    /// Bring a withdrawn entry back
    Reinstate(LedgerTarget),
    /// Confirm an entry that a program proposed
    Confirm(LedgerTarget),
}

/// Reads a ledger.
#[derive(Debug, Args)]
pub struct LedgerRead {
    /// A path, a session id, or path#id
    pub session: OsString,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// See [`LedgerCommand::Print`].
#[derive(Debug, Args)]
pub struct LedgerPrint {
    /// A path, a session id, or path#id
    pub session: OsString,
    /// The most it may take
    #[arg(long, value_name = "N", default_value_t = crate::handback::DEFAULT_TOKENS)]
    pub max_tokens: u64,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Who writes, and why.
#[derive(Debug, Args)]
pub struct Writing {
    /// Why
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub reason: Option<String>,
    /// Who; without it your user name
    #[arg(long, value_name = "NAME")]
    pub author: Option<String>,
}

/// See [`LedgerCommand::Add`].
#[derive(Debug, Args)]
pub struct LedgerAdd {
    /// A path, a session id, or path#id
    pub session: OsString,
    /// What it is
    #[arg(long, value_parser = entry_kind, value_name = "open|ruled-out|constraint|decision|fact|never-said")]
    pub kind: EntryKind,
    /// What it says
    #[arg(long, allow_hyphen_values = true)]
    pub text: String,
    /// The turn that says so
    #[arg(long, value_name = "N")]
    pub turn: Option<String>,
    /// Who and why
    #[command(flatten)]
    pub writing: Writing,
}

/// See [`LedgerCommand::Correct`].
#[derive(Debug, Args)]
pub struct LedgerCorrect {
    /// A path, a session id, or path#id
    pub session: OsString,
    /// The item, as `stet show -m` names it: m1.r1
    pub item: String,
    /// What is wrong with it
    #[arg(long = "as", value_parser = item_act, value_name = "reopened|replaced|reworded|settled|never-said|pinned")]
    pub act: Act,
    /// How it was settled; goes with --as settled and the turn or the text that says so
    #[arg(long, value_parser = outcome, value_name = "decided|ruled-out|done")]
    pub outcome: Option<Outcome>,
    /// What it should say
    #[arg(long, allow_hyphen_values = true)]
    pub text: Option<String>,
    /// The turn that says so
    #[arg(long, value_name = "N")]
    pub turn: Option<String>,
    /// Who and why
    #[command(flatten)]
    pub writing: Writing,
}

/// An entry by its name.
#[derive(Debug, Args)]
pub struct LedgerTarget {
    /// A path, a session id, or path#id
    pub session: OsString,
    /// The entry: L3 or 3
    #[arg(value_parser = entry_number)]
    pub entry: u32,
    /// Who and why
    #[command(flatten)]
    pub writing: Writing,
}

fn entry_number(text: &str) -> Result<u32, String> {
    prefixed(text, 'L').ok_or_else(|| "an entry is a number from 1, such as 3 or L3".to_owned())
}

fn entry_kind(text: &str) -> Result<EntryKind, String> {
    EntryKind::named(&text.replace('-', "_"))
        .ok_or_else(|| format!("give one of {}", names(EntryKind::ALL.iter().map(|kind| kind.name()))))
}

fn item_act(text: &str) -> Result<Act, String> {
    let about_items = Act::ALL.iter().filter(|act| !act.is_about_an_entry());
    Act::named(text)
        .filter(|act| !act.is_about_an_entry())
        .ok_or_else(|| format!("give one of {}", names(about_items.map(|act| act.name()))))
}

fn outcome(text: &str) -> Result<Outcome, String> {
    Outcome::named(text)
        .ok_or_else(|| format!("give one of {}", names(Outcome::ALL.iter().map(|outcome| outcome.name()))))
}
