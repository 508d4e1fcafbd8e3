//! Where blocks end. Turn after turn comes in, and only the past is known: what was told is never taken back, and the
//! same turns give the same seams whether they come at once or as the session grows. A turn of the talk may be told some
//! turns late; the block then still ends where the talk turned. The last turns stay open until something stands behind
//! them.

use std::collections::VecDeque;

use super::calls::Calls;
use super::rules::Rules;
use super::seen::TurnSeen;
use super::things::Things;
use super::topic::{Heard, Topic};
use crate::record::{ClosedBy, Turned};

/// The end of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockEnd {
    /// How many turns the session has up to its end.
    pub turns: usize,
    /// Why it ends there.
    pub closed_by: ClosedBy,
    /// What told that the talk turned, where it was closed for that.
    pub turned: Option<Turned>,
    /// The ids of calls that waited for their results there. Empty unless it was closed by the hard cap.
    pub cut: Vec<String>,
}

/// What is known behind one turn of the open block.
#[derive(Clone, Copy)]
struct Behind {
    /// No call waited for its result.
    whole: bool,
}

/// The seams of one session, as its turns come in.
#[expect(clippy::struct_excessive_bools, reason = "four things that are known of the last turns, each by itself")]
pub struct Seams {
    rules: Rules,
    /// How many turns came in.
    turns: usize,
    /// How many of them are in closed blocks.
    closed: usize,
    calls: Calls,
    /// Of the turns behind the last closed block.
    behind: VecDeque<Behind>,
    /// Calls were made and answered since the person spoke last.
    worked: bool,
    /// The last turn says that something is done, after calls.
    reported: bool,
    /// The last turn makes calls.
    called: bool,
    /// It was known with the last turn that the talk turned.
    turned: bool,
    topic: Topic,
    things: Things,
}

impl Seams {
    /// None yet.
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            turns: 0,
            closed: 0,
            calls: Calls::default(),
            behind: VecDeque::new(),
            worked: false,
            reported: false,
            called: false,
            turned: false,
            topic: Topic::default(),
            things: Things::default(),
        }
    }

    /// The next turn, once all of its parts are known. Gives the end of a block that is known now, before this turn.
    pub fn turn(&mut self, seen: &TurnSeen) -> Option<BlockEnd> {
        let here = self.turns;
        let TurnSeen { ref about, turns_away, by_user, at, .. } = *seen;
        let words = self.topic.turn(&Heard { no: here, about, turns_away, by_user, at }, self.rules.on);
        let things = self.things.turn(here, &seen.things, by_user).filter(|_| self.rules.on.things);
        self.turned = words.is_some() || things.is_some();
        self.calls.expect(seen);
        let closed = self.end(seen, [words, things.map(|first| (first, Turned::Things))]);
        if let Some(closed) = &closed {
            self.behind.drain(..closed.turns - self.closed);
            self.closed = closed.turns;
            self.calls.close(closed.closed_by == ClosedBy::HardCap);
        }
        self.take(seen);
        closed
    }

    /// Why something might end behind the last turn, however few turns there are: a step was reported as done, or the
    /// calls came to their answer. `None` while a call waits for its result, and where nothing came to its end.
    pub fn here(&self) -> Option<ClosedBy> {
        let on = self.rules.on;
        let ended = self.calls.none_open() && !self.called;
        match (on.step && self.reported, on.tool_loop && self.worked) {
            (true, _) if ended => Some(ClosedBy::Step),
            (false, true) if ended => Some(ClosedBy::ToolLoop),
            _ => None,
        }
    }

    /// Whether it was known with the last turn that the talk turned.
    pub fn turned(&self) -> bool {
        self.turned
    }

    fn end(&self, seen: &TurnSeen, turned: [Option<(usize, Turned)>; 2]) -> Option<BlockEnd> {
        let length = self.turns - self.closed;
        let whole = |turns: usize| {
            let at = (turns - self.closed).checked_sub(1);
            at.and_then(|at| self.behind.get(at)).is_some_and(|behind| behind.whole)
        };
        let target = self.rules.target();
        let on = self.rules.on;
        let fits =
            |first: usize| first >= self.closed + target && first - self.closed <= self.rules.cap() && whole(first);
        if let Some((first, by)) = turned.into_iter().flatten().find(|(first, _)| fits(*first)) {
            return Some(BlockEnd { turns: first, closed_by: ClosedBy::Topic, turned: Some(by), cut: Vec::new() });
        }
        if length < target {
            return None;
        }
        let closes = |closed_by| Some(BlockEnd { turns: self.turns, closed_by, turned: None, cut: Vec::new() });
        if self.calls.none_open() {
            if on.step && self.reported {
                return closes(ClosedBy::Step);
            }
            if on.tool_loop && self.worked && seen.by_user {
                return closes(ClosedBy::ToolLoop);
            }
        }
        if length >= self.rules.cap() {
            let cut = self.calls.cut(seen);
            return Some(BlockEnd { turns: self.turns, closed_by: ClosedBy::HardCap, turned: None, cut });
        }
        None
    }

    fn take(&mut self, seen: &TurnSeen) {
        if seen.by_user {
            self.worked = false;
        }
        let called = !seen.calls.is_empty() || seen.nameless > 0;
        self.calls.take(seen);
        // A report that comes with further calls is on its way, not at its end.
        self.reported = seen.reports && self.worked && !called;
        self.worked |= called || !seen.results.is_empty();
        self.called = called;
        self.turns += 1;
        self.behind.push_back(Behind { whole: self.calls.none_open() });
    }
}
