//! A file of somebody else, open for reading: regular files only, never mapped, never written, and known again.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use sha2::{Digest, Sha256};

use super::OpenError;
use crate::session::{Hash, LogError};

/// How much of the beginning tells one file from another.
const HEAD: usize = 4096;
/// How much is read at once of what is read as a whole.
const STEP: usize = 1 << 20;

/// An open file with what it was when it was opened.
#[derive(Debug)]
pub(super) struct Source {
    file: File,
    path: PathBuf,
    identity: Identity,
}

/// What must stay as it is while a session is open; the size may only grow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    device: u64,
    inode: u64,
    head: Hash,
    head_len: usize,
    size: u64,
    modified: (i64, i64),
}

impl Source {
    pub(super) fn open(path: &Path) -> Result<Self, OpenError> {
        // A pipe must not make us wait, and no terminal may become ours.
        let flags = OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
        let opened = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path);
        let file = opened.map_err(|error| OpenError::of(path, &error))?;
        let about = file.metadata().map_err(|error| OpenError::of(path, &error))?;
        let name = || path.display().to_string();
        if about.is_dir() {
            return Err(OpenError::Directory { path: name() });
        }
        if !about.is_file() {
            return Err(OpenError::NotRegular { path: name() });
        }
        let head_len = HEAD.min(usize::try_from(about.len()).unwrap_or(HEAD));
        let (head, head_len) = head_hash(&file, head_len).map_err(|error| OpenError::of(path, &error))?;
        let identity = Identity {
            device: about.dev(),
            inode: about.ino(),
            head,
            head_len,
            size: about.len(),
            modified: (about.mtime(), about.mtime_nsec()),
        };
        Ok(Self { file, path: path.to_owned(), identity })
    }

    /// The same file once more; an error when another one stands there now.
    pub(super) fn again(path: &Path, identity: &Identity) -> Result<Self, LogError> {
        let mut source = Self::open(path)
            .map_err(|error| LogError::Unreadable { path: path.display().to_string(), why: error.to_string() })?;
        source.identity = identity.clone();
        source.size()?;
        Ok(source)
    }

    pub(super) fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The size now; an error when the file is not the one that was opened any more.
    pub(super) fn size(&mut self) -> Result<u64, LogError> {
        let about = self.file.metadata().map_err(|error| self.unreadable(&error))?;
        let known = &self.identity;
        let modified = (about.mtime(), about.mtime_nsec());
        // The path may be gone, then the open file is all there is; but another file in its place is another session.
        let replaced = std::fs::metadata(&self.path)
            .is_ok_and(|there| (there.dev(), there.ino()) != (known.device, known.inode))
            || (about.dev(), about.ino()) != (known.device, known.inode);
        if replaced || about.len() < known.size {
            return Err(self.rewritten());
        }
        if (about.len(), modified) != (known.size, known.modified) {
            let (head, len) = head_hash(&self.file, known.head_len).map_err(|error| self.unreadable(&error))?;
            if (head, len) != (known.head, known.head_len) {
                return Err(self.rewritten());
            }
            (self.identity.size, self.identity.modified) = (about.len(), modified);
        }
        Ok(about.len())
    }

    /// Whether nothing stands at its path any more.
    pub(super) fn is_gone(&self) -> bool {
        std::fs::metadata(&self.path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    }

    /// Appends `len` bytes from `at` on to `bytes`; fewer where the file ends.
    pub(super) fn read(&self, at: u64, len: usize, bytes: &mut Vec<u8>) -> Result<usize, LogError> {
        bytes.reserve(len);
        // Read through the file's own position, because that needs no zeroed buffer; nobody else uses it.
        let mut file = &self.file;
        let read = file.seek(SeekFrom::Start(at)).and_then(|_| file.take(len as u64).read_to_end(bytes));
        read.map_err(|error| self.unreadable(&error))
    }

    /// The hash of its first bytes, up to this place.
    pub(super) fn hash(&self, end: u64) -> Result<Hash, LogError> {
        let (mut sha, mut at) = (Sha256::new(), 0);
        let mut bytes = vec![0; STEP];
        while at < end {
            let len = usize::try_from(end - at).map_or(STEP, |rest| rest.min(STEP));
            let read = fill(&self.file, at, &mut bytes[..len]).map_err(|error| self.unreadable(&error))?;
            if read == 0 {
                return Err(self.rewritten());
            }
            sha.update(&bytes[..read]);
            at += read as u64;
        }
        Ok(Hash(sha.finalize().into()))
    }

    fn rewritten(&self) -> LogError {
        LogError::Rewritten { path: self.path.display().to_string() }
    }

    fn unreadable(&self, error: &io::Error) -> LogError {
        LogError::Unreadable { path: self.path.display().to_string(), why: error.to_string() }
    }
}

fn head_hash(file: &File, len: usize) -> io::Result<(Hash, usize)> {
    let mut head = vec![0; len];
    let read = fill(file, 0, &mut head)?;
    Ok((Hash::of(&head[..read]), read))
}

/// Fills the buffer from this offset on; how much there was.
fn fill(file: &File, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
    let mut read = 0;
    while read < buffer.len() {
        match file.read_at(&mut buffer[read..], at + read as u64) {
            Ok(0) => break,
            Ok(n) => read += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(read)
}
