//! Who said it first: a thought that is given to one and was the other's. To agree with something, or to answer it, is not
//! to say it.

use crate::extract::{Certainty, Language, Lexicon, words};
use crate::record::Manner;
use crate::session::Speaker;

use super::alignment::Original;
use super::attribution::Who;
use super::consent::Consents;
use super::credit::{Credit, Thought};
use super::lists::lists;
use super::statement::{Statement, Token};

/// So much of it the other must have said, by rarity; a person says it in fewer words.
const AGENT_SAYS: f32 = 0.6;
const PERSON_SAYS: f32 = 0.5;
/// Who had said so much of it before may have meant it.
const HINTED: f32 = 0.34;
/// What is answered had so much of it: then the answer only takes it up.
const ANSWERED: f32 = 0.2;
/// What comes near to the most says the same; what comes so near to what was said first may be meant.
const SAME: f32 = 0.8;
const NEARLY: f32 = 0.6;
/// So many sentences beside each other say one thing.
const TOGETHER: usize = 3;
/// So far into a text its answer to what was said is looked for.
const BEGINNING: usize = 120;

/// What one text says of it.
struct Heard {
    /// The sentence that says most of it, by index of the originals.
    original: usize,
    seq: u64,
    /// The person, or the agent.
    by: Who,
    /// Told to the other; not thought, nor done.
    open: bool,
    /// How much of it is said, by rarity, and how many of its words that tell something.
    share: f32,
    count: usize,
}

/// The original in which the other said it first.
pub fn first_by_other(
    claim: &Statement,
    credit: &Credit,
    originals: &[Original],
    consents: &Consents,
    weight: &dyn Fn(u32) -> f32,
) -> Option<usize> {
    let labelled = originals.iter().filter(|one| one.is_told() && one.is_labelled() && !is_listed(one)).count();
    if labelled >= 2 || labelled * 3 > originals.len() {
        return None;
    }
    // What only puts it into words, and nobody used, is not looked for.
    let said = |token: &Token| originals.iter().any(|one| one.is_told() && one.statement.tells(token));
    let telling = |token: &Token| !lists().abstracts.contains(token.stem.as_str()) || said(token);
    let mut what: Vec<&Token> =
        credit.what.iter().map(|at| &claim.tokens[*at]).filter(|token| telling(token)).collect();
    what.dedup_by_key(|token| token.number);
    // Where nearly all of it is put into other words, what remains of it decides, the plainest words too.
    if what.iter().filter(|token| said(token)).count() < 2 {
        let all: Vec<&Token> = credit.all(claim).map(|at| &claim.tokens[at]).filter(|token| said(token)).collect();
        if all.len() > what.len() {
            what = all;
        }
    }
    // One word is enough where it is a name: all that a person typed is at hand, not all that the agent said.
    let is_name =
        |token: &&Token| token.range.start > 0 && claim.text[token.range.clone()].starts_with(char::is_uppercase);
    let by_name = credit.who == Who::Person && what.len() == 1 && what.iter().all(is_name);
    let fewest = if by_name { 1 } else { 2 };
    let heard = heard(&what, credit.thought, originals, weight);
    let conceded = conceded(&heard, originals, consents);
    let found = match (credit.who, credit.thought) {
        // The agent lays before the person what they take or turn down: one word is enough then.
        (Who::Person, Thought::Choice | Thought::Refusal) => None,
        (Who::Person, _) if conceded.is_some() => None,
        (Who::Person, _) => by_agent(&heard, fewest, credit, originals, consents),
        (Who::Agent, Thought::Choice | Thought::Refusal) => by_person(&heard, fewest),
        (Who::Agent, _) => conceded.or_else(|| by_person(&heard, fewest)),
    };
    // Who only asks has not settled how it is.
    let is_said = |found: &usize| originals[*found].statement.level() > Certainty::Asked;
    found.filter(|found| match credit.thought {
        Thought::Idea | Thought::Fact | Thought::Wish | Thought::Refusal => true,
        Thought::View | Thought::Choice => credit.who == Who::Person || is_said(found),
    })
}

/// Whether it speaks against something.
fn refuses(statement: &Statement) -> bool {
    !statement.negations().is_empty() || Language::english().refusals.is_in(&words(&statement.text))
}

/// `- Cost: …` is an entry of a list.
fn is_listed(original: &Original) -> bool {
    original.passage.around[..original.range.start].trim_end().ends_with(['-', '*', '•'])
}

/// Said by the agent before the person came near it. What answers the person only takes up what they said.
fn by_agent(
    heard: &[Heard],
    fewest: usize,
    credit: &Credit,
    originals: &[Original],
    consents: &Consents,
) -> Option<usize> {
    let first = first_of(heard, Who::Agent).filter(|one| one.share >= AGENT_SAYS && one.count >= fewest)?;
    let person = |of: &dyn Fn(u64) -> bool| most(heard, Who::Person, of);
    let last = consents.last_before(first.seq);
    let praised = consents.praises(first.seq);
    let (hinted, answered) = if praised { (SAME, SAME) } else { (HINTED, ANSWERED) };
    let found = person(&|seq| seq < first.seq) < hinted
        && person(&|seq| seq > first.seq) <= first.share
        && person(&|seq| Some(seq) == last) < answered
        && !begins(originals, first.seq, &lists().owns_up)
        && !begins(originals, first.seq, &lists().takes_up)
        && !is_taken_up(credit.thought, first.seq, consents);
    found.then_some(first.original)
}

/// Whether the person made it their own by what they said next.
fn is_taken_up(thought: Thought, seq: u64, consents: &Consents) -> bool {
    let yes = || consents.follow(seq);
    match thought {
        Thought::Idea | Thought::Fact => false,
        Thought::View => yes() || consents.answered(seq) || consents.praises(seq),
        Thought::Wish | Thought::Choice | Thought::Refusal => yes(),
    }
}

/// Said by the person before the agent came near it, and never more fully by the agent.
fn by_person(heard: &[Heard], fewest: usize) -> Option<usize> {
    let first = first_of(heard, Who::Person).filter(|one| one.share >= PERSON_SAYS && one.count >= fewest)?;
    let agent = |of: &dyn Fn(u64) -> bool| most(heard, Who::Agent, of);
    let found =
        agent(&|seq| seq < first.seq) < NEARLY * first.share && agent(&|seq| seq > first.seq) <= first.share + ANSWERED;
    found.then_some(first.original)
}

/// Said by the person just before the agent owns that they are right, where that answer says it best, or they do.
fn conceded(heard: &[Heard], originals: &[Original], consents: &Consents) -> Option<usize> {
    let first = first_of(heard, Who::Agent).filter(|one| one.share >= PERSON_SAYS).map(|one| one.seq);
    let owners = heard.iter().filter(|one| one.by == Who::Agent && begins(originals, one.seq, &lists().owns_up));
    let meant = owners.filter_map(|owner| {
        let last = consents.last_before(owner.seq)?;
        let answers = Some(owner.seq) == first;
        let before = most(heard, Who::Agent, &|seq| seq < last);
        let least = if answers { ANSWERED } else { PERSON_SAYS };
        let said = |one: &&Heard| one.by == Who::Person && one.seq == last && one.share >= least;
        heard.iter().find(said).filter(|one| answers || before < one.share)
    });
    meant.map(|one| one.original).next()
}

/// The first of those by one that says nearly the most of it.
fn first_of(heard: &[Heard], by: Who) -> Option<&Heard> {
    let said = || heard.iter().filter(|one| one.by == by && one.open);
    let most = said().map(|one| one.share).fold(0.0, f32::max);
    said().find(|one| one.share > 0.0 && one.share >= SAME * most)
}

/// The most that one said of it in these texts, thought and done too.
fn most(heard: &[Heard], by: Who, of: &dyn Fn(u64) -> bool) -> f32 {
    heard.iter().filter(|one| one.by == by && of(one.seq)).map(|one| one.share).fold(0.0, f32::max)
}

/// What each text says of it, in order: the few sentences of it that say most.
fn heard(what: &[&Token], thought: Thought, originals: &[Original], weight: &dyn Fn(u32) -> f32) -> Vec<Heard> {
    let mut found = Vec::new();
    let mut from = 0;
    for text in originals.chunk_by(|a, b| a.seq() == b.seq()) {
        let start = from;
        from += text.len();
        let by = match text[0].speaker() {
            Speaker::User if text[0].is_told() => Who::Person,
            Speaker::Assistant => Who::Agent,
            Speaker::User | Speaker::Tool | Speaker::System => continue,
        };
        let open = text[0].passage.origin.manner == Manner::Text;
        let all = (0..text.len()).map(|no| {
            let near = &text[no..text.len().min(no + TOGETHER)];
            // Who proposes something has not refused it.
            let speaks = thought != Thought::Refusal || near.iter().any(|one| refuses(&one.statement));
            let (share, count) = if speaks { held(what, near, weight) } else { (0.0, 0) };
            Heard { original: start + no, seq: text[0].seq(), by, open, share, count }
        });
        found.extend(all.reduce(|best, one| if one.share > best.share { one } else { best }));
    }
    found
}

/// How much of it these sentences hold, by rarity, and how many of its words.
fn held(what: &[&Token], near: &[Original], weight: &dyn Fn(u32) -> f32) -> (f32, usize) {
    let (mut all, mut own, mut count) = (0.0, 0.0, 0);
    for token in what {
        let much = weight(token.number);
        all += much;
        if near.iter().any(|one| one.statement.tells(token)) {
            own += much;
            // Numbers and their units are said of many things.
            count += usize::from(token.lower.len() > 2 && token.lower.bytes().any(|byte| !byte.is_ascii_digit()));
        }
    }
    (if all > 0.0 { own / all } else { 0.0 }, count)
}

/// Whether a text begins with one of these phrases.
fn begins(originals: &[Original], seq: u64, list: &Lexicon) -> bool {
    let near = |one: &&Original| one.seq() == seq && one.from() + one.range.start < BEGINNING;
    originals.iter().filter(near).any(|one| list.is_in(&words(&one.statement.text)))
}
