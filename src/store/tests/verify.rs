//! What `verify` finds: changes behind the guards, and what stands where it cannot.

use super::forget::{appended, block};
use super::given::{FakeLog, Folder, ORDERS, draft, key, line, message, part};
use crate::record::{Draft, Quote};
use crate::session::{Body, Hash, PartKind, Role, Speaker};
use crate::store::{Access, Entries, Quotes, Store};

pub(super) fn filled(folder: &Folder) {
    let mut store = folder.store();
    let text = format!(
        "{}{}\n{}\n",
        ORDERS.replace(r#""title":"Orders""#, r#""title":"Orders","sides":[{"file":1,"agent_id":"a"}]"#),
        r#"{"type":"compaction","id":"k2","summary":"port 8080 it is"}"#,
        r#"{"type":"line","kind":"noise","what":"began","file":1}"#
    );
    store.import_interchange(text.as_bytes(), Entries::AsTheyStand, &mut |_, _| {}).unwrap();
    store.enter(&key(), draft("port 80"), 1).unwrap();
    store.enter(&key(), draft("port 81"), 2).unwrap();
}

/// Changes what the guards guard, and puts the guards back.
pub(super) fn tamper(folder: &Folder, table: &str, sql: &str) {
    let plain = folder.plain();
    plain.pragma_update(None, "foreign_keys", false).unwrap();
    let mut read =
        plain.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?1").unwrap();
    let guards: Vec<(String, String)> =
        read.query_map([table], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().collect::<Result<_, _>>().unwrap();
    for (name, _) in &guards {
        plain.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    assert!(plain.execute(sql, []).unwrap() > 0, "{sql} changes nothing");
    for (_, guard) in &guards {
        plain.execute_batch(guard).unwrap();
    }
}

#[test]
fn whatever_is_changed_behind_the_guards_is_found() {
    for (table, sql, want) in [
        ("ledger", "UPDATE ledger SET text = 'x' WHERE no = 1", "entry L1: it is not what was entered"),
        ("ledger", "DELETE FROM ledger WHERE no = 1", "entry L2: entries before it are missing"),
        ("ledger", "DELETE FROM ledger WHERE no = 2", "the end of the ledger: 2 entries were made, the last here is 1"),
        (
            "tally",
            "UPDATE tally SET turns = 77",
            "the end of the session: its turns and markers are not as many as were counted",
        ),
        ("ledger_end", "DELETE FROM ledger_end", "the end of the ledger: 0 entries were made, the last here is 2"),
        (
            "line",
            "UPDATE line SET seq = 9223372036854775807 - seq",
            "line 9223372036854775801: lines before it are missing",
        ),
        (
            "line",
            "UPDATE line SET sidechain = 'x' WHERE line = 1",
            "line 1: it does not follow the line before it, or does not say what it said",
        ),
        (
            "line",
            "UPDATE line SET parent = 'x' WHERE line = 1",
            "line 1: it does not follow the line before it, or does not say what it said",
        ),
        (
            "line",
            "UPDATE line SET usage_input = 1, usage_output = 1 WHERE line = 1",
            "line 1: it does not follow the line before it, or does not say what it said",
        ),
        (
            "line",
            "UPDATE line SET own = 0 WHERE line = 1",
            "line 1: it does not follow the line before it, or does not say what it said",
        ),
        (
            "line",
            "UPDATE line SET kind = 'unread' WHERE line = 4",
            "line 4: it does not follow the line before it, or does not say what it said",
        ),
        (
            "line",
            "UPDATE line SET title = 'x' WHERE line = 4",
            "line 4: it does not follow the line before it, or does not say what it said",
        ),
        ("ledger", "UPDATE ledger SET at = 9 WHERE no = 2", "entry L2: it is not what was entered"),
        (
            "part_text",
            "UPDATE part_text SET text = 'use port 80' WHERE part = 1",
            "part t1.0: its text is not what was said",
        ),
        ("part_text", "DELETE FROM part_text WHERE part = 1", "entry L1: its quote is not in turn t1.0 where it says"),
        (
            "part",
            "UPDATE part SET speaker = 'assistant' WHERE part = 1",
            "part t1.0: it does not follow the part before it, or is not what was said",
        ),
        ("part", "DELETE FROM part WHERE part = 5", "the end of the session: 5 parts were said, 4 are here"),
        ("part", "DELETE FROM part WHERE part = 2", "part t2.1: parts before it are missing"),
        ("line_raw", "UPDATE line_raw SET raw = x'00' WHERE line = 4", "line 4: its bytes are not what came in"),
        ("line_raw", "DELETE FROM line_raw WHERE line = 4", "line 4: its bytes are not what came in"),
        (
            "line",
            "UPDATE line SET raw_hash = zeroblob(32) WHERE line = 4",
            "line 4: it does not follow the line before it, or does not say what it said",
        ),
        (
            "line",
            "UPDATE line SET what = 'nothing' WHERE line = 4",
            "line 4: it does not follow the line before it, or does not say what it said",
        ),
        ("line", "DELETE FROM line WHERE line = 4", "line 5: lines before it are missing"),
        ("line", "DELETE FROM line WHERE line = 8", "the end of the session: 9 lines came in, 8 are here"),
        ("line_text", "UPDATE line_text SET text = 'kept all' WHERE line = 8", "line 8: its text is not what came in"),
        ("line_text", "DELETE FROM line_text WHERE line = 8", "line 8: its text is not what came in"),
        ("line_text", "INSERT INTO line_text VALUES (7, 'port 80 was agreed')", "line 7: its text is not what came in"),
        (
            "note",
            "UPDATE note SET saved = 1",
            "line 5: it does not follow the line before it, or does not say what it said",
        ),
        (
            "compaction",
            "UPDATE compaction SET tokens_before = 1 WHERE line = 7",
            "line 7: it does not follow the line before it, or does not say what it said",
        ),
        (
            "compaction",
            "UPDATE compaction SET first_kept_id = 't1.0' WHERE line = 7",
            "line 7: it does not follow the line before it, or does not say what it said",
        ),
        (
            "compaction_kept",
            "DELETE FROM compaction_kept",
            "line 7: it does not follow the line before it, or does not say what it said",
        ),
        (
            "record",
            "UPDATE record SET id = 'k2'",
            "the record of k2: it does not follow the record before it, or is not what was kept",
        ),
        ("record", "DELETE FROM record", "the end of the session: 1 records were kept, 0 are here"),
        (
            "item",
            "UPDATE item SET text = 'always 80' WHERE text = 'never 80'",
            "the record of k1: it does not follow the record before it, or is not what was kept",
        ),
        (
            "item",
            "UPDATE item SET ok = 0 WHERE ok = 1",
            "the record of k1: it does not follow the record before it, or is not what was kept",
        ),
        (
            "item",
            "DELETE FROM item WHERE ordinal = 5",
            "the record of k1: it does not follow the record before it, or is not what was kept",
        ),
        (
            "item_source",
            "UPDATE item_source SET part = 2 WHERE part = 1",
            "the record of k1: it does not follow the record before it, or is not what was kept",
        ),
        (
            "item_source",
            "UPDATE item_source SET quote = '81' WHERE quote = '80'",
            "the record of k1: it does not follow the record before it, or is not what was kept",
        ),
        ("side", "UPDATE side SET file = 2", "file 1: nothing says any more whose lines it holds"),
        (
            "session",
            "UPDATE session SET mode = 'retention'",
            "line 1: it does not follow the line before it, or does not say what it said",
        ),
        (
            "line",
            "UPDATE line SET role = 'system' WHERE line = 1",
            "part t1.0: it does not follow the part before it, or is not what was said",
        ),
    ] {
        let folder = Folder::new();
        filled(&folder);
        assert_eq!(folder.store().verify(&key()).unwrap(), [], "before");
        tamper(&folder, table, sql);
        let damages = folder.store().verify(&key()).unwrap();
        let told: Vec<String> = damages.iter().map(|damage| format!("{}: {}", damage.what, damage.why)).collect();
        assert!(told.contains(&want.to_owned()), "{sql}: {told:#?}");
    }
}

#[test]
fn what_was_chosen_to_be_kept_cannot_be_changed_unnoticed() {
    let chain = "part t1: it does not follow the part before it, or is not what was said";
    let of = |why: &str| Some(format!("the retention of the session: {why}"));
    for (table, sql, always, behind_it) in [
        (
            "retention",
            "UPDATE retention SET quotes = 'keep'",
            of("what is kept of its texts is not what was chosen"),
            None,
        ),
        ("retention", "DELETE FROM retention", of("nothing says any more what is kept of its texts"), Some(chain)),
        ("session", "UPDATE session SET mode = 'keep'", of("its texts were to go, and it says that they stay"), None),
        // Whoever takes the seal away breaks what begins with it.
        ("retention", "UPDATE retention SET quotes = 'keep', seal = NULL", None, Some(chain)),
    ] {
        for lines in 0..2 {
            let folder = Folder::new();
            let mut store = folder.store();
            store.retain(&key(), Quotes::Drop).unwrap();
            let mut appender = store.appender(key());
            for _ in 0..lines {
                appender
                    .push(r#"{"type":"part","id":"t1","turn":"t1","role":"user","kind":"text","text":"x"}"#)
                    .unwrap();
            }
            assert_eq!(appender.commit().unwrap().refused, None);
            assert_eq!(store.verify(&key()).unwrap(), [], "before");
            drop(store);
            tamper(&folder, table, sql);
            let damages = folder.store().verify(&key()).unwrap();
            let told: Vec<String> = damages.iter().map(|damage| format!("{}: {}", damage.what, damage.why)).collect();
            let behind_it = behind_it.filter(|_| lines > 0).map(str::to_owned);
            for want in [always.clone(), behind_it].into_iter().flatten() {
                assert!(told.contains(&want), "{sql}: {told:#?}");
            }
        }
    }
}

#[test]
fn a_last_part_that_is_gone_is_missed_even_where_all_figures_were_mended() {
    let folder = Folder::new();
    folder.store().import_interchange(ORDERS.as_bytes(), Entries::AsTheyStand, &mut |_, _| {}).unwrap();
    tamper(&folder, "part", "DELETE FROM part WHERE part = 5");
    tamper(&folder, "part_text", "DELETE FROM part_text WHERE part = 5");
    let mended = "UPDATE tally SET parts = 4, chain = (SELECT chain FROM part WHERE part = 4)";
    folder.plain().execute(mended, []).unwrap();
    let told = folder.store().verify(&key()).unwrap();
    assert!(told.iter().any(|damage| damage.why == "the part that it brought is not in it any more"), "{told:?}");
}

#[test]
fn what_is_derived_may_be_emptied_and_is_made_anew() {
    let folder = Folder::new();
    filled(&folder);
    let list = folder.store().sessions().unwrap();
    let open = || Store::open(&folder.path("s.db"), Access::ReadOnly).unwrap();
    let found = |words: &str| open().search(words, 10).unwrap().hits.len();
    assert_eq!(found("8080"), 2);
    folder.plain().execute_batch("DELETE FROM tally; INSERT INTO part_fts (part_fts) VALUES ('delete-all')").unwrap();
    let told: Vec<String> =
        open().verify(&key()).unwrap().into_iter().map(|damage| format!("{}: {}", damage.what, damage.why)).collect();
    let lacking = "the search index: 5 parts are not in it (they are put in when something is written next)";
    assert_eq!(told, [lacking]);
    assert_eq!(open().sessions().unwrap(), list);
    let mut store = folder.store();
    assert_eq!(found("8080"), 2);
    assert!(store.holds(&key()).unwrap());
    assert_eq!(store.verify(&key()).unwrap(), []);
    let mut appender = store.appender(key());
    appender
        .push(r#"{"type":"part","id":"t4.0","turn":"t4","role":"user","kind":"text","text":"8080 again"}"#)
        .unwrap();
    assert_eq!(appender.commit().unwrap().acked, ["t4.0"]);
    assert_eq!(store.verify(&key()).unwrap(), []);
    assert_eq!(found("8080"), 3);
    let seqs: (i64, i64, i64) = folder
        .plain()
        .query_row("SELECT parts, lines, (SELECT max(seq) FROM part) FROM tally", [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .unwrap();
    assert_eq!(seqs, (6, 10, 5));
    assert_eq!(store.sessions().unwrap()[0].title.as_deref(), Some("Orders"));
}

/// Lines as an agent writes them that gives no ids: they are known by their place.
fn without_ids() -> FakeLog {
    let text = |role, speaker, text: &str| message(role, None, vec![part(0, PartKind::Text, speaker, text)]);
    let call = PartKind::ToolCall { id: Some("c".into()), name: "bash".into() };
    let result = PartKind::ToolResult { id: Some("c".into()), ok: true };
    let main = [
        text(Role::User, Speaker::User, "look at the ports"),
        message(Role::Assistant, Some("m"), vec![part(0, PartKind::Text, Speaker::Assistant, "I will")]),
        message(Role::Assistant, Some("m"), vec![part(0, call, Speaker::Assistant, "command: ss")]),
        message(Role::User, None, vec![part(0, result, Speaker::Tool, "8080 is free")]),
        text(Role::User, Speaker::User, "take it"),
    ];
    let side = [text(Role::User, Speaker::User, "side task"), text(Role::Assistant, Speaker::Assistant, "side words")];
    let file =
        |bodies: &[Body]| bodies.iter().map(|body| (line(None, body.clone()), b"{}".to_vec())).collect::<Vec<_>>();
    FakeLog::new(vec![file(&main), file(&side)])
}

#[test]
fn a_quote_from_a_line_without_an_id_is_found_in_any_line_of_its_turn() {
    use Speaker::{Assistant, Tool, User};
    for (turn, turn_id, speaker, quote, want) in [
        ("1", "0", User, "look at the ports", vec![]),
        // A line that goes on, and the result of its call.
        ("2", "1", Assistant, "command: ss", vec![]),
        ("2", "1", Tool, "8080 is free", vec![]),
        ("2", "1", User, "8080 is free", vec!["entry L1: its quote in turn 1 was not said by a person"]),
        ("2", "1", User, "take it", vec!["entry L1: its quote is not in turn 1 where it says"]),
        // Line 1 of the other file, and a turn with that number in this one.
        ("2", "1", Assistant, "side words", vec!["entry L1: its quote is not in turn 1 where it says"]),
        ("9", "9", User, "look", vec!["entry L1: the turn 9 that it quotes is not here"]),
    ] {
        let folder = Folder::new();
        let mut store = folder.store();
        store.import_log(&mut without_ids(), &mut |_, _| {}).unwrap();
        let source = Quote {
            turn: turn.into(),
            turn_id: turn_id.into(),
            line_id: None,
            part: 0,
            range: (0, quote.len()),
            quote: quote.into(),
            hash: Hash::of(quote.as_bytes()),
            speaker,
        };
        store.enter(&key(), Draft { source: Some(source), ..draft("x") }, 1).unwrap();
        let damages = store.verify(&key()).unwrap();
        let told: Vec<String> = damages.iter().map(|damage| format!("{}: {}", damage.what, damage.why)).collect();
        assert_eq!(told, want, "{quote}");
    }
}

#[test]
fn of_words_whose_text_was_erased_it_is_checked_who_said_them_and_told_that_no_more_can_be() {
    use Speaker::{Assistant, User};
    for has_id in [true, false] {
        let folder = Folder::new();
        let mut store = folder.store();
        store.retain(&key(), Quotes::Drop).unwrap();
        appended(&mut store, 0..10);
        let first = block(&store, 1, 0..5);
        store.close_block(&key(), &first).unwrap();
        drop(store);
        if !has_id {
            tamper(&folder, "line", "UPDATE line SET id = NULL");
        }
        let mut store = folder.store();
        // Every other turn is the agent's, and those up to the fifth are gone.
        for (no, turn, speaker, is_wrong, is_gone) in [
            (1, "t0", User, false, true),
            (2, "t1", User, true, false),
            (3, "t1", Assistant, false, true),
            (4, "t6", User, false, false),
        ] {
            // Where its line has no id, a turn is called by its place.
            let turn = if has_id { turn } else { &turn[1..] };
            let quote = Quote {
                turn: String::new(),
                turn_id: turn.into(),
                line_id: has_id.then(|| turn.to_owned()),
                part: 0,
                range: (0, 4),
                quote: "keep".into(),
                hash: Hash::of(b"keep"),
                speaker,
            };
            let entries = [store.enter(&key(), Draft { source: Some(quote), ..draft("x") }, 1).unwrap()];
            let wrong = is_wrong.then(|| (no, format!("its quote in turn {turn} was not said by a person")));
            assert_eq!(store.misquoted(&key(), &entries).unwrap(), Vec::from_iter(wrong), "{turn} {speaker:?}");
            let gone = is_gone.then_some(no);
            assert_eq!(store.unquotable(&key(), &entries).unwrap(), Vec::from_iter(gone), "{turn} {speaker:?}");
        }
    }
}
