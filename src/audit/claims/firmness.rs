//! Whether a claim is more certain than what was said: asked, possible or proposed there, decided or a fact here.

use std::ops::Range;

use crate::extract::{Certainty, Language, words};
use crate::record::Field;
use crate::session::Speaker;

use super::alignment::Original;
use super::attribution::{Act, Attribution, Who};
use super::consent::Consents;
use super::statement::Statement;

/// A claim that is firmer than its originals.
#[derive(Clone, Debug, PartialEq)]
pub struct Firmed {
    /// The original that says it best.
    pub original: usize,
    /// How certain it is there.
    pub from: Certainty,
    /// How certain the claim is.
    pub to: Certainty,
    /// It came out as something that was decided or is wanted.
    pub committed: bool,
    /// The words of the claim that decide.
    pub here: Vec<Range<usize>>,
    /// The words of the original that leave it open.
    pub there: Vec<Range<usize>>,
}

/// So much of a claim the sentences must hold that are compared with it.
const HELD: f32 = 0.5;
/// Sentences that hold nearly as much as the best count as well.
const NEARLY: f32 = 0.7;

/// One or two sentences that stand together.
struct Window {
    /// The sentence that leaves it most open.
    soft: usize,
    level: Certainty,
    cover: f32,
    score: f32,
}

/// `None` where it is not firmer, or nothing says enough.
pub fn firmed(
    claim: &Statement,
    field: Field,
    said: &[Attribution],
    originals: &[Original],
    consents: &Consents,
    weight: &dyn Fn(&str) -> f32,
) -> Option<Firmed> {
    if field == Field::Open || claim.text.trim_end().ends_with('?') {
        return None;
    }
    let commits = said.iter().any(|one| one.who == Who::Person && matches!(one.act, Act::Orders | Act::Approves));
    let asks = said.iter().any(|one| one.act == Act::Asks);
    let heard = words(claim.text);
    let decides = field == Field::Decisions || Language::english().decisions.is_in(&heard);
    let committed = commits || decides;
    let (mut to, cue) = claim.certainty();
    if decides && to > Certainty::Believed {
        to = Certainty::Decided;
    }
    if commits {
        to = to.max(Certainty::Wanted);
    }
    if asks && !committed || to < Certainty::Proposed {
        return None;
    }
    let windows = windows(claim, originals, consents, weight);
    let top = windows.iter().map(|one| one.score).fold(0.0, f32::max);
    let near = || windows.iter().filter(|one| one.cover >= HELD && one.score >= NEARLY * top);
    let firmest = near().map(|one| one.level).max()?;
    if to.level() < firmest.level() + 2 {
        return None;
    }
    let best = near().max_by(|a, b| a.score.total_cmp(&b.score))?;
    let original = &originals[best.soft];
    let mut here: Vec<Range<usize>> = cue.into_iter().collect();
    here.extend(said.iter().filter(|one| one.who == Who::Person).map(|one| one.cue.clone()));
    if here.is_empty() {
        here.push(0..claim.text.trim_end_matches('.').len());
    }
    let there = original.statement.certainty().1.into_iter().collect();
    Some(Firmed { original: best.soft, from: best.level, to, committed, here, there })
}

fn windows(
    claim: &Statement,
    originals: &[Original],
    consents: &Consents,
    weight: &dyn Fn(&str) -> f32,
) -> Vec<Window> {
    let wanted: Vec<&str> = {
        let mut stems: Vec<&str> = claim.content().map(|at| claim.tokens[at].stem.as_str()).collect();
        stems.sort_unstable();
        stems.dedup();
        stems
    };
    let all: f32 = wanted.iter().map(|stem| weight(stem)).sum();
    let level = |original: &Original| {
        let level = original.statement.certainty().0;
        // A proposal that the person said yes to is decided.
        let agreed = original.speaker() == Speaker::Assistant && original.is_told() && consents.follow(original.seq());
        if agreed || !original.is_told() { Certainty::Decided } else { level }
    };
    let held = |original: &Original| -> Vec<&str> {
        wanted.iter().copied().filter(|stem| original.statement.has(stem)).collect()
    };
    let mut found = Vec::new();
    for (no, one) in originals.iter().enumerate() {
        if one.cover <= 0.05 {
            continue;
        }
        found.push(Window { soft: no, level: level(one), cover: one.cover, score: one.score() });
        let Some(next) = originals.get(no + 1).filter(|next| next.seq() == one.seq() && next.cover > 0.05) else {
            continue;
        };
        let mut both = held(one);
        let first = both.len();
        both.extend(held(next).into_iter().filter(|stem| !one.statement.has(stem)));
        if both.len() == first || next.cover >= one.cover && held(one).iter().all(|stem| next.statement.has(stem)) {
            continue;
        }
        let cover = if all > 0.0 { both.iter().map(|stem| weight(stem)).sum::<f32>() / all } else { 0.0 };
        let (a, b) = (level(one), level(next));
        let soft = if a <= b { no } else { no + 1 };
        let score = 0.75 * cover + 0.25 * (one.back + next.back) / 2.0;
        found.push(Window { soft, level: a.min(b), cover, score });
    }
    found
}
