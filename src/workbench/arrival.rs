//! What binds in a person's words when they arrive: constraints, questions that are still open, decisions. Only their own
//! prose counts: no code, no quotation, no block that a person pasted or a harness put in.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use crate::extract::{Certainty, Detected, Extracted, Kind, Language, Lexicon, Zone, Zones, extract, quotes, words};
use crate::record::EntryKind;
use crate::store::Binding;

/// A longer text is mostly pasted: only what stands before and behind the paste is a person's own.
const PASTED: usize = 6_000;
/// A person's own words around a paste are not longer than this.
const AROUND: usize = 1_000;
/// A yes or a no with fewer words that say something decides nothing that could be read later.
const TELLING: usize = 3;

/// The sentences of a person's text that are to be entered, in order.
pub(super) fn binding(text: &str) -> Vec<Binding> {
    let mut bindings = Vec::new();
    for own in own_words(text) {
        let said = &text[own.clone()];
        let language = match Language::told(said) {
            Some(Detected::Known(language)) => language,
            // Nothing is entered of what cannot be read.
            Some(Detected::Other(_)) => continue,
            None => Language::english(),
        };
        let found = extract(said, language);
        if !found.iter().any(|item| kind(said, item, language).is_some()) {
            continue;
        }
        let zones = Zones::of(said);
        let quoted = [quotes(said), elements(said)].concat();
        let mut before: Option<Range<usize>> = None;
        for item in found.iter().filter(|item| is_statement(item)) {
            if before.as_ref() == Some(&item.range) || !is_own(said, item, &zones, &quoted) {
                continue;
            }
            // All that a sentence does, for it is entered once.
            let of = found.iter().filter(|other| is_statement(other) && other.range == item.range);
            let kinds = of.filter_map(|item| kind(said, item, language));
            // What is still thought about is open, whatever it would bind or decide.
            let Some((_, kind, proposed)) = kinds.min_by_key(|(rank, ..)| *rank) else { continue };
            before = Some(item.range.clone());
            bindings.push(Binding { kind, proposed, range: own.start + item.range.start..own.start + item.range.end });
        }
    }
    bindings
}

fn is_statement(item: &Extracted) -> bool {
    matches!(item.kind, Kind::Constraints | Kind::Decisions | Kind::Open)
}

/// What an item is entered as, and whether it waits for a person; what comes first wins. `None` where it binds nothing.
fn kind(text: &str, item: &Extracted, language: &Language) -> Option<(u8, EntryKind, bool)> {
    let hedged = item.certainty <= Certainty::Believed;
    match (item.kind, item.class) {
        // A sentence about a program tells what it does.
        (Kind::Constraints, Some("weak")) => None,
        (Kind::Open, Some("undecided" | "proposal")) | (Kind::Constraints, _) if hedged => {
            Some((0, EntryKind::Open, false))
        }
        (Kind::Open, Some("question")) if weighs(&text[item.range.clone()], language) => {
            Some((0, EntryKind::Open, false))
        }
        (Kind::Constraints, _) => Some((1, EntryKind::Constraint, false)),
        (Kind::Decisions, Some("decision")) => Some((2, EntryKind::Decision, true)),
        (Kind::Decisions, _) if telling(&text[item.range.clone()], language) >= TELLING => {
            Some((2, EntryKind::Decision, true))
        }
        _ => None,
    }
}

/// Whether a question asks what is to be done. Where a language has no words for that, every question may.
fn weighs(question: &str, language: &Language) -> bool {
    language.name != Language::english().name || list(&CHOICES, CHOICE).is_in(&words(question))
}

fn telling(sentence: &str, language: &Language) -> usize {
    words(sentence).iter().filter(|word| language.is_content(&word.lower)).count()
}

/// Whether a sentence is prose of the person: its words, and what makes it bind, stand in no quotation and no code.
fn is_own(text: &str, item: &Extracted, zones: &Zones, quoted: &[Range<usize>]) -> bool {
    let prose = zones
        .iter()
        .filter(|(range, _)| range.start < item.range.end && item.range.start < range.end)
        .all(|(_, zone)| matches!(zone, Zone::Prose | Zone::InlineCode));
    let cue = item.cue.as_ref().unwrap_or(&item.range);
    let within = |range: &Range<usize>| range.start <= cue.start && cue.end <= range.end;
    let in_code = zones.at(cue.start) == Zone::InlineCode;
    prose && !in_code && !quoted.iter().any(within) && !in_single_marks(text, &item.range, cue)
}

/// What stands between the lines `<name …>` and `</name>`.
fn elements(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: HashMap<&str, usize> = HashMap::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some(tag) = line.trim().strip_prefix('<').and_then(|tag| tag.strip_suffix('>')) else { continue };
        if let Some(name) = tag.strip_prefix('/') {
            found.extend(open.remove(name).map(|from| from..at));
        } else if let Some(name) = tag.split_whitespace().next().filter(|name| name.starts_with(char::is_alphabetic)) {
            open.entry(name).or_insert(start);
        }
    }
    found
}

/// Whether a cue stands between single quotation marks of its sentence. An apostrophe stands behind a letter.
fn in_single_marks(text: &str, sentence: &Range<usize>, cue: &Range<usize>) -> bool {
    let before = &text[sentence.start..cue.start];
    let opens = |(at, c): (usize, char)| {
        let outside = before[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || "([:".contains(c));
        matches!(c, '\'' | '‘') && outside
    };
    let Some((open, mark)) = before.char_indices().rfind(|mark| opens(*mark)) else { return false };
    let closes = |held: &str| {
        held.char_indices().any(|(at, c)| {
            let inside = held[..at].chars().next_back().is_some_and(|c| !c.is_whitespace());
            let outside = held[at + c.len_utf8()..].chars().next().is_none_or(|c| !c.is_alphanumeric());
            matches!(c, '\'' | '’') && inside && outside
        })
    };
    !closes(&before[open + mark.len_utf8()..]) && closes(&text[cue.end..sentence.end])
}

/// The stretches of a text that a person wrote: all of it up to where somebody else's words are handed on, and of a long
/// text what stands around the paste.
fn own_words(text: &str) -> Vec<Range<usize>> {
    let end = handed_on(text).unwrap_or(text.len());
    if text.len() <= PASTED {
        return Some(0..end).filter(|own| !own.is_empty()).into_iter().collect();
    }
    let first = text.find("\n\n").unwrap_or(text.len()).min(end);
    let mut own = Vec::new();
    if first > 0 && first <= AROUND {
        own.push(0..first);
    }
    let kept = text.trim_end();
    let last = kept.rfind("\n\n").map_or(0, |at| at + 2);
    if last >= first && last < end && kept.len() - last <= AROUND && end == text.len() {
        own.push(last..kept.len());
    }
    own
}

/// Where a line ends behind which somebody else's words are handed on; nobody can tell where those end.
fn handed_on(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        let said = line.trim_end();
        let last = said.rfind(['.', '!', '?', ';']).map_or(said, |mark| &said[mark..]);
        if said.ends_with(':') && at < text.len() && list(&HANDED_ON, HANDED).is_in(&words(last)) {
            return Some(at);
        }
    }
    None
}

const CHOICE: &str = include_str!("../../assets/lexicon/en/choices.txt");
const HANDED: &str = include_str!("../../assets/lexicon/en/handed_on.txt");
static CHOICES: OnceLock<Lexicon> = OnceLock::new();
static HANDED_ON: OnceLock<Lexicon> = OnceLock::new();

fn list(of: &'static OnceLock<Lexicon>, text: &str) -> &'static Lexicon {
    of.get_or_init(|| Lexicon::parse(text))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
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
}
