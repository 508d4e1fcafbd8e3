//! State and change, pure: keys and results in, effects out. No IO, no clock, no lock, no terminal type.

mod action;
mod arrive;
mod clipboard;
mod command;
mod commands;
mod correct;
mod edit;
mod effect;
mod folding;
mod goal;
mod hints;
mod jump;
mod key;
mod keymap;
mod known;
mod layer;
mod ledger_screen;
mod node;
mod pane;
mod picture;
mod prompts;
mod screens;
mod settings;
mod sheets;
mod state;
mod transcript;
mod update;

pub use action::{Action, Key, KeyCode, Mouse, MouseKind};
pub use command::{Command, Context, Spec, TABLE};
pub use effect::{Effect, Request};
pub use keymap::{Keymap, Meaning};
pub use known::{Known, Selected};
pub use settings::Settings;
pub use state::State;
pub use transcript::Transcript;
pub use update::update;
