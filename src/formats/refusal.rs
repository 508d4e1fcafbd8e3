//! Why a file cannot be opened as a session, said so that a person knows what to do.

use std::io;
use std::path::Path;

use super::json::peek;

/// Nothing in this file can be read as a session.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// There is nothing at this path.
    #[error("cannot open {path}: no such file (check the path)")]
    Missing {
        /// As it was given.
        path: String,
    },
    /// A folder.
    #[error("cannot open {path}: it is a directory (name a session file in it)")]
    Directory {
        /// As it was given.
        path: String,
    },
    /// A pipe, a device, a socket.
    #[error("cannot open {path}: it is not a regular file (name a session file)")]
    NotRegular {
        /// As it was given.
        path: String,
    },
    /// The file may not be read by this user.
    #[error("cannot open {path}: permission denied (make it readable for yourself)")]
    Denied {
        /// As it was given.
        path: String,
    },
    /// Symbolic links that lead in a circle.
    #[error("cannot open {path}: its symbolic links lead in a circle (name the file itself)")]
    LinkLoop {
        /// As it was given.
        path: String,
    },
    /// No line at all.
    #[error("cannot open {path}: it is empty, there is no session in it yet")]
    Empty {
        /// As it was given.
        path: String,
    },
    /// A kind of file that is known, and is no session.
    #[error("cannot open {path}: this is {what}, not a session in JSON lines ({advice})")]
    OtherKind {
        /// As it was given.
        path: String,
        /// `gzip data`, `UTF-16 text`, …
        what: &'static str,
        /// What to do.
        advice: &'static str,
    },
    /// Readable lines, but of no agent that is known here.
    #[error("cannot open {path}: no known session format in it ({hint})")]
    UnknownFormat {
        /// As it was given.
        path: String,
        /// Which formats are known.
        hint: String,
    },
    /// The file changed or failed while it was opened.
    #[error("cannot open {path}: {why}")]
    Io {
        /// As it was given.
        path: String,
        /// What the system says.
        why: String,
    },
}

impl OpenError {
    /// The system's error in our words.
    pub(super) fn of(path: &Path, error: &io::Error) -> Self {
        let path = path.display().to_string();
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing { path },
            io::ErrorKind::PermissionDenied => Self::Denied { path },
            io::ErrorKind::IsADirectory => Self::Directory { path },
            _ => match error.raw_os_error().map(rustix::io::Errno::from_raw_os_error) {
                Some(rustix::io::Errno::LOOP) => Self::LinkLoop { path },
                Some(rustix::io::Errno::NXIO) => Self::NotRegular { path },
                _ => Self::Io { path, why: error.to_string() },
            },
        }
    }
}

/// What the first bytes give away about a file that holds no JSON lines: what it is, and what to do.
pub(super) fn other_kind(head: &[u8]) -> Option<(&'static str, &'static str)> {
    let magic: [(&[u8], &'static str, &'static str); 8] = [
        (b"\x1f\x8b", "gzip data", "unpack it first"),
        (b"\x28\xb5\x2f\xfd", "zstd data", "unpack it first"),
        (b"PK\x03\x04", "a zip archive", "unpack it first"),
        (b"\xfd7zXZ", "xz data", "unpack it first"),
        (b"BZh", "bzip2 data", "unpack it first"),
        (b"\xff\xfe", "UTF-16 text", "convert it to UTF-8"),
        (b"\xfe\xff", "UTF-16 text", "convert it to UTF-8"),
        (b"%PDF", "a PDF document", "name a session file"),
    ];
    if let Some((_, what, advice)) = magic.iter().find(|(start, ..)| head.starts_with(start)) {
        return Some((what, advice));
    }
    // UTF-16 without a mark: every other byte of ASCII text is zero.
    let zeros = |odd: usize| head.iter().take(64).skip(odd).step_by(2).filter(|b| **b == 0).count();
    if head.len() >= 16 && (zeros(0) == 0 && zeros(1) >= 8 || zeros(1) == 0 && zeros(0) >= 8) {
        return Some(("UTF-16 text", "convert it to UTF-8"));
    }
    None
}

/// JSON that is laid out over several lines, or one list of everything.
pub(super) fn other_layout(head: &str) -> Option<(&'static str, &'static str)> {
    let first = head.lines().map(str::trim).find(|line| !line.is_empty())?;
    match first {
        "{" | "[" | "[{" => Some(("pretty-printed JSON", "write one object a line, as `jq -c` does")),
        _ if first.starts_with('[') && !first.trim_end_matches(',').ends_with(']') => {
            Some(("one JSON list", "write one object a line, as `jq -c '.[]'` does"))
        }
        _ if first.starts_with("[{") => Some(("one JSON list", "write one object a line, as `jq -c '.[]'` does")),
        _ => None,
    }
}

/// The values of such a text, one a line, as that advice makes them; the last one is cut where the text ends.
pub(super) fn one_a_line(head: &str) -> String {
    let mut rest = head.trim_start().trim_start_matches('[');
    let mut lines = String::new();
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\r', '\n', ',', ']']);
        let value = peek(rest).raw();
        if value.is_empty() {
            return lines;
        }
        rest = &rest[value.len()..];
        lines.push_str(&value.replace(['\r', '\n'], " "));
        lines.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_kinds_of_files_are_known_by_their_first_bytes() {
        for (head, want) in [
            (b"\x1f\x8b\x08".as_slice(), Some("gzip data")),
            (b"\xff\xfe{\0\"\0", Some("UTF-16 text")),
            (b"{\0\"\0t\0y\0p\0e\0\"\0:\0\"\0u\0", Some("UTF-16 text")),
            (b"\0{\0\"\0t\0y\0p\0e\0\"\0:\0\"\0u", Some("UTF-16 text")),
            (b"{\"type\":\"user\"}", None),
            (b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", None),
        ] {
            assert_eq!(other_kind(head).map(|(what, _)| what), want, "{head:?}");
        }
    }

    #[test]
    fn other_layouts_of_json_are_named() {
        for (head, want) in [
            ("{\n  \"type\": \"user\"\n}", Some("pretty-printed JSON")),
            ("[{\"type\":\"user\"},\n{\"type\":\"user\"}]", Some("one JSON list")),
            ("[{\"type\":\"user\"}]", Some("one JSON list")),
            ("{\"a\":1}\n{\"b\":2}\n", None),
        ] {
            assert_eq!(other_layout(head).map(|(what, _)| what), want, "{head}");
        }
    }

    #[test]
    fn what_is_laid_out_otherwise_is_read_as_the_advice_would_lay_it_out() {
        for (head, want) in [
            ("{\n  \"type\": \"user\"\n}\n{\n}", "{   \"type\": \"user\" }\n{ }\n"),
            ("[{\"a\":1},\n{\"b\":[2]}]\n", "{\"a\":1}\n{\"b\":[2]}\n"),
            ("[\n  {\n    \"a\": \"cut of", "{     \"a\": \"cut of\n"),
            ("[", ""),
        ] {
            assert_eq!(one_a_line(head), want, "{head}");
        }
    }
}
