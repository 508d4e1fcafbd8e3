//! Damaged files: whatever bytes they hold, they are told and never a crash, and nothing goes on for ever.

use super::given::{Folder, draft, key, read};
use super::verify::{filled, tamper};
use crate::session::{Body, Depth, FileNo};
use crate::store::{Access, Store, StoreError};

#[test]
fn one_bad_row_does_not_hide_the_others_and_is_told() {
    let folder = Folder::new();
    filled(&folder);
    tamper(&folder, "line", "UPDATE line SET role = NULL WHERE line = 2");
    tamper(&folder, "part", "UPDATE part SET tool = CAST(x'ff6d616c666f726d6564' AS TEXT) WHERE part = 3");
    let store = folder.store();
    let lines = read(store.log(&key()).unwrap().as_mut());
    assert_eq!(lines.len(), 9);
    let unread = lines.iter().filter(|(line, _)| matches!(line.body, Body::Unread { .. })).count();
    assert_eq!(unread, 1);
    assert!(!store.verify(&key()).unwrap().is_empty());
}

#[test]
fn an_export_of_any_file_comes_to_an_end() {
    let folder = Folder::new();
    filled(&folder);
    tamper(&folder, "line", "UPDATE line SET seq = 9223372036854775807 - seq WHERE file = 0");
    let mut store = folder.store();
    let mut out = Vec::new();
    store.export(&key(), &mut out).ok();
    assert!(out.len() < 100_000);
    store.sessions().ok();
    let mut appender = store.appender(key());
    appender.push(r#"{"type":"part","id":"x","turn":"x","role":"user","kind":"text","text":"more"}"#).unwrap();
    let error = appender.commit().unwrap_err().to_string();
    assert!(error.contains("a sequence ends in 9223372036854775807"), "{error}");
}

#[test]
fn numbers_at_their_ends_are_told_and_nothing_panics() {
    const BIG: &str = "9223372036854775807";
    for (table, column) in [
        ("line", "seq"),
        ("line", "file"),
        ("line", "at"),
        ("line", "raw_length"),
        ("part", "seq"),
        ("part", "block"),
        ("part", "length"),
        ("item", "ordinal"),
        ("item_source", "start"),
        ("item_source", "\"end\""),
        ("compaction", "tokens_before"),
        ("compaction", "first_kept_line"),
        ("note", "cleared"),
        ("ledger", "no"),
        ("ledger", "at"),
        ("ledger", "source_end"),
        ("tally", "parts"),
        ("tally", "lines"),
        ("tally", "counted_lines"),
    ] {
        for change in [format!("{BIG} - {column}"), format!("-1 - {column}"), format!("4294967295 - {column}")] {
            let folder = Folder::new();
            filled(&folder);
            // A column without a value is given one.
            let change = change.replace(&format!("- {column}"), &format!("- ifnull({column}, 0)"));
            tamper(&folder, table, &format!("UPDATE {table} SET {column} = {change}"));
            let mut store = folder.store();
            let told = store.verify(&key()).unwrap();
            // Figures of other lines than are here are not used.
            assert!(!told.is_empty() || column == "counted_lines", "{table}.{column} = {change}");
            store.export(&key(), &mut Vec::new()).ok();
            store.sessions().ok();
            if let Ok(mut log) = store.log(&key()) {
                for file in [FileNo(0), FileNo(1)] {
                    log.forward(file, 0, 1, Depth::Full).ok();
                    log.backward(file, u64::MAX, usize::MAX, Depth::Full).ok();
                    log.raw(file, u64::MAX).ok();
                    log.size(file).ok();
                }
            }
            store.enter(&key(), draft("more"), 9).ok();
            let mut appender = store.appender(key());
            appender.push(r#"{"type":"part","id":"x","turn":"x","role":"user","kind":"text","text":"y"}"#).unwrap();
            appender.commit().ok();
        }
    }
}

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }
}

#[test]
fn flipped_bytes_are_told_and_nothing_panics_or_hangs() {
    let folder = Folder::new();
    filled(&folder);
    let whole = std::fs::read(folder.path("s.db")).unwrap();
    let want = everything_in(&Store::open(&folder.path("s.db"), Access::ReadOnly).unwrap()).unwrap();
    let started = std::time::Instant::now();
    for seed in 0..200 {
        let mut dice = Dice(seed);
        let mut bytes = whole.clone();
        for _ in 0..=dice.roll(40) {
            let at = dice.roll(bytes.len());
            bytes[at] ^= 1 << dice.roll(8);
        }
        if dice.roll(5) == 0 {
            bytes.truncate(dice.roll(whole.len()));
        }
        let path = folder.path("flipped.db");
        std::fs::write(&path, &bytes).unwrap();
        let Ok(store) = Store::open(&path, Access::ReadOnly) else { continue };
        let damages = store.verify(&key());
        match everything_in(&store) {
            // Either all that is read is right, or it is said that something is not.
            Ok(got) if got == want => {}
            Ok(_) => assert!(damages.as_ref().is_ok_and(|damages| !damages.is_empty()), "seed {seed}: {damages:?}"),
            Err(_) => {}
        }
        if let Ok(mut writer) = Store::open(&path, Access::Write) {
            writer.enter(&key(), draft("after"), 3).ok();
        }
    }
    assert!(started.elapsed() < std::time::Duration::from_mins(2));
}

fn everything_in(store: &Store) -> Result<impl PartialEq + use<>, StoreError> {
    let mut log = store.log(&key())?;
    let stretch = log.forward(crate::session::FileNo(0), 0, usize::MAX, Depth::Full)?;
    Ok((stretch.lines, store.ledger(&key())?))
}
