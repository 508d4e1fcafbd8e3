//! Which field a claim belongs to: by the heading it stands under and by the cues in its own words.

use crate::extract::{Lexicon, Word, en, words};
use crate::record::Field;

use super::context::Context;

/// The field of a claim.
pub fn of(text: &str, context: Option<Context>) -> Field {
    let heard = Heard::new(text);
    match context {
        Some(Context::UserMessages) => heard.said_by_a_person(),
        Some(Context::Open) => match heard.status() {
            Some(Field::Actions) => Field::Actions,
            None if heard.tells_of_a_person() => Field::Narrative,
            Some(_) | None => Field::Open,
        },
        Some(Context::Decisions) => {
            if heard.begins_with_a_refusal() || en::RULED_OUT.is_in(&heard.plain) {
                Field::RuledOut
            } else {
                Field::Decisions
            }
        }
        Some(Context::Constraints) => Field::Constraints,
        Some(Context::RuledOut) => Field::RuledOut,
        Some(Context::Actions) => heard.status().unwrap_or_else(|| match heard.by_cues() {
            Field::Narrative | Field::Open => Field::Actions,
            other => other,
        }),
        Some(Context::Narrative) | None => heard.status().unwrap_or_else(|| heard.by_cues()),
    }
}

/// The claim and the evidence of something ruled out: what stands before and behind the dash or the reason.
pub fn ruled_out(text: &str) -> (String, String) {
    let cut = [" - ", " – ", " — ", " because ", " since ", ": "]
        .into_iter()
        .filter_map(|mark| text.find(mark).map(|at| (at, at + mark.len())))
        .min();
    match cut {
        Some((end, start)) => (bare(&text[..end]).to_owned(), bare(&text[start..]).to_owned()),
        None => (bare(text).to_owned(), String::new()),
    }
}

/// The tool that an action names by its command; empty where it names none.
pub fn tool(text: &str) -> String {
    let heard = words(text);
    let first = heard.iter().find(|word| !word.code).map(|word| word.lower.as_str());
    match first {
        Some("ran" | "executed" | "reran") => "run".to_owned(),
        _ => String::new(),
    }
}

fn bare(text: &str) -> &str {
    text.trim().trim_matches('*').trim()
}

/// The words of a claim, told apart.
struct Heard<'a> {
    text: &'a str,
    /// Without code and without what is quoted.
    plain: Vec<Word>,
    /// What is quoted.
    quoted: Vec<Word>,
    /// Without code.
    prose: Vec<Word>,
}

impl<'a> Heard<'a> {
    fn new(text: &'a str) -> Self {
        let prose: Vec<Word> = words(text).into_iter().filter(|word| !word.code).collect();
        let (quoted, plain) = prose.iter().cloned().partition(|word| word.quoted);
        Self { text, plain, quoted, prose }
    }

    /// A sign or word that says how far it is.
    fn status(&self) -> Option<Field> {
        let start = self.text.trim_start();
        if ["⏳", "[ ]", "☐", "⬜", "🔄", "🚧", "❓", "[TODO]", "[IN PROGRESS]", "[PENDING]", "[BLOCKED]"]
            .iter()
            .any(|sign| self.text.contains(sign))
        {
            return Some(Field::Open);
        }
        let end = self.text.trim_end_matches(['*', '.']);
        if ["(pending)", "(todo)", "(not started)", "(in progress)"]
            .iter()
            .any(|sign| end.to_lowercase().ends_with(sign))
        {
            return Some(Field::Open);
        }
        let done =
            ["✅", "[x]", "[X]", "✓", "✔", "☑", "[DONE]", "[COMPLETED]"].iter().any(|sign| self.text.contains(sign));
        let label = start.trim_start_matches('*');
        let solved = ["Solved", "Fixed", "Done", "Completed", "Fix", "Resolved"]
            .iter()
            .any(|word| label.strip_prefix(word).is_some_and(|rest| rest.trim_start_matches('*').starts_with(':')));
        (done || solved).then_some(Field::Actions)
    }

    /// A message listed word for word: only the person's own words count.
    fn said_by_a_person(&self) -> Field {
        let own = &self.prose;
        if en::REFUSALS.is_in(own) {
            Field::RuledOut
        } else if self.is_binding(own) {
            Field::Constraints
        } else if en::ACCEPTANCE.is_in(own) {
            Field::Decisions
        } else if self.is_question() || en::OPEN.is_in(own) {
            Field::Open
        } else {
            Field::Narrative
        }
    }

    fn is_binding(&self, own: &[Word]) -> bool {
        en::REQUESTS.is_in(own) || !self.is_question() && (en::ORDERS.is_in(own) || en::CONSTRAINTS.is_in(own))
    }

    fn by_cues(&self) -> Field {
        let person = self.subject_is_a_person();
        let quotes_a_person = person || self.quotes_a_person();
        if en::RULED_OUT.is_in(&self.plain) && !self.is_question()
            || quotes_a_person && en::REFUSALS.is_in(&self.quoted)
        {
            return Field::RuledOut;
        }
        if en::DECISIONS.is_in(&self.plain) || quotes_a_person && en::ACCEPTANCE.is_in(&self.quoted) {
            return Field::Decisions;
        }
        if person && near_the_subject(&en::WISHES, &self.plain) || self.is_a_rule(person) {
            return Field::Constraints;
        }
        if self.is_question() || !person && en::OPEN.is_in(&self.plain) {
            return Field::Open;
        }
        if !person && (self.begins_with_an_action() || en::DONE.is_in(&self.plain)) {
            return Field::Actions;
        }
        Field::Narrative
    }

    fn is_a_rule(&self, person: bool) -> bool {
        let first = self.plain.first().map(|word| word.lower.as_str());
        matches!(first, Some("never" | "always" | "must" | "don't"))
            || person
                && self.plain.iter().take(6).any(|word| matches!(word.lower.as_str(), "must" | "never" | "always"))
    }

    /// `The user acknowledged …` among what is open: nothing to be done.
    fn tells_of_a_person(&self) -> bool {
        self.subject_is_a_person()
            && !self.is_question()
            && !en::OPEN.is_in(&self.prose)
            && !en::WISHES.is_in(&self.plain)
    }

    fn is_question(&self) -> bool {
        self.text.trim_end_matches(['"', '”', '*', ')', '\'', '_', ' ']).ends_with('?')
    }

    /// `User reported …`, `The user wants …`.
    fn subject_is_a_person(&self) -> bool {
        let start = label_end(self.text);
        self.plain
            .iter()
            .filter(|word| word.range.start >= start)
            .take(3)
            .any(|word| en::PEOPLE.at(std::slice::from_ref(word), 0).is_some())
    }

    /// `… - user said "…"`: a person is named right before the quotation.
    fn quotes_a_person(&self) -> bool {
        let Some(quote) = self.prose.iter().position(|word| word.quoted) else { return false };
        self.prose[quote.saturating_sub(4)..quote]
            .iter()
            .any(|word| en::PEOPLE.at(std::slice::from_ref(word), 0).is_some())
    }

    /// A past form at the start, behind a label, a path or `I`.
    fn begins_with_an_action(&self) -> bool {
        let mut starts = vec![0, label_end(self.text)];
        starts.extend(self.text.find(" - ").map(|at| at + 3));
        starts.into_iter().any(|from| {
            let at = self.plain.iter().position(|word| word.range.start >= from);
            let Some(mut at) = at else { return false };
            while self.plain.get(at).is_some_and(|word| {
                matches!(
                    word.lower.as_str(),
                    "i" | "we" | "just" | "then" | "also" | "had" | "have" | "has" | "been" | "successfully"
                )
            }) {
                at += 1;
            }
            en::ACTIONS.at(&self.plain, at).is_some()
        })
    }

    fn begins_with_a_refusal(&self) -> bool {
        self.plain.first().is_some_and(|word| matches!(word.lower.as_str(), "no" | "not" | "without"))
    }
}

/// Whether one of the first words behind the person is among these.
fn near_the_subject(list: &Lexicon, plain: &[Word]) -> bool {
    (0..plain.len().min(6)).any(|at| list.at(plain, at).is_some())
}

/// Behind `**Label**:` or `Lines 83-95:`, else the start.
fn label_end(text: &str) -> usize {
    match text.find(": ").or_else(|| text.find(":** ")) {
        Some(at) if at <= 80 && words(&text[..at]).len() <= 6 => at + 1,
        Some(_) | None => 0,
    }
}
