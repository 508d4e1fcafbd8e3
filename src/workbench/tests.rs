//! What a desk gives back, over small sessions in files.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use serde_json::json;

use super::world::*;
use super::*;
use crate::record::{Act, Anchor, Correction, EntryKind, Settlement, Status, Via, settlements};
use crate::session::{Batch, FileNo, Place, SourceRef, TurnNo};

#[test]
fn windows_of_any_size_put_together_are_the_session() {
    let world = World::of(&long());
    let mut desk = world.read();
    let wanted = whole(&mut desk);
    for budget in [1, 300, 700, 2000, 5000] {
        let mut forward = Vec::new();
        let mut spot = Spot::Start;
        loop {
            let window = desk.window(spot, budget).unwrap();
            forward.extend(said(&window.entries));
            if window.at_end {
                break;
            }
            spot = Spot::After(window.file, window.end);
        }
        assert_eq!(forward, wanted, "forward by {budget}");
        let mut backward: Vec<Vec<String>> = Vec::new();
        let mut spot = Spot::End;
        loop {
            let window = desk.window(spot, budget).unwrap();
            backward.push(said(&window.entries));
            if window.at_start {
                break;
            }
            spot = Spot::Before(window.file, window.start);
        }
        backward.reverse();
        assert_eq!(backward.concat(), wanted, "backward by {budget}");
    }
}

#[test]
fn a_window_needs_no_outline_and_gets_its_numbers_later() {
    let world = World::of(&long());
    let mut desk = world.desk();
    let before = desk.window(Spot::End, 1000).unwrap();
    assert!(!before.at_start && before.at_end);
    assert!(said(&before.entries).iter().all(|entry| entry.starts_with('?')), "{:?}", said(&before.entries));
    let mut other = desk.again().unwrap();
    let mut batches: Vec<Batch> = Vec::new();
    other.index(&Cancel::default(), &mut |batch| batches.push(batch)).unwrap();
    assert!(batches.last().unwrap().complete);
    assert_eq!(batches.last().unwrap().turns, 40);
    // The other desk read it; this one sees the numbers.
    let after = desk.window(Spot::End, 1000).unwrap();
    assert_eq!(said(&after.entries).last().unwrap(), "40a2");
}

#[test]
fn a_window_around_a_place_or_a_turn_holds_it() {
    let world = World::of(&long());
    let mut desk = world.read();
    for no in [1, 7, 21, 40] {
        let place = desk.outline().main_turn(no).unwrap().place;
        for spot in [Spot::Around(place), Spot::Turn(no)] {
            let window = desk.window(spot, 400).unwrap();
            assert!(window.entries.iter().any(|entry| entry.place() == place), "{no}");
        }
    }
}

#[test]
fn a_sub_agents_file_is_folded_under_the_call_that_started_it() {
    let world = World::of(&[
        user("u1", None, "look into it"),
        call("c1", Some("u1"), "Task", "toolu_1"),
        {
            let mut line = result("r1", Some("c1"), "toolu_1", "done");
            line["toolUseResult"] = json!({"agentId": "a0ad4f44468bdf20d", "status": "completed"});
            line
        },
        agent("a2", Some("r1"), "it is done"),
    ]);
    world.side(
        "a0ad4f44468bdf20d",
        &[user("s1", None, "look"), agent("s2", Some("s1"), "found needle-7"), user("s3", Some("s2"), "on")],
    );
    let mut desk = world.read();
    assert_eq!(whole(&mut desk), ["1u1", "2a2", "agent()", "3a1"]);
    let found = desk.search("NEEDLE-7", Place { file: FileNo(0), offset: 0, part: 0 }, true, &Cancel::default());
    let Sought::Here(found) = found.unwrap() else { panic!("it is not found") };
    assert_eq!(found.place.file, FileNo(1));
    // Its own file is read when it is asked for, like any other.
    for spot in [Spot::After(FileNo(1), 0), Spot::Around(found.place), Spot::Before(FileNo(1), u64::MAX)] {
        let window = desk.window(spot, 1 << 20).unwrap();
        assert_eq!(said(&window.entries), ["2.1.1u1", "2.1.2a1", "2.1.3u1"], "{spot:?}");
        assert_eq!((window.file, window.start, window.at_start, window.at_end), (FileNo(1), 0, true, true), "{spot:?}");
        assert_eq!(window.size, window.end, "{spot:?}");
    }
    let last = desk.window(Spot::Before(FileNo(1), u64::MAX), 1).unwrap();
    assert_eq!((said(&last.entries), last.at_start), (vec!["2.1.3u1".to_owned()], false));
}

#[test]
fn a_sub_agents_file_that_nobody_names_stands_at_the_end() {
    let world = World::of(&[user("u1", None, "hello")]);
    world.side("a0ad4f44468bdf20d", &[user("s1", None, "look")]);
    assert_eq!(whole(&mut world.read()), ["1u1", "agent()"]);
}

#[test]
fn a_sub_agents_file_that_begins_later_is_shown_when_the_session_is_followed() {
    let world = World::of(&[user("u1", None, "hello"), call("a1", Some("u1"), "Task", "t1")]);
    let mut reading = world.read();
    let mut desk = reading.again().unwrap();
    assert_eq!(whole(&mut desk), ["1u1", "2a1"]);
    world.side("a0ad4f44468bdf20d", &[user("s1", None, "look")]);
    assert!(reading.follow().unwrap().is_some());
    assert_eq!(whole(&mut desk), ["1u1", "2a1", "agent()"]);
}

#[test]
fn a_sub_agents_file_that_cannot_be_read_is_a_trouble_and_not_the_end() {
    let world = World::of(&[user("u1", None, "hello"), user("u2", Some("u1"), "more")]);
    let side = world.side("a0ad4f44468bdf20d", &[user("s1", None, "look")]);
    let mut desk = world.desk();
    fs::remove_file(side).unwrap();
    desk.index(&Cancel::default(), &mut |_| ()).unwrap();
    assert_eq!(whole(&mut desk), ["1u1", "2u1", "unread"]);
    assert_eq!(desk.skipped().len(), 1);
    assert_eq!(desk.follow().unwrap(), None, "it is told once");
}

#[test]
fn rewound_turns_and_repeats_are_folded_where_they_stand() {
    let first = user("u1", None, "one");
    let world = World::of(&[
        first.clone(),
        agent("a1", Some("u1"), "left"),
        user("u2", Some("a1"), "further left"),
        agent("a2", Some("u1"), "right"),
        first,
        user("u3", Some("a2"), "on"),
    ]);
    let mut desk = world.read();
    assert_eq!(whole(&mut desk), ["1u1", "abandoned(2a1 3u1)", "4a1", "repeat(?u1)", "5u1"]);
}

#[test]
fn what_is_appended_is_followed_with_its_number_also_behind_a_sub_agents_file() {
    for side in [false, true] {
        let world = World::of(&long());
        if side {
            world.side("a0ad4f44468bdf20d", &[user("s1", None, "look")]);
        }
        let mut desk = world.read();
        assert_eq!(desk.follow().unwrap(), None);
        world.append(&[user("u20", Some("r19"), "one more"), agent("a20", Some("u20"), "yes")]);
        let batch = desk.follow().unwrap().unwrap();
        assert_eq!((batch.turns, batch.complete), (42, true), "side {side}");
        assert_eq!(desk.follow().unwrap(), None);
        let shown = whole(&mut desk);
        assert!(shown.contains(&"42a1".to_owned()), "{shown:?}");
    }
}

#[test]
fn half_a_line_at_the_end_waits_for_its_rest() {
    let world = World::of(&[user("u1", None, "one")]);
    let rest = user("u2", Some("u1"), "two").to_string();
    let mut file = OpenOptions::new().append(true).open(world.session()).unwrap();
    file.write_all(&rest.as_bytes()[..20]).unwrap();
    let mut desk = world.read();
    let window = desk.window(Spot::End, 100).unwrap();
    assert_eq!((window.pending, said(&window.entries)), (20, vec!["1u1".to_owned()]));
    assert_eq!(desk.follow().unwrap(), None);
    file.write_all(&rest.as_bytes()[20..]).unwrap();
    file.write_all(b"\n").unwrap();
    assert_eq!(desk.follow().unwrap().unwrap().turns, 2);
}

#[test]
fn parts_that_come_to_the_last_line_of_a_stored_session_are_followed() {
    let part = |id: &str, line: &str, block: u32, role: &str, kind: &str| {
        let at = format!(r#""turn":"{line}","line":"{line}","block":{block},"role":"{role}""#);
        format!(r#"{{"type":"part","id":"{id}",{at},"kind":{kind},"text":"{id}"}}"#)
    };
    let said = [
        part("u", "u1", 0, "user", r#""text""#),
        part("a", "l1", 0, "assistant", r#""text""#),
        part("b", "l1", 1, "assistant", r#""tool_call","call":"c1","tool":"look""#),
        part("c", "l1", 2, "assistant", r#""tool_call","call":"c2","tool":"look""#),
        part("r", "l2", 0, "user", r#""tool_result","call":"c1","ok":true"#),
        part("s", "l2", 1, "user", r#""tool_result","call":"c2","ok":true"#),
        // With words of the person the line is a turn of its own.
        part("t", "l2", 2, "user", r#""text""#),
        part("v", "l3", 0, "assistant", r#""text""#),
        // Two lines at once, and more of the second.
        part("w", "l3", 1, "assistant", r#""text""#) + "\n" + &part("x", "l4", 0, "user", r#""text""#),
        part("y", "l4", 1, "user", r#""text""#),
    ];
    let world = World::of(&[]);
    let key = crate::session::SessionKey::new("stet", "live");
    let (mut appending, target) =
        (world.bench().append(&key, None).unwrap(), Target::Kept { db: world.db(), key: key.clone() });
    let mut take = |lines: &str| {
        let lines: Vec<Vec<u8>> = lines.lines().map(|line| line.as_bytes().to_vec()).collect();
        assert_eq!(appending.take(&lines).unwrap().refused, None);
    };
    take(&said[0]);
    let mut desk = world.bench().read(&target, &mut |_| ()).unwrap();
    for lines in &said[1..] {
        take(lines);
        assert!(desk.follow().unwrap().is_some(), "{lines}");
        assert_eq!(desk.follow().unwrap(), None, "it is told once: {lines}");
        let fresh = world.bench().read(&target, &mut |_| ()).unwrap();
        let told = |desk: &Desk| {
            let outline = desk.outline();
            (outline.lines.clone(), outline.turns.clone(), outline.main_turns, outline.parts(), outline.complete)
        };
        assert_eq!(told(&desk), told(&fresh), "{lines}");
    }
    assert_eq!(whole(&mut desk), ["1u1", "2a5", "3u1", "4a2", "5u2"]);
}

#[test]
fn search_goes_both_ways_and_comes_round() {
    let world = World::of(&long());
    let mut desk = world.read();
    let place = |desk: &Desk, no| desk.outline().main_turn(no).unwrap().place;
    let (first, tenth, last) = (place(&desk, 1), place(&desk, 19), place(&desk, 39));
    let mut look = |needle: &str, from, forward| match desk.search(needle, from, forward, &Cancel::default()).unwrap() {
        Sought::Here(found) => Some((found.place, found.wrapped)),
        Sought::Nowhere | Sought::NotInWhatIsLeft { .. } => None,
    };
    assert_eq!(look("QUESTION 9:", first, true), Some((tenth, false)));
    assert_eq!(look("question 9:", last, true), Some((tenth, true)));
    assert_eq!(look("question 9:", last, false), Some((tenth, false)));
    assert_eq!(look("question 9:", first, false), Some((tenth, true)));
    assert_eq!(look("question 9:", tenth, true), Some((tenth, true)));
    assert_eq!(look("nowhere", first, true), None);
    assert_eq!(look("", first, true), None);
    let cancelled = Cancel::default();
    cancelled.cancel();
    assert_eq!(desk.search("question 9:", first, true, &cancelled).unwrap(), Sought::Nowhere);
}

#[test]
fn a_record_is_told_without_sources_first_and_only_once_when_it_is_known() {
    let world = World::of(&long());
    let mut desk = world.read();
    let mut told = Vec::new();
    desk.record(1, &Cancel::default(), &mut |record| told.push(record)).unwrap();
    assert_eq!(told.iter().map(|record| record.partial).collect::<Vec<_>>(), [true, false]);
    assert!(told[0].record.items.iter().all(|item| item.sources.is_empty()));
    let path = told[1].record.items.iter().find(|item| item.text == "/srv/file-3.txt").unwrap();
    assert_eq!(path.sources[0].turn, TurnNo::main(7));
    assert!(path.sources[0].quote.contains("/srv/file-3.txt"));
    let mut again = Vec::new();
    desk.again().unwrap().record(1, &Cancel::default(), &mut |record| again.push(record)).unwrap();
    assert_eq!(again, told[1..]);
    let missing = desk.record(2, &Cancel::default(), &mut |_| ()).unwrap_err().to_string();
    assert!(missing.contains("m2") && missing.contains("one marker"), "{missing}");
    let cancelled = Cancel::default();
    cancelled.cancel();
    let fresh = &mut world.read();
    let mut partly = Vec::new();
    fresh.record(1, &cancelled, &mut |record| partly.push(record.partial)).unwrap();
    assert_eq!(partly, [true]);
}

#[test]
fn nothing_is_made_for_reading_and_a_correction_is_stored_and_told() {
    let world = World::of(&long());
    let mut desk = world.read();
    assert!(desk.ledger().unwrap().entries.is_empty());
    assert_eq!(desk.told(2000).unwrap(), LedgerText::default());
    assert!(!world.db().exists());

    let record = desk.records(&Cancel::default()).unwrap().remove(0);
    let item = record.record.items.iter().position(|item| item.text.contains("tea")).unwrap();
    let anchor = Anchor::to(&record.record.items[item], &desk.head().key, &record.compaction.key);
    let correction = Correction {
        act: Act::NeverSaid,
        kind: EntryKind::NeverSaid,
        outcome: None,
        text: "someone likes tea".to_owned(),
        source: Some(desk.words_of("1", None).unwrap()),
        note: None,
    };
    let saved = desk.correct(Some(anchor.clone()), correction, None).unwrap();
    assert_eq!((saved.entry.no, saved.entry.draft.via, saved.entry.draft.proposed), (1, Via::Tui, false));
    assert_eq!(saved.ledger.entries[0].status, Status::Active);
    assert_eq!(desk.name_of(&anchor).unwrap().unwrap(), format!("m1.{}", record.record.name(item)));
    assert!(desk.told(2000).unwrap().text.contains("someone likes tea"));
    let saved = desk.withdraw(1, None).unwrap();
    assert_eq!(saved.ledger.entries[0].status, Status::Withdrawn);
    let saved = desk.reinstate(1, None).unwrap();
    assert_eq!(saved.ledger.entries[0].status, Status::Active);
    assert_eq!(desk.ledger_if_changed().unwrap(), None, "it knows its own entries");
    desk.review(&anchor, true).unwrap();
    // Another desk, opened later, sees all of it.
    let mut later = world.read();
    assert_eq!(later.ledger().unwrap().entries.len(), 3);
    assert_eq!(later.records(&Cancel::default()).unwrap()[0].reviewed, [item]);
    desk.review(&anchor, false).unwrap();
    assert!(later.records(&Cancel::default()).unwrap()[0].reviewed.is_empty());
    assert!(later.verify().unwrap().is_empty());
    later.withdraw(1, None).unwrap();
    assert_eq!(desk.ledger_if_changed().unwrap().map(|ledger| ledger.entries.len()), Some(4), "those of others too");
    assert_eq!(desk.ledger_if_changed().unwrap(), None);
}

#[test]
fn a_turn_is_quoted_by_the_words_that_were_asked_for() {
    let world = World::of(&long());
    let mut desk = world.read();
    let words = desk.words_of("t2", Some("in row 0")).unwrap();
    assert_eq!((words.quote.as_str(), words.turn, words.place.part), ("in row 0", TurnNo::main(2), 0));
    assert_eq!(desk.words_of("1", Some("not there")).unwrap().quote, "question 0: where is /srv/file-0.txt?");
    assert!(desk.words_of("99", None).unwrap_err().to_string().contains("40 turns"));
}

#[test]
fn a_quote_from_a_session_without_line_ids_is_found_in_any_line_of_its_turn() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("2026-03-02_s.jsonl");
    let lines = [
        json!({"type": "session", "id": "s-1", "timestamp": "2026-03-02T09:00:00.000Z", "cwd": "/shop"}),
        json!({"type": "message", "message": {"role": "user", "content": "look"}}),
        json!({"type": "message", "message": {"role": "assistant",
            "content": [{"type": "toolCall", "id": "c1", "name": "read", "arguments": {"path": "a"}}]}}),
        json!({"type": "message", "message": {"role": "toolResult", "toolCallId": "c1", "toolName": "read",
            "content": [{"type": "text", "text": "the ceiling is 7"}], "isError": false}}),
    ];
    fs::write(&path, text(&lines)).unwrap();
    let world = World { home };
    let target = Target::Foreign(path);
    let mut desk = world.bench().read(&target, &mut |_| ()).unwrap();
    let source = desk.words_of("2", Some("ceiling is 7")).unwrap();
    assert_eq!((source.quote.as_str(), source.line_id.as_deref()), ("ceiling is 7", None));
    let fact = Correction {
        act: Act::Pinned,
        kind: EntryKind::Fact,
        outcome: None,
        text: "seven".to_owned(),
        source: Some(source.clone()),
        note: None,
    };
    desk.correct(None, fact.clone(), None).unwrap();
    assert_eq!(world.bench().open(&target).unwrap().verify().unwrap(), Vec::<String>::new());
    let elsewhere = SourceRef { turn_id: "1".to_owned(), ..source };
    desk.correct(None, Correction { source: Some(elsewhere), ..fact }, None).unwrap();
    let wrong = world.bench().open(&target).unwrap().verify().unwrap();
    assert_eq!(wrong, ["entry L2: its quote is not in turn 1 where it says"]);
}

#[test]
fn a_session_without_a_title_is_called_by_its_first_words() {
    let long = "please move the orders table to the new cluster, but not before Friday";
    for (said, want) in [
        ("  fix\n the build ", "fix the build"),
        (long, "please move the orders table to the new cluster, but not…"),
        (&"x".repeat(200), &format!("{}…", "x".repeat(59))),
    ] {
        let mut desk = World::of(&[agent("a0", None, "hello"), user("u1", Some("a0"), said)]).read();
        assert_eq!(desk.info().unwrap().title.as_deref(), Some(want));
        let mut told = None;
        desk.index(&Cancel::default(), &mut |batch| told = batch.title).unwrap();
        assert_eq!(told.as_deref(), Some(want), "the screen calls it the same");
    }
}

#[test]
fn an_open_item_of_an_own_record_is_proposed_as_settled_by_the_turn_that_answers_it() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions/credit-hold/session.db");
    let world = World { home: tempfile::tempdir().unwrap() };
    let copy = world.home.path().join("credit-hold.db");
    fs::copy(sample, &copy).unwrap();
    let target = world.bench().find(copy.as_os_str()).unwrap();
    let mut desk = world.bench().read(&target, &mut |_| ()).unwrap();
    let record = desk.records(&Cancel::default()).unwrap().remove(2).record;
    let open = &record.items[record.find("o2").unwrap()];
    let turns: Vec<String> = open.sources.iter().map(|source| source.turn.to_string()).collect();
    let ways = settlements(open, &record);
    let of = |way: &Settlement| way.source.as_ref().map(|source| source.turn.to_string());
    assert_eq!(ways.first().and_then(of).as_deref(), Some("20"), "{turns:?} {ways:#?}");
    assert!(ways.iter().all(|way| way.text != open.text));
}
