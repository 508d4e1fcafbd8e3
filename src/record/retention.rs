//! How much of what the originals held a record kept, and what is wrong with a compaction as such.

use super::{Field, MOST_CHECKED};

/// How many there were, and how many of them were kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// In the originals.
    pub held: u32,
    /// Of those, in the record.
    pub kept: u32,
}

/// By field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retention {
    /// Identifiers.
    pub entities: Kept,
    /// Figures.
    pub figures: Kept,
    /// What binds.
    pub constraints: Kept,
    /// What was decided.
    pub decisions: Kept,
    /// What was done.
    pub actions: Kept,
    /// What was ruled out.
    pub ruled_out: Kept,
    /// What is open.
    pub open: Kept,
    /// Statements with a hedge, and those that still have it.
    pub hedges: Kept,
}

impl Kept {
    /// Both counts together.
    #[must_use]
    pub fn plus(self, other: Kept) -> Kept {
        Kept { held: self.held + other.held, kept: self.kept + other.kept }
    }
}

impl Retention {
    /// The count of a field; `None` for prose, which is not counted.
    pub fn of(&self, field: Field) -> Option<Kept> {
        let mut own = *self;
        own.of_mut(field).copied()
    }

    /// See [`Retention::of`].
    pub fn of_mut(&mut self, field: Field) -> Option<&mut Kept> {
        match field {
            Field::Narrative => None,
            Field::Entities => Some(&mut self.entities),
            Field::Figures => Some(&mut self.figures),
            Field::Constraints => Some(&mut self.constraints),
            Field::Decisions => Some(&mut self.decisions),
            Field::Actions => Some(&mut self.actions),
            Field::RuledOut => Some(&mut self.ruled_out),
            Field::Open => Some(&mut self.open),
        }
    }

    /// Everything of both, hedges too.
    #[must_use]
    pub fn plus(&self, other: &Retention) -> Retention {
        Retention {
            entities: self.entities.plus(other.entities),
            figures: self.figures.plus(other.figures),
            constraints: self.constraints.plus(other.constraints),
            decisions: self.decisions.plus(other.decisions),
            actions: self.actions.plus(other.actions),
            ruled_out: self.ruled_out.plus(other.ruled_out),
            open: self.open.plus(other.open),
            hedges: self.hedges.plus(other.hedges),
        }
    }

    /// All fields together; hedges, which are counted in their fields already, apart.
    pub fn total(&self) -> Kept {
        Field::ALL.into_iter().filter_map(|field| self.of(field)).fold(Kept::default(), Kept::plus)
    }
}

/// What is wrong with a compaction as such.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// It came so few turns after the one before, and the tokens did not fall.
    Thrashing {
        /// Turns since the marker before.
        turns: u32,
    },
    /// Its summary is longer than the one before.
    Grown {
        /// Bytes of the summary before.
        from: u64,
        /// Bytes of this one.
        to: u64,
    },
    /// Tool calls before it have their results behind it.
    CutCalls {
        /// How many.
        calls: u32,
    },
    /// Its record has more items than are held against the originals.
    TooMany {
        /// Items that are not checked: the first ones.
        unchecked: u64,
        /// All of them.
        items: u64,
    },
    /// Its summary says nothing.
    EmptySummary,
    /// There is no summary of it in the file.
    NoSummary,
}

impl Warning {
    /// The value in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Warning::Thrashing { .. } => "thrashing",
            Warning::Grown { .. } => "grown",
            Warning::CutCalls { .. } => "cut_calls",
            Warning::TooMany { .. } => "too_many_items",
            Warning::EmptySummary => "empty_summary",
            Warning::NoSummary => "no_summary",
        }
    }

    /// Where nothing was kept there is nothing to check: the words that stand where findings would be counted.
    pub fn instead_of_findings(&self) -> Option<&'static str> {
        match self {
            Warning::EmptySummary => Some("the summary is empty"),
            Warning::NoSummary => Some("no summary"),
            Warning::Thrashing { .. } | Warning::Grown { .. } | Warning::CutCalls { .. } | Warning::TooMany { .. } => {
                None
            }
        }
    }

    /// In one sentence that a user understands.
    pub fn sentence(&self) -> String {
        match self {
            Warning::Thrashing { turns: 1 } => {
                "It came one turn after the compaction before, and the context was as full again.".to_owned()
            }
            Warning::Thrashing { turns } => {
                format!("It came {turns} turns after the compaction before, and the context was as full again.")
            }
            Warning::Grown { from, to } => {
                format!("Its summary is longer than the one before: {from} bytes, now {to}.")
            }
            Warning::CutCalls { calls: 1 } => {
                "One tool call was replaced before its result had come: the result stands behind the compaction."
                    .to_owned()
            }
            Warning::CutCalls { calls } => {
                format!(
                    "{calls} tool calls were replaced before their results had come: the results stand behind the compaction."
                )
            }
            Warning::TooMany { unchecked, items } => {
                format!("{unchecked} of its {items} items are not checked: only the last {MOST_CHECKED} are.")
            }
            Warning::EmptySummary => "The summary is empty: everything that it replaced is gone.".to_owned(),
            Warning::NoSummary => "The file holds no summary of it: nothing says what was kept.".to_owned(),
        }
    }
}
