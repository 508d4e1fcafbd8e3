//! From what a person typed to sessions: paths, folders, ids, `path#id`.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::bench::{Settings, Target};
use super::Problem;
use crate::formats;
use crate::session::SessionKey;
use crate::store::{Access, Store};

/// Folders nest no deeper than this for us.
const DEEPEST: usize = 32;

/// See [`super::Workbench::find_all`].
pub(super) fn resolve(settings: &Settings, name: &OsStr) -> Result<Vec<Target>, Problem> {
    let path = Path::new(name);
    if std::fs::symlink_metadata(path).is_ok() {
        return at_path(path);
    }
    let bytes = name.as_bytes();
    if let Some(hash) = bytes.iter().rposition(|byte| *byte == b'#') {
        let (path, id) = (Path::new(OsStr::from_bytes(&bytes[..hash])), &bytes[hash + 1..]);
        if std::fs::symlink_metadata(path).is_ok() {
            let all = at_path(path)?;
            let mut kept = Vec::new();
            for target in all {
                if named(&key(&target)?, id) {
                    kept.push(target);
                }
            }
            if kept.is_empty() {
                anyhow::bail!(
                    "cannot find the session {} in {}: no session there has this id (stet ls lists them)",
                    String::from_utf8_lossy(id),
                    path.display()
                );
            }
            return Ok(kept);
        }
    }
    let looks_like_path = bytes.contains(&b'/') || path.extension().is_some();
    let mut found = if looks_like_path { Vec::new() } else { by_id(settings, bytes)? };
    if found.is_empty() {
        let what = if looks_like_path { "there is no such file" } else { "it is no file, and no session has this id" };
        anyhow::bail!("cannot find the session {}: {what} (stet ls lists what is there)", name.display());
    }
    found.truncate(64);
    Ok(found)
}

fn named(key: &SessionKey, id: &[u8]) -> bool {
    key.id.as_bytes() == id
        || key.to_string().as_bytes() == id
        || key.sub.as_ref().is_some_and(|sub| format!("{}/{sub}", key.id).as_bytes() == id)
}

fn key(target: &Target) -> Result<SessionKey, Problem> {
    match target {
        Target::Kept { key, .. } => Ok(key.clone()),
        Target::Foreign(path) => Ok(formats::open(path)?.head().key.clone()),
    }
}

fn at_path(path: &Path) -> Result<Vec<Target>, Problem> {
    let meta = std::fs::metadata(path).with_context(|| format!("cannot look at {}", path.display()))?;
    if meta.is_dir() {
        let mut found = Vec::new();
        walk(path, 0, &mut found)?;
        return Ok(found);
    }
    if meta.is_file() && Store::is_stet(path) {
        return kept(path);
    }
    Ok(vec![Target::Foreign(path.to_owned())])
}

fn kept(db: &Path) -> Result<Vec<Target>, Problem> {
    let sessions = Store::open(db, Access::ReadOnly)?.sessions()?;
    Ok(sessions.into_iter().filter(|session| session.lines > 0).map(|session| Target::Kept { db: db.to_owned(), key: session.key }).collect())
}

/// Every session below a folder, in the order of their names. Links to folders are not followed.
fn walk(folder: &Path, depth: usize, found: &mut Vec<Target>) -> Result<(), Problem> {
    let context = || format!("cannot list {}", folder.display());
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .with_context(context)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .with_context(context)?;
    paths.sort();
    for path in paths {
        let Ok(meta) = std::fs::symlink_metadata(&path) else { continue };
        if meta.is_dir() {
            // A sub-agent's turns belong to the session beside the folder.
            if depth < DEEPEST && path.file_name() != Some(OsStr::new("subagents")) {
                walk(&path, depth + 1, found)?;
            }
        } else if std::fs::metadata(&path).is_ok_and(|meta| meta.is_file()) {
            if Store::is_stet(&path) {
                found.extend(kept(&path)?);
            } else if formats::detect(&path).is_some() {
                found.push(Target::Foreign(path));
            }
        }
    }
    Ok(())
}

/// An agent's live file wins over the copy of it in the database.
fn by_id(settings: &Settings, id: &[u8]) -> Result<Vec<Target>, Problem> {
    let mut found: Vec<(SessionKey, Target)> = Vec::new();
    for target in everywhere(settings).0 {
        let Ok(key) = key(&target) else { continue };
        if named(&key, id) && found.iter().all(|(other, _)| *other != key) {
            found.push((key, target));
        }
    }
    Ok(found.into_iter().map(|(_, target)| target).collect())
}

/// See [`super::Workbench::sessions`].
pub(super) fn everywhere(settings: &Settings) -> (Vec<Target>, Vec<String>) {
    let mut troubles = Vec::new();
    let mut found: Vec<Target> = formats::find(&settings.places).into_iter().map(|found| Target::Foreign(found.path)).collect();
    if Store::is_stet(&settings.db) {
        match kept(&settings.db) {
            Ok(more) => found.extend(more),
            Err(problem) => troubles.push(format!("cannot list {}: {problem:#}", settings.db.display())),
        }
    }
    (found, troubles)
}
