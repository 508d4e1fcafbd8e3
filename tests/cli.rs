//! The program as it is called: what it prints, what it stores, how it ends. Home, clock and time zone are the test's.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "cli/append.rs"]
mod append;
#[path = "cli/audit.rs"]
mod audit;
#[path = "cli/compile.rs"]
mod compile;
#[path = "cli/extract.rs"]
mod extract;
#[path = "cli/golden.rs"]
mod golden;
#[path = "cli/home.rs"]
mod home;
#[path = "cli/import.rs"]
mod import;
#[path = "cli/ledger.rs"]
mod ledger;
#[path = "cli/lineage.rs"]
mod lineage;
#[path = "cli/real.rs"]
mod real;
#[path = "cli/schema.rs"]
mod schema;
#[path = "cli/show.rs"]
mod show;
#[path = "cli/simulate.rs"]
mod simulate;
#[path = "cli/usage.rs"]
mod usage;
#[path = "cli/window.rs"]
mod window;
