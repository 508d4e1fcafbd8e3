//! Real summaries against their originals: what an item names and the originals hold, its sources hold.
#![expect(clippy::print_stderr, reason = "a skipped test says so")]

#[path = "support/real.rs"]
mod real;

use std::collections::HashMap;
use std::path::PathBuf;

use stet::compile::{Original, Tying, lift};
use stet::extract::{Class, figures, identifiers};
use stet::record::{Item, Record};

const SESSIONS: [&str; 4] = [
    "claude-01-3compactions.jsonl",
    "claude-04-small-compact-microcompact.jsonl",
    "claude-06-starts-midsession-2compact.jsonl",
    "pi-01-v1-2compactions.jsonl",
];

/// The identifiers and telling figures of an item.
fn named(item: &Item) -> Vec<String> {
    let text = item.text.as_str();
    let found = identifiers(text);
    let taken: Vec<_> = found
        .iter()
        .filter(|one| !matches!(one.class, Class::Command | Class::Code))
        .map(|one| one.range.clone())
        .collect();
    let numbers = figures(text, &taken)
        .into_iter()
        .map(|figure| figure.value)
        .filter(|value| value.len() >= 3 && value.contains(|c: char| c.is_ascii_digit()));
    found
        .iter()
        .map(|one| text[one.range.clone()].trim_end_matches("()").to_owned())
        .chain(numbers)
        .filter(|name| name.len() >= 2)
        .collect()
}

fn holds(text: &str, name: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back().is_some_and(word) && name.starts_with(word);
        let after = text[at + name.len()..].chars().next().is_some_and(word) && name.ends_with(word);
        !before && !after
    })
}

#[test]
fn an_item_cites_a_turn_that_holds_what_it_names() {
    let Some(data) = std::env::var_os("STET_TEST_DATA").map(PathBuf::from) else {
        return eprintln!("skipped: STET_TEST_DATA is not set");
    };
    let (mut held, mut cited, mut quoted) = (0, 0, 0);
    let mut missing = Vec::new();
    for file in SESSIONS {
        let session = real::read(&data.join("data/sessions").join(file));
        let records: Vec<Record> = session.summaries.iter().map(|(text, _)| lift(text)).collect();
        let targets: Vec<_> = records.iter().zip(session.summaries.iter().map(|(_, reaches)| reaches)).collect();
        let mut tying = Tying::new(&targets);
        for said in &session.parts {
            tying.feed(&Original {
                part: &said.part,
                place: said.place,
                line_id: said.line_id.as_deref(),
                seq: said.seq,
                turn: &said.turn,
                turn_id: &said.turn_id,
            });
        }
        let mut turns: HashMap<&str, String> = HashMap::new();
        for said in &session.parts {
            turns.entry(&said.turn_id).or_default().push_str(&(said.part.text.clone() + "\n"));
        }
        for ((record, reaches), sources) in targets.iter().zip(tying.finish()) {
            let reached: String = session
                .parts
                .iter()
                .filter(|said| reaches.contains(said.seq.0))
                .map(|said| said.part.text.clone() + "\n")
                .collect();
            for (item, sources) in record.items.iter().zip(sources) {
                let names: Vec<String> = named(item).into_iter().filter(|name| holds(&reached, name)).collect();
                if names.is_empty() {
                    continue;
                }
                held += 1;
                let by_turn =
                    sources.iter().any(|source| names.iter().any(|name| holds(&turns[source.turn_id.as_str()], name)));
                cited += usize::from(by_turn);
                quoted += usize::from(sources.iter().any(|source| names.iter().any(|name| holds(&source.quote, name))));
                if !by_turn {
                    missing.push(format!("{file} {}: {names:?}", item.text));
                }
            }
        }
    }
    eprintln!(
        "{held} items name something that the originals hold; {cited} cite a turn that holds it, {quoted} quote it"
    );
    assert!(held > 300, "{held}");
    assert!(cited * 100 >= held * 95, "{cited} of {held}; missing: {missing:#?}");
    assert!(quoted * 100 >= held * 95, "{quoted} of {held} quote it");
}
