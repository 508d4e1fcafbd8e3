//! The terminal: the loop, the modes, the keys and the threads behind them.

pub mod colours;
mod event;
mod highlight;
mod input;
mod keys;
mod signals;
mod terminal;

pub use highlight::{Highlights, Ink, Inked};
