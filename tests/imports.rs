//! Agents' sessions in a stet database, and out of it again: what is read is the same everywhere.
#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "a test fails by panicking, and says what it skipped")]

use std::path::{Path, PathBuf};

use stet::formats;
use stet::session::{Compaction, Depth, FileNo, Line, Log, Outline};
use stet::store::{Entries, Store};

/// Every line with its raw bytes, places told by counting, so that any store can be compared with any other.
fn read(log: &mut dyn Log) -> Vec<(Line, Vec<u8>)> {
    let files: Vec<FileNo> = [FileNo(0)].into_iter().chain(log.head().sides.iter().map(|side| side.file)).collect();
    let mut lines = Vec::new();
    for file in files {
        let (mut from, mut seq) = (0, 0);
        loop {
            let stretch = log.forward(file, from, 1 << 20, Depth::Full).unwrap();
            from = stretch.end;
            for mut line in stretch.lines {
                let raw = log.raw(file, line.offset).unwrap();
                (line.offset, line.blanks) = (seq, 0);
                seq += 1;
                lines.push((line, raw));
            }
            if stretch.at_end {
                break;
            }
        }
    }
    lines
}

fn outline(lines: &[(Line, Vec<u8>)]) -> Outline {
    let mut outline = Outline::default();
    for (line, _) in lines {
        outline.push(line);
    }
    outline.finish();
    outline
}

fn comes_back_as_it_was(path: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::create_or_open(&folder.path().join("first.db")).unwrap();
    let mut log = formats::open(path).unwrap();
    let key = log.head().key.clone();
    let want = read(log.as_mut());
    let first = store.import_log(log.as_mut(), &mut |_, _| {}).unwrap();
    assert_eq!(first.lines_new, want.len() as u64);
    let again = store.import_log(log.as_mut(), &mut |_, _| {}).unwrap();
    assert_eq!((again.lines_new, again.lines_known, again.parts_known), (0, first.lines_new, first.parts_new));

    let mut text = Vec::new();
    store.export(&key, &mut text).unwrap();
    let mut copy = Store::create_or_open(&folder.path().join("second.db")).unwrap();
    copy.import_interchange(text.as_slice(), Entries::AsTheyStand, &mut |_, _| {}).unwrap();
    for store in [&store, &copy] {
        let kept = read(store.log(&key).unwrap().as_mut());
        assert_eq!(kept.len(), want.len());
        for (kept, want) in kept.iter().zip(&want) {
            assert_eq!(kept, want, "{}", path.display());
        }
        let (kept, want): (Vec<Compaction>, Vec<Compaction>) = (outline(&kept).compactions, outline(&want).compactions);
        assert_eq!(kept, want);
        assert_eq!(store.verify(&key).unwrap(), []);
        let row = &store.sessions().unwrap()[0];
        assert_eq!(row.compactions as usize, want.len());
    }
    // The second export is the first, byte for byte.
    let mut second = Vec::new();
    copy.export(&key, &mut second).unwrap();
    assert!(second == text, "{}", path.display());
}

#[test]
fn a_sample_session_comes_back_as_it_was() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/sample-sessions/retry-ceiling/session.jsonl");
    comes_back_as_it_was(Path::new(path));
}

#[test]
fn real_sessions_come_back_as_they_were() {
    let Some(root) = std::env::var_os("STET_TEST_DATA") else {
        eprintln!("skipped: real sessions come back as they were (STET_TEST_DATA is not set)");
        return;
    };
    let mut tried = 0;
    for entry in std::fs::read_dir(PathBuf::from(root).join("data/sessions")).unwrap() {
        let path = entry.unwrap().path();
        if formats::open(&path).is_ok() {
            comes_back_as_it_was(&path);
            tried += 1;
        }
    }
    assert!(tried > 0);
}
