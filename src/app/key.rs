//! Keys as people write them: `ctrl-d`, `pgdn`, `g g`.

use std::fmt;

use super::{Key, KeyCode};

const NAMES: [(&str, KeyCode); 15] = [
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("backtab", KeyCode::BackTab),
    ("backspace", KeyCode::Backspace),
    ("del", KeyCode::Delete),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pgup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
    ("space", KeyCode::Char(' ')),
];

impl Key {
    /// A key without modifiers.
    pub fn plain(code: KeyCode) -> Self {
        Self { code, ctrl: false, alt: false }
    }

    /// A character.
    pub fn char(c: char) -> Self {
        Self::plain(KeyCode::Char(c))
    }

    /// A character with Ctrl held.
    pub fn ctrl(c: char) -> Self {
        Self { code: KeyCode::Char(c), ctrl: true, alt: false }
    }

    /// The key of a name such as `x`, `G`, `ctrl-d`, `alt-enter`, `f1`. `None` where nothing is called so.
    pub fn parse(text: &str) -> Option<Self> {
        let mut rest = text;
        let (mut ctrl, mut alt) = (false, false);
        loop {
            let lower = rest.to_ascii_lowercase();
            if lower.starts_with("ctrl-") && rest.len() > 5 {
                ctrl = true;
                rest = &rest[5..];
            } else if lower.starts_with("alt-") && rest.len() > 4 {
                alt = true;
                rest = &rest[4..];
            } else {
                break;
            }
        }
        let mut chars = rest.chars();
        let code = match (chars.next()?, chars.next()) {
            (c, None) if c.is_control() => return None,
            (c, None) => KeyCode::Char(if ctrl { c.to_ascii_lowercase() } else { c }),
            ('f' | 'F', Some('0'..='9')) => KeyCode::F(rest[1..].parse().ok().filter(|n| (1..=24).contains(n))?),
            _ => NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(rest))?.1,
        };
        Some(Self { code, ctrl, alt })
    }

    /// The keys of a sequence: `g g` is two keys.
    pub fn sequence(text: &str) -> Option<Vec<Self>> {
        let keys: Option<Vec<Self>> = text.split_whitespace().map(Self::parse).collect();
        keys.filter(|keys| !keys.is_empty())
    }
}

/// As on the hint line: `Ctrl-D`, `PgDn`, `x`.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("Ctrl-")?;
        }
        if self.alt {
            f.write_str("Alt-")?;
        }
        match self.code {
            KeyCode::Char(' ') => f.write_str("Space"),
            KeyCode::Char(c) if self.ctrl => write!(f, "{}", c.to_ascii_uppercase()),
            KeyCode::Char(c) => write!(f, "{c}"),
            KeyCode::F(n) => write!(f, "F{n}"),
            KeyCode::PageUp => f.write_str("PgUp"),
            KeyCode::PageDown => f.write_str("PgDn"),
            KeyCode::Enter => f.write_str("Enter"),
            KeyCode::Esc => f.write_str("Esc"),
            KeyCode::Tab => f.write_str("Tab"),
            KeyCode::BackTab => f.write_str("Shift-Tab"),
            KeyCode::Backspace => f.write_str("Backspace"),
            KeyCode::Delete => f.write_str("Del"),
            KeyCode::Up => f.write_str("Up"),
            KeyCode::Down => f.write_str("Down"),
            KeyCode::Left => f.write_str("Left"),
            KeyCode::Right => f.write_str("Right"),
            KeyCode::Home => f.write_str("Home"),
            KeyCode::End => f.write_str("End"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_people_write_them() {
        let table = [
            ("x", Some(Key::char('x'))),
            ("G", Some(Key::char('G'))),
            ("-", Some(Key::char('-'))),
            ("ctrl-d", Some(Key::ctrl('d'))),
            ("Ctrl-D", Some(Key::ctrl('d'))),
            ("ctrl--", Some(Key::ctrl('-'))),
            ("alt-enter", Some(Key { code: KeyCode::Enter, ctrl: false, alt: true })),
            ("PgDn", Some(Key::plain(KeyCode::PageDown))),
            ("f12", Some(Key::plain(KeyCode::F(12)))),
            ("f99", None),
            ("nosuch", None),
            ("", None),
        ];
        for (text, want) in table {
            assert_eq!(Key::parse(text), want, "{text:?}");
        }
        assert_eq!(Key::sequence("g g"), Some(vec![Key::char('g'), Key::char('g')]));
        assert_eq!(Key::sequence(" "), None);
        assert_eq!(Key::ctrl('d').to_string(), "Ctrl-D");
    }
}
