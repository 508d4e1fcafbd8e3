//! What a session's records rest on: originals and nothing else, and how it is told where they are not what they were.

use super::*;
use crate::compile::{Brief, Sentence, SummaryError};
use crate::session::SourceRef;
use crate::workbench::{Check, Quotes};

/// Reads along, and fails where it is given what only a summary says.
struct Reader;

impl Summariser for Reader {
    fn name(&self) -> String {
        "reader".into()
    }

    fn window(&self) -> u64 {
        u64::MAX
    }

    fn summarise(&self, brief: &Brief, stop: &dyn Fn() -> bool) -> Result<Vec<Sentence>, SummaryError> {
        assert!(brief.originals.iter().all(|spoken| !spoken.part.text.contains("hearsay")));
        Extractive.summarise(brief, stop)
    }
}

/// A4.27: neither a summary that stands in the log nor an earlier compaction is read for the next one.
#[test]
fn no_summary_is_read_for_the_one_behind_it() {
    let world = World::new();
    let mut engine = world.engine(rules());
    engine.narrate_by(Box::new(Reader));
    session(&mut engine, 1..=3);
    let summary = json!({"type": "compaction", "id": "told",
        "summary": "## Facts\n- hearsay.rs has a ceiling of 999\n- Never touch src/hearsay.rs.\n"});
    engine.take(&[summary.to_string().into_bytes()]).unwrap();
    session(&mut engine, 4..=6);
    let first = engine.compact(Trigger::Length, 1).unwrap();
    session(&mut engine, 7..=12);
    let second = engine.compact(Trigger::Length, 2).unwrap();
    for (done, there) in [(&first, "src/part_1.rs"), (&second, "src/part_1.rs"), (&second, "src/part_9.rs")] {
        assert!(done.record.of(Field::Entities).any(|(_, item)| item.text == there), "{there}");
        assert!(!format!("{:?}", done.record).contains("hearsay"));
    }
    let said = stored(&mut engine);
    for item in &second.record.items {
        let stands = |source: &SourceRef| said[source.seq.0 as usize].contains(&source.quote);
        assert!(!item.sources.is_empty() && item.sources.iter().all(stands), "{item:?}");
    }
    for one in engine.standing().unwrap() {
        assert_eq!((one.region.generation, one.validity.holds()), (1, true), "{one:?}");
    }
}

/// A1.9, A2.16: where originals went nothing is made of what was kept of them, and the refusal says so.
#[test]
fn a_session_whose_originals_go_closes_blocks_and_compacts_nothing() {
    let world = World::new();
    let key = SessionKey::new("stet", "night");
    let mut engine = world.engine(EngineRules { reads: 1, retention: Some(Quotes::Drop), ..rules() });
    session(&mut engine, 1..=7);
    engine.turn_ended(700, 1000).unwrap();
    engine.compile().unwrap();
    let store = Store::open(&world.db(), Access::ReadOnly).unwrap();
    assert_eq!((store.blocks(&key).unwrap().len(), store.spans(&key).unwrap()), (3, Vec::new()));
    assert_eq!(store.retention(&key).unwrap(), Some(Quotes::Drop));
    let bytes = std::fs::read(world.db()).unwrap();
    let there = |no: u32| memchr::memmem::find(&bytes, format!("ceiling in src/part_{no}.rs").as_bytes()).is_some();
    assert_eq!((1..=7).filter(|no| there(*no)).collect::<Vec<_>>(), [7], "the turns of the open block");
    drop(store);
    let kept = Engine::with(&world.db(), "night", EngineRules { retention: Some(Quotes::Keep), ..rules() });
    let why = kept.map(|_| ()).unwrap_err().to_string();
    assert!(why.contains("was made with --quotes drop, and that never changes"), "{why}");
    let NotCompacted::Refused(refused) = engine.compact(Trigger::Pressure, 9).unwrap_err() else { panic!("refused") };
    assert_eq!((refused.why, refused.generation, refused.region.as_str()), (Why::Gone, 1, "block 1 (turns 1–4)"));
}

/// Why a summariser failed is told once, for every block and span that has sentences of its originals instead.
#[test]
fn a_summariser_that_fails_says_why() {
    struct Silent;
    impl Summariser for Silent {
        fn name(&self) -> String {
            "silent".into()
        }

        fn window(&self) -> u64 {
            u64::MAX
        }

        fn summarise(&self, _: &Brief, _: &dyn Fn() -> bool) -> Result<Vec<Sentence>, SummaryError> {
            Err(SummaryError::Failed { who: "silent".into(), why: "it says nothing".into() })
        }
    }
    let world = World::new();
    let mut engine = world.engine(rules());
    engine.narrate_by(Box::new(Silent));
    session(&mut engine, 1..=5);
    engine.compile().unwrap();
    engine.turn_ended(700, 1000).unwrap();
    engine.compile().unwrap();
    let failed = engine.summariser_failures();
    let of: Vec<Closed> = failed.iter().map(|(closed, _)| *closed).collect();
    assert_eq!(of, [Closed::Block(1), Closed::Block(2), Closed::Span(1)]);
    assert!(failed.iter().all(|(_, why)| why.to_string() == "silent: it says nothing"));
    assert_eq!(engine.summariser_failures(), []);
}

/// C10: what is here and not what it was is no live source, wherever that is told.
#[test]
fn originals_that_were_changed_behind_the_guards_are_told() {
    let world = World::new();
    let mut engine = world.engine(rules());
    session(&mut engine, 1..=5);
    engine.compile().unwrap();
    drop(engine);
    world.damage(b"const CEILING_3: u32", b'k');
    let mut engine = world.engine(rules());
    let look = |originals| {
        let target = Target::Kept { db: world.db(), key: SessionKey::new("stet", "night") };
        let context = engine.bench.context(&target, &Asked { budget: 100_000, originals, ..Asked::default() }).unwrap();
        let regions = context.window.regions.iter();
        regions.map(|region| (region.present, context.is_live(region))).collect::<Vec<_>>()
    };
    let closed = |all: Vec<(bool, bool)>| all[2..4].to_vec();
    assert_eq!(closed(look(Check::There)), [(true, true), (true, true)]);
    assert_eq!(closed(look(Check::Unchanged)), [(true, true), (true, false)]);
    let wrong: Vec<_> = engine.standing().unwrap().iter().map(RegionStanding::wrong).collect();
    assert_eq!(wrong[0], None);
    assert!(wrong[1].as_ref().unwrap().starts_with("its originals are not what they were"), "{wrong:?}");
    // Who compiles once more is told the same of what was closed before.
    let target = Target::Kept { db: world.db(), key: SessionKey::new("stet", "night") };
    let compiled = engine.bench.compile(&target, Rules::default(), &Extractive, &mut |_| ()).unwrap();
    let told = engine.bench.what_is_wrong(&compiled).unwrap();
    assert_eq!(told, [("block 2 (turns 5–8)".to_owned(), wrong[1].clone().unwrap())]);
}

/// A2.16: a database that cannot be read is no source that went.
#[test]
fn what_the_database_cannot_read_is_not_told_as_gone() {
    let world = World::new();
    let mut engine = world.engine(rules());
    session(&mut engine, 1..=4);
    engine.compile().unwrap();
    let blocks = Store::open(&world.db(), Access::ReadOnly).unwrap().blocks(&engine.key).unwrap();
    drop(engine);
    world.damage(b"const CEILING_1: u32", 0xFF);
    let mut engine = world.engine(rules());
    let region = GateRegion::block(&blocks[0]);
    let NotCompacted::Problem(problem) = engine.gate(&region).unwrap_err() else { panic!("refused") };
    assert!(problem.to_string().starts_with("damaged: "), "{problem:#}");
    assert!(engine.standing().unwrap_err().to_string().starts_with("damaged: "));
    assert!(matches!(engine.compact(Trigger::Pressure, 9), Err(NotCompacted::Problem(_))));
}
