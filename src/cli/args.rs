//! The command line as values. What each command does stands in `commands/`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::record::{Act, EntryKind, FindingKind, Outcome, Severity};

const EXAMPLES: &str = "\
Examples:
  stet demo                                  look round in a sample
  stet ls                                    which sessions are on this machine
  stet ~/.claude/projects/shop/0a1b.jsonl    open one
  stet show SESSION -m 2 --format json       what the second compaction kept
  stet ledger correct SESSION m2.r3 --as reopened --reason 'nobody ruled it out'

SESSION is a path, a session id, or path#id where one file holds several.
An agent's own files are only ever read.";

const AUDIT_HELP: &str = "\
What is found at each compaction, worst first:
  turned round                           a question, a no or a maybe came out as its opposite (inverted)
  never said                             no turn before the compaction holds it (invented)
  changed                                the same thing with another value (altered)
  made firmer                            surer than it was said (firmed)
  someone else said it                   the agent's own caution became the user's rule (misattributed)
  said again after it was corrected      it contradicts an entry of the ledger (overruled)
  only a summary says so                 its originals are gone (laundered)
  forgotten                              said, needed afterwards, and not kept (lost)

Folders stand for all sessions in them. With --format json one object a line is printed for each session, as
soon as it and those before it are done; stet schema audit describes it. A session that cannot be read keeps no
other from being looked at; the exit code is then 2.

Examples:
  stet audit session.jsonl
  stet audit session.jsonl --kind inverted --kind altered
  stet audit ~/.claude/projects --fail-on high
  stet audit ~/.claude/projects --format json > findings.jsonl";

const LINEAGE_HELP: &str = "\
The original words come first, then how each compaction renders them. `changed` compares with the original; a
comparison of each summary with the one before alone is shown beside it, because it often sees nothing.

Examples:
  stet lineage orders.db m5.d2
  stet lineage session.jsonl 'retry ceiling'";
const EXTRACT: &str = "\
What it sees, by field:
  entities      identifiers, with their class: path, url, uuid, hash, version, id, symbol, …
  figures       values with label, unit and comparator
  constraints   sentences that bind: must, never, only, before
  decisions     sentences that decide, agree or turn down
  actions       sentences that tell of something done
  ruled_out     what is ruled out, with the evidence where it is given
  open          questions, proposals, things to be done
  hedge         words that leave something uncertain
  negation      what is negated; the cue are the words that do it

Code, logs, diffs, quoted lines and what a harness put into the text hold identifiers and figures, and nothing else.
Certainty: 0 asked, 1 conditional, 2 possible, 3 weak belief, 4 proposed or probable, 5 wanted, 6 decided or done.
A range counts bytes of the text from 0, its end not included; with --lines, of the line.
A field that the language has no words for is told as not analysed, which does not mean that there is nothing.

Examples:
  stet extract notes.md
  pbpaste | stet extract
  stet extract --lines --format json claims.txt | jq 'select(.field == \"negation\")'";

/// See what each compaction of a long agent session kept, check it against the originals, correct it, and keep the
/// correction.
#[derive(Debug, Parser)]
#[command(name = "stet", version, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// The stet database to use instead of the default one
    #[arg(long, global = true, value_name = "FILE")]
    pub db: Option<PathBuf>,

    /// Open this session: a path, a session id, or path#id
    pub session: Option<OsString>,

    /// What to do; without one, SESSION is opened.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Open a session in the terminal UI (plain text where stdout is no terminal)
    Open(One),
    /// Open a private copy of a sample session
    #[command(after_help = "Examples:\n  stet demo\n  stet demo credit-hold --reset")]
    Demo(Demo),
    /// List the sessions found: the agents' standard places and the database
    Ls(Listing),
    /// Print a transcript, or the record of one marker
    #[command(
        after_help = "Examples:\n  stet show orders.db -m 6\n  stet show orders.db -m 6 --format json\n  stet show 0a1b2c3d --format md > session.md"
    )]
    Show(Show),
    /// Say what each compaction lost, invented, hardened or turned round, with the original words
    #[command(after_help = AUDIT_HELP)]
    Audit(Audit),
    /// Follow one claim through all generations, back to the words that it comes from
    #[command(after_help = LINEAGE_HELP)]
    Lineage(Lineage),
    /// Say what the extractor sees in a text: from a file, or from stdin
    #[command(after_help = EXTRACT)]
    Extract(Extract),
    /// Read and write the ledger: the entries that are pinned for a session
    #[command(subcommand)]
    Ledger(LedgerCommand),
    /// Copy sessions verbatim into the stet database; run again, only what is new
    #[command(
        after_help = "Reads agents' sessions, stet databases and interchange files (what `stet export` writes).\n\nExamples:\n  stet import ~/.claude/projects/shop\n  stet import backup.jsonl --db other.db"
    )]
    Import(Many),
    /// Write a session as JSON lines: parts, compactions, records, ledger
    #[command(after_help = "Example:\n  stet export orders.db > orders.jsonl")]
    Export(One),
    /// Store parts from stdin while a session runs; each is acknowledged on stdout once it is committed
    #[command(
        after_help = "Part lines are those of `stet export`; `stet schema part` describes them.\nAcknowledged with {\"ack\":ID}. The same id and bytes again are acknowledged and not stored twice.\n\nExample:\n  my-agent --log-parts | stet append --session night-shift"
    )]
    Append(Append),
    /// Say what stet finds here: paths, versions, terminal, stores
    Doctor(Listing),
    /// Print the JSON Schema of an output
    #[command(after_help = "Without NAME, the names are listed.")]
    Schema {
        /// Which one
        name: Option<String>,
    },
    /// Print a completion script
    #[command(after_help = "Example:\n  stet completions bash > ~/.local/share/bash-completion/completions/stet")]
    Completions {
        /// For which shell
        shell: clap_complete::Shell,
    },
}

/// One session.
#[derive(Debug, Args)]
pub struct One {
    /// A path, a session id, or path#id
    pub session: OsString,
}

/// Several sessions.
#[derive(Debug, Args)]
pub struct Many {
    /// Paths, folders, session ids, or path#id
    #[arg(required = true, value_name = "SESSION")]
    pub sessions: Vec<OsString>,
}

/// How to print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
}

/// How to print something that is read as a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DocumentFormat {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
    /// Markdown
    Md,
}

/// A command that only prints.
#[derive(Debug, Args)]
pub struct Listing {
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// See [`Command::Demo`].
#[derive(Debug, Args)]
pub struct Demo {
    /// Which sample: orders-status, credit-hold or retry-ceiling
    #[arg(default_value = "orders-status")]
    pub name: String,
    /// Make the copy anew; corrections made to it are lost
    #[arg(long)]
    pub reset: bool,
}

/// See [`Command::Show`].
#[derive(Debug, Args)]
pub struct Show {
    /// A path, a session id, or path#id
    pub session: OsString,
    /// The record of this marker instead of the transcript: 2 or m2
    #[arg(short, long, value_name = "N", value_parser = marker_number)]
    pub marker: Option<u32>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: DocumentFormat,
    /// Print text as it is stored, with whatever controls it holds
    #[arg(long)]
    pub raw: bool,
}

/// See [`Command::Audit`].
#[derive(Debug, Args)]
pub struct Audit {
    /// Paths, folders, session ids, or path#id
    #[arg(required = true, value_name = "SESSION")]
    pub sessions: Vec<OsString>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// End with exit code 1 when a finding is at least this severe; what a person corrected or said to be a wrong alarm
    /// does not count
    #[arg(long, value_parser = severity, value_name = "low|medium|high")]
    pub fail_on: Option<Severity>,
    /// Only findings of this kind; may be given several times
    #[arg(long, value_parser = finding_kind, value_name = "KIND")]
    pub kind: Vec<FindingKind>,
    /// Only findings at least this severe
    #[arg(long, value_parser = severity, value_name = "low|medium|high")]
    pub severity: Option<Severity>,
    /// Print every item of every record as well, with its verdict and its sources (JSON always has them)
    #[arg(long)]
    pub items: bool,
    /// Sessions that are looked at side by side
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}

/// See [`Command::Lineage`].
#[derive(Debug, Args)]
pub struct Lineage {
    /// A path, a session id, or path#id
    pub session: OsString,
    /// An item, as `stet show -m` names it (m5.d2), or a sentence to look for in the records
    #[arg(value_name = "ITEM|TEXT")]
    pub claim: String,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// See [`Command::Extract`].
#[derive(Debug, Args)]
pub struct Extract {
    /// The file to read; without one, stdin
    pub file: Option<PathBuf>,
    /// Every line is a text of its own, and every item says its line
    #[arg(long)]
    pub lines: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// See [`Command::Append`].
#[derive(Debug, Args)]
pub struct Append {
    /// The id of the session
    #[arg(long, value_name = "ID")]
    pub session: String,
    /// Whose session it is
    #[arg(long, default_value = "stet")]
    pub agent: String,
}

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
    /// Take over another person's entries, chain-checked
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
    #[arg(long, value_name = "TEXT")]
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
    #[arg(long)]
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
    #[arg(long)]
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

fn prefixed(text: &str, prefix: char) -> Option<u32> {
    let digits =
        text.strip_prefix(prefix.to_ascii_lowercase()).or_else(|| text.strip_prefix(prefix.to_ascii_uppercase()));
    digits.unwrap_or(text).parse().ok().filter(|no| *no > 0)
}

fn marker_number(text: &str) -> Result<u32, String> {
    prefixed(text, 'm').ok_or_else(|| "a marker is a number from 1, such as 2 or m2".to_owned())
}

fn entry_number(text: &str) -> Result<u32, String> {
    prefixed(text, 'L').ok_or_else(|| "an entry is a number from 1, such as 3 or L3".to_owned())
}

fn names(all: impl Iterator<Item = &'static str>) -> String {
    all.map(|name| name.replace('_', "-")).collect::<Vec<_>>().join(", ")
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

fn finding_kind(text: &str) -> Result<FindingKind, String> {
    FindingKind::named(text)
        .ok_or_else(|| format!("give one of {}", names(FindingKind::ALL.iter().map(|kind| kind.name()))))
}

fn severity(text: &str) -> Result<Severity, String> {
    Severity::named(text)
        .ok_or_else(|| format!("give one of {}", names(Severity::ALL.iter().map(|severity| severity.name()))))
}
