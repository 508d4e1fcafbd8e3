//! Seams and records of blocks, on tables in a tiny notation: `u text`, `a text`, `> id` a call, `< id` its result, each a
//! turn of its own but for results, which belong to the turn before; `+` joins a line to the turn before.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::compile::spans::merged;
use crate::compile::{GateRegion, Liveness, Origin, Original, gate};
use crate::record::{ClosedBy, Detail, Field, Record};
use crate::session::{FileNo, Hash, Part, PartKind, PartSeq, Place, Speaker, TurnNo};

fn part(line: &str) -> Part {
    let (mark, text) = line.split_once(' ').unwrap();
    let (id, rest) = text.split_once(' ').unwrap_or((text, ""));
    let id = Some(id.to_owned());
    let (kind, speaker, text) = match mark {
        "u" => (PartKind::Text, Speaker::User, text),
        "a" => (PartKind::Text, Speaker::Assistant, text),
        ">" => (PartKind::ToolCall { id, name: "set".into() }, Speaker::Assistant, rest),
        "<" => (PartKind::ToolResult { id, ok: true }, Speaker::Tool, rest),
        _ => panic!("{line}"),
    };
    Part { block: 0, kind, speaker, text: text.to_owned() }
}

/// The parts of each turn.
fn turns(told: &str) -> Vec<Vec<Part>> {
    let mut turns: Vec<Vec<Part>> = Vec::new();
    for line in told.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let joined = line.strip_prefix("+ ");
        let part = part(joined.unwrap_or(line));
        let same = joined.is_some() || matches!(part.kind, PartKind::ToolResult { .. });
        match turns.last_mut().filter(|_| same) {
            Some(turn) => turn.push(part),
            None => turns.push(vec![part]),
        }
    }
    turns
}

fn seen(turn: &[Part]) -> TurnSeen {
    let mut seen = TurnSeen::default();
    for part in turn {
        seen.add(part);
    }
    seen
}

fn seams(rules: Rules, told: &str) -> Vec<(usize, &'static str, Vec<String>)> {
    let mut seams = Seams::new(rules);
    let closed = turns(told).iter().filter_map(|turn| seams.turn(&seen(turn))).collect::<Vec<_>>();
    closed.into_iter().map(|closed| (closed.turns, closed.closed_by.name(), closed.cut)).collect()
}

fn rules(target: u32, cap: u32) -> Rules {
    Rules { target, cap, ..Rules::default() }
}

#[test]
fn a1_6_a_block_closes_at_the_first_seam_behind_its_target() {
    for (told, want) in [
        ("u set it\n> 1\n< 1\na it holds 4\nu next", vec![(3, "tool-loop")]),
        ("u set it\n> 1\n< 1\na The port is set, done.\na waiting", vec![(3, "step")]),
        ("u set it\na one\na two\na three\na four\na five", vec![(5, "hard-cap")]),
        // No call was made: nothing was done, whatever is said.
        ("u set it\na done\nu well", vec![]),
        // Nothing stands behind the last turn.
        ("u set it\n> 1\n< 1\na Done.", vec![]),
    ] {
        let want: Vec<_> = want.into_iter().map(|(turns, by)| (turns, by, Vec::new())).collect();
        assert_eq!(seams(rules(3, 5), told), want, "{told}");
    }
}

#[test]
fn a1_6_a_call_is_cut_from_its_result_at_the_hard_cap_alone_which_names_it() {
    let told = "u set it\n> 7 port: 80\na waiting\nu and now\na still\nu well\n+ < 7 ok\na there";
    assert_eq!(seams(rules(2, 5), told), [(5, "hard-cap", vec!["7".to_owned()])]);
    assert_eq!(seams(rules(2, 9), told), [], "the result comes before the cap");
}

#[test]
fn the_target_the_cap_and_each_trigger_are_the_callers_to_set() {
    let told = "u set it\n> 1\n< 1\na The port is set, done.\nu next\na yes\na no\na so";
    assert_eq!(seams(rules(2, 60), told)[0].1, "step");
    let off = Triggers { step: false, ..Rules::default().on };
    assert_eq!(seams(Rules { on: off, ..rules(2, 60) }, told)[0].1, "tool-loop");
    let off = Triggers { step: false, tool_loop: false, topic: false };
    assert_eq!(seams(Rules { on: off, ..rules(2, 60) }, told), []);
}

/// Two subjects, one behind the other.
fn talk() -> (String, usize) {
    let harbour =
        ["The harbour crane lifts containers", "ships unload grain at the quay", "pilots steer vessels past buoys"];
    let kitchen =
        ["Knead the dough and proof the bread", "simmer onions with butter and thyme", "roast carrots beside garlic"];
    let lines = |said: [&str; 3]| {
        let told: Vec<String> = (0..60)
            .map(|no| {
                format!(
                    "{} {}
",
                    ["u", "a"][no % 2],
                    said[no % 3]
                )
            })
            .collect();
        told.concat()
    };
    (lines(harbour) + &lines(kitchen), 60)
}

#[test]
fn c15_a_turn_of_the_talk_ends_a_block_where_the_words_change() {
    let (told, at) = talk();
    let found = seams(rules(1, 1_000_000), &told);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].1, "topic");
    assert!(found[0].0.abs_diff(at) <= 2, "{found:?}");
}

#[test]
fn what_a_person_asks_to_be_done_is_kept_word_for_word_even_when_it_was_answered() {
    let told = "u Can you write the plan for srv-204 into a file?\na Yes, it is written.\nu fine";
    let open = texts(&record(&turns(told), 0), Field::Open);
    assert_eq!(open.into_iter().collect::<Vec<_>>(), ["Can you write the plan for srv-204 into a file?"]);
}

proptest! {
    /// C2: blocks and the open tail hold every turn once, in order, and no block is longer than the cap.
    #[test]
    fn c2_blocks_and_the_open_tail_partition_the_turns(
        moves in prop::collection::vec(0..5_u8, 0..200), target in 1..12_u32, more in 0..12_u32,
    ) {
        let mut calls = 0;
        let told: String = moves.iter().map(|one| match one {
            0 => "u please go on\n".to_owned(),
            1 => "a all done now\n".to_owned(),
            2 => { calls += 1; format!("> {calls} port: 80\n") }
            3 => format!("+ < {calls} ok\n"),
            _ => "a thinking of it\n".to_owned(),
        }).collect();
        let told = format!("u start\n{told}");
        let count = turns(&told).len();
        let closed = seams(rules(target, target + more), &told);
        let mut from = 0;
        for (end, by, cut) in &closed {
            prop_assert!(*end > from && *end < count);
            prop_assert!(*end - from <= (target + more) as usize);
            prop_assert!(cut.is_empty() || *by == ClosedBy::HardCap.name());
            from = *end;
        }
        // The same as the session grows: no later turn changes what was told.
        let head = told.lines().take(told.lines().count() / 2).collect::<Vec<_>>().join("\n");
        let early = seams(rules(target, target + more), &head);
        prop_assert_eq!(&closed[..early.len().min(closed.len())], &early[..]);
    }
}

/// The record of these turns, of which the first is the `from`-th; the gate lets them be read.
fn record(turns: &[Vec<Part>], from: usize) -> Record {
    let parts = from as u64 * 10..(from + turns.len()) as u64 * 10;
    recorded(turns, from, parts)
}

fn recorded(turns: &[Vec<Part>], from: usize, permitted: std::ops::Range<u64>) -> Record {
    let origins = vec![Origin { parts: permitted, hash: Hash::ZERO }];
    let region = GateRegion { name: "turns".into(), generation: 0, origins };
    let mut recording = Recording::new(gate(&region, Liveness::Live).unwrap());
    for (at, turn) in turns.iter().enumerate() {
        let no = TurnNo::main((from + at + 1) as u32);
        for (block, part) in turn.iter().enumerate() {
            let seq = ((from + at) * 10 + block) as u64;
            let place = Place { file: FileNo(0), offset: seq, part: 0 };
            let original = Original { part, place, line_id: None, seq: PartSeq(seq), turn: &no, turn_id: "t" };
            let args = matches!(part.kind, PartKind::ToolCall { .. }).then(|| {
                let (name, value) = part.text.split_once(": ").unwrap_or(("none", "0"));
                format!("{{\"{name}\": \"{value}\"}}")
            });
            recording.add(&original, args.as_deref());
        }
    }
    let (record, generation) = recording.finish();
    assert_eq!(generation, 1);
    record
}

const WORK: &str = "u Set the port of srv-204 to 8443. Never restart db-7 on a weekday.
    > 1 host: srv-204
    < 1 ok
    a srv-204 listens on 8443.
    u Then look at order A-5512.
    > 2 order: A-5512
    < 2 total 49
    a The order A-5512 is paid.";

fn texts(record: &Record, field: Field) -> BTreeSet<String> {
    record.of(field).map(|(_, item)| item.text.clone()).collect()
}

#[test]
fn a4_23_a_record_holds_every_call_with_what_it_was_given_and_the_used_names_first() {
    let record = record(&turns(WORK), 0);
    let calls: Vec<_> = record.of(Field::Actions).map(|(_, item)| item.detail.clone()).collect();
    let call = |args: &str| Detail::Action { tool: "set".into(), args: args.into(), ok: Some(true) };
    assert_eq!(calls, [call("{\"host\": \"srv-204\"}"), call("{\"order\": \"A-5512\"}")]);
    let first: Vec<_> = record.of(Field::Entities).take(2).map(|(_, item)| item.text.as_str()).collect();
    assert_eq!(first.iter().collect::<BTreeSet<_>>(), ["A-5512", "srv-204"].iter().collect());
    assert!(texts(&record, Field::Constraints).iter().any(|text| text.contains("Never restart db-7")));
}

#[test]
fn c12_the_records_of_blocks_and_of_the_tail_together_are_the_record_of_all_turns() {
    let all = turns(WORK);
    let whole = record(&all, 0);
    for at in 1..all.len() {
        let (head, tail) = (record(&all[..at], 0), record(&all[at..], at));
        let both = merged([&head, &tail]);
        for field in [Field::Entities, Field::Figures, Field::Actions, Field::Constraints] {
            assert_eq!(texts(&both, field), texts(&whole, field), "cut at {at}, {field:?}");
        }
    }
}

#[test]
fn a2_16_nothing_is_read_that_the_gate_did_not_let_through() {
    let all = turns(WORK);
    let told = |record: Record| record.items.into_iter().map(|item| item.text).collect::<Vec<_>>();
    assert_eq!(told(recorded(&all, 0, 0..40)), told(record(&all[..4], 0)));
    assert_eq!(told(recorded(&all, 0, 0..0)), Vec::<String>::new());
}

#[test]
fn every_quote_of_a_record_stands_where_it_says() {
    let all = turns(WORK);
    for item in record(&all, 0).items {
        for source in item.sources {
            let part = &all[(source.seq.0 / 10) as usize][(source.seq.0 % 10) as usize];
            assert_eq!(&part.text[source.range.0..source.range.1], source.quote);
        }
    }
}
