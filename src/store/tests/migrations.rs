//! Shapes of other versions: older ones are set aside and mended, newer ones only read.

use rusqlite::Connection;

use super::given::{Folder, ORDERS, draft, key};
use crate::store::schema::{self, MIGRATIONS};
use crate::store::{Access, Entries, Store};

#[test]
fn a_file_of_version_1_written_by_sql_alone_opens_and_is_written() {
    let folder = Folder::new();
    let path = folder.path("s.db");
    let plain = Connection::open(&path).unwrap();
    plain.execute_batch(MIGRATIONS[0]).unwrap();
    plain
        .execute_batch("PRAGMA application_id = 0x73746574; PRAGMA user_version = 1; PRAGMA journal_mode = WAL")
        .unwrap();
    plain.execute("INSERT INTO session (agent, id) VALUES ('stet', 'orders')", []).unwrap();
    drop(plain);
    let mut store = Store::open(&path, Access::Write).unwrap();
    store.import_interchange(ORDERS.as_bytes(), Entries::AsTheyStand, &mut |_, _| {}).unwrap();
    store.enter(&key(), draft("port 80"), 1).unwrap();
    assert_eq!(store.verify(&key()).unwrap(), []);
}

#[test]
fn a_copy_is_set_aside_before_a_migration_and_is_not_overwritten() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.store().enter(&key(), draft("kept"), 1).unwrap();
    let path = folder.path("s.db");
    let mut plain = folder.plain();
    let two = [MIGRATIONS[0], "CREATE TABLE later (x)"];
    schema::migrate(&mut plain, &two, Some(&path)).unwrap();
    assert_eq!(schema::user_version(&plain).unwrap(), 2);
    let aside = folder.path("s.db.v1.bak");
    assert_eq!(std::fs::metadata(&aside).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(folder.names().iter().filter(|name| name.contains("bak")).count(), 1);
    let copy = Store::open(&aside, Access::ReadOnly).unwrap();
    assert_eq!(copy.ledger(&key()).unwrap()[0].draft.text, "kept");
    drop(copy);
    let before = std::fs::read(&aside).unwrap();
    plain.execute_batch("DROP TABLE later; PRAGMA user_version = 1").unwrap();
    schema::migrate(&mut plain, &two, Some(&path)).unwrap();
    assert_eq!(std::fs::read(&aside).unwrap(), before);
}

#[test]
fn a_migration_that_fails_leaves_the_version_before() {
    let mut conn = Connection::open_in_memory().unwrap();
    schema::migrate(&mut conn, MIGRATIONS, None).unwrap();
    let broken = [MIGRATIONS[0], "CREATE TABLE later (x); CREATE TABLE later (x)"];
    assert!(schema::migrate(&mut conn, &broken, None).is_err());
    assert_eq!(schema::user_version(&conn).unwrap(), 1);
    assert!(conn.prepare("SELECT * FROM later").is_err());
}

#[test]
fn a_file_of_a_newer_version_is_read_and_says_so() {
    let folder = Folder::new();
    folder.store().enter(&key(), draft("kept"), 1).unwrap();
    folder.plain().execute_batch("CREATE TABLE later (x); PRAGMA user_version = 7").unwrap();
    let path = folder.path("s.db");
    let mut store = Store::open(&path, Access::ReadOnly).unwrap();
    let sentence = "the database was written by version 7, this program knows 1: it is opened read-only (update stet)";
    assert_eq!(store.notice().unwrap(), sentence);
    assert_eq!(store.ledger(&key()).unwrap().len(), 1);
    assert_eq!(store.enter(&key(), draft("new"), 2).unwrap_err().to_string(), sentence);
    assert_eq!(Store::open(&path, Access::Write).err().unwrap().to_string(), sentence);
}
