//! Long sessions on disk, made once and kept under `target/`.

use std::path::{Path, PathBuf};

use crate::generate::{self, Wanted};

/// A session of so many megabytes.
pub fn session(megabytes: u64) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("session-{megabytes}.jsonl"));
    if !path.exists() {
        let half = path.with_extension("half");
        let wanted = Wanted { bytes: megabytes * 1_000_000, seed: 7, every: 120, needle: "zqxneedle" };
        let written = generate::session(&half, &wanted).unwrap();
        assert!(written.bytes >= wanted.bytes && written.lines > 0 && written.compactions > 0);
        std::fs::rename(half, &path).unwrap();
    }
    path
}
