//! What a heading says about the claims under it.

use crate::extract::{Language, words};

/// Where a claim stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// What people said is listed verbatim.
    UserMessages,
    Open,
    Decisions,
    Constraints,
    RuledOut,
    Actions,
    /// A heading that says that prose follows: the claim's own words decide.
    Narrative,
}

/// The context that a heading opens; `None` for a heading that says nothing about it.
pub fn of_heading(heading: &str, language: &Language) -> Option<Context> {
    let heading = heading.replace(['_', '-'], " ");
    let words = words(&heading);
    language.headings.iter().find(|(_, phrase)| phrase.is_in(&words)).and_then(|(name, _)| named(name))
}

fn named(name: &str) -> Option<Context> {
    Some(match name {
        "user_messages" => Context::UserMessages,
        "open" => Context::Open,
        "decisions" => Context::Decisions,
        "constraints" => Context::Constraints,
        "ruled_out" => Context::RuledOut,
        "actions" => Context::Actions,
        "narrative" => Context::Narrative,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_open_their_context() {
        for (heading, want) in [
            ("6. All user messages:", Some(Context::UserMessages)),
            ("## Next Steps (WP14-WP20)", Some(Context::Open)),
            ("Key Decisions Made", Some(Context::Decisions)),
            ("Constraints & Preferences", Some(Context::Constraints)),
            ("Completed Work Packages", Some(Context::Actions)),
            ("Primary Request and Intent", Some(Context::Narrative)),
            ("next_steps", Some(Context::Open)),
            ("WP14", None),
        ] {
            assert_eq!(of_heading(heading, Language::english()), want, "{heading}");
        }
    }

    #[test]
    fn every_line_of_the_list_is_read() {
        let english = Language::english();
        assert!(english.headings.len() > 50);
        for (name, _) in &english.headings {
            assert!(named(name).is_some(), "{name}");
        }
    }
}
