//! The languages of which the cues are known: what negates, how certain a sentence is, what asks and what binds. What was
//! decided, ruled out or done is not looked for in them; [`Language::covers`] says so.

use std::sync::OnceLock;

use super::{CueLists, Language};

macro_rules! list {
    ($code:literal, $name:literal) => {
        include_str!(concat!("../../../assets/lexicon/", $code, "/", $name, ".txt"))
    };
}

macro_rules! cues {
    ($code:literal) => {
        CueLists {
            negations: list!($code, "negations"),
            negations_behind: list!($code, "negations_behind"),
            pseudo_negations: list!($code, "pseudo_negations"),
            terminators: list!($code, "terminators"),
            certainty: list!($code, "certainty"),
            questions: list!($code, "questions"),
            constraints: list!($code, "constraints"),
            ..CueLists::default()
        }
    };
}

impl Language {
    /// German.
    pub fn german() -> &'static Self {
        static GERMAN: OnceLock<Language> = OnceLock::new();
        GERMAN.get_or_init(|| {
            let cues = CueLists { negations_around: list!("de", "negations_around"), ..cues!("de") };
            Self::of_cues("de", &cues)
        })
    }

    /// French.
    pub fn french() -> &'static Self {
        static FRENCH: OnceLock<Language> = OnceLock::new();
        FRENCH.get_or_init(|| {
            let cues = CueLists { negations_around: list!("fr", "negations_around"), ..cues!("fr") };
            Self::of_cues("fr", &cues)
        })
    }

    /// Spanish.
    pub fn spanish() -> &'static Self {
        static SPANISH: OnceLock<Language> = OnceLock::new();
        SPANISH.get_or_init(|| {
            let cues = CueLists { negations_around: list!("es", "negations_around"), ..cues!("es") };
            Self::of_cues("es", &cues)
        })
    }

    /// Japanese.
    pub fn japanese() -> &'static Self {
        static JAPANESE: OnceLock<Language> = OnceLock::new();
        JAPANESE.get_or_init(|| Self::of_cues("ja", &cues!("ja")))
    }
}
