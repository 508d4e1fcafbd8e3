//! The command line as values. What each command does stands in `commands/`.

mod help;
mod ledger;
mod simulate;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::record::{FindingKind, Severity};

use help::{AUDIT_HELP, COMPILE_HELP, COST_HELP, EXAMPLES, EXTRACT, LINEAGE_HELP, SIMULATE, WINDOW_HELP};
pub use ledger::{LedgerAdd, LedgerCommand, LedgerCorrect, LedgerPrint, LedgerRead, LedgerTarget, Writing};
pub use simulate::{Simulate, SimulateOf};

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
    /// Show what the next request carries: ledger, records of what is closed, recent turns
    #[command(after_help = WINDOW_HELP)]
    Window(WindowOf),
    /// Count what compacting reads: again and again over the last summary, or each block once
    #[command(after_help = COST_HELP)]
    Cost(CostOf),
    /// Cut sessions into blocks of turns, and make the record of each from the originals
    #[command(after_help = COMPILE_HELP)]
    Compile(Compile),
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
        after_help = "Part lines are those of `stet export`; `stet schema part` describes them. Acknowledged with {\"ack\":ID}. The same id and bytes again are acknowledged and not stored twice. What binds in a person's words is entered in the ledger as it arrives: rules and open questions hold, decisions wait. Appending makes no record of a block and waits for none: `stet compile` makes them, as often as you like. With --retention blocks close while lines come, and nothing of a closed block is left in the file but hashes, the sentences that the ledger pins, and of its record the names, the figures with their labels, and what was called on what (a file, the first words of a command), and a summariser's own words; a summary of a compaction among its turns goes with them, for it is made of what they said; --quotes drop leaves no sentence at all, and enters none: names and figures in records stay, whatever they are.\n\nExample:\n  my-agent --log-parts | stet append --session night-shift"
    )]
    Append(Append),
    /// Run an experiment: what survives repeated compaction, and what does not
    #[command(after_help = SIMULATE)]
    Simulate(SimulateOf),
    /// Say what stet finds here: paths, versions, terminal, stores; exit code 1 when the database is not in order
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
    /// Only findings of this kind, by its name or as it is printed (inverted, or 'turned round'); may be given several
    /// times
    #[arg(long, value_parser = finding_kind, value_name = "KIND")]
    pub kind: Vec<FindingKind>,
    /// Only findings at least this severe
    #[arg(long, value_parser = severity, value_name = "low|medium|high")]
    pub severity: Option<Severity>,
    /// Print every item of every record as well, with its verdict and its sources (JSON always has them)
    #[arg(long)]
    pub items: bool,
    /// Sessions that are looked at side by side
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), allow_negative_numbers = true)]
    pub jobs: Option<u16>,
}

/// See [`Command::Compile`].
#[derive(Debug, Args)]
pub struct Compile {
    /// Paths, folders, session ids, or path#id
    #[arg(required = true, value_name = "SESSION")]
    pub sessions: Vec<OsString>,
    /// Turns from which on a block closes at the next seam
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = turns, allow_negative_numbers = true)]
    pub target: u32,
    /// Turns at which a block closes at the latest
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = turns, allow_negative_numbers = true)]
    pub cap: u32,
    /// Print the record of each block, and of the turns that are still open
    #[arg(long)]
    pub records: bool,
    /// Who writes the prose of a new block, else the settings say: extractive takes sentences of the originals, word for
    /// word; command and http ask what [summariser] in the settings names, and check each sentence
    #[arg(long, value_name = "WHO", value_parser = ["extractive", "command", "http"])]
    pub summariser: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// See [`Command::Lineage`].
#[derive(Debug, Args)]
pub struct Lineage {
    /// A path, a session id, or path#id
    pub session: OsString,
    /// An item, as `stet show -m` names it (m5.d2), or a sentence to look for in the records
    #[arg(value_name = "ITEM|TEXT", allow_hyphen_values = true)]
    pub claim: String,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// See [`Command::Window`].
#[derive(Debug, Args)]
pub struct WindowOf {
    /// A path, a session id, or path#id
    pub session: OsString,
    /// What the window may hold, in tokens; else enough for the fullest context that a compaction tells of, and 200,000
    /// where none does
    #[arg(long, value_name = "TOKENS", value_parser = tokens, allow_negative_numbers = true)]
    pub budget: Option<u64>,
    /// The text that the agent begins with, which stands first in the window
    #[arg(long, value_name = "FILE")]
    pub system: Option<PathBuf>,
    /// Render records that do not fit in brief: of actions, figures and identifiers the most needed, the others counted;
    /// where stet compile has made spans of blocks, that is done without being asked for
    #[arg(long)]
    pub brief: bool,
    /// Print the text of the regions too
    #[arg(long)]
    pub text: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// See [`Command::Cost`].
#[derive(Debug, Args)]
pub struct CostOf {
    /// A path, a session id, or path#id
    #[arg(conflicts_with = "profile")]
    pub session: Option<OsString>,
    /// The figures of the literature instead of a session's own
    #[arg(long, value_enum)]
    pub profile: Option<CostProfile>,
    /// Dollars for a million tokens read
    #[arg(long, value_name = "DOLLARS", default_value_t = crate::workbench::PRICE, value_parser = price, allow_negative_numbers = true)]
    pub price: f64,
    /// Where a session has no compactions of its own: turns between two of them
    #[arg(long, value_name = "TURNS", default_value_t = 25, value_parser = turns, allow_negative_numbers = true)]
    pub every: u32,
    /// Tokens that a summariser reads at once: it parts the blocks into spans
    #[arg(long, value_name = "TOKENS", default_value_t = 200_000, value_parser = tokens, allow_negative_numbers = true)]
    pub window: u64,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Whose figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CostProfile {
    /// 300 turns: 12 compactions of 13,000 tokens against 7 blocks of 48,000 and 2 spans of 360,000
    Paper,
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
    /// Make it a session whose texts go when their block closes
    #[arg(long)]
    pub retention: bool,
    /// With --retention: whether the sentences that are pinned stay
    #[arg(long, value_name = "WHAT", default_value = "keep", requires = "retention", value_parser = ["keep", "drop"])]
    pub quotes: String,
    /// With --retention: list everything that stays, by kind and with the record or entry that holds it, when stdin has
    /// ended
    #[arg(long, requires = "retention")]
    pub kept: bool,
}

fn prefixed(text: &str, prefix: char) -> Option<u32> {
    let digits =
        text.strip_prefix(prefix.to_ascii_lowercase()).or_else(|| text.strip_prefix(prefix.to_ascii_uppercase()));
    digits.unwrap_or(text).parse().ok().filter(|no| *no > 0)
}

/// A number from 1: `32000`, `32,000` or `32k`.
fn number(text: &str) -> Option<u64> {
    let (digits, times) = match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1_000),
        None => (text, 1),
    };
    let mut groups = digits.split(',');
    let first = groups.next().unwrap_or_default();
    let is_grouped = digits != first;
    let whole = groups.all(|group| group.len() == 3) && (!is_grouped || (1..=3).contains(&first.len()));
    let digits = digits.replace(',', "");
    let plain = whole && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse::<u64>().ok().filter(|_| plain)?.checked_mul(times).filter(|number| *number > 0)
}

fn tokens(text: &str) -> Result<u64, String> {
    number(text).ok_or_else(|| "give a number of tokens from 1, such as 32000, 32,000 or 32k".to_owned())
}

fn turns(text: &str) -> Result<u32, String> {
    let number = number(text).and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| "give a number of turns from 1, such as 40".to_owned())
}

fn price(text: &str) -> Result<f64, String> {
    let price: Option<f64> = text.parse().ok();
    price
        .filter(|price| price.is_finite() && *price >= 0.0)
        .ok_or_else(|| "a price is a number such as 0.40".to_owned())
}

fn marker_number(text: &str) -> Result<u32, String> {
    prefixed(text, 'm').ok_or_else(|| "a marker is a number from 1, such as 2 or m2".to_owned())
}

fn names(all: impl Iterator<Item = &'static str>) -> String {
    all.map(|name| name.replace('_', "-")).collect::<Vec<_>>().join(", ")
}

/// By its name in JSON, or in the words that are printed: `turned round`, or `turned-round`.
fn finding_kind(text: &str) -> Result<FindingKind, String> {
    let plain = |kind: &&FindingKind| kind.plain() == text || kind.plain().replace(' ', "-") == text;
    FindingKind::named(text).or_else(|| FindingKind::ALL.iter().find(plain).copied()).ok_or_else(|| {
        let both: Vec<String> =
            FindingKind::ALL.iter().map(|kind| format!("{} ({})", kind.name(), kind.plain())).collect();
        format!("give one of {}", both.join(", "))
    })
}

fn severity(text: &str) -> Result<Severity, String> {
    Severity::named(text)
        .ok_or_else(|| format!("give one of {}", names(Severity::ALL.iter().map(|severity| severity.name()))))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::{Cli, number};

    /// Clap wraps to the terminal: what is cut by hand is cut twice, and a row of a list that is too long loses its columns.
    #[test]
    fn no_help_is_wrapped_by_hand_and_no_list_is_wider_than_a_terminal() {
        fn check(command: &clap::Command) {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let lines: Vec<&str> = help.lines().collect();
            let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
            for pair in lines.windows(2) {
                let cut = is_prose(pair[0]) && is_prose(pair[1]) && !pair[0].ends_with(['.', ':']);
                assert!(!cut, "{}: {}", command.get_name(), pair[0]);
            }
            for row in lines.iter().filter(|line| line.starts_with(' ') && !line.starts_with("  stet ")) {
                assert!(row.chars().count() <= 80, "{}: {row}", command.get_name());
            }
            command.get_subcommands().for_each(check);
        }
        check(&Cli::command());
    }

    #[test]
    fn numbers_are_taken_as_people_write_them() {
        for (text, want) in [
            ("32000", Some(32_000)),
            ("32,000", Some(32_000)),
            ("1,032,000", Some(1_032_000)),
            ("32k", Some(32_000)),
            ("1,200K", Some(1_200_000)),
            ("0", None),
            ("-1", None),
            ("+5", None),
            ("", None),
            ("k", None),
            ("32,00", None),
            ("3200,000", None),
            (",100", None),
            ("1.5k", None),
            ("99999999999999999999", None),
            ("18446744073709551615k", None),
        ] {
            assert_eq!(number(text), want, "{text}");
        }
    }
}
