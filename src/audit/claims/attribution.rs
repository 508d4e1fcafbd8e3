//! Who is said to have said what: `the user asked for a changelog`, `I suggested the second option`.

use std::ops::Range;

use crate::extract::{Language, Word};

use super::lists::lists;
use super::statement::Statement;

/// What somebody is said to have done with words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Said yes to something.
    Approves,
    /// Wants it.
    Orders,
    /// States or proposes it.
    Says,
    /// Asks.
    Asks,
}

/// Who.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The person.
    Person,
    /// The agent itself.
    Agent,
}

/// One of them in a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribution {
    /// Who.
    pub who: Who,
    /// What they did.
    pub act: Act,
    /// The words that say so, in bytes of the claim.
    pub cue: Range<usize>,
    /// What it is about: content words of the claim, by index.
    pub what: Vec<usize>,
    /// Where the words of what it is about stand.
    pub span: Range<usize>,
}

impl Attribution {
    /// `at the user's request`: behind what it is about.
    pub fn is_request(&self) -> bool {
        self.span.end <= self.cue.start
    }
}

/// Between who and what they did so many other words may stand (`the user has explicitly asked for`).
const BETWEEN: usize = 3;

/// All in a claim, in order.
pub fn attributions(claim: &Statement) -> Vec<Attribution> {
    let raw = claim.words();
    let mut heard = raw.to_vec();
    for word in &mut heard {
        if let Some(bare) = word.lower.strip_suffix("'s") {
            word.lower = bare.to_owned().into();
        }
    }
    let mut found: Vec<Attribution> = Vec::new();
    let mut speaker: Option<(Who, usize)> = None;
    let mut at = 0;
    while at < heard.len() {
        if let Some(end) = lists().requested.at(raw, at) {
            let cue = raw[at].range.start..raw[end - 1].range.end;
            // `…, sent on Friday at the user's request`: only what stands behind the comma, if anything does.
            let before = claim.text[..cue.start].trim_end().trim_end_matches(',');
            let start = [", ", "; ", ". "].iter().filter_map(|mark| before.rfind(mark)).max().unwrap_or(0);
            found.push(attribution(claim, Who::Person, Act::Orders, cue.clone(), start..cue.start));
            at = end;
            continue;
        }
        let who = who(&heard, at);
        if let Some(who) = who {
            speaker = Some((who, at));
            at += 1;
            continue;
        }
        let said = speaker.filter(|(_, from)| {
            // Behind a colon or a full stop something else begins.
            !claim.text[heard[*from].range.end..heard[at].range.start].contains([':', '.', ';'])
                && at - from <= BETWEEN + 1
                || found.last().is_some_and(|last| last.who == speaker.map_or(Who::Agent, |(who, _)| who))
                    && claim.text[..heard[at].range.start].trim_end().ends_with("and")
        });
        let act = lists()
            .sayings
            .iter()
            .filter_map(|(act, list)| list.at(&heard, at).map(|end| (end, *act)))
            .max_by_key(|(end, act)| (*end, *act == Act::Asks));
        if let (Some((who, from)), Some((end, act))) = (said, act) {
            let start = if at - from <= BETWEEN + 1 { from } else { at };
            let cue = heard[start].range.start..heard[end - 1].range.end;
            let to = quoted(&claim.text, cue.end).unwrap_or_else(|| clause_end(&claim.text, cue.end));
            found.push(attribution(claim, who, act, cue.clone(), cue.end..to));
            at = end;
            continue;
        }
        at += 1;
    }
    found
}

fn who(heard: &[Word], at: usize) -> Option<Who> {
    let one = &heard[at..=at];
    let before = at.checked_sub(1).map(|at| &*heard[at].lower);
    // A `sales agent` is somebody else, and so is `the user's manager`.
    let joined = at.checked_sub(1).is_some_and(|at| heard[at].range.end + 1 == heard[at + 1].range.start);
    let alone = !joined || before.is_none_or(|word| lists().subject.contains(word));
    if lists().agents.at(one, 0).is_some() {
        return Some(Who::Agent).filter(|_| alone || heard[at].lower.len() <= 2);
    }
    // Who is meant by a pronoun only its place says: at the start of a claim it is the person who is always meant.
    let own = &*heard[at].lower;
    let pronoun = lists().vague.contains(own) || lists().vague_inside.contains(own) && at > 0;
    Language::english().people.at(one, 0).filter(|_| alone && !pronoun).map(|_| Who::Person)
}

/// The end of the quotation that follows at once.
fn quoted(text: &str, from: usize) -> Option<usize> {
    let gap = text[from..].find(['"', '“'])?;
    let close = text[from + gap..].char_indices().skip(1).find(|(_, c)| matches!(c, '"' | '”'))?.0;
    text[from..from + gap].trim_matches([' ', ':', ',']).is_empty().then_some(from + gap + close)
}

/// Where the clause ends that begins here.
pub fn clause_end(text: &str, from: usize) -> usize {
    let rest = &text[from..];
    let ends = [";", ". ", " - ", " – ", " — "].into_iter().chain(lists().ends.iter().map(String::as_str));
    ends.filter_map(|end| rest.find(end)).min().map_or(text.len(), |at| from + at)
}

fn attribution(claim: &Statement, who: Who, act: Act, cue: Range<usize>, span: Range<usize>) -> Attribution {
    let what = claim.content().filter(|at| span.contains(&claim.tokens[*at].range.start)).collect();
    Attribution { who, act, cue, what, span }
}

#[cfg(test)]
mod tests {
    use super::super::terms::Terms;
    use super::*;

    #[test]
    fn who_did_what_with_words_is_read_from_a_claim() {
        for (text, want) in [
            ("The user asked for a changelog entry.", vec![(Who::Person, Act::Orders, "changelog entry")]),
            ("The user asked whether the queue is safe.", vec![(Who::Person, Act::Asks, "queue safe")]),
            ("I suggested a second column.", vec![(Who::Agent, Act::Says, "second column")]),
            (
                "User approved the plan and asked for a changelog.",
                vec![(Who::Person, Act::Approves, "plan"), (Who::Person, Act::Orders, "changelog")],
            ),
            ("The importer was renamed, as the user asked.", vec![(Who::Person, Act::Orders, "importer renamed")]),
            ("The queue is safe.", vec![]),
        ] {
            let claim = Statement::of(text, &Terms::default());
            let got: Vec<_> = attributions(&claim)
                .into_iter()
                .map(|one| {
                    let what: Vec<&str> = one.what.iter().map(|at| claim.tokens[*at].lower.as_str()).collect();
                    (one.who, one.act, what.join(" "))
                })
                .collect();
            let got: Vec<_> = got.iter().map(|(who, act, what)| (*who, *act, what.as_str())).collect();
            assert_eq!(got, want, "{text}");
        }
    }
}
