//! Under which heading of the summary a claim stands, where that says who speaks: a list of what the person said names
//! them only in its heading.

use crate::extract::{Language, words};
use crate::record::Item;

use super::super::Case;

/// Whether a claim stands in a list of what the person said.
pub fn is_of_person(case: &Case, item: &Item) -> bool {
    let before = item.range.and_then(|(start, _)| case.record.summary.get(..start)).unwrap_or_default();
    // The line at hand is the claim's own.
    let heading = before.rsplit('\n').skip(1).map(|line| line.trim_matches(['*', ' '])).find(|line| is_heading(line));
    heading.is_some_and(|line| {
        let heard = words(line);
        let mut of_person = Language::english().headings.iter().filter(|(name, _)| *name == "user_messages");
        of_person.any(|(_, phrase)| phrase.is_in(&heard))
    })
}

/// `## Messages`, `6. All messages:`, `Messages:`.
fn is_heading(line: &str) -> bool {
    line.starts_with('#') || line.ends_with(':') && !line.starts_with(['-', '•'])
}

#[cfg(test)]
mod tests {
    use super::is_heading;

    #[test]
    fn a_heading_is_marked_or_ends_in_a_colon() {
        for (line, want) in [("## 6. All", true), ("6. All:", true), ("- one:", false), ("It is done.", false)] {
            assert_eq!(is_heading(line), want, "{line}");
        }
    }
}
