//! A session that is imported reads back as it was read.

use super::given::{FakeLog, Folder, everything, key, line, message, part, read};
use crate::session::{Depth, FileNo, Outline, PartKind, Role, Speaker};
use crate::store::{Store, StoreError};

fn import(store: &mut Store, log: &mut FakeLog) -> Result<crate::store::Imported, StoreError> {
    store.import_log(log, &mut |_, _| {})
}

#[test]
fn every_field_of_every_kind_of_line_comes_back() {
    let folder = Folder::new();
    let mut store = folder.store();
    let mut log = FakeLog::new(everything());
    let done = import(&mut store, &mut log).unwrap();
    assert_eq!((done.lines_new, done.parts_new, done.troubles.len()), (14, 10, 1));
    let mut want: Vec<_> = log.files.concat();
    for (line, _) in &mut want {
        line.offset = 0;
    }
    let mut stored = store.log(&key()).unwrap();
    let got = read(stored.as_mut());
    for (got, want) in got.iter().zip(&want) {
        assert_eq!(got, want);
    }
    assert_eq!(got.len(), want.len());
    assert_eq!(store.sessions().unwrap()[0].title.as_deref(), Some("Orders"));
    assert!(store.verify(&key()).unwrap().is_empty());
}

#[test]
fn an_outline_of_what_is_stored_is_the_outline_of_what_was_read() {
    let folder = Folder::new();
    let mut store = folder.store();
    let mut log = FakeLog::new(everything());
    import(&mut store, &mut log).unwrap();
    let (mut read_at_first, mut stored) = (Outline::default(), Outline::default());
    for (line, _) in &log.files.concat() {
        read_at_first.push(line);
    }
    for (line, _) in &read(store.log(&key()).unwrap().as_mut()) {
        stored.push(line);
    }
    read_at_first.finish();
    stored.finish();
    let told = |outline: &Outline| {
        outline
            .compactions
            .iter()
            .map(|marker| (marker.key.clone(), marker.covers.clone(), marker.reaches.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(told(&stored), told(&read_at_first));
    let row = &store.sessions().unwrap()[0];
    assert_eq!((row.turns, row.compactions), (read_at_first.main_turns, read_at_first.compactions.len() as u32));
}

#[test]
fn run_again_an_import_takes_only_what_is_new() {
    let folder = Folder::new();
    let mut store = folder.store();
    let mut files = everything();
    import(&mut store, &mut FakeLog::new(files.clone())).unwrap();
    files[0].push((
        line(Some("u9"), message(Role::User, None, vec![part(0, PartKind::Text, Speaker::User, "new")])),
        b"{u9}".to_vec(),
    ));
    let done = import(&mut store, &mut FakeLog::new(files)).unwrap();
    assert_eq!((done.lines_new, done.lines_known, done.parts_new, done.parts_known), (1, 14, 1, 10));
    assert!(store.verify(&key()).unwrap().is_empty());
}

#[test]
fn a_sub_agents_file_keeps_its_number_when_another_comes_to_stand_before_it() {
    let folder = Folder::new();
    let mut store = folder.store();
    let mut files = everything();
    import(&mut store, &mut FakeLog::new(files.clone())).unwrap();
    let said = message(Role::User, None, vec![part(0, PartKind::Text, Speaker::User, "first")]);
    files.insert(1, vec![(line(Some("f1"), said), b"{f1}".to_vec())]);
    let mut log = FakeLog::new(files);
    log.head.sides[0].agent_id = "a0".into();
    log.head.sides[1].agent_id = "a1".into();
    let done = import(&mut store, &mut log).unwrap();
    assert_eq!((done.lines_new, done.lines_known), (1, 14));
    let mut stored = store.log(&key()).unwrap();
    let sides: Vec<_> = stored.head().sides.iter().map(|side| (side.file, side.agent_id.clone())).collect();
    assert_eq!(sides, [(FileNo(1), "a1".into()), (FileNo(2), "a0".into())]);
    assert_eq!(stored.raw(FileNo(2), 0).unwrap(), b"{f1}");
    assert!(store.verify(&key()).unwrap().is_empty());
}

#[test]
fn other_bytes_at_a_known_place_are_refused_and_change_nothing() {
    let folder = Folder::new();
    let mut store = folder.store();
    let mut files = everything();
    import(&mut store, &mut FakeLog::new(files.clone())).unwrap();
    files[0][1].1 = b"{a1, rewritten}".to_vec();
    let error = import(&mut store, &mut FakeLog::new(files.clone())).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2 (a1) is stored already with other bytes (what is stored never changes; to take it as it is now, use another database: --db FILE)"
    );
    assert_eq!(read(store.log(&key()).unwrap().as_mut())[1].1, b"{a1}");
}

#[test]
fn pages_of_a_stored_session_meet_without_gap_in_both_directions() {
    let folder = Folder::new();
    let mut store = folder.store();
    let lines = (0..700)
        .map(|n| {
            let body = message(Role::User, None, vec![part(0, PartKind::Text, Speaker::User, &format!("line {n}"))]);
            (line(Some(&format!("u{n}")), body), format!("raw {n}").into_bytes())
        })
        .collect();
    import(&mut store, &mut FakeLog::new(vec![lines])).unwrap();
    let mut log = store.log(&key()).unwrap();
    assert_eq!(log.size(FileNo(0)).unwrap(), 700);
    let all = log.forward(FileNo(0), 0, usize::MAX, Depth::Full).unwrap();
    assert_eq!((all.lines.len(), all.at_start, all.at_end, all.end), (700, true, true, 700));
    let mut before = 700;
    let mut back = Vec::new();
    while before > 0 {
        let mut stretch = log.backward(FileNo(0), before, 1000, Depth::Full).unwrap();
        assert_eq!((stretch.end, stretch.at_start), (before, stretch.start == 0));
        before = stretch.start;
        stretch.lines.append(&mut back);
        back = stretch.lines;
    }
    assert_eq!(back, all.lines);
    let one = log.forward(FileNo(0), 300, 1, Depth::Outline).unwrap();
    assert_eq!((one.lines.len(), one.start, one.end), (1, 300, 301));
    let after = log.forward(FileNo(0), 700, 1, Depth::Full).unwrap();
    assert_eq!((after.lines.len(), after.at_end), (0, true));
    assert_eq!(log.again().unwrap().raw(FileNo(0), 699).unwrap(), b"raw 699");
}

/// A log of which one line says that it is longer than what is stored; its bytes cannot be had.
#[test]
fn a_line_that_is_too_long_is_left_out_and_told_and_the_others_come_in() {
    let folder = Folder::new();
    let mut store = folder.store();
    let mut log = FakeLog::new(everything());
    log.files[0][3].0.len = 300 << 20;
    log.files[0][3].1 = b"must not be asked for".to_vec();
    for new in [14, 0] {
        let done = import(&mut store, &mut log).unwrap();
        assert_eq!((done.lines_new, done.lines_known), (new, 14 - new));
        let why = "a line of 314572800 bytes, which are not stored: it is longer than 268435456 bytes";
        assert_eq!((done.troubles[0].line, done.troubles[0].why.as_str()), (Some(4), why));
    }
    let stored = read(store.log(&key()).unwrap().as_mut());
    assert_eq!((stored.len(), stored[3].1.len()), (14, 0));
    assert_eq!(store.verify(&key()).unwrap(), []);
}

#[test]
fn more_sub_agents_than_there_are_numbers_for_are_refused() {
    let folder = Folder::new();
    let mut store = folder.store();
    let mut log = FakeLog::new(everything());
    import(&mut store, &mut log).unwrap();
    folder.plain().execute("UPDATE side SET file = 65535", []).unwrap();
    log.head.sides[0].agent_id = "another".into();
    assert!(matches!(import(&mut store, &mut log), Err(StoreError::Files)));
}
