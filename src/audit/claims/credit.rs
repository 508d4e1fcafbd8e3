//! Whose thought something is said to be: `I noticed …`, `the user's suggestion to …`, `…, which the user pointed out`.

use std::ops::Range;

use crate::extract::{Language, Word};

use super::attribution::{Who, clause_end};
use super::lists::lists;
use super::persona::Persona;
use super::statement::Statement;

/// What somebody had before the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thought {
    /// A proposal, a guess, a doubt.
    Idea,
    /// How they saw what lay before both.
    View,
    /// Saw that something is so.
    Fact,
    /// Wanted something done.
    Wish,
    /// Took one of several.
    Choice,
    /// Would not have it.
    Refusal,
}

/// One of them in a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credit {
    /// Whose.
    pub who: Who,
    /// What they had.
    pub thought: Thought,
    /// The words that say so, in bytes of the claim.
    pub cue: Range<usize>,
    /// What it is: content words of the claim, by index.
    pub what: Vec<usize>,
    /// Where they stand.
    pub span: Range<usize>,
}

/// What somebody is said to have done first.
struct Cue {
    words: Range<usize>,
    thought: Thought,
    /// In two words around what it is about.
    split: bool,
}

/// Between the two words of one cue at most so many others stand, and between `my` and `idea`.
const BETWEEN: usize = 4;

impl Credit {
    /// All words of what it is, those too that are said of anything.
    pub fn all<'c>(&'c self, claim: &'c Statement) -> impl Iterator<Item = usize> + 'c {
        let is_what = |at: &usize| {
            let token = &claim.tokens[*at];
            let start = token.range.start;
            self.span.contains(&start) && !self.cue.contains(&start) && !is_self(&token.lower)
        };
        claim.content().filter(is_what)
    }
}

/// All in a claim, in order; `by_person` where a claim without a subject tells what the person did.
pub fn credits(claim: &Statement, by_person: bool, persona: &Persona) -> Vec<Credit> {
    let heard = claim.words();
    let name = |at: usize| named(heard, at).or_else(|| persona.is_named(claim, heard, at).then_some(Who::Person));
    let mut found: Vec<Credit> = Vec::new();
    for at in 0..heard.len() {
        if let Some(cue) = cue(claim, heard, at).filter(|cue| !is_judged(claim, heard, cue)) {
            let goes_on = || {
                let and = at > 0 && matches!(&*heard[at - 1].lower, "and" | "then");
                let last = found.last().filter(|last| and && !claim.text[last.cue.end..].contains([';', ':']))?;
                Some((last.who, at))
            };
            let alone = || (at == 0 && by_person).then_some((Who::Person, 0));
            let subject = subject(claim, heard, at, &name).or_else(alone).or_else(goes_on);
            let subject = subject.map(|(who, from)| (who, from, cue.words.end));
            let done_by = || behind_by(heard, cue.words.end, &name).map(|(who, end)| (who, at, end));
            let Some((who, from, last)) = subject.or_else(done_by) else { continue };
            let end = heard[last - 1].range.end;
            let (said, span) = if cue.split {
                (heard[at].range.end, heard[at].range.end..end_of_clause(&claim.text, end))
            } else {
                (end, about(claim, heard, from, last))
            };
            let range = heard[from].range.start..said;
            found.extend(credit(claim, who, cue.thought, range, span));
        } else if let Some((who, noun)) = owned(heard, at) {
            let span = about(claim, heard, at, noun + 1);
            let range = heard[at].range.start..heard[noun].range.end;
            found.extend(credit(claim, who, Thought::Idea, range, span));
        }
    }
    found
}

/// What somebody did first, if it is told from this word on.
fn cue(claim: &Statement, heard: &[Word], at: usize) -> Option<Cue> {
    let lists = lists();
    if let Some((end, thought)) =
        lists.initiatives.iter().find_map(|(thought, list)| Some((list.at(heard, at)?, *thought)))
    {
        return Some(Cue { words: at..end, thought, split: false });
    }
    let (_, second) = lists.split.iter().find(|(first, _)| *first == heard[at].lower)?;
    let end = (at + 2..heard.len().min(at + 2 + BETWEEN)).find(|end| heard[*end].lower == *second)?;
    let between = &claim.text[heard[at].range.end..heard[end].range.start];
    (!between.contains([',', ';', '.', ':'])).then_some(Cue { words: at..end + 1, thought: Thought::Idea, split: true })
}

/// `thinks it over`, `found this a nuisance`: nothing is said of whose thought it was.
fn is_judged(claim: &Statement, heard: &[Word], cue: &Cue) -> bool {
    let behind = &heard[cue.words.end..];
    let near = behind.first().filter(|next| claim.text[heard[cue.words.end - 1].range.end..next.range.start] == *" ");
    let judges =
        |next: &Word| matches!(&*next.lower, "a" | "an" | "the") || Language::english().is_content(&next.lower);
    match cue.thought {
        Thought::View => behind.iter().take(2).any(|word| matches!(&*word.lower, "about" | "over" | "through")),
        Thought::Fact => heard[cue.words.end - 1].lower == "this" && near.is_some_and(judges),
        Thought::Idea | Thought::Wish | Thought::Choice | Thought::Refusal => false,
    }
}

/// Who does what begins at this word: `the user has rightly`; nothing else stands between. With the word where they stand.
fn subject(claim: &Statement, heard: &[Word], at: usize, named: &dyn Fn(usize) -> Option<Who>) -> Option<(Who, usize)> {
    let plain = |word: &Word| {
        let lower = &*word.lower;
        !Language::english().is_content(lower) || lower.ends_with("ly") || lists().general.contains(lower)
    };
    for from in (at.saturating_sub(BETWEEN)..at).rev() {
        if claim.text[heard[from].range.end..heard[at].range.start].contains([',', ';', '.', ':', '(']) {
            return None;
        }
        if let Some(who) = named(from) {
            return Some((who, from));
        }
        if !plain(&heard[from]) || lists().negative.contains(&&*heard[from].lower) {
            return None;
        }
    }
    None
}

/// Who is named here. The agent of a firm and the user of a table are others.
fn named(heard: &[Word], at: usize) -> Option<Who> {
    let alone = at == 0 || lists().subject.contains(&*heard[at - 1].lower) || heard[at].lower == "i";
    let joined = at > 0 && heard[at - 1].range.end + 1 < heard[at].range.start;
    let who = lists().selves.iter().find(|(_, list)| list.contains(&*heard[at].lower))?.0;
    (alone || joined).then_some(who)
}

/// `… by the user`, `… by agent`, `… by me`: who, and the first word behind.
fn behind_by(heard: &[Word], at: usize, named: &dyn Fn(usize) -> Option<Who>) -> Option<(Who, usize)> {
    let by = heard.get(at).filter(|word| word.lower == "by")?;
    let next = heard.get(at + 1).filter(|word| word.range.start == by.range.end + 1)?;
    let whose = if next.lower == "the" { at + 2 } else { at + 1 };
    let plain = |word: &Word| lists().selves.iter().find(|(_, list)| list.contains(&*word.lower)).map(|one| one.0);
    let who = if next.lower == "me" {
        Some(Who::Agent)
    } else {
        heard.get(whose).and_then(|word| named(whose).or_else(|| plain(word)))
    };
    who.map(|who| (who, whose + 1))
}

/// `my first idea`: whose, and the word for it.
fn owned(heard: &[Word], at: usize) -> Option<(Who, usize)> {
    let who = lists().owners.iter().find(|(_, list)| list.contains(&*heard[at].lower))?.0;
    let noun = |no: &usize| lists().thoughts.contains(&*heard[*no].lower);
    (at + 1..heard.len().min(at + BETWEEN)).find(noun).map(|noun| (who, noun))
}

/// What it is about: what follows, or what stands before it where nothing does (`…, which I pointed out to the user`), or
/// where it only says whose what stands before it was (`…, at my suggestion`; `… (my idea)`; `…: proposed by the user`).
fn about(claim: &Statement, heard: &[Word], from: usize, end: usize) -> Range<usize> {
    let start = heard[end - 1].range.end;
    let behind = start..end_of_clause(&claim.text, start);
    let lead = heard[..from].iter().rev().find(|word| !matches!(&*word.lower, "the" | "a" | "an"));
    let looks_back = lead.is_some_and(|word| matches!(&*word.lower, "as" | "at" | "on"));
    let next = claim.text[start..].trim_start();
    let marked = next.is_empty() || next.starts_with([',', ';', '.', ')', '(', '—', '–']);
    let parted = marked || heard.get(end).is_some_and(|word| matches!(&*word.lower, "and" | "but"));
    if !looks_back && !parted && content(claim, &behind).next().is_some() {
        return behind;
    }
    let before = &claim.text[..lead.map_or(0, |word| word.range.end)];
    let begin = ["; ", ". ", ": "].iter().filter_map(|mark| before.rfind(mark)).max().unwrap_or(0);
    if content(claim, &(begin..before.len())).next().is_some() { begin..before.len() } else { behind }
}

/// What is told of it beside (`…, which …`) is not it.
fn end_of_clause(text: &str, from: usize) -> usize {
    let end = clause_end(text, from);
    let beside = [", which", ", for which", ", who", ", so", ", since", ", because"].iter();
    beside.filter_map(|mark| text[from..end].find(mark)).min().map_or(end, |at| from + at)
}

fn content<'c>(claim: &'c Statement, span: &Range<usize>) -> impl Iterator<Item = usize> + 'c {
    let span = span.clone();
    claim.content().filter(move |at| {
        let token = &claim.tokens[*at];
        span.contains(&token.range.start) && !lists().general.contains(token.lower.as_str()) && !is_self(&token.lower)
    })
}

fn is_self(word: &str) -> bool {
    lists().selves.iter().any(|(_, list)| list.contains(word))
}

fn credit(claim: &Statement, who: Who, thought: Thought, cue: Range<usize>, span: Range<usize>) -> Option<Credit> {
    let inside = |one: &Range<usize>| thought != Thought::Refusal && cue.contains(&one.start);
    let denied = claim.negations().iter().any(|one| one.scope.contains(&cue.start) || inside(&one.cue));
    let what: Vec<usize> = content(claim, &span).filter(|at| !cue.contains(&claim.tokens[*at].range.start)).collect();
    (!denied && !what.is_empty()).then_some(Credit { who, thought, cue, what, span })
}

#[cfg(test)]
mod tests {
    use super::super::terms::Terms;
    use super::*;

    #[test]
    fn whose_thought_it_is_said_to_be_is_read_from_a_claim() {
        for (text, by_person, want) in [
            ("The user suggested a spare queue.", false, &["Person: spare queue"][..]),
            ("I had first suspected the disk; it was the cable.", false, &["Agent: disk"]),
            ("It was the user who came up with a nightly copy.", false, &["Person: nightly copy"]),
            ("The lock is held too long, which the user spotted.", false, &["Person: lock held"]),
            ("The lock is held too long, as suggested by the user.", false, &["Person: lock held"]),
            ("The user brought Kafka up in passing.", false, &["Person: kafka passing"]),
            ("Copies are made nightly at my suggestion.", false, &["Agent: copies nightly"]),
            ("Accepted my idea of a nightly copy", true, &["Agent: nightly copy"]),
            ("Suggested a nightly copy and asked for a log", true, &["Person: nightly copy", "Person: log"]),
            ("Suggested a nightly copy", false, &[]),
            ("The user's manager suggested a nightly copy.", false, &[]),
            ("The sales agent suggested a nightly copy.", false, &[]),
            ("The user never suggested a nightly copy.", false, &[]),
            ("The scan noticed a broken file.", false, &[]),
            ("The user wants a nightly copy.", false, &[]),
            ("Copies: nightly (user's idea, agent agreed); disks are rented.", false, &["Person: nightly"]),
            ("Nightly copies: proposed by agent, no answer.", false, &["Agent: nightly copies"]),
            ("Copies are made on the agent's advice and have eight parts.", false, &["Agent: copies"]),
            (
                "Copies are made nightly; the user found this and the agent was glad.",
                false,
                &["Person: copies nightly"],
            ),
            ("The user thinks it over whether to rent a disk.", false, &[]),
            ("I rented a disk; the user found this a good point.", false, &[]),
            ("I ruled out a rented disk.", false, &["Agent: rented disk"]),
            ("Came up with a copy, for which I should rent a disk", true, &["Person: copy"]),
            ("Asked for a disk, for which I proposed a price", true, &["Person: disk", "Agent: price"]),
        ] {
            let claim = Statement::of(text, &Terms::default());
            let all = credits(&claim, by_person, &Persona::default()).into_iter().map(|one| {
                let what: Vec<&str> = one.what.iter().map(|at| claim.tokens[*at].lower.as_str()).collect();
                format!("{:?}: {}", one.who, what.join(" "))
            });
            assert_eq!(all.collect::<Vec<_>>(), want, "{text}");
        }
    }
}
