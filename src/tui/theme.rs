//! From a tone to a look. Where there is no colour, weight, underline and strike-through carry what matters.

use ratatui::style::{Color, Modifier, Style};

use super::colours::{Background, Depth};
use super::highlight::Ink;
use crate::view::Tone;

/// The look of every tone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    ground: Background,
    depth: Depth,
}

/// The few colours of a theme: one accent, one warning, one dim, and what code and marked words have.
struct Colours {
    dim: Color,
    accent: Color,
    warning: Color,
    code: Color,
    heading: Color,
    marked: (Color, Color),
    found: (Color, Color),
    cursor: Color,
}

impl Theme {
    /// The theme for a terminal.
    pub fn new(ground: Background, depth: Depth) -> Self {
        Self { ground, depth }
    }

    /// The same theme for another background.
    #[must_use]
    pub fn on(self, ground: Background) -> Self {
        Self { ground, ..self }
    }

    /// The look of a stretch of code. Colours are few: the tones of the screen serve here too.
    pub fn ink(self, ink: Ink) -> Style {
        let code = self.style(Tone::Code);
        let Some(colours) = self.colours() else {
            return match ink {
                Ink::Comment => code.add_modifier(Modifier::ITALIC),
                Ink::Keyword => code.add_modifier(Modifier::BOLD),
                Ink::Added | Ink::Removed | Ink::String | Ink::Constant | Ink::Type | Ink::Function => code,
            };
        };
        match ink {
            Ink::Comment => self.style(Tone::Dim).add_modifier(Modifier::ITALIC),
            Ink::String | Ink::Added => code.fg(colours.code),
            Ink::Keyword => code.fg(colours.accent),
            Ink::Removed => code.fg(colours.warning),
            Ink::Constant | Ink::Type | Ink::Function => Style::new(),
        }
    }

    /// The look of a tone.
    pub fn style(self, tone: Tone) -> Style {
        let plain = Style::new();
        let Some(colours) = self.colours() else {
            return match tone {
                Tone::Text | Tone::User | Tone::Code => plain,
                Tone::Dim => plain.add_modifier(Modifier::DIM),
                Tone::Accent | Tone::Strong | Tone::Warning => plain.add_modifier(Modifier::BOLD),
                Tone::Heading => plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
                Tone::Emphasis => plain.add_modifier(Modifier::ITALIC),
                Tone::Struck => plain.add_modifier(Modifier::CROSSED_OUT | Modifier::DIM),
                Tone::Marked => plain.add_modifier(Modifier::UNDERLINED | Modifier::BOLD),
                Tone::Found => plain.add_modifier(Modifier::REVERSED),
            };
        };
        match tone {
            Tone::Text | Tone::User => plain,
            // Bright black is the background of some palettes: there faint text is the safer quiet.
            Tone::Dim if self.depth == Depth::Sixteen => plain.add_modifier(Modifier::DIM),
            Tone::Struck if self.depth == Depth::Sixteen => plain.add_modifier(Modifier::DIM | Modifier::CROSSED_OUT),
            Tone::Dim => plain.fg(colours.dim),
            Tone::Accent => plain.fg(colours.accent),
            Tone::Warning => plain.fg(colours.warning),
            Tone::Heading => plain.fg(colours.heading).add_modifier(Modifier::BOLD),
            Tone::Strong => plain.add_modifier(Modifier::BOLD),
            Tone::Emphasis => plain.add_modifier(Modifier::ITALIC),
            Tone::Struck => plain.fg(colours.dim).add_modifier(Modifier::CROSSED_OUT),
            Tone::Code => plain.fg(colours.code),
            // Underlined too: a background alone is lost on some eyes and some terminals.
            Tone::Marked => {
                plain.fg(colours.marked.0).bg(colours.marked.1).add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
            }
            Tone::Found => plain.fg(colours.found.0).bg(colours.found.1),
        }
    }

    /// What lies under the row that the cursor is on.
    pub fn cursor_row(self) -> Style {
        match self.colours() {
            // The sign in the margin says it already; weight makes it seen.
            None => Style::new().add_modifier(Modifier::BOLD),
            Some(_) if self.depth == Depth::Sixteen => Style::new().add_modifier(Modifier::BOLD),
            Some(colours) => Style::new().bg(colours.cursor),
        }
    }

    fn colours(self) -> Option<Colours> {
        let dark = self.ground == Background::Dark;
        let of = |r, g, b| Color::Rgb(r, g, b);
        let at = Color::Indexed;
        match (self.depth, dark) {
            (Depth::None, _) => None,
            (Depth::Sixteen, true) => Some(Colours {
                dim: Color::Reset,
                accent: Color::Cyan,
                warning: Color::Yellow,
                code: Color::Green,
                heading: Color::Reset,
                marked: (Color::Black, Color::Yellow),
                found: (Color::Black, Color::Cyan),
                cursor: Color::Reset,
            }),
            (Depth::Sixteen, false) => Some(Colours {
                dim: Color::Reset,
                accent: Color::Blue,
                warning: Color::Red,
                code: Color::Magenta,
                heading: Color::Reset,
                marked: (Color::Black, Color::Yellow),
                found: (Color::White, Color::Blue),
                cursor: Color::Reset,
            }),
            (Depth::Palette, true) => Some(Colours {
                dim: at(245),
                accent: at(110),
                warning: at(215),
                code: at(151),
                heading: Color::Reset,
                marked: (at(230), at(58)),
                found: (at(16), at(110)),
                cursor: at(236),
            }),
            (Depth::Palette, false) => Some(Colours {
                dim: at(242),
                accent: at(25),
                warning: at(130),
                code: at(23),
                heading: Color::Reset,
                marked: (at(16), at(222)),
                found: (at(231), at(25)),
                cursor: at(254),
            }),
            (Depth::True, true) => Some(Colours {
                dim: of(134, 140, 150),
                accent: of(122, 170, 214),
                warning: of(236, 164, 92),
                code: of(160, 196, 164),
                heading: Color::Reset,
                marked: (of(255, 240, 200), of(88, 74, 30)),
                found: (of(16, 20, 26), of(122, 170, 214)),
                cursor: of(44, 48, 56),
            }),
            (Depth::True, false) => Some(Colours {
                dim: of(106, 110, 118),
                accent: of(20, 92, 150),
                warning: of(168, 82, 8),
                code: of(24, 92, 70),
                heading: Color::Reset,
                marked: (of(40, 30, 0), of(255, 226, 140)),
                found: (of(255, 255, 255), of(20, 92, 150)),
                cursor: of(228, 230, 234),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TONES: [Tone; 12] = [
        Tone::Text,
        Tone::Dim,
        Tone::Accent,
        Tone::Warning,
        Tone::Heading,
        Tone::Strong,
        Tone::Emphasis,
        Tone::Struck,
        Tone::Code,
        Tone::User,
        Tone::Marked,
        Tone::Found,
    ];

    #[test]
    fn without_colours_there_is_no_colour_and_what_matters_still_looks_different() {
        for ground in [Background::Dark, Background::Light] {
            let theme = Theme::new(ground, Depth::None);
            for tone in TONES {
                let style = theme.style(tone);
                assert_eq!((style.fg, style.bg), (None, None), "{tone:?}");
            }
            for tone in [Tone::Warning, Tone::Struck, Tone::Marked, Tone::Found, Tone::Accent] {
                assert_ne!(theme.style(tone), theme.style(Tone::Text), "{tone:?}");
            }
        }
    }

    #[test]
    fn sixteen_colours_are_the_terminals_own() {
        for ground in [Background::Dark, Background::Light] {
            for tone in TONES {
                let style = Theme::new(ground, Depth::Sixteen).style(tone);
                for colour in [style.fg, style.bg].into_iter().flatten() {
                    assert!(!matches!(colour, Color::Rgb(..) | Color::Indexed(_)), "{tone:?} {colour:?}");
                }
            }
        }
    }
}
