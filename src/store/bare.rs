//! What a record keeps where its originals go: names, figures, and which tool was called on what. A sentence stays only
//! where somebody pinned it, for then the ledger holds it as well. Of everything else that an item rests on the hash stays.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::forget::Quotes;
use crate::record::{Detail, Field, Item, Record};

/// A longer text is no name.
const NAME: usize = 120;
/// What a call is given under these names is a command: its first words say which.
const COMMANDS: [&str; 4] = ["command", "cmd", "script", "shell"];
/// So many words of a command say which it is.
const HEAD: usize = 2;

/// The record without anybody's words; `pinned` are those that the ledger quotes.
pub(super) fn bare(record: &Record, quotes: Quotes, pinned: &HashSet<String>) -> Record {
    let bare = |item: &Item| match quotes {
        Quotes::Keep => named(item, pinned),
        Quotes::Drop => without_words(item),
    };
    let items = record.items.iter().filter_map(bare).collect();
    Record { items, summary: String::new(), rules: record.rules }
}

/// Only what the item itself is; `None` of a sentence that nobody pinned.
fn named(item: &Item, pinned: &HashSet<String>) -> Option<Item> {
    if pinned.contains(&item.text) && !matches!(item.detail, Detail::RuledOut { .. }) {
        let mut kept = item.clone();
        for source in kept.sources.iter_mut().filter(|source| !pinned.contains(&source.quote)) {
            source.quote.clear();
        }
        return Some(kept);
    }
    let is_name = |text: &str| text.len() <= NAME && !text.contains('\n');
    let mut kept = unquoted(item);
    match (&mut kept.detail, item.field) {
        (_, Field::Entities) => is_name(&item.text).then_some(kept),
        (Detail::Figure { label, value, .. }, _) => {
            if !is_name(label) {
                label.clear();
                kept.text.clone_from(value);
            }
            Some(kept)
        }
        (Detail::Action { tool, args, .. }, _) => {
            *args = names_in(args);
            kept.text = if args.is_empty() { tool.clone() } else { format!("{tool} {args}") };
            Some(kept)
        }
        // A summariser's own words are nobody's that may not be kept; those that it took over are.
        (_, Field::Narrative) => {
            let is_own = item.sources.iter().all(|source| !source.quote.contains(&item.text));
            (is_own && !item.sources.is_empty()).then_some(kept)
        }
        _ => None,
    }
}

/// Names, figures, and which tools were used: no word beside them, and none of those that were pinned.
fn without_words(item: &Item) -> Option<Item> {
    let mut kept = unquoted(item);
    match (&mut kept.detail, item.field) {
        (_, Field::Entities) => (!item.text.contains(char::is_whitespace)).then_some(kept),
        (Detail::Figure { label, value, .. }, _) => {
            label.clear();
            kept.text.clone_from(value);
            Some(kept)
        }
        (Detail::Action { tool, args, .. }, _) => {
            args.clear();
            kept.text.clone_from(tool);
            Some(kept)
        }
        _ => None,
    }
}

fn unquoted(item: &Item) -> Item {
    let mut bare = item.clone();
    for source in &mut bare.sources {
        source.quote.clear();
    }
    bare
}

/// What of a call's arguments is a name: a file, an id, a number, and of a command its first words. Empty where none is.
fn names_in(args: &str) -> String {
    if let Ok(Value::Object(members)) = serde_json::from_str(args) {
        let kept: Map<String, Value> =
            members.into_iter().filter_map(|(label, value)| Some((label.clone(), short(&label, value)?))).collect();
        return if kept.is_empty() { String::new() } else { Value::Object(kept).to_string() };
    }
    // JSON that was cut off tells nothing. Text holds one argument a line.
    if args.starts_with(['{', '[']) {
        return String::new();
    }
    let pairs = args.lines().filter_map(|line| line.split_once(": "));
    let kept = pairs.filter_map(|(label, value)| Some(format!("{label}: {}", head(label, value)?)));
    kept.collect::<Vec<_>>().join("\n")
}

fn short(label: &str, value: Value) -> Option<Value> {
    match value {
        Value::String(text) => head(label, &text).map(Value::String),
        Value::Number(_) | Value::Bool(_) => Some(value),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The whole of a name, the first words of a command; `None` of any other text.
fn head(label: &str, text: &str) -> Option<String> {
    let is_label = label.len() <= NAME && !label.contains(char::is_whitespace);
    if !is_label || text.is_empty() {
        return None;
    }
    if text.len() <= NAME && !text.contains(char::is_whitespace) {
        return Some(text.to_owned());
    }
    let is_plain =
        |word: &&str| word.len() <= NAME / 4 && word.chars().all(|c| c.is_alphanumeric() || "-_./".contains(c));
    let words: Vec<&str> = text.split_whitespace().take(HEAD).take_while(is_plain).collect();
    (COMMANDS.contains(&label) && !words.is_empty()).then(|| format!("{} …", words.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_arguments_names_and_the_head_of_a_command_stay() {
        for (args, want) in [
            (r#"{"path": "src/a.rs", "old": "let it be", "n": 3}"#, r#"{"path":"src/a.rs","n":3}"#),
            (r#"{"command": "cargo test --lib retry"}"#, r#"{"command":"cargo test …"}"#),
            (r#"{"command": "echo 'the secret' | cat"}"#, r#"{"command":"echo …"}"#),
            (r#"{"command": "'said so' | cat"}"#, ""),
            (r#"{"to": ["ada", "bob"], "text": "come at nine"}"#, ""),
            ("path: src/a.rs\nnew: let it be\ncommand: git push -f origin", "path: src/a.rs\ncommand: git push …"),
            ("come at nine", ""),
            (r#"{"path": "cut of… (900 bytes)"#, ""),
            ("", ""),
        ] {
            assert_eq!(names_in(args), want, "{args}");
        }
    }
}
