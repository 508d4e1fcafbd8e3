//! A session of an agent builder from its first word to its handover.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::single_range_in_vec_init, reason = "one range is meant")]

mod sources;

use super::*;
use crate::compile::window::RegionKind;
use crate::compile::{Manner, Why};
use crate::record::{Act, ClosedBy, Correction, EntryKind, Field};
use crate::session::{Body, Depth, FileNo, Hash, Originals};

fn clock() -> i64 {
    1_772_460_420_000
}

fn rules() -> EngineRules {
    EngineRules { blocks: Rules { target: 4, cap: 6, ..Rules::default() }, ..EngineRules::by(clock) }
}

struct World {
    folder: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn db(&self) -> PathBuf {
        self.folder.path().join("stet.db")
    }

    /// Changes the first byte of these words wherever they stand in the database.
    fn damage(&self, words: &[u8], byte: u8) {
        let mut bytes = std::fs::read(self.db()).unwrap();
        while let Some(at) = memchr::memmem::find(&bytes, words) {
            bytes[at] = byte;
        }
        std::fs::write(self.db(), bytes).unwrap();
    }

    fn engine(&self, rules: EngineRules) -> Engine {
        Engine::with(&self.db(), "night", rules).unwrap()
    }
}

/// A turn of a person and one of the agent with a call, about a file of their own.
fn exchange(engine: &mut Engine, no: u32) {
    let (user, agent, call) = (format!("u{no}"), format!("a{no}"), format!("c{no}"));
    engine
        .append(&[
            Utterance::user(&user, &format!("The ceiling in src/part_{no}.rs was {no}07 yesterday.")),
            Utterance::agent(&agent, &format!("I look at src/part_{no}.rs now.")),
            Utterance::call(&agent, &call, "Bash", &format!("command: cat src/part_{no}.rs")),
            Utterance::result(&format!("r{no}"), &call, true, &format!("const CEILING_{no}: u32 = {no}07;")),
        ])
        .unwrap();
}

fn session(engine: &mut Engine, exchanges: std::ops::RangeInclusive<u32>) {
    exchanges.for_each(|no| exchange(engine, no));
}

/// The texts of all parts as they are stored.
fn stored(engine: &mut Engine) -> Vec<String> {
    let stretch = engine.desk.log_again().unwrap().forward(FileNo(0), 0, 1 << 20, Depth::Full).unwrap();
    let parts = stretch.lines.into_iter().filter_map(|line| match line.body {
        Body::Message { parts, .. } => Some(parts),
        _ => None,
    });
    parts.flatten().map(|part| part.text).collect()
}

fn shape(context: &Context) -> String {
    let one = |region: &crate::compile::window::Region| {
        let turns = region.turns.map(|(from, to)| format!(" {from}-{to}")).unwrap_or_default();
        format!("{}{turns}", region.kind.name())
    };
    context.window.regions.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// A1.1, A1.2, A1.3: what was said comes back byte for byte, blocks close behind it, and each record names its originals.
#[test]
fn blocks_close_behind_what_was_said_and_their_records_are_made_of_it() {
    let world = World::new();
    let mut engine = world.engine(rules());
    engine
        .append(&[Utterance::user("u0", "Never touch src/part_0.rs without asking."), Utterance::agent("a0", "Fine.")])
        .unwrap();
    session(&mut engine, 1..=4);
    engine.compile().unwrap();
    let store = Store::open(&world.db(), Access::ReadOnly).unwrap();
    let blocks = store.blocks(&engine.key).unwrap();
    let turns: Vec<_> =
        blocks.iter().map(|block| (block.run.turns, block.run.parts.clone(), block.closed_by)).collect();
    assert_eq!(turns, [((1, 4), 0..6, ClosedBy::ToolLoop), ((5, 8), 6..14, ClosedBy::ToolLoop)]);
    let texts: Vec<&str> = blocks[0].record.items.iter().map(|item| item.text.as_str()).collect();
    for wanted in ["src/part_0.rs", "src/part_1.rs", "Never touch src/part_0.rs without asking."] {
        assert!(texts.contains(&wanted), "{wanted}: {texts:#?}");
    }
    assert!(!texts.iter().any(|text| text.contains("part_2")), "nothing of another block");
    engine.compile().unwrap();
    assert_eq!(store.blocks(&engine.key).unwrap(), blocks, "once written, never again");
    let standing = engine.standing().unwrap();
    assert_eq!(standing.len(), 2);
    for one in &standing {
        // A2.17, A2.19, A4.22.
        assert!(one.validity.holds() && one.facts.facts > 3 && one.facts.held == one.facts.facts, "{one:?}");
    }
    let mut said = vec!["Never touch src/part_0.rs without asking.".to_owned(), "Fine.".to_owned()];
    for no in 1..=4 {
        said.extend([
            format!("The ceiling in src/part_{no}.rs was {no}07 yesterday."),
            format!("I look at src/part_{no}.rs now."),
            format!("command: cat src/part_{no}.rs"),
            format!("const CEILING_{no}: u32 = {no}07;"),
        ]);
    }
    assert_eq!(stored(&mut engine), said);
    let window = engine.window("be careful", 100_000).unwrap();
    assert_eq!(shape(&window), "system, ledger, block 1-4, block 5-8, turn 9-9, turn 10-10");
    let last = &window.window.regions.last().unwrap().text;
    assert!(last.contains("command: cat src/part_4.rs") && last.contains("const CEILING_4: u32 = 407;"), "{last}");
    let block = &window.window.regions[2].text;
    assert!(block.starts_with("[block 1 · turns 1–4 · generation 1]\n"), "{block}");
    assert!(block.contains("- turn 1, user: Never touch src/part_0.rs without asking."), "{block}");
    let odd = "  two spaces,\ttab, \u{e9} \u{1f980} \r\n\u{1b}[31m \u{0} \u{feff}\\n \"quoted\"\n ";
    engine.append(&[Utterance::user("odd", odd)]).unwrap();
    engine.compile().unwrap();
    said.push(odd.to_owned());
    assert_eq!(stored(&mut engine), said);
}

/// C2: with real parts too, every one of them is in exactly one region, whether texts were made beforehand or not.
#[test]
fn the_window_parts_the_log() {
    let world = World::new();
    let mut engine = world.engine(rules());
    for no in 1..=9 {
        exchange(&mut engine, no);
        for budget in [120, 400, 2000, 100_000] {
            let window = engine.window("", budget).unwrap().window;
            let mut next = 0;
            for region in window.regions.iter().filter(|region| region.turns.is_some()) {
                assert_eq!(region.parts.start, next, "{no} {budget}");
                next = region.parts.end;
            }
            assert_eq!(next, u64::from(no) * 4, "{no} {budget}");
            assert_eq!(window.over().is_some(), window.tokens() > budget);
        }
    }
}

/// C1: without a block and over its budget, a window closes one at the best seam.
#[test]
fn a_window_that_is_too_full_closes_a_block() {
    let world = World::new();
    let mut engine = world.engine(EngineRules { blocks: Rules::default(), ..rules() });
    session(&mut engine, 1..=3);
    let roomy = engine.window("", 100_000).unwrap();
    assert_eq!((roomy.blocks, roomy.window.wants_block), (0, false));
    let narrow = engine.window("", 60).unwrap();
    assert_eq!((narrow.blocks, shape(&narrow).as_str()), (1, "system, ledger, block 1-4, turn 5-5, turn 6-6"));
}

/// A1.5, A1.10: what is pinned is the same bytes before and after any number of compactions.
#[test]
fn the_ledger_outlives_every_compaction_byte_for_byte() {
    let world = World::new();
    let mut engine = world.engine(rules());
    let words = "Should orders.status become an enum? Not sure it is worth a migration on a table that size.";
    engine.append(&[Utterance::user("u0", words), Utterance::agent("a0", "I leave it open.")]).unwrap();
    let pinned = {
        let mut desk = engine.bench.open(&Target::Kept { db: engine.db.clone(), key: engine.key.clone() }).unwrap();
        desk.hand_over(Hand { via: Via::Tui, author: "ana".into(), proposed: false });
        let pin = Correction {
            act: Act::Pinned,
            kind: EntryKind::Open,
            outcome: None,
            text: words.into(),
            source: None,
            note: None,
        };
        desk.correct(None, pin, None).unwrap();
        desk.told(crate::handback::DEFAULT_TOKENS).unwrap().text
    };
    assert!(pinned.contains(words));
    for pass in 1..=6 {
        session(&mut engine, pass * 10..=pass * 10 + 2);
        engine.compact(Trigger::Pressure, 10_000).unwrap();
        let window = engine.window("", 4000).unwrap().window;
        assert_eq!((window.regions[1].kind, &window.regions[1].text), (RegionKind::Ledger, &pinned), "{pass}");
    }
}

/// C14: the engine sees by itself what was said: no seam while a call is open, one where the calls came to their answer.
#[test]
fn it_compacts_where_a_thread_came_to_its_end_and_waits_while_a_call_is_open() {
    let world = World::new();
    let mut engine = world.engine(EngineRules::by(clock));
    let call = Utterance::call("a1", "c1", "Bash", "command: cargo test");
    engine.append(&[Utterance::user("u1", "Make the tests pass."), call]).unwrap();
    assert!(matches!(engine.turn_ended(700, 1000).unwrap(), Next::Wait { wanted: Trigger::Pressure, .. }));
    let answer = Utterance::agent("a2", "All 31 tests pass now.");
    engine.append(&[Utterance::result("r1", "c1", true, "31 passed"), answer]).unwrap();
    assert_eq!(engine.turn_ended(700, 1000).unwrap(), Next::Compact(Trigger::Seam));
    assert_eq!(engine.turn_ended(100, 1000).unwrap(), Next::GoOn, "nothing presses");
}

/// A4.28, C13: six compactions leave markers with their trigger, the seventh is a handover; blocks that close do not
/// count, and the count outlives a restart.
#[test]
fn the_seventh_compaction_hands_over() {
    let world = World::new();
    let mut engine = world.engine(rules());
    for pass in 1..=6_u32 {
        session(&mut engine, pass * 10..=pass * 10 + 4);
        engine.compile().unwrap();
        let done = engine.compact(Trigger::Seam, 5_000 + u64::from(pass)).unwrap();
        assert_eq!((done.markers, engine.markers()), (pass, pass));
        drop(engine);
        engine = world.engine(rules());
    }
    let blocks = Store::open(&world.db(), Access::ReadOnly).unwrap().blocks(&engine.key).unwrap().len();
    assert!(blocks > 6, "{blocks}");
    let error = engine.compact(Trigger::Seam, 9).unwrap_err();
    let NotCompacted::HandOver(over) = error else { panic!("{error}") };
    assert_eq!((over.markers, over.most), (6, 6));
    let outline = engine.desk.outline();
    let marker = &outline.compactions[2];
    assert_eq!((marker.trigger, marker.tokens_before, marker.own_record), (Trigger::Seam, Some(5_003), true));
    assert_eq!(marker.originals, Originals::Present);
    drop(outline);
    // C13: a session that it is handed to begins anew.
    let handover = engine.handover().unwrap();
    let mut next = Engine::begin(&world.db(), "next night", rules(), &handover).unwrap();
    session(&mut next, 1..=3);
    assert_eq!(next.compact(Trigger::Manual, 10).unwrap().markers, 1);
}

/// A4.28, A1.5: what a session is handed over with is in the next one byte for byte, and the next one says where it comes
/// from; its record is shown there and is never compacted.
#[test]
fn a_session_that_goes_on_with_another_has_its_ledger_its_record_and_its_name() {
    let world = World::new();
    let mut engine = world.engine(rules());
    engine
        .append(&[Utterance::user("u0", "Never lock orders between 08:00 and 20:00."), Utterance::agent("a0", "Fine.")])
        .unwrap();
    engine.append(&[Utterance::user("u9", "Never touch src/part_0.rs without asking me.")]).unwrap();
    session(&mut engine, 1..=4);
    let pinned = engine.window("", 100_000).unwrap().window.regions[1].text.clone();
    assert!(pinned.contains("(L1, turn 1, user): “Never lock orders between 08:00 and 20:00.”"), "{pinned}");
    let handover = engine.handover().unwrap();
    assert!(handover.text.ends_with(&pinned));
    let uncited = |line: &&str| line.starts_with("- ") && !line.contains("turn ");
    assert_eq!(handover.text.lines().filter(uncited).collect::<Vec<_>>(), [""; 0]);
    for db in [world.db(), world.folder.path().join("other.db")] {
        let mut next = Engine::begin(&db, "next", rules(), &handover).unwrap();
        session(&mut next, 5..=9);
        let window = next.window("", 100_000).unwrap().window;
        assert_eq!(window.regions[1].text, pinned);
        assert_eq!(next.handed_over_from().unwrap().as_ref(), Some(&engine.key));
        let records = Store::open(&db, Access::ReadOnly).unwrap().blocks(&next.key).unwrap();
        let named =
            |name: &str| records.iter().any(|block| block.record.items.iter().any(|item| item.text.contains(name)));
        assert!(named("src/part_5.rs") && !named("src/part_1.rs"), "no summary is read to make another");
        let again = Engine::begin(&db, "next", rules(), &handover).map(|_| ()).unwrap_err().to_string();
        assert!(again.starts_with("cannot begin next with a handover: it has begun already"), "{again}");
    }
    assert_eq!(engine.handed_over_from().unwrap(), None);
}

/// A4.27, C7: a marker's record is made of blocks that are made of originals; its facts are theirs.
#[test]
fn a_marker_keeps_what_its_blocks_keep_and_the_turns_behind_them_stay() {
    let world = World::new();
    let mut engine = world.engine(rules());
    session(&mut engine, 1..=5);
    let done = engine.compact(Trigger::Length, 4_321).unwrap();
    assert!(done.record.of(Field::Entities).any(|(_, item)| item.text == "src/part_4.rs"));
    let mut desk = engine.bench.open(&Target::Kept { db: engine.db.clone(), key: engine.key.clone() }).unwrap();
    desk.index(&Cancel::default(), &mut |_| ()).unwrap();
    let mut records = Vec::new();
    desk.record(1, &Cancel::default(), &mut |record| records.push(record)).unwrap();
    let stored = &records.last().unwrap().record;
    assert_eq!(stored.items.len(), done.record.items.len());
    let outline = desk.outline();
    let marker = &outline.compactions[0];
    assert_eq!((marker.trigger, outline.turn_ranges(&marker.covers)), (Trigger::Length, vec![(1, 8)]));
}

/// C7: with live originals a record is made anew from them, and is the same.
#[test]
fn a_region_is_recompiled_from_its_originals() {
    let world = World::new();
    let mut engine = world.engine(rules());
    session(&mut engine, 1..=5);
    engine.compile().unwrap();
    let blocks = Store::open(&world.db(), Access::ReadOnly).unwrap().blocks(&engine.key).unwrap();
    let permit = engine.gate(&GateRegion::block(&blocks[1])).unwrap();
    assert_eq!((permit.originals(), permit.generation()), ([8..16].as_slice(), 1));
    let again = engine.recompile(permit).unwrap();
    let said = |record: &Record| record.items.iter().map(|item| (item.field, item.text.clone())).collect::<Vec<_>>();
    assert_eq!(said(&again), said(&blocks[1].record));
    let mut region = GateRegion::block(&blocks[1]);
    region.origins[0].hash = Hash::of(b"other words");
    let NotCompacted::Refused(refused) = engine.gate(&region).unwrap_err() else { panic!("refused") };
    assert_eq!((refused.why, refused.region.as_str()), (Why::Changed, "block 2 (turns 5–8)"));
}

/// Never answers.
struct Mute;

impl Summariser for Mute {
    fn name(&self) -> String {
        "mute".into()
    }

    fn window(&self) -> u64 {
        u64::MAX
    }

    fn summarise(
        &self,
        _: &crate::compile::Brief,
        _: &dyn Fn() -> bool,
    ) -> Result<Vec<crate::compile::Sentence>, SummaryError> {
        Err(SummaryError::Failed { who: "mute".into(), why: "no answer".into() })
    }
}

#[test]
fn why_the_summariser_failed_is_told_of_what_is_stored_although_what_is_behind_it_cannot_be() {
    let world = World::new();
    let mut engine = world.engine(rules());
    session(&mut engine, 1..=5);
    drop(engine);
    world.damage(b"const CEILING_3: u32", b'k');
    let mut engine = world.engine(rules());
    engine.narrate_by(Box::new(Mute));
    assert!(engine.compile().is_err());
    let told =
        |engine: &mut Engine| -> Vec<Closed> { engine.summariser_failures().into_iter().map(|(of, _)| of).collect() };
    assert_eq!((told(&mut engine), told(&mut engine)), (vec![Closed::Block(1)], vec![]));
}

/// A1.7: under pressure spans are made beforehand; what a request finds undone is a stall that is recorded.
#[test]
fn what_is_due_is_made_before_it_is_needed_or_the_stall_is_recorded() {
    let world = World::new();
    let mut engine = world.engine(rules());
    session(&mut engine, 1..=7);
    assert_eq!(engine.close().unwrap(), 3);
    while engine.work().unwrap() {}
    assert!(matches!(engine.turn_ended(700, 1000).unwrap(), Next::Wait { .. }));
    while engine.work().unwrap() {}
    engine.window("", 100_000).unwrap();
    assert_eq!(engine.stalls(), []);
    let spans = Store::open(&world.db(), Access::ReadOnly).unwrap().spans(&engine.key).unwrap();
    assert_eq!(spans.iter().map(|span| (span.blocks, span.generation)).collect::<Vec<_>>(), [((1, 3), 1)]);
    session(&mut engine, 8..=9);
    engine.window("", 100_000).unwrap();
    assert_eq!(engine.stalls().iter().map(|stall| stall.jobs.clone()).collect::<Vec<_>>(), [vec![Job::Block(4)]]);
    let narrow = engine.window("", 420).unwrap();
    assert!(shape(&narrow).starts_with("system, ledger, span 1-12, "), "{}", shape(&narrow));
    let manner = engine.rules.limits.manner;
    assert!(matches!(manner, Manner::Seams { .. }));
}
