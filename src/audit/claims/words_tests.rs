//! Tables on the person's own words: quotations, what was only asked or put loosely, what was put off.

use super::tests::check;
use crate::record::Field::{Actions, Narrative};

#[test]
fn a_quotation_must_be_what_was_said() {
    let asked = "u: can we cache the map tiles in a worker?";
    let refused = "u: weekly batches are to slow";
    let removed = "u: no remove the banner again, the odds that it hides the cart are to high";
    for (originals, text, want) in [
        (asked, "The user said: \"can we cache the map tiles in a worker?\"", ""),
        (asked, "The user: \"we want to cache the map tiles in a worker\"", "firmed"),
        (refused, "Weekly first; user said \"weekly batches are too slow\"", ""),
        (refused, "Weekly first; user said \"weekly batches are better\"", "inverted"),
        (removed, "\"no remove the banner again, the odds that it hides the cart are too high\"", ""),
        (removed, "\"no keep the banner, the odds that it hides the cart are not that high\"", "inverted"),
        (removed, "\"no remove the banner again, … are to high\"", ""),
        ("u: please render the legend below the map", "\"please render the title below the map\"", "altered"),
        ("u: please render the legned below the map", "\"please render the legend below the map\"", ""),
    ] {
        check(originals, Narrative, text, want);
    }
}

#[test]
fn what_was_only_asked_was_not_said() {
    for (originals, text, want) in [
        (
            "u: Do they mention the tile limit in their manual?",
            "They said the vendor does not mention the tile limit in the manual.",
            "firmed",
        ),
        (
            "u: Do they mention the tile limit in their manual?",
            "They asked if the vendor mentions the tile limit in the manual.",
            "",
        ),
        (
            "u: They do not mention the tile limit in their manual.",
            "They said the vendor does not mention the tile limit in the manual.",
            "",
        ),
        (
            "u: Should trips.stage become an enum? It is a big table.",
            "The user proposed converting trips.stage to an enum.",
            "firmed",
        ),
        ("u: How about an enum for trips.stage?", "The user proposed an enum for trips.stage.", ""),
    ] {
        check(originals, Narrative, text, want);
    }
}

#[test]
fn what_was_put_loosely_or_put_off_was_not_settled() {
    let loose = "u: name the second one `draft-tiles` if needed, i will see";
    let plain = "u: name it `draft-tiles`, nothing else";
    let off = "u: write the options down so I can pick one later";
    for (originals, text, want) in [
        (loose, "User requires `draft-tiles.ts` beside the old one", "firmed"),
        (loose, "User suggested `draft-tiles.ts` for the new one", ""),
        (plain, "User requires `draft-tiles.ts`", ""),
        (off, "Option 2, which the user agreed to have built immediately", "inverted"),
        ("u: option 2 it is, have it built now", "Option 2, which the user agreed to have built immediately", ""),
    ] {
        check(originals, Narrative, text, want);
    }
}

#[test]
fn what_the_list_has_as_pending_was_not_done() {
    let pending = "> todos: [{\"content\":\"Run bench and lint\",\"status\":\"pending\"}]";
    let done = format!("{pending}\n> todos: [{{\"content\":\"Run bench and lint\",\"status\":\"completed\"}}]");
    for (originals, text, want) in [
        (pending, "No errors so far - bench and lint have both been run", "inverted"),
        (pending, "No errors so far - still need to run bench and lint", ""),
        (done.as_str(), "No errors so far - bench and lint have both been run", ""),
        ("< Task #4 created successfully: Run bench and lint", "Bench and lint have both been run", "inverted"),
        (
            "< Added todo #4: Run bench and lint\n> action: toggle\n< Todo #4 completed",
            "Bench and lint have both been run",
            "",
        ),
        (pending, "Tests for the tiles, all 31 passing", "invented"),
        ("< 31 tests passed in 2 s", "Tests for the tiles, all 31 passing", ""),
    ] {
        check(originals, Actions, text, want);
    }
}

#[test]
fn a_quotation_that_leaves_off_the_hedge_is_no_statement_of_a_fact() {
    let said = "u: I think billing only reads the nightly export.\na: Probably the queue drops its oldest messages.";
    for (text, want) in [
        ("The user said: \"billing only reads the nightly export\"", ""),
        ("User: \"billing only reads the nightly export.\"", ""),
        ("\"billing only reads the nightly export\"", ""),
        ("The agent said “the queue drops its oldest messages”", ""),
        ("Billing only reads the nightly export.", "firmed"),
        ("The user said billing only reads the nightly export.", "firmed"),
        ("Billing only reads the \"nightly\" export.", "firmed"),
        ("The queue drops its oldest messages.", "firmed"),
        ("The user said: \"billing only writes the nightly export\"", "inverted"),
        (
            "Billing only reads the nightly export, as the user said: \"billing only reads the nightly export\"",
            "firmed",
        ),
    ] {
        check(said, Narrative, text, want);
    }
}
