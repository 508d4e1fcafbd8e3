//! The interchange format: out and in again gives the same session, and nothing is quoted that nobody said.

use super::given::{FakeLog, Folder, ORDERS, draft, everything, key, read};
use crate::record::{Detail, Field, Verdict};
use crate::session::{Hash, MarkerKey, SessionKey};
use crate::store::{Entries, Store};

fn import(store: &mut Store, text: &str) -> Result<crate::store::Imported, String> {
    store.import_interchange(text.as_bytes(), Entries::AsTheyStand, &mut |_, _| {}).map_err(|error| error.to_string())
}

fn export(store: &Store, key: &SessionKey) -> String {
    let mut out = Vec::new();
    store.export(key, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_session_goes_out_and_comes_in_again_as_it_was() {
    let folder = Folder::new();
    let mut store = folder.store();
    let done = import(&mut store, ORDERS).unwrap();
    assert_eq!((done.lines_new, done.parts_new, done.records_new), (7, 5, 1));
    store.enter(&key(), draft("port 80"), 5).unwrap();
    store.enter(&key(), draft("port 81"), 6).unwrap();
    let first = export(&store, &key());

    let second = Folder::new();
    let mut copy = second.store();
    import(&mut copy, &first).unwrap();
    assert_eq!(export(&copy, &key()), first);
    assert_eq!(copy.ledger(&key()).unwrap(), store.ledger(&key()).unwrap());
    assert_eq!(read(copy.log(&key()).unwrap().as_mut()).len(), 7);
    assert_eq!(copy.verify(&key()).unwrap(), []);
    let again = import(&mut copy, &first).unwrap();
    assert_eq!((again.lines_new, again.parts_new, again.records_new, again.entries_new), (0, 0, 0, 0));
    assert_eq!((again.lines_known, again.parts_known), (7, 5));
}

#[test]
fn blocks_and_spans_go_out_and_come_in_as_they_were() {
    let folder = Folder::new();
    let mut store = super::blocks::filled(&folder);
    store.enter(&key(), draft("port 80"), 5).unwrap();
    let first = export(&store, &key());
    let second = Folder::new();
    let mut copy = second.store();
    assert_eq!(import(&mut copy, &first).unwrap().records_new, 4);
    assert_eq!(export(&copy, &key()), first);
    assert_eq!(copy.blocks(&key()).unwrap(), store.blocks(&key()).unwrap());
    assert_eq!(copy.spans(&key()).unwrap(), store.spans(&key()).unwrap());
    assert_eq!(ends(&second), ends(&folder));
    assert_eq!(copy.verify(&key()).unwrap(), []);
    assert_eq!(import(&mut copy, &first).unwrap().records_new, 0);
}

#[test]
fn a_block_that_a_file_tells_otherwise_is_refused() {
    let folder = Folder::new();
    let text = export(&super::blocks::filled(&folder), &key());
    for (old, new, why) in [
        (
            r#""no":2,"parts":[4,5]"#,
            r#""no":2,"parts":[3,5]"#,
            "line 12: block 2: it begins with part 3, the one before it ends before part 4",
        ),
        (r#""no":2,"parts""#, r#""no":4,"parts""#, "line 12: block 4: the last one is block 1"),
        (
            r#""quote":"never 80","range":[15,23],"seq":0"#,
            r#""quote":"always 8","range":[15,23],"seq":0"#,
            "line 11: block 1: c1: the quote \"always 8\" is not in part t1.0 at 15..23",
        ),
        (r#","seq":0"#, "", "line 11: block 1, entities 1: its source in part t1.0 has no seq"),
        (r#""closed_by":"topic""#, r#""closed_by":"whim""#, "line 12: closed_by is \"whim\", which is none"),
        (r#""turned":"things""#, r#""turned":"whim""#, "line 12: turned is \"whim\", which is none"),
        (r#""blocks":[1,2]"#, r#""blocks":[1,3]"#, "line 13: span 1: not all of blocks 1 to 3 are here"),
    ] {
        let changed = text.replacen(old, new, 1);
        assert_ne!(changed, text, "{old}");
        let second = Folder::new();
        assert_eq!(import(&mut second.store(), &changed).unwrap_err(), why);
        let mut store = folder.store();
        if old.contains("quote") {
            let told = import(&mut store, &changed).unwrap_err();
            assert_eq!(told, "line 11: block 1 is stored already with other bytes");
        }
    }
}

#[test]
fn foreign_lines_go_out_and_come_in_with_their_raw_bytes() {
    let folder = Folder::new();
    let mut store = folder.store();
    store.import_log(&mut FakeLog::new(everything()), &mut |_, _| {}).unwrap();
    let text = export(&store, &key());
    let second = Folder::new();
    let mut copy = second.store();
    import(&mut copy, &text).unwrap();
    let all = |store: &Store| read(store.log(&key()).unwrap().as_mut());
    for (copied, first) in all(&copy).iter().zip(&all(&store)) {
        assert_eq!(copied, first);
    }
    assert_eq!(all(&copy).len(), 14);
    assert_eq!(export(&copy, &key()), text);
}

#[test]
fn an_own_record_comes_back_with_places_and_quotes() {
    let folder = Folder::new();
    let mut store = folder.store();
    import(&mut store, ORDERS).unwrap();
    let marker = MarkerKey { id: "k1".into(), summary: Hash::of(b"") };
    let record = store.own_record(&key(), &marker).unwrap().unwrap();
    let told: Vec<_> = record
        .items
        .iter()
        .map(|item| {
            let source = item.sources.first().map(|source| (source.place.offset, source.place.part, source.range));
            (item.field.letter(), item.text.as_str(), source)
        })
        .collect();
    assert_eq!(
        told,
        [
            ('n', "A port was chosen.", None),
            ('e', "8080", Some((0, 0, (9, 13)))),
            ('f', "8080", Some((2, 0, (0, 4)))),
            ('c', "never 80", Some((0, 0, (21, 23)))),
            ('a', "looked at the ports", Some((1, 1, (9, 16)))),
            ('r', "port 80", Some((0, 0, (15, 23)))),
        ]
    );
    assert_eq!(
        record.items[2].detail,
        Detail::Figure { label: "port".into(), value: "8080".into(), unit: String::new() }
    );
    assert_eq!(record.items[5].own, Some(("k1".into(), 5)));
    assert!(record.items.iter().all(|item| item.verdict == Verdict::Unchecked && item.why.is_none()));
    assert_eq!(record.items[5].field, Field::RuledOut);
    let other = MarkerKey { id: "k1".into(), summary: Hash::of(b"another summary") };
    assert_eq!(store.own_record(&key(), &other).unwrap(), None);
}

#[test]
fn what_cannot_be_taken_is_refused_whole_with_its_line() {
    let session = r#"{"type":"session","id":"s"}"#;
    let part = r#"{"type":"part","id":"p","turn":"t","role":"user","kind":"text","text":"say"}"#;
    for (lines, why) in [
        (vec![part], "line 1: no session line stands before it"),
        (vec![session, "{"], "line 2: not a JSON object with a type: EOF while parsing an object at line 1 column 1"),
        (
            vec![session, r#"{"type":"poem"}"#],
            "line 2: type is \"poem\", not session, part, line, note, compaction, record, block, span or entry",
        ),
        (
            vec![r#"{"type":"session","schema":"stet.interchange/2","id":"s"}"#],
            "line 1: schema is \"stet.interchange/2\", this program reads \"stet.interchange/1\"",
        ),
        (
            vec![session, r#"{"type":"part","id":"p","role":"robot","kind":"text"}"#],
            "line 2: role is \"robot\", not user, assistant or system",
        ),
        (
            vec![session, r#"{"type":"part","id":"p","turn":"t","role":"user","kind":"text"}"#],
            "line 2: part p has no text",
        ),
        (
            vec![session, part, r#"{"type":"part","id":"p","turn":"t","role":"user","kind":"text","text":"other"}"#],
            "line 3: p is stored already with other bytes",
        ),
        (
            vec![
                session,
                part,
                r#"{"type":"part","id":"q","turn":"t","role":"user","kind":"text","text":"","line":"z","block":1}"#,
            ],
            "line 3: block 1 of line z does not follow the line's other blocks",
        ),
        (
            vec![session, part, r#"{"type":"record","compaction":"k"}"#],
            "line 3: a record of the compaction k, which is not here",
        ),
        (
            vec![
                session,
                part,
                r#"{"type":"compaction","id":"k"}"#,
                r#"{"type":"record","compaction":"k","constraints":[{"text":"x","source":{"part":"p","quote":"shout"}}]}"#,
            ],
            "line 4: record k, constraints 1: the quote \"shout\" is not in part p",
        ),
    ] {
        let folder = Folder::new();
        let mut store = folder.store();
        assert_eq!(import(&mut store, &lines.join("\n")).unwrap_err(), why);
        assert_eq!(store.sessions().unwrap(), [], "{why}");
    }
}

/// What the chains of parts and lines end in, and every raw line.
fn ends(folder: &Folder) -> Vec<Vec<u8>> {
    let plain = folder.plain();
    let mut all = Vec::new();
    for sql in [
        "SELECT chain FROM part ORDER BY seq",
        "SELECT seal FROM line ORDER BY file, seq",
        "SELECT raw_hash FROM line ORDER BY file, seq",
        "SELECT raw FROM line JOIN line_raw USING (line) ORDER BY file, seq",
        "SELECT seal FROM record ORDER BY record",
    ] {
        let mut read = plain.prepare(sql).unwrap();
        all.extend(read.query_map([], |row| row.get::<_, Vec<u8>>(0)).unwrap().map(Result::unwrap));
    }
    all
}

#[test]
fn chains_and_raw_bytes_are_the_same_on_the_other_side() {
    let (own, foreign) = (Folder::new(), Folder::new());
    // Keys of other programs and another order of keys are bytes as well.
    let text = ORDERS.replace(r#"{"type":"part","id":"t2.0","#, r#"{"mine":1, "type":"part","id":"t2.0","#);
    import(&mut own.store(), &text).unwrap();
    foreign.store().import_log(&mut FakeLog::new(everything()), &mut |_, _| {}).unwrap();
    for folder in [own, foreign] {
        let copy = Folder::new();
        import(&mut copy.store(), &export(&folder.store(), &key())).unwrap();
        assert!(ends(&folder).len() > 20);
        assert_eq!(ends(&copy), ends(&folder));
    }
}

#[test]
fn lines_of_files_that_are_not_declared_are_refused() {
    let session = r#"{"type":"session","id":"orders","sides":[{"file":1,"agent_id":"a"}]}"#;
    let part = |id: &str, file: u32| {
        format!(r#"{{"type":"part","id":"{id}","turn":"{id}","role":"user","kind":"text","text":"x","file":{file}}}"#)
    };
    let noise = r#"{"type":"line","kind":"noise","what":"x","file":2}"#;
    let not_named = "file 2 is not among the sides that the session line names";
    let other = session.replace(r#""agent_id":"a""#, r#""agent_id":"b""#);
    for (lines, why) in [
        (vec![session, &part("p", 2)], format!("line 2: {not_named}")),
        (vec![session, &part("p", 1), noise], format!("line 3: {not_named}")),
        (
            vec![&*session.replace(r#""file":1"#, r#""file":0"#)],
            "line 1: file 0 is the session's own, not a sub-agent's".into(),
        ),
        (vec![session, &other], "line 2: file 1 is the sub-agent a's, not b's".into()),
    ] {
        let folder = Folder::new();
        assert_eq!(import(&mut folder.store(), &lines.join("\n")).unwrap_err(), why);
    }
    let folder = Folder::new();
    let mut store = folder.store();
    let mut appender = store.appender(key());
    for line in [session, &part("p", 1), &part("q", 2)] {
        appender.push(line).unwrap();
    }
    let done = appender.commit().unwrap();
    assert_eq!((done.acked, done.refused.unwrap().why), (vec!["p".into()], not_named.into()));
    assert_eq!(read(store.log(&key()).unwrap().as_mut()).len(), 1);
}

#[test]
fn one_file_may_hold_several_sessions() {
    let folder = Folder::new();
    let mut store = folder.store();
    let two =
        format!("{ORDERS}{}", ORDERS.replace("\"id\":\"orders\"", "\"id\":\"other\"").replace("\"Orders\"", "null"));
    import(&mut store, &two).unwrap();
    let mut titles: Vec<_> =
        store.sessions().unwrap().into_iter().map(|row| (row.key.id, row.title, row.turns)).collect();
    titles.sort();
    assert_eq!(titles, [("orders".into(), Some("Orders".into()), 3), ("other".into(), None, 3)]);
}

#[test]
fn an_entry_written_by_hand_is_entered_once() {
    let folder = Folder::new();
    let mut store = folder.store();
    let entry = r#"{"type":"entry","kind":"constraint","as":"pinned","text":"never port 80","via":"cli","author":"anna","at":"2026-03-02T10:00:00Z"}"#;
    let text = format!("{ORDERS}{entry}\n");
    assert_eq!(import(&mut store, &text).unwrap().entries_new, 1);
    assert_eq!(import(&mut store, &text).unwrap().entries_new, 0);
    assert_eq!(store.ledger(&key()).unwrap()[0].draft.text, "never port 80");
}

#[test]
fn search_finds_words_and_takes_no_operators() {
    let folder = Folder::new();
    let mut store = folder.store();
    import(&mut store, ORDERS).unwrap();
    for (words, want) in [
        ("PORT 8080", vec![(0, 0)]),
        ("8080", vec![(0, 0), (2, 0)]),
        ("8080 port", vec![]),
        ("port NOT free", vec![]),
        ("\"port\" *", vec![(0, 0)]),
        ("", vec![]),
        ("\0", vec![]),
    ] {
        let hits = store.search(words, 10).unwrap().hits;
        let places: Vec<_> = hits.iter().map(|hit| (hit.place.offset, hit.place.part)).collect();
        assert_eq!(places, want, "{words:?}");
    }
}

#[test]
fn the_schema_names_every_key_that_an_export_writes_and_the_words_it_may_hold() {
    let schema: serde_json::Value =
        serde_json::from_str(include_str!("../../../assets/schema/interchange.json")).unwrap();
    let folder = Folder::new();
    let mut store = folder.store();
    store.import_log(&mut FakeLog::new(everything()), &mut |_, _| {}).unwrap();
    store.enter(&key(), draft("port 80"), 5).unwrap();
    let second = Folder::new();
    let mut other = second.store();
    import(&mut other, ORDERS).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    let third = Folder::new();
    let closed = super::blocks::filled(&third);
    let all = [export(&store, &key()), export(&other, &key()), export(&closed, &key())];
    for line in all.iter().flat_map(|text| text.lines()) {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let tag = line["type"].as_str().unwrap();
        seen.insert(tag.to_owned());
        check(&line, &schema["$defs"][tag], &schema["$defs"], tag);
    }
    assert_eq!(
        Vec::from_iter(seen),
        ["block", "compaction", "entry", "line", "note", "part", "record", "session", "span"]
    );
}

/// As much of JSON Schema as the schemas here use.
fn check(value: &serde_json::Value, schema: &serde_json::Value, defs: &serde_json::Value, at: &str) {
    use serde_json::Value;
    if let Some(name) = schema["$ref"].as_str() {
        return check(value, &defs[name.rsplit('/').next().unwrap()], defs, at);
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let wanted = any.iter().find(|one| (one["type"] == "null") == value.is_null());
        return check(value, wanted.unwrap(), defs, at);
    }
    if let Some(words) = schema["enum"].as_array() {
        assert!(words.contains(value), "{at}: {value} is not among {words:?}");
    }
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.clone(),
        Value::Null => return,
        one => vec![one.clone()],
    };
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    assert!(kinds.iter().any(|wanted| wanted == kind), "{at}: {value} is no {kinds:?}");
    for (key, inner) in value.as_object().into_iter().flatten() {
        let of = schema["properties"].get(key).unwrap_or_else(|| panic!("{at}.{key} is not in the schema"));
        check(inner, of, defs, &format!("{at}.{key}"));
    }
    for key in schema["required"].as_array().into_iter().flatten() {
        assert!(value.get(key.as_str().unwrap()).is_some(), "{at} has no {key}");
    }
    for inner in value.as_array().into_iter().flatten() {
        check(inner, &schema["items"], defs, at);
    }
}
