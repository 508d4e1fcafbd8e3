//! What was said and done, in short, so that it is known again behind a marker: calls with their outcome, and sentences
//! by what they are about. Bounded: at most [`CALLS`] calls of a few words each and [`NUMBERS`] numbers of sentences;
//! beyond that the older half is let go.

use crate::session::Speaker;
use foldhash::{HashMap, HashMapExt};

use super::call::Nature;

/// So many calls are remembered.
const CALLS: usize = 1 << 19;
/// So many numbers, over all sentences.
const NUMBERS: usize = 1 << 22;
/// So many lines of results.
const LINES: usize = 1 << 20;
/// A line that stands in more results than this is no sign of any.
const COMMON: usize = 4;
/// A word is rare when no more than one sentence in so many holds it.
const RARE: usize = 20;
/// So many places of one number are looked through.
const POSTINGS: usize = 64;

/// A call that was made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made {
    pub key: u64,
    /// Of a call that changes a file: the key of a call that reads it.
    pub read: u64,
    pub seq: u64,
    pub turn: u32,
    /// Of the call and its result.
    pub tokens: u32,
    pub nature: Nature,
    pub ok: Option<bool>,
}

/// A sentence that was said.
#[derive(Clone, Debug)]
pub(super) struct Sentence {
    pub seq: u64,
    pub turn: u32,
    pub tokens: u32,
    pub speaker: Speaker,
    pub asks: bool,
    /// It lists where something stands, and says nothing of it.
    pub lists: bool,
    pub gist: Box<[u32]>,
}

#[derive(Debug, Default)]
pub(super) struct Later {
    calls: Vec<Made>,
    /// How many calls stand before the first that is remembered.
    gone: u32,
    lines: Vec<(u32, u32)>,
    sentences: Vec<Sentence>,
    /// Where something was changed.
    writes: Vec<u64>,
    numbers: usize,
    index: Index,
}

/// Made once everything was heard.
#[derive(Debug, Default)]
struct Index {
    by_key: HashMap<u64, Vec<u32>>,
    by_line: HashMap<u32, Vec<u32>>,
    /// Where the lines of a call begin.
    lines_of: HashMap<u32, usize>,
    by_number: HashMap<u32, Vec<u32>>,
}

impl Later {
    /// Takes up a call and gives its number.
    pub fn call(&mut self, made: Made) -> u32 {
        if self.calls.len() >= CALLS {
            self.calls.drain(..CALLS / 2);
            self.gone += (CALLS / 2) as u32;
        }
        if made.nature == Nature::Write {
            self.writes.push(made.seq);
        }
        self.calls.push(made);
        self.gone + self.calls.len() as u32 - 1
    }

    pub fn made(&self, no: u32) -> Option<&Made> {
        self.calls.get(no.checked_sub(self.gone)? as usize)
    }

    pub fn made_mut(&mut self, no: u32) -> Option<&mut Made> {
        self.calls.get_mut(no.checked_sub(self.gone)? as usize)
    }

    /// The lines by which the result of a call is known again.
    pub fn lines(&mut self, call: u32, lines: &[u32]) {
        if self.lines.len() >= LINES {
            self.lines.drain(..LINES / 2);
        }
        self.lines.extend(lines.iter().map(|line| (*line, call)));
    }

    pub fn sentence(&mut self, mut sentence: Sentence) {
        sentence.gist.sort_unstable();
        self.numbers += sentence.gist.len();
        self.sentences.push(sentence);
        if self.numbers > NUMBERS {
            let gone = self.sentences.len() / 2;
            self.numbers -= self.sentences.drain(..gone).map(|one| one.gist.len()).sum::<usize>();
        }
    }

    /// Everything was heard.
    pub fn close(&mut self) {
        let Self { calls, gone, lines, sentences, index, .. } = self;
        *index = Index::default();
        for (at, made) in calls.iter().enumerate() {
            index.by_key.entry(made.key).or_default().push(*gone + at as u32);
        }
        for (at, (line, call)) in lines.iter().enumerate() {
            index.lines_of.entry(*call).or_insert(at);
            index.by_line.entry(*line).or_default().push(*call);
        }
        for (at, sentence) in sentences.iter().enumerate() {
            for number in &sentence.gist {
                index.by_number.entry(*number).or_default().push(at as u32);
            }
        }
    }

    /// The calls that do the same to the same, in order.
    pub fn same_calls(&self, key: u64) -> impl Iterator<Item = &Made> + '_ {
        self.index.by_key.get(&key).into_iter().flatten().filter_map(|no| self.made(*no))
    }

    /// The calls whose results share lines with the result of this one, in order.
    pub fn same_results(&self, call: u32) -> Vec<&Made> {
        let Some(from) = self.index.lines_of.get(&call) else { return Vec::new() };
        let of_call = self.lines[*from..].iter().take_while(|(_, of)| *of == call);
        let mut shared: HashMap<u32, u32> = HashMap::new();
        let mut own = 0;
        for (line, _) in of_call {
            let calls = self.index.by_line.get(line).map_or(&[][..], Vec::as_slice);
            // `File updated` says nothing: many results are made of such lines.
            if calls.len() > COMMON {
                continue;
            }
            own += 1;
            for other in calls.iter().filter(|other| **other != call) {
                *shared.entry(*other).or_default() += 1;
            }
        }
        let mut found: Vec<u32> =
            shared.into_iter().filter(|(_, lines)| *lines >= 3 || *lines == own).map(|(no, _)| no).collect();
        found.sort_unstable();
        found.into_iter().filter_map(|no| self.made(no)).collect()
    }

    /// Whether something was changed between two places.
    pub fn wrote(&self, behind: u64, before: u64) -> bool {
        let from = self.writes.partition_point(|seq| *seq <= behind);
        self.writes.get(from).is_some_and(|seq| *seq < before)
    }

    /// The sentences behind a place that hold some of what this is about, in order.
    pub fn said_again(&self, gist: &[u32], behind: u64) -> Vec<SaidAgain<'_>> {
        let often = |number: &u32| self.index.by_number.get(number).map_or(0, Vec::len);
        let mut rarest: Vec<u32> = gist.iter().copied().filter(|number| often(number) > 0).collect();
        rarest.sort_by_key(|number| (often(number), *number));
        let mut found: Vec<u32> = Vec::new();
        let known = self.sentences.len() / RARE;
        for number in rarest.iter().take(3).filter(|number| often(number) <= known.max(POSTINGS)) {
            let postings = self.index.by_number.get(number).map_or(&[][..], Vec::as_slice);
            let from = postings.partition_point(|at| self.sentences[*at as usize].seq <= behind);
            found.extend(postings[from..].iter().take(POSTINGS));
        }
        found.sort_unstable();
        found.dedup();
        let all = self.sentences.len().max(1) as f32;
        let weigh = |number: &u32| (1.0 + all / (1.0 + often(number) as f32)).ln();
        let rare = gist.iter().all(|number| often(number) * RARE <= self.sentences.len());
        let whole: f32 = gist.iter().map(weigh).sum();
        found
            .into_iter()
            .map(|at| &self.sentences[at as usize])
            .map(|sentence| {
                let shared = || gist.iter().filter(|number| sentence.gist.binary_search(number).is_ok());
                let (count, weight) = (shared().count(), shared().map(weigh).sum::<f32>());
                SaidAgain {
                    sentence,
                    shared: count,
                    share: if whole > 0.0 { weight / whole } else { 0.0 },
                    rare,
                    density: count as f32 / sentence.gist.len().max(1) as f32,
                }
            })
            .collect()
    }
}

/// A sentence that holds some of what was said before.
pub(super) struct SaidAgain<'a> {
    pub sentence: &'a Sentence,
    /// How many of its words.
    pub shared: usize,
    /// Their share of what was said before, by the rarity of the words.
    pub share: f32,
    /// Their share of the sentence itself.
    pub density: f32,
    /// Each of its words is rare.
    pub rare: bool,
}
