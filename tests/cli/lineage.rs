//! One claim through all generations.

use serde_json::json;

use crate::golden::golden;
use crate::home::Home;

fn with_samples() -> Home {
    let home = Home::new();
    for name in ["orders-status/session.db", "retry-ceiling/session.jsonl"] {
        let from = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions").join(name);
        home.file(name, std::fs::read(from).unwrap());
    }
    home
}

/// The name of the item of a marker whose text holds these words.
fn item(home: &Home, session: &str, marker: &str, words: &str) -> String {
    let told = home.json(["audit", session, "--format", "json"]);
    let markers = told["markers"].as_array().unwrap();
    let marker = markers.iter().find(|one| one["id"] == marker).unwrap();
    let items = marker["items"].as_array().unwrap();
    let named = items.iter().find(|one| one["text"].as_str().unwrap().contains(words)).unwrap();
    named["id"].as_str().unwrap().to_owned()
}

/// Marker, certainty, change against the original and against the one before.
fn rows(home: &Home, session: &str, claim: &str) -> Vec<serde_json::Value> {
    let told = home.json(["lineage", session, claim, "--format", "json"]);
    let generations = told["generations"].as_array().unwrap();
    generations.iter().map(|one| json!([one["marker"], one["certainty"], one["changed"], one["pairwise"]])).collect()
}

/// A1.11: one sentence through every generation.
#[test]
fn a_question_is_followed_until_it_is_decided() {
    let home = with_samples();
    let session = "orders-status/session.db";
    for marker in ["m1", "m4", "m6"] {
        let words = if marker == "m1" { "orders.status should become" } else { "orders.status" };
        let rows = rows(&home, session, &item(&home, session, marker, words));
        assert_eq!(rows.len(), 7, "turn 22 and six markers: {rows:?}");
        assert_eq!(rows[0], json!([null, 0, null, null]));
        assert_eq!(rows[1], json!(["m1", 0, null, null]));
        let first = rows.iter().position(|row| row[2] == "certainty").unwrap();
        assert!((3..=4).contains(&first), "{rows:?}");
        assert_eq!(rows[6][1], 6);
    }
}

#[test]
fn what_no_record_holds_is_followed_from_its_turn_through_every_marker_that_forgot_it() {
    let home = with_samples();
    let session = "orders-status/session.db";
    let told = home.json(["audit", session, "--format", "json"]);
    let markers = told["markers"].as_array().unwrap();
    let lost = markers.iter().flat_map(|marker| marker["findings"].as_array().unwrap());
    let said = "Fixing the importer buys time, but I want the small integer gone.";
    let lost = lost.filter(|finding| finding["kind"] == "lost").find(|finding| finding["text"] == said).unwrap();
    let rows = rows(&home, session, lost["text"].as_str().unwrap());
    assert_eq!(rows[0][0], json!(null));
    assert_eq!(rows[1], json!(["m1", null, "lost", null]));
    assert_eq!(rows.len(), 7);
}

/// A2.20: each text agrees with the one before it, and the last is wrong.
#[test]
fn a_lost_value_that_comes_back_as_another_shows_only_against_the_original() {
    let home = with_samples();
    let session = "retry-ceiling/session.jsonl";
    let want = [
        json!([null, 6, null, null]),
        json!(["m1", 6, null, null]),
        json!(["m2", 6, "lost", null]),
        json!(["m3", 6, "value", null]),
        json!(["m4", 6, null, null]),
    ];
    let named = item(&home, session, "m4", "retry ceiling");
    for claim in [named.as_str(), "the retry ceiling is 5", "Retry ceiling: 7"] {
        assert_eq!(rows(&home, session, claim), want, "{claim}");
    }
}

#[test]
fn the_words_that_a_change_turns_on_are_named_in_each_generation() {
    let home = with_samples();
    let decisive = |session: &str, claim: &str| -> Vec<String> {
        let told = home.json(["lineage", session, claim, "--format", "json"]);
        let words = |one: &serde_json::Value| {
            let text = one["text"].as_str().unwrap();
            let at = |end: &serde_json::Value| usize::try_from(end.as_u64().unwrap()).unwrap();
            let marks = one["decisive"].as_array().unwrap().iter();
            marks.map(|mark| text[at(&mark[0])..at(&mark[1])].to_owned()).collect::<Vec<_>>().join("|")
        };
        told["generations"].as_array().unwrap().iter().map(words).collect()
    };
    let session = "orders-status/session.db";
    let asked = decisive(session, &item(&home, session, "m5", "orders.status"));
    assert_eq!(asked, ["?|doubts", "whether|doubts", "", "proposed", "wants", "", ""]);
    assert_eq!(decisive("retry-ceiling/session.jsonl", "the retry ceiling is 5"), ["7", "7|7", "", "5", "5"]);
}

#[test]
fn a_lineage_reads_from_the_original_down() {
    let home = with_samples();
    let orders = item(&home, "orders-status/session.db", "m5", "orders.status");
    let told = [
        home.told(&["lineage", "orders-status/session.db", &orders]),
        home.told(&["lineage", "orders-status/session.db", "m3.d3"]),
        home.told(&["lineage", "orders-status/session.db", "m3.r3"]),
        home.told(&["lineage", "retry-ceiling/session.jsonl", "retry ceiling"]),
        home.told(&["lineage", "retry-ceiling/session.jsonl", "m3.f3"]),
        home.told(&["lineage", "retry-ceiling/session.jsonl", "m1.f2"]),
        home.told(&["lineage", "retry-ceiling/session.jsonl", "m9.d1"]),
        home.told(&["lineage", "retry-ceiling/session.jsonl", "zebra crossing"]),
    ];
    golden("lineage", &told.join("\n"));
}
