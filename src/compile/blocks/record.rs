//! The record of one run of turns: its parts pass once, in file order, under a permit of the gate. Every call is there with
//! what it was given, byte for byte; the values that were used stand first among names and figures; then comes what
//! [`Gather`] finds, and last what short results gave under names. What a long result alone says, and nobody took up, is in
//! no record.

use foldhash::{HashMap, HashMapExt, HashSet};

use super::super::gate::Permit;
use super::super::gather::{Gather, Look, compiled, look};
use super::super::heard::Heard;
use super::super::tie::Original;
use super::answers::{Answer, answers};
use super::used::{Said, used};
use crate::extract::{Language, words};
use crate::record::{Detail, Field, Item, Record, Verdict};
use crate::session::{FileNo, Hash, PartKind, SourceRef, Speaker};
use crate::text::sentences;

/// So much of what a call is about is quoted.
const QUOTE: usize = 120;
/// Longer arguments are kept as far as this.
const ARGS: usize = 16 << 10;
/// Nobody types more at once.
const TYPED: usize = 16 << 10;
/// A longer sentence is no request but a text that was pasted.
const SENTENCE: usize = 600;

/// A value that a call was given.
struct Value {
    item: Item,
    times: u32,
    last: usize,
}

/// A record in the making. Nothing goes into it but originals that its permit names.
pub struct Recording {
    permit: Permit,
    gather: Gather,
    said: Said,
    actions: Vec<Item>,
    /// The calls that wait for their results.
    open: HashMap<String, usize>,
    values: HashMap<String, usize>,
    used: Vec<Value>,
    /// What short results gave.
    answers: Vec<Item>,
    /// What a person asked to be done; whether it was, is not for a record of these turns to say.
    requests: Vec<Item>,
}

impl Recording {
    /// Nothing yet. What may be read for it is what the permit says.
    pub fn new(permit: Permit) -> Self {
        Self {
            gather: Gather::over(permit.originals().iter().cloned().collect()),
            permit,
            said: Said::default(),
            actions: Vec::new(),
            open: HashMap::new(),
            values: HashMap::new(),
            used: Vec::new(),
            answers: Vec::new(),
            requests: Vec::new(),
        }
    }

    /// The next part, in file order; of a call what it was given, as JSON. Without that its text stands for it. One that
    /// the permit does not name is not read. Gives what was found in the sentences of somebody's words; `None` where not all
    /// of them were looked at.
    pub fn add(&mut self, original: &Original, args: Option<&str>) -> Option<Heard> {
        // What a sub-agent says stands in no record of the session itself.
        let own = original.turn.0.len() == 1 && original.place.file == FileNo(0);
        if !own || !self.permit.holds(original.seq.0) {
            return None;
        }
        let part = original.part;
        let mut look = look(original);
        match &part.kind {
            PartKind::Text if matches!(part.speaker, Speaker::User | Speaker::Assistant) => {
                self.said.hear(&part.text, part.speaker == Speaker::User);
                if part.speaker == Speaker::User {
                    self.asked(original, &look);
                }
            }
            PartKind::ToolCall { id, name } => self.call(id.as_deref(), name, args, original),
            PartKind::ToolResult { id, ok } => {
                let call = id.as_ref().and_then(|id| self.open.remove(id)).and_then(|at| self.actions.get_mut(at));
                if let Some(Detail::Action { ok: known, .. }) = call.map(|item| &mut item.detail) {
                    *known = Some(*ok);
                }
                self.answers.extend(answers(&part.text).into_iter().map(|answer| answered(original, answer)));
            }
            PartKind::Text | PartKind::Thinking | PartKind::Opaque { .. } => {}
        }
        let heard = look.heard();
        self.gather.add(original, look);
        heard
    }

    fn asked(&mut self, original: &Original, look: &Look) {
        let text = &original.part.text[..original.part.text.floor_char_boundary(TYPED)];
        for range in sentences(text) {
            let said = &text[range.clone()];
            let is_request = || {
                let known = look.is_request(&range);
                known.unwrap_or_else(|| Language::english().requests.find(&words(said)).is_some())
            };
            if said.len() <= SENTENCE && is_request() {
                let source = Some(source(original, range.start, said));
                self.requests.push(item(Field::Open, said.to_owned(), Detail::Plain, source));
            }
        }
    }

    fn call(&mut self, id: Option<&str>, tool: &str, args: Option<&str>, original: &Original) {
        let text = original.part.text.as_str();
        let line = text.lines().next().unwrap_or_default();
        let quote = &line[..line.floor_char_boundary(QUOTE)];
        let given = args.unwrap_or(text);
        let kept = &given[..given.floor_char_boundary(ARGS)];
        let args =
            if kept.len() < given.len() { format!("{kept}… ({} bytes)", given.len()) } else { kept.to_owned() };
        let detail = Detail::Action { tool: tool.to_owned(), args, ok: None };
        let said = if quote.is_empty() { tool.to_owned() } else { format!("{tool} {quote}") };
        // Of a call without a word its place is cited: no byte of it.
        self.actions.push(item(Field::Actions, said, detail, Some(source(original, 0, quote))));
        if let Some(id) = id {
            self.open.insert(id.to_owned(), self.actions.len() - 1);
        }
        for value in used(kept) {
            let Some(at) = text.find(&value.value) else { continue };
            let no = self.actions.len();
            if let Some(known) = self.values.get(&value.value).and_then(|known| self.used.get_mut(*known)) {
                (known.times, known.last) = (known.times + 1, no);
                continue;
            }
            let source = Some(source(original, at, &value.value));
            let item = if value.number {
                let detail = Detail::Figure { label: value.label, value: value.value.clone(), unit: String::new() };
                item(Field::Figures, value.value.clone(), detail, source)
            } else {
                item(Field::Entities, value.value.clone(), Detail::Entity { class: "id".to_owned() }, source)
            };
            self.values.insert(value.value, self.used.len());
            self.used.push(Value { item, times: 1, last: no });
        }
    }

    /// The record of what passed, and its generation. Names and figures stand most needed first: what a person said and a
    /// call used, then what the agent said and a call used, then the rest.
    pub fn finish(mut self) -> (Record, u32) {
        self.gather.close();
        let said = &self.said;
        self.used.sort_by_key(|value| {
            let rank = said.rank(&value.item.text);
            std::cmp::Reverse((rank, value.times, value.last))
        });
        let mut items: Vec<Item> = self.used.into_iter().map(|value| value.item).collect();
        let known: HashSet<(Field, String)> = items.iter().map(|item| (item.field, item.text.clone())).collect();
        let gathered = compiled(self.gather.facts(0)).items.into_iter();
        items.extend(gathered.filter(|item| {
            let made_here = matches!(item.field, Field::Narrative | Field::Actions);
            !made_here && !known.contains(&(item.field, item.text.clone()))
        }));
        let mut known: HashSet<(Field, String)> = items.iter().map(|item| (item.field, item.text.clone())).collect();
        items.extend(self.answers.into_iter().filter(|item| known.insert((item.field, item.text.clone()))));
        let stands: HashSet<String> = items.iter().map(|item| item.text.clone()).collect();
        items.extend(self.requests.into_iter().filter(|item| !stands.contains(&item.text)));
        items.extend(self.actions);
        items.sort_by_key(|item| item.field);
        (Record { items, summary: String::new(), rules: 0 }, self.permit.generation())
    }
}

/// What a result gave under a name.
fn answered(original: &Original, Answer { label, range, figure }: Answer) -> Item {
    let quote = &original.part.text[range.clone()];
    let source = Some(source(original, range.start, quote));
    match figure {
        Some((value, unit)) => {
            let said = format!("{label}: {value} {unit}").trim_end().to_owned();
            item(Field::Figures, said, Detail::Figure { label, value, unit }, source)
        }
        None => item(Field::Entities, quote.to_owned(), Detail::Entity { class: "id".to_owned() }, source),
    }
}

fn item(field: Field, text: String, detail: Detail, source: Option<SourceRef>) -> Item {
    Item {
        field,
        text,
        range: None,
        detail,
        sources: source.into_iter().collect(),
        verdict: Verdict::Verified,
        why: None,
        better: None,
        own: None,
    }
}

fn source(original: &Original, at: usize, quote: &str) -> SourceRef {
    SourceRef {
        turn: original.turn.clone(),
        turn_id: original.turn_id.to_owned(),
        line_id: original.line_id.map(str::to_owned),
        place: original.place,
        seq: original.seq,
        range: (at, at + quote.len()),
        quote: quote.to_owned(),
        hash: Hash::of(quote.as_bytes()),
        speaker: original.part.speaker,
    }
}
