//! Turns to the compiled record of every marker: the originals pass once, in file order, and what they hold is gathered
//! as they pass. No summary is read and no model is asked.
//!
//! What people and the agent say in words, and short results, are looked at with care. Of calls the first 2 kB and of
//! long results the first 2 kB are looked at for names, and a name that stands nowhere but in results is kept only once
//! a call or somebody's words use it.
//!
//! What is kept is bounded (see `thing`, `later` and `young`): it does not grow with the session beyond that.

mod acted;
mod again;
mod answered;
mod call;
mod facts;
mod later;
mod look;
mod named;
mod names;
mod run_on;
mod said;
mod shell;
mod statement;
mod thing;
mod units;
mod young;

#[cfg(test)]
mod again_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod world;

use std::collections::VecDeque;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt};

use crate::session::{Compaction, FileNo, PartKind, Ranges};

use super::tie::Original;
use later::{Later, Made};
use thing::{Held, Things, Where, Words};
use young::Young;

pub use facts::compiled;
pub(super) use look::all_names;
pub use look::{Look, look};

/// So many of the last calls may show what is said after them.
const RECENT: usize = 12;
/// Of the commits that a result lists the first so many are taken up.
const LISTED: usize = 4;
/// Quotes are no longer than this where their line is.
const QUOTE: usize = 400;

/// One marker, waiting for everything before it.
struct Mark {
    offset: u64,
    covered: Ranges,
    reaches: Ranges,
    /// The last sequence before it.
    end: u64,
    /// So many bytes of words were said since the marker before.
    prose: usize,
    held: Vec<Held>,
}

impl Mark {
    fn at(offset: u64, covered: Ranges, reaches: Ranges) -> Self {
        Self { offset, covered, reaches, end: 0, prose: 0, held: Vec::new() }
    }
}

/// What the originals hold, while they pass and behind it.
pub struct Gather {
    marks: Vec<Mark>,
    /// How many markers have passed.
    period: usize,
    now: u64,
    prose: usize,
    things: Things,
    young: Young,
    later: Later,
    acts: acted::Acts,
    /// Calls without a result, by their ids.
    open: HashMap<String, u32>,
    /// The call whose result is at hand.
    answers: Option<u32>,
    /// The last call, for a result that names none.
    last: Option<u32>,
    /// What the results since the person's last words are about.
    recent: VecDeque<(u32, Vec<u32>)>,
    said: said::Talk,
    answered: answered::Answered,
    closed: bool,
}

impl Gather {
    /// Begins with the markers, in the order of their numbers.
    pub fn new<'a>(compactions: impl IntoIterator<Item = &'a Compaction>) -> Self {
        let mut covered = Ranges::default();
        let mark = |compaction: &Compaction| {
            covered.extend(&compaction.covers);
            Mark::at(compaction.place.offset, covered.clone(), compaction.reaches.clone())
        };
        Self::of(compactions.into_iter().map(mark).collect())
    }

    /// What these parts hold, whatever compactions there are: as if one marker stood behind everything.
    pub fn over(parts: Ranges) -> Self {
        Self::of(vec![Mark::at(u64::MAX, parts.clone(), parts)])
    }

    fn of(marks: Vec<Mark>) -> Self {
        Self {
            marks,
            period: 0,
            now: 0,
            prose: 0,
            things: Things::default(),
            young: Young::default(),
            later: Later::default(),
            acts: acted::Acts::default(),
            open: HashMap::new(),
            answers: None,
            last: None,
            recent: VecDeque::new(),
            said: said::Talk::default(),
            answered: answered::Answered::default(),
            closed: false,
        }
    }

    /// The next part, in file order, with what was seen in it.
    pub fn add(&mut self, original: &Original, look: Look) {
        // What a sub-agent says stands in no record of the session itself.
        let &[turn] = original.turn.0.as_slice() else { return };
        if original.place.file != FileNo(0) {
            return;
        }
        self.reach(original.place.offset);
        self.closed = false;
        self.now = original.seq.0;
        let at = Arc::new(Where {
            place: original.place,
            seq: original.seq.0,
            turn,
            turn_id: original.turn_id.to_owned(),
            line_id: original.line_id.map(str::to_owned),
            speaker: original.part.speaker,
        });
        let text = original.part.text.as_str();
        match &original.part.kind {
            PartKind::Text => self.words(text, &at, look),
            PartKind::ToolCall { id, .. } => self.call(id.as_deref(), text, &at, look),
            PartKind::ToolResult { id, ok } => self.result(id.as_deref(), *ok, text, &at, look),
            PartKind::Thinking | PartKind::Opaque { .. } => {}
        }
    }

    /// Everything before this place in the session's own file has passed.
    pub fn reach(&mut self, place: u64) {
        while self.marks.get(self.period).is_some_and(|mark| mark.offset <= place) {
            self.pass();
        }
    }

    /// Everything has passed, for now: what is added later is known behind the next call.
    pub fn close(&mut self) {
        self.reach(u64::MAX);
        if !self.closed {
            self.later.close();
            self.closed = true;
        }
    }

    /// A marker passes: what its record holds is settled.
    fn pass(&mut self) {
        let count = self.marks.len();
        let mark = &mut self.marks[self.period];
        mark.end = self.now;
        mark.prose = std::mem::take(&mut self.prose);
        let reaches = &mark.reaches;
        mark.held = self.things.held(self.now, count, &|seq| reaches.contains(seq));
        self.period += 1;
    }

    fn call(&mut self, id: Option<&str>, text: &str, at: &Arc<Where>, look: Look) {
        let Look { call, stated, gists, names, gist, .. } = look;
        let Some(call) = &call else { return };
        let made = Made {
            key: call.key,
            read: call::read_key(&text[call.target.clone()]),
            seq: at.seq,
            turn: at.turn,
            tokens: tokens(text),
            nature: call.nature,
            ok: None,
        };
        let no = self.later.call(made);
        if let Some(id) = id {
            self.open.insert(id.to_owned(), no);
        }
        self.last = Some(no);
        self.answers = Some(no);
        self.acts.add(call, text, at, &gist);
        self.action(no, call, text, at);
        for (range, class) in names {
            // What stands further down in a document is said in it, not used by the call.
            let origin = if range.start < look::HEAD { named::Origin::Call } else { named::Origin::Agent };
            self.name(text, range, class, at, origin);
        }
        self.prose += if stated.statements.is_empty() { 0 } else { text.len() };
        for (statement, gist) in stated.statements.iter().zip(gists) {
            self.statement(text, statement, gist, at, false);
        }
    }

    fn result(&mut self, id: Option<&str>, ok: bool, text: &str, at: &Arc<Where>, look: Look) {
        let call = match id {
            Some(id) => self.open.remove(id),
            None => self.last,
        };
        self.answers = call;
        let mut listed = 0;
        for (range, class) in &look.names {
            let lists = *class == "hash" && listed < LISTED && is_listed(text, range);
            listed += usize::from(lists);
            let origin = if lists { named::Origin::List } else { named::Origin::Result };
            self.name(text, range.clone(), class, at, origin);
        }
        self.figures(text, &look.figures, at, 0.3);
        if let Some(no) = call {
            if let Some(made) = self.later.made_mut(no) {
                made.ok = Some(ok && !look.failed);
                made.tokens = made.tokens.saturating_add(tokens(text));
            }
            self.settle_action(no, ok && !look.failed);
            self.later.lines(no, &look.lines);
            if !look.gist.is_empty() {
                self.recent.push_back((no, look.gist.clone()));
                if self.recent.len() > RECENT {
                    self.recent.pop_front();
                }
            }
        }
        if !look.gist.is_empty() {
            self.later.sentence(later::Sentence {
                seq: at.seq,
                turn: at.turn,
                tokens: tokens(text),
                speaker: at.speaker,
                asks: false,
                lists: lists_places(text),
                gist: look.gist.into_boxed_slice(),
            });
        }
    }
}

/// Whether a name begins its line and words follow it, as a commit in a log.
fn is_listed(text: &str, range: &std::ops::Range<usize>) -> bool {
    let begins = range.start == 0 || text[..range.start].ends_with('\n');
    let words = text[range.end..].strip_prefix(' ').and_then(|rest| rest.split_whitespace().next());
    begins && range.len() <= 12 && words.is_some_and(|word| word.chars().any(char::is_alphabetic))
}

/// So many lines show what a result is made of.
const SEEN: usize = 20;

/// Whether most lines of a result begin with a path: it lists where something stands, as a search for files does.
fn lists_places(text: &str) -> bool {
    let begins = |line: &str| line.split([':', ' ', '\t']).next().is_some_and(|first| first.contains(['/', '\\']));
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(SEEN).collect();
    lines.iter().filter(|line| begins(line.trim_start())).count() * 2 > lines.len()
}

/// Four bytes a token.
fn tokens(text: &str) -> u32 {
    u32::try_from(text.len() / 4).unwrap_or(u32::MAX)
}

/// The line around a range, without the white space around it; the range alone where the line is too long.
fn line(text: &str, range: std::ops::Range<usize>, at: &Arc<Where>) -> Words {
    let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |len| range.end + len);
    let whole = &text[start..end];
    let lead = whole.len() - whole.trim_start().len();
    let (from, to) = (start + lead, start + lead + whole.trim().len());
    let (from, to) = if to - from > QUOTE { (range.start, range.end) } else { (from, to) };
    Words { at: at.clone(), range: (from, to), quote: text[from..to].to_owned() }
}
