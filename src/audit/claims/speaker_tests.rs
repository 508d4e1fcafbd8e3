//! Tables: who is said to have said something, and who said it.

use super::tests::{check, found};
use crate::record::Field::Narrative;
use crate::session::Originals;

#[test]
fn a_yes_and_an_order_need_the_person() {
    for (originals, text, want) in [
        ("u: Go ahead with the plan.", "The user approved the plan and asked for a press release.", "invented"),
        (
            "u: Go ahead with the plan, and write a press release.",
            "The user approved the plan and asked for a press release.",
            "",
        ),
        ("> git commit -m invoices", "Committed the invoices, pushed upstream at the user's request.", "invented"),
        (
            "u: Commit the invoices and push them upstream.",
            "Committed the invoices, pushed upstream at the user's request.",
            "",
        ),
        (
            "a: A tenth of the shops have the plan, I would go to all.\nu: full",
            "A tenth of the shops had the plan, after which the user ordered the full rollout.",
            "",
        ),
        ("a: Shall I write a press release?\nu: Yes.", "The plan stands and the user asked for a press release.", ""),
        ("u: Go ahead with the plan.", "suggested by the", ""),
    ] {
        check(originals, Narrative, text, want);
    }
}

#[test]
fn who_said_it_is_held_against_who_is_said_to_have_said_it() {
    for (originals, text, want) in [
        (
            "u: The queue keeps its messages over a restart.",
            "I pointed out that the queue keeps its messages over a restart.",
            "misattributed",
        ),
        (
            "a: The queue keeps its messages over a restart.",
            "I pointed out that the queue keeps its messages over a restart.",
            "",
        ),
        (
            "u: Look at the queue.\na: A restart leaves orphaned lock files behind.",
            "The user reported that a restart leaves orphaned lock files behind.",
            "misattributed",
        ),
        (
            "u: A restart leaves orphaned lock files behind.",
            "The user reported that a restart leaves orphaned lock files behind.",
            "",
        ),
        // A conversation that names its own speakers.
        (
            "u: Agent: The queue keeps its messages over a restart.",
            "I pointed out that the queue keeps its messages over a restart.",
            "",
        ),
        ("u: Does the queue keep its messages?", "The user said the queue keeps its messages.", "firmed"),
    ] {
        check(originals, Narrative, text, want);
    }
}

#[test]
fn where_the_beginning_is_missing_nothing_is_invented_or_laid_into_a_mouth() {
    for (originals, text, want) in [
        ("u: Go ahead with the plan.", "The user approved the plan and asked for a press release.", None),
        (
            "a: A restart leaves orphaned lock files behind.",
            "The user reported that a restart leaves orphaned lock files.",
            None,
        ),
        ("a: The importer closes idle connections.", "The importer does not close idle connections.", Some("inverted")),
    ] {
        let found = found(originals, Narrative, text, Originals::Partly);
        assert_eq!(found.findings.first().map(|finding| finding.kind.name()), want, "{text}");
    }
}
