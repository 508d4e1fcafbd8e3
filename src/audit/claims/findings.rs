//! From what the rules say of a claim to one finding, with its evidence and a sentence for a person.

use std::ops::Range;

use crate::extract::Certainty;
use crate::record::{Field, Finding, FindingKind, Severity, Verdict};
use crate::session::{SourceRef, Speaker};

use super::accord::{agrees, bounded};
use super::attribution::{Act, Who};
use super::clauses::is_reported;
use super::credit::Thought;
use super::exchanges::{exchanged, narrowed, recoded, silenced};
use super::inventions::{addition, attributed, credited, deed, outcome};
use super::loose::{deferred, loosely};
use super::otherwise::{
    about_turned, blamed, imagined, left_open, obliged, permitted, reordered, unfinished, unsettled,
};
use super::permissions::forbids;
use super::polarity::{How, turned};
use super::quotes::{Bent, misquoted, repeats};
use super::status::undone;
use super::unwritten::unwritten;
use super::wording::{Change, reworded};
use super::{Heard, binds, firmness, ruled_out};

/// In a session whose beginning is missing a sentence must hold so much of a claim to speak against it.
pub(super) const SURE: f32 = 0.45;

/// The worst that is wrong with a claim.
pub(super) fn finding(heard: &Heard) -> Option<Finding> {
    // What stands word for word in the originals says what they say.
    if heard.item.verdict == Verdict::Verified || is_quoted(heard) {
        return None;
    }
    let found = [
        ruled(heard),
        quotation(heard),
        worded(heard),
        polarity(heard),
        bounded(heard),
        blamed(heard),
        recoded(heard),
        unwritten(heard),
        unfinished(heard),
        about_turned(heard),
        permitted(heard),
        obliged(heard),
        reordered(heard),
        imagined(heard),
        silenced(heard),
        narrowed(heard),
        exchanged(heard),
        firm(heard).map(|firm| answered(firm, unsettled(heard))),
        left_open(heard),
        unsettled(heard),
        loose(heard),
        put_off(heard),
        attributed(heard),
        credited(heard),
        addition(heard),
        outcome(heard),
        deed(heard),
        status(heard),
    ];
    let found = found.into_iter().flatten().filter(|finding| !agrees(heard, finding));
    found.min_by_key(|finding| (finding.kind, std::cmp::Reverse(finding.severity)))
}

fn is_quoted(heard: &Heard) -> bool {
    let text = heard.item.text.trim_end_matches(['.', ':']).trim();
    let meant = |level: Certainty| level > Certainty::Asked || heard.item.field == Field::Open;
    text.len() >= 12
        && heard.item.field != Field::RuledOut
        && heard.originals.iter().any(|one| {
            let most = text.len() * 2;
            (text.len()..=most).contains(&one.range.len())
                && one.statement.text.contains(text)
                && meant(one.statement.level())
        })
}

pub(super) fn make(heard: &Heard, kind: FindingKind, severity: Severity, why: String) -> Finding {
    Finding::of((heard.case.compaction.no, heard.at, heard.item), kind, severity, why)
}

/// Lays the evidence beside it: the sentence that shows it first, then what else the item comes from.
pub(super) fn shown(
    mut finding: Finding,
    heard: &Heard,
    original: usize,
    here: Vec<Range<usize>>,
    there: &[Range<usize>],
) -> Finding {
    let source = heard.originals[original].source();
    let pair = |range: &Range<usize>| (range.start, range.end);
    finding.decisive = here.iter().map(pair).collect();
    finding.decisive_there = there.iter().map(pair).collect();
    let other = |one: &&SourceRef| one.seq != source.seq;
    finding.sources =
        std::iter::once(&source).chain(heard.item.sources.iter().filter(other).take(3)).cloned().collect();
    finding
}

pub(super) fn who(speaker: Speaker) -> &'static str {
    match speaker {
        Speaker::User => "the user",
        Speaker::Assistant => "the agent",
        Speaker::Tool => "a tool's output",
        Speaker::System => "the system",
    }
}

/// The words as a quotation that fits into a sentence.
pub(super) fn quoted(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = flat.chars().take(90).collect();
    let mark = if short.len() < flat.len() { "…" } else { "" };
    format!("“{}{mark}”", short.trim_end_matches('.'))
}

pub(super) fn word(heard: &Heard, range: &Range<usize>) -> String {
    heard.item.text.get(range.clone()).unwrap_or_default().to_owned()
}

fn ruled(heard: &Heard) -> Option<Finding> {
    let (original, level) = ruled_out::only_possible(heard)?;
    let source = &heard.originals[original];
    let how = if level == Certainty::Asked { "only asked about it" } else { "said that it may be so" };
    let why = format!(
        "{} {how} (turn {}); the summary says it was ruled out",
        capital(who(source.speaker())),
        source.passage.origin.turn
    );
    let there: Vec<_> = source.statement.certainty().1.into_iter().collect();
    let finding = make(heard, FindingKind::Inverted, Severity::High, why);
    Some(shown(finding, heard, original, std::iter::once(0..heard.item.text.len()).collect(), &there))
}

fn worded(heard: &Heard) -> Option<Finding> {
    let found = reworded(heard.claim, &heard.originals)?;
    let asks = heard.said.iter().any(|one| one.act == Act::Asks) || is_reported(heard.claim);
    let source = &heard.originals[found.original];
    let (kind, how) = match found.change {
        Change::Denied => (FindingKind::Inverted, "puts a “not” into it"),
        Change::Asserted => (FindingKind::Inverted, "leaves the “not” out"),
        Change::Stated if asks || has_idea(heard) || heard.item.field == Field::Open => return None,
        Change::Stated => (FindingKind::Firmed, "makes a statement of the question"),
    };
    let why = format!(
        "{} said {} (turn {}); the summary {how}",
        capital(who(source.speaker())),
        quoted(&source.statement.text),
        source.passage.origin.turn
    );
    let severity = if kind == FindingKind::Inverted { Severity::High } else { Severity::Medium };
    let mut here = found.here;
    if here.is_empty() {
        here.push(0..heard.item.text.len());
    }
    Some(shown(make(heard, kind, severity, why), heard, found.original, here, &found.there))
}

/// Whether it tells of a proposal or a doubt: that is what a question may be.
pub(super) fn has_idea(heard: &Heard) -> bool {
    heard.credits.iter().any(|credit| credit.thought == Thought::Idea)
}

fn quotation(heard: &Heard) -> Option<Finding> {
    let found = misquoted(heard.claim, heard.is_quotation(), &heard.originals, heard.terms)?;
    let source = &heard.originals[found.original];
    let (kind, severity, how) = match found.how {
        Bent::Turned => (FindingKind::Inverted, Severity::High, "turns it round"),
        Bent::Stated => (FindingKind::Firmed, Severity::Medium, "makes it firmer"),
        Bent::Changed => (FindingKind::Altered, Severity::Medium, "changes a word"),
    };
    let why = format!(
        "{} said {} (turn {}); the summary quotes it and {how}",
        capital(who(source.speaker())),
        quoted(&source.statement.text),
        source.passage.origin.turn
    );
    Some(shown(make(heard, kind, severity, why), heard, found.original, found.here, &found.there))
}

fn polarity(heard: &Heard) -> Option<Finding> {
    if heard.said.iter().any(|one| one.act == Act::Asks) {
        return None;
    }
    let of_person = heard.item.field == Field::Constraints || heard.said.iter().any(|one| one.who == Who::Person);
    let asserts = !matches!(heard.item.field, Field::RuledOut | Field::Actions | Field::Open);
    let turned = turned(heard.claim, &heard.originals, of_person, asserts)?;
    let source = &heard.originals[turned.original];
    if !heard.case.is_whole() && source.cover < SURE {
        return None;
    }
    let (speaker, turn) = (who(source.speaker()), &source.passage.origin.turn);
    let there = || turned.there.last().and_then(|range| source.statement.text.get(range.clone())).unwrap_or_default();
    let why = match turned.how {
        How::Denied => format!(
            "{} said {} (turn {turn}); the summary says the opposite (“{}”)",
            capital(speaker),
            quoted(&source.statement.text),
            turned.here.first().map(|range| word(heard, range)).unwrap_or_default()
        ),
        How::Asserted => format!(
            "{} said {} (turn {turn}); the summary leaves the “not” out",
            capital(speaker),
            quoted(&source.statement.text)
        ),
        How::Opposite => format!(
            "{} said “{}” (turn {turn}); the summary says “{}”",
            capital(speaker),
            there(),
            turned.here.first().map(|range| word(heard, range)).unwrap_or_default()
        ),
    };
    let forbidden = turned.how == How::Asserted && forbids(source);
    let grave = forbidden || binds(heard.item.field) || !heard.said.is_empty();
    let severity = if grave { Severity::High } else { Severity::Medium };
    let finding = make(heard, FindingKind::Inverted, severity, why);
    Some(shown(finding, heard, turned.original, turned.here, &turned.there))
}

/// What the person answered shows more than what they were asked.
fn answered(asked: Finding, answer: Option<Finding>) -> Finding {
    let later = |answer: &Finding| {
        let seq = |finding: &Finding| finding.sources.first().map(|source| source.seq);
        seq(answer) > seq(&asked)
    };
    match answer.filter(later) {
        Some(answer) => Finding { kind: asked.kind, severity: asked.severity, ..answer },
        None => asked,
    }
}

fn firm(heard: &Heard) -> Option<Finding> {
    if heard.item.field == Field::RuledOut {
        return None;
    }
    let weight = |stem: u32| heard.weight(stem);
    let field = heard.item.field;
    let firmed = firmness::firmed(heard.claim, field, heard.said, &heard.originals, heard.case.consents, &weight)?;
    let source = &heard.originals[firmed.original];
    if !heard.case.is_whole() && source.cover < SURE
        || !firmed.committed && repeats(heard.claim, heard.is_quotation(), source)
    {
        return None;
    }
    let turn = &source.passage.origin.turn;
    let before = match firmed.from {
        Certainty::Asked => "only asked",
        Certainty::Conditional => "said it on a condition",
        Certainty::Possible => "said it as a possibility",
        Certainty::Believed => "only thought so",
        Certainty::Proposed => "proposed it, or thought it probable",
        Certainty::Wanted => "would have liked it",
        Certainty::Decided => "said so",
    };
    let after = match (firmed.committed, firmed.to) {
        (true, Certainty::Wanted) => "it is wanted",
        (true, _) => "it was decided",
        (false, _) => "it is so",
    };
    let inverted = firmed.committed && firmed.from <= Certainty::Believed;
    let kind = if inverted { FindingKind::Inverted } else { FindingKind::Firmed };
    let severity = if firmed.committed || binds(field) { Severity::High } else { Severity::Medium };
    let why = format!(
        "{} {before} (turn {turn}: {}); the summary says that {after}",
        capital(who(source.speaker())),
        quoted(&source.statement.text)
    );
    let finding = make(heard, kind, severity, why);
    Some(shown(finding, heard, firmed.original, firmed.here, &firmed.there))
}

fn loose(heard: &Heard) -> Option<Finding> {
    let (original, here, there) = loosely(heard.claim, heard.said, &heard.originals, heard.case.consents)?;
    let source = &heard.originals[original];
    let why = format!(
        "The user put it loosely (“{}”, turn {}); the summary says that it was settled",
        source.statement.text.get(there.clone()).unwrap_or_default(),
        source.passage.origin.turn
    );
    let finding = make(heard, FindingKind::Firmed, Severity::High, why);
    Some(shown(finding, heard, original, std::iter::once(here).collect(), std::slice::from_ref(&there)))
}

fn put_off(heard: &Heard) -> Option<Finding> {
    let (original, here, there) = deferred(heard.claim, heard.said, &heard.originals)?;
    let source = &heard.originals[original];
    let why = format!(
        "The user put it off (“{}”, turn {}); the summary says that it is to be done at once",
        source.statement.text.get(there.clone()).unwrap_or_default(),
        source.passage.origin.turn
    );
    let finding = make(heard, FindingKind::Inverted, Severity::High, why);
    Some(shown(finding, heard, original, std::iter::once(here).collect(), std::slice::from_ref(&there)))
}

fn status(heard: &Heard) -> Option<Finding> {
    let undone = undone(heard)?;
    let why =
        format!("On the agent's list it was still to be done ({}); the summary says it was done", quoted(&undone.task));
    let mut finding = make(heard, FindingKind::Inverted, Severity::High, why);
    let Some(original) = undone.original else {
        finding.sources = heard.item.sources.iter().take(3).cloned().collect();
        finding.decisive = undone.here.iter().map(|range| (range.start, range.end)).collect();
        return Some(finding);
    };
    let at = heard.originals[original].statement.text.find(&undone.task);
    let there: Vec<_> = at.map(|at| at..at + undone.task.len()).into_iter().collect();
    Some(shown(finding, heard, original, undone.here, &there))
}

pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
