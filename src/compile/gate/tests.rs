//! The gate on small worlds.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::single_range_in_vec_init, reason = "one range is meant")]

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::*;
use crate::compile::given;
use crate::record::{Detail, Record, Verdict};

/// Originals by sequence; each may be dropped or written over.
#[derive(Default)]
struct World(RefCell<BTreeMap<u64, String>>);

impl World {
    fn of(texts: &[&str]) -> Self {
        Self(RefCell::new((0..).zip(texts.iter().map(|text| (*text).to_owned())).collect()))
    }

    fn hash(&self, parts: &Range<u64>) -> Option<Hash> {
        let texts = self.0.borrow();
        let hashes: Option<Vec<Hash>> = parts.clone().map(|seq| Some(Hash::of(texts.get(&seq)?.as_bytes()))).collect();
        hashes.map(|hashes| Hash::of_fields(hashes.iter().map(|hash| hash.0.as_slice())))
    }

    fn region(&self, name: &str, generation: u32, parts: &[Range<u64>]) -> GateRegion {
        let origin = |parts: &Range<u64>| Origin { parts: parts.clone(), hash: self.hash(parts).unwrap_or(Hash::ZERO) };
        GateRegion { name: name.to_owned(), generation, origins: parts.iter().map(origin).collect() }
    }

    fn gate(&self, region: &GateRegion) -> Result<Permit, Refused> {
        gate(region, liveness(region, &|parts| self.hash(parts)))
    }
}

/// A2.16: an original is added and compacted; then it is dropped, and compacting what came of it stops.
#[test]
fn a_summary_without_its_originals_is_refused_by_region_generation_and_two_ways_out() {
    let world = World::of(&["retry ceiling is 7 (from config)"]);
    let mut regions = Regions::default();
    let original = regions.add(world.region("cfg-42", 0, &[0..1]));
    let (summary, permit) = regions.compact(&[original], "summary of cfg-42", &|parts| world.hash(parts)).unwrap();
    assert_eq!((permit.generation(), regions.all()[summary].region.generation), (1, 1));
    world.0.borrow_mut().remove(&0);
    let before = regions.clone();
    let refused = regions.compact(&[summary], "once more", &|parts| world.hash(parts)).unwrap_err();
    assert_eq!((refused.generation, refused.why, refused.region.as_str()), (1, Why::Gone, "summary of cfg-42"));
    assert_eq!(
        refused.to_string(),
        "cannot compact summary of cfg-42: it is a summary of generation 1, and its originals are gone (fetch the \
         originals again or ask a person)"
    );
    assert_eq!(regions, before, "nothing changes when it is refused");
}

/// C6: the generation is one more than that of the deepest input that is really read.
#[test]
fn the_generation_counts_what_was_really_read() {
    let world = World::of(&["a", "b", "c"]);
    let regions = [world.region("block 1", 1, &[0..1]), world.region("block 2", 1, &[1..2])];
    let alive: Vec<_> = regions.iter().map(|region| (region.clone(), Liveness::Live)).collect();
    assert_eq!(gate_prose("span 1", &alive).unwrap().generation(), 2, "prose of blocks was read");
    assert_eq!(world.gate(&regions[0]).unwrap().generation(), 1, "originals were read");
    let deep = world.region("span 1", 2, &[0..2]);
    let refused = gate_prose("span 2", &[(deep, Liveness::Live)]).unwrap_err();
    assert_eq!((refused.generation, refused.why), (2, Why::TooDeep));
    let gone = (world.region("block 9", 1, &[7..9]), Liveness::Gone(7..9));
    assert_eq!(gate_prose("span 3", &[gone]).unwrap_err().why, Why::Gone);
    assert_eq!(gate_prose("span 4", &[]).unwrap_err().why, Why::NoSource);
}

/// C7: a summary with live originals is made anew from them, whatever its own generation was.
#[test]
fn a_summary_with_live_originals_is_recompiled_from_them() {
    let world = World::of(&["a", "b", "c"]);
    let region = world.region("span 1", 2, &[0..2]);
    let permit = world.gate(&region).unwrap();
    assert_eq!((permit.originals(), permit.generation()), ([0..2].as_slice(), 1));
    assert!(permit.holds(1) && !permit.holds(2), "nothing else may be read under it");
}

/// C8: any regions may be compacted, not only the last; the new one takes the originals of all, the old ones stay.
#[test]
fn what_is_compacted_stays_and_names_what_stands_for_it() {
    let world = World::of(&["a", "b", "c", "d"]);
    let mut regions = Regions::default();
    for seq in 0..4 {
        regions.add(world.region(&format!("turn {seq}"), 0, &[seq..seq + 1]));
    }
    let (new, permit) = regions.compact(&[0, 2], "two of them", &|parts| world.hash(parts)).unwrap();
    assert_eq!(permit.originals(), [0..1, 2..3]);
    let stands: Vec<usize> = regions.active().map(|(at, _)| at).collect();
    assert_eq!((stands, new), (vec![1, 3, 4], 4));
    assert_eq!(regions.all()[2].superseded_by, Some(4));
    let (again, permit) = regions.compact(&[new, 3], "and one more", &|parts| world.hash(parts)).unwrap();
    assert_eq!((permit.originals(), permit.generation()), ([0..1, 2..3, 3..4].as_slice(), 1));
    assert_eq!(regions.all()[again].region.origins.len(), 3);
    let before = regions.clone();
    for which in [&[][..], &[99], &[1, 0]] {
        let refused = regions.compact(which, "of nothing that stands", &|parts| world.hash(parts)).unwrap_err();
        assert_eq!((refused.why, &regions), (Why::NoSource, &before), "{which:?}");
    }
}

/// C9: what was said and is not stored is not compacted: nothing would be left of it.
#[test]
fn turns_that_are_not_stored_are_refused() {
    let world = World::of(&["a"]);
    let region = GateRegion {
        name: "turns 2–3".into(),
        generation: 0,
        origins: vec![Origin { parts: 1..3, hash: Hash::of(b"whatever") }],
    };
    let refused = world.gate(&region).unwrap_err();
    assert_eq!((refused.why, refused.generation), (Why::NotStored, 0));
    assert!(refused.to_string().starts_with("cannot compact turns 2–3: its turns are not stored"), "{refused}");
    let unnamed = GateRegion { name: "pasted".into(), generation: 0, origins: Vec::new() };
    assert_eq!(world.gate(&unnamed).unwrap_err().why, Why::NotStored);
    let unnamed = GateRegion { generation: 1, ..unnamed };
    assert_eq!(world.gate(&unnamed).unwrap_err().why, Why::NoSource);
}

/// A1.9: blocks whose originals went are summaries without a source, whoever asks for a span of them.
#[test]
fn blocks_without_their_originals_are_refused_as_summaries() {
    let blocks = [given::block(3, (81, 120), 10, ""), given::block(4, (121, 160), 10, "")];
    let region = GateRegion::blocks(&blocks);
    let there = |parts: &Range<u64>| (parts.start < 120).then(|| given::originals(parts));
    assert_eq!(liveness(&region, &there), Liveness::Gone(120..160));
    assert_eq!(
        gate(&region, liveness(&region, &there)).unwrap_err().to_string(),
        "cannot compact blocks 3–4 (turns 81–160): it is a summary of generation 1, and its originals are gone (fetch \
         the originals again or ask a person)"
    );
    assert_eq!(gate(&region, Liveness::Live).unwrap().originals(), [80..120, 120..160]);
}

/// C10: a source is its id and its hash; other words under the same id are no source.
#[test]
fn originals_that_changed_under_their_id_are_not_live() {
    let world = World::of(&["retry ceiling is 7"]);
    let region = world.region("block 1", 1, &[0..1]);
    assert!(world.gate(&region).is_ok());
    world.0.borrow_mut().insert(0, "retry ceiling is 5".into());
    assert_eq!(liveness(&region, &|parts| world.hash(parts)), Liveness::Changed(0..1));
    assert_eq!(world.gate(&region).unwrap_err().why, Why::Changed);
}

fn cited<'a>(texts: &'a BTreeMap<u64, &'a str>) -> impl Fn(&crate::session::SourceRef) -> Cited<'a> {
    |source| match texts.get(&source.seq.0) {
        Some(&"(summary)") => Cited::Summary,
        Some(&"(closed)") => Cited::Closed,
        Some(text) => Cited::Original(text),
        None => Cited::Nothing,
    }
}

/// A2.19 and A4.22: fact, turn, bytes, hash; none hangs in the air or on a summary alone.
#[test]
fn a_fact_is_held_only_by_the_very_bytes_of_an_original() {
    let record = given::record("n 1 user prose\ne 1 user a_b\nf 2 user ceiling 7\nc 3 user never\nd 4 user yes");
    let whole = BTreeMap::from([(10, "a_b"), (20, "ceiling 7"), (30, "never"), (40, "yes")]);
    let found = provenance(&record, &cited(&whole));
    assert_eq!((found.facts, found.held, found.is_whole()), (4, 4, true));
    let torn = BTreeMap::from([(10, "a_c"), (20, "(summary)"), (30, "(closed)")]);
    let found = provenance(&record, &cited(&torn));
    assert_eq!((found.dangling, found.only_summaries, found.closed), (vec![1, 4], vec![2], 1));
    let mut wordless = record.clone();
    wordless.items[3].sources[0].quote.clear();
    assert_eq!(provenance(&wordless, &cited(&torn)).closed, 1, "the words were not to be kept either");
    let mut lied = record.clone();
    lied.items[1].sources[0].hash = Hash::ZERO;
    assert_eq!(provenance(&lied, &cited(&whole)).dangling, [1]);
    lied.items[1].sources.clear();
    assert_eq!(provenance(&lied, &cited(&whole)).dangling, [1]);
}

/// A2.17: three answers for each region.
#[test]
fn a_region_is_valid_only_when_all_three_hold() {
    let world = World::of(&["a", "b"]);
    let record = given::record("e 1 user a_b");
    let texts = BTreeMap::from([(10, "a_b")]);
    let good = provenance(&record, &cited(&texts));
    let bad = provenance(&record, &cited(&BTreeMap::new()));
    let gone = Liveness::Gone(0..1);
    for (generation, live, facts, want) in [
        (0, &Liveness::Live, &good, (true, true, true)),
        (1, &Liveness::Live, &good, (true, true, true)),
        (1, &gone, &good, (false, true, false)),
        (1, &Liveness::Live, &bad, (true, false, true)),
        (2, &Liveness::Live, &good, (true, true, false)),
        (12, &gone, &bad, (false, false, false)),
    ] {
        let region = world.region("it", generation, &[0..1]);
        let found = validity(&region, live, facts);
        assert_eq!((found.originals, found.references, found.put_aside), want, "{generation} {live:?}");
        assert_eq!(found.holds(), want == (true, true, true));
    }
}

/// A2.18: reading a record as if it were originals is refused; done on purpose, its facts are the same.
#[test]
fn a_record_read_again_gives_the_same_facts_and_the_gate_refuses_it() {
    let world = World::of(&["a"]);
    let text = GateRegion { name: "the text of block 1".into(), generation: 1, origins: Vec::new() };
    assert_eq!(world.gate(&text).unwrap_err().why, Why::NoSource);
    let mut record = given::record(
        "r 2 assistant The credit hold is ruled out.\nf 2 assistant retry ceiling 7\ne 2 assistant /srv/db/orders.sql\n\
         e 3 assistant order_items\nf 4 user limit 12,000\ne 5 assistant repo.Storer.RemoveReference\n\
         e 5 assistant docs/notes/ai\ne 5 assistant GitHub",
    );
    record.items[0].detail = Detail::RuledOut { claim: "The credit hold".into(), evidence: String::new() };
    let found = idempotence(&record);
    assert_eq!((found.facts, found.again()), (8, 8), "{:?}", found.lost);
    assert!((found.share() - 1.0).abs() < f64::EPSILON);
    let lost = given::record("e 2 assistant plainword\ne 3 assistant order_items");
    assert!((idempotence(&lost).share() - 0.5).abs() < f64::EPSILON, "what is lost is a number too");
    assert_eq!(idempotence(&lost).lost, [0], "and it is named");
    assert!((idempotence(&Record::default()).share() - 1.0).abs() < f64::EPSILON);
    assert_eq!(record.items[0].verdict, Verdict::Verified);
}
