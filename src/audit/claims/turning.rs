//! Words by which one sentence may seem to turn another round.

use std::sync::OnceLock;

use crate::extract::Lexicon;

use super::lists::{Words, lexicon, named, words};

/// All of them.
#[derive(Debug)]
pub struct Turning {
    /// In front of what something is held against.
    pub compared: Words,
    /// In a comparison.
    pub compares: Words,
    /// In front of a time or a case outside which something is so.
    pub waits: Words,
    /// In front of the only time or case in which it is.
    pub narrows: Words,
    /// Leave something out, and deny nothing.
    pub limits: Words,
    /// Say something of nobody.
    pub empty: Words,
    /// In front of what a prohibition waits for.
    pub until: Words,
    /// Behind an `only`: a time.
    pub once: Words,
    /// In front of a noun.
    pub article: Words,
    /// In front of a word of `apart`.
    pub left: Words,
    /// Mean something else behind a word of `left`.
    pub apart: Words,
    /// Join two things with a word of `joined`.
    pub joins: Words,
    /// Behind a word of `joins`.
    pub joined: Words,
    /// Behind a no: but later.
    pub yet: Words,
    /// In front of what is left out.
    pub excludes: Words,
    /// In front of what would have happened.
    pub imagined: Lexicon,
}

/// Those of English.
pub fn turning() -> &'static Turning {
    static TURNING: OnceLock<Turning> = OnceLock::new();
    TURNING.get_or_init(|| {
        let list = include_str!("../../../assets/lexicon/en/turning.txt");
        Turning {
            compared: words(named(list, "compared")),
            compares: words(named(list, "compares")),
            waits: words(named(list, "waits")),
            narrows: words(named(list, "narrows")),
            limits: words(named(list, "limits")),
            empty: named(list, "empty").collect(),
            until: words(named(list, "until")),
            once: words(named(list, "once")),
            article: words(named(list, "article")),
            left: words(named(list, "leaves")),
            apart: words(named(list, "apart")),
            joins: words(named(list, "joins")),
            joined: words(named(list, "joined")),
            yet: words(named(list, "yet")),
            excludes: words(named(list, "excludes")),
            imagined: lexicon(list, "imagined"),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_list_is_empty() {
        let shown = format!("{:#?}", turning());
        let is_empty = |line: &&str| ["{},", "[],"].iter().any(|nothing| line.ends_with(nothing));
        assert_eq!(shown.lines().filter(is_empty).collect::<Vec<_>>(), [""; 0]);
    }
}
