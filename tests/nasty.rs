//! Damaged, hostile and odd stores: nothing panics, hangs, is lost in silence, acts on the terminal, or is changed.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

#[path = "support/command.rs"]
mod command;
#[path = "support/nasty/mod.rs"]
mod nasty;
#[path = "support/random.rs"]
mod random;

use command::{Home, Ran};
use nasty::{Act, Case, Corpus};

/// No case may take longer than this.
const LIMIT: Duration = Duration::from_secs(5);

fn check(write: impl FnOnce(&mut Corpus)) {
    let out = tempfile::tempdir().unwrap();
    let mut corpus = Corpus::new(out.path());
    write(&mut corpus);
    assert!(!corpus.cases.is_empty());
    let wrong: Vec<String> = corpus
        .cases
        .iter()
        .flat_map(|case| problems(case).into_iter().map(move |problem| format!("{}: {problem}", case.name)))
        .collect();
    // What is closed to everybody could not be removed.
    assert!(wrong.is_empty(), "{} problems in {} cases:\n{}", wrong.len(), corpus.cases.len(), wrong.join("\n"));
}

fn problems(case: &Case) -> Vec<String> {
    let home = Home::new();
    let mut before = snapshot(case.folder());
    let run = |format: &str| {
        let file = OsString::from(case.path.file_name().unwrap());
        let args: Vec<OsString> = ["show", "--format", format, "--"].into_iter().map(OsString::from).collect();
        home.run(&[args, vec![file]].concat(), case.folder(), LIMIT)
    };
    let (json, text) = (run("json"), run("text"));
    let mut wrong = Vec::new();
    for (format, ran) in [("json", &json), ("text", &text)] {
        wrong.extend(ends_well(ran).map(|problem| format!("{format}: {problem}")));
        wrong.extend(acts_on_a_terminal(&ran.err).map(|c| format!("{format}: the error holds {c}")));
    }
    wrong.extend(acts_on_a_terminal(&text.out).map(|c| format!("the text holds {c}")));
    wrong.extend(acts_on_a_terminal(&json.out).filter(|c| c.len() < 5).map(|c| format!("the JSON holds {c}")));
    if wrong.is_empty() {
        wrong.extend(outcome(case, &json));
    }
    if json.code != text.code {
        wrong.push(format!("json ends with {:?}, text with {:?}: {}", json.code, text.code, text.err.trim()));
    }
    if wrong.is_empty() {
        wrong.extend(audited(case, &home, &json));
        wrong.extend(taken(case, &home, &json));
    }
    let mut after = snapshot(case.folder());
    if case.is_ours {
        // Our own database may settle what lies beside it; the file itself stays as it is.
        before.retain(|entry| entry.contains("session.db F"));
        after.retain(|entry| entry.contains("session.db F"));
    }
    if before != after {
        wrong.push(format!("the folder was changed: {before:?} became {after:?}"));
    }
    wrong
}

/// An audit ends as showing does, and skips what that skips.
fn audited(case: &Case, home: &Home, shown: &Ran) -> Vec<String> {
    let file = case.path.file_name().unwrap().to_owned();
    let args: Vec<OsString> = ["audit", "--format", "json", "--"].into_iter().map(OsString::from).collect();
    let ran = home.run(&[args, vec![file]].concat(), case.folder(), LIMIT);
    let mut wrong: Vec<String> = ends_well(&ran).into_iter().collect();
    wrong.extend(acts_on_a_terminal(&ran.err).map(|c| format!("the error holds {c}")));
    // An audit does not read every page of a database.
    if ran.code != shown.code && !case.is_ours {
        wrong.push(format!("show ends with {:?}, audit with {:?}: {}", shown.code, ran.code, ran.err.trim()));
    }
    if wrong.is_empty() && (ran.code, shown.code) == (Some(0), Some(0)) {
        match (serde_json::from_str::<Value>(&ran.out), serde_json::from_str::<Value>(&shown.out)) {
            (Ok(audit), Ok(show)) if audit["skipped"] == show["skipped"] => {}
            (Ok(audit), Ok(show)) => wrong.push(format!("skips {}, show {}", audit["skipped"], show["skipped"])),
            (audit, _) => wrong.extend(audit.err().map(|err| format!("the JSON cannot be read: {err}"))),
        }
    }
    wrong.into_iter().map(|problem| format!("audit: {problem}")).collect()
}

/// What is taken into a database ends as showing does, and the database shows the same texts.
fn taken(case: &Case, home: &Home, shown: &Ran) -> Vec<String> {
    let database = home.path().join("taken.db");
    let args = [OsString::from("import"), "--db".into(), database.clone().into(), "--".into()];
    let file = case.path.file_name().unwrap().to_owned();
    let ran = home.run(&[&args[..], &[file]].concat(), case.folder(), LIMIT);
    let mut wrong: Vec<String> = ends_well(&ran).into_iter().collect();
    wrong.extend(acts_on_a_terminal(&ran.err).map(|c| format!("the error holds {c}")));
    // Showing goes on without a sub-agent's file that cannot be read; what is taken is taken whole or not at all.
    let names_agent = ran.code == Some(2) && ran.err.contains("/subagents/agent-");
    if ran.code != shown.code && !names_agent {
        wrong.push(format!("show ends with {:?}, import with {:?}: {}", shown.code, ran.code, ran.err.trim()));
    }
    if wrong.is_empty() && ran.code == Some(0) {
        let args = [OsString::from("show"), "--format".into(), "json".into(), database.into()];
        let stored = home.run(&args, case.folder(), LIMIT);
        wrong.extend(ends_well(&stored).map(|problem| format!("then show: {problem}")));
        let texts = |ran: &Ran| {
            let document: Value = serde_json::from_str(&ran.out).unwrap_or_default();
            good_texts(&document["turns"], case.code())
        };
        if texts(&stored) != texts(shown) {
            wrong.push(format!("the database shows {:?}, the file {:?}", texts(&stored), texts(shown)));
        }
    }
    wrong.into_iter().map(|problem| format!("import: {problem}")).collect()
}

fn ends_well(ran: &Ran) -> Option<String> {
    if ran.late {
        return Some(format!("took longer than {LIMIT:?}"));
    }
    if ran.err.contains("panicked") || !matches!(ran.code, Some(0 | 2)) {
        return Some(format!("ended with {:?}: {}", ran.code, ran.err.trim()));
    }
    if ran.code == Some(2) && (ran.err.trim().lines().count() != 1 || !ran.err.starts_with("stet: ")) {
        return Some(format!("the refusal is not one line from stet: {:?}", ran.err));
    }
    None
}

/// Characters that move a terminal or deceive an eye, as `U+XXXX`; a JSON document may hold those over U+009F.
fn acts_on_a_terminal(text: &str) -> impl Iterator<Item = String> {
    let acts = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')
            || matches!(c, '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
    };
    let found: BTreeSet<char> = text.chars().filter(|c| acts(*c)).collect();
    found.into_iter().map(|c| if c.is_control() { format!("{:02x}", c as u32) } else { format!("U+{:04X}", c as u32) })
}

fn outcome(case: &Case, ran: &Ran) -> Vec<String> {
    let refused = ran.code == Some(2);
    let mut wrong = Vec::new();
    if refused {
        let name = case.path.file_stem().unwrap().to_string_lossy().into_owned();
        if name.is_ascii() && !name.contains(char::is_control) && !ran.err.contains(&name) {
            wrong.push(format!("the refusal does not name the file: {}", ran.err.trim()));
        }
        if !ran.err.contains(case.says) {
            wrong.push(format!("the refusal does not say {}: {}", case.says, ran.err.trim()));
        }
        let may = match case.act {
            Act::Refuses | Act::Answers => true,
            // Nothing in it could be read.
            Act::Skips => case.good == 0,
            Act::Opens | Act::Waits => false,
        };
        if !may {
            wrong.push(format!("refused: {}", ran.err.trim()));
        }
        return wrong;
    }
    if case.act == Act::Refuses {
        return vec!["was not refused".into()];
    }
    let document: Value = match serde_json::from_str(&ran.out) {
        Ok(document) => document,
        Err(err) => return vec![format!("the JSON cannot be read: {err}")],
    };
    let found = good_texts(&document["turns"], case.code());
    let skipped: Vec<u64> = document["skipped"]
        .as_array()
        .map(|list| list.iter().filter_map(|skip| skip["line"].as_u64()).collect())
        .unwrap_or_default();
    let count = document["skipped"].as_array().map_or(0, Vec::len);
    if document["schema"] != "stet.transcript/1" {
        wrong.push(format!("the schema is {}", document["schema"]));
    }
    if found.len() < case.good && (case.act != Act::Answers || count == 0) {
        wrong.push(format!("{} of {} texts are reachable, {count} skips", found.len(), case.good));
    }
    match case.act {
        Act::Opens | Act::Waits if count > 0 => wrong.push(format!("skipped: {}", document["skipped"])),
        Act::Skips => {
            let bad = case.bad.unwrap_or_default();
            let mended = found.len().saturating_sub(case.good);
            if mended + count < bad {
                wrong.push(format!("{count} skipped, {mended} mended, of {bad} bad lines: {}", document["skipped"]));
            }
            if mended == 0 {
                let missing: Vec<&u64> = case.lines.iter().filter(|line| !skipped.contains(line)).collect();
                if !missing.is_empty() {
                    wrong.push(format!("lines {missing:?} are not told: {}", document["skipped"]));
                }
            }
        }
        Act::Opens | Act::Waits | Act::Refuses | Act::Answers => {}
    }
    if matches!(case.name, "j36-odd-times" | "j40-csi" | "j63-names-that-are-paths") && !found.is_sorted() {
        wrong.push(format!("not in file order: {found:?}"));
    }
    wrong
}

/// The numbers of the different `GOOD-<code>-<n>` in the texts of turns, in the order in which they stand.
fn good_texts(turns: &Value, code: &str) -> Vec<u64> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut add = |text: &str| {
        let mark = format!("GOOD-{code}-");
        for (at, _) in text.match_indices(&mark) {
            let digits: String = text[at + mark.len()..].chars().take_while(char::is_ascii_digit).collect();
            let Ok(n) = digits.parse() else { continue };
            if seen.insert(n) {
                found.push(n);
            }
        }
    };
    walk(turns, &mut add);
    found
}

fn walk(value: &Value, add: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => add(text),
        Value::Array(list) => list.iter().for_each(|value| walk(value, add)),
        Value::Object(map) => map.values().for_each(|value| walk(value, add)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Everything in a folder: name, kind, time of change, bytes. Links are not followed, pipes not read.
fn snapshot(folder: &Path) -> Vec<String> {
    let mut entries = Vec::new();
    list(folder, 0, &mut entries);
    entries.sort();
    entries
}

fn list(folder: &Path, depth: usize, entries: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, meta) = (entry.path(), entry.metadata().unwrap());
        let bytes = if meta.is_file() { fs::read(&path).unwrap_or_default() } else { Vec::new() };
        let sum = bytes.iter().fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)));
        entries.push(format!("{} {:?} {:?} {sum:x}", path.display(), meta.file_type(), meta.modified().unwrap()));
        if meta.is_dir() && depth < 300 {
            list(&path, depth + 1, entries);
        }
    }
}

#[test]
fn nasty_sessions_are_read_or_refused() {
    check(nasty::sessions);
}

#[test]
fn databases_of_other_programs_are_refused_untouched() {
    check(nasty::foreign);
}

#[test]
fn damaged_databases_of_ours_are_read_or_refused() {
    let home = Home::new();
    let source = home.path().join("own.jsonl");
    let count = 300;
    let lines: Vec<String> = (1..=count)
        .map(|n| {
            format!(
                "{{\"type\":\"user\",\"uuid\":\"u{n}\",\"sessionId\":\"own\",\"message\":\
                 {{\"role\":\"user\",\"content\":\"GOOD-own-{n} {}\"}}}}\n",
                "words ".repeat(60)
            )
        })
        .collect();
    fs::write(&source, lines.concat()).unwrap();
    let database = home.path().join("own.db");
    let args = [OsString::from("import"), source.into(), "--db".into(), database.clone().into()];
    let ran = home.run(&args, home.path(), LIMIT);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    check(|corpus| nasty::mangled(corpus, &database, count));
}

#[test]
fn odd_paths_are_read_or_refused() {
    check(nasty::odd_paths);
}

#[test]
fn sub_agents_files_are_read_or_told() {
    check(nasty::sides);
}

#[test]
fn a_list_of_nasty_sessions_is_made_and_tells_what_it_leaves_out() {
    let out = tempfile::tempdir().unwrap();
    let mut corpus = Corpus::new(out.path());
    nasty::sessions(&mut corpus);
    let home = Home::new();
    let project = home.path().join(".claude/projects/-nasty");
    fs::create_dir_all(&project).unwrap();
    for case in &corpus.cases {
        fs::copy(&case.path, project.join(format!("{}.jsonl", case.name))).unwrap();
    }
    let before = snapshot(&project);
    for format in ["text", "json"] {
        let ran = home.run(&["ls", "--format", format], home.path(), LIMIT * 2);
        assert!(!ran.late && ran.code == Some(0), "{:?} {}", ran.code, ran.err);
        assert!(ran.err.lines().all(|line| line.starts_with("note: ")), "{}", ran.err);
        let acts: Vec<String> = acts_on_a_terminal(&ran.out).chain(acts_on_a_terminal(&ran.err)).collect();
        assert!(acts.is_empty() || format == "json" && acts.iter().all(|c| c.len() > 4), "{acts:?}");
        // The list for people names sessions by their ids.
        let is_told = |case: &&Case| ran.out.contains(case.name) || ran.err.contains(case.name);
        let missing: Vec<&str> = corpus.cases.iter().filter(|case| !is_told(case)).map(|case| case.name).collect();
        assert!(format == "text" || missing.is_empty(), "{missing:?} are neither listed nor told: {}", ran.err);
    }
    assert_eq!(snapshot(&project), before);
}

#[test]
fn a_folder_that_holds_itself_is_walked_once() {
    let out = tempfile::tempdir().unwrap();
    let mut corpus = Corpus::new(out.path());
    nasty::odd_paths(&mut corpus);
    let folder = out.path().join("x12-folder-in-itself");
    let home = Home::new();
    let ran = home.run(&["audit", "--format", "json", "."], &folder, LIMIT);
    assert!(ends_well(&ran).is_none(), "{:?}", ends_well(&ran));
    assert_eq!(ran.out.lines().count(), 1, "{}", ran.out);
}
