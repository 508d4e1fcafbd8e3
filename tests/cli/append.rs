//! Parts from stdin, acknowledged once they are stored.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::home::{Home, part, text};

#[test]
fn each_part_is_acknowledged_in_order_and_repeated_ones_are_not_stored_twice() {
    let home = Home::new();
    let parts: Vec<_> = (0..2500).map(|no| part(&format!("p{no}"), &format!("t{no}"), "user", "hi")).collect();
    let lines = text(&parts);
    for _ in 0..2 {
        let ran = home.feed(["append", "--session", "live"], &lines);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let acks: Vec<String> = ran.out.lines().map(str::to_owned).collect();
        let wanted: Vec<String> = (0..2500).map(|no| format!("{{\"ack\":\"p{no}\"}}")).collect();
        assert_eq!(acks, wanted);
    }
    let shown = home.json(["show", "live", "--format", "json"]);
    assert_eq!((&shown["session"]["agent"], &shown["session"]["turns"]), (&"stet".into(), &2500.into()));
}

#[test]
fn a_compaction_is_acknowledged_by_its_id_or_its_line() {
    let home = Home::new();
    let told = r#"{"type":"compaction","id":"k1","trigger":"seam","summary":"so far"}"#;
    let lines = format!("{}{told}\n{}\n", text(&[part("p1", "t1", "user", "hi")]), told.replace(r#""id":"k1","#, ""));
    let ran = home.feed(["append", "--session", "live"], &lines);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (0, "{\"ack\":\"p1\"}\n{\"ack\":\"k1\"}\n{\"ack\":\"2\"}\n"),
        "{}",
        ran.err
    );
}

#[test]
fn a_part_is_acknowledged_while_stdin_is_still_open() {
    let home = Home::new();
    let mut child = home
        .command(["append", "--session", "live", "--agent", "builder"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut acks = BufReader::new(child.stdout.take().unwrap()).lines();
    for no in 0..3 {
        writeln!(stdin, "{}", part(&format!("p{no}"), "t1", "assistant", "word")).unwrap();
        assert_eq!(acks.next().unwrap().unwrap(), format!("{{\"ack\":\"p{no}\"}}"));
        // It is readable at once, by whoever looks.
        let shown = home.json(["show", "live", "--format", "json"]);
        assert_eq!(shown["turns"][0]["parts"].as_array().unwrap().len(), no + 1);
        assert_eq!(shown["session"]["agent"], "builder");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn what_went_is_acknowledged_again_by_its_hash_whatever_it_was() {
    let home = Home::new();
    let beside = [
        r#"{"type":"compaction","id":"m","summary":"boats are wanted"}"#,
        r#"{"type":"line","id":"n","kind":"noise","what":"status","text":"idle"}"#,
        r#"{"type":"line","id":"s","kind":"summary","text":"boats"}"#,
    ];
    let more: Vec<_> = (1..100).map(|no| part(&format!("p{no}"), &format!("t{no}"), "user", "boats")).collect();
    let lines = format!("{}{}\n{}", text(&[part("p0", "t0", "user", "boats")]), beside.join("\n"), text(&more));
    let append = |lines: &str| home.feed(["append", "--session", "r", "--retention"], lines);
    let (first, again) = (append(&lines), append(&lines));
    assert_eq!((first.code, first.out.lines().count()), (0, 103), "{}", first.err);
    assert!(first.err.contains("of what went stays") || !home.run(["show", "r"]).out.contains("boats are wanted"));
    assert_eq!((again.code, again.out), (0, first.out), "{}", again.err);
    let other = append(&lines.replace("are wanted", "are sunk"));
    assert!(other.code == 2 && other.err.contains("stored already with other bytes"), "{}", other.err);
}

#[test]
fn two_sessions_of_one_id_are_told_apart_by_their_agents() {
    let home = Home::new();
    for agent in ["stet", "other"] {
        let said = text(&[part("p1", "t1", "user", &format!("by {agent}"))]);
        assert_eq!(home.feed(["append", "--session", "s", "--agent", agent], &said).code, 0);
    }
    let told = home.run(["show", "s"]);
    assert_eq!(told.code, 2, "{}", told.out);
    let named = told.err.split_once("(name one: ").unwrap().1.trim_end().trim_end_matches(')');
    let shown: Vec<String> = named.split(", ").map(|name| home.run(["show", name]).out).collect();
    assert!(shown.len() == 2 && shown[0] != shown[1] && shown.iter().all(|one| one.contains("by ")), "{}", told.err);
    for agent in ["", "a\u{7}b", "a:b", "a#b"] {
        let refused = home.feed(["append", "--session", "s", "--agent", agent], "");
        assert!(refused.code == 2 && refused.err.contains("of the agent"), "{agent:?}: {}", refused.err);
    }
}

#[test]
fn a_file_that_may_grow_no_further_is_an_error_like_any_other() {
    let home = Home::new();
    let parts: Vec<_> = (0..200).map(|no| part(&format!("p{no}"), "t1", "user", &"word ".repeat(100))).collect();
    home.file("parts.jsonl", text(&parts));
    let script = format!("ulimit -f 40; exec {} append --session s < parts.jsonl", env!("CARGO_BIN_EXE_stet"));
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &script]).current_dir(home.path()).env_clear().envs(home.environment());
    let ended = shell.output().unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.code() == Some(2) && told.starts_with("stet: "), "{:?} {told}", ended.status);
}

#[test]
fn where_nobody_reads_what_is_acknowledged_the_lines_behind_it_are_refused_aloud() {
    let home = Home::new();
    let mut child = home
        .command(["append", "--session", "live"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let sent = (0..10_000).find(|no| {
        std::thread::sleep(std::time::Duration::from_millis(5));
        writeln!(stdin, "{}", part(&format!("p{no}"), "t1", "user", "word")).is_err()
    });
    drop(stdin);
    let ended = child.wait_with_output().unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(2), "{sent:?} lines were sent: {told}");
    assert!(told.starts_with("stet: cannot acknowledge what is stored"), "{told}");
}

#[test]
fn other_bytes_under_an_id_are_refused_and_what_came_before_stays() {
    let home = Home::new();
    let lines = [part("p1", "t1", "user", "one"), part("p2", "t2", "user", "two"), part("p1", "t1", "user", "other")];
    let input = text(&lines);
    let ran = home.feed(["append", "--session", "live"], &input);
    assert_eq!(ran.code, 2);
    assert_eq!(ran.out, "{\"ack\":\"p1\"}\n{\"ack\":\"p2\"}\n");
    assert!(ran.err.starts_with("stet: cannot append line 3: ") && ran.err.contains("p1"), "{}", ran.err);
    let shown = home.json(["show", "live", "--format", "json"]);
    assert_eq!(shown["turns"][0]["parts"][0]["text"], "one");
}

#[test]
fn a_line_that_is_no_part_is_named() {
    let home = Home::new();
    for (line, why) in [("nonsense", "line 2"), ("{\"type\":\"part\"}", "line 2"), ("[]", "line 2")] {
        let ran = home.feed(["append", "--session", "live"], &format!("\n{line}\n"));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        assert!(ran.err.contains(why), "{}", ran.err);
    }
}

#[test]
fn what_binds_in_a_persons_words_is_in_the_ledger_once_it_is_acknowledged() {
    let home = Home::new();
    let lines = text(&[
        part("p1", "t1", "user", "Never touch the billing tables. Should orders.status become an enum?"),
        part("p2", "t2", "assistant", "You must restart it."),
        part("p3", "t3", "user", "Let's go with the queue."),
    ]);
    for _ in 0..2 {
        assert_eq!(home.feed(["append", "--session", "live"], &lines).code, 0);
        let list = home.json(["ledger", "list", "live", "--format", "json"]);
        let told: Vec<String> = list["entries"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| {
                let word = |key: &str| entry[key].as_str().unwrap().to_owned();
                format!(
                    "{} {} {} {} t{}",
                    word("status"),
                    word("kind"),
                    word("text"),
                    word("via"),
                    entry["source"]["turn"]
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                "active constraint Never touch the billing tables. arrival t1",
                "active open Should orders.status become an enum? arrival t1",
                "proposed decision Let's go with the queue. arrival t3",
            ]
        );
    }
}

#[test]
fn what_is_kept_of_a_session_is_chosen_when_it_is_made() {
    let home = Home::new();
    let line = text(&[part("p1", "t1", "user", "Never touch the billing tables.")]);
    let append = |session: &str, more: &[&str]| {
        let ran = home.feed([&["append", "--session", session], more].concat(), &line);
        (ran.code, ran.err)
    };
    assert_eq!(append("kept", &[]), (0, String::new()));
    let (code, err) = append("kept", &["--retention"]);
    assert!(code == 2 && err.contains("stet:kept keeps its originals"), "{err}");
    let drop = ["--retention", "--quotes", "drop"];
    assert_eq!(append("dropped", &drop), (0, String::new()));
    // Without the word once more it is the same session, and no sentence is entered.
    assert_eq!(append("dropped", &[]), (0, String::new()));
    let list = home.json(["ledger", "list", "dropped", "--format", "json"]);
    assert_eq!(list["entries"].as_array().unwrap().len(), 0);
    let (code, err) = append("dropped", &["--retention"]);
    assert!(code == 2 && err.contains("was made with --quotes drop, and that never changes"), "{err}");
    let (code, err) = append("other", &["--quotes", "drop"]);
    assert!(code == 2 && err.contains("--retention"), "{err}");
}

/// Every byte of the database and of what lies beside it.
fn database(home: &Home) -> Vec<u8> {
    let files = std::fs::read_dir(home.path().join("data/stet")).unwrap();
    files.flat_map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect()
}

#[test]
fn in_retention_mode_what_a_block_closed_over_is_in_no_file_any_more() {
    let home = Home::new();
    let words = |no: usize| format!("ask about depot quux{no:03}x");
    let who = |no: usize| if no.is_multiple_of(2) { "user" } else { "assistant" };
    let parts: Vec<_> = (0..130).map(|no| part(&format!("p{no}"), &format!("t{no}"), who(no), &words(no))).collect();
    // In two runs: the second begins where texts are gone.
    for half in [&parts[..70], &parts[70..]] {
        let ran = home.feed(["append", "--session", "quiet", "--retention", "--quotes", "drop"], &text(half));
        assert_eq!((ran.code, ran.err.lines().count()), (0, 1), "{}", ran.err);
    }
    let blocks = home.json(["compile", "quiet", "--format", "json"]);
    let blocks = blocks["blocks"].as_array().unwrap();
    assert!(blocks.len() >= 2, "{blocks:?}");
    let closed = blocks.last().unwrap()["to"].as_u64().unwrap() as usize;
    let bytes = database(&home);
    // A name in it may stand in the record, which is what is kept.
    let holds = |no: usize| memchr::memmem::find(&bytes, words(no).as_bytes()).is_some();
    let there: Vec<usize> = (0..130).filter(|no| holds(*no)).collect();
    assert_eq!(there, (closed..130).collect::<Vec<_>>(), "only the open block's turns are there");
}

#[test]
fn what_an_acknowledged_part_closed_is_gone_however_the_program_ends() {
    let home = Home::new();
    let words = |no: usize| format!("ask about depot quux{no:03}x");
    let append = ["append", "--session", "quiet", "--retention", "--quotes", "drop"];
    for run in [0..65, 65..130] {
        let mut child = home.command(append).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut acks = BufReader::new(child.stdout.take().unwrap()).lines();
        for no in run.clone() {
            writeln!(stdin, "{}", part(&format!("p{no}"), &format!("t{no}"), "user", &words(no))).unwrap();
            assert_eq!(acks.next().unwrap().unwrap(), format!("{{\"ack\":\"p{no}\"}}"));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let bytes = database(&home);
        let there = (0..130).filter(|no| memchr::memmem::find(&bytes, words(*no).as_bytes()).is_some());
        let there: Vec<usize> = there.collect();
        // A block is no longer than 60 turns, and the last turn may still grow.
        assert!(there.len() <= 61, "{there:?}");
        assert_eq!(there, (there[0]..run.end).collect::<Vec<_>>());
    }
    assert_eq!(home.run(["ledger", "verify", "quiet"]).code, 0);
}

#[test]
fn an_id_that_no_command_could_name_is_refused_and_any_other_is_found() {
    let home = Home::new();
    let line = text(&[part("p1", "t1", "user", "Hello.")]);
    for id in ["a/b", "a#b", "./a", ".a", "", "a\nb", "a\u{1b}[2J"] {
        let ran = home.feed(["append", "--session", id], &line);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{id:?}");
        assert!(ran.err.contains("no other command could name it"), "{}", ran.err);
    }
    for id in ["night-shift", "run.2026-03", "shop:7", "über morgen"] {
        assert_eq!(home.feed(["append", "--session", id], &line).code, 0, "{id}");
        assert_eq!(home.run(["show", id]).code, 0, "{id}");
    }
}

#[test]
fn what_stays_of_texts_that_went_is_counted_and_listed_where_that_is_asked() {
    let home = Home::new();
    let parts: Vec<_> =
        (0..70).map(|no| part(&format!("p{no}"), &format!("t{no}"), "user", "Never ship on Fridays.")).collect();
    let append = |session: &str, more: &[&str]| {
        home.feed([&["append", "--session", session, "--retention"], more].concat(), &text(&parts)).err
    };
    let (counted, listed) = (append("one", &[]), append("two", &["--kept"]));
    assert_eq!(counted.lines().count(), 1, "{counted}");
    assert!(counted.starts_with("note: of what went stays: ") && !counted.contains("Fridays"), "{counted}");
    assert!(listed.contains("  1 sentence:\n    block:1  Never ship on Fridays.\n"), "{listed}");
}

#[test]
fn names_and_figures_that_stay_without_any_sentence_are_counted_and_listed_by_kind() {
    let home = Home::new();
    let parts: Vec<_> = (0..70)
        .map(|no| {
            part(&format!("p{no}"), &format!("t{no}"), "user", &format!("Ask about /srv/o{no:03}.sql: 12 EUR at most."))
        })
        .collect();
    let append = |session: &str, more: &[&str]| {
        let retention = ["append", "--session", session, "--retention", "--quotes", "drop"];
        home.feed([&retention, more].concat(), &text(&parts)).err
    };
    let (counted, listed) = (append("one", &[]), append("two", &["--kept"]));
    assert_eq!(counted.lines().count(), 1, "{counted}");
    assert!(counted.starts_with("note: of what went stays: ") && counted.contains(" names"), "{counted}");
    let lines: Vec<&str> = listed.lines().collect();
    let names = lines.iter().position(|line| line.ends_with(" names:")).expect("names are listed");
    assert!(lines[names + 1].starts_with("    block:1  /srv/o0"), "{listed}");
    assert!(lines.iter().any(|line| line.ends_with(" figures:") || line.ends_with(" figure:")), "{listed}");
    assert!(lines.contains(&"    block:1  12 · EUR"), "a figure stays without its label: {listed}");
    assert!(!listed.contains("Ask about") && !listed.contains("at most"), "{listed}");
}
