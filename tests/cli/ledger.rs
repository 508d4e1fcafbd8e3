//! Entering, confirming, withdrawing, and what comes of it.

use serde_json::{Value, json};

use crate::golden::golden;
use crate::home::{Home, orders};

fn statuses(home: &Home) -> Vec<Value> {
    let listed = home.json(["ledger", "list", "orders.jsonl", "--format", "json"]);
    assert_eq!(listed["schema"], "stet.ledger/1");
    listed["entries"].as_array().unwrap().iter().map(|entry| entry["status"].clone()).collect()
}

fn with_orders() -> Home {
    let home = Home::new();
    home.file("orders.jsonl", orders().text());
    home
}

#[test]
fn without_a_person_an_entry_is_only_proposed_until_one_confirms_it() {
    let home = with_orders();
    let add = ["ledger", "add", "orders.jsonl", "--kind", "constraint", "--text", "ask first"];
    let ran = home.run(add);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("proposed"), "{}", ran.out);
    assert_eq!(statuses(&home), ["proposed"]);
    assert_eq!(home.run(["ledger", "print", "orders.jsonl"]).out, "");
    let refused = home.run(["ledger", "confirm", "orders.jsonl", "L1"]);
    assert_eq!(refused.code, 2);
    assert_eq!(statuses(&home), ["proposed"]);
    assert_eq!(home.at_a_terminal(&["ledger", "confirm", "orders.jsonl", "L1"], "").0, 0);
    assert_eq!(statuses(&home), ["active", "active"]);
    assert!(home.run(["ledger", "print", "orders.jsonl"]).out.contains("ask first"));
    // A withdrawal by a program is proposed too.
    assert_eq!(home.run(["ledger", "withdraw", "orders.jsonl", "L1"]).code, 0);
    assert_eq!(statuses(&home), ["active", "active", "proposed"]);
}

#[test]
fn at_a_terminal_an_entry_counts_at_once() {
    let home = with_orders();
    assert_eq!(
        home.at_a_terminal(&["ledger", "add", "orders.jsonl", "--kind", "fact", "--text", "port 8081"], "").0,
        0
    );
    assert_eq!(statuses(&home), ["active"]);
}

#[test]
fn the_settings_may_let_commands_pin() {
    let home = with_orders();
    home.may_pin();
    home.run(["ledger", "add", "orders.jsonl", "--kind", "fact", "--text", "port 8081"]);
    assert_eq!(statuses(&home), ["active"]);
}

#[test]
fn a_correction_is_listed_told_and_taken_back() {
    let home = with_orders();
    home.may_pin();
    let told: Vec<String> = [
        &["ledger", "correct", "orders.jsonl", "m1.d1", "--as", "reopened", "--turn", "1", "--reason", "asked"][..],
        &["ledger", "add", "orders.jsonl", "--kind", "constraint", "--text", "Never lock orders", "--turn", "3"],
        &["ledger", "list", "orders.jsonl"],
        &["ledger", "print", "orders.jsonl"],
        &["show", "orders.jsonl", "-m", "1"],
        &["ledger", "withdraw", "orders.jsonl", "L1", "--author", "ben"],
        &["ledger", "history", "orders.jsonl"],
        &["ledger", "reinstate", "orders.jsonl", "L1"],
        &["ledger", "list", "orders.jsonl"],
        &["ledger", "verify", "orders.jsonl"],
    ]
    .iter()
    .map(|args| home.told(args))
    .collect();
    golden("ledger", &told.join("\n"));
}

#[test]
fn an_entry_as_json_says_everything_that_is_stored() {
    let home = with_orders();
    home.may_pin();
    home.run([
        "ledger",
        "correct",
        "orders.jsonl",
        "m1.o1",
        "--as",
        "settled",
        "--outcome",
        "done",
        "--turn",
        "4",
        "--text",
        "/srv/db/orders.sql written",
    ]);
    home.run(["ledger", "withdraw", "orders.jsonl", "1", "--reason", "not yet"]);
    let listed = home.json(["ledger", "list", "orders.jsonl", "--format", "json"]);
    let mut entry = listed["entries"][0].clone();
    let hash = entry.as_object_mut().unwrap().remove("hash").unwrap();
    assert_eq!(hash.as_str().unwrap().len(), 64);
    assert_eq!(
        entry,
        json!({
            "id": "L1", "kind": "fact", "as": "settled", "outcome": "done", "text": "/srv/db/orders.sql written",
            "status": "withdrawn", "corrects": "m1.o1", "target": null,
            "source": {"turn": 4, "turn_id": "u3", "part": 0, "speaker": "tool", "quote": "/srv/db/orders.sql written",
                "range": [4, 30]},
            "via": "cli", "author": "ana", "reason": null, "at": "2026-03-02T14:07:00Z",
            "prev": "0".repeat(64), "origin": null, "orphan": false,
        })
    );
    assert_eq!(listed["entries"][1]["as"], "withdrawn");
    assert_eq!(listed["entries"][1]["target"], "L1");
    assert_eq!(listed["entries"][1]["reason"], "not yet");
}

#[test]
fn a_ledger_follows_its_session_and_a_gone_item_is_an_orphan() {
    let home = with_orders();
    home.may_pin();
    home.run(["ledger", "correct", "orders.jsonl", "m1.d1", "--as", "never-said"]);
    std::fs::create_dir(home.path().join("moved")).unwrap();
    std::fs::rename(home.path().join("orders.jsonl"), home.path().join("moved/s.jsonl")).unwrap();
    let listed = home.json(["ledger", "list", "moved/s.jsonl", "--format", "json"]);
    assert_eq!((&listed["entries"][0]["corrects"], &listed["entries"][0]["orphan"]), (&json!("m1.d1"), &json!(false)));
    // The agent wrote another summary into the same place.
    let other = orders().text().replace("convert orders.status to an enum", "leave orders.status as it is");
    home.file("moved/s.jsonl", other);
    let listed = home.json(["ledger", "list", "moved/s.jsonl", "--format", "json"]);
    assert_eq!((&listed["entries"][0]["corrects"], &listed["entries"][0]["orphan"]), (&json!(null), &json!(true)));
    assert!(home.run(["show", "moved/s.jsonl", "-m", "1"]).out.contains("convert orders.status to an enum"));
}

#[test]
fn a_quote_that_is_no_longer_there_fails_the_check() {
    let home = with_orders();
    home.may_pin();
    home.run(["ledger", "add", "orders.jsonl", "--kind", "constraint", "--text", "Never lock orders", "--turn", "3"]);
    assert_eq!(home.run(["ledger", "verify", "orders.jsonl"]).code, 0);
    home.file("orders.jsonl", orders().text().replace("Never lock orders", "Always lock orders"));
    let ran = home.run(["ledger", "verify", "orders.jsonl", "--format", "json"]);
    assert_eq!(ran.code, 1);
    let checked: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(checked["ok"], false);
    assert!(checked["problems"][0].as_str().unwrap().contains("L1"));
}

#[test]
fn entries_go_from_one_person_to_another_and_a_forged_one_is_refused() {
    let (ana, ben) = (with_orders(), with_orders());
    ana.may_pin();
    ben.may_pin();
    ana.run(["ledger", "correct", "orders.jsonl", "m1.d1", "--as", "never-said"]);
    ana.run(["ledger", "withdraw", "orders.jsonl", "L1"]);
    ana.run(["ledger", "reinstate", "orders.jsonl", "L1"]);
    ben.run(["ledger", "correct", "orders.jsonl", "m1.d1", "--as", "reopened"]);
    let exported = ana.run(["ledger", "export", "orders.jsonl"]).out;
    assert_eq!(exported.lines().count(), 3, "{exported}");
    ben.file("theirs.jsonl", &exported);
    let ran = ben.run(["ledger", "import", "orders.jsonl", "theirs.jsonl"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.starts_with("3 new entries, none known\n"), "{}", ran.out);
    assert!(ran.out.contains("L2") && ran.out.contains("L1"), "the conflict is not shown: {}", ran.out);
    let again = ben.run(["ledger", "import", "orders.jsonl", "theirs.jsonl"]);
    assert!(again.out.starts_with("no new entries, 3 known\n"), "{}", again.out);
    let listed = ben.json(["ledger", "list", "orders.jsonl", "--format", "json"]);
    assert!(listed["entries"][1]["origin"].is_string());
    assert_eq!(listed["entries"][1]["via"], "import");
    assert_eq!(listed["entries"][2]["target"], "L2");
    assert_eq!(statuses(&ben), ["superseded", "active", "active", "active"]);
    assert_eq!(ben.run(["ledger", "verify", "orders.jsonl"]).code, 0);
    // Whoever has no terminal cannot pin by way of a file either.
    let agent = with_orders();
    agent.file("theirs.jsonl", &exported);
    assert_eq!(agent.run(["ledger", "import", "orders.jsonl", "theirs.jsonl"]).code, 0);
    assert_eq!(statuses(&agent), ["proposed", "proposed", "proposed"]);
    ben.file("forged.jsonl", exported.replace("never_said", "decision"));
    assert_eq!(ben.run(["ledger", "import", "orders.jsonl", "forged.jsonl"]).code, 2);
}
