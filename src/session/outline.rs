//! What only the whole file can tell: turn numbers, part sequences, markers with their ranges, abandoned branches.
//!
//! An outline is fed lines in file order and only grows. It holds no text but ids: some tens of bytes a line. How it
//! grows stands in `growth`, its markers in `compaction`, its sub-agents in `agents`, rewound turns in `branches`.

use std::collections::BTreeMap;

use super::agents::Agents;
use super::growth::Build;
use super::{Compaction, FileNo, PartSeq, Place, Ranges, Role, Trouble, TurnNo};

/// One line of the file, as the outline keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineMeta {
    /// Which of the session's files.
    pub file: FileNo,
    /// Where it starts.
    pub offset: u64,
    /// The sequence of its first part; lines without parts carry that of the next part.
    pub seq: PartSeq,
    /// How many parts it has; 0 for a repeat, whose parts are counted where they first stood.
    pub parts: u32,
    /// Index of its turn in [`Outline::turns`]. Of a result: the turn of its call.
    pub turn: Option<u32>,
    /// The line repeats an id that was seen before.
    pub repeat: bool,
}

impl LineMeta {
    pub(super) fn seqs(&self) -> std::ops::Range<u64> {
        self.seq.0..self.seq.0 + u64::from(self.parts)
    }
}

/// One turn, as the outline keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnMeta {
    /// Whose turn it is.
    pub role: Role,
    /// Its first line.
    pub place: Place,
    /// The agent's id of its first line, else that line's index.
    pub id: Box<str>,
    /// When it began; `None` where the line does not say.
    pub at: Option<i64>,
    pub(super) number: Number,
    /// Index of its first line in [`Outline::lines`].
    pub(super) line: u32,
    /// The turn was rewound: it is on no path to the end. Known only when the outline is complete.
    pub abandoned: bool,
    /// What a person typed is in it.
    pub by_user: bool,
}

impl TurnMeta {
    /// Whether it is the session's own and not a sub-agent's.
    pub fn is_main(&self) -> bool {
        matches!(self.number, Number::Main(_))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Main(u32),
    /// The n-th turn of the k-th sub-agent that this turn started; without one it has no number of its own to stand under.
    Sub {
        under: Option<u32>,
        agent: u32,
        no: u32,
        depth: u8,
    },
}

/// What an outline learned since it was last asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// New or changed markers; one may be told again, then it has the same number.
    pub markers: Vec<Compaction>,
    /// What each of `markers` covers, as inclusive ranges of turn numbers.
    pub covered: Vec<Vec<(u32, u32)>>,
    /// Lines that could not be read.
    pub troubles: Vec<Trouble>,
    /// The session's own turns so far.
    pub turns: u32,
    /// How far the session's own file was read.
    pub read_to: u64,
    /// A line that was read before and has more parts by now; `None` where there is none.
    pub lengthened: Option<Place>,
    /// Every file was read to its end.
    pub complete: bool,
    /// What the session is called by now; `None` where nothing says.
    pub title: Option<String>,
}

/// The table of contents of a session: append-only, and possibly incomplete.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// Every line that was read, in the order in which they were: file after file, and what was appended later.
    pub lines: Vec<LineMeta>,
    /// Every turn, in the order of their first lines.
    pub turns: Vec<TurnMeta>,
    /// Every compaction of the session itself.
    pub compactions: Vec<Compaction>,
    /// Lines that could not be read.
    pub troubles: Vec<Trouble>,
    /// Lines that were read, though not to the last byte: what was done about it.
    pub mended: Vec<Trouble>,
    /// The agent's name for the session; one that a person gave goes before one that was made up.
    pub title: Option<String>,
    /// Micro-compactions.
    pub notes: u32,
    /// The first time that a line of the session's own file tells.
    pub first_at: Option<i64>,
    /// The last one.
    pub last_at: Option<i64>,
    /// The session's own turns so far (sub-agents' not counted).
    pub main_turns: u32,
    /// Every file was read to its end.
    pub complete: bool,
    /// The session's beginning is not in the file.
    pub starts_midway: bool,
    /// For each file its lines, as indexes of `lines`.
    pub(super) files: Vec<Vec<u32>>,
    /// Where blank lines stand: by file and index among its lines, how many there were up to it.
    pub(super) blanks: BTreeMap<(FileNo, u32), u64>,
    /// Lines of the session's own turns that came when a later turn had begun already (late results).
    pub(super) late: Vec<u32>,
    pub(super) next_seq: u64,
    pub(super) main: Vec<u32>,
    pub(super) agents: Agents,
    pub(super) build: Build,
}

impl Outline {
    /// Says that every file was read to its end, and works out what only then is known.
    pub fn finish(&mut self) {
        self.complete = true;
        let changed_from = self.find_abandoned();
        for marker in changed_from..self.compactions.len() {
            self.set_ranges(marker);
        }
        // Ranges may have lost rewound turns: those markers are told anew.
        self.build.told_markers = self.build.told_markers.min(changed_from);
    }

    /// The file grew: more lines may be pushed.
    pub fn reopen(&mut self) {
        self.complete = false;
    }

    /// What is new since the last batch.
    pub fn batch(&mut self) -> Batch {
        // The last marker may still get its summary and its tokens: it is told again until it has them.
        let waits = !self.complete && (self.build.waiting_summary || self.build.waiting_tokens);
        let settled = self.compactions.len() - usize::from(waits && !self.compactions.is_empty());
        let told = &self.compactions[self.build.told_markers.min(self.compactions.len())..];
        let batch = Batch {
            markers: told.to_vec(),
            covered: told.iter().map(|marker| self.turn_ranges(&marker.covers)).collect(),
            troubles: self.troubles[self.build.told_troubles..].to_vec(),
            turns: self.main_turns,
            read_to: self.build.read_to,
            lengthened: None,
            complete: self.complete,
            title: self.title.clone(),
        };
        self.build.told_markers = settled.max(self.build.told_markers);
        self.build.told_troubles = self.troubles.len();
        batch
    }

    /// Index of the line that starts at this place; `None` when it is not read yet.
    pub fn line_at(&self, file: FileNo, offset: u64) -> Option<usize> {
        self.own_index(file, offset).map(|(_, line)| line)
    }

    /// The line's index in its own file and in all lines.
    fn own_index(&self, file: FileNo, offset: u64) -> Option<(usize, usize)> {
        let lines = self.files.get(usize::from(file.0))?;
        let meta = |line: u32| self.lines.get(line as usize);
        let at = lines.partition_point(|line| meta(*line).is_some_and(|line| line.offset < offset));
        let line = *lines.get(at)?;
        meta(line).filter(|line| line.offset == offset).map(|_| (at, line as usize))
    }

    /// The line's number in its own file, from 1, as any editor counts.
    pub fn line_number(&self, file: FileNo, offset: u64) -> Option<u64> {
        self.own_index(file, offset).map(|(at, _)| at as u64 + 1 + self.blanks_before(file, at as u32))
    }

    /// How many blank lines stand before this line of a file.
    pub(super) fn blanks_before(&self, file: FileNo, at: u32) -> u64 {
        self.blanks.range((file, 0)..=(file, at)).next_back().map_or(0, |(_, blanks)| *blanks)
    }

    /// How many lines of a file were read.
    pub(super) fn lines_of(&self, file: FileNo) -> u64 {
        self.files.get(usize::from(file.0)).map_or(0, |lines| lines.len() as u64)
    }

    /// The sequence of the part at this place; `None` for a repeat, whose parts are counted where they first stood.
    pub fn seq(&self, place: Place) -> Option<PartSeq> {
        let line = &self.lines[self.line_at(place.file, place.offset)?];
        (place.part < line.parts).then(|| PartSeq(line.seq.0 + u64::from(place.part)))
    }

    /// The line that holds this part.
    pub fn line_of(&self, seq: PartSeq) -> Option<&LineMeta> {
        let after = self.lines.partition_point(|line| line.seq <= seq);
        // Lines without parts carry the sequence of the next part; only as many as stand here are passed over.
        self.lines[..after].iter().rev().find(|line| line.parts > 0).filter(|line| line.seqs().contains(&seq.0))
    }

    /// The turn of the line that starts here (of a result: the turn of its call).
    pub fn turn_at(&self, file: FileNo, offset: u64) -> Option<&TurnMeta> {
        self.turns.get(self.lines[self.line_at(file, offset)?].turn? as usize)
    }

    /// The session's own turn with this number.
    pub fn main_turn(&self, no: u32) -> Option<&TurnMeta> {
        self.turns.get(*self.main.get(no.checked_sub(1)? as usize)? as usize)
    }

    /// The turn with this number, a sub-agent's included.
    pub fn turn(&self, no: &TurnNo) -> Option<&TurnMeta> {
        match no.0[..] {
            [no] => self.main_turn(no),
            _ => self.turns.iter().filter(|turn| !turn.is_main()).find(|turn| self.number(turn).as_ref() == Some(no)),
        }
    }

    /// A turn's number for display; `None` for a sub-agent's turn whose call is not in the file.
    pub fn number(&self, turn: &TurnMeta) -> Option<TurnNo> {
        let mut number = turn.number;
        let mut path = Vec::new();
        loop {
            match number {
                Number::Main(no) => {
                    path.push(no);
                    path.reverse();
                    return Some(TurnNo(path));
                }
                Number::Sub { under, agent, no, .. } => {
                    path.extend([no, agent]);
                    number = self.turns.get(under? as usize)?.number;
                }
            }
        }
    }

    /// The turn that started a sub-agent; `None` where no turn of the session itself stands behind it.
    pub fn starter(&self, agent: &str) -> Option<&TurnMeta> {
        let (starter, _) = self.agents.starter(agent)?;
        let is_rooted = self.above(starter).any(|turn| self.turns[turn as usize].is_main());
        self.turns.get(starter as usize).filter(|_| is_rooted)
    }

    /// The sub-agents that the turn at this place started, in the order in which they were met, each followed by those
    /// that it started in turn.
    pub fn started_by(&self, turn: Place) -> Vec<&str> {
        let line = self.line_at(turn.file, turn.offset).and_then(|line| self.lines.get(line));
        let mut agents = Vec::new();
        let mut open: Vec<&str> =
            line.and_then(|line| line.turn).map_or(Vec::new(), |turn| self.agents.started_by(turn));
        open.reverse();
        while let Some(agent) = open.pop() {
            agents.push(agent);
            let its = self.build.side_turns.get(agent).into_iter().flatten();
            let before = open.len();
            open.extend(its.flat_map(|turn| self.agents.started_by(*turn)));
            open[before..].reverse();
        }
        agents
    }

    /// Whether some turn is known to be rewound.
    pub fn is_rewound(&self) -> bool {
        self.build.abandoned > 0
    }

    /// Part ranges as inclusive ranges of the session's own turn numbers. A range costs no more than finding its ends:
    /// turns begin in file order, and lines that come late to their turn are known.
    pub fn turn_ranges(&self, parts: &Ranges) -> Vec<(u32, u32)> {
        let mut numbers = Ranges::default();
        for range in parts.iter() {
            let first = self.lines.partition_point(|line| line.seq.0 < range.start);
            let end = self.lines.partition_point(|line| line.seq.0 < range.end);
            let began =
                |line: usize| self.main.partition_point(|turn| (self.turns[*turn as usize].line as usize) < line);
            let (before, up_to) = (began(first) as u64, began(end) as u64);
            numbers.add(before + 1..up_to + 1);
            // The turn that was under way goes on until the next one begins.
            let mut going_on = (first..end).filter_map(|line| self.main_no(line as u32));
            if going_on.find(|no| *no >= before) == Some(before) {
                numbers.add(before..before + 1);
            }
            let seq = |line: &u32| self.lines[*line as usize].seq.0;
            let first = self.late.partition_point(|line| seq(line) < range.start);
            for line in self.late[first..].iter().take_while(|line| seq(line) < range.end) {
                self.main_no(*line).into_iter().for_each(|no| numbers.add(no..no + 1));
            }
        }
        numbers.iter().map(|r| (r.start as u32, r.end as u32 - 1)).collect()
    }

    /// The number of the session's own turn that this line belongs to.
    fn main_no(&self, line: u32) -> Option<u64> {
        match self.turns.get(self.lines[line as usize].turn? as usize)?.number {
            Number::Main(no) => Some(u64::from(no)),
            Number::Sub { .. } => None,
        }
    }

    /// How many parts were seen.
    pub fn parts(&self) -> u64 {
        self.next_seq
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::fmt::Write as _;

    use proptest::prelude::*;

    use super::super::Originals;
    use super::super::notation::{lines, outline};
    use super::*;

    /// `id=number` of every turn, `?` without a number, `!` behind abandoned ones.
    fn turns(outline: &Outline) -> String {
        let mut text = String::new();
        for turn in &outline.turns {
            let number = outline.number(turn).map_or("?".into(), |no| no.to_string());
            let _ = write!(text, "{}={number}{} ", turn.id, if turn.abandoned { "!" } else { "" });
        }
        text.trim_end().to_owned()
    }

    type TurnRanges = Vec<(u32, u32)>;

    /// What each compaction covers and reaches.
    fn ranges(outline: &Outline) -> Vec<(TurnRanges, TurnRanges)> {
        let of = |c: &Compaction| (outline.turn_ranges(&c.covers), outline.turn_ranges(&c.reaches));
        outline.compactions.iter().map(of).collect()
    }

    #[test]
    fn turns_are_numbered_in_file_order_and_results_are_none() {
        for (session, want) in [
            ("u1 u hi\na1@m a look\na2@m > t1 Read\nr1 < t1\nu2 u on", "u1=1 a1=2 u2=3"),
            ("u1 u hi\nu1 u other words\nu2 u on", "u1=1 u2=2"),
            ("- u hi\n- a yo", "0=1 1=2"),
            ("a1 > - Read\nr1 < -\nr2 < -\nu1 u on", "a1=1 r2=2 u1=3"),
            ("r1 < gone\na1 > t1 Read\nr2 < t1\nr3 < t1", "r1=1 a1=2"),
        ] {
            assert_eq!(turns(&outline(session)), want, "{session}");
        }
    }

    #[test]
    fn rewound_turns_are_abandoned_and_parallel_calls_are_not() {
        for (session, want) in [
            (
                "u1 u hi\na1^u1 a no\nu2^a1 u wrong way\na2^u2 a going\nu3^a1 u right way\na3^u3 a yes",
                "u1=1 a1=2 u2=3! a2=4! u3=5 a3=6",
            ),
            ("u1 u hi\na1^u1@m > t1 R\na2^a1@m > t2 R\nr1^a1 < t1\nr2^a2 < t2\na3^r1@n a done", "u1=1 a1=2 a3=3"),
            ("u1^u2 u a\nu2^u1 u b\nu3^u3 u c\nu4^gone u d\n-^gone u e", "u1=1 u2=2 u3=3 u4=4 4=5"),
            ("u1 u hi\na1^u1 a yo\nu2 u no link", "u1=1 a1=2 u2=3"),
        ] {
            assert_eq!(turns(&outline(session)), want, "{session}");
        }
    }

    #[test]
    fn a_session_that_goes_on_is_the_same_as_one_read_at_once() {
        let text = "u1 u hi\na1^u1 a no\nu2^a1 u wrong\nb1^u2 --\ns1^b1 == sum\nu3^a1 u right\na3^u3 a yes\n\
                    u4^a3 u more\na4^u4 > t1 Task\nr1^a4 < t1\nu5^u4 u again\nb2^u5 -- u4\nu6^b2 u end";
        let all = lines(text);
        let whole = outline(text);
        for cut in 1..all.len() {
            let mut grown = Outline::default();
            for part in [&all[..cut], &all[cut..]] {
                grown.reopen();
                for line in part {
                    grown.push(line);
                }
                grown.finish();
            }
            assert_eq!(turns(&grown), turns(&whole), "cut at {cut}");
            assert_eq!(grown.compactions, whole.compactions, "cut at {cut}");
        }
    }

    #[test]
    fn a_compaction_covers_what_it_replaced_and_reaches_what_was_read() {
        for (session, want) in [
            (
                "u1 u a\na1 a b\nb1 --\ns1 == x\nu2 u c\nb2 --\ns2 == y",
                vec![(vec![(1, 2)], vec![(1, 2)]), (vec![(3, 3)], vec![(1, 3)])],
            ),
            (
                "u1 u a\nu2 u b\nu3 u c\nb1 -- u2\ns1 == x\nu4 u d\nb2 --",
                vec![(vec![(1, 1), (3, 3)], vec![(1, 3)]), (vec![(2, 2), (4, 4)], vec![(1, 4)])],
            ),
            (
                "u1 u a\nu2^u1 u b\nu3^u2 u c\nu4^u3 u d\nb1 -- u2..u3\ns1 == x",
                vec![(vec![(1, 1), (4, 4)], vec![(1, 4)])],
            ),
            ("s1 == x\nu1 u a\nb1 --", vec![(vec![], vec![]), (vec![(1, 1)], vec![(1, 1)])]),
            ("u1 u a\nb1 --\nu1 u a\nu2 u b", vec![(vec![(1, 1)], vec![(1, 1)])]),
            // What the agent says it replaced ends before the boundary; the rest waits for the next one.
            (
                "u1 u a\na1 a b\nu2 u c\nb1 -- ..a1\ns1 == x\nu3 u d\nb2 --\ns2 == y",
                vec![(vec![(1, 2)], vec![(1, 3)]), (vec![(3, 4)], vec![(1, 4)])],
            ),
            ("u1 u a\nu2 u b\nb1 -- ..nowhere", vec![(vec![(1, 2)], vec![(1, 2)])]),
        ] {
            assert_eq!(ranges(&outline(session)), want, "{session}");
        }
    }

    #[test]
    fn rewound_turns_are_not_covered() {
        let outline = outline("u1 u a\na1^u1 a b\nu2^a1 u bad\nu3^a1 u good\nb1^u3 --\ns1^b1 == x\nu4^s1 u on");
        assert_eq!(ranges(&outline), [(vec![(1, 2), (4, 4)], vec![(1, 2), (4, 4)])]);
    }

    #[test]
    fn a_compaction_of_a_rewound_branch_covers_that_branch_and_is_none_of_the_other() {
        let outline = outline(
            "u1 u a\na1^u1 a b\nu2^a1 u wrong\nb1^u2 --\ns1^b1 == x\nu3^a1 u right\na3^u3 a c\nb2^a3 --\ns2^b2 == y\nu4^s2 u on",
        );
        assert_eq!(ranges(&outline), [(vec![(1, 3)], vec![(1, 3)]), (vec![(1, 2), (4, 5)], vec![(1, 2), (4, 5)])]);
        assert_eq!(outline.compactions[1].generation, Some(1), "the summary of the other branch was not read");
    }

    #[test]
    fn generations_and_originals_know_where_the_file_begins() {
        for (session, want) in [
            ("u1 u a\nb1 --\nu2 u b\nb2 --", vec![(Some(1), Originals::Present), (Some(2), Originals::Present)]),
            ("u1^gone u a\nb1 --", vec![(None, Originals::Partly)]),
            ("s1 == x\nu1 u a\nb1 --", vec![(None, Originals::Gone), (None, Originals::Partly)]),
        ] {
            let outline = outline(session);
            let got: Vec<_> = outline.compactions.iter().map(|c| (c.generation, c.originals)).collect();
            assert_eq!(got, want, "{session}");
        }
    }

    #[test]
    fn sub_agents_stand_under_the_call_that_started_them() {
        for (session, want) in [
            // The result names the agent.
            ("a1 > t1 Task\nr1 < t1 A\nu2 u on\n/\nx1~A u find\nx2~A a found", "a1=1 u2=2 x1=1.1.1 x2=1.1.2"),
            // Nobody names them: in the order in which they begin.
            (
                "a1@m > t1 Task\na2@m > t2 Task\nr1 < t1\nr2 < t2\n/\nx1~A u one\n/\ny1~B u two",
                "a1=1 x1=1.1.1 y1=1.2.1",
            ),
            // One is named, the other takes the call that is left.
            (
                "a1 > t1 Task\na2 > t2 Task\nr1 < t1 B\nr2 < t2\n/\nx1~A u one\n/\ny1~B u two",
                "a1=1 a2=2 x1=2.1.1 y1=1.1.1",
            ),
            // Each says that it started the other, or itself: the first was started by nobody.
            (
                "/\nx1~A u one\nx2~A > t1 Task\nx3~A < t1 B\n/\ny1~B u two\ny2~B > t2 Task\ny3~B < t2 A",
                "x1=? x2=? y1=? y2=?",
            ),
            ("/\nx1~A > t1 Task\nx2~A < t1 A", "x1=?"),
            // Its call is gone.
            ("u1 u hi\n/\nx1~A u find", "u1=1 x1=?"),
            // Inside the session's own file, with and without names.
            ("a1 > t1 Task\nx1~ u find\nr1 < t1\na2 > t2 Task\nx2~ u more", "a1=1 x1=1.1.1 a2=2 x2=2.1.1"),
            ("u1~ u hello\na1~ a hi", "u1=1 a1=2"),
        ] {
            assert_eq!(turns(&outline(session)), want, "{session}");
        }
        let outline = outline("a1 > t1 Task\nr1 < t1 A\n/\nx1~A u find\n/\ny1~B u lost");
        assert_eq!(outline.started_by(outline.turns[0].place), ["A"]);
        assert_eq!(outline.starter("A").unwrap().id.as_ref(), "a1");
        assert!(outline.starter("B").is_none(), "its call is gone");
        let deep = super::super::notation::outline(
            "a1 > t1 Task\nr1 < t1 A\na2 > t2 Task\nr2 < t2 D\n/\nx1~A > t3 Task\nx2~A < t3 B\nx3~A > t4 Task\n\
             x4~A < t4 C\n/\ny1~B u hi\n/\nz1~C u hi\n/\nw1~D u hi",
        );
        assert_eq!(deep.started_by(deep.turns[0].place), ["A", "B", "C"]);
        assert_eq!(deep.started_by(deep.turns[1].place), ["D"]);
        assert_eq!(deep.starter("C").unwrap().id.as_ref(), "x3");
        let circle = super::super::notation::outline(
            "/\nx1~A > t1 Task\nx2~A < t1 B\n/\ny1~B > t2 Task\ny2~B < t2 A\n/\nz1~C > t3 Task\nz2~C < t3 C",
        );
        assert!(["A", "B", "C"].iter().all(|agent| circle.starter(agent).is_none()), "no agent starts itself");
        assert_eq!(outline.turn(&TurnNo(vec![1, 1, 1])).unwrap().id.as_ref(), "x1");
    }

    #[test]
    fn what_is_appended_after_the_sub_agents_were_read_belongs_to_its_file() {
        let first = lines("u1 u hi\na1 > t1 Task\nr1 < t1 A\n/\nx1~A u find");
        let mut outline = Outline::default();
        for line in &first {
            outline.push(line);
        }
        outline.finish();
        outline.reopen();
        let mut more = lines("b1 --\n- ! bad\nu2 u on");
        for line in &mut more {
            line.offset += 30;
            outline.push(line);
        }
        outline.finish();
        assert_eq!(turns(&outline), "u1=1 a1=2 x1=2.1.1 u2=3");
        assert_eq!(ranges(&outline), [(vec![(1, 2)], vec![(1, 2)])]);
        assert_eq!(outline.line_number(FileNo(0), 40), Some(5));
        assert_eq!(outline.troubles[0].line, Some(5));
        assert_eq!(outline.turn_at(FileNo(0), 50).unwrap().id.as_ref(), "u2");
        assert_eq!(outline.turn_at(FileNo(1), 30).unwrap().id.as_ref(), "x1");
    }

    #[test]
    fn blank_lines_count_in_line_numbers() {
        let outline = outline("_\nu1 u a\n_\n_\n- ! bad\nu2 u b\n/\n_\n- ! worse\nx u hi");
        let number = |file, line: u64| outline.line_number(FileNo(file), line * 10);
        assert_eq!([number(0, 0), number(0, 1), number(0, 2)], [Some(2), Some(5), Some(6)]);
        assert_eq!([number(1, 3), number(1, 4)], [Some(2), Some(3)]);
        assert_eq!(outline.troubles.iter().map(|it| it.line).collect::<Vec<_>>(), [Some(5), Some(2)]);
    }

    #[test]
    fn a_place_has_a_sequence_and_a_sequence_has_its_turn() {
        let outline = outline("n . x\nu1 u a\n- ! bad\na1 > t1 R\nu1 u again\nr1 < t1\nu2 u b");
        let place = |offset| Place { file: FileNo(0), offset, part: 0 };
        let seqs: Vec<_> = (0..7).map(|line| outline.seq(place(line * 10)).map(|seq| seq.0)).collect();
        assert_eq!(seqs, [None, Some(0), None, Some(1), None, Some(2), Some(3)]);
        let turn = |seq| Some(outline.turns[outline.line_of(PartSeq(seq))?.turn? as usize].id.to_string());
        let owners: Vec<_> = (0..4).filter_map(turn).collect();
        assert_eq!(owners, ["u1", "a1", "a1", "u2"]);
        assert_eq!(outline.line_number(FileNo(0), 20), Some(3));
        assert_eq!(outline.troubles[0].line, Some(3));
        assert_eq!(outline.line_at(FileNo(0), 35), None);
        assert_eq!(outline.line_at(FileNo(1), 0), None);
        assert!(outline.line_of(PartSeq(4)).is_none());
    }

    /// The numbers of all main turns that have a line within the range, looked for one by one.
    fn turns_within(outline: &Outline, range: std::ops::Range<u64>) -> Vec<(u32, u32)> {
        let mut numbers = Ranges::default();
        for (at, line) in outline.lines.iter().enumerate() {
            if let Some(no) = outline.main_no(at as u32).filter(|_| range.contains(&line.seq.0)) {
                numbers.add(no..no + 1);
            }
        }
        numbers.iter().map(|r| (r.start as u32, r.end as u32 - 1)).collect()
    }

    proptest! {
        #[test]
        fn the_turns_of_a_range_are_those_with_a_line_in_it(
            rows in proptest::collection::vec((0..8u8, 0..4u8, 0..3u8, 0..6u8), 0..40),
        ) {
            let mut text = String::new();
            for (at, (body, call, message, place)) in rows.into_iter().enumerate() {
                let message = ["", "@m", "@n"][usize::from(message)];
                let side = ["", "", "", "", "~A", "~"][usize::from(place)];
                let call = ["-", "t1", "t2", "t3"][usize::from(call)];
                let body = ["u hi", "a yo", "> C Read", "> C Task", "< C", "< C A", "--", "/"][usize::from(body)];
                match body {
                    "/" if at < 12 => {}
                    "/" => text.push_str("/\n"),
                    body => { let _ = writeln!(text, "i{at}{message}{side} {}", body.replace('C', call)); }
                }
            }
            let outline = outline(&text);
            for from in 0..outline.parts() {
                for to in from + 1..=outline.parts() {
                    let ranges: Ranges = std::iter::once(from..to).collect();
                    prop_assert_eq!(outline.turn_ranges(&ranges), turns_within(&outline, from..to), "{}..{}", from, to);
                }
            }
        }
    }

    #[test]
    fn a_marker_is_told_again_until_its_summary_is_known() {
        let mut outline = Outline::default();
        let all = lines("u1 u a\nb1 --\ns1 == sum\nu2 u b");
        outline.push(&all[0]);
        outline.push(&all[1]);
        let first = outline.batch();
        assert_eq!(first.markers[0].summary, None);
        for line in &all[2..] {
            outline.push(line);
        }
        let second = outline.batch();
        assert_eq!((second.markers.len(), second.markers[0].no), (1, 1));
        assert_eq!(second.markers[0].summary, Some(all[2].place(0)));
        assert_ne!(first.markers[0].key, second.markers[0].key);
    }

    #[test]
    fn the_name_that_a_person_gave_goes_first() {
        let named = |rows: &[(&str, &str)]| {
            let mut outline = Outline::default();
            for (what, title) in rows {
                let mut line = lines("n . x").remove(0);
                line.body = super::super::Body::Noise {
                    what: (*what).to_owned(),
                    title: Some((*title).to_owned()),
                    text: String::new(),
                };
                outline.push(&line);
            }
            outline.title.unwrap_or_default()
        };
        assert_eq!(named(&[("title", "a"), ("title", "b")]), "a");
        assert_eq!(named(&[("title", "a"), ("custom title", "b"), ("custom title", "c"), ("title", "d")]), "c");
    }
}
