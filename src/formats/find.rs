//! Which session files there are: in the agents' own places, and in a folder that somebody names.

use std::collections::HashSet;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{ALL, Env, Format, Kind, OpenError, detect};

/// Folders deeper than this are not looked into.
const DEEPEST: usize = 256;
/// A folder with more in it than this is no folder of sessions: somebody meant another one.
const MOST: usize = 100_000;
/// Agents keep their sessions in one folder for each project.
const PROJECT: usize = 1;

/// A file that may be opened.
#[derive(Clone, Debug)]
pub struct Found {
    /// The agent whose place it lies in; `None` for a database.
    pub format: Option<&'static dyn Format>,
    /// Where it lies.
    pub path: PathBuf,
    /// In bytes.
    pub size: u64,
    /// When it was last written; `None` where the system does not say.
    pub modified: Option<SystemTime>,
}

/// What a search brought up, and what it could not look into.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// In the order of their paths.
    pub found: Vec<Found>,
    /// Folders and files that could not be read.
    pub troubles: Vec<OpenError>,
    /// Files in a folder that are no session of any agent.
    pub passed_over: usize,
}

/// The session files in the standard places of every agent. They are not opened: what one holds, opening it tells.
pub fn find(env: &Env) -> Search {
    let mut search = Search::default();
    for format in ALL {
        for place in format.places(env).into_iter().filter(|place| place.exists()) {
            let walked = walk(&place, PROJECT, usize::MAX, &mut search.troubles);
            let sessions = walked.files.into_iter().filter(|file| {
                file.path.extension().is_some_and(|name| name == "jsonl") && !format.is_side_file(&file.path)
            });
            search.found.extend(sessions.map(|file| Found { format: Some(*format), ..file }));
        }
    }
    search
}

/// Every session file and database in a folder and below, by content.
pub fn find_in(folder: &Path) -> Search {
    let mut search = Search::default();
    let walked = walk(folder, DEEPEST, MOST, &mut search.troubles);
    for path in walked.too_deep {
        let why = format!("more than {DEEPEST} folders deep (name it itself)");
        search.troubles.push(OpenError::Io { path: path.display().to_string(), why });
    }
    for file in walked.files {
        match detect(&file.path) {
            Ok(Kind::Session(format)) if format.is_side_file(&file.path) => {}
            Ok(Kind::Session(format)) => search.found.push(Found { format: Some(format), ..file }),
            Ok(Kind::Sqlite) => search.found.push(file),
            Err(trouble @ (OpenError::Denied { .. } | OpenError::Io { .. })) => search.troubles.push(trouble),
            // Anything else in a folder is simply not a session.
            Err(_) => search.passed_over += 1,
        }
    }
    search
}

/// What lies below a folder.
#[derive(Default)]
struct Walked {
    files: Vec<Found>,
    /// Folders that were not entered.
    too_deep: Vec<PathBuf>,
}

/// The regular files below a folder. Every folder is entered once, so links cannot lead in circles.
fn walk(root: &Path, deepest: usize, most: usize, troubles: &mut Vec<OpenError>) -> Walked {
    let mut walked = Walked::default();
    let mut seen = HashSet::new();
    let mut folders = vec![(root.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        if seen.len() > most {
            let why = format!("more than {most} files are below it (name a folder nearer to the sessions)");
            troubles.push(OpenError::Io { path: root.display().to_string(), why });
            return Walked::default();
        }
        let about = match std::fs::metadata(&folder) {
            Ok(about) => about,
            Err(error) => {
                troubles.push(OpenError::of(&folder, &error));
                continue;
            }
        };
        if !seen.insert((about.dev(), about.ino())) {
            continue;
        }
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                troubles.push(OpenError::of(&folder, &error));
                continue;
            }
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            // A link that leads nowhere is nothing to open.
            let Ok(about) = std::fs::metadata(&path) else { continue };
            if about.is_dir() && depth < deepest {
                folders.push((path, depth + 1));
            } else if about.is_dir() {
                walked.too_deep.push(path);
            } else if about.is_file() && seen.insert((about.dev(), about.ino())) {
                walked.files.push(Found { format: None, path, size: about.len(), modified: about.modified().ok() });
            }
        }
    }
    walked.files.sort_by(|a, b| a.path.cmp(&b.path));
    walked
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_folder_with_too_much_in_it_is_refused_and_not_read_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("deeper")).unwrap();
        for name in ["a", "b", "deeper/c"] {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        for (most, files, troubles) in [(10, 3, 0), (2, 0, 1)] {
            let mut told = Vec::new();
            let walked = walk(folder.path(), DEEPEST, most, &mut told);
            assert_eq!((walked.files.len(), told.len()), (files, troubles), "at most {most}");
        }
    }
}
