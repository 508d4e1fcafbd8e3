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
fn what_a_program_writes_stays_a_draft_unless_the_turns_say_it_and_one_that_fails_costs_no_prose() {
    let home = with_sample();
    let blocks = |script: &str, db: &str| {
        let command = format!("[summariser]\ncommand = [\"sh\", \"-c\", \"{script}\"]\n");
        home.file("config/stet/config.toml", command);
        let args = ["compile", "retry.jsonl", "--target", "4", "--cap", "8", "--summariser", "command", "--records"];
        home.run(args.into_iter().chain(["--format", "json", "--db", db]))
    };
    let told = blocks("cat > /dev/null; echo The refund of 912.40 EUR was approved.", "told.db");
    let shown: serde_json::Value = serde_json::from_str(&told.out).unwrap();
    // It stands behind the sentences of the originals, which are the prose where nothing that was written can be used.
    let prose = shown["blocks"][0]["record"]["narrative"].as_array().unwrap().last().unwrap();
    assert_eq!((&prose["verdict"], &prose["sources"]), (&"unchecked".into(), &serde_json::json!([])), "{prose}");
    let failed = blocks("exit 3", "failed.db");
    let without: serde_json::Value = serde_json::from_str(&failed.out).unwrap();
    let why = "retry.jsonl: block 1: the prose is taken from the originals: command sh: it ended with exit code 3";
    assert!(failed.code == 1 && failed.err.contains(why), "{} {}", failed.code, failed.err);
    assert_eq!(without["blocks"][0]["record"]["actionsTaken"], shown["blocks"][0]["record"]["actionsTaken"]);
    let prose = without["blocks"][0]["record"]["narrative"].as_array().unwrap();
    assert!(!prose.is_empty());
    for sentence in prose {
        assert_eq!(sentence["text"], sentence["sources"][0]["quote"], "{sentence}");
    }
}

#[test]
fn what_a_program_invents_goes_into_no_request_and_is_counted() {
    let home = with_sample();
    let invented = "The user decided to drop the table customers at once.";
    home.file(
        "config/stet/config.toml",
        format!("[summariser]\nkind = \"command\"\ncommand = [\"echo\", \"{invented}\"]\n"),
    );
    let compiled = home.run(["compile", "retry.jsonl", "--target", "4", "--cap", "8", "--records"]);
    assert!(compiled.out.contains(&format!("{invented}   draft: no turn before it says this")), "{}", compiled.out);
    // Nothing that it wrote can be used: as where it fails, the prose is sentences of the originals.
    assert!(
        compiled.code == 1 && compiled.err.contains("no turn bears out a sentence of its answer"),
        "{}",
        compiled.err
    );
    for budget in ["9000", "300"] {
        let args = ["window", "retry.jsonl", "--budget", budget, "--text", "--format", "json"];
        let window = home.run(args);
        let shown: serde_json::Value = serde_json::from_str(&window.out).unwrap();
        assert!(!window.out.contains("customers"), "{}", window.out);
        let stands = |region: &&serde_json::Value| region["kind"] == "block" || region["kind"] == "span";
        for region in shown["regions"].as_array().unwrap().iter().filter(stands) {
            let drafts = region["left_out"]["drafts"].as_u64().unwrap();
            let counted = format!("Left out as drafts, which no turn bears out: {drafts}.");
            assert!(drafts > 0 && region["text"].as_str().unwrap().contains(&counted), "{region}");
        }
        assert!(window.err.contains("left out, no turn bears them out"), "{}", window.err);
    }
}

#[test]
fn a_block_that_a_summariser_cannot_read_at_once_is_told_with_what_helps() {
    let home = with_sample();
    let settings = "[summariser]\nkind = \"command\"\ncommand = [\"cat\"]\nwindow = 50\n";
    home.file("config/stet/config.toml", settings);
    let ran = home.run(["compile", "retry.jsonl", "--target", "4", "--cap", "8"]);
    let told = ran.err.lines().find(|line| line.contains(": block 1: ")).unwrap_or_default();
    assert!(told.contains("do not fit the summariser's window of 50") && told.contains("--cap"), "{}", ran.err);
    assert!(!told.contains("spans"), "{told}");
}

#[test]
fn on_a_terminal_it_is_said_which_turns_wait_for_whom() {
    let home = with_sample();
    let settings = "[summariser]\nkind = \"command\"\ncommand = [\"sh\", \"-c\", \"sleep 2; echo It runs.\"]\n";
    home.file("config/stet/config.toml", settings);
    let args = ["compile", "retry.jsonl", "--target", "4", "--cap", "99"];
    let (code, sent) = home.at_a_terminal(&args, "");
    assert!(code == 1 && sent.contains("turns 1–") && sent.contains(": waiting for command sh, "), "{sent}");
    let unseen = home.run(args.into_iter().chain(["--db", "other.db"]));
    assert!(unseen.code == 1 && !unseen.err.contains("waiting for"), "nobody looks: {}", unseen.err);
}

#[test]
fn a_signal_that_ends_a_compile_ends_all_that_the_summariser_started() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::os::unix::process::ExitStatusExt;
    use std::time::{Duration, Instant};
    let soon = |what: &dyn Fn() -> bool| {
        let until = Instant::now() + Duration::from_secs(20);
        while !what() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(10));
        }
        what()
    };
    // What was started by a shell in the background is not to be ended by the keyboard, and neither is what it starts.
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap().trim();
    let ignored = u64::from_str_radix(ignored, 16).unwrap();
    let heard = |signal: &Signal| ignored & 1 << (signal.as_raw() - 1) == 0;
    for signal in [Signal::TERM, Signal::INT, Signal::HUP].into_iter().filter(heard) {
        let home = with_sample();
        let file = home.path().join("pid");
        let script = format!("sleep 60 & echo $! >> {}; wait", file.display());
        let settings = format!("[summariser]\nkind = \"command\"\ncommand = [\"sh\", \"-c\", \"{script}\"]\n");
        home.file("config/stet/config.toml", settings);
        let mut compile = home.command(["compile", "retry.jsonl", "--target", "4", "--cap", "99"]).spawn().unwrap();
        // Several blocks may be asked for at once.
        let pids = || std::fs::read_to_string(&file).unwrap_or_default();
        assert!(soon(&|| pids().ends_with('\n')), "the summariser was not started");
        kill_process(Pid::from_child(&compile), signal).unwrap();
        assert_eq!(compile.wait().unwrap().signal(), Some(signal.as_raw()));
        for pid in pids().lines() {
            let stat = format!("/proc/{pid}/stat");
            let gone = || std::fs::read_to_string(&stat).map_or(true, |stat| stat.contains(") Z "));
            assert!(soon(&gone), "{signal:?}: what the summariser started still runs");
        }
    }
}

#[test]
fn other_numbers_cut_only_what_follows_and_that_is_said() {
    let home = with_sample();
    let compile = |more: &[&str]| home.run([&["compile", "retry.jsonl"], more].concat());
    let stays = "what was closed before stays as it is: --target 8 and --cap 9 cut only what follows";
    let first = compile(&["--target", "4", "--cap", "8"]);
    assert!(!first.out.contains("stays as it is"), "{}", first.out);
    let again = compile(&["--target", "8", "--cap", "9"]);
    assert!(again.out.contains(stays) && again.out.contains("10 blocks, nothing is due"), "{}", again.out);
    let usual = compile(&[]);
    assert!(!usual.out.contains("stays as it is"), "{}", usual.out);
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
