//! The arguments of `stet simulate`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Format;
use super::help::{
    SIMULATE_ARMS, SIMULATE_DRIFT, SIMULATE_HEDGES, SIMULATE_INVERSION, SIMULATE_SURVIVAL, SIMULATE_TRIGGERS,
};
use crate::simulate::{SEED, arms, inversion, survival, triggers};

/// An experiment.
#[derive(Debug, Args)]
pub struct SimulateOf {
    /// Does nothing here, where nothing is read
    #[arg(long, global = true, hide = true, value_name = "FILE")]
    pub db: Option<PathBuf>,
    /// Which one
    #[command(subcommand)]
    pub what: Simulate,
}

/// The experiments.
#[derive(Debug, Subcommand)]
pub enum Simulate {
    /// 36 facts in a small window: the oldest go first, and searching again costs twice as much
    #[command(after_help = SIMULATE_SURVIVAL, allow_negative_numbers = true)]
    Survival(Survival),
    /// 20 facts through ten passes: what is kept, and what is stated that nobody said
    #[command(after_help = SIMULATE_DRIFT, allow_negative_numbers = true)]
    Drift(Drift),
    /// Whether a hedge is still there after six passes: .88, .51, .22, and no constant rate fits
    #[command(after_help = SIMULATE_HEDGES, allow_negative_numbers = true)]
    Hedges(Hedges),
    /// What a small rate of inversion, for each item and pass, comes to for a session
    #[command(after_help = SIMULATE_INVERSION, allow_negative_numbers = true)]
    Inversion(Inversion),
    /// A compaction at a change of subject against one under pressure
    #[command(after_help = SIMULATE_TRIGGERS, allow_negative_numbers = true)]
    Triggers(Triggers),
    /// Recursive, hierarchical, ledger, none: the same losses under each
    #[command(after_help = SIMULATE_ARMS, allow_negative_numbers = true)]
    Arms(Arms),
}

/// What every experiment takes.
#[derive(Debug, Args)]
pub struct Showing {
    /// What the random numbers follow from: the same seed, the same figures
    #[arg(long, value_name = "N", default_value_t = SEED)]
    pub seed: u64,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Write the plot to this file as well, as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// See [`Simulate::Survival`].
#[derive(Debug, Args)]
pub struct Survival {
    /// What a compaction loses of the lines of the summary, from 0 to 1
    #[arg(long, value_name = "L", default_value_t = survival::LOSS, value_parser = share)]
    pub loss: f64,
    /// The window, in tokens; may be given several times, the curve is that of the first [default: 1500 and 2000]
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub window: Vec<u32>,
    /// Runs whose average is told
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub runs: u32,
    /// How large questions, pages and notes are
    #[arg(long, value_name = "s3|s3b", default_value = "s3", value_parser = profile)]
    pub profile: survival::Profile,
    #[command(flatten)]
    pub showing: Showing,
}

/// See [`Simulate::Drift`].
#[derive(Debug, Args)]
pub struct Drift {
    /// Conversations whose average is told
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub runs: u32,
    #[command(flatten)]
    pub showing: Showing,
}

/// See [`Simulate::Hedges`].
#[derive(Debug, Args)]
pub struct Hedges {
    /// Hedged statements that are followed
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub items: u32,
    #[command(flatten)]
    pub showing: Showing,
}

/// See [`Simulate::Inversion`].
#[derive(Debug, Args)]
pub struct Inversion {
    /// Items that are followed in a session
    #[arg(long, value_name = "N", default_value_t = inversion::PUBLISHED.0, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub items: u32,
    /// Compactions of a session
    #[arg(long, value_name = "N", default_value_t = inversion::PUBLISHED.1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub passes: u32,
    /// Sessions that are drawn
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub runs: u32,
    #[command(flatten)]
    pub showing: Showing,
}

/// See [`Simulate::Triggers`].
#[derive(Debug, Args)]
pub struct Triggers {
    /// Sessions that are made
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub runs: u32,
    /// Turns between a suspicion and its ruling out, at the most
    #[arg(long, value_name = "TURNS", default_value_t = triggers::THREAD, value_parser = clap::value_parser!(u32).range(0..=50))]
    pub thread: u32,
    #[command(flatten)]
    pub showing: Showing,
}

/// See [`Simulate::Arms`].
#[derive(Debug, Args)]
pub struct Arms {
    /// Items of the first block that are followed
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub items: u32,
    /// Compactions
    #[arg(long, value_name = "N", default_value_t = arms::PASSES, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub passes: u32,
    /// What a rewriting loses, from 0 to 1
    #[arg(long, value_name = "L", default_value_t = survival::LOSS, value_parser = share)]
    pub loss: f64,
    /// The share of items that the ledger pins, from 0 to 1
    #[arg(long, value_name = "Q", default_value_t = 0.4, value_parser = share)]
    pub pinned: f64,
    /// Passes from one rebuild of a span to the next
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub every: u32,
    #[command(flatten)]
    pub showing: Showing,
}

impl Simulate {
    /// How it is shown.
    pub fn showing(&self) -> &Showing {
        match self {
            Self::Survival(wanted) => &wanted.showing,
            Self::Drift(wanted) => &wanted.showing,
            Self::Hedges(wanted) => &wanted.showing,
            Self::Inversion(wanted) => &wanted.showing,
            Self::Triggers(wanted) => &wanted.showing,
            Self::Arms(wanted) => &wanted.showing,
        }
    }
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    number.ok_or_else(|| "give a number from 0 to 1, such as 0.25".to_owned())
}

fn profile(text: &str) -> Result<survival::Profile, String> {
    let names = || super::names(survival::Profile::ALL.iter().map(|profile| profile.name));
    survival::Profile::named(text).ok_or_else(|| format!("give one of {}", names()))
}
