//! When a block may close: its length, and which seams count.

/// Which seams close a block. Without any, only the cap does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triggers {
    /// The agent reported a piece of work as done.
    pub step: bool,
    /// A run of calls came to its answer.
    pub tool_loop: bool,
    /// The talk turned to something else.
    pub topic: bool,
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
        Self { target: 40, cap: 60, on: Triggers { step: true, tool_loop: true, topic: true } }
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
