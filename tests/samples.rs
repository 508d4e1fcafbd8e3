//! Every sample holds what its `expect.txt` says, seen through the program; and every database is what its readable
//! source gives when it is imported anew.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

#[path = "support/command.rs"]
mod command;

use command::Home;

const LIMIT: Duration = Duration::from_secs(30);

fn samples() -> Vec<PathBuf> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions");
    let entries = fs::read_dir(all).unwrap().map(|entry| entry.unwrap().path());
    let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    assert!(folders.len() >= 3, "samples are missing: {folders:?}");
    folders
}

/// What a reader opens: the database where there is one.
fn session(folder: &Path) -> PathBuf {
    let database = folder.join("session.db");
    if database.exists() { database } else { folder.join("session.jsonl") }
}

fn printed(args: &[&str], folder: &Path) -> String {
    let home = Home::new();
    let ran = home.run(args, folder, LIMIT);
    assert!(!ran.late, "{args:?} in {}: took too long", folder.display());
    assert_eq!(ran.code, Some(0), "{args:?} in {}: {}", folder.display(), ran.err);
    ran.out
}

fn json(args: &[&str], folder: &Path) -> Value {
    serde_json::from_str(&printed(args, folder)).unwrap()
}

/// What of an expectation does not hold; empty when it does.
fn failed(line: &str, shown: &Value, audited: &Value) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let holds = match words.as_slice() {
        ["turns", count] => is(&shown["session"]["turns"], count),
        ["compactions", count] => count.parse() == Ok(list(&shown["markers"]).len()),
        ["marker", marker, "after_turn", turn, "tokens", before, "->", after] => {
            let Some(found) = by_id(&shown["markers"], marker) else { return Some("no such marker".into()) };
            is(&found["after_turn"], turn)
                && is(&found["tokens_before"], before)
                && is(&found["tokens_after"], &after.replace('?', "null"))
        }
        ["claim", marker, field, ..] => {
            let text = words[3..].join(" ");
            let Some(found) = by_id(&audited["markers"], marker) else { return Some("no such marker".into()) };
            let items = list(&found["items"]).iter();
            let items: Vec<String> =
                items.filter(|item| item["field"] == **field).map(|item| spaced(&item["text"])).collect();
            if !items.contains(&text) {
                return Some(format!("the {field} of {marker} are {items:#?}"));
            }
            true
        }
        ["source", marker, field, text @ .., "=>", "turn", turn] => {
            let Some(found) = by_id(&audited["markers"], marker) else { return Some("no such marker".into()) };
            let text = text.join(" ");
            let is_it = |item: &&Value| item["field"] == **field && spaced(&item["text"]) == text;
            let Some(item) = list(&found["items"]).iter().find(is_it) else { return Some("no such claim".into()) };
            // The first of several is the one that says most of it.
            let turns: Vec<String> = list(&item["sources"]).iter().map(|source| source["turn"].to_string()).collect();
            if turns.first().map(String::as_str) != Some(turn) {
                return Some(format!("it comes from {turns:?}"));
            }
            true
        }
        ["turn", number, speaker, ..] => {
            let text = words[3..].join(" ");
            let text = text.trim_end_matches('…').trim_end();
            let turn = list(&shown["turns"]).iter().find(|turn| is(&turn["turn"], number));
            let Some(turn) = turn else { return Some("no such turn".into()) };
            let mut parts = list(&turn["parts"]).iter().filter(|part| part["speaker"] == **speaker);
            parts.any(|part| spaced(&part["text"]).starts_with(text))
        }
        ["finding" | "needed" | "acted", marker, ..] => {
            let Some(found) = by_id(&audited["markers"], marker) else { return Some("no such marker".into()) };
            let told: Vec<String> = list(&found["findings"]).iter().flat_map(said_of).collect();
            if !told.iter().any(|told| told == line) {
                return Some(format!("what is found at {marker} is {told:#?}"));
            }
            true
        }
        _ => return Some("is no expectation".into()),
    };
    (!holds).then(|| "does not hold".into())
}

/// A finding as an expectation says it, also with the turns where it was needed again and where the agent acted on it.
fn said_of(finding: &Value) -> Vec<String> {
    let marker = |no: usize| finding["markers"][no].as_str().unwrap_or_default();
    let (kind, field) = (finding["kind"].as_str().unwrap_or_default(), finding["field"].as_str().unwrap_or_default());
    let (text, turn) = (spaced(&finding["text"]), &finding["sources"][0]["turn"]);
    let others: Vec<&str> = (1..list(&finding["markers"]).len()).map(marker).collect();
    let also = if others.is_empty() { String::new() } else { format!(", also {}", others.join(" ")) };
    let mut said = vec![format!("finding {} {kind} {field} {text} => turn {turn}{also}", marker(0))];
    for (what, turns) in [("needed", "needed_again"), ("acted", "acted_on")] {
        let turns = list(&finding[turns]).iter().map(|one| &one["turn"]);
        said.extend(turns.map(|turn| format!("{what} {} {text} => turn {turn}", marker(0))));
    }
    said
}

/// Findings of which no expectation speaks: a reader would meet them unprepared.
fn unexpected(lines: &[&str], audited: &Value) -> Vec<String> {
    let markers = list(&audited["markers"]).iter();
    let findings = markers.flat_map(|marker| list(&marker["findings"]).iter());
    let told = findings.map(|finding| said_of(finding).swap_remove(0));
    told.filter(|told| !lines.contains(&told.as_str())).map(|told| format!("nobody expects: {told}")).collect()
}

/// Whether a number (or null) is written like this.
fn is(value: &Value, written: &str) -> bool {
    let json = value.to_string();
    json == written
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn by_id<'a>(markers: &'a Value, id: &str) -> Option<&'a Value> {
    list(markers).iter().find(|marker| marker["id"] == id)
}

fn spaced(text: &Value) -> String {
    text.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is found is kept under the version of the rules, so rules that find something else need another version.
#[test]
fn the_same_rules_find_the_same() {
    let found: Vec<String> = samples().iter().flat_map(|folder| told(&audit(folder))).collect();
    let hash = stet::session::Hash::of(found.join("\n").as_bytes());
    let now = format!("rules {}.{} find {hash}\n", stet::audit::RULES, stet::compile::RULES);
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules.txt");
    let before = fs::read_to_string(&kept).unwrap_or_default();
    let version = |line: &str| line.split(" find ").next().map(str::to_owned);
    if before == now {
        return;
    }
    assert!(version(&before) != version(&now), "the rules find something else: audit::RULES needs the next number");
    assert!(std::env::var_os("UPDATE_GOLDENS").is_some(), "{} is out of date (UPDATE_GOLDENS=1)", kept.display());
    fs::write(kept, now).unwrap();
}

fn audit(folder: &Path) -> Value {
    let session = session(folder);
    json(&["audit", session.to_str().unwrap(), "--format", "json"], folder)
}

/// Every verdict and every finding, in a line each.
fn told(audited: &Value) -> Vec<String> {
    let told = |value: &Value, keys: &[&str]| keys.iter().map(|key| value[key].to_string()).collect::<Vec<_>>();
    let of = |list_of: &'static str, keys: &'static [&str]| {
        let markers = list(&audited["markers"]).iter();
        markers.flat_map(move |marker| list(&marker[list_of])).map(move |one| told(one, keys).join(" "))
    };
    let items = of("items", &["field", "text", "verdict", "why"]);
    items.chain(of("findings", &["kind", "severity", "text", "why"])).collect()
}

#[test]
fn samples_hold_what_they_promise() {
    let mut wrong = Vec::new();
    for folder in samples() {
        let session = session(&folder);
        let before = fs::read(&session).unwrap();
        let name = session.file_name().unwrap().to_str().unwrap().to_owned();
        let shown = json(&["show", &name, "--format", "json"], &folder);
        let audited = json(&["audit", &name, "--format", "json"], &folder);
        assert_eq!(shown["skipped"], serde_json::json!([]), "{}", folder.display());
        let expected = fs::read_to_string(folder.join("expect.txt")).unwrap();
        let lines: Vec<&str> = expected.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
        for kind in ["claim ", "source ", "finding ", "needed "] {
            assert!(lines.iter().any(|line| line.starts_with(kind)), "{} expects no {kind}", folder.display());
        }
        wrong.extend(unexpected(&lines, &audited).into_iter().map(|told| format!("{}: {told}", folder.display())));
        let failures = lines.into_iter().filter_map(|line| Some((line, failed(line, &shown, &audited)?)));
        wrong.extend(failures.map(|(line, why)| format!("{}: {line}: {why}", folder.display())));
        assert!(fs::read(&session).unwrap() == before, "{} was changed by looking at it", session.display());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The record of one marker, as `show -m` prints it, is the one that `audit` lists.
#[test]
fn a_record_shown_alone_is_the_one_in_the_audit() {
    for folder in samples() {
        let name = session(&folder).file_name().unwrap().to_str().unwrap().to_owned();
        let audited = json(&["audit", &name, "--format", "json"], &folder);
        for marker in list(&audited["markers"]) {
            let no = marker["id"].as_str().unwrap();
            let shown = json(&["show", &name, "-m", no, "--format", "json"], &folder);
            assert_eq!(shown["schema"], "stet.record/1");
            let fields = ["narrative", "entities", "figures", "constraints", "decisions", "actionsTaken", "ruledOut"];
            let mut alone: Vec<(String, String)> = fields
                .iter()
                .chain(&["openQuestions"])
                .flat_map(|field| list(&shown["record"][field]))
                .map(|item| (item["id"].to_string(), item["text"].to_string()))
                .collect();
            let items = list(&marker["items"]).iter();
            let mut beside: Vec<(String, String)> =
                items.map(|item| (item["id"].to_string(), item["text"].to_string())).collect();
            alone.sort();
            beside.sort();
            assert!(!alone.is_empty(), "{} {no} holds nothing", folder.display());
            assert_eq!(alone, beside, "{} {no}", folder.display());
        }
    }
}

#[test]
fn a_database_is_what_its_source_gives() {
    let mut compared = 0;
    for folder in samples().iter().filter(|folder| folder.join("session.db").exists()) {
        let home = Home::new();
        let fresh = home.path().join("fresh.db");
        let source = folder.join("session.interchange.jsonl");
        let fresh = fresh.to_str().unwrap();
        let ran = home.run(&["import", source.to_str().unwrap(), "--db", fresh], folder, LIMIT);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let (stored, imported) = (printed(&["export", "session.db"], folder), printed(&["export", fresh], folder));
        assert!(
            stored == imported,
            "{}: the database and its source differ at {:?}; build it anew with `stet import`",
            folder.display(),
            stored.lines().zip(imported.lines()).find(|(a, b)| a != b)
        );
        says_all_of(&fs::read_to_string(&source).unwrap(), &stored, folder);
        compared += 1;
    }
    assert!(compared >= 2, "only {compared} databases");
}

/// Nothing that the source says is missing or different in what the database gives back.
fn says_all_of(source: &str, stored: &str, folder: &Path) {
    let values = |text: &str| -> Vec<Value> { text.lines().map(|line| serde_json::from_str(line).unwrap()).collect() };
    let (source, stored) = (values(source), values(stored));
    assert_eq!(source.len(), stored.len(), "{}: lines", folder.display());
    for (want, got) in source.iter().zip(&stored) {
        if let Some(difference) = missing(want, got) {
            panic!("{}: {difference}\nin the source: {want}\nin the database: {got}", folder.display());
        }
    }
}

/// What `want` says and `got` does not.
fn missing(want: &Value, got: &Value) -> Option<String> {
    match (want, got) {
        (Value::Object(want), Value::Object(_)) => want
            .iter()
            .filter(|(_, value)| !value.is_null())
            .find_map(|(key, value)| missing(value, &got[key]).map(|why| format!("{key}: {why}"))),
        (Value::Array(want), Value::Array(got)) if want.len() == got.len() => {
            want.iter().zip(got).find_map(|(want, got)| missing(want, got))
        }
        _ => (want != got).then(|| format!("{want} became {got}")),
    }
}

#[test]
fn every_sample_says_what_it_shows() {
    for folder in samples() {
        let readme = fs::read_to_string(folder.join("README.md")).unwrap();
        let name = folder.file_name().unwrap().to_str().unwrap();
        assert!(readme.contains(&format!("stet demo {name}")), "{} does not say how to open it", folder.display());
    }
}

#[test]
fn an_expectation_that_does_not_hold_is_noticed() {
    let shown = serde_json::json!({"session": {"turns": 2}, "markers": [
        {"id": "m1", "after_turn": 2, "tokens_before": 9, "tokens_after": null}],
        "turns": [{"turn": 1, "parts": [{"speaker": "user", "text": "Is it\nso?"}]}]});
    let audited = serde_json::json!({"markers": [{"id": "m1", "findings": [{"kind": "lost", "severity": "low",
        "field": "open", "text": "Is\nit?", "markers": ["m1", "m3"], "sources": [{"turn": 1}],
        "needed_again": [{"turn": 9, "what": "asked again"}], "acted_on": [{"turn": 7, "what": "wrote a.sql"}]}], "items": [{"field": "open", "text": "Is it so?",
        "sources": [{"turn": 1}, {"turn": 2}]}, {"field": "open", "text": "Or?", "sources": []}]}]});
    let cases = [
        ("turns 2", true),
        ("turns 3", false),
        ("compactions 1", true),
        ("compactions 2", false),
        ("marker m1 after_turn 2 tokens 9 -> ?", true),
        ("marker m1 after_turn 2 tokens 9 -> 4", false),
        ("marker m2 after_turn 2 tokens 9 -> ?", false),
        ("claim m1 open Is it so?", true),
        ("claim m1 decisions Is it so?", false),
        ("source m1 open Is it so? => turn 1", true),
        ("source m1 open Is it so? => turn 2", false),
        ("source m1 decisions Is it so? => turn 1", false),
        ("source m1 open Or? => turn 1", false),
        ("source m1 open Who? => turn 1", false),
        ("source m2 open Is it so? => turn 1", false),
        ("turn 1 user Is it…", true),
        ("turn 1 assistant Is it", false),
        ("turn 2 user Is it", false),
        ("finding m1 lost open Is it? => turn 1, also m3", true),
        ("finding m1 lost open Is it? => turn 1", false),
        ("finding m1 firmed open Is it? => turn 1, also m3", false),
        ("finding m2 lost open Is it? => turn 1, also m3", false),
        ("needed m1 Is it? => turn 9", true),
        ("needed m1 Is it? => turn 8", false),
        ("acted m1 Is it? => turn 7", true),
        ("acted m1 Is it? => turn 9", false),
        ("something else", false),
    ];
    for (line, holds) in cases {
        assert_eq!(failed(line, &shown, &audited).is_none(), holds, "{line}");
    }
    assert_eq!(unexpected(&["finding m1 lost open Is it? => turn 1, also m3"], &audited), [""; 0]);
    assert_eq!(unexpected(&[], &audited).len(), 1, "a loss that nobody expects is noticed, however small");
}
