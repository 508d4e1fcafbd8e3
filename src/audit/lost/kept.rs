//! Whether a record holds a fact in any form: the name byte for byte, the figure with its label, most of the words.

use foldhash::{HashMap, HashSet};

use super::super::likeness::{Brief, stems};
use super::rank::said;
use crate::extract::{Language, gist};
use crate::record::{Detail, Fact, Field, Finding, Record};
use crate::session::SourceRef;
use crate::text::sentences;

/// So much of what a statement is about stands side by side in a record that keeps it.
const KEPT: f32 = 0.5;
/// So much of it stands in a claim that names it as its source.
const CITED: f32 = 0.25;
/// So much of it stands in what turns it round.
const TURNED: f32 = 0.5;
/// So much of the label of a figure stands beside its value.
const LABEL: f32 = 0.5;

/// What a record holds, made ready to be asked.
pub(super) struct Kept {
    /// Everything in lower case, one space between two words.
    lower: String,
    /// What an own record names as sources of its claims: by the part, the bytes and what the claim is about.
    cited: HashMap<u64, Vec<Cited>>,
    /// What the record says otherwise than it was said, the same way.
    turned: HashMap<u64, Vec<Cited>>,
    /// Lines and sentences, by what they are about.
    units: Vec<HashSet<u32>>,
    /// Number to the units that hold it.
    by_number: HashMap<u32, Vec<usize>>,
    /// What an own record lists as names and figures: it stands beside each of its claims.
    listed: HashSet<u32>,
    /// Its claims, each whole.
    brief: Brief,
    /// The single digits.
    digits: Vec<u32>,
}

/// Bytes that a claim names as its source, and what it is about.
struct Cited {
    range: (usize, usize),
    about: Vec<u32>,
}

/// What statements are about, by their words: the same ones are asked for at marker after marker.
#[derive(Debug, Default)]
pub struct Gists {
    known: HashMap<String, About>,
}

/// What a statement is about.
#[derive(Debug)]
struct About {
    gist: Vec<u32>,
    stems: Vec<String>,
}

/// So many are kept.
const KNOWN: usize = 20_000;

impl Gists {
    fn of(&mut self, text: &str) -> &About {
        if self.known.len() >= KNOWN {
            self.known.clear();
        }
        if !self.known.contains_key(text) {
            let about = About { gist: gist(text, Language::english()), stems: stems(text) };
            self.known.insert(text.to_owned(), about);
        }
        &self.known[text]
    }
}

impl Kept {
    /// Of a record, the prose that stands beside it, where that is not what it was lifted from, and what was found in it.
    pub fn of(record: &Record, beside: &str, findings: &[Finding]) -> Self {
        let prose = if record.summary.is_empty() { beside } else { &record.summary };
        let mut kept = Self {
            lower: squeezed(prose),
            cited: HashMap::default(),
            turned: HashMap::default(),
            units: Vec::new(),
            by_number: HashMap::default(),
            listed: HashSet::default(),
            brief: Brief::default(),
            digits: gist("0 2 3 4 5 6 7 8 9 1", Language::english()),
        };
        for (at, item) in record.items.iter().enumerate().filter(|(_, item)| item.field.is_claim()) {
            kept.brief.add(at, item.field, &stems(&item.text));
        }
        for finding in findings.iter().filter(|one| one.kind.is_accusing()) {
            let sources = finding.sources.iter();
            sources.for_each(|source| cite(&mut kept.turned, source, &finding.text));
        }
        for line in prose.lines().map(unnumbered) {
            for range in sentences(line) {
                kept.add(&line[range]);
            }
        }
        if record.summary.is_empty() {
            for item in &record.items {
                if item.field.is_claim() {
                    item.sources.iter().for_each(|source| cite(&mut kept.cited, source, &item.text));
                }
                kept.lower.push_str(&squeezed(&item.text));
                kept.add(&item.text);
                if !item.field.is_claim() {
                    kept.listed.extend(gist(&item.text, Language::english()));
                }
            }
        }
        kept
    }

    fn add(&mut self, text: &str) {
        let no = self.units.len();
        let about = gist(text, Language::english());
        for number in &about {
            self.by_number.entry(*number).or_default().push(no);
        }
        self.units.push(about.into_iter().collect());
    }

    /// Whether the record holds this, or holds it wrongly.
    pub fn holds(&self, fact: &Fact, gists: &mut Gists) -> bool {
        let text = &fact.item.text;
        if self.turns(fact, gists) {
            return true;
        }
        match (&fact.item.detail, fact.item.field) {
            (Detail::Figure { label, value, unit }, _) => self.holds_figure(label, value, unit),
            (_, Field::Entities) => self.holds_name(text),
            // A path is a name; a command with its words is none.
            (Detail::Action { args, .. }, _) => {
                !args.contains(char::is_whitespace) && self.holds_name(args) || self.cover(&gists.of(args).gist) >= KEPT
            }
            (Detail::Plain | Detail::Entity { .. } | Detail::RuledOut { .. }, _) => {
                if self.quotes(text) || self.cites(fact, gists) {
                    return true;
                }
                let about = gists.of(&said(fact));
                self.cover(&about.gist) >= KEPT || self.brief.find(fact.item.field, &about.stems).is_some()
            }
        }
    }

    /// Whether it stands there word for word.
    fn quotes(&self, text: &str) -> bool {
        let said = squeezed(text);
        let bare = said.trim_matches(|c: char| !c.is_alphanumeric());
        bare.contains(' ') && stands(&self.lower, bare)
    }

    /// Whether a claim that is about some of this names these words, and not much else, as what it rests on: it says them in
    /// its own.
    fn cites(&self, fact: &Fact, gists: &mut Gists) -> bool {
        let Some(source) = fact.item.sources.first() else { return false };
        let Some(cited) = self.cited.get(&source.seq.0) else { return false };
        let (start, end) = source.range;
        let gist = &gists.of(&said(fact)).gist;
        cited.iter().any(|Cited { range: (from, to), about }| {
            let shared = end.min(*to).saturating_sub(start.max(*from));
            let told = gist.iter().filter(|number| about.contains(number)).count();
            shared * 2 >= to - from && shared * 2 >= end - start && told as f32 >= CITED * gist.len() as f32
        })
    }

    /// Whether something that was found wrong is about some of this and is shown by most of these words: that is told there.
    fn turns(&self, fact: &Fact, gists: &mut Gists) -> bool {
        let Some(source) = fact.item.sources.first() else { return false };
        let Some(turned) = self.turned.get(&source.seq.0) else { return false };
        let (start, end) = source.range;
        let gist = &gists.of(&said(fact)).gist;
        turned.iter().any(|Cited { range: (from, to), about }| {
            let shared = end.min(*to).saturating_sub(start.max(*from));
            let told = gist.iter().filter(|number| about.contains(number)).count();
            shared * 2 >= end - start && told as f32 >= TURNED * gist.len() as f32
        })
    }

    /// Byte for byte, letter case apart; of a path its last name is enough, of a dotted name its last part.
    fn holds_name(&self, name: &str) -> bool {
        let lower = squeezed(name);
        let lower = lower.trim_end();
        let bare = lower.trim_matches(['`', '"', '\'']);
        let last = bare.trim_end_matches('/').rsplit('/').next().unwrap_or(bare);
        let last = if last.len() >= 5 { last } else { bare };
        let plain = last.split(':').next().filter(|plain| plain.len() >= 5).unwrap_or(last);
        stands(&self.lower, plain)
    }

    fn holds_figure(&self, label: &str, value: &str, unit: &str) -> bool {
        let language = Language::english();
        let numbers = gist(value, language);
        let about = gist(label, language);
        let held = numbers.iter().all(|number| self.by_number.contains_key(number));
        if !held || numbers.is_empty() {
            return stands(&self.lower, &value.to_lowercase()) && value.len() > 2;
        }
        // A number of many digits is the same number wherever it stands.
        if value.bytes().filter(u8::is_ascii_digit).count() > 3 {
            return true;
        }
        let near = |no: &usize| {
            let unit_held = unit.is_empty() || gist(unit, language).iter().all(|one| self.units[*no].contains(one));
            let labelled = about.iter().filter(|one| self.units[*no].contains(one)).count();
            if about.is_empty() { unit_held } else { labelled as f32 >= LABEL * about.len() as f32 }
        };
        self.by_number.get(&numbers[0]).into_iter().flatten().any(near)
    }

    /// The largest share of this that two neighbouring units hold, by the rarity of its words in the record: words that
    /// stand everywhere in it show little.
    fn cover(&self, about: &[u32]) -> f32 {
        let all = self.units.len() as f32;
        let (mut whole, mut listed) = (0.0, 0.0);
        // By unit: what it and the one before it hold together.
        let mut shared = vec![0.0_f32; self.units.len() + 1];
        for number in about {
            let units = self.by_number.get(number).map_or(&[][..], Vec::as_slice);
            // A single digit stands beside anything.
            let share = if self.digits.contains(number) { 0.4 } else { 1.0 };
            let weight = (1.0 + all / (1.0 + units.len() as f32)).ln() * share;
            whole += weight;
            if self.listed.contains(number) {
                listed += weight;
                continue;
            }
            let mut next = 0;
            for no in units {
                for sum in &mut shared[next.max(*no)..no + 2] {
                    *sum += weight;
                }
                next = no + 2;
            }
        }
        if whole <= 0.0 {
            return 1.0;
        }
        (listed + shared.into_iter().fold(0.0, f32::max)) / whole
    }
}

/// Notes that words about this rest on a source.
fn cite(cited: &mut HashMap<u64, Vec<Cited>>, source: &SourceRef, text: &str) {
    let about = gist(text, Language::english());
    cited.entry(source.seq.0).or_default().push(Cited { range: source.range, about });
}

/// In lower case, one space in the place of any white space, one at the end.
fn squeezed(text: &str) -> String {
    let mut squeezed = String::with_capacity(text.len() + 1);
    for word in text.split_whitespace() {
        squeezed.extend(word.chars().flat_map(char::to_lowercase));
        squeezed.push(' ');
    }
    squeezed
}

/// A line without the number that lists it: `7. Pending` says nothing of seven.
fn unnumbered(line: &str) -> &str {
    let bare = line.trim_start();
    let rest = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.strip_prefix(['.', ')']).filter(|_| rest.len() < bare.len()).unwrap_or(bare)
}

/// Whether `name` stands in `text` and is no part of a longer word.
fn stands(text: &str, name: &str) -> bool {
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    !name.is_empty()
        && memchr::memmem::find_iter(text.as_bytes(), name)
            .any(|at| !joins(text[..at].chars().next_back()) && !joins(text[at + name.len()..].chars().next()))
}
