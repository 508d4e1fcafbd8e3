//! Names and figures, in a small notation: what was said, what the summary makes of it, and what is wrong with that.

use std::sync::Arc;

use super::world::{cut_short, lifted as record, marked};
use super::*;
use crate::record::{Field, MOST_CHECKED, Manner, Origin, Passage, Record, Severity};
use crate::session::{
    Compaction, FileNo, Hash, MarkerKey, Originals, PartSeq, Place, Ranges, Speaker, Trigger, TurnNo,
};

/// The findings as `kind text`, joined, after these lines were said.
fn found(said: &[&str], summary: &str, originals: Originals) -> String {
    found_in(said, &record(summary), originals)
}

fn found_in(said: &[&str], record: &Record, originals: Originals) -> String {
    found_beside(said, &vec![Vec::new(); record.items.len()], record, originals)
}

/// The same, where every item is tied to all of these lines but the first.
fn found_tied(said: &[&str], summary: &str) -> String {
    let record = record(summary);
    let passage = |(at, line): (usize, &&str)| Passage {
        origin: Arc::new(Origin {
            turn: TurnNo::main(at as u32 + 1),
            turn_id: "t".into(),
            line_id: None,
            place: Place { file: FileNo(0), offset: at as u64, part: 0 },
            seq: PartSeq(at as u64),
            speaker: Speaker::Assistant,
            manner: Manner::Text,
        }),
        range: (0, line.len()),
        around: (*line).into(),
        at: (0, line.len()),
        share: 0.6,
    };
    let all: Vec<Passage> = said.iter().enumerate().skip(1).map(passage).collect();
    found_beside(said, &vec![all; record.items.len()], &record, Originals::Present)
}

fn found_beside(said: &[&str], passages: &[Vec<Passage>], record: &Record, originals: Originals) -> String {
    let here = 1000;
    let mut presence = Presence::asking([(record, here)]);
    for (at, text) in said.iter().enumerate() {
        let turn = TurnNo::main(at as u32 + 1);
        presence.see(text, at as u64);
        presence.hear(
            text,
            text.len(),
            &[],
            &Voice {
                turn: &turn,
                turn_id: "t",
                line_id: None,
                place: Place { file: FileNo(0), offset: at as u64, part: 0 },
                seq: PartSeq(at as u64),
                speaker: Speaker::Assistant,
            },
        );
    }
    let heard = presence.overheard();
    presence.add(heard, 0);
    let compaction = Compaction {
        no: 1,
        key: MarkerKey { id: "k".into(), summary: Hash::ZERO },
        place: Place { file: FileNo(0), offset: here, part: 0 },
        summary: None,
        after_turn: None,
        at: None,
        trigger: Trigger::Auto,
        tokens_before: None,
        tokens_after: None,
        covers: Ranges::default(),
        reaches: Ranges::default(),
        generation: Some(1),
        originals,
        own_record: false,
    };
    let case = Case { compaction: &compaction, record, passages, presence: &presence, consents: &Consents::default() };
    let (judgements, findings) = check(&case, &mut Reader::default());
    assert_eq!(judgements.len(), record.items.len());
    let loud = findings.iter().filter(|finding| finding.severity > Severity::Low);
    let said: Vec<String> = loud.map(|finding| format!("{} {}", finding.kind.name(), finding.text)).collect();
    said.join("; ")
}

fn check_whole(said: &[&str], summary: &str, want: &str) {
    assert_eq!(found(said, summary, Originals::Present), want, "{said:?}\n== {summary}");
    for (said, summary) in marked(&said.join("\n")).zip(marked(summary)) {
        found(&said.lines().collect::<Vec<_>>(), &summary, Originals::Present);
    }
    for summary in cut_short(summary) {
        found(said, summary, Originals::Present);
    }
}

#[test]
fn of_more_items_than_any_summary_has_the_rest_is_not_held_against_anything() {
    let mut record = record("Reads `src/paging.rs`.");
    let name = record.items.remove(1);
    assert_eq!((name.field, record.items.len()), (Field::Entities, 1));
    record.items.resize(MOST_CHECKED + 2, name);
    assert_eq!(found_in(&["nothing"], &record, Originals::Present).matches("invented").count(), MOST_CHECKED);
}

#[test]
fn a_name_that_nobody_said_is_found_and_a_fair_form_is_not() {
    let said = ["see src/core/agent.rs and calculate_total(), at e91c57a04b2d6f83", "the order_book, ST9, ST10"];
    for (summary, want) in [
        ("Reads `agent.rs`.", ""),
        ("Reads `core/agent.rs` and `src/core/`.", ""),
        ("Calls `calculate_total`.", ""),
        ("It is `./src/core/agent.rs:12`.", ""),
        ("The `Order_Book` of `ST9/ST10`.", ""),
        ("All of `src/**/*.rs` and `<name>.rs`.", ""),
        ("Calls `get_page_count()`.", "invented get_page_count()"),
        ("Reads `paging.rs`.", "invented paging.rs"),
        ("Create `paging.rs` next.", ""),
        ("Reads `src/core/agemt.rs`.", "altered src/core/agemt.rs"),
        ("At `e91c75a04b2d`.", "altered e91c75a04b2d"),
        ("Calls `calculate_totla()`.", "altered calculate_totla()"),
    ] {
        check_whole(&said, summary, want);
    }
}

#[test]
fn one_token_of_a_name_that_differs_is_a_change_and_a_row_is_none() {
    let said = [
        "run sync feed-v1 with serde 1.3.2",
        "ST1-ST6 are done, on 10.0.0.7:8080, issue #27; 733; https://x.dev/pull/4407",
    ];
    for (summary, want) in [
        ("It is the `sync feed-v1` command.", ""),
        ("It is the `sync feed-v2` command.", "altered sync feed-v2"),
        ("With serde 1.3.2 on 10.0.0.7:8080.", ""),
        ("With serde 1.2.2.", "altered 1.2.2"),
        ("On 10.0.0.7:8081.", "altered 10.0.0.7:8081"),
        ("ST1-ST5 are done.", ""),
        ("As in issue #27 said.", ""),
        ("Post it in issue #733.", "invented #733"),
        ("Merged as PR 4407.", ""),
        ("Merged as PR 4409.", "invented 4409"),
    ] {
        check_whole(&said, summary, want);
    }
}

#[test]
fn where_the_beginning_is_missing_nothing_is_invented() {
    let said = ["base_commit is e91c57a04b2d"];
    for (summary, want) in
        [("Calls `get_pages()` 4711 times.", ""), ("The `base_commit` is e91c75a04b2d.", "altered e91c75a04b2d")]
    {
        assert_eq!(found(&said, summary, Originals::Partly), want, "{summary}");
    }
}

#[test]
fn a_figure_is_held_against_the_values_of_its_label() {
    let said = [
        "\"shard_count\": 0, \"rows_added\": 34",
        "see router.go (line 227) and 642 packages/src/tile-loader.ts",
        "The retry ceiling is 7, from config",
        "wc: 264 packages/core/frame-writer.ts",
        "2. **frame-writer** (264 lines): writes what was drawn",
        "**4 Rollout Plans**: with risk and cost for each",
        "waited 1500 ms, sent 21 mails in 2 batches, on line 272 of main.go; 6 pigs",
    ];
    for (summary, want) in [
        ("`shard_count = 0` and \"rows_added\": 34", ""),
        ("All have `shard_count = 2`.", "altered 2"),
        ("- \"rows_added\": 43", "altered 43"),
        ("`router.go` (line 227)", ""),
        ("`router.go` (line 272)", "altered 272"),
        ("`tile-loader.ts` (642 lines)", ""),
        ("`tile-loader.ts` (624 lines)", "altered 624 lines"),
        ("`packages/core/frame-writer.ts` (214 lines), for all panes", "altered 214 lines"),
        ("The retry ceiling is 7.", ""),
        ("Retries are capped at seven.", ""),
        ("Retries are capped at 5.", "altered 5"),
        ("Described 4 rollout plans with risk and cost.", ""),
        ("Described 6 rollout plans with risk and cost.", "altered 6"),
        ("It waited 1.5 s.", ""),
        ("It waited 1500 milliseconds.", ""),
        ("It waited 41 s for the mails.", "invented 41 s"),
        ("It waited 21 s for the mails.", "invented 21 s"),
        ("Lists of files are capped at 21 entries.", "invented 21"),
        ("About 900 mails.", ""),
        ("Sent 912 mails.", "invented 912"),
    ] {
        check_whole(&said, summary, want);
    }
}

#[test]
fn what_the_summary_counts_itself_is_no_figure_of_the_originals() {
    let said = ["edit a.rs, then b.rs, then c.rs", "one file"];
    check_whole(&said, "Changed 3 files: a.rs, b.rs, c.rs", "");
    check_whole(&said, "Changed 3 files:\n- a.rs\n- b.rs\n- c.rs", "");
}

#[test]
fn a_capital_that_nobody_said_is_a_name_only_inside_a_sentence() {
    let said = ["anna: shall we ask Tom?", "tom: yes, at the lake, not in LA"];
    for (summary, want) in [
        ("They want to ask Tom at the Lake.", ""),
        ("Later they want to ask Peter.", "invented Later they want to ask Peter."),
        ("Later they fly to Los Angeles.", ""),
        ("Nobody minds.", ""),
        ("**Key Points Made**: they ask.", ""),
        ("They meet Tom's friends on Friday.", ""),
    ] {
        check_whole(&said, summary, want);
    }
}

#[test]
fn a_record_of_many_names_with_one_token_stays_fast() {
    let names: Vec<String> = (0..800).map(|no| format!("`aaaaaaaaaaaaaaaa/b{no}` 77 line")).collect();
    let summary = names.join(" ");
    let said = "aaaaaaaaaaaaaaaa/c 78 line ".repeat(5_000);
    let start = std::time::Instant::now();
    let _ = found(&[&said], &summary, Originals::Present);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn a_value_that_the_originals_give_in_another_form_is_no_invention() {
    for (said, summary) in [
        ("retry delays: 2s, 8s, 32s", "It waits 2 s, then 8 s, then 32 s."),
        ("the median is 84ms with the cache", "A median of 84 ms was reached."),
        ("that isn't 21% of 187", "It did not add up to a fifth of 187 ms."),
        ("raise it from 30 to 120 seconds", "The limit went up from 30 seconds."),
        ("we are on vite 6.2.1 here", "The app is built by Vite 6."),
        ("the poller wakes every 250 ms", "The poller wakes four times a second."),
        ("it gives up behind fifteen minutes", "The wait ends at 15 min."),
        ("a third of all rows is gone", "Of all rows 33% are gone."),
        ("it holds 2 GB", "It holds 2048 MB."),
        ("the audit costs €2 thousand", "The audit comes to €2 thousand."),
        ("she is back on thursday", "She is in again from Thursday."),
    ] {
        assert_eq!(found_tied(&["nothing else here", said], summary), "", "{said}\n== {summary}");
    }
}

#[test]
fn another_value_in_the_same_place_is_altered() {
    for (said, summary, want) in [
        (
            "the poller wakes every 250 ms and takes 64 rows",
            "The poller wakes twice a second and takes 64 rows.",
            "altered The poller wakes twice a second and takes 64 rows.",
        ),
        (
            "ask Nora about the index, she's back thursday",
            "The index is to be discussed with Nora, who is back on Tuesday.",
            "altered The index is to be discussed with Nora, who is back on Tuesday.",
        ),
        (
            "the window opens five minutes before midnight",
            "The window opens fifteen minutes before midnight.",
            "altered fifteen",
        ),
        (
            "the ingest was 70 min late in february once",
            "The ingest was once 85 minutes late in February.",
            "altered 85 minutes",
        ),
        (
            "there is code that draws pins from zoom 14 on, the option pins is off by default",
            "Pins are drawn from zoom 12 upwards, the option is off by default.",
            "altered 12",
        ),
        (
            "The test sleeps 500 ms, whereas the voucher field only fires its request after a debounce of 600 ms.",
            "The voucher test slept for less time than the 600 ms debounce of the field.",
            "",
        ),
    ] {
        assert_eq!(found_tied(&["nothing else here", said], summary), want, "{said}\n== {summary}");
    }
}

#[test]
fn another_name_in_the_same_place_is_altered() {
    for (said, summary, want) in [
        (
            "the upgrade broke twice. I hear Ruth tried it in March and gave up",
            "The upgrade broke twice; Peter attempted it in March and gave up.",
            "altered The upgrade broke twice; Peter attempted it in March and gave up.",
        ),
        (
            "it is the clock thing, Tim has a ticket",
            "It is a matter of clocks for which Omar already has a ticket.",
            "altered It is a matter of clocks for which Omar already has a ticket.",
        ),
        (
            "it is the clock thing, Omar Said has a ticket",
            "It is a matter of clocks for which Omar already has a ticket.",
            "",
        ),
        (
            "it is the clock thing, somebody has a ticket",
            "It is a matter of clocks for which Omar already has a ticket.",
            "",
        ),
    ] {
        assert_eq!(found_tied(&["I hear Peter and Omar are in", said], summary), want, "{said}\n== {summary}");
    }
}

#[test]
fn two_values_that_changed_places_are_turned_about() {
    let said = "With 2 cores it fails: 3 times in 40 runs. With 8 cores I had none in 200 runs.";
    for (summary, want) in [
        ("On two cores it failed in 3 of 40 runs, on eight cores in none of 200.", ""),
        ("On eight cores it failed in none of 200 runs, on two cores in 3 of 40.", ""),
        (
            "On eight cores it failed in 3 of 40 runs, on two cores in none of 200.",
            "inverted On eight cores it failed in 3 of 40 runs, on two cores in none of 200.",
        ),
    ] {
        assert_eq!(found_tied(&["nothing else here", said], summary), want, "{summary}");
    }
}

#[test]
fn two_names_that_changed_places_are_altered() {
    let counts = "The hall-door has 12 keys of the 40. roof-door has 3 and yard-door itself only 6, so it waits.";
    let locks =
        "Found it: in the old house the openLatch is worn and sticks in a cold winter; openBolt takes its place.";
    for (said, summary, want) in [
        (counts, "12 of them belong to hall-door, 3 to roof-door and a mere 6 to yard-door.", ""),
        (
            counts,
            "12 of them belong to yard-door, 3 to roof-door and a mere 6 to hall-door.",
            "altered 12 of them belong to yard-door, 3 to roof-door and a mere 6 to hall-door.",
        ),
        // One number more beside a name is no exchange.
        (counts, "12 of them belong to hall-door and roof-door, 6 to yard-door.", ""),
        (locks, "It calls openBolt now, because openLatch sticks in a cold winter.", ""),
        (
            locks,
            "It calls openLatch now, because openBolt sticks in a cold winter.",
            "altered It calls openLatch now, because openBolt sticks in a cold winter.",
        ),
        (locks, "It calls openBolt now, as openLatch and openBolt are told apart.", ""),
        // What stands before a colon is spoken of behind it.
        (locks, "**openLatch**: unlike openBolt it sticks in a cold winter.", ""),
    ] {
        assert_eq!(found_tied(&["nothing else here", said], summary), want, "{said}\n== {summary}");
    }
}
