//! `append` in batches of 1,000 against a bare insert of the same rows into the same tables and index.
//! Run with `cargo bench --bench append`. The two take turns; wanted is a ratio of at least 0.6. Then the same with what
//! binds in a person's words entered as it arrives: that may take up to 1.3 times as long. At last what one append costs an
//! engine whose session is long, beside opening the session for each.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench says its figures and fails by panicking")]

use std::fmt::Write;
use std::time::{Duration, Instant};

use rusqlite::{Connection, params};
use stet::formats::Env;
use stet::record::Via;
use stet::session::{Hash, SessionKey};
use stet::store::{BATCH, Store};
use stet::workbench::{Engine, Hand, Settings, Utterance, Workbench};

/// The rate that is wanted, as a part of the bare one.
const LEAST: f64 = 0.6;
/// The time that is wanted where the ledger fills itself, as a multiple.
const MOST: f64 = 1.3;
const PARTS: usize = 20_000;
const ROUNDS: usize = 5;
const TURNS: usize = 10_000;
/// So many appends are timed at the end of a long session.
const APPENDS: usize = 50;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let lines: Vec<String> = (0..PARTS).map(part).collect();
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        ours.push(appended(&folder.path().join(format!("ours-{round}.db")), &lines));
        bare.push(inserted(&folder.path().join(format!("bare-{round}.db")), &lines));
    }
    let (ours, bare) = (median(ours), median(bare));
    let rate = |took: Duration| PARTS as f64 / took.as_secs_f64();
    println!("append {:>9.0} parts/s", rate(ours));
    println!("bare   {:>9.0} parts/s", rate(bare));
    let ratio = rate(ours) / rate(bare);
    println!("ratio  {ratio:>9.2} (wanted: {LEAST:.2} or more)");
    let lines: Vec<String> = (0..PARTS).map(turn).collect();
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        with.push(listened(&folder.path().join(format!("with-{round}.db")), &lines));
        without.push(appended(&folder.path().join(format!("without-{round}.db")), &lines));
    }
    let (with, without) = (median(with), median(without));
    println!("append and enter what binds {:>9.0} parts/s", rate(with));
    println!("append alone                {:>9.0} parts/s", rate(without));
    let longer = with.as_secs_f64() / without.as_secs_f64();
    println!("time   {longer:>9.2} (wanted: {MOST:.2} or less)");
    let (kept, opened) = engine(&folder.path().join("engine.db"), &lines[..TURNS]);
    println!("engine {:>9.2} ms for one append at {TURNS} turns", kept.as_secs_f64() * 1e3);
    println!("opened {:>9.2} ms where each opens the session", opened.as_secs_f64() * 1e3);
    std::process::exit(i32::from(ratio < LEAST || longer > MOST));
}

/// A person and an agent by turns; the person says something that binds in every fifth turn.
fn turn(n: usize) -> String {
    const AGENT: &str = "I looked at the worker and at its queue. The retries come from the second pool, which holds a \
                         connection longer than the job runs. I will change the timeout and run the tests again.";
    let text = match n % 10 {
        0 => format!("Never touch the table orders_{n} while the export runs. Could you look at the worker first?"),
        2 => "The tests are slow since Monday, and I think that the new pool is to blame. Please look.".to_owned(),
        4 => "Thanks, that helps. What does the second pool do with a job that fails twice?".to_owned(),
        6 => format!("I'm not sure that part {n} of the migration is worth it on a table that big."),
        8 => "The numbers of this week are in the sheet. The last run took four hours and wrote two files.".to_owned(),
        _ => AGENT.to_owned(),
    };
    let role = if n.is_multiple_of(2) { "user" } else { "assistant" };
    format!(
        r#"{{"type":"part","id":"t{n}.0","turn":"t{n}","role":"{role}","kind":"text","speaker":"{role}","at":"2026-03-02T09:14:00Z","text":"{text}"}}"#
    )
}

/// Of an engine behind so many turns: the middle time of an append, and of one that opens the session for itself.
fn engine(path: &std::path::Path, lines: &[String]) -> (Duration, Duration) {
    listened(path, lines);
    let mut engine = Engine::open(path, "bench", || 1_772_460_420_000).unwrap();
    let said = |no: usize| format!("Never touch the table invoices_{no} while the export runs.");
    let timed = |append: &mut dyn FnMut(usize)| {
        let times = (0..APPENDS).map(|no| {
            let started = Instant::now();
            append(no);
            started.elapsed()
        });
        median(times.collect())
    };
    let kept = timed(&mut |no| engine.append(&[Utterance::user(&format!("k{no}"), &said(no))]).unwrap());
    let bench = self::bench(path);
    let opened = timed(&mut |no| {
        let (no, text) = (no + APPENDS, said(no + APPENDS));
        let part =
            format!(r#"{{"type":"part","id":"o{no}.0","turn":"o{no}","role":"user","kind":"text","text":"{text}"}}"#);
        let mut appending = bench.append(&SessionKey::new("stet", "bench"), None).unwrap();
        assert_eq!(appending.take(&[part.into_bytes()]).unwrap().acknowledged.len(), 1);
    });
    (kept, opened)
}

fn bench(path: &std::path::Path) -> Workbench {
    let hand = Hand { via: Via::Cli, author: "bench".into(), proposed: false };
    let (places, copies) = (Env::default(), path.with_extension("copies"));
    Workbench::new(Settings { db: path.into(), default_db: path.into(), copies, places, clock: || 0, hand })
}

fn listened(path: &std::path::Path, lines: &[String]) -> Duration {
    let mut appending = bench(path).append(&SessionKey::new("stet", "bench"), None).unwrap();
    let lines: Vec<Vec<u8>> = lines.iter().map(|line| line.clone().into_bytes()).collect();
    let started = Instant::now();
    for batch in lines.chunks(BATCH) {
        assert_eq!(appending.take(batch).unwrap().acknowledged.len(), batch.len());
    }
    started.elapsed()
}

fn median(mut all: Vec<Duration>) -> Duration {
    all.sort();
    all[all.len() / 2]
}

/// Some hundred bytes of words, different each time.
fn words(n: usize) -> String {
    let mut dice = n as u64 + 1;
    let mut text = String::new();
    for _ in 0..40 + n % 80 {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        write!(text, "w{} ", (dice >> 33) % 5000).unwrap();
    }
    text
}

fn part(n: usize) -> String {
    let text = words(n);
    format!(
        r#"{{"type":"part","id":"t{n}.0","turn":"t{n}","role":"user","kind":"text","speaker":"user","at":"2026-03-02T09:14:00Z","text":"{text}"}}"#
    )
}

fn appended(path: &std::path::Path, lines: &[String]) -> Duration {
    let mut store = Store::create_or_open(path).unwrap();
    let started = Instant::now();
    let mut appender = store.appender(SessionKey::new("stet", "bench"));
    for batch in lines.chunks(BATCH) {
        for line in batch {
            appender.push(line).unwrap();
        }
        assert_eq!(appender.commit().unwrap().acked.len(), batch.len());
    }
    started.elapsed()
}

/// The rows that an append leaves, put into a database of the same shape by plain statements.
fn inserted(path: &std::path::Path, lines: &[String]) -> Duration {
    drop(Store::create_or_open(path).unwrap());
    let mut conn = Connection::open(path).unwrap();
    conn.execute_batch("PRAGMA synchronous = FULL").unwrap();
    conn.execute("INSERT INTO session (session, agent, id) VALUES (1, 'stet', 'bench')", []).unwrap();
    let rows: Vec<(String, String, String, [u8; 32])> = (0..lines.len())
        .map(|n| (format!("t{n}.0"), format!("t{n}"), words(n), Hash::of(lines[n].as_bytes()).0))
        .collect();
    let started = Instant::now();
    for batch in (0..lines.len()).collect::<Vec<_>>().chunks(BATCH) {
        let tx = conn.transaction().unwrap();
        {
            let mut line = tx
                .prepare_cached(
                    "INSERT INTO line (line, session, file, seq, id, at, kind, role, message, own, raw_length, raw_hash,
                                       seal)
                     VALUES (?1, 1, 0, ?2, ?3, 1772442840000, 'message', 'user', ?4, 1, ?5, ?6, ?6)",
                )
                .unwrap();
            let mut raw = tx.prepare_cached("INSERT INTO line_raw (line, raw) VALUES (?1, ?2)").unwrap();
            let mut part = tx
                .prepare_cached(
                    "INSERT INTO part (part, session, seq, line, block, id, kind, speaker, length, hash, chain)
                     VALUES (?1, 1, ?2, ?1, 0, ?3, 'text', 'user', ?4, ?5, ?5)",
                )
                .unwrap();
            let mut text = tx.prepare_cached("INSERT INTO part_text (part, text) VALUES (?1, ?2)").unwrap();
            let mut index = tx.prepare_cached("INSERT INTO part_fts (rowid, text) VALUES (?1, ?2)").unwrap();
            for n in batch {
                let (id, turn, said, hash) = &rows[*n];
                let (row, seq) = (*n as i64 + 1, *n as i64);
                line.execute(params![row, seq, id, turn, lines[*n].len() as i64, hash]).unwrap();
                raw.execute(params![row, lines[*n].as_bytes()]).unwrap();
                part.execute(params![row, seq, id, said.len() as i64, hash]).unwrap();
                text.execute(params![row, said]).unwrap();
                index.execute(params![row, said]).unwrap();
            }
        }
        tx.commit().unwrap();
    }
    started.elapsed()
}
