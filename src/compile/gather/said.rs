//! What passes by is taken up as things: names, figures, statements and actions, with what was said of them before.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use crate::extract::{Language, gist};
use crate::record::{Detail, Field};
use crate::session::Speaker;

use super::call::{Call, Nature};
use super::later::Sentence;
use super::look::{Figure, Look};
use super::statement::{Stated, Statement};
use super::thing::{Mention, Thing, Where, Words};
use super::young::Met;
use super::{Gather, QUOTE, line, tokens};

/// So much of a statement that comes behind is about the same: it answers a question, or takes something back.
const SAME: f32 = 0.35;
/// A question of a person about something named, once it is answered.
const ANSWERED: f32 = 2.0;
/// So many mentions of one thing are remembered.
const MENTIONS: usize = 24;

/// Where a name was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    User,
    Agent,
    Call,
    Result,
    /// A result that lists what was done.
    List,
}

/// What the talk waits for.
#[derive(Debug, Default)]
pub(super) struct Talk {
    /// The agent's proposals and questions since the person spoke last.
    proposed: Vec<(u32, Words)>,
    /// What the person asked last.
    asked: Vec<u32>,
    /// The person doubts: an answer does not settle it.
    doubted: bool,
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
        let answers = origin == Origin::Agent && self.said.fresh;
        for (statement, gist) in stated.statements.iter().zip(gists) {
            self.statement(text, statement, gist, at, answers);
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
        self.said.fresh = true;
        self.said.asked.clear();
        self.said.doubted = stated.doubts;
        // Whatever the person says to a question of the agent that is not a question itself answers it.
        if stated.answers {
            for (no, _) in &self.said.proposed {
                if let Some(thing) = self.things.get_mut(*no).filter(|thing| thing.asks && thing.last < at.seq) {
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

    pub(super) fn statement(&mut self, text: &str, said: &Statement, gist: Vec<u32>, at: &Arc<Where>, answers: bool) {
        let quote = &text[said.range.clone()];
        let words = Words { at: at.clone(), range: (said.range.start, said.range.end), quote: quote.to_owned() };
        // A document that is written anew says what it said before: nobody worked it out once more.
        if self.answers.is_none() {
            self.later.sentence(Sentence {
                seq: at.seq,
                turn: at.turn,
                tokens: tokens(text),
                speaker: at.speaker,
                asks: said.asks,
                gist: gist.clone().into_boxed_slice(),
            });
        }
        let by_user = at.speaker == Speaker::User;
        if !by_user && !said.asks && !self.said.doubted {
            self.answered(Some(&gist));
        }
        self.take_back(said, &gist, at);
        let key = key(1, &gist, quote);
        if let Some(no) = self.things.find(key) {
            self.said_again(no, at, &words);
            return;
        }
        let mut thing = Thing::new(key, said.field, quote.to_owned(), words.clone(), said.weight);
        thing.weight += if answers { 0.6 } else { 0.0 };
        thing.hedged = said.hedged;
        thing.asks = said.asks;
        thing.named = said.named;
        thing.firm = said.firm;
        thing.evidence = self.answers.or_else(|| self.evidence(&gist));
        if said.field == Field::RuledOut {
            let (claim, evidence) = parted(quote);
            thing.detail = Detail::RuledOut { claim: claim.to_owned(), evidence: evidence.to_owned() };
        }
        if by_user && said.accepts {
            let settled = self.said.proposed.pop();
            if let Some((no, words)) = settled {
                if let Some(proposal) = self.things.get_mut(no).filter(|thing| thing.field == Field::Open) {
                    proposal.over = true;
                }
                thing.field = Field::Decisions;
                thing.beside = Some(words);
            }
        }
        thing.gist = gist;
        let no = self.things.add(thing);
        if by_user && said.asks {
            self.said.asked.push(no);
        }
        if said.proposes {
            if self.said.proposed.len() >= 16 {
                self.said.proposed.remove(0);
            }
            self.said.proposed.push((no, words));
        }
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
            let over: Vec<u32> = self.things.waiting(*field).filter(about).collect();
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

    fn said_again(&mut self, no: u32, at: &Arc<Where>, words: &Words) {
        let now = at.seq;
        if let Some(thing) = self.things.get_mut(no) {
            thing.times += 1;
            thing.last = now;
            if at.speaker == Speaker::User && thing.by_user.is_none() && thing.words.at.speaker != Speaker::User {
                thing.by_user = Some(words.clone());
            }
        }
        self.mention(no, at, words.quote.len());
        self.things.touch(no, now);
    }

    fn mention(&mut self, no: u32, at: &Arc<Where>, bytes: usize) {
        let period = self.period as u32;
        let Some(thing) = self.things.get_mut(no) else { return };
        let known = thing.mentions.iter().rev().take_while(|one| one.period == period);
        if thing.mentions.len() < MENTIONS && !known.into_iter().any(|one| one.speaker == at.speaker) {
            let tokens = u32::try_from(bytes / 4).unwrap_or(u32::MAX);
            thing.mentions.push(Mention { seq: at.seq, turn: at.turn, speaker: at.speaker, period, tokens });
        }
    }

    /// A name somewhere.
    pub(super) fn name(
        &mut self,
        text: &str,
        range: Range<usize>,
        class: &'static str,
        at: &Arc<Where>,
        origin: Origin,
    ) {
        let name = &text[range.clone()];
        let key = key(2, &[], name);
        if let Some(no) = self.things.find(key) {
            let words = (origin == Origin::User).then(|| line(text, range, at));
            if let Some(thing) = self.things.get_mut(no) {
                thing.times += 1;
                thing.last = at.seq;
                if origin == Origin::Call && thing.used.is_none() {
                    thing.used = Some((at.seq, at.turn));
                }
                if thing.by_user.is_none() && thing.words.at.speaker != Speaker::User {
                    thing.by_user = words;
                }
            }
            self.mention(no, at, text.len());
            self.things.touch(no, at.seq);
            return;
        }
        if origin == Origin::Result {
            if !self.young.holds(key) {
                self.young.add(key, Met { class, words: line(text, range, at), call: self.answers });
            }
            return;
        }
        let young = self.young.take(key);
        let known = young.is_some();
        let here = line(text, range, at);
        let Met { class, words, call } = young.unwrap_or_else(|| Met { class, words: here.clone(), call: None });
        let mut thing = Thing::new(key, Field::Entities, name.to_owned(), words, class_weight(class));
        thing.evidence = call;
        thing.detail = Detail::Entity { class: class.to_owned() };
        thing.gist = gist(name, Language::english());
        thing.last = at.seq;
        match origin {
            Origin::User if known => thing.by_user = Some(here),
            Origin::User => thing.weight += 3.0,
            Origin::Call if !known => (thing.used, thing.evidence) = (Some((at.seq, at.turn)), self.answers),
            Origin::Call => thing.used = Some((at.seq, at.turn)),
            Origin::List => thing.evidence = self.answers,
            Origin::Agent | Origin::Result => {}
        }
        thing.times += u32::from(known);
        self.things.add(thing);
    }

    pub(super) fn figures(&mut self, text: &str, figures: &[Figure], at: &Arc<Where>, weight: f32) {
        for figure in figures {
            // Of results only what is set under a name counts: `max_attempts = 7`, not `1 passed`.
            let named = figure.label.contains(['_', '.', '-']);
            let from_tool = at.speaker == Speaker::Tool;
            if from_tool && !named || figure.label.is_empty() && figure.unit.is_empty() {
                continue;
            }
            let mut about = gist(&figure.label, Language::english());
            about.extend(gist(&figure.value, Language::english()));
            let key = key(3, &about, &figure.unit);
            let words = line(text, figure.range.clone(), at);
            if let Some(no) = self.things.find(key) {
                self.said_again(no, at, &words);
                continue;
            }
            let shown = match (figure.label.as_str(), figure.unit.as_str()) {
                ("", unit) => format!("{} {unit}", figure.value),
                (label, "") => format!("{label}: {}", figure.value),
                (label, unit) => format!("{label}: {} {unit}", figure.value),
            };
            let mut thing = Thing::new(key, Field::Figures, shown, words, weight);
            thing.detail =
                Detail::Figure { label: figure.label.clone(), value: figure.value.clone(), unit: figure.unit.clone() };
            thing.gist = about;
            self.things.add(thing);
        }
    }

    pub(super) fn action(&mut self, no: u32, call: &Call, text: &str, at: &Arc<Where>) {
        let said = &text[call.target.clone()];
        let end = said.find('\n').unwrap_or(said.len()).min(said.floor_char_boundary(QUOTE));
        let quote = said[..end].trim_end();
        if quote.is_empty() {
            return;
        }
        let key = key(4, &[], &call.key.to_string());
        let range = (call.target.start, call.target.start + quote.len());
        let words = Words { at: at.clone(), range, quote: quote.to_owned() };
        if let Some(known) = self.things.find(key) {
            self.said_again(known, at, &words);
            if let Some(thing) = self.things.get_mut(known) {
                thing.evidence = Some(no);
            }
            return;
        }
        let weight = match call.nature {
            Nature::Write => 1.6,
            Nature::Run => 0.8,
            Nature::Search => 0.4,
            Nature::Read => 0.3,
        };
        let text = format!("{} {quote}", call.nature.did());
        let mut thing = Thing::new(key, Field::Actions, text, words, weight);
        thing.detail = Detail::Action { tool: call.tool.clone(), args: quote.to_owned(), ok: None };
        thing.gist = gist(quote, Language::english());
        thing.evidence = Some(no);
        self.things.add(thing);
    }

    /// The outcome of a call.
    pub(super) fn settle_action(&mut self, no: u32, went: bool) {
        let Some(made) = self.later.made(no) else { return };
        let Some(thing) = self.things.find(key(4, &[], &made.key.to_string())) else { return };
        if let Some(thing) = self.things.get_mut(thing)
            && let Detail::Action { ok, .. } = &mut thing.detail
        {
            *ok = Some(went);
        }
    }
}

/// Equal for what is the same thing: by what it is about where that is much, else by its words.
fn key(kind: u8, about: &[u32], words: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    kind.hash(&mut hasher);
    if about.len() >= 4 {
        about.hash(&mut hasher);
    } else {
        (about, words).hash(&mut hasher);
    }
    hasher.finish()
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
    let marks = [" - ", " – ", " — ", ": ", " because ", " since "];
    let cut = marks.iter().filter_map(|mark| quote.find(mark).map(|at| (at, at + mark.len()))).min();
    cut.map_or((quote, ""), |(end, start)| (&quote[..end], &quote[start..]))
}

/// By the name of the class: what can be said in no other words weighs most.
fn class_weight(class: &str) -> f32 {
    match class {
        "hash" | "ticket" | "email" => 1.2,
        "path" | "id" => 1.0,
        "url" | "uuid" | "ip" => 0.8,
        "env" | "symbol" | "number" | "command" => 0.6,
        "flag" | "date" => 0.4,
        _ => 0.5,
    }
}
