//! What the default summariser chooses, and what it never takes.

use super::world::spoken;
use super::{Brief, Extractive, Summariser};
use proptest::prelude::*;

fn chosen(told: &str) -> Vec<String> {
    let originals = spoken(told);
    let brief = Brief { originals: &originals, sentences: 4 };
    Extractive.summarise(&brief, &|| false).unwrap().into_iter().map(|one| one.text).collect()
}

#[test]
fn goal_state_open_and_next_are_told_in_the_words_that_were_said() {
    let told = "
        u: The nightly export writes rows twice. Find out why and fix it.
        a: Let me look at the exporter.
        > command: cat exporter.py
        < def export(): pass
        a: The loop opens the cursor again. Removed the second cursor from the exporter.
        u: Should the old rows be deleted too? I am not sure.
        a: Added a test for the exporter. The staging database is blocked by a lock. Next I clean up the old rows.
    ";
    assert_eq!(
        chosen(told),
        [
            "Find out why and fix it.",
            "Added a test for the exporter.",
            "The staging database is blocked by a lock.",
            "Next I clean up the old rows.",
        ]
    );
}

#[test]
fn a_request_that_is_said_again_is_told_as_it_was_said_last() {
    let told = "
        u: Fix the duplicate rows in the nightly export.
        a: I removed the second cursor.
        u: Fix the duplicate rows in the nightly export, but only for the paid orders.
    ";
    assert_eq!(chosen(told)[0], "Fix the duplicate rows in the nightly export, but only for the paid orders.");
}

#[test]
fn code_logs_quotes_pastes_tables_and_results_are_never_taken() {
    for told in [
        "a: ``` / Added the index to orders. / ```",
        "a: > Added the index to orders.",
        "u: <pasted-text> / Fix the index of orders please. / </pasted-text>",
        "a: | Added the index to orders. | yes |",
        "u: 09:14:07 fix the index now / 09:14:08 fix the index now / 09:14:09 fix the index now",
        "< Added the index to orders.",
        "> command: Added the index to orders.",
        "a: # Added the index to orders",
        "",
    ] {
        assert!(chosen(told).is_empty(), "{told}: {:?}", chosen(told));
    }
}

#[test]
fn what_says_the_same_is_told_once() {
    let told = "
        u: Rename the billing table.
        a: Renamed the billing table. Still to do: rename the billing table views.
        a: Renamed the billing table.
    ";
    let all = chosen(told);
    assert_eq!(all.iter().filter(|one| one.contains("enamed the billing table")).count(), 0, "{all:?}");
    assert_eq!(all[0], "Rename the billing table.");
}

#[test]
fn a_stopped_one_says_so() {
    let brief = Brief { originals: &[], sentences: 4 };
    assert_eq!(Extractive.summarise(&brief, &|| true), Err(super::SummaryError::Cancelled));
}

proptest! {
    #[test]
    fn every_sentence_stands_word_for_word_where_its_source_says(
        texts in proptest::collection::vec("[a-zA-Z .?!`\n|>#é。-]{0,120}", 0..12),
        wanted in 0_usize..8,
    ) {
        let mut originals = spoken(&"u: x\n".repeat(texts.len()));
        for (at, (spoken, text)) in originals.iter_mut().zip(texts).enumerate() {
            spoken.part.text = text;
            if at % 2 == 1 {
                spoken.part.speaker = crate::session::Speaker::Assistant;
            }
        }
        let brief = Brief { originals: &originals, sentences: wanted };
        let first = Extractive.summarise(&brief, &|| false).unwrap();
        prop_assert!(first.len() <= wanted.min(4));
        for one in &first {
            let source = &one.sources[0];
            let part = &originals[source.seq.0 as usize].part;
            prop_assert_eq!(&part.text[source.range.0..source.range.1], one.text.as_str());
            prop_assert_eq!(&source.quote, &one.text);
        }
        prop_assert_eq!(first, Extractive.summarise(&brief, &|| false).unwrap());
    }
}

/// The speed that the whole of compiling needs leaves this a small share: it is measured, not asserted, by hand.
#[test]
#[ignore = "prints how fast it is"]
fn how_fast_it_is() {
    let turn = "u: Can you look at the exporter again, the rows in the billing table are still written twice at night?\n\
        a: I looked at the exporter and removed the second cursor. The test passes now. Next I will look at the views.\n";
    let originals = spoken(&turn.repeat(20));
    let start = std::time::Instant::now();
    let rounds = 500;
    for _ in 0..rounds {
        Extractive.summarise(&Brief { originals: &originals, sentences: 4 }, &|| false).unwrap();
    }
    let took = start.elapsed().as_secs_f64();
    panic!("{:.0} turns a second", f64::from(rounds) * 40.0 / took);
}
