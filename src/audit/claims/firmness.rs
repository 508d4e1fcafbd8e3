//! Whether a claim is more certain than what was said: asked, possible or proposed there, decided or a fact here.

use std::ops::Range;

use crate::extract::{Certainty, Language};
use crate::record::Field;
use crate::session::Speaker;

use super::alignment::Original;
use super::attribution::{Act, Attribution, Who};
use super::clauses::{ended_by, is_reported};
use super::consent::Consents;
use super::lists::lists;
use super::polarity::is_plain;
use super::replies::is_chosen;
use super::statement::{Statement, Token};

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

/// So much of a duty.
const HELD_DUTY: f32 = 0.4;
/// So much of what is only a fact.
const HELD_FACT: f32 = 0.6;
/// So much of a claim the sentences must hold that are compared with it.
const HELD: f32 = 0.5;
/// The person spoke of it when their words hold so much of what any words hold.
const OWN: f32 = 0.75;
/// Sentences that hold nearly as much as the best count as well.
const NEARLY: f32 = 0.7;

/// One or two sentences that stand together.
struct Window {
    /// The sentence that leaves it most open.
    soft: usize,
    level: Certainty,
    cover: f32,
    score: f32,
    /// The person's own words, or a proposal that they said yes to.
    own: bool,
}

/// `None` where it is not firmer, or nothing says enough.
pub fn firmed(
    claim: &Statement,
    field: Field,
    said: &[Attribution],
    originals: &[Original],
    consents: &Consents,
    weight: &dyn Fn(u32) -> f32,
) -> Option<Firmed> {
    if field == Field::Open || claim.text.trim_end().ends_with('?') {
        return None;
    }
    let commits = said.iter().any(|one| one.who == Who::Person && matches!(one.act, Act::Orders | Act::Approves));
    let asks = said.iter().any(|one| one.act == Act::Asks);
    // Whoever proposes does not ask.
    if !said.iter().any(|one| one.act == Act::Asks)
        && let Some(firmed) = stated(claim, said, originals, weight)
    {
        return Some(firmed);
    }
    if is_reported(claim) && !commits
        || lists().ponders.is_in(claim.words())
        || Language::english().doubts.is_in(claim.words())
    {
        return None;
    }
    let decides = field == Field::Decisions || Language::english().decisions.is_in(claim.words());
    let committed = commits || decides;
    let (mut to, cue) = claim.certainty();
    if decides && to > Certainty::Believed {
        to = Certainty::Decided;
    }
    if commits {
        to = to.max(Certainty::Wanted);
    }
    if let Some(firmed) = duty(claim, originals) {
        return Some(firmed);
    }
    if asks && !committed || to < Certainty::Wanted {
        return None;
    }
    let mut windows = windows(claim, originals, consents, weight);
    // Only the person's words, or their yes, settle what the person was asked or asked about: what the agent made of it
    // later does not.
    let cover = |windows: &[Window], own: bool| {
        windows.iter().filter(|one| one.own || !own).map(|one| one.cover).fold(0.0, f32::max)
    };
    if committed && cover(&windows, true) >= HELD.max(OWN * cover(&windows, false)) {
        windows.retain(|one| one.own);
    }
    let top = windows.iter().map(|one| one.score).fold(0.0, f32::max);
    let held = if committed { HELD } else { HELD_FACT };
    let near = || windows.iter().filter(|one| one.cover >= held && one.score >= NEARLY * top);
    let firmest = near().map(|one| one.level).max()?;
    if to.level() < firmest.level() + 2 {
        return None;
    }
    let best = near().max_by(|a, b| a.score.total_cmp(&b.score))?;
    // `It may be the lock; Ines looks at it`: what is open there is open here.
    if !committed && claim.hedges().iter().any(|hedge| hedge.certainty <= best.level) {
        return None;
    }
    let original = &originals[best.soft];
    let doubted = is_doubt(original)
        && !is_wish(original)
        && (best.level <= Certainty::Believed || original.speaker() != Speaker::User);
    let asked = best.level == Certainty::Asked && original.speaker() != Speaker::User;
    let settled = committed && (best.own || is_doubt(original) || is_option(original));
    if !settled && (committed || !doubted || asked || field == Field::Actions) {
        return None;
    }
    let mut here: Vec<Range<usize>> = cue.into_iter().collect();
    here.extend(said.iter().filter(|one| one.who == Who::Person).map(|one| one.cue.clone()));
    if here.is_empty() {
        here.push(0..claim.text.trim_end_matches('.').len());
    }
    let there = original.statement.certainty().1.into_iter().collect();
    Some(Firmed { original: best.soft, from: best.level, to, committed, here, there })
}

/// `How about …?` proposes it.
fn is_proposal(text: &str) -> bool {
    let lower = text.to_lowercase();
    lists().offers.iter().any(|offer| lower.contains(offer))
}

/// `…, right?` states it.
pub(super) fn is_tag(text: &str) -> bool {
    let lower = text.trim_end_matches('?').to_lowercase();
    lists().tags.iter().any(|tag| lower.trim_end().ends_with(tag))
}

/// Whether the words leave it open whether something is so, not whether somebody may or would do it.
fn is_doubt(original: &Original) -> bool {
    let (level, cue) = original.statement.certainty();
    let Some(cue) = cue else { return level == Certainty::Asked };
    let lower = original.statement.text[cue].to_lowercase();
    lists().doubting.iter().any(|doubt| lower.contains(doubt))
}

/// Whether it is put as something that could be done.
fn is_option(original: &Original) -> bool {
    original.statement.tokens.iter().any(|token| lists().option.contains(token.lower.as_str()))
}

/// Whether it is put as something that must be done.
fn is_duty(statement: &Statement) -> Option<Range<usize>> {
    let duty = |token: &&Token| lists().duty.contains(token.lower.as_str()) && !token.code;
    statement.tokens.iter().find(duty).map(|token| token.range.clone())
}

/// Whether a person says what should be done.
fn is_wish(original: &Original) -> bool {
    let wish = |token: &Token| lists().wish.contains(token.lower.as_str());
    original.speaker() == Speaker::User && original.statement.tokens.iter().any(wish)
}

/// How certain what a sentence shares with a claim is: words that leave another clause open say nothing of it.
fn level(original: &Original, wanted: &[u32], weight: &dyn Fn(u32) -> f32) -> Certainty {
    let statement = &original.statement;
    let (level, cue) = statement.certainty();
    if level == Certainty::Asked && is_tag(&statement.text) {
        return Certainty::Proposed;
    }
    if original.speaker() == Speaker::User && level < Certainty::Wanted && statement.is_request() {
        return Certainty::Wanted;
    }
    let Some(cue) = cue.filter(|_| level > Certainty::Asked) else { return level };
    let text = &statement.text;
    let breaks = || ["; ", ": ", ". "].into_iter().chain(lists().parts.iter().map(String::as_str));
    let piece = ended_by(statement, &cue).map(|piece| statement.tokens[piece.start].range.start);
    let from = breaks().filter_map(|mark| text[..cue.start].rfind(mark)).chain(piece).max().unwrap_or(0);
    let to = breaks().filter_map(|mark| text[cue.end..].find(mark)).min().map_or(text.len(), |at| cue.end + at);
    let (mut inside, mut all) = (0.0, 0.0);
    for token in statement.tokens.iter().filter(|token| wanted.contains(&token.number)) {
        let much = weight(token.number);
        all += much;
        if (from..to).contains(&token.range.start) {
            inside += much;
        }
    }
    if inside * 2.0 >= all { level } else { Certainty::Decided }
}

/// What could be done came out as what must be done.
fn duty(claim: &Statement, originals: &[Original]) -> Option<Firmed> {
    let here = is_duty(claim)?;
    // `Never overwrite it`: what a person forbids must not be done.
    let forbids = |one: &Original| {
        let denies = |at: usize| claim.tokens.iter().any(|own| own.number == one.statement.tokens[at].number);
        let mut denied = one.statement.content().filter(|at| one.statement.is_negated(*at));
        one.speaker() == Speaker::User && one.is_told() && denied.any(denies)
    };
    if claim.negations().iter().any(|one| is_plain(claim, &one.cue)) && originals.iter().any(forbids) {
        return None;
    }
    let near = || originals.iter().enumerate().filter(|(_, one)| one.cover >= HELD_DUTY && one.is_told());
    if let Some(no) = offered(claim, originals) {
        return Some(Firmed {
            original: no,
            from: originals[no].statement.level().min(Certainty::Possible),
            to: Certainty::Decided,
            committed: false,
            here: vec![here],
            there: originals[no].statement.certainty().1.into_iter().collect(),
        });
    }
    if near().any(|(_, one)| is_duty(&one.statement).is_some() || one.statement.has_any(&lists().obliges)) {
        return None;
    }
    let (no, best) = near().max_by(|a, b| a.1.cover.total_cmp(&b.1.cover))?;
    let option = is_option(best).then(|| best.statement.level().min(Certainty::Possible))?;
    Some(Firmed {
        original: no,
        from: option,
        to: Certainty::Decided,
        committed: false,
        here: vec![here],
        there: best.statement.certainty().1.into_iter().collect(),
    })
}

/// What the person says could be done, in one breath, where nobody speaks of a duty.
fn offered(claim: &Statement, originals: &[Original]) -> Option<usize> {
    let obliges = |one: &Original| is_duty(&one.statement).is_some() || one.statement.has_any(&lists().obliges_too);
    if originals.iter().any(|one| one.cover >= 0.3 && one.is_told() && obliges(one)) {
        return None;
    }
    let option = |one: &Original| {
        one.speaker() == Speaker::User
            && one.is_told()
            && one.cover >= 0.25
            && is_option(one)
            && one.statement.level() <= Certainty::Possible
    };
    let no =
        originals.iter().enumerate().filter(|(_, one)| option(one)).max_by(|a, b| a.1.cover.total_cmp(&b.1.cover))?.0;
    let together: f32 =
        originals.iter().filter(|one| one.seq() == originals[no].seq() && option(one)).map(|one| one.cover).sum();
    let words = claim.content().filter(|at| originals[no].statement.has(claim.tokens[*at].number)).count();
    (together >= 0.5 && words >= 3).then_some(no)
}

/// What the person only asked came out as what they said.
fn stated(
    claim: &Statement,
    said: &[Attribution],
    originals: &[Original],
    weight: &dyn Fn(u32) -> f32,
) -> Option<Firmed> {
    let one = said.iter().find(|one| one.who == Who::Person && one.act == Act::Says && one.what.len() >= 2)?;
    // In front of it may stand that they asked.
    if said.iter().any(|other| other.act == Act::Asks) {
        return None;
    }
    let all: f32 = one.what.iter().map(|at| weight(claim.tokens[*at].number)).sum();
    let held = |original: &Original| {
        let own = one.what.iter().filter(|at| original.statement.has(claim.tokens[**at].number));
        own.map(|at| weight(claim.tokens[*at].number)).sum::<f32>() / all.max(f32::MIN_POSITIVE)
    };
    let of_person = || originals.iter().enumerate().filter(|(_, one)| one.speaker() == Speaker::User && one.is_told());
    let count =
        |original: &Original| one.what.iter().filter(|at| original.statement.has(claim.tokens[**at].number)).count();
    let asked = |one: &Original| {
        one.statement.level() == Certainty::Asked
            && !is_tag(&one.statement.text)
            && !one.statement.is_request()
            && !is_proposal(&one.statement.text)
    };
    let enough = |original: &Original| {
        let much = held(original);
        let others = |least: f32| of_person().filter(|(_, one)| !asked(one)).all(|(_, one)| held(one) < least * much);
        // A short question of which all is said speaks of the same, whatever else the claim tells.
        much >= 0.4 && others(0.5)
            || count(original) >= 2 && much >= 0.25 && (whole(claim, original) && others(1.0) || others(0.01))
    };
    let asking = of_person().filter(|(_, one)| asked(one) && enough(one));
    let (no, best) = asking.max_by(|a, b| held(a.1).total_cmp(&held(b.1)))?;
    Some(Firmed {
        original: no,
        from: Certainty::Asked,
        to: Certainty::Decided,
        committed: false,
        here: vec![one.cue.clone()],
        there: best.statement.certainty().1.into_iter().collect(),
    })
}

/// Whether a claim has nearly all telling words of a sentence.
fn whole(claim: &Statement, original: &Original) -> bool {
    let there = &original.statement;
    let (mut all, mut held) = (0_usize, 0_usize);
    for at in there.content() {
        all += 1;
        held += usize::from(claim.has(there.tokens[at].number));
    }
    all >= 2 && held * 4 >= all * 3
}

fn windows(claim: &Statement, originals: &[Original], consents: &Consents, weight: &dyn Fn(u32) -> f32) -> Vec<Window> {
    let wanted: Vec<u32> = {
        let mut stems: Vec<&Token> = claim.content().map(|at| &claim.tokens[at]).collect();
        stems.sort_unstable_by(|a, b| a.stem.cmp(&b.stem));
        stems.dedup_by_key(|token| token.number);
        stems.into_iter().map(|token| token.number).collect()
    };
    let all: f32 = wanted.iter().map(|stem| weight(*stem)).sum();
    let level = |original: &Original| {
        let level = level(original, &wanted, weight);
        // A proposal that the person said yes to is decided.
        let answered = || level == Certainty::Asked && is_chosen(claim, original, originals);
        let settled = is_agreed(original, consents) || !original.is_told() || answered();
        if settled { Certainty::Decided } else { level }
    };
    let held = |original: &Original| -> Vec<u32> {
        wanted.iter().copied().filter(|stem| original.statement.has(*stem)).collect()
    };
    let mut found = Vec::new();
    for (no, one) in originals.iter().enumerate() {
        if one.cover <= 0.05 {
            continue;
        }
        let own = one.speaker() == Speaker::User || is_agreed(one, consents);
        // Of what holds too little it is never asked how certain it is.
        let level_of = |one: &Original, cover: f32| if cover < HELD { Certainty::Decided } else { level(one) };
        let alone = level_of(one, one.cover);
        found.push(Window { soft: no, level: alone, cover: one.cover, score: one.score(), own });
        let Some(next) = originals.get(no + 1).filter(|next| next.seq() == one.seq() && next.cover > 0.05) else {
            continue;
        };
        let mut both = held(one);
        let first = both.len();
        both.extend(held(next).into_iter().filter(|stem| !one.statement.has(*stem)));
        if both.len() == first || next.cover >= one.cover && held(one).iter().all(|stem| next.statement.has(*stem)) {
            continue;
        }
        let cover = if all > 0.0 { both.iter().map(|stem| weight(*stem)).sum::<f32>() / all } else { 0.0 };
        let (a, b) = (level_of(one, cover), level_of(next, cover));
        // What stands beside a question answers it, and says how certain it is.
        let soft = match (a, b) {
            (Certainty::Asked, _) => no + 1,
            (_, Certainty::Asked) => no,
            (a, b) if a <= b => no,
            _ => no + 1,
        };
        let score = 0.75 * cover + 0.25 * (one.back + next.back) / 2.0;
        found.push(Window { soft, level: if soft == no { a } else { b }, cover, score, own });
    }
    found
}

fn is_agreed(original: &Original, consents: &Consents) -> bool {
    original.speaker() == Speaker::Assistant && original.is_told() && consents.follow(original.seq())
}
