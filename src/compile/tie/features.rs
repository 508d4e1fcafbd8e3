//! What of an item can be found again in the originals: its words, identifiers, figures, quoted spans and whole text.

use std::collections::HashMap;

use crate::extract::{Class, Language, Word, figures, identifiers, quotes, stem, words};
use crate::record::{Detail, Field, Item, Record};

/// How much a feature says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The whole text of a claim.
    Exact,
    /// A quoted span.
    Quote,
    /// Three words of a quoted span, for one that is not quite word for word.
    Piece,
    /// An identifier.
    Name,
    /// The last part of a path.
    Base,
    /// A figure that says something alone.
    Figure,
    /// A bare small number: it says nothing without its label.
    Small,
    /// A content word, by its stem.
    Word,
    /// A word that names a claim's figure, where a number stands near it.
    Label,
    /// A word that stands beside an entity or a figure.
    Beside,
}

impl Kind {
    /// Whether this alone ties an item to a turn.
    pub fn is_strong(self) -> bool {
        match self {
            Kind::Exact | Kind::Quote | Kind::Piece | Kind::Name | Kind::Base | Kind::Figure => true,
            Kind::Small | Kind::Word | Kind::Label | Kind::Beside => false,
        }
    }

    /// Whether it is found by its bytes rather than by a stem.
    pub fn is_bytes(self) -> bool {
        match self {
            Kind::Exact | Kind::Quote | Kind::Piece | Kind::Name | Kind::Base | Kind::Figure | Kind::Small => true,
            Kind::Word | Kind::Label | Kind::Beside => false,
        }
    }

    fn worth(self) -> (f32, f32) {
        match self {
            Kind::Exact => (4.0, 200.0),
            Kind::Quote => (3.0, 25.0),
            Kind::Name => (1.7, 0.5),
            Kind::Base => (1.2, 0.0),
            Kind::Figure => (1.6, 0.0),
            Kind::Small => (0.4, 0.0),
            Kind::Piece | Kind::Word => (1.0, 0.0),
            Kind::Label => (1.5, 0.0),
            Kind::Beside => (0.3, 0.0),
        }
    }
}

/// One thing to be found.
#[derive(Clone, Debug)]
pub struct Feature {
    pub kind: Kind,
    /// The bytes, or the stem.
    pub bytes: String,
    /// A commit's or digest's hash, which may be written longer.
    pub open_end: bool,
    /// How many groups have it.
    pub shared: usize,
    /// The groups that are looked at when it is found.
    pub drives: Vec<u32>,
}

/// What was counted of a feature while the originals passed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// The last unit and the last part that held it.
    pub unit: u32,
    pub part: u32,
    /// In how many units it stood so far.
    pub seen: u32,
    /// What it is worth, as of the last time that `seen` doubled.
    pub weight: f32,
}

/// Items that are looked for together: the same text in the same field, of however many records.
#[derive(Clone, Debug)]
pub struct Group {
    pub field: Field,
    pub features: Vec<u32>,
    /// A claim that says what the person did or wants.
    pub of_person: bool,
    /// Which records have it: those that reach the same parts, as far as each of them reaches.
    pub reach: u32,
    /// How many records that are not finished have it.
    pub waiting: u32,
    /// What all its features can be worth.
    pub most: f32,
    /// Whether it has features that do not drive it, and must be weighed whole.
    pub capped: bool,
}

/// No rarity counts for more: what stands nowhere must not outweigh everything that stands somewhere.
const RAREST: f32 = 7.0;
/// A word that so many groups share tells none of them from the others.
const COMMON: usize = 64;
/// A name that so many claims share makes none of them worth a look that has something else.
const EVERYWHERE: usize = 128;
/// So far around an entity or a figure its neighbours are looked at.
const AROUND: usize = 100;
/// So many pieces of one quoted span are looked for.
const PIECES: usize = 12;

/// All features of all items.
#[derive(Debug, Default)]
pub struct Features {
    pub all: Vec<Feature>,
    /// By feature.
    pub tally: Vec<Tally>,
    by_key: HashMap<(Kind, String), u32>,
    groups: HashMap<(Field, u32, String, String), usize>,
}

impl Features {
    fn add(&mut self, kind: Kind, bytes: &str, open_end: bool) -> u32 {
        let next = self.all.len() as u32;
        let id = *self.by_key.entry((kind, bytes.to_owned())).or_insert(next);
        if id == next {
            self.all.push(Feature { kind, bytes: bytes.to_owned(), open_end, shared: 0, drives: Vec::new() });
        }
        id
    }

    /// Ends the collecting: says which features make which groups worth a look. All telling ones do, and the words
    /// that not too many share.
    pub fn close(&mut self, groups: &mut [Group]) {
        self.by_key = HashMap::new();
        self.groups = HashMap::new();
        for id in groups.iter().flat_map(|group| &group.features) {
            self.all[*id as usize].shared += 1;
        }
        for (at, group) in groups.iter_mut().enumerate() {
            let all = &self.all;
            let of_kind = |kind: Kind| group.features.iter().copied().filter(move |id| all[*id as usize].kind == kind);
            let words: Vec<u32> = of_kind(Kind::Word)
                .chain(of_kind(Kind::Label))
                .filter(|id| all[*id as usize].shared <= COMMON)
                .collect();
            let mut driving: Vec<u32> = match group.field {
                Field::Entities => Vec::new(),
                Field::Figures if words.is_empty() => Vec::new(),
                Field::Figures => of_kind(Kind::Small).chain(words).collect(),
                Field::Narrative
                | Field::Constraints
                | Field::Decisions
                | Field::Actions
                | Field::RuledOut
                | Field::Open => words,
            };
            let strong: Vec<u32> =
                group.features.iter().copied().filter(|id| all[*id as usize].kind.is_strong()).collect();
            let rare: Vec<u32> = strong.iter().copied().filter(|id| all[*id as usize].shared <= EVERYWHERE).collect();
            group.capped =
                group.field.is_claim() && rare.len() < strong.len() && !(driving.is_empty() && rare.is_empty());
            driving.extend(if group.capped { rare } else { strong });
            let most = |id: &u32| {
                let (factor, plus) = all[*id as usize].kind.worth();
                factor * RAREST + plus
            };
            group.most = group.features.iter().map(most).sum();
            for id in driving {
                self.all[id as usize].drives.push(at as u32);
            }
        }
        self.tally =
            self.all.iter().map(|feature| Tally { weight: feature.kind.worth().0, ..Tally::default() }).collect();
    }

    /// These groups are finished: nothing makes them worth a look any more.
    pub fn drop(&mut self, finished: &[u32], groups: &[Group]) {
        let mut features: Vec<u32> =
            finished.iter().flat_map(|group| groups[*group as usize].features.iter().copied()).collect();
        features.sort_unstable();
        features.dedup();
        for id in features {
            self.all[id as usize].drives.retain(|group| groups[*group as usize].waiting > 0);
        }
    }

    /// Counts one unit of one part that holds a feature; false when it was counted already.
    pub fn count(&mut self, id: u32, unit: u32, part: u32) -> bool {
        let tally = &mut self.tally[id as usize];
        if tally.unit == unit {
            return false;
        }
        tally.unit = unit;
        tally.part = part;
        tally.seen += 1;
        if tally.seen.is_power_of_two() {
            self.tally[id as usize].weight = self.weight(id, unit);
        }
        true
    }

    /// What finding a feature is worth when `units` units were seen: the rarer the more.
    pub fn weight(&self, id: u32, units: u32) -> f32 {
        let (factor, plus) = self.all[id as usize].kind.worth();
        let rarity = (1.0 + units as f32 / (1.0 + self.tally[id as usize].seen as f32)).ln().min(RAREST);
        factor * rarity + plus
    }
}

/// The groups of a record's items, in the order of the items. Records that share `reach` share groups.
pub fn of_record(
    record: &Record,
    reach: u32,
    language: &Language,
    features: &mut Features,
    groups: &mut Vec<Group>,
) -> Vec<usize> {
    let mut claims: Vec<(usize, usize)> =
        record.items.iter().filter(|item| item.field.is_claim()).filter_map(|item| item.range).collect();
    claims.sort_unstable();
    let mut own: Vec<usize> = Vec::with_capacity(record.items.len());
    for item in &record.items {
        let around = surrounding(record, item, &claims);
        let label = match &item.detail {
            Detail::Figure { label, .. } => label.as_str(),
            Detail::Plain | Detail::Entity { .. } | Detail::Action { .. } | Detail::RuledOut { .. } => "",
        };
        let key = (item.field, reach, item.text.clone(), format!("{label}\0{around}"));
        if let Some(group) = features.groups.get(&key) {
            own.push(*group);
            continue;
        }
        let at = groups.len();
        features.groups.insert(key, at);
        let mut ids = of_item(item, label, around, language, features);
        ids.sort_unstable();
        ids.dedup();
        let of_person = is_of_person(item, language);
        groups.push(Group { field: item.field, of_person, features: ids, reach, waiting: 0, most: 0.0, capped: false });
        own.push(at);
    }
    let mut once = own.clone();
    once.sort_unstable();
    once.dedup();
    for group in once {
        groups[group].waiting += 1;
    }
    own
}

/// What stands around an entity or a figure in its claim, not far off; nothing for a claim.
fn surrounding<'a>(record: &'a Record, item: &Item, claims: &[(usize, usize)]) -> &'a str {
    let (false, Some((start, end))) = (item.field.is_claim(), item.range) else { return "" };
    let at = claims.partition_point(|(from, _)| *from <= start);
    let Some((from, to)) = at.checked_sub(1).map(|at| claims[at]).filter(|(_, to)| start < *to) else { return "" };
    let summary = record.summary.as_str();
    let near = summary.floor_char_boundary(start.saturating_sub(AROUND).max(from));
    let far = summary.floor_char_boundary(end.saturating_add(AROUND).min(to));
    summary.get(near..far).unwrap_or_default()
}

fn is_of_person(item: &Item, language: &Language) -> bool {
    let person = |word: &Word| {
        let bare = word.lower.strip_suffix("'s").unwrap_or(&word.lower).to_owned();
        language.people.at(&[Word { lower: bare, ..word.clone() }], 0).is_some()
    };
    matches!(item.field, Field::Constraints | Field::Decisions) || words(&item.text).iter().take(6).any(person)
}

fn of_item(item: &Item, label: &str, around: &str, language: &Language, features: &mut Features) -> Vec<u32> {
    let mut ids = Vec::new();
    match item.field {
        Field::Entities => {
            let class = match &item.detail {
                Detail::Entity { class } => class.as_str(),
                Detail::Plain | Detail::Figure { .. } | Detail::Action { .. } | Detail::RuledOut { .. } => "",
            };
            name(&item.text, class == Class::Hash.name(), features, &mut ids);
            stems(around, Kind::Beside, language, features, &mut ids);
        }
        Field::Figures => {
            let value = match &item.detail {
                Detail::Figure { value, .. } => value.as_str(),
                Detail::Plain | Detail::Entity { .. } | Detail::Action { .. } | Detail::RuledOut { .. } => {
                    item.text.as_str()
                }
            };
            figure(value, language, features, &mut ids);
            stems(label, Kind::Word, language, features, &mut ids);
            stems(around, Kind::Beside, language, features, &mut ids);
        }
        Field::Narrative | Field::Constraints | Field::Decisions | Field::Actions | Field::RuledOut | Field::Open => {
            claim(&item.text, language, features, &mut ids);
        }
    }
    ids
}

fn claim(text: &str, language: &Language, features: &mut Features, ids: &mut Vec<u32>) {
    let whole = text.trim_end_matches(['.', ':']);
    if whole.len() >= 8 && whole.len() <= 2000 {
        ids.push(features.add(Kind::Exact, whole, false));
    }
    for range in quotes(text) {
        let quoted = text[range].trim_end_matches(['.', ',', '…']).trim();
        if quoted.len() >= 12 || (quoted.len() >= 5 && quoted.contains(' ')) {
            ids.push(features.add(Kind::Quote, quoted, false));
            pieces(quoted, features, ids);
        }
    }
    let named = identifiers(text, language);
    for one in &named {
        let bytes = &text[one.range.clone()];
        if one.class == Class::Code && bytes.bytes().all(|b| b.is_ascii_lowercase()) {
            // A plain word between back ticks stands in much that has nothing to do with it.
            ids.push(features.add(Kind::Base, bytes, false));
        } else {
            name(bytes, one.class == Class::Hash, features, ids);
        }
    }
    // The parts of a path are in every path beside it.
    let mut rest = text.to_owned();
    for one in named.iter().filter(|one| matches!(one.class, Class::Path | Class::Url)) {
        rest.replace_range(one.range.clone(), &" ".repeat(one.range.len()));
    }
    let taken: Vec<_> = named
        .into_iter()
        .filter(|one| !matches!(one.class, Class::Command | Class::Code))
        .map(|one| one.range)
        .collect();
    for one in figures(text, &taken, language) {
        figure(&one.value, language, features, ids);
        stems(&one.label, Kind::Label, language, features, ids);
    }
    stems(&rest, Kind::Word, language, features, ids);
}

fn pieces(quoted: &str, features: &mut Features, ids: &mut Vec<u32>) {
    let heard = words(quoted);
    for three in heard.windows(3).take(PIECES) {
        let piece = &quoted[three[0].range.start..three[2].range.end];
        if piece.len() >= 10 && heard.len() >= 4 {
            ids.push(features.add(Kind::Piece, piece, false));
        }
    }
}

fn name(text: &str, open_end: bool, features: &mut Features, ids: &mut Vec<u32>) {
    let bare = text.trim_end_matches("()").trim_end_matches('/');
    if bare.len() < 2 {
        return;
    }
    ids.push(features.add(Kind::Name, bare, open_end));
    if let Some((_, base)) = bare.rsplit_once(['/', '\\'])
        && base.len() >= 4
    {
        ids.push(features.add(Kind::Base, base, false));
    }
}

fn figure(value: &str, language: &Language, features: &mut Features, ids: &mut Vec<u32>) {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let telling = digits >= 3 || (digits >= 2 && value.contains(['.', ',', '-', '/', '$', '€', '£']));
    if telling {
        return ids.push(features.add(Kind::Figure, value, false));
    }
    let lower = value.to_lowercase();
    for form in std::iter::once(lower.as_str()).chain(language.other_forms(value)) {
        ids.push(features.add(Kind::Small, form, false));
        // At the start of a sentence.
        let mut letters = form.chars();
        if let Some(first) = letters.next().filter(char::is_ascii_lowercase) {
            let capital = first.to_ascii_uppercase().to_string() + letters.as_str();
            ids.push(features.add(Kind::Small, &capital, false));
        }
    }
}

fn stems(text: &str, kind: Kind, language: &Language, features: &mut Features, ids: &mut Vec<u32>) {
    for word in words(text) {
        for piece in word.lower.split(['-', '\'']).filter(|piece| language.is_content(piece)) {
            // Names and numbers are looked for as such.
            if piece.bytes().all(|b| b.is_ascii_digit()) || piece.contains('_') {
                continue;
            }
            if let Ok(stem) = std::str::from_utf8(stem(piece.as_bytes())) {
                ids.push(features.add(kind, stem, false));
            }
        }
    }
}
