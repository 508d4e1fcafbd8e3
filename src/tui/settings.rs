//! What a person or the environment decides about the terminal. Read once, by whoever starts it.

use crate::app;

use super::colours::{Background, Depth, background, depth};

/// What a person or the environment decides about the terminal.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many colours may be used.
    pub depth: Depth,
    /// What is behind the text; `None` asks the terminal.
    pub background: Option<Background>,
    /// What is taken to be behind the text until the terminal answers.
    pub guess: Background,
    /// The command of the person's editor, with its arguments.
    pub editor: String,
    /// What the screen itself is told.
    pub screen: app::Settings,
}

impl Settings {
    /// What the environment says; the screen has its defaults. `variable` gives an environment variable that is set.
    pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let editor = ["VISUAL", "EDITOR"].into_iter().filter_map(&variable).find(|command| !command.trim().is_empty());
        let depth = depth(&variable);
        Self {
            depth,
            // Without colours nothing depends on it.
            background: (depth == Depth::None).then_some(Background::Dark),
            guess: background(&variable),
            editor: editor.unwrap_or_else(|| "vi".to_owned()),
            screen: app::Settings::default(),
        }
    }
}
