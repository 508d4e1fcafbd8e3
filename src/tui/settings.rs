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

    /// The looks that the person named: `auto` asks the terminal what is behind the text.
    pub fn theme(&mut self, name: &str) -> anyhow::Result<()> {
        self.background = match name {
            "auto" => return Ok(()),
            "dark" => Some(Background::Dark),
            "light" => Some(Background::Light),
            other => anyhow::bail!("cannot use the theme {other:?}: there are auto, dark and light (name one of them)"),
        };
        Ok(())
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::{Background, Settings};

    fn settings(set: &[(&str, &str)]) -> Settings {
        Settings::of_environment(|name| set.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned()))
    }

    #[test]
    fn the_editor_is_the_first_that_is_named() {
        for (set, expected) in [
            (&[][..], "vi"),
            (&[("EDITOR", "ed")], "ed"),
            (&[("EDITOR", "ed"), ("VISUAL", "code -w")], "code -w"),
            (&[("EDITOR", "ed"), ("VISUAL", " ")], "ed"),
        ] {
            assert_eq!(settings(set).editor, expected, "{set:?}");
        }
    }

    #[test]
    fn a_named_theme_is_not_asked_for() {
        let mut named = settings(&[]);
        assert_eq!(named.background, None, "the terminal is asked");
        named.theme("light").unwrap();
        assert_eq!(named.background, Some(Background::Light));
        assert!(named.theme("solarised").unwrap_err().to_string().contains("auto, dark and light"));
        assert_eq!(settings(&[("NO_COLOR", "1")]).background, Some(Background::Dark), "nothing depends on it");
    }
}
