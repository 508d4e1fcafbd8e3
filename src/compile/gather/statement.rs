//! What a person or the agent states: which field a sentence belongs to, and how much it weighs. Only a person binds and
//! settles; what the agent says counts for more where it denies, warns, concludes or leaves something open.

use std::ops::Range;

use crate::extract::{Certainty, Extracted, Kind, Language, Read, Reply, extract, words};
use crate::record::Field;
use crate::session::Speaker;

use super::super::cues::{Cue, Cues};
use super::run_on::run_on;
use super::units::{Shape, Unit, short_lines, units};

/// One sentence that states something.
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of its own, and they go in all combinations")]
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Statement {
    /// In bytes of the part.
    pub range: Range<usize>,
    pub field: Field,
    pub weight: f32,
    pub hedged: bool,
    /// It binds or settles something for good.
    pub firm: bool,
    /// It names something exactly.
    pub named: bool,
    /// It asks.
    pub asks: bool,
    /// It proposes: a yes behind it settles it.
    pub proposes: bool,
    /// It says yes to what was proposed.
    pub accepts: bool,
    /// It says no to what was proposed.
    pub refuses: bool,
    /// It may take back what was said before.
    pub revokes: bool,
    /// Sentences of one section speak of the same.
    pub section: u32,
}

/// A person's text longer than this is mostly pasted.
const PASTED: usize = 6_000;
/// An agent's text from here on is an answer, not a word between two calls.
const ANSWER: usize = 400;
/// What weighs less says nothing by itself.
const LIGHT: f32 = 0.15;
/// What weighs less is not kept, unless it answers a question.
pub(super) const KEPT: f32 = 0.9;

/// What a text states, and how it leaves what was asked before.
#[derive(Clone, Debug, Default)]
pub(super) struct Stated {
    pub statements: Vec<Statement>,
    /// It says something that is no question and puts nothing off.
    pub answers: bool,
    /// It leaves its own questions in doubt.
    pub doubts: bool,
    /// The cues of each of its sentences, in order, also of those that state nothing.
    pub cues: Vec<(Range<usize>, Cues)>,
}

/// The statements of a text that was read, in order.
pub(super) fn statements(text: &str, speaker: Speaker, read: &Read, language: &Language) -> Stated {
    let long = text.len() >= ANSWER;
    let mut stated = Stated::default();
    let mut deferred = false;
    let mut bound = None;
    let (mut rest, mut told) = (read.items.as_slice(), read.told.as_slice());
    let units = match speaker {
        Speaker::Assistant => short_lines(text, units(text)),
        Speaker::User => asked_apart(text, units(text)),
        Speaker::Tool | Speaker::System => units(text),
    };
    for unit in units {
        let said = &text[unit.range.clone()];
        rest = &rest[rest.partition_point(|item| item.range.start < unit.range.start)..];
        let held = &rest[..rest.partition_point(|item| item.range.start < unit.range.end)];
        // What was found in the whole sentence is not what its part says.
        let own = if unit.part { extract(said, language) } else { Vec::new() };
        let held = if unit.part { &own } else { held };
        // Most units are sentences of the text, and were heard as such.
        told = &told[told.partition_point(|one| one.range.start < unit.range.start)..];
        let known = told.first().filter(|one| one.range == unit.range).and_then(|one| one.reply);
        let reply = known.unwrap_or_else(|| Reply::of(said, language));
        let heard = Heard::of(said, &unit, held, speaker, reply);
        stated.cues.push((unit.range.clone(), heard.cues));
        deferred |= heard.cues.has(Cue::Deferral);
        stated.answers |= !heard.asks && heard.content > 0 && !heard.cues.has(Cue::Narration);
        stated.doubts |= heard.cues.has(Cue::Doubt);
        let answers = heard.accepts || heard.refuses;
        if heard.content < 2 && !(speaker == Speaker::User && (heard.content > 0 || answers)) {
            continue;
        }
        let (mut field, mut weight) = match speaker {
            Speaker::User => person(&heard, &unit, text.len() > PASTED, bound == Some(unit.section)),
            Speaker::Assistant => agent(&heard, &unit, long),
            Speaker::Tool | Speaker::System => continue,
        };
        if language.signs_open.iter().any(|sign| said.contains(sign)) {
            // A list of things to do: each of them weighs little beside what was said of them.
            (field, weight) = (Field::Open, weight.clamp(KEPT, 1.5));
        }
        if weight < LIGHT {
            continue;
        }
        if field == Field::Constraints && said.ends_with(':') {
            bound = Some(unit.section);
        }
        let asks = heard.asks;
        let proposes = speaker == Speaker::Assistant && (asks || heard.holds(Kind::Open));
        stated.statements.push(Statement {
            range: unit.range,
            field,
            weight,
            hedged: heard.certainty < Certainty::Wanted,
            firm: match field {
                Field::Constraints => heard.rule,
                Field::Decisions => heard.holds(Kind::Decisions) && !heard.accepts,
                Field::Narrative
                | Field::Entities
                | Field::Figures
                | Field::Actions
                | Field::RuledOut
                | Field::Open => false,
            },
            named: heard.named,
            asks,
            proposes,
            accepts: heard.accepts,
            refuses: heard.refuses,
            revokes: heard.revokes,
            section: unit.section,
        });
    }
    stated.answers &= !deferred || long;
    stated
}

/// A person's sentences, what runs on into a question apart from the question.
fn asked_apart(text: &str, units: Vec<Unit>) -> Vec<Unit> {
    let apart = |unit: Unit| match run_on(&text[unit.range.clone()]) {
        Some(parts) => parts
            .map(|part| Unit { range: unit.range.start + part.start..unit.range.start + part.end, part: true, ..unit })
            .to_vec(),
        None => vec![unit],
    };
    units.into_iter().flat_map(apart).collect()
}

#[expect(clippy::struct_excessive_bools, reason = "each says one thing of its own, and they go in all combinations")]
struct Heard {
    cues: Cues,
    /// The kinds of its items.
    kinds: u32,
    certainty: Certainty,
    asks: bool,
    accepts: bool,
    refuses: bool,
    /// It binds as a rule.
    rule: bool,
    revokes: bool,
    bold: bool,
    named: bool,
    numbers: bool,
    /// Words of more than two letters.
    content: usize,
    len: usize,
}

impl Heard {
    fn of(said: &str, unit: &Unit, items: &[Extracted], speaker: Speaker, reply: Reply) -> Self {
        let all = words(said);
        let end = said.trim_end_matches(['*', '_', ')', '"', '”', ' ']);
        let by_user = speaker == Speaker::User;
        let cues = Cues::of(&all);
        let refuses = by_user && reply.refuses;
        // The agent's own yes and no begin an answer; they settle nothing.
        let settles = |item: &&Extracted| by_user || !matches!(item.class, Some("acceptance" | "refusal"));
        Self {
            cues,
            kinds: items.iter().filter(settles).fold(0, |kinds, item| kinds | 1 << item.kind as u32),
            certainty: items.iter().map(|item| item.certainty).min().unwrap_or_default(),
            asks: (end.ends_with('?') || end.ends_with('？')) && unit.shape != Shape::Heading,
            accepts: by_user && !refuses && !cues.has(Cue::Aside) && reply.accepts,
            refuses,
            rule: items.iter().any(|item| item.kind == Kind::Constraints && item.class == Some("rule")),
            revokes: reply.retracts,
            bold: said.contains("**"),
            named: items.iter().any(|item| item.kind == Kind::Entities),
            numbers: items.iter().any(|item| item.kind == Kind::Figures),
            content: all.iter().filter(|word| word.lower.len() > 2).count(),
            len: said.len(),
        }
    }

    fn holds(&self, kind: Kind) -> bool {
        self.kinds & 1 << kind as u32 != 0
    }
}

fn person(heard: &Heard, unit: &Unit, pasted: bool, bound: bool) -> (Field, f32) {
    let base = if pasted { 1.0 } else { 3.0 };
    // An order that says how, in which order or what for binds whoever carries it out.
    let ordered = heard.cues.has(Cue::Terms) && (heard.cues.has(Cue::Request) || heard.cues.has(Cue::Lead));
    let binds = bound && unit.under || heard.holds(Kind::Constraints) || ordered;
    let brief = heard.content < 3 && !heard.named;
    let telling = heard.named || heard.numbers || heard.content > 6;
    let (field, more) = if heard.asks && !heard.cues.has(Cue::Request) {
        (Field::Open, 1.0)
    } else if heard.cues.has(Cue::Doubt) || heard.holds(Kind::Open) && heard.certainty < Certainty::Wanted && !ordered {
        (Field::Open, 1.5)
    } else if heard.holds(Kind::RuledOut) || heard.refuses {
        (Field::RuledOut, 1.5)
    } else if binds && !brief {
        (Field::Constraints, if heard.rule { 2.0 } else { 1.0 })
    } else if heard.accepts || heard.holds(Kind::Decisions) {
        (Field::Decisions, 1.5)
    } else if telling {
        (Field::Narrative, -0.5)
    } else {
        // `Good.` and `Fair enough.`
        (Field::Narrative, -base)
    };
    (field, base + more)
}

fn agent(heard: &Heard, unit: &Unit, long: bool) -> (Field, f32) {
    let cues = heard.cues;
    let denies = heard.holds(Kind::Negation) || cues.has(Cue::Unable);
    let marks = [
        (denies, 1.2),
        (cues.has(Cue::Conclusion), 0.7),
        (cues.has(Cue::Risk), 1.0),
        (cues.has(Cue::Marginal), 0.8),
        (heard.holds(Kind::RuledOut), 1.0),
        (heard.holds(Kind::Decisions), 1.0),
        (heard.certainty < Certainty::Wanted, 0.3),
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
    } else if heard.holds(Kind::RuledOut) || cues.has(Cue::NotIt) && heard.certainty == Certainty::Decided {
        Field::RuledOut
    } else if heard.holds(Kind::Open) {
        Field::Open
    } else {
        // What the agent says it decided settles nothing.
        Field::Narrative
    };
    (field, weight)
}
