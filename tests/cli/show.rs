//! Transcripts and records.

use serde_json::json;

use crate::golden::golden;
use crate::home::{CLAUDE_ID, Claude, Home, kept, orders};

#[test]
fn a_transcript_reads_like_the_screen() {
    let home = Home::new();
    home.file("orders.jsonl", orders().text());
    golden("transcript", &home.told(&["show", "orders.jsonl"]));
    // With nothing else to do and no terminal, that is what opening a session prints.
    assert_eq!(home.run(["orders.jsonl"]).out, home.run(["show", "orders.jsonl"]).out);
}

/// A1.8: turn, block, span, request, where each block begins; of each turn in JSON.
#[test]
fn how_deep_each_turn_lies_is_said_once_a_block_and_of_each_turn_in_json() {
    let home = Home::new();
    crate::window::night(&home, 40);
    assert_eq!(home.run(["compile", "night-shift"]).code, 0);
    let shown = home.run(["show", "night-shift"]).out;
    let chains: Vec<&str> = shown.lines().filter(|line| line.starts_with("··")).collect();
    assert_eq!(chains.len(), 20);
    assert_eq!(chains[0], "·· block 1 → span 1 → request · generation 1");
    assert_eq!(chains[16], "·· block 17 → request · generation 1");
    assert!(shown.contains(&format!("{}\n\n   5  you", chains[1])), "{shown}");
    let turns = &home.json(["show", "night-shift", "--format", "json"])["turns"];
    assert_eq!(turns[4]["depth"], json!({"block": 2, "span": 1, "generation": 1}));
    assert_eq!(turns[66]["depth"], json!({"block": 17, "span": null, "generation": 1}));
    assert_eq!(turns[80]["depth"], json!({"block": null, "span": null, "generation": 0}));
}

#[test]
fn a_record_shows_each_item_with_its_turn() {
    let home = Home::new();
    home.file("orders.jsonl", orders().text());
    golden("record", &home.told(&["show", "orders.jsonl", "-m", "1"]));
    golden("record-md", &home.told(&["show", "orders.jsonl", "-m", "m1", "--format", "md"]));
}

#[test]
fn the_transcript_as_json_holds_every_turn_and_marker() {
    let home = Home::new();
    home.file("orders.jsonl", orders().text());
    let shown = home.json(["show", "orders.jsonl", "--format", "json"]);
    assert_eq!(shown["schema"], "stet.transcript/1");
    assert_eq!(shown["session"]["id"], CLAUDE_ID);
    assert_eq!(shown["session"]["agent"], "claude-code");
    assert_eq!(shown["session"]["turns"], 6);
    let turns = shown["turns"].as_array().unwrap();
    let numbers: Vec<_> = turns.iter().map(|turn| turn["turn"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
    assert_eq!(turns[0]["turn_id"], "u0");
    assert_eq!(turns[0]["role"], "user");
    assert_eq!(turns[0]["at"], "2026-03-02T09:00:00Z");
    let kinds: Vec<_> = turns[3]["parts"].as_array().unwrap().iter().map(|part| &part["kind"]).collect();
    assert_eq!(kinds, ["tool_call", "tool_result"]);
    assert_eq!(turns[3]["parts"][1]["speaker"], "tool");
    let markers = shown["markers"].as_array().unwrap();
    assert_eq!(markers.len(), 1);
    assert_eq!(markers[0]["id"], "m1");
    assert_eq!(markers[0]["after_turn"], 4);
    assert_eq!(markers[0]["covers"], json!([{"from": 1, "to": 4}]));
    assert_eq!(markers[0]["trigger"], "auto");
    assert_eq!(markers[0]["tokens_before"], 48120);
    assert_eq!(markers[0]["generation"], 1);
    assert!(markers[0].get("items").is_none());
}

#[test]
fn the_record_as_json_has_the_eight_fields_and_the_ledger_laid_over() {
    let home = Home::new();
    home.may_pin();
    home.file("orders.jsonl", orders().text());
    let before = home.json(["show", "orders.jsonl", "-m", "1", "--format", "json"]);
    assert_eq!(before["schema"], "stet.record/1");
    let fields =
        ["narrative", "entities", "figures", "constraints", "decisions", "actionsTaken", "ruledOut", "openQuestions"];
    for document in ["record", "effective"] {
        let names: Vec<_> = before[document].as_object().unwrap().keys().collect();
        assert_eq!(names, fields);
    }
    assert_eq!(before["record"], before["effective"]);
    let decision = &before["record"]["decisions"][0];
    assert_eq!((&decision["id"], &decision["text"]), (&json!("m1.d1"), &json!("convert orders.status to an enum")));
    assert_eq!(decision["corrected_by"], json!(null));
    assert_eq!(before["record"]["constraints"][0]["verdict"], "verified");
    assert_eq!(before["record"]["constraints"][0]["sources"][0]["turn"], 3);
    assert_eq!(before["record"]["constraints"][0]["sources"][0]["speaker"], "user");

    assert_eq!(home.run(["ledger", "correct", "orders.jsonl", "m1.d1", "--as", "reopened", "--turn", "1"]).code, 0);
    let after = home.json(["show", "orders.jsonl", "-m", "1", "--format", "json"]);
    assert_eq!(after["record"]["decisions"][0]["corrected_by"], "L1");
    assert_eq!(after["effective"]["decisions"], json!([]));
    let open = after["effective"]["openQuestions"].as_array().unwrap();
    let pinned = open.iter().find(|item| item["id"] == "L1").unwrap();
    assert_eq!(pinned["text"], "Should orders.status become an enum? Not sure it's worth a migration.");
    assert_eq!(pinned["sources"][0]["turn"], 1);
}

#[test]
fn an_own_record_keeps_what_its_fields_know() {
    let home = Home::new();
    home.file("night.jsonl", kept());
    assert_eq!(home.run(["import", "night.jsonl"]).code, 0);
    let shown = home.json(["show", "night-shift", "-m", "1", "--format", "json"]);
    let figure = &shown["record"]["figures"][0];
    assert_eq!(
        (&figure["label"], &figure["value"], &figure["unit"]),
        (&json!("limit"), &json!("12,000"), &json!("EUR"))
    );
    assert_eq!(figure["turnId"], figure["sources"][0]["turn_id"]);
    let ruled_out = &shown["record"]["ruledOut"][0];
    assert_eq!((&ruled_out["claim"], &ruled_out["evidence"]), (&json!("credit hold"), &json!("limit checked")));
    assert_eq!(ruled_out["sources"][0]["turn"], 2);
    assert_eq!(ruled_out["sources"][0]["quote"], "It is not a credit hold");
    let open = &shown["record"]["openQuestions"][0];
    assert_eq!(open["verdict"], "unsupported");
    assert!(open["why"].is_string());
}

#[test]
fn what_is_skipped_is_named_with_its_line() {
    let home = Home::new();
    let mut text = orders().text();
    text.insert_str(text.find('\n').unwrap() + 1, "{\"type\":\"user\", broken\n");
    home.file("orders.jsonl", text);
    let ran = home.run(["audit", "orders.jsonl", "--format", "json"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("1 line could not be read"), "{}", ran.err);
    let audit: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(audit["skipped"].as_array().unwrap().len(), 1);
    assert_eq!(audit["skipped"][0]["line"], 2);
    assert_eq!(audit["session"]["turns"], 6);
    let shown = home.run(["show", "orders.jsonl"]);
    assert!(shown.out.contains("!! line 2 could not be read: "), "{}", shown.out);
}

#[test]
fn text_that_acts_on_a_terminal_is_inert_unless_raw() {
    let home = Home::new();
    let text = "red \u{1b}[31m, turned \u{202e}, gone \u{7f}";
    home.file("s.jsonl", Claude::default().user(text).text());
    let shown = home.run(["show", "s.jsonl"]).out;
    assert!(!shown.contains(['\u{1b}', '\u{7f}']), "{shown:?}");
    let json = home.run(["show", "s.jsonl", "--format", "json"]).out;
    assert!(!json.contains(['\u{1b}', '\u{202e}', '\u{7f}']), "{json:?}");
    let parsed: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(parsed["turns"][0]["parts"][0]["text"], text);
    assert!(home.run(["show", "s.jsonl", "--raw"]).out.contains("\u{1b}[31m"));
}

#[test]
fn a_session_is_found_by_path_by_id_and_by_both() {
    let home = Home::new();
    home.file(format!("home/.claude/projects/shop/{CLAUDE_ID}.jsonl"), orders().text());
    home.file("night.jsonl", kept());
    home.run(["import", "night.jsonl", "--db", "kept.db"]);
    assert_eq!(home.run(["show", CLAUDE_ID]).code, 0);
    assert_eq!(home.run(["show", "kept.db"]).code, 0);
    assert_eq!(home.run(["show", "kept.db#night-shift"]).code, 0);
    let missing = home.run(["show", "kept.db#day-shift"]);
    assert_eq!(missing.code, 2);
    assert!(missing.err.contains("day-shift"), "{}", missing.err);
}

#[test]
fn the_list_holds_the_agents_places_and_the_database() {
    let home = Home::new();
    home.file(format!("home/.claude/projects/shop/{CLAUDE_ID}.jsonl"), orders().text());
    home.file("night.jsonl", kept());
    home.run(["import", "night.jsonl"]);
    golden("list", &home.told(&["ls"]));
    let listed = home.json(["ls", "--format", "json"]);
    assert_eq!(listed["schema"], "stet.sessions/1");
    let sessions = listed["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 2);
    for key in ["id", "agent", "title", "path", "turns", "compactions", "modified"] {
        assert!(sessions.iter().all(|session| session.get(key).is_some()), "{key} is missing");
    }
    let kept = sessions.iter().find(|session| session["agent"] == "stet").unwrap();
    assert_eq!((&kept["id"], &kept["turns"], &kept["compactions"]), (&json!("night-shift"), &json!(3), &json!(1)));
    assert_eq!(kept["title"], "Night shift");
}

#[test]
fn a_ledger_that_cannot_be_read_is_named_with_its_file() {
    let home = Home::new();
    home.file("orders.jsonl", orders().text());
    home.file("data/stet/stet.db", "SQLite format 3\0 and nothing more");
    let ran = home.run(["audit", "orders.jsonl", "--format", "json"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("stet: cannot read the ledger in ") && ran.err.contains("stet.db"), "{}", ran.err);
    assert_eq!(home.run(["show", "orders.jsonl"]).code, 0);
}
