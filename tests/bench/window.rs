//! The window of a session of 10,000 turns whose records are there: only the turns behind the last block are read.
//! Run with `cargo bench --bench window`. Wanted are 50 ms on any machine that is not busy, and a window that takes no
//! longer for ten times as many turns than three times as long.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench says its figures and fails by panicking")]

use std::path::Path;
use std::time::{Duration, Instant};

use stet::workbench::{Engine, EngineRules, Utterance};

#[path = "measure.rs"]
mod measure;

/// What the window may take.
const MOST: Duration = Duration::from_millis(50);
const BUDGET: u64 = 250_000;
const ROUNDS: usize = 9;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let mut held = true;
    let mut times = Vec::new();
    for turns in [1_000, 10_000] {
        let db = folder.path().join(format!("{turns}.db"));
        let (made, compiled) = session(&db, turns);
        println!(
            "{turns:>6} turns appended in {} and compiled in {}: {:.0} turns/s",
            measure::millis(made),
            measure::millis(compiled),
            f64::from(turns) / compiled.as_secs_f64()
        );
        let took = window(&db, turns);
        println!("{turns:>6} turns, window of {BUDGET} tokens: {}", measure::millis(took));
        times.push(took);
    }
    held &= times[1] <= MOST;
    println!("wanted: at most {} {}", measure::millis(MOST), if held { "holds" } else { "DOES NOT HOLD" });
    let ratio = times[1].as_secs_f64() / times[0].as_secs_f64();
    held &= measure::verdict("ten times as many turns", ratio, 3.0);
    std::process::exit(i32::from(!held));
}

fn rules() -> EngineRules {
    EngineRules::by(|| 1_772_460_420_000)
}

/// Some words, different each time.
fn words(n: u32) -> String {
    let mut dice = u64::from(n) + 1;
    let mut text = format!("The limit in src/room_{}/part_{n}.rs was {} ms. ", n % 97, n % 4001);
    for _ in 0..30 + n % 40 {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        text.push_str(
            ["queue ", "table ", "reads ", "slow ", "again ", "order ", "cache ", "rows "][(dice >> 61) as usize],
        );
    }
    text
}

fn session(db: &Path, turns: u32) -> (Duration, Duration) {
    let mut engine = Engine::with(db, "long", rules()).unwrap();
    let started = Instant::now();
    for first in (0..turns / 2).step_by(250) {
        let mut said = Vec::new();
        for no in first..(first + 250).min(turns / 2) {
            let (agent, call) = (format!("a{no}"), format!("c{no}"));
            said.push(Utterance::user(&format!("u{no}"), &words(no)));
            said.push(Utterance::agent(&agent, &words(no + 1)));
            said.push(Utterance::call(
                &agent,
                &call,
                "Bash",
                &format!("command: cat src/room_{}/part_{no}.rs", no % 97),
            ));
            said.push(Utterance::result(&format!("r{no}"), &call, true, &words(no)));
        }
        engine.append(&said).unwrap();
    }
    let made = started.elapsed();
    let started = Instant::now();
    engine.compile().unwrap();
    engine.turn_ended(700, 1000).unwrap();
    engine.compile().unwrap();
    (made, started.elapsed())
}

fn window(db: &Path, turns: u32) -> Duration {
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let bench = bench(db);
            let target = bench.find(format!("{}#long", db.display()).as_ref()).unwrap();
            let asked = stet::workbench::Asked { budget: BUDGET, ..Default::default() };
            let started = Instant::now();
            let context = bench.context(&target, &asked).unwrap();
            let took = started.elapsed();
            let last = context.window.regions.last().unwrap().turns.unwrap().1;
            assert_eq!((last, context.window.over()), (turns, None));
            took
        })
        .collect();
    measure::median(&mut times)
}

fn bench(db: &Path) -> stet::workbench::Workbench {
    use stet::record::Via;
    stet::workbench::Workbench::new(stet::workbench::Settings {
        db: db.to_owned(),
        default_db: db.to_owned(),
        copies: "/nowhere".into(),
        places: stet::formats::Env { home: None, vars: std::collections::BTreeMap::new() },
        clock: || 0,
        hand: stet::workbench::Hand { via: Via::Cli, author: "ana".into(), proposed: true },
    })
}
