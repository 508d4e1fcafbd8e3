//! Stores that are damaged, hostile or odd, and what must happen with each. Written from code: nothing is copied.
//! Each case has a folder of its own, so that what a reader leaves behind shows.

mod databases;
mod jsonl;
mod paths;
mod sides;

use std::fs;
use std::path::{Path, PathBuf};

pub use databases::{foreign, mangled};
pub use jsonl::sessions;
pub use paths::odd_paths;
pub use sides::sides;

/// What a correct program does with a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Opens, and nothing is skipped.
    Opens,
    /// Opens; what cannot be read is counted with its place, or mended and shown.
    Skips,
    /// Opens; the last line is unfinished and not counted as bad.
    Waits,
    /// One clear line that names the file; exit code 2.
    Refuses,
    /// Either opens or refuses; what counts is that it answers in time and loses nothing in silence.
    Answers,
}

/// One nasty store.
pub struct Case {
    /// `j03-cut-last-line`: the part before the first dash stands in its texts as `GOOD-j03-1`.
    pub name: &'static str,
    pub path: PathBuf,
    pub act: Act,
    /// How many different `GOOD` texts must be reachable.
    pub good: usize,
    /// How many lines must be counted as skipped, unless they were mended; `None` where that is left open.
    pub bad: Option<usize>,
    /// Their numbers.
    pub lines: &'static [u64],
    /// What a refusal must mention, beside the file.
    pub says: &'static str,
    /// A stet database: what lies beside it may be settled when it is opened.
    pub is_ours: bool,
}

impl Case {
    /// The part of the name that its texts carry.
    pub fn code(&self) -> &'static str {
        self.name.split('-').next().unwrap_or_default()
    }

    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap()
    }
}

/// A folder that fills with cases.
pub struct Corpus {
    out: PathBuf,
    pub cases: Vec<Case>,
}

impl Corpus {
    pub fn new(out: &Path) -> Self {
        Self { out: out.to_owned(), cases: Vec::new() }
    }

    /// The folder of a case, made.
    fn folder(&self, name: &str) -> PathBuf {
        let folder = self.out.join(name);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// A case whose file is already there.
    fn add(&mut self, name: &'static str, path: PathBuf, act: Act) -> &mut Case {
        self.cases.push(Case { name, path, act, good: 0, bad: None, lines: &[], says: "", is_ours: false });
        self.cases.last_mut().unwrap()
    }
}

impl Case {
    fn good(&mut self, good: usize) -> &mut Self {
        self.good = good;
        self
    }

    fn bad(&mut self, bad: usize, lines: &'static [u64]) -> &mut Self {
        self.bad = Some(bad);
        self.lines = lines;
        self
    }

    fn says(&mut self, says: &'static str) {
        self.says = says;
    }
}
