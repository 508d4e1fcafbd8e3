//! The compiled record, on tables: parts above, expected items beside them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;

use super::world::{World, items};
use super::*;
use crate::record::{Detail, Fact, Field};
use crate::session::{Hash, PartSeq, Place, Speaker, TurnNo};

#[test]
fn what_a_person_said_comes_first_and_what_was_used_before_what_was_only_read() {
    let lines = [
        "u: Please look at src/importer.rs, order SO-448217 is stuck.",
        "> Grep pattern: skip_empty\\npath: src",
        "< src/reader.rs:4: skip_empty\\nsrc/unused_one.rs:9: other_name",
        "> Read file_path: src/reader.rs",
        "< fn skip_empty() {}",
        "==",
    ];
    assert_eq!(items(&lines, Field::Entities), ["SO-448217", "src/importer.rs", "src/reader.rs", "skip_empty"]);
}

#[test]
fn what_a_person_says_in_another_language_binds_where_its_words_are_known() {
    for (said, bound) in [
        (
            "Die Lieferung ist da. Rufe den Kunden nie vor neun Uhr an, bitte.",
            "Rufe den Kunden nie vor neun Uhr an, bitte.",
        ),
        (
            "La livraison est là. Il ne faut jamais appeler le client avant midi.",
            "Il ne faut jamais appeler le client avant midi.",
        ),
        (
            "El pedido está aquí. No debes llamar nunca al cliente antes de las nueve.",
            "No debes llamar nunca al cliente antes de las nueve.",
        ),
        ("The parcel is here. Never call the customer before nine.", "Never call the customer before nine."),
        // Of this one only the name is known: nothing is told of it.
        ("De bestelling is er. Je mag de klant nooit voor negen uur bellen.", ""),
    ] {
        let found = items(&[&format!("u: {said}"), "a: OK.", "=="], Field::Constraints);
        assert_eq!(found, Vec::from_iter((!bound.is_empty()).then_some(bound)), "{said}");
    }
}

/// C16: a constraint is the whole sentence of the person, word for word.
#[test]
fn an_order_of_a_person_that_says_how_in_which_order_or_what_for_binds() {
    let lines = [
        "u: Can you write the plan to `plan.md` so I can pick it up next week?",
        "a: It is written.",
        "u: Let's fix the parser first.",
        "u: Can you rename the table `orders`?",
        "u: Is the index there so that the query is quick?",
        "a: Let's rewrite the lexer first.",
        "==",
    ];
    let bound = ["Can you write the plan to `plan.md` so I can pick it up next week?", "Let's fix the parser first."];
    let mut found = items(&lines, Field::Constraints);
    found.sort();
    assert_eq!(found, bound);
}

#[test]
fn what_a_person_says_before_a_question_is_said_by_itself() {
    let lines = [
        "a: I propose to leave the column `sum` empty for old orders. Shall I do that?",
        "u: ok, do it, can we add a test?",
        "a: Yes, in tests/sum.rs.",
        "u: if we retry a job twice or more, its rows should still be there, no?",
        "a: They are.",
        "==",
    ];
    assert_eq!(items(&lines, Field::Decisions), ["ok, do it"]);
    let told = items(&lines, Field::Narrative);
    assert!(told.contains(&"if we retry a job twice or more, its rows should still be there".to_owned()), "{told:?}");
}

/// C17, A4.22: nothing that the agent says binds or settles.
#[test]
fn only_a_person_binds_and_settles() {
    let lines = [
        "u: Never delete a payload of a partner.",
        "a: You must never restart the database by hand.",
        "a: I propose to move the payload into a table `dead_letter`. Shall I do it?",
        "u: Yes, do it.",
        "==",
    ];
    assert_eq!(items(&lines, Field::Constraints), ["Never delete a payload of a partner."]);
    let gather = World::of(&lines).gathered();
    let record = compiled(gather.facts(0));
    let decided: Vec<_> = record.of(Field::Decisions).map(|(_, item)| item).collect();
    assert_eq!(decided[0].text, "Yes, do it.");
    assert!(decided[0].sources[1].quote.contains("Shall I do it?"), "{:?}", decided[0].sources);
    assert_eq!(items(&lines, Field::Open), [""; 0]);
}

#[test]
fn a_yes_or_no_stands_beside_what_it_answers() {
    let files = "I propose to move all shared files into one folder lib.";
    for (lines, field, text, beside) in [
        (&[files, "no, that's horrible."][..], Field::RuledOut, "no, that's horrible.", files),
        (&[files, "ok, do it"], Field::Decisions, "ok, do it", files),
        // A question that says nothing is not what is answered, and neither is what was answered before.
        (&[files, "Shall I?", "ok, do it"], Field::Decisions, "ok, do it", files),
        (
            &[files, "ok, the gateway was ruled out by the logs."],
            Field::Decisions,
            "ok, the gateway was ruled out by the logs.",
            files,
        ),
        (&["I propose to drop the old table.", "ok", files, "ok, do it"], Field::Decisions, "ok, do it", files),
    ] {
        let is_answer = |line: &&str| line.starts_with("ok") || line.starts_with("no");
        let said = lines.iter().map(|line| format!("{} {line}", if is_answer(line) { "u:" } else { "a:" }));
        let said: Vec<String> = said.chain(["==".to_owned()]).collect();
        let gather = World::of(&said.iter().map(String::as_str).collect::<Vec<_>>()).gathered();
        let record = compiled(gather.facts(0));
        let (_, item) = record.of(field).find(|(_, item)| item.text == text).unwrap_or_else(|| panic!("{record:?}"));
        assert_eq!(item.sources.get(1).map(|source| source.quote.as_str()), Some(beside), "{lines:?}");
        let detail = match field {
            Field::RuledOut => Detail::RuledOut { claim: beside.to_owned(), evidence: text.to_owned() },
            _ => Detail::Plain,
        };
        assert_eq!(item.detail, detail, "{lines:?}");
    }
}

/// The same yes as before answers what waits now, too.
#[test]
fn a_yes_that_was_said_before_settles_what_it_answers() {
    let yes = "u: ok, carry on with the whole plan as you wrote it";
    let lines = [
        "a: I propose to move the shared files into one folder lib.",
        yes,
        "a: I propose to drop the table `orders_old`, which **cannot be restored**.",
        yes,
        "==",
    ];
    let unanswered = [&lines[..3], &lines[4..]].concat();
    assert_eq!(
        items(&unanswered, Field::Open),
        ["I propose to drop the table `orders_old`, which **cannot be restored**."]
    );
    assert_eq!(items(&lines, Field::Open), [""; 0]);
}

#[test]
fn an_agents_own_yes_settles_nothing() {
    let lines =
        ["u: Is the lock gone?", "a: Yes, **the lock is gone**, and the queue with it, since the last import.", "=="];
    assert_eq!(items(&lines, Field::Decisions), [""; 0]);
}

#[test]
fn a_question_is_open_until_it_is_answered() {
    for (lines, want) in [
        (&["u: Does the importer drop empty rows?", "=="][..], &["Does the importer drop empty rows?"][..]),
        (&["u: Does the importer drop empty rows?", "a: Yes, it drops every one of them.", "=="], &[]),
        (
            &["u: Does the importer drop empty rows?", "a: I don't know, let me check.", "=="],
            &["Does the importer drop empty rows?"],
        ),
        (
            &["u: Should the status be an enum? I am not sure it pays.", "a: An enum is a rewrite of the table.", "=="],
            &["I am not sure it pays.", "Should the status be an enum?"],
        ),
    ] {
        assert_eq!(items(lines, Field::Open), want, "{lines:?}");
    }
}

#[test]
fn what_is_taken_back_is_held_no_longer() {
    let kept = ["u: Never use the staging database for tests.", "=="];
    let back = [
        "u: Never use the staging database for tests.",
        "a: Understood, I stay away from it.",
        "u: Actually you can use the staging database for tests after all.",
        "==",
    ];
    assert_eq!(items(&kept, Field::Constraints), ["Never use the staging database for tests."]);
    assert!(!items(&back, Field::Constraints).contains(&"Never use the staging database for tests.".to_owned()));
}

#[test]
fn what_a_tool_was_given_is_told_with_its_name_unless_it_is_a_command() {
    let lines = ["u: go", "> Bash command: make all", "< ok", "> shop_refund order: A-12", "< ok", "=="];
    let mut told = items(&lines, Field::Actions);
    told.sort_unstable();
    assert_eq!(told, ["called shop_refund A-12", "ran make all"]);
}

#[test]
fn an_action_knows_its_tool_its_target_and_how_it_went() {
    let lines = [
        "u: go",
        "> Write file_path: src/a.rs\\ncontent: fn a() {}",
        "< ok",
        "> Bash command: cargo test",
        "< Exit code 101\\nfailed",
        "> Bash command: cargo doc",
        "<! no such command",
        "> Bash command: cargo fetch",
        "==",
    ];
    let gather = World::of(&lines).gathered();
    let record = compiled(gather.facts(0));
    let mut seen: Vec<_> = record
        .of(Field::Actions)
        .map(|(_, item)| match &item.detail {
            Detail::Action { tool, args, ok } => (tool.as_str(), args.as_str(), *ok),
            other => panic!("{other:?}"),
        })
        .collect();
    seen.sort_unstable();
    assert_eq!(
        seen,
        [
            ("Bash", "cargo doc", Some(false)),
            ("Bash", "cargo fetch", None),
            ("Bash", "cargo test", Some(false)),
            ("Write", "src/a.rs", Some(true)),
        ]
    );
}

#[test]
fn the_names_of_a_document_are_known_to_its_end() {
    let filler = "Every step is described at length here. ".repeat(60);
    let write = format!("> Write file_path: plan.md\\ncontent: {filler}\\n```\\nretryBudget: loadBudget(),\\n```");
    let lines = ["u: write the plan", &write, "< ok", "=="];
    assert_eq!(items(&lines, Field::Entities), ["plan.md", "retryBudget", "loadBudget()"]);
}

#[test]
fn words_that_are_written_into_a_document_were_said() {
    let lines = [
        "u: write the plan",
        "> Write file_path: docs/plan.md\\ncontent: # Plan\\n- A hook can't see a hard reset, so sessions are left behind\\n",
        "< ok",
        "==",
    ];
    let said = items(&lines, Field::Narrative);
    assert!(said.iter().any(|text| text.contains("can't see a hard reset")), "{said:?}");
}

#[test]
fn what_the_agent_did_on_the_strength_of_a_claim_is_found() {
    let world = World::of(&[
        "u: Should orders.status become an enum?",
        "==",
        "a: As decided.",
        "> write path: db/0147_orders_status_enum.sql\\ncontent: CREATE TYPE order_status AS ENUM ('open');",
        "< ok",
        "> Bash command: cargo doc",
        "< ok",
    ]);
    let gather = world.gathered();
    let did = |text| gather.acted_on(0, text, "");
    assert_eq!(
        did("Decided: convert orders.status to an enum."),
        [(TurnNo::main(2), "wrote db/0147_orders_status_enum.sql".to_owned())]
    );
    assert_eq!(did("The archive nightly mirror broke"), []);
}

#[test]
fn a_value_is_acted_on_where_it_stands_beside_what_it_is_the_value_of() {
    let world = World::of(&[
        "a: The retry ceiling is 7, from config/delivery.toml.",
        "==",
        "> Edit file_path: src/rows.rs\\nnew_string: take(5)",
        "< ok",
        "> Edit file_path: config/delivery.toml\\nnew_string: max_attempts = 5",
        "< ok",
    ]);
    let gather = world.gathered();
    let wrote = |file: &str| vec![(TurnNo::main(1), format!("wrote {file}"))];
    let claim = "Deliveries are retried 5 times. The retry ceiling is 7, from config/delivery.toml.";
    for (value, beside, want) in [
        ("5", claim, wrote("config/delivery.toml")),
        ("6", claim, Vec::new()),
        ("5", "The lamp burns for 5 hours.", Vec::new()),
        ("5", "", Vec::new()),
    ] {
        assert_eq!(gather.acted_on(0, value, beside), want, "{value} {beside}");
    }
}

proptest! {
    #[test]
    fn every_quote_stands_in_its_part_and_in_reach(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "u: Never touch `db/x_1.sql`, please? Max 7 retries.", "a: It doesn't work because of port 8080.\\n\\n- a: b",
                "> Bash command: cat src/ü.rs", "< src/ü.rs:3: max_tries = 7", "==", "u: Ja – genau so.", "a: **Fest.** | x |",
                "> Write file_path: n.md\\ncontent: can't be done, order SO-4711",
            ]),
            0..40,
        )
    ) {
        let lines: Vec<&str> = std::iter::once("u: go").chain(words).collect();
        let world = World::of(&lines);
        let gather = world.gathered();
        for (no, marker) in world.markers.iter().enumerate() {
            for Fact { item, .. } in gather.facts(no) {
                prop_assert!(!item.sources.is_empty());
                for source in item.sources {
                    let part = &world.parts[source.seq.0 as usize].0;
                    prop_assert_eq!(part.text.get(source.range.0..source.range.1), Some(source.quote.as_str()));
                    prop_assert!(marker.reaches.contains(source.seq.0));
                }
            }
        }
    }
}

#[test]
fn what_is_held_does_not_grow_with_the_session() {
    let mut lines: Vec<String> = Vec::new();
    for no in 0..9_000 {
        lines.push(format!("u: Never touch file_{no}.rs again, ticket AB-{no}."));
    }
    lines.push("==".to_owned());
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let gather = World::of(&lines).gathered();
    assert!(gather.facts(0).len() <= 900, "{}", gather.facts(0).len());
    assert!(gather.things.len() <= 8 * 3_000, "{}", gather.things.len());
}

#[test]
fn a_question_that_was_plainly_answered_names_the_turn() {
    let asked = "u: Does the nightly export lock the orders table?";
    for (lines, want) in [
        (&[asked, "a: No, the nightly export never locks the orders table.", "=="][..], Some(2)),
        (&[asked, "a: I think the nightly export might lock the orders table.", "=="], None),
        (&[asked, "a: The importer reads two files.", "=="], None),
        (&[asked, "==", "a: No, the nightly export never locks the orders table."], None),
        (&["u: Go on.", "a: Shall I drop the old orders column now?", "u: Yes, do it.", "=="], Some(3)),
        (&["u: Go on.", "a: Shall I drop the old orders column now?", "u: No.", "=="], None),
    ] {
        let world = World::of(lines);
        let at = lines.iter().position(|line| line.ends_with('?')).unwrap();
        let text = world.parts[at].0.text.clone();
        let question = crate::session::SourceRef {
            turn: TurnNo::main(1),
            turn_id: String::new(),
            line_id: None,
            place: Place { file: FileNo(0), offset: at as u64 * 10 + 1, part: 0 },
            seq: PartSeq(at as u64),
            range: (0, text.len()),
            hash: Hash::ZERO,
            quote: text,
            speaker: Speaker::User,
        };
        let answered = world.gathered().answered_before(0, &question);
        assert_eq!(answered, want.map(TurnNo::main), "{lines:?}");
    }
}
