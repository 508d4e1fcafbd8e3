//! Summaries against their originals: what an item names and the originals hold, its sources hold; for the samples as a
//! reader found it.
#![expect(clippy::print_stderr, reason = "a skipped test says so")]

#[path = "support/real.rs"]
mod real;

use std::collections::HashMap;
use std::path::PathBuf;

use stet::compile::{Original, Sources, Tying, lift};
use stet::extract::{Class, Language, figures, identifiers};
use stet::record::{Item, Record};
use stet::session::{Ranges, TurnNo};

const SESSIONS: [&str; 4] = [
    "claude-01-3compactions.jsonl",
    "claude-04-small-compact-microcompact.jsonl",
    "claude-06-starts-midsession-2compact.jsonl",
    "pi-01-v1-2compactions.jsonl",
];

/// The identifiers and telling figures of an item.
fn named(item: &Item) -> Vec<String> {
    let text = item.text.as_str();
    let found = identifiers(text, Language::english());
    let taken: Vec<_> = found
        .iter()
        .filter(|one| !matches!(one.class, Class::Command | Class::Code))
        .map(|one| one.range.clone())
        .collect();
    let numbers = figures(text, &taken, Language::english())
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

fn tied(session: &real::Session, targets: &[(&Record, &Ranges)]) -> Vec<Sources> {
    let mut tying = Tying::new(targets);
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
    tying.finish()
}

/// Read by hand: the sample, the marker, what its summary names, and turns that hold it.
const HELD: &[(&str, usize, &str, &[u32])] = &[
    ("retry-ceiling/session.jsonl", 1, "max_attempts = 7", &[4, 5]),
    ("retry-ceiling/session.jsonl", 1, "config/delivery.toml", &[4, 5]),
    ("retry-ceiling/session.jsonl", 1, "400 ms", &[5]),
    ("retry-ceiling/session.jsonl", 1, "migrations/0012_dead_letter.sql", &[10]),
    ("retry-ceiling/session.jsonl", 1, "test_removed_after_last_attempt", &[12]),
    ("retry-ceiling/session.jsonl", 1, "FakeJobs", &[12]),
    ("retry-ceiling/session.jsonl", 1, "nine webhooks", &[1]),
    ("retry-ceiling/session.jsonl", 1, "13 passed", &[12]),
    ("retry-ceiling/session.jsonl", 2, "01:40", &[1]),
    ("retry-ceiling/session.jsonl", 2, "courier/sql.py", &[22]),
    ("retry-ceiling/session.jsonl", 2, "4be81c7", &[25]),
    ("retry-ceiling/session.jsonl", 2, "courier/cli/requeue.py", &[24]),
    ("retry-ceiling/session.jsonl", 2, "dead_letter", &[9, 10]),
    ("retry-ceiling/session.jsonl", 3, "courier_attempts_total", &[30, 32, 36]),
    ("retry-ceiling/session.jsonl", 3, "courier_dead_letters_total", &[30, 34]),
    ("retry-ceiling/session.jsonl", 3, "ops/alerts/courier.yml", &[36]),
    ("retry-ceiling/session.jsonl", 3, "3.8.0", &[41]),
    ("retry-ceiling/session.jsonl", 3, "61 tests", &[32]),
    ("retry-ceiling/session.jsonl", 3, "Retries are capped", &[5]),
    ("retry-ceiling/session.jsonl", 4, "retry ceiling", &[5]),
    ("retry-ceiling/session.jsonl", 4, "25.6 s", &[42]),
    ("retry-ceiling/session.jsonl", 4, "courier/post.py", &[45]),
    ("retry-ceiling/session.jsonl", 4, "429", &[45, 46]),
    ("retry-ceiling/session.jsonl", 4, "3.1 s", &[52]),
    ("credit-hold/session.interchange.jsonl", 1, "CS-5502", &[1]),
    ("credit-hold/session.interchange.jsonl", 1, "HB-20417", &[2, 3, 8]),
    ("credit-hold/session.interchange.jsonl", 1, "5,528.74", &[5, 9]),
    ("credit-hold/session.interchange.jsonl", 1, "12,000.00", &[2, 3]),
    ("credit-hold/session.interchange.jsonl", 1, "PAY-90331", &[8, 9]),
    ("credit-hold/session.interchange.jsonl", 1, "5,258.74", &[8, 9]),
    ("credit-hold/session.interchange.jsonl", 1, "carrier's address check", &[13]),
    ("credit-hold/session.interchange.jsonl", 2, "SO-448217-1", &[21, 22]),
    ("credit-hold/session.interchange.jsonl", 2, "F17", &[5, 6, 21]),
    ("credit-hold/session.interchange.jsonl", 2, "promise a date", &[29]),
    ("credit-hold/session.interchange.jsonl", 3, "PAY-90412", &[36, 37]),
    ("credit-hold/session.interchange.jsonl", 3, "A03", &[39, 40]),
    ("orders-status/session.interchange.jsonl", 1, "1,946,310,552", &[4]),
    ("orders-status/session.interchange.jsonl", 1, "internal/importer/market.go:118", &[6, 7]),
    ("orders-status/session.interchange.jsonl", 1, "2 August 2026", &[4]),
    ("orders-status/session.interchange.jsonl", 1, "labels/scan.go:31", &[14, 15]),
    ("orders-status/session.interchange.jsonl", 1, "gift_cards.redeemed_order_id", &[18, 19]),
    ("orders-status/session.interchange.jsonl", 1, "db/migrations/0142_orders_id_expand.sql", &[26, 27]),
    ("orders-status/session.interchange.jsonl", 2, "id_backfill_progress", &[41]),
    ("orders-status/session.interchange.jsonl", 2, "7c41e0b", &[58, 59]),
    ("orders-status/session.interchange.jsonl", 3, "nightly_margin", &[72, 73, 78]),
    ("orders-status/session.interchange.jsonl", 3, "31877", &[72]),
    ("orders-status/session.interchange.jsonl", 4, "web/src/lib/orderId.ts", &[82, 83, 85, 87]),
    ("orders-status/session.interchange.jsonl", 6, "v_ledger_orders", &[36, 37, 139, 140]),
];

#[test]
fn a_sample_cites_the_turns_that_a_reader_finds() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("sample-sessions");
    let mut missed = Vec::new();
    for sample in [
        "retry-ceiling/session.jsonl",
        "credit-hold/session.interchange.jsonl",
        "orders-status/session.interchange.jsonl",
    ] {
        let session = real::read(&folder.join(sample));
        let records: Vec<Record> = session.summaries.iter().map(|(text, _)| lift(text)).collect();
        let targets: Vec<_> = records.iter().zip(session.summaries.iter().map(|(_, reaches)| reaches)).collect();
        let sources = tied(&session, &targets);
        for (_, marker, name, turns) in HELD.iter().filter(|row| row.0 == sample) {
            let record = &records[marker - 1];
            assert!(record.summary.contains(name), "{sample} m{marker} does not name {name}");
            let cited: Vec<_> = record
                .items
                .iter()
                .zip(&sources[marker - 1])
                .filter(|(item, _)| item.text.contains(name))
                .flat_map(|(_, ties)| ties.sources().into_iter().map(|source| source.turn.clone()))
                .collect();
            if !turns.iter().any(|turn| cited.contains(&TurnNo::main(*turn))) {
                missed.push(format!("{sample} m{marker} {name}: {cited:?}, not {turns:?}"));
            }
        }
    }
    eprintln!("{} of {} cite a turn that a reader found", HELD.len() - missed.len(), HELD.len());
    assert!((HELD.len() - missed.len()) * 100 >= HELD.len() * 95, "{missed:#?}");
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
        let sources = tied(&session, &targets);
        let mut turns: HashMap<&str, String> = HashMap::new();
        for said in &session.parts {
            turns.entry(&said.turn_id).or_default().push_str(&(said.part.text.clone() + "\n"));
        }
        for ((record, reaches), sources) in targets.iter().zip(sources) {
            let reached: String = session
                .parts
                .iter()
                .filter(|said| reaches.contains(said.seq.0))
                .map(|said| said.part.text.clone() + "\n")
                .collect();
            for (item, ties) in record.items.iter().zip(sources) {
                let sources = ties.sources();
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
