//! How much of what the originals held a record kept, and what is wrong with a compaction as such.

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
}
