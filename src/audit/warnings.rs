//! What is wrong with a compaction as such, whatever it says.

use std::collections::HashMap;

use crate::record::{Record, Warning};
use crate::session::{Compaction, Part, PartKind, PartSeq};

/// So few turns after the one before are few.
const FEW: u32 = 5;
/// Tokens that fall to no less than this share of what they were did not fall, in hundredths.
const FELL: u64 = 80;
/// A summary that is so much longer than the one before has grown, in hundredths.
const GROWN: u64 = 125;

/// Calls and their results, as they pass.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    open: HashMap<String, PartSeq>,
    /// Calls with where their results stand, by byte.
    answered: Vec<(PartSeq, u64, u64)>,
    places: HashMap<String, u64>,
    boundaries: Vec<u64>,
}

impl Calls {
    /// Listens for calls that are cut by one of these markers.
    pub fn cut_by<'a>(markers: impl IntoIterator<Item = &'a Compaction>) -> Self {
        let mut boundaries: Vec<u64> = markers.into_iter().map(|marker| marker.place.offset).collect();
        boundaries.sort_unstable();
        Self { boundaries, ..Self::default() }
    }

    /// As they were heard before, see [`Self::answered`].
    pub fn known(answered: Vec<(PartSeq, u64, u64)>) -> Self {
        Self { answered, ..Self::default() }
    }

    /// Calls with a marker before their results: the call, and the places of both.
    pub fn answered(&self) -> &[(PartSeq, u64, u64)] {
        &self.answered
    }

    /// A part of the session's own file, in file order; `at` is where its line starts.
    pub fn hear(&mut self, part: &Part, seq: PartSeq, at: u64) {
        match &part.kind {
            PartKind::ToolCall { id: Some(id), .. } => {
                self.open.insert(id.clone(), seq);
                self.places.insert(id.clone(), at);
            }
            PartKind::ToolResult { id: Some(id), .. } => {
                if let Some((call, from)) = self.open.remove(id).zip(self.places.remove(id)) {
                    // Most calls are answered before anything comes between.
                    let next = self.boundaries.partition_point(|boundary| *boundary <= from);
                    if self.boundaries.get(next).is_some_and(|boundary| *boundary < at) {
                        self.answered.push((call, from, at));
                    }
                }
            }
            PartKind::ToolCall { id: None, .. }
            | PartKind::ToolResult { id: None, .. }
            | PartKind::Text
            | PartKind::Thinking
            | PartKind::Opaque { .. } => {}
        }
    }

    /// Calls that this compaction replaced although their results stand behind it.
    fn cut(&self, marker: &Compaction) -> u32 {
        let at = marker.place.offset;
        let cut = |(call, from, to): &&(PartSeq, u64, u64)| *from < at && at < *to && marker.covers.contains(call.0);
        self.answered.iter().filter(cut).count() as u32
    }
}

/// What is wrong with each marker as such, in their order.
pub fn warnings(markers: &[(&Compaction, &Record)], calls: &Calls) -> Vec<Vec<Warning>> {
    let before = std::iter::once(None).chain(markers.iter().map(Some));
    markers
        .iter()
        .zip(before)
        .map(|((marker, record), before)| {
            let mut warnings = Vec::new();
            if let Some((earlier, old)) = before {
                warnings.extend(thrashing(earlier, marker));
                let (from, to) = (old.summary.len() as u64, record.summary.len() as u64);
                if from > 0 && to * 100 >= from * GROWN {
                    warnings.push(Warning::Grown { from, to });
                }
            }
            if record.items.is_empty() && record.summary.trim().is_empty() && !marker.own_record {
                warnings.push(if marker.summary.is_some() { Warning::EmptySummary } else { Warning::NoSummary });
            }
            if record.unchecked() > 0 {
                let (unchecked, items) = (record.unchecked() as u64, record.items.len() as u64);
                warnings.push(Warning::TooMany { unchecked, items });
            }
            let calls = calls.cut(marker);
            if calls > 0 {
                warnings.push(Warning::CutCalls { calls });
            }
            warnings
        })
        .collect()
}

/// Few turns after the one before, and either it freed little or the context was as full again as it had been.
fn thrashing(earlier: &Compaction, marker: &Compaction) -> Option<Warning> {
    let turns = marker.after_turn?.checked_sub(earlier.after_turn?)?;
    let kept = |after: u64, before: u64| after * 100 >= before * FELL;
    let freed_little = marker.tokens_after.zip(marker.tokens_before).is_some_and(|(after, before)| kept(after, before));
    let full_again = marker.tokens_before.zip(earlier.tokens_before).is_some_and(|(now, then)| kept(now, then));
    (turns <= FEW && (freed_little || full_again)).then_some(Warning::Thrashing { turns })
}

#[cfg(test)]
mod tests {
    use super::super::world::{compaction, record};
    use super::*;
    use crate::record::Field;
    use crate::session::Speaker;

    #[test]
    fn a_summary_that_says_nothing_is_told_apart_from_one_that_is_not_there() {
        let kept = record(&[(Field::Narrative, "The port is 8080.")]);
        let empty = Record { summary: " \n".to_owned(), ..Record::default() };
        for (is_there, own_record, record, want) in [
            (true, false, &empty, vec![Warning::EmptySummary]),
            (false, false, &empty, vec![Warning::NoSummary]),
            (true, true, &empty, vec![]),
            (true, false, &kept, vec![]),
        ] {
            let mut marker = compaction(1);
            marker.summary = is_there.then_some(marker.place);
            marker.own_record = own_record;
            assert_eq!(warnings(&[(&marker, record)], &Calls::default()), [want]);
        }
    }

    #[test]
    fn a_compaction_that_frees_nothing_soon_after_the_one_before_is_thrashing() {
        let marker = |no: u32, turn: u32, before: Option<u64>, after: Option<u64>| Compaction {
            after_turn: Some(turn),
            tokens_before: before,
            tokens_after: after,
            ..compaction(no)
        };
        for (turn, before, after, warned) in [
            (12, Some(150_000), Some(140_000), true),
            (12, Some(150_000), Some(9_000), true),
            (12, Some(60_000), Some(9_000), false),
            (40, Some(150_000), Some(140_000), false),
            (12, None, None, false),
        ] {
            let (first, second) = (marker(1, 10, Some(155_000), Some(8_000)), marker(2, turn, before, after));
            let kept = record(&[(Field::Open, "same")]);
            let got = warnings(&[(&first, &kept), (&second, &kept)], &Calls::default());
            assert_eq!(
                got[1].contains(&Warning::Thrashing { turns: turn - 10 }),
                warned,
                "{turn} {before:?} {after:?}"
            );
        }
    }

    #[test]
    fn a_summary_that_grows_by_a_quarter_is_told() {
        let short = Record { summary: "x".repeat(1000), ..Record::default() };
        for (len, warned) in [(1100, false), (1250, true), (900, false)] {
            let next = Record { summary: "x".repeat(len), ..Record::default() };
            let got = warnings(&[(&compaction(1), &short), (&compaction(2), &next)], &Calls::default());
            assert_eq!(!got[1].is_empty(), warned, "{len}");
        }
    }

    #[test]
    fn a_record_of_which_not_all_is_checked_is_told_with_how_much() {
        for (count, want) in [(4_000, vec![]), (4_003, vec![Warning::TooMany { unchecked: 3, items: 4_003 }])] {
            let long = record(&vec![(Field::Open, "same"); count]);
            assert_eq!(warnings(&[(&compaction(1), &long)], &Calls::default()), [want]);
        }
    }

    #[test]
    fn only_calls_that_are_replaced_before_their_result_are_cut() {
        let mut marker = compaction(1);
        marker.covers.add(0..3);
        let mut calls = Calls::cut_by([&marker]);
        let at = marker.place.offset;
        let part = |kind| Part { block: 0, kind, speaker: Speaker::Assistant, text: String::new() };
        let call = |id: &str| part(PartKind::ToolCall { id: Some(id.into()), name: "Read".into() });
        let result = |id: &str| part(PartKind::ToolResult { id: Some(id.into()), ok: true });
        calls.hear(&call("a"), PartSeq(0), 0);
        calls.hear(&result("a"), PartSeq(1), 1);
        calls.hear(&call("b"), PartSeq(2), 2);
        calls.hear(&call("kept"), PartSeq(3), 3);
        calls.hear(&result("b"), PartSeq(4), at + 1);
        calls.hear(&result("kept"), PartSeq(5), at + 1);
        let kept = record(&[(Field::Narrative, "The port is 8080.")]);
        assert_eq!(warnings(&[(&marker, &kept)], &calls), [vec![Warning::CutCalls { calls: 1 }]]);
    }
}
