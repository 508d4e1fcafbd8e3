//! The laws of the ledger, and the marks beside it.

use std::sync::Barrier;

use super::given::{Folder, ORDERS, about, alarm, anchor, draft, key};
use crate::record::{Act, Draft, Ledger, LedgerEntry};
use crate::session::Hash;
use crate::store::{Access, Entries, Store, check_chain, read_entries};

fn active(entries: Vec<LedgerEntry>) -> Vec<String> {
    Ledger::replay(entries).active().map(|entry| entry.draft.text.clone()).collect()
}

#[test]
fn what_is_entered_is_read_back_by_another_connection() {
    let folder = Folder::new();
    let mut store = folder.store();
    let entry = store.enter(&key(), draft("port 80"), 5).unwrap();
    assert_eq!((entry.no, entry.prev, entry.at), (1, Hash::ZERO, 5));
    let other = Store::open(&folder.path("s.db"), Access::ReadOnly).unwrap();
    assert_eq!(other.ledger(&key()).unwrap(), [entry]);
    assert_eq!(other.sessions().unwrap(), []);
}

#[test]
fn an_entry_that_is_withdrawn_leaves_no_trace_in_what_counts() {
    let (with, without) = (Folder::new(), Folder::new());
    let (mut with_store, mut without_store) = (with.store(), without.store());
    for store in [&mut with_store, &mut without_store] {
        store.enter(&key(), draft("first"), 1).unwrap();
    }
    let entry = with_store.enter(&key(), draft("second"), 2).unwrap();
    let withdrawal = with_store.enter(&key(), about(Act::Withdrawn, entry.hash), 3).unwrap();
    let texts = |store: &Store| active(store.ledger(&key()).unwrap());
    assert_eq!(texts(&with_store), texts(&without_store));
    with_store.enter(&key(), about(Act::Reinstated, entry.hash), 4).unwrap();
    assert_eq!(texts(&with_store), ["first", "second"]);
    assert_eq!(withdrawal.no, 3);
    check_chain(&with_store.ledger(&key()).unwrap()).unwrap();
}

#[test]
fn two_writers_lose_nothing_and_the_chain_holds() {
    let folder = Folder::new();
    drop(folder.store());
    let start = Barrier::new(4);
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let (folder, start) = (&folder, &start);
            scope.spawn(move || {
                let mut store = folder.store();
                start.wait();
                for n in 0..25 {
                    store.enter(&key(), draft(&format!("{writer} {n}")), n).unwrap();
                }
            });
        }
    });
    let entries = folder.store().ledger(&key()).unwrap();
    check_chain(&entries).unwrap();
    for writer in 0..4 {
        let of_one: Vec<&str> = entries
            .iter()
            .map(|entry| entry.draft.text.as_str())
            .filter(|text| text.starts_with(&format!("{writer} ")))
            .collect();
        assert_eq!(of_one, (0..25).map(|n| format!("{writer} {n}")).collect::<Vec<_>>());
    }
}

#[test]
fn a_ledger_made_before_an_import_still_applies_after_it() {
    let (default, opened) = (Folder::new(), Folder::new());
    let (mut default, mut opened) = (default.store(), opened.store());
    let first = default.enter(&key(), draft("before"), 1).unwrap();
    default.enter(&key(), about(Act::Withdrawn, first.hash), 2).unwrap();
    default.enter(&key(), draft("kept"), 3).unwrap();
    default.review(&anchor("checked"), "anna", 4, true).unwrap();
    default.wrong_alarm(&alarm("not so"), "anna", 5, true).unwrap();
    opened.import_interchange(ORDERS.as_bytes(), Entries::AsTheyStand, &mut |_, _| {}).unwrap();
    opened.enter(&key(), draft("own"), 0).unwrap();
    assert_eq!(opened.copy_ledger(&default, &key()).unwrap(), 3);
    assert_eq!(opened.copy_ledger(&default, &key()).unwrap(), 0);
    let entries = opened.ledger(&key()).unwrap();
    assert_eq!(entries.iter().map(|entry| entry.no).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(opened.reviews(&key()).unwrap(), default.reviews(&key()).unwrap());
    assert_eq!(opened.wrong_alarms(&key()).unwrap(), [alarm("not so")]);
    assert_eq!(entries[1].draft.origin, Some(first.hash));
    assert_eq!(entries[2].draft.target, Some(entries[1].hash));
    assert_eq!(active(entries), ["own", "kept"]);
    assert_eq!(opened.verify(&key()).unwrap(), []);
    assert_eq!(default.copy_ledger(&opened, &key()).unwrap(), 1, "only what was made there comes back");
}

#[test]
fn entries_of_a_file_that_nobody_vouches_for_wait_for_a_person() {
    let (from, to, plain) = (Folder::new(), Folder::new(), Folder::new());
    let (mut from, mut to, mut plain) = (from.store(), to.store(), plain.store());
    let pinned = from.enter(&key(), draft("pinned"), 1).unwrap();
    from.enter(&key(), about(Act::Withdrawn, pinned.hash), 2).unwrap();
    from.enter(&key(), draft("counts"), 3).unwrap();
    let mut text = Vec::new();
    from.export(&key(), &mut text).unwrap();
    for _ in 0..2 {
        to.import_interchange(text.as_slice(), Entries::Proposed, &mut |_, _| {}).unwrap();
        let entries = to.ledger(&key()).unwrap();
        assert!(entries.iter().all(|entry| entry.draft.proposed) && entries.len() == 3);
        assert_eq!(entries[1].draft.target, Some(entries[0].hash), "a withdrawal still means its entry");
        assert!(active(entries).is_empty());
        assert_eq!(to.verify(&key()).unwrap(), []);
    }
    // What only proposes is kept as it is, hash for hash.
    let mut text = Vec::new();
    to.export(&key(), &mut text).unwrap();
    plain.import_interchange(text.as_slice(), Entries::Proposed, &mut |_, _| {}).unwrap();
    assert_eq!(plain.ledger(&key()).unwrap(), to.ledger(&key()).unwrap());
}

#[test]
fn an_entry_of_a_file_that_quotes_what_was_not_said_here_waits_for_a_person() {
    let import = |store: &mut Store, text: &str| {
        store.import_interchange(text.as_bytes(), Entries::AsTheyStand, &mut |_, _| {}).unwrap()
    };
    let from = Folder::new();
    let mut from = from.store();
    import(&mut from, ORDERS);
    from.enter(&key(), draft("quoted"), 1).unwrap();
    from.enter(&key(), Draft { source: None, ..draft("own words") }, 2).unwrap();
    let mut text = Vec::new();
    from.export_ledger(&key(), &mut text).unwrap();
    let head = ORDERS.lines().next().unwrap();
    let entries = format!("{head}\n{}", String::from_utf8(text).unwrap());
    for (ours, doubted, want) in [
        (ORDERS.to_owned(), 0, vec!["quoted", "own words"]),
        (ORDERS.replace("use port 8080", "try port 8080"), 1, vec!["own words"]),
        // Its lines are elsewhere.
        (String::new(), 0, vec!["quoted", "own words"]),
    ] {
        let to = Folder::new();
        let mut to = to.store();
        import(&mut to, &ours);
        let done = import(&mut to, &entries);
        assert_eq!((done.entries_new, done.entries_doubted), (2, doubted));
        assert_eq!(active(to.ledger(&key()).unwrap()), want);
        assert_eq!(import(&mut to, &entries).entries_new, 0, "known again");
    }
}

#[test]
fn of_what_a_file_tells_only_a_persons_own_words_count_and_their_turn_is_looked_up() {
    let (from, to) = (Folder::new(), Folder::new());
    let (mut from, mut to) = (from.store(), to.store());
    let mut said = draft("use");
    said.source.as_mut().unwrap().turn = "99".into();
    let mut agents = draft("I will look");
    agents.source = Some(crate::record::Quote {
        turn: "2".into(),
        turn_id: "t2".into(),
        line_id: Some("t2".into()),
        part: 0,
        range: (0, 11),
        quote: "I will look".into(),
        hash: Hash::of(b"I will look"),
        speaker: crate::session::Speaker::Assistant,
    });
    let taken_back = from.enter(&key(), Draft { reason: Some("again".into()), ..said.clone() }, 1).unwrap();
    from.enter(&key(), about(Act::Withdrawn, taken_back.hash), 2).unwrap();
    for draft in [said, agents, draft("other words"), Draft { source: None, ..draft("own words") }] {
        from.enter(&key(), draft, 3).unwrap();
    }
    let mut entries = Vec::new();
    from.export_ledger(&key(), &mut entries).unwrap();
    let entries = format!("{ORDERS}{}", String::from_utf8(entries).unwrap());
    let mut import = || to.import_interchange(entries.as_bytes(), Entries::AsSaid, &mut |_, _| {}).unwrap();
    let done = import();
    assert_eq!((done.entries_new, done.entries_doubted), (6, 3));
    assert_eq!(import().entries_new, 0, "known again");
    let entries = to.ledger(&key()).unwrap();
    assert_eq!(entries[2].draft.source.as_ref().unwrap().turn, "1");
    assert_eq!(active(entries), ["use"]);
    assert_eq!(to.verify(&key()).unwrap(), []);
}

#[test]
fn entries_in_a_file_must_hold_together() {
    let folder = Folder::new();
    let mut store = folder.store();
    store.enter(&key(), draft("one"), 1).unwrap();
    store.enter(&key(), draft("two"), 2).unwrap();
    let mut text = Vec::new();
    store.export_ledger(&key(), &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(read_entries(text.as_bytes(), &key()).unwrap(), store.ledger(&key()).unwrap());
    for (changed, why) in [
        (
            text.replace("\"text\":\"two\"", "\"text\":\"2\""),
            "the ledger's chain is broken at entry 2: its text is not what was entered",
        ),
        (
            text.lines().nth(1).unwrap().to_owned(),
            "the ledger's chain is broken at entry 2: entries before it are missing",
        ),
        (text.replace("\"quote\":\"use\"", "\"quote\":\"us\""), "line 1: source.hash is not the hash of source.quote"),
    ] {
        assert_eq!(read_entries(changed.as_bytes(), &key()).unwrap_err().to_string(), why);
    }
}

#[test]
fn the_newest_mark_on_an_item_counts() {
    let folder = Folder::new();
    let mut store = folder.store();
    let marked = |store: &Store| {
        let reviews = store.reviews(&key()).unwrap();
        reviews.into_iter().map(|review| (review.anchor.text, review.author)).collect::<Vec<_>>()
    };
    store.review(&anchor("a"), "anna", 1, true).unwrap();
    store.review(&anchor("b"), "anna", 2, true).unwrap();
    store.review(&anchor("a"), "ben", 3, true).unwrap();
    assert_eq!(marked(&store), [("b".into(), "anna".into()), ("a".into(), "ben".into())]);
    store.review(&anchor("b"), "ben", 4, false).unwrap();
    assert_eq!(marked(&store), [("a".into(), "ben".into())]);
}

#[test]
fn the_newest_word_on_an_alarm_counts_and_the_kinds_are_counted() {
    let folder = Folder::new();
    let mut store = folder.store();
    let lost = crate::record::Alarm { kind: crate::record::FindingKind::Lost, range: None, ..alarm("b") };
    for (one, wrong) in [(alarm("a"), true), (alarm("b"), true), (lost.clone(), true), (alarm("a"), false)] {
        store.wrong_alarm(&one, "anna", 1, wrong).unwrap();
    }
    assert_eq!(store.wrong_alarms(&key()).unwrap(), [alarm("b"), lost]);
    let counts = store.count_wrong_alarms().unwrap();
    assert_eq!(counts.iter().map(|(kind, n)| (kind.name(), *n)).collect::<Vec<_>>(), [("inverted", 1), ("lost", 1)]);
    let moved = crate::record::Alarm { range: Some((40, 45)), ..alarm("b") };
    store.wrong_alarm(&moved, "ben", 2, false).unwrap();
    assert_eq!(store.wrong_alarms(&key()).unwrap().len(), 1, "a record lifted anew may put it elsewhere");
}
