//! What a check found, kept and known again.

use std::sync::Arc;

use super::given::{Folder, key};
use crate::record::{Checked, Detail, Field, Finding, FindingKind, Item, Record, Severity, Verdict};
use crate::session::{FileNo, Hash, MarkerKey, PartSeq, Place, SourceRef, Speaker, TurnNo};
use crate::store::Audited;

fn source() -> SourceRef {
    SourceRef {
        turn: TurnNo(vec![41, 1, 3]),
        turn_id: "u1".into(),
        line_id: Some("l1".into()),
        place: Place { file: FileNo(2), offset: 70, part: 1 },
        seq: PartSeq(9),
        range: (3, 12),
        quote: "port 8080".into(),
        hash: Hash::of(b"port 8080"),
        speaker: Speaker::User,
    }
}

/// One item of each kind, and a finding in which nothing is left out.
fn audited() -> Audited {
    let text = String::from;
    let item = |field, detail| Item {
        field,
        text: text("the port is 8080"),
        range: Some((0, 16)),
        detail,
        sources: vec![source()],
        verdict: Verdict::WrongTurn,
        why: Some(text("another turn says it")),
        better: Some(source()),
        own: Some((text("r1"), 2)),
    };
    let record = Record {
        items: vec![
            item(Field::Narrative, Detail::Plain),
            item(Field::Entities, Detail::Entity { class: text("path") }),
            item(Field::Figures, Detail::Figure { label: text("port"), value: text("8080"), unit: text("") }),
            item(Field::Actions, Detail::Action { tool: text("Bash"), args: text("ls"), ok: Some(false) }),
            item(Field::RuledOut, Detail::RuledOut { claim: text("80"), evidence: text("taken") }),
        ],
        summary: text("the port is 8080"),
        rules: 3,
    };
    let finding = Finding {
        kind: FindingKind::Altered,
        severity: Severity::High,
        field: Field::Figures,
        item: Some(2),
        text: text("8080"),
        summary_range: Some((12, 16)),
        markers: vec![1, 2],
        sources: vec![source()],
        needed_again: vec![(TurnNo::main(5), text("asked again"))],
        acted_on: vec![(TurnNo::main(6), text("Bash: curl"))],
        decisive: vec![(0, 4)],
        decisive_there: vec![(5, 9)],
        why: text("it was 8081"),
    };
    let checked = Checked {
        findings: vec![finding],
        compiled: Arc::new(record.clone()),
        refetch_tokens: 12,
        ..Checked::default()
    };
    let marker = MarkerKey { id: text("m"), summary: Hash::of(b"the port is 8080") };
    Audited { markers: vec![(marker, record, checked)], answered: vec![(PartSeq(4), 10, 90)] }
}

#[test]
fn what_was_found_is_known_again_for_the_same_bytes_and_the_same_rules_only() {
    let folder = Folder::new();
    let mut store = folder.store();
    let (one, other) = (Hash::of(b"one"), Hash::of(b"other"));
    assert!(!store.has_audited(&key()).unwrap());
    store.keep_audited(&key(), 1, one, &audited()).unwrap();
    for (rules, originals, known) in [(1, one, true), (2, one, false), (1, other, false)] {
        let found = store.audited(&key(), rules, originals).unwrap();
        assert_eq!(found, known.then(audited), "{rules} {originals}");
    }
    store.keep_audited(&key(), 1, other, &Audited::default()).unwrap();
    assert_eq!(store.audited(&key(), 1, one).unwrap(), None, "one outcome a session");
    assert_eq!(store.verify(&key()).unwrap(), []);
}

#[test]
fn a_row_that_holds_something_else_is_as_good_as_none() {
    let folder = Folder::new();
    let mut store = folder.store();
    let one = Hash::of(b"one");
    store.keep_audited(&key(), 1, one, &audited()).unwrap();
    for found in ["", "{}", "[]\n{}", "[]\n", "\u{0}"] {
        folder.plain().execute("UPDATE audit SET found = ?1", [found.as_bytes()]).unwrap();
        assert_eq!(store.audited(&key(), 1, one).unwrap(), None, "{found:?}");
    }
}
