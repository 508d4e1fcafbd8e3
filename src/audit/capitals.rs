//! Names of people, places and products in prose: a capital inside a sentence, in a word that nobody said.

use crate::extract::{Language, Word, words};
use crate::record::{Finding, FindingKind, Item, Severity};

use super::Case;
use super::claims::{LONGEST, forms};

/// What is wrong with the names in the claims of a record.
pub(super) fn findings(case: &Case) -> Vec<Finding> {
    if !case.is_whole() {
        return Vec::new();
    }
    let language = Language::english();
    let mut found = Vec::new();
    for (at, item) in case.record.items.iter().enumerate().filter(|(_, item)| item.field.is_claim()) {
        if item.text.len() > LONGEST {
            continue;
        }
        let heard = words(&item.text);
        for (no, word) in heard.iter().enumerate() {
            if is_name(&item.text, &heard, no, language)
                && is_nowhere(case, word)
                && !is_cut_short(case, item, &heard, no)
            {
                let name = &item.text[word.range.clone()];
                let why = format!("Nobody says {name} before this compaction");
                let of = (case.compaction.no, at, item);
                found.push(Finding {
                    decisive: vec![(word.range.start, word.range.end)],
                    ..Finding::of(of, FindingKind::Invented, Severity::Medium, why)
                });
                break;
            }
        }
    }
    found
}

/// Whether the first letters of these words stand in the originals: `LA`.
fn is_cut_short(case: &Case, item: &Item, heard: &[Word], no: usize) -> bool {
    let short = initials(&item.text, heard, no);
    case.presence.is_before(&short, case.compaction.place.offset) == Some(true)
}

/// A capital that the place in the sentence does not ask for; no word that is all capitals, none in code.
pub(super) fn is_name(text: &str, heard: &[Word], no: usize, language: &Language) -> bool {
    let word = &heard[no];
    let bytes = &text[word.range.clone()];
    // Most words have none.
    if !bytes.starts_with(char::is_uppercase) {
        return false;
    }
    let plain = bytes.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’'));
    let capital = bytes.chars().skip(1).any(char::is_lowercase);
    let hump = bytes.chars().skip(1).any(char::is_uppercase);
    let before = text[..word.range.start].trim_end();
    // Behind `Mr.` no sentence begins; a quotation inside a sentence is somebody's words.
    let titled = no > 0 && before.ends_with('.') && language.titles.contains(&heard[no - 1].lower);
    let quoted = before.strip_suffix(['"', '“']).is_some_and(|rest| rest.trim_end().ends_with(char::is_alphanumeric));
    let inside = titled || quoted || before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | ';' | ')'));
    // Between stars, and beside another word with a capital that begins, it is a heading's.
    let title = text[..word.range.start].matches("**").count() % 2 == 1;
    let begun = no == 1 && text[heard[0].range.clone()].starts_with(char::is_uppercase) && text.len() < 60;
    let dated = language.months.contains(bytes) || language.weekdays.contains(bytes);
    plain
        && capital
        && !dated
        && !hump
        && inside
        && !word.code
        && !title
        && !begun
        && bytes.len() > 2
        && language.is_content(&word.lower)
}

/// The first letters of the words with a capital that stand together here, in lower case: `la` for `Los Angeles`.
pub(super) fn initials(text: &str, heard: &[Word], no: usize) -> String {
    const MOST: usize = 5;
    let capital = |word: &&Word| text[word.range.clone()].starts_with(char::is_uppercase);
    let before = heard[..no].iter().rev().take(MOST).take_while(capital).count();
    let run = heard[no - before..].iter().take(before + MOST).take_while(capital);
    let letters: String = run.filter_map(|word| word.lower.chars().next()).collect();
    if letters.chars().count() > 1 { letters } else { String::new() }
}

fn is_nowhere(case: &Case, word: &Word) -> bool {
    let here = case.compaction.place.offset;
    let bare = word.lower.strip_suffix("'s").unwrap_or(&word.lower);
    let is_before = |text: &str| case.presence.is_before(text, here);
    is_before(&word.lower) == Some(false)
        && is_before(bare) != Some(true)
        && bare.strip_suffix('s').is_none_or(|one| is_before(one) != Some(true))
        && forms(bare).iter().all(|form| is_before(form) != Some(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capital_is_a_name_where_no_sentence_begins() {
        for (text, want) in [
            ("The order goes to Henrik today", vec!["Henrik"]),
            ("The order goes to Mr. Henriksen today", vec!["Henriksen"]),
            ("The order waits. Henrik sends it", vec![]),
            ("In the dream stood the word \"Harbour\" in red", vec!["Harbour"]),
            ("\"Harbour\" stood there in red letters that day", vec![]),
            ("The order is due in March", vec![]),
            ("**Order Desk** is closed", vec![]),
        ] {
            let heard = words(text);
            let is = |no: &usize| is_name(text, &heard, *no, Language::english());
            let found: Vec<&str> = (0..heard.len()).filter(is).map(|no| &text[heard[no].range.clone()]).collect();
            assert_eq!(found, want, "{text}");
        }
    }
}
