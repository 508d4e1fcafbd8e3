//! Damage is told, never passed over, and never a crash.

use super::given::{Folder, ORDERS, draft, key};
use crate::session::Depth;
use crate::store::{Access, Entries, Store, StoreError};

fn filled(folder: &Folder) {
    let mut store = folder.store();
    store.import_interchange(ORDERS.as_bytes(), Entries::AsTheyStand, &mut |_, _| {}).unwrap();
    store.enter(&key(), draft("port 80"), 1).unwrap();
    store.enter(&key(), draft("port 81"), 2).unwrap();
}

/// Changes what the guards guard, and puts the guards back.
fn tamper(folder: &Folder, table: &str, sql: &str) {
    let plain = folder.plain();
    plain.pragma_update(None, "foreign_keys", false).unwrap();
    let mut read =
        plain.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?1").unwrap();
    let guards: Vec<(String, String)> =
        read.query_map([table], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().collect::<Result<_, _>>().unwrap();
    for (name, _) in &guards {
        plain.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    assert!(plain.execute(sql, []).unwrap() > 0, "{sql} changes nothing");
    for (_, guard) in &guards {
        plain.execute_batch(guard).unwrap();
    }
}

#[test]
fn whatever_is_changed_behind_the_guards_is_found() {
    for (table, sql, want) in [
        ("ledger", "UPDATE ledger SET text = 'x' WHERE no = 1", "entry L1: it is not what was entered"),
        ("ledger", "DELETE FROM ledger WHERE no = 1", "entry L2: entries before it are missing"),
        ("ledger", "UPDATE ledger SET at = 9 WHERE no = 2", "entry L2: it is not what was entered"),
        (
            "part_text",
            "UPDATE part_text SET text = 'use port 80' WHERE part = 1",
            "part t1.0: its text is not what was said",
        ),
        ("part_text", "DELETE FROM part_text WHERE part = 1", "entry L1: its quote is not in turn t1.0 where it says"),
        (
            "part",
            "UPDATE part SET speaker = 'assistant' WHERE part = 1",
            "part t1.0: it does not follow the part before it, or is not what was said",
        ),
        ("part", "DELETE FROM part WHERE part = 5", "the end of the session: 5 parts were said, 4 are here"),
        ("part", "DELETE FROM part WHERE part = 2", "part t2.1: parts before it are missing"),
        ("line_raw", "UPDATE line_raw SET raw = x'00' WHERE line = 4", "line 4: its bytes are not what came in"),
        ("line_raw", "DELETE FROM line_raw WHERE line = 4", "line 4: its bytes are not what came in"),
        (
            "line",
            "UPDATE line SET role = 'system' WHERE line = 1",
            "part t1.0: it does not follow the part before it, or is not what was said",
        ),
    ] {
        let folder = Folder::new();
        filled(&folder);
        assert_eq!(folder.store().verify(&key()).unwrap(), [], "before");
        tamper(&folder, table, sql);
        let damages = folder.store().verify(&key()).unwrap();
        let told: Vec<String> = damages.iter().map(|damage| format!("{}: {}", damage.what, damage.why)).collect();
        assert!(told.contains(&want.to_owned()), "{sql}: {told:#?}");
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
