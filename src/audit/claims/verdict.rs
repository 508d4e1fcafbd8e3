//! The verdict of a claim: how well the sentences that speak of it bear it out.

use crate::extract::Language;
use crate::record::{Field, Finding, FindingKind, Judgement, Verdict};
use crate::session::{SourceRef, Speaker};

use super::Heard;
use super::alignment::{ALIGNED, Original};
use super::attribution::Who;
use super::bearing::{Witness, bear};
use super::firmness::is_tag;
use super::lists::lists;
use super::ruled_out::denies;
use super::statement::{Statement, Token};
use super::taken_back::taken_back;

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
    let cited = |one: &&Original| item.sources.iter().any(|source| is_in(one, source));
    if item.verdict == Verdict::Verified {
        // A source may begin in a sentence beside the words.
        let mut there = heard.originals.iter().filter(cited).filter(|one| one.cover >= BETTER).peekable();
        if there.peek().is_none() || there.any(|one| may_say(heard, one)) {
            return held(heard);
        }
        return plain(Verdict::Weak, Some("it stands there, but whose word it is said to be does not say it"));
    }
    let best = heard.originals.iter().max_by(|a, b| a.score().total_cmp(&b.score()));
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
    let says = || !item.sources.is_empty() && bear(heard.claim, heard.said, &witnesses(heard));
    if says() {
        held(heard)
    } else if best.score() >= ALIGNED {
        plain(Verdict::Weak, None)
    } else if heard.case.is_whole() && item.sources.is_empty() {
        plain(Verdict::Unsupported, Some("no turn before it says this"))
    } else {
        plain(Verdict::Weak, Some("the turn speaks of it in other words"))
    }
}

/// Verified, unless it was taken back later.
fn held(heard: &Heard) -> Judgement {
    let why = taken_back(heard);
    Judgement { verdict: if why.is_some() { Verdict::Weak } else { Verdict::Verified }, why, better: None }
}

/// What may bear a claim out.
fn witnesses<'h>(heard: &'h Heard) -> Vec<Witness<'h>> {
    let speaks = heard.originals.iter().filter(|one| one.cover >= LITTLE && may_say(heard, one));
    let denies = |one: &&Original| heard.item.field != Field::RuledOut || denies(one, heard.claim);
    // What somebody says who refuses a call stands in its result.
    let told = |one: &Original| one.is_told() || one.speaker() == Speaker::User;
    speaks.filter(denies).map(|one| Witness { says: &one.statement, speaker: one.speaker(), told: told(one) }).collect()
}

/// Whether somebody may bear a claim out: what a person did, said or wants only their own words say, and what binds or
/// settles something no text that somebody quotes.
fn may_say(heard: &Heard, original: &Original) -> bool {
    let of_person =
        heard.said.iter().any(|said| said.who == Who::Person) || begins_with(heard.claim) == Some(Who::Person);
    let by_person = original.speaker() == Speaker::User;
    match heard.item.field {
        _ if of_person => by_person && heard.case.consents.own.is_typed(original),
        Field::Constraints | Field::Decisions => match original.speaker() {
            Speaker::User => heard.case.consents.own.is_typed(original),
            Speaker::Assistant => original.is_told(),
            Speaker::Tool | Speaker::System => false,
        },
        Field::Narrative | Field::Entities | Field::Figures | Field::Actions | Field::RuledOut | Field::Open => true,
    }
}

/// Whether it says yes.
pub(super) fn agrees(said: &Statement) -> bool {
    let words = said.words();
    [&Language::english().acceptance, &Language::english().bare_yes, &lists().approvals]
        .iter()
        .any(|list| list.is_in(words))
}

/// Who `The user approved …` is about; of `The user's table …` anybody may speak, and who `I` is nobody knows.
pub(super) fn begins_with(claim: &Statement) -> Option<Who> {
    let owns = |token: &Token| claim.text[token.range.clone()].contains(['\'', '’']);
    let first = || claim.tokens.iter().take(2).filter(|token| !owns(token) && token.lower != "i");
    [Who::Person, Who::Agent].into_iter().find(|who| first().any(|token| is_self(token, *who)))
}

/// Whether this word names the person, or the agent.
pub(super) fn is_self(token: &Token, who: Who) -> bool {
    lists().selves.iter().any(|(own, names)| *own == who && names.contains(&*token.lower))
}

/// Whether it is asked: a question says nothing, but where it orders something or only asks to confirm.
pub(super) fn asks(said: &Statement) -> bool {
    said.text.trim_end().ends_with('?') && !said.is_request() && !is_tag(&said.text)
}

fn is_in(original: &Original, source: &SourceRef) -> bool {
    let from = original.from();
    original.passage.origin.seq == source.seq
        && from + original.range.start < source.range.1
        && source.range.0 < from + original.range.end
}
