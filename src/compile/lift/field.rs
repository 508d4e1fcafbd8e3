//! Which field a claim belongs to: by the heading it stands under and by the cues in its own words.

use crate::extract::{Language, Lexicon, Word, words};
use crate::record::Field;

use super::context::Context;

/// The field of a claim.
pub fn of(text: &str, context: Option<Context>, language: &Language) -> Field {
    let heard = Heard::new(text, language);
    match context {
        Some(Context::UserMessages) => heard.said_by_a_person(),
        Some(Context::Open) => match heard.status() {
            Some(Field::Actions) => Field::Actions,
            None if heard.tells_of_a_person() => Field::Narrative,
            Some(_) | None => Field::Open,
        },
        Some(Context::Decisions) => {
            if heard.begins_with_a_denial() || language.ruled_out.is_in(&heard.plain) {
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
pub fn ruled_out(text: &str, language: &Language) -> (String, String) {
    let reasons = language.reasons.iter().map(|reason| format!(" {reason} "));
    let cut = [" - ", " – ", " — ", ": "]
        .into_iter()
        .map(str::to_owned)
        .chain(reasons)
        .filter_map(|mark| text.find(&mark).map(|at| (at, at + mark.len())))
        .min();
    match cut {
        Some((end, start)) => (bare(&text[..end]).to_owned(), bare(&text[start..]).to_owned()),
        None => (bare(text).to_owned(), String::new()),
    }
}

/// The tool that an action names by its command; empty where it names none.
pub fn tool(text: &str, language: &Language) -> String {
    let heard = words(text);
    let first = heard.iter().find(|word| !word.code).map(|word| &*word.lower);
    match first {
        Some(first) if language.runs.contains(first) => "run".to_owned(),
        Some(_) | None => String::new(),
    }
}

fn bare(text: &str) -> &str {
    text.trim().trim_matches('*').trim()
}

/// The words of a claim, told apart.
struct Heard<'a> {
    language: &'a Language,
    text: &'a str,
    /// Without code and without what is quoted.
    plain: Vec<Word<'a>>,
    /// What is quoted.
    quoted: Vec<Word<'a>>,
    /// Without code.
    prose: Vec<Word<'a>>,
}

impl<'a> Heard<'a> {
    fn new(text: &'a str, language: &'a Language) -> Self {
        let prose: Vec<Word> = words(text).into_iter().filter(|word| !word.code).collect();
        let (quoted, plain) = prose.iter().cloned().partition(|word| word.quoted);
        Self { language, text, plain, quoted, prose }
    }

    /// A sign or word that says how far it is.
    fn status(&self) -> Option<Field> {
        let language = self.language;
        let lower = self.text.to_lowercase();
        if language.signs_open.iter().any(|sign| lower.contains(sign)) {
            return Some(Field::Open);
        }
        let end = lower.trim_end_matches(['*', '.']);
        if language.endings_open.iter().any(|sign| end.ends_with(sign)) {
            return Some(Field::Open);
        }
        let done = language.signs_done.iter().any(|sign| lower.contains(sign));
        let label = self.text.trim_start().trim_start_matches('*');
        let solved = language
            .labels_done
            .iter()
            .any(|word| label.strip_prefix(word).is_some_and(|rest| rest.trim_start_matches('*').starts_with(':')));
        (done || solved).then_some(Field::Actions)
    }

    /// A message listed word for word: only the person's own words count. What they told the agent to do is told, a
    /// question is open, and a proposal that they are not sure of binds nobody.
    fn said_by_a_person(&self) -> Field {
        let own = &self.prose;
        let language = self.language;
        if language.refusals.is_in(own) {
            Field::RuledOut
        } else if !self.is_question() && language.doubts.is_in(own) {
            Field::Open
        } else if language.asides.is_in(own) {
            Field::Narrative
        } else if self.is_binding(own) {
            Field::Constraints
        } else if self.says_yes(own) {
            Field::Decisions
        } else if self.is_question() {
            Field::Open
        } else {
            Field::Narrative
        }
    }

    /// `ok, can you …?` answers nothing; `ok, let's store it, can you …?` does.
    fn says_yes(&self, own: &[Word]) -> bool {
        let rest = match self.language.bare_yes.at(own, 0) {
            Some(end) if self.is_question() => &own[end..],
            Some(_) | None => own,
        };
        self.language.acceptance.is_in(rest)
    }

    fn is_binding(&self, own: &[Word]) -> bool {
        self.language.requests.is_in(own) || !self.is_question() && (self.language.orders.is_in(own) || self.binds(own))
    }

    /// `never delete` binds, `never arrived` tells.
    fn binds(&self, own: &[Word]) -> bool {
        let past = |word: &Word| self.language.past_endings.iter().any(|ending| word.lower.ends_with(ending));
        (0..own.len()).any(|at| {
            self.language.constraints.at(own, at).is_some_and(|end| {
                let rule = end == at + 1 && self.language.rules.contains(&own[at].lower);
                !(rule && own.get(end).is_some_and(past))
            })
        })
    }

    fn by_cues(&self) -> Field {
        let person = self.subject_is_a_person();
        let quotes_a_person = person || self.quotes_a_person();
        if self.language.ruled_out.is_in(&self.plain) && !self.is_question()
            || quotes_a_person && self.language.refusals.is_in(&self.quoted)
        {
            return Field::RuledOut;
        }
        if self.language.decisions.is_in(&self.plain) || quotes_a_person && self.language.acceptance.is_in(&self.quoted)
        {
            return Field::Decisions;
        }
        if person && near_the_subject(&self.language.wishes, &self.plain) || self.is_a_rule(person) {
            return Field::Constraints;
        }
        if self.is_question() || !person && self.language.open.is_in(&self.plain) {
            return Field::Open;
        }
        if !person && (self.begins_with_an_action() || self.language.done.is_in(&self.plain)) {
            return Field::Actions;
        }
        Field::Narrative
    }

    fn is_a_rule(&self, person: bool) -> bool {
        let language = self.language;
        self.plain.first().is_some_and(|word| language.rules.contains(&word.lower))
            || person && self.plain.iter().take(6).any(|word| language.binding.contains(&word.lower))
    }

    /// `The user acknowledged …` among what is open: nothing to be done.
    fn tells_of_a_person(&self) -> bool {
        self.subject_is_a_person()
            && !self.is_question()
            && !self.language.open.is_in(&self.prose)
            && !self.language.wishes.is_in(&self.plain)
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
            .any(|word| self.language.people.at(std::slice::from_ref(word), 0).is_some())
    }

    /// `… - user said "…"`: a person is named right before the quotation.
    fn quotes_a_person(&self) -> bool {
        let Some(quote) = self.prose.iter().position(|word| word.quoted) else { return false };
        self.prose[quote.saturating_sub(4)..quote]
            .iter()
            .any(|word| self.language.people.at(std::slice::from_ref(word), 0).is_some())
    }

    /// A past form at the start, behind a label, a path or `I`.
    fn begins_with_an_action(&self) -> bool {
        let mut starts = vec![0, label_end(self.text)];
        starts.extend(self.text.find(" - ").map(|at| at + 3));
        starts.into_iter().any(|from| {
            let at = self.plain.iter().position(|word| word.range.start >= from);
            let Some(mut at) = at else { return false };
            while self.plain.get(at).is_some_and(|word| self.language.fillers.contains(&word.lower)) {
                at += 1;
            }
            self.language.actions.at(&self.plain, at).is_some()
        })
    }

    fn begins_with_a_denial(&self) -> bool {
        self.plain.first().is_some_and(|word| self.language.denials.contains(&word.lower))
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
