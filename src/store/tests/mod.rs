//! The laws of the store, each on the smallest database that shows it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod append;
mod audits;
mod blocks;
mod damage;
mod files;
mod forget;
mod given;
mod gone;
mod guards;
mod import;
mod interchange;
mod ledger;
mod migrations;
mod verify;
