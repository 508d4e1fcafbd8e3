//! A whole small session and a line of a summary: names, figures and claims are checked together.

use super::world::{compaction, lifted, said};
use super::*;
use crate::record::{Finding, Manner, Severity};

/// The kinds of the findings on a summary, each once, in order.
fn kinds(originals: &str, summary: &str) -> String {
    let findings = findings(originals, summary);
    let loud = findings.iter().filter(|finding| finding.severity > Severity::Low);
    let mut kinds: Vec<&str> = loud.map(|finding| finding.kind.name()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.join(" ")
}

/// What is wrong with a summary; every original is tied to every item.
fn findings(originals: &str, summary: &str) -> Vec<Finding> {
    let (record, passages, compaction) = (lifted(summary), said(originals), compaction(1));
    let mut presence = Presence::asking([(&record, compaction.place.offset)]);
    let mut consents = Consents::default();
    for passage in &passages {
        let (text, origin) = (&*passage.around, &*passage.origin);
        let voice = Voice {
            turn: &origin.turn,
            turn_id: &origin.turn_id,
            line_id: None,
            place: origin.place,
            seq: origin.seq,
            speaker: origin.speaker,
        };
        presence.see(text, origin.place.offset);
        presence.hear(text, text.len(), &[], &voice);
        consents.hear(text, origin.speaker, origin.seq.0, origin.seq.0);
        if origin.manner == Manner::ToolCall {
            consents.call("bash", text, origin.seq.0);
        }
        consents.keep(passage.clone());
    }
    let heard = presence.overheard();
    presence.add(heard, 0);
    let tied = vec![passages; record.items.len()];
    let case =
        Case { compaction: &compaction, record: &record, passages: &tied, presence: &presence, consents: &consents };
    check(&case, &mut Reader::default()).1
}

fn check_all(rows: &[(&str, &str, &str)]) {
    for (originals, summary, want) in rows {
        assert_eq!(kinds(originals, summary), *want, "{originals}\n== {summary}");
    }
}

#[test]
fn a_value_that_was_given_last_holds_and_one_that_nobody_gave_does_not() {
    const CEILING: &str = "a: I would put the ceiling for uploads at 25 MB.\nu: 50, please.";
    const SEATS: &str = "u: The hall has 12 seats, that is too few.\n> seats_in_hall = 30\n< saved";
    const CAP: &str = "u: Retries are capped at 7 attempts.\na: Retries capped at 7 attempts it is. 5 files changed.\n\
                       u: Fine, and take 5 minutes for the docs.";
    check_all(&[
        (CEILING, "The ceiling for uploads is 50 MB", ""),
        (CEILING, "The ceiling for uploads is 75 MB", "altered"),
        ("a: I'd propose a limit of 40 calls a minute.\nu: Make it 60.", "The limit is 60 calls a minute", ""),
        ("a: The offer is 2,400 euros.\nu: Too much. Offer 2,100.", "The offer is 2,100 euros", ""),
        (SEATS, "The hall has 30 seats now", ""),
        (SEATS, "The hall has 40 seats now", "altered"),
        ("a: The import takes 41 minutes.\na: With the index it is 17 minutes.", "The import takes 17 minutes", ""),
        // What was said of something else gives it no value.
        (CAP, "Retries are capped at 5 attempts", "altered"),
        ("u: Take 60.\na: I set a limit of 40 calls a minute.", "The limit is 60 calls a minute", "altered"),
        ("a: 5 tests fail.\n> pytest\n< 1 failed, 44 passed", "Only one test still fails", ""),
        ("a: The tests of billing fail.", "Only the tests of billing fail", "inverted"),
    ]);
}

#[test]
fn the_same_in_other_words_is_no_accusation_and_the_opposite_is_one() {
    const WIDE: &str = "u: The shelf has to be at most 45 cm wide.";
    const WAIT: &str = "u: The parcel must not leave before 3 July, we are away.";
    const CASE: &str = "u: You must not open the case during the test.";
    const HALL: &str = "u: Members see the hall plan, nobody else does.";
    const WALL: &str = "u: Mr Ahlberg says it probably is. He comes on Monday to check.";
    check_all(&[
        (WIDE, "The shelf must be no wider than 45 cm", ""),
        (WIDE, "The shelf must not be wider than 45 cm", ""),
        (WIDE, "The shelf must be at least 45 cm wide", "inverted"),
        ("u: Keep the tapes for at least 14 days.", "Tapes are never kept for less than 14 days", ""),
        ("u: Keep the tapes for at least 14 days.", "Tapes are kept for at most 14 days", "inverted"),
        (WAIT, "The parcel leaves on or after 3 July", ""),
        (WAIT, "The parcel leaves from 3 July on", ""),
        (WAIT, "The parcel must leave before 3 July", "inverted"),
        ("u: The letters must not be sent after 18:00.", "The letters are sent by 18:00", ""),
        ("u: under 50 ms is nice but no promise", "Under 50 ms is a promise to customers", "inverted"),
        (CASE, "The case must not be opened during the test", ""),
        (CASE, "The case may be opened during the test", "inverted"),
        (HALL, "Only members see the hall plan", ""),
        ("u: Members see the hall plan.", "Only members see the hall plan", "inverted"),
        ("a: I'd rather not touch the lexer.", "The agent advised against touching the lexer", ""),
        ("u: do NOT drop that slot until Ines confirms", "Forbade dropping the slot until Ines confirms", ""),
        (WALL, "The wall may be hollow; Mr Ahlberg will look at it on Monday", ""),
        ("a: There are 18,442 lines. 212 rows have no unit.", "212 of 18,442 lines lack a unit", ""),
    ]);
}

#[test]
fn what_can_be_worked_out_of_the_originals_is_not_accused() {
    const BAD: &str = "a: 61 of 244 rows are bad.";
    const RUNS: &str = "a: The job ran 3,612 seconds.";
    check_all(&[
        (BAD, "183 of 244 rows are good", ""),
        (BAD, "25 % of the rows are bad", ""),
        (BAD, "35 % of the rows are bad", "invented"),
        ("< 3 failed, 210 passed", "3 of 213 tests fail", ""),
        ("a: 48 of the 60 sensors answered.", "12 of 60 sensors did not answer", ""),
        (RUNS, "The job ran about an hour", ""),
        (RUNS, "The job ran 60 minutes", ""),
        ("u: The quiet hours are from 22 to 7.", "Quiet hours run from 10 pm to 7 am", ""),
        ("a: The suite takes 11 minutes.", "The suite takes about ten minutes", ""),
        ("a: The suite takes 11 minutes.", "The suite takes 17 minutes", "altered"),
        ("u: Porto has 40 shops, Lyon has 55.", "Porto and Lyon have 95 shops in total", ""),
    ]);
}

#[test]
fn plain_errors_are_found() {
    const CELL: &str = "u: Use locker up-blue-77.\na: OK.";
    const DISK: &str = "u: The disk is not it, we swapped the disk and the noise stayed.";
    const SLOW: &str =
        "u: The export of the shop is slow. Find out why.\na: I look.\nu: Add an index on the test base.";
    check_all(&[
        (CELL, "Locker: up-blue-71", "altered"),
        (CELL, "Locker: up-blue-77", ""),
        (DISK, "The disk is the cause", "inverted"),
        (DISK, "The disk is not the cause", ""),
        ("a: It isn't the pump.\na: The pump is the cause after all.", "The cause is the pump", ""),
        ("a: Shall I delete the old branch?\nu: no", "The user approved deleting the old branch", "inverted"),
        (SLOW, "All user messages:\n- \"Please also drop the old table.\"", "invented"),
        (SLOW, "All user messages:\n- \"Add an index on the test base.\"", ""),
        (SLOW, "All user messages:\n- \"Find out why the export is slow\"", ""),
    ]);
}

#[test]
fn the_answer_is_shown_and_not_the_question() {
    let found = findings(
        "a: I could cache the results in Redis.\nu: No, don't use Redis, nobody runs it.",
        "The user decided to use Redis for caching the results.",
    );
    let shown: Vec<&str> = found.iter().flat_map(|finding| &finding.sources).map(|source| &*source.quote).collect();
    assert_eq!(shown.first().copied(), Some("No, don't use Redis, nobody runs it."));
    let found = findings("u: Paint must never be mixed on Fridays.", "Paint is mixed on Fridays");
    assert_eq!(found.first().map(|finding| finding.severity), Some(Severity::High));
}
