//! Nasty SQLite files: those of other programs, which are refused untouched, and stet databases that were damaged or
//! made hostile, which are refused or read safely.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::{Act, Case, Corpus};
use crate::random::Chance;

/// The shape in which another agent keeps its sessions.
const FOREIGN: &str = "CREATE TABLE session(id TEXT PRIMARY KEY, title TEXT, directory TEXT, time_created INTEGER);
    CREATE TABLE message(id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
    CREATE TABLE part(id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
    INSERT INTO session VALUES('s1','t','/nowhere',1);
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i < 200)
      INSERT INTO message SELECT 'm'||i, 's1', i, '{\"role\":\"user\"}' FROM n;
    INSERT INTO part SELECT 'p'||id, id, 's1', time_created, '{\"type\":\"text\",\"text\":\"GOOD\"}' FROM message;";

/// Views that stand where tables are awaited.
const SESSION_ONLY: &str =
    "CREATE TABLE session(id TEXT PRIMARY KEY, title TEXT, directory TEXT, time_created INTEGER);
    INSERT INTO session VALUES('s1','t','/',1);
    CREATE TABLE part(id TEXT, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);";
const ENDLESS: &str = "CREATE VIEW message AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c)
    SELECT 'm'||x AS id, 's1' AS session_id, x AS time_created, '{}' AS data FROM c;";
const HUGE: &str = "CREATE VIEW message AS
    SELECT 'm1' AS id, 's1' AS session_id, 1 AS time_created, hex(zeroblob(400000000)) AS data;";
const EXTENSION: &str = "CREATE VIEW message AS
    SELECT load_extension('/nowhere/nope') AS id, 's1' AS session_id, 1 AS time_created, '{}' AS data;";

fn patch(path: &Path, offset: u64, bytes: &[u8]) {
    fs::OpenOptions::new().write(true).open(path).unwrap().write_all_at(bytes, offset).unwrap();
}

fn cut(path: &Path, length: u64) {
    fs::OpenOptions::new().write(true).open(path).unwrap().set_len(length).unwrap();
}

fn length(path: &Path) -> u64 {
    fs::metadata(path).unwrap().len()
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn flip(path: &Path, seed: u64, times: usize) {
    let mut chance = Chance::new(seed);
    for _ in 0..times {
        let offset = 100 + chance.below(length(path) as usize - 100) as u64;
        patch(path, offset, &[chance.next() as u8]);
    }
}

fn random_bytes(seed: u64, count: usize) -> Vec<u8> {
    let mut chance = Chance::new(seed);
    (0..count).map(|_| chance.next() as u8).collect()
}

/// Puts a table's root page into itself.
fn loop_page(path: &Path, table: &str) {
    let root: i64 = Connection::open(path)
        .unwrap()
        .query_row("SELECT rootpage FROM sqlite_schema WHERE name = ?1", [table], |row| row.get(0))
        .unwrap();
    let bytes = fs::read(path).unwrap();
    let size = match u64::from(u16::from_be_bytes([bytes[16], bytes[17]])) {
        1 => 65_536,
        size => size,
    };
    let page = (root as u64 - 1) * size;
    assert_eq!(bytes[page as usize], 5, "{table} is too small to have an inner page");
    let cell = u16::from_be_bytes([bytes[page as usize + 12], bytes[page as usize + 13]]);
    patch(path, page + u64::from(cell), &(root as u32).to_be_bytes());
    patch(path, page + 8, &(root as u32).to_be_bytes());
}

/// Commits `rows` more and leaves them in the write-ahead log.
fn leave_wal(path: &Path, sql: &str) {
    let source = beside(path, ".source");
    fs::rename(path, &source).unwrap();
    let db = Connection::open(&source).unwrap();
    db.execute_batch("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;").unwrap();
    db.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);").unwrap();
    db.execute_batch(sql).unwrap();
    fs::copy(&source, path).unwrap();
    fs::copy(beside(&source, "-wal"), beside(path, "-wal")).unwrap();
    drop(db);
    for ending in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(beside(&source, ending));
    }
}

/// Leaves a transaction that was begun and never ended.
fn leave_journal(path: &Path, sql: &str) {
    let db = Connection::open(path).unwrap();
    db.execute_batch("PRAGMA journal_mode=DELETE; PRAGMA cache_size=2; PRAGMA cache_spill=1; BEGIN IMMEDIATE;")
        .unwrap();
    db.execute_batch(sql).unwrap();
    let (copy, journal) = (beside(path, ".copy"), beside(path, ".copy-journal"));
    fs::copy(path, &copy).unwrap();
    fs::copy(beside(path, "-journal"), &journal).unwrap();
    db.execute_batch("ROLLBACK;").unwrap();
    drop(db);
    fs::rename(copy, path).unwrap();
    fs::rename(journal, beside(path, "-journal")).unwrap();
}

impl Corpus {
    fn database(&mut self, name: &'static str, sql: &[&str]) -> &mut Case {
        let path = self.folder(name).join("store.db");
        let db = Connection::open(&path).unwrap();
        for sql in sql {
            db.execute_batch(sql).unwrap();
        }
        drop(db);
        self.add(name, path, Act::Refuses)
    }

    fn bytes(&mut self, name: &'static str, bytes: &[u8]) -> &mut Case {
        let path = self.folder(name).join("store.db");
        fs::write(&path, bytes).unwrap();
        self.add(name, path, Act::Refuses)
    }

    fn copy_of(&mut self, name: &'static str, good: &Path) -> &mut Case {
        let path = self.folder(name).join("session.db");
        fs::copy(good, &path).unwrap();
        let case = self.add(name, path, Act::Answers);
        case.is_ours = true;
        case
    }
}

/// Databases that are not ours: all are refused, and nothing is left beside them.
pub fn foreign(c: &mut Corpus) {
    c.bytes("s01-zero-bytes", b"");
    let case = c.database("s02-header-only", &[FOREIGN]);
    cut(&case.path, 100);
    let case = c.database("s03-cut-in-half", &[FOREIGN]);
    cut(&case.path, length(&case.path) / 2 / 4096 * 4096 + 1000);
    let case = c.database("s04-bad-page-size", &[FOREIGN]);
    patch(&case.path, 16, b"\x03\xe7");
    let case = c.database("s05-random-flips", &[FOREIGN]);
    flip(&case.path, 5, 80);
    let case = c.database("s10-wal-without-shm", &[FOREIGN]);
    leave_wal(&case.path, "INSERT INTO session VALUES('s2','t','/',1);");
    let case = c.database("s13-empty-wal", &[FOREIGN, "PRAGMA journal_mode=WAL;"]);
    fs::write(beside(&case.path, "-wal"), b"").unwrap();
    let case = c.database("s14-hot-journal", &[FOREIGN]);
    leave_journal(&case.path, "UPDATE part SET data = replace(data, 'GOOD', 'TORN'); DELETE FROM message;");
    let case = c.database("s15-garbage-journal", &[FOREIGN]);
    fs::write(beside(&case.path, "-journal"), random_bytes(15, 5000)).unwrap();
    c.database("s20-newer-schema", &[FOREIGN, "PRAGMA user_version=9999;"]);
    c.database("s22-endless-view", &[SESSION_ONLY, ENDLESS]);
    c.database("s23-huge-view", &[SESSION_ONLY, HUGE]);
    c.database("s24-view-that-loads-an-extension", &[SESSION_ONLY, EXTENSION]);
    c.database("s26-triggers", &[FOREIGN, "CREATE TRIGGER a AFTER INSERT ON message BEGIN DELETE FROM part; END;"]);
    let module = "PRAGMA writable_schema=ON; INSERT INTO sqlite_schema
        VALUES('table','evil','evil',0,'CREATE VIRTUAL TABLE evil USING nosuchmodule(x)');";
    c.database("s27-unknown-module", &[FOREIGN, module]);
    let garbage =
        "PRAGMA writable_schema=ON; INSERT INTO sqlite_schema VALUES('table','x','x',2,'CREATE TABLE x((( ');";
    c.database("s28-schema-is-garbage", &[FOREIGN, garbage]);
    let columns: Vec<String> = (0..1900).map(|n| format!("c{n} TEXT /*{}*/", "x".repeat(100))).collect();
    c.database("s29-1900-columns", &[FOREIGN, &format!("CREATE TABLE wide({})", columns.join(","))]);
    c.database("s33-utf-16", &["PRAGMA encoding='UTF-16le';", FOREIGN]);
    c.database("s34-page-512", &["PRAGMA page_size=512; PRAGMA auto_vacuum=1;", FOREIGN]);
    c.database("s35-page-65536", &["PRAGMA page_size=65536;", FOREIGN]);
    let case = c.database("s37-read-version-3", &[FOREIGN]);
    patch(&case.path, 19, b"\x03");
    c.bytes("s38-random-8-kb", &random_bytes(38, 8192));
    let names = "CREATE TABLE \"message\"\" ;--\"(\"a\"\"b\" TEXT); CREATE TABLE \"\x1b[2Jx\"(y);
        CREATE TABLE \"\u{202e}elbat\"(z);";
    c.database("s40-names-that-act", &[FOREIGN, names]);
    // A database by its name, a session by what is in it.
    let line = "{\"type\":\"user\",\"uuid\":\"u\",\"sessionId\":\"s\",\"message\":{\"role\":\"user\",\"content\":\"GOOD-s39-1\"}}\n";
    let case = c.bytes("s39-jsonl-named-db", line.as_bytes());
    case.act = Act::Opens;
    case.good(1);
}

/// Stet databases that somebody damaged or made hostile. `good` is a whole one whose texts are `GOOD-own-1…`.
pub fn mangled(c: &mut Corpus, good: &Path, count: usize) {
    let mut sql = |name: &'static str, sql: &str, act: Act| {
        let case = c.copy_of(name, good);
        Connection::open(&case.path).unwrap().execute_batch(sql).unwrap();
        case.act = act;
    };
    sql("d20-newer-version", "PRAGMA user_version=9999;", Act::Answers);
    sql("d21-table-missing", "PRAGMA foreign_keys=OFF; DROP TABLE part_text;", Act::Answers);
    let in_place = |view: &str| format!("PRAGMA foreign_keys=OFF; DROP TABLE part_text; {view}");
    let endless = "CREATE VIEW part_text(part, text) AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c)
        SELECT x, 'again' FROM c;";
    sql("d22-endless-view", &in_place(endless), Act::Answers);
    let huge = "CREATE VIEW part_text(part, text) AS
        WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x < 9) SELECT x, hex(zeroblob(400000000)) FROM c;";
    sql("d23-huge-view", &in_place(huge), Act::Answers);
    let extension = "CREATE VIEW part_text(part, text) AS SELECT 1, load_extension('/nowhere/nope');";
    sql("d24-view-that-loads-an-extension", &in_place(extension), Act::Answers);
    sql(
        "d27-unknown-module",
        "PRAGMA writable_schema=ON; INSERT INTO sqlite_schema
        VALUES('table','evil','evil',0,'CREATE VIRTUAL TABLE evil USING nosuchmodule(x)');",
        Act::Answers,
    );
    sql(
        "d28-schema-is-garbage",
        "PRAGMA writable_schema=ON;
        INSERT INTO sqlite_schema VALUES('table','x','x',2,'CREATE TABLE x((( ');",
        Act::Refuses,
    );
    // Without its triggers a database takes anything.
    sql("d30-values-of-the-wrong-kind", "PRAGMA writable_schema=ON;
        DELETE FROM sqlite_schema WHERE type = 'trigger';
        UPDATE sqlite_schema SET sql = replace(replace(sql, 'STRICT', ''), 'CHECK', '-- ') WHERE name IN ('part', 'line');",
        Act::Answers);
    let case = c.copy_of("d01-cut-in-half", good);
    cut(&case.path, length(&case.path) / 2 / 4096 * 4096 + 1000);
    let case = c.copy_of("d02-header-only", good);
    cut(&case.path, 100);
    case.act = Act::Refuses;
    for (name, seed, times) in
        [("d05-flips-a", 51, 10), ("d05-flips-b", 52, 40), ("d05-flips-c", 53, 80), ("d05-flips-d", 54, 160)]
    {
        let case = c.copy_of(name, good);
        flip(&case.path, seed, times);
    }
    let case = c.copy_of("d06-page-in-itself", good);
    loop_page(&case.path, "part_text");
    let case = c.copy_of("d07-free-list-lies", good);
    patch(&case.path, 32, &[0, 0, 0, 3, 0, 0, 0x27, 0x0f]);
    let case = c.copy_of("own-whole", good);
    case.act = Act::Opens;
    case.good(count);
    // Of another program's database that lies open here too: what is committed is in the log.
    let case = c.copy_of("d11-log-of-another-database", good);
    fs::write(beside(&case.path, "-wal"), random_bytes(11, 8000)).unwrap();
    let case = c.copy_of("d15-garbage-journal", good);
    fs::write(beside(&case.path, "-journal"), random_bytes(15, 5000)).unwrap();
    let case = c.copy_of("d36-write-version-3", good);
    patch(&case.path, 18, b"\x03");
    let case = c.copy_of("d37-read-version-3", good);
    patch(&case.path, 19, b"\x03");
}
