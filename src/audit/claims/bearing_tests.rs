//! Tables: what a claim must have in a sentence to be verified by it. As many true claims as false ones.

use super::tests::found;
use crate::record::Field::{self, Actions, Constraints, Decisions, Narrative, RuledOut};
use crate::record::Verdict;
use crate::session::Originals;

fn verified(originals: &str, field: Field, text: &str, want: bool) {
    let judgement = found(originals, field, text, Originals::Present).judgements.remove(0).1;
    assert_eq!(judgement.verdict == Verdict::Verified, want, "{originals}\n== {text}\n{judgement:?}");
}

#[test]
fn another_value_is_not_verified() {
    for (originals, text, want) in [
        ("a: The oven timer is 9, from the card on the wall.", "The oven timer is 4", false),
        ("a: The oven timer is 9, from the card on the wall.", "The oven timer is 9", true),
        ("u: Rather a discount of 3.5 percent.", "Discount: 2.5 percent", false),
        ("u: Give them a discount of 3.5 percent.", "A discount of 3.5 percent", true),
        ("u: Give them a discount of 3.5 percent.", "A discount of 5.3 percent", false),
        ("a: The oven holds nine loaves.", "The oven holds 9 loaves.", true),
        ("< 4 of 90 loaves are burnt", "90 loaves are burnt", false),
    ] {
        verified(originals, Narrative, text, want);
    }
}

#[test]
fn every_word_must_stand_in_one_clause_and_in_its_order() {
    let ovens = "u: Bergen has 12 ovens; Turku has 30, Narva has 7.";
    let bread = "u: Rye goes to the market on Mondays, wheat on Fridays.";
    for (originals, text, want) in [
        (ovens, "Bergen has 12 ovens", true),
        (ovens, "Turku has 12 ovens", false),
        (ovens, "Narva has 12 ovens", false),
        (bread, "Rye goes to the market on Mondays", true),
        (bread, "Rye goes to the market on Fridays", false),
        ("a: The baker pays the miller.", "The miller pays the baker.", false),
        ("a: The baker pays the miller.", "The baker pays the miller", true),
        ("< Loaves: 3 burnt, 40 done", "All loaves are done.", false),
        ("a: The one burnt loaf needs more water.", "All loaves are burnt.", false),
        ("u: The morning shift sees the list, nobody else does.", "Everyone sees the list", false),
        ("u: The morning shift sees the list, nobody else does.", "The morning shift does not see the list", false),
        ("u: The morning shift sees the list, nobody else does.", "The morning shift sees the list", true),
        ("a: The oven stops only if the door is open.", "The oven stops", false),
        ("a: The oven stops only if the door is open.", "The oven stops only if the door is open", true),
        ("a: The dough rests. The oven is hot.", "The dough rests; the oven is hot.", true),
        ("a: The dough rests. The oven may be hot.", "The dough rests; the oven is hot.", false),
        ("u: Never open the oven while it bakes.", "Never open the", false),
        ("u: Never open the oven while it bakes.", "Never open the oven while it bakes", true),
    ] {
        verified(originals, Narrative, text, want);
    }
    verified("u: For the counter I've ruled out slate, it chips.", Decisions, "Counter: slate was chosen.", false);
}

#[test]
fn what_is_to_be_done_was_not_done() {
    for (originals, field, text, want) in [
        ("u: Clean the mixer.", Narrative, "The user cleaned the mixer", false),
        ("u: Clean the mixer.", Narrative, "The mixer was cleaned", false),
        ("u: Clean the mixer.", Narrative, "The user asked to clean the mixer", true),
        ("u: I cleaned the mixer.", Narrative, "The user cleaned the mixer", true),
        ("a: I need to clean the mixer.", Actions, "Cleaned the mixer", false),
        ("a: I have cleaned the mixer.", Actions, "Cleaned the mixer", true),
    ] {
        verified(originals, field, text, want);
    }
}

#[test]
fn what_a_person_only_shows_is_not_their_word() {
    for (originals, field, text, want) in [
        ("u: > We decided to bake on Sundays.", Decisions, "We decided to bake on Sundays", false),
        ("u: We decided to bake on Sundays.", Decisions, "We decided to bake on Sundays", true),
        ("u: > We decided to bake on Sundays.", Decisions, "The user decided to bake on Sundays", false),
        ("u: <some-reminder>Never bake on Sundays.</some-reminder>", Constraints, "Never bake on Sundays", false),
        ("< Never bake on Sundays.", Constraints, "Never bake on Sundays", false),
        ("u: Never bake on Sundays.", Constraints, "Never bake on Sundays", true),
    ] {
        verified(originals, field, text, want);
    }
}

#[test]
fn what_was_taken_back_is_not_verified() {
    for (originals, field, text, want) in [
        ("a: We ruled out the yeast.", RuledOut, "The yeast was ruled out", true),
        ("a: We ruled out the yeast.\na: It was the yeast after all.", RuledOut, "The yeast was ruled out", false),
        ("a: We ruled out the yeast.\na: The yeast is in the cellar.", RuledOut, "The yeast was ruled out", true),
        ("u: Opening is on 3 May.", Narrative, "Opening: 3 May", true),
        ("u: Opening is on 3 May.\nu: Change of plan: 10 May.", Narrative, "Opening: 3 May", false),
        ("u: Opening is on 3 May.\nu: Change of plan: 10 May.", Narrative, "Opening is on 3 May", false),
        ("u: Opening is on 3 May.\nu: The feast is on 10 May.", Narrative, "Opening is on 3 May", true),
        ("a: The price is 4 euros a loaf.\nu: Make it 5.", Narrative, "The price is 4 euros a loaf", false),
        ("a: The price is 4 euros a loaf.\nu: Fine, bake 5.", Narrative, "The price is 4 euros a loaf", true),
    ] {
        verified(originals, field, text, want);
    }
}
