//! What the first lines of a session file say about it.

use std::path::Path;

use super::super::json::{Value, peek};
use super::super::parts::{millis, owned};
use super::noise;

/// What is known of a file from its beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct About {
    /// The first session id in it.
    pub session: Option<String>,
    /// The sub-agent whose own file this is.
    pub sub: Option<String>,
    pub title: Option<String>,
    pub first_at: Option<i64>,
}

impl About {
    pub(super) fn of(start: &str, path: &Path) -> Self {
        let mut about = Self::default();
        let mut subs = Vec::new();
        for line in start.lines().map(peek) {
            about.session = about.session.or_else(|| owned(line.get("sessionId")));
            about.first_at = about.first_at.or_else(|| line.get("timestamp").and_then(millis));
            about.title = about.title.or_else(|| noise::title(line));
            let is_message = matches!(owned(line.get("type")).as_deref(), Some("user" | "assistant"));
            if is_message {
                subs.push(sub_of(line, path));
            }
        }
        // A file whose messages are all of one sub-agent is that sub-agent's own.
        about.sub = subs.first().cloned().flatten().filter(|sub| subs.iter().all(|it| it.as_ref() == Some(sub)));
        about
    }
}

/// The sub-agent whose message this is.
fn sub_of(line: Value<'_>, path: &Path) -> Option<String> {
    line.get("isSidechain").filter(|side| side.is_true())?;
    owned(line.get("agentId")).or_else(|| named(path))
}

/// The id in `agent-<id>.jsonl`.
pub(super) fn named(path: &Path) -> Option<String> {
    Some(path.file_stem()?.to_string_lossy().strip_prefix("agent-")?.to_owned())
}
