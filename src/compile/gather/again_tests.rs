//! What was needed again, on tables: parts above, the turns where it was needed beside them.

use super::RECENT;
use super::world::again;

#[test]
fn what_shows_a_statement_is_looked_for_in_the_last_results_and_not_in_the_first() {
    let said = "It is not the weight: the carrier rejected the label, the street number is missing.";
    let look = ["> carrier_check parcel: 12", "< carrier rejected the label, street number missing"];
    let mut lines = vec!["u: why is the parcel late?".to_owned()];
    for no in 0..RECENT {
        lines.extend([format!("> list page: {no}"), format!("< page {no} lists nothing of interest")]);
    }
    lines.extend(look.map(str::to_owned));
    lines.extend([format!("a: {said}"), "==".to_owned(), "u: and now?".to_owned()]);
    lines.extend(look.map(str::to_owned));
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    assert_eq!(again(&lines, said), [(3, "run again".to_owned())]);
}

#[test]
fn what_is_read_run_asked_or_said_again_is_named_with_its_turn() {
    let read = [
        "u: look",
        "> Read file_path: src/a.rs",
        "< fn a() {}",
        "a: Found it in src/a.rs.",
        "==",
        "u: go on",
        "> Read file_path: src/a.rs",
        "< fn a() {}",
    ];
    assert_eq!(again(&read, "src/a.rs"), [(3, "read again".to_owned())]);
    let ran = [
        "u: How many invoices are unpaid?",
        "> psql sql: select count(*) from invoices where paid = false",
        "< unpaid invoices 4711",
        "a: There are 4711 unpaid invoices.",
        "==",
        "u: once more",
        "> psql sql: select count(*) from invoices where paid = false",
        "< unpaid invoices 4711",
    ];
    assert_eq!(again(&ran, "There are 4711 unpaid invoices."), [(3, "run again".to_owned())]);
    let said = [
        "u: The mirror in Antwerp rejects uploads beyond twenty megabytes.",
        "a: Noted.",
        "==",
        "u: Again: uploads beyond twenty megabytes are rejected in Antwerp.",
    ];
    let text = "The mirror in Antwerp rejects uploads beyond twenty megabytes.";
    assert_eq!(again(&said, text), [(3, "the user said it again".to_owned())]);
}

#[test]
fn what_was_ruled_out_and_done_after_all_is_named() {
    let tried = |call: &'static str| {
        let lines = [
            "u: Rebuild the search index.",
            "a: A partial vacuum of the ledger table is ruled out: it locks the writers.",
            "==",
            "u: go on",
            call,
            "< ok",
        ];
        again(&lines, "A partial vacuum of the ledger table is ruled out: it locks the writers.")
    };
    let want = [(4, "tried although ruled out".to_owned())];
    assert_eq!(tried("> psql sql: vacuum (partial) ledger -- table"), want.map(|(turn, what)| (turn - 1, what)));
    assert_eq!(tried("> psql sql: select * from ledger"), []);
    // Who writes the finding down, or tells somebody, doesn't try it.
    for told in [
        "> Write file_path: PLAN.md\\ncontent: A partial vacuum of the ledger table is ruled out.",
        "> Bash command: git add . && git commit -m 'no partial vacuum of the ledger table'",
        "> Bash command: echo 'no partial vacuum of the ledger table' >> PLAN.md",
        "> Bash command: cat >> notes.txt <<END\\nno partial vacuum of the ledger table\\nEND",
        "> Agent description: look\\nprompt: Find another way than a partial vacuum of the ledger table.",
        "> TodoWrite todos: [do without a partial vacuum of the ledger table]",
    ] {
        assert_eq!(tried(told), [], "{told}");
    }
    // A line that does it and says so besides has done it.
    for done in [
        "> Bash command: echo 'vacuum partial ledger table' | psql",
        "> Bash command: vacuumdb --partial ledger.table && git commit -m 'vacuum'",
        "> Bash command: echo 'vacuum (partial) ledger -- table' > run.sql",
    ] {
        assert_eq!(tried(done).len(), 1, "{done}");
    }
}

/// A list of files says nothing of them, and a refusal comes in the words of the program.
#[test]
fn a_listing_says_nothing_again_and_a_refusal_names_nothing() {
    let claim = "**The importer of the market does not keep empty rows.**";
    for (result, want) in [
        ("importer/market/empty_rows.rs: keep, importer of rows", vec![]),
        ("The importer of the market keeps no empty rows.", vec![(2, "looked up again".to_owned())]),
    ] {
        let lines = ["u: Go.", &format!("a: {claim}"), "==", "> Grep pattern: market", &format!("< {result}")];
        assert_eq!(again(&lines, claim), want, "{result}");
    }
    let lines =
        ["u: Keep retry_ceiling in config.toml.", "==", "> Edit path: a.rs", "<u no; retry_ceiling was not written"];
    assert_eq!(again(&lines, "retry_ceiling"), []);
}

#[test]
fn a_run_to_see_a_change_and_a_habit_are_no_need() {
    let changed = [
        "u: fix it",
        "> Bash command: cargo test --lib importer",
        "< 3 failed",
        "==",
        "a: Now.",
        "> Edit file_path: src/a.rs\\nold_string: a\\nnew_string: b",
        "< ok",
        "> Bash command: cargo test --lib importer",
        "< 3 passed",
    ];
    assert_eq!(again(&changed, "ran cargo test --lib importer"), []);
    let untouched = [&changed[..5], &changed[7..]].concat();
    assert_eq!(again(&untouched, "ran cargo test --lib importer"), [(2, "run again".to_owned())]);
}

#[test]
fn what_comes_again_behind_the_next_marker_is_not_told_twice() {
    let lines = [
        "u: look",
        "> Read file_path: src/a.rs",
        "< fn a() {}",
        "==",
        "a: on",
        "> Read file_path: src/a.rs",
        "< fn a() {}",
        "==",
        "a: on",
        "> Read file_path: src/a.rs",
        "< fn a() {}",
    ];
    assert_eq!(again(&lines, "src/a.rs"), [(2, "read again".to_owned())]);
}
