//! Ties on tables: which turn an item goes to, and which are refused.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;

use super::*;
use crate::compile::lift;
use crate::record::{Field, MOST_CHECKED, Verdict};
use crate::session::{FileNo, Hash, PartKind, Speaker};

/// Parts from lines such as `u: text`, `a: text`, `> tool call`, `< result`; each line is a turn of its own.
fn said(lines: &[&str]) -> Vec<Part> {
    lines
        .iter()
        .map(|line| {
            let (who, text) = line.split_once(' ').unwrap();
            let (kind, speaker) = match who {
                "u:" => (PartKind::Text, Speaker::User),
                "a:" => (PartKind::Text, Speaker::Assistant),
                ">" => (PartKind::ToolCall { id: None, name: "bash".into() }, Speaker::Assistant),
                "<" => (PartKind::ToolResult { id: None, ok: true }, Speaker::Tool),
                _ => panic!("{line}"),
            };
            Part { block: 0, kind, speaker, text: text.to_owned() }
        })
        .collect()
}

fn feed(tying: &mut Tying, parts: &[Part]) {
    for (at, part) in parts.iter().enumerate() {
        tying.feed(&Original {
            part,
            place: Place { file: FileNo(0), offset: at as u64, part: 0 },
            line_id: Some("line"),
            seq: PartSeq(at as u64),
            turn: &TurnNo::main(at as u32 + 1),
            turn_id: &format!("t{}", at + 1),
        });
    }
}

/// The record of this summary, tied to these parts, of which it reaches the first `reach`.
fn tied(summary: &str, parts: &[Part], reach: u64) -> Record {
    let mut record = lift(summary);
    let reaches: Ranges = std::iter::once(0..reach).collect();
    let mut tying = Tying::new(&[(&record, &reaches)]);
    feed(&mut tying, parts);
    let sources = tying.finish().pop().unwrap();
    settle(&mut record, sources.iter().map(Ties::sources).collect());
    record
}

/// `field text <- turn quote` of the items of one field, best source only.
fn shown(record: &Record, field: Field) -> Vec<String> {
    record
        .of(field)
        .map(|(_, item)| match item.sources.first() {
            Some(source) => format!("{} <- {} {} ({})", item.text, source.turn_id, source.quote, item.verdict.name()),
            None => format!("{} <- nothing ({})", item.text, item.why.as_deref().unwrap()),
        })
        .collect()
}

#[test]
fn an_item_comes_from_the_turn_that_holds_its_words() {
    let parts = said(&[
        "u: Please look at the importer. It drops rows since Friday.",
        "> command: grep -n drop src/importer.rs",
        "< src/importer.rs:88: // skip when total == 0",
        "a: Found it: `skip_empty` in src/importer.rs drops them.\nNothing else does.",
        "u: ok, never change the file format though",
        "a: I removed skip_empty and 1,482 rows are back.",
    ]);
    let summary = "User reported that the importer drops rows.\n\
        - Removed `skip_empty` in `src/importer.rs`\n\
        - User said \"never change the file format\"\n\
        - The archive nightly mirror broke\n";
    let record = tied(summary, &parts, 6);
    assert_eq!(
        shown(&record, Field::Narrative),
        [
            "User reported that the importer drops rows. <- t1 It drops rows since Friday. (unchecked)",
            "User said \"never change the file format\" <- t5 ok, never change the file format though (verified)",
            "The archive nightly mirror broke <- nothing (no turn before it holds these words)",
        ]
    );
    assert_eq!(
        shown(&record, Field::Actions),
        [
            "Removed `skip_empty` in `src/importer.rs` <- t4 Found it: `skip_empty` in src/importer.rs drops them. (unchecked)"
        ]
    );
    assert_eq!(
        shown(&record, Field::Entities),
        [
            "skip_empty <- t4 Found it: `skip_empty` in src/importer.rs drops them. (verified)",
            "src/importer.rs <- t4 Found it: `skip_empty` in src/importer.rs drops them. (verified)",
        ]
    );
}

#[test]
fn a_whole_claim_that_was_said_is_cited_word_for_word() {
    let parts = said(&["u: Hello. can it stay in memory? I hope so"]);
    let record = tied("All user messages:\n- \"can it stay in memory?\"\n", &parts, 1);
    let item = &record.items[0];
    let source = &item.sources[0];
    assert_eq!((source.quote.as_str(), source.range), ("can it stay in memory?", (7, 29)));
    assert_eq!(source.hash, Hash::of(source.quote.as_bytes()));
    assert_eq!((item.verdict, &item.why), (Verdict::Verified, &None));
}

#[test]
fn each_record_takes_only_what_it_reaches() {
    let parts = said(&["a: the limit is port 8080 here", "a: now the limit is port 8080 there, port 8080"]);
    let records = [lift("Limit: port 8080"), lift("Limit: port 8080"), lift("Limit: port 8080")];
    let reaches: Vec<Ranges> = [0..1, 1..2, 0..0].into_iter().map(|range| std::iter::once(range).collect()).collect();
    let targets: Vec<_> = records.iter().zip(&reaches).collect();
    let mut tying = Tying::new(&targets);
    feed(&mut tying, &parts);
    let turns: Vec<Vec<Vec<String>>> = tying
        .finish()
        .into_iter()
        .map(|items| {
            items.iter().map(|ties| ties.sources().iter().map(|source| source.turn_id.clone()).collect()).collect()
        })
        .collect();
    assert_eq!(
        turns,
        [
            [["t1"], ["t1"]].map(|item| item.map(str::to_owned).to_vec()).to_vec(),
            [["t2"], ["t2"]].map(|item| item.map(str::to_owned).to_vec()).to_vec(),
            vec![vec![], vec![]]
        ]
    );
}

#[test]
fn identifiers_and_figures_match_whole_and_hashes_by_their_beginning() {
    let parts = said(&[
        "< port 18080 and 8080.5 and /x/src/main.rs.bak",
        "< commit e91c57a04b2d6f83c05be2ad7741690f3bc8d152",
        "< listening on port 8080, see /home/x/src/main.rs:3",
    ]);
    let record = tied("Port 8080 of `src/main.rs` at e91c57a", &parts, 3);
    let turns = |field| {
        record
            .of(field)
            .map(|(_, item)| item.sources.iter().map(|s| s.turn_id.clone()).collect())
            .collect::<Vec<Vec<_>>>()
    };
    assert_eq!(turns(Field::Figures), [["t3"]]);
    assert_eq!(turns(Field::Entities), [["t3"], ["t2"]]);
}

#[test]
fn a_bare_small_number_needs_its_label() {
    let parts = said(&["< 7 files", "u: keep the retry ceiling at 7"]);
    let record = tied("retry ceiling = 7", &parts, 2);
    let figure = record.of(Field::Figures).next().unwrap().1;
    assert_eq!(figure.sources.iter().map(|s| s.turn_id.as_str()).collect::<Vec<_>>(), ["t2"]);
    assert_eq!(figure.verdict, Verdict::Verified);
}

#[test]
fn one_word_alone_ties_nothing_that_a_tool_printed() {
    let parts = said(&["< for row in rows: continue", "a: Split SO-12 into SO-12-1"]);
    let record = tied("- okay, let's continue with this\n- The order is SO-12-1\n- Not SO-12-2\n", &parts, 2);
    assert_eq!(
        shown(&record, Field::Narrative),
        [
            "okay, let's continue with this <- nothing (no turn before it holds these words)",
            "The order is SO-12-1 <- t2 Split SO-12 into SO-12-1 (unchecked)",
            "Not SO-12-2 <- nothing (no turn before it holds these words)",
        ]
    );
}

#[test]
fn a_huge_line_gives_a_short_quote() {
    let text = format!("< {} src/deep/found.rs {}", "x".repeat(300_000), "é ".repeat(200_000));
    let record = tied("See `src/deep/found.rs`", &said(&[&text]), 1);
    let source = &record.of(Field::Entities).next().unwrap().1.sources[0];
    assert!(source.quote.len() < 2_000 && source.quote.contains("src/deep/found.rs"), "{}", source.quote.len());
}

proptest! {
    #[test]
    fn every_source_is_a_piece_of_its_part(
        summary in r"(?s)[\PC\n #*`.:0-9-]{0,120}",
        texts in prop::collection::vec(r"(?s)[\PC\n\x00 `.:0-9-]{0,160}", 1..4),
    ) {
        let parts: Vec<Part> = texts
            .iter()
            .chain([&summary])
            .map(|text| Part { block: 0, kind: PartKind::Text, speaker: Speaker::User, text: text.clone() })
            .collect();
        for item in tied(&summary, &parts, parts.len() as u64).items {
            for source in item.sources {
                let text = &parts[source.seq.0 as usize].text;
                prop_assert_eq!(text.get(source.range.0..source.range.1), Some(source.quote.as_str()));
            }
        }
    }
}

#[test]
fn what_is_said_less_firmly_verifies_nothing() {
    for (said_by, text, summary, want) in [
        ("a:", "The port was the cause of it.", "- The port was the cause of it", Verdict::Verified),
        ("a:", "Perhaps the port was the cause of it.", "- the port was the cause of it", Verdict::Unchecked),
        ("u:", "Was it because the port was the cause of it?", "- the port was the cause of it", Verdict::Unchecked),
        (
            "a:",
            "I looked at every log of the last week, and the port was open, the rest was not.",
            "- the port was open",
            Verdict::Unchecked,
        ),
        ("u:", "ok, let's ship on Monday then", "## Decisions\n- let's ship on Monday", Verdict::Verified),
        ("u:", "maybe let's ship on Monday then", "## Decisions\n- let's ship on Monday", Verdict::Unchecked),
        ("<", "let's ship on Monday then", "## Decisions\n- let's ship on Monday", Verdict::Unchecked),
        ("a:", "The lock was ruled out today", "## Ruled out\n- The lock was ruled out", Verdict::Verified),
        ("a:", "The lock is held by us", "## Ruled out\n- The lock is held", Verdict::Unchecked),
        ("u:", "can it stay in memory? I hope", "## Open\n- can it stay in memory?", Verdict::Verified),
        (
            "u:",
            "yes, the archive stays where it is",
            "- The job was dropped for good because user said \"the archive stays\"",
            Verdict::Unchecked,
        ),
    ] {
        let parts = said(&[&format!("{said_by} {text}")]);
        let record = tied(summary, &parts, 1);
        let item = record.items.iter().find(|item| item.field.is_claim()).unwrap();
        assert_eq!((item.verdict, item.sources.is_empty()), (want, false), "{text} / {summary}");
    }
}

#[test]
fn more_shared_words_beat_one_common_name() {
    let mut lines = vec![
        "a: A table `dead_letter` then.",
        "a: The retry ceiling is 7, from config/delivery.toml.",
        "> content: CREATE TABLE dead_letter ( id bigint )",
        "a: Insert into `dead_letter`.",
        "u: what is in dead_letter now?",
    ];
    lines.resize(40, "a: Something else entirely was looked at here.");
    let parts = said(&lines);
    let record = tied("- Retries are capped at 5, then the delivery goes to `dead_letter`\n", &parts, 40);
    let source = &record.items[0].sources[0];
    assert_eq!(source.turn_id, "t2", "{}", source.quote);
}

#[test]
fn a_number_in_words_is_found_in_digits_and_the_other_way_round() {
    let parts = said(&["u: A partner says that nine webhooks never arrived", "a: 4 workers and Four queues"]);
    for (summary, want) in
        [("Lost 9 webhooks", "t1"), ("Nine webhooks lost", "t1"), ("four workers", "t2"), ("4 queues", "t2")]
    {
        let record = tied(summary, &parts, 2);
        let figure = record.of(Field::Figures).next().unwrap().1;
        let turns: Vec<_> = figure.sources.iter().map(|source| source.turn_id.as_str()).collect();
        assert_eq!((turns, figure.verdict), (vec![want], Verdict::Verified), "{summary}");
    }
}

#[test]
fn what_another_record_reaches_crowds_nothing_out() {
    let mut lines = vec!["a: the limit is port 8080 here, and the limit of the port is 8080"; 30];
    lines.push("a: port 8080");
    let parts = said(&lines);
    let records = [lift("Limit: port 8080 of the limit"), lift("Limit: port 8080 of the limit")];
    let reaches: Vec<Ranges> = [0..30, 30..31].into_iter().map(|range| std::iter::once(range).collect()).collect();
    let mut tying = Tying::new(&records.iter().zip(&reaches).collect::<Vec<_>>());
    feed(&mut tying, &parts);
    let sources = tying.finish();
    assert!(sources[1].iter().any(|item| item.sources().iter().any(|source| source.turn_id == "t31")));
    assert!(sources[0].iter().flat_map(Ties::sources).all(|source| source.turn_id != "t31"));
}

#[test]
fn a_record_is_handed_out_as_soon_as_the_stream_has_passed_it() {
    let parts = said(&["a: port 8080", "a: port 8080", "a: port 8080"]);
    let records = [lift("Port 8080"), lift("Port 8080")];
    let reaches: Vec<Ranges> = [0..1, 0..3].into_iter().map(|range| std::iter::once(range).collect()).collect();
    let mut tying = Tying::new(&records.iter().zip(&reaches).collect::<Vec<_>>());
    feed(&mut tying, &parts);
    let done = tying.take_done();
    assert_eq!(done.iter().map(|(at, sources)| (*at, sources[0].ties)).collect::<Vec<_>>(), [(0, 1)]);
    assert!(tying.take_done().is_empty());
    let rest = tying.finish();
    assert!(rest[0].is_empty());
    assert_eq!(rest[1][0].sources().iter().map(|source| source.turn_id.as_str()).collect::<Vec<_>>(), ["t1"]);
}

#[test]
fn a_turn_is_named_once_unless_it_says_something_else_as_well() {
    let mut part = said(&["a: `run.rs` calls the queue twice.\nThe queue in run.rs is called.\nAlso main.rs."]);
    part[0].text.push_str(" The queue of run.rs.");
    let record = tied("- The queue of `run.rs` is called twice\n", &part, 1);
    assert_eq!(record.items[0].sources.len(), 1, "{:?}", record.items[0].sources);
}

#[test]
fn what_is_beyond_the_items_that_are_looked_for_says_so() {
    let mut record = Record { items: vec![lift("Never push.").items[0].clone(); MOST_CHECKED + 1], ..lift("") };
    let reaches: Ranges = std::iter::once(0..1).collect();
    let mut tying = Tying::new(&[(&record, &reaches)]);
    feed(&mut tying, &said(&["u: Never push."]));
    let sources = tying.finish().pop().unwrap();
    settle(&mut record, sources.iter().map(Ties::sources).collect());
    let verdicts: Vec<_> = record.items[..2].iter().map(|item| item.verdict).collect();
    assert_eq!(verdicts, [Verdict::Unchecked, Verdict::Verified]);
    let why = record.items[0].why.as_deref();
    assert_eq!(why, Some("the record has more than 4000 items, and no more are looked for"));
}
