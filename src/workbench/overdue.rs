//! What of a session in retention mode should be gone by now and is still here: whoever closed its blocks was stopped. It
//! is told from what is stored, and nothing is written.

use std::path::PathBuf;

use super::closing::own_rules;
use super::course::{Course, LastLine};
use super::overview::quoted;
use super::{Desk, Problem, Target, Workbench};
use crate::compile::Rules;
use crate::store::{Access, Store};

/// Texts that should be gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overdue {
    /// They are still stored.
    Turns {
        /// The first and the last of them.
        turns: (u32, u32),
        /// What the session is called on a command line, with the lengths of its blocks where they are not the usual ones.
        name: String,
    },
    /// They went, and this log was left beside the database, which cannot be written.
    Beside(PathBuf),
}

impl std::fmt::Display for Overdue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Overdue::Turns { turns: (from, to), name } => write!(
                f,
                "the texts of turns {from}–{to} should be gone and are still here: whoever closes their blocks was stopped, \
                 or is at it (stet compile {name} lets them go)"
            ),
            Overdue::Beside(log) => write!(
                f,
                "texts that went may still stand in {} or behind it: this log was left beside the database, and the file or \
                 its folder cannot be written (make both writable and open the database again, which clears the log away; \
                 or another program has it open, and clears it itself)",
                log.display()
            ),
        }
    }
}

impl Desk {
    /// What of this session should be gone and is still here; empty where nothing is, and of a session that keeps its
    /// texts.
    pub fn overdue(&self) -> Result<Vec<Overdue>, Problem> {
        let Some((store, _)) = self.kept()? else { return Ok(Vec::new()) };
        let key = &self.head().key;
        if store.retention(key)?.is_none() {
            return Ok(Vec::new());
        }
        let blocks = store.shelved(key)?.unwrap_or_default().blocks;
        let last = blocks.last();
        let closed = match store.unforgotten(key)? {
            Some(no) => blocks.iter().find(|block| block.no == no).map(|block| block.run.turns.0),
            None => None,
        };
        let rules = own_rules(&store, key)?;
        let mut log = store.log(key)?;
        let due = Course::behind(last, rules, log.as_mut())?.read_on(log.as_mut(), LastLine::Grows)?;
        let from = closed.or(due.first().map(|due| due.of.turns.0));
        let to = due.last().map(|due| due.of.turns.1).or(last.map(|last| last.run.turns.1));
        let name = quoted(&Target::Kept { db: store.path().to_owned(), key: key.clone() }.name()) + &lengths(rules);
        let turns = from.zip(to).map(|turns| Overdue::Turns { turns, name });
        Ok(turns.into_iter().chain(store.left_beside()?.map(Overdue::Beside)).collect())
    }
}

/// What a command that closes blocks by these rules says of them; nothing of the usual lengths.
pub(super) fn lengths(rules: Rules) -> String {
    let (Rules { target, cap, .. }, usual) = (rules, Rules::default());
    let own = (target, cap) != (usual.target, usual.cap);
    if own { format!(" --target {target} --cap {cap}") } else { String::new() }
}

impl Workbench {
    /// The same of every session in the database.
    pub(super) fn all_overdue(&self) -> Result<Vec<Overdue>, Problem> {
        let db = &self.settings.db;
        let store = Store::open(db, Access::ReadOnly)?;
        let mut all: Vec<Overdue> = Vec::new();
        for session in store.sessions()? {
            if store.retention(&session.key)?.is_some() {
                all.extend(self.open(&Target::Kept { db: db.clone(), key: session.key })?.overdue()?);
            }
        }
        // The log is that of all of them.
        let mut told = false;
        all.retain(|one| !matches!(one, Overdue::Beside(_)) || !std::mem::replace(&mut told, true));
        Ok(all)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    use std::path::Path;

    use super::super::world::World;
    use super::super::{Cancel, Target};
    use super::Overdue;
    use crate::session::SessionKey;
    use crate::store::Quotes;

    fn said(no: u32) -> Vec<u8> {
        let text = format!("words zq{no}x");
        format!(r#"{{"type":"part","id":"t{no}","turn":"t{no}","role":"user","kind":"text","text":"{text}"}}"#)
            .into_bytes()
    }

    #[test]
    fn turns_of_a_block_that_was_never_closed_are_said_to_be_here_until_they_go() {
        for (quotes, turns, told) in
            [(None, 70, None), (Some(Quotes::Drop), 59, None), (Some(Quotes::Drop), 70, Some((1, 60)))]
        {
            let world = World::of(&[]);
            let (bench, key) = (world.bench(), SessionKey::new("stet", "quiet"));
            // Who stores lines is stopped before a block closes.
            let mut appending = bench.append(&key, quotes).unwrap();
            let lines: Vec<Vec<u8>> = (0..turns).map(said).collect();
            assert_eq!(appending.take(&lines).unwrap().acknowledged.len(), turns as usize);
            let mut desk = bench.open(&Target::Kept { db: world.db(), key: key.clone() }).unwrap();
            let name = || format!("{}#quiet", world.db().display());
            let overdue = told.map(|turns| Overdue::Turns { turns, name: name() });
            assert_eq!(desk.overdue().unwrap(), Vec::from_iter(overdue), "{quotes:?}, {turns}");
            let wrong = desk.verify().unwrap();
            assert_eq!(wrong.iter().any(|why| why.contains("turns 1–60 should be gone")), told.is_some(), "{wrong:?}");
            assert_eq!(bench.examine().problems.iter().any(|why| why.contains("turns 1–60")), told.is_some());
            desk.index(&Cancel::default(), &mut |_| ()).unwrap();
            assert_eq!(desk.overview(&Cancel::default()).unwrap().overdue.is_empty(), told.is_none());
            appending.forget_by(crate::compile::Rules::default()).unwrap();
            assert_eq!((desk.overdue().unwrap(), desk.verify().unwrap()), (vec![], vec![]));
        }
    }

    #[test]
    fn what_is_due_is_told_by_the_lengths_that_the_session_was_closed_with_last() {
        use crate::compile::{Extractive, Rules};
        let world = World::of(&[]);
        let (bench, key) = (world.bench(), SessionKey::new("stet", "quiet"));
        let target = Target::Kept { db: world.db(), key: key.clone() };
        let mut appending = bench.append(&key, Some(Quotes::Drop)).unwrap();
        let lines: Vec<Vec<u8>> = (0..70).map(said).collect();
        appending.take(&lines).unwrap();
        let told = || bench.open(&target).unwrap().overdue().unwrap();
        let turns = |from, to, more: &str| {
            vec![Overdue::Turns { turns: (from, to), name: format!("{}#quiet{more}", world.db().display()) }]
        };
        assert_eq!(told(), turns(1, 60, ""));
        // Longer blocks: nothing is due.
        let rules = |target| Rules { target, cap: target, ..Rules::default() };
        bench.compile(&target, rules(200), &Extractive, &mut |_| ()).unwrap();
        assert_eq!((told(), appending.own_rules().unwrap()), (vec![], rules(200)));
        // Shorter ones.
        bench.compile(&target, rules(20), &Extractive, &mut |_| ()).unwrap();
        assert_eq!(told(), []);
        let more: Vec<Vec<u8>> = (70..90).map(said).collect();
        appending.take(&more).unwrap();
        assert_eq!(told(), turns(61, 80, " --target 20 --cap 20"));
        let mut desk = bench.open(&target).unwrap();
        desk.index(&Cancel::default(), &mut |_| ()).unwrap();
        let overview = desk.overview(&Cancel::default()).unwrap();
        assert!(overview.name.ends_with("#quiet --target 20 --cap 20"), "{}", overview.name);
        assert_eq!(overview.due.iter().map(|due| due.turns).collect::<Vec<_>>(), [(61, 80)]);
    }

    #[test]
    fn a_log_that_was_left_beside_a_file_that_cannot_be_written_is_told_until_it_can() {
        let world = World::of(&[]);
        let (bench, key) = (world.bench(), SessionKey::new("stet", "quiet"));
        let mut appending = bench.append(&key, Some(Quotes::Drop)).unwrap();
        // Somebody who reads an old state keeps the log from being emptied behind the block.
        appending.take(&[said(0)]).unwrap();
        let reader = rusqlite::Connection::open(world.db()).unwrap();
        reader.execute_batch("BEGIN; SELECT count(*) FROM part;").unwrap();
        let lines: Vec<Vec<u8>> = (1..70).map(said).collect();
        assert_eq!(appending.take(&lines).unwrap().refused, None);
        let rules = crate::compile::Rules::default();
        let why = format!("{:#}", appending.forget_by(rules).unwrap_err());
        assert!(why.contains("still in the log beside the database: another program still reads it"), "{why}");
        // The same files elsewhere, as somebody finds them who may read them and no more.
        let folder = tempfile::tempdir().unwrap();
        let beside = |name: &str| folder.path().join(name);
        let allow = |path: &Path, mode: u32| std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        for name in ["stet.db", "stet.db-wal"] {
            std::fs::copy(world.db().with_file_name(name), beside(name)).unwrap();
            allow(&beside(name), 0o444);
        }
        allow(folder.path(), 0o555);
        let holds =
            |name: &str| std::fs::read(beside(name)).is_ok_and(|bytes| bytes.windows(5).any(|it| it == b"zq30x"));
        assert!(holds("stet.db") || holds("stet.db-wal"));
        let log = beside("stet.db-wal").canonicalize().unwrap();
        let Some(wrong) = seen_by_another(&beside("stet.db")) else { return };
        assert!(wrong.len() == 1 && wrong[0].contains(&log.display().to_string()), "{wrong:?}");
        assert!(holds("stet.db") || holds("stet.db-wal"), "nothing was written");
        allow(folder.path(), 0o755);
        allow(&beside("stet.db"), 0o644);
        allow(&log, 0o644);
        let mut desk = bench.open(&Target::Kept { db: beside("stet.db"), key }).unwrap();
        assert_eq!((desk.overdue().unwrap(), desk.verify().unwrap()), (vec![], vec![]));
        drop(desk);
        assert!(!holds("stet.db") && !holds("stet.db-wal"));
    }

    /// What is wrong with this database for a user who may not write it: root may write everywhere. `None` where no other
    /// user may run this program.
    fn seen_by_another(db: &Path) -> Option<Vec<String>> {
        let mut look = std::process::Command::new(std::env::current_exe().unwrap());
        look.args([
            "--exact",
            "workbench::overdue::tests::somebody_who_may_not_write_looks",
            "--ignored",
            "--nocapture",
        ]);
        look.env("STET_TEST_LOOKED", db).current_dir("/");
        if rustix::process::geteuid().is_root() {
            look.uid(65_534);
        }
        let said = String::from_utf8(look.output().ok()?.stdout).unwrap();
        assert!(said.contains("1 passed"), "{said}");
        Some(said.lines().filter_map(|line| line.strip_prefix("wrong: ").map(str::to_owned)).collect())
    }

    #[test]
    #[ignore = "run by another test, as another user"]
    #[expect(clippy::print_stdout, reason = "the other test reads it")]
    fn somebody_who_may_not_write_looks() {
        let Some(db) = std::env::var_os("STET_TEST_LOOKED") else { return };
        let kept = Target::Kept { db: db.into(), key: SessionKey::new("stet", "quiet") };
        let mut desk = World::of(&[]).bench().open(&kept).unwrap();
        desk.verify().unwrap().iter().for_each(|why| println!("\nwrong: {why}"));
    }
}
