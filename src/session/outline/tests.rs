//! Small sessions, and what their outlines say.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::session::{FirstKept, Part, PartKind, Segment, Speaker, Summary};

fn line(id: &str, body: Body) -> Line {
    Line {
        file: FileNo(0),
        offset: 0,
        len: 1,
        id: Some(id.into()).filter(|id: &String| !id.is_empty()),
        parent: None,
        logical_parent: None,
        at: None,
        sidechain: None,
        started_agent: None,
        body,
        lossy: None,
    }
}

fn part(kind: PartKind, speaker: Speaker) -> Part {
    Part { block: 0, kind, speaker, text: String::new() }
}

fn message(role: Role, message: Option<&str>, part: Part) -> Body {
    Body::Message { role, message: message.map(Into::into), parts: vec![part], usage: None }
}

fn user(id: &str) -> Line {
    line(id, message(Role::User, None, part(PartKind::Text, Speaker::User)))
}

fn agent(id: &str, of: &str) -> Line {
    line(id, message(Role::Assistant, Some(of), part(PartKind::Text, Speaker::Assistant)))
}

fn call(id: &str, of: &str, call: &str, name: &str) -> Line {
    let kind = PartKind::ToolCall { id: Some(call.into()), name: name.into() };
    line(id, message(Role::Assistant, Some(of), part(kind, Speaker::Assistant)))
}

fn result(id: &str, call: &str) -> Line {
    let kind = PartKind::ToolResult { id: Some(call.into()), ok: true };
    line(id, message(Role::User, None, part(kind, Speaker::Tool)))
}

fn boundary(boundary: Boundary) -> Line {
    line("", Body::Compaction { boundary, summary: Some(Summary { text: "so far".into() }) })
}

fn cut() -> Line {
    boundary(Boundary::default())
}

/// With the line that it says it follows.
fn after(mut line: Line, parent: &str) -> Line {
    line.parent = Some(parent.into());
    line
}

fn outline(lines: Vec<Line>) -> Outline {
    let mut outline = Outline::default();
    for (offset, mut line) in lines.into_iter().enumerate() {
        line.offset = offset as u64;
        outline.push(&line);
    }
    outline.finish();
    outline
}

/// What each compaction covers and reaches, in turns.
fn ranges(lines: Vec<Line>) -> String {
    let outline = outline(lines);
    let written = |parts: &Ranges| {
        let turns = outline.turn_ranges(parts);
        turns.iter().map(|(a, b)| format!("{a}-{b}")).collect::<Vec<_>>().join(",")
    };
    let markers = outline.compactions.iter();
    markers.map(|m| format!("{} of {}", written(&m.covers), written(&m.reaches))).collect::<Vec<_>>().join(" | ")
}

#[test]
fn a_compaction_covers_back_to_the_one_before_and_reaches_the_beginning() {
    let lines = vec![user("a"), agent("b", "m1"), cut(), user("c"), agent("d", "m2"), cut()];
    assert_eq!(ranges(lines), "1-2 of 1-2 | 3-4 of 1-4");
}

#[test]
fn what_was_kept_word_for_word_is_reached_and_not_covered() {
    let turns = || vec![user("a"), agent("b", "m1"), user("c"), agent("d", "m2")];
    let kept = |how: Boundary| ranges([turns(), vec![boundary(how), user("e"), cut()]].concat());
    let by_name = Boundary { preserved: vec!["b".into(), "d".into()], ..Boundary::default() };
    assert_eq!(kept(by_name), "1-1,3-3 of 1-4 | 5-5 of 1-5");
    let by_ends = Segment { head: "c".into(), tail: "d".into() };
    let by_ends = Boundary { preserved_segment: Some(by_ends), ..Boundary::default() };
    assert_eq!(kept(by_ends), "1-2 of 1-4 | 5-5 of 1-5");
    // What was kept then is replaced by the next one.
    let first = Boundary { first_kept: Some(FirstKept::Id("c".into())), ..Boundary::default() };
    assert_eq!(kept(first), "1-2 of 1-4 | 3-5 of 1-5");
    let first = Boundary { first_kept: Some(FirstKept::Line(3)), ..Boundary::default() };
    assert_eq!(kept(first), "1-3 of 1-4 | 4-5 of 1-5");
}

#[test]
fn a_kept_run_goes_by_its_links_and_ends_where_they_lie() {
    let run = |lines: Vec<Line>, head: &str, tail: &str| {
        let segment = Segment { head: head.into(), tail: tail.into() };
        let cut = Boundary { preserved_segment: Some(segment), ..Boundary::default() };
        ranges([lines, vec![boundary(cut)]].concat())
    };
    // c is on another branch: d follows b.
    let branch = vec![user("a"), after(agent("b", "m1"), "a"), after(user("c"), "b"), after(agent("d", "m2"), "b")];
    assert_eq!(run(branch, "b", "d"), "1-1 of 1-2,4-4");
    let circle = vec![after(user("a"), "b"), after(agent("b", "m1"), "a")];
    assert_eq!(run(circle, "a", "b"), " of 1-2");
    assert_eq!(run(vec![user("a"), user("b")], "a", "nowhere"), "1-2 of 1-2");
}

#[test]
fn rewound_turns_are_abandoned_and_not_covered() {
    let lines = vec![
        user("a"),
        after(agent("b", "m1"), "a"),
        after(user("wrong"), "b"),
        after(agent("wrong2", "m2"), "wrong"),
        after(user("c"), "b"),
        after(agent("d", "m3"), "c"),
    ];
    let abandoned: Vec<bool> = outline(lines.clone()).turns.iter().map(|turn| turn.abandoned).collect();
    assert_eq!(abandoned, [false, false, true, true, false, false]);
    let mut cut = cut();
    cut.logical_parent = Some("d".into());
    assert_eq!(ranges([lines, vec![cut, user("e")]].concat()), "1-2,5-6 of 1-2,5-6");
}

#[test]
fn links_that_lie_hide_nothing_and_end() {
    let lines =
        vec![after(user("a"), "b"), after(user("b"), "a"), after(user("self"), "self"), after(user("x"), "gone")];
    assert_eq!(outline(lines).turns.iter().filter(|turn| turn.abandoned).count(), 0);
}

#[test]
fn lines_of_one_message_and_results_are_one_turn() {
    let lines = vec![user("a"), agent("b", "m1"), call("c", "m1", "t", "Bash"), result("d", "t"), agent("e", "m2")];
    let outline = outline(lines);
    assert_eq!(outline.main_turns, 3);
    let turns: Vec<Option<u32>> = outline.lines.iter().map(|line| line.turn).collect();
    assert_eq!(turns, [Some(0), Some(1), Some(1), Some(1), Some(2)]);
}

#[test]
fn a_sub_agents_turns_are_numbered_under_the_call_that_started_it() {
    let mut side = user("s");
    side.sidechain = Some("helper".into());
    let mut more = agent("t", "m9");
    more.sidechain = Some("helper".into());
    let lines = vec![user("a"), call("b", "m1", "t", "Task"), side, more, result("c", "t"), user("d")];
    let outline = outline(lines);
    let numbers: Vec<String> = outline.turns.iter().map(|turn| outline.number(turn).unwrap().to_string()).collect();
    assert_eq!(numbers, ["1", "2", "2.1.1", "2.1.2", "3"]);
    assert_eq!(outline.main_turns, 3);
}

#[test]
fn a_repeated_line_is_no_turn() {
    let outline = outline(vec![user("a"), agent("b", "m1"), user("a")]);
    assert_eq!((outline.main_turns, outline.lines[2].repeat), (2, true));
}

#[test]
fn how_many_summaries_stand_between_is_told_only_where_the_beginning_is_there() {
    let whole = outline(vec![user("a"), cut(), user("b"), cut()]);
    let told: Vec<_> = whole.compactions.iter().map(|m| (m.generation, m.originals)).collect();
    assert_eq!(told, [(Some(1), Originals::Present), (Some(2), Originals::Present)]);
    let midway = outline(vec![after(user("a"), "not here"), cut(), user("b"), cut()]);
    let told: Vec<_> = midway.compactions.iter().map(|m| (m.generation, m.originals)).collect();
    assert_eq!(told, [(None, Originals::Partly), (None, Originals::Partly)]);
    let gone = outline(vec![cut(), user("b"), cut()]);
    let told: Vec<_> = gone.compactions.iter().map(|m| (m.generation, m.originals)).collect();
    assert_eq!(told, [(None, Originals::Gone), (None, Originals::Partly)]);
}

#[test]
fn an_unread_line_is_a_trouble_with_its_number() {
    let unread = || line("", Body::Unread { why: "not JSON".into() });
    let outline = outline(vec![unread(), user("a"), unread()]);
    let told: Vec<Option<u64>> = outline.troubles.iter().map(|trouble| trouble.line).collect();
    assert_eq!(told, [Some(1), Some(3)]);
}

#[test]
fn a_batch_tells_what_is_new_and_the_last_marker_until_it_is_whole() {
    let mut outline = Outline::default();
    let mut at = 0;
    let mut push = |outline: &mut Outline, mut line: Line| {
        line.offset = at;
        at += 1;
        outline.push(&line);
        outline.batch().markers.iter().map(|marker| marker.summary.is_some()).collect::<Vec<_>>()
    };
    assert_eq!(push(&mut outline, user("a")), [true; 0]);
    let bare = line("", Body::Compaction { boundary: Boundary::default(), summary: None });
    assert_eq!(push(&mut outline, bare), [false]);
    assert_eq!(push(&mut outline, line("", Body::Summary(Summary { text: "so far".into() }))), [true]);
}
