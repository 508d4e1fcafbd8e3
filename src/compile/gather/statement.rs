//! What a person or the agent states: which field a sentence belongs to, and how much it weighs. Only a person binds and
//! settles; what the agent says counts for more where it denies, warns, concludes or leaves something open.

use std::ops::Range;

use crate::extract::{Language, words};
use crate::record::Field;
use crate::session::Speaker;

use super::cues::{Cue, Cues};
use super::units::{Shape, Unit, units};

/// One sentence that states something.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Statement {
    /// In bytes of the part.
    pub range: Range<usize>,
    pub field: Field,
    pub weight: f32,
    pub hedged: bool,
    /// It asks.
    pub asks: bool,
    /// It proposes: a yes behind it settles it.
    pub proposes: bool,
    /// It says yes to what was proposed.
    pub accepts: bool,
    /// It may take back what was said before.
    pub revokes: bool,
    /// Sentences of one section speak of the same.
    pub section: u32,
}

/// A person's text longer than this is mostly pasted.
const PASTED: usize = 6_000;
/// An agent's text from here on is an answer, not a word between two calls.
const ANSWER: usize = 400;
/// What weighs less is not kept.
const LIGHT: f32 = 0.9;

/// The statements of a text, in order.
pub(super) fn statements(text: &str, speaker: Speaker, language: &Language) -> Vec<Statement> {
    let long = text.len() >= ANSWER;
    let mut found: Vec<Statement> = Vec::new();
    let mut bound = None;
    for unit in units(text) {
        let said = &text[unit.range.clone()];
        let heard = Heard::of(said, &unit);
        if heard.content < 2 && !(speaker == Speaker::User && heard.content > 0) {
            continue;
        }
        let one = match speaker {
            Speaker::User => person(&heard, &unit, text.len() > PASTED, bound == Some(unit.section)),
            Speaker::Assistant => agent(&heard, &unit, long),
            Speaker::Tool | Speaker::System => None,
        };
        let Some((mut field, mut weight)) = one else { continue };
        if language.signs_open.iter().any(|sign| said.contains(sign)) {
            (field, weight) = (Field::Open, weight.max(1.5));
        }
        if weight < LIGHT {
            continue;
        }
        if field == Field::Constraints && said.ends_with(':') {
            bound = Some(unit.section);
        }
        let asks = heard.asks;
        let hedged = heard.cues.has(Cue::Hedge) || heard.cues.has(Cue::Doubt);
        let proposes = speaker == Speaker::Assistant && (asks || field == Field::Open || heard.cues.has(Cue::Open));
        let accepts = speaker == Speaker::User && heard.accepts();
        found.push(Statement {
            range: unit.range,
            field,
            weight,
            hedged,
            asks,
            proposes,
            accepts,
            revokes: heard.cues.has(Cue::Revoke),
            section: unit.section,
        });
    }
    found
}

struct Heard {
    cues: Cues,
    asks: bool,
    bold: bool,
    named: bool,
    numbers: bool,
    /// Words of prose that are more than a letter.
    content: usize,
    len: usize,
}

impl Heard {
    fn of(said: &str, unit: &Unit) -> Self {
        let all = words(said);
        let prose: Vec<_> = all.iter().filter(|word| !word.code && !word.quoted).cloned().collect();
        let end = said.trim_end_matches(['*', '_', ')', '"', '”', ' ']);
        Self {
            cues: Cues::of(&prose),
            asks: (end.ends_with('?') || end.ends_with('？')) && unit.shape != Shape::Heading,
            bold: said.contains("**"),
            named: all.iter().any(|word| word.code || word.lower.contains('_')),
            numbers: all.iter().any(|word| word.lower.bytes().next().is_some_and(|b| b.is_ascii_digit())),
            content: all.iter().filter(|word| word.lower.len() > 2).count(),
            len: said.len(),
        }
    }

    fn accepts(&self) -> bool {
        self.cues.has(Cue::Yes) && !self.cues.has(Cue::Aside) && !self.cues.has(Cue::No)
    }
}

fn person(heard: &Heard, unit: &Unit, pasted: bool, bound: bool) -> Option<(Field, f32)> {
    let cues = heard.cues;
    let base = if pasted { 1.0 } else { 3.0 };
    let binds = bound && unit.under
        || cues.has(Cue::Request)
        || !heard.asks && (cues.has(Cue::Constraint) || cues.has(Cue::Order));
    let (field, more) = if heard.asks && !cues.has(Cue::Request) {
        (Field::Open, 1.0)
    } else if cues.has(Cue::Doubt) {
        (Field::Open, 1.5)
    } else if cues.has(Cue::RuledOut) || cues.has(Cue::No) {
        (Field::RuledOut, 1.5)
    } else if binds {
        (Field::Constraints, 2.0)
    } else if heard.accepts() || cues.has(Cue::Decision) {
        (Field::Decisions, 1.5)
    } else {
        (Field::Narrative, 0.0)
    };
    Some((field, base + more))
}

fn agent(heard: &Heard, unit: &Unit, long: bool) -> Option<(Field, f32)> {
    let cues = heard.cues;
    let marks = [
        (cues.has(Cue::Unable), 1.2),
        (cues.has(Cue::Conclusion), 0.7),
        (cues.has(Cue::Risk), 0.8),
        (cues.has(Cue::Marginal), 0.6),
        (cues.has(Cue::RuledOut), 1.0),
        (cues.has(Cue::Decision), 1.0),
        (cues.has(Cue::Hedge), 0.3),
        (heard.asks, 1.2),
        (heard.bold, 0.5),
        (heard.named, 0.3),
        (heard.numbers, 0.2),
        (long, 0.5),
        (unit.shape == Shape::Row, 0.2),
        (unit.shape == Shape::Heading && !heard.bold, -0.8),
        (cues.has(Cue::Narration), -1.5),
        (heard.len > 400, -0.5),
    ];
    let weight: f32 = marks.iter().filter(|(holds, _)| *holds).map(|(_, weight)| weight).sum();
    let field = if heard.asks {
        Field::Open
    } else if cues.has(Cue::RuledOut) || cues.has(Cue::Unable) {
        Field::RuledOut
    } else if cues.has(Cue::Open) || cues.has(Cue::Doubt) {
        Field::Open
    } else if cues.has(Cue::Decision) {
        Field::Decisions
    } else {
        Field::Narrative
    };
    Some((field, weight))
}
