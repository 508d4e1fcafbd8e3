//! What passes by under a name: identifiers, figures and the actions of the agent are taken up as things.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use crate::extract::{Language, gist};
use crate::record::{Detail, Field};
use crate::session::Speaker;

use super::call::{Call, Nature};
use super::look::Figure;
use super::thing::{Mention, Thing, Where, Words};
use super::young::Met;
use super::{Gather, QUOTE, line};

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

impl Origin {
    /// Who says it. The person's no to a call comes as its result, in words of the program.
    fn speaker(self) -> Speaker {
        match self {
            Self::User => Speaker::User,
            Self::Agent | Self::Call => Speaker::Assistant,
            Self::Result | Self::List => Speaker::Tool,
        }
    }
}

impl Gather {
    pub(super) fn mention(&mut self, no: u32, speaker: Speaker, at: &Where, bytes: usize) {
        let period = self.period as u32;
        let Some(thing) = self.things.get_mut(no) else { return };
        let known = thing.mentions.iter().rev().take_while(|one| one.period == period);
        if thing.mentions.len() < MENTIONS && !known.into_iter().any(|one| one.speaker == speaker) {
            let tokens = u32::try_from(bytes / 4).unwrap_or(u32::MAX);
            thing.mentions.push(Mention { seq: at.seq, turn: at.turn, speaker, period, tokens });
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
            self.mention(no, origin.speaker(), at, text.len());
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
        let text = match call.nature {
            // What a tool of any sort was given says nothing without its name.
            Nature::Run if !call.command => format!("called {} {quote}", call.tool),
            nature => format!("{} {quote}", nature.did()),
        };
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
pub(super) fn key(kind: u8, about: &[u32], words: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    kind.hash(&mut hasher);
    if about.len() >= 4 {
        about.hash(&mut hasher);
    } else {
        (about, words).hash(&mut hasher);
    }
    hasher.finish()
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
