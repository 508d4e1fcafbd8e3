//! The verdict of a claim: how well the sentences that speak of it bear it out.

use crate::extract::Language;
use crate::record::{Finding, FindingKind, Judgement, Verdict};
use crate::session::{SourceRef, Speaker};

use super::Heard;
use super::alignment::{ALIGNED, Original};
use super::attribution::{Act, Who};
use super::firmness::is_tag;
use super::lists::lists;
use super::statement::{Statement, Token};
use super::wording::negates;

/// A sentence that holds so much of a claim says exactly this.
const EXACT: f32 = 0.8;
/// Another turn is the better one when it holds so much.
const BETTER: f32 = 0.6;
/// The turn that is named does not hold a claim of which it holds less.
const LITTLE: f32 = 0.2;

/// The verdict, the finding considered.
pub(super) fn judge(heard: &Heard, finding: Option<&Finding>) -> Judgement {
    let item = heard.item;
    let plain = |verdict, why: Option<&str>| Judgement { verdict, why: why.map(str::to_owned), better: None };
    if let Some(finding) = finding {
        let verdict = match finding.kind {
            FindingKind::Invented => Verdict::Unsupported,
            FindingKind::Firmed => Verdict::Weak,
            FindingKind::Inverted
            | FindingKind::Altered
            | FindingKind::Misattributed
            | FindingKind::Overruled
            | FindingKind::Laundered
            | FindingKind::Lost => Verdict::Contested,
        };
        return plain(verdict, Some(&finding.why));
    }
    if item.verdict == Verdict::Verified {
        return plain(Verdict::Verified, None);
    }
    let best = heard.originals.iter().max_by(|a, b| a.score().total_cmp(&b.score()));
    let cited = |one: &&Original| item.sources.iter().any(|source| is_in(one, source));
    if item.own.is_some() && !item.sources.is_empty() {
        let own = heard.originals.iter().filter(cited).map(|one| one.cover).fold(0.0, f32::max);
        // A claim may be told in other words; only a turn that shares nothing with it is the wrong one.
        if let Some(better) = best.filter(|best| own < LITTLE && best.cover >= BETTER && !cited(best)) {
            let why = format!("turn {} says it", better.passage.origin.turn);
            return Judgement { verdict: Verdict::WrongTurn, why: Some(why), better: Some(better.source()) };
        }
    }
    let Some(best) = best.filter(|best| best.score() >= LITTLE) else {
        let why = if heard.case.is_whole() {
            return plain(Verdict::Unsupported, Some("no turn before it holds these words"));
        } else {
            "the beginning of the session is missing, and nothing that is there speaks of it"
        };
        return plain(Verdict::Unchecked, Some(why));
    };
    let says = |one: &&Original| {
        one.cover >= EXACT
            && denies_alike(heard.claim, &one.statement)
            && (!asks(&one.statement) || asks(heard.claim))
            && may_say(heard, one)
    };
    if !item.sources.is_empty() && heard.originals.iter().any(|one| says(&one)) {
        plain(Verdict::Verified, None)
    } else if best.score() >= ALIGNED {
        plain(Verdict::Weak, None)
    } else if heard.case.is_whole() && item.sources.is_empty() {
        plain(Verdict::Unsupported, Some("no turn before it says this"))
    } else {
        plain(Verdict::Weak, Some("the turn speaks of it in other words"))
    }
}

/// Whether somebody may bear a claim out: what a person did or said, only they say, and that they said yes only a yes.
fn may_say(heard: &Heard, original: &Original) -> bool {
    let person = || heard.said.iter().filter(|said| said.who == Who::Person);
    if original.is_told() && original.speaker() == Speaker::User {
        return !person().any(|said| said.act == Act::Approves) || agrees(&original.statement);
    }
    person().next().is_none() && !begins_with_person(heard.claim)
}

/// Whether it says yes.
pub(super) fn agrees(said: &Statement) -> bool {
    let words = said.words();
    [&Language::english().acceptance, &Language::english().bare_yes, &lists().approvals]
        .iter()
        .any(|list| list.is_in(words))
}

/// `The user approved …`; of `The user's table …` anybody may speak.
pub(super) fn begins_with_person(claim: &Statement) -> bool {
    let is_person =
        |token: &Token| lists().selves.iter().any(|(who, names)| *who == Who::Person && names.contains(&*token.lower));
    let owns = |token: &Token| claim.text[token.range.clone()].contains(['\'', '’']);
    claim.tokens.iter().take(2).any(|token| is_person(token) && !owns(token))
}

/// Whether it is asked: a question says nothing, but where it orders something or only asks to confirm.
pub(super) fn asks(said: &Statement) -> bool {
    said.text.trim_end().ends_with('?') && !said.is_request() && !is_tag(&said.text)
}

/// Whether what both speak of is denied in both or in neither.
fn denies_alike(claim: &Statement, there: &Statement) -> bool {
    let denies = |one: &Statement| one.tokens.iter().any(|token| negates(&token.lower));
    denies(claim) == denies(there)
        || claim.content().all(|at| {
            let other = there.find(claim.tokens[at].number);
            other.is_none_or(|other| claim.is_negated(at) == there.is_negated(other))
        })
}

fn is_in(original: &Original, source: &SourceRef) -> bool {
    let from = original.from();
    original.passage.origin.seq == source.seq
        && from + original.range.start < source.range.1
        && source.range.0 < from + original.range.end
}
