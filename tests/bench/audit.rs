//! `audit` beside parsing the same file into `serde_json` values, in one run: by two threads, over two sizes, over few and
//! many compactions, with text made to be slow, and behind an append.
//!
//! `cargo bench --bench audit`. The sessions are made once, under `target/`. Times are what the process spent on its
//! threads, divided by their number, where the machine has other work: `STET_BENCH_CLOCK=wall` takes the clock instead.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench prints, and fails by panicking")]

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use stet::formats::Env;
use stet::record::Via;
use stet::workbench::{Cancel, Desk, Hand, Settings, Target, Workbench};

#[path = "../support/generate.rs"]
mod generate;
#[path = "measure.rs"]
mod measure;
#[path = "../support/random.rs"]
mod random;
#[path = "sessions.rs"]
mod sessions;

use measure::{median, millis, verdict};

const ROUNDS: usize = 3;
const THREADS: usize = 2;
/// What an audit may take, as a multiple of what parsing takes.
const LIMIT: f64 = 1.7;
/// How much more than its share the greater session may take.
const GROWTH: f64 = 1.15;
/// Many compactions cost no more a megabyte than few; two runs of the same differ by so much.
const MANY: f64 = 1.1;
/// What an audit may hold above the open session, in megabytes.
const MEMORY: f64 = 128.0;
/// Text that is made to be slow costs no more than so many times what other text does, a megabyte.
const HOSTILE: f64 = 4.0;

/// What the process took so far on all its threads, or the time of day.
fn now() -> Duration {
    thread_local!(static START: Instant = Instant::now());
    if std::env::var("STET_BENCH_CLOCK").is_ok_and(|clock| clock == "wall") {
        return START.with(Instant::elapsed);
    }
    // The 14th and 15th word: hundredths of a second for the program and the system, threads that ended included.
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let words = stat.rsplit_once(')').unwrap().1.split_whitespace().skip(11).take(2);
    Duration::from_millis(words.map(|word| word.parse::<u64>().unwrap() * 10).sum())
}

fn since(started: Duration) -> Duration {
    now().saturating_sub(started)
}

fn on_threads(spent: Duration) -> Duration {
    if std::env::var("STET_BENCH_CLOCK").is_ok_and(|clock| clock == "wall") { spent } else { spent / THREADS as u32 }
}

fn open(path: &Path, data: &Path) -> Desk {
    let settings = Settings {
        db: data.join("stet.db"),
        default_db: data.join("stet.db"),
        copies: data.join("demo"),
        places: Env::default(),
        clock: || 0,
        hand: Hand { via: Via::Cli, author: "bench".to_owned(), proposed: true },
    };
    Workbench::new(settings).open(&Target::Foreign(path.to_owned())).unwrap()
}

fn audited(desk: &mut Desk) -> usize {
    let mut checks = 0;
    desk.audit_on(THREADS, &Cancel::default(), &mut |_| checks += 1).unwrap();
    checks
}

/// Opening, reading and checking a session; and how much memory the check took above the open session, in megabytes.
fn audit(path: &Path) -> (Duration, f64) {
    let data = tempfile::tempdir().unwrap();
    let started = now();
    let mut desk = open(path, data.path());
    desk.index(&Cancel::default(), &mut |_| ()).unwrap();
    // The peak is counted anew from here on.
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = resident();
    assert!(audited(&mut desk) > 0, "no marker");
    (on_threads(since(started)), peak() - before)
}

fn values(path: &Path) -> Duration {
    let started = now();
    let mut file = BufReader::with_capacity(1 << 20, std::fs::File::open(path).unwrap());
    let (mut line, mut summaries) = (Vec::new(), 0);
    while file.read_until(b'\n', &mut line).unwrap() > 0 {
        let value: serde_json::Value = serde_json::from_slice(&line).unwrap();
        summaries += usize::from(value["isCompactSummary"] == true);
        line.clear();
    }
    assert!(summaries > 0);
    since(started)
}

/// A figure of `/proc/self/status`, in megabytes.
fn status(name: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

fn resident() -> f64 {
    status("VmRSS:")
}

fn peak() -> f64 {
    status("VmHWM:")
}

fn size(path: &Path) -> f64 {
    std::fs::metadata(path).unwrap().len() as f64 / 1e6
}

/// The median times of both over one session, and what an audit held.
fn measured(path: &Path) -> (Duration, Duration, f64) {
    let (mut ours, mut theirs, mut held) = (Vec::new(), Vec::new(), 0.0_f64);
    for _ in 0..ROUNDS {
        let (time, memory) = audit(path);
        ours.push(time);
        held = held.max(memory);
        theirs.push(values(path));
    }
    let (ours, theirs) = (median(&mut ours), median(&mut theirs));
    let megabytes = size(path);
    for (what, time) in [("audit", ours), ("serde_json values", theirs)] {
        let rate = megabytes / time.as_secs_f64();
        println!("{what:18} {megabytes:6.0} MB  {}  {rate:6.0} MB/s", millis(time));
    }
    println!("{:18} {held:6.0} MB above the open session", "held");
    (ours, theirs, held)
}

/// A session that is made to be slow: one word a million times, one line of many megabytes, and summaries of tiny claims
/// that all name the same thing.
fn hostile() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile.jsonl");
    let mut text = String::new();
    let mut put = |no: usize, more: &str| {
        let _ = writeln!(
            text,
            "{{\"uuid\":\"h{no}\",\"parentUuid\":{},\"sessionId\":\"5e551071-0000-4000-8000-000000000002\",{more}}}",
            if no == 0 { "null".to_owned() } else { format!("\"h{}\"", no - 1) }
        );
    };
    let said = |text: &str| format!("\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":\"{text}\"}}");
    put(0, &said(&"lock ".repeat(1_000_000)));
    put(1, &said(&format!("{} end", "a".repeat(12_000_000))));
    put(2, &said(&"src/a.rs 1 ".repeat(400_000)));
    put(3, &said(&"a\\n".repeat(1_000_000)));
    let claims = (0..2000).map(|no| format!("- lock {no} of src/a.rs is 1\\n")).collect::<Vec<_>>().concat();
    put(4, "\"type\":\"system\",\"subtype\":\"compact_boundary\",\"compactMetadata\":{\"trigger\":\"auto\"}");
    put(5, &format!("\"isCompactSummary\":true,{}", said(&claims)));
    std::fs::write(&path, text).unwrap();
    path
}

/// A session whose compactions come after so many lines.
fn cut(megabytes: u64, every: u32) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("session-{megabytes}-{every}.jsonl"));
    if !path.exists() {
        let half = path.with_extension("half");
        let wanted = generate::Wanted { bytes: megabytes * 1_000_000, seed: 7, every, needle: "zqxneedle" };
        let written = generate::session(&half, &wanted).unwrap();
        assert!(written.lines > 0 && written.compactions > 0);
        println!("{megabytes} MB with {} compactions", written.compactions);
        std::fs::rename(half, &path).unwrap();
    }
    path
}

/// How long an audit takes behind an append of one line, beside the whole.
fn appended(path: &Path) -> f64 {
    let data = tempfile::tempdir().unwrap();
    let copy = data.path().join("session.jsonl");
    std::fs::copy(path, &copy).unwrap();
    let mut desk = open(&copy, data.path());
    desk.index(&Cancel::default(), &mut |_| ()).unwrap();
    let started = now();
    audited(&mut desk);
    let whole = since(started);
    let line = "{\"type\":\"user\",\"uuid\":\"last-of-all\",\"message\":{\"role\":\"user\",\"content\":\"go on\"}}\n";
    OpenOptions::new().append(true).open(&copy).unwrap().write_all(line.as_bytes()).unwrap();
    desk.follow().unwrap();
    let started = now();
    audited(&mut desk);
    (since(started)).as_secs_f64() / whole.as_secs_f64()
}

fn main() {
    let great = std::env::var("STET_BENCH_MB").ok().and_then(|mb| mb.parse().ok()).unwrap_or(1000);
    let mut held = true;
    let small = sessions::session(great * 3 / 10);
    let (ours, theirs, memory) = measured(&small);
    held &= verdict("audit to values", ours.as_secs_f64() / theirs.as_secs_f64(), LIMIT);
    held &= verdict("memory held, MB", memory, MEMORY);
    let rate = ours.as_secs_f64() / size(&small);

    let large = sessions::session(great);
    let (more, theirs, memory) = measured(&large);
    held &= verdict("audit to values", more.as_secs_f64() / theirs.as_secs_f64(), LIMIT);
    held &= verdict("memory held, MB", memory, MEMORY);
    let growth = more.as_secs_f64() / ours.as_secs_f64() / (size(&large) / size(&small));
    held &= verdict("growth beyond the size", growth, GROWTH);

    let (few, many) = (cut(great * 3 / 10, 1400), cut(great * 3 / 10, 36));
    let rates = [few, many].map(|path| measured(&path).0.as_secs_f64() / size(&path));
    held &= verdict("many compactions to few, a megabyte", rates[1] / rates[0], MANY);

    let hostile = hostile();
    let slow = audit(&hostile).0.as_secs_f64() / size(&hostile);
    held &= verdict("hostile text to other, a megabyte", slow / rate, HOSTILE);
    held &= verdict("an audit behind an append to the whole", appended(&small), 0.5);
    std::process::exit(i32::from(!held));
}
