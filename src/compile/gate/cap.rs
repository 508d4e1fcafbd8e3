//! How often one session may be compacted.

/// So many compactions that left a marker; behind them the session is handed over.
pub const MOST_MARKERS: u32 = 6;

/// A session that was compacted often enough. It goes on in a new one, which begins with its record and its ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot compact once more: it was done {markers} times, and {most} is the most (hand the session over)")]
pub struct HandOver {
    /// How many markers it has.
    pub markers: u32,
    /// How many it may have.
    pub most: u32,
}

/// Whether one more marker may be made. `markers` is counted from what is stored, so that it outlives a restart; a block
/// that closes leaves no marker and does not count.
pub fn may_mark(markers: u32, most: u32) -> Result<(), HandOver> {
    if markers < most { Ok(()) } else { Err(HandOver { markers, most }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A4.28: six succeed, the seventh hands over.
    #[test]
    fn the_seventh_compaction_is_a_handover() {
        let done = (0..10).filter(|markers| may_mark(*markers, MOST_MARKERS).is_ok()).count();
        assert_eq!(done, 6);
        let told = may_mark(6, MOST_MARKERS).map_err(|over| over.to_string());
        let want = "cannot compact once more: it was done 6 times, and 6 is the most (hand the session over)";
        assert_eq!(told, Err(want.to_owned()));
    }
}
