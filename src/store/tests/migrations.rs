//! Shapes of other versions: older ones are set aside and mended, newer ones only read.

use std::path::Path;
use std::sync::Arc;

use rusqlite::Connection;

use super::blocks::runs;
use super::given::{Folder, ORDERS, alarm, draft, key};
use crate::record::Span;
use crate::session::MarkerKey;
use crate::store::schema::{self, MIGRATIONS};
use crate::store::{Access, Entries, Opened, Store, Wordings};

/// A database as version 1 made it, with one session in it and no entry.
fn version_1(path: &Path) {
    let plain = Connection::open(path).unwrap();
    plain.execute_batch(MIGRATIONS[0]).unwrap();
    plain
        .execute_batch("PRAGMA application_id = 0x73746574; PRAGMA user_version = 1; PRAGMA journal_mode = WAL")
        .unwrap();
    plain.execute("INSERT INTO session (agent, id) VALUES ('stet', 'orders')", []).unwrap();
}

#[test]
fn a_file_of_version_1_is_read_as_it_is_and_the_first_write_mends_it() {
    let folder = Folder::new();
    let path = folder.path("s.db");
    version_1(&path);
    let before = std::fs::read(&path).unwrap();
    let store = Store::open(&path, Access::ReadOnly).unwrap();
    assert_eq!(
        (store.notice(), store.wrong_alarms(&key()).unwrap(), store.ledger(&key()).unwrap()),
        (None, vec![], vec![])
    );
    assert_eq!(store.count_wrong_alarms().unwrap(), []);
    assert_eq!((store.blocks(&key()).unwrap(), store.spans(&key()).unwrap()), (vec![], vec![]));
    assert_eq!((store.originals(&key(), &(0..1)).unwrap(), store.count_opened().unwrap()), (None, Opened::default()));
    assert_eq!(store.retention(&key()).unwrap(), None);
    assert!(!store.has_audited(&key()).unwrap());
    drop(store);
    assert!(std::fs::read(&path).unwrap() == before && folder.names() == ["s.db"], "reading changed something");
    let mut store = Store::open(&path, Access::ReadOnly).unwrap();
    store.wrong_alarm(&alarm("not so"), "anna", 1, true).unwrap();
    assert_eq!(store.wrong_alarms(&key()).unwrap(), [alarm("not so")]);
    assert_eq!(schema::user_version(&folder.plain()).unwrap(), schema::VERSION);
    assert_eq!(store.verify(&key()).unwrap(), []);
}

#[test]
fn a_file_of_version_1_whose_guards_are_not_whole_is_only_read() {
    let folder = Folder::new();
    let path = folder.path("s.db");
    version_1(&path);
    folder.plain().execute_batch("DROP TRIGGER ledger_delete").unwrap();
    let mut store = Store::open(&path, Access::ReadOnly).unwrap();
    assert!(store.notice().unwrap().contains("ledger_delete"));
    assert!(store.wrong_alarm(&alarm("not so"), "anna", 1, true).is_err());
    assert_eq!(schema::user_version(&folder.plain()).unwrap(), 1);
}

#[test]
fn a_file_of_version_1_written_by_sql_alone_opens_and_is_written() {
    let folder = Folder::new();
    let path = folder.path("s.db");
    version_1(&path);
    let mut store = Store::open(&path, Access::Write).unwrap();
    store.import_interchange(ORDERS.as_bytes(), Entries::AsTheyStand, &mut |_, _| {}).unwrap();
    store.enter(&key(), draft("port 80"), 1).unwrap();
    assert_eq!(store.verify(&key()).unwrap(), []);
}

#[test]
fn spans_of_version_5_are_read_as_they_are_and_later_ones_borrow() {
    let now = Folder::new();
    let mut store = now.store();
    store.import_interchange(ORDERS.as_bytes(), Entries::AsTheyStand, &mut |_, _| {}).unwrap();
    let (first, mut second, span) = runs(&store);
    // Why a talk turned was not stored then.
    second.turned = None;
    store.close_blocks(&key(), &[first, second], Wordings::default()).unwrap();
    // What version 5 stored of a span: all of its items, whoever else holds them.
    let mut own = span.clone();
    for item in &mut Arc::make_mut(&mut own.record).items {
        item.text.push_str(" as they said");
    }
    store.add_spans(&key(), std::slice::from_ref(&own), Wordings::default()).unwrap();
    let borrowed =
        |of: &Folder| of.plain().query_row("SELECT count(*) FROM borrowed", [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(borrowed(&now), 0);
    let spans = store.spans(&key()).unwrap();
    drop(store);

    let old = Folder::new();
    let plain = old.plain();
    MIGRATIONS[..5].iter().for_each(|migration| plain.execute_batch(migration).unwrap());
    plain
        .execute_batch("PRAGMA application_id = 0x73746574; PRAGMA user_version = 5; PRAGMA journal_mode = WAL")
        .unwrap();
    plain.pragma_update(None, "foreign_keys", false).unwrap();
    plain.execute("ATTACH ?1 AS now", [now.path("s.db").to_str().unwrap()]).unwrap();
    for table in [
        "session",
        "line",
        "line_raw",
        "line_text",
        "part",
        "part_text",
        "compaction",
        "compaction_kept",
        "note",
        "record",
        "item",
        "item_source",
        "span",
        "draft",
        "ledger",
        "ledger_end",
        "title",
        "side",
        "tally",
    ] {
        plain.execute(&format!("INSERT INTO main.{table} SELECT * FROM now.{table}"), []).unwrap();
    }
    let block = "session, no, record, start, \"end\", last, first_turn, last_turn, from_id, tokens, originals, closed_by, cut, \
                 generation, seal";
    plain.execute(&format!("INSERT INTO main.block ({block}) SELECT {block} FROM now.block"), []).unwrap();
    plain.execute_batch("INSERT INTO part_fts (part_fts) VALUES ('rebuild'); DETACH now").unwrap();
    drop(plain);
    let mut store = Store::open(&old.path("s.db"), Access::ReadOnly).unwrap();
    assert_eq!(
        (store.notice(), store.spans(&key()).unwrap(), store.verify(&key()).unwrap()),
        (None, spans.clone(), vec![])
    );
    let next = Span { no: 2, ..own };
    store.add_spans(&key(), std::slice::from_ref(&next), Wordings::default()).unwrap();
    assert_eq!(schema::user_version(&old.plain()).unwrap(), schema::VERSION);
    assert_eq!((borrowed(&old), store.spans(&key()).unwrap()[0].clone()), (1, spans[0].clone()));
    assert_eq!(store.spans(&key()).unwrap()[1].record.items.len(), next.record.items.len());
    assert_eq!(store.verify(&key()).unwrap(), []);
}

#[test]
fn a_copy_is_set_aside_before_a_migration_and_is_not_overwritten() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.store().enter(&key(), draft("kept"), 1).unwrap();
    let path = folder.path("s.db");
    let mut plain = folder.plain();
    let more = [MIGRATIONS, &["CREATE TABLE later (x)"]].concat();
    schema::migrate(&mut plain, &more, Some(&path)).unwrap();
    assert_eq!(schema::user_version(&plain).unwrap(), schema::VERSION + 1);
    let aside = folder.path(&format!("s.db.v{}.bak", schema::VERSION));
    assert_eq!(std::fs::metadata(&aside).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(folder.names().iter().filter(|name| name.contains("bak")).count(), 1);
    let copy = Store::open(&aside, Access::ReadOnly).unwrap();
    assert_eq!(copy.ledger(&key()).unwrap()[0].draft.text, "kept");
    drop(copy);
    let before = std::fs::read(&aside).unwrap();
    plain.execute_batch(&format!("DROP TABLE later; PRAGMA user_version = {}", schema::VERSION)).unwrap();
    schema::migrate(&mut plain, &more, Some(&path)).unwrap();
    assert_eq!(std::fs::read(&aside).unwrap(), before);
}

#[test]
fn a_migration_that_fails_leaves_the_version_before() {
    let mut conn = Connection::open_in_memory().unwrap();
    schema::migrate(&mut conn, MIGRATIONS, None).unwrap();
    let broken = [MIGRATIONS, &["CREATE TABLE later (x); CREATE TABLE later (x)"]].concat();
    assert!(schema::migrate(&mut conn, &broken, None).is_err());
    assert_eq!(schema::user_version(&conn).unwrap(), schema::VERSION);
    assert!(conn.prepare("SELECT * FROM later").is_err());
}

#[test]
fn a_file_of_a_newer_version_is_read_and_says_so() {
    let folder = Folder::new();
    folder.store().enter(&key(), draft("kept"), 1).unwrap();
    let (ours, theirs) = (schema::VERSION, schema::VERSION + 3);
    folder.plain().execute_batch(&format!("CREATE TABLE later (x); PRAGMA user_version = {theirs}")).unwrap();
    let path = folder.path("s.db");
    let mut store = Store::open(&path, Access::ReadOnly).unwrap();
    let sentence = format!(
        "the database was written by version {theirs}, this program knows {ours}: it is opened read-only (update stet)"
    );
    assert_eq!(store.notice().unwrap(), sentence);
    assert_eq!(store.ledger(&key()).unwrap().len(), 1);
    assert_eq!(store.enter(&key(), draft("new"), 2).unwrap_err().to_string(), sentence);
    assert_eq!(Store::open(&path, Access::Write).err().unwrap().to_string(), sentence);
}

#[test]
fn markers_that_were_opened_are_counted() {
    let folder = Folder::new();
    let mut store = folder.store();
    for id in ["k1", "k1", "k2"] {
        let summary = crate::session::Hash::ZERO;
        store.marker_opened(&key(), &MarkerKey { id: id.into(), summary }).unwrap();
    }
    assert_eq!(store.count_opened().unwrap(), Opened { markers: 2, times: 3 });
    assert_eq!(store.verify(&key()).unwrap(), []);
}
