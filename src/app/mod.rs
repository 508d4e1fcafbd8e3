//! State and change, pure: keys and results in, effects out. No IO, no clock, no lock, no terminal type.

mod action;
mod effect;

pub use action::{Action, Key, KeyCode, Mouse, MouseKind};
pub use effect::{Effect, Request};
