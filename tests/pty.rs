//! Journeys on a real terminal: that it is ours while the program runs, and as it was before in every case after.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/terminal.rs"]
mod terminal;

use std::env;
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::CommandBuilder;
use ratatui::Frame;
use ratatui::widgets::Paragraph;
use rustix::process::Signal;
use stet::app::{Action, Effect, Key, KeyCode};
use stet::tui::colours::Background;
use stet::tui::{InkedLine, Program, Settings, run_program};
use stet::workbench::{Engine, EngineRules, Rules, Utterance};

use terminal::{Terminal, foreign_sequences};

/// Set for the process that is the program on the terminal.
const CHILD: &str = "STET_TEST_TERMINAL_CHILD";

/// A program that shows what happened to it.
#[derive(Default)]
struct Echo {
    said: String,
    size: (u16, u16),
    frames: u32,
    panic_in_draw: bool,
    background: Option<Background>,
}

impl Program for Echo {
    fn start(&mut self) -> Vec<Effect> {
        Vec::new()
    }

    fn update(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Key(Key { code: KeyCode::Char(c), .. }) => match c {
                'q' => return vec![Effect::Quit],
                'z' => return vec![Effect::Suspend],
                'y' => return vec![Effect::Copy("copied \u{1b}[31m".to_owned())],
                'e' => return vec![Effect::Edit("old".to_owned())],
                'm' => return vec![Effect::Mouse { capture: false }],
                'p' => self.panic_in_draw = true,
                other => self.said = format!("key {other}"),
            },
            Action::Key(key) => self.said = format!("key {:?}", key.code),
            Action::Mouse(mouse) => self.said = format!("{:?} {},{}", mouse.kind, mouse.column, mouse.row),
            Action::Paste(text) => self.said = format!("pasted {} bytes", text.len()),
            Action::Resize { width, height } => self.size = (width, height),
            Action::Edited(text) => self.said = format!("edited {text:?}"),
            Action::Notice(text) => self.said = format!("notice {text}"),
            other => self.said = format!("{other:?}"),
        }
        Vec::new()
    }

    fn draw(&mut self, frame: &mut Frame) {
        assert!(!self.panic_in_draw, "drawing went wrong");
        self.frames += 1;
        let (width, height) = self.size;
        let text = format!(
            "ready {width}x{height}\n{}\nframe {}\n{}",
            self.said,
            self.frames,
            self.background.map_or(String::new(), |background| format!("{background:?}"))
        );
        frame.render_widget(Paragraph::new(text), frame.area());
    }

    fn background(&mut self, background: Background) {
        self.background = Some(background);
    }

    fn learn(&mut self, _: Vec<InkedLine>) {}
}

/// Not a test by itself: what the tests below start on their terminals.
#[test]
fn the_program_on_the_terminal() {
    if env::var_os(CHILD).is_none() {
        return;
    }
    let settings = Settings::of_environment(|name| env::var(name).ok());
    run_program(&settings, |tell| {
        if env::var_os("STET_TEST_WORKER_PANICS").is_some() {
            thread::spawn(move || {
                let _ = std::panic::catch_unwind(|| panic!("a worker died"));
                tell.tell(Action::Notice("a worker died".to_owned()));
            });
        }
        Ok((Echo::default(), Some))
    })
    .unwrap();
}

fn start_with(columns: u16, rows: u16, variables: &[(&str, &str)]) -> Terminal {
    let mut command = CommandBuilder::new(env::current_exe().unwrap());
    command.args(["--exact", "the_program_on_the_terminal", "--nocapture"]);
    command.env(CHILD, "1");
    command.env("TERM", "xterm-256color");
    command.env("RUST_BACKTRACE", "0");
    for name in ["VISUAL", "EDITOR", "NO_COLOR", "COLORFGBG"] {
        command.env_remove(name);
    }
    for (name, value) in variables {
        command.env(name, value);
    }
    Terminal::start(command, columns, rows)
}

fn start() -> Terminal {
    let terminal = start_with(80, 24, &[]);
    terminal.wait_for("ready 80x24");
    terminal
}

#[test]
fn quitting_gives_the_terminal_back() {
    let mut terminal = start();
    assert!(terminal.is_alternate());
    terminal.send("j");
    terminal.wait_for("key j");
    terminal.send("\x1b");
    terminal.wait_for("key Esc");
    terminal.send("\x1b[<0;5;2M");
    terminal.wait_for("Click 4,1");
    terminal.send("q");
    assert!(terminal.wait().success());
    terminal.assert_given_back();
    assert_eq!(foreign_sequences(&terminal.raw()), [""; 0]);
}

#[test]
fn signals_end_it_within_a_second_and_give_the_terminal_back() {
    for (signal, name) in [(Signal::TERM, "Terminated"), (Signal::HUP, "Hangup"), (Signal::INT, "Interrupt")] {
        let mut terminal = start();
        let asked = Instant::now();
        terminal.signal(signal);
        let status = terminal.wait();
        assert!(asked.elapsed() < Duration::from_secs(1), "{name} took {:?}", asked.elapsed());
        assert!(!status.success(), "{name}: the caller sees that it was ended");
        terminal.assert_given_back();
    }
}

#[test]
fn a_panic_gives_the_terminal_back_and_is_readable() {
    let mut terminal = start();
    terminal.send("p");
    assert!(!terminal.wait().success());
    terminal.wait_for("drawing went wrong");
    terminal.assert_given_back();
    let raw = terminal.raw();
    let left = memchr::memmem::rfind(&raw, b"\x1b[?1049l").unwrap() + 8;
    assert!(!raw[left..].contains(&0x1b), "nothing of a frame comes after the screen was left");
}

#[test]
fn a_worker_that_dies_does_not_write_on_the_screen() {
    let mut terminal = start_with(80, 24, &[("STET_TEST_WORKER_PANICS", "1")]);
    terminal.wait_for("notice a worker died");
    assert!(!String::from_utf8_lossy(&terminal.raw()).contains("panicked"));
    terminal.send("q");
    assert!(terminal.wait().success());
}

#[test]
fn a_closed_terminal_ends_it_without_a_busy_loop() {
    let mut terminal = start();
    let asked = Instant::now();
    terminal.close();
    terminal.wait();
    assert!(asked.elapsed() < Duration::from_secs(1), "it took {:?}", asked.elapsed());
}

#[test]
fn nothing_happens_while_nothing_happens() {
    let terminal = start();
    thread::sleep(Duration::from_millis(300));
    let (bytes, ticks) = (terminal.raw().len(), terminal.ticks());
    thread::sleep(Duration::from_secs(1));
    assert_eq!(terminal.raw().len(), bytes, "nothing is drawn");
    assert_eq!(terminal.ticks(), ticks, "no processor time is used");
}

#[test]
fn it_stops_and_comes_back() {
    for stop in ["key", "signal"] {
        let mut terminal = start();
        if stop == "key" {
            terminal.send("z");
        } else {
            terminal.signal(Signal::TSTP);
        }
        terminal.wait_until("its stop", |terminal| terminal.state() == 'T');
        terminal.assert_given_back();
        terminal.signal(Signal::CONT);
        terminal.wait_until("the screen", Terminal::is_alternate);
        terminal.send("k");
        terminal.wait_for("key k");
        terminal.wait_for("ready 80x24");
        terminal.send("q");
        assert!(terminal.wait().success());
        terminal.assert_given_back();
    }
}

#[test]
fn stopped_from_outside_it_takes_the_terminal_again() {
    let mut terminal = start();
    terminal.signal(Signal::STOP);
    terminal.wait_until("its stop", |terminal| terminal.state() == 'T');
    let drawn = terminal.raw().len();
    terminal.signal(Signal::CONT);
    terminal.wait_until("a new frame", |terminal| String::from_utf8_lossy(&terminal.raw()[drawn..]).contains("ready"));
    terminal.send("k");
    terminal.wait_for("key k");
    terminal.send("q");
    assert!(terminal.wait().success());
    terminal.assert_given_back();
}

#[test]
fn any_size_is_survived() {
    let mut terminal = start();
    for (columns, rows) in [(1, 1), (0, 0), (2, 40), (300, 1), (0, 5), (100, 30)] {
        terminal.resize(columns, rows);
    }
    terminal.wait_for("ready 100x30");
    terminal.send("q");
    assert!(terminal.wait().success());
    terminal.assert_given_back();
    let mut terminal = start_with(0, 0, &[]);
    terminal.wait_until("the alternate screen", Terminal::is_alternate);
    terminal.resize(80, 24);
    terminal.wait_for("ready 80x24");
    terminal.send("q");
    assert!(terminal.wait().success());
}

#[test]
fn a_huge_paste_is_one_thing_and_runs_no_keys() {
    let mut terminal = start();
    let text = "q".repeat(3 << 20);
    terminal.send(&format!("\x1b[200~{text}\x1b[201~"));
    terminal.wait_for("notice the paste was longer");
    terminal.send("\x1b[200~qqq\x1b[201~");
    terminal.wait_for("pasted 3 bytes");
    terminal.send("q");
    assert!(terminal.wait().success());
}

#[test]
fn the_background_that_the_terminal_tells_is_used_and_never_typed() {
    let mut terminal = start();
    terminal.send("\x1b]11;rgb:ffff/ffff/f0f0\x07\x1b[?62;c");
    terminal.wait_for("Light");
    assert!(!terminal.screen().contains("key"), "an answer is no key:\n{}", terminal.screen());
    terminal.send("q");
    assert!(terminal.wait().success());
}

#[test]
fn the_clipboard_gets_safe_text() {
    let mut terminal = start();
    terminal.send("y");
    // "copied ^[[31m" in base 64.
    terminal.wait_until("the copy", |terminal| {
        String::from_utf8_lossy(&terminal.raw()).contains("\x1b]52;c;Y29waWVkIF5bWzMxbQ==")
    });
    terminal.send("q");
    assert!(terminal.wait().success());
    assert_eq!(foreign_sequences(&terminal.raw()), [""; 0]);
}

#[test]
fn the_editor_has_the_terminal_for_itself() {
    let editor = r#"f() { printf 'in the editor: '; read -r line; printf '%s' "$line" > "$1"; }; f"#;
    let mut terminal = start_with(80, 24, &[("EDITOR", editor)]);
    terminal.wait_for("ready 80x24");
    terminal.send("e");
    terminal.wait_for("in the editor:");
    assert!(!terminal.is_alternate());
    terminal.send("quite new\r");
    terminal.wait_for("edited Some(\"quite new\")");
    assert!(terminal.is_alternate());
    terminal.send("q");
    assert!(terminal.wait().success());
    terminal.assert_given_back();
}

#[test]
fn an_editor_that_is_missing_is_told() {
    let mut terminal = start_with(100, 24, &[("VISUAL", "no-such-editor-here")]);
    terminal.wait_for("ready");
    terminal.send("e");
    terminal.wait_for("notice the editor \"no-such-editor-here\" was not found");
    terminal.send("q");
    assert!(terminal.wait().success());
}

/// The program itself, in a home of its own.
fn stet(home: &Path, arguments: &[&str]) -> Terminal {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_stet"));
    command.args(arguments);
    command.env_clear();
    for (name, value) in [("TERM", "xterm-256color"), ("PATH", "/usr/bin:/bin"), ("USER", "ana"), ("TZ", "UTC")] {
        command.env(name, value);
    }
    command.env("HOME", home);
    command.cwd(home);
    Terminal::start(command, 120, 36)
}

/// Unfolds the first record, and waits until its originals were read: nothing is corrected before.
fn unfold_the_first_record(terminal: &mut Terminal) {
    terminal.wait_for("1  you");
    terminal.send("]\r");
    terminal.wait_for("d1");
    terminal.wait_until("the originals", |terminal| !terminal.screen().contains("reading the originals"));
}

/// A line of a Claude Code session that a person typed.
fn typed_line(no: u32, text: &str) -> String {
    let line = serde_json::json!({
        "type": "user", "uuid": format!("u{no}"), "parentUuid": null, "sessionId": "s1", "cwd": "/p", "version": "2.0.1",
        "isSidechain": false, "userType": "external", "timestamp": format!("2026-03-02T09:{no:02}:00.000Z"),
        "message": {"role": "user", "content": text},
    });
    format!("{line}\n")
}

/// A4.30: a marker is unfolded, and one key corrects what it says.
#[test]
fn a_correction_is_there_when_the_sample_is_opened_again() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = stet(home.path(), &["demo", "orders-status"]);
    unfold_the_first_record(&mut terminal);
    terminal.send("jjjjx");
    terminal.wait_for("saved as L1");
    terminal.send("q");
    assert!(terminal.wait().success());
    terminal.assert_given_back();
    assert_eq!(foreign_sequences(&terminal.raw()), [""; 0]);

    let mut terminal = stet(home.path(), &["demo", "orders-status"]);
    terminal.wait_for("1  you");
    terminal.send("]\r");
    terminal.wait_for("1 corrected");
    terminal.wait_for("L1");
    terminal.send("q");
    assert!(terminal.wait().success());
}

#[test]
fn a_finding_is_found_answered_and_stays_answered() {
    let home = tempfile::tempdir().unwrap();
    let checked = |terminal: &mut Terminal| {
        terminal.wait_for("1  you");
        terminal.send("]");
        terminal.wait_until("the check", |terminal| {
            let screen = terminal.screen();
            screen.contains("of 155") && !screen.contains("checking") && screen.contains("m1")
        });
        terminal.send("f");
        terminal.wait_for("Findings in");
    };
    let mut terminal = stet(home.path(), &["demo", "orders-status"]);
    checked(&mut terminal);
    assert!(!terminal.screen().contains("1 answered"), "{}", terminal.screen());
    terminal.send("\r");
    terminal.wait_until("the record", |terminal| !terminal.screen().contains("Findings in"));
    terminal.send("x");
    terminal.wait_for("saved as L1");
    terminal.send("q");
    assert!(terminal.wait().success());
    terminal.assert_given_back();
    assert_eq!(foreign_sequences(&terminal.raw()), [""; 0]);

    let mut terminal = stet(home.path(), &["demo", "orders-status"]);
    checked(&mut terminal);
    terminal.wait_for("1 answered");
    terminal.wait_for("L1");
    terminal.send("w");
    terminal.wait_for("saved");
    terminal.send("q");
    terminal.wait_until("the list left", |terminal| !terminal.screen().contains("Findings in"));
    terminal.send("q");
    assert!(terminal.wait().success());

    let mut terminal = stet(home.path(), &["demo", "orders-status"]);
    checked(&mut terminal);
    terminal.wait_for("turned round: a wrong alarm");
    terminal.send("qq");
    assert!(terminal.wait().success());
}

/// Waits until every record of a session with so many turns is checked.
fn wait_for_the_check(terminal: &mut Terminal, turns: &str) {
    terminal.wait_for("1  you");
    terminal.wait_for(turns);
    terminal.wait_until("the check", |terminal| !terminal.screen().contains("checking"));
}

#[test]
fn the_lineage_of_a_finding_says_what_was_found() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = stet(home.path(), &["demo", "orders-status"]);
    wait_for_the_check(&mut terminal, "of 155");
    terminal.send("f");
    terminal.wait_for("Findings in");
    terminal.send("i");
    terminal.wait_for("first change: turned round");
    terminal.send("q");
    terminal.wait_for("Findings in");
    // The last of the list is something forgotten.
    terminal.send("Gi");
    terminal.wait_for("first change: forgotten");
    terminal.send("qqq");
    assert!(terminal.wait().success());
}

#[test]
fn every_opening_of_a_record_is_counted() {
    let home = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions/credit-hold/session.interchange.jsonl");
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_stet"));
        command.env_clear().env("HOME", home.path()).args(arguments).output().unwrap()
    };
    assert!(run(&["import", sample.to_str().unwrap()]).status.success());
    let database = home.path().join(".local/share/stet/stet.db");
    let mut terminal = stet(home.path(), &[database.to_str().unwrap()]);
    wait_for_the_check(&mut terminal, "of 58");
    // Two openings of the first record, with a folding in between, and one of the second.
    terminal.send("]\r\r\r]\r");
    terminal.wait_for("n1");
    terminal.send("q");
    assert!(terminal.wait().success());
    let doctor = run(&["doctor", "--format", "json"]);
    let doctor: serde_json::Value = serde_json::from_slice(&doctor.stdout).unwrap();
    assert_eq!(doctor["database"]["opened"], serde_json::json!({"markers": 2, "times": 3}));
}

/// A session of an agent builder with closed blocks, in the default database of this home.
fn night_shift(home: &Path) {
    let db = home.join(".local/share/stet/stet.db");
    std::fs::create_dir_all(db.parent().unwrap()).unwrap();
    let blocks = Rules { target: 4, cap: 6, ..Rules::default() };
    let rules = EngineRules { blocks, ..EngineRules::by(|| 1_772_460_420_000) };
    let mut engine = Engine::with(&db, "night-shift", rules).unwrap();
    for no in 1..=9 {
        let said = format!("Never lock orders_{no} between 08:00 and 20:00. The limit in src/part_{no}.rs was {no}07.");
        let (user, agent) = (format!("u{no}"), format!("a{no}"));
        engine.append(&[Utterance::user(&user, &said), Utterance::agent(&agent, "I look at it now.")]).unwrap();
    }
    engine.compile().unwrap();
}

#[test]
fn the_window_on_the_screen_is_that_of_the_command() {
    let home = tempfile::tempdir().unwrap();
    night_shift(home.path());
    let mut terminal = stet(home.path(), &["night-shift"]);
    terminal.wait_for("1  you");
    terminal.send("W");
    for budget in ["5000", "500", "300"] {
        terminal.send(&format!("{budget}+"));
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_stet"));
        command.env_clear().env("HOME", home.path());
        let told = command.args(["window", "night-shift", "--format", "json", "--budget", budget]).output().unwrap();
        let window: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
        let number = |value: &serde_json::Value| stet::view::thousands(value.as_u64().unwrap());
        terminal.wait_for(&format!("≈ {} of {} tok ·", number(&window["tokens"]), number(&window["budget"])));
        assert_eq!(window["over_budget"].as_bool(), Some(terminal.screen().contains("over budget by")));
        let words = |line: &str| line.trim_matches(['▌', ' ']).split_whitespace().collect::<Vec<_>>().join(" ") + " ";
        let kinds = ["system ", "ledger ", "span ", "block ", "turn "];
        let regions = window["regions"].as_array().unwrap();
        let is_of = |(row, region): (&String, &serde_json::Value)| {
            let turns = match (region["from"].as_u64(), region["to"].as_u64()) {
                (Some(from), Some(to)) if from == to => format!("{from} "),
                (Some(from), Some(to)) => format!("{from}–{to} "),
                _ => String::new(),
            };
            let figures = format!(" {turns}{} ", number(&region["tokens"]));
            row.starts_with(region["kind"].as_str().unwrap()) && row.contains(&figures)
        };
        // The head is drawn before the rows.
        terminal.wait_until("the regions of the command, each in its row", |terminal| {
            let shown = terminal.screen();
            let rows = shown.lines().map(words).filter(|row| kinds.iter().any(|kind| row.starts_with(kind)));
            let rows: Vec<String> = rows.collect();
            rows.len() == regions.len() && rows.iter().zip(regions).all(is_of)
        });
    }
    terminal.send("1+");
    terminal.wait_for("The ledger alone takes");
    terminal.send("5000+");
    terminal.wait_for("block 1");
    // Over system and ledger to the second block.
    terminal.send("jjj\r");
    terminal.wait_for("5  you");
    terminal.send("q");
    assert!(terminal.wait().success());
    terminal.assert_given_back();
    assert_eq!(foreign_sequences(&terminal.raw()), [""; 0]);
}

#[test]
fn the_outline_leads_to_compactions_and_says_how_blocks_are_made() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = stet(home.path(), &["demo", "orders-status"]);
    terminal.wait_for("of 155");
    terminal.send("O");
    terminal.wait_for("53,077");
    terminal.wait_for("155 turns · 6 compactions · no block");
    terminal.wait_for("stet compile ");
    terminal.send("]]\r");
    terminal.wait_for("m3 ⊟ turns 60–80");
    terminal.send("O");
    terminal.wait_for("Outline of");
    let copy = home.path().join(".local/share/stet/demo/orders-status/session.db");
    let mut compile = std::process::Command::new(env!("CARGO_BIN_EXE_stet"));
    assert!(compile.env_clear().env("HOME", home.path()).arg("compile").arg(copy).output().unwrap().status.success());
    terminal.send("O");
    terminal.wait_for("3 blocks");
    terminal.wait_for("block 1   turns 1–42");
    terminal.send("qq");
    assert!(terminal.wait().success());
    terminal.assert_given_back();
}

#[test]
fn nothing_that_a_session_says_reaches_the_terminal() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("session.jsonl");
    let evil = [
        "red \u{1b}[31m and \u{9b}31m",
        "title \u{1b}]0;owned\u{7} and clipboard \u{1b}]52;c;ZXZpbA==\u{7}",
        "ask \u{1b}[c \u{1b}[6n \u{1b}[?2026$p",
        "device \u{1b}Pq#0\u{1b}\\ never closed \u{1b}]8;;http://x",
        "over\rprint \u{8}\u{8}\u{8} \u{202e}txet",
    ];
    let lines: String = (1..).zip(evil).map(|(no, text)| typed_line(no, text)).collect();
    std::fs::write(&file, lines).unwrap();
    let mut terminal = stet(home.path(), &["session.jsonl"]);
    terminal.wait_for("^[[31m and <U+009B>31m");
    terminal.wait_for("^[]52;c;ZXZpbA==^G");
    terminal.wait_for("over^Mprint ^H^H^H <U+202E>txet");
    // The raw line, the search and a copy take other ways to the screen.
    terminal.send("r");
    terminal.wait_for("As it is stored");
    terminal.send("\x1b");
    terminal.wait_until("the transcript", |terminal| !terminal.screen().contains("As it is stored"));
    terminal.send("/owned\ry");
    terminal.send("q");
    assert!(terminal.wait().success());
    let raw = terminal.raw();
    assert_eq!(foreign_sequences(&raw), [""; 0]);
    assert!(memchr::memmem::find(&raw, b"ZXZpbA==\x07").is_none());
}

#[test]
fn where_a_file_holds_several_sessions_it_asks_which() {
    let home = tempfile::tempdir().unwrap();
    let db = home.path().join("both.db");
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions");
    let mut import = std::process::Command::new(env!("CARGO_BIN_EXE_stet"));
    import.env_clear().env("HOME", home.path()).arg("--db").arg(&db).arg("import");
    for sample in ["orders-status", "credit-hold"] {
        import.arg(samples.join(sample).join("session.interchange.jsonl"));
    }
    assert!(import.output().unwrap().status.success());
    let mut terminal = stet(home.path(), &["both.db"]);
    terminal.wait_for("open which? 1–2");
    let screen = terminal.screen();
    let row = screen.lines().find(|row| row.contains("mixer")).unwrap();
    terminal.send(&format!("{}\r", row.split_whitespace().next().unwrap()));
    terminal.wait_for("turn 1 of 58");
    terminal.send("q");
    assert!(terminal.wait().success());
}

#[test]
fn what_somebody_else_enters_is_seen_while_the_session_is_open() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = stet(home.path(), &["demo", "orders-status"]);
    terminal.wait_for("1  you");
    let copy = home.path().join(".local/share/stet/demo/orders-status/session.db");
    let mut elsewhere = std::process::Command::new(env!("CARGO_BIN_EXE_stet"));
    elsewhere.env_clear().env("HOME", home.path()).stdin(std::process::Stdio::null());
    elsewhere.args(["ledger", "add", "--kind", "constraint", "--text", "ask Ola first"]).arg(copy);
    assert!(elsewhere.output().unwrap().status.success());
    terminal.send("L");
    terminal.wait_for("ask Ola first");
    terminal.wait_for("proposed");
    terminal.send("qq");
    assert!(terminal.wait().success());
}

#[test]
fn a_sub_agents_file_is_read_when_somebody_looks_into_it() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("session.jsonl");
    let call = serde_json::json!({
        "type": "assistant", "uuid": "u2", "parentUuid": "u1", "sessionId": "s1", "isSidechain": false,
        "timestamp": "2026-03-02T09:02:00.000Z",
        "message": {"id": "m2", "role": "assistant", "content": [
            {"type": "tool_use", "id": "c1", "name": "Task", "input": {"prompt": "find the owner"}}]},
    });
    let result = serde_json::json!({
        "type": "user", "uuid": "u3", "parentUuid": "u2", "sessionId": "s1", "isSidechain": false,
        "timestamp": "2026-03-02T09:03:00.000Z", "toolUseResult": {"agentId": "a7"},
        "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "billing"}]},
    });
    std::fs::write(&file, format!("{}{call}\n{result}\n", typed_line(1, "who owns it?"))).unwrap();
    let folder = home.path().join("session/subagents");
    std::fs::create_dir_all(&folder).unwrap();
    let side = |no: u32| {
        serde_json::json!({
            "type": "assistant", "uuid": format!("a{no}"), "sessionId": "s1", "isSidechain": true, "agentId": "a7",
            "timestamp": format!("2026-03-02T09:02:{:02}.000Z", no % 60),
            "message": {"id": format!("n{no}"), "role": "assistant", "content": [
                {"type": "text", "text": format!("look {no} {}", "and see ".repeat(200))}]},
        })
    };
    let lines = (1..=300).map(|no| side(no).to_string()).collect::<Vec<_>>().join("\n") + "\n";
    std::fs::write(folder.join("agent-a7.jsonl"), lines).unwrap();
    let mut terminal = stet(home.path(), &["session.jsonl"]);
    terminal.wait_for("sub-agent a7");
    terminal.send("/look 290\r");
    terminal.wait_for("look 290 and see");
    terminal.send("gg/look 1 \r");
    terminal.wait_for("look 1 and see");
    terminal.send("q");
    assert!(terminal.wait().success());
    terminal.assert_given_back();
}

#[test]
fn what_is_appended_is_seen() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("session.jsonl");
    std::fs::write(&file, typed_line(1, "the first thing that was said")).unwrap();
    let mut terminal = stet(home.path(), &["session.jsonl"]);
    terminal.wait_for("the first thing");
    let mut open = std::fs::OpenOptions::new().append(true).open(&file).unwrap();
    open.write_all(typed_line(2, "and something new").as_bytes()).unwrap();
    terminal.wait_for("and something new");
    terminal.send("q");
    assert!(terminal.wait().success());
}

#[test]
fn an_open_session_costs_nearly_nothing_and_ends_by_a_signal() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = stet(home.path(), &["demo", "orders-status"]);
    terminal.wait_for("of 155");
    terminal.wait_until("the check", |terminal| !terminal.screen().contains("checking"));
    thread::sleep(Duration::from_secs(1));
    let (bytes, ticks) = (terminal.raw().len(), terminal.ticks());
    thread::sleep(Duration::from_secs(2));
    assert_eq!(terminal.raw().len(), bytes, "nothing is drawn");
    assert!(terminal.ticks() - ticks <= 2, "{} ticks", terminal.ticks() - ticks);
    let asked = Instant::now();
    terminal.signal(Signal::HUP);
    assert!(!terminal.wait().success());
    assert!(asked.elapsed() < Duration::from_secs(1), "it took {:?}", asked.elapsed());
    terminal.assert_given_back();
}

#[test]
fn the_editor_cannot_leave_the_terminal_in_its_own_modes() {
    let mut terminal = start_with(80, 24, &[("VISUAL", "stty raw -echo; true")]);
    terminal.wait_for("ready");
    terminal.send("e");
    terminal.wait_for("edited None");
    terminal.send("q");
    assert!(terminal.wait().success());
    terminal.assert_given_back();
}

#[test]
fn a_terminal_that_says_it_is_larger_than_any_screen_is_survived() {
    let mut terminal = start();
    terminal.resize_unseen(65_535, 65_535);
    terminal.wait_for("ready 1000x500");
    terminal.send("q");
    assert!(terminal.wait().success());
    terminal.assert_given_back();
}

/// The program with a sheet open in which somebody has typed.
fn with_a_sheet(home: &Path) -> Terminal {
    let mut terminal = stet(home, &["demo", "orders-status"]);
    unfold_the_first_record(&mut terminal);
    terminal.send("jjjjcr, perhaps");
    terminal.wait_for(", perhaps");
    terminal
}

#[test]
fn a_signal_ends_the_program_with_a_sheet_open() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        let home = tempfile::tempdir().unwrap();
        let mut terminal = with_a_sheet(home.path());
        terminal.signal(signal);
        assert!(!terminal.wait().success());
        terminal.assert_given_back();
        assert!(!terminal.screen().contains("panicked"), "{}", terminal.screen());
    }
}

#[test]
fn the_program_stops_and_goes_on_where_it_was() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = with_a_sheet(home.path());
    terminal.send("\x1a");
    terminal.wait_until("its stop", |terminal| terminal.state() == 'T');
    terminal.assert_given_back();
    terminal.signal(Signal::CONT);
    terminal.wait_until("the program's screen", Terminal::is_alternate);
    terminal.wait_for(", perhaps");
    terminal.send("\r");
    terminal.wait_for("saved as L1");
    terminal.signal(Signal::TSTP);
    terminal.wait_until("its stop", |terminal| terminal.state() == 'T');
    terminal.signal(Signal::CONT);
    terminal.wait_until("the program's screen", Terminal::is_alternate);
    terminal.wait_for("perhaps");
    terminal.send("q");
    assert!(terminal.wait().success());
    terminal.assert_given_back();
}

#[test]
fn the_program_ends_when_its_terminal_is_closed() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = with_a_sheet(home.path());
    terminal.close();
    let asked = Instant::now();
    terminal.wait();
    assert!(asked.elapsed() < Duration::from_secs(5), "it took {:?}", asked.elapsed());
}
