//! What colours the terminal has, guessed from its environment and its own answer. Which ones are used is the theme's.

use super::theme::{Depth, Ground};

/// How many colours the environment promises. `variable` gives an environment variable that is set.
pub(super) fn depth(variable: impl Fn(&str) -> Option<String>) -> Depth {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let term = set("TERM").unwrap_or_default();
    if set("NO_COLOR").is_some() || term == "dumb" {
        return Depth::None;
    }
    let colours = set("COLORTERM").unwrap_or_default();
    if colours == "truecolor" || colours == "24bit" || term.ends_with("-direct") {
        return Depth::True;
    }
    if term.contains("256color") { Depth::Many } else { Depth::Sixteen }
}

/// What the environment says about the background, before the terminal itself answers.
pub(super) fn ground(variable: impl Fn(&str) -> Option<String>) -> Ground {
    let Some(colours) = variable("COLORFGBG") else { return Ground::Dark };
    // "foreground;background", with something between in some terminals.
    match colours.rsplit(';').next().and_then(|number| number.parse::<u8>().ok()) {
        Some(7 | 9..=15) => Ground::Light,
        _ => Ground::Dark,
    }
}

/// What the answered colour is for an eye.
pub(super) fn ground_of([red, green, blue]: [u8; 3]) -> Ground {
    let light = 299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue);
    if light > 127_500 { Ground::Light } else { Ground::Dark }
}

#[cfg(test)]
mod tests {
    use super::{Depth, Ground, depth, ground, ground_of};

    #[test]
    fn the_environment_says_how_many_colours_there_are() {
        let table: [(&[(&str, &str)], Depth); 7] = [
            (&[], Depth::Sixteen),
            (&[("TERM", "xterm")], Depth::Sixteen),
            (&[("TERM", "xterm-256color")], Depth::Many),
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
            (None, Ground::Dark),
            (Some("15;0"), Ground::Dark),
            (Some("0;15"), Ground::Light),
            (Some("0;default;15"), Ground::Light),
            (Some("0;7"), Ground::Light),
            (Some("12;8"), Ground::Dark),
            (Some("nonsense"), Ground::Dark),
        ] {
            assert_eq!(ground(|_| value.map(str::to_owned)), expected, "{value:?}");
        }
        for (rgb, expected) in [
            ([0, 0, 0], Ground::Dark),
            ([255, 255, 255], Ground::Light),
            ([253, 246, 227], Ground::Light),
            ([0, 43, 54], Ground::Dark),
        ] {
            assert_eq!(ground_of(rgb), expected, "{rgb:?}");
        }
    }
}
