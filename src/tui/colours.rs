//! What colours the terminal has, guessed from its environment and its own answer. Which ones are used is the theme's.

/// How many colours there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// None, or none wanted.
    None,
    /// The sixteen that every terminal has, in the user's own shades.
    Sixteen,
    /// The fixed palette of 256.
    Palette,
    /// Red, green and blue.
    True,
}

/// What is behind the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// Light text on it is legible.
    Dark,
    /// Dark text on it is legible.
    Light,
}

/// How many colours the environment promises. `variable` gives an environment variable that is set.
pub fn depth(variable: impl Fn(&str) -> Option<String>) -> Depth {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let term = set("TERM").unwrap_or_default();
    if set("NO_COLOR").is_some() || term == "dumb" {
        return Depth::None;
    }
    let colours = set("COLORTERM").unwrap_or_default();
    if colours == "truecolor" || colours == "24bit" || term.ends_with("-direct") {
        return Depth::True;
    }
    if term.contains("256color") { Depth::Palette } else { Depth::Sixteen }
}

/// What the environment says about the background, before the terminal itself answers.
pub fn background(variable: impl Fn(&str) -> Option<String>) -> Background {
    let Some(colours) = variable("COLORFGBG") else { return Background::Dark };
    // "foreground;background", with something between in some terminals.
    match colours.rsplit(';').next().and_then(|number| number.parse::<u8>().ok()) {
        Some(7 | 9..=15) => Background::Light,
        _ => Background::Dark,
    }
}

/// What the answered colour is for an eye.
pub(super) fn background_of([red, green, blue]: [u8; 3]) -> Background {
    let light = 299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue);
    if light > 127_500 { Background::Light } else { Background::Dark }
}

#[cfg(test)]
mod tests {
    use super::{Background, Depth, background, background_of, depth};

    #[test]
    fn the_environment_says_how_many_colours_there_are() {
        let table: [(&[(&str, &str)], Depth); 7] = [
            (&[], Depth::Sixteen),
            (&[("TERM", "xterm")], Depth::Sixteen),
            (&[("TERM", "xterm-256color")], Depth::Palette),
            (&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")], Depth::True),
            (&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), ("NO_COLOR", "1")], Depth::None),
            (&[("TERM", "xterm"), ("NO_COLOR", "")], Depth::Sixteen),
            (&[("TERM", "dumb"), ("COLORTERM", "truecolor")], Depth::None),
        ];
        for (set, expected) in table {
            let variable = |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned());
            assert_eq!(depth(variable), expected, "{set:?}");
        }
    }

    #[test]
    fn the_background_is_dark_unless_somebody_says_light() {
        for (value, expected) in [
            (None, Background::Dark),
            (Some("15;0"), Background::Dark),
            (Some("0;15"), Background::Light),
            (Some("0;default;15"), Background::Light),
            (Some("0;7"), Background::Light),
            (Some("12;8"), Background::Dark),
            (Some("nonsense"), Background::Dark),
        ] {
            assert_eq!(background(|_| value.map(str::to_owned)), expected, "{value:?}");
        }
        for (rgb, expected) in [
            ([0, 0, 0], Background::Dark),
            ([255, 255, 255], Background::Light),
            ([253, 246, 227], Background::Light),
            ([0, 43, 54], Background::Dark),
        ] {
            assert_eq!(background_of(rgb), expected, "{rgb:?}");
        }
    }
}
