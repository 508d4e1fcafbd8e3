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
fn what_would_change_nothing_is_refused_and_enters_nothing() {
    let home = with_orders();
    let add = ["ledger", "add", "orders.jsonl", "--kind", "fact", "--text", "port 8081"];
    let refused = |act: &str, why: &str| {
        let (code, said) = home.at_a_terminal(&["ledger", act, "orders.jsonl", "L1"], "");
        assert!(code == 2 && said.contains(why), "{act}: {said}");
    };
    home.run(add);
    refused("reinstate", "it only waits for a person");
    assert_eq!(home.at_a_terminal(&["ledger", "confirm", "orders.jsonl", "L1"], "").0, 0);
    refused("reinstate", "it counts already");
    assert_eq!(home.at_a_terminal(&["ledger", "withdraw", "orders.jsonl", "L1"], "").0, 0);
    refused("withdraw", "it is withdrawn already");
    assert_eq!(statuses(&home), ["withdrawn", "active", "active"]);
}

#[test]
fn an_empty_text_corrects_nothing() {
    let home = with_orders();
    for (item, more) in [("m1.d1", &["reworded"][..]), ("m1.o1", &["settled", "--outcome", "done"])] {
        for text in ["", "   ", "\u{200b}"] {
            let args = [&["ledger", "correct", "orders.jsonl", item, "--text", text, "--as"], more].concat();
            let ran = home.run(args);
            assert!(ran.code == 2, "{item} {text:?}: {} {}", ran.out, ran.err);
        }
    }
    assert!(statuses(&home).is_empty());
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
fn an_item_that_names_no_turn_is_replaced_by_the_words_that_show_it_wrong() {
    let home = Home::new();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/sample-sessions/retry-ceiling/session.jsonl");
    home.file("retry.jsonl", std::fs::read(sample).unwrap());
    home.may_pin();
    let audit = home.json(["audit", "retry.jsonl", "--format", "json"]);
    let markers = audit["markers"].as_array().unwrap().iter();
    let mut findings = markers.flat_map(|marker| marker["findings"].as_array().unwrap());
    let altered = findings.find(|finding| finding["kind"] == "altered").unwrap();
    let item = altered["item"].as_str().unwrap();
    let corrected = home.run(["ledger", "correct", "retry.jsonl", item, "--as", "replaced"]);
    assert_eq!(corrected.code, 0, "{}", corrected.err);
    let entry = &home.json(["ledger", "list", "retry.jsonl", "--format", "json"])["entries"][0];
    assert_eq!((&entry["text"], &entry["source"]["turn"]), (&altered["sources"][0]["quote"], &json!(5)));
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
    assert_eq!(statuses(&ben), ["superseded", "active", "withdrawn", "active"]);
    assert_eq!(ben.run(["ledger", "verify", "orders.jsonl"]).code, 0);
    // Whoever has no terminal cannot pin by way of a file either.
    let agent = with_orders();
    agent.file("theirs.jsonl", &exported);
    assert_eq!(agent.run(["ledger", "import", "orders.jsonl", "theirs.jsonl"]).code, 0);
    assert_eq!(statuses(&agent), ["proposed", "proposed", "proposed"]);
    // Nor by way of a whole session, and it says so.
    ana.run(["--db", "ana.db", "import", "orders.jsonl"]);
    agent.file("whole.jsonl", ana.run(["export", "ana.db"]).out);
    let ran = agent.run(["--db", "whole.db", "import", "whole.jsonl"]);
    assert!(ran.out.contains("3 ledger entries, proposed until a person confirms"), "{}{}", ran.out, ran.err);
    ben.file("forged.jsonl", exported.replace("never_said", "decision"));
    assert_eq!(ben.run(["ledger", "import", "orders.jsonl", "forged.jsonl"]).code, 2);
}

/// Runs a correction; its mistake, or what the entry says.
fn corrected(args: &[&str]) -> Result<(String, Value), String> {
    let home = with_orders();
    home.may_pin();
    let ran = home.run(["ledger", "correct", "orders.jsonl"].iter().chain(args));
    if ran.code != 0 {
        return Err(ran.err);
    }
    let listed = home.json(["ledger", "list", "orders.jsonl", "--format", "json"]);
    let entry = &listed["entries"][0];
    Ok((entry["text"].as_str().unwrap().to_owned(), entry["source"]["turn"].clone()))
}

#[test]
fn an_open_item_is_settled_by_the_words_that_settle_it_and_nothing_else_is_settled() {
    for (args, want) in [
        (&["m1.o1", "--as", "settled", "--turn", "4"][..], "--outcome"),
        (&["m1.o1", "--as", "settled", "--outcome", "decided"], "--turn"),
        (&["m1.d1", "--as", "settled", "--outcome", "decided", "--text", "yes"], "open item"),
        (&["m1.o1", "--as", "reopened", "--outcome", "done"], "--outcome"),
        (&["m1.d1", "--as", "pinned", "--text", "other words"], "reworded"),
    ] {
        let mistake = corrected(args).unwrap_err();
        assert!(mistake.contains(want), "{args:?}: {mistake}");
    }
    let settled = ["m1.o1", "--as", "settled", "--outcome", "done"];
    let with = |more: &[&'static str]| corrected(&[&settled[..], more].concat()).unwrap();
    assert_eq!(with(&["--turn", "4"]), ("ok, /srv/db/orders.sql written".to_owned(), json!(4)));
    assert_eq!(with(&["--text", "ana does"]), ("ana does".to_owned(), json!(null)));
    assert_eq!(with(&["--text", "ana does", "--turn", "4"]), ("ana does".to_owned(), json!(4)));
}

#[test]
fn an_item_pinned_as_it_is_stands_in_print_and_keeps_what_its_field_knows() {
    let home = Home::new();
    home.may_pin();
    home.file("night.jsonl", crate::home::kept());
    home.run(["import", "night.jsonl"]);
    home.run(["ledger", "correct", "night-shift", "m1.f1", "--as", "pinned"]);
    let text = home.run(["show", "night-shift", "-m", "1"]).out;
    assert!(text.contains("✓ f1  limit: 12,000 EUR") && text.contains("pinned as it is   L1"), "{text}");
    let text = home.run(["show", "night-shift", "-m", "1", "--format", "md"]).out;
    assert!(text.contains("- ✓ f1 limit: 12,000 EUR") && !text.contains("~~"), "{text}");
    let shown = home.json(["show", "night-shift", "-m", "1", "--format", "json"]);
    let figures = shown["effective"]["figures"].as_array().unwrap();
    assert_eq!(figures.len(), 1);
    assert_eq!(
        (&figures[0]["label"], &figures[0]["value"], &figures[0]["unit"]),
        (&json!("limit"), &json!("12,000"), &json!("EUR"))
    );
    assert_eq!((&figures[0]["id"], &figures[0]["corrected_by"]), (&json!("m1.f1"), &json!("L1")));
}

#[test]
fn entries_are_taken_from_a_file_about_this_session_and_from_nothing_else() {
    let home = with_orders();
    home.may_pin();
    home.run(["ledger", "add", "orders.jsonl", "--kind", "fact", "--text", "port 8081"]);
    home.file("entries.jsonl", home.run(["ledger", "export", "orders.jsonl"]).out);
    home.file("night.jsonl", crate::home::kept());
    home.run(["import", "night.jsonl"]);
    let ran = home.run(["ledger", "import", "night-shift", "entries.jsonl"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("another session than night-shift"), "{}", ran.err);
    let pipe = home.path().join("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR).unwrap();
    for what in [pipe.to_str().unwrap(), "/dev/zero"] {
        let ran = home.run(["ledger", "import", "orders.jsonl", what]);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("no regular file"), "{}", ran.err);
    }
}

#[test]
fn an_entry_whose_marker_is_gone_is_told_wherever_all_entries_are() {
    let home = with_orders();
    home.may_pin();
    home.run(["ledger", "correct", "orders.jsonl", "m1.d1", "--as", "reopened", "--turn", "1"]);
    // The session was cut before its compaction.
    let text = orders().text();
    let cut: String = text.lines().take(5).flat_map(|line| [line, "\n"]).collect();
    home.file("orders.jsonl", cut);
    let audited = home.json(["audit", "orders.jsonl", "--format", "json"]);
    assert_eq!((&audited["markers"], &audited["orphans"]), (&json!([]), &json!(["L1"])));
    let printed = home.run(["audit", "orders.jsonl"]).out;
    assert!(printed.contains("Corrections whose item is gone") && printed.contains("L1  open"), "{printed}");
    let listed = home.run(["ledger", "list", "orders.jsonl"]).out;
    assert!(listed.contains("its item is gone"), "{listed}");
}

#[test]
fn a_text_may_begin_with_a_dash() {
    let home = with_orders();
    let add = ["ledger", "add", "orders.jsonl", "--kind", "fact", "--text", "- [ ] x", "--reason", "-1 is no port"];
    assert_eq!(home.run(add).code, 0);
    let listed = home.json(["ledger", "list", "orders.jsonl", "--format", "json"]);
    let entry = &listed["entries"][0];
    assert_eq!((&entry["text"], &entry["reason"]), (&json!("- [ ] x"), &json!("-1 is no port")));
    for args in [
        ["ledger", "correct", "orders.jsonl", "m1.r1", "--as", "reworded", "--text", "--force is not to be used"]
            .as_slice(),
        &["lineage", "orders.jsonl", "- the gateway timeout"],
        &["lineage", "orders.jsonl", "- the gateway timeout", "--format", "json"],
    ] {
        let ran = home.run(args);
        assert!(!ran.err.contains("unexpected argument"), "{args:?}: {}", ran.err);
    }
}

/// What a database of version 6 was made with.
const VERSION_6: [&str; 6] = [
    include_str!("../../src/store/migrations/001_pinned_and_derived.sql"),
    include_str!("../../src/store/migrations/002_wrong_alarms.sql"),
    include_str!("../../src/store/migrations/003_blocks.sql"),
    include_str!("../../src/store/migrations/004_rendered.sql"),
    include_str!("../../src/store/migrations/005_audits.sql"),
    include_str!("../../src/store/migrations/006_borrowed.sql"),
];

#[test]
fn what_cannot_be_checked_of_a_session_in_retention_mode_is_told_and_fails_no_check() {
    let home = Home::new();
    let old = rusqlite::Connection::open(home.file("data/stet/stet.db", "")).unwrap();
    old.execute_batch("PRAGMA application_id = 0x73746574; PRAGMA journal_mode = WAL").unwrap();
    old.execute_batch(&VERSION_6.concat()).unwrap();
    old.execute_batch(
        "PRAGMA user_version = 6;
         INSERT INTO session (agent, id, mode) VALUES ('stet', 'quiet', 'retention');
         INSERT INTO retention VALUES (1, 'keep');",
    )
    .unwrap();
    drop(old);
    let part = |no: usize| {
        let (role, text) = if no.is_multiple_of(2) { ("user", "Never touch depot") } else { ("assistant", "I read") };
        let said = format!(r#""id":"p{no}","turn":"t{no}","role":"{role}","kind":"text","text":"{text} {no}.""#);
        format!("{{\"type\":\"part\",{said}}}\n")
    };
    let ran = home.feed(["append", "--session", "quiet"], &(0..64).map(part).collect::<String>());
    assert_eq!((ran.code, ran.out.lines().count()), (0, 64), "{}", ran.err);
    let unsealed = "what is kept of its texts is not sealed: the session was made before version 7 of the database";
    let erased = "cannot be checked: their text was erased (retention mode)";
    let told = home.run(["ledger", "verify", "quiet"]);
    assert_eq!(told.code, 0, "{}{}", told.out, told.err);
    let lines: Vec<&str> = told.out.lines().collect();
    assert!(lines[0].ends_with("chain, quotes and database are in order"), "{lines:?}");
    assert!(lines[1].starts_with(unsealed) && lines[2].contains("L1, L2, ") && lines[2].contains(erased), "{lines:?}");
    let json = home.json(["ledger", "verify", "quiet", "--format", "json"]);
    assert_eq!((&json["ok"], json["notes"].as_array().unwrap().len()), (&json!(true), 2), "{json}");
    let exported = home.run(["ledger", "export", "quiet"]).out;
    home.file("theirs.jsonl", exported);
    let taken = home.run(["ledger", "import", "quiet", "theirs.jsonl"]);
    assert!(taken.code == 0 && taken.out.contains(erased), "{}{}", taken.out, taken.err);
}
