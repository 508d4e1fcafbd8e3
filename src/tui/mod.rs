//! The terminal: the loop, the modes, the keys and the threads behind them.

pub mod colours;
mod editor;
mod event;
mod highlight;
mod input;
mod keys;
mod lane;
mod signals;
mod terminal;
mod worker;

pub use highlight::{Highlights, Ink, Inked};
