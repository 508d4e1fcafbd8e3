//! Real sessions, where the machine has some.
#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::path::PathBuf;

use crate::home::Home;

fn data() -> Option<PathBuf> {
    let data = std::env::var_os("STET_TEST_DATA").map(PathBuf::from);
    if data.is_none() {
        eprintln!("skipped: STET_TEST_DATA names no folder with real sessions");
    }
    data
}

#[test]
fn every_real_session_has_the_compactions_that_are_expected() {
    let Some(data) = data() else { return };
    let sessions = data.join("data/sessions");
    let home = Home::new();
    let expected = std::fs::read_to_string(sessions.join("expected.tsv")).unwrap();
    let mut seen = 0;
    for row in expected.lines().filter(|row| !row.starts_with('#')) {
        let columns: Vec<&str> = row.split('\t').collect();
        if !matches!(columns[1], "claude-code" | "pi") {
            continue;
        }
        seen += 1;
        let path = sessions.join(columns[0]);
        let ran = home.run([std::ffi::OsStr::new("audit"), path.as_os_str(), "--format".as_ref(), "json".as_ref()]);
        assert_eq!(ran.code, 0, "{}: {}", columns[0], ran.err);
        let audit: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let markers = audit["markers"].as_array().unwrap();
        assert_eq!(markers.len().to_string(), columns[2], "{}", columns[0]);
        let tokens: Vec<String> = markers.iter().map(|marker| marker["tokens_before"].to_string()).collect();
        let tokens = if tokens.is_empty() { "-".to_owned() } else { tokens.join(",") };
        assert_eq!(tokens, columns[4], "{}", columns[0]);
        for item in markers.iter().flat_map(|marker| marker["items"].as_array().unwrap()) {
            for source in item["sources"].as_array().unwrap() {
                assert!(source["turn"].is_u64() || source["turn"].is_string(), "{item}");
            }
        }
    }
    assert!(seen >= 6, "only {seen} sessions were looked at");
}
