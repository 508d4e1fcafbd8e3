//! Into the database and out of it.

use crate::golden::golden;
use crate::home::{CLAUDE_ID, Home, kept, orders};

#[test]
fn an_import_takes_everything_once_and_then_only_what_is_new() {
    let home = Home::new();
    home.file("orders.jsonl", orders().text());
    let first = home.told(&["import", "orders.jsonl"]);
    let again = home.told(&["import", "orders.jsonl"]);
    home.file("orders.jsonl", orders().user("One more thing.").text());
    let grown = home.told(&["import", "orders.jsonl"]);
    golden("import", &[first, again, grown].join("\n"));
    let shown = home.json(["show", &format!("data/stet/stet.db#{CLAUDE_ID}"), "--format", "json"]);
    assert_eq!(shown["session"]["turns"], 7);
    let file = home.json(["show", "orders.jsonl", "--format", "json"]);
    assert_eq!(shown["turns"], file["turns"]);
    assert_eq!(shown["markers"], file["markers"]);
}

#[test]
fn a_ledger_made_before_the_import_still_applies_after_it() {
    let home = Home::new();
    home.may_pin();
    home.file("orders.jsonl", orders().text());
    home.run(["ledger", "correct", "orders.jsonl", "m1.d1", "--as", "never-said"]);
    for db in ["data/stet/stet.db", "other.db"] {
        let imported = home.run(["import", "orders.jsonl", "--db", db]);
        assert_eq!(imported.code, 0, "{}", imported.err);
        let listed = home.json(["ledger", "list", db, "--format", "json"]);
        assert_eq!(listed["entries"][0]["corrects"], "m1.d1", "{db}");
        let shown = home.json(["show", db, "-m", "1", "--format", "json"]);
        assert_eq!(shown["record"]["decisions"][0]["corrected_by"], "L1", "{db}");
    }
    let other = home.json(["ledger", "list", "other.db", "--format", "json"]);
    let first = home.json(["ledger", "list", "orders.jsonl", "--format", "json"]);
    assert_eq!(other["entries"][0]["origin"], first["entries"][0]["hash"]);
}

#[test]
fn what_is_exported_reads_back_the_same() {
    let home = Home::new();
    home.file("night.jsonl", kept());
    home.file("orders.jsonl", orders().text());
    home.run(["import", "night.jsonl", "orders.jsonl", "--db", "a.db"]);
    home.run(["ledger", "correct", "a.db#night-shift", "m1.r1", "--as", "reopened"]);
    for id in ["night-shift", CLAUDE_ID] {
        let first = home.run(["export", &format!("a.db#{id}")]);
        assert_eq!(first.code, 0, "{}", first.err);
        home.file("out.jsonl", &first.out);
        let imported = home.run(["import", "out.jsonl", "--db", "b.db"]);
        assert_eq!(imported.code, 0, "{}", imported.err);
        assert_eq!(home.run(["export", &format!("b.db#{id}")]).out, first.out);
        for command in ["show", "audit"] {
            let of = |db: &str| {
                let mut told = home.json([command, &format!("{db}#{id}"), "--format", "json"]);
                told["session"]["path"] = "".into();
                told
            };
            assert_eq!(of("a.db"), of("b.db"), "{command} {id}");
        }
    }
    let ledger = home.json(["ledger", "list", "b.db#night-shift", "--format", "json"]);
    assert_eq!(ledger["entries"][0]["corrects"], "m1.r1");
}

#[test]
fn an_agents_file_is_exported_with_its_bytes() {
    let home = Home::new();
    let text = orders().text();
    home.file("orders.jsonl", &text);
    let exported = home.run(["export", "orders.jsonl"]);
    assert_eq!(exported.code, 0, "{}", exported.err);
    let raws: Vec<String> = exported
        .out
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["raw"].as_str().map(str::to_owned))
        .collect();
    assert_eq!(raws, text.lines().collect::<Vec<_>>());
    assert_eq!(std::fs::read_to_string(home.path().join("orders.jsonl")).unwrap(), text);
    assert!(!home.path().join("data").exists(), "an export made something");
}

#[test]
fn a_folder_is_imported_as_far_as_it_can_be_and_what_is_left_out_is_said() {
    let home = Home::new();
    home.file("all/orders.jsonl", orders().text());
    home.file("all/notes.txt", "no session\n");
    home.file("all/broken.db", [&b"SQLite format 3\0"[..], &[7; 100]].concat());
    let ran = home.run(["import", "all"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("7 new parts"), "{}", ran.out);
    assert!(ran.err.contains("note: all: 2 files passed over"), "{}", ran.err);
}

#[test]
fn a_session_that_was_imported_is_listed_once() {
    let home = Home::new();
    home.file(format!("home/.claude/projects/shop/{CLAUDE_ID}.jsonl"), orders().text());
    home.file("night.jsonl", kept());
    home.run(["import", CLAUDE_ID, "night.jsonl"]);
    let listed = home.json(["ls", "--format", "json"]);
    let of = |at: usize, key: &str| listed["sessions"][at][key].clone();
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 2, "{listed}");
    assert_eq!((of(0, "id"), of(0, "turns"), of(0, "skipped")), ("night-shift".into(), 3.into(), ().into()));
    assert_eq!((of(1, "id"), of(1, "turns"), of(1, "skipped")), (CLAUDE_ID.into(), 6.into(), 0.into()));
    assert!(of(1, "path").as_str().unwrap().contains("projects"), "the live file is named");
}
