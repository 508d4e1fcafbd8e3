//! What the first lines of a session file say about it, and which files of sub-agents belong to it.

use std::path::{Path, PathBuf};

use super::super::json::{Value, peek};
use super::super::parts::{millis, owned};
use super::super::source::Source;
use super::super::{head, head::START};
use super::noise;
use crate::session::{FileNo, SideFile};

/// What is known of a file from its beginning.
#[derive(Debug, Default, PartialEq, Eq)]
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
fn named(path: &Path) -> Option<String> {
    Some(path.file_stem()?.to_string_lossy().strip_prefix("agent-")?.to_owned())
}

/// The files of a session's sub-agents: those in its own folder, and older ones beside it that name the session.
/// In the order in which they begin.
pub(super) fn find(path: &Path, session: &str) -> Vec<SideFile> {
    let Some(folder) = path.parent() else { return Vec::new() };
    let mut own_folders: Vec<PathBuf> = path.file_stem().map(|stem| folder.join(stem)).into_iter().collect();
    own_folders.extend(Some(session).filter(|id| is_plain(id)).map(|id| folder.join(id)));
    own_folders.dedup();
    let mut found: Vec<(Option<i64>, PathBuf, String)> = Vec::new();
    for file in own_folders.iter().flat_map(|own| agent_files(&own.join("subagents"))) {
        found.extend(side(&file, None));
    }
    found.extend(
        agent_files(folder).into_iter().filter(|file| file != path).filter_map(|file| side(&file, Some(session))),
    );
    found.sort_by(|a, b| (a.0.is_none(), a.0, &a.1).cmp(&(b.0.is_none(), b.0, &b.1)));
    found.truncate(usize::from(u16::MAX));
    let numbered = found.into_iter().zip(1..);
    numbered.map(|((_, path, agent_id), no)| SideFile { file: FileNo(no), path, agent_id }).collect()
}

/// An id that cannot lead out of the folder.
fn is_plain(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

fn agent_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_agent = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // The agent that writes a compaction's summary says nothing that is not in the session itself.
        name.starts_with("agent-") && name.ends_with(".jsonl") && !name.starts_with("agent-acompact-")
    };
    entries.map(|entry| entry.path()).filter(is_agent).collect()
}

/// What is needed of one side file; `None` when it belongs to another session than the one asked for.
fn side(path: &Path, session: Option<&str>) -> Option<(Option<i64>, PathBuf, String)> {
    let mut start = Vec::new();
    // A file that cannot be opened still belongs there: reading it later says why.
    let about = match Source::open(path).map(|source| source.read(0, START, &mut start)) {
        Ok(_) => About::of(&String::from_utf8_lossy(head::first_lines(&start)), path),
        Err(_) if session.is_none() => About::default(),
        Err(_) => return None,
    };
    if session.is_some_and(|wanted| about.session.as_deref() != Some(wanted)) {
        return None;
    }
    let agent = about.sub.or_else(|| named(path))?;
    Some((about.first_at, path.to_owned(), agent))
}
