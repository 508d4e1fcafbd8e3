//! What is pinned cannot be changed, whoever tries.

use super::blocks::runs;
use super::given::{Folder, ORDERS, alarm, anchor, draft, key};
use crate::store::{Entries, StoreError, Wordings};

/// Tables that only grow, with a column that an update would change.
const PINNED: &[(&str, &str)] = &[
    ("session", "agent"),
    ("line", "what"),
    ("line_raw", "raw"),
    ("line_text", "text"),
    ("part", "what"),
    ("part_text", "text"),
    ("compaction", "last_covered"),
    ("compaction_kept", "id"),
    ("note", "cleared"),
    ("record", "id"),
    ("item", "text"),
    ("item_source", "quote"),
    ("ledger", "text"),
    ("ledger_end", "no"),
    ("review", "author"),
    ("alarm", "author"),
    ("block", "from_id"),
    ("span", "from_id"),
    ("draft", "why"),
    ("borrowed", "items"),
    ("retention", "quotes"),
];

fn filled(folder: &Folder) {
    let mut store = folder.store();
    store.import_interchange(ORDERS.as_bytes(), Entries::AsTheyStand, &mut |_, _| {}).unwrap();
    store.enter(&key(), draft("port 80"), 1).unwrap();
    store.review(&anchor("never 80"), "anna", 2, true).unwrap();
    store.wrong_alarm(&alarm("never 80"), "anna", 2, true).unwrap();
    let (first, second, span) = runs(&store);
    store.close_block(&key(), &first).unwrap();
    store.close_block(&key(), &second).unwrap();
    store.add_spans(&key(), std::slice::from_ref(&span), Wordings::default()).unwrap();
    store.retain(&crate::session::SessionKey::new("stet", "forgetful"), crate::store::Quotes::Drop).unwrap();
}

#[test]
fn no_other_connection_can_update_delete_or_replace() {
    let folder = Folder::new();
    filled(&folder);
    let mut store = folder.store();
    let text = r#"{"type":"session","id":"texts"}
{"type":"line","kind":"noise","what":"x","text":"y"}"#;
    store.import_interchange(text.as_bytes(), Entries::AsTheyStand, &mut |_, _| {}).unwrap();
    drop(store);
    for recursive in [false, true] {
        let plain = folder.plain();
        plain.pragma_update(None, "recursive_triggers", recursive).unwrap();
        plain.pragma_update(None, "foreign_keys", false).unwrap();
        for (table, column) in PINNED {
            let count = || plain.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0));
            let before = count().unwrap();
            assert!(before > 0, "{table} is empty: nothing is tested");
            for sql in [
                format!("UPDATE {table} SET {column} = {column}"),
                format!("UPDATE OR REPLACE {table} SET {column} = {column}"),
                format!("DELETE FROM {table}"),
                format!("INSERT OR REPLACE INTO {table} SELECT * FROM {table}"),
                format!("REPLACE INTO {table} SELECT * FROM {table} LIMIT 1"),
                format!(
                    "INSERT INTO {table} SELECT * FROM {table} WHERE true ON CONFLICT DO UPDATE SET {column} = {column}"
                ),
            ] {
                let error = plain.execute(&sql, []).unwrap_err().to_string();
                assert!(error.contains("never"), "{sql}: {error}");
            }
            assert_eq!(count().unwrap(), before, "{table}");
        }
    }
    assert_eq!(folder.store().verify(&key()).unwrap(), []);
}

#[test]
fn only_the_text_of_a_session_in_retention_mode_may_go() {
    let folder = Folder::new();
    drop(folder.store());
    let plain = folder.plain();
    plain
        .execute_batch(
            "INSERT INTO session (session, agent, id, mode) VALUES (1, 'stet', 'kept', 'keep'), (2, 'stet', 'gone', 'retention');
             INSERT INTO line (line, session, file, seq, kind, own, raw_length, raw_hash, seal)
             VALUES (1, 1, 0, 0, 'noise', 0, 1, x'00', x'00'), (2, 2, 0, 0, 'noise', 0, 1, x'00', x'00');
             INSERT INTO line_raw VALUES (1, x'61'), (2, x'61');",
        )
        .unwrap();
    assert!(plain.execute("DELETE FROM line_raw WHERE line = 1", []).is_err());
    assert_eq!(plain.execute("DELETE FROM line_raw WHERE line = 2", []).unwrap(), 1);
    assert!(plain.execute("DELETE FROM line WHERE line = 2", []).is_err());
    assert!(plain.execute("UPDATE session SET mode = 'retention'", []).is_err());
}

#[test]
fn every_table_but_the_named_ones_is_guarded() {
    let folder = Folder::new();
    drop(folder.store());
    let plain = folder.plain();
    let mut read = plain
        .prepare(
            "SELECT name
             FROM sqlite_schema
             WHERE type = 'table'
               AND name NOT LIKE 'part_fts%'
               AND (SELECT count(*) FROM sqlite_schema AS guard WHERE guard.type = 'trigger' AND guard.tbl_name = sqlite_schema.name) <> 3
             ORDER BY name",
        )
        .unwrap();
    let open: Vec<String> = read.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(open, ["audit", "lengths", "opened", "rendered", "side", "tally", "title"]);
}

#[test]
fn no_two_parts_have_the_same_place_in_a_session() {
    let folder = Folder::new();
    filled(&folder);
    let copied = "INSERT INTO part (session, seq, line, block, id, kind, speaker, length, hash, chain)
                  SELECT session, seq, line, 9, 'other', kind, speaker, length, hash, chain FROM part WHERE part = 1";
    assert!(folder.plain().execute(copied, []).unwrap_err().to_string().contains("never replaced"));
    folder.plain().execute_batch("DROP TRIGGER part_insert").unwrap();
    assert!(folder.plain().execute(copied, []).unwrap_err().to_string().contains("UNIQUE"));
}

/// Such a row would stand where the next one belongs, and nothing could be written any more.
#[test]
fn rows_that_belong_to_nothing_are_refused_and_told() {
    for (sql, guard, table) in [
        ("INSERT INTO part_text VALUES (6, 'evil')", "part_text_insert", "part_text"),
        ("INSERT INTO line_raw VALUES (8, x'00')", "line_raw_insert", "line_raw"),
        ("INSERT INTO line_text VALUES (8, 'evil')", "line_text_insert", "line_text"),
        ("INSERT INTO note VALUES (8, 1, 1, 1)", "note_insert", "note"),
        ("INSERT INTO compaction (line) VALUES (8)", "compaction_insert", "compaction"),
        ("INSERT INTO compaction_kept VALUES (8, 0, 'x')", "compaction_kept_insert", "compaction_kept"),
        ("INSERT INTO item (record, ordinal, field, text) VALUES (9, 0, 'narrative', 'x')", "item_insert", "item"),
        ("INSERT INTO item_source VALUES (9, 0, 0, 1, 0, 1, 'u', x'00', NULL)", "item_source_insert", "item_source"),
    ] {
        let folder = Folder::new();
        filled(&folder);
        let plain = folder.plain();
        plain.pragma_update(None, "foreign_keys", false).unwrap();
        assert!(plain.execute(sql, []).unwrap_err().to_string().contains("never"), "{sql}");
        let again: String =
            plain.query_row("SELECT sql FROM sqlite_schema WHERE name = ?1", [guard], |row| row.get(0)).unwrap();
        plain.execute_batch(&format!("DROP TRIGGER {guard}; {sql}; {again}")).unwrap();
        drop(plain);
        let mut store = folder.store();
        let told = store.verify(&key()).unwrap();
        assert!(told.iter().any(|damage| damage.why.contains(&format!("a row of {table} belongs to no"))), "{told:?}");
        let mut appender = store.appender(key());
        appender.push(r#"{"type":"part","id":"x","turn":"x","role":"user","kind":"text","text":"more"}"#).unwrap();
        if let Err(error) = appender.commit() {
            assert!(matches!(error, StoreError::Damaged(_)), "{error}");
        }
    }
}

#[test]
fn a_record_names_a_marker_and_a_block_ends_with_a_part_that_are_there() {
    let folder = Folder::new();
    filled(&folder);
    let plain = folder.plain();
    plain.pragma_update(None, "foreign_keys", false).unwrap();
    for (line, want) in [("NULL", true), ("999999", false)] {
        let sql = format!("INSERT INTO record (session, id, line, seal) VALUES (1, 'of {line}', {line}, x'00')");
        assert_eq!(plain.execute(&sql, []).is_ok(), want, "line {line}");
    }
    for (last, want) in [("last", true), ("999999", false)] {
        let sql = format!(
            "INSERT INTO block
             SELECT session, no + 90, record, start, \"end\", {last}, first_turn, last_turn, from_id, tokens, originals,
                    closed_by, cut, generation, seal, turned
             FROM block
             LIMIT 1"
        );
        assert_eq!(plain.execute(&sql, []).is_ok(), want, "last {last}");
    }
}

#[test]
fn a_source_names_a_part_that_is_there() {
    let folder = Folder::new();
    filled(&folder);
    let plain = folder.plain();
    plain.pragma_update(None, "foreign_keys", false).unwrap();
    for (part, want) in [("1", true), ("999999", false)] {
        let sql = format!(
            "INSERT INTO item_source
             SELECT record, ordinal, 99, {part}, 0, 1, 'u', x'00', NULL FROM item LIMIT 1"
        );
        assert_eq!(plain.execute(&sql, []).is_ok(), want, "part {part}");
    }
}
