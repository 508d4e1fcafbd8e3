//! How the program is called, and how it ends.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;

use crate::golden::golden;
use crate::home::{CLAUDE_ID, Claude, Home, orders};

#[test]
fn help_teaches_and_mistakes_say_what_to_do() {
    let home = Home::new();
    golden("help", &home.told(&["--help"]));
    let told: Vec<String> = [
        &["show", "gone.jsonl"][..],
        &["show", "nobody"],
        &["show", "orders.jsonl", "-m", "9"],
        &["show", "orders.jsonl", "-m", "zero"],
        &["ledger", "withdraw", "orders.jsonl", "L1"],
        &["ledger", "correct", "orders.jsonl", "r1", "--as", "pinned"],
        &["ledger", "correct", "orders.jsonl", "m1.z9", "--as", "pinned"],
        &["ledger", "correct", "orders.jsonl", "m1.d1", "--as", "reworded"],
        &["schema", "nothing"],
        &["demo", "nothing"],
        &["show", "."],
        &["compile", "orders.jsonl", "--target", "9", "--cap", "4"],
        &["compile", "orders.jsonl", "--target", "0"],
        &["window", "orders.jsonl", "--budget", "-1"],
        &["window", "orders.jsonl", "--budget", "32,00"],
        &["cost"],
        &["cost", "orders.jsonl", "--price", "-1"],
    ]
    .iter()
    .map(|args| {
        home.file("orders.jsonl", orders().text());
        home.told(args)
    })
    .collect();
    golden("usage", &told.join("\n"));
}

#[test]
fn a_path_may_begin_with_a_dash_and_hold_any_bytes() {
    let home = Home::new();
    home.file("-x11", orders().text());
    assert_eq!(home.run(["show", "--", "-x11"]).code, 0);
    assert_eq!(home.run(["--", "-x11"]).code, 0);
    let name = OsStr::from_bytes(b"caf\xe9.jsonl");
    home.file(name, orders().text());
    let audited = home.run([OsStr::new("audit"), name, OsStr::new("--format"), OsStr::new("json")]);
    assert_eq!(audited.code, 0, "{}", audited.err);
    assert!(audited.out.contains("caf\u{fffd}.jsonl"));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let home = Home::new();
    let long = (0..400).fold(Claude::default(), |session, no| session.user(&format!("{no} {}", "word ".repeat(200))));
    home.file("long.jsonl", long.text());
    for format in ["text", "json", "md"] {
        let mut child = home
            .command(["show", "long.jsonl", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let ended = child.wait_with_output().unwrap();
        assert_eq!((ended.status.code(), ended.stderr.as_slice()), (Some(0), &b""[..]), "{format}");
    }
}

#[test]
fn a_file_that_holds_several_sessions_is_no_single_session() {
    let home = Home::new();
    for (id, text) in [("one", "a"), ("two", "b")] {
        let line = crate::home::part("p1", "t1", "user", text);
        assert_eq!(home.feed(["append", "--session", id, "--db", "both.db"], &format!("{line}\n")).code, 0);
    }
    let ran = home.run(["show", "both.db"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("both.db#one") && ran.err.contains("both.db#two"), "{}", ran.err);
    let audited = home.run(["audit", "both.db", "--format", "json"]);
    assert_eq!((audited.code, audited.out.lines().count()), (0, 2));
}

#[test]
fn with_nothing_named_a_person_is_asked_and_a_pipe_gets_the_list() {
    let home = Home::new();
    let project = format!("home/.claude/projects/shop/{CLAUDE_ID}.jsonl");
    home.file(project, orders().text());
    assert_eq!(home.run::<&str>([]).out, home.run(["ls"]).out);
    let (code, sent) = home.at_a_terminal(&[], "\n");
    assert_eq!(code, 0, "{sent}");
    assert!(sent.contains("Should orders.status become") && sent.contains("open which? 1–1"), "{sent}");
    let (code, sent) = home.at_a_terminal(&[], "7\n");
    assert_eq!(code, 2, "{sent}");
    assert!(sent.contains("stet: cannot open 7"), "{sent}");
}

#[test]
fn completions_name_the_commands() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish"] {
        let ran = home.run(["completions", shell]);
        assert_eq!(ran.code, 0);
        assert!(ran.out.contains("ledger"), "{shell}");
    }
}

#[test]
fn doctor_says_where_things_are() {
    let home = Home::new();
    let told = home.json(["doctor", "--format", "json"]);
    assert_eq!(told["schema"], "stet.doctor/1");
    assert_eq!(told["database"]["exists"], false);
    assert!(told["database"]["path"].as_str().unwrap().ends_with("data/stet/stet.db"));
    assert!(told["stores"].as_array().unwrap().iter().any(|store| store["agent"] == "claude-code"));
    assert!(!home.path().join("data").exists(), "looking made something");
}

#[test]
fn a_damaged_database_is_told_with_what_to_do_and_is_no_empty_one() {
    let home = Home::new();
    home.file("orders.jsonl", crate::home::orders().text());
    home.run(["import", "orders.jsonl", "--db", "s.db"]);
    assert_eq!(home.run(["doctor", "--db", "s.db"]).code, 0);
    let bytes = std::fs::read(home.path().join("s.db")).unwrap();
    home.file("s.db", &bytes[..20_000]);
    let want = format!("s.db is cut: 20000 of its {} bytes are there (keep the file as it is; where", bytes.len());
    let (told, checked) = (home.run(["doctor", "--db", "s.db"]), home.run(["ledger", "verify", "s.db"]));
    assert!(told.code == 1 && told.out.contains(&want) && !told.out.contains("no sessions"), "{}", told.out);
    assert!(
        checked.code == 2 && checked.err.contains(&want) && !checked.err.contains("verify says"),
        "{}",
        checked.err
    );
    // A page in the middle is gone: what SQLite says of it is told before what cannot be read for it.
    let mut holed = bytes;
    holed[4096 * 2..4096 * 40].fill(0);
    home.file("s.db", &holed);
    let told = home.run(["doctor", "--db", "s.db", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!((told.code, &document["database"]["sessions"]), (1, &serde_json::Value::Null), "{}", told.out);
    assert!(document["database"]["problems"].to_string().contains("keep the file as it is"), "{}", told.out);
}

#[test]
fn doctor_tells_what_it_can_where_no_home_is_known() {
    let home = Home::new();
    let mut command = home.command(["doctor"]);
    command.env("HOME", "").env("XDG_DATA_HOME", "").env("CLAUDE_CONFIG_DIR", home.path());
    let ran = command.output().unwrap();
    let told = String::from_utf8(ran.stdout).unwrap();
    assert_eq!((ran.status.code(), ran.stderr.as_slice()), (Some(0), &b""[..]), "{told}");
    for row in [
        "database     not known",
        "settings     ",
        "claude-code  ",
        "terminal     TERM xterm-256color",
        "!!           cannot tell where XDG_DATA_HOME is: ",
    ] {
        assert!(told.lines().any(|line| line.starts_with(row)), "{row}: {told}");
    }
    home.file("config/stet/config.toml", "[ledger");
    let ran = home.run(["doctor"]);
    assert!(ran.code == 0 && ran.out.contains("!!           cannot understand the settings"), "{}", ran.out);
}

#[test]
fn doctor_says_which_summariser_is_configured_and_never_its_key() {
    let home = Home::new();
    let told = |config: &str| {
        home.file("config/stet/config.toml", format!("[summariser]\n{config}\n"));
        let ran = home.run(["doctor"]);
        let line = ran.out.lines().find(|line| line.starts_with("summariser")).unwrap_or_default().to_owned();
        (line, ran.out)
    };
    for (config, want) in [
        ("", "extractive (sentences of the originals, no model)"),
        ("kind = \"command\"\ncommand = [\"llm\", \"--key\", \"k-123\"]", "command llm"),
        (
            "kind = \"http\"\nmodel = \"small\"\nprotocol = \"anthropic\"",
            "http api.anthropic.com, small, protocol anthropic, key from the variable ANTHROPIC_API_KEY",
        ),
        ("kind = \"http\"", "!! cannot use the summariser http: "),
    ] {
        let (line, out) = told(config);
        assert!(line.starts_with(&format!("summariser   {want}")) && !out.contains("k-123"), "{config}: {out}");
    }
    let (_, out) = told("key = \"k-123\"");
    assert!(out.contains("key_env") && !out.contains("k-123"), "{out}");
    let (_, out) = told("kin = \"http\"");
    assert!(out.contains("line 2: unknown field `kin`, expected one of `kind`"), "{out}");
}

#[test]
fn a_section_or_key_of_the_settings_that_is_not_known_is_refused_with_those_that_are() {
    let home = Home::new();
    for (config, want) in [
        (
            "[summarizer]\nkind = \"http\"",
            "line 1: unknown field `summarizer`, expected one of `ledger`, `keys`, `ui`, `summariser`",
        ),
        ("[ledger]\ncli_may_pinn = true", "line 2: unknown field `cli_may_pinn`, expected `cli_may_pin` or `author`"),
        ("[ui]\ntheem = \"x\"", "line 2: unknown field `theem`, expected `theme` or `ascii`"),
        ("[summariser]\napi-key = \"k-123\"", "line 2: unknown field `api-key`"),
    ] {
        home.file("config/stet/config.toml", config);
        let ran = home.run(["ls"]);
        assert!(ran.code == 2 && ran.err.contains(want) && !ran.err.contains("k-123"), "{config}: {}", ran.err);
        let told = home.run(["doctor"]);
        assert!(told.code == 0 && told.out.contains(want), "{config}: {}", told.out);
    }
}

#[test]
fn every_schema_is_json_with_a_title() {
    let home = Home::new();
    let names = home.run(["schema"]).out;
    assert!(names.lines().count() >= 6, "{names}");
    for name in names.lines() {
        let schema: serde_json::Value = serde_json::from_str(&home.run(["schema", name]).out).unwrap();
        assert!(schema["title"].is_string(), "{name}");
    }
}

#[test]
fn a_sample_is_copied_once_and_made_anew_when_asked() {
    let home = Home::new();
    let first = home.run(["demo", "retry-ceiling"]);
    assert_eq!(first.code, 0, "{}", first.err);
    let copy = home.path().join("data/stet/demo/retry-ceiling/session.jsonl");
    std::fs::write(&copy, orders().text()).unwrap();
    assert_ne!(home.run(["demo", "retry-ceiling"]).out, first.out);
    assert_eq!(home.run(["demo", "retry-ceiling", "--reset"]).out, first.out);
}

#[test]
fn an_export_that_is_not_read_to_its_end_is_no_failure_and_a_full_disk_is_named() {
    let home = Home::new();
    let long = (0..400).fold(Claude::default(), |session, no| session.user(&format!("{no} {}", "word ".repeat(200))));
    home.file("long.jsonl", long.text());
    let mut child =
        home.command(["export", "long.jsonl"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert_eq!((ended.status.code(), ended.stderr.as_slice()), (Some(0), &b""[..]));
    if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
        let ran = home.command(["export", "long.jsonl"]).stdout(full).output().unwrap();
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(2));
        assert!(
            told.starts_with("stet: cannot export long.jsonl: ") && told.contains("cannot write the output: "),
            "{told}"
        );
    }
}

#[test]
fn what_is_entered_about_a_demo_stays_with_its_copy_and_goes_with_it() {
    let home = Home::new();
    home.may_pin();
    assert_eq!(home.run(["demo", "retry-ceiling"]).code, 0);
    let copy = "data/stet/demo/retry-ceiling/session.jsonl";
    let entries = || home.json(["ledger", "list", copy, "--format", "json"])["entries"].as_array().unwrap().len();
    home.run(["ledger", "add", copy, "--kind", "fact", "--text", "seven"]);
    assert_eq!(entries(), 1);
    assert!(!home.path().join("data/stet/stet.db").exists(), "it is nobody's real ledger");
    home.run(["demo", "retry-ceiling", "--reset"]);
    assert_eq!(entries(), 0);
}

#[test]
fn a_demo_that_is_open_elsewhere_is_not_made_anew() {
    let home = Home::new();
    assert_eq!(home.run(["demo", "credit-hold"]).code, 0);
    let open = std::fs::File::open(home.path().join("data/stet/demo/credit-hold/in-use")).unwrap();
    open.lock_shared().unwrap();
    assert_eq!(home.run(["demo", "credit-hold"]).code, 0, "it may be looked at twice");
    let refused = home.run(["demo", "credit-hold", "--reset"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.starts_with("stet: cannot make the sample credit-hold anew: it is open"), "{}", refused.err);
    drop(open);
    assert_eq!(home.run(["demo", "credit-hold", "--reset"]).code, 0);
}

#[test]
fn two_first_demos_at_once_are_one_copy() {
    let home = Home::new();
    let all: Vec<_> =
        (0..6).map(|_| home.command(["demo", "credit-hold"]).stdout(Stdio::null()).spawn().unwrap()).collect();
    for mut one in all {
        assert_eq!(one.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn settings_that_are_a_pipe_keep_nobody_waiting() {
    let home = Home::new();
    std::fs::create_dir_all(home.path().join("config/stet")).unwrap();
    let pipe = home.path().join("config/stet/config.toml");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR).unwrap();
    let ran = home.run(["ls"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("no regular file"), "{}", ran.err);
}
