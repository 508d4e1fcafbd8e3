//! A stored session as a [`Log`]: an offset is a line's sequence, and what is read goes by key, never by counting.

use super::rows::{self, Most, Stored};
use super::{Access, Store, StoreError, forget, sessions};
use crate::session::{Depth, FileNo, Hash, Head, Line, Log, LogError, SessionKey, SideFile, Stretch};

struct StoredLog {
    store: Store,
    session: i64,
    head: Head,
    /// Its texts may be gone.
    retention: bool,
}

impl Store {
    /// An open session of this database, with a connection of its own.
    pub fn log(&self, key: &SessionKey) -> Result<Box<dyn Log>, StoreError> {
        let store = self.reader()?;
        let session = rows::session_row(&store.conn, key)?.ok_or_else(|| StoreError::NoSession(key.to_string()))?;
        let head = head(&store, session, key)?;
        let retention = sessions::in_retention(&store.conn, session)?;
        Ok(Box::new(StoredLog { store, session, head, retention }))
    }
}

fn head(store: &Store, session: i64, key: &SessionKey) -> Result<Head, StoreError> {
    let title = super::sessions::title(&store.conn, session)?;
    let mut read =
        store.conn.prepare_cached("SELECT file, agent_id, path FROM side WHERE session = :session ORDER BY file")?;
    let sides = read.query_map(rusqlite::named_params! {":session": session}, |row| {
        Ok(SideFile { file: FileNo(row.get(0)?), agent_id: row.get(1)?, path: row.get::<_, String>(2)?.into() })
    })?;
    let sides = sides.collect::<Result<_, _>>()?;
    Ok(Head { key: key.clone(), path: store.path().to_owned(), title, sides, rows: true })
}

impl StoredLog {
    /// `at` is where nothing was found.
    fn stretch(&mut self, file: FileNo, mut lines: Vec<Stored>, at: u64, depth: Depth) -> Result<Stretch, LogError> {
        if self.retention {
            for stored in &mut lines {
                forget::tell(&self.store.conn, stored, depth).map_err(|error| self.failed(error))?;
            }
        }
        let lines: Vec<Line> = lines.into_iter().map(|stored| stored.line).collect();
        let start = lines.first().map_or(at, |line| line.offset);
        let end = lines.last().map_or(at, |line| line.offset + 1);
        let at_end = end >= self.size(file)?;
        Ok(Stretch { file, lines, start, end, at_start: start == 0, at_end, pending: 0 })
    }

    fn failed(&self, error: StoreError) -> LogError {
        LogError::Unreadable { path: self.head.path.display().to_string(), why: error.to_string() }
    }
}

impl Log for StoredLog {
    fn head(&self) -> &Head {
        &self.head
    }

    fn forward(&mut self, file: FileNo, from: u64, budget: usize, depth: Depth) -> Result<Stretch, LogError> {
        let read = rows::forward(&self.store.conn, self.session, file, from, Most::bytes(budget), depth);
        let lines = read.map_err(|error| self.failed(error))?;
        self.stretch(file, lines, from, depth)
    }

    fn backward(&mut self, file: FileNo, before: u64, budget: usize, depth: Depth) -> Result<Stretch, LogError> {
        let read = rows::backward(&self.store.conn, self.session, file, before, Most::bytes(budget), depth);
        let mut lines = read.map_err(|error| self.failed(error))?;
        lines.reverse();
        let size = self.size(file)?;
        self.stretch(file, lines, before.min(size), depth)
    }

    fn raw(&mut self, file: FileNo, offset: u64) -> Result<Vec<u8>, LogError> {
        let raw = rows::raw_at(&self.store.conn, self.session, file, offset);
        let (path, line) = (self.head.path.display().to_string(), offset.saturating_add(1));
        raw.map_err(|error| self.failed(error))?.ok_or_else(|| {
            if self.retention {
                LogError::Gone { path, line }
            } else {
                LogError::Unreadable { path, why: format!("no raw line {line}") }
            }
        })
    }

    fn forgets(&self) -> bool {
        self.retention
    }

    fn has_forgotten(&self) -> bool {
        self.retention && forget::has_forgotten(&self.store.conn, self.session).unwrap_or(true)
    }

    fn gone_turns(&self) -> u32 {
        if self.retention { forget::gone_turns(&self.store.conn, self.session).unwrap_or(0) } else { 0 }
    }

    fn fingerprint(&mut self, read: &[(FileNo, u64)]) -> Result<Option<Hash>, LogError> {
        // Words that were to go must not stay in what was found.
        if self.retention {
            return Ok(None);
        }
        sessions::fingerprint(&self.store.conn, self.session, read).map_err(|error| self.failed(error))
    }

    fn size(&mut self, file: FileNo) -> Result<u64, LogError> {
        rows::size(&self.store.conn, self.session, file).map_err(|error| self.failed(error))
    }

    fn again(&self) -> Result<Box<dyn Log>, LogError> {
        let store = Store::open(self.store.path(), Access::ReadOnly).map_err(|error| self.failed(error))?;
        let (session, head, retention) = (self.session, self.head.clone(), self.retention);
        Ok(Box::new(StoredLog { store, session, head, retention }))
    }
}
