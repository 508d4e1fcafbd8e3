//! Sessions for tests of this room, in a tiny notation.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::record::{Again, Field};
use crate::session::{Compaction, Hash, MarkerKey, Originals, Part, PartSeq, Place, Speaker, Trigger, TurnNo};

/// A world in a tiny notation: `u: text`, `a: text`, `> tool args` (`\n` for a line end), `< result`, `<! failed result`,
/// `<u what a person refused`, `==` for a marker. A turn begins with every word of a person and every word of the agent behind it.
pub(super) struct World {
    pub(super) parts: Vec<(Part, u32)>,
    pub(super) markers: Vec<Compaction>,
}

impl World {
    pub(super) fn of(lines: &[&str]) -> Self {
        let mut world = Self { parts: Vec::new(), markers: Vec::new() };
        let (mut turn, mut calls) = (0, 0);
        for line in lines {
            let (mark, text) = line.split_once(' ').unwrap_or((line, ""));
            let text = text.replace("\\n", "\n");
            let id = || Some(format!("c{calls}"));
            let (kind, speaker, text) = match mark {
                "u:" => (PartKind::Text, Speaker::User, text),
                "a:" => (PartKind::Text, Speaker::Assistant, text),
                ">" => {
                    calls += 1;
                    let (name, args) = text.split_once(' ').unwrap();
                    let name = name.to_owned();
                    (PartKind::ToolCall { id: Some(format!("c{calls}")), name }, Speaker::Assistant, args.to_owned())
                }
                "<" => (PartKind::ToolResult { id: id(), ok: true }, Speaker::Tool, text),
                "<!" => (PartKind::ToolResult { id: id(), ok: false }, Speaker::Tool, text),
                "<u" => (PartKind::ToolResult { id: id(), ok: false }, Speaker::User, text),
                "==" => {
                    world.mark();
                    continue;
                }
                _ => panic!("{line}"),
            };
            turn += u32::from(matches!(kind, PartKind::Text));
            world.parts.push((Part { block: 0, kind, speaker, text }, turn));
        }
        world
    }

    fn mark(&mut self) {
        let end = self.parts.len() as u64;
        let no = self.markers.len() as u32 + 1;
        let covered = self.markers.last().map_or(0, |last| last.place.offset / 10);
        self.markers.push(Compaction {
            no,
            key: MarkerKey { id: format!("k{no}"), summary: Hash::ZERO },
            place: Place { file: FileNo(0), offset: end * 10, part: 0 },
            summary: None,
            after_turn: None,
            at: None,
            trigger: Trigger::Auto,
            tokens_before: None,
            tokens_after: None,
            covers: std::iter::once(covered..end).collect(),
            reaches: std::iter::once(0..end).collect(),
            generation: Some(1),
            originals: Originals::Present,
            own_record: false,
        });
    }

    pub(super) fn gathered(&self) -> Gather {
        let mut gather = Gather::new(&self.markers);
        for (at, (part, turn)) in self.parts.iter().enumerate() {
            let original = Original {
                part,
                place: Place { file: FileNo(0), offset: at as u64 * 10 + 1, part: 0 },
                line_id: None,
                seq: PartSeq(at as u64),
                turn: &TurnNo::main(*turn),
                turn_id: &format!("t{turn}"),
            };
            gather.add(&original, look(&original));
        }
        gather.close();
        gather
    }
}

/// The items of one field in the first marker's record.
pub(super) fn items(lines: &[&str], field: Field) -> Vec<String> {
    let gather = World::of(lines).gathered();
    compiled(gather.facts(0)).of(field).map(|(_, item)| item.text.clone()).collect()
}

/// Where the fact with this text was needed again behind the first marker.
pub(super) fn again(lines: &[&str], text: &str) -> Vec<(u32, String)> {
    let gather = World::of(lines).gathered();
    let facts = gather.facts(0);
    let no = facts.iter().position(|fact| fact.item.text == text).unwrap_or_else(|| panic!("no {text} in {facts:?}"));
    gather.again(0, no).into_iter().map(|Again { turn, what, .. }| (turn.0[0], what)).collect()
}
