//! How full the agent's context was over a session. What the agent tells counts; between two figures of its own, the
//! difference is spread over what was said there, by its length.

/// What the agent's context held, in tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Curve {
    /// After each of the session's own turns, from turn 1 on.
    pub tokens: Vec<u64>,
    /// The agent tells at least one figure; else four bytes of what was said count as one.
    pub told: bool,
}

/// One turn: its bytes, and what the agent tells that its context held with it.
pub(super) type Said = (u64, Option<u64>);

/// A compaction: the last turn before it (0 for none), and the agent's figures before and after it.
pub(super) type Fall = (u32, Option<u64>, Option<u64>);

/// The curve over all turns. Where nobody tells what a compaction left, the context is taken to begin anew behind it.
pub(super) fn curve(turns: &[Said], drops: &[Fall]) -> Curve {
    let mut curve = Curve { tokens: Vec::with_capacity(turns.len()), told: false };
    let (mut from, mut held) = (0, None);
    for (after, before, left) in drops.iter().copied().chain([(u32::MAX, None, None)]) {
        let to = (after as usize).clamp(from, turns.len());
        let told = turns[from..to].iter().any(|(_, context)| context.is_some());
        curve.told |= told || [before, left, held].iter().any(Option::is_some);
        stretch(&turns[from..to], held.unwrap_or(0), before, &mut curve.tokens);
        (from, held) = (to, left);
    }
    curve
}

/// The turns between two compactions: what the context held before the first of them, and at last where that is told.
fn stretch(turns: &[Said], start: u64, end: Option<u64>, tokens: &mut Vec<u64>) {
    let mut bytes = 0;
    let mut waiting: Vec<u64> = Vec::new();
    let mut known = (0, start);
    for (at, (said, context)) in turns.iter().enumerate() {
        bytes += said;
        waiting.push(bytes);
        let told = if at + 1 == turns.len() { end.or(*context) } else { *context };
        if let Some(told) = told {
            tokens.extend(waiting.drain(..).map(|at| between(known, (bytes, told), at)));
            known = (bytes, told);
        }
    }
    tokens.extend(waiting.into_iter().map(|at| known.1 + (at - known.0).div_ceil(4)));
}

/// The value at `at` on the line from one point to the other.
fn between((from, low): (u64, u64), (to, high): (u64, u64), at: u64) -> u64 {
    if to <= from {
        return high;
    }
    let share = |value: u64, part: u64| u128::from(value) * u128::from(part);
    let sum = share(low, to - at) + share(high, at - from);
    u64::try_from(sum / u128::from(to - from)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns, compactions, the curve, and whether the agent tells anything.
    type Case<'a> = (&'a [Said], &'a [Fall], &'a [u64], bool);

    #[test]
    fn what_the_agent_tells_is_kept_and_what_lies_between_is_spread_by_length() {
        let said = |bytes| (bytes, None);
        let told = |bytes, context| (bytes, Some(context));
        let table: &[Case<'_>] = &[
            (&[], &[], &[], false),
            (&[], &[(0, None, Some(900))], &[], true),
            (&[said(40), said(3)], &[], &[10, 11], false),
            // 100 bytes up to 1,000 tokens: 30 of them are 300.
            (&[said(30), told(70, 1_000), said(8)], &[], &[300, 1_000, 1_002], true),
            // The figure of the compaction stands for the last turn before it; behind it, it goes on from what is left.
            (&[said(10), said(10), said(4)], &[(2, Some(500), Some(60))], &[250, 500, 61], true),
            (&[told(10, 800), said(8)], &[(1, None, None)], &[800, 2], true),
            // Cleared in between: it may fall without a compaction.
            (&[told(10, 800), said(10), told(10, 400)], &[], &[800, 600, 400], true),
            // Two compactions without a turn between them, and one that names a turn that is not there.
            (&[said(4), said(4)], &[(1, None, Some(9)), (1, None, Some(5)), (7, None, None)], &[1, 6], true),
            (&[said(0), told(0, 7)], &[], &[7, 7], true),
        ];
        for (turns, drops, want, is_told) in table {
            let curve = curve(turns, drops);
            assert_eq!((curve.tokens.as_slice(), curve.told), (*want, *is_told), "{turns:?} {drops:?}");
        }
    }
}
