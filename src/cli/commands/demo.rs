//! `stet demo`: a private copy of a sample, which may be corrected and made anew.

use std::fs::{self, TryLockError};
use std::io::Write;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::{Bench, Settings, open};
use crate::cli::Outcome;
use crate::cli::args::Demo;

/// A sample with the name of its file.
struct Sample {
    name: &'static str,
    file: &'static str,
    bytes: &'static [u8],
}

const SAMPLES: &[Sample] = &[
    Sample {
        name: "orders-status",
        file: "session.db",
        bytes: include_bytes!("../../../sample-sessions/orders-status/session.db"),
    },
    Sample {
        name: "credit-hold",
        file: "session.db",
        bytes: include_bytes!("../../../sample-sessions/credit-hold/session.db"),
    },
    Sample {
        name: "retry-ceiling",
        file: "session.jsonl",
        bytes: include_bytes!("../../../sample-sessions/retry-ceiling/session.jsonl"),
    },
];

/// Below it each sample has a folder with its copy, and with a database for what is entered about it.
pub(super) fn folder(settings: &Settings) -> PathBuf {
    settings.data.join("demo")
}

pub(super) fn demo(bench: &Bench, demo: &Demo) -> Result<Outcome> {
    let sample = SAMPLES.iter().find(|sample| sample.name == demo.name).with_context(|| {
        let names: Vec<&str> = SAMPLES.iter().map(|sample| sample.name).collect();
        format!("cannot find the sample {}: there are {} (name one of them)", demo.name, names.join(", "))
    })?;
    let folder = folder(&bench.settings).join(sample.name);
    let copy = folder.join(sample.file);
    let what = || format!("cannot make the copy {}", copy.display());
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder).with_context(what)?;
    let in_use = fs::OpenOptions::new().create(true).append(true).open(folder.join("in-use")).with_context(what)?;
    if demo.reset {
        match in_use.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!(
                "cannot make the sample {} anew: it is open in another stet, whose corrections would be lost (close it \
                 there first)",
                sample.name
            ),
            Err(TryLockError::Error(error)) => return Err(error).with_context(what),
        }
        let beside = ["", "-wal", "-shm", "-journal"].into_iter();
        for name in beside.flat_map(|beside| [sample.file, "stet.db"].map(|file| format!("{file}{beside}"))) {
            let old = folder.join(name);
            match fs::remove_file(&old) {
                Ok(()) => {}
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(error).with_context(|| format!("cannot remove {}", old.display())),
            }
        }
    }
    // Until this program ends. Where files cannot be locked, nobody is kept from anything.
    in_use.lock_shared().ok();
    if !copy.exists() {
        write(&copy, sample.bytes).with_context(what)?;
    }
    open::open(bench, copy.as_os_str())
}

/// Whole or not at all. What another program put there meanwhile stays: it may be open there.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut new = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(path))?;
    new.write_all(bytes)?;
    new.as_file().sync_all()?;
    match new.persist_noclobber(path) {
        Err(refused) if refused.error.kind() != std::io::ErrorKind::AlreadyExists => Err(refused.error),
        _ => Ok(()),
    }
}
