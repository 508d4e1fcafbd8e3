//! The generator of long sessions repeats itself, and the program reads what it writes.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use serde_json::Value;

#[path = "support/command.rs"]
mod command;
#[path = "support/generate.rs"]
mod generate;
#[path = "support/random.rs"]
mod random;

use generate::Wanted;

const NEEDLE: &str = "zqxneedle";

#[test]
fn a_generated_session_is_read_whole() {
    let home = command::Home::new();
    let (path, again) = (home.path().join("long.jsonl"), home.path().join("again.jsonl"));
    let wanted = || Wanted { bytes: 2_000_000, seed: 7, every: 120, needle: NEEDLE };
    let written = generate::session(&path, &wanted()).unwrap();
    generate::session(&again, &wanted()).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(bytes.len() as u64, written.bytes);
    assert!(bytes == std::fs::read(&again).unwrap(), "the same wish gave other bytes");

    let args = ["show", path.to_str().unwrap(), "--format", "json"];
    let ran = home.run(&args, home.path(), Duration::from_secs(30));
    assert!(!ran.late, "took too long");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(document["markers"].as_array().unwrap().len() as u64, written.compactions);
    assert_eq!(document["skipped"], serde_json::json!([]));
    let turns = document["turns"].to_string();
    for (text, times) in [(generate::FIRST, 1), (NEEDLE, 1), (generate::LAST, 1)] {
        assert_eq!(turns.matches(text).count(), times, "{text}");
    }
}
