//! Tables on clauses: what was not done yet, contrasts, permissions, and what was left open.

use super::tests::{check, found};
use crate::record::Field::{Constraints, Decisions, Narrative};
use crate::record::Verdict;
use crate::session::Originals;

#[test]
fn what_is_not_done_yet_was_not_done() {
    let bare = "a: I haven't signed the lease yet; the landlord is abroad.";
    let pronoun = "a: I'd put a heat alarm and a smoke alarm into the cellar. I haven't installed them.";
    let later = format!("{bare}\na: The lease is signed, the keys come on Friday.");
    for (originals, text, want) in [
        (bare, "The lease has been signed by all parties.", "inverted"),
        (bare, "The lease has not been signed yet.", ""),
        (bare, "The lease still has to be signed.", ""),
        (later.as_str(), "The lease has been signed.", ""),
        (bare, "The cellar has been painted.", ""),
        (pronoun, "A heat alarm and a smoke alarm were installed in the cellar.", "inverted"),
        (pronoun, "A heat alarm and a smoke alarm were suggested for the cellar.", ""),
        (
            "a: The lease BX-17 over 40 pages is written. It lies with the notary, so it is not signed yet.",
            "The lease BX-17 over 40 pages has passed the notary and been signed.",
            "inverted",
        ),
        ("a: The index of the boats is still missing.", "Book of the boats: index of the boats included.", "inverted"),
        (
            "a: The invoice run still has to write the totals to the ledger.",
            "The totals were written to the ledger by the invoice run.",
            "inverted",
        ),
        (
            "a: The invoice run has to write the totals to the ledger.",
            "The totals are written to the ledger by the invoice run.",
            "",
        ),
    ] {
        check(originals, Narrative, text, want);
    }
}

#[test]
fn the_same_words_without_the_not_are_not_verified() {
    for (originals, text, want) in [
        (
            "u: there is no printed menu on the left table",
            "There is a printed menu on the left table.",
            Verdict::Contested,
        ),
        ("a: Does the left table not hold the menu?", "The left table holds the menu.", Verdict::Weak),
        ("a: The left table holds the menu.", "The left table holds the menu.", Verdict::Verified),
        ("a: The left table holds the menu; it does not wobble.", "The left table holds the menu.", Verdict::Verified),
        // What the user did only they can say.
        ("t: The user decided to wait, so the move is off.\nu: hm", "User decided to move on", Verdict::Weak),
        // A question says nothing.
        ("u: Should the sign become a board?", "The sign is now a board.", Verdict::Weak),
        ("u: The sign became a board, right?", "The sign became a board.", Verdict::Verified),
        ("u: Should the sign become a board?", "Should the sign become a board?", Verdict::Verified),
        // Only a yes says that they said yes.
        ("u: Please check the deploy.", "The user approved the deploy.", Verdict::Weak),
        ("u: ok, deploy it then", "The user approved the deploy.", Verdict::Verified),
        ("u: Please check the deploy.", "The user wants the deploy checked.", Verdict::Verified),
    ] {
        let judgements = found(originals, Narrative, text, Originals::Present).judgements;
        assert_eq!(judgements[0].1.verdict, want, "{text}");
    }
}

#[test]
fn a_contrast_is_not_turned_about() {
    let keep = "u: keep the printed menu, drop the tablet. guests like paper";
    let oak = "a: Note that the frame is solid oak, not pine.";
    for (originals, text, want) in [
        (keep, "The printed menu was dropped and the tablet kept.", "inverted"),
        (keep, "The tablet was dropped and the printed menu kept.", ""),
        (keep, "The printed menu stays, and the tablet goes.", ""),
        (oak, "The frame was pine, which is soft, and not solid oak.", "inverted"),
        (oak, "The frame was solid oak, and not pine.", ""),
        ("u: ok park it. ticket, not today", "Had the idea parked as a ticket (B-12) and not done today.", ""),
        (
            "a: With 2 ovens the bread burnt in 3 of 40 batches. With 8 ovens it never burnt in 200 batches.",
            "On two ovens the bread burnt in 3 of 40 batches, whereas on eight it never did in 200.",
            "",
        ),
        (
            "a: With 2 ovens the bread burnt in 3 of 40 batches, while with 8 ovens it was fine in 200 batches.",
            "On eight ovens the bread burnt in 3 of 40 batches, whereas on two ovens it was fine in 200.",
            "inverted",
        ),
    ] {
        check(originals, Narrative, text, want);
    }
}

#[test]
fn what_was_forbidden_may_not_be_done() {
    let touch = "u: nothing gets shipped to the depot until I say so. do not repaint the van";
    for (originals, text, want) in [
        (touch, "Parcels may be shipped to the depot at any time.", "inverted"),
        (touch, "Nothing may be shipped to the depot without a word from the user.", ""),
        (touch, "It is fine to repaint the van.", "inverted"),
        (touch, "The van may not be repainted.", ""),
        (touch, "It is fine to wash the van.", ""),
        ("u: do not repaint the van\nu: ok, repaint the van now", "The van may be repainted.", ""),
        ("u: don't touch the gate, Tove built it", "The gate may be widened by a hand.", "inverted"),
        ("u: don't touch the gate, Tove built it", "The hedge may be cut.", ""),
        ("u: dont print anything, i do the printing", "The agent may print finished posters.", "inverted"),
        ("u: no hired van either, we had a quote once", "The user would consider a hired van.", "inverted"),
        ("u: a hired van is ok, but no trailer", "The user would consider a hired van.", ""),
        ("u: i don't mind if you repaint the van", "The van may be repainted.", ""),
        ("u: you don't need to repaint the van", "The van may be repainted.", ""),
    ] {
        check(originals, Constraints, text, want);
    }
}

#[test]
fn a_clause_that_was_left_open_is_no_fact() {
    let maybe = "a: I don't know why the gate sticks; maybe because of the wet hinges.";
    let cause = "a: The hinge is a real defect but maybe not the cause of the noise.";
    for (originals, text, want) in [
        (maybe, "The gate sticks because of the wet hinges.", "firmed"),
        (maybe, "The gate sticks, possibly because of the wet hinges.", ""),
        (
            "a: maybe because of the wet hinges\na: It is the wet hinges: the gate moves once they are dry.",
            "The gate sticks because of the wet hinges.",
            "",
        ),
        (cause, "The hinge is a real defect, and it is what causes the noise.", "firmed"),
        (cause, "The hinge is a real defect.", ""),
        (
            "a: It is likely, but unproven, that the depot has been losing parcels.",
            "The depot has been losing parcels.",
            "firmed",
        ),
        ("u: it has to carry paper, ink and glue, string maybe", "It has to carry paper, ink and glue.", ""),
        ("u: it has to carry paper, ink and glue, brass string maybe", "It carries brass string.", "firmed"),
        // What was left open stands beside what was not.
        ("u: we need paper, ink and maybe glue from the shop", "Paper and ink come from the shop.", ""),
    ] {
        check(originals, Narrative, text, want);
    }
}

#[test]
fn who_reports_a_doubt_or_a_proposal_claims_nothing() {
    for (originals, text, want) in [
        ("u: what about marking the crates w/ a sticker?", "Suggested marking the crates with a sticker", ""),
        ("u: does varnish even cost that much?", "Doubted that varnish costs that much", ""),
        ("u: could we maybe bake both loaves at once?", "Floated baking both loaves at once", ""),
        ("u: how long does the glue dry?", "Asked how long the glue dries", ""),
        ("u: maybe we bake both loaves at once", "Considered baking both loaves at once", ""),
        ("u: maybe we bake both loaves at once", "Both loaves at once is what the user is inclined to bake", ""),
        ("u: maybe both loaves, i need to ask Ines", "Both loaves; the user has yet to ask Ines", ""),
    ] {
        check(originals, Narrative, text, want);
    }
    check(
        "u: could we maybe bake both loaves at once for a month, before the fair?",
        Decisions,
        "Decided that both loaves are baked at once for a month before the fair",
        "firmed",
    );
}

#[test]
fn another_way_to_say_it_turns_nothing_round() {
    for (originals, text, want) in [
        (
            "a: Oil is better than varnish would be, but I haven't weighed the varnish again.\n< varnish 704 g",
            "Weighed again, the varnish has 704 g.",
            "",
        ),
        (
            "u: the oar arrived bent and i want a new one. also the second rope never came",
            "Wants a new oar for the one that came bent.",
            "",
        ),
        (
            "a: Shall I sand them as I go through the boats?\nu: one go, separate day",
            "They are sanded boat by boat rather than on a separate day, save for two inside the shed.",
            "inverted",
        ),
        ("a: A full pallet is longer than the lift.", "A full pallet did not fit into the lift.", ""),
        (
            "a: The spread is about 4 ms, so I'd rather say \"level with the old oven\" than \"faster\".",
            "Given the spread it counts as level with the old oven, not as faster.",
            "",
        ),
        (
            "a: The spread is about 4 ms, so I'd rather say \"level with the old oven\" than \"faster\".",
            "Given the spread it is faster than the old oven.",
            "inverted",
        ),
        ("u: paint the fence only after the rain stops", "The fence is not to be painted before the rain stops.", ""),
        ("a: 812 checks passed, 4 were skipped.", "The full run gave 812 passes; four checks were skipped.", ""),
        ("u: the parcel never came", "Wants to know where the parcel is that never came.", ""),
    ] {
        check(originals, Narrative, text, want);
    }
}

#[test]
fn what_a_claim_leaves_open_it_leaves_open_in_its_own_part() {
    for (originals, text, want) in [
        // The doubt of the first half says nothing of the second.
        (
            "u: maybe a second oven later, not sure our wiring even carries it",
            "A second oven: planned for later; the wiring carries it.",
            "firmed",
        ),
        (
            "u: maybe a second oven later, not sure our wiring even carries it",
            "A second oven: planned for later; unsure whether the wiring carries it.",
            "",
        ),
        ("u: I suspect the oven, the fan and the gas valve", "Suspected the oven, the fan and the gas valve.", ""),
        ("a: I presume the crate is in the customs yard.", "The crate is in the customs yard.", "firmed"),
        ("a: I presume the crate is in the customs yard.", "The crate is presumably in the customs yard.", ""),
        ("a: The rules don't say which of the two bells counts.", "The brass bell counts by the rules.", "firmed"),
        (
            "a: The rules don't say which of the two bells counts.",
            "Which of the two bells counts the rules don't say.",
            "",
        ),
        (
            "a: I don't know which bell counts.\na: By page 4 the brass bell counts.",
            "The brass bell counts by the rules.",
            "",
        ),
        ("a: I don't know how many bells were hit.", "How many bells were hit is unknown.", ""),
        ("a: I don't know how many bells were hit.", "Some 1,100 bells were hit.", "firmed"),
        (
            "a: The oil is lighter than varnish, I believe.\n< oil 704 g, varnish 811 g",
            "At 704 g the oil is lighter than varnish.",
            "",
        ),
        ("a: I don't know why the bell rings.", "The bell rings at night.", ""),
        (
            "u: NEVER paint over the old name\na: We could give the new boats another name.",
            "The old name must never be painted over.",
            "",
        ),
        ("a: I estimate two weeks before the tank is empty.", "The tank will be empty in two weeks.", "firmed"),
        ("a: It takes two weeks before the tank is empty.", "The tank will be empty in two weeks.", ""),
        (
            "a: I can't see from here whether it's a leak in the roof or the window was simply open.",
            "That is a leak in the roof.",
            "firmed",
        ),
        ("a: I suspect the pump is worn rather than the valve.", "The cause was the worn pump.", "firmed"),
        ("a: I estimate two weeks before the tank is empty.", "By an estimate the tank is empty in two weeks.", ""),
        (
            "a: I can't see from here whether it's a leak in the roof or the window was open.",
            "Whether it is a leak in the roof I could not tell.",
            "",
        ),
    ] {
        check(originals, Narrative, text, want);
    }
}

#[test]
fn what_the_person_left_open_or_refused_was_not_settled() {
    let varnish = "a: I could also varnish the oars with two coats, that keeps the water out.";
    let refused = format!("{varnish}\nu: no varnish. sand them first");
    let dashed = format!("{varnish}\nu: no varnish — sand them first – both");
    let slept = "a: I'd keep two of the five benches and give the rest away.\nu: let me sleep on it";
    let asked = "u: hm. maybe the larch decking then? let me ask Tove first";
    let mixed = "a: The rota could be generated from the calendar.\nu: benches yes. generating: not sure, i dont want another tool";
    for (originals, text, want) in [
        (refused.as_str(), "The idea of a varnish for the oars with two coats was accepted.", "firmed"),
        (refused.as_str(), "The idea of a varnish for the oars with two coats was turned down.", ""),
        (refused.as_str(), "The idea of a varnish for the oars was not taken up.", ""),
        (dashed.as_str(), "The idea of a varnish for the oars with two coats was accepted.", "firmed"),
        (slept, "Two of the five benches are kept, as the agent proposed and the user accepted.", "firmed"),
        (slept, "The agent would keep two of the five benches; the user has not decided.", ""),
        (asked, "Larch decking agreed; Tove knows.", "firmed"),
        (
            "u: 40 boards? let me check with Tove before you order",
            "40 boards, which the user confirmed with Tove.",
            "firmed",
        ),
        (asked, "Larch decking undecided; the user is asking Tove.", ""),
        (mixed, "It was decided that the rota is generated from the calendar.", "inverted"),
        (mixed, "It was decided that the rota is written by hand.", ""),
        // They settle it later.
        (format!("{slept}\nu: ok keep two benches").leak(), "It was agreed that two benches are kept.", ""),
        (format!("{asked}\nu: Tove says larch is fine, take larch decking").leak(), "Larch decking agreed.", ""),
        (format!("{asked}\n< larch decking: green light").leak(), "Larch decking got the green light.", ""),
        (asked, "Larch decking got the green light.", "firmed"),
        (format!("{varnish}\nu: yes, and sand them first").leak(), "The varnish for the oars was accepted.", ""),
        // They say no to one thing and yes to the other.
        ("a: Shall it be oil or varnish for the oars?\nu: no varnish. oil", "Oil for the oars was agreed.", ""),
        (
            "a: Shall I oil the oars?\nu: not sure about the colour. but yes oil them",
            "Oil for the oars was agreed.",
            "",
        ),
    ] {
        check(originals, Narrative, text, want);
    }
}

#[test]
fn what_must_be_done_is_not_what_need_not_be() {
    let free = "< - Boats under 6 m that stay a night need not be entered in the book.";
    for (originals, text, want) in [
        (free, "Boats under 6 m that stay a night have to be entered in the book.", "inverted"),
        (free, "Boats under 6 m that stay a night don't have to be entered in the book.", ""),
        (free, "Boats over 9 m must show a light.", ""),
        ("u: every boat must show a light at night", "Boats need not show a light at night.", "inverted"),
        (
            "< Boats under 6 m that stay a night need not be entered in the book.\na: As the boat is under 6 m you don't need to enter it.",
            "Boats under 6 m that stay a night have to be entered in the book.",
            "inverted",
        ),
        ("u: a boat must not show a light at night", "Boats need not show a light at night.", ""),
        ("u: every boat must show a light at night", "At night each boat has to show a light.", ""),
        (
            "u: every boat must show a light at night\nu: on the pond a boat need not show a light at night",
            "On the pond boats need not show a light at night.",
            "",
        ),
        ("u: does every boat need to show a light at night?", "Boats need not show a light at night.", "firmed"),
    ] {
        check(originals, Narrative, text, want);
    }
}

#[test]
fn what_would_have_happened_is_not_what_would_not_have() {
    let missed = "a: It would not have caught the loose tiles: they lie below the gutter.";
    for (originals, text, want) in [
        (missed, "The inspection is new, although it would have caught the loose tiles too.", "inverted"),
        (missed, "It wouldn't have caught the loose tiles.", ""),
        (missed, "It would have caught a broken gutter.", ""),
        (
            "a: It also wouldn't have prevented the flood: an open hatch lets the water in.",
            "It would have averted the flood too, because no open hatch lets water in.",
            "inverted",
        ),
        (
            format!("{missed}\na: With the new ladder it would have caught the loose tiles.").leak(),
            "It would have caught the loose tiles.",
            "",
        ),
    ] {
        check(originals, Narrative, text, want);
    }
}

#[test]
fn what_comes_first_does_not_come_second() {
    let oil = "a: In the new plan the oars are oiled before the call to the harbour master.";
    for (originals, text, want) in [
        (oil, "The new plan oils the oars after the call to the harbour master.", "inverted"),
        (oil, "The new plan oils the oars ahead of the call to the harbour master.", ""),
        (oil, "The call to the harbour master comes after the oars are oiled.", ""),
        (
            "a: The oars are oiled before the call to the harbour master instead of after it.",
            "The oars are oiled after the call to the harbour master.",
            "inverted",
        ),
        (oil, "The harbour master was angry after the call.", ""),
        (
            "a: The strongest current is in the northern sound, followed by the eastern one.",
            "The eastern sound has the strongest current, followed by the northern.",
            "inverted",
        ),
        (
            "u: the log goes from a list to a card index by boat",
            "The log goes from a card index by boat to a list.",
            "inverted",
        ),
        ("u: the log goes from a list to a card index by boat", "The log changes from a list to a card index.", ""),
        ("u: drive from the harbour to the mill and back to the harbour", "From the harbour to the mill.", ""),
        (
            "a: First the oars are oiled before the call to the master. Next year the oars are oiled after the call to the master.",
            "The oars are oiled after the call to the master.",
            "",
        ),
    ] {
        check(originals, Narrative, text, want);
    }
}
