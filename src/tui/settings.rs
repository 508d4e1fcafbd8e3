//! What a person or the environment decides about the terminal. Read once, by whoever starts it.

use crate::app;

use super::colours::{depth, ground};
use super::theme::{Depth, Ground};

/// What a person or the environment decides about the terminal.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many colours may be used.
    pub depth: Depth,
    /// What is behind the text; `None` asks the terminal.
    pub ground: Option<Ground>,
    /// What is taken to be behind the text until the terminal answers.
    pub guess: Ground,
    /// The command of the person's editor, with its arguments.
    pub editor: String,
    /// What the screen itself is told.
    pub screen: app::Settings,
}

impl Settings {
    /// What the environment says, with what the screen itself is told. `variable` gives an environment variable that
    /// is set.
    pub fn of_environment(screen: app::Settings, variable: impl Fn(&str) -> Option<String>) -> Self {
        let editor = ["VISUAL", "EDITOR"].into_iter().filter_map(&variable).find(|command| !command.trim().is_empty());
        let depth = depth(&variable);
        Self {
            depth,
            // Without colours nothing depends on it.
            ground: (depth == Depth::None).then_some(Ground::Dark),
            guess: ground(&variable),
            editor: editor.unwrap_or_else(|| "vi".to_owned()),
            screen,
        }
    }
}
