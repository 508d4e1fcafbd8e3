//! What an agent is told: the ledger's text, made so that nothing in it can pass for something else.
//! Nothing is sent from here.

mod told;

pub use told::{DEFAULT_TOKENS, LedgerText, told};
