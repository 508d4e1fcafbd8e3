//! What is told of texts that went: by a log, an export, an import, and by whoever checks what was quoted of them.

use super::forget::{appended, block, left, part};
use super::given::{Folder, draft, key};
use crate::session::{Depth, FileNo, Speaker};
use crate::store::interchange::{Mode, Taker, parse};
use crate::store::{Entries, Forgotten, Quotes, Store};

#[test]
fn what_is_gone_is_told_by_a_log_an_export_and_an_import() {
    let folder = Folder::new();
    let mut store = folder.store();
    store.retain(&key(), Quotes::Drop).unwrap();
    appended(&mut store, 0..8);
    let first = block(&store, 1, 0..5);
    store.close_block(&key(), &first).unwrap();
    let mut log = store.log(&key()).unwrap();
    assert!(log.has_forgotten());
    let lines = log.forward(FileNo(0), 0, usize::MAX, Depth::Full).unwrap().lines;
    let told: Vec<bool> = lines.iter().map(|line| line.lossy.is_some()).collect();
    assert_eq!(told, [true, true, true, true, true, false, false, false]);
    assert!(lines[0].lossy.as_ref().unwrap().starts_with("gone: its "));
    assert!(log.raw(FileNo(0), 1).unwrap_err().to_string().contains("raw line 2 is gone"));
    assert!(log.raw(FileNo(0), 6).is_ok());

    let export = |store: &Store| {
        let mut out = Vec::new();
        store.export(&key(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let text = export(&store);
    assert_eq!(text.matches(r#""gone":{"bytes":"#).count(), 5);
    let second = Folder::new();
    let mut copy = second.store();
    copy.import_interchange(text.as_bytes(), Entries::AsTheyStand, &mut |_, _| {}).unwrap();
    assert_eq!(copy.retention(&key()).unwrap(), Some(Quotes::Drop));
    assert_eq!(copy.verify(&key()).unwrap(), []);
    assert_eq!(export(&copy), text);
    assert_eq!(copy.blocks(&key()).unwrap(), store.blocks(&key()).unwrap());
    // What is known stays known, from either side.
    let again = copy.import_interchange(text.as_bytes(), Entries::AsTheyStand, &mut |_, _| {}).unwrap();
    assert_eq!((again.parts_new, again.parts_known, again.records_new), (0, 8, 0));
    let mut appender = store.appender(key());
    appender.push(&part(2)).unwrap();
    appender.push(&part(2).replace("as it is", "as it was")).unwrap();
    let done = appender.commit().unwrap();
    assert_eq!(
        (done.acked, done.refused.unwrap().why),
        (vec!["t2".into()], "t2 is stored already with other bytes".into())
    );
    // A session that keeps its texts takes none that are gone.
    let third = Folder::new();
    let kept = text.replacen(r#","retention":"drop""#, "", 1);
    let refused = third.store().import_interchange(kept.as_bytes(), Entries::AsTheyStand, &mut |_, _| {}).unwrap_err();
    let why = "line 2: the text of part t0 is gone, and the session here keeps its texts";
    assert_eq!(refused.to_string(), why);
}

#[test]
fn texts_of_a_block_that_comes_with_an_import_go_and_are_said_to_be_here_until_then() {
    let (folder, second) = (Folder::new(), Folder::new());
    let (mut store, mut copy) = (folder.store(), second.store());
    for store in [&mut store, &mut copy] {
        store.retain(&key(), Quotes::Drop).unwrap();
        appended(store, 0..18);
    }
    assert_eq!(copy.unforgotten(&key()).unwrap(), None, "nothing is closed");
    let mut close = |no: u32| {
        let block = block(&store, no, u64::from(no) * 5 - 5..u64::from(no) * 5);
        store.close_block(&key(), &block).unwrap();
        assert_eq!(store.unforgotten(&key()).unwrap(), None);
        let mut closed = Vec::new();
        store.export(&key(), &mut closed).unwrap();
        closed
    };
    copy.import_interchange(close(1).as_slice(), Entries::AsTheyStand, &mut |_, _| {}).unwrap();
    assert_eq!((copy.unforgotten(&key()).unwrap(), left(&second, 0..5)), (None, vec![]));
    // Stopped between the two.
    let lines = String::from_utf8(close(2)).unwrap();
    let line = lines.lines().rfind(|line| line.contains(r#""type":"block""#)).unwrap();
    copy.write(|tx| {
        let mut taker = Taker::on(tx, &key(), Mode::Tail)?;
        let Ok(given) = parse(line) else { panic!("{line}") };
        assert!(taker.take(&given, line).is_ok());
        taker.pen.done()
    })
    .unwrap();
    assert_eq!((copy.unforgotten(&key()).unwrap(), left(&second, 5..10).is_empty()), (Some(2), false));
    assert_eq!(copy.forget_closed(&key()).unwrap(), Forgotten { parts: 5, lines: 5, beside: 0 });
    assert_eq!((copy.unforgotten(&key()).unwrap(), left(&second, 5..10)), (None, vec![]));
}

#[test]
fn of_a_quote_whose_text_is_gone_the_speaker_still_counts() {
    let folder = Folder::new();
    let mut store = folder.store();
    store.retain(&key(), Quotes::Keep).unwrap();
    appended(&mut store, 0..8);
    for (turn, speaker) in [(0, Speaker::User), (1, Speaker::User), (7, Speaker::Assistant)] {
        let mut entry = draft("x");
        let quote = entry.source.as_mut().unwrap();
        (quote.turn_id, quote.line_id, quote.speaker) = (format!("t{turn}"), Some(format!("t{turn}")), speaker);
        store.enter(&key(), entry, 1).unwrap();
    }
    store.close_block(&key(), &block(&store, 1, 0..5)).unwrap();
    let told: Vec<String> = store.verify(&key()).unwrap().into_iter().map(|damage| damage.why).collect();
    assert_eq!(told, ["its quote in turn t1 was not said by a person", "its quote is not in turn t7 where it says"]);
}
