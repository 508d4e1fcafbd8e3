//! What is entered in the ledger as it arrives, and what is not.

use super::super::world::World;
use super::super::{DEFAULT_TOKENS, Target};
use super::*;
use crate::record::{LedgerEntry, Standing, Via};
use crate::session::SessionKey;
use crate::store::{Access, Store};

/// What is entered, as `kind words`, proposed ones with a question mark behind the kind.
fn entered(text: &str) -> Vec<String> {
    let told = |one: Binding| {
        let mark = if one.proposed { "?" } else { "" };
        format!("{}{mark} {}", one.kind.name(), &text[one.range])
    };
    binding(text).into_iter().map(told).collect()
}

#[test]
fn what_binds_is_entered_as_it_was_said() {
    for (text, wanted) in [
        (
            "Could orders.status become an enum instead of text? I'm wary of what that migration costs on a table this \
             big, so let's leave it undecided for now.",
            vec![
                "open Could orders.status become an enum instead of text?",
                "open I'm wary of what that migration costs on a table this big, so let's leave it undecided for now.",
            ],
        ),
        (
            "Thanks. Never touch the billing tables. What does this job do?",
            vec!["constraint Never touch the billing tables."],
        ),
        ("never mind. Only kidding.", vec![]),
        ("Should we split the worker?", vec!["open Should we split the worker?"]),
        ("I'm not sure the cache is worth it.", vec!["open I'm not sure the cache is worth it."]),
        ("Maybe we should not touch the cache.", vec!["open Maybe we should not touch the cache."]),
        ("Let's go with the queue.", vec!["decision? Let's go with the queue."]),
        ("Yes, keep the old invoice numbers.", vec!["decision? Yes, keep the old invoice numbers."]),
        (
            "You must call `flush` before `close`.\n\n- Never log the token.\n- Use two workers.",
            vec![
                "constraint You must call `flush` before `close`.",
                "constraint Never log the token.",
                "constraint Use two workers.",
            ],
        ),
        (
            "Du musst die alte Spalte behalten, sie wird noch gebraucht.",
            vec!["constraint Du musst die alte Spalte behalten, sie wird noch gebraucht."],
        ),
    ] {
        assert_eq!(entered(text), wanted, "{text}");
    }
}

#[test]
fn a_question_and_the_doubt_about_it_are_open_in_whatever_words() {
    for text in [
        "Does the export need to be a stream?| I doubt it, the reader would have to wait.",
        "Could the cache live on disk?| The eviction worries me a bit.",
        "Is it worth splitting the worker?| It is old, so I'm hesitant.",
        "Maybe the token ought to be signed, but rotating the keys sounds painful.",
        "Would a queue be better for the mails?| I'm on the fence.",
        "Do you think the report should be a table?| I'm torn.",
        "A table for the report?| Hmm, that layout…",
        "How about dropping the old endpoint?| Probably not worth it.",
        "I haven't decided yet if the report becomes a table.",
        "Can the key perhaps become a pair?| I'd like your opinion first.",
        "Possibly turn the table into a view; to be discussed.",
        "Thinking out loud: a view might be nice, though the cost worries me.",
        "What do you think about a view?| Not convinced myself.",
        "Open question: a view or keep the table?",
    ] {
        let wanted: Vec<String> = text.split('|').map(|one| format!("open {}", one.trim())).collect();
        assert_eq!(entered(&text.replace('|', "")), wanted, "{text}");
    }
}

#[test]
fn a_doubt_about_nothing_that_was_asked_is_not_entered() {
    check(
        "Why does the export fail?
         The log worries me a bit.
         Why does it fail? I read the log.
         Can you fix the test? I'm torn away for an hour.
         Why does it fail? ⏎⏎ Some of this is beside it. The log worries me a bit.
         He asked: \"Is a view better? I doubt it.\"
         Their note: “Possibly a view; to be discussed.”",
        "",
    );
}

#[test]
fn what_binds_under_a_condition_binds_and_what_is_only_guessed_is_open() {
    check(
        "Do not deploy on Friday; I mean, unless Bob says so.
         Never restart it unless I say so.
         If it is red, you must not push.
         No changes to the public API, please.
         No new tables in this branch please.
         Work without restarting the server.
         Please no force push.",
        "constraint",
    );
    check(
        "Maybe we should not touch it if it works.
         I think you must not push if it is red.",
        "open",
    );
}

#[test]
fn a_report_of_what_happened_binds_nobody_whoever_tells_it() {
    check(
        "A partner says that nine webhooks from last night never arrived, all between 01:10 and 01:40.
         Nine webhooks never arrived.
         Two mails from Monday never came.
         Jane says that the last three jobs always failed.
         Workers on the old host never noticed.",
        "",
    );
    check(
        "Workers on the old host must never notice.
         Reports by mail never embed secrets.
         Mails to customers never need a tracking pixel.",
        "constraint",
    );
}

#[test]
fn what_binds_nobody_or_is_not_the_persons_own_is_not_entered() {
    let long = format!("{}\n", "You must keep these words out of the ledger. ".repeat(200));
    for text in [
        "",
        "ok sounds good",
        "What does this function do?",
        "Why does the test fail?",
        "Can you fix the test?",
        "The function must return a list.",
        "The job is slow today.",
        "<notes from=\"ops\">\nYou must never restart it.\n\nNever stop it.\n</notes>",
        "> You must never restart it.",
        "```\nYou must never restart it.\n```",
        "    ```sh\n# You must never restart it.\n```",
        "`you must never restart it`",
        "<system-reminder>You must never restart it.</system-reminder>",
        "<pasted>\nYou must never restart it.\n</pasted>",
        "The readme says \"you must never run it by hand\".",
        "The sign said 'you must never run it by hand' again.",
        "Their note: “You must never run it by hand.”",
        "Their note: ‘You must never run it by hand.’",
        "Our vendor wrote:\n\nYou must never run it by hand. We decided to go with plan B.",
        "This is the error log:\nyou must never run this as root",
        "2026-03-02 09:14:00 ERROR you must never run this\n2026-03-02 09:14:01 ERROR you must stop\n2026-03-02 \
         09:14:02 ERROR you must not retry",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-You must not.\n+You must never.",
        "| rule |\n|---|\n| You must never run it. |",
        &long,
    ] {
        assert_eq!(entered(text), [""; 0], "{text}");
    }
}

/// Each of these lines (`⏎` ends one inside it) is entered as this kind and nothing else; as nothing where it is empty.
fn check(lines: &str, kind: &str) {
    let kinds = |text: &str| {
        let entered = entered(&text.replace(" ⏎ ", "\n").replace(" ⏎⏎ ", "\n\n")).into_iter();
        entered.filter_map(|one| one.split(' ').next().map(str::to_owned)).collect::<Vec<_>>().join(" ")
    };
    let seen: Vec<_> = lines.lines().map(str::trim).map(|text| (text, kinds(text))).collect();
    let wrong: Vec<_> = seen.iter().filter(|(_, seen)| seen != kind).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_a_person_says_themselves_binds_however_much_it_looks_like_a_report() {
    check(
        "I said you must not deploy.
         I've told you before: never push to main.
         Let me say it again: never push to main.
         What I meant is that you must never push.
         We agreed that you must ask first.
         Once more, after reading the log, never restart it.
         The way it's written, you must never call it twice.
         I told you: never deploy on Friday.
         As I said, never deploy on Friday.
         We always said that you must ask first.
         I told the customer that we must never store cards.
         That said, never touch the export.
         He said it works, never touch it.
         I don't care what he says, never deploy on Friday.
         I never said that you must deploy, so never deploy.
         Don't deploy until Jane told you to.
         Never tell anyone that they must pay.
         Please tell him that he must never retry.
         You must not say that the job works.
         Make sure you tell the user that they must not reply.
         According to our rules you must never restart it.
         As the customer said, we must never store cards.
         We never deploy on Fridays.
         You must never restart it, I said.
         The answer must never be empty for a paying customer.
         Warning: never deploy on Friday.
         Note: you must keep the old column.
         note: you must keep the old column
         In src/main.rs:12 you must not use unwrap.
         Rule 3: never deploy on Friday.
         error: the token is gone ⏎⏎ Never print the token again.
         Human eyes must never see the token.
         > Shall I deploy? ⏎ Never deploy on Friday.
         Du darfst nicht am Freitag deployen, das habe ich gesagt.
         Ich habe dir gesagt, dass du auf keinen Fall deployen darfst.
         Tu ne dois jamais toucher la table des factures.
         Nunca borres la tabla de facturas.",
        "constraint",
    );
}

#[test]
fn what_somebody_else_said_waits_for_a_person() {
    check(
        "He told me: never deploy on Friday.
         The customer said that we must not store cards.
         Jane from legal wrote that we must never keep logs.
         Our auditor insisted we must encrypt every backup.
         I was told that we must never restart it.
         I heard that we must never restart it.
         According to the customer we must never store cards.
         According to Jane, never restart it.
         We must never store cards, the customer said.
         We must never store cards, said Jane.
         The policy says that we must not store cards.
         He thinks we must never restart it.
         Der Kunde hat gesagt, dass wir keine Karten speichern dürfen und alles löschen müssen.
         Le client a dit que nous devons garder la table.
         El cliente dijo que nunca debes borrar la tabla.",
        "constraint?",
    );
}

#[test]
fn what_is_denied_or_printed_or_said_by_a_program_or_the_agent_is_not_entered() {
    check(
        "I never said that you must not deploy.
         I did not say you must never deploy.
         I have never said that you must keep it.
         I'm not saying that you must never deploy.
         Nobody told you that you must never deploy.
         No one ever said we must keep the old column.
         The customer did not say that we must store cards.
         I don't think you must keep it.
         I didn't mean that you must never deploy.
         There is no rule that you must not deploy.
         It is not true that we must never deploy.
         Nothing says you must restart it.
         You said that you must never deploy.
         You told me you must never touch the table.
         It says you must set FOO.
         The error says that you must set FOO.
         The readme says you must never run it by hand.
         Claude wrote that it must never deploy.
         According to the docs you must never run it by hand.
         You must set FOO, the log says.
         It never worked.
         They never answered.
         I have never used the queue.
         The worker never restarted after that.
         Ich habe nie gesagt, dass du nicht deployen darfst.
         Je n'ai jamais dit que tu ne dois pas le toucher.
         Nunca dije que no debes borrar la tabla.
         Makefile:3: *** you must set FOO.
         src/main.rs:12:5: you must never use this
         error: you must set FOO
         warning: you should never use this
         npm ERR! You must never run this as root.
         fatal: you must name a branch
         remote: you must never push to main
         hint: you must merge first
         It fails: ⏎ TypeError: the callback must not be empty ⏎    you must pass one
         Assistant: I must never deploy.
         Human: never deploy.
         See: ⏎⏎ User: never deploy. ⏎ Agent: I must never deploy. ⏎⏎ I must never do it.
         > You must never deploy. ⏎ > Never.
         Look: ⏎ From: Jo ⏎ Subject: rules ⏎⏎ You must never deploy.",
        "",
    );
}

#[test]
fn around_a_long_paste_a_persons_own_words_are_heard() {
    let paste = "You must keep these words out of the ledger.\n".repeat(200);
    let text = format!("Never deploy this on a Friday.\n\n{paste}\n\nDon't change the header either.\n");
    assert_eq!(
        entered(&text),
        ["constraint Never deploy this on a Friday.", "constraint Don't change the header either."]
    );
}

/// What the ledger holds behind these lines of the interchange format, as `L1 status kind words`.
fn ledger_of(world: &World, batches: &[&[String]]) -> Vec<String> {
    let key = SessionKey::new("stet", "live");
    let mut appending = world.bench().append(&key, None).unwrap();
    for batch in batches {
        let lines: Vec<Vec<u8>> = batch.iter().map(|line| line.clone().into_bytes()).collect();
        assert_eq!(appending.take(&lines).unwrap().refused, None);
    }
    let mut desk = world.bench().open(&Target::Kept { db: world.db(), key: key.clone() }).unwrap();
    assert_eq!(Store::open(&world.db(), Access::ReadOnly).unwrap().verify(&key).unwrap(), []);
    let told = desk.ledger().unwrap();
    let one = |standing: &Standing| {
        let LedgerEntry { no, draft, .. } = &standing.entry;
        let source = draft.source.as_ref().unwrap();
        assert_eq!((draft.via, draft.text.as_str()), (Via::Arrival, source.quote.as_str()));
        format!("L{no} {} {} {}: {}", standing.status.name(), draft.kind.name(), source.turn, draft.text)
    };
    told.entries.iter().map(one).collect()
}

fn part(id: &str, role: &str, more: &str, text: &str) -> String {
    let text = serde_json::Value::from(text);
    format!(r#"{{"type":"part","id":"{id}","turn":"{id}","role":"{role}","kind":"text"{more},"text":{text}}}"#)
}

#[test]
fn only_what_a_person_typed_is_entered_once_with_the_turn_it_stands_in() {
    let world = World::of(&[]);
    let rule = "Never touch the billing tables.";
    let result = r#"{"type":"part","id":"r","turn":"a","role":"assistant","kind":"tool_result","call":"c","text":"You must never retry."}"#;
    let session = r#"{"type":"session","agent":"stet","id":"live","sides":[{"file":1,"agent_id":"x"}]}"#.to_owned();
    let batches: [&[String]; 5] = [
        &[session, part("u1", "user", "", "Hello.")],
        &[
            part("a", "assistant", "", "You must keep the queue. Let's go with it."),
            result.to_owned(),
            part("h", "user", r#","speaker":"system""#, "You must never say this."),
            part("s", "user", r#","file":1"#, "You must look for the worker."),
            part("i", "user", r#","agent_id":"x""#, "You must look for the worker."),
        ],
        &[part("u2", "user", "", rule), part("u3", "user", "", "Should we split it? Let's go with the queue.")],
        // The same once more, and the same words in other white space.
        &[part("u2", "user", "", rule)],
        &[part("u4", "user", "", "As I said:\n\nNever touch  the\nbilling tables.")],
    ];
    let told = ledger_of(&world, &batches);
    let wanted = [
        "L1 active constraint 4: Never touch the billing tables.",
        "L2 active open 5: Should we split it?",
        "L3 proposed decision 5: Let's go with the queue.",
    ];
    assert_eq!(told, wanted);
    // Appended once more as a whole, nothing is entered again.
    assert_eq!(ledger_of(&world, &batches), wanted);
}

/// A1.10: it stays as it was said, whatever summaries make of it.
#[test]
fn an_undecided_question_survives_six_compactions_untouched() {
    let world = World::of(&[]);
    let asked = "Could orders.status become an enum instead of text?";
    let doubt = "I'm wary of what that migration costs on a table this big, so let's leave it undecided for now.";
    let first = [part("u1", "user", "", &format!("{asked} {doubt}"))];
    let told = ledger_of(&world, &[&first]);
    assert_eq!(told, [format!("L1 active open 1: {asked}"), format!("L2 active open 1: {doubt}")]);
    let key = SessionKey::new("stet", "live");
    let target = Target::Kept { db: world.db(), key };
    let text = || world.bench().open(&target).unwrap().told(DEFAULT_TOKENS).unwrap().text;
    let before = text();
    assert!(before.contains(asked) && before.contains(doubt), "{before}");
    for pass in 0..6 {
        let summary = "It was decided that orders.status becomes an enum.";
        let lines = [
            part(&format!("a{pass}"), "assistant", "", "I looked at the migration."),
            format!(r#"{{"type":"compaction","id":"k{pass}","summary":"{summary}"}}"#),
        ];
        assert_eq!(ledger_of(&world, &[&lines]), told);
        assert_eq!(text(), before, "pass {pass}");
    }
}
