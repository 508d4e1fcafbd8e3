//! Which sentences of the originals speak of what a claim says, and how much of it they hold.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use crate::record::{Manner, Passage};
use crate::session::{Hash, SourceRef, Speaker};
use crate::text::sentences;

use super::statement::Statement;

/// A sentence that holds less than this of a claim does not speak of it.
pub const ALIGNED: f32 = 0.35;
/// More text around a passage says nothing more about a claim.
const LONGEST: usize = 700;

/// One sentence of the originals.
#[derive(Debug)]
pub struct Original<'a> {
    /// The passage that it stands in.
    pub passage: &'a Passage,
    /// In bytes of what stands around the passage.
    pub range: Range<usize>,
    /// Read; claims that are tied to the same sentence share it.
    pub statement: Rc<Statement<'a>>,
    /// How much of the claim it holds, by rarity of the words, and how much of it the claim holds: both from 0 to 1.
    pub cover: f32,
    /// See `cover`.
    pub back: f32,
}

impl Original<'_> {
    /// How well it fits the claim, from 0 to 1.
    pub fn score(&self) -> f32 {
        0.75 * self.cover + 0.25 * self.back
    }

    /// Who says it.
    pub fn speaker(&self) -> Speaker {
        self.passage.source.speaker
    }

    /// Whether it is a line of a conversation that names its own speakers: who sent it says nothing about who said it.
    pub fn is_labelled(&self) -> bool {
        let text = self.statement.text;
        let label = text.find(": ").map(|at| &text[..at]).unwrap_or_default();
        !label.is_empty()
            && label.len() <= 24
            && label.split(' ').all(|word| word.chars().next().is_some_and(char::is_uppercase))
    }

    /// Whether it is told, not part of a call or its result.
    pub fn is_told(&self) -> bool {
        match self.passage.manner {
            Manner::Text | Manner::Thinking => true,
            Manner::ToolCall | Manner::ToolResult => false,
        }
    }

    /// Where it stands in the session.
    pub fn seq(&self) -> u64 {
        self.passage.source.seq.0
    }

    /// This sentence as a source.
    pub fn source(&self) -> SourceRef {
        let from = self.passage.source.range.0.saturating_sub(self.passage.at.0);
        let quote = self.passage.around[self.range.clone()].to_owned();
        SourceRef {
            range: (from + self.range.start, from + self.range.end),
            hash: Hash::of(quote.as_bytes()),
            quote,
            ..self.passage.source.clone()
        }
    }
}

/// How rare each stem is among the sentences that all claims of a record were tied to.
#[derive(Debug, Default)]
pub struct Rarity {
    seen: HashMap<String, u32>,
    sentences: u32,
}

impl Rarity {
    /// Counts the words of these sentences.
    pub fn count<'s, 't: 's>(&mut self, statements: impl Iterator<Item = &'s Statement<'t>>) {
        for statement in statements {
            self.sentences += 1;
            for stem in statement.stems() {
                match self.seen.get_mut(stem) {
                    Some(seen) => *seen += 1,
                    None => {
                        self.seen.insert(stem.to_owned(), 1);
                    }
                }
            }
        }
    }

    /// What a stem says: the rarer the more.
    pub fn of(&self, stem: &str) -> f32 {
        let seen = self.seen.get(stem).copied().unwrap_or(0);
        (1.0 + self.sentences as f32 / (1.0 + seen as f32)).ln().clamp(0.5, 5.0)
    }

    /// Whether any of the sentences has this stem.
    pub fn has(&self, stem: &str) -> bool {
        self.seen.contains_key(stem)
    }
}

/// A part, where in it something begins, and its length.
type Stretch = (u64, usize, usize);

/// What was read of the passages of one record: many of its claims are tied to the same ones.
#[derive(Debug, Default)]
pub struct Readings<'a> {
    /// Where the sentences of a passage stand in what stands around it.
    pieces: HashMap<Stretch, Rc<[Range<usize>]>>,
    /// By where each sentence stands.
    statements: HashMap<Stretch, Rc<Statement<'a>>>,
}

impl<'a> Readings<'a> {
    /// The sentences of an item's passages, none twice, in the order of the session.
    pub fn split(&mut self, passages: impl IntoIterator<Item = &'a Passage>) -> Vec<Original<'a>> {
        let mut found: Vec<Original> = Vec::new();
        let mut known = HashSet::new();
        for passage in passages {
            let seq = passage.source.seq.0;
            let from = passage.source.range.0.saturating_sub(passage.at.0);
            let key = (seq, from, passage.around.len());
            let pieces =
                self.pieces.entry(key).or_insert_with(|| pieces(&passage.around, passage.manner).into()).clone();
            for range in pieces.iter().cloned() {
                // The surroundings are cut anywhere: half a sentence at their edges says something else.
                let cut = range.start == 0 && from > 0 && range.end <= passage.at.0
                    || range.end == passage.around.len() && range.start >= passage.at.1 && !is_ended(&passage.around);
                if cut || !known.insert((seq, from + range.end)) {
                    continue;
                }
                let place = (seq, from + range.start, range.len());
                let read = || Rc::new(Statement::of(&passage.around[range.clone()]));
                let statement = Rc::clone(self.statements.entry(place).or_insert_with(read));
                found.push(Original { passage, range, statement, cover: 0.0, back: 0.0 });
            }
        }
        found.sort_by_key(|one| {
            let from = one.passage.source.range.0.saturating_sub(one.passage.at.0);
            (one.seq(), from + one.range.start)
        });
        found
    }
}

fn is_ended(text: &str) -> bool {
    text.trim_end().ends_with(['.', '!', '?', ')', '"', '`', ':'])
}

/// Sentences; where lines mean something, lines.
fn pieces(text: &str, manner: Manner) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut block: Option<Range<usize>> = None;
    let mut flush = |block: &mut Option<Range<usize>>| {
        let Some(range) = block.take() else { return };
        let inside = sentences(&text[range.clone()]);
        found.extend(inside.into_iter().map(|one| range.start + one.start..range.start + one.end));
    };
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let own = !matches!(manner, Manner::Text | Manner::Thinking) || opens(line);
        match &mut block {
            Some(open) if !own => open.end = range.end,
            Some(_) | None => {
                flush(&mut block);
                block = Some(range);
            }
        }
    }
    flush(&mut block);
    found.retain(|range| range.len() <= 4 * LONGEST);
    found
}

/// Whether this line begins something of its own: a bullet, a numbered line, a row of a table, a heading.
fn opens(line: &str) -> bool {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    line.starts_with(['-', '*', '|', '#', '>', '•']) || digits > 0 && line[digits..].starts_with(['.', ')'])
}

/// Says of each sentence how much of the claim it holds; what stands in the frame (`the user decided`) is not looked for.
pub fn weigh(claim: &Statement, frame: &[Range<usize>], originals: &mut [Original], rarity: &Rarity) {
    let told = |at: &usize| frame.iter().any(|range| range.contains(&claim.tokens[*at].range.start));
    let wanted: HashMap<&str, f32> = claim
        .content()
        .filter(|at| !told(at))
        .map(|at| claim.tokens[at].stem.as_str())
        .map(|stem| (stem, rarity.of(stem)))
        .collect();
    let all: f32 = wanted.values().sum();
    for original in originals {
        let own = || original.statement.stems();
        let whole: f32 = own().map(|stem| rarity.of(stem)).sum();
        let shared: f32 = own().filter_map(|stem| wanted.get(stem)).sum();
        original.cover = if all > 0.0 { shared / all } else { 0.0 };
        original.back = if whole > 0.0 { shared / whole } else { 0.0 };
    }
}
