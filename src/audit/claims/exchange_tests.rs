//! Tables: a word in the place of another, a word more, and what is said not to have been told.

use super::tests::check;
use crate::record::Field::Narrative;

#[test]
fn a_word_of_the_same_row_in_the_place_of_another_is_altered() {
    for (originals, text, want) in [
        ("u: My cousin repairs the boat in Oslo every spring.", "Her nephew repairs the boat in Oslo.", "altered"),
        ("u: My cousin repairs the boat in Oslo every spring.", "Her cousin repairs the boat in Oslo.", ""),
        // By another name it is the same.
        ("u: My mother repairs the boat in Oslo every spring.", "Her mom repairs the boat in Oslo.", ""),
        // Both are spoken of.
        ("u: My cousin repairs the boat.\nu: My nephew paints the boat.", "Her nephew repairs the boat.", ""),
        ("u: The importer waits a second for the lock.", "The importer waits for the first lock.", ""),
        ("u: The train to Lund leaves at the market.", "The bus to Lund leaves at the market.", "altered"),
        ("u: The train to Lund leaves at the market.", "A bus was late.", ""),
        ("a: The parser is a recurrent network of two layers.", "The parser is a convolutional network.", "altered"),
        (
            "a: The layout engine merges nodes by their colour.",
            "The layout engine merges edges by their colour.",
            "altered",
        ),
        (
            "a: The layout engine merges nodes by their colour.",
            "The layout engine merges vertices by their colour.",
            "",
        ),
        ("u: The auditory cue comes before each trial.", "A visual cue comes before each trial.", "altered"),
        ("u: The Spanish office closes at noon.", "The Italian office closes at noon.", "altered"),
        // Beside one another is not the other side of what was left alone.
        (
            "a: I leave the boiler of the office alone, it blocks the door at noon.",
            "The boiler of the office blocks the door together with a cart.",
            "",
        ),
        ("a: The parser is a recurrent network of two layers.", "The parser is a recurrent network.", ""),
    ] {
        check(originals, Narrative, text, want);
    }
}

#[test]
fn an_only_that_nobody_said_turns_a_claim_round() {
    for (originals, text, want) in [
        (
            "a: The export writes orders, invoices and refunds to the ledger.",
            "The export writes only orders to the ledger.",
            "inverted",
        ),
        ("a: The export writes just orders to the ledger.", "The export writes only orders to the ledger.", ""),
        ("a: The ledger is a read-only copy of the orders.", "The ledger is a read-only copy of the orders.", ""),
        ("a: The export writes orders to the ledger.", "The export writes only 3 files.", ""),
        (
            "a: The ledger has orders and their dates, while refunds are not part of it.",
            "The ledger only has orders and their dates.",
            "",
        ),
    ] {
        check(originals, Narrative, text, want);
    }
}

#[test]
fn what_was_told_is_no_silence() {
    for (originals, text, want) in [
        (
            "u: Our courier brings spare keys and a printed map.",
            "The courier firm does not offer spare keys or a map.",
            "inverted",
        ),
        ("u: Our courier brings no spare keys and no map.", "The courier firm does not offer spare keys or a map.", ""),
        ("u: Our courier brings spare keys and a printed map.", "The courier firm does not offer insurance.", ""),
        ("u: Our courier brings spare keys and a printed map.", "The courier firm offers spare keys and a map.", ""),
        ("u: Could the courier bring spare keys?", "The courier firm does not offer spare keys.", ""),
    ] {
        check(originals, Narrative, text, want);
    }
}

#[test]
fn another_word_before_the_same_noun_is_altered() {
    let said = "u: 3:00 is better, at midnight the watering job runs in the greenhouse";
    let list = "u: the roof pump and the cellar pump start at noon, the cellar pump is loud";
    for (originals, text, want) in [
        (said, "The door closes at 3:00 because the heating job runs in the greenhouse at midnight.", "altered"),
        (said, "The door closes at 3:00 because the watering job runs in the greenhouse at midnight.", ""),
        // The same word in another form, and one that says the same.
        (said, "The door closes at 3:00 because the waterings job runs in the greenhouse at midnight.", ""),
        (
            "u: the delete job runs in the greenhouse at midnight",
            "The purge job runs in the greenhouse at midnight.",
            "",
        ),
        // Both are spoken of.
        (list, "The roof pump and the cellar pump start at noon.", ""),
        (list, "The roof pump starts at noon.", ""),
        // Without an article it may be what is done to it.
        (
            "u: we tell him that warm rooms breed mould in winter",
            "He is told that airing rooms breeds mould in winter.",
            "",
        ),
        // Too little is the same.
        (said, "The heating job is new.", ""),
    ] {
        check(originals, Narrative, text, want);
    }
}
