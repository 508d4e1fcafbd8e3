//! Spans: several blocks under one record. Their fields are put together word for word, which is no summarising step;
//! their prose is written from originals, by as many sibling spans as the summariser's window asks for. Only where one
//! text must stand for all of them may prose come from prose: under a permit of the gate, each sentence held against
//! the originals again.

use std::ops::Range;

use foldhash::{HashMap, HashMapExt};

use super::gate::Permit;
use super::{Brief, Sentence, Spoken, Summariser, SummaryError};
use crate::record::{Block, Detail, Field, Item, Record, Span};
use crate::session::SourceRef;

/// A record has at most so many sentences of prose.
pub const SENTENCES: usize = 4;

/// So many blocks at most go into one span, and so many spans into a wider one.
pub const MOST: usize = 16;

/// Blocks that follow each other and go into one span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Siblings {
    /// Indexes of the blocks, half-open.
    pub blocks: Range<usize>,
    /// Tokens of their originals.
    pub tokens: u64,
    /// They fit the window. A single block may not: then its prose stays what it is.
    pub fits: bool,
}

/// Cuts blocks (by the tokens of their originals) into runs that each fit a window of so many tokens, none longer than
/// [`MOST`]. Where more blocks come, all but the last stay as they are.
pub fn siblings(blocks: &[u64], window: u64) -> Vec<Siblings> {
    let mut all: Vec<Siblings> = Vec::new();
    for (at, tokens) in blocks.iter().enumerate() {
        let fits = |last: &&mut Siblings| last.blocks.len() < MOST && last.tokens.saturating_add(*tokens) <= window;
        match all.last_mut().filter(fits) {
            Some(last) => {
                last.blocks.end = at + 1;
                last.tokens += tokens;
            }
            None => all.push(Siblings { blocks: at..at + 1, tokens: *tokens, fits: *tokens <= window }),
        }
    }
    all
}

/// The fields of several records, in their order, each item once: the union of what stands there word for word. An item
/// that stands in several keeps its first source and gains the others'. Prose is not put together here: of each record's
/// sentences those are taken that frame the whole, the first of the first and the last of the last ones. Drafts frame
/// nothing, and all of them come along as what they are.
pub fn merged<'a>(records: impl IntoIterator<Item = &'a Record>) -> Record {
    let records: Vec<&Record> = records.into_iter().collect();
    let all = || records.iter().flat_map(|record| &record.items);
    let mut items: Vec<Item> = framing(&records);
    items.extend(all().filter(|item| item.is_draft()).map(|item| Item { own: None, ..item.clone() }));
    let mut seen: HashMap<(Field, &str, Option<&str>), usize> = HashMap::new();
    for field in Field::ALL.into_iter().filter(|field| *field != Field::Narrative) {
        for item in all().filter(|item| item.field == field && !item.is_draft()) {
            let label = match &item.detail {
                Detail::Figure { label, .. } => Some(label.as_str()),
                // An action that failed is another than the same one that went well.
                Detail::Action { ok, .. } => Some(if *ok == Some(false) { "failed" } else { "" }),
                Detail::Plain | Detail::Entity { .. } | Detail::RuledOut { .. } => None,
            };
            if let Some(at) = seen.get(&(field, item.text.as_str(), label)) {
                join(&mut items[*at].sources, &item.sources);
            } else {
                seen.insert((field, &item.text, label), items.len());
                items.push(Item { own: None, ..item.clone() });
            }
        }
    }
    Record { items, summary: String::new(), rules: 0 }
}

/// So many sources of one item are kept: the first, and the latest others.
const SOURCES: usize = 4;

fn join(sources: &mut Vec<SourceRef>, more: &[SourceRef]) {
    for source in more {
        if !sources.iter().any(|one| one.seq == source.seq && one.range == source.range) {
            if sources.len() >= SOURCES {
                sources.remove(1);
            }
            sources.push(source.clone());
        }
    }
}

/// The first sentence of the first record that has any, and the last ones of the last, in their order.
fn framing(records: &[&Record]) -> Vec<Item> {
    let held = records.iter().flat_map(|record| &record.items).filter(|item| !item.is_draft());
    let all: Vec<&Item> = held.filter(|item| item.field == Field::Narrative).collect();
    let skipped = all.len().saturating_sub(SENTENCES - 1).max(1);
    let first = all.first().into_iter();
    first.chain(all.iter().skip(skipped)).map(|item| Item { own: None, ..(*item).clone() }).collect()
}

/// Sentences for a span whose siblings' prose must stand in one text: written from that prose, which makes them one step
/// deeper than it is ([`Permit::generation`]). They come without sources: each is to be held against the originals again.
pub fn prose_of_prose(
    permit: &Permit,
    summariser: &dyn Summariser,
    prose: &[&Item],
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Sentence>, SummaryError> {
    let read: Vec<Spoken> = prose.iter().filter_map(|item| spoken(item)).collect();
    let read: Vec<Spoken> = read.into_iter().filter(|one| permit.holds(one.seq.0)).collect();
    let sentences = summariser.summarise(&Brief { originals: &read, sentences: SENTENCES }, stop)?;
    let bare = sentences.into_iter().map(|sentence| Sentence { sources: Vec::new(), ..sentence });
    Ok(bare.take(SENTENCES).collect())
}

/// A sentence of prose, at the place of the original that holds it. One without, and a draft, is not read: nothing could
/// show where what is made of it comes from.
fn spoken(item: &Item) -> Option<Spoken> {
    let source = item.sources.first().filter(|_| !item.is_draft())?;
    Some(Spoken {
        turn: source.turn.clone(),
        turn_id: source.turn_id.clone(),
        line_id: source.line_id.clone(),
        place: source.place,
        seq: source.seq,
        part: crate::session::Part {
            block: source.place.part,
            kind: crate::session::PartKind::Text,
            speaker: source.speaker,
            text: item.text.clone(),
        },
        heard: None,
    })
}

/// Through what a turn comes into a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The block that holds it; `None` in the open tail.
    pub block: Option<u32>,
    /// The span that stands for the block; `None` where the block stands for itself.
    pub span: Option<u32>,
    /// Summarising steps between the turn and the request: 0 where it stands there as it was said.
    pub generation: u32,
}

/// The chain of a part, when these spans stand for their blocks in the request.
pub fn chain(seq: u64, blocks: &[Block], spans: &[&Span]) -> Chain {
    let Some(block) = blocks.iter().find(|block| block.run.parts.contains(&seq)) else {
        return Chain { block: None, span: None, generation: 0 };
    };
    let span = spans.iter().find(|span| span.run.parts.contains(&seq));
    Chain {
        block: Some(block.no),
        span: span.map(|span| span.no),
        generation: span.map_or(block.generation, |span| span.generation),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use proptest::prelude::*;

    use std::sync::Arc;

    use super::*;
    use crate::compile::{GateRegion, Liveness, gate_prose, given};
    use crate::record::{Run, Verdict};

    /// A1.4 and C5: originals that do not fit at once are read by siblings that each do.
    #[test]
    fn siblings_fit_the_window_and_leave_nothing_out() {
        let ranges = |all: Vec<Siblings>| all.into_iter().map(|one| (one.blocks, one.fits)).collect::<Vec<_>>();
        assert_eq!(ranges(siblings(&[48; 6], 200)), [(0..4, true), (4..6, true)]);
        assert_eq!(ranges(siblings(&[10, 300, 10, 10], 200)), [(0..1, true), (1..2, false), (2..4, true)]);
        assert_eq!(ranges(siblings(&[], 200)), []);
        assert_eq!(ranges(siblings(&[200], 200)), [(0..1, true)]);
        assert_eq!(ranges(siblings(&[1; 33], u64::MAX)), [(0..16, true), (16..32, true), (32..33, true)]);
    }

    proptest! {
        #[test]
        fn every_block_is_in_one_sibling(blocks in prop::collection::vec(0_u64..500, 0..40), window in 1_u64..600) {
            let all = siblings(&blocks, window);
            prop_assert!(all.iter().flat_map(|one| one.blocks.clone()).eq(0..blocks.len()));
            for one in all {
                let tokens: u64 = blocks[one.blocks.clone()].iter().sum();
                prop_assert_eq!(tokens, one.tokens);
                prop_assert_eq!(one.fits, tokens <= window);
                prop_assert!(one.fits || one.blocks.len() == 1);
            }
        }
    }

    /// C5: a union of what stands there word for word is no summarising step, and loses nothing.
    #[test]
    fn fields_are_put_together_word_for_word_and_each_once() {
        let first = given::record("n 1 user a goal\nn 2 user b\nc 1 user never lock\ne 1 user a_b\nf 1 user ceiling 7");
        let second = given::record(
            "n 41 user c\nn 42 user d\nn 43 user e\ne 44 user a_b\ne 45 user c_d\nf 46 user floor 7\nc 47 user never lock",
        );
        let both = merged([&first, &second]);
        let told: Vec<String> = both
            .items
            .iter()
            .map(|item| {
                let turns: Vec<String> = item.sources.iter().map(|source| source.turn.to_string()).collect();
                format!("{} {} {}", item.field.letter(), item.text, turns.join(","))
            })
            .collect();
        assert_eq!(
            told,
            [
                "n a goal 1",
                "n c 41",
                "n d 42",
                "n e 43",
                "e a_b 1,44",
                "e c_d 45",
                "f ceiling 7 1",
                "f floor 7 46",
                "c never lock 1,47",
            ]
        );
        assert_eq!(merged([&both]).items, both.items, "putting it together again changes nothing");
        assert_eq!(merged([]), Record::default());
    }

    #[test]
    fn drafts_come_along_unread_and_frame_nothing() {
        let mut block = given::block(1, (1, 9), 10, "n 1 user the goal\nn 2 agent nobody said this\nn 3 user the end");
        let record = Arc::make_mut(&mut block.record);
        (record.items[1].verdict, record.items[1].why) = (Verdict::Unchecked, Some("no turn says this".into()));
        let whole = merged([&*block.record]);
        let told: Vec<_> = whole.items.iter().map(|item| (item.text.as_str(), item.is_draft())).collect();
        assert_eq!(told, [("the goal", false), ("the end", false), ("nobody said this", true)]);
        assert_eq!(merged([&whole]).items, whole.items);
        let read = |item: &Item| spoken(item).map(|one| one.part.text);
        assert_eq!(whole.items.iter().filter_map(read).collect::<Vec<_>>(), ["the goal", "the end"]);
    }

    struct Says(Vec<&'static str>);

    impl Summariser for Says {
        fn name(&self) -> String {
            "says".into()
        }

        fn window(&self) -> u64 {
            100
        }

        fn summarise(&self, brief: &Brief, _: &dyn Fn() -> bool) -> Result<Vec<Sentence>, SummaryError> {
            assert!(brief.originals.iter().all(|one| one.part.text != "outside"));
            let sources = given::record("n 1 user keep the column").items.remove(0).sources;
            Ok(self.0.iter().map(|text| Sentence { text: (*text).into(), sources: sources.clone() }).collect())
        }
    }

    /// A1.8 and C5: prose made of prose is of generation 2, reads nothing that the gate did not let through, and has no
    /// source of its own.
    #[test]
    fn prose_of_prose_is_gated_and_names_no_source() {
        let first = given::block(1, (1, 20), 10, "n 1 user keep the column");
        let second = given::block(2, (21, 40), 10, "n 2 user outside\nn 3 user ceiling is 7");
        let live = |block: &Block| (GateRegion::block(block), Liveness::Live);
        // The notation puts turn n at part 10 n: turn 1 is part 10, turn 2 part 20, turn 3 part 30.
        let narrow = gate_prose("span 1", &[live(&first)]).unwrap();
        let prose: Vec<&Item> = first.record.items.iter().chain(&second.record.items).collect();
        let says = Says(vec!["the ceiling is 7", "everybody agreed", "c", "d", "one too many"]);
        let made = prose_of_prose(&narrow, &says, &prose, &|| false).unwrap();
        let told: Vec<_> = made.iter().map(|sentence| (sentence.text.as_str(), sentence.sources.len())).collect();
        assert_eq!(told, [("the ceiling is 7", 0), ("everybody agreed", 0), ("c", 0), ("d", 0)]);
        assert_eq!(narrow.generation(), 2);
    }

    /// A1.8: turn → block → span → request, with the number of steps.
    #[test]
    fn the_chain_of_a_turn_says_through_what_it_comes() {
        let blocks =
            [given::block(1, (1, 40), 10, ""), given::block(2, (41, 80), 10, ""), given::block(3, (81, 120), 10, "")];
        let span = Span {
            no: 1,
            blocks: (1, 2),
            run: Run { parts: 0..80, turns: (1, 80), ..blocks[0].run.clone() },
            generation: 2,
            record: blocks[0].record.clone(),
        };
        let chain = |seq| super::chain(seq, &blocks, &[&span]);
        assert_eq!(chain(0), Chain { block: Some(1), span: Some(1), generation: 2 });
        assert_eq!(chain(79), Chain { block: Some(2), span: Some(1), generation: 2 });
        assert_eq!(chain(80), Chain { block: Some(3), span: None, generation: 1 });
        assert_eq!(chain(120), Chain { block: None, span: None, generation: 0 });
    }
}
