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
