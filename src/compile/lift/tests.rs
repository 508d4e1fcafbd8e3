//! Lifting on tables, on random text, and word for word.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;

use super::*;

/// The claims of a summary as `letter text`.
fn lifted(summary: &str) -> Vec<String> {
    let record = lift(summary);
    let mut claims: Vec<_> = record.items.iter().filter(|item| item.field.is_claim()).collect();
    claims.sort_by_key(|item| item.range);
    claims.into_iter().map(|item| format!("{} {}", item.field.letter(), item.text)).collect()
}

#[test]
fn a_numbered_summary_falls_into_its_sections() {
    let summary = "This session is being continued from a previous conversation that ran out of context.\n\n\
        Summary:\n\
        1. Primary Request and Intent:\n   - Move the cache to disk\n\n\
        3. Files and Code Sections:\n   - **`src/cache.rs`** (line 40)\n     - Added `DiskCache` type:\n     ```rust\n     struct DiskCache;\n     ```\n\n\
        4. Errors and fixes:\n   - **Error**: the lock was held twice\n     - **Fix**: Removed the outer lock\n\n\
        6. All user messages:\n   - \"can it stay in memory?\"\n   - \"ok, go ahead\"\n   - \"never delete the old files\"\n\n\
        7. Pending Tasks:\n   - Run the tests\n   - ✅ Write the type\n\n\
        8. Current Work:\n   Just created `src/disk.rs`. The user decided to keep the old name.\n\n\
        If you need specific details from before compaction, read the full transcript at: /tmp/t.jsonl\n";
    assert_eq!(
        lifted(summary),
        [
            "n Move the cache to disk",
            "a Added `DiskCache` type:",
            "n **Error**: the lock was held twice",
            "a **Fix**: Removed the outer lock",
            "o can it stay in memory?",
            "d ok, go ahead",
            "c never delete the old files",
            "o Run the tests",
            "a ✅ Write the type",
            "a Just created `src/disk.rs`.",
            "d The user decided to keep the old name.",
        ]
    );
    let record = lift(summary);
    assert!(record.items.iter().all(|item| !item.text.contains("/tmp/t.jsonl")), "the harness' own path is no entity");
}

#[test]
fn markdown_sections_tables_and_tags_open_their_fields() {
    let summary = "## Goal\nShrink the index.\n\n## Constraints & Preferences\n- No new dependency\n\n## Progress\n### Done\n- [x] Wrote `pack.rs`\n### In Progress\n- Merging shards\n\n\
        ## Key Decisions\n- **Keep v1 files**: readers still need them\n- No compression - it was slower\n\n\
        ## Completed Steps\n| Step | Status |\n|---|---|\n| Split | ✅ |\n\n<next_steps>\nMeasure again.\n</next_steps>\n\n<read-files>\nsrc/lib.rs\n</read-files>\n";
    assert_eq!(
        lifted(summary),
        [
            "n Shrink the index.",
            "c No new dependency",
            "a [x] Wrote `pack.rs`",
            "o Merging shards",
            "d **Keep v1 files**: readers still need them",
            "r No compression - it was slower",
            "a Split | ✅",
            "o Measure again.",
        ]
    );
}

#[test]
fn elements_are_headings_too() {
    let summary = "<state_snapshot>\n<overall_goal>Speed up the parser.</overall_goal>\n<key_knowledge>\n- The grammar has 40 rules.\n</key_knowledge>\n\
        <file_system_state>\n- MODIFIED: `lex.rs` - faster\n</file_system_state>\n<recent_actions>\nThe lexer was rewritten.\n</recent_actions>\n\
        <current_plan>\n1. [DONE] Measure the lexer\n2. [TODO] Measure the parser\n</current_plan>\n</state_snapshot>\n";
    assert_eq!(
        lifted(summary),
        [
            "n Speed up the parser.",
            "n The grammar has 40 rules.",
            "a MODIFIED: `lex.rs` - faster",
            "a The lexer was rewritten.",
            "a [DONE] Measure the lexer",
            "o [TODO] Measure the parser",
        ]
    );
}

#[test]
fn plain_prose_goes_by_its_cues() {
    for (text, want) in [
        ("User reported two slow queries.", 'n'),
        ("The timeout is not caused by the proxy.", 'r'),
        ("A credit hold was ruled out because the balance is positive.", 'r'),
        ("User suggested a retry, then retracted it.", 'r'),
        ("We agreed to ship on Monday.", 'd'),
        ("User said \"ok, let's do that\"", 'd'),
        ("User prefers one commit per change.", 'c'),
        ("I replaced the loop in `run.rs`.", 'a'),
        ("It is unclear whether the index helps.", 'o'),
        ("The index needs to be rebuilt.", 'o'),
        ("The table has four columns.", 'n'),
    ] {
        assert_eq!(lifted(text), [format!("{want} {text}")]);
    }
}

#[test]
fn what_was_ruled_out_keeps_its_evidence() {
    let record = lift("A lock was ruled out because no thread waits.");
    let item = &record.items[record.find("r1").unwrap()];
    let want = Detail::RuledOut { claim: "A lock was ruled out".into(), evidence: "no thread waits.".into() };
    assert_eq!(item.detail, want);
}

#[test]
fn entities_and_figures_stand_once_with_their_bytes() {
    let record = lift("Port 8080 is used by `src/a.rs`.\nThe port 8080 again, in src/a.rs: retry ceiling = 7.");
    let seen: Vec<_> = record
        .items
        .iter()
        .filter(|item| !item.field.is_claim())
        .map(|item| (item.text.as_str(), item.range.unwrap(), item.detail.clone()))
        .collect();
    let figure =
        |label: &str, value: &str| Detail::Figure { label: label.into(), value: value.into(), unit: String::new() };
    assert_eq!(
        seen,
        [
            ("src/a.rs", (22, 30), Detail::Entity { class: "path".into() }),
            ("8080", (5, 9), figure("Port", "8080")),
            ("7", (83, 84), figure("ceiling", "7")),
        ]
    );
}

proptest! {
    #[test]
    fn any_text_is_lifted_and_every_item_is_a_piece_of_it(text in r"(?s)[\PC\n #*`|.:0-9-]{0,300}") {
        for item in lift(&text).items {
            let (start, end) = item.range.unwrap();
            prop_assert_eq!(text.get(start..end), Some(item.text.as_str()));
        }
    }
}

#[test]
fn lettered_and_roman_lists_are_cut_at_their_letters() {
    let summary = "1. The importer has three faults:\n   a. It opens the file twice and\n      holds both\n   b. It trusts the header\n   \
        c) It never closes\n2) It waits, and skipping\n   i. the first line\n   ii. the last line\n   (iii) both\n3.1. Deeper\nEnd. a thing.\n";
    assert_eq!(
        lifted(summary),
        [
            "n It opens the file twice and\n      holds both",
            "n It trusts the header",
            "n It never closes",
            "n It waits, and skipping",
            "n the first line",
            "n the last line",
            "n both",
            "n Deeper\nEnd. a thing.",
        ]
    );
}

#[test]
fn a_message_is_open_only_where_it_asks() {
    let summary = "1. Work done:\n   - Renamed the queue to `outbox`\n\n6. All user messages:\n   - \"what is the queue for?\"\n   \
        - \"what is the queue for?\"\n   - \"can we rename the queue?\"\n   - \"can we delete the queue?\"\n   - \"I think we should look at the logs\"\n   \
        - \"let's go back to the old layout\"\n   - \"let's start there first\"\n   - \"let's go with the outbox\"\n   - \"they never arrived\"\n   \
        - \"the page maybe only at night\"\n";
    assert_eq!(
        lifted(summary),
        [
            "a Renamed the queue to `outbox`",
            "o what is the queue for?",
            "n what is the queue for?",
            "n can we rename the queue?",
            "o can we delete the queue?",
            "n I think we should look at the logs",
            "n let's go back to the old layout",
            "n let's start there first",
            "d let's go with the outbox",
            "n they never arrived",
            "o the page maybe only at night",
        ]
    );
}

#[test]
fn the_most_mentioned_stands_first_and_a_figure_once() {
    let record =
        lift("Read `a.rs` and `b.rs` on 2 August 2026, nine webhooks.\nThen b.rs again, 9 webhooks, 1, 1, 2.\n");
    let seen: Vec<_> = record
        .items
        .iter()
        .filter(|item| !item.field.is_claim())
        .map(|item| format!("{} {}", item.field.letter(), item.text))
        .collect();
    assert_eq!(seen, ["e b.rs", "e a.rs", "e 2 August 2026", "f nine"]);
}
