//! `compile` with prose taken from the originals, on a session of 10,000 turns: once of one that is in the database already,
//! once of an agent's own file, which is imported first. Run with `cargo bench --bench compile`. Wanted are 20,000 turns a
//! second of the first on any machine that is not busy, and that compiling takes no longer than storing the same turns.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench says its figures and fails by panicking")]

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use stet::record::Via;
use stet::workbench::{Extractive, Hand, Rules, Settings, Target, Workbench};

#[path = "measure.rs"]
mod measure;

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const TURNS: u32 = 10_000;
const ROUNDS: usize = 3;
/// Turns a second that are wanted.
const LEAST: f64 = 20_000.0;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session.jsonl");
    std::fs::write(&file, session()).unwrap();
    let (mut stored, mut kept, mut own) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let bench = bench(&folder.path().join(format!("kept-{round}.db")));
        let started = Instant::now();
        let imports = bench.import(file.as_os_str(), &mut |_, _| ()).unwrap();
        stored.push(started.elapsed());
        assert!(imports.failed.is_empty());
        kept.push(compiled(&bench, &bench.find("session-1".as_ref()).unwrap()));
        let bench = self::bench(&folder.path().join(format!("own-{round}.db")));
        own.push(compiled(&bench, &Target::Foreign(file.clone())));
    }
    let (stored, kept, own) = (measure::median(&mut stored), measure::median(&mut kept), measure::median(&mut own));
    let rate = |took: Duration| f64::from(TURNS) / took.as_secs_f64();
    println!(
        "{TURNS} turns stored without compiling:        {} {:>8.0} turns/s",
        measure::millis(stored),
        rate(stored)
    );
    println!("{TURNS} turns compiled that are stored already: {} {:>8.0} turns/s", measure::millis(kept), rate(kept));
    println!("{TURNS} turns imported and compiled:            {} {:>8.0} turns/s", measure::millis(own), rate(own));
    let mut held = rate(kept) >= LEAST;
    println!("wanted of those stored already: {LEAST:.0} turns/s {}", if held { "holds" } else { "DOES NOT HOLD" });
    held &= measure::verdict("compiling against storing", kept.as_secs_f64() / stored.as_secs_f64(), 1.0);
    std::process::exit(i32::from(!held));
}

fn compiled(bench: &Workbench, target: &Target) -> Duration {
    let started = Instant::now();
    let compiled = bench.compile(target, Rules::default(), &Extractive, &mut |_| ()).unwrap();
    let took = started.elapsed();
    let last = compiled.open.map_or(0, |(run, _)| run.turns.1);
    assert_eq!((compiled.info.turns, last), (TURNS, TURNS));
    assert!(compiled.new > 100 && compiled.instead.is_empty());
    took
}

fn bench(db: &Path) -> Workbench {
    Workbench::new(Settings {
        db: db.to_owned(),
        default_db: db.to_owned(),
        copies: "/nowhere".into(),
        places: stet::formats::Env::default(),
        clock: || 0,
        hand: Hand { via: Via::Cli, author: "ana".into(), proposed: true },
    })
}

/// A person asks about a file of a room; the agent looks it up and answers.
fn session() -> String {
    let mut text = String::new();
    let mut line = |no: u32, step: u32, role: &str, content: &str| {
        let parent = if no + step == 0 { "null".to_owned() } else { format!("\"u{}\"", no * 3 + step - 1) };
        writeln!(
            text,
            r#"{{"parentUuid":{parent},"isSidechain":false,"userType":"external","cwd":"/w","sessionId":"session-1","version":"2.1.0","type":"{role}","message":{{"id":"m{no}","role":"{role}","content":{content}}},"uuid":"u{}","timestamp":"2026-01-01T10:00:00.000Z"}}"#,
            no * 3 + step
        )
        .unwrap();
    };
    for no in 0..TURNS / 2 {
        let (room, said) = (no % 97, words(no));
        line(no, 0, "user", &format!(r#""Look at src/room_{room}/part_{no}.rs, the limit was {no}07 ms. {said}""#));
        let call = format!(
            r#"{{"type":"tool_use","id":"c{no}","name":"Bash","input":{{"command":"cat src/room_{room}/part_{no}.rs"}}}}"#
        );
        line(no, 1, "assistant", &format!(r#"[{{"type":"text","text":"{}"}},{call}]"#, words(no + 1)));
        line(
            no,
            2,
            "user",
            &format!(
                r#"[{{"type":"tool_result","tool_use_id":"c{no}","content":"const LIMIT: u32 = {no}07; {said}"}}]"#
            ),
        );
    }
    text
}

/// Some sentences, different each time.
fn words(no: u32) -> String {
    const WORDS: [&str; 8] = ["queue", "table", "reads", "slow", "again", "order", "cache", "rows"];
    let mut dice = u64::from(no) + 1;
    let mut text = String::new();
    for word in 0..30 + no % 40 {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        text.push_str(WORDS[(dice >> 61) as usize]);
        text.push_str(if word % 12 == 11 { ". " } else { " " });
    }
    text
}
