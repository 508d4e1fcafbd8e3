//! Blocks of a session, for people and for programs.

use crate::golden::golden;
use crate::home::Home;

fn with_sample() -> Home {
    let home = Home::new();
    let from = concat!(env!("CARGO_MANIFEST_DIR"), "/sample-sessions/retry-ceiling/session.jsonl");
    home.file("retry.jsonl", std::fs::read(from).unwrap());
    home
}

#[test]
fn blocks_are_listed_with_why_they_closed_and_what_they_hold() {
    let home = with_sample();
    let printed = home.run(["compile", "retry.jsonl", "--target", "4", "--cap", "8", "--records"]);
    golden("compile", &printed.out);
}

#[test]
fn a_second_run_adds_nothing_and_prints_the_same_blocks() {
    let home = with_sample();
    let args = ["compile", "retry.jsonl", "--target", "4", "--cap", "8", "--records", "--format", "json"];
    let (first, again) = (home.json(args), home.json(args));
    let blocks = first["blocks"].as_array().unwrap();
    assert!(blocks.len() > 1);
    assert_eq!(blocks.len(), again["blocks"].as_array().unwrap().len());
    for (one, other) in blocks.iter().zip(again["blocks"].as_array().unwrap()) {
        for key in ["n", "from", "to", "from_id", "closed_by", "tokens"] {
            assert_eq!(one[key], other[key]);
        }
    }
    assert_eq!(first["open"], again["open"]);
    let last = blocks.last().unwrap()["to"].as_u64().unwrap();
    assert_eq!(first["open"]["from"].as_u64().unwrap(), last + 1);
}

#[test]
fn what_a_program_writes_stays_a_draft_unless_the_turns_say_it_and_one_that_fails_costs_no_block() {
    let home = with_sample();
    let blocks = |script: &str, db: &str| {
        let command = format!("[summariser]\ncommand = [\"sh\", \"-c\", \"{script}\"]\n");
        home.file("config/stet/config.toml", command);
        let args = ["compile", "retry.jsonl", "--target", "4", "--cap", "8", "--summariser", "command", "--records"];
        home.run(args.into_iter().chain(["--format", "json", "--db", db]))
    };
    let told = blocks("cat > /dev/null; echo The refund of 912.40 EUR was approved.", "told.db");
    let shown: serde_json::Value = serde_json::from_str(&told.out).unwrap();
    let prose = &shown["blocks"][0]["record"]["narrative"][0];
    assert_eq!((&prose["verdict"], &prose["sources"]), (&"unchecked".into(), &serde_json::json!([])), "{prose}");
    let failed = blocks("exit 3", "failed.db");
    let without: serde_json::Value = serde_json::from_str(&failed.out).unwrap();
    assert!(failed.err.contains("block 1 has no prose"), "{}", failed.err);
    assert_eq!(without["blocks"][0]["record"]["actionsTaken"], shown["blocks"][0]["record"]["actionsTaken"]);
    assert_eq!(without["blocks"][0]["record"]["narrative"], serde_json::json!([]));
}

#[test]
fn how_each_block_stands_is_told() {
    let home = with_sample();
    let args = ["compile", "retry.jsonl", "--target", "4", "--cap", "8"];
    let compiled = home.json(args.into_iter().chain(["--format", "json"]));
    for block in compiled["blocks"].as_array().unwrap() {
        let standing = &block["standing"];
        assert_eq!(standing["originals"], "live");
        assert!(standing["facts"]["all"].as_u64().unwrap() > 0, "{standing}");
        assert_eq!(standing["facts"]["held"], standing["facts"]["all"]);
        let valid = serde_json::json!({"originals": true, "references": true, "put_aside": true});
        assert_eq!(standing["validity"], valid);
        let (facts, again) = (&standing["idempotence"]["facts"], &standing["idempotence"]["again"]);
        assert!(again.as_u64().unwrap() <= facts.as_u64().unwrap(), "{standing}");
    }
}
