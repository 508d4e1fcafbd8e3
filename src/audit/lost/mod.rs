//! What the originals hold, what was needed, and what the record kept of it in no form. Ranked, not dumped: first what was
//! missed afterwards, then what a person said, what was ruled out, decided or bound, then the rest by its weight.

mod kept;
mod passing;
mod rank;

#[cfg(test)]
mod tests;

use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

use crate::record::{Again, Fact, Field, Finding, FindingKind, Record, Severity};
use crate::session::{PartSeq, SourceRef, TurnNo};

pub use kept::Gists;
use kept::Kept;
use passing::is_in_passing;
use rank::{Loss, is_habit, is_worth_saying, severity, why};

/// So many losses are told of one marker.
const TOLD: usize = 32;
/// Of those that nobody missed, nobody is bound by and that are no habit, one for so many bytes of words is told.
const ONE_IN: usize = 500;
/// So much lower ranks each further loss of one part.
const FURTHER: f32 = 0.08;
/// So many sentences that stand together are one loss.
const TOGETHER: usize = 5;
/// They stand together when no more bytes than this are between them.
const APART: usize = 120;

/// What one marker lost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lost {
    /// Worst first.
    pub findings: Vec<Finding>,
    /// Tokens spent on getting back what was lost.
    pub refetch_tokens: u64,
    /// Losses beyond those that are told.
    pub more: usize,
}

/// What can be asked about the facts of one marker.
pub trait Originals {
    /// Where this fact (by its place) was needed once more behind the marker.
    fn again(&self, fact: usize) -> Vec<Again>;
    /// Whether words at this sequence stand behind the marker word for word.
    fn is_kept_word_for_word(&self, seq: PartSeq) -> bool;
    /// How many bytes of words were said between the marker before and this one.
    fn prose(&self) -> usize;
}

/// Where a fact was said first, and what it is.
type FactPlace = (u64, usize, Field);

/// A fact as a marker knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldFact {
    /// `None` where nobody can tell.
    place: Option<FactPlace>,
    /// Where it was said last.
    last: PartSeq,
    /// Whether it is not lost.
    held: bool,
}

/// The losses of a session, marker by marker: what was lost once is not lost again, unless somebody said it in between.
#[derive(Clone, Debug, Default)]
pub struct Losses {
    /// Where in the originals each lost thing was said last when it was lost.
    gone: HashMap<FactPlace, PartSeq>,
}

impl Losses {
    /// Which of these facts of the next marker are lost for the first time, or once more.
    pub fn fresh(&mut self, facts: &[HeldFact]) -> Vec<usize> {
        let mut fresh = Vec::new();
        for (no, fact) in facts.iter().enumerate() {
            let Some(place) = fact.place else { continue };
            if fact.held {
                self.gone.remove(&place);
            } else if self.gone.insert(place, fact.last) != Some(fact.last) {
                fresh.push(no);
            }
        }
        fresh
    }
}

/// Of each fact whether the record holds it, or the prose `beside` it, or holds it wrongly by these findings, or its words
/// stand behind the marker. Each marker for itself.
pub fn held(
    (record, beside, findings): (&Record, &str, &[Finding]),
    facts: &[Fact],
    originals: &dyn Originals,
    gists: &mut Gists,
) -> Vec<HeldFact> {
    let kept = Kept::of(record, beside, findings);
    let known = |fact: &Fact| HeldFact {
        place: fact.item.sources.first().map(|source| (source.seq.0, source.range.0, fact.item.field)),
        last: fact.last,
        held: originals.is_kept_word_for_word(fact.last) || kept.holds(fact, gists),
    };
    facts.iter().map(known).collect()
}

/// What it means that the marker of this number lost these facts. Each marker for itself.
pub fn lost(marker: u32, facts: &[Fact], fresh: &[usize], originals: &dyn Originals) -> Lost {
    let mut losses: Vec<Loss> = Vec::new();
    for no in fresh {
        let (fact, again) = (&facts[*no], originals.again(*no));
        let missed = !again.is_empty() || !is_in_passing(fact);
        if missed && is_worth_saying(fact, &again) {
            losses.push(Loss { fact, sources: fact.item.sources.clone(), again });
        }
    }
    let refetch_tokens = refetched(&losses);
    let mut losses = missed_at_once(together(losses));
    losses.sort_by(|a, b| b.rank().total_cmp(&a.rank()));
    let mut losses = spread(losses);
    losses.sort_by_key(|loss| loss.again.is_empty());
    let all = losses.len();
    let mut left = originals.prose() / ONE_IN;
    losses.retain(|loss| {
        let always = !loss.again.is_empty() || severity(loss) == Severity::High || is_habit(loss.fact);
        let told = always || left > 0;
        left -= usize::from(told && !always);
        told
    });
    losses.truncate(TOLD);
    let more = all - losses.len();
    let mut paid: HashSet<TurnNo> = HashSet::new();
    let once = |mut loss: Loss<'_>| {
        // What a turn cost is told where it is told first.
        let first = loss.again.first_mut();
        first.into_iter().filter(|again| !paid.insert(again.turn.clone())).for_each(|again| again.tokens = 0);
        finding(loss, marker)
    };
    let findings = losses.into_iter().map(once).collect();
    Lost { findings, refetch_tokens, more }
}

/// Every turn is paid for once, however many things it brought back.
fn refetched(losses: &[Loss]) -> u64 {
    let mut paid: HashMap<&TurnNo, u64> = HashMap::new();
    for again in losses.iter().flat_map(|loss| &loss.again) {
        let tokens = paid.entry(&again.turn).or_default();
        *tokens = (*tokens).max(again.tokens);
    }
    paid.values().sum()
}

/// Sentences of one part that stand side by side are one loss, and so are the names that were read or said together:
/// the heaviest speaks for them.
fn together(mut losses: Vec<Loss>) -> Vec<Loss> {
    let place = |loss: &Loss| loss.sources.first().map(|source| (source.seq, source.range));
    losses.sort_by_key(|loss| (kind(loss), place(loss)));
    let mut found: Vec<Loss> = Vec::new();
    let mut end = 0;
    for loss in losses {
        let Some((seq, range)) = place(&loss) else { continue };
        let joins = found.last().is_some_and(|last| {
            let same = last.sources.first().is_some_and(|source| source.seq == seq) && kind(last) == kind(&loss);
            let near = match kind(&loss) {
                Together::Words => range.0 <= end + APART,
                Together::Names => true,
                Together::Alone => false,
            };
            same && near && last.sources.len() < TOGETHER
        });
        end = range.1;
        match found.last_mut().filter(|_| joins) {
            Some(last) => last.join(loss),
            None => found.push(loss),
        }
    }
    found
}

/// Worst first, but of one part each further one a little lower: a long answer does not push out everything else.
fn spread(losses: Vec<Loss>) -> Vec<Loss> {
    let mut told: HashMap<u64, f32> = HashMap::new();
    let mut ranked: Vec<(f32, Loss)> = Vec::with_capacity(losses.len());
    for loss in losses {
        let before = loss.sources.first().map_or(0.0, |source| {
            let count = told.entry(source.seq.0).or_default();
            *count += 1.0;
            *count - 1.0
        });
        ranked.push((loss.rank() - FURTHER * before, loss));
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked.into_iter().map(|(_, loss)| loss).collect()
}

/// Names that were brought back by one and the same reading are one loss, and so are figures.
fn missed_at_once(losses: Vec<Loss>) -> Vec<Loss> {
    let mut found: Vec<Loss> = Vec::new();
    let mut by_turn: HashMap<(Field, TurnNo, String), usize> = HashMap::new();
    for loss in losses {
        let field = loss.fact.item.field;
        let first = loss.again.first().filter(|_| matches!(field, Field::Entities | Field::Figures));
        let Some(first) = first.map(|again| (field, again.turn.clone(), again.what.clone())) else {
            found.push(loss);
            continue;
        };
        if let Some(at) = by_turn.get(&first) {
            found[*at].join(loss);
        } else {
            by_turn.insert(first, found.len());
            found.push(loss);
        }
    }
    for loss in &mut found {
        loss.sources.truncate(TOGETHER);
    }
    found
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Together {
    Words,
    Names,
    Alone,
}

fn kind(loss: &Loss) -> Together {
    match loss.fact.item.field {
        Field::Entities => Together::Names,
        Field::Narrative | Field::Constraints | Field::Decisions | Field::RuledOut | Field::Open => Together::Words,
        Field::Figures | Field::Actions => Together::Alone,
    }
}

fn finding(loss: Loss, marker: u32) -> Finding {
    let severity = severity(&loss);
    let why = why(&loss, marker);
    let Loss { fact, sources, again } = loss;
    let decisive = decisive(&fact.item.text, sources.first());
    Finding {
        item: None,
        summary_range: None,
        sources,
        needed_again: again.into_iter().map(|again| (again.turn, again.what)).collect(),
        decisive_there: decisive,
        ..Finding::of((marker, 0, &fact.item), FindingKind::Lost, severity, why)
    }
}

/// Where the text of the fact stands in its first source.
fn decisive(text: &str, source: Option<&SourceRef>) -> Vec<(usize, usize)> {
    let found = source.and_then(|source| source.quote.find(text).filter(|_| source.quote.len() > text.len()));
    found.map(|at| (at, at + text.len())).into_iter().collect()
}
