//! A stored session as a [`Log`]: an offset is a line's sequence, and pages go by key, never by counting.

use super::rows::{self, Stored};
use super::{Access, Store, StoreError};
use crate::session::{Depth, FileNo, Head, Line, Log, LogError, SessionKey, SideFile, Stretch};

struct StoredLog {
    store: Store,
    session: i64,
    head: Head,
}

/// Lines asked for at a time: some pages of a screen.
const PAGE: usize = 256;

impl Store {
    /// An open session of this database, with a connection of its own.
    pub fn log(&self, key: &SessionKey) -> Result<Box<dyn Log>, StoreError> {
        let store = self.reader()?;
        let session = rows::session_row(&store.conn, key)?.ok_or_else(|| StoreError::NoSession(key.to_string()))?;
        let head = head(&store, session, key)?;
        Ok(Box::new(StoredLog { store, session, head }))
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
    fn failed(&self, error: StoreError) -> LogError {
        LogError::Unreadable { path: self.head.path.display().to_string(), why: error.to_string() }
    }

    /// Pages from one end of what is wanted, until the budget is spent.
    fn pages(
        &self,
        budget: usize,
        mut page: impl FnMut(Option<&Line>) -> Result<Vec<Stored>, StoreError>,
    ) -> Result<(Vec<Line>, bool), LogError> {
        let mut lines: Vec<Line> = Vec::new();
        let mut spent = 0;
        loop {
            let got = match page(lines.last()) {
                Ok(got) => got,
                // What could be read is given; the damage is told when somebody asks for what comes after it.
                Err(_) if !lines.is_empty() => return Ok((lines, false)),
                Err(error) => return Err(self.failed(error)),
            };
            let end = got.len() < PAGE;
            let whole = got.len();
            for (nth, Stored { line, .. }) in got.into_iter().enumerate() {
                spent += line.len as usize + 1;
                lines.push(line);
                if spent >= budget {
                    return Ok((lines, end && nth + 1 == whole));
                }
            }
            if end {
                return Ok((lines, true));
            }
        }
    }
}

impl Log for StoredLog {
    fn head(&self) -> &Head {
        &self.head
    }

    fn forward(&mut self, file: FileNo, from: u64, budget: usize, depth: Depth) -> Result<Stretch, LogError> {
        let conn = &self.store.conn;
        let (lines, at_end) = self.pages(budget, |last| {
            let from = last.map_or(from, |line| line.offset + 1);
            rows::forward(conn, self.session, file, from, PAGE, depth)
        })?;
        let end = lines.last().map_or(from, |line| line.offset + 1);
        let start = lines.first().map_or(from, |line| line.offset);
        Ok(Stretch { file, lines, start, end, at_start: start == 0, at_end, pending: 0 })
    }

    fn backward(&mut self, file: FileNo, before: u64, budget: usize, depth: Depth) -> Result<Stretch, LogError> {
        let conn = &self.store.conn;
        let (mut lines, at_start) = self.pages(budget, |last| {
            let before = last.map_or(before, |line| line.offset);
            rows::backward(conn, self.session, file, before, PAGE, depth)
        })?;
        lines.reverse();
        let size = self.size(file)?;
        let end = lines.last().map_or(before.min(size), |line| line.offset + 1);
        let start = lines.first().map_or(end, |line| line.offset);
        Ok(Stretch { file, lines, start, end, at_start: at_start || start == 0, at_end: end >= size, pending: 0 })
    }

    fn raw(&mut self, file: FileNo, offset: u64) -> Result<Vec<u8>, LogError> {
        let raw = || {
            let line = rows::forward(&self.store.conn, self.session, file, offset, 1, Depth::Outline)?.pop();
            match line.filter(|stored| stored.line.offset == offset) {
                Some(stored) => rows::raw(&self.store.conn, stored.row),
                None => Ok(None),
            }
        };
        raw().map_err(|error| self.failed(error))?.ok_or_else(|| LogError::Unreadable {
            path: self.head.path.display().to_string(),
            why: format!("no raw line {}", offset + 1),
        })
    }

    fn size(&mut self, file: FileNo) -> Result<u64, LogError> {
        rows::size(&self.store.conn, self.session, file).map_err(|error| self.failed(error))
    }

    fn again(&self) -> Result<Box<dyn Log>, LogError> {
        let store = Store::open(self.store.path(), Access::ReadOnly).map_err(|error| self.failed(error))?;
        Ok(Box::new(StoredLog { store, session: self.session, head: self.head.clone() }))
    }
}
