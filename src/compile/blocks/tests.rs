//! Seams and records of blocks, on tables in a tiny notation: `u text`, `a text`, `> id` a call, `< id` its result, each a
//! turn of its own but for results, which belong to the turn before; `+` joins a line to the turn before.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::compile::spans::merged;
use crate::compile::{GateRegion, Liveness, Origin, Original, gate};
use crate::record::{ClosedBy, Detail, Field, Record, Turned};
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
fn a_call_for_which_nobody_waits_keeps_no_seam_away_and_is_cut_from_nothing() {
    let work = "> 1\n< 1\na The port is set, done.\na so\na well";
    for (dead, want) in [
        // The person stopped it, and the agent went on.
        ("> dead\nu stop that\na yes", (6, "step")),
        // A later call was answered, and the agent went on.
        ("> dead\n> 9\n< 9\na yes", (6, "step")),
    ] {
        let told = format!("u set it\n{dead}\n{work}");
        let (turns, by) = want;
        assert_eq!(seams(rules(5, 7), &told)[0], (turns, by, vec![]), "{told}");
    }
    let waits = "u set it\n> dead\na wait\na yes\na so\na well";
    assert_eq!(seams(rules(3, 5), waits), [(5, "hard-cap", vec!["dead".to_owned()])], "nobody gave it up");
    let cap = "u set it\na well\n> dead\nu stop that\na yes";
    assert_eq!(seams(rules(4, 4), cap), [(4, "hard-cap", vec![])], "the person stopped it before the cap");
}

#[test]
fn the_target_the_cap_and_each_trigger_are_the_callers_to_set() {
    let told = "u set it\n> 1\n< 1\na The port is set, done.\nu next\na yes\na no\na so";
    assert_eq!(seams(rules(2, 60), told)[0].1, "step");
    let off = Triggers { step: false, ..Rules::default().on };
    assert_eq!(seams(Rules { on: off, ..rules(2, 60) }, told)[0].1, "tool-loop");
    assert_eq!(seams(Rules { on: Triggers::NONE, ..rules(2, 60) }, told), []);
}

const HARBOUR: [&str; 3] =
    ["The harbour crane lifts containers", "ships unload grain at the quay", "pilots steer vessels past buoys"];
const KITCHEN: [&str; 3] =
    ["Knead the dough and proof the bread", "simmer onions with butter and thyme", "roast carrots beside garlic"];

/// So many turns about one subject, one kind of sentence after the other; `more` stands at the end of some of them.
fn about(sentences: [&str; 3], turns: usize, more: &dyn Fn(usize) -> &'static str) -> String {
    let turn = |no: usize| format!("{} {} {}\n", ["u", "a"][no % 2], sentences[no % 3], more(no));
    (0..turns).map(turn).collect()
}

/// Where the talk turns, and what tells it.
fn turned(on: Triggers, told: &str) -> Vec<(usize, Turned)> {
    let mut seams = Seams::new(Rules { on, ..rules(1, 1_000_000) });
    let closed = turns(told).iter().filter_map(|turn| seams.turn(&seen(turn))).collect::<Vec<_>>();
    assert!(closed.iter().all(|closed| closed.closed_by == ClosedBy::Topic), "{closed:?}");
    closed.into_iter().filter_map(|closed| Some((closed.turns, closed.turned?))).collect()
}

#[test]
fn c15_a_turn_of_the_talk_ends_a_block_where_the_words_change() {
    let plain = |_| "";
    let told = about(HARBOUR, 120, &plain) + &about(KITCHEN, 120, &plain);
    assert_eq!(turned(Triggers::ALL, &told), [(120, Turned::Words)]);
    assert_eq!(turned(Triggers { words: false, ..Triggers::ALL }, &told), []);
    assert_eq!(turned(Triggers::ALL, &about(HARBOUR, 240, &plain)), [], "one subject has no seam");
}

#[test]
fn c15_where_some_words_stay_it_is_told_when_enough_was_said_behind_it_and_nothing_later_changes_it() {
    let shared = |_| "on Monday by budget";
    let told = about(HARBOUR, 120, &shared) + &about(KITCHEN, 120, &shared);
    let known = |turns: usize| told.lines().take(turns).collect::<Vec<_>>().join("\n");
    let first = (120..=240).find(|count| !turned(Triggers::ALL, &known(*count)).is_empty()).unwrap();
    assert!((160..230).contains(&first), "{first}");
    for count in first..=240 {
        assert_eq!(turned(Triggers::ALL, &known(count)), [(120, Turned::Words)]);
    }
}

/// So many short turns, a few words of a small stock each; `first` stands at the head of the first.
fn short(stock: &str, turns: usize, words: usize, first: &str) -> String {
    let stock: Vec<&str> = stock.split(' ').collect();
    let turn = |no: usize| {
        let said = (0..words).map(|at| stock[(no * 7 + at * (no % 5 + 1)) % stock.len()]).collect::<Vec<_>>().join(" ");
        format!("{} {}The {said} is discussed\n", ["u", "a"][no % 2], if no == 0 { first } else { "" })
    };
    (0..turns).map(turn).collect()
}

const PORT: &str =
    "harbour quay pilot tide berth crane vessel anchor mooring cargo manifest customs dredge channel buoy";
const BAKERY: &str = "dough bread thyme oven flour yeast butter sugar recipe kitchen pan knife basil garlic onion";

#[test]
fn c15_what_a_person_brings_up_in_short_turns_closes_a_block_within_a_few_of_them() {
    for words in [4, 10, 20, 40, 80] {
        let known = |first: &str, behind: usize| short(PORT, 44, words, "") + &short(BAKERY, behind, words, first);
        let told = (1..=16).find(|behind| !turned(Triggers::ALL, &known("", *behind)).is_empty());
        assert!(told.is_some_and(|told| (2..=6).contains(&told)), "{words} words: {told:?}");
        assert_eq!(turned(Triggers::ALL, &known("", 16)), [(44, Turned::Words)], "{words} words");
        assert_eq!(turned(Triggers { words: false, ..Triggers::ALL }, &known("", 16)), []);
        let cue = known("New topic, something completely different: ", 1);
        assert_eq!(turned(Triggers::ALL, &cue), [(44, Turned::Cue)], "{words} words: at once");
        assert_eq!(turned(Triggers { cue: false, ..Triggers::ALL }, &cue), []);
        let same = short(PORT, 44, words, "") + &short(PORT, 16, words, "New topic: ");
        assert_eq!(turned(Triggers::ALL, &same), [], "{words} words: it is said, and it is the same as before");
    }
}

#[test]
fn c15_what_the_agent_brings_up_or_what_is_new_in_a_word_or_two_turns_nothing() {
    let told = short(PORT, 45, 10, "") + &short(BAKERY, 1, 10, "").replace("u ", "a ") + &short(PORT, 6, 10, "");
    assert_eq!(turned(Triggers::ALL, &told), [], "the agent strays");
    let told = short(PORT, 44, 10, "") + "u Is there flour?\n" + &short(PORT, 7, 10, "").replacen("u ", "a ", 1);
    assert_eq!(turned(Triggers::ALL, &told), [], "a word of something else");
}

#[test]
fn words_that_say_that_something_else_comes_tip_the_scales() {
    let told = |cue: &'static str| {
        let shared = "Monday weather budget";
        let first = move |no: usize| if no == 0 { cue } else { shared };
        about(["harbour", "quay", "pilots"], 120, &move |_| shared) + &about(["dough", "bread", "thyme"], 120, &first)
    };
    for (cue, on, want) in [
        ("Monday", Triggers::ALL, vec![]),
        ("Monday, next topic", Triggers::ALL, vec![(120, Turned::Cue)]),
        ("Monday, next topic", Triggers { cue: false, ..Triggers::ALL }, vec![]),
    ] {
        assert_eq!(turned(on, &told(cue)), want, "{cue}");
    }
}

#[test]
fn other_files_end_a_block_before_the_question_that_led_to_them() {
    let parser =
        "u the parser fails\n> 1 src/parse/lexer.rs\n< 1\n> 2 src/parse/grammar.rs\n< 2\n> 3 tests/parse_all.rs\n< 3\n";
    let other = "u and the menu?\n> 4 web/menu.css\n< 4\n> 5 web/index.html web/menu.js\n< 5\na The menu is wide.\n";
    let told = format!("{parser}{other}");
    let talk = Triggers { step: false, tool_loop: false, ..Triggers::ALL };
    assert_eq!(turned(talk, &told), [(4, Turned::Things)]);
    assert_eq!(turned(Triggers { things: false, ..talk }, &told), []);
    let same = told.replace("web/index.html", "src/parse/lexer.rs");
    assert_eq!(turned(talk, &same), [], "one of the files was there before");
}

#[test]
fn after_a_long_silence_a_person_who_speaks_of_something_else_has_turned_the_talk() {
    let after = |minutes: i64, on: Triggers, said: &str| {
        let mut seams = Seams::new(Rules { on, ..rules(1, 1_000_000) });
        let turns = turns(&format!("u {}\na {}\nu {said}\n", HARBOUR[0], HARBOUR[1]));
        let at = |no: usize| Some(if no == 2 { minutes * 60_000 } else { 0 });
        let seen = turns.iter().enumerate().map(|(no, turn)| TurnSeen { at: at(no), ..seen(turn) });
        seen.filter_map(|seen| seams.turn(&seen)).map(|closed| (closed.turns, closed.turned)).collect::<Vec<_>>()
    };
    let pause = vec![(2, Some(Turned::Pause))];
    assert_eq!(after(31, Triggers::ALL, KITCHEN[0]), pause);
    assert_eq!(after(29, Triggers::ALL, KITCHEN[0]), []);
    assert_eq!(after(31, Triggers { pause: false, ..Triggers::ALL }, KITCHEN[0]), []);
    assert_eq!(after(31, Triggers::ALL, HARBOUR[0]), [], "it goes on where it stopped");
    assert_eq!(after(31, Triggers::ALL, &format!("Next question: {}", HARBOUR[0])), pause);
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
        let mut half = Seams::new(rules(target, target + more));
        let known = turns(&told).iter().take(count / 2).filter_map(|turn| half.turn(&seen(turn))).collect::<Vec<_>>();
        let early: Vec<_> = known.into_iter().map(|end| (end.turns, end.closed_by.name(), end.cut)).collect();
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

/// What is said in a session, each piece a turn or a call with its result.
const SAID: [&str; 12] = [
    "u Set the port of srv-204 to 8443. Never restart db-7 on a weekday.",
    "> 1 host: srv-204\n< 1 ok",
    "a srv-204 listens on 8443.",
    "u Then look at order A-5512.",
    "> 2 order: A-5512\n< 2 total 49",
    "a The order A-5512 is paid.",
    "u Should orders.status become an enum?",
    "u Let's keep orders.status as it is.",
    "a It is not the gateway timeout: gw-3 answered in 310 ms.",
    "u Only read from replica-2, please.",
    "a The retry ceiling in src/retry.rs is 7.",
    "u Why does the export of 12,000 rows take 40 minutes?",
];

proptest! {
    /// C12: wherever it is cut, the record of what is closed and that of the open tail together are the record of all
    /// turns, field by field. What is not: a question that is answered behind the cut is still open in the first, and a
    /// decision needs what it answers.
    #[test]
    fn c12_the_records_of_blocks_and_of_the_tail_together_are_the_record_of_all_turns(
        pieces in prop::collection::vec(0..SAID.len(), 2..24), cut in 0.0..1.0_f64,
    ) {
        let told = pieces.iter().map(|piece| SAID[*piece]).collect::<Vec<_>>().join("\n");
        let all = turns(&told);
        let at = 1 + (cut * (all.len() - 1) as f64) as usize;
        let both = merged([&record(&all[..at], 0), &record(&all[at..], at)]);
        let whole = record(&all, 0);
        for field in Field::ALL {
            let (together, at_once) = (texts(&both, field), texts(&whole, field));
            match field {
                Field::Open => prop_assert!(together.is_superset(&at_once), "{told}\ncut at {at}"),
                Field::Decisions => prop_assert!(together.is_subset(&at_once), "{told}\ncut at {at}"),
                Field::Narrative
                | Field::Entities
                | Field::Figures
                | Field::Constraints
                | Field::Actions
                | Field::RuledOut => prop_assert_eq!(together, at_once, "cut at {}, {:?}\n{}", at, field, told),
            }
        }
    }
}

/// A4.24: of forty investigations of twelve turns each, a full record holds all identifiers, figures and actions that
/// were spoken of or given to a tool, and at least as many constraints and ruled-out causes as published (94 and 89 %).
/// What a tool answers in a few words under a name is there too; what it printed at length, and nobody took up, is not.
#[test]
fn a4_24_a_full_record_holds_what_the_published_one_held() {
    let mut held: Vec<(Field, &str, usize)> = Vec::new();
    for no in 1..=40 {
        let log = format!("run{no}9999 wrote page-{no}8888 in 77{no}55 ms; ").repeat(60);
        let told = format!(
            "u Orders of customer C-{no}001 fail since Monday. Never restart DB-{no}01 on a weekday.
             > 1 order: A-{no}512
             < 1 status 502, total {no}49 EUR
             a The order A-{no}512 failed with status 502.
             u Only read from replica-{no}, please.
             > 2 host: replica-{no}
             < 2 lag {no}3 s
             a It is not the gateway timeout: GW-{no}02 answered in 3{no} ms.
             u And the pool?
             > 3 pool: orders-{no}
             < 3 40 of 40 free
             + > 5 parcel: latest
             < 5 {{\"parcel\": \"PK{no}77\", \"weight\": \"{no}.5 kg\", \"mail\": \"ops{no}@shop.example\"}}
             + > 6 log: all
             < 6 {log}
             a It is not the connection pool, 40 of 40 connections are free.
             u Then look into src/retry_{no}.rs.
             > 4 path: src/retry_{no}.rs
             < 4 const CEILING: u32 = {no}07;
             a The retry ceiling in src/retry_{no}.rs is {no}07."
        );
        let all = turns(&told);
        assert_eq!(all.len(), 12);
        let record = record(&all, 0);
        let mut look = |field: Field, name: &'static str, wanted: &[String]| {
            let texts = texts(&record, field);
            let kept = wanted.iter().filter(|one| texts.iter().any(|text| text.contains(one.as_str()))).count();
            held.extend((0..wanted.len()).map(|at| (field, name, usize::from(at < kept))));
        };
        let named =
            ["C-#001", "DB-#01", "A-#512", "replica-#", "GW-#02", "src/retry_#.rs", "PK#77", "ops#@shop.example"];
        look(Field::Entities, "identifiers", &named.map(|name| name.replace('#', &no.to_string())));
        assert!(!texts(&record, Field::Entities).iter().any(|name| name.contains("9999") || name.contains("8888")));
        look(
            Field::Figures,
            "figures",
            &[
                "502".to_owned(),
                format!("total: {no}49 EUR"),
                format!("lag: {no}3 s"),
                format!("weight: {no}.5 kg"),
                format!("3{no} ms"),
                format!("{no}07"),
            ],
        );
        let rules = [format!("Never restart DB-{no}01 on a weekday."), format!("Only read from replica-{no}, please.")];
        look(Field::Constraints, "constraints", &rules);
        let calls = ["order: A-#512", "host: replica-#", "pool: orders-#", "path: src/retry_#.rs"];
        look(Field::Actions, "actions", &calls.map(|call| call.replace('#', &no.to_string())));
        look(Field::RuledOut, "ruled out", &["gateway timeout".to_owned(), "connection pool".to_owned()]);
    }
    for (name, least) in
        [("identifiers", 100), ("figures", 100), ("actions", 100), ("constraints", 94), ("ruled out", 89)]
    {
        let of = held.iter().filter(|(_, of, _)| *of == name);
        let (kept, all) = of.fold((0, 0), |(kept, all), (.., one)| (kept + one, all + 1));
        assert!(kept * 100 >= least * all, "{name}: {kept} of {all}, published {least} %");
    }
}

#[test]
fn a2_16_nothing_is_read_that_the_gate_did_not_let_through() {
    let all = turns(WORK);
    let told = |record: Record| record.items.into_iter().map(|item| item.text).collect::<Vec<_>>();
    assert_eq!(told(recorded(&all, 0, 0..40)), told(record(&all[..4], 0)));
    assert_eq!(told(recorded(&all, 0, 0..0)), Vec::<String>::new());
}

/// A2.19: a call that is given nothing has no byte to cite; its place is cited.
#[test]
fn a_call_without_a_word_rests_on_its_place() {
    let record = record(&turns("u look\n> 1\n< 1 ok"), 0);
    let (_, call) = record.of(Field::Actions).next().unwrap();
    let sources: Vec<_> = call.sources.iter().map(|one| (one.seq.0, one.range, one.quote.as_str())).collect();
    assert_eq!(sources, [(10, (0, 0), "")]);
    let cited = |_: &crate::session::SourceRef| crate::compile::Cited::Original("");
    assert!(crate::compile::provenance(&record, &cited).dangling.is_empty());
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
