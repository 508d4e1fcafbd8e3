//! What the keys of the Window and the Outline do.

use stet::app::{Action, Effect, Key, Mouse, MouseKind, State, update};
use stet::workbench::Spot;

use crate::whole::compiled_orders;
use crate::world::{World, checked_orders};
use crate::{at_cursor, long, screen, shown};

fn key(state: &mut State, key: &str) -> Vec<Effect> {
    update(state, Action::Key(Key::parse(key).unwrap()))
}

#[test]
fn keys_go_through_budgets_and_a_number_sets_any() {
    for (keys, want) in [
        ("W", vec![64_000]),
        ("W+", vec![64_000, 100_000]),
        ("W--", vec![64_000, 32_000, 16_000]),
        ("W12345+-", vec![64_000, 12_345, 8_000]),
        ("W9999999++", vec![64_000, 9_999_999]),
        ("W5+-", vec![64_000, 5]),
        // It holds when the screen is opened again, and W there puts it together anew.
        ("W+qWW", vec![64_000, 100_000, 100_000, 100_000]),
    ] {
        let mut world = compiled_orders();
        let mut state = world.open((120, 36));
        world.keys(&mut state, keys);
        assert_eq!(world.budgets, want, "{keys}");
    }
    let mut world = World::default();
    world.you("Hello.");
    let mut state = world.open((120, 36));
    world.keys(&mut state, "W");
    assert_eq!(world.budgets, [200_000], "no compaction tells how full the context was");
    assert!(screen(&state).contains("none would close yet"), "{}", screen(&state));
}

#[test]
fn a_window_that_is_too_much_says_whether_it_leaves_anything_out() {
    for (keys, want, never) in [
        ("W50+", "and nothing is left out", "in brief already"),
        ("W9+", "its records are in brief already", "nothing is left out"),
    ] {
        let mut world = compiled_orders();
        let mut state = world.open((120, 36));
        world.keys(&mut state, keys);
        let shown = screen(&state);
        assert!(shown.contains(want) && !shown.contains(never), "{keys}: {shown}");
    }
}

#[test]
fn enter_goes_to_the_first_turn_of_a_row_and_back_comes_back() {
    for (keys, want) in [
        ("Wjj", "1  you"),
        ("Wjjj", "5  you"),
        ("Wjjjj", "8  agent"),
        ("Wjjjjjj", "9  agent"),
        ("WG", "11  agent"),
        ("Ogg", "1  you"),
        ("Oggj", "5  you"),
        ("Oggjj", "1  you"),
        ("Oggjjj", "m1 ⊟"),
        ("Ogg]]", "m2 ⊟"),
        ("OG[[", "m1 ⊟"),
        ("OG", "8  agent"),
    ] {
        let mut world = compiled_orders();
        let mut state = world.open((120, 36));
        world.keys(&mut state, &format!("{keys}<Enter>"));
        assert!(at_cursor(&state).contains(want), "{keys}: {want}\n{}\n{}", at_cursor(&state), screen(&state));
        world.keys(&mut state, "<Backspace>");
        assert!(at_cursor(&state).contains("1  you"), "{keys}: {}", at_cursor(&state));
    }
    let mut world = compiled_orders();
    let mut state = world.open((120, 36));
    world.keys(&mut state, "W<Enter>");
    assert!(screen(&state).contains("is not in the session"), "{}", screen(&state));
    world.keys(&mut state, "j<Enter>");
    assert!(screen(&state).contains("Ledger of"), "{}", screen(&state));
    world.keys(&mut state, "qO]]]");
    assert!(screen(&state).contains("there is no compaction further down"), "{}", screen(&state));
    world.keys(&mut state, "qqq");
    assert_eq!(world.seen, [Effect::Quit], "each q leaves one screen");
}

#[test]
fn enter_on_a_turn_asks_for_it() {
    let mut world = compiled_orders();
    let mut state = world.open((80, 24));
    world.keys(&mut state, "Wjjj");
    let asked = key(&mut state, "enter");
    assert!(matches!(asked.as_slice(), [Effect::Load { spot: Spot::Turn(5), .. }]), "{asked:?}");
}

#[test]
fn only_the_last_budget_that_was_asked_for_is_shown() {
    let mut world = compiled_orders();
    let mut state = world.open((120, 36));
    world.keys(&mut state, "W");
    let late = key(&mut state, "-");
    assert!(screen(&state).contains("32,000 tok …"), "what was shown stays, and it says what is waited for");
    let last = key(&mut state, "-");
    for effect in last.into_iter().chain(late) {
        let answers = world.answer(effect);
        for answer in answers {
            update(&mut state, answer);
        }
    }
    let shown = screen(&state);
    assert!(shown.contains("of 16,000 tok") && !shown.contains("32,000"), "{shown}");
}

#[test]
fn a_window_follows_the_ledger_and_says_what_was_said_since() {
    let mut world = compiled_orders();
    let mut state = world.open((120, 36));
    world.keys(&mut state, "W");
    assert_eq!(world.budgets.len(), 1);
    let ledger = world.pins(3);
    world.drive(&mut state, Action::Ledger(ledger));
    assert_eq!(world.budgets.len(), 2, "it is put together anew");
    assert!(screen(&state).contains("   9  "), "four entries take nine tokens\n{}", screen(&state));
    world.you("And one thing more.");
    world.index(&mut state);
    assert!(screen(&state).contains("1 turn since: W puts it together anew."), "{}", screen(&state));
    world.keys(&mut state, "W");
    assert!(!screen(&state).contains("since"), "{}", screen(&state));
}

#[test]
fn an_outline_is_there_at_once_and_fills_in_its_place() {
    let mut world = compiled_orders();
    let mut state = world.open((120, 36));
    let asked = key(&mut state, "O");
    let row = |state: &State| screen(state).lines().position(|line| line.contains("m1 ⊟"));
    let before = screen(&state);
    assert!(
        before.contains("reading the originals…") && before.contains("m2 ⊟") && !before.contains("block 1"),
        "{before}"
    );
    let place = row(&state);
    let (first, cursor) = (place.unwrap(), at_cursor(&state));
    assert!(cursor.contains("m1"), "{cursor}");
    for effect in asked {
        for answer in world.answer(effect) {
            update(&mut state, answer);
        }
    }
    let after = screen(&state);
    assert!(after.contains("block 1") && after.contains("≈51,400"), "{after}");
    // Three rows came before it; the cursor is still on it.
    assert_eq!(row(&state), Some(first + 3));
    assert!(at_cursor(&state).contains("m1"), "{}", at_cursor(&state));
}

#[test]
fn the_mouse_selects_rows_of_both() {
    let mut world = compiled_orders();
    let mut state = world.open((120, 36));
    for (keys, row, want) in [("W", "block 2", "block 2"), ("qO", "span 1", "span 1")] {
        world.keys(&mut state, keys);
        let at = shown(&state, (120, 36)).lines().position(|line| line.contains(row)).unwrap();
        world.drive(&mut state, Action::Mouse(Mouse { kind: MouseKind::Click, column: 9, row: at as u16 }));
        assert!(at_cursor(&state).contains(want), "{}", at_cursor(&state));
        world.drive(&mut state, Action::Mouse(Mouse { kind: MouseKind::WheelUp, column: 9, row: 9 }));
        assert!(!at_cursor(&state).contains(want), "{}", at_cursor(&state));
    }
}

#[test]
fn what_cannot_be_put_together_says_why() {
    let mut world = checked_orders();
    let mut state = world.open((80, 24));
    let asked = key(&mut state, "W");
    let Some(Effect::Assemble { request, .. }) = asked.first() else { panic!("{asked:?}") };
    let why = "cannot read stet.db: the disk is gone (put it back)".to_owned();
    world.drive(&mut state, Action::Failed(*request, why));
    assert!(screen(&state).contains("the disk is gone (put it back)"), "{}", screen(&state));
    world.keys(&mut state, "+");
    assert!(screen(&state).contains("region"), "a key asks once more\n{}", screen(&state));
}

#[test]
fn a_frame_of_them_costs_what_is_seen() {
    let mut costs = Vec::new();
    for turns in [200, 4_000] {
        let mut world = long(turns);
        let mut state = world.open((80, 24));
        let mut each = Vec::new();
        for keys in ["W", "j", "<PgDn>", "G", "k", "qO", "j"] {
            let before = state.rows_built.get();
            world.keys(&mut state, keys);
            let _ = state.picture();
            each.push(state.rows_built.get() - before);
            assert!(each.iter().all(|cost| *cost <= 24), "{keys} of {turns}: {each:?}");
        }
        costs.push(each);
    }
    assert_eq!(costs[0], costs[1], "the same keys cost the same, whatever the length");
}

#[test]
fn a_key_shows_the_text_that_stands_for_a_row() {
    for (keys, title, text) in [
        ("Wjjv", "In the window for block 1", "block 1: what was kept of it"),
        ("W20+jjv", "In the window for span 1", "block 0: what was kept of it"),
    ] {
        let mut world = compiled_orders();
        let mut state = world.open((120, 36));
        world.keys(&mut state, keys);
        let shown = screen(&state);
        assert!(shown.contains(title) && shown.contains(text), "{keys}: {shown}");
        world.keys(&mut state, "y");
        assert!(
            matches!(world.seen.last(), Some(Effect::Copy(copied)) if copied.starts_with(text)),
            "{:?}",
            world.seen
        );
        world.keys(&mut state, "q");
        assert!(screen(&state).contains("Window of"), "{}", screen(&state));
    }
    let mut world = compiled_orders();
    let mut state = world.open((120, 36));
    world.keys(&mut state, "Wv");
    assert!(screen(&state).contains("nothing stands there"), "{}", screen(&state));
    world.keys(&mut state, "Gv");
    assert!(at_cursor(&state).contains("11  agent"), "what was said is looked at where it stands\n{}", screen(&state));
}

#[test]
fn shorter_records_are_advised_only_where_they_are_enough() {
    for (keys, want) in [("W50+", "--budget 50 --brief"), ("W20+", "with its records in brief it")] {
        let mut world = compiled_orders();
        let mut state = world.open((120, 36));
        world.keys(&mut state, keys);
        assert!(screen(&state).contains(want), "{keys}: {}", screen(&state));
    }
}

#[test]
fn a_narrow_outline_keeps_its_name_apart_from_its_figures() {
    let mut world = compiled_orders();
    let mut state = world.open((40, 10));
    world.keys(&mut state, "O");
    let head = shown(&state, (40, 10)).lines().next().unwrap_or_default().to_owned();
    assert_eq!(head.split_whitespace().collect::<Vec<_>>().join(" "), "Outline 11 turns · 2 compactions");
}
