//! Retention mode: what is closed is gone from every byte of the file, and what stays still holds together.

use std::collections::BTreeSet;

use super::given::{Folder, draft, key};
use crate::record::{Block, ClosedBy, Detail, Field, Item, Record, Run, Verdict};
use crate::session::{Body, Depth, FileNo, Hash, PartSeq, Place, SessionKey, SourceRef, Speaker, TurnNo};
use crate::store::schema::MIGRATIONS;
use crate::store::{Access, Entries, Forgotten, Quotes, StaysAs, Store, StoreError, Unsearched};

const TURNS: u64 = 400;

/// Words that stand in one text alone.
fn words(turn: u64) -> String {
    (0..30).map(|n| format!("zq{turn}x{n}y")).collect::<Vec<_>>().join(" ")
}

pub(super) fn part(turn: u64) -> String {
    let text = format!("keep the {} as it is", words(turn));
    let role = if turn.is_multiple_of(2) { "user" } else { "assistant" };
    format!(r#"{{"type":"part","id":"t{turn}","turn":"t{turn}","role":"{role}","kind":"text","text":"{text}"}}"#)
}

pub(super) fn appended(store: &mut Store, turns: std::ops::Range<u64>) {
    let mut appender = store.appender(key());
    for turn in turns {
        appender.push(&part(turn)).unwrap();
        if turn % 7 == 0 {
            appender.commit().unwrap();
        }
    }
    assert_eq!(appender.commit().unwrap().refused, None);
}

/// A block over these parts with one item about its first.
pub(super) fn block(store: &Store, no: u32, parts: std::ops::Range<u64>) -> Block {
    block_of(store, &key(), no, parts)
}

fn block_of(store: &Store, key: &SessionKey, no: u32, parts: std::ops::Range<u64>) -> Block {
    let first = parts.start;
    let quote = "keep the".to_owned();
    let source = SourceRef {
        turn: TurnNo(Vec::new()),
        turn_id: format!("t{first}"),
        line_id: Some(format!("t{first}")),
        place: Place { file: FileNo(0), offset: first, part: 0 },
        seq: PartSeq(first),
        range: (0, 8),
        hash: Hash::of(quote.as_bytes()),
        quote,
        speaker: Speaker::User,
    };
    let item = |field, text: &str, detail| Item {
        field,
        text: text.to_owned(),
        range: None,
        detail,
        sources: vec![source.clone()],
        verdict: Verdict::Unchecked,
        why: None,
        better: None,
        own: None,
    };
    let action = Detail::Action { tool: "bash".into(), args: "keep the".into(), ok: Some(true) };
    let items = vec![
        item(Field::Entities, &format!("E-{no}"), Detail::Entity { class: "ticket".into() }),
        item(Field::Constraints, "keep the", Detail::Plain),
        item(Field::Actions, "keep the", action),
    ];
    Block {
        no,
        run: Run {
            originals: store.originals(key, &parts).unwrap().unwrap(),
            turns: (first as u32 + 1, parts.end as u32),
            parts,
            from_id: format!("t{first}"),
            tokens: 9,
        },
        closed_by: ClosedBy::Step,
        turned: None,
        cut: Vec::new(),
        generation: 1,
        record: std::sync::Arc::new(Record { items, summary: String::new(), rules: 0 }),
    }
}

/// Which of these turns' words stand in any byte of the files.
pub(super) fn left(folder: &Folder, turns: std::ops::Range<u64>) -> Vec<String> {
    let bytes: Vec<Vec<u8>> =
        folder.names().iter().map(|name| std::fs::read(folder.path(name)).unwrap().to_ascii_lowercase()).collect();
    let finders = turns.flat_map(|turn| (0..30).map(move |n| format!("zq{turn}x{n}y")));
    finders.filter(|word| bytes.iter().any(|bytes| memchr::memmem::find(bytes, word.as_bytes()).is_some())).collect()
}

#[test]
fn what_a_closed_block_said_is_in_no_byte_of_the_file() {
    for quotes in [Quotes::Keep, Quotes::Drop] {
        let folder = Folder::new();
        let mut store = folder.store();
        store.retain(&key(), quotes).unwrap();
        let head = r#"{"type":"session","agent":"stet","id":"orders","title":"zq0x0y zq0x1y"}"#;
        let mut appender = store.appender(key());
        appender.push(head).unwrap();
        assert_eq!(appender.commit().unwrap().refused, None);
        let mut done = 0;
        let named = r#"{"type":"line","id":"n","kind":"noise","what":"name","title":"zq0x0y zq0x1y","text":"zq0x2y"}"#;
        for no in 1..=4_u32 {
            let end = u64::from(no) * TURNS / 4;
            // Something of the next block is there already.
            appended(&mut store, done.max(u64::from(no > 1) * (done + 5))..end + 5);
            assert_eq!(left(&folder, done..end + 5).len() as u64, (end + 5 - done) * 30);
            let block = block(&store, no, done..end);
            let forgotten = store.close_block(&key(), &block).unwrap();
            assert_eq!(forgotten, Forgotten { parts: (end - done) as usize, lines: (end - done) as usize, beside: 0 });
            assert_eq!(left(&folder, 0..end), [""; 0], "block {no}");
            assert_eq!(left(&folder, end..end + 5).len(), 150, "what is not closed stays");
            assert_eq!(std::fs::metadata(folder.path("s.db-wal")).map_or(0, |wal| wal.len()), 0);
            assert_eq!(store.originals(&key(), &block.run.parts).unwrap(), None, "no span can be made of it");
            assert!(store.originals(&key(), &(end..end + 5)).unwrap().is_some());
            done = end;
        }
        let mut appender = store.appender(key());
        appender.push(named).unwrap();
        appender.push(named).unwrap();
        assert_eq!(appender.commit().unwrap().acked, ["n", "n"]);
        let mut log = store.log(&key()).unwrap();
        let last = log.backward(FileNo(0), u64::MAX, 1, Depth::Full).unwrap().lines.pop().unwrap();
        assert!(matches!(last.body, Body::Noise { title: None, .. }), "a name would stay when its line goes");
        drop(log);
        assert_eq!(store.verify(&key()).unwrap(), []);
        assert_eq!(store.search("zq3x3y", 9).unwrap().hits, []);
        let found = store.search(&format!("ZQ{TURNS}x3y zq{TURNS}x4y"), 9).unwrap();
        assert_eq!((found.hits.len(), found.hits[0].place.offset), (1, TURNS));
        assert_eq!(found.unsearched, [Unsearched { key: key(), turns: TURNS as u32 }]);
        let kept = store.blocks(&key()).unwrap();
        assert_eq!(kept[0].record.items[0].text, "E-1");
        let stays: Vec<_> = store.stays(&key()).unwrap().into_iter().filter(|one| one.by == "block:4").collect();
        let stays: Vec<_> = stays.iter().map(|one| (one.kind, one.words.as_str())).collect();
        let bytes = std::fs::read(folder.path("s.db")).unwrap();
        let said = memchr::memmem::find_iter(&bytes, "keep the").count();
        let action = (StaysAs::Item(Field::Actions), "bash");
        assert_eq!(stays, [(StaysAs::Item(Field::Entities), "E-4"), action], "nobody pinned the sentence");
        assert_eq!(kept[3].record.items.len(), 2);
        assert_eq!(kept[3].record.items[0].sources[0].hash, Hash::of(b"keep the"));
        // Each of the five open turns says it in its part and in its line.
        assert_eq!(said, 10);
    }
}

#[test]
fn names_and_figures_stay_and_a_sentence_only_where_it_is_pinned() {
    let folder = Folder::new();
    let mut store = folder.store();
    store.retain(&key(), Quotes::Keep).unwrap();
    appended(&mut store, 0..8);
    let first = format!("keep the {} as it is", words(0));
    let pinned = first[..20].to_owned();
    let mut entry = draft(&pinned);
    let quote = entry.source.as_mut().unwrap();
    (quote.turn_id, quote.line_id, quote.range) = ("t0".into(), Some("t0".into()), (0, 20));
    (quote.quote, quote.hash) = (pinned.clone(), Hash::of(pinned.as_bytes()));
    store.enter(&key(), entry, 1).unwrap();
    let mut block = block(&store, 1, 0..5);
    let record = std::sync::Arc::make_mut(&mut block.record);
    let of = record.items[1].clone();
    let mut source = of.sources[0].clone();
    (source.range, source.hash, source.quote) = ((0, 20), Hash::of(pinned.as_bytes()), pinned.clone());
    let figure = |label: &str| Detail::Figure { label: label.into(), value: "7".into(), unit: "EUR".into() };
    let called = |args: &str| Detail::Action { tool: "bash".into(), args: args.into(), ok: Some(true) };
    record.items = vec![
        Item { text: pinned.clone(), sources: vec![source], ..of.clone() },
        Item { text: "keep".into(), ..of.clone() },
        Item { field: Field::Figures, text: "fee: 7 EUR".into(), detail: figure("fee"), ..of.clone() },
        Item { field: Field::Actions, detail: called("{\"command\": \"cargo test zq0x7y\"}"), ..of.clone() },
        Item { field: Field::Narrative, text: "keep the".into(), ..of.clone() },
        Item { field: Field::Narrative, text: "It was kept.".into(), ..of },
    ];
    assert_eq!(store.close_block(&key(), &block).unwrap().parts, 5);
    let kept = store.blocks(&key()).unwrap().remove(0).record;
    let items: Vec<_> = kept.items.iter().map(|item| (item.text.as_str(), item.sources[0].quote.as_str())).collect();
    let command = ("bash {\"command\":\"cargo test …\"}", "");
    assert_eq!(items, [(pinned.as_str(), pinned.as_str()), ("fee: 7 EUR", ""), command, ("It was kept.", "")]);
    assert!(kept.items.iter().all(|item| item.sources[0].hash != Hash::ZERO));
    assert_eq!(left(&folder, 0..5), left_in(&pinned), "no word but those that are pinned");
    assert_eq!(store.verify(&key()).unwrap(), []);
}

/// The words of one text among those that are looked for.
fn left_in(text: &str) -> Vec<String> {
    text.split(' ').filter(|word| word.starts_with("zq") && word.ends_with('y')).map(str::to_owned).collect()
}

/// A turn of so many words.
fn sized(turn: u64, count: u64) -> String {
    let text = (0..count).map(|n| format!("zq{turn}x{n}y")).collect::<Vec<_>>().join(" ");
    part(turn).replace(&words(turn), &text)
}

/// The turns of which some word stands in any byte of the files.
fn turns_left(folder: &Folder) -> BTreeSet<u64> {
    let bytes = folder.names().into_iter().flat_map(|name| std::fs::read(folder.path(&name)).unwrap());
    let bytes: Vec<u8> = bytes.collect();
    let turn = |at: usize| {
        let digits = bytes[at + 2..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let is_word = bytes.get(at + 2 + digits) == Some(&b'x');
        std::str::from_utf8(&bytes[at + 2..at + 2 + digits]).unwrap().parse().ok().filter(|_| is_word)
    };
    memchr::memmem::find_iter(&bytes, "zq").filter_map(turn).collect()
}

#[test]
fn texts_of_every_size_go_from_pages_that_they_share_and_the_file_is_not_written_anew() {
    let folder = Folder::new();
    let mut store = folder.store();
    // Turns are numbered apart. The last one keeps what it says.
    let keys = ["one", "other", "kept"].map(|id| SessionKey::new("stet", id));
    for key in &keys[..2] {
        store.retain(key, Quotes::Drop).unwrap();
    }
    let (mut said, mut closed, mut blocks) = ([0_u64; 3], [0_u64; 2], [0_u32; 2]);
    let mut free = 0;
    for round in 0..60_u64 {
        for (nth, key) in keys.iter().enumerate() {
            let mut appender = store.appender(key.clone());
            for _ in 0..=(round + nth as u64) % 4 {
                let turn = nth as u64 * 1_000_000 + said[nth];
                let count = [1, 2, 30, 90, 180, 195, 200, 400, 410, 3_000][(turn * 7 + round) as usize % 10];
                appender.push(&sized(turn, count)).unwrap();
                said[nth] += 1;
            }
            assert_eq!(appender.commit().unwrap().refused, None);
        }
        for (nth, every) in [(0, 3), (1, 5)] {
            if round % every != every - 1 {
                continue;
            }
            let (key, end) = (&keys[nth], said[nth] - round % 3);
            blocks[nth] += 1;
            let block = block_of(&store, key, blocks[nth], closed[nth]..end);
            let gone = (end - closed[nth]) as usize;
            assert_eq!(store.close_block(key, &block).unwrap(), Forgotten { parts: gone, lines: gone, beside: 0 });
            closed[nth] = end;
            let starts = [closed[0], 1_000_000 + closed[1], 2_000_000];
            let there = starts.into_iter().zip(said).enumerate();
            let there = there.flat_map(|(nth, (start, said))| start..nth as u64 * 1_000_000 + said);
            assert_eq!(turns_left(&folder), there.collect(), "round {round}");
            free = free.max(folder.plain().query_row("PRAGMA freelist_count", [], |row| row.get(0)).unwrap());
        }
    }
    assert!(free > 0, "a file that is written anew has no free page");
    for (nth, key) in keys.iter().enumerate() {
        assert_eq!(store.verify(key).unwrap(), []);
        let there = store.originals(key, &(closed.get(nth).copied().unwrap_or(0)..said[nth])).unwrap();
        assert!(there.is_some(), "{key}: what is open is as it was said");
    }
}

#[test]
fn what_an_older_version_left_of_open_texts_goes_when_their_block_closes() {
    let folder = Folder::new();
    let plain = folder.plain();
    plain.execute_batch("PRAGMA application_id = 0x73746574; PRAGMA journal_mode = WAL").unwrap();
    for migration in &MIGRATIONS[..6] {
        plain.execute_batch(migration).unwrap();
    }
    plain
        .execute_batch(
            "PRAGMA user_version = 6;
             INSERT INTO session (agent, id, mode) VALUES ('stet', 'orders', 'retention');
             INSERT INTO retention VALUES (1, 'drop');",
        )
        .unwrap();
    // It put what may go into its index, and merged that: pages with such words are free.
    for turn in 0..600_u64 {
        plain.execute("INSERT INTO part_fts (rowid, text) VALUES (?1, ?2)", (turn as i64 + 1, words(turn))).unwrap();
    }
    plain
        .execute_batch("INSERT INTO part_fts (part_fts) VALUES ('optimize'); PRAGMA wal_checkpoint(TRUNCATE)")
        .unwrap();
    drop(plain);
    assert_ne!(turns_left(&folder), BTreeSet::new());
    let mut store = folder.store();
    assert_eq!(turns_left(&folder), BTreeSet::new(), "nor in the log");
    appended(&mut store, 0..6);
    let first = block(&store, 1, 0..5);
    store.close_block(&key(), &first).unwrap();
    assert_eq!(turns_left(&folder), BTreeSet::from([5]));
    assert_eq!(folder.names(), ["s.db", "s.db-shm", "s.db-wal"], "no copy is set aside");
    assert_eq!((store.retention(&key()).unwrap(), store.verify(&key()).unwrap()), (Some(Quotes::Drop), vec![]));
    let young = SessionKey::new("stet", "young");
    store.retain(&young, Quotes::Drop).unwrap();
    assert_eq!([&key(), &young].map(|key| store.is_unsealed(key).unwrap()), [true, false]);
}

#[test]
fn a_summary_goes_with_the_turns_that_it_was_made_of_and_its_marker_says_so() {
    let folder = Folder::new();
    let mut store = folder.store();
    store.retain(&key(), Quotes::Keep).unwrap();
    appended(&mut store, 0..3);
    let mut appender = store.appender(key());
    appender.push(r#"{"type":"compaction","id":"k1","summary":"they said zq1x1y"}"#).unwrap();
    assert_eq!(appender.commit().unwrap().acked, ["k1"]);
    appended(&mut store, 3..6);
    let first = block(&store, 1, 0..5);
    assert_eq!(store.close_block(&key(), &first).unwrap(), Forgotten { parts: 5, lines: 6, beside: 1 });
    assert_eq!(turns_left(&folder), BTreeSet::from([5]));
    let mut log = store.log(&key()).unwrap();
    let marker = log.forward(FileNo(0), 3, 1, Depth::Full).unwrap().lines.remove(0);
    assert!(matches!(marker.body, Body::Compaction { summary: None, .. }));
    assert_eq!(marker.lossy.as_deref(), Some("gone: its summary went with the turns before it (retention mode)"));
    assert_eq!(store.verify(&key()).unwrap(), []);
}

#[test]
fn only_a_session_in_retention_mode_forgets_and_only_what_is_closed() {
    let folder = Folder::new();
    let mut store = folder.store();
    appended(&mut store, 0..10);
    let first = block(&store, 1, 0..5);
    assert!(matches!(store.retain(&key(), Quotes::Keep), Err(StoreError::Keeps(_))));
    assert!(matches!(store.forget(&key(), PartSeq(5)), Err(StoreError::Keeps(_))));
    assert_eq!(store.close_block(&key(), &first).unwrap(), Forgotten::default());
    assert_eq!(left(&folder, 0..10).len(), 300);

    let folder = Folder::new();
    let mut store = folder.store();
    store.retain(&key(), Quotes::Keep).unwrap();
    appended(&mut store, 0..10);
    assert_eq!(store.forget(&key(), PartSeq(9)).unwrap(), Forgotten::default());
    let first = block(&store, 1, 0..5);
    assert_eq!(store.forget(&key(), PartSeq(9)).unwrap(), Forgotten::default());
    assert_eq!(store.close_block(&key(), &first).unwrap(), Forgotten { parts: 5, lines: 5, beside: 0 });
    assert!(matches!(store.retain(&key(), Quotes::Drop), Err(StoreError::KeptOtherwise { .. })));
    store.retain(&key(), Quotes::Keep).unwrap();
    assert_eq!(left(&folder, 0..5), [""; 0]);
    assert_eq!(store.forget(&key(), PartSeq(9)).unwrap(), Forgotten::default());
}

#[test]
fn another_sessions_texts_stay_and_are_found() {
    let folder = Folder::new();
    let mut store = folder.store();
    store
        .import_interchange(
            super::given::ORDERS.replace("\"orders\"", "\"other\"").as_bytes(),
            Entries::AsTheyStand,
            &mut |_, _| {},
        )
        .unwrap();
    store.retain(&key(), Quotes::Keep).unwrap();
    appended(&mut store, 0..10);
    store.enter(&key(), draft("port"), 1).unwrap();
    let first = block(&store, 1, 0..5);
    store.close_block(&key(), &first).unwrap();
    assert_eq!(store.search("8080", 9).unwrap().hits.len(), 2);
    let mut log = store.log(&key()).unwrap();
    let lines = log.forward(FileNo(0), 0, usize::MAX, Depth::Full).unwrap().lines;
    assert_eq!(lines.len(), 10);
    let other = SessionKey::new("stet", "other");
    assert_eq!(store.verify(&other).unwrap(), []);
}

#[test]
fn what_stays_in_the_log_of_a_program_that_was_stopped_goes_with_whoever_opens_the_file_next() {
    let folder = Folder::new();
    let mut store = folder.store();
    store.retain(&key(), Quotes::Drop).unwrap();
    appended(&mut store, 0..8);
    // A reader keeps the log from being emptied; the file and its log are then what a stopped program leaves.
    let reader = folder.plain();
    reader.execute_batch("BEGIN; SELECT count(*) FROM part").unwrap();
    let why = store.close_block(&key(), &block(&store, 1, 0..5)).unwrap_err().to_string();
    assert!(why.contains("another program still reads it (what was written is saved"), "{why}");
    let stopped = Folder::new();
    for name in ["s.db", "s.db-wal"] {
        std::fs::copy(folder.path(name), stopped.path(name)).unwrap();
    }
    assert_ne!(left(&stopped, 0..5), [""; 0]);
    drop(Store::open(&stopped.path("s.db"), Access::ReadOnly).unwrap());
    assert_eq!(left(&stopped, 0..5), [""; 0]);
}

#[test]
fn a_session_that_several_make_at_once_is_made_once() {
    for _ in 0..10 {
        let folder = Folder::new();
        drop(folder.store());
        std::thread::scope(|scope| {
            let makers: Vec<_> =
                (0..4).map(|_| scope.spawn(|| folder.store().retain(&key(), Quotes::Drop).is_ok())).collect();
            assert!(makers.into_iter().all(|maker| maker.join().unwrap()));
        });
    }
}
