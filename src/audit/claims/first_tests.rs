//! Tables: who said it first, and what a claim adds that nobody said.

use super::tests::check;
use crate::record::Field::{Narrative, Open};

#[test]
fn a_thought_belongs_to_who_said_it_first() {
    for (originals, text, want) in [
        (
            "a: The cellar pump runs on the old meter.\nu: we should put the pump on a timer switch",
            "I suggested putting the pump on a timer switch.",
            "misattributed",
        ),
        (
            "a: The cellar pump runs on the old meter.\nu: we should put the pump on a timer switch",
            "The user suggested putting the pump on a timer switch.",
            "",
        ),
        (
            "u: The bill is too high.\na: One could put the pump on a timer switch.\nu: oh nice, do that",
            "The user came up with the timer switch for the pump.",
            "misattributed",
        ),
        (
            "u: The bill is too high.\na: One could put the pump on a timer switch.\nu: oh nice, do that",
            "The user liked my idea of a timer switch for the pump.",
            "",
        ),
        (
            "a: One could put the pump on a timer switch.\nu: we should put the pump on a timer switch today",
            "The wish for a timer switch today came from the user; the agent refused it for the pump.",
            "",
        ),
        // A wish is one's own once one has said yes to it; an observation is not.
        (
            "u: The bill is too high.\na: Shall I put the pump on a timer switch?\nu: Yes, please.",
            "The user asked that the pump be put on a timer switch.",
            "",
        ),
        (
            "u: The bill is too high.\na: The garden lamps burn through the night.\nu: Yes.",
            "The garden lamps burn through the night, which the user noticed.",
            "misattributed",
        ),
        // Who owns that the other is right has not noticed it, however fully it is said.
        (
            "u: 40 lamps draw 200 watts, the bill has 400\na: Good catch. The bill counts the 40 lamps twice.",
            "I noticed that the bill counts the 40 lamps twice.",
            "misattributed",
        ),
        (
            "u: 40 lamps draw 200 watts, the bill has 400\na: Good catch. The bill counts the 40 lamps twice.",
            "The user noticed that the bill counts the 40 lamps twice.",
            "",
        ),
        // The answer to a question is the agent's, though the question has some of its words.
        (
            "u: why is the bill for the lamps so high?\na: Good question. The lamps draw current through a corroded relay.",
            "I discovered that the lamps draw current through a corroded relay.",
            "",
        ),
        (
            "u: leave the hedge alone, the birds nest in it\na: I leave the hedge alone.",
            "I asked that the hedge be left alone.",
            "misattributed",
        ),
        (
            "u: leave the hedge alone, the birds nest in it\na: I leave the hedge alone.",
            "The user asked that the hedge be left alone.",
            "",
        ),
        // An attitude to what the other said is one's own.
        (
            "a: We could sell the greenhouse boiler.\nu: not sure, hmm",
            "The user was uneasy about selling the greenhouse boiler.",
            "",
        ),
        (
            "a: We could sell the greenhouse boiler.\nu: not sure, hmm",
            "I was uneasy about the user's suggestion to sell the greenhouse boiler.",
            "misattributed",
        ),
        // A name is told by who names it first.
        (
            "u: The boiler is old.\na: Alternatively a Vaillant would do.\nu: hm, I hadn't thought of a Vaillant",
            "The boiler is old; the user brought a Vaillant up as an alternative.",
            "misattributed",
        ),
        (
            "u: The boiler is old.\na: Alternatively a Vaillant would do.\nu: is a Vaillant not too big?\na: You're right.",
            "The boiler is old; I brought a Vaillant up.",
            "",
        ),
        // Who would not have it said so.
        (
            "a: A second boiler or an oil stove would do.\nu: no oil stove, it smells\na: Then a second boiler.",
            "I ruled out the oil stove because of the smell.",
            "misattributed",
        ),
        (
            "a: A second boiler or an oil stove would do.\nu: no oil stove, it smells\na: Then a second boiler.",
            "The user ruled out the oil stove because of the smell.",
            "",
        ),
        (
            "u: can you order the oil stove today?\na: I can't, the shop is closed.",
            "I refused to order the oil stove today.",
            "",
        ),
        // What lay before both is seen by who says so, and by who says yes to it.
        (
            "a: The cellar stays at 4 degrees.\nu: thats an acceptable cellar",
            "The agent called the cellar acceptable.",
            "misattributed",
        ),
        (
            "u: How cold is it?\na: The cellar at 4 degrees is fine for potatoes.\nu: ok",
            "The user considered the cellar at 4 degrees fine for potatoes.",
            "",
        ),
        (
            "u: is the cellar cold enough for potatoes?\na: Yes.",
            "The agent considered the cellar cold enough for potatoes.",
            "",
        ),
        (
            "u: How cold is it?\na: Shall I buy a cellar thermometer for 12 euros?\nu: now the roof",
            "Cellar thermometer for 12 euros: proposed by user, no answer.",
            "misattributed",
        ),
        (
            "u: How cold is it?\na: Shall I buy a cellar thermometer for 12 euros?\nu: now the roof",
            "Cellar thermometer for 12 euros: proposed by agent, no answer.",
            "",
        ),
        (
            "a: Three stoves would do: oil, wood or gas, best the wood stove.\nu: wood sounds right",
            "The user chose the wood stove of three stoves.",
            "",
        ),
        ("< meter: boiler leaks at valve 3", "I noticed that the boiler leaks at the valve.", ""),
    ] {
        check(originals, Narrative, text, want);
    }
}

#[test]
fn what_is_added_must_name_something_that_stands_nowhere() {
    let originals = "u: The nightly backup of the shop is slow, it takes 40 minutes. I have not changed the disks.\n\
                     a: The backup copies every photo twice. The shop's login is not involved.";
    for (text, want) in [
        ("The nightly backup copies every photo twice, and mails each copy to a printer.", "invented"),
        ("The nightly backup copies every photo twice, with a spread of a third in each direction.", ""),
        ("The nightly backup copies every photo twice, a remark of the user led to the discovery.", ""),
        ("The nightly backup copies every photo twice; nothing of the remedy exists so far.", ""),
        ("The nightly backup copies every photo twice, 4,812 in all.", ""),
        ("The nightly backup copies every photo until the landlord has signed.", "invented"),
        ("The nightly backup copies every photo because the disks have not been exchanged.", ""),
        ("The nightly backup copies every image of the store twice, whereas authentication has no part in it.", ""),
        ("The nightly backup copies every photo twice and tells #boat-club.", "invented"),
    ] {
        check(originals, Open, text, want);
    }
}

#[test]
fn why_or_when_must_have_been_said_by_somebody() {
    let originals = "u: the pump in the cellar stopped on friday, the meter was off. it has a spare valve\n\
                     a: It stopped because the fuse had blown. I put the spare valve in, and the pump runs.";
    for (text, want) in [
        ("The pump in the cellar stopped on Friday after a burglar had opened the meter.", "invented"),
        ("The pump in the cellar runs, provided the caretaker opens the hatch.", "invented"),
        ("The pump stopped on Friday and runs at the village laundry.", "invented"),
        // As it was said, and as it was said in other words.
        ("The pump in the cellar stopped on Friday because the fuse had blown.", ""),
        ("The pump in the cellar stopped on Friday after the blown fuse.", ""),
        ("The pump runs by means of the spare valve.", ""),
        // What is made of what was said says it too.
        ("The pump in the cellar runs since the installation of the valve.", ""),
        // Without an article it may be what somebody did.
        ("The pump in the cellar stopped on Friday before help came.", ""),
    ] {
        check(originals, Open, text, want);
    }
}
