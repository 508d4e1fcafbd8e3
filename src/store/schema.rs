//! The shape of a stet database: numbered migrations, and the check that a file has the shape they give.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use rusqlite::backup::Backup;
use rusqlite::{Connection, TransactionBehavior};

use super::StoreError;
use super::file::{self, APPLICATION_ID};

/// Each is released once and never edited; the next number mends it.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("migrations/001_pinned_and_derived.sql"),
    include_str!("migrations/002_wrong_alarms.sql"),
    include_str!("migrations/003_blocks.sql"),
    include_str!("migrations/004_rendered.sql"),
    include_str!("migrations/005_audits.sql"),
    include_str!("migrations/006_borrowed.sql"),
    include_str!("migrations/007_forgetful.sql"),
    include_str!("migrations/008_turned.sql"),
    include_str!("migrations/009_lengths.sql"),
];

/// The `user_version` that this program writes.
pub(super) const VERSION: u32 = MIGRATIONS.len() as u32;

/// Runs what is missing in one transaction. A database that exists already is set aside first.
pub(super) fn migrate(conn: &mut Connection, migrations: &[&str], set_aside: Option<&Path>) -> Result<(), StoreError> {
    let have = user_version(conn)?;
    if have as usize >= migrations.len() {
        return Ok(());
    }
    if let Some(path) = set_aside {
        copy_aside(conn, path, have)?;
    }
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have come first.
    let have = user_version(&tx)?;
    for migration in migrations.iter().skip(have as usize) {
        tx.execute_batch(migration)?;
    }
    tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    tx.pragma_update(None, "user_version", migrations.len() as u32)?;
    Ok(tx.commit()?)
}

/// The version of the shape that the file has.
pub(super) fn user_version(conn: &Connection) -> Result<u32, StoreError> {
    Ok(conn.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

/// A copy under `<name>.v<version>.bak`, 0600. One that is there already is kept: it is nearer to the original.
fn copy_aside(conn: &Connection, path: &Path, version: u32) -> Result<(), StoreError> {
    let aside = file::beside(path, &format!(".v{version}.bak"));
    match file::make_file(&aside) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => return Ok(()),
        Err(error) => return Err(file::io(format!("cannot set a copy aside as {}", aside.display()), error)),
    }
    let copied = (|| {
        let mut copy = Connection::open(&aside)?;
        Backup::new(conn, &mut copy)?.run_to_completion(1000, std::time::Duration::ZERO, None)?;
        copy.pragma_update(None, "journal_mode", "DELETE")
    })();
    if let Err(error) = copied {
        // Half a copy must not pass for one.
        std::fs::remove_file(&aside).ok();
        return Err(error.into());
    }
    file::sync_folder(aside.parent().unwrap_or(Path::new("/")))
}

type Shape = BTreeMap<(String, String), String>;

/// Every table, index, trigger and view with its SQL.
fn shape(conn: &Connection) -> Result<Shape, StoreError> {
    let mut read = conn.prepare("SELECT type, name, ifnull(sql, '') FROM sqlite_schema")?;
    let rows = read.query_map([], |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The shape of a version from 1 to ours.
fn wanted(version: u32) -> Result<&'static Shape, StoreError> {
    static WANTED: [OnceLock<Shape>; MIGRATIONS.len()] = [const { OnceLock::new() }; MIGRATIONS.len()];
    let migrations = &MIGRATIONS[..version as usize];
    let made = &WANTED[migrations.len() - 1];
    if let Some(shape) = made.get() {
        return Ok(shape);
    }
    let mut conn = Connection::open_in_memory()?;
    migrate(&mut conn, migrations, None)?;
    let shape = shape(&conn)?;
    Ok(made.get_or_init(|| shape))
}

/// Compares a file of this version, from 1 to ours, with the shape that it must have. `Ok(Some(…))`: it can be read, but its
/// guards are not whole. An error: tables are missing or are not what they say.
pub(super) fn check(conn: &Connection, version: u32) -> Result<Option<String>, StoreError> {
    let (have, wanted) = (shape(conn)?, wanted(version)?);
    for key @ (kind, name) in have.keys() {
        if kind == "view" {
            return Err(StoreError::Damaged(format!("it holds a view, {name}, that no version of stet makes")));
        }
        if kind == "table" && wanted.get(key).is_some_and(|sql| *sql != have[key]) {
            return Err(StoreError::Damaged(format!("the table {name} has another shape")));
        }
    }
    for (kind, name) in wanted.keys() {
        if kind == "table" && !have.contains_key(&(kind.clone(), name.clone())) {
            return Err(StoreError::Damaged(format!("the table {name} is missing")));
        }
    }
    // One that is missing or other than it was made; then one that was added. Some indexes guard as well.
    let mut guards = wanted.keys().chain(have.keys()).filter(|(kind, _)| kind == "trigger" || kind == "index");
    Ok(guards.find(|key| have.get(*key) != wanted.get(*key)).map(|(_, name)| name.clone()))
}

/// Of a newer version only this is known: what stands under our names must be tables.
pub(super) fn check_newer(conn: &Connection) -> Result<(), StoreError> {
    let have = shape(conn)?;
    match have.keys().find(|(kind, _)| kind == "view") {
        Some((_, name)) => Err(StoreError::Damaged(format!("it holds a view, {name}"))),
        None => Ok(()),
    }
}
