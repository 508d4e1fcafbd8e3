//! Everything that a text holds, as items with their place, their cue, whether they are negated and how certain they are.

use std::ops::Range;

use super::certainty::{self, Certainty};
use super::figures::{Change, figures_in};
use super::identifiers::identifiers_in;
use super::negation::Reach;
use super::prose::Prose;
use super::statements::{self, Said};
use super::{Language, Told, Zone, Zones};

/// What an item is: the field it belongs to, or a hedge or negation in itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// An identifier.
    Entities,
    /// A value with its label and unit.
    Figures,
    /// A sentence that binds.
    Constraints,
    /// A sentence that decides or agrees.
    Decisions,
    /// A sentence that tells of something done.
    Actions,
    /// What is ruled out.
    RuledOut,
    /// A question, a proposal, something to be done.
    Open,
    /// Words that leave something uncertain.
    Hedge,
    /// What is negated.
    Negation,
}

impl Kind {
    /// All, in the order in which they are told.
    pub const ALL: [Self; 9] = [
        Self::Entities,
        Self::Figures,
        Self::Constraints,
        Self::Decisions,
        Self::Actions,
        Self::RuledOut,
        Self::Open,
        Self::Hedge,
        Self::Negation,
    ];

    /// The value in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Entities => "entities",
            Self::Figures => "figures",
            Self::Constraints => "constraints",
            Self::Decisions => "decisions",
            Self::Actions => "actions",
            Self::RuledOut => "ruled_out",
            Self::Open => "open",
            Self::Hedge => "hedge",
            Self::Negation => "negation",
        }
    }
}

/// One item of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extracted {
    /// What it is.
    pub kind: Kind,
    /// What it is more precisely; `None` where there is nothing to tell apart.
    pub class: Option<&'static str>,
    /// In bytes of the text.
    pub range: Range<usize>,
    /// The words that make it what it is; `None` where its form does.
    pub cue: Option<Range<usize>>,
    /// Whether a negation reaches over it.
    pub negated: bool,
    /// How certain its sentence is.
    pub certainty: Certainty,
    /// Of a figure.
    pub figure: Option<Value>,
    /// Of what is ruled out: the words that say why.
    pub evidence: Option<Range<usize>>,
}

/// What a figure says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The number as written.
    pub value: String,
    /// Empty where there is none.
    pub unit: String,
    /// What it is the value of; empty where the text does not say.
    pub label: String,
    /// `~`, `<=`, `up to`, …; empty where there is none.
    pub comparator: String,
}

impl Extracted {
    /// A bare item; what its sentence says of it is added later.
    pub(super) fn new(kind: Kind, range: Range<usize>) -> Self {
        Self {
            kind,
            class: None,
            range,
            cue: None,
            negated: false,
            certainty: Certainty::Decided,
            figure: None,
            evidence: None,
        }
    }
}

/// A text with all that is found in it.
#[derive(Clone, Debug, Default)]
pub struct Read {
    /// Sorted by where they begin, the longer first.
    pub items: Vec<Extracted>,
    /// The sentences of its prose, in order.
    pub told: Vec<Told>,
    /// What stands where.
    pub zones: Zones,
}

/// The items of a text, sorted by where they begin, the longer first.
pub fn extract(text: &str, language: &Language) -> Vec<Extracted> {
    items(text, &Zones::of(text), language, |_, _| ())
}

/// The items of a text and what each of its sentences does.
pub fn read(text: &str, language: &Language) -> Read {
    let zones = Zones::of(text);
    let mut told = Vec::new();
    let items = items(text, &zones, language, |said, does| told.push(Told::of(said, does, &zones)));
    Read { items, told, zones }
}

/// `hear` hears of each sentence and of what it does.
fn items(text: &str, zones: &Zones, language: &Language, mut hear: impl FnMut(&Said, &[Extracted])) -> Vec<Extracted> {
    let prose = Prose::of(text, zones, language);
    let mut found = mentioned(text, zones, language);
    // What each sentence negates and how certain it is, for the things that are mentioned in it.
    let mut meant: Vec<Meant> = Vec::with_capacity(prose.sentences.len());
    for sentence in &prose.sentences {
        let said = Said::of(&prose, sentence, language);
        let from = found.len();
        statements::of_sentence(&said, &mut found);
        hear(&said, &found[from..]);
        if sentence.row.is_none() {
            hedged(&said, &mut found);
            found.extend(said.negations.iter().map(|one| Extracted {
                cue: Some(one.cue.clone()),
                negated: true,
                certainty: said.certainty,
                ..Extracted::new(Kind::Negation, one.scope.clone())
            }));
        }
        meant.push(Meant { range: sentence.range.clone(), reach: said.reach, certainty: said.certainty });
    }
    for item in found.iter_mut().filter(|item| matches!(item.kind, Kind::Entities | Kind::Figures)) {
        let at = meant.partition_point(|one| one.range.end <= item.range.start);
        if let Some(one) = meant.get(at).filter(|one| one.range.start <= item.range.start) {
            item.negated = one.reach.holds(&item.range);
            item.certainty = one.certainty;
        }
    }
    found.sort_by_key(|item| (item.range.start, std::cmp::Reverse(item.range.end), item.kind));
    found
}

/// How what is mentioned in a sentence is meant.
struct Meant {
    range: Range<usize>,
    reach: Reach,
    certainty: Certainty,
}

/// Identifiers and figures, wherever they stand.
fn mentioned(text: &str, zones: &Zones, language: &Language) -> Vec<Extracted> {
    let entities = identifiers_in(text, zones, language);
    let taken: Vec<Range<usize>> = entities.iter().map(|one| one.range.clone()).collect();
    let mut found: Vec<Extracted> = Vec::new();
    let own = |range: &Range<usize>| zones.at(range.start) != Zone::Aside;
    found.extend(
        entities
            .into_iter()
            .filter(|one| own(&one.range))
            .map(|one| Extracted { class: Some(one.class.name()), ..Extracted::new(Kind::Entities, one.range) }),
    );
    found.extend(figures_in(text, zones, &taken, language).into_iter().filter(|one| own(&one.range)).map(|one| {
        let value = Value { value: one.value, unit: one.unit, label: one.label, comparator: one.comparator };
        Extracted {
            class: one.change.map(Change::name),
            figure: Some(value),
            ..Extracted::new(Kind::Figures, one.range)
        }
    }));
    found
}

fn hedged(said: &Said<'_>, found: &mut Vec<Extracted>) {
    found.extend(certainty::of_sentence(said.tokens, said.sentence, said.language).into_iter().map(|one| Extracted {
        cue: Some(one.cue.clone()),
        negated: said.reach.holds(&one.cue),
        certainty: one.certainty,
        ..Extracted::new(Kind::Hedge, one.cue)
    }));
}
