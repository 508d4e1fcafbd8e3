//! When a block may close: its length, and which seams count.

/// Which seams close a block. Without any, only the cap does.
#[expect(clippy::struct_excessive_bools, reason = "each is switched by itself, and all combinations are wanted")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triggers {
    /// The agent reported a piece of work as done.
    pub step: bool,
    /// A run of calls came to its answer.
    pub tool_loop: bool,
    /// The talk turned to something else: other words come.
    pub words: bool,
    /// That somebody says that something else comes now makes a turn of the talk likelier.
    pub cue: bool,
    /// Other files and names come, and none of those before.
    pub things: bool,
    /// A long silence makes a turn of the talk likelier; a person who then speaks of something else has turned it.
    pub pause: bool,
}

impl Triggers {
    /// Every seam counts.
    pub const ALL: Self = Self { step: true, tool_loop: true, words: true, cue: true, things: true, pause: true };
    /// None does.
    pub const NONE: Self =
        Self { step: false, tool_loop: false, words: false, cue: false, things: false, pause: false };
}

/// How long blocks are, and where they end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// From so many turns on a block closes at the next seam.
    pub target: u32,
    /// At so many turns it closes anyway. Less than the target counts as the target.
    pub cap: u32,
    /// The seams that count.
    pub on: Triggers,
}

impl Default for Rules {
    fn default() -> Self {
        Self { target: 40, cap: 60, on: Triggers::ALL }
    }
}

impl Rules {
    pub(super) fn target(&self) -> usize {
        self.target.max(1) as usize
    }

    pub(super) fn cap(&self) -> usize {
        self.cap.max(self.target).max(1) as usize
    }
}
