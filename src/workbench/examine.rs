//! What is found on this machine, and what is wrong with it.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::Workbench;
use crate::formats;
use crate::record::FindingKind;
use crate::store::{Access, Opened, Store, WHEN_DAMAGED};

/// What `doctor` tells beside the settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examined {
    /// The version of SQLite in the program.
    pub sqlite: String,
    /// Whether there is a database yet.
    pub database_exists: bool,
    /// The sessions in it; `None` where it cannot be told.
    pub sessions: Option<usize>,
    /// What is wrong with it; empty when all is well.
    pub problems: Vec<String>,
    /// Where agents keep their sessions.
    pub stores: Vec<AgentStore>,
    /// How many findings of each kind are said to be wrong alarms.
    pub wrong_alarms: Vec<(FindingKind, usize)>,
    /// How often markers were opened on the screen here.
    pub opened: Opened,
    /// What could not be looked into.
    pub troubles: Vec<String>,
}

/// One place of one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentStore {
    /// The agent.
    pub agent: &'static str,
    /// The place.
    pub folder: PathBuf,
    /// Whether it is there.
    pub exists: bool,
    /// The session files in it.
    pub sessions: usize,
}

impl Workbench {
    /// Looks at the database and at every place of an agent.
    pub fn examine(&self) -> Examined {
        let db = &self.settings.db;
        let mut examined = Examined {
            sqlite: crate::store::sqlite_version().to_owned(),
            database_exists: std::fs::symlink_metadata(db).is_ok(),
            ..Examined::default()
        };
        if examined.database_exists {
            match self.database(&mut examined.problems) {
                Ok(sessions) => {
                    examined.sessions = Some(sessions);
                    match self.all_overdue() {
                        Ok(overdue) => examined.problems.extend(overdue.iter().map(ToString::to_string)),
                        Err(problem) => examined.problems.push(format!("{problem:#}")),
                    }
                    examined.wrong_alarms = self.count_wrong_alarms();
                    examined.opened = self.count_opened();
                }
                Err(problem) => examined.problems.push(format!("{problem:#}")),
            }
        }
        examined.problems.extend(open_to_others(db));
        let search = formats::find(&self.settings.places);
        examined.troubles = search.troubles.iter().map(ToString::to_string).collect();
        for format in formats::ALL {
            for folder in format.places(&self.settings.places) {
                let sessions = search.found.iter().filter(|found| found.path.starts_with(&folder)).count();
                let exists = folder.exists();
                examined.stores.push(AgentStore { agent: format.name(), folder, exists, sessions });
            }
        }
        examined
    }

    /// How many sessions are in it. What is wrong with it is told also where they cannot be listed.
    fn database(&self, problems: &mut Vec<String>) -> Result<usize, super::Problem> {
        let store = Store::open(&self.settings.db, Access::ReadOnly)?;
        let damages = store.integrity()?;
        problems.extend(damages.iter().map(|damage| format!("{}: {}", damage.what, damage.why)));
        problems.extend((!damages.is_empty()).then(|| WHEN_DAMAGED.to_owned()));
        problems.extend(store.notice());
        Ok(store.sessions()?.len())
    }
}

/// Says so when anybody may put another database in the place of this one.
fn open_to_others(db: &Path) -> Option<String> {
    let folder = db.parent()?;
    let mode = std::fs::metadata(folder).ok()?.mode();
    let open = mode & 0o022 != 0 && mode & 0o1000 == 0;
    open.then(|| format!("others may change what lies in {} (chmod go-w it)", folder.display()))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_folder_that_others_may_write_to_is_a_problem() {
        let folder = tempfile::tempdir().unwrap();
        for (mode, told) in [(0o700, false), (0o755, false), (0o777, true), (0o770, true), (0o1777, false)] {
            std::fs::set_permissions(folder.path(), Permissions::from_mode(mode)).unwrap();
            assert_eq!(open_to_others(&folder.path().join("stet.db")).is_some(), told, "{mode:o}");
        }
    }
}
