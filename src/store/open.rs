//! Opening a stet database, and the one way in which anything is written to it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use super::file::{self, Opened};
use super::{StoreError, forget, schema, search};

/// What a database is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Until the first write, which opens it for writing where that is allowed.
    ReadOnly,
    /// At once; fails where it cannot be written.
    Write,
}

/// An open stet database.
pub struct Store {
    // Closed before the file is said to be closed.
    pub(super) conn: Connection,
    path: PathBuf,
    opened: Opened,
    /// Where a copy lies that is read in place of the file; it goes with the store.
    _copy: Option<tempfile::TempDir>,
    /// SQLite itself lets nothing be written yet.
    query_only: bool,
    /// Why nothing can be written.
    refused: Option<Refused>,
    /// Rows written since the log was last moved into the database.
    pub(super) unmoved: usize,
}

#[derive(Clone, Debug)]
enum Refused {
    Folder,
    Full,
    Newer(u32),
    Unguarded(String),
}

impl Refused {
    fn error(&self, path: &Path) -> StoreError {
        match self {
            Refused::Folder => StoreError::ReadOnly(path.display().to_string()),
            Refused::Full => StoreError::Full,
            Refused::Newer(theirs) => StoreError::Newer { theirs: *theirs, ours: schema::VERSION },
            Refused::Unguarded(guard) => StoreError::Unguarded(guard.clone()),
        }
    }
}

/// How long a lock of another program is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// Rows in the log after which it is moved into the database. An entry takes some four pages, so the log stays near 4 MB:
/// one that grows must be given room on the disk with every sync, and that costs a third more.
const UNMOVED: usize = 256;

/// KiB of pages that are held for writing. What a large transaction changes finds room in it: pages that must leave before
/// the commit are written twice, and read once more.
const CACHE: i64 = 32 << 10;

impl Store {
    /// Opens a database that exists. Nothing is created or changed for reading.
    pub fn open(path: &Path, access: Access) -> Result<Store, StoreError> {
        let mut store = patient(Instant::now(), || Self::open_once(path))?;
        match access {
            Access::ReadOnly => {}
            Access::Write => store.for_writing()?,
        }
        Ok(store)
    }

    /// Opens a database for writing, and makes it, with its folder, where there is none. A file that is there and is
    /// not a stet database is left as it is.
    pub fn create_or_open(path: &Path) -> Result<Store, StoreError> {
        let missing = std::fs::symlink_metadata(path).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound);
        if missing {
            create(path)?;
        }
        Self::open(path, Access::Write)
    }

    /// Whether a file is a stet database, by its first bytes. Ask this before anything else opens the file: to close a
    /// file that SQLite has open in the same process drops its locks.
    pub fn is_stet(path: &Path) -> bool {
        file::is_stet(path)
    }

    /// Where it was opened from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Why nothing can be written to it, in one sentence; `None` where it can.
    pub fn notice(&self) -> Option<String> {
        self.refused.as_ref().map(|refused| refused.error(&self.path).to_string())
    }

    /// Whether nothing can be written beside the file: then SQLite clears nothing away that was left there.
    pub(super) fn clears_nothing(&self) -> bool {
        matches!(self.refused, Some(Refused::Folder | Refused::Full))
    }

    /// The first guard that is not as this program made it.
    pub(super) fn changed_guard(&self) -> Option<&str> {
        match &self.refused {
            Some(Refused::Unguarded(guard)) => Some(guard),
            Some(Refused::Folder | Refused::Full | Refused::Newer(_)) | None => None,
        }
    }

    fn open_once(path: &Path) -> Result<Store, StoreError> {
        let path = path.canonicalize().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => StoreError::Missing(path.display().to_string()),
            _ => file::io(format!("cannot look at {}", path.display()), error),
        })?;
        let opened = Opened::check(&path)?;
        let ours = file::is_ours_to_write(&path);
        let looked = |ours| {
            let (conn, copy) = connect(&path, ours)?;
            let version = schema::user_version(&conn)?;
            Ok::<_, StoreError>((conn, copy, version))
        };
        let mut refused = (!ours).then_some(Refused::Folder);
        let (conn, copy, version) = match looked(ours) {
            Err(why @ (StoreError::Full | StoreError::Sqlite(_))) if ours => {
                // There is no room beside it for what SQLite keeps there. It can still be read.
                let Ok(read) = looked(false) else { return Err(why) };
                refused = Some(if matches!(why, StoreError::Full) { Refused::Full } else { Refused::Folder });
                read
            }
            other => other?,
        };
        if version == 0 {
            return Err(StoreError::Damaged("it says no version".into()));
        } else if version > schema::VERSION {
            schema::check_newer(&conn)?;
            refused = Some(Refused::Newer(version));
        } else {
            // What an older version does not have is read as nothing there; the first write brings it.
            refused = refused.or(schema::check(&conn, version)?.map(Refused::Unguarded));
        }
        Ok(Store { conn, path, opened, _copy: copy, query_only: true, refused, unmoved: 0 })
    }

    /// Lets SQLite write from now on, or says why not.
    pub(super) fn for_writing(&mut self) -> Result<(), StoreError> {
        if let Some(refused) = &self.refused {
            return Err(refused.error(&self.path));
        }
        self.still_there()?;
        if self.query_only {
            self.conn.pragma_update(None, "query_only", false)?;
            self.conn.pragma_update(None, "cache_size", -CACHE)?;
            // The guards in the file refuse what is pinned and belongs to nothing, whoever writes; SQLite would look for
            // the same again. Derived tables have no guards: they can be made anew.
            self.conn.pragma_update(None, "foreign_keys", false)?;
            let ready = patient(Instant::now(), || {
                self.migrate()?;
                durable(&self.conn)?;
                search::mend(&self.conn)
            });
            if ready.is_err() {
                self.conn.pragma_update(None, "query_only", true)?;
            }
            ready?;
            self.query_only = false;
        }
        Ok(())
    }

    /// Of a file from which texts may go no copy is set aside: they would stay in it.
    fn migrate(&mut self) -> Result<(), StoreError> {
        if schema::user_version(&self.conn)? == schema::VERSION {
            return Ok(());
        }
        let forgets = forget::forgets(&self.conn)?;
        if forgets {
            forget::write_anew(&self.conn)?;
        }
        schema::migrate(&mut self.conn, schema::MIGRATIONS, (!forgets).then_some(&self.path))?;
        if forgets { self.empty_log() } else { Ok(()) }
    }

    /// One transaction: everything or nothing, and it is on the disk when this returns. Waits a while for others, but
    /// only to begin: the work is done once, for it may use up what it reads.
    pub(super) fn write<T>(
        &mut self,
        work: impl FnOnce(&Transaction) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.for_writing()?;
        let started = Instant::now();
        let tx = patient(started, || Ok(Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate)?))?;
        let done = self.still_there().and_then(|()| work(&tx)).and_then(|done| {
            self.still_there()?;
            tx.commit()?;
            Ok(done)
        });
        done.map_err(|error| if error.is_busy() { StoreError::Busy(started.elapsed()) } else { error })
    }

    /// What is written to a file that was deleted is gone.
    fn still_there(&self) -> Result<(), StoreError> {
        if self.opened.is_gone(&self.path) {
            return Err(StoreError::Replaced(self.path.display().to_string()));
        }
        Ok(())
    }

    /// Moves the log into the database when it has grown. What it says is not about what was committed: that is safe.
    pub(super) fn wrote(&mut self, rows: usize) {
        self.unmoved += rows;
        if self.unmoved >= UNMOVED && self.tidy().is_ok() {
            self.unmoved = 0;
        }
    }

    /// The same behind rows of records: they are short and lie side by side, so that many take no more room than an entry.
    pub(super) fn wrote_records(&mut self, rows: usize) {
        self.wrote(1 + rows / 64);
    }

    /// Moves the log into the database as far as no reader stands in the way.
    pub fn tidy(&mut self) -> Result<(), StoreError> {
        Ok(self.conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?)
    }

    /// Another connection for reading, for another thread.
    pub(super) fn reader(&self) -> Result<Store, StoreError> {
        Store::open(&self.path, Access::ReadOnly)
    }
}

/// Tries until no other program's lock stands in the way, for a while.
pub(super) fn patient<T>(started: Instant, mut work: impl FnMut() -> Result<T, StoreError>) -> Result<T, StoreError> {
    loop {
        match work() {
            Err(error) if error.is_busy() && started.elapsed() < PATIENCE => pause(started),
            Err(error) if error.is_busy() => return Err(StoreError::Busy(started.elapsed())),
            other => return other,
        }
    }
}

/// Whoever made the file: what is committed is on the disk, and readers do not stand in the way.
fn durable(conn: &Connection) -> Result<(), StoreError> {
    let mode: String = conn.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(StoreError::Sqlite(format!("no write-ahead log can be kept beside it (journal mode {mode})")));
    }
    Ok(conn.pragma_update(None, "synchronous", "FULL")?)
}

fn pause(started: Instant) {
    let waited = started.elapsed().as_millis() as u64;
    std::thread::sleep(Duration::from_millis((waited / 4).clamp(2, 50)));
}

/// A guarded connection to a file whose header was checked. A file that is ours is opened so that SQLite clears away
/// what it keeps beside it. Beside any other nothing may appear: what rests is read as it lies, what may still be written
/// by its owner is copied first.
pub(super) fn connect(path: &Path, ours: bool) -> Result<(Connection, Option<tempfile::TempDir>), StoreError> {
    let shared = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW | OpenFlags::SQLITE_OPEN_EXRESCODE;
    let (conn, copy) = if ours {
        (Connection::open_with_flags(path, shared | OpenFlags::SQLITE_OPEN_READ_WRITE)?, None)
    } else if file::beside(path, "-wal").exists() {
        let (folder, copy) = file::copy_apart(path)?;
        (Connection::open_with_flags(copy, shared | OpenFlags::SQLITE_OPEN_READ_WRITE)?, Some(folder))
    } else {
        let uri = format!("file:{}?immutable=1", escaped(path));
        let flags = shared | OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        (Connection::open_with_flags(uri, flags)?, None)
    };
    guard(&conn)?;
    conn.pragma_update(None, "query_only", true)?;
    Ok((conn, copy))
}

/// What no file, whoever made it, may change.
fn guard(conn: &Connection) -> Result<(), StoreError> {
    conn.busy_timeout(Duration::from_millis(250))?;
    for (config, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DDL, false),
        // A plan looks at no bound value: else many a statement is compiled anew each time that one is bound.
        (DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true),
    ] {
        conn.set_db_config(config, on)?;
    }
    for (limit, most) in [
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, 100_000),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 50),
        (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 4),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
        conn.set_limit(limit, most)?;
    }
    conn.execute_batch(
        "PRAGMA cell_size_check = ON;
         PRAGMA mmap_size = 0;
         PRAGMA temp_store = MEMORY;
         PRAGMA secure_delete = FAST;
         PRAGMA synchronous = FULL;
         PRAGMA wal_autocheckpoint = 0;",
    )?;
    conn.set_prepared_statement_cache_capacity(96);
    Ok(())
}

fn escaped(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    let mut text = String::new();
    for byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-".contains(byte) {
            text.push(char::from(*byte));
        } else {
            text.push('%');
            text.push_str(&file::hex(&[*byte]));
        }
    }
    text
}

/// Makes a whole database under another name and gives it its own when it is done: nobody ever sees half of one. Who
/// comes second takes the first one's.
fn create(path: &Path) -> Result<(), StoreError> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    file::make_folder(folder)?;
    let folder = folder.canonicalize().map_err(|error| file::io(format!("cannot find {}", folder.display()), error))?;
    let failed = |error| file::io(format!("cannot make {}", path.display()), error);
    let new = tempfile::Builder::new()
        .prefix(".stet-")
        .suffix(".new")
        .make_in(&folder, file::make_file)
        .map_err(failed)?
        .into_temp_path();
    {
        let mut conn = Connection::open_with_flags(
            &new,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW,
        )?;
        // Rollback journal first, so that the file itself says at once what it is.
        conn.pragma_update(None, "synchronous", "EXTRA")?;
        schema::migrate(&mut conn, schema::MIGRATIONS, None)?;
        conn.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
        conn.close().map_err(|(_, error)| error)?;
    }
    match new.persist_noclobber(path) {
        Ok(()) => file::sync_folder(&folder),
        Err(lost) if lost.error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(lost) => Err(failed(lost.error)),
    }
}
