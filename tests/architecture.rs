//! The rules of the house, read off the source as text: who may use whom, what a room must not know, how long a file
//! may be. Each rule is shown to catch its breach, so that a silent one is noticed. What code does is tested elsewhere.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::path::Path;

#[path = "support/code.rs"]
mod code;

use code::{Source, holds_word, is_rust};

/// Which rooms a room may use. Rooms that stand side by side (`extract`, `formats`, `store`; `compile`, `audit`,
/// `handback`; `simulate`, `workbench`; `tui`, `cli`) do not use each other: they meet in `workbench`, and in `main.rs`.
const USES: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("session", &["text"]),
    ("record", &["text", "session"]),
    ("extract", &["text", "session", "record"]),
    ("formats", &["text", "session", "record"]),
    ("store", &["text", "session", "record"]),
    ("compile", &["text", "session", "record", "extract"]),
    ("audit", &["text", "session", "record", "extract"]),
    ("handback", &["text", "session", "record"]),
    ("simulate", &["text", "session", "record", "extract", "compile"]),
    ("workbench", &["text", "session", "record", "extract", "formats", "store", "compile", "audit", "handback"]),
    ("view", &["text", "session", "record", "workbench"]),
    ("app", &["text", "session", "record", "workbench", "view"]),
    ("tui", &["text", "session", "record", "workbench", "view", "app"]),
    // Settings say where agents keep their sessions (`formats::Env`); `ledger print` prints what `handback` words;
    // `simulate` prints what an experiment came to.
    ("cli", &["text", "session", "record", "formats", "handback", "simulate", "workbench", "view", "app"]),
];

/// A file over this many lines, its tests not counted, wants a wall.
const LONGEST: usize = 400;

/// Where a word must not stand.
enum Place {
    /// Anywhere but under these paths.
    OnlyUnder(&'static [&'static str]),
    /// Under these paths.
    NotUnder(&'static [&'static str]),
}
use Place::{NotUnder, OnlyUnder};

/// Words that code outside tests must not hold in some places.
struct Ban {
    rule: &'static str,
    place: Place,
    words: &'static [&'static str],
    why: &'static str,
}

const BANS: &[Ban] = &[
    Ban {
        rule: "A2",
        place: NotUnder(&["src/session/", "src/record/"]),
        words: &["std::fs", "std::io", "std::time", "std::env", "SystemTime", "Instant", "jiff"],
        why: "the values know no file and no clock",
    },
    Ban {
        rule: "A2",
        place: NotUnder(&["src/text/", "src/session/", "src/record/", "src/view/", "src/app/"]),
        words: &["serde", "serde_json", "rusqlite"],
        why: "shapes on disk are private to formats and store, those of `--format json` to cli",
    },
    Ban {
        rule: "A3",
        place: OnlyUnder(&["src/store/", "src/formats/"]),
        words: &["rusqlite"],
        why: "SQL stays in store and formats",
    },
    Ban {
        rule: "A3",
        place: OnlyUnder(&["src/tui/"]),
        words: &["ratatui", "crossterm", "syntect"],
        why: "the terminal stays in tui",
    },
    Ban { rule: "A3", place: OnlyUnder(&["src/cli/"]), words: &["clap"], why: "the command line stays in cli" },
    Ban {
        rule: "A4",
        place: NotUnder(&["src/view/", "src/app/"]),
        words: &["Color", "Rgb", "Stylize", "Rect", "Buffer", "KeyEvent"],
        why: "a view says a tone, not a colour, and knows no terminal type",
    },
    Ban {
        rule: "A5",
        place: NotUnder(&["src/view/", "src/app/", "src/tui/draw/"]),
        words: &[
            "std::fs",
            "std::io",
            "std::net",
            "std::env",
            "std::process",
            "std::thread",
            "File",
            "SystemTime",
            "Instant",
            "Timestamp::now",
            "Zoned::now",
            "Mutex",
            "RwLock",
            "Condvar",
        ],
        why: "no IO, no clock, no lock where screens are made",
    },
    Ban {
        rule: "A6",
        place: NotUnder(&["src/formats/"]),
        words: &[
            "File::create",
            "File::create_new",
            "fs::write",
            "fs::rename",
            "fs::remove_file",
            "fs::remove_dir_all",
            "fs::create_dir",
            "fs::create_dir_all",
            "fs::set_permissions",
            "write(true)",
            "append(true)",
            "create(true)",
            "create_new(true)",
            "truncate(true)",
            "OFlags::WRONLY",
            "OFlags::RDWR",
            "OFlags::CREATE",
            "OFlags::TRUNC",
            "OFlags::APPEND",
            "SQLITE_OPEN_READ_WRITE",
            "SQLITE_OPEN_CREATE",
            "Connection::open(",
            "set_len",
        ],
        why: "an agent's files are only ever read",
    },
    Ban {
        rule: "no memory map",
        place: NotUnder(&["src/"]),
        words: &["memmap", "memmap2", "Mmap", "mmap"],
        why: "a mapped file that is cut short kills the reader",
    },
    Ban {
        rule: "clock",
        place: OnlyUnder(&["src/cli/settings.rs"]),
        words: &["SystemTime::now", "Timestamp::now", "Zoned::now"],
        why: "time is passed in",
    },
    Ban {
        rule: "print",
        place: OnlyUnder(&["src/cli/print.rs"]),
        words: &["print!", "println!", "eprint!", "eprintln!", "dbg!"],
        why: "everyone else returns values",
    },
    Ban {
        rule: "own wrapping",
        place: NotUnder(&["src/"]),
        words: &["ratatui::widgets::Wrap", "Wrap {", ".wrap(Wrap"],
        why: "ratatui's own wrapping panics on some wide glyphs",
    },
];

/// What breaks a rule: where, and why it is one.
#[derive(Debug, PartialEq, Eq)]
struct Breach {
    rule: &'static str,
    at: String,
    what: String,
}

fn breach(rule: &'static str, file: &Source, line: usize, what: String) -> Breach {
    Breach { rule, at: format!("{}:{line}", file.path), what }
}

fn under(path: &str, places: &[&str]) -> bool {
    places.iter().any(|place| path.starts_with(place))
}

fn words_in_their_place(file: &Source) -> Vec<Breach> {
    let mut found = Vec::new();
    for ban in BANS {
        let forbidden = file.path.starts_with("src/")
            && match ban.place {
                OnlyUnder(places) => !under(&file.path, places),
                NotUnder(places) => under(&file.path, places),
            };
        for line in file.code.iter().filter(|line| forbidden && !line.test) {
            found.extend(
                ban.words
                    .iter()
                    .filter(|word| holds_word(&line.code, word))
                    .map(|word| breach(ban.rule, file, line.no, format!("`{word}`: {}", ban.why))),
            );
        }
    }
    found
}

fn rooms_in_order(file: &Source) -> Vec<Breach> {
    let Some(room) = file.room() else { return Vec::new() };
    let Some((_, allowed)) = USES.iter().find(|(name, _)| *name == room) else {
        return vec![breach("A1", file, 1, format!("the room `{room}` is not in the table of tests/architecture.rs"))];
    };
    file.uses()
        .into_iter()
        .filter(|(_, used)| used != room && USES.iter().any(|(name, _)| name == used))
        .filter(|(_, used)| !allowed.contains(&used.as_str()))
        .map(|(line, used)| breach("A1", file, line, format!("`{room}` must not use `{used}`")))
        .collect()
}

fn short_files(file: &Source) -> Vec<Breach> {
    let lines = file.code.iter().filter(|line| !line.test).count();
    if file.path.starts_with("src/") && lines > LONGEST {
        return vec![breach("length", file, 1, format!("{lines} lines without its tests, more than {LONGEST}"))];
    }
    Vec::new()
}

fn says_what_it_holds(file: &Source) -> Vec<Breach> {
    let first = file.text.lines().next().unwrap_or_default();
    let fits = !is_rust(&file.path) || first.starts_with("//! ");
    if fits { Vec::new() } else { vec![breach("//!", file, 1, "a file opens with what is in it".into())] }
}

fn named_by_what_it_holds(file: &Source) -> Vec<Breach> {
    let stem = Path::new(&file.path).file_stem().unwrap().to_string_lossy().into_owned();
    let vague = ["utils", "util", "helpers", "helper", "common", "misc"].contains(&stem.as_str())
        || stem.contains("_part") && is_rust(&file.path);
    if vague {
        return vec![breach("name", file, 1, format!("`{stem}` does not say what the file holds"))];
    }
    Vec::new()
}

fn expects_lints(file: &Source) -> Vec<Breach> {
    file.code
        .iter()
        .filter(|line| line.code.contains("#[allow(") || line.code.contains("#![allow("))
        .map(|line| breach("expect", file, line.no, "`#[expect(lint, reason = \"…\")]` instead of allow".into()))
        .collect()
}

fn finished(file: &Source) -> Vec<Breach> {
    let later = |no: usize, line: &str, words: [&str; 2]| {
        let word = words.into_iter().find(|word| holds_word(line, word))?;
        Some(breach("finished", file, no, format!("`{word}`: finish it or leave it out")))
    };
    let notes = file.notes.lines().enumerate();
    let noted = notes.filter_map(|(at, line)| later(at + 1, line, ["TODO", "FIXME"]));
    let code = file.code.iter().filter_map(|line| later(line.no, &line.code, ["unimplemented!", "todo!"]));
    noted.chain(code).collect()
}

fn speaks_of_no_machine(file: &Source) -> Vec<Breach> {
    let places = [concat!("/wo", "rk/"), concat!("/tmp/", "wt"), concat!("/fa", "rm"), concat!("/ro", "ot/")];
    let lines = file.text.lines().enumerate();
    lines
        .flat_map(|(at, line)| {
            places
                .iter()
                .filter(move |place| line.contains(*place))
                .map(move |place| breach("machine", file, at + 1, format!("`{place}` is a place on one machine")))
        })
        .collect()
}

fn on_the_map(file: &Source) -> Vec<Breach> {
    if file.path != "src/lib.rs" {
        return Vec::new();
    }
    let map: Vec<&str> = file.text.lines().take_while(|line| line.starts_with("//!")).collect();
    let rooms = file.code.iter().filter_map(|line| {
        let name = line.code.trim().strip_prefix("pub mod ")?.strip_suffix(';')?;
        Some((line.no, name.to_owned()))
    });
    rooms
        .filter(|(_, room)| !map.iter().any(|line| line.contains(&format!("[`{room}`]"))))
        .map(|(line, room)| breach("map", file, line, format!("the room `{room}` is not on the map above")))
        .collect()
}

type Rule = (&'static str, fn(&Source) -> Vec<Breach>);

const RULES: &[Rule] = &[
    ("rooms use only rooms above them", rooms_in_order),
    ("words stand where they may", words_in_their_place),
    ("files are short", short_files),
    ("files say what they hold", says_what_it_holds),
    ("names say what a file holds", named_by_what_it_holds),
    ("lints are expected, not allowed", expects_lints),
    ("nothing is left for later", finished),
    ("no place on one machine is named", speaks_of_no_machine),
    ("every room is on the map", on_the_map),
];

fn breaches(files: &[Source], rule: fn(&Source) -> Vec<Breach>) -> String {
    files.iter().flat_map(rule).fold(String::new(), |mut list, breach| {
        let _ = writeln!(list, "{}: {}: {}", breach.at, breach.rule, breach.what);
        list
    })
}

#[test]
fn the_house_holds_its_rules() {
    let files = Source::all();
    assert!(files.iter().any(|file| file.path == "src/lib.rs"), "the sources were not found");
    let found: Vec<String> = RULES
        .iter()
        .map(|(name, rule)| (name, breaches(&files, *rule)))
        .filter(|(_, found)| !found.is_empty())
        .map(|(name, found)| format!("{name}:\n{found}"))
        .collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn the_clock_is_read_at_one_place() {
    let files = Source::all();
    let reads: Vec<String> = files
        .iter()
        .filter(|file| file.path.starts_with("src/"))
        .flat_map(|file| file.code.iter().map(move |line| (file, line)))
        .filter(|(_, line)| !line.test && holds_word(&line.code, "SystemTime::now"))
        .map(|(file, line)| format!("{}:{}", file.path, line.no))
        .collect();
    assert_eq!(reads.len(), 1, "the clock is read at {reads:?}");
    assert!(reads[0].starts_with("src/cli/settings.rs:"), "the clock is read at {reads:?}");
}

/// Stored screens and outputs that no test names: nobody would notice when they are wrong.
fn unnamed<'a>(goldens: &[&'a str], tests: &str) -> Vec<&'a str> {
    let name = |golden: &str| golden.split('.').next().unwrap_or_default().to_owned();
    goldens.iter().filter(|golden| !tests.contains(&format!("\"{}\"", name(golden)))).copied().collect()
}

#[test]
fn every_stored_output_is_named_by_a_test() {
    assert_eq!(unnamed(&["start.80x24.txt", "gone.txt"], "golden(\"start\")"), ["gone.txt"]);
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for (folder, reader) in [("cli", "cli/"), ("frames", "frames")] {
        let sources: String = Source::all()
            .iter()
            .filter(|file| file.path.starts_with(&format!("tests/{reader}")))
            .map(|file| file.text.as_str())
            .collect();
        let entries = std::fs::read_dir(tests.join(folder)).unwrap();
        let names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).filter(|it| !is_rust(it)).collect();
        assert!(!names.is_empty() && !sources.is_empty(), "nothing is stored for {folder}");
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(unnamed(&names, &sources), [""; 0], "in tests/{folder}");
    }
}

/// The tests that tables in the docs of rooms name, between backticks behind the last bar.
fn named_tests(docs: &str) -> Vec<&str> {
    let rows = docs.lines().filter(|line| line.starts_with("//! |"));
    let cells = rows.filter_map(|row| row.trim_end_matches(['|', ' ']).rsplit('|').next());
    let words = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    words.filter_map(|word| word.rsplit("::").next()).filter(|word| word.matches('_').count() > 1).collect()
}

#[test]
fn every_test_that_a_table_names_is_there() {
    let docs = "//! | A1 | what | `a.rs`: `x::tests::a_b_c`, `d_e_f` |\n// | `g_h_i` |\n//! `j_k_l`";
    assert_eq!(named_tests(docs), ["a_b_c", "d_e_f"]);
    let files = Source::all();
    let text = |file: &Source| std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&file.path)).unwrap();
    let texts: Vec<String> = files.iter().map(text).collect();
    let named: Vec<&str> = texts.iter().flat_map(|text| named_tests(text)).collect();
    assert!(named.len() > 60, "{}", named.len());
    let missing: Vec<&&str> =
        named.iter().filter(|name| !texts.iter().any(|text| text.contains(&format!("fn {name}(")))).collect();
    assert!(missing.is_empty(), "no test is called {missing:?}");
}

#[test]
fn every_folder_is_a_room_of_the_table() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let entries = std::fs::read_dir(src).unwrap().map(Result::unwrap);
    let strangers: Vec<String> = entries
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|folder| !USES.iter().any(|(room, _)| room == folder))
        .collect();
    assert_eq!(strangers, [""; 0], "folders of src that are no rooms");
}

#[test]
fn a_room_uses_only_rooms_that_stand_before_it() {
    for (at, (room, uses)) in USES.iter().enumerate() {
        for used in *uses {
            assert!(USES[..at].iter().any(|(before, _)| before == used), "{room} uses {used}, which stands below it");
        }
    }
}

/// Path, text, and the breaches as `line rule` (empty: it is innocent).
const CASES: &[(&str, &str, &[&str])] = &[
    ("src/session/a.rs", "//! x\nuse crate::store::Db;", &["2 A1"]),
    ("src/store/a.rs", "//! x\nuse crate::{session::Part, formats::open};", &["2 A1"]),
    ("src/store/a.rs", "//! x\nuse crate::{\n    session::Part,\n    formats::{open, close},\n};", &["4 A1"]),
    ("src/store/a.rs", "//! x\nfn f() { super::super::formats::open() }", &["2 A1"]),
    ("src/store/a.rs", "//! x\nfn f() { super::formats() }", &[]),
    ("src/compile/a.rs", "//! x\nuse crate::extract::scan;", &[]),
    ("src/compile/a.rs", "//! x\nuse crate::audit::check;", &["2 A1"]),
    ("src/tui/a.rs", "//! x\nuse crate::cli::run;", &["2 A1"]),
    ("src/cli/a.rs", "//! x\nuse crate::tui::run;", &["2 A1"]),
    ("src/cli/a.rs", "//! x\nuse crate::store::Store;", &["2 A1"]),
    ("src/attic/a.rs", "//! x\n", &["1 A1"]),
    ("src/session/a.rs", "//! x\nuse std::fs;", &["2 A2"]),
    ("src/record/a.rs", "//! x\nuse serde::Serialize;", &["2 A2"]),
    ("src/app/a.rs", "//! x\nuse serde_json::Value;", &["2 A2"]),
    ("src/cli/a.rs", "//! x\nuse rusqlite::Connection;", &["2 A3"]),
    ("src/main.rs", "//! x\nuse clap::Parser;", &["2 A3"]),
    ("src/workbench/a.rs", "//! x\nuse ratatui::Frame;", &["2 A3"]),
    ("src/workbench/a.rs", "//! x\n// ratatui would do\nlet s = \"ratatui\";", &[]),
    ("src/view/a.rs", "//! x\nfn f(c: Color) {}", &["2 A4"]),
    ("src/app/a.rs", "//! x\nfn f() { let t = Instant::now(); }", &["2 A5"]),
    ("src/tui/draw/a.rs", "//! x\nfn f(m: &Mutex<u8>) {}", &["2 A5"]),
    ("src/tui/worker.rs", "//! x\nfn f(m: &Mutex<u8>) {}", &[]),
    ("src/formats/a.rs", "//! x\nfn f() { OpenOptions::new().write(true); }", &["2 A6"]),
    ("src/formats/a.rs", "//! x\nfn f() { std::fs::write(p, b); }", &["2 A6"]),
    ("src/formats/a.rs", "//! x\n#[cfg(test)]\nmod tests {\n    fn f() { std::fs::write(p, b); }\n}", &[]),
    ("src/formats/a/tests.rs", "//! x\nfn f() { std::fs::write(p, b); }", &[]),
    ("src/formats/a.rs", "//! x\nfn f(c: char) { if c == '\"' { std::fs::write(p, b); } }", &["2 A6"]),
    ("src/formats/a.rs", "//! x\nlet s = r#\"fs::write(\"#; fs::rename(a, b);", &["2 A6"]),
    ("src/store/a.rs", "//! x\nfn f() { SystemTime::now(); }", &["2 clock"]),
    ("src/store/a.rs", "//! x\nfn f() { println!(\"x\"); }", &["2 print"]),
    ("src/cli/print.rs", "//! x\nfn f() { println!(\"x\"); }", &[]),
    ("src/store/a.rs", "//! x\nuse memmap2::Mmap;", &["2 no memory map", "2 no memory map"]),
    ("src/tui/draw/a.rs", "//! x\nfn f() { p.wrap(Wrap { trim: true }) }", &["2 own wrapping", "2 own wrapping"]),
    ("src/store/a.rs", "//! x\n#[allow(dead_code)]", &["2 expect"]),
    ("src/store/a.rs", "//! x\nlet heading = \"TODO\";", &[]),
    ("src/store/tests/a.rs", "//! x\nfn f() { println!(\"x\"); }", &[]),
    ("src/store/a.rs", "fn f() {}", &["1 //!"]),
    ("src/store/helpers.rs", "//! x", &["1 name"]),
    ("src/lib.rs", "//! - [`text`]: strings\npub mod text;\npub mod store;", &["3 map"]),
];

fn caught(path: &str, text: &str) -> Vec<String> {
    let file = Source::new(path.to_owned(), text.to_owned());
    let found = RULES.iter().flat_map(|(_, rule)| rule(&file));
    found.map(|b| format!("{} {}", b.at.rsplit(':').next().unwrap(), b.rule)).collect()
}

#[test]
fn every_rule_catches_its_breach() {
    for (path, text, want) in CASES {
        assert_eq!(caught(path, text), *want, "{path}\n{text}");
    }
    for (word, rule) in [
        ("// TODO: later", "finished"),
        ("let a = 1; /* FIXME */", "finished"),
        ("fn f() { unimplemented!() }", "finished"),
        (concat!("// see /wo", "rk/x"), "machine"),
    ] {
        assert_eq!(caught("src/store/a.rs", &format!("//! x\n{word}")), [format!("2 {rule}")]);
    }
    let long = format!("//! x\n{}", "fn f() {}\n".repeat(LONGEST));
    assert_eq!(caught("src/store/a.rs", &long), ["1 length"]);
    let tested = format!("//! x\n#[cfg(test)]\nmod tests {{\n{}}}\n", "fn f() {}\n".repeat(LONGEST));
    assert_eq!(caught("src/store/a.rs", &tested), [""; 0]);
}
