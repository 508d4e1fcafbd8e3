//! Who said it: what a claim lays into the mouth of one and another said, and a yes or an order that nobody gave.

use crate::extract::Certainty;
use crate::record::Manner;
use crate::session::Speaker;

use super::alignment::Original;
use super::attribution::{Act, Attribution, Who};
use super::consent::Consents;
use super::lists::lists;
use super::statement::Statement;

/// What is wrong with who is said to have said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// Somebody else said it: the original that shows it.
    Other(usize),
    /// The person only asked.
    Asked(usize),
    /// Nobody did.
    Nobody,
}

/// A speaker whose words hold less of it did not say it; one whose words hold so much did.
const LITTLE: f32 = 0.2;
const MUCH: f32 = 0.6;

/// What is wrong with one attribution; `unheard` says whether words stand nowhere in what a session holds.
pub fn wrong(
    claim: &Statement,
    said: &Attribution,
    originals: &[Original],
    consents: &Consents,
    weight: &dyn Fn(u32) -> f32,
    unheard: &dyn Fn(&str) -> bool,
    stated: &dyn Fn(&str) -> bool,
) -> Option<Wrong> {
    let labelled = originals.iter().filter(|one| one.is_labelled()).count();
    if said.act == Act::Asks || said.what.is_empty() || labelled >= 2 || labelled * 3 > originals.len() {
        return None;
    }
    let what: Vec<usize> =
        said.what.iter().copied().filter(|at| !lists().general.contains(claim.tokens[*at].lower.as_str())).collect();
    let held = |original: &Original| held(claim, said, original, weight);
    let best = |of: &dyn Fn(&Original) -> bool| {
        originals
            .iter()
            .enumerate()
            .filter(|(_, one)| of(one))
            .map(|(no, one)| (no, held(one)))
            .max_by(|a, b| a.1.0.total_cmp(&b.1.0).then(b.0.cmp(&a.0)))
    };
    let person = best(&|one| one.speaker() == Speaker::User);
    let agent = best(&|one| one.speaker() == Speaker::Assistant && is_stated(one));
    let tool = best(&|one| !one.is_told() || one.speaker() == Speaker::Tool);
    let share = |one: Option<(usize, (f32, usize))>| one.map_or((0.0, 0), |(_, held)| held);
    match said.who {
        Who::Person => {
            let agreed = originals.iter().any(|one| {
                let answered = consents.follow(one.seq()) || consents.answered(one.seq());
                one.speaker() == Speaker::Assistant && one.is_told() && held(one).1 > 0 && answered
            });
            let (own, count) = share(person);
            if agreed {
                return None;
            }
            let binds = matches!(said.act, Act::Approves | Act::Orders);
            // Laid behind something else, as an afterthought: the person must have used some word of it, be it a plain one
            // that alone would say nothing (`full`, where a full rollout was proposed).
            let never = !what.is_empty() && said.what.iter().all(|at| !stated(&claim.tokens[*at].stem));
            let behind = claim.content().take_while(|at| claim.tokens[*at].range.end <= said.cue.start).count() >= 2;
            // One word may be the summary's own for what they said, `wants the reason`; not for what they agreed to.
            let telling = said.what.len() >= 2 || said.act == Act::Approves;
            if binds
                && never
                && telling
                && (behind || said.is_request())
                && what.iter().all(|at| !claim.tokens[*at].code)
            {
                return Some(Wrong::Nobody);
            }
            if let (Some((no, _)), true) = (person, binds && own >= MUCH && count >= 2) {
                let asked = |one: &Original| one.statement.level() == Certainty::Asked;
                let all_asked =
                    originals.iter().filter(|one| one.speaker() == Speaker::User && held(one).0 >= LITTLE).all(asked);
                return (said.act == Act::Approves && all_asked).then_some(Wrong::Asked(no));
            }
            if own > LITTLE {
                return None;
            }
            let other = [agent, tool].into_iter().flatten().max_by(|a, b| a.1.0.total_cmp(&b.1.0));
            if let Some((no, (much, several))) = other
                && much >= MUCH
                && several >= 2
            {
                return Some(Wrong::Other(no));
            }
            let nobody = said.what.iter().filter(|at| unheard(&claim.tokens[**at].lower)).count();
            let silent = said.what.len() >= 2 && nobody * 2 >= said.what.len() || nobody == said.what.len();
            (count == 0 && silent && telling).then_some(Wrong::Nobody)
        }
        Who::Agent => {
            let (no, (much, several)) = person?;
            let first = originals
                .iter()
                .position(|one| one.speaker() == Speaker::Assistant && is_stated(one) && held(one).0 >= 0.7 * much);
            let earlier = first.is_none_or(|first| originals[no].seq() < originals[first].seq());
            let stated = originals[no].statement.level() > Certainty::Asked;
            (much >= MUCH && several >= 2 && earlier && stated).then_some(Wrong::Other(no))
        }
    }
}

/// Whether it says something, and does not only tell what comes next.
fn is_stated(original: &Original) -> bool {
    let tokens = &original.statement.tokens;
    let next = tokens.len() > 1 && lists().next.contains(tokens[0].lower.as_str());
    original.passage.origin.manner == Manner::Text && !next
}

/// How much of what was said an original holds, by rarity, and how many of its words.
fn held(claim: &Statement, said: &Attribution, original: &Original, weight: &dyn Fn(u32) -> f32) -> (f32, usize) {
    let mut all = 0.0;
    let mut own = 0.0;
    let mut count = 0;
    for at in &said.what {
        let stem = claim.tokens[*at].number;
        let much = weight(stem);
        all += much;
        if original.statement.has(stem) {
            own += much;
            count += 1;
        }
    }
    (if all > 0.0 { own / all } else { 0.0 }, count)
}
