//! The first lines of a file: enough to tell what it is.

use std::path::Path;

use super::OpenError;
use super::json::{Value, peek};
use super::source::Source;
use crate::session::{Hash, LogError};

/// How much is read at first.
pub(super) const START: usize = 64 << 10;
/// A first line may be long (a pasted picture), but not without end.
const FIRST_LINE: usize = 16 << 20;

/// A file with its first lines.
pub(super) fn open(path: &Path) -> Result<(Source, Vec<u8>), OpenError> {
    let source = Source::open(path)?;
    let start = head(&source)?;
    Ok((source, start))
}

/// Whether the first line that tells anything says yes.
pub(super) fn tell(head: &[u8], line: impl Fn(Value<'_>) -> Option<bool>) -> bool {
    String::from_utf8_lossy(head).lines().map(peek).find_map(line).unwrap_or(false)
}

/// The first lines, whole ones where there are any.
pub(super) fn head(source: &Source) -> Result<Vec<u8>, OpenError> {
    let mut bytes = Vec::new();
    let mut want = START;
    loop {
        let had = bytes.len();
        let read = source.read(had as u64, want - had, &mut bytes).map_err(|error| match error {
            LogError::Rewritten { path } => OpenError::Io { path, why: "it changed just now (try again)".into() },
            LogError::Gone { path, line } => OpenError::Io { path, why: format!("line {line} was not to be kept") },
            LogError::Unreadable { path, why } => OpenError::Io { path, why },
        })?;
        if read == 0 || bytes.contains(&b'\n') || bytes.len() >= FIRST_LINE {
            let whole = first_lines(&bytes).len();
            bytes.truncate(whole);
            return Ok(bytes);
        }
        want *= 2;
    }
}

/// Without the line that is cut at the end, unless there is no other.
pub(super) fn first_lines(bytes: &[u8]) -> &[u8] {
    match memchr::memrchr(b'\n', bytes) {
        Some(last) if bytes.len() >= START => &bytes[..=last],
        _ => bytes,
    }
}

/// The id of a session that names none.
pub(super) fn first_line_id(start: &[u8]) -> String {
    let line = start.split(|b| *b == b'\n').find(|line| !line.is_empty()).unwrap_or_default();
    format!("sha256:{}", Hash::of(line))
}
