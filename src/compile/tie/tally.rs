//! What is counted while a scanner reads: of each feature, and of each group, as of the chunk, part and unit at hand.

/// Where a feature stands in a unit.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    pub feature: u32,
    pub start: usize,
    pub end: usize,
}

/// The best unit of the part for one group.
#[derive(Default)]
pub struct Best {
    pub unit: (usize, usize),
    pub hits: Vec<Hit>,
}

/// What is known of a group while texts pass; small, since it is touched often.
#[derive(Clone, Copy, Default)]
pub(super) struct Lane {
    /// The last unit that touched it, how many of its features that holds, and what they are worth.
    pub unit: u32,
    pub count: u32,
    pub score: f32,
    /// How many of its words make a unit worth a closer look.
    pub needs: u32,
    /// The last part with a unit worth keeping, and the score of its best.
    pub part: u32,
    pub best: f32,
}

/// What the shelf of a group asks for, of others' words and of a person's, and the chunk that this is of.
#[derive(Clone, Copy, Default)]
pub(super) struct Bars {
    pub chunk: u32,
    pub bars: [f32; 2],
}

/// What was counted of a feature in this chunk.
#[derive(Clone, Copy, Default)]
pub(super) struct Mark {
    pub chunk: u32,
    /// The last unit and the last part that held it.
    pub unit: u32,
    pub part: u32,
    /// In how many units it stood so far, and what it is worth, as of the last time that this doubled.
    pub seen: u32,
    pub weight: f32,
    /// The last part of which a place was kept, and how many were in this chunk.
    pub spot: u32,
    pub spots: [u8; 2],
}
