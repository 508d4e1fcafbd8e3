//! Tables: originals, one line of a summary, and the finding that is expected of it.

use super::*;
use crate::audit::world::{compaction, cut_short, marked, record, said, source};
use crate::audit::{Case, Presence};
use crate::record::{Manner, Verdict};
use crate::session::{Compaction, Originals};

/// What is found out about one claim.
pub(super) fn found(originals: &str, field: Field, text: &str, beginning: Originals) -> Claims {
    let mut record = record(&[(field, text)]);
    let passages = vec![said(originals)];
    let sources = passages[0].iter().map(|passage| source(&passage.around, passage.origin.seq.0));
    record.items[0].sources = sources.collect();
    let compaction = Compaction { originals: beginning, ..compaction(1) };
    let mut presence = Presence::asking([(&record, compaction.place.offset)]);
    let mut consents = Consents::default();
    for passage in &passages[0] {
        let seq = passage.origin.seq.0;
        presence.see(&passage.around, seq);
        if passage.origin.manner != Manner::Thinking {
            consents.hear(&passage.around, passage.origin.speaker, seq, seq);
        }
        if passage.origin.manner == Manner::ToolCall {
            consents.call("bash", &passage.around, seq);
        }
        consents.keep(passage.clone());
    }
    let case = Case {
        compaction: &compaction,
        record: &record,
        passages: &passages,
        presence: &presence,
        consents: &consents,
    };
    claims(&case, &mut Reader::default())
}

/// The kind of the finding and, behind it, the words of the claim that decide; empty where there is none.
pub(super) fn check(originals: &str, field: Field, text: &str, want: &str) {
    let found = found(originals, field, text, Originals::Present);
    let got = found.findings.first().map(|finding| finding.kind.name()).unwrap_or_default();
    let why = found.findings.first().map(|finding| finding.why.as_str()).unwrap_or_default();
    assert_eq!(got, want, "{originals}\n== {text}\n{why}");
    for finding in &found.findings {
        for (start, end) in &finding.decisive {
            assert!(text.get(*start..*end).is_some(), "{text} {start}..{end}");
        }
        let Some(source) = finding.sources.first() else { continue };
        assert!(originals.contains(&source.quote), "the evidence is what was said: {}", source.quote);
        for (start, end) in &finding.decisive_there {
            assert!(source.quote.get(*start..*end).is_some(), "{} {start}..{end}", source.quote);
        }
    }
    bears_odd_texts(originals, field, text);
}

/// Whatever somebody writes, and wherever a text ends, it is cut between characters and nothing is asked of a word that is
/// not there.
fn bears_odd_texts(originals: &str, field: Field, text: &str) {
    for (originals, text) in marked(originals).zip(marked(text)) {
        found(&originals, field, &text, Originals::Present);
    }
    for text in cut_short(text) {
        found(originals, field, text, Originals::Present);
    }
}

use Field::{Actions, Constraints, Decisions, Narrative, Open, RuledOut};

#[test]
fn a_claim_that_is_not_in_english_says_that_it_was_not_analysed() {
    let german = "u: Lösch bitte keine Zeilen aus der Tabelle, und frag mich vorher.";
    for (originals, text, verdict, why) in [
        (
            german,
            "Der Benutzer möchte, dass alle Zeilen aus der Tabelle gelöscht werden.",
            Verdict::Unchecked,
            "not analysed (German)",
        ),
        (
            "u: テーブルの行を削除しないでください。",
            "ユーザーはすべての行の削除を希望しています。",
            Verdict::Unchecked,
            "not analysed (Japanese)",
        ),
        (
            "u: Ne supprime pas les lignes de la table.",
            "L'utilisateur veut supprimer toutes les lignes de la table.",
            Verdict::Unchecked,
            "not analysed (French)",
        ),
        (
            "u: No borres las filas de la tabla.",
            "El usuario quiere borrar todas las filas de la tabla.",
            Verdict::Unchecked,
            "not analysed (Spanish)",
        ),
        (
            "u: Verwijder geen rijen uit de tabel, alsjeblieft.",
            "De gebruiker wil dat alle rijen uit de tabel worden verwijderd.",
            Verdict::Unchecked,
            "not analysed (Dutch)",
        ),
        // A person who is not heard cannot be said to have said nothing.
        (german, "The user wants every row of the table to be deleted.", Verdict::Unchecked, "not analysed (German)"),
        (
            "u: Never delete rows of the table.",
            "Gift cards expire after a year.",
            Verdict::Unsupported,
            "no turn before it holds these words",
        ),
    ] {
        let found = found(originals, Constraints, text, Originals::Present);
        let judged = &found.judgements[0].1;
        assert_eq!((judged.verdict, judged.why.as_deref()), (verdict, Some(why)), "{text}");
        assert_eq!(found.findings.len(), 0, "{text}");
    }
}

#[test]
fn a_question_a_condition_or_a_guess_is_no_decision() {
    for (originals, field, text, want) in [
        ("u: Should invoices.state become an enum?", Decisions, "Decided: invoices.state becomes an enum.", "inverted"),
        (
            "u: Should invoices.state become an enum?",
            Decisions,
            "The user wants invoices.state to become an enum.",
            "inverted",
        ),
        (
            "u: Should invoices.state become an enum?",
            Open,
            "The user asked whether invoices.state should become an enum.",
            "",
        ),
        ("u: Make invoices.state an enum.", Decisions, "Decided: make invoices.state an enum.", ""),
        (
            "a: Shall I make invoices.state an enum?\nu: Yes, do it.",
            Decisions,
            "Decided: make invoices.state an enum.",
            "",
        ),
        (
            "a: Shall I make invoices.state an enum?\nu: No.",
            Decisions,
            "The user wants invoices.state made an enum.",
            "inverted",
        ),
        ("u: Maybe we launch on Tuesday, but I must ask Ines first.", Decisions, "Launch on Tuesday.", "inverted"),
        ("u: We launch on Tuesday.", Decisions, "Launch on Tuesday.", ""),
        // What the agent made of it later settles nothing.
        (
            "u: Should invoices.state become an enum?\na: Next is the decided step: invoices.state becomes an enum.",
            Decisions,
            "Decided: invoices.state becomes an enum.",
            "inverted",
        ),
        ("u: Can you make invoices.state an enum?", Decisions, "The user wants invoices.state to be an enum.", ""),
    ] {
        check(originals, field, text, want);
    }
}

/// A1.15: nothing is said more firmly than it was.
#[test]
fn what_somebody_thinks_is_no_fact_and_what_is_a_fact_stays_one() {
    for (originals, text, want) in [
        ("u: I think billing only reads the export.", "Billing only reads the export.", "firmed"),
        ("u: Billing only reads the export.", "Billing only reads the export file.", ""),
        ("u: I think billing only reads the export.", "The user thinks that billing only reads the export.", ""),
        ("a: The delay was probably the backup job.", "The delay came from the backup job.", "firmed"),
        (
            "a: The delay was probably the backup job.\n< delay caused by: backup job",
            "The delay came from the backup job.",
            "",
        ),
        ("a: The delay was the backup job.", "The delay was probably the backup job.", ""),
        ("u: We could log every refused payment.", "We must log every refused payment.", "firmed"),
        ("u: We must log every refused payment.", "Every refused payment must be logged.", ""),
        // The doubt is about something else.
        ("a: The delay was the backup job, and perhaps we should tell Ines.", "The delay was the backup job.", ""),
        ("u: The delay was the backup job, right?", "The user said that the delay was the backup job.", ""),
    ] {
        check(originals, Narrative, text, want);
    }
}

#[test]
fn a_not_more_or_less_turns_a_claim_round() {
    for (originals, text, want) in [
        (
            "a: The importer closes idle connections after a minute.",
            "The importer does not close idle connections.",
            "inverted",
        ),
        ("a: The importer does not close idle connections.", "The importer closes idle connections.", "inverted"),
        ("a: The importer does not close idle connections.", "Idle connections are not closed by the importer.", ""),
        ("a: The importer closes idle connections.", "The importer closes idle connections after a while.", ""),
        (
            "u: I had two jobs before and I stopped them by hand.",
            "I had two jobs before and I never stopped them by hand.",
            "inverted",
        ),
        ("a: Does the importer close idle connections?", "The importer does not close idle connections.", ""),
        (
            "a: The importer closes idle connections.\na: The importer does not close idle connections any more.",
            "The importer does not close idle connections.",
            "",
        ),
    ] {
        check(originals, Narrative, text, want);
    }
}

#[test]
fn a_word_and_its_opposite_turn_a_claim_round() {
    for (originals, text, want) in [
        (
            "a: The new cache increases the load on the mail server.",
            "The new cache decreases the load on the mail server.",
            "inverted",
        ),
        (
            "a: The new cache increases the load on the mail server.",
            "The new cache raises the load on the mail server.",
            "",
        ),
        ("u: Keep the old templates beside the new ones.", "Remove the old templates beside the new ones.", "inverted"),
        ("u: Keep the old templates beside the new ones.", "The old templates are kept beside the new ones.", ""),
        ("a: All payment tests passed on the second run.", "All payment tests failed on the second run.", "inverted"),
        (
            "a: All payment tests passed on the second run.",
            "All payment tests did not pass on the second run.",
            "inverted",
        ),
        // Who looks whether something is so does not say that it is.
        ("a: Let me verify that all payment tests still pass.", "All payment tests did not pass.", ""),
        (
            "a: The depot alone holds up the mail queue.",
            "The depot together with the cart holds up the mail queue.",
            "",
        ),
        ("a: All payment tests did not fail on the second run.", "All payment tests passed on the second run.", ""),
        (
            "a: The payment tests passed on the first run.\na: The payment tests failed on the second run.",
            "The payment tests failed on the second run.",
            "",
        ),
        (
            "a: Orders with a voucher are refunded in full.",
            "Orders without a voucher are refunded in full.",
            "inverted",
        ),
        (
            "a: I'd recommend the second plan for the mail queue.",
            "Rejected the second plan for the mail queue.",
            "inverted",
        ),
        // Turned round twice, or left out on the other side, it is the same.
        (
            "a: The second run changed nothing in the mail queue.",
            "The second run left everything unchanged in the mail queue.",
            "",
        ),
        ("a: The mail check is restricted to weekdays this month.", "The mail check skips weekends this month.", ""),
    ] {
        check(originals, Narrative, text, want);
    }
}

/// A4.25: a thing is ruled out where its turn denies it.
#[test]
fn only_what_was_denied_is_ruled_out() {
    for (originals, text, want) in [
        ("u: It could also be the courier's scanner, they changed it.", "the courier's scanner", "inverted"),
        ("a: It is not the courier's scanner: it was off.", "the courier's scanner", ""),
        ("a: The courier's scanner is ruled out.", "the courier's scanner", ""),
        ("u: Could it be the courier's scanner?", "the courier's scanner", "inverted"),
        ("a: We looked at the courier's scanner.", "the courier's scanner", ""),
    ] {
        check(originals, RuledOut, text, want);
    }
}

/// How well a claim reads says nothing of whether it was said: smooth words and broken ones get the same verdict.
#[test]
fn a2_21_a_claim_in_broken_words_gets_the_verdict_of_the_same_claim_in_smooth_ones() {
    let originals = "u: Never send a reminder on a Sunday, please.\nu: Should invoices go out by post?";
    for (field, smooth, broken, want) in [
        (Constraints, "Never send a reminder on a Sunday.", "never. send, a reminder on a; sunday", Verdict::Verified),
        (
            Narrative,
            "The billing team was moved to Rotterdam in spring.",
            "billing team, moved rotterdam. in spring",
            Verdict::Unsupported,
        ),
        (
            Decisions,
            "It was decided that invoices go out by post.",
            "decided: invoices, go out by post",
            Verdict::Contested,
        ),
    ] {
        for text in [smooth, broken] {
            assert_eq!(found(originals, field, text, Originals::Present).judgements[0].1.verdict, want, "{text}");
        }
    }
}

#[test]
fn a_claim_is_judged_by_the_sentence_that_fits_it_best() {
    for (originals, field, text, beginning, want) in [
        (
            "u: Never send a reminder on a Sunday, please.",
            Constraints,
            "Never send a reminder on a Sunday.",
            Originals::Present,
            Verdict::Verified,
        ),
        (
            "a: The reminder job runs on Monday at six.",
            Actions,
            "Made the reminder job run earlier.",
            Originals::Present,
            Verdict::Weak,
        ),
        ("a: Good morning.", Narrative, "The reminder job was replaced.", Originals::Present, Verdict::Unsupported),
        ("a: Good morning.", Narrative, "The reminder job was replaced.", Originals::Partly, Verdict::Unchecked),
        ("u: Should reminders stop?", Decisions, "Decided: reminders stop.", Originals::Present, Verdict::Contested),
    ] {
        let found = found(originals, field, text, beginning);
        assert_eq!(found.judgements[0].1.verdict, want, "{text}");
    }
}

#[test]
fn what_is_too_long_for_one_statement_is_not_checked_and_says_so() {
    for (text, checked) in [("never; ".repeat(200), true), ("never; ".repeat(5000), false)] {
        let found = found("u: we lock the table", Field::Narrative, &text, Originals::Present);
        let (_, judgement) = &found.judgements[0];
        let why = judgement.why.clone().unwrap_or_default();
        assert_eq!(why != "too long to be checked as one statement", checked, "{} bytes: {why}", text.len());
    }
}

#[test]
fn what_was_done_outside_of_files_is_shown_by_a_command_or_by_somebody() {
    let quiet = "a: The boats are renamed, next I would push them to the harbour.";
    let idle = &*format!("> ls boats\n{quiet}");
    let pushed = format!("{idle}\n> git push origin main");
    for (originals, text, want) in [
        (idle, "The boats were renamed and pushed to the harbour.", "invented"),
        (&pushed, "The boats were renamed and pushed to the harbour.", ""),
        ("> ls boats\nu: I pushed the boats myself.", "The boats were renamed and pushed to the harbour.", ""),
        ("> make\n< Pushed 3 boats", "The boats were pushed to the harbour.", ""),
        // Nothing was run at all, or it is not said to be done.
        (quiet, "The boats were renamed and pushed to the harbour.", ""),
        (idle, "The boats were renamed, not pushed.", ""),
        (idle, "Once the boats are pushed, the harbour is told.", ""),
        (idle, "The boats still have to be pushed.", ""),
    ] {
        check(originals, Narrative, text, want);
    }
}
