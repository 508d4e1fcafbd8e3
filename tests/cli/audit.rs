//! Audits: what is found, in one session and in many side by side.

use serde_json::{Value, json};
use stet::record::{Act, Alarm, Anchor, Correction, EntryKind, FindingKind, Via};
use stet::workbench::{Cancel, Desk, Hand, MarkerRecord, Settings, Workbench};

use crate::golden::golden;
use crate::home::{Claude, Home, orders};

/// 2026-03-02 09:07 UTC: after the first compaction of [`orders`], before a second.
fn early() -> i64 {
    1_772_442_420_000
}

/// A session as the screen has it, on the same database as the program.
fn desk(home: &Home, name: &str) -> Desk {
    let db = home.path().join("data/stet/stet.db");
    let bench = Workbench::new(Settings {
        db: db.clone(),
        default_db: db,
        copies: home.path().join("data/stet/demo"),
        places: stet::formats::Env::default(),
        clock: early,
        hand: Hand { via: Via::Tui, author: "mara".into(), proposed: false },
    });
    let target = bench.find(home.path().join(name).as_os_str()).unwrap();
    bench.read(&target, &mut |_| {}).unwrap()
}

fn records(desk: &mut Desk) -> Vec<MarkerRecord> {
    desk.records(&Cancel::default()).unwrap()
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().unwrap()
}

#[test]
fn an_audit_is_one_object_a_line_for_each_session() {
    let home = Home::new();
    home.file("all/a.jsonl", orders().text());
    home.file("all/b.jsonl", Claude::default().user("hello").text());
    home.file("all/notes.txt", "no session\n");
    let ran = home.run(["audit", "all", "--format", "json"]);
    let passed_over = "note: all: 1 file passed over, no session of an agent that stet reads\n";
    assert_eq!((ran.code, ran.err.as_str()), (0, passed_over));
    let audits: Vec<serde_json::Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(audits.len(), 2);
    assert_eq!(audits[1]["markers"], json!([]));
    let marker = &audits[0]["markers"][0];
    assert_eq!(marker["retention"]["constraints"], json!({"in": 1, "kept": 1}));
    assert_eq!(marker["wrong_alarms"], json!(0));
    let items = marker["items"].as_array().unwrap();
    let constraint = items.iter().find(|item| item["id"] == "m1.c1").unwrap();
    assert_eq!(constraint["field"], "constraints");
    let summary = "## Decisions\n- convert orders.status to an enum\n\n## Constraints\n- ";
    assert_eq!(constraint["summary_range"][0], summary.len());
    let keys: Vec<_> = constraint.as_object().unwrap().keys().map(String::as_str).collect();
    for key in ["verdict", "why", "better", "corrected_by", "reviewed", "sources", "text"] {
        assert!(keys.contains(&key), "{key} is missing");
    }
    for item in items {
        assert!(item["verdict"] != "unchecked" || item["why"].is_string(), "{item} does not say why");
    }
}

#[test]
fn an_empty_summary_and_lines_that_are_not_wholly_readable_are_told() {
    let home = Home::new();
    let session = Claude::default().user("Never delete a row, says XX.").compact("").user("Go on.");
    let bytes: Vec<u8> = session.text().replace("XX", "\u{1}").into_bytes();
    let bytes = bytes.into_iter().map(|byte| if byte == 1 { 0xff } else { byte }).collect::<Vec<_>>();
    home.file("s.jsonl", [bytes.as_slice(), b"{broken\n"].concat());
    let ran = home.run(["audit", "s.jsonl"]);
    for told in [
        "the summary is empty ━━",
        "!!  The summary is empty: everything that it replaced is gone.",
        "line 1: bytes that are not UTF-8 are shown as",
        "could not be read: not JSON",
    ] {
        assert!(ran.out.contains(told), "{told}: {}", ran.out);
    }
    assert!(!ran.out.contains("nothing found"), "{}", ran.out);
    let notes = "note: s.jsonl: 1 line could not be read\nnote: s.jsonl: 1 line not wholly readable\n";
    assert!(ran.err.ends_with(notes), "{}", ran.err);
    let ran = home.run(["audit", "s.jsonl", "--format", "json"]);
    let told: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&told["mended"][0]["line"], list(&told, "skipped").len()), (&json!(1), 1));
    assert_eq!(told["markers"][0]["warnings"][0]["kind"], "empty_summary");
}

#[test]
fn claims_in_another_language_are_said_not_to_be_analysed() {
    let home = Home::new();
    let session = Claude::default()
        .user("Lösch bitte keine Zeilen aus der Tabelle, und frag mich vorher.")
        .agent("Gut, ich lösche nichts, bevor du zustimmst.")
        .compact("- Der Benutzer möchte, dass alle Zeilen aus der Tabelle gelöscht werden.\n- Der Port ist noch offen.")
        .user("Weiter.");
    home.file("s.jsonl", session.text());
    let told = home.told(&["audit", "s.jsonl", "--items"]);
    let row = told.lines().find(|line| line.contains("alle Zeilen")).unwrap();
    assert!(row.contains("not analysed (German)"), "{told}");
    assert!(told.contains("2 items: 2 unchecked; 2 not analysed (German)"), "{told}");
    let json = home.json(["audit", "s.jsonl", "--format", "json"]);
    for item in list(&json["markers"][0], "items") {
        assert_eq!((&item["verdict"], &item["why"]), (&json!("unchecked"), &json!("not analysed (German)")));
    }
}

#[test]
fn an_open_question_that_was_answered_says_where_and_is_no_finding() {
    let home = Home::new();
    let session = Claude::default()
        .user("Does the nightly export lock the orders table?")
        .agent("No, the nightly export never locks the orders table.")
        .user("Is the importer slow on Mondays?")
        .agent("I think it might be.")
        .compact(
            "## Open questions\n- Does the nightly export lock the orders table?\n- Is the importer slow on Mondays?",
        )
        .user("Go on.");
    home.file("s.jsonl", session.text());
    let json = home.json(["audit", "s.jsonl", "--format", "json"]);
    let told = home.told(&["audit", "s.jsonl", "--items"]);
    assert!(told.contains("lock the orders table?  t1  (turn 2 seems to answer it)"), "{told}");
    let whys: Vec<_> = list(&json["markers"][0], "items").iter().map(|item| item["why"].clone()).collect();
    assert_eq!(whys, [json!("turn 2 seems to answer it"), Value::Null], "{json}");
    assert_eq!(list(&json["markers"][0], "findings").iter().filter(|one| one["item"] != Value::Null).count(), 0);
}

#[test]
fn one_bad_path_does_not_keep_the_others_from_being_audited() {
    let home = Home::new();
    home.file("orders.jsonl", orders().text());
    let ran = home.run(["audit", "gone.jsonl", "orders.jsonl", "--format", "json"]);
    assert_eq!((ran.code, ran.out.lines().count()), (2, 1));
    assert!(ran.err.starts_with("stet: cannot find the session gone.jsonl: "), "{}", ran.err);
}

/// A record of which every line is made up but one.
fn made_up() -> Claude {
    Claude::default()
        .user("The port is 8080. Read config/app.toml, never delete a row.")
        .call("Read", json!({"file_path": "config/app.toml"}), "port = 8080")
        .agent("The port is 8080.")
        .compact(
            "The port is 8080, see `config/app.toml`.\n\nRun `scripts/made-up.sh` before `docs/nowhere.md` is read.",
        )
        .user("Go on.")
}

#[test]
fn a_check_fails_on_what_is_found_until_it_is_corrected_or_said_to_be_a_wrong_alarm() {
    let home = Home::new();
    home.file("s.jsonl", made_up().text());
    let audit = |more: &[&str]| home.run([&["audit", "s.jsonl"], more].concat());
    assert_eq!(audit(&[]).code, 0);
    assert_eq!(audit(&["--fail-on", "high"]).code, 1);
    assert_eq!(audit(&["--fail-on", "high", "--kind", "overruled"]).code, 0, "nothing of that kind was found");
    let mut desk = desk(&home, "s.jsonl");
    let found = records(&mut desk).remove(0);
    let key = desk.head().key.clone();
    let high: Vec<_> = found.findings().iter().filter(|one| one.kind == FindingKind::Invented).cloned().collect();
    assert!(high.len() >= 2, "{:?}", found.findings());
    // One is corrected, the others are wrong alarms.
    let item = &found.record.items[high[0].item.unwrap()];
    let never = Correction {
        act: Act::NeverSaid,
        kind: EntryKind::NeverSaid,
        outcome: None,
        text: item.text.clone(),
        source: None,
        note: None,
    };
    desk.correct(Some(Anchor::to(item, &key, &found.compaction.key)), never, None).unwrap();
    for finding in found.findings().iter().filter(|one| **one != high[0]) {
        desk.wrong_alarm(&Alarm::of(finding, &key, &found.compaction.key), true).unwrap();
    }
    assert_eq!(audit(&["--fail-on", "low"]).code, 0);
    let told = home.json(["audit", "s.jsonl", "--format", "json"]);
    let marker = &list(&told, "markers")[0];
    let ids: Vec<_> = list(marker, "findings").iter().map(|one| (&one["id"], &one["corrected_by"])).collect();
    assert_eq!(ids, [(&json!("m1.1"), &json!("L1"))], "a corrected finding stays");
    assert_eq!(marker["wrong_alarms"], json!(found.findings().len() - 1));
    let counted = home.json(["doctor", "--format", "json"])["database"]["wrong_alarms"]["invented"].clone();
    assert_eq!(counted, json!(high.len() - 1));
    // Taken back, it is raised again.
    desk.wrong_alarm(&Alarm::of(&high[1], &key, &found.compaction.key), false).unwrap();
    assert_eq!(audit(&["--fail-on", "high"]).code, 1);
}

#[test]
fn what_a_compaction_says_again_after_it_was_corrected_is_overruled() {
    let home = Home::new();
    let again = "## Decisions\n- convert orders.status to an enum\n";
    home.file("s.jsonl", orders().compact(again).user("Go on.").text());
    let mut desk = desk(&home, "s.jsonl");
    let key = desk.head().key.clone();
    let first = records(&mut desk).remove(0);
    let item = &first.record.items[first.record.find("d1").unwrap()];
    let reopened = Correction {
        act: Act::Reopened,
        kind: EntryKind::Open,
        outcome: None,
        text: "Should orders.status become an enum?".to_owned(),
        source: None,
        note: None,
    };
    desk.correct(Some(Anchor::to(item, &key, &first.compaction.key)), reopened, None).unwrap();
    let told = home.json(["audit", "s.jsonl", "--format", "json"]);
    let second = &list(&told, "markers")[1];
    let overruled: Vec<_> = list(second, "findings").iter().filter(|one| one["kind"] == "overruled").collect();
    assert_eq!(overruled.len(), 1, "{second}");
    assert_eq!((&overruled[0]["item"], &overruled[0]["corrected_by"]), (&json!("m2.d1"), &json!(null)));
    assert!(overruled[0]["why"].as_str().unwrap().starts_with("L1 says that it is open"), "{}", overruled[0]["why"]);
    assert_eq!(home.run(["audit", "s.jsonl", "--kind", "overruled", "--fail-on", "high"]).code, 1);
}

#[test]
fn many_sessions_are_told_in_their_order_and_a_broken_one_stops_none() {
    let home = Home::new();
    for no in 0..30 {
        let text = if no % 10 == 7 { "not a session\n".to_owned() } else { made_up().user(&format!("no {no}")).text() };
        home.file(format!("all/{no:02}.jsonl"), text);
    }
    home.file("all/empty.jsonl", "");
    let lines = |jobs: &str| {
        let ran = home.run(["audit", "all", "--format", "json", "--jobs", jobs]);
        let paths: Vec<String> = ran
            .out
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["session"]["path"].as_str().unwrap().to_owned())
            .collect();
        assert!(paths.len() >= 27 && paths.is_sorted(), "{paths:?} {}", ran.err);
        ran.out
    };
    assert_eq!(lines("1"), lines("5"));
    let text = home.run(["audit", "all"]).out;
    assert!(text.contains("  forgotten  session\n") && text.trim_end().ends_with(" sessions"), "{text}");
}

#[test]
fn an_audit_reads_as_a_summary_and_lists_items_only_when_asked() {
    let home = Home::new();
    home.file("orders.jsonl", orders().text());
    golden("audit", &format!("{}\n{}", home.told(&["audit", "orders.jsonl"]), home.told(&["audit", "--help"])));
    assert!(!home.run(["audit", "orders.jsonl"]).out.contains("Decided\n"));
    assert!(home.run(["audit", "orders.jsonl", "--items"]).out.contains("Decided\n"));
    let of_kind = |kind: &str| home.run(["audit", "orders.jsonl", "--kind", kind]);
    let (named, printed) = (of_kind("inverted"), of_kind("turned round"));
    assert!(named.code == 0 && named.out == printed.out && of_kind("turned-round").out == named.out, "{}", named.out);
    let unknown = of_kind("rumour");
    assert!(
        unknown.code == 2 && unknown.err.contains("inverted (turned round), invented (never said)"),
        "{}",
        unknown.err
    );
    assert_eq!(home.run(["audit", "orders.jsonl", "--jobs", "0"]).code, 2);
}

/// A finding is told in full at the first marker that says it; the others that say it again do not say "nothing found".
#[test]
fn what_was_not_asked_for_is_counted_and_what_is_said_again_is_named() {
    let home = Home::new();
    sample(&home, "retry-ceiling", "session.jsonl");
    sample(&home, "credit-hold", "session.db");
    let told = home.run(["audit", "retry-ceiling/session.jsonl", "--kind", "changed"]).out;
    let heads: Vec<&str> = told.lines().filter(|line| line.starts_with("━━ m")).collect();
    assert!(heads[0].ends_with(" · nothing of what was asked for, 1 other finding ━━"), "{}", heads[0]);
    assert!(heads[3].ends_with(" · 1 changed ━━"), "{}", heads[3]);
    assert!(told.contains("   m3.1  changed · high · m4.f3 · also in m3, and told there\n"), "{told}");
    let table = home.run(["audit", "retry-ceiling", "credit-hold", "--kind", "changed"]).out;
    assert!(table.lines().last().unwrap().ends_with("          –  2 sessions"), "{table}");
}

fn sample(home: &Home, name: &str, file: &str) {
    let from = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions").join(name).join(file);
    home.file(format!("{name}/{file}"), std::fs::read(from).unwrap());
}

#[test]
fn a_record_names_what_an_earlier_marker_tells_and_what_a_figure_is_of() {
    let home = Home::new();
    sample(&home, "retry-ceiling", "session.jsonl");
    let told = home.run(["show", "retry-ceiling/session.jsonl", "-m", "4"]).out;
    assert!(told.contains("\n   1 changed  2 forgotten\n"), "{told}");
    assert!(told.contains("! changed, as at m3: The originals say 7"), "{told}");
    // The signs are those of the screen: what no turn bears out is not yet wrong.
    assert!(told.contains("\n   ? n1 ") && told.contains("\n   ✗ f3 "), "{told}");
    assert!(told.contains("f3   retry ceiling: 5"), "{told}");
}

#[test]
fn each_sample_tells_its_story() {
    let home = Home::new();
    for (name, file) in
        [("orders-status", "session.db"), ("credit-hold", "session.db"), ("retry-ceiling", "session.jsonl")]
    {
        sample(&home, name, file);
        golden(&format!("audit-{name}"), &home.told(&["audit", &format!("{name}/{file}")]));
    }
}

/// A figure that no turn gives has the turn that gives another one: what is wrong can be set right with the original words.
#[test]
fn an_item_that_was_found_wrong_names_the_words_that_show_it() {
    let home = Home::new();
    let sample = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions/retry-ceiling/session.jsonl");
    home.file("retry.jsonl", std::fs::read(sample).unwrap());
    let told = home.json(["audit", "retry.jsonl", "--format", "json"]);
    let markers = told["markers"].as_array().unwrap();
    let five = |item: &&serde_json::Value| item["field"] == "figures" && item["text"] == "5";
    for marker in ["m3", "m4"] {
        let items = markers.iter().find(|one| one["id"] == marker).unwrap()["items"].as_array().unwrap();
        let item = items.iter().find(five).unwrap();
        assert_eq!((&item["verdict"], &item["sources"][0]["turn"]), (&"contested".into(), &5.into()), "{item}");
    }
}
