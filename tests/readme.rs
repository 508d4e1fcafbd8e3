//! What the README says holds: its commands exist, its test command is the one in the gate, its files are there.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::time::Duration;

#[path = "support/command.rs"]
mod command;

fn file(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

#[test]
fn every_command_it_names_exists() {
    let readme = file("README.md");
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| `stet "));
    let names: Vec<&str> =
        rows.filter_map(|row| row.split(['`', ' ']).next()).filter(|name| *name != "SESSION").collect();
    assert!(names.len() >= 9, "only {names:?}");
    let home = command::Home::new();
    for name in &names {
        let ran = home.run(&[name, "--help"], home.path(), Duration::from_secs(10));
        assert!(!ran.late && ran.code == Some(0), "stet {name} --help: {}", ran.err);
    }
    let help = home.run(&["--help"], home.path(), Duration::from_secs(10)).out;
    let told = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.trim().is_empty());
    let told = told.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let missing: Vec<&str> = told
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| !matches!(*name, "open" | "help") && !names.contains(name))
        .collect();
    assert_eq!(missing, [""; 0], "commands that the README does not name");
}

#[test]
fn its_test_command_is_the_one_in_the_gate() {
    let readme = file("README.md");
    let commands: Vec<&str> = readme.lines().filter_map(|line| line.strip_prefix("    cargo ")).collect();
    assert_eq!(commands, ["run --release -- demo", "test --locked"]);
    assert!(file(".ci/run").lines().any(|line| line == "step cargo test --locked"));
}

#[test]
fn the_files_it_names_are_there() {
    let readme = file("README.md");
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let picture = readme.split("](").nth(1).and_then(|rest| rest.split(')').next()).unwrap();
    for name in [picture, "src/formats", "src/lib.rs", "sample-sessions", "LICENSE-MIT", "LICENSE-APACHE"] {
        assert!(top.join(name).exists(), "{name} is missing");
    }
    for sample in readme.split("stet demo ").skip(1).filter_map(|rest| rest.split(['`', ' ']).next()) {
        if sample != "[NAME]" {
            assert!(top.join("sample-sessions").join(sample).is_dir(), "no sample {sample}");
        }
    }
    let manifest = file("Cargo.toml");
    for bench in ["open", "index", "frame", "append", "correct"] {
        assert!(manifest.contains(&format!("path = \"tests/bench/{bench}.rs\"")), "no bench {bench}");
    }
}
