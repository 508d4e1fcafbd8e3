//! From what a person typed to sessions: paths, folders, ids, `path#id`.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use anyhow::Context;

use super::Problem;
use super::bench::{Finds, Settings, Target};
use crate::formats;
use crate::session::SessionKey;
use crate::store::{Access, Store};

/// See [`super::Workbench::find_all`].
pub(super) fn resolve(settings: &Settings, name: &OsStr) -> Result<Finds, Problem> {
    let path = Path::new(name);
    if std::fs::symlink_metadata(path).is_ok() {
        return at_path(path);
    }
    let bytes = name.as_bytes();
    if let Some(hash) = bytes.iter().rposition(|byte| *byte == b'#') {
        let (path, id) = (Path::new(OsStr::from_bytes(&bytes[..hash])), &bytes[hash + 1..]);
        if std::fs::symlink_metadata(path).is_ok() {
            let mut found = at_path(path)?;
            let mut kept = Vec::new();
            for target in std::mem::take(&mut found.targets) {
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
            return Ok(Finds { targets: kept, ..found });
        }
    }
    let mut found = if bytes.contains(&b'/') { Vec::new() } else { by_id(settings, bytes) };
    if found.is_empty() {
        let looks_like_path = bytes.contains(&b'/') || path.extension().is_some();
        let what = if looks_like_path { "there is no such file" } else { "it is no file, and no session has this id" };
        anyhow::bail!("cannot find the session {}: {what} (stet ls lists what is there)", name.display());
    }
    found.truncate(64);
    Ok(Finds { targets: found, ..Finds::default() })
}

/// `id`, `id/sub` for a sub-agent's session, or either with the agent before it.
fn named(key: &SessionKey, name: &[u8]) -> bool {
    short(key).as_bytes() == name || key.to_string().as_bytes() == name
}

/// How a session is named behind `#`: its id, with the sub-agent's behind it.
pub(super) fn short(key: &SessionKey) -> String {
    match &key.sub {
        Some(sub) => format!("{}/{sub}", key.id),
        None => key.id.clone(),
    }
}

fn key(target: &Target) -> Result<SessionKey, Problem> {
    match target {
        Target::Kept { key, .. } => Ok(key.clone()),
        Target::Foreign(path) => Ok(formats::open(path)?.head().key.clone()),
    }
}

fn at_path(path: &Path) -> Result<Finds, Problem> {
    let meta = std::fs::metadata(path).with_context(|| format!("cannot look at {}", path.display()))?;
    if meta.is_dir() {
        return Ok(in_folder(path));
    }
    let targets =
        if meta.is_file() && Store::is_stet(path) { kept(path)? } else { vec![Target::Foreign(path.to_owned())] };
    Ok(Finds { targets, ..Finds::default() })
}

fn kept(db: &Path) -> Result<Vec<Target>, Problem> {
    let sessions = Store::open(db, Access::ReadOnly)
        .and_then(|store| store.sessions())
        .with_context(|| format!("cannot open {}", db.display()))?;
    Ok(sessions.into_iter().map(|session| Target::Kept { db: db.to_owned(), key: session.key }).collect())
}

/// Every session below a folder, in the order of their paths. Nothing is left out silently: what cannot be looked into
/// is a trouble, and what is no session is counted.
fn in_folder(folder: &Path) -> Finds {
    let search = formats::find_in(folder);
    let mut finds = Finds {
        targets: Vec::new(),
        troubles: search.troubles.into_iter().map(Problem::from).collect(),
        passed_over: search.passed_over,
    };
    for file in search.found {
        match file.format {
            Some(_) => finds.targets.push(Target::Foreign(file.path)),
            None if Store::is_stet(&file.path) => match kept(&file.path) {
                Ok(targets) => finds.targets.extend(targets),
                Err(trouble) => finds.troubles.push(trouble),
            },
            // Another program's database.
            None => finds.passed_over += 1,
        }
    }
    finds
}

/// An agent's live file wins over the copy of it in the database.
fn by_id(settings: &Settings, id: &[u8]) -> Vec<Target> {
    let mut found: Vec<(SessionKey, Target)> = Vec::new();
    // Most agents name the file after the session: those are opened first, the others only when that finds nothing.
    let after_it = |target: &Target| match target {
        Target::Foreign(path) => memchr::memmem::find(path.as_os_str().as_bytes(), id).is_some(),
        Target::Kept { .. } => true,
    };
    let (likely, others): (Vec<Target>, Vec<Target>) = everywhere(settings).0.into_iter().partition(after_it);
    for targets in [likely, others] {
        for target in targets {
            let Ok(key) = key(&target) else { continue };
            if named(&key, id) && found.iter().all(|(other, _)| *other != key) {
                found.push((key, target));
            }
        }
        if !found.is_empty() {
            break;
        }
    }
    found.into_iter().map(|(_, target)| target).collect()
}

/// See [`super::Workbench::sessions`]. A session that stands in an agent's file and in the database is named once: the
/// live file wins.
pub(super) fn everywhere(settings: &Settings) -> (Vec<Target>, Vec<String>) {
    let search = formats::find(&settings.places);
    let mut troubles: Vec<String> = search.troubles.iter().map(ToString::to_string).collect();
    let mut found: Vec<Target> = search.found.into_iter().map(|found| Target::Foreign(found.path)).collect();
    if Store::is_stet(&settings.db) {
        match kept(&settings.db) {
            Ok(copies) if copies.is_empty() => {}
            Ok(copies) => {
                let live: HashSet<SessionKey> = found.iter().filter_map(|target| key(target).ok()).collect();
                let is_live = |copy: &Target| matches!(copy, Target::Kept { key, .. } if live.contains(key));
                found.extend(copies.into_iter().filter(|copy| !is_live(copy)));
            }
            Err(problem) => troubles.push(format!("cannot list {}: {problem:#}", settings.db.display())),
        }
    }
    (found, troubles)
}
