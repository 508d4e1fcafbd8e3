//! The looks of code. Quiet ones: the accent and the warning belong to what can be acted on and to what went wrong.

use ratatui::style::{Color, Modifier, Style};

use super::highlight::Ink;
use super::theme::{Depth, Ground, Theme};

impl Theme {
    /// The look of a stretch of code, laid over the look of code as such.
    pub fn ink(&self, ink: Ink) -> Style {
        let dark = self.ground == Ground::Dark;
        let style = Style::new();
        let colour = match self.depth {
            Depth::None => return style,
            Depth::Sixteen => return sixteen(ink),
            Depth::Many => Color::Indexed(if dark { many_on_dark(ink) } else { many_on_light(ink) }),
            Depth::True => {
                let (red, green, blue) = if dark { on_dark(ink) } else { on_light(ink) };
                Color::Rgb(red, green, blue)
            }
        };
        if ink == Ink::Comment { style.fg(colour).add_modifier(Modifier::ITALIC) } else { style.fg(colour) }
    }
}

/// The user's own shades: only those that are legible on every background.
fn sixteen(ink: Ink) -> Style {
    let style = Style::new();
    match ink {
        Ink::Comment => style.fg(Color::DarkGray),
        Ink::Keyword => style.add_modifier(Modifier::BOLD),
        Ink::String | Ink::Constant | Ink::Type | Ink::Function => style,
        Ink::Added => style.fg(Color::Green),
        Ink::Removed => style.fg(Color::Red),
    }
}

fn many_on_dark(ink: Ink) -> u8 {
    match ink {
        Ink::Comment => 245,
        Ink::String => 180,
        Ink::Constant => 181,
        Ink::Keyword => 146,
        Ink::Type | Ink::Function => 152,
        Ink::Added => 114,
        Ink::Removed => 174,
    }
}

fn many_on_light(ink: Ink) -> u8 {
    match ink {
        Ink::Comment => 242,
        Ink::String => 94,
        Ink::Constant => 125,
        Ink::Keyword => 61,
        Ink::Type | Ink::Function => 24,
        Ink::Added => 28,
        Ink::Removed => 124,
    }
}

fn on_dark(ink: Ink) -> (u8, u8, u8) {
    match ink {
        Ink::Comment => (134, 140, 150),
        Ink::String => (202, 180, 138),
        Ink::Constant => (210, 166, 170),
        Ink::Keyword => (178, 166, 214),
        Ink::Type | Ink::Function => (158, 196, 210),
        Ink::Added => (140, 200, 140),
        Ink::Removed => (224, 142, 132),
    }
}

fn on_light(ink: Ink) -> (u8, u8, u8) {
    match ink {
        Ink::Comment => (106, 110, 118),
        Ink::String => (124, 84, 16),
        Ink::Constant => (142, 48, 84),
        Ink::Keyword => (94, 62, 150),
        Ink::Type | Ink::Function => (18, 88, 116),
        Ink::Added => (18, 106, 48),
        Ink::Removed => (162, 48, 40),
    }
}

#[cfg(test)]
mod tests {
    use super::{Color, Depth, Ground, Ink, Theme};

    #[test]
    fn code_has_colours_only_where_there_are_any() {
        for ground in [Ground::Dark, Ground::Light] {
            let ink = |depth| Theme::new(ground, depth).ink(Ink::String);
            assert_eq!(ink(Depth::None), super::Style::new());
            assert_eq!(ink(Depth::Sixteen).fg, None);
            assert!(matches!(ink(Depth::Many).fg, Some(Color::Indexed(_))));
            assert!(matches!(ink(Depth::True).fg, Some(Color::Rgb(..))));
        }
    }
}
