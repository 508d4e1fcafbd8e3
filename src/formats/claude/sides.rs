//! Which files of sub-agents belong to a session.

use std::collections::HashMap;
use std::fs::DirEntry;
use std::os::unix::fs::DirEntryExt;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use super::super::OpenError;
use super::super::source::Source;
use super::super::{head, head::START};
use super::about::{About, named};
use crate::session::{FileNo, SideFile};

/// The files of a session's sub-agents: those in its own folder, and older ones beside it that name the session.
/// In the order in which they begin.
pub(super) fn find(path: &Path, session: &str) -> Vec<SideFile> {
    let Some(folder) = path.parent() else { return Vec::new() };
    let mut own_folders: Vec<PathBuf> = path.file_stem().map(|stem| folder.join(stem)).into_iter().collect();
    own_folders.extend(Some(session).filter(|id| is_plain(id)).map(|id| folder.join(id)));
    own_folders.dedup();
    let mut found: Vec<(Option<i64>, PathBuf, String)> = Vec::new();
    for file in own_folders.iter().flat_map(|own| agent_files(&own.join("subagents"))) {
        found.extend(side(file, None));
    }
    let beside = agent_files(folder).into_iter().filter(|file| file.path != path);
    found.extend(beside.filter_map(|file| side(file, Some(session))));
    found.sort_by(|a, b| (a.0.is_none(), a.0, &a.1).cmp(&(b.0.is_none(), b.0, &b.1)));
    found.truncate(usize::from(u16::MAX));
    let numbered = found.into_iter().zip(1..);
    numbered.map(|((_, path, agent_id), no)| SideFile { file: FileNo(no), path, agent_id }).collect()
}

/// An id that cannot lead out of the folder.
fn is_plain(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

/// A file of some agent, as its folder lists it.
struct Listed {
    path: PathBuf,
    /// Its inode; `None` for a link, which may lead elsewhere at any time.
    node: Option<u64>,
}

fn agent_files(folder: &Path) -> Vec<Listed> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_agent = |entry: &DirEntry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // The agent that writes a compaction's summary says nothing that is not in the session itself.
        name.starts_with("agent-") && name.ends_with(".jsonl") && !name.starts_with("agent-acompact-")
    };
    let listed = |entry: DirEntry| {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        Listed { path: entry.path(), node: is_file.then(|| entry.ino()) }
    };
    entries.filter(is_agent).map(listed).collect()
}

/// What is needed of one side file; `None` when it belongs to another session than the one asked for.
fn side(file: Listed, session: Option<&str>) -> Option<(Option<i64>, PathBuf, String)> {
    let known = HEADS.lock().unwrap_or_else(PoisonError::into_inner).get(&file);
    let about = match known.map_or_else(|| read(&file.path), Ok) {
        Ok(about) => {
            HEADS.lock().unwrap_or_else(PoisonError::into_inner).keep(&file, &about);
            about
        }
        // A file that cannot be opened still belongs there: reading it later says why.
        Err(_) if session.is_none() => About::default(),
        Err(_) => return None,
    };
    if session.is_some_and(|wanted| about.session.as_deref() != Some(wanted)) {
        return None;
    }
    let agent = about.sub.or_else(|| named(&file.path))?;
    Some((about.first_at, file.path, agent))
}

fn read(path: &Path) -> Result<About, OpenError> {
    let source = Source::open(path)?;
    let mut start = Vec::new();
    // What could not be read to its end still tells what it did.
    let _ = source.read(0, START, &mut start);
    Ok(About::of(&String::from_utf8_lossy(head::first_lines(&start)), path))
}

/// What the beginnings of agents' files said. Older versions keep those of all sessions in one folder, and each session
/// asks them all: every file is opened once and not once a session.
static HEADS: LazyLock<Mutex<Heads>> = LazyLock::new(Mutex::default);

#[derive(Default)]
struct Heads(HashMap<PathBuf, (u64, About)>);

impl Heads {
    fn get(&self, file: &Listed) -> Option<About> {
        let (node, about) = self.0.get(&file.path)?;
        (Some(*node) == file.node).then(|| about.clone())
    }

    /// Only what will not change when the file grows.
    fn keep(&mut self, file: &Listed, about: &About) {
        if let Some(node) = file.node.filter(|_| about.session.is_some() && about.first_at.is_some()) {
            self.0.insert(file.path.clone(), (node, about.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_is_known_once_it_is_whole_and_while_it_is_the_same_file() {
        let listed = |node| Listed { path: "agent-a.jsonl".into(), node };
        let whole = About { session: Some("s".into()), first_at: Some(1), ..About::default() };
        let started = About { first_at: None, ..whole.clone() };
        for (node, about, asked, is_known) in [
            (Some(1), &whole, Some(1), true),
            (Some(1), &whole, Some(2), false),
            (Some(1), &started, Some(1), false),
            (None, &whole, None, false),
        ] {
            let mut heads = Heads::default();
            heads.keep(&listed(node), about);
            assert_eq!(heads.get(&listed(asked)).is_some(), is_known, "{node:?} {about:?} {asked:?}");
        }
    }
}
