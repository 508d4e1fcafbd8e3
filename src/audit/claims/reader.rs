//! What was read of sentences and claims: records repeat each other, and claims are tied to the same sentences, so that
//! each is read once. Nothing that is found depends on what is kept here.

use std::ops::Range;
use std::rc::Rc;

use crate::extract::Language;
use crate::record::{Manner, Passage};
use crate::text::sentences;

use super::aged::Aged;
use super::alignment::Original;
use super::attribution::{Attribution, attributions};
use super::statement::Statement;
use super::terms::Terms;

/// More text around a passage says nothing more about a claim.
const LONGEST: usize = 700;
/// So many sentences are remembered from each of two ages.
const MOST: usize = 8_000;
/// Beyond so many words everything is read anew.
const WORDS: usize = 200_000;

/// A part, where in it something begins, and its length.
type Stretch = (u64, usize, usize);

/// A sentence of a passage: where it stands in what stands around the passage.
type Piece = (Range<usize>, Rc<Statement>);

/// One claim, read.
#[derive(Debug)]
pub struct Claim {
    /// The claim as a sentence.
    pub statement: Statement,
    /// Who is said in it to have said something.
    pub said: Vec<Attribution>,
    /// Its words that say who said it and that it was settled, not what.
    pub frame: Vec<Range<usize>>,
}

/// Reads, and remembers what was read.
#[derive(Debug, Default)]
pub struct Reader {
    terms: Rc<Terms>,
    pieces: Aged<Stretch, Rc<[Piece]>>,
    /// By where each sentence stands.
    statements: Aged<Stretch, Rc<Statement>>,
    claims: Aged<String, Rc<Claim>>,
}

impl Reader {
    /// The words of everything that was read.
    pub fn terms(&self) -> Rc<Terms> {
        Rc::clone(&self.terms)
    }

    /// Forgets what is too much to keep; what was read before may not be compared with what is read behind it.
    pub fn rest(&mut self) {
        if self.terms.len() > WORDS {
            *self = Self::default();
        }
        if self.statements.len() + self.claims.len() > MOST {
            self.pieces.age();
            self.statements.age();
            self.claims.age();
        }
    }

    /// A claim.
    pub fn claim(&mut self, text: &str) -> Rc<Claim> {
        self.claims.get_or(text, || {
            let statement = Statement::of(text, &self.terms);
            let said = attributions(&statement);
            Rc::new(Claim { frame: frame(&statement, &said), statement, said })
        })
    }

    /// The sentences of an item's passages, none twice, in the order of the session.
    pub fn split<'a>(&mut self, passages: impl IntoIterator<Item = &'a Passage>) -> Vec<Original<'a>> {
        let mut found: Vec<Original> = Vec::new();
        for passage in passages {
            let around = &passage.around;
            let from = passage.from();
            for (range, statement) in self.pieces(passage, from).iter() {
                // The surroundings are cut anywhere: half a sentence at their edges says something else.
                let cut = range.start == 0 && from > 0 && range.end <= passage.at.0
                    || range.end == around.len() && range.start >= passage.at.1 && !is_ended(around);
                if !cut {
                    let (range, statement) = (range.clone(), Rc::clone(statement));
                    found.push(Original { passage, range, statement, cover: 0.0, back: 0.0 });
                }
            }
        }
        // Of two that end at one place the first counts.
        found.sort_by_key(|one| (one.seq(), one.from() + one.range.end));
        found.dedup_by_key(|one| (one.seq(), one.from() + one.range.end));
        found.sort_by_key(|one| (one.seq(), one.from() + one.range.start));
        found
    }

    fn pieces(&mut self, passage: &Passage, from: usize) -> Rc<[Piece]> {
        let seq = passage.origin.seq.0;
        let Self { terms, pieces, statements, .. } = self;
        pieces.get_or(&(seq, from, passage.around.len()), || {
            let all = cut(&passage.around, passage.origin.manner).into_iter().map(|range| {
                let read = || Rc::new(Statement::of(&passage.around[range.clone()], terms));
                (range.clone(), statements.get_or(&(seq, from + range.start, range.len()), read))
            });
            all.collect()
        })
    }
}

/// The words of a claim that say who said it and that it was settled, not what.
fn frame(claim: &Statement, said: &[Attribution]) -> Vec<Range<usize>> {
    let heard = claim.words();
    let decisions = &Language::english().decisions;
    let settled = (0..heard.len())
        .filter_map(|at| decisions.at(heard, at).map(|end| heard[at].range.start..heard[end - 1].range.end));
    said.iter().map(|one| one.cue.clone()).chain(settled).collect()
}

fn is_ended(text: &str) -> bool {
    text.trim_end().ends_with(['.', '!', '?', ')', '"', '`', ':'])
}

/// Sentences; where lines mean something, lines.
fn cut(text: &str, manner: Manner) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut block: Option<Range<usize>> = None;
    let mut flush = |block: &mut Option<Range<usize>>| {
        let Some(range) = block.take() else { return };
        let inside = sentences(&text[range.clone()]);
        found.extend(inside.into_iter().map(|one| range.start + one.start..range.start + one.end));
    };
    let mut edge = false;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        // What stands before the edge of a fence is no sentence with what stands behind it.
        let behind = std::mem::replace(&mut edge, is_edge(line));
        let own = behind || edge || !matches!(manner, Manner::Text | Manner::Thinking) || opens(line);
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

/// Whether this line opens or closes a fence, or what a harness put in: `<some-tag>`.
fn is_edge(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("```") || line.starts_with("~~~") || line.starts_with('<') && line.ends_with('>')
}

/// Whether this line begins something of its own: a bullet, a numbered line, a row of a table, a heading.
fn opens(line: &str) -> bool {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    line.starts_with(['-', '*', '|', '#', '>', '•']) || digits > 0 && line[digits..].starts_with(['.', ')'])
}
