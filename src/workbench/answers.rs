//! What may have settled an open item of an own record: later turns that speak of the same things. Such a record names
//! where the item was asked; where it was answered nobody noted.

use std::collections::{HashMap, HashSet};

use crate::compile::Original;
use crate::extract::{Certainty, Language, certainty, stem, words};
use crate::record::{Field, Item, Judgement, Record};
use crate::session::{Hash, PartKind, PartSeq, Ranges, SourceRef, Speaker, TurnNo};
use crate::text::sentences;

/// How many later turns an open item is given.
const LATER: usize = 3;
/// One word in common is chance, and so are few of many: one of so many must be shared.
const ENOUGH: usize = 2;
const SHARE: usize = 4;

/// The open items of some records, and what was heard about them while the originals pass.
#[derive(Default)]
pub(super) struct Answers {
    questions: Vec<Question>,
    by_stem: HashMap<Vec<u8>, Vec<usize>>,
}

/// One open item.
struct Question {
    /// Its record, by the number it was given with, and its index there.
    of: (usize, usize),
    asked: PartSeq,
    turn: TurnNo,
    reaches: Ranges,
    /// How many stems it has.
    stems: usize,
    /// The best so far, each with what ranks it.
    found: Vec<((bool, usize, PartSeq), SourceRef)>,
}

/// What a part shares with a question, and its best sentence; of equals the last, for what is meant in the end is said at
/// the end.
#[derive(Default)]
struct Heard {
    shared: HashSet<Vec<u8>>,
    most: usize,
    range: (usize, usize),
}

/// Whether later turns are looked for.
pub(super) fn is_open(item: &Item) -> bool {
    item.field == Field::Open && !item.sources.is_empty()
}

impl Answers {
    /// Listens for the open items of this record from now on.
    pub fn ask(&mut self, no: usize, record: &Record, reaches: &Ranges) {
        for (at, item) in record.items.iter().enumerate().filter(|(_, item)| is_open(item)) {
            let question = self.questions.len();
            let asked = &item.sources[0];
            let about: HashSet<_> = stems(&item.text).into_iter().chain(stems(&asked.quote)).collect();
            let count = about.len();
            for stem in about {
                self.by_stem.entry(stem).or_default().push(question);
            }
            self.questions.push(Question {
                of: (no, at),
                asked: asked.seq,
                turn: asked.turn.clone(),
                reaches: reaches.clone(),
                stems: count,
                found: Vec::new(),
            });
        }
    }

    /// The next part, in file order. Only what somebody says can answer.
    pub fn hear(&mut self, original: &Original) {
        let part = original.part;
        let is_said = part.kind == PartKind::Text && matches!(part.speaker, Speaker::User | Speaker::Assistant);
        if self.questions.is_empty() || !is_said {
            return;
        }
        let mut heard: HashMap<usize, Heard> = HashMap::new();
        for range in sentences(&part.text) {
            let sentence = &part.text[range.clone()];
            let asks = sentence.trim_end_matches(['"', '”', ')', '*', ' ', '\n']).ends_with('?');
            let mut shared: HashMap<usize, HashSet<Vec<u8>>> = HashMap::new();
            for stem in stems(sentence) {
                for question in self.by_stem.get(&stem).into_iter().flatten() {
                    shared.entry(*question).or_default().insert(stem.clone());
                }
            }
            for (question, stems) in shared {
                let heard = heard.entry(question).or_default();
                if !asks && stems.len() >= heard.most {
                    (heard.most, heard.range) = (stems.len(), (range.start, range.end));
                }
                heard.shared.extend(stems);
            }
        }
        for (question, heard) in heard {
            let question = &mut self.questions[question];
            let shared = heard.shared.len();
            let is_later = original.seq > question.asked && *original.turn != question.turn;
            let is_about_it = shared >= ENOUGH && shared * SHARE >= question.stems && heard.most > 0;
            if !is_about_it || !is_later || !question.reaches.contains(original.seq.0) {
                continue;
            }
            let rank = (part.speaker == Speaker::User, shared, original.seq);
            question.found.push((rank, source(original, heard.range)));
            question.found.sort_by(|(one, _), (other, _)| other.cmp(one));
            question.found.truncate(LATER);
        }
    }

    /// Gives the open items of this record the turns that were heard, behind where they were asked: a person's words
    /// first, then those that share most.
    pub fn add(&self, no: usize, record: &mut Record) {
        for question in self.questions.iter().filter(|question| question.of.0 == no) {
            let item = &mut record.items[question.of.1];
            for (_, source) in &question.found {
                if item.sources.iter().all(|known| known.seq != source.seq) {
                    item.sources.push(source.clone());
                }
            }
        }
    }
}

fn source(original: &Original, range: (usize, usize)) -> SourceRef {
    let quote = original.part.text[range.0..range.1].to_owned();
    SourceRef {
        turn: original.turn.clone(),
        turn_id: original.turn_id.to_owned(),
        line_id: original.line_id.map(str::to_owned),
        place: original.place,
        seq: original.seq,
        range,
        hash: Hash::of(quote.as_bytes()),
        quote,
        speaker: original.part.speaker,
    }
}

/// An open question that a turn plainly answers says so: no fault, but whoever reads it should know.
pub(super) fn note(record: &Record, judgements: &mut [Judgement], answered: impl Fn(&SourceRef) -> Option<TurnNo>) {
    let english = Language::english();
    for (item, judgement) in record.items.iter().zip(judgements) {
        let asks = item.field == Field::Open && certainty(&item.text, english).0 == Certainty::Asked;
        let asked = item.sources.first().filter(|_| asks && judgement.why.is_none());
        if let Some(turn) = asked.and_then(&answered) {
            judgement.why = Some(format!("turn {turn} seems to answer it"));
        }
    }
}

/// What a text is about, comparable between forms of a word.
fn stems(text: &str) -> HashSet<Vec<u8>> {
    let lower = words(text).into_iter().map(|word| word.lower);
    let language = Language::english();
    lower.filter(|word| language.is_content(word)).map(|word| stem(word.as_bytes()).to_vec()).collect()
}
