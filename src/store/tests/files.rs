//! The file: its modes, what is left beside it, and what is not a stet database.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rusqlite::Connection;

use super::given::{Folder, ORDERS, draft, key};
use crate::store::{Access, Entries, Store, StoreError, rows};

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn sqlite_is_recent_enough() {
    assert!(rusqlite::version_number() >= 3_053_002, "{}", rusqlite::version());
}

#[test]
fn a_new_database_is_its_owners_alone_with_all_that_stands_beside_it() {
    let folder = Folder::new();
    let path = folder.path("new/deeper/s.db");
    let mut store = Store::create_or_open(&path).unwrap();
    store.enter(&key(), draft("x"), 1).unwrap();
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    for name in ["s.db", "s.db-wal", "s.db-shm"] {
        assert_eq!(mode(&path.with_file_name(name)), 0o600, "{name}");
    }
    assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 3, "nothing of its making is left");
}

#[test]
fn reading_leaves_the_file_and_its_folder_as_they_were() {
    let folder = Folder::new();
    folder.store().import_interchange(ORDERS.as_bytes(), Entries::AsTheyStand, &mut |_, _| {}).unwrap();
    let path = folder.path("s.db");
    let look = || {
        let meta = std::fs::metadata(&path).unwrap();
        (folder.names(), meta.len(), (meta.mtime(), meta.mtime_nsec()), std::fs::read(&path).unwrap())
    };
    let before = look();
    assert_eq!(before.0, ["s.db"]);
    let store = Store::open(&path, Access::ReadOnly).unwrap();
    assert_eq!(store.sessions().unwrap().len(), 1);
    let mut log = store.log(&key()).unwrap();
    assert_eq!(log.raw(crate::session::FileNo(0), 0).unwrap(), ORDERS.lines().nth(1).unwrap().as_bytes());
    drop((store, log));
    assert!(look() == before, "something changed");
}

#[test]
fn of_a_file_that_is_not_ours_nothing_is_touched_and_the_newest_is_read() {
    for written in [false, true] {
        let folder = Folder::new();
        let mut writer = folder.store();
        writer.enter(&key(), draft("x"), 1).unwrap();
        let path = folder.path("s.db");
        let writer = if written {
            Some(writer)
        } else {
            drop(writer);
            None
        };
        let look = || {
            let files = folder.names().into_iter();
            files.map(|name| (name.clone(), std::fs::read(folder.path(&name)).unwrap())).collect::<Vec<_>>()
        };
        let before = look();
        assert_eq!(before.len(), if written { 3 } else { 1 });
        let (conn, _copy) = crate::store::open::connect(&path, false).unwrap();
        let entries: i64 = conn.query_row("SELECT count(*) FROM ledger", [], |row| row.get(0)).unwrap();
        assert_eq!(entries, 1);
        drop(conn);
        assert!(look() == before, "written: {written}");
        drop(writer);
    }
}

#[test]
fn what_was_said_to_be_saved_survives_a_kill() {
    use std::io::{BufRead, BufReader};
    for after in [1, 7, 20] {
        let folder = Folder::new();
        drop(folder.store());
        let mut other = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "store::tests::files::another_program_enters_and_says_so", "--ignored", "--nocapture"])
            .env("STET_TEST_KILLED", folder.path("s.db"))
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let said = BufReader::new(other.stdout.take().unwrap()).lines().map_while(Result::ok);
        let saved = said.filter(|line| line.contains("saved ")).take(after).count();
        other.kill().unwrap();
        other.wait().unwrap();
        assert_eq!(saved, after);
        let mut store = folder.store();
        let entries = store.ledger(&key()).unwrap();
        assert!(entries.len() >= after, "{} of {after}", entries.len());
        assert_eq!(store.verify(&key()).unwrap(), []);
        assert_eq!(store.enter(&key(), draft("after"), 1).unwrap().no as usize, entries.len() + 1);
    }
}

#[test]
#[ignore = "the program that the test above kills"]
fn another_program_enters_and_says_so() {
    use std::io::Write;
    let Some(path) = std::env::var_os("STET_TEST_KILLED") else { return };
    let mut store = Store::open(Path::new(&path), Access::Write).unwrap();
    for n in 0..10_000 {
        let entry = store.enter(&key(), draft(&n.to_string()), n).unwrap();
        writeln!(std::io::stdout(), "saved {}", entry.no).unwrap();
    }
}

#[test]
fn the_first_write_opens_it_for_writing() {
    let folder = Folder::new();
    drop(folder.store());
    let mut store = Store::open(&folder.path("s.db"), Access::ReadOnly).unwrap();
    assert!(store.conn.execute("INSERT INTO title VALUES (1, 'm')", []).is_err());
    store.enter(&key(), draft("x"), 1).unwrap();
    assert_eq!(store.ledger(&key()).unwrap().len(), 1);
}

#[test]
fn what_is_not_ours_is_named_and_left_alone() {
    let folder = Folder::new();
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.path(name), bytes).unwrap();
        folder.path(name)
    };
    let foreign = folder.path("foreign.db");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE session (id); PRAGMA user_version = 1").unwrap();
    let header = std::fs::read(&foreign).unwrap()[..100].to_vec();
    std::fs::create_dir(folder.path("folder")).unwrap();
    for (path, want) in [
        (folder.path("none.db"), "there is no file"),
        (write("empty", b""), "is not a stet database: the file is empty"),
        (write("text", b"{\"type\":\"user\"}"), "is not a stet database: it does not begin like SQLite"),
        (write("short", b"SQLite format 3\0"), "damaged"),
        (write("header", &header), "ends within its first page"),
        (foreign.clone(), "is a SQLite database, but not a stet database: its application id is 0x00000000"),
        (folder.path("folder"), "it is no regular file"),
    ] {
        let before = std::fs::read(&path).ok();
        for access in [Access::ReadOnly, Access::Write] {
            let error = Store::open(&path, access).err().unwrap().to_string();
            assert!(error.contains(want), "{}: {error}", path.display());
        }
        if path.exists() {
            assert!(Store::create_or_open(&path).is_err(), "{}", path.display());
        }
        assert!(!Store::is_stet(&path));
        assert_eq!(std::fs::read(&path).ok(), before);
    }
    assert_eq!(folder.names(), ["empty", "folder", "foreign.db", "header", "short", "text"]);
}

/// Without its lock, another program that closes the file may think itself the last and take the log away.
#[test]
#[cfg(target_os = "linux")]
fn asking_what_a_file_is_does_not_drop_the_lock_on_it() {
    let folder = Folder::new();
    let mut store = folder.store();
    store.enter(&key(), draft("x"), 1).unwrap();
    let inode = std::fs::metadata(folder.path("s.db")).unwrap().ino();
    let locked = || std::fs::read_to_string("/proc/locks").unwrap().contains(&format!(":{inode} "));
    assert!(locked());
    assert!(Store::is_stet(&folder.path("s.db")));
    drop(Store::open(&folder.path("s.db"), Access::ReadOnly).unwrap());
    assert!(locked());
    drop(store);
    assert!(!locked());
    assert!(Store::is_stet(&folder.path("s.db")));
}

#[test]
fn a_file_with_views_or_other_tables_under_our_names_is_refused() {
    for (sql, why) in [
        ("CREATE VIEW extra AS SELECT * FROM part", "holds a view, extra"),
        ("DROP TABLE side", "the table side is missing"),
        ("DROP TABLE side; CREATE TABLE side (x)", "the table side has another shape"),
    ] {
        let folder = Folder::new();
        drop(folder.store());
        folder.plain().execute_batch(sql).unwrap();
        let error = Store::open(&folder.path("s.db"), Access::ReadOnly).err().unwrap().to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn nothing_is_made_in_a_file_that_only_calls_itself_ours() {
    let folder = Folder::new();
    folder.plain().execute_batch("PRAGMA application_id = 0x73746574; CREATE TABLE mine (x)").unwrap();
    for access in [Access::ReadOnly, Access::Write] {
        let error = Store::open(&folder.path("s.db"), access).err().unwrap().to_string();
        assert!(error.contains("it says no version"), "{error}");
    }
    let tables: i64 = folder.plain().query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).unwrap();
    assert_eq!(tables, 1);
}

#[test]
fn a_file_without_its_guards_is_read_but_not_written() {
    for sql in [
        "DROP TRIGGER ledger_delete",
        "DROP TRIGGER ledger_delete; CREATE TRIGGER ledger_delete BEFORE DELETE ON ledger BEGIN SELECT 1; END",
        "DROP INDEX session_key",
        "DROP INDEX session_key; CREATE INDEX session_key ON session (agent)",
        "CREATE TRIGGER more AFTER INSERT ON ledger BEGIN DELETE FROM side; END",
    ] {
        let folder = Folder::new();
        folder.store().enter(&key(), draft("x"), 1).unwrap();
        folder.plain().execute_batch(sql).unwrap();
        let mut store = Store::open(&folder.path("s.db"), Access::ReadOnly).unwrap();
        assert_eq!(store.ledger(&key()).unwrap().len(), 1);
        assert!(matches!(store.enter(&key(), draft("y"), 2), Err(StoreError::Unguarded(_))), "{sql}");
        assert_eq!(store.verify(&key()).unwrap().len(), 1);
    }
}

#[test]
fn a_lock_of_another_program_is_waited_for_and_then_named() {
    let folder = Folder::new();
    let mut store = folder.store();
    let other = folder.plain();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(move || store.enter(&key(), draft("x"), 1).map(|entry| (entry, store)));
        std::thread::sleep(std::time::Duration::from_millis(400));
        other.execute_batch("COMMIT").unwrap();
        let (entry, mut store) = writer.join().unwrap().unwrap();
        assert_eq!(entry.no, 1);
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let started = std::time::Instant::now();
        let error = store.enter(&key(), draft("y"), 2).unwrap_err();
        assert!(started.elapsed() < std::time::Duration::from_secs(8));
        assert_eq!(
            error.to_string(),
            "the database is locked by another program for 5 s (this was not saved; try again)"
        );
    });
}

#[test]
fn a_transaction_that_fails_leaves_nothing() {
    let folder = Folder::new();
    let mut store = folder.store();
    store.enter(&key(), draft("x"), 1).unwrap();
    let failed: Result<(), StoreError> = store.write(|tx| {
        tx.execute("INSERT INTO session (agent, id) VALUES ('a', 'half')", [])?;
        Err(StoreError::Full)
    });
    assert!(failed.is_err());
    let sessions: i64 = folder.plain().query_row("SELECT count(*) FROM session", [], |row| row.get(0)).unwrap();
    assert_eq!(sessions, 1);
}

#[test]
fn work_that_was_begun_is_not_begun_again() {
    let folder = Folder::new();
    let mut store = folder.store();
    let mut times = 0;
    let failed: Result<(), StoreError> = store.write(|tx| {
        times += 1;
        tx.execute("INSERT INTO session (agent, id) VALUES ('a', 'half')", [])?;
        Err(StoreError::Busy(std::time::Duration::ZERO))
    });
    assert!(matches!(failed, Err(StoreError::Busy(_))));
    assert_eq!(times, 1);
    assert!(rows::session_row(&store.conn, &crate::session::SessionKey::new("a", "half")).unwrap().is_none());
}

#[test]
fn whatever_is_written_has_a_log_and_is_synced() {
    let folder = Folder::new();
    drop(folder.store());
    let mode =
        |conn: &Connection| conn.pragma_query_value(None, "journal_mode", |row| row.get::<_, String>(0)).unwrap();
    let plain = folder.plain();
    plain.pragma_update(None, "journal_mode", "DELETE").unwrap();
    assert_eq!(mode(&plain), "delete");
    drop(plain);
    let mut store = folder.store();
    store.enter(&key(), draft("x"), 1).unwrap();
    let synchronous: i64 = store.conn.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap();
    assert_eq!((mode(&store.conn).as_str(), synchronous), ("wal", 2));
    assert_eq!(mode(&folder.plain()), "wal");
}

#[test]
fn a_line_that_never_ends_is_not_read_for_ever() {
    use crate::store::file::read_line;
    let mut line = Vec::new();
    let mut read = |mut text: &[u8], longest| {
        line.clear();
        read_line(&mut text, longest, &mut line).map(|read| (read, line.clone())).map_err(|error| error.to_string())
    };
    assert_eq!(read(b"", 3), Ok((0, Vec::new())));
    assert_eq!(read(b"abc\nd", 3), Ok((4, b"abc\n".to_vec())));
    assert_eq!(read(b"abc", 3), Ok((3, b"abc".to_vec())));
    assert_eq!(read(b"abcd\n", 3), Err("it is longer than 3 bytes".into()));
    let folder = Folder::new();
    let endless = || std::io::BufReader::new(std::io::repeat(b'x'));
    let error = folder.store().import_interchange(endless(), Entries::AsTheyStand, &mut |_, _| {}).unwrap_err();
    assert_eq!(error.to_string(), "line 1: it is longer than 268435456 bytes");
    let error = crate::store::read_entries(endless(), &key()).unwrap_err();
    assert_eq!(error.to_string(), "line 1: it is longer than 268435456 bytes");
}

#[test]
fn nothing_is_said_to_be_saved_in_a_file_that_is_gone_or_another_by_now() {
    let (folder, other) = (Folder::new(), Folder::new());
    other.store().enter(&key(), draft("theirs"), 1).unwrap();
    for replaced in [false, true] {
        for lazily in [false, true] {
            let path = folder.path("s.db");
            let access = if lazily { Access::ReadOnly } else { Access::Write };
            drop(folder.store());
            let mut store = Store::open(&path, access).unwrap();
            for name in folder.names() {
                std::fs::remove_file(folder.path(&name)).unwrap();
            }
            if replaced {
                std::fs::copy(other.path("s.db"), &path).unwrap();
            }
            let error = store.enter(&key(), draft("mine"), 2).unwrap_err();
            assert!(matches!(error, StoreError::Replaced(_)), "{error}");
            drop(store);
            if replaced {
                assert_eq!(folder.store().ledger(&key()).unwrap().len(), 1);
            }
        }
    }
}

#[test]
fn where_nothing_can_be_put_beside_it_a_file_is_read_all_the_same() {
    let folder = Folder::new();
    folder.store().enter(&key(), draft("x"), 1).unwrap();
    std::fs::create_dir(folder.path("s.db-shm")).unwrap();
    let mut store = Store::open(&folder.path("s.db"), Access::ReadOnly).unwrap();
    assert_eq!(store.ledger(&key()).unwrap().len(), 1);
    assert!(store.enter(&key(), draft("y"), 2).is_err());
}

/// Compiling it anew takes longer than running it.
#[test]
fn a_statement_that_is_bound_anew_is_not_compiled_anew() {
    let folder = Folder::new();
    let mut store = folder.store();
    store
        .import_interchange(super::given::ORDERS.as_bytes(), crate::store::Entries::AsTheyStand, &mut |_, _| {})
        .unwrap();
    let mut read = store
        .conn
        .prepare(
            "SELECT part
             FROM line JOIN part USING (line) LEFT JOIN part_text USING (part)
             WHERE line.session = 1 AND line.file = :file AND line.seq = :seq AND block = :block",
        )
        .unwrap();
    for seq in 0..4 {
        let place = rusqlite::named_params! {":file": 0, ":seq": seq, ":block": 0};
        read.query_map(place, |_| Ok(())).unwrap().for_each(|row| row.unwrap());
    }
    assert_eq!(read.get_status(rusqlite::StatementStatus::RePrepare), 0);
}
