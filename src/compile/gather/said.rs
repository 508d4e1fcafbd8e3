//! What is stated is taken up as things: how it answers, settles or takes back what was said before.

use std::sync::Arc;

use crate::extract::Language;
use crate::record::{Detail, Field};
use crate::session::Speaker;

use super::answered::SURE;
use super::later::Sentence;
use super::look::Look;
use super::named::{Origin, key};
use super::statement::{KEPT, Stated, Statement};
use super::thing::{Thing, Where, Words};
use super::{Gather, tokens};

/// So much of a statement that comes behind is about the same: it answers a question, or takes something back.
const SAME: f32 = 0.35;
/// What a yes or no of fewer words is about only that says which it answers.
const SHORT: usize = 3;
/// So many of the things last said may be taken back.
const LATEST: usize = 200;
/// What is said at once when a person asked weighs so much more.
const ANSWERING: f32 = 0.8;
/// So many sentences of an answer answer.
const FIRST: usize = 2;
/// A question of a person about something named, once it is answered.
const ANSWERED: f32 = 2.0;

/// So many proposals may wait for an answer.
const PROPOSED: usize = 16;

/// What the agent proposed or asked.
#[derive(Debug)]
struct Proposal {
    /// `None` where it weighs too little to be held on to.
    thing: Option<u32>,
    words: Words,
    gist: Vec<u32>,
}

/// The words that a statement settles.
struct Settled {
    words: Words,
    /// The statement says by itself what it is about.
    alone: bool,
}

/// What the talk waits for.
#[derive(Debug, Default)]
pub(super) struct Talk {
    /// What the person may answer, in its order.
    proposed: Vec<Proposal>,
    /// Where the person spoke last: what is proposed behind it comes in the place of what was proposed before.
    spoke: u64,
    /// What the person asked last.
    asked: Vec<u32>,
    /// The person doubts: an answer does not settle it.
    doubted: bool,
    /// The person asked something.
    asks: bool,
    /// No word of the agent since the person spoke.
    fresh: bool,
}

impl Gather {
    /// Words of a person or of the agent.
    pub(super) fn words(&mut self, text: &str, at: &Arc<Where>, look: Look) {
        self.prose += text.len();
        self.answers = None;
        let origin = match at.speaker {
            Speaker::User => Origin::User,
            Speaker::Assistant => Origin::Agent,
            Speaker::Tool | Speaker::System => return,
        };
        let Look { stated, gists, names, figures, .. } = look;
        if origin == Origin::User {
            self.person_speaks(at, &stated);
        }
        for (range, class) in names {
            self.name(text, range, class, at, origin);
        }
        self.figures(text, &figures, at, if origin == Origin::User { 3.0 } else { 0.6 });
        let answers = origin == Origin::Agent && self.said.fresh && self.said.asks;
        for (no, (statement, gist)) in stated.statements.iter().zip(gists).enumerate() {
            self.statement(text, statement, gist, at, answers && no < FIRST);
        }
        if origin == Origin::Agent && stated.answers {
            self.said.fresh = false;
            if !self.said.doubted {
                self.answered(None);
            }
        }
    }

    fn person_speaks(&mut self, at: &Arc<Where>, stated: &Stated) {
        self.recent.clear();
        (self.said.fresh, self.said.spoke) = (true, at.seq);
        self.said.asks = stated.statements.iter().any(|one| one.asks);
        self.said.asked.clear();
        self.said.doubted = stated.doubts;
        // Whatever the person says to a question of the agent that is not a question itself answers it.
        if stated.answers {
            for no in self.said.proposed.iter().filter_map(|proposal| proposal.thing) {
                if let Some(thing) = self.things.get_mut(no).filter(|thing| thing.asks && thing.last < at.seq) {
                    thing.over = true;
                }
            }
        }
    }

    /// The questions of the person that this is about are answered; all of them where it is about anything.
    fn answered(&mut self, about: Option<&[u32]>) {
        let things = &mut self.things;
        self.said.asked.retain(|no| {
            let Some(thing) = things.get_mut(*no) else { return false };
            let answers = about.is_none_or(|gist| share(&thing.gist, gist) >= SAME);
            if answers && thing.named {
                // What was asked of something named is worth knowing even when it is answered.
                (thing.field, thing.weight) = (Field::Narrative, ANSWERED);
            } else {
                thing.over |= answers;
            }
            !answers
        });
    }

    /// Notes the questions of the person of which this says most again.
    fn plainly_answered(&mut self, gist: &[u32], at: &Where) {
        for no in &self.said.asked {
            if let Some(thing) = self.things.get(*no).filter(|thing| share(&thing.gist, gist) >= SURE) {
                self.answered.add(&thing.words, at);
            }
        }
    }

    fn propose(&mut self, said: &Statement, proposal: Proposal) {
        if !said.proposes {
            return;
        }
        let Talk { proposed, spoke, .. } = &mut self.said;
        proposed.retain(|before| before.words.at.seq > *spoke);
        if proposed.len() >= PROPOSED {
            proposed.remove(0);
        }
        proposed.push(proposal);
    }

    /// What a yes or no of the person answers, which waits no longer: the last that was proposed and says something,
    /// `Shall I go on?` does not.
    fn settled_by(&mut self, said: &Statement, at: &Where) -> Option<Proposal> {
        if at.speaker != Speaker::User || !(said.accepts || said.refuses) {
            return None;
        }
        let proposed = &mut self.said.proposed;
        let says = proposed.iter().rposition(|proposal| proposal.gist.len() >= SHORT);
        let proposal = proposed.remove(says.or_else(|| proposed.len().checked_sub(1))?);
        let thing = proposal.thing.and_then(|no| self.things.get_mut(no));
        if let Some(thing) = thing.filter(|thing| thing.field == Field::Open) {
            thing.over = true;
        }
        if said.accepts {
            self.answered.add(&proposal.words, at);
        }
        Some(proposal)
    }

    pub(super) fn statement(
        &mut self,
        text: &str,
        said: &Statement,
        mut gist: Vec<u32>,
        at: &Arc<Where>,
        answers: bool,
    ) {
        let quote = &text[said.range.clone()];
        let words = Words { at: at.clone(), range: (said.range.start, said.range.end), quote: quote.to_owned() };
        self.hear(said, &gist, at, tokens(text));
        let settled = self.settled_by(said, at);
        let short = settled.is_some() && gist.len() < SHORT;
        if let Some(proposal) = settled.as_ref().filter(|_| short) {
            let more: Vec<u32> = proposal.gist.iter().copied().filter(|number| !gist.contains(number)).collect();
            gist.extend(more);
        }
        // It is about the same as what it answers, and is another thing.
        let key = key(if short { 5 } else { 1 }, &gist, quote);
        let known = self.things.find(key);
        if let Some(no) = known {
            self.said_again(no, at, &words);
        }
        let weight = said.weight + if answers { ANSWERING } else { 0.0 };
        let new = || {
            let mut thing = Thing::new(key, said.field, quote.to_owned(), words.clone(), weight);
            thing.gist.clone_from(&gist);
            self.take_up(said, thing, settled.map(|proposal| Settled { words: proposal.words, alone: !short }))
        };
        let thing = known.or_else(|| (weight >= KEPT).then(new));
        self.propose(said, Proposal { thing, words, gist });
    }

    /// How what is said answers what was asked, or takes back what was said before.
    fn hear(&mut self, said: &Statement, gist: &[u32], at: &Arc<Where>, tokens: u32) {
        // A document that is written anew says what it said before: nobody worked it out once more.
        if self.answers.is_none() {
            let (seq, turn, speaker, asks) = (at.seq, at.turn, at.speaker, said.asks);
            self.later.sentence(Sentence { seq, turn, tokens, speaker, asks, lists: false, gist: gist.into() });
        }
        if at.speaker != Speaker::User && !said.asks && !self.said.doubted {
            if !said.hedged {
                self.plainly_answered(gist, at);
            }
            self.answered(Some(gist));
        }
        self.take_back(said, gist, at);
    }

    /// A new thing of a statement, beside what it settles.
    fn take_up(&mut self, said: &Statement, mut thing: Thing, settled: Option<Settled>) -> u32 {
        (thing.hedged, thing.asks, thing.named, thing.firm) = (said.hedged, said.asks, said.named, said.firm);
        thing.evidence = self.answers.or_else(|| self.evidence(&thing.gist));
        if said.accepts && settled.is_some() {
            thing.field = Field::Decisions;
        } else if said.field == Field::RuledOut {
            let refused = settled.as_ref().filter(|settled| !settled.alone);
            let (claim, evidence) = refused
                .map_or_else(|| parted(&thing.text), |settled| (settled.words.quote.as_str(), thing.text.as_str()));
            thing.detail = Detail::RuledOut { claim: claim.to_owned(), evidence: evidence.to_owned() };
        }
        thing.beside = settled.map(|settled| settled.words);
        let waits = thing.words.at.speaker == Speaker::User && said.asks && said.field != Field::Constraints;
        let no = self.things.add(thing);
        // What binds is over when it is taken back, not when it is answered.
        if waits {
            self.said.asked.push(no);
        }
        no
    }

    /// A later word about the same that binds no longer, or says the opposite of what was ruled out.
    fn take_back(&mut self, said: &Statement, gist: &[u32], at: &Arc<Where>) {
        if !said.revokes || gist.len() < 2 {
            return;
        }
        let fields: &[Field] = match at.speaker {
            Speaker::User => &[Field::Constraints, Field::RuledOut, Field::Decisions],
            Speaker::Assistant | Speaker::Tool | Speaker::System => &[Field::RuledOut],
        };
        for field in fields {
            let about = |no: &u32| {
                let thing = self.things.get(*no);
                thing.is_some_and(|thing| {
                    let own = at.speaker == Speaker::User || thing.words.at.speaker == Speaker::Assistant;
                    own && thing.words.at.seq < at.seq && share(&thing.gist, gist) >= 0.6
                })
            };
            let over: Vec<u32> = self.things.waiting(*field).take(LATEST).filter(about).collect();
            for no in over {
                if let Some(thing) = self.things.get_mut(no) {
                    thing.over = true;
                }
            }
        }
    }

    /// The call whose result shows what is said behind it.
    fn evidence(&self, gist: &[u32]) -> Option<u32> {
        let shared = |about: &[u32]| gist.iter().filter(|number| about.contains(number)).count();
        // All of a short statement, and a good part of a long one.
        let wanted = gist.len().min(4).max(gist.len() * 2 / 5).max(2);
        self.recent.iter().rev().find(|(_, about)| shared(about) >= wanted).map(|(no, _)| *no)
    }

    pub(super) fn said_again(&mut self, no: u32, at: &Arc<Where>, words: &Words) {
        let now = at.seq;
        if let Some(thing) = self.things.get_mut(no) {
            thing.times += 1;
            thing.last = now;
            if at.speaker == Speaker::User && thing.by_user.is_none() && thing.words.at.speaker != Speaker::User {
                thing.by_user = Some(words.clone());
            }
        }
        self.mention(no, at.speaker, at, words.quote.len());
        self.things.touch(no, now);
    }
}

/// The share of `what` that `other` holds.
fn share(what: &[u32], other: &[u32]) -> f32 {
    if what.is_empty() {
        return 0.0;
    }
    what.iter().filter(|number| other.contains(number)).count() as f32 / what.len() as f32
}

/// A claim and its evidence: what stands before and behind the dash or the reason.
fn parted(quote: &str) -> (&str, &str) {
    let reasons = Language::english().reasons.iter().map(|reason| format!(" {reason} "));
    let marks = [" - ", " – ", " — ", ": "].into_iter().map(str::to_owned).chain(reasons);
    let cut = marks.filter_map(|mark| quote.find(&mark).map(|at| (at, at + mark.len()))).min();
    cut.map_or((quote, ""), |(end, start)| (&quote[..end], &quote[start..]))
}
