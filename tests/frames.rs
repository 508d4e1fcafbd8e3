//! The screen as a person sees it: keys in, a frame out, beside a map of its tones.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "frames/glance.rs"]
mod glance;
#[path = "frames/whole.rs"]
mod whole;
#[path = "frames/world.rs"]
mod world;

use std::collections::BTreeSet;
use std::path::PathBuf;

use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use stet::app::State;
use stet::app::{Action, Effect, Key, Mouse, MouseKind, Settings};
use stet::record::{CheckStage, Checked, Field, Finding, FindingKind, Ledger, Severity, Verdict};
use stet::session::{Batch, Body, Part};
use stet::tui::colours::{Background, Depth};
use stet::tui::draw::draw;
use stet::tui::theme::Theme;
use stet::view::Signs;
use stet::view::{Picture, Tone};
use whole::compiled_orders;
use world::{World, checked_orders, orders};

/// Every size that a frame is looked at in.
const SIZES: [(u16, u16); 4] = [(200, 50), (120, 36), (80, 24), (50, 15)];

type Case = (&'static str, &'static [(u16, u16)], &'static str);

/// Name, sizes, and the keys that lead there from the start of the session.
const CASES: &[Case] = &[
    ("start", &SIZES, ""),
    ("record", &SIZES, "]<Enter>"),
    ("evidence", &SIZES, "]<Enter>jjj"),
    ("unchecked", &[(120, 36), (80, 24)], "]<Enter>jjjjjj"),
    ("corrected", &SIZES, "]<Enter>jjjx"),
    ("repeated-claim", &[(120, 36)], "]<Enter>jjjx]<Enter>j"),
    ("source", &[(120, 36), (80, 24)], "]<Enter>jjj<Enter>"),
    ("back", &[(80, 24)], "]<Enter>jjj<Enter><Backspace>"),
    ("menu", &SIZES, "]<Enter>jjjc"),
    ("reword", &[(120, 36), (50, 15)], "]<Enter>jjjcr<ctrl-u>maybe an enum, later"),
    ("settle", &[(120, 36), (80, 24)], "]]<Enter>jjjx"),
    ("settled", &[(80, 24)], "]]<Enter>jjjx<Enter>"),
    ("answer", &[(120, 36), (50, 15)], "]<Enter>jjjjjjjx<Tab>nobody owns it"),
    ("checked", &[(80, 24)], "]<Enter>jjjjv"),
    ("undo", &[(80, 24)], "]<Enter>jjjxu"),
    ("tools", &[(120, 36), (80, 24)], "jjjjjjjl<Down>"),
    ("tool-result", &[(80, 24)], "jjjjjjjjjjjl"),
    ("ledger", &SIZES, "]<Enter>jjjxcrX<Enter>kxuL"),
    ("ledger-empty", &[(80, 24)], "L"),
    ("help", &[(120, 36), (50, 15)], "?"),
    ("help-search", &[(80, 24)], "?/marker<Enter>"),
    ("palette", &[(120, 36), (80, 24)], ":led"),
    ("search", &[(80, 24)], "/export<Enter>n"),
    ("raw", &[(80, 24)], "jr"),
    ("troubles", &[(80, 24)], "!"),
    ("unread-line", &[(80, 24)], "!<Enter>"),
    ("end", &[(120, 36), (80, 24)], "G"),
];

/// The same of a session whose records are checked.
const CHECKED: &[Case] = &[
    ("found", &SIZES, "]"),
    ("found-record", &SIZES, "]<Enter>"),
    ("found-item", &SIZES, "]<Enter>jjj"),
    ("found-repeat", &[(120, 36), (80, 24)], "]]<Enter>j"),
    ("found-corrected", &[(120, 36), (80, 24)], "]<Enter>jjjx"),
    ("forgotten", &SIZES, "}}}"),
    ("forgotten-all", &[(80, 24)], "}}}jjjjjjjjjjjj<Enter>jj"),
    ("pinned", &[(120, 36), (80, 24)], "}}}x"),
    ("wrong-alarm", &[(120, 36), (80, 24)], "}}w"),
    ("pane", &[(120, 36)], "}<Tab>j"),
    ("findings", &SIZES, "f"),
    ("findings-kind", &[(120, 36), (80, 24)], "f<Tab>"),
    ("findings-answered", &[(120, 36), (80, 24), (50, 15)], "fxjjxjw"),
    ("lineage", &SIZES, "}i"),
    ("window-as-said", &[(120, 36), (50, 15)], "W"),
    ("outline-markers", &[(120, 36), (80, 24), (50, 15)], "O"),
];

/// The same of a session of which blocks are closed.
const COMPILED: &[Case] = &[
    ("window", &SIZES, "W"),
    ("window-over", &[(120, 36), (80, 24)], "W50+jj"),
    ("window-brief", &[(120, 36), (80, 24), (50, 15)], "W9+jj"),
    ("window-ledger-alone", &[(80, 24)], "W1+"),
    ("outline", &SIZES, "O"),
    ("outline-block", &[(120, 36)], "Oj"),
];

fn golden(name: &str, (width, height): (u16, u16)) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/frames/{name}.{width}x{height}.txt"))
}

/// The frame as text, and under it which tone each cell has.
fn shown(state: &State, size: (u16, u16)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).unwrap();
    let theme = Theme::new(Background::Dark, Depth::True);
    terminal.draw(|frame| draw(state, &theme, frame)).unwrap();
    let buffer = terminal.backend().buffer();
    let mut text = String::new();
    for y in 0..size.1 {
        let mut row = String::new();
        let mut x = 0;
        while x < size.0 {
            let symbol = buffer[(x, y)].symbol();
            row.push_str(symbol);
            x += stet::text::width(&stet::text::Shown::line(symbol)).max(1) as u16;
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    format!("{text}{}\n{}", "=".repeat(usize::from(size.0)), tones(&state.picture(), size))
}

fn tones(picture: &Picture, size: (u16, u16)) -> String {
    let mut cells = vec![vec![' '; usize::from(size.0)]; usize::from(size.1)];
    for area in &picture.areas {
        for nth in 0..usize::from(area.height) {
            let Some(line) = cells.get_mut(usize::from(area.y) + nth) else { continue };
            let from = usize::from(area.x);
            line[from..(from + usize::from(area.width)).min(usize::from(size.0))].fill(' ');
            let Some(row) = area.rows.get(nth) else { continue };
            let mut put = |mut x: usize, runs: &[stet::view::Run]| {
                for run in runs {
                    for cell in line.iter_mut().skip(x).take(run.width()) {
                        *cell = letter(run.tone);
                    }
                    x += run.width();
                }
            };
            put(from, &row.runs);
            let edge = if row.measure == 0 { area.width } else { area.width.min(row.measure) };
            let right: usize = row.right.iter().map(stet::view::Run::width).sum();
            put((from + usize::from(edge)).saturating_sub(right), &row.right);
        }
    }
    let mut text = String::new();
    for line in cells {
        text.push_str(line.into_iter().collect::<String>().trim_end());
        text.push('\n');
    }
    text
}

fn letter(tone: Tone) -> char {
    match tone {
        Tone::Text | Tone::User => ' ',
        Tone::Dim => '.',
        Tone::Accent => 'a',
        Tone::Warning => 'w',
        Tone::Heading => 'h',
        Tone::Strong => 's',
        Tone::Emphasis => 'e',
        Tone::Struck => 'x',
        Tone::Code => 'c',
        Tone::Marked => 'm',
        Tone::Found => 'f',
    }
}

#[test]
fn every_frame_looks_as_its_golden_says() {
    let rewrite = std::env::var_os("UPDATE_GOLDENS").is_some();
    let mut named = BTreeSet::new();
    let mut wrong = Vec::new();
    let worlds = [(CASES, orders as fn() -> World), (CHECKED, checked_orders), (COMPILED, compiled_orders)];
    for (world, (name, sizes, keys)) in worlds.iter().flat_map(|(cases, world)| cases.iter().map(move |of| (world, of)))
    {
        for size in *sizes {
            let mut world = world();
            let mut state = world.open(*size);
            world.keys(&mut state, keys);
            let got = shown(&state, *size);
            let path = golden(name, *size);
            named.insert(path.clone());
            if rewrite {
                std::fs::write(&path, &got).unwrap();
            } else if std::fs::read_to_string(&path).unwrap_or_default() != got {
                wrong.push(format!("{}\n{got}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "UPDATE_GOLDENS=1 rewrites these:\n{}", wrong.join("\n"));
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/frames");
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "txt") {
            assert!(named.contains(&path), "{} belongs to no case", path.display());
        }
    }
}

/// What each key asks of the world, from a place that other keys lead to.
#[test]
fn keys_ask_for_what_they_say() {
    let item = "]<Enter>jjj";
    let table: &[(&str, &str, &str)] = &[
        ("", "q", "Quit"),
        ("", "<ctrl-c>", "Quit"),
        ("", "<ctrl-z>", "Suspend"),
        ("", "y", "Copy(\"We move"),
        (item, "y", "Copy(\"convert orders.status to an enum\")"),
        ("", "Y", "Copy(\"/sessions/orders.jsonl:1\")"),
        (item, "Y", "Copy(\"/sessions/orders.jsonl:13\")"),
        ("jr", "y", "Copy(\"{\\\"line\\\":1"),
        (item, "cr<ctrl-e>", "Edit(\"convert orders.status to an enum\")"),
        ("", ":mouse<Enter>", "Mouse { capture: false }"),
        (item, "crX<ctrl-c>y", "Quit"),
        (item, "crX<Esc><ctrl-c>", "Quit"),
    ];
    for (before, keys, want) in table {
        let mut world = orders();
        let mut state = world.open((120, 36));
        world.keys(&mut state, before);
        world.seen.clear();
        world.keys(&mut state, keys);
        let seen = format!("{:?}", world.seen);
        assert!(seen.contains(want), "{before:?} then {keys:?}: {seen}");
    }
}

/// What is entered for an item by each way of correcting it.
#[test]
fn every_correction_is_the_one_of_the_table() {
    // Rows of the first record: n1, d1, d2, c1, c2, r1, o1, a1, f1, e1.
    let quoted = "Should orders.status become an enum? Not sure it's worth a migration on a table that size.";
    let table: &[(usize, &str, &str, &str)] = &[
        (1, "x", "never-said never_said", "The orders table moves to the new cluster; the backfill is done."),
        (10, "x", "replaced fact", "orders.status"),
        (9, "x", "replaced fact", "4,812,330"),
        (4, "x", "replaced constraint", "never lock orders between 08:00 and 20:00"),
        (3, "x", "reopened open", quoted),
        (8, "x", "replaced fact", "psql orders -f backfill.sql"),
        (6, "x", "reopened open", "partitioning by month"),
        (7, "xbilling does<Enter>", "settled decision decided", "billing does"),
        (7, "x<Tab>nobody<Enter>", "settled ruled_out ruled-out", "nobody"),
        (7, "x<BackTab>asked<Enter>", "settled fact done", "asked"),
        (7, "x<Enter>billing<Esc>x<Enter>", "settled decision decided", "billing"),
        (6, "cd", "settled decision decided", "partitioning by month"),
        (6, "cn", "never-said never_said", "partitioning by month"),
        (6, "cp", "pinned ruled_out", "partitioning by month"),
        (3, "cx", "reopened open", quoted),
        (3, "cjjj<Enter>", "pinned decision", "convert orders.status to an enum"),
        (3, "cr, perhaps<Enter>", "reworded decision", "convert orders.status to an enum, perhaps"),
    ];
    for (row, keys, want, text) in table {
        let mut world = orders();
        let mut state = world.open((120, 36));
        world.keys(&mut state, &format!("]<Enter>{}{keys}", "j".repeat(*row)));
        let entries = &state.known.ledger.entries;
        assert_eq!(entries.len(), 1, "row {row}, {keys}");
        let draft = &entries[0].entry.draft;
        let outcome = draft.outcome.map_or_else(String::new, |outcome| format!(" {}", outcome.name()));
        let got = format!("{} {}{outcome}", draft.act.name(), draft.kind.name());
        assert_eq!((got.as_str(), draft.text.as_str()), (*want, *text), "row {row}, {keys}");
        assert!(screen(&state).contains("saved as L1 · no agent is connected yet"), "row {row}, {keys}");
    }
}

/// The text of the screen.
fn screen(state: &State) -> String {
    let picture = state.picture();
    let mut text = String::new();
    for row in picture.areas.iter().flat_map(|area| &area.rows) {
        text.push_str(&row.plain());
        text.push('\n');
    }
    text
}

#[test]
fn nothing_is_called_saved_before_it_is_and_a_failed_save_keeps_the_text() {
    let mut world = orders();
    world.full_disk = true;
    let mut state = world.open((80, 24));
    world.keys(&mut state, "]<Enter>jjjcr<ctrl-u>only an idea<Enter>");
    let text = screen(&state);
    assert!(text.contains("only an idea") && text.contains("the disk is full"), "{text}");
    assert!(!text.contains("saved as"), "{text}");
    assert!(state.has_unsaved_text());
    world.full_disk = false;
    world.keys(&mut state, "<Enter>");
    assert!(screen(&state).contains("saved as L1"), "{}", screen(&state));
    assert!(!state.has_unsaved_text());
}

#[test]
fn leaving_asks_first_when_text_would_be_lost() {
    let mut world = orders();
    let mut state = world.open((80, 24));
    world.keys(&mut state, "]<Enter>jjjcrX<ctrl-c>");
    assert!(world.seen.is_empty());
    assert!(screen(&state).contains("What you typed is not saved."));
    world.keys(&mut state, "n");
    assert!(screen(&state).contains("enumX"), "the text is still there");
}

#[test]
fn undo_and_redo_go_back_and_forth() {
    let mut world = orders();
    let mut state = world.open((120, 36));
    world.keys(&mut state, "]<Enter>jjjxkx");
    let counts = |state: &State| -> Vec<u32> { state.known.ledger.active().map(|entry| entry.no).collect() };
    let mut steps = vec![counts(&state)];
    for key in ["u", "u", "U", "U", "u"] {
        world.keys(&mut state, key);
        steps.push(counts(&state));
    }
    assert_eq!(steps, [vec![1, 2], vec![1], vec![], vec![1], vec![1, 2], vec![1]]);
}

#[test]
fn a_jump_to_a_source_marks_the_words_and_the_way_back_is_exact() {
    let mut world = orders();
    let mut state = world.open((80, 24));
    world.keys(&mut state, "]<Enter>jjj");
    let before = shown(&state, (80, 24));
    world.keys(&mut state, "<Enter>");
    let picture = state.picture();
    let runs = picture.areas.iter().flat_map(|area| &area.rows).flat_map(|row| &row.runs);
    let marked: Vec<&str> = runs.filter(|run| run.tone == Tone::Marked).map(|run| run.text.as_str()).collect();
    let marked = marked.join(" ");
    assert_eq!(
        marked.trim(),
        "Should orders.status become an enum? Not sure it's worth a migration on a table that size."
    );
    world.keys(&mut state, "<Backspace>");
    assert_eq!(shown(&state, (80, 24)), before);
}

#[test]
fn the_way_back_is_exact_over_a_stretch_that_has_to_be_read_again() {
    let mut world = long(400);
    let item = world.item(Field::Open, "the export of region 3", Some("what about the export of region 3?"));
    world.compacted(50_000, 1_000, vec![item]);
    world.you("Go on.");
    let mut state = world.open((80, 24));
    world.keys(&mut state, "]<Enter>j");
    let before = shown(&state, (80, 24));
    assert!(at_cursor(&state).contains("the export of region 3"), "{before}");
    world.keys(&mut state, "<Enter>");
    assert!(screen(&state).contains("Question 3:") && !screen(&state).contains("Go on."), "{}", screen(&state));
    world.keys(&mut state, "<Backspace>");
    assert_eq!(shown(&state, (80, 24)), before);
    // Also from the other end of the session.
    world.keys(&mut state, "gg<Backspace>");
    assert_eq!(shown(&state, (80, 24)), before);
}

#[test]
fn the_record_fills_in_place_when_its_sources_come() {
    let mut world = orders();
    world.slow_records = true;
    let mut state = world.open((80, 24));
    world.keys(&mut state, "]<Enter>jjjj");
    let rows = |state: &State| -> Vec<String> {
        screen(state).lines().map(|line| line.chars().skip(4).take(40).collect()).collect()
    };
    let before = rows(&state);
    assert!(screen(&state).contains("reading the originals"), "{}", screen(&state));
    world.finish_records(&mut state);
    let after = rows(&state);
    let moved = |text: &str| {
        (before.iter().position(|row| row.contains(text)), after.iter().position(|row| row.contains(text)))
    };
    for text in ["c1", "Decided", "Ruled out"] {
        let (before, after) = moved(text);
        assert_eq!(before, after, "{text}");
    }
    assert!(!screen(&state).contains("reading the originals"));
}

/// The row of hints after these keys in a session whose records are checked.
fn hints_after(keys: &str) -> String {
    let mut world = checked_orders();
    let mut state = world.open((120, 36));
    world.keys(&mut state, keys);
    screen(&state).lines().last().unwrap().to_owned()
}

#[test]
fn hints_name_only_what_does_something() {
    let table: &[(&str, &[&str], &[&str])] = &[
        ("f", &["x fix", "c more"], &["x pin"]),
        ("f8", &["x pin", "w wrong alarm"], &["c more", "x fix"]),
        ("]<Enter>jjjxL", &["x withdraw"], &["a "]),
        // The withdrawal changes another entry, which is below it.
        ("]<Enter>jjjxuL", &["Enter source"], &["x withdraw", "a "]),
        ("]<Enter>jjjxuLj", &["a reinstate"], &["x withdraw"]),
        ("L", &[], &["x withdraw", "a "]),
    ];
    for (keys, named, not_named) in table {
        let hints = hints_after(keys);
        assert!(named.iter().all(|hint| hints.contains(hint)), "{keys}: {hints}");
        assert!(!not_named.iter().any(|hint| hints.contains(hint)), "{keys}: {hints}");
    }
}

#[test]
fn a_file_that_is_gone_is_told_in_the_head_instead_of_followed() {
    for size in SIZES {
        let mut world = orders();
        let mut state = world.open(size);
        world.keys(&mut state, "F");
        world.drive(&mut state, Action::Gone(true));
        let head = screen(&state).lines().next().unwrap().to_owned();
        assert!(head.contains("the file is gone: nothing more comes"), "{head}");
        assert!(!screen(&state).contains("following"), "{}", screen(&state));
        world.drive(&mut state, Action::Gone(false));
        assert!(!screen(&state).contains("the file is gone"), "it was moved back");
    }
}

#[test]
fn a_click_on_a_kind_shows_it_and_a_second_one_on_a_row_opens_it() {
    let mut world = checked_orders();
    let mut state = world.open((80, 24));
    world.keys(&mut state, "f");
    let kinds = |state: &State| screen(state).lines().find(|line| line.contains("all 16")).unwrap().to_owned();
    let column = kinds(&state).find("forgotten").unwrap() as u16;
    let click = |world: &mut World, state: &mut State, column, row| {
        world.drive(state, Action::Mouse(Mouse { kind: MouseKind::Click, column, row }));
    };
    click(&mut world, &mut state, column, 1);
    assert!(kinds(&state).contains("[forgotten 14]"), "{}", kinds(&state));
    click(&mut world, &mut state, 2, 1);
    assert!(kinds(&state).contains("[all 16]"), "{}", kinds(&state));
    world.keys(&mut state, "gg");
    let below = screen(&state).lines().position(|line| line.contains("never said  ")).unwrap() as u16 + 1;
    click(&mut world, &mut state, column, below);
    assert!(at_cursor(&state).contains("partitioning"), "{}", at_cursor(&state));
    assert!(screen(&state).contains("16 findings"), "the first click rests on it");
    let here = screen(&state).lines().position(|line| line.starts_with('▌')).unwrap() as u16 + 1;
    click(&mut world, &mut state, column, here);
    assert!(
        !screen(&state).contains("16 findings") && at_cursor(&state).contains("partitioning"),
        "{}",
        screen(&state)
    );
}

#[test]
fn the_palette_goes_by_pages_and_tells_as_much_as_fits() {
    let mut world = orders();
    let mut state = world.open((50, 15));
    let chosen = |state: &State| screen(state).lines().rfind(|line| line.starts_with('▌')).map(str::to_owned);
    world.keys(&mut state, ":<PgDn>");
    let at = chosen(&state);
    world.keys(&mut state, "<PgUp>");
    assert_ne!(chosen(&state), at);
    for line in screen(&state).lines().filter(|line| line.contains('…')) {
        assert!(line.trim_end().chars().count() >= 40, "cut beside empty space: {line}");
    }
}

#[test]
fn a_message_is_cleared_before_a_screen_is_left() {
    let mut world = checked_orders();
    let mut state = world.open((80, 24));
    world.keys(&mut state, "f9");
    assert!(screen(&state).contains("nothing of this kind was found"));
    world.keys(&mut state, "<Esc>");
    let text = screen(&state);
    assert!(text.contains("16 findings") && !text.contains("nothing of this kind"), "{text}");
    world.keys(&mut state, "<Esc>");
    assert!(!screen(&state).contains("16 findings"));
}

#[test]
fn a_list_of_one_kind_says_so_in_every_width() {
    for size in SIZES {
        let mut world = checked_orders();
        let mut state = world.open(size);
        world.keys(&mut state, "f8");
        assert!(screen(&state).contains("14 of 16 findings: forgotten"), "{}", screen(&state));
    }
}

/// A session of this many turns, each of a few rows.
fn long(turns: usize) -> World {
    let mut world = World::default();
    world.lines_at_once = 60;
    for n in 0..turns {
        world.you(&format!("Question {n}: what about the export of region {n}?"));
        world.works("", "I look.", ("Bash", "command: ls"), (true, "a\nb"));
    }
    world
}

#[test]
fn what_a_frame_and_a_key_cost_does_not_depend_on_the_length_of_the_session() {
    let height = 24;
    // A screen above, a screen below, and the entries at both edges.
    let most = 3 * u64::from(height) + 40;
    let mut costs = Vec::new();
    for turns in [200, 4_000] {
        let mut world = long(turns);
        let mut state = world.open((80, height));
        let mut before = state.transcript.rows_laid;
        assert!(before <= 2 * most, "opening {turns} turns laid out {before} rows");
        let mut each = Vec::new();
        for key in ["j", "<ctrl-d>", "<PgDn>", "G", "k", "<PgUp>", "gg", "150G", "/region 170<Enter>", "l", "h"] {
            world.keys(&mut state, key);
            let cost = state.transcript.rows_laid - before;
            before = state.transcript.rows_laid;
            assert!(cost <= most, "{key} in {turns} turns laid out {cost} rows");
            each.push(cost);
            let _ = state.picture();
            assert_eq!(state.transcript.rows_laid, before, "painting lays nothing out");
        }
        costs.push(each);
    }
    assert_eq!(costs[0], costs[1], "the same keys cost the same, whatever the length");
}

#[test]
fn the_window_goes_from_end_to_end_of_a_session_that_is_never_held_whole() {
    let mut world = long(300);
    world.lines_at_once = 30;
    let mut state = world.open((80, 24));
    let numbers = |state: &State| -> Vec<u32> {
        let heads = screen(state);
        heads
            .lines()
            .skip(1)
            .filter_map(|line| line.chars().skip(1).take(4).collect::<String>().trim().parse().ok())
            .collect()
    };
    let mut seen: BTreeSet<u32> = BTreeSet::new();
    for _ in 0..400 {
        seen.extend(numbers(&state));
        world.keys(&mut state, "<PgDn>");
    }
    assert_eq!(seen.len(), 600, "every turn came by");
    seen.clear();
    for _ in 0..400 {
        seen.extend(numbers(&state));
        world.keys(&mut state, "<PgUp>");
    }
    assert_eq!(seen.len(), 600, "and came by again on the way back");
}

#[test]
fn the_end_stays_on_the_screen_while_a_followed_session_grows() {
    let mut world = long(50);
    let mut state = world.open((80, 24));
    world.keys(&mut state, "F");
    world.you("One more thing.");
    world.index(&mut state);
    assert!(screen(&state).contains("One more thing."), "{}", screen(&state));
    world.keys(&mut state, "gg");
    world.you("And another.");
    world.index(&mut state);
    assert!(!screen(&state).contains("And another."), "who looks elsewhere is not moved");
}

#[test]
fn a_resize_keeps_the_place() {
    let mut world = orders();
    let mut state = world.open((120, 36));
    world.keys(&mut state, "]<Enter>jjj<Enter>");
    for (width, height) in [(40, 20), (200, 50), (25, 8), (80, 24)] {
        world.drive(&mut state, Action::Resize { width, height });
        let text = screen(&state);
        assert!(text.contains("Should"), "{width}x{height}\n{text}");
    }
}

#[test]
fn folds_hold_what_was_said_aside() {
    let mut world = World::default();
    world.you("Find the owner.");
    world.calls_agent("a1");
    world.side("I look around.");
    world.side("billing owns it");
    world.you("Thanks.");
    let mut state = world.open((80, 24));
    let folded = screen(&state);
    assert!(folded.contains("sub-agent a1  2 turns") && !folded.contains("I look around."), "{folded}");
    world.keys(&mut state, "jjjjl");
    let text = screen(&state);
    assert!(text.contains("I look around."), "{text}");
    world.keys(&mut state, "jjh");
    assert!(!screen(&state).contains("I look around."));
}

#[test]
fn ascii_signs_leave_no_other_character_of_the_programs_own() {
    let mut world = checked_orders();
    let settings = Settings { signs: &Signs::ASCII, ..Settings::default() };
    let mut state = world.open_with((120, 36), settings);
    for keys in ["", "]<Enter>jjjx", "c", "<Esc>L", "q?", "qf", "qgg}i", "qW", "qO"] {
        world.keys(&mut state, keys);
        let text = screen(&state);
        let odd: String = text.chars().filter(|c| !c.is_ascii() && *c != '…' && *c != '•').collect();
        assert_eq!(odd, "", "{keys}\n{text}");
    }
}

fn any_key() -> impl Strategy<Value = Action> {
    let names = [
        "j",
        "k",
        "l",
        "h",
        "g",
        "G",
        "x",
        "c",
        "r",
        "n",
        "p",
        "d",
        "v",
        "u",
        "U",
        "L",
        "q",
        "y",
        "Y",
        "N",
        "F",
        "J",
        "K",
        "!",
        "?",
        ":",
        "/",
        "[",
        "]",
        "{",
        "}",
        ",",
        ".",
        "a",
        "e",
        "f",
        "i",
        "w",
        "W",
        "O",
        "+",
        "-",
        "1",
        "9",
        "0",
        "enter",
        "esc",
        "tab",
        "backtab",
        "backspace",
        "del",
        "up",
        "down",
        "left",
        "right",
        "home",
        "end",
        "pgup",
        "pgdn",
        "space",
        "ctrl-d",
        "ctrl-u",
        "ctrl-p",
        "ctrl-e",
        "ctrl-w",
        "alt-enter",
        "f1",
        "é",
        "日",
    ];
    prop_oneof![
        12 => prop::sample::select(names.to_vec()).prop_map(|name| Action::Key(Key::parse(name).unwrap())),
        1 => (0..40_u16, 0..40_u16).prop_map(|(width, height)| Action::Resize { width, height }),
        1 => (0..45_u16, 0..45_u16, prop::sample::select(vec![MouseKind::Click, MouseKind::WheelUp, MouseKind::WheelDown]))
            .prop_map(|(column, row, kind)| Action::Mouse(Mouse { kind, column, row })),
        1 => ".{0,12}".prop_map(Action::Paste),
        1 => prop::option::of(".{0,12}").prop_map(Action::Edited),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn no_keys_at_any_size_break_it(
        size in (0..130_u16, 0..40_u16),
        at_once in 1..8_usize,
        nasty in "\\PC{0,40}",
        actions in prop::collection::vec(any_key(), 0..60),
    ) {
        let mut world = if at_once % 2 == 0 { checked_orders() } else { compiled_orders() };
        world.you(&format!("{nasty}\u{301}\u{200d}👩\u{200d}👧\t\u{1b}[31m\r\n**{nasty}`| a | b |\n|---|\n```\n{nasty}"));
        world.lines_at_once = at_once;
        let mut state = world.open(size);
        for action in actions {
            let resized = if let Action::Resize { width, height } = &action { Some((*width, *height)) } else { None };
            world.drive(&mut state, action);
            let (width, height) = resized.unwrap_or(size);
            let mut terminal = Terminal::new(TestBackend::new(width.max(1), height.max(1))).unwrap();
            let theme = Theme::new(Background::Light, Depth::Sixteen);
            terminal.draw(|frame| draw(&state, &theme, frame)).unwrap();
        }
    }
}

#[test]
fn every_hit_is_visited_once_on_the_way_round_folded_ones_too() {
    let mut world = World::default();
    world.you("Where is the marmot?");
    world.works(
        "a marmot, hm",
        "I look for it.",
        ("Grep", "pattern: x\npath: marmot.txt"),
        (true, "one\nmarmot two\nthree"),
    );
    world.agent("Nothing here.");
    world.agent("The marmot sleeps.\n\nLet it.\n\nThe marmot wakes.");
    let mut state = world.open((80, 40));
    world.keys(&mut state, "/marmot<Enter>");
    let here = |state: &State| -> String {
        let picture = state.picture();
        let mut rows = picture.areas.iter().flat_map(|area| &area.rows);
        rows.find(|row| row.selected).map(|row| row.plain().trim_matches(['▌', ' ']).to_owned()).unwrap()
    };
    let mut seen = vec![here(&state)];
    for _ in 0..6 {
        world.keys(&mut state, "n");
        seen.push(here(&state));
    }
    let want = [
        "Where is the marmot?",
        "▸ thinking  a marmot, hm  1 line",
        "▸ Grep  marmot.txt",
        "marmot two",
        "The marmot sleeps.",
        "The marmot wakes.",
        "Where is the marmot?",
    ];
    let same = seen.iter().zip(want).all(|(seen, want)| seen.starts_with(want.split("  ").next().unwrap()));
    assert!(same, "{seen:#?}");
    world.keys(&mut state, "NN");
    assert_eq!(here(&state), "The marmot sleeps.");
}

#[test]
fn numbers_and_markers_come_later_and_move_nothing() {
    let mut world = orders();
    let mut state = world.open_unread((80, 24), Settings::default());
    world.keys(&mut state, "<PgDn><PgDn>");
    let before = screen(&state);
    assert!(before.contains("…  agent") && before.contains("m… ⊟ turns …"), "{before}");
    world.keys(&mut state, "]");
    assert!(screen(&state).contains("still being read"), "{}", screen(&state));
    let texts = |state: &State| -> Vec<String> {
        screen(state).lines().skip(1).map(|line| line.chars().skip(6).take(30).collect()).collect::<Vec<_>>()
    };
    let before = texts(&state);
    world.index(&mut state);
    let after = texts(&state);
    let kept = before.iter().zip(&after).filter(|(before, after)| before == after).count();
    assert!(kept + 2 >= before.len(), "only the marker's own line and the head may differ\n{before:#?}\n{after:#?}");
    assert!(screen(&state).contains("  6  agent") && screen(&state).contains("turns 1–7"), "{}", screen(&state));
}

#[test]
fn the_mouse_scrolls_selects_and_unfolds() {
    let mut world = orders();
    let mut state = world.open((80, 24));
    let at = |state: &State, text: &str| {
        let rows = screen(state);
        rows.lines().position(|line| line.contains(text)).map(|row| row as u16)
    };
    let mut mouse = |state: &mut State, kind, row| world.drive(state, Action::Mouse(Mouse { kind, column: 10, row }));
    for _ in 0..30 {
        mouse(&mut state, MouseKind::WheelDown, 5);
    }
    assert_eq!(at(&state, "We move the orders"), None);
    for _ in 0..30 {
        mouse(&mut state, MouseKind::WheelUp, 5);
    }
    assert!(at(&state, "We move the orders").is_some());
    // The picture's first two areas are the head and the body, and one row between them is empty.
    let row = at(&state, "▸ Bash").unwrap() + 1;
    mouse(&mut state, MouseKind::Click, row);
    assert!(at(&state, "description: show the table").is_some(), "{}", screen(&state));
}

#[test]
fn changed_keys_work_and_are_the_ones_that_are_shown() {
    let mut world = orders();
    let keys = [("quit".to_owned(), vec!["Q".to_owned()]), ("nosuch".to_owned(), vec!["x".to_owned()])];
    let settings = Settings { keys: keys.into(), ..Settings::default() };
    let mut state = world.open_with((80, 24), settings);
    assert!(screen(&state).contains("Q quit"), "{}", screen(&state));
    assert!(screen(&state).contains("no command is called nosuch"), "{}", screen(&state));
    world.keys(&mut state, "q");
    assert!(world.seen.is_empty());
    world.keys(&mut state, "Q");
    assert_eq!(format!("{:?}", world.seen), "[Quit]");
}

#[test]
fn an_answer_that_nobody_waits_for_changes_nothing() {
    let mut world = orders();
    let mut state = world.open((80, 24));
    let before = shown(&state, (80, 24));
    world.drive(&mut state, Action::Window(9_999, stet::workbench::Window::default()));
    world.drive(&mut state, Action::Reviewed(9_998));
    world.drive(&mut state, Action::Failed(9_997, "late".into()));
    assert_eq!(shown(&state, (80, 24)), before);
}

#[test]
fn words_of_a_correction_that_were_left_come_back() {
    let mut world = orders();
    let mut state = world.open((80, 24));
    world.keys(&mut state, "]<Enter>jjjcr, perhaps<Esc>");
    assert!(screen(&state).contains("not saved"), "{}", screen(&state));
    world.keys(&mut state, "cr");
    assert!(screen(&state).contains("an enum, perhaps"), "{}", screen(&state));
}

#[test]
fn each_item_shows_its_own_words_though_they_stand_in_one_message() {
    let mut world = orders();
    let mut state = world.open((120, 36));
    let marked = |state: &State| -> String {
        let picture = state.picture();
        let runs = picture.areas.iter().flat_map(|area| &area.rows).flat_map(|row| &row.runs);
        let marked: Vec<&str> = runs.filter(|run| run.tone == Tone::Marked).map(|run| run.text.as_str()).collect();
        marked.join(" ")
    };
    world.keys(&mut state, "]<Enter>jjjj");
    assert!(marked(&state).contains("never lock") && !marked(&state).contains("dependencies"), "{}", marked(&state));
    world.keys(&mut state, "j");
    assert!(marked(&state).contains("dependencies") && !marked(&state).contains("never lock"), "{}", marked(&state));
}

/// The row that the cursor is on.
fn at_cursor(state: &State) -> String {
    let picture = state.picture();
    let mut rows = picture.areas.iter().flat_map(|area| &area.rows);
    rows.find(|row| row.selected).map(|row| row.plain().trim_matches(['▌', ' ']).to_owned()).unwrap_or_default()
}

#[test]
fn a_sub_agents_own_file_is_read_when_it_is_unfolded_piece_by_piece_and_again_in_a_new_stretch() {
    let mut world = World::default();
    world.you("Find the owner.");
    world.agent("A helper looks.");
    world.side_file("a7", &["step one", "step two", "step three", "step four", "step five"]);
    world.you("Thanks.");
    let mut state = world.open((80, 40));
    assert!(!screen(&state).contains("step one"), "{}", screen(&state));
    world.keys(&mut state, "jjjj");
    assert!(at_cursor(&state).contains("sub-agent a7"), "{}", at_cursor(&state));
    world.keys(&mut state, "<Enter>");
    let text = screen(&state);
    assert!(text.contains("step two") && !text.contains("step three"), "{text}");
    world.keys(&mut state, "jjjjj<Enter>");
    let text = screen(&state);
    assert!(text.contains("step four") && text.contains("Thanks."), "{text}");
    // Another stretch holds the fold alone, which stays unfolded.
    world.you("One more.");
    world.index(&mut state);
    world.keys(&mut state, "1Ggg");
    let text = screen(&state);
    assert!(text.contains("step one") && text.matches("step two").count() == 1, "{text}");
}

#[test]
fn a_hit_in_a_sub_agents_file_is_reached_wherever_it_stands() {
    let mut world = World::default();
    for n in 0..40 {
        world.you(&format!("Question {n}"));
        if n == 30 {
            world.side_file("a7", &["one", "two", "three", "four", "the marmot", "six"]);
        }
    }
    world.lines_at_once = 8;
    let mut state = world.open((80, 24));
    world.keys(&mut state, "/marmot<Enter>");
    assert_eq!(at_cursor(&state), "the marmot", "{}", screen(&state));
    assert!(screen(&state).contains("31.1.5"), "{}", screen(&state));
}

#[test]
fn a_stretch_is_never_cut_at_a_sub_agents_file() {
    let mut world = World::default();
    for n in 0..2_300 {
        world.you(&format!("Question {n}"));
        world.side_file(&format!("a{n}"), &["looks"]);
    }
    world.lines_at_once = 400;
    let mut state = world.open((80, 24));
    for _ in 0..5 {
        world.keys(&mut state, "2000<ctrl-d>2000<ctrl-d>2000<ctrl-d>");
    }
    world.keys(&mut state, "Ggg");
    let text = screen(&state);
    assert!(text.contains("Question 0"), "{text}");
    world.keys(&mut state, "2300G");
    for _ in 0..30 {
        world.keys(&mut state, "9999k");
    }
    let text = screen(&state);
    assert!(text.contains("Question 0"), "the way back has no gap: {text}");
}

#[test]
fn an_answer_about_a_stretch_that_is_gone_is_asked_again() {
    let mut world = long(60);
    world.lines_at_once = 20;
    let mut state = world.open((80, 24));
    // What stands after the stretch is asked for; before it comes, the stretch grows by other means.
    let mut late = Vec::new();
    for _ in 0..3 {
        for effect in stet::app::update(&mut state, Action::Key(Key::parse("pgdn").unwrap())) {
            late.push(effect);
        }
    }
    assert!(!late.is_empty(), "more was asked for");
    world.keys(&mut state, "60Ggg");
    for effect in late {
        for action in world.answer(effect) {
            world.drive(&mut state, action);
        }
    }
    for _ in 0..200 {
        world.keys(&mut state, "<PgDn>");
    }
    assert!(screen(&state).contains("Question 59"), "{}", screen(&state));
}

#[test]
fn a_record_is_opened_as_often_as_a_person_unfolds_it() {
    // Keys, and the markers whose records they open, known before or not.
    for (keys, want) in [
        ("]", &[][..]),
        ("]<Enter>", &[1]),
        ("]<Enter>l", &[1]),
        ("]<Enter><Enter><Enter>", &[1, 1]),
        ("]<Enter>]<Enter>", &[1, 2]),
        ("]<Enter>jjjr<Esc>", &[1]),
        ("f<Enter>", &[1]),
        ("]<Enter>f<Enter>", &[1]),
    ] {
        for mut world in [checked_orders(), orders()].into_iter().take(if keys.contains('f') { 1 } else { 2 }) {
            let mut state = world.open((80, 24));
            world.keys(&mut state, keys);
            assert_eq!(world.opened, want, "{keys}");
        }
    }
}

#[test]
fn a_marker_that_turns_out_otherwise_has_its_record_read_anew() {
    let mut world = orders();
    let mut state = world.open((80, 24));
    world.keys(&mut state, "]<Enter>jjj");
    let mut compaction = state.known.marker(1).unwrap().clone();
    let covered = vec![state.known.markers[0].1.clone()];
    let told = |compaction: &stet::session::Compaction| stet::session::Batch {
        markers: vec![compaction.clone()],
        covered: covered.clone(),
        turns: 11,
        read_to: 1_900,
        complete: true,
        ..stet::session::Batch::default()
    };
    compaction.tokens_after = Some(7);
    assert!(stet::app::update(&mut state, Action::Indexed(told(&compaction))).is_empty(), "only a figure was missing");
    assert_eq!(state.known.records[&1].compaction.tokens_after, Some(7));
    compaction.key.summary = stet::session::Hash::of(b"another summary");
    let effects = stet::app::update(&mut state, Action::Indexed(told(&compaction)));
    assert!(!state.known.records.contains_key(&1));
    assert!(matches!(effects.as_slice(), [Effect::Record { no: 1, .. }, ..]), "{effects:?}");
}

#[test]
fn the_palette_never_runs_what_writes_by_words_of_its_explanation() {
    // Typed words, and the command that Enter runs.
    let table = [
        ("raw", "raw line"),
        ("with", "withdraw"),
        ("ledger", "ledger"),
        ("undo", "undo"),
        ("hit", "hit before"),
        ("next hit", "next hit"),
        ("back", "back"),
        ("compaction", "next marker"),
        ("search", "search"),
        ("entered", "no command has these words"),
    ];
    for (typed, want) in table {
        let mut world = orders();
        let mut state = world.open((80, 24));
        world.keys(&mut state, &format!("{}:{typed}", if typed == "with" { "L" } else { "" }));
        let text = screen(&state);
        let first = text.lines().skip_while(|line| !line.contains("Commands")).nth(4).unwrap();
        assert!(first.trim_matches(['▌', ' ']).starts_with(want), "{typed}: {first}");
    }
}

#[test]
fn the_cursor_of_the_ledger_stays_on_its_entry() {
    let mut world = orders();
    let mut state = world.open((80, 24));
    world.keys(&mut state, "]<Enter>jjjxkxL");
    assert!(at_cursor(&state).starts_with("L2"), "{}", at_cursor(&state));
    world.keys(&mut state, "x");
    assert!(at_cursor(&state).starts_with("L2"), "{}", at_cursor(&state));
    world.keys(&mut state, "x");
    assert!(screen(&state).contains("L2 is withdrawn already"), "{}", screen(&state));
    assert_eq!(state.known.ledger.active().map(|entry| entry.no).collect::<Vec<_>>(), [1]);
}

#[test]
fn a_corrected_item_is_neither_fixed_again_nor_called_right() {
    let mut world = orders();
    let mut state = world.open((120, 36));
    world.keys(&mut state, "]<Enter>jjjx");
    let text = screen(&state);
    assert!(!text.contains("it is right") && !text.contains("x fix") && !text.contains("v right"), "{text}");
    for key in ["x", "v"] {
        world.keys(&mut state, key);
        let text = screen(&state);
        assert!(text.contains("already corrected by L1: u takes it back, c corrects it otherwise"), "{key}: {text}");
    }
    assert_eq!(state.known.ledger.entries.len(), 1);
    assert!(state.known.records[&1].reviewed.is_empty());
}

#[test]
fn a_save_says_where_else_it_holds_and_each_line_counts_it() {
    let mut world = orders();
    let mut state = world.open((120, 50));
    // The second marker repeats the claim; its record is known once it was unfolded.
    world.keys(&mut state, "]]<Enter>[<Enter>jjjx");
    let text = screen(&state);
    assert!(text.contains("saved as L1 · no agent is connected yet · holds for m1, m2"), "{text}");
    world.keys(&mut state, "]");
    let text = screen(&state);
    let line = text.lines().find(|line| line.contains("m2 ⊟")).unwrap();
    assert!(line.contains("1 corrected") && text.contains("1 of 3 checked"), "{text}");
}

#[test]
fn where_the_beginning_is_missing_nothing_is_called_never_said_unasked() {
    let mut world = orders();
    world.begins_midway();
    for size in SIZES {
        let mut state = world.open(size);
        world.keys(&mut state, "]<Enter>");
        let text = screen(&state);
        let line = text.lines().find(|line| line.contains("m1 ⊟")).unwrap();
        assert!(line.contains("beginning missing"), "{size:?}: {line}");
        world.keys(&mut state, "j");
        let words: String = screen(&state).split_whitespace().filter(|word| *word != "┆" && *word != "│").collect();
        assert!(words.contains("itmayhavebeensaidthere"), "{size:?}: {}", screen(&state));
        world.keys(&mut state, "x");
        assert!(screen(&state).contains("it was never said"), "the menu is open: {}", screen(&state));
        assert!(state.known.ledger.entries.is_empty());
    }
}

#[test]
fn the_search_goes_round_both_ways_and_says_so() {
    let mut world = orders();
    let mut state = world.open((80, 24));
    world.keys(&mut state, "/Who owns the nightly<Enter>");
    assert!(at_cursor(&state).starts_with("Who owns"), "{}", at_cursor(&state));
    world.keys(&mut state, "n");
    assert!(at_cursor(&state).contains("o1   Who owns the nightly export?"), "{}", screen(&state));
    world.keys(&mut state, "gg/Who owns the nightly<Enter>N");
    assert!(screen(&state).contains("came round to the end"), "{}", screen(&state));
    assert!(at_cursor(&state).contains("o1   Who owns the nightly export?"), "{}", screen(&state));
}

#[test]
fn a_search_says_which_turns_it_cannot_look_through() {
    let mut world = orders();
    world.unsearched = 2;
    let mut state = world.open((120, 36));
    for (typed, want) in [
        ("/Who owns the nightly<Enter>", "turns 1 to 2 cannot be searched, their texts are gone"),
        (
            "/zebra<Enter>",
            "zebra is not in what is left of this session: turns 1 to 2 cannot be searched, their texts are gone",
        ),
    ] {
        world.keys(&mut state, typed);
        assert!(screen(&state).contains(want), "{}", screen(&state));
    }
}

#[test]
fn what_comes_to_a_line_that_is_shown_is_read() {
    let mut world = orders();
    let mut state = world.open((80, 24));
    world.keys(&mut state, "F");
    let Some(last) = world.lines.last_mut() else { panic!("a session without lines") };
    let place = last.place(0);
    let Body::Message { parts, .. } = &mut last.body else { panic!("no message is last") };
    let part = Part { block: 9, text: "and one thing more".into(), ..parts[0].clone() };
    parts.push(part);
    let batch =
        Batch { turns: 11, read_to: state.known.read_to, complete: true, lengthened: Some(place), ..Batch::default() };
    world.drive(&mut state, Action::Indexed(batch));
    assert!(screen(&state).contains("and one thing more"), "{}", screen(&state));
}

#[test]
fn a_list_costs_what_is_seen_of_it() {
    let mut costs = Vec::new();
    for entries in [30, 3_000] {
        let mut world = orders();
        let mut state = world.open((80, 24));
        world.keys(&mut state, "]<Enter>jjj");
        let ledger = world.pins(entries);
        world.drive(&mut state, Action::Ledger(ledger));
        let mut each = Vec::new();
        for key in ["L", "j", "<PgDn>", "k"] {
            let before = state.rows_built.get();
            world.keys(&mut state, key);
            let _ = state.picture();
            each.push(state.rows_built.get() - before);
            assert!(each.iter().all(|cost| *cost <= 24), "{each:?}");
        }
        costs.push(each);
    }
    assert_eq!(costs[0], costs[1]);
}

#[test]
fn an_entry_whose_item_is_gone_says_so() {
    let mut world = orders();
    let mut state = world.open((80, 24));
    world.keys(&mut state, "]<Enter>jjjxL");
    assert!(!screen(&state).contains("item is gone"));
    // The same ledger beside a session that has no such marker.
    let marker = stet::session::MarkerKey { id: "no such marker".into(), summary: stet::session::Hash::of(b"x") };
    let ledger = world.re_anchored(marker);
    let mut world = World::default();
    world.you("Nothing of this was compacted.");
    let mut state = world.open((80, 24));
    world.drive(&mut state, Action::Ledger(ledger));
    world.keys(&mut state, "L");
    assert!(screen(&state).contains("item is gone"), "{}", screen(&state));
}

#[test]
fn the_evidence_scrolls_no_further_than_its_end() {
    let mut world = World::default();
    let long = (0..60).map(|n| format!("word {n} of a very long sentence")).collect::<Vec<_>>().join(" ");
    world.you(&long);
    let items = vec![world.item(stet::record::Field::Constraints, &long, Some(&long))];
    world.compacted(100, 10, items);
    let mut state = world.open((120, 20));
    world.keys(&mut state, "]<Enter>j<Tab>");
    world.keys(&mut state, "99j");
    let end = screen(&state);
    assert!(end.contains("go to turn 1"), "{end}");
    world.keys(&mut state, "k");
    assert_ne!(screen(&state), end, "the first key back is seen");
}

#[test]
fn the_evidence_on_the_screen_is_the_quote_at_any_width() {
    let quote = "Should orders.status become an enum? Not sure it's worth a migration on a table that size.";
    let bare = |text: &str| text.chars().filter(|c| c.is_alphanumeric() || *c == '.').collect::<String>();
    for width in 20..=200 {
        let mut world = orders();
        let mut state = world.open((width, 60));
        world.keys(&mut state, "]<Enter>jjj");
        let frame = shown(&state, (width, 60));
        let picture = frame.split_once("==").unwrap().0;
        let evidence: Vec<String> = if width < 110 {
            picture.lines().filter_map(|line| Some(line.split_once('┆')?.1.to_owned())).collect()
        } else {
            picture.lines().filter_map(|line| Some(line.split_once('│')?.1.to_owned())).collect()
        };
        let text = bare(&evidence.concat());
        assert!(text.contains(&bare(quote)), "{width}: {evidence:#?}");
    }
}

#[test]
fn messages_are_never_cut_inside_a_word() {
    for (width, height) in SIZES {
        let mut world = orders();
        let mut state = world.open((width, height));
        world.keys(&mut state, "]<Enter>jjjxv");
        let frame = shown(&state, (width, height));
        let words: String = frame.split_once("==").unwrap().0.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in ["already corrected by L1: u takes it back", "c corrects it otherwise"] {
            let found = words.replace("u undo ", "").contains(part);
            assert!(found, "{width}x{height}: {words}");
        }
    }
}

#[test]
fn a_part_of_a_megabyte_in_one_line_costs_no_more_than_is_shown_of_it() {
    let hostile = "*a *b ".repeat(170_000);
    let rows_of = |state: &State, before: u64| state.transcript.rows_laid - before;
    let mut world = World::default();
    world.you(&hostile);
    world.works(&hostile, "", ("Bash", &format!("command: {hostile}")), (true, &hostile));
    let mut state = world.open((80, 24));
    // At first 32 kB of words; all that is ever laid out of one part is 256 kB, at more than 50 bytes a row.
    let opened = rows_of(&state, 0);
    assert!(opened < 2 * 32 * 1024 / 50, "{opened} rows");
    for _ in 0..25 {
        world.keys(&mut state, "<PgDn>");
    }
    assert!(screen(&state).contains("more bytes"), "{}", screen(&state));
    world.keys(&mut state, "<End>kkk");
    let mut most = 0;
    for _ in 0..12 {
        let before = state.transcript.rows_laid;
        world.keys(&mut state, "lj");
        most = most.max(rows_of(&state, before));
    }
    assert!(most < 3 * 256 * 1024 / 50, "{most} rows");
}

#[test]
fn of_a_record_of_thousands_of_items_a_few_hundred_are_laid_out_until_the_rest_is_asked_for() {
    let mut world = World::default();
    world.you("Hello.");
    let items = (0..5_000).map(|no| world.item(Field::Open, &format!("thing {no}"), None)).collect();
    world.compacted(900, 90, items);
    let mut state = world.open((120, 36));
    world.keys(&mut state, "]<Enter>");
    assert!(state.transcript.rows_laid < 1_500, "{} rows", state.transcript.rows_laid);
    world.keys(&mut state, "G");
    assert!(screen(&state).contains("4600 more"), "{}", screen(&state));
}

#[test]
fn a_session_that_was_rewritten_is_marked_for_good_and_nothing_is_pinned_to_it() {
    for size in SIZES {
        let mut world = orders();
        let mut state = world.open(size);
        world.keys(&mut state, "]<Enter>jjj");
        world.drive(&mut state, Action::Rewritten);
        world.keys(&mut state, "x");
        let text = screen(&state);
        assert!(text.contains("the file was rewritten: open it again") && text.contains("not saved"), "{text}");
        world.keys(&mut state, "ggj");
        assert!(screen(&state).contains("the file was rewritten: open it again"));
        assert!(state.known.ledger.entries.is_empty());
    }
}

#[test]
fn a_session_is_called_what_the_reading_finds_for_it() {
    let mut world = orders();
    let mut state = world.open((80, 24));
    let named = Batch { title: Some("Where are the lost webhooks?".to_owned()), ..Batch::default() };
    world.drive(&mut state, Action::Indexed(named));
    assert!(screen(&state).contains("Where are the lost webhooks?"));
    world.drive(&mut state, Action::Indexed(Batch::default()));
    assert!(screen(&state).contains("Where are the lost webhooks?"), "what is not told anew stays");
}

#[test]
fn what_others_enter_is_seen_at_once() {
    let mut world = orders();
    let mut state = world.open((120, 36));
    world.keys(&mut state, "]<Enter>jjj");
    let mut other = World::default();
    let ledger = {
        let mut elsewhere = orders();
        let mut state = elsewhere.open((120, 36));
        elsewhere.keys(&mut state, "]<Enter>jjjx");
        state.known.ledger.clone()
    };
    world.drive(&mut state, Action::Ledger(ledger));
    let text = screen(&state);
    assert!(text.contains("1 corrected") && text.contains("1 pinned") && text.contains("1 of 8 checked"), "{text}");
    // What was read before the last entry and comes late takes nothing back.
    world.drive(&mut state, Action::Ledger(Ledger::default()));
    assert_eq!(screen(&state), text);
    world.keys(&mut state, "L");
    assert!(at_cursor(&state).starts_with("L1"), "{}", screen(&state));
    let more = other.pins(3);
    world.drive(&mut state, Action::Ledger(more));
    assert!(at_cursor(&state).starts_with("L1"), "{}", screen(&state));
}

#[test]
fn the_evidence_of_the_first_claim_stands_beside_a_record_before_one_is_selected() {
    let mut world = orders();
    let mut state = world.open((120, 36));
    world.keys(&mut state, "]<Enter>");
    let text = screen(&state);
    assert!(text.contains("m1.n1") && !text.contains("it is right"), "{text}");
    let rows = |state: &State| -> Vec<String> {
        screen(state).lines().map(|line| line.chars().skip(4).take(40).collect::<String>()).collect()
    };
    let before = rows(&state);
    world.keys(&mut state, "j");
    let kept = before.iter().zip(&rows(&state)).take(30).filter(|(before, after)| before == after).count();
    assert!(kept >= 28, "the record stays where it is");
    assert!(screen(&state).contains("it is right"));
}

#[test]
fn the_first_turn_is_selected_though_notes_stand_before_it() {
    let mut world = World::default();
    for _ in 0..3 {
        world.noise("progress", "hook done");
    }
    world.you("Morning.");
    let mut state = world.open((80, 24));
    assert!(screen(&state).contains("3 notes"), "{}", screen(&state));
    assert!(at_cursor(&state).contains("you"), "{}", at_cursor(&state));
    world.keys(&mut state, "k");
    assert!(at_cursor(&state).contains("3 notes"), "{}", at_cursor(&state));
}

#[test]
fn who_leaves_the_end_is_not_told_that_it_is_followed() {
    for key in ["k", "<PgUp>", "gg", "["] {
        let mut world = orders();
        let mut state = world.open((80, 24));
        world.keys(&mut state, "F");
        assert!(screen(&state).contains("following:"), "{}", screen(&state));
        world.keys(&mut state, key);
        assert!(!screen(&state).contains("following"), "{key}: {}", screen(&state));
    }
}

/// The row of the screen that the cursor is on.
fn cursor_line(state: &State) -> usize {
    let picture = state.picture();
    picture
        .areas
        .iter()
        .find_map(|area| Some(usize::from(area.y) + area.rows.iter().position(|row| row.selected)?))
        .unwrap()
}

#[test]
fn findings_arrive_while_a_record_is_read_and_its_reader_keeps_the_place() {
    for (size, keys) in [((120, 36), "]<Enter>jjjj"), ((80, 24), "]<Enter>jjjjj"), ((50, 15), "]<Enter>jjjj")] {
        let mut world = checked_orders();
        world.slow_checks = true;
        let mut state = world.open(size);
        assert!(screen(&state).contains("checking"), "it is said that the check runs\n{}", screen(&state));
        world.keys(&mut state, keys);
        let (row, line) = (at_cursor(&state), cursor_line(&state));
        assert!(!screen(&state).contains("turned round"), "{}", screen(&state));
        world.finish_checks(&mut state);
        let text = screen(&state);
        assert!(!text.contains("checking"), "{text}");
        assert_eq!(cursor_line(&state), line, "{size:?}\n{text}");
        let start: String = row.chars().skip(2).take(20).collect();
        assert!(at_cursor(&state).contains(&start), "{row} is now {}\n{text}", at_cursor(&state));
        world.keys(&mut state, "gg");
        world.keys(&mut state, "]");
        assert!(screen(&state).contains("1 turned round"), "{}", screen(&state));
    }
}

#[test]
fn an_answer_of_the_check_that_comes_late_takes_nothing_away() {
    let mut world = checked_orders();
    let mut state = world.open((120, 36));
    world.keys(&mut state, "]");
    let before = shown(&state, (120, 36));
    // A record without the check, and a check that was overtaken.
    let record = state.known.records[&1].clone();
    let unchecked = stet::workbench::MarkerRecord { checked: None, ..record.clone() };
    world.drive(&mut state, Action::Record(9_999, Box::new(unchecked.clone())));
    world.drive(&mut state, Action::Checked(9_998, Box::new(unchecked)));
    assert_eq!(shown(&state, (120, 36)), before);
    assert_eq!(state.known.records[&1], record);
}

#[test]
fn what_was_forgotten_is_pinned_as_it_was_said_with_its_turn() {
    for keys in ["}}}x", "fjjx"] {
        let mut world = checked_orders();
        let mut state = world.open((120, 36));
        world.keys(&mut state, keys);
        let entry = state.known.ledger.entries[0].entry.clone();
        let source = entry.draft.source.clone().unwrap();
        let got = (entry.draft.act.name(), entry.draft.kind.name(), entry.draft.text.as_str(), source.turn.as_str());
        assert_eq!(got, ("pinned", "constraint", "Ask before touching the export job.", "7"), "{keys}");
        assert_eq!(source.quote, entry.draft.text);
        assert!(entry.draft.corrects.is_none());
        assert!(screen(&state).contains("pinned as L1"), "{keys}\n{}", screen(&state));
        world.keys(&mut state, "u");
        assert!(!screen(&state).contains("pinned as L1"), "{keys}\n{}", screen(&state));
    }
}

#[test]
fn a_wrong_alarm_is_said_once_it_is_saved_and_can_be_taken_back() {
    for to in ["}}", "fj"] {
        let mut world = checked_orders();
        world.full_disk = true;
        let mut state = world.open((120, 36));
        world.keys(&mut state, &format!("{to}w"));
        let text = screen(&state);
        assert!(text.contains("not saved") && !text.contains("said to be a wrong alarm"), "{to}\n{text}");
        world.full_disk = false;
        for (keys, wrong) in [("w", true), ("w", false), ("w", true), ("u", false), ("U", true)] {
            world.keys(&mut state, keys);
            assert_eq!(world.alarms.last(), Some(&("partitioning by month".to_owned(), wrong)), "{to} {keys}");
            let text = screen(&state);
            let listed = text.lines().any(|row| row.contains("never said  ") && row.contains("wrong alarm"));
            assert_eq!(text.contains("said to be a wrong alarm") || listed, wrong, "{to} {keys}\n{text}");
        }
        world.keys(&mut state, "<Esc>gg]");
        assert!(!screen(&state).contains("1 never said"), "it is counted no longer\n{}", screen(&state));
    }
}

#[test]
fn a_review_mark_is_taken_back_by_undo_like_an_entry() {
    let mut world = checked_orders();
    let mut state = world.open((80, 24));
    world.keys(&mut state, "]<Enter>jjv");
    assert!(screen(&state).contains("1 of 8 checked"), "{}", screen(&state));
    world.keys(&mut state, "u");
    assert!(screen(&state).contains("0 of 8 checked"), "{}", screen(&state));
    world.keys(&mut state, "U");
    assert!(screen(&state).contains("1 of 8 checked"), "{}", screen(&state));
}

/// From finding to finding, in the order of the transcript; what was answered is passed over.
#[test]
fn findings_are_visited_in_their_order_and_back() {
    let mut world = checked_orders();
    let mut state = world.open((120, 36));
    let mut seen = Vec::new();
    for key in ["}", ".", "}", "}"] {
        world.keys(&mut state, key);
        seen.push(at_cursor(&state));
    }
    let want = ["convert orders.status", "partitioning by month", "Ask before touching", "90 MB of index"];
    for (seen, want) in seen.iter().zip(want) {
        assert!(seen.contains(want), "{seen} should be {want}");
    }
    world.keys(&mut state, "{,");
    assert!(at_cursor(&state).contains("partitioning by month"), "{}", at_cursor(&state));
    // m2 says again what m1 turned round.
    world.keys(&mut state, "G{");
    assert!(at_cursor(&state).contains("convert orders.status"), "{}", at_cursor(&state));
    assert!(screen(&state).contains("m2.d1"), "{}", screen(&state));
    world.keys(&mut state, "}");
    assert!(screen(&state).contains("no finding that waits"), "{}", screen(&state));
    world.keys(&mut state, "xgg}");
    assert!(at_cursor(&state).contains("partitioning by month"), "what is corrected is passed over");
}

#[test]
fn every_turn_that_the_evidence_names_is_reached_from_it() {
    for (size, keys) in [((120, 36), "}<Tab>j<Enter>"), ((80, 24), "}j<Enter>")] {
        let mut world = checked_orders();
        let mut state = world.open(size);
        world.keys(&mut state, keys);
        assert!(at_cursor(&state).starts_with("10  you"), "{size:?}: {}\n{}", at_cursor(&state), screen(&state));
        world.keys(&mut state, "<Backspace>");
        assert!(screen(&state).contains("turned round"), "{}", screen(&state));
    }
}

#[test]
fn a_click_on_a_turn_in_the_evidence_goes_there() {
    let mut world = checked_orders();
    let mut state = world.open((120, 36));
    world.keys(&mut state, "}");
    let picture = state.picture();
    let named = |row: &stet::view::Row| row.plain().contains("turn 10");
    let (column, row) = picture
        .areas
        .iter()
        .find_map(|area| Some((area.x + 5, area.y + area.rows.iter().position(named)? as u16)))
        .unwrap();
    world.drive(&mut state, Action::Mouse(Mouse { kind: MouseKind::Click, column, row }));
    assert!(at_cursor(&state).starts_with("10  you"), "{}\n{}", at_cursor(&state), screen(&state));
}

#[test]
fn the_list_shows_one_kind_or_all_and_leads_to_the_item() {
    let mut world = checked_orders();
    let mut state = world.open((80, 24));
    for (keys, want) in [("f", "16 findings"), ("<Tab>", "1 of 16 findings"), ("<Tab>", "1 of 16"), ("8", "14 of 16")] {
        world.keys(&mut state, keys);
        assert!(screen(&state).contains(want), "{keys}: {want}\n{}", screen(&state));
    }
    world.keys(&mut state, "5");
    assert!(screen(&state).contains("nothing of this kind"), "{}", screen(&state));
    world.keys(&mut state, "0ggj<Enter>");
    assert!(at_cursor(&state).contains("partitioning by month"), "{}", at_cursor(&state));
    // The last of what is forgotten is not shown at first in its record.
    world.keys(&mut state, "fGk<Enter>");
    assert!(at_cursor(&state).contains("(11)"), "{}\n{}", at_cursor(&state), screen(&state));
    world.keys(&mut state, "f");
    assert!(at_cursor(&state).contains("(11)"), "the list opens where the cursor was");
    world.drive(&mut state, Action::Mouse(Mouse { kind: MouseKind::Click, column: 10, row: 6 }));
    world.keys(&mut state, "q");
    assert!(world.seen.is_empty(), "q leaves the list, not the program");
}

#[test]
fn a_list_without_findings_says_why() {
    let text = |world: &mut World, keys: &str| {
        let mut state = world.open((80, 24));
        world.keys(&mut state, keys);
        screen(&state)
    };
    let mut world = World::default();
    world.you("Hello.");
    assert!(text(&mut world, "f").contains("there is no compaction in this session"));
    let mut world = checked_orders();
    world.slow_checks = true;
    assert!(text(&mut world, "f").contains("findings arrive here as they are made"));
    let world = orders();
    let item = world.item(Field::Open, "Who owns the nightly export?", Some("Who owns the nightly export?"));
    let mut clean = World::default();
    clean.you("Who owns the nightly export?");
    clean.compacted(9_000, 900, vec![clean.item(Field::Open, &item.text, Some(&item.text))]);
    clean.checks = Some(std::collections::HashMap::new());
    let shown = text(&mut clean, "f");
    assert!(shown.contains("no finding: every claim that could be checked stands in the turns"), "{shown}");
    assert!(text(&mut clean, "]").contains("all checked, nothing found"));
}

#[test]
fn a_marker_that_was_held_only_against_what_stands_before_it_says_so_and_takes_nothing_back() {
    let mut world = World::default();
    world.you("Who owns the nightly export?");
    world.compacted(9_000, 900, vec![world.item(Field::Open, "Who owns it?", Some("Who owns the nightly export?"))]);
    (world.checks, world.slow_checks) = (Some(std::collections::HashMap::new()), true);
    let mut state = world.open((80, 24));
    world.keys(&mut state, "]");
    let alone = Checked { stage: CheckStage::Alone, ..Checked::default() };
    for (check, want) in [
        (&alone, "nothing found yet"),
        (&Checked::default(), "nothing found, 1 not checked"),
        (&alone, "nothing found, 1 not checked"),
    ] {
        world.tell_check(&mut state, check);
        assert!(screen(&state).contains(want), "{}", screen(&state));
    }
}

#[test]
fn a_marker_whose_check_stopped_is_said_not_to_be_checked() {
    let mut world = checked_orders();
    world.slow_checks = true;
    let mut state = world.open((80, 24));
    world.keys(&mut state, "]");
    assert!(!screen(&state).contains("not checked"), "{}", screen(&state));
    world.stop_checks(&mut state, "a fault in this program");
    assert!(screen(&state).contains("checking the records stopped: a fault"), "{}", screen(&state));
    assert!(at_cursor(&state).contains("not checked"), "{}", screen(&state));
    world.keys(&mut state, "f");
    let text = screen(&state);
    assert!(text.contains("2 compactions not checked: the check stopped") && !text.contains("0 findings"), "{text}");
    // What was checked before it stopped is told, and the rest is named.
    let mut world = checked_orders();
    world.slow_checks = true;
    let mut state = world.open((80, 24));
    world.tell_check(&mut state, &Checked::default());
    world.stop_checks(&mut state, "a fault in this program");
    world.keys(&mut state, "f");
    assert!(screen(&state).contains("m2 not checked: the check stopped"), "{}", screen(&state));
}

#[test]
fn what_is_counted_while_the_check_goes_on_is_said_to_be_so_far() {
    let mut world = World::default();
    world.you("Who owns the nightly export?");
    let item = world.item(Field::Open, "Ana owns it?", Some("Who owns the nightly export?"));
    let why = String::new();
    let finding = Finding::of((1, 0, &item), FindingKind::Invented, Severity::High, why);
    world.compacted(9_000, 900, vec![item]);
    (world.checks, world.slow_checks) = (Some(std::collections::HashMap::new()), true);
    let mut state = world.open((120, 36));
    world.keys(&mut state, "]");
    let whole = Checked { findings: vec![finding], ..Checked::default() };
    let alone = Checked { stage: CheckStage::Alone, ..whole.clone() };
    world.tell_check(&mut state, &alone);
    assert!(screen(&state).contains("1 never said so far"), "{}", screen(&state));
    world.keys(&mut state, "f");
    assert!(screen(&state).contains("checking m1 of 1 · 1 so far"), "{}", screen(&state));
    world.tell_check(&mut state, &whole);
    world.checks = Some([(1, whole)].into());
    world.finish_checks(&mut state);
    assert!(screen(&state).contains("1 finding") && !screen(&state).contains("so far"), "{}", screen(&state));
    world.keys(&mut state, "q");
    assert!(screen(&state).contains("1 never said") && !screen(&state).contains("so far"), "{}", screen(&state));
}

#[test]
fn a_claim_is_followed_from_any_of_its_rows() {
    for keys in ["}i", "fi"] {
        let mut world = checked_orders();
        let mut state = world.open((120, 36));
        world.keys(&mut state, keys);
        let text = screen(&state);
        for want in ["turn 5", "asked", "m1.d2", "decided", "first change: turned round", "m2.d1"] {
            assert!(text.contains(want), "{keys}: {want}\n{text}");
        }
        world.keys(&mut state, "k<Enter>");
        assert!(at_cursor(&state).contains("Should orders.status"), "{}", at_cursor(&state));
    }
}

#[test]
fn a_claim_in_a_language_without_lists_says_so_in_its_row() {
    let mut world = checked_orders();
    let item = &mut world.records.get_mut(&1).unwrap()[6];
    (item.verdict, item.why) = (Verdict::Unchecked, Some("not analysed (German)".to_owned()));
    world.checks.as_mut().unwrap().get_mut(&1).unwrap().findings.clear();
    let mut state = world.open((120, 36));
    world.keys(&mut state, "]<Enter>");
    let shown = shown(&state, (120, 36));
    let row = shown.lines().find(|line| line.contains(" d2 ")).unwrap_or_default();
    assert!(row.contains("not analysed (German)"), "{shown}");
}

#[test]
fn what_an_entry_says_of_a_finding_is_seen_at_once_and_what_it_overrules_is_checked_again() {
    let mut world = checked_orders();
    let again = {
        let checks = world.checks.as_mut().unwrap();
        let turned = checks[&1].findings[0].clone();
        let again = Finding { kind: FindingKind::Overruled, item: Some(0), markers: vec![2], ..turned };
        checks.get_mut(&2).unwrap().findings.push(again);
        move |state: &stet::app::State| {
            let all = state.known.findings.all();
            all.iter().any(|at| state.known.findings.get(*at).unwrap().finding.kind == FindingKind::Overruled)
        }
    };
    let mut state = world.open((120, 36));
    world.keys(&mut state, "]<Enter>jjj");
    let line = |state: &stet::app::State| {
        let shown = shown(state, (120, 36));
        shown.lines().find(|line| line.contains("━━ m1 ⊟")).unwrap_or_default().to_owned()
    };
    assert!(line(&state).contains("1 turned round") && !line(&state).contains("corrected"), "{}", line(&state));
    world.keys(&mut state, "x");
    assert!(!line(&state).contains("1 turned round") && line(&state).contains("1 corrected"), "{}", line(&state));
    assert!(again(&state));
    // Without the entry nothing is overruled any more.
    world.checks.as_mut().unwrap().get_mut(&2).unwrap().findings.clear();
    world.keys(&mut state, "u");
    assert!(line(&state).contains("1 turned round"), "{}", line(&state));
    assert!(!again(&state));
}
