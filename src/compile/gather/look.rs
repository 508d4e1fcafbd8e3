//! What one part holds, found by looking at this part alone: so that many can be looked at side by side.

use std::ops::Range;

use crate::extract::{Detected, Kind, Language, Told, Zone, figures, gist, identifiers, read};
use crate::session::{PartKind, Speaker};

use super::super::cues::Cue;
use super::super::heard::{Heard, Sentence};
use super::super::tie::Original;
use super::call::{Call, call, failed, writes_prose};
use super::names::names;
use super::statement::{Stated, statements};

/// Prose beyond this is not looked at: nobody types so much.
const PROSE: usize = 64 * 1024;
/// So much of a call's arguments, and of the head of a result, is looked at for names.
pub(super) const HEAD: usize = 2_048;
/// A result up to this length is looked at as a whole for what it says.
const SHORT: usize = 1_200;
/// So many lines of a result make it known again.
const LINES: usize = 4;

/// What one part holds.
#[derive(Clone, Debug, Default)]
pub struct Look {
    pub(super) stated: Stated,
    /// Of each statement what it is about.
    pub(super) gists: Vec<Vec<u32>>,
    pub(super) names: Vec<(Range<usize>, &'static str)>,
    pub(super) figures: Vec<Figure>,
    pub(super) call: Option<Call>,
    /// What a call's arguments or a short result are about.
    pub(super) gist: Vec<u32>,
    /// Of a result, its longest lines, hashed.
    pub(super) lines: Vec<u32>,
    /// Of a result: what it says of its call goes beyond what the agent marked.
    pub(super) failed: bool,
    /// The sentences of somebody's words, where all of them were looked at.
    told: Option<Vec<Told>>,
}

#[derive(Clone, Debug)]
pub(super) struct Figure {
    pub range: Range<usize>,
    pub label: String,
    pub value: String,
    pub unit: String,
}

/// Looks at a part.
pub fn look(original: &Original) -> Look {
    let language = Language::english();
    let part = original.part;
    let text = part.text.as_str();
    match &part.kind {
        PartKind::Text => match part.speaker {
            Speaker::User | Speaker::Assistant => {
                let head = &text[..text.floor_char_boundary(PROSE)];
                let look = prose(head, part.speaker, spoken(head));
                let told = look.told.filter(|_| head.len() == text.len());
                Look { told, ..look }
            }
            Speaker::Tool | Speaker::System => Look::default(),
        },
        PartKind::ToolCall { name, .. } => {
            let head = &text[..text.floor_char_boundary(HEAD)];
            let call = call(name, text);
            let names = named(head).filter(|(range, _)| !is_label(text, range)).collect();
            let mut look = Look { names, ..Look::default() };
            if writes_prose(&call, text) {
                let written = prose(&text[..text.floor_char_boundary(PROSE)], part.speaker, language);
                (look.stated, look.gists) = (written.stated, written.gists);
                look.names.extend(written.names.into_iter().filter(|(range, _)| range.start >= head.len()));
            }
            look.call = Some(call);
            look.gist = gist(&head[..head.floor_char_boundary(HEAD / 4)], language);
            look
        }
        PartKind::ToolResult { .. } => result(text, language),
        PartKind::Thinking | PartKind::Opaque { .. } => Look::default(),
    }
}

/// In which language somebody's words are read; English where they tell none whose words are known.
fn spoken(text: &str) -> &'static Language {
    // Most are, and say so at once.
    if text.is_ascii() && text.contains(" the ") {
        return Language::english();
    }
    Language::told(text).and_then(Detected::language).unwrap_or_else(Language::english)
}

impl Look {
    /// Whether a sentence of somebody's words is a question in form and an order in fact; `None` where only all of its words
    /// tell.
    pub(in super::super) fn is_request(&self, sentence: &Range<usize>) -> Option<bool> {
        let cues = &self.stated.cues;
        let (range, cues) = cues.get(cues.partition_point(|(range, _)| range.start < sentence.start))?;
        if range == sentence { cues.has_anywhere(Cue::Request) } else { None }
    }

    /// The sentences of somebody's words with what was found in them; `None` where not all of them were looked at.
    pub(in super::super) fn heard(&mut self) -> Option<Heard> {
        let (mut cues, mut gists) =
            (self.stated.cues.iter().peekable(), self.stated.statements.iter().zip(&self.gists).peekable());
        let sentence = |told: Told| {
            while cues.next_if(|(range, _)| range.start < told.range.start).is_some() {}
            while gists.next_if(|(one, _)| one.range.start < told.range.start).is_some() {}
            let cues = cues.peek().filter(|(range, _)| *range == told.range).map(|(_, cues)| *cues);
            let gist = gists.peek().filter(|(one, _)| one.range == told.range).map(|(_, gist)| (*gist).clone());
            Sentence { told, cues, gist }
        };
        Some(Heard(self.told.take()?.into_iter().map(sentence).collect()))
    }
}

/// Every name of a text: by its shape, and those of prose that a full stop joins.
pub(in super::super) fn all_names(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let all = identifiers(text, Language::english()).into_iter().map(|one| (one.range, one.class.name())).collect();
    names(text).map(|(range, _)| range).chain(joined(text, all).into_iter().map(|(range, _)| range))
}

fn prose(text: &str, speaker: Speaker, language: &Language) -> Look {
    let read = read(text, language);
    let stated = statements(text, speaker, &read, language);
    let gists = stated.statements.iter().map(|one| gist(&text[one.range.clone()], language)).collect();
    let mut look = Look { stated, gists, told: Some(read.told), ..Look::default() };
    for item in read.items {
        match (item.kind, item.figure) {
            (Kind::Entities, _) => look.names.extend(item.class.map(|class| (item.range, class))),
            // What stands in a fence is an example or code, not a figure that somebody gives.
            (Kind::Figures, Some(value)) if read.zones.at(item.range.start) != Zone::Fence => look
                .figures
                .push(Figure { range: item.range, label: value.label, value: value.value, unit: value.unit }),
            (
                Kind::Figures
                | Kind::Constraints
                | Kind::Decisions
                | Kind::Actions
                | Kind::RuledOut
                | Kind::Open
                | Kind::Hedge
                | Kind::Negation,
                _,
            ) => {}
        }
    }
    look.names = joined(text, look.names);
    look
}

/// Two names with a full stop between them are one: `orders.status`.
fn joined(text: &str, names: Vec<(Range<usize>, &'static str)>) -> Vec<(Range<usize>, &'static str)> {
    let mut found: Vec<(Range<usize>, &'static str)> = Vec::with_capacity(names.len());
    for (range, class) in names {
        match found.last_mut() {
            Some((last, same))
                if *same == class && class == "symbol" && text.get(last.end..range.start) == Some(".") =>
            {
                last.end = range.end;
            }
            Some(_) | None => found.push((range, class)),
        }
    }
    found
}

fn all_figures(text: &str, taken: &[Range<usize>], language: &Language) -> Vec<Figure> {
    let all = figures(text, taken, language).into_iter();
    all.map(|one| Figure { range: one.range, label: one.label, value: one.value, unit: one.unit }).collect()
}

fn result(text: &str, language: &Language) -> Look {
    let head = &text[..text.floor_char_boundary(HEAD)];
    let mut lines: Vec<&str> = head.lines().map(str::trim).filter(|line| line.len() >= 12).collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.len()));
    lines.truncate(LINES);
    let short = text.len() <= SHORT;
    let names: Vec<_> = named(head).collect();
    let taken: Vec<_> = names.iter().map(|(range, _)| range.clone()).collect();
    Look {
        lines: lines.into_iter().map(line_hash).collect(),
        figures: if short { all_figures(text, &taken, language) } else { Vec::new() },
        gist: if short { gist(text, language) } else { Vec::new() },
        failed: failed(text),
        names,
        ..Look::default()
    }
}

fn named(text: &str) -> impl Iterator<Item = (Range<usize>, &'static str)> + '_ {
    names(text).map(|(range, class)| (range, class.name()))
}

/// The name of an argument, before its value.
fn is_label(text: &str, range: &Range<usize>) -> bool {
    text[range.end..].starts_with(": ") && (range.start == 0 || text[..range.start].ends_with('\n'))
}

/// Of a line without its white space, so that a table that is set out anew is known again.
fn line_hash(line: &str) -> u32 {
    let bytes = line.bytes().filter(|b| !b.is_ascii_whitespace());
    bytes.fold(0x811c_9dc5_u32, |hash, b| (hash ^ u32::from(b)).wrapping_mul(0x0100_0193))
}
