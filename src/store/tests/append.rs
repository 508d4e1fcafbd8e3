//! Appending while a session runs: what is acknowledged is stored, once.

use super::given::{Folder, key, read};

fn part(id: &str, text: &str) -> String {
    format!(r#"{{"type":"part","id":"{id}","turn":"{id}","role":"user","kind":"text","text":"{text}"}}"#)
}

#[test]
fn a_time_in_other_units_is_refused_with_the_time_that_it_would_be() {
    let folder = Folder::new();
    let mut store = folder.store();
    let mut appender = store.appender(key());
    for (at, why) in [
        (r#""2026-03-02T09:14:00Z""#, None),
        ("1772442840000", None),
        ("99999999999999", Some("5138-11-16T09:46:39.999Z")),
        (r#""5138-11-16T09:46:40Z""#, Some("5138-11-16T09:46:40Z")),
        ("1772442840000000", Some("1772442840000000")),
    ] {
        let line = part("p", "x").replace('}', &format!(r#","at":{at}}}"#));
        let refused = appender.push(&line).err().map(|error| error.why);
        let want =
            why.map(|time| format!("at is {time}: no clock shows that (give RFC 3339, or milliseconds since 1970)"));
        assert_eq!(refused, want, "{at}");
    }
}

#[test]
fn what_is_acknowledged_is_stored_and_nothing_before_the_commit() {
    let folder = Folder::new();
    let mut store = folder.store();
    let mut appender = store.appender(key());
    appender.push(&part("a", "one")).unwrap();
    appender.push(&part("b", "two")).unwrap();
    let count = || folder.plain().query_row("SELECT count(*) FROM part", [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count(), 0);
    let done = appender.commit().unwrap();
    assert_eq!((done.acked, done.refused, count()), (vec!["a".into(), "b".into()], None, 2));
}

#[test]
fn the_same_id_is_acknowledged_with_the_same_bytes_and_refused_with_others() {
    let folder = Folder::new();
    let mut store = folder.store();
    let mut appender = store.appender(key());
    appender.push(&part("a", "one")).unwrap();
    appender.commit().unwrap();
    // Other spacing and order of keys are the same bytes said.
    appender.push(r#"{ "id":"a", "type":"part", "text":"one", "role":"user", "kind":"text", "turn":"a" }"#).unwrap();
    appender.push(&part("b", "two")).unwrap();
    appender.push(&part("a", "else")).unwrap();
    appender.push(&part("c", "three")).unwrap();
    let done = appender.commit().unwrap();
    assert_eq!(done.acked, ["a", "b"]);
    assert_eq!(done.refused.unwrap().to_string(), "line 4: a is stored already with other bytes");
    assert_eq!(appender.commit().unwrap().acked, [""; 0]);
    assert_eq!(read(store.log(&key()).unwrap().as_mut()).len(), 2);
    assert_eq!(store.verify(&key()).unwrap(), []);
}

#[test]
fn the_parts_of_one_line_may_come_in_two_batches() {
    let folder = Folder::new();
    let mut store = folder.store();
    let block = |n: u32| {
        format!(
            r#"{{"type":"part","id":"l.{n}","turn":"t","role":"assistant","kind":"text","line":"l","block":{n},"text":"{n}"}}"#
        )
    };
    let mut appender = store.appender(key());
    for n in 0..3 {
        appender.push(&block(n)).unwrap();
        appender.commit().unwrap();
    }
    appender.push(&block(1)).unwrap();
    assert_eq!(appender.commit().unwrap().acked, ["l.1"]);
    let lines = read(store.log(&key()).unwrap().as_mut());
    assert_eq!(lines.len(), 1);
    assert_eq!(store.verify(&key()).unwrap(), []);
}

#[test]
fn a_compaction_and_its_record_may_be_appended_and_repeated() {
    let folder = Folder::new();
    let mut store = folder.store();
    let compaction = r#"{"type":"compaction","id":"k","trigger":"seam","summary":null}"#;
    let record =
        r#"{"type":"record","compaction":"k","constraints":[{"text":"one","source":{"part":"a","quote":"one"}}]}"#;
    let mut appender = store.appender(key());
    for line in [part("a", "one").as_str(), compaction, record, compaction, record] {
        appender.push(line).unwrap();
    }
    let done = appender.commit().unwrap();
    assert_eq!((done.acked, done.refused), (["a", "k", "k", "k", "k"].map(String::from).to_vec(), None));
    appender.push(&record.replace("one", "on")).unwrap();
    let refused = appender.commit().unwrap().refused.unwrap();
    assert_eq!(refused.why, "the record of k is stored already with other bytes");
    assert_eq!(store.sessions().unwrap()[0].compactions, 1);
}

#[test]
fn a_compaction_without_an_id_is_acknowledged_by_its_line() {
    let folder = Folder::new();
    let mut store = folder.store();
    let nameless = r#"{"type":"compaction","trigger":"seam","summary":"so far"}"#;
    let mut appender = store.appender(key());
    for line in [part("a", "one").as_str(), nameless, part("b", "two").as_str(), nameless] {
        appender.push(line).unwrap();
    }
    assert_eq!(appender.commit().unwrap().acked, ["a", "1", "b", "3"]);
    assert_eq!(store.sessions().unwrap()[0].compactions, 2);
}

#[test]
fn lines_that_do_not_belong_are_refused_at_once() {
    let folder = Folder::new();
    let mut store = folder.store();
    let mut appender = store.appender(key());
    for (line, why) in [
        ("nonsense", "line 1: not a JSON object with a type: expected ident at line 1 column 2"),
        (r#"{"type":"session","id":"another"}"#, "line 2: this is session another, not stet:orders"),
        (
            r#"{"type":"entry","kind":"fact","as":"pinned","via":"cli","author":"a","at":0}"#,
            "line 3: a ledger entry is not appended (stet ledger add)",
        ),
    ] {
        assert_eq!(appender.push(line).unwrap_err().to_string(), why);
    }
    assert_eq!(appender.commit().unwrap().acked.len(), 0);
    let mut nameless = store.appender(crate::session::SessionKey::new("stet", ""));
    assert_eq!(nameless.push(&part("a", "one")).unwrap_err().to_string(), "line 1: a session needs an id");
}
