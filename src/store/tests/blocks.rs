//! Blocks and spans: stored once, in their order, over the parts that are here, and never changed behind the guards.

use std::sync::Arc;

use super::given::{FakeLog, Folder, ORDERS, everything, key, line, message, part};
use super::verify::tamper;
use crate::record::{Block, ClosedBy, Detail, Field, Item, Record, Run, Span, Turned, Verdict};
use crate::session::{FileNo, Hash, PartKind, PartSeq, Place, Role, SourceRef, Speaker, TurnNo};
use crate::store::{Entries, Store, StoreError, Wordings};

/// Words of the part with this sequence in [`ORDERS`], where every part but the third stands in a line of its own.
fn quote(seq: u64, range: (usize, usize), words: &str) -> SourceRef {
    let (offset, part, id) = [(0, 0, "t1.0"), (1, 0, "t2"), (1, 1, "t2"), (2, 0, "t2.2"), (5, 0, "t3.0")][seq as usize];
    let speaker = [Speaker::User, Speaker::Assistant, Speaker::Assistant, Speaker::Tool, Speaker::User][seq as usize];
    SourceRef {
        turn: TurnNo(Vec::new()),
        turn_id: id.into(),
        line_id: Some(id.into()),
        place: Place { file: FileNo(0), offset, part },
        seq: PartSeq(seq),
        range,
        quote: words.into(),
        hash: Hash::of(words.as_bytes()),
        speaker,
    }
}

fn item(field: Field, text: &str, detail: Detail, sources: Vec<SourceRef>) -> Item {
    let (range, verdict, why, better, own) = (None, Verdict::Unchecked, None, None, None);
    Item { field, text: text.into(), range, detail, sources, verdict, why, better, own }
}

/// The first four parts, then the last one, and a span over both.
pub(super) fn runs(store: &Store) -> (Block, Block, Span) {
    let run = |parts: std::ops::Range<u64>, turns, from: &str| Run {
        originals: store.originals(&key(), &parts).unwrap().unwrap(),
        parts,
        turns,
        from_id: from.into(),
        tokens: u64::MAX,
    };
    let draft = Item {
        why: Some("no original says it".into()),
        ..item(Field::Narrative, "Ports were argued about.", Detail::Plain, Vec::new())
    };
    let action = Detail::Action { tool: "bash".into(), args: "ss -ltn".into(), ok: Some(true) };
    let figure = Detail::Figure { label: "port".into(), value: "8080".into(), unit: String::new() };
    let items = vec![
        draft,
        item(
            Field::Entities,
            "8080",
            Detail::Entity { class: "port".into() },
            vec![quote(0, (9, 13), "8080"), quote(3, (0, 4), "8080")],
        ),
        item(Field::Figures, "8080", figure, vec![quote(3, (0, 4), "8080")]),
        item(Field::Constraints, "never 80", Detail::Plain, vec![quote(0, (15, 23), "never 80")]),
        item(Field::Actions, "ss -ltn", action, vec![quote(2, (9, 16), "ss -ltn")]),
    ];
    let record = |items| Arc::new(Record { items, summary: String::new(), rules: 0 });
    let first = Block {
        no: 1,
        run: run(0..4, (1, 2), "t1.0"),
        closed_by: ClosedBy::HardCap,
        turned: None,
        cut: vec!["c 1".into(), "\"".into()],
        generation: 1,
        record: record(items),
    };
    let keep = item(Field::Constraints, "keep this one", Detail::Plain, vec![quote(4, (0, 13), "keep this one")]);
    let second = Block {
        no: 2,
        run: run(4..5, (3, 3), "t3.0"),
        closed_by: ClosedBy::Topic,
        turned: Some(Turned::Things),
        cut: vec![],
        record: record(vec![keep.clone()]),
        ..first.clone()
    };
    let span =
        Span { no: 1, blocks: (1, 2), run: run(0..5, (1, 3), "t1.0"), generation: 1, record: record(vec![keep]) };
    (first, second, span)
}

/// Without what only reading gives.
fn bare(mut record: Arc<Record>) -> Arc<Record> {
    for item in &mut Arc::make_mut(&mut record).items {
        item.own = None;
    }
    record
}

pub(super) fn filled(folder: &Folder) -> Store {
    let mut store = folder.store();
    store.import_interchange(ORDERS.as_bytes(), Entries::AsTheyStand, &mut |_, _| {}).unwrap();
    let (first, second, span) = runs(&store);
    store.close_block(&key(), &first).unwrap();
    store.close_block(&key(), &second).unwrap();
    store.add_spans(&key(), std::slice::from_ref(&span), Wordings::default()).unwrap();
    store
}

#[test]
fn blocks_and_spans_come_back_as_they_were_stored() {
    let folder = Folder::new();
    let mut store = filled(&folder);
    let (first, second, span) = runs(&store);
    let mut blocks = store.blocks(&key()).unwrap();
    assert_eq!(blocks[0].record.items[3].own, Some(("block:1".into(), 3)));
    for block in &mut blocks {
        block.record = bare(block.record.clone());
    }
    assert_eq!(blocks, [first.clone(), second.clone()]);
    let mut spans = store.spans(&key()).unwrap();
    for span in &mut spans {
        span.record = bare(span.record.clone());
    }
    assert_eq!(spans, std::slice::from_ref(&span));
    assert_eq!(store.last_block(&key()).unwrap().unwrap().run, second.run);
    // Once more they are not stored twice.
    store.close_block(&key(), &first).unwrap();
    store.add_spans(&key(), std::slice::from_ref(&span), Wordings::default()).unwrap();
    assert_eq!((store.blocks(&key()).unwrap().len(), store.spans(&key()).unwrap().len()), (2, 1));
    assert_eq!(store.verify(&key()).unwrap(), []);
}

#[test]
fn a_block_that_does_not_fit_what_is_stored_is_refused_whole() {
    type Change = fn(&mut Block);
    let changes: [(Change, &str); 8] = [
        (|b| b.no = 3, "block 3 cannot be stored: the last one is block 1 (nothing was saved)"),
        (|b| b.no = 0, "block 0 cannot be stored: the last one is block 1 (nothing was saved)"),
        (
            |b| b.no = 1,
            "block 1 was closed meanwhile by another run, and stays as it is (run it again: it goes on behind that)",
        ),
        (
            |b| b.run.parts = 3..5,
            "block 2 cannot be stored: it begins with part 3, the one before it ends before part 4 (nothing was saved)",
        ),
        (|b| b.run.parts = 4..6, "block 2 cannot be stored: not all of its 2 parts are here (nothing was saved)"),
        (|b| b.run.parts = 4..4, "block 2 cannot be stored: not all of its 0 parts are here (nothing was saved)"),
        (
            |b| b.run.originals = Hash::ZERO,
            "block 2 cannot be stored: its originals are not those that are here (nothing was saved)",
        ),
        (
            |b| Arc::make_mut(&mut b.record).items[0].sources[0].quote = "drop this one".into(),
            "block 2 cannot be stored: c1: the quote \"drop this one\" is not in part t3.0 at 0..13 (nothing was saved)",
        ),
    ];
    let folder = Folder::new();
    let mut store = folder.store();
    store.import_interchange(ORDERS.as_bytes(), Entries::AsTheyStand, &mut |_, _| {}).unwrap();
    let (first, second, span) = runs(&store);
    store.close_block(&key(), &first).unwrap();
    for (change, why) in changes {
        let mut block = second.clone();
        change(&mut block);
        assert_eq!(store.close_block(&key(), &block).unwrap_err().to_string(), why);
        assert_eq!(store.blocks(&key()).unwrap().len(), 1, "{why}");
    }
    let error = store.add_spans(&key(), std::slice::from_ref(&span), Wordings::default()).unwrap_err();
    assert!(matches!(&error, StoreError::Unfit { why, .. } if why == "not all of blocks 1 to 2 are here"), "{error}");
    store.close_block(&key(), &second).unwrap();
    for (span, wanted) in [
        (Span { no: 2, ..span.clone() }, "the last one is span 0"),
        (Span { blocks: (2, 1), ..span.clone() }, "block 1 comes before block 2"),
        (Span { blocks: (1, 1), ..span.clone() }, "its parts are not those of its blocks"),
        (
            Span { run: Run { originals: Hash::ZERO, ..span.run.clone() }, ..span.clone() },
            "its originals are not those that are here",
        ),
    ] {
        let error = store.add_spans(&key(), std::slice::from_ref(&span), Wordings::default()).unwrap_err();
        assert!(matches!(&error, StoreError::Unfit { why, .. } if why == wanted), "{error}");
    }
    assert_eq!(store.verify(&key()).unwrap(), []);
}

#[test]
fn what_is_changed_of_a_block_behind_the_guards_is_found() {
    const BLOCK: &str = "block 1: it does not follow the block before it, or is not what was stored";
    const LENT: &str = "the record of span:1: it does not follow the record before it, or is not what was kept";
    const SPAN: &str = "span 1: it does not follow the span before it, or is not what was stored";
    for (table, sql, want) in [
        ("block", "UPDATE block SET tokens = 5 WHERE no = 1", BLOCK),
        ("block", "UPDATE block SET closed_by = 'step' WHERE no = 1", BLOCK),
        ("block", "UPDATE block SET turned = 'cue' WHERE no = 1", BLOCK),
        ("block", "UPDATE block SET cut = '[]' WHERE no = 1", BLOCK),
        ("block", "UPDATE block SET generation = 0 WHERE no = 1", BLOCK),
        ("block", "UPDATE block SET from_id = 'x' WHERE no = 1", BLOCK),
        ("block", "UPDATE block SET record = 3 WHERE no = 1", BLOCK),
        ("block", "UPDATE block SET last = 3 WHERE no = 1", "block 1: its parts are not those that it was made from"),
        ("block", "UPDATE block SET start = 1 WHERE no = 1", "block 1: blocks before it are missing"),
        ("block", "DELETE FROM block WHERE no = 1", "block 2: blocks before it are missing"),
        ("block", "DELETE FROM block WHERE no = 2", "the record of block:2: what it was made of is gone"),
        ("span", "DELETE FROM span", "the record of span:1: what it was made of is gone"),
        ("span", "UPDATE span SET first_block = 2", SPAN),
        ("span", "UPDATE span SET first_block = 2", "span 1: its blocks are not those that it was made from"),
        ("span", "UPDATE span SET tokens = 1", SPAN),
        ("borrowed", "UPDATE borrowed SET items = '[]'", LENT),
        ("borrowed", "DELETE FROM borrowed", LENT),
        // What is lent is changed for the lender and for the span.
        ("item", "UPDATE item SET text = 'always 80' WHERE record > 1 AND field = 'constraints'", LENT),
        ("draft", "UPDATE draft SET why = ''", BLOCK),
        ("draft", "DELETE FROM draft", BLOCK),
        ("draft", "INSERT INTO draft VALUES (1, 0, 'x')", "the record of k1: what it was made of is gone"),
        (
            "item_source",
            "UPDATE item_source SET seq = 9 WHERE seq = 4",
            "the record of block:2: it does not follow the record before it, or is not what was kept",
        ),
        (
            "item_source",
            "UPDATE item_source SET quote = '' WHERE seq = 4",
            "the record of block:2: it does not follow the record before it, or is not what was kept",
        ),
        (
            "item_source",
            "UPDATE item_source SET hash = zeroblob(32)",
            "the record of block:2: it does not follow the record before it, or is not what was kept",
        ),
        (
            "item",
            "UPDATE item SET text = 'always 80' WHERE record > 1 AND field = 'constraints'",
            "the record of block:1: it does not follow the record before it, or is not what was kept",
        ),
        (
            "part",
            "UPDATE part SET hash = zeroblob(32) WHERE part = 2",
            "block 1: its parts are not those that it was made from",
        ),
        ("part", "DELETE FROM part WHERE part = 4", "block 1: its parts are not those that it was made from"),
    ] {
        let folder = Folder::new();
        drop(filled(&folder));
        tamper(&folder, table, sql);
        let damages = folder.store().verify(&key()).unwrap();
        let told: Vec<String> = damages.iter().map(|damage| format!("{}: {}", damage.what, damage.why)).collect();
        assert!(told.contains(&want.to_owned()), "{sql}: {told:#?}");
    }
}

#[test]
fn the_parts_of_repeated_lines_and_of_sub_agents_have_no_sequence_in_a_block() {
    let folder = Folder::new();
    let mut store = folder.store();
    let say = |id, text: &str| {
        let said = message(Role::User, None, vec![part(0, PartKind::Text, Speaker::User, text)]);
        (line(Some(id), said), format!("{id} {text}").into_bytes())
    };
    let main = vec![say("a", "one"), say("b", "two"), say("a", "one"), say("c", "three")];
    store.import_log(&mut FakeLog::new(vec![main.clone(), vec![say("s", "aside")]]), &mut |_, _| {}).unwrap();
    // What came to the session's own file later has a later row than the sub-agent's.
    let grown = [main, vec![say("d", "four")]].concat();
    store.import_log(&mut FakeLog::new(vec![grown, vec![say("s", "aside")]]), &mut |_, _| {}).unwrap();
    let over = |words: &[&str]| {
        Some(Run::originals_of(&words.iter().map(|word| Hash::of(word.as_bytes())).collect::<Vec<_>>()))
    };
    assert_eq!(store.originals(&key(), &(0..4)).unwrap(), over(&["one", "two", "three", "four"]));
    assert_eq!(store.originals(&key(), &(1..3)).unwrap(), over(&["two", "three"]));
    assert_eq!(store.originals(&key(), &(3..5)).unwrap(), None);
    // Empty and opaque parts are parts as well.
    let folder = Folder::new();
    let mut store = folder.store();
    store.import_log(&mut FakeLog::new(everything()), &mut |_, _| {}).unwrap();
    assert!(store.originals(&key(), &(0..8)).unwrap().is_some());
    assert_eq!(store.originals(&key(), &(0..9)).unwrap(), None, "the repeated line is not counted");
}

#[test]
fn a_changed_original_no_longer_gives_the_hash_of_its_run() {
    let folder = Folder::new();
    let store = filled(&folder);
    let run = store.blocks(&key()).unwrap()[0].run.clone();
    assert_eq!(store.originals(&key(), &run.parts).unwrap(), Some(run.originals));
    tamper(&folder, "part_text", "UPDATE part_text SET text = 'use port 80, never 8080' WHERE part = 1");
    assert_ne!(store.originals(&key(), &run.parts).unwrap(), Some(run.originals));
    tamper(&folder, "part_text", "DELETE FROM part_text WHERE part = 1");
    assert_eq!(store.originals(&key(), &run.parts).unwrap(), None);
}
