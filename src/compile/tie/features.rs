//! What can be found again in the originals, how much each says, and what it makes worth a look.

use crate::record::Field;
use foldhash::{HashMap, HashMapExt};

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
    /// The groups that are looked at when it is found, those that are finished last first.
    pub drives: Vec<Drive>,
    /// Some group that has it is not looked at: then its first places are kept for all of them.
    pub passed_over: bool,
}

/// A group that is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Drive {
    /// See [`Group::until`]; here as well, so that a group which nobody waits for is not touched.
    pub until: u64,
    pub group: u32,
}

impl Feature {
    /// What finding it is worth when it stood in `seen` of `units` units: the rarer the more.
    pub fn weight(&self, seen: u32, units: u32) -> f32 {
        let (factor, plus) = self.kind.worth();
        let rarity = (1.0 + units as f32 / (1.0 + seen as f32)).ln().min(RAREST);
        factor * rarity + plus
    }
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
    /// How many records have it.
    pub records: u32,
    /// Behind this sequence no record waits for it.
    pub until: u64,
    /// What all its features can be worth.
    pub most: f32,
    /// Whether it has features that do not drive it, and must be weighed whole.
    pub capped: bool,
}

/// No rarity counts for more: what stands nowhere must not outweigh everything that stands somewhere.
const RAREST: f32 = 7.0;
/// A word that so many groups share tells none of them from the others.
const COMMON: usize = 64;
/// A name that so many groups share makes none of them worth a look: its first places are kept for all.
const EVERYWHERE: usize = 96;
/// So many surroundings of one name or figure are told apart.
const SURROUNDINGS: usize = 12;

/// What makes two items one group: field, reach, text, and what stands around it.
type Key = (Field, u32, String, String);

/// All features of all items.
#[derive(Debug, Default)]
pub struct Features {
    pub all: Vec<Feature>,
    by_key: HashMap<(Kind, String), u32>,
    groups: HashMap<Key, usize>,
    surroundings: HashMap<(Field, u32, String, String), usize>,
}

impl Features {
    /// The feature of these bytes.
    pub fn add(&mut self, kind: Kind, bytes: &str, open_end: bool) -> u32 {
        let next = self.all.len() as u32;
        let id = *self.by_key.entry((kind, bytes.to_owned())).or_insert(next);
        if id == next {
            self.all.push(Feature {
                kind,
                bytes: bytes.to_owned(),
                open_end,
                shared: 0,
                drives: Vec::new(),
                passed_over: false,
            });
        }
        id
    }

    /// The group of an item, if one like it was met; else `next` from now on. Of one name or figure not too many
    /// surroundings are told apart: further ones are left out of account, and emptied here.
    pub fn group(
        &mut self,
        field: Field,
        reach: u32,
        text: &str,
        label: &str,
        around: &mut &str,
        next: usize,
    ) -> Option<usize> {
        let key = |around: &str| (field, reach, text.to_owned(), format!("{label}\0{around}"));
        if let Some(known) = self.groups.get(&key(around)) {
            return Some(*known);
        }
        if !around.is_empty() {
            let known = self.surroundings.entry((field, reach, text.to_owned(), label.to_owned())).or_default();
            *known += 1;
            if *known > SURROUNDINGS {
                *around = "";
                if let Some(known) = self.groups.get(&key(around)) {
                    return Some(*known);
                }
            }
        }
        self.groups.insert(key(around), next);
        None
    }

    /// Ends the collecting: says which features make which groups worth a look. Telling ones do, and the words, unless
    /// too many share them.
    pub fn close(&mut self, groups: &mut [Group]) {
        self.by_key = HashMap::new();
        self.groups = HashMap::new();
        self.surroundings = HashMap::new();
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
                Field::Figures => {
                    of_kind(Kind::Small).filter(|id| all[*id as usize].shared <= COMMON).chain(words).collect()
                }
                Field::Narrative
                | Field::Constraints
                | Field::Decisions
                | Field::Actions
                | Field::RuledOut
                | Field::Open => words,
            };
            let strong: Vec<u32> =
                group.features.iter().copied().filter(|id| all[*id as usize].kind.is_strong()).collect();
            let (rare, common): (Vec<u32>, Vec<u32>) =
                strong.iter().copied().partition(|id| all[*id as usize].shared <= EVERYWHERE);
            group.capped = group.field.is_claim() && !common.is_empty();
            driving.extend(rare);
            let most = |id: &u32| {
                let (factor, plus) = all[*id as usize].kind.worth();
                factor * RAREST + plus
            };
            group.most = group.features.iter().map(most).sum();
            for id in driving {
                self.all[id as usize].drives.push(Drive { until: group.until, group: at as u32 });
            }
            for id in common {
                self.all[id as usize].passed_over = true;
            }
        }
        for feature in &mut self.all {
            feature.drives.sort_by_key(|drive| (std::cmp::Reverse(drive.until), drive.group));
        }
    }
}
