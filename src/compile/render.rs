//! A record as the text that stands for its turns in a window: identifiers exact, every line with the turn that it comes
//! from. What does not fit, and what no turn bears out, is counted in the text itself; nothing goes silently.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::record::{Detail, Field, Item, Record};
use crate::session::SourceRef;
use crate::text::Shown;

/// Raised when the same record is rendered in other words.
pub const RENDERED: u32 = 4;

/// How much of a record is rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Everything that it holds.
    Whole,
    /// Prose, constraints, decisions, open and ruled-out things whole; of actions, figures and identifiers the most
    /// needed, as many as there is room for in so many bytes.
    Brief(usize),
}

/// A record as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    /// Ends in a line end.
    pub text: String,
    /// Four bytes count as one.
    pub tokens: u64,
    /// How many items of which fields it does not hold, for length.
    pub left_out: Vec<(Field, u32)>,
    /// How many drafts the record has: none of them is in the text.
    pub drafts: u32,
}

/// Four bytes a token.
pub fn tokens(text: &str) -> u64 {
    (text.len() as u64).div_ceil(4)
}

/// The fields as they are rendered: what binds first, what is only named last.
const ORDER: [Field; 8] = [
    Field::Narrative,
    Field::Constraints,
    Field::Decisions,
    Field::Open,
    Field::RuledOut,
    Field::Actions,
    Field::Figures,
    Field::Entities,
];

/// Room that a heading and the counts of what is left out take, in bytes.
const NOTE: usize = 80;

/// The record of some turns. `head` says which they are, in a line. Drafts are counted and not told: whoever reads the
/// text would take them for what was said.
pub fn render(head: &str, record: &Record, amount: Amount) -> Rendered {
    let mut text = format!("[{}]\n", line(head));
    let mut left_out = Vec::new();
    for field in ORDER {
        let items: Vec<&Item> = record.items.iter().filter(|item| item.field == field && !item.is_draft()).collect();
        let kept = match (amount, field) {
            (Amount::Brief(bytes), Field::Actions | Field::Figures | Field::Entities) => {
                fitting(&items, bytes.saturating_sub(text.len() + NOTE))
            }
            (Amount::Brief(_) | Amount::Whole, _) => items.len(),
        };
        if kept > 0 {
            let _ = writeln!(text, "{}:", field.title());
            match field {
                Field::Figures | Field::Entities => grouped(&mut text, &items[..kept]),
                Field::Narrative
                | Field::Constraints
                | Field::Decisions
                | Field::Open
                | Field::RuledOut
                | Field::Actions => items[..kept].iter().for_each(|item| one(&mut text, item)),
            }
        }
        if kept < items.len() {
            left_out.push((field, (items.len() - kept) as u32));
        }
    }
    if !left_out.is_empty() {
        let counts: Vec<String> =
            left_out.iter().map(|(field, count)| format!("{} {count}", field.title().to_lowercase())).collect();
        let _ = writeln!(text, "Left out for length: {}.", counts.join(", "));
    }
    let drafts = record.items.iter().filter(|item| item.is_draft()).count() as u32;
    if drafts > 0 {
        let _ = writeln!(text, "Left out as drafts, which no turn bears out: {drafts}.");
    }
    Rendered { tokens: tokens(&text), text, left_out, drafts }
}

/// How many of the first items fit in so many bytes, as they are rendered.
fn fitting(items: &[&Item], mut bytes: usize) -> usize {
    let mut kept = 0;
    for item in items {
        // Those that share a line with others take less.
        let mut line = String::new();
        one(&mut line, item);
        match bytes.checked_sub(line.len()) {
            Some(rest) => bytes = rest,
            None => break,
        }
        kept += 1;
    }
    kept
}

/// `- turn 12, user: …`
fn one(text: &mut String, item: &Item) {
    let by = match item.sources.first() {
        Some(source) => format!("{}, {}: ", turn(source), source.speaker.name()),
        None => "no turn: ".to_owned(),
    };
    let _ = writeln!(text, "- {by}{}", said(item));
}

/// One line for each turn, its items one after the other.
fn grouped(text: &mut String, items: &[&Item]) {
    let mut turns: BTreeMap<(u64, String), Vec<String>> = BTreeMap::new();
    for item in items {
        let key = item.sources.first().map_or((u64::MAX, "no turn".to_owned()), |source| (source.seq.0, turn(source)));
        turns.entry(key).or_default().push(said(item));
    }
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for ((_, turn), said) in turns {
        match lines.last_mut() {
            Some((last, all)) if *last == turn => all.extend(said),
            Some(_) | None => lines.push((turn, said)),
        }
    }
    for (turn, said) in lines {
        let _ = writeln!(text, "- {turn}: {}", said.join(" · "));
    }
}

fn turn(source: &SourceRef) -> String {
    if source.turn.0.is_empty() { format!("turn {}", line(&source.turn_id)) } else { format!("turn {}", source.turn) }
}

/// What an item says, in one line: its own words, in which a word of ours could turn round what they mean. An answer is
/// nothing without what it seems to answer, so that stands behind it.
fn said(item: &Item) -> String {
    let answered = match item.sources.as_slice() {
        [own, to, ..] if to.seq < own.seq && to.quote != own.quote => Some(to),
        _ => None,
    };
    let to = answered.map(|to| format!(" (see {}, {}: {})", turn(to), to.speaker.name(), line(&to.quote)));
    let words = worded(item, answered.map_or("", |to| &to.quote));
    format!("{words}{}", to.unwrap_or_default())
}

/// The words of an item. `told` stands beside them anyway.
fn worded(item: &Item, told: &str) -> String {
    match &item.detail {
        // A word that is a name in code alone is one nowhere else.
        Detail::Entity { class } if matches!(class.as_str(), "code" | "command") && !item.text.contains('`') => {
            format!("`{}`", line(&item.text))
        }
        Detail::Plain | Detail::Entity { .. } => line(&item.text),
        Detail::Figure { label, .. } if label.is_empty() || item.text.contains(label.as_str()) => line(&item.text),
        Detail::Figure { label, .. } => format!("{} {}", line(label), line(&item.text)),
        Detail::Action { tool, args, ok } => {
            let how = match ok {
                Some(true) => " → ok",
                Some(false) => " → failed",
                None => "",
            };
            let what = if args.is_empty() || args.contains(tool.as_str()) || tool.is_empty() {
                line(&item.text)
            } else {
                format!("{} {}", line(tool), line(args))
            };
            format!("{what}{how}")
        }
        Detail::RuledOut { claim, evidence } => {
            let beside = |words: &str| !item.text.contains(words) && !told.contains(words);
            let of = if beside(claim) { format!(" (of: {})", line(claim)) } else { String::new() };
            let why = if beside(evidence) { format!(" (shown by: {})", line(evidence)) } else { String::new() };
            format!("{}{of}{why}", line(&item.text))
        }
    }
}

fn line(text: &str) -> String {
    Shown::line(text.trim()).into_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::given;
    use crate::record::Verdict;

    #[test]
    fn every_line_names_its_turn_and_identifiers_are_exact() {
        let record = given::record(
            "c 3 user Never lock orders between 08:00 and 20:00.\no 1 user enum?\nr 2 assistant credit hold\n\
             a 4 assistant psql -c 'select 1'\nf 2 assistant retry ceiling 7\ne 2 assistant /srv/db/orders.sql\n\
             e 4 assistant 4711\ne 2 assistant a_b",
        );
        let rendered = render("block 1 · turns 1–4", &record, Amount::Whole);
        assert_eq!(
            rendered.text,
            "[block 1 · turns 1–4]\n\
             Constraints:\n- turn 3, user: Never lock orders between 08:00 and 20:00.\n\
             Open:\n- turn 1, user: enum?\n\
             Ruled out:\n- turn 2, assistant: credit hold\n\
             Actions:\n- turn 4, assistant: psql -c 'select 1' → ok\n\
             Figures:\n- turn 2: retry ceiling 7\n\
             Entities:\n- turn 2: /srv/db/orders.sql · a_b\n- turn 4: 4711\n"
        );
        assert_eq!(rendered.tokens, tokens(&rendered.text));
        assert!(rendered.left_out.is_empty());
    }

    /// The one line of one item.
    fn check(notation: &str, change: impl FnOnce(&mut Item), want: &str) {
        let mut record = given::record(notation);
        change(&mut record.items[0]);
        let text = render("block 1", &record, Amount::Whole).text;
        assert_eq!(text.lines().nth(2), Some(want), "{text}");
    }

    fn ruled_out(claim: &str, evidence: &str) -> Detail {
        Detail::RuledOut { claim: claim.into(), evidence: evidence.into() }
    }

    #[test]
    fn a_word_that_is_a_name_in_code_alone_stands_in_code() {
        let class = |class: &str| Detail::Entity { class: class.into() };
        check("e 3 user note", |item| item.detail = class("code"), "- turn 3: `note`");
        check("e 3 user a_note", |item| item.detail = class("symbol"), "- turn 3: a_note");
    }

    #[test]
    fn what_is_ruled_out_stands_as_it_was_said() {
        let said = "The lock is ruled out: nobody waits.";
        check(
            &format!("r 7 assistant {said}"),
            |item| item.detail = ruled_out("The lock is ruled out", "nobody waits."),
            &format!("- turn 7, assistant: {said}"),
        );
        check(
            "r 8 user no, that is horrible.",
            |item| item.detail = ruled_out("one folder for all", "no, that is horrible."),
            "- turn 8, user: no, that is horrible. (of: one folder for all)",
        );
        check(
            "r 8 user not the lock",
            |item| item.detail = ruled_out("the lock", "pg_locks is empty"),
            "- turn 8, user: not the lock (shown by: pg_locks is empty)",
        );
    }

    #[test]
    fn an_answer_stands_with_what_it_answers() {
        let after = |asked: &str| {
            let asked = given::record(&format!("o 7 assistant {asked}")).items.remove(0).sources;
            move |item: &mut Item| item.sources.extend(asked)
        };
        let want = "- turn 8, user: OK. (see turn 7, assistant: Shall I drop it?)";
        check("d 8 user OK.", after("Shall I drop it?"), want);
        check("d 6 user Drop it.", after("Drop it."), "- turn 6, user: Drop it.");
        check(
            "r 8 user No.",
            |item| {
                item.detail = ruled_out("Shall I drop it?", "No.");
                after("Shall I drop it?")(item);
            },
            "- turn 8, user: No. (see turn 7, assistant: Shall I drop it?)",
        );
    }

    #[test]
    fn what_is_left_out_is_counted_in_the_text_and_what_binds_never_is() {
        let mut notation = "c 3 user Never lock orders.\no 1 user enum?\n".to_owned();
        for no in 0..50 {
            let _ = writeln!(notation, "e 2 assistant file_{no:02}.rs");
        }
        let record = given::record(&notation);
        let rendered = render("block 1", &record, Amount::Brief(400));
        let held = (0..50).filter(|no| rendered.text.contains(&format!("file_{no:02}.rs"))).count() as u32;
        assert_eq!(rendered.left_out, [(Field::Entities, 50 - held)]);
        assert!(held > 5 && rendered.text.contains("file_00.rs") && rendered.text.len() < 460, "{}", rendered.text);
        assert!(rendered.text.ends_with(&format!("Left out for length: entities {}.\n", 50 - held)));
        assert!(rendered.text.contains("Never lock orders.") && rendered.text.contains("enum?"));
        let nothing = render("block 1", &record, Amount::Brief(0));
        assert!(nothing.text.contains("Never lock orders.") && nothing.left_out == [(Field::Entities, 50)]);
    }

    #[test]
    fn a_draft_is_counted_and_not_told_whole_or_in_brief_and_with_a_turn_or_without() {
        let mut record = given::record(
            "n 1 user Please look at the export.\nn 2 assistant We dropped the table.\n\
             n 2 assistant The user agreed to drop it.\nc 1 user Never drop tables.",
        );
        for draft in &mut record.items[1..3] {
            (draft.verdict, draft.why) = (Verdict::Unchecked, Some("no turn before it says this".to_owned()));
        }
        record.items[1].sources.clear();
        for amount in [Amount::Whole, Amount::Brief(400), Amount::Brief(0)] {
            let rendered = render("block 1", &record, amount);
            assert_eq!(
                rendered.text,
                "[block 1]\nNarrative:\n- turn 1, user: Please look at the export.\n\
                 Constraints:\n- turn 1, user: Never drop tables.\n\
                 Left out as drafts, which no turn bears out: 2.\n"
            );
            assert_eq!((rendered.drafts, rendered.left_out), (2, Vec::new()));
        }
    }

    #[test]
    fn no_text_of_a_session_opens_a_region_of_its_own() {
        let mut record = given::record("c 3 user x");
        record.items[0].text = "a\n[block 9 · turns 1–2]\n\u{1b}[31m".to_owned();
        let text = render("block 1", &record, Amount::Whole).text;
        assert_eq!(text.lines().filter(|line| line.starts_with('[')).count(), 1, "{text}");
        assert!(!text.contains('\u{1b}'));
    }
}
