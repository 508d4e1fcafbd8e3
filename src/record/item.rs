//! A record and its items.

use crate::session::{Hash, SourceRef, names};

/// The eight fields of a record, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// Prose.
    Narrative,
    /// Identifiers, exact bytes.
    Entities,
    /// Numbers with their labels.
    Figures,
    /// What binds, in the user's own sentences.
    Constraints,
    /// What was decided or agreed.
    Decisions,
    /// What was done.
    Actions,
    /// What was found not to be so, or rejected.
    RuledOut,
    /// Questions, hedged proposals, things not yet done.
    Open,
}

impl Field {
    /// All of them, in order.
    pub const ALL: [Field; 8] = [
        Field::Narrative,
        Field::Entities,
        Field::Figures,
        Field::Constraints,
        Field::Decisions,
        Field::Actions,
        Field::RuledOut,
        Field::Open,
    ];

    /// The letter in an item's name: `r` in `m2.r3`.
    pub fn letter(self) -> char {
        match self {
            Field::Narrative => 'n',
            Field::Entities => 'e',
            Field::Figures => 'f',
            Field::Constraints => 'c',
            Field::Decisions => 'd',
            Field::Actions => 'a',
            Field::RuledOut => 'r',
            Field::Open => 'o',
        }
    }

    /// The value in JSON and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Field::Narrative => "narrative",
            Field::Entities => "entities",
            Field::Figures => "figures",
            Field::Constraints => "constraints",
            Field::Decisions => "decisions",
            Field::Actions => "actions",
            Field::RuledOut => "ruled_out",
            Field::Open => "open",
        }
    }

    /// The word over its items, on the screen and in print.
    pub fn title(self) -> &'static str {
        match self {
            Field::Narrative => "Narrative",
            Field::Entities => "Entities",
            Field::Figures => "Figures",
            Field::Constraints => "Constraints",
            Field::Decisions => "Decided",
            Field::Actions => "Actions",
            Field::RuledOut => "Ruled out",
            Field::Open => "Open",
        }
    }

    /// The field with this [`Field::name`].
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }

    /// Whether items of this field state something: entities and figures do not, and are not counted in a review.
    pub fn is_claim(self) -> bool {
        !matches!(self, Field::Entities | Field::Figures)
    }
}

/// What the check of one item against its sources says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// A source says exactly this.
    Verified,
    /// A source says something like this.
    Weak,
    /// No source says it.
    Unsupported,
    /// A source says otherwise.
    Contested,
    /// A better turn exists: [`Item::better`].
    WrongTurn,
    /// Its only source is an earlier summary.
    Laundered,
    /// [`Item::why`] says why. Never shown as if it were fine.
    Unchecked,
}

names!(Verdict {
    Verified = "verified",
    Weak = "weak",
    Unsupported = "unsupported",
    Contested = "contested",
    WrongTurn = "wrong-turn",
    Laundered = "laundered",
    Unchecked = "unchecked",
});

/// What some fields know beyond the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    #[default]
    /// Nothing beside the text.
    Plain,
    /// `class` is `path`, `uuid`, `ticket`, ….
    Entity {
        /// What kind of identifier: `path`, `uuid`, ….
        class: String,
    },
    /// `label` and `unit` are empty where there is none.
    Figure {
        /// What the number is of.
        label: String,
        /// The number as written.
        value: String,
        /// Empty where there is none.
        unit: String,
    },
    /// A call that was made.
    Action {
        /// The tool's name.
        tool: String,
        /// What it was called with.
        args: String,
        /// Whether it went well; `None` where nobody knows.
        ok: Option<bool>,
    },
    /// A thing ruled out.
    RuledOut {
        /// What was ruled out.
        claim: String,
        /// What shows it; empty where nothing was given.
        evidence: String,
    },
}

/// One entry of a record. Its display name is its field's letter and its place among the items of that field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Where in the record it stands.
    pub field: Field,
    /// What it says.
    pub text: String,
    /// Byte range in the summary; `None` for an item of an own record.
    pub range: Option<(usize, usize)>,
    /// What some fields hold beside the text.
    pub detail: Detail,
    /// Best first. Empty when nothing in the turns reached could be tied to it; such an item says so.
    pub sources: Vec<SourceRef>,
    /// What the check against its sources says.
    pub verdict: Verdict,
    /// Why it is unchecked.
    pub why: Option<String>,
    /// The better source of one that cites a wrong turn.
    pub better: Option<SourceRef>,
    /// Of a line of a stet database's own record: which record and where in it.
    pub own: Option<(String, u32)>,
}

/// How the `why` of an item begins that no check could read: `not analysed (German)`.
pub const NOT_ANALYSED: &str = "not analysed";

impl Item {
    /// The words that say so, where no check could read the item: its language has no lists.
    pub fn not_analysed(&self) -> Option<&str> {
        let why = self.why.as_deref().filter(|_| self.verdict == Verdict::Unchecked);
        why.filter(|why| why.starts_with(NOT_ANALYSED))
    }

    /// Whether nobody is known to have said it: an item of an own record that says why it is unchecked. It stands in no
    /// request.
    pub fn is_draft(&self) -> bool {
        self.verdict == Verdict::Unchecked && self.why.is_some()
    }

    /// Whether it stands in the words of another item of its record.
    pub fn is_within(&self, other: &Item) -> bool {
        self.range.zip(other.range).is_some_and(|(inner, outer)| outer.0 <= inner.0 && inner.1 <= outer.1)
    }

    /// The hash that anchors carry: of the text with white space folded, so that re-wrapping moves nothing.
    pub fn hash(&self) -> Hash {
        text_hash(&self.text)
    }
}

/// See [`Item::hash`].
pub fn text_hash(text: &str) -> Hash {
    Hash::of(text.split_whitespace().collect::<Vec<_>>().join(" ").as_bytes())
}

/// The structured form of what one compaction kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// In display order: by field, then as they stand.
    pub items: Vec<Item>,
    /// The agent's own prose, where the record was lifted from it; empty for an own record.
    pub summary: String,
    /// Which rules lifted it; 0 for an own record, which no rules touch.
    pub rules: u32,
}

/// So many items of one record are held against the originals. What has more is no summary, and whoever wrote it must not
/// make every reader wait: each item is looked for in everything that was said.
pub const MOST_CHECKED: usize = 4000;

impl Record {
    /// How many items, the first ones, are not held against the originals: what binds and what is open stands last, and
    /// prose first.
    pub fn unchecked(&self) -> usize {
        self.items.len().saturating_sub(MOST_CHECKED)
    }

    /// The items that are held against the originals.
    pub fn checked(&self) -> &[Item] {
        &self.items[self.unchecked()..]
    }

    /// The items of a field with their numbers, from 1.
    pub fn of(&self, field: Field) -> impl Iterator<Item = (usize, &Item)> {
        self.items.iter().filter(move |item| item.field == field).enumerate().map(|(at, item)| (at + 1, item))
    }

    /// An item's name within its marker: `r3`. For the names of many, see [`Record::names`].
    pub fn name(&self, index: usize) -> String {
        let field = self.items[index].field;
        let no = self.items[..=index].iter().filter(|item| item.field == field).count();
        format!("{}{no}", field.letter())
    }

    /// The names of all items, in their order.
    pub fn names(&self) -> Vec<String> {
        let mut counts = [0_usize; Field::ALL.len()];
        let name = |item: &Item| {
            let count = &mut counts[item.field as usize];
            *count += 1;
            format!("{}{count}", item.field.letter())
        };
        self.items.iter().map(name).collect()
    }

    /// The index of the item with this name; `None` when there is none.
    pub fn find(&self, name: &str) -> Option<usize> {
        let letter = name.chars().next()?;
        let field = Field::ALL.into_iter().find(|field| field.letter() == letter)?;
        let no: usize = name[letter.len_utf8()..].parse().ok().filter(|no| format!("{letter}{no}") == name)?;
        let of_field = self.items.iter().enumerate().filter(|(_, item)| item.field == field);
        of_field.map(|(index, _)| index).nth(no.checked_sub(1)?)
    }
}
