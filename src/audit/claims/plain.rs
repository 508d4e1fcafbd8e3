//! The words by which a claim is held beside the sentence that is to bear it out, read from `assets/lexicon/en/plain.txt`.

use std::sync::OnceLock;

use crate::extract::Lexicon;

use super::lists::{Words, lexicon, named, words};

/// Those of English.
#[derive(Debug)]
pub struct Plain {
    /// Say nothing by themselves.
    pub empty: Words,
    /// Let a part of what is said hold only so far.
    pub bounds: Words,
    /// No sentence ends with them.
    pub hanging: Words,
    /// What is at fault for something.
    pub causes: Words,
    /// A person gives another value.
    pub replaces: Lexicon,
    /// Take back what was said before.
    pub retractions: Lexicon,
}

/// All of them.
pub fn plain() -> &'static Plain {
    static PLAIN: OnceLock<Plain> = OnceLock::new();
    PLAIN.get_or_init(|| {
        let all = include_str!("../../../assets/lexicon/en/plain.txt");
        let list = |name| words(named(all, name));
        Plain {
            empty: list("empty"),
            bounds: list("bounds"),
            hanging: list("hanging"),
            causes: list("causes"),
            replaces: lexicon(all, "replaces"),
            retractions: Lexicon::parse(include_str!("../../../assets/lexicon/en/retractions.txt")),
        }
    })
}
