//! The only door for foreign text to a screen, a file or a prompt.

/// Text in which nothing can act on a terminal or hide from a reader. There is no other way to make one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shown(String);

impl Shown {
    /// One line: line ends become `⏎`.
    pub fn line(text: &str) -> Self {
        Self(
            text.chars()
                .map(|c| {
                    if c == '\n' {
                        '⏎'
                    } else if c.is_control() {
                        '\u{fffd}'
                    } else {
                        c
                    }
                })
                .collect(),
        )
    }

    /// Several lines: `\n` stays and is the only control character left.
    pub fn lines(text: &str) -> Self {
        Self(text.chars().map(|c| if c != '\n' && c.is_control() { '\u{fffd}' } else { c }).collect())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}
