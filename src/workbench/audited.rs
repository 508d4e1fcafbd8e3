//! Audits on small sessions: the same whatever the number of threads, and read on where they ended.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;

use super::pins::Whose;
use super::world::*;
use super::*;
use crate::record::{Act, Alarm, Correction, EntryKind};
use crate::session::{Depth, FileNo, Hash, Head, Line, Log, LogError, Stretch};

/// What an audit by so many threads says, as one text.
fn said_by(threads: usize, desk: &mut Desk) -> Vec<String> {
    let mut said = Vec::new();
    let mut tell = |check: MarkerCheck| match check {
        MarkerCheck::Alone(_) => {}
        MarkerCheck::Whole(record) => said.push(format!("{record:?}")),
    };
    desk.audit_on(threads, &Cancel::default(), &mut tell).unwrap();
    said
}

/// Many exchanges of some kilobytes with figures and names, and a marker behind every so many of them.
fn busy(exchanges: usize, every: usize) -> Vec<Value> {
    let mut lines = Vec::new();
    let mut last: Option<String> = None;
    for no in 0..exchanges {
        let at = |name: &str| format!("{name}{no}");
        let port = 7000 + no % 37;
        let text = format!("Question {no}: why does load_rows_{} read port {port} before the lock?", no % 11);
        lines.push(user(&at("u"), last.as_deref(), &text));
        lines.push(call(&at("c"), Some(&at("u")), "Read", &at("toolu_")));
        let row = format!("src/part_{}/rows.rs:{no} listens on port {port} with {} retries\n", no % 7, no % 5);
        lines.push(result(&at("r"), Some(&at("c")), &at("toolu_"), &row.repeat(40 + no % 90)));
        lines.push(agent(
            &at("a"),
            Some(&at("r")),
            &format!("It holds port {port} in load_rows_{}, I think.", no % 11),
        ));
        last = Some(at("a"));
        if no % every == every - 1 {
            let summary = format!(
                "## Facts\n- load_rows_{} listens on port {port} with {} retries\n- src/part_{}/rows.rs was read\n\
                 - the cache of part {no} is never emptied\n- port 6999 was ruled out\n",
                no % 11,
                no % 5,
                no % 7
            );
            let marker = compaction(&at("k"), &at("a"), &summary);
            lines.extend(marker);
            last = Some(format!("k{no}s"));
        }
    }
    lines
}

#[test]
fn one_thread_says_what_eight_say() {
    let world = World::of(&busy(240, 9));
    world.side("a0ad4f44468bdf20d", &[user("s1", None, "port 6999 is free")]);
    let wanted = said_by(1, &mut world.read());
    assert_eq!(wanted.len(), 26);
    for threads in [2, 3, 8] {
        assert!(said_by(threads, &mut world.read()) == wanted, "{threads} threads say something else");
    }
}

/// A log that notes from where it was read, and how far by somebody who wants all of each line.
struct Noted {
    log: Box<dyn Log>,
    least: Arc<AtomicU64>,
    most: Arc<AtomicU64>,
}

impl Log for Noted {
    fn head(&self) -> &Head {
        self.log.head()
    }

    fn forward(&mut self, file: FileNo, from: u64, budget: usize, depth: Depth) -> Result<Stretch, LogError> {
        self.least.fetch_min(from, Ordering::SeqCst);
        self.log.forward(file, from, budget, depth)
    }

    fn backward(&mut self, file: FileNo, before: u64, budget: usize, depth: Depth) -> Result<Stretch, LogError> {
        self.least.store(0, Ordering::SeqCst);
        self.log.backward(file, before, budget, depth)
    }

    fn raw(&mut self, file: FileNo, offset: u64) -> Result<Vec<u8>, LogError> {
        self.least.fetch_min(offset, Ordering::SeqCst);
        self.log.raw(file, offset)
    }

    fn raw_of(&mut self, line: &Line) -> Result<Vec<u8>, LogError> {
        self.least.fetch_min(line.offset, Ordering::SeqCst);
        self.most.fetch_max(line.offset, Ordering::SeqCst);
        self.log.raw_of(line)
    }

    fn fingerprint(&mut self, read: &[(FileNo, u64)]) -> Result<Option<Hash>, LogError> {
        self.log.fingerprint(read)
    }

    fn size(&mut self, file: FileNo) -> Result<u64, LogError> {
        self.log.size(file)
    }

    fn again(&self) -> Result<Box<dyn Log>, LogError> {
        Ok(Box::new(Noted { log: self.log.again()?, least: Arc::clone(&self.least), most: Arc::clone(&self.most) }))
    }
}

/// The session, read to its end; and from where on it was read since.
fn noted(world: &World, whose: Whose) -> (Desk, Arc<AtomicU64>) {
    let (desk, least, _) = noted_to(world, whose);
    (desk, least)
}

/// The same, and how far.
fn noted_to(world: &World, whose: Whose) -> (Desk, Arc<AtomicU64>, Arc<AtomicU64>) {
    let (least, most) = (Arc::new(AtomicU64::new(u64::MAX)), Arc::new(AtomicU64::new(0)));
    let log = crate::formats::open(&world.session()).unwrap();
    let log = Box::new(Noted { log, least: Arc::clone(&least), most: Arc::clone(&most) });
    let hand = Hand { via: crate::record::Via::Tui, author: "ana".to_owned(), proposed: false };
    let mut desk = Desk::new(log, (world.db(), whose), hand, || 0);
    desk.index(&Cancel::default(), &mut |_| ()).unwrap();
    least.store(u64::MAX, Ordering::SeqCst);
    most.store(0, Ordering::SeqCst);
    (desk, least, most)
}

#[test]
fn a_marker_is_told_as_soon_as_everything_before_it_has_passed() {
    let world = World::of(&busy(330, 110));
    let (mut desk, _, most) = noted_to(&world, Whose::Own);
    let end = std::fs::metadata(world.session()).unwrap().len();
    let mut told = Vec::new();
    let mut tell = |check: MarkerCheck| {
        let part = most.load(Ordering::SeqCst) * 3 / end;
        told.push(match check {
            MarkerCheck::Alone(one) => format!("m{} alone, third {part}: {}", one.compaction.no, kinds(&one)),
            MarkerCheck::Whole(one) => format!("m{} whole: {}", one.compaction.no, kinds(&one)),
        });
    };
    desk.audit_on(1, &Cancel::default(), &mut tell).unwrap();
    let want = ["m1 alone, third 1: altered", "m2 alone, third 2: altered", "m3 alone, third 2: altered"];
    assert_eq!(told[..3], want);
    // What later markers say again is told of the first.
    assert_eq!(told[3..], ["m1 whole: altered", "m2 whole: ", "m3 whole: "]);
}

/// What accuses a record.
fn kinds(one: &MarkerRecord) -> String {
    let found = one.findings().iter().filter(|finding| finding.kind.is_accusing());
    found.map(|finding| finding.kind.name()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_later_run_knows_again_what_was_found_while_the_file_is_the_same() {
    let world = World::of(&busy(330, 110));
    assert!(std::fs::metadata(world.session()).unwrap().len() > 1 << 20);
    let found = said_by(2, &mut world.read());
    assert!(!world.db().exists(), "nothing is made for it");
    let pin = Correction {
        act: Act::Pinned,
        kind: EntryKind::Fact,
        outcome: None,
        text: "port 7000".to_owned(),
        source: None,
        note: None,
    };
    world.desk().correct(None, pin, None).unwrap();
    assert_eq!(said_by(2, &mut world.read()).len(), found.len());

    for (whose, reads) in [(Whose::Own, false), (Whose::Given, true)] {
        let (mut desk, least) = noted(&world, whose);
        let again = said_by(2, &mut desk);
        assert_eq!((again == said_by(2, &mut world.read()), least.load(Ordering::SeqCst) < u64::MAX), (true, reads));
    }
    world.append(&[user("last", None, "go on with load_rows_3")]);
    let (mut desk, least) = noted(&world, Whose::Own);
    said_by(2, &mut desk);
    assert_eq!(least.load(Ordering::SeqCst), 0, "another file is another outcome");
}

#[test]
fn behind_an_append_only_what_is_new_is_read_and_the_outcome_is_that_of_a_fresh_audit() {
    let lines = busy(30, 9);
    let (first, more) = lines.split_at(lines.len() - 4);
    let world = World::of(first);
    let (mut desk, least) = noted(&world, Whose::Own);
    let before = said_by(2, &mut desk);
    assert_eq!(before.len(), 3);

    // Nothing was appended: nothing is read.
    least.store(u64::MAX, Ordering::SeqCst);
    assert_eq!(said_by(2, &mut desk), before);
    assert_eq!(least.load(Ordering::SeqCst), u64::MAX);

    let end = std::fs::metadata(world.session()).unwrap().len();
    world.append(more);
    desk.follow().unwrap().unwrap();
    let after = said_by(2, &mut desk);
    assert_eq!(least.load(Ordering::SeqCst), end);
    assert_eq!(after, said_by(2, &mut world.read()));

    // A new marker rests on everything.
    world.append(&compaction("late", "a29", "## Facts\n- load_rows_7 was read\n"));
    desk.follow().unwrap().unwrap();
    assert_eq!(said_by(2, &mut desk), said_by(2, &mut world.read()));
}

#[test]
fn parts_that_come_to_the_last_line_of_a_stored_session_are_heard() {
    let world = World::of(&[]);
    let (bench, key) = (world.bench(), crate::session::SessionKey::new("stet", "live"));
    let mut appending = bench.append(&key, None).unwrap();
    let mut take = |line: &str| assert_eq!(appending.take(&[line.as_bytes().to_vec()]).unwrap().refused, None);
    let part = |no: u32, block: u32, text: &str| {
        let at = format!(r#""turn":"t{no}","line":"t{no}","block":{block}"#);
        format!(r#"{{"type":"part","id":"p{no}-{block}",{at},"role":"user","kind":"text","text":"{text}"}}"#)
    };
    take(&part(1, 0, "Never lock the table of parcels before noon."));
    take(r###"{"type":"compaction","id":"k1","summary":"## Facts\n- the courier comes at eight"}"###);
    take(&part(2, 0, "Go on."));
    let target = Target::Kept { db: world.db(), key };
    let mut desk = bench.read(&target, &mut |_| ()).unwrap();
    let before = said_by(1, &mut desk);
    take(&part(2, 1, "Never lock the table of parcels before noon."));
    desk.follow().unwrap().unwrap();
    let after = said_by(1, &mut desk);
    assert_eq!(after, said_by(1, &mut bench.read(&target, &mut |_| ()).unwrap()));
    assert_ne!(after, before, "it had to be said once more");
}

#[test]
fn what_is_entered_while_the_originals_pass_counts() {
    let world = World::of(&busy(30, 9));
    let (mut desk, mut other) = (world.read(), world.read());
    let mut whole = Vec::new();
    let mut tell = |check: MarkerCheck| match check {
        MarkerCheck::Alone(one) if one.compaction.no == 1 => {
            let alarm = Alarm::of(&one.findings()[0], &other.head().key, &one.compaction.key);
            other.wrong_alarm(&alarm, true).unwrap();
        }
        MarkerCheck::Alone(_) => {}
        MarkerCheck::Whole(one) => whole.push(one),
    };
    desk.audit_on(1, &Cancel::default(), &mut tell).unwrap();
    assert_eq!(whole[0].checked.as_ref().unwrap().wrong_alarms.len(), 1);
}

#[test]
fn an_audit_that_is_cancelled_tells_nothing_and_the_next_one_everything() {
    let world = World::of(&busy(30, 9));
    let mut desk = world.read();
    let cancel = Cancel::default();
    cancel.cancel();
    let mut told = 0;
    desk.audit(&cancel, &mut |_| told += 1).unwrap();
    assert_eq!(told, 0);
    assert_eq!(said_by(2, &mut desk).len(), 3);
}
