//! The terminal: what a picture looks like on it.

pub mod draw;
pub mod theme;
