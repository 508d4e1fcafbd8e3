//! What a desk gives back, over small sessions in files.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::*;
use crate::formats;
use crate::record::{Act, Anchor, Correction, EntryKind, Status, Via};
use crate::session::{Batch, Entry, FileNo, Fold, Place, TurnNo};

const SESSION: &str = "0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f";

/// A home with one session in it.
struct World {
    home: tempfile::TempDir,
}

impl World {
    fn of(lines: &[Value]) -> Self {
        let world = Self { home: tempfile::tempdir().unwrap() };
        fs::write(world.session(), text(lines)).unwrap();
        world
    }

    fn session(&self) -> PathBuf {
        self.home.path().join(format!("{SESSION}.jsonl"))
    }

    fn db(&self) -> PathBuf {
        self.home.path().join("data/stet.db")
    }

    fn append(&self, lines: &[Value]) {
        OpenOptions::new().append(true).open(self.session()).unwrap().write_all(text(lines).as_bytes()).unwrap();
    }

    /// A sub-agent's file beside the session.
    fn side(&self, agent: &str, lines: &[Value]) -> PathBuf {
        let folder = self.home.path().join(SESSION).join("subagents");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("agent-{agent}.jsonl"));
        let mut lines = lines.to_vec();
        for line in &mut lines {
            line["isSidechain"] = true.into();
            line["agentId"] = agent.into();
        }
        fs::write(&path, text(&lines)).unwrap();
        path
    }

    fn bench(&self) -> Workbench {
        Workbench::new(Settings {
            db: self.db(),
            default_db: self.db(),
            places: formats::Env::default(),
            clock: || 1_772_460_420_000,
            hand: Hand { via: Via::Tui, author: "ana".to_owned(), proposed: false },
        })
    }

    fn desk(&self) -> Desk {
        self.bench().open(&Target::Foreign(self.session())).unwrap()
    }

    fn read(&self) -> Desk {
        self.bench().read(&Target::Foreign(self.session()), &mut |_| ()).unwrap()
    }
}

fn text(lines: &[Value]) -> String {
    lines.iter().flat_map(|line| [line.to_string(), "\n".to_owned()]).collect()
}

fn line(id: &str, parent: Option<&str>, more: Value) -> Value {
    let mut line = json!({"uuid": id, "parentUuid": parent, "sessionId": SESSION, "isSidechain": false,
        "timestamp": "2026-03-02T09:00:00.000Z", "version": "2.1.45", "cwd": "/shop", "userType": "external"});
    for (key, value) in more.as_object().unwrap() {
        line[key] = value.clone();
    }
    line
}

fn user(id: &str, parent: Option<&str>, text: &str) -> Value {
    line(id, parent, json!({"type": "user", "message": {"role": "user", "content": text}}))
}

fn agent(id: &str, parent: Option<&str>, text: &str) -> Value {
    blocks(id, parent, &format!("msg-{id}"), json!([{"type": "text", "text": text}]))
}

fn blocks(id: &str, parent: Option<&str>, message: &str, content: Value) -> Value {
    line(
        id,
        parent,
        json!({"type": "assistant", "message": {"id": message, "type": "message", "role": "assistant", "model": "m",
            "content": content}}),
    )
}

fn call(id: &str, parent: Option<&str>, tool: &str, call: &str) -> Value {
    blocks(id, parent, &format!("msg-{id}"), json!([{"type": "tool_use", "id": call, "name": tool, "input": {"q": 1}}]))
}

fn result(id: &str, parent: Option<&str>, call: &str, text: &str) -> Value {
    line(
        id,
        parent,
        json!({"type": "user", "message": {"role": "user",
            "content": [{"type": "tool_result", "tool_use_id": call, "content": text}]}}),
    )
}

fn compaction(id: &str, parent: &str, summary: &str) -> [Value; 2] {
    let after = format!("{id}s");
    [
        line(
            id,
            None,
            json!({"type": "system", "subtype": "compact_boundary", "logicalParentUuid": parent, "content": "",
                "isMeta": false, "level": "info", "compactMetadata": {"trigger": "auto", "preTokens": 100}}),
        ),
        line(
            &after,
            Some(id),
            json!({"type": "user", "isVisibleInTranscriptOnly": true, "isCompactSummary": true,
                "message": {"role": "user", "content": summary}}),
        ),
    ]
}

/// Forty turns with calls, one marker in the middle.
fn long() -> Vec<Value> {
    let mut lines = Vec::new();
    let mut last: Option<String> = None;
    for no in 0..20 {
        let at = |name: &str| format!("{name}{no}");
        lines.push(user(&at("u"), last.as_deref(), &format!("question {no}: where is /srv/file-{no}.txt?")));
        lines.push(call(&at("c"), Some(&at("u")), "Read", &at("toolu_")));
        lines.push(result(&at("r"), Some(&at("c")), &at("toolu_"), &format!("it is in row {no}")));
        last = Some(at("r"));
        if no == 9 {
            lines.extend(compaction("k1", "r9", "## Facts\n- /srv/file-3.txt is in row 3\n- someone likes tea\n"));
            last = Some("k1s".to_owned());
        }
    }
    lines
}

/// Each entry in a word: `3u` a user's turn, `4a` the agent's, `m`, `~` a fold with what is in it.
fn said(entries: &[Entry]) -> Vec<String> {
    entries
        .iter()
        .map(|entry| match entry {
            Entry::Turn(turn) => {
                let no = turn.no.as_ref().map_or_else(|| "?".to_owned(), TurnNo::to_string);
                let role = match turn.role {
                    crate::session::Role::User => "u",
                    crate::session::Role::Assistant => "a",
                    crate::session::Role::System => "s",
                };
                format!("{no}{role}{}", turn.parts.len())
            }
            Entry::Marker { .. } => "m".to_owned(),
            Entry::Note { .. } => "note".to_owned(),
            Entry::Folded { fold, entries, .. } => {
                let name = match fold {
                    Fold::Abandoned => "abandoned",
                    Fold::SubAgent { .. } => "agent",
                    Fold::Repeat => "repeat",
                    Fold::Noise => "noise",
                };
                format!("{name}({})", said(entries).join(" "))
            }
            Entry::Unread(_) => "unread".to_owned(),
        })
        .collect()
}

fn whole(desk: &mut Desk) -> Vec<String> {
    let window = desk.window(Spot::Start, 1 << 20).unwrap();
    assert!(window.at_start && window.at_end);
    said(&window.entries)
}

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
    world.side("a0ad4f44468bdf20d", &[user("s1", None, "look"), agent("s2", Some("s1"), "found needle-7")]);
    let mut desk = world.read();
    assert_eq!(whole(&mut desk), ["1u1", "2a2", "agent(2.1.1u1 2.1.2a1)", "3a1"]);
    let found = desk.search("NEEDLE-7", Place { file: FileNo(0), offset: 0, part: 0 }, true, &Cancel::default());
    let found = found.unwrap().unwrap();
    assert_eq!(found.place.file, FileNo(1));
    // Going there shows the fold that holds it.
    let around = desk.window(Spot::Around(found.place), 1).unwrap();
    assert!(said(&around.entries).iter().any(|entry| entry.starts_with("agent(")), "{:?}", said(&around.entries));
}

#[test]
fn a_sub_agents_file_that_nobody_names_stands_at_the_end() {
    let world = World::of(&[user("u1", None, "hello")]);
    world.side("a0ad4f44468bdf20d", &[user("s1", None, "look")]);
    assert_eq!(whole(&mut world.read()), ["1u1", "agent(?u1)"]);
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
fn search_goes_both_ways_and_comes_round() {
    let world = World::of(&long());
    let mut desk = world.read();
    let place = |desk: &Desk, no| desk.outline().main_turn(no).unwrap().place;
    let (first, tenth, last) = (place(&desk, 1), place(&desk, 19), place(&desk, 39));
    let mut look = |needle: &str, from, forward| {
        let found = desk.search(needle, from, forward, &Cancel::default()).unwrap();
        found.map(|found| (found.place, found.wrapped))
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
    assert_eq!(desk.search("question 9:", first, true, &cancelled).unwrap(), None);
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
    assert_eq!(desk.told().unwrap(), (String::new(), 0));
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
    assert!(desk.told().unwrap().0.contains("someone likes tea"));
    let saved = desk.withdraw(1, None).unwrap();
    assert_eq!(saved.ledger.entries[0].status, Status::Withdrawn);
    let saved = desk.reinstate(1, None).unwrap();
    assert_eq!(saved.ledger.entries[0].status, Status::Active);
    desk.review(&anchor, true).unwrap();
    // Another desk, opened later, sees all of it.
    let mut later = world.read();
    assert_eq!(later.ledger().unwrap().entries.len(), 3);
    assert_eq!(later.records(&Cancel::default()).unwrap()[0].reviewed, [item]);
    desk.review(&anchor, false).unwrap();
    assert!(later.records(&Cancel::default()).unwrap()[0].reviewed.is_empty());
    assert!(later.verify().unwrap().is_empty());
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
