//! Goldens: plain text that reads like the screen. `UPDATE_GOLDENS=1` writes them anew.

use std::path::{Path, PathBuf};

/// Every golden there is. One that stands in the folder and not here is an error.
const ALL: &[&str] = &[
    "audit",
    "audit-credit-hold",
    "audit-orders-status",
    "audit-retry-ceiling",
    "cost",
    "compile",
    "extract",
    "extract-help",
    "help",
    "import",
    "ledger",
    "lineage",
    "list",
    "record",
    "record-md",
    "simulate-arms",
    "simulate-drift",
    "simulate-hedges",
    "simulate-help",
    "simulate-inversion",
    "simulate-survival",
    "simulate-triggers",
    "transcript",
    "usage",
    "window",
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli")
}

/// Compares with the golden of this name.
pub fn golden(name: &str, actual: &str) {
    assert!(ALL.contains(&name), "{name} must be named in ALL");
    let path = folder().join(format!("{name}.txt"));
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        std::fs::write(&path, actual).unwrap();
    }
    let wanted = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(wanted == actual, "{name} differs (UPDATE_GOLDENS=1 rewrites it); now it is:\n{actual}");
}

#[test]
fn every_golden_is_named_by_a_test() {
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            assert!(ALL.contains(&name.as_str()), "no test names {}", path.display());
        }
    }
}
