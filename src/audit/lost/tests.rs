//! What counts as lost and how it is ranked, on tables: a kept summary, facts of the originals, and what is told.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::record::{Detail, Item, Record, Verdict};
use crate::session::{FileNo, Hash, Place, Speaker, TurnNo};

/// A fact in a tiny notation: `u field text` or `a field text`, with `@turn what` behind it where it was needed again.
fn fact(line: &str, no: u64) -> (Fact, Vec<Again>) {
    let (line, again) = line.split_once(" @").map_or((line, None), |(line, again)| (line, Some(again)));
    let (who, rest) = line.split_once(' ').unwrap();
    let (field, text) = rest.split_once(' ').unwrap();
    let by_user = who == "u";
    let field = Field::named(field).unwrap();
    let detail = match (field, text.split_once(": ")) {
        (Field::Figures, Some((label, value))) => {
            Detail::Figure { label: label.to_owned(), value: value.to_owned(), unit: String::new() }
        }
        (Field::Entities, _) => Detail::Entity { class: "path".to_owned() },
        _ => Detail::Plain,
    };
    let source = SourceRef {
        turn: TurnNo::main(no as u32 + 1),
        turn_id: format!("t{no}"),
        line_id: None,
        place: Place { file: FileNo(0), offset: no, part: 0 },
        seq: PartSeq(no),
        range: (0, text.len()),
        quote: text.to_owned(),
        hash: Hash::ZERO,
        speaker: if by_user { Speaker::User } else { Speaker::Assistant },
    };
    let item = Item {
        field,
        text: text.to_owned(),
        range: None,
        detail,
        sources: vec![source],
        verdict: Verdict::Verified,
        why: None,
        better: None,
        own: None,
    };
    let fact = Fact {
        item,
        by_user,
        used: None,
        times: 2,
        last: PartSeq(no),
        hedged: false,
        firm: by_user && field == Field::Constraints,
        weight: if by_user { 4.0 } else { 2.0 },
    };
    let again = again.map(|again| {
        let (turn, what) = again.split_once(' ').unwrap();
        Again { turn: TurnNo::main(turn.parse().unwrap()), what: what.to_owned(), tokens: 100 }
    });
    (fact, again.into_iter().collect())
}

struct Behind {
    again: Vec<Vec<Again>>,
    verbatim: Option<u64>,
    prose: usize,
}

impl Originals for Behind {
    fn again(&self, fact: usize) -> Vec<Again> {
        self.again[fact].clone()
    }

    fn is_kept_word_for_word(&self, seq: PartSeq) -> bool {
        self.verbatim == Some(seq.0)
    }

    fn prose(&self) -> usize {
        self.prose
    }
}

/// What is lost when this summary is all that is kept of these facts.
fn lost_of(losses: &mut Losses, summary: &str, facts: &[&str], verbatim: Option<u64>, prose: usize) -> Lost {
    let record = Record { summary: summary.to_owned(), rules: 1, ..Record::default() };
    let (facts, again): (Vec<Fact>, Vec<Vec<Again>>) = facts.iter().zip(0..).map(|(line, no)| fact(line, no)).unzip();
    let behind = Behind { again, verbatim, prose };
    let fresh = losses.fresh(&held((&record, "", &[]), &facts, &behind, &mut Gists::default()));
    lost(2, &facts, &fresh, &behind)
}

fn told(summary: &str, facts: &[&str]) -> Vec<String> {
    let lost = lost_of(&mut Losses::default(), summary, facts, None, 100_000);
    lost.findings.iter().map(|one| format!("{} {}", one.severity.name(), one.text)).collect()
}

#[test]
fn what_the_record_holds_in_any_form_is_not_lost() {
    for (summary, fact, want) in [
        ("The retry ceiling is 7.", "u figures retry ceiling: 7 @9 asked again", true),
        ("The retry ceiling is 5.", "u figures retry ceiling: 7 @9 asked again", false),
        ("Retries are capped.\n7. Pending: attempts", "u figures attempts: 7 @9 asked again", false),
        ("Total 5,528.74 is paid.", "u figures sum: 5528.74 @9 asked again", true),
        ("See worker.rs for it.", "u entities src/courier/worker.rs", true),
        ("See worker.rs for it.", "u entities src/courier/jobs.rs", false),
        ("Order SO-448217-1 is split.", "u entities SO-448217", true),
        (
            "Partners pay for payloads, so none of them is deleted.",
            "u constraints Never delete a payload, the partners pay.",
            true,
        ),
        ("The table dead_letter was added.", "u constraints Never delete a payload, the partners pay.", false),
    ] {
        assert_eq!(told(summary, &[fact]).is_empty(), want, "{summary} / {fact}");
    }
}

#[test]
fn what_bit_comes_first_and_what_binds_is_severe() {
    let facts = [
        "a narrative The importer skips rows because the total is zero.",
        "u open Maybe the archive moves in May.",
        "a entities src/courier/jobs.rs @40 read again",
        "u constraints Never delete a payload of a partner.",
        "a ruled_out The gateway timeout has nothing to do with it. @41 the user said it again",
    ];
    assert_eq!(
        told("Nothing of that kind.", &facts),
        [
            "high The gateway timeout has nothing to do with it.",
            "medium src/courier/jobs.rs",
            "high Never delete a payload of a partner.",
            "medium Maybe the archive moves in May.",
            "low The importer skips rows because the total is zero.",
        ]
    );
}

/// `fact`, an action so often done.
fn done(text: &str, args: &str, times: u32) -> Fact {
    let (mut done, _) = fact(&format!("a actions {text}"), 0);
    done.item.detail = Detail::Action { tool: "Bash".to_owned(), args: args.to_owned(), ok: Some(true) };
    Fact { times, ..done }
}

#[test]
fn a_command_that_was_run_again_and_again_or_that_threw_work_away_is_missed() {
    for (text, args, times, want) in [
        ("ran make test", "make test", 3, true),
        ("ran make test", "make test", 2, false),
        ("read src/jobs.rs", "src/jobs.rs", 9, false),
        ("ran git checkout -- . && make", "git checkout -- . && make", 1, true),
        ("wrote git reset --hard v1", "git reset --hard v1", 1, true),
        ("wrote git checkout main", "git checkout main", 1, false),
    ] {
        assert_eq!(rank::is_worth_saying(&done(text, args, times), &[]), want, "{text}");
    }
    for (summary, want) in [("All of it runs by `cargo nextest`.", true), ("The tests pass.", false)] {
        let record = Record { summary: summary.to_owned(), ..Record::default() };
        let fact = done("ran cargo nextest 2>&1", "cargo nextest 2>&1", 5);
        assert_eq!(Kept::of(&record, "", &[]).holds(&fact, &mut Gists::default()), want, "{summary}");
    }
}

#[test]
fn what_stands_word_for_word_or_is_cited_or_said_beside_the_record_is_not_lost() {
    let text = "ok, leave them alone";
    let (fact, _) = fact(&format!("u decisions {text}"), 7);
    let of = |record: &Record, beside: &str| Kept::of(record, beside, &[]).holds(&fact, &mut Gists::default());
    let lifted = |summary: &str| Record { summary: summary.to_owned(), rules: 1, ..Record::default() };
    assert!(of(&lifted("All messages:\n - “OK, leave  them\n   alone, can we test it?”"), ""));
    assert!(!of(&lifted("The boats are left in peace."), ""));
    // An own record has prose beside it.
    assert!(of(&Record::default(), "The user said: ok, leave them alone."));
    let whole = (0, text.len());
    for (claim, range, want) in [
        ("The boats are left alone.", whole, true),
        ("The boats are left alone.", (0, 90), false),
        ("The boats are left alone.", (3, 8), false),
        ("The oars are new.", whole, false),
    ] {
        let mut item = self::fact(&format!("u narrative {claim}"), 7).0.item;
        (item.sources[0].range, item.sources[0].seq) = (range, PartSeq(7));
        assert_eq!(of(&Record { items: vec![item], ..Record::default() }, ""), want, "{claim} {range:?}");
    }
}

#[test]
fn a_command_is_no_name_however_its_last_word_is_known() {
    let record = Record { summary: "The parts are in src/parts.".to_owned(), ..Record::default() };
    let holds = |fact: &Fact| Kept::of(&record, "", &[]).holds(fact, &mut Gists::default());
    assert!(holds(&done("read src/parts", "src/parts", 1)));
    assert!(!holds(&done("ran rm -rf build/out/lib/parts", "rm -rf build/out/lib/parts", 1)));
}

#[test]
fn a_name_in_a_program_that_nobody_looked_for_ranks_below_any_other() {
    let symbol = |again: &str| {
        let (mut fact, again) = fact(&format!("u entities retry_ceiling{again}"), 0);
        fact.item.detail = Detail::Entity { class: "symbol".to_owned() };
        (fact, again)
    };
    let (plain, path) = (symbol(""), fact("u entities src/jobs.rs", 0));
    let missed = symbol(" @9 asked again");
    let rank = |(fact, again): &(Fact, Vec<Again>)| {
        Loss { fact, sources: fact.item.sources.clone(), again: again.clone() }.rank()
    };
    assert!(rank(&missed) > rank(&path) && rank(&path) > rank(&plain) + 2.0);
}

#[test]
fn the_row_of_a_wide_table_ranks_below_a_sentence() {
    let facts = [
        "a narrative | Offline maps | stored on the card | fetched each time |",
        "a narrative | Offline maps | kept for a month |",
        "a narrative The tiles are rendered twice on old phones.",
    ];
    let told = told("Nothing of that kind.", &facts);
    assert_eq!(told.last().map(String::as_str), Some("low | Offline maps | stored on the card | fetched each time |"));
}

#[test]
fn what_is_told_beside_much_else_ranks_a_little_lower() {
    let (one, _) = fact("a narrative The importer skips rows because the total is zero.", 3);
    let (same, _) = fact("a narrative The exporter doubles rows because the lock is gone.", 3);
    let (other, _) = fact("a narrative The scheduler starts late because the clock drifts.", 9);
    let loss = |fact| Loss { fact, sources: fact.item.sources.clone(), again: Vec::new() };
    let order: Vec<&str> = spread(vec![loss(&one), loss(&same), loss(&other)])
        .iter()
        .map(|loss| loss.fact.item.text.split(' ').nth(1).unwrap())
        .collect();
    assert_eq!(order, ["importer", "scheduler", "exporter"]);
}

#[test]
fn only_what_was_needed_again_as_it_was_is_severe() {
    for (fact, want) in [
        ("u narrative The mixer goes alone, the tubs follow. @41 looked up again", Some("high")),
        ("u narrative The mixer goes alone, the tubs follow. @41 the user said it again", Some("high")),
        ("a narrative The mixer goes alone, the tubs follow. @41 the user said it again", Some("medium")),
        ("a narrative | The mixer goes alone | the tubs follow | @41 looked up again", Some("medium")),
        ("a narrative 1. **The mixer goes alone** @41 asked again", Some("medium")),
        ("a figures max_attempts: 7 @41 looked up again", Some("high")),
        ("a actions looked up git status @41 looked up again", Some("medium")),
        ("a entities src/jobs.rs @41 the user said it again", Some("medium")),
        ("u ruled_out no, that's horrible. @41 looked up again", None),
        ("a ruled_out The mixer alone is no way out. @41 tried although ruled out", Some("high")),
    ] {
        let told = told("Nothing of that kind.", &[fact]);
        assert_eq!(told.first().and_then(|one| one.split(' ').next()), want, "{fact}");
    }
}

#[test]
fn a_no_of_few_words_is_lost_with_what_it_was_said_to() {
    let (mut refusal, _) = fact("u ruled_out no, that's horrible.", 3);
    let (proposal, _) = fact("a open Shall I move all shared files into one folder lib?", 2);
    refusal.item.sources.extend(proposal.item.sources);
    for (summary, want) in [
        ("The shared files stay where they are.", false),
        ("To move all shared files into one folder lib was turned down.", true),
    ] {
        let record = Record { summary: summary.to_owned(), ..Record::default() };
        assert_eq!(Kept::of(&record, "", &[]).holds(&refusal, &mut Gists::default()), want, "{summary}");
    }
    assert!(rank::is_worth_saying(&refusal, &[]));
    refusal.item.text = "ok do it".to_owned();
    assert!(!rank::is_worth_saying(&refusal, &[]));
}

#[test]
fn a_brief_claim_of_a_record_keeps_the_sentence_that_says_it() {
    let fact = "u ruled_out Negative ids are ruled out: the scanner accepts exactly ten digits and nothing else.";
    for (field, claim, want) in [
        (Field::RuledOut, "negative ids", true),
        (Field::RuledOut, "the trigger as the blocker", false),
        (Field::Open, "negative ids", false),
    ] {
        let mut item = self::fact("u narrative x", 0).0.item;
        (item.field, item.text) = (field, claim.to_owned());
        let record = Record { items: vec![item], ..Record::default() };
        assert_eq!(Kept::of(&record, "", &[]).holds(&self::fact(fact, 0).0, &mut Gists::default()), want, "{claim}");
    }
}

#[test]
fn a_loss_says_where_it_was_said_and_what_it_cost() {
    let lost = lost_of(
        &mut Losses::default(),
        "Nothing.",
        &["u narrative Uploads beyond twenty megabytes are rejected. @41 the user said it again"],
        None,
        0,
    );
    assert_eq!(
        lost.findings[0].why,
        "The user said this at turn 1, and nothing in m2 was found to say it; the user had to say it again at turn 41 (about 100 tokens)"
    );
    assert_eq!(lost.findings[0].needed_again, [(TurnNo::main(41), "the user said it again".to_owned())]);
    assert_eq!(lost.refetch_tokens, 100);
}

#[test]
fn a_turn_is_paid_for_once() {
    let facts = [
        "a entities src/one.rs @40 read again",
        "a entities src/two.rs @40 read again",
        "a entities src/three.rs @41 read again",
    ];
    assert_eq!(lost_of(&mut Losses::default(), "Nothing.", &facts, None, 0).refetch_tokens, 200);
}

#[test]
fn what_one_reading_brought_back_is_told_once() {
    let facts = [
        "a entities src/one.rs @40 looked up again",
        "a figures max_attempts: 7 @40 looked up again",
        "a figures min_attempts: 2 @40 looked up again",
        "a narrative The importer skips rows because the total is zero. @40 looked up again",
        "a narrative The exporter doubles rows because the lock is gone. @40 looked up again",
    ];
    let lost = lost_of(&mut Losses::default(), "Nothing.", &facts, None, 0);
    assert_eq!(lost.findings.iter().filter(|one| one.field == Field::Figures).count(), 1);
    assert_eq!(lost.findings.iter().filter(|one| one.why.contains("(about 100 tokens)")).count(), 1);
}

#[test]
fn what_the_record_says_otherwise_than_it_was_said_is_not_lost() {
    let (said, _) = fact("u constraints Never overwrite anything in raw/ at night.", 3);
    let holds = |kind: FindingKind, text: &str, at: u64| {
        let (of, _) = fact(&format!("u constraints {text}"), 0);
        let mut finding = Finding::of((2, 0, &of.item), kind, Severity::High, String::new());
        finding
            .sources
            .clone_from(&fact("u constraints Never overwrite anything in raw/ at night.", at).0.item.sources);
        let record = Record { summary: "Nothing.".to_owned(), ..Record::default() };
        Kept::of(&record, "", &[finding]).holds(&said, &mut Gists::default())
    };
    assert!(holds(FindingKind::Inverted, "You may overwrite anything in raw/", 3));
    assert!(!holds(FindingKind::Inverted, "You may overwrite anything in raw/", 4), "that was said elsewhere");
    assert!(!holds(FindingKind::Inverted, "the lamp may burn", 3), "that is about something else");
    assert!(!holds(FindingKind::Lost, "You may overwrite anything in raw/", 3));
}

#[test]
fn what_is_said_in_passing_and_a_figure_of_a_question_are_no_losses() {
    for (fact, want) in [
        ("u figures seconds: two", false),
        ("u figures ceiling: 7", true),
        ("u narrative It was the most boring hour of her month and that is praise.", false),
        ("u narrative The importer is boring, it writes nine digits to src/jobs.rs.", true),
        ("u narrative The importer still writes nine digits.", true),
        ("u narrative It was the most boring hour of her month and that is praise. @9 the user said it again", true),
    ] {
        let (mut one, again) = self::fact(fact, 5);
        if one.item.field == Field::Figures {
            one.item.sources[0].quote = "The ceiling is 7. Why two seconds?".to_owned();
        }
        let behind = Behind { again: vec![again], verbatim: None, prose: 100_000 };
        let told = lost(2, &[one], &[0], &behind).findings;
        assert_eq!(!told.is_empty(), want, "{fact}");
    }
}

#[test]
fn what_stands_word_for_word_behind_the_marker_is_not_lost() {
    let facts = ["u constraints Never delete a payload of a partner."];
    assert_eq!(lost_of(&mut Losses::default(), "Nothing.", &facts, Some(0), 0).findings, []);
}

#[test]
fn what_is_lost_once_is_not_lost_again_until_it_is_kept_or_said_again() {
    let mut losses = Losses::default();
    let facts = ["u constraints Never delete a payload of a partner."];
    let mut count = |summary| lost_of(&mut losses, summary, &facts, None, 0).findings.len();
    assert_eq!(count("Nothing."), 1);
    assert_eq!(count("Nothing."), 0);
    assert_eq!(count("Never delete a payload of a partner."), 0);
    assert_eq!(count("Nothing."), 1);
}

#[test]
fn what_nobody_missed_is_told_by_the_length_of_the_talk_and_the_rest_is_counted() {
    let facts: Vec<String> = (0..8).map(|no| format!("a narrative Lesson{no} hinges upon widget{no}.")).collect();
    let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
    let lost = lost_of(&mut Losses::default(), "Nothing.", &facts, None, 1_500);
    assert_eq!((lost.findings.len(), lost.more), (3, 5));
}
