//! Whether a record holds a fact in any form: the name byte for byte, the figure with its label, most of the words.

use std::collections::{HashMap, HashSet};

use crate::extract::{Language, gist};
use crate::record::{Detail, Fact, Field, Record};
use crate::text::sentences;

/// So much of what a statement is about stands side by side in a record that keeps it.
const KEPT: f32 = 0.5;
/// So much of the label of a figure stands beside its value.
const LABEL: f32 = 0.5;

/// What a record holds, made ready to be asked.
pub(super) struct Kept {
    /// Everything in lower case.
    lower: String,
    /// Lines and sentences, by what they are about.
    units: Vec<HashSet<u32>>,
    /// Number to the units that hold it.
    by_number: HashMap<u32, Vec<usize>>,
}

impl Kept {
    pub fn of(record: &Record) -> Self {
        let mut kept = Self { lower: record.summary.to_lowercase(), units: Vec::new(), by_number: HashMap::new() };
        for line in record.summary.lines() {
            sentences(line).into_iter().for_each(|range| kept.add(&line[range]));
        }
        if record.summary.is_empty() {
            for item in &record.items {
                kept.lower.push_str(&item.text.to_lowercase());
                kept.lower.push('\n');
                kept.add(&item.text);
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

    /// Whether the record holds this.
    pub fn holds(&self, fact: &Fact) -> bool {
        let text = &fact.item.text;
        match (&fact.item.detail, fact.item.field) {
            (Detail::Figure { label, value, unit }, _) => self.holds_figure(label, value, unit),
            (_, Field::Entities) => self.holds_name(text),
            (Detail::Action { args, .. }, _) => {
                self.holds_name(args) || self.cover(&gist(args, Language::english())) >= KEPT
            }
            (Detail::Plain | Detail::Entity { .. } | Detail::RuledOut { .. }, _) => {
                self.cover(&gist(text, Language::english())) >= KEPT
            }
        }
    }

    /// Byte for byte, letter case apart; of a path its last name is enough, of a dotted name its last part.
    fn holds_name(&self, name: &str) -> bool {
        let lower = name.to_lowercase();
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
            let labelled = about.iter().filter(|one| self.window(*no).any(|unit| unit.contains(one))).count();
            if about.is_empty() { unit_held } else { labelled as f32 >= LABEL * about.len() as f32 }
        };
        self.by_number.get(&numbers[0]).into_iter().flatten().any(near)
    }

    /// A unit and those beside it.
    fn window(&self, no: usize) -> impl Iterator<Item = &HashSet<u32>> {
        self.units[no.saturating_sub(1)..(no + 2).min(self.units.len())].iter()
    }

    /// The largest share of this that two neighbouring units hold.
    fn cover(&self, about: &[u32]) -> f32 {
        if about.is_empty() {
            return 1.0;
        }
        let mut shared: HashMap<usize, HashSet<u32>> = HashMap::new();
        for number in about {
            for no in self.by_number.get(number).into_iter().flatten() {
                shared.entry(*no).or_default().insert(*number);
                shared.entry(no + 1).or_default().insert(*number);
            }
        }
        let most = shared.values().map(HashSet::len).max().unwrap_or(0);
        most as f32 / about.len() as f32
    }
}

/// Whether `name` stands in `text` and is no part of a longer word.
fn stands(text: &str, name: &str) -> bool {
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    !name.is_empty()
        && text
            .match_indices(name)
            .any(|(at, _)| !joins(text[..at].chars().next_back()) && !joins(text[at + name.len()..].chars().next()))
}
