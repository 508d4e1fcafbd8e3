//! How much a loss matters, and how it is told.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::record::{Again, Detail, Fact, Field, Severity};
use crate::session::{SourceRef, Speaker};

use super::super::likeness::stems;

/// From here on it was felt.
const FELT: f32 = 2.0;
/// From here on it bit.
const STRONG: f32 = 5.0;
/// So much more for a name that the agent had used by itself.
const OWN: f32 = 1.2;
/// A person who asks for a name says no more than so many tokens.
const SHORT: u64 = 60;
/// A statement about less than this says nothing that could be missed.
const SAYS: usize = 2;
/// A yes or no of fewer letters says nothing by itself.
const BARE: usize = 8;
/// What the agent said by itself is told from this weight on.
const HEAVY: f32 = 1.8;
/// So much less for a name in a program.
const THERE: f32 = 1.5;
/// A command that ran so often is how something is done here.
const HABIT: u32 = 3;
/// So much more for such a command, and for one that threw something away.
const TELLING: f32 = 2.0;

/// One loss, before it is told.
#[derive(Clone, Debug)]
pub(super) struct Loss<'a> {
    pub fact: &'a Fact,
    pub sources: Vec<SourceRef>,
    pub again: Vec<Again>,
}

impl Loss<'_> {
    /// What bit comes before what did not.
    pub fn rank(&self) -> f32 {
        let bit = self.again.iter().map(bite).fold(0.0, f32::max);
        let bit = if is_file(self.fact) { 2.0 * bit } else { bit };
        // What the agent wrote or used by itself, and had to look up once more.
        let own = bit > 0.0 && self.fact.used.is_some() && !is_file(self.fact);
        let bit = bit + f32::from(u8::from(own)) * OWN;
        // A name in a program stands in the program: who did not look for it did not miss it.
        let there = bit <= 0.0 && is_in_program(self.fact);
        bit + self.fact.weight + field_weight(self.fact) - f32::from(u8::from(there)) * THERE
    }

    /// Takes up a loss that stands beside this one; the heavier speaks for both, of two names the one that holds the other.
    pub fn join(&mut self, mut other: Self) {
        let (own, its) = (&self.fact.item.text, &other.fact.item.text);
        let names = self.fact.item.field == Field::Entities;
        let longer = names && its.contains(own.as_str());
        let shorter = names && own.contains(its.as_str());
        if longer || !shorter && other.fact.weight > self.fact.weight {
            std::mem::swap(self, &mut other);
        }
        self.sources.append(&mut other.sources);
        self.again.append(&mut other.again);
        self.again.sort_by(|a, b| a.turn.cmp(&b.turn));
        self.again.dedup_by(|a, b| (&a.turn, &a.what) == (&b.turn, &b.what));
    }
}

/// To read a document again is cheap and often wise; to ask a person again is neither.
fn bite(again: &Again) -> f32 {
    match again.what.as_str() {
        "the user said it again" | "asked again" | "tried although ruled out" => 6.0,
        "worked out again" => 2.0,
        "read again" => 0.7,
        _ => STRONG,
    }
}

fn field_weight(fact: &Fact) -> f32 {
    match fact.item.field {
        Field::Constraints | Field::RuledOut => 1.0,
        Field::Decisions | Field::Open => 0.7,
        Field::Narrative if is_wide_row(&fact.item.text) => -0.4,
        Field::Narrative => 0.3,
        Field::Entities if is_in_program(fact) => -1.2,
        Field::Entities | Field::Figures => 0.0,
        Field::Actions if is_habit(fact) || discards(fact) => TELLING - 0.5,
        Field::Actions => -0.5,
    }
}

/// Whether the agent ran the same command again and again: how tests are run cannot be guessed back.
pub(super) fn is_habit(fact: &Fact) -> bool {
    fact.times >= HABIT && matches!(&fact.item.detail, Detail::Action { .. }) && fact.item.text.starts_with("ran ")
}

/// Whether work was thrown away: what is there now does not show it.
fn discards(fact: &Fact) -> bool {
    let Detail::Action { args, .. } = &fact.item.detail else { return false };
    let words: Vec<&str> = args.split_whitespace().collect();
    let discarding = include_str!("../../../assets/lexicon/tools/discards.txt").lines();
    discarding
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split(' ').collect::<Vec<_>>())
        .any(|command| words.windows(command.len()).any(|said| said == command))
}

/// What a fact says: a yes or no of few words says what it answers.
pub(super) fn said(fact: &Fact) -> Cow<'_, str> {
    match fact.item.sources.get(1).filter(|_| is_statement(fact) && stems(&fact.item.text).len() < SAYS) {
        Some(proposal) => Cow::Owned(format!("{} {}", fact.item.text, proposal.quote)),
        None => Cow::Borrowed(&fact.item.text),
    }
}

/// Whether a loss is worth a line.
pub(super) fn is_worth_saying(fact: &Fact, again: &[Again]) -> bool {
    match fact.item.field {
        // `Fair enough.`, and a bare `OK.`: what it answers is told for itself.
        _ if is_statement(fact) && (stems(&said(fact)).len() < SAYS || is_bare(&fact.item.text)) => false,
        Field::Entities => match class(fact) {
            "date" | "flag" | "number" | "version" | "code" => !again.is_empty() && fact.by_user,
            "hash" | "ticket" | "id" | "url" | "email" | "uuid" | "ip" => {
                fact.by_user || !again.is_empty() || fact.times > 1
            }
            "path" => fact.by_user || !again.is_empty() || fact.used.is_some() && is_document(&fact.item.text),
            // A name in a program that only results showed is there to be read.
            _ => fact.by_user || again.iter().any(|again| fact.used.is_some() || bite(again) >= FELT),
        },
        Field::Figures => fact.by_user && fact.times > 1 || !again.is_empty(),
        // That a file was read again is said of the file.
        Field::Actions => is_habit(fact) || discards(fact) || !again.is_empty() && !fact.item.text.starts_with("read "),
        Field::Constraints | Field::Decisions | Field::RuledOut | Field::Open | Field::Narrative => {
            fact.by_user || fact.weight >= HEAVY || again.iter().any(|again| bite(again) >= FELT)
        }
    }
}

fn is_bare(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphanumeric()).count() < BARE
}

/// Whether it is a name in a program.
fn is_in_program(fact: &Fact) -> bool {
    matches!(class(fact), "symbol" | "env" | "code" | "command")
}

fn is_file(fact: &Fact) -> bool {
    class(fact) == "path"
}

fn is_document(path: &str) -> bool {
    [".md", ".txt", ".rst"].iter().any(|ending| path.ends_with(ending))
}

fn class(fact: &Fact) -> &str {
    match &fact.item.detail {
        Detail::Entity { class } => class,
        Detail::Plain | Detail::Figure { .. } | Detail::Action { .. } | Detail::RuledOut { .. } => "",
    }
}

/// Whether the same was needed: a run or a search made once more looks at what is there now, a name that only the agent
/// knew is news when a person says it, and the row of a table is no statement.
fn is_missed(fact: &Fact, again: &Again) -> bool {
    let said = again.what == "the user said it again";
    match fact.item.field {
        Field::Actions => false,
        Field::Figures => fact.by_user || !said,
        Field::Entities if said => fact.by_user && again.tokens <= SHORT && !is_in_program(fact),
        Field::Entities => again.tokens <= SHORT,
        Field::Narrative | Field::Constraints | Field::Decisions | Field::RuledOut | Field::Open => {
            (fact.by_user || !said || fact.item.field == Field::RuledOut) && !is_label(&fact.item.text)
        }
    }
}

/// A row of a table with so many cells says many things at once.
fn is_wide_row(text: &str) -> bool {
    text.trim_start().starts_with('|') && text.trim().trim_matches('|').matches('|').count() >= 2
}

fn is_statement(fact: &Fact) -> bool {
    !matches!(fact.item.field, Field::Entities | Field::Figures | Field::Actions)
}

/// A heading, the row of a table, the title of a step.
fn is_label(text: &str) -> bool {
    let bare = text.trim().trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | '-' | '*' | ' '));
    text.trim().starts_with(['|', '#']) || bare.trim_end().ends_with([':', '|']) || bare.trim_end().ends_with("**")
}

/// High where it bit, or where what a person bound or settled is gone.
pub(super) fn severity(loss: &Loss) -> Severity {
    let fact = loss.fact;
    let bit = loss.again.iter().map(bite).fold(0.0, f32::max);
    let missed = loss.again.iter().any(|again| bite(again) >= STRONG && is_missed(fact, again));
    let settled = matches!(fact.item.field, Field::Constraints | Field::Decisions);
    let weighs = settled || fact.item.field == Field::RuledOut;
    if missed || settled && fact.by_user && fact.firm {
        Severity::High
    } else if fact.by_user || weighs || bit >= FELT || bit > 0.0 && is_file(fact) {
        Severity::Medium
    } else {
        Severity::Low
    }
}

/// One plain sentence.
pub(super) fn why(loss: &Loss, marker: u32) -> String {
    let fact = loss.fact;
    let turn = loss.sources.first().map_or_else(String::new, |source| format!(" at turn {}", source.turn));
    let speaker = loss.sources.first().map(|source| source.speaker);
    let said = match (fact.item.field, speaker) {
        (Field::Actions, _) if is_habit(fact) => "The agent ran this again and again, first",
        (Field::Actions, _) => "The agent did this",
        (_, Some(Speaker::User)) => "The user said this",
        (_, Some(Speaker::Assistant)) => "The agent said this",
        (_, Some(Speaker::Tool | Speaker::System) | None) => "This stood in a result",
    };
    let mut why = format!("{said}{turn}, and nothing in m{marker} was found to say it");
    if let Some(again) = loss.again.first() {
        let happened = match again.what.as_str() {
            "the user said it again" if !fact.by_user => "the user spoke of it".to_owned(),
            "the user said it again" => "the user had to say it again".to_owned(),
            "asked again" => "it was asked again".to_owned(),
            what => format!("it was {what}"),
        };
        let _ = write!(why, "; {happened} at turn {}", again.turn);
        if again.tokens > 0 {
            let _ = write!(why, " (about {} tokens)", again.tokens);
        }
    } else if let Some(used) = &fact.used {
        let _ = write!(why, "; the agent used it at turn {used}");
    }
    why
}
