//! The file under a database: what its first bytes say, how a new one comes to be, and which ones this process has open.
//! SQL is kept out.

use std::collections::HashMap;
use std::fs::{DirBuilder, File, Metadata};
use std::io::{BufRead, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::fs::Access as Right;

use super::StoreError;

/// `stet` in ASCII, big-endian at byte 68 of the file.
pub(super) const APPLICATION_ID: i32 = 0x7374_6574;

/// What the first hundred bytes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Header {
    Stet,
    /// SQLite, with this `application_id`.
    Foreign(i32),
    /// Nothing in it.
    Empty,
    /// Not SQLite at all.
    Other,
    /// SQLite's magic, but not a whole first page.
    Cut,
    /// Ours, and so many bytes long where it says that it has more.
    Short(u64, u64),
}

/// Databases that this process has open, by device and inode. Closing any other descriptor of such a file would drop
/// SQLite's POSIX locks, so nobody else here may open one.
static OPEN: Mutex<Option<HashMap<(u64, u64), usize>>> = Mutex::new(None);

fn open_files() -> MutexGuard<'static, Option<HashMap<(u64, u64), usize>>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says that a database is open, as long as it lives.
#[derive(Debug)]
pub(super) struct Opened((u64, u64));

impl Opened {
    /// Checks the header and registers the file, without a gap between the two.
    pub(super) fn check(path: &Path) -> Result<Opened, StoreError> {
        let meta = regular(path)?;
        let key = (meta.dev(), meta.ino());
        let mut guard = open_files();
        let open = guard.get_or_insert_default();
        if !open.contains_key(&key) {
            let name = || path.display().to_string();
            match header(path, &meta)? {
                Header::Stet => {}
                Header::Foreign(id) => {
                    return Err(StoreError::Foreign { path: name(), why: format!("its application id is {id:#010x}") });
                }
                Header::Empty => return Err(StoreError::NotOurs { path: name(), why: "the file is empty".into() }),
                Header::Other => {
                    return Err(StoreError::NotOurs { path: name(), why: "it does not begin like SQLite".into() });
                }
                Header::Cut => return Err(StoreError::Damaged(format!("{} ends within its first page", name()))),
                Header::Short(here, whole) => {
                    let why = format!("{} is cut: {here} of its {whole} bytes are there", name());
                    return Err(StoreError::Damaged(why));
                }
            }
        }
        *open.entry(key).or_insert(0) += 1;
        Ok(Opened(key))
    }
}

impl Opened {
    /// Whether another file, or none, is at the path by now.
    pub(super) fn is_gone(&self, path: &Path) -> bool {
        !std::fs::metadata(path).is_ok_and(|meta| (meta.dev(), meta.ino()) == self.0)
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        if let Some(open) = open_files().as_mut()
            && let Some(times) = open.get_mut(&self.0)
        {
            *times -= 1;
            if *times == 0 {
                open.remove(&self.0);
            }
        }
    }
}

/// Whether a file is a stet database, by its first bytes. Anything that cannot be read is not.
pub(super) fn is_stet(path: &Path) -> bool {
    let Ok(meta) = regular(path) else { return false };
    let guard = open_files();
    if guard.as_ref().is_some_and(|open| open.contains_key(&(meta.dev(), meta.ino()))) {
        return true;
    }
    matches!(header(path, &meta), Ok(Header::Stet | Header::Short(..)))
}

/// A regular file, without opening it.
fn regular(path: &Path) -> Result<Metadata, StoreError> {
    let meta = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => StoreError::Missing(path.display().to_string()),
        _ => io(format!("cannot look at {}", path.display()), error),
    })?;
    if meta.is_file() {
        return Ok(meta);
    }
    Err(StoreError::NotOurs { path: path.display().to_string(), why: "it is no regular file".into() })
}

fn header(path: &Path, meta: &Metadata) -> Result<Header, StoreError> {
    let failed = |error| io(format!("cannot read {}", path.display()), error);
    let nonblock = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let file = File::options().read(true).custom_flags(nonblock).open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(100).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.is_empty() {
        return Ok(Header::Empty);
    }
    if !bytes.starts_with(b"SQLite format 3\0") {
        return Ok(Header::Other);
    }
    let (Some(size), Some(id)) = (bytes.get(16..18), bytes.get(68..72)) else { return Ok(Header::Cut) };
    let page = match u64::from(size[0]) << 8 | u64::from(size[1]) {
        1 => 65536,
        size => size,
    };
    let id = id.iter().fold(0_u32, |id, byte| id << 8 | u32::from(*byte)).cast_signed();
    if meta.len() < page.max(512) {
        return Ok(Header::Cut);
    }
    if id != APPLICATION_ID {
        return Ok(Header::Foreign(id));
    }
    let whole = page * pages(&bytes);
    // While there is a log, pages may stand in it alone; the size is asked for again behind that.
    if meta.len() < whole && !beside(path, "-wal").exists() {
        let here = regular(path)?.len();
        return Ok(if here < whole { Header::Short(here, whole) } else { Header::Stet });
    }
    Ok(Header::Stet)
}

/// How many pages a header says that the file has; 0 where the number is not of its last change.
fn pages(header: &[u8]) -> u64 {
    match (header.get(28..32), header.get(24..28), header.get(92..96)) {
        (Some(pages), changes, counted_at) if changes == counted_at => {
            pages.iter().fold(0, |count, byte| count << 8 | u64::from(*byte))
        }
        _ => 0,
    }
}

/// Whether this user may write the file and its folder: SQLite needs both.
pub(super) fn is_ours_to_write(path: &Path) -> bool {
    let folder = path.parent().unwrap_or(Path::new("/"));
    rustix::fs::access(path, Right::WRITE_OK).is_ok() && rustix::fs::access(folder, Right::WRITE_OK).is_ok()
}

/// The file that SQLite keeps beside a database.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// A copy of a database with its log in a folder of its own, 0700. Taken again while its owner writes.
pub(super) fn copy_apart(path: &Path) -> Result<(tempfile::TempDir, PathBuf), StoreError> {
    let failed = |error| io(format!("cannot copy {} to read it", path.display()), error);
    let folder = tempfile::tempdir().map_err(failed)?;
    let copy = folder.path().canonicalize().map_err(failed)?.join("copy.db");
    let log = beside(path, "-wal");
    let state = || {
        let look = |path: &Path| std::fs::metadata(path).map(|meta| (meta.len(), meta.mtime(), meta.mtime_nsec())).ok();
        (look(path), look(&log))
    };
    for _ in 0..5 {
        let before = state();
        std::fs::copy(path, &copy).map_err(failed)?;
        match std::fs::copy(&log, beside(&copy, "-wal")) {
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
        if state() == before {
            std::fs::set_permissions(&copy, PermissionsExt::from_mode(0o600)).map_err(failed)?;
            return Ok((folder, copy));
        }
    }
    Err(StoreError::Busy(std::time::Duration::ZERO))
}

/// Makes the folder of a new database, 0700 where it does not exist yet. A folder that is there keeps its mode.
pub(super) fn make_folder(folder: &Path) -> Result<(), StoreError> {
    if folder.is_dir() {
        return Ok(());
    }
    let failed = |error| io(format!("cannot make the folder {}", folder.display()), error);
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
    std::fs::set_permissions(folder, PermissionsExt::from_mode(0o700)).map_err(failed)
}

/// An empty file of mode 0600 that nobody had before, whatever the umask says. Its descriptor is closed again before
/// SQLite comes.
pub(super) fn make_file(path: &Path) -> std::io::Result<()> {
    let nofollow = rustix::fs::OFlags::NOFOLLOW.bits().cast_signed();
    let file = File::options().write(true).create_new(true).mode(0o600).custom_flags(nofollow).open(path)?;
    file.set_permissions(PermissionsExt::from_mode(0o600))
}

/// Makes the entries of a folder durable.
pub(super) fn sync_folder(folder: &Path) -> Result<(), StoreError> {
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(|error| io(format!("cannot sync the folder {}", folder.display()), error))
}

/// An error of the file system with what was tried.
pub(super) fn io(what: String, error: std::io::Error) -> StoreError {
    StoreError::Io { what, error }
}

/// Reads one line with its end into `line`; 0 at the end. A longer one is invalid data, and is not read to its end.
pub(super) fn read_line(reader: &mut impl BufRead, longest: usize, line: &mut Vec<u8>) -> std::io::Result<usize> {
    let read = reader.take(longest as u64 + 1).read_until(b'\n', line)?;
    if read > longest && !line.ends_with(b"\n") {
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, too_long(longest)));
    }
    Ok(read)
}

/// Why a line is not taken.
pub(super) fn too_long(longest: usize) -> String {
    format!("it is longer than {longest} bytes")
}

/// Writes text and says what failed.
pub(super) fn put(out: &mut dyn Write, text: &str) -> Result<(), StoreError> {
    out.write_all(text.as_bytes()).map_err(|error| io("cannot write".into(), error))
}

/// Bytes in lower-case hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
