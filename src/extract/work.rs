//! How much was done to read a text, so that a test can tell that twice the text is twice the work. It counts in tests
//! only.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// A word, a cue or a stretch was looked at.
#[cfg(test)]
pub(crate) fn step() {
    STEPS.with(|steps| steps.set(steps.get() + 1));
}

/// A word, a cue or a stretch was looked at.
#[cfg(not(test))]
#[inline]
pub(crate) fn step() {}

/// How many steps this takes.
#[cfg(test)]
pub(crate) fn steps(work: impl FnOnce()) -> u64 {
    STEPS.with(|steps| steps.set(0));
    work();
    STEPS.with(std::cell::Cell::get)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::{Language, extract};

    /// The steps of reading this.
    fn work(text: &str) -> u64 {
        steps(|| drop(extract(text, Language::english())))
    }

    #[test]
    fn twice_the_text_is_twice_the_work_whatever_it_holds() {
        for part in [
            "no x, ",
            "no a b, c not d, e or f ",
            "cannot be ruled out ",
            "not may ",
            "not sure, only ",
            "never 7 MB of a_b ",
            "| no | ruled out ",
            "was not ",
            "because ruled out: ",
            "A. 1. no. ",
            "`no` ",
            "```\n",
            "<a-b> ",
            "\n<a-b>\n",
            "> x\n\n",
            "C:\\a b ",
            "order no 7 ",
            "ない。",
            "- no\n",
            "may",
            "7",
            "-",
            " ",
            "'",
            ".",
        ] {
            let (once, twice) = (work(&part.repeat(1_000)), work(&part.repeat(2_000)));
            assert!(twice <= once * 2 + once / 4 + 500, "{part:?}: {once} steps, and {twice} for twice the text");
        }
    }
}
