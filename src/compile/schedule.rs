//! What is made beforehand, off the way of a request: the record of a block when it closes, spans at the soft limit. A hard
//! limit then finds the work done; where it does not, it waits, and the stall is recorded. Time is passed in.

use std::collections::VecDeque;

/// Milliseconds, from any beginning.
pub type Millis = u64;

/// Something to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Job {
    /// The record of this block.
    Block(u32),
    /// Spans over the blocks up to this one.
    Spans(u32),
}

/// A request that had to wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stall {
    /// When it came.
    pub at: Millis,
    /// How long it waited; 0 while it waits.
    pub took: Millis,
    /// What it waited for.
    pub jobs: Vec<Job>,
}

/// What is waiting to be made, what is in the making, what is done.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    waiting: VecDeque<Job>,
    running: Option<Job>,
    /// Blocks closed so far, and up to which spans were asked for.
    closed: u32,
    asked: u32,
    stalls: Vec<Stall>,
    stalled: bool,
}

impl Schedule {
    /// After a restart: so many blocks have their records, and spans cover so many of them.
    pub fn resumed(blocks: u32, in_spans: u32) -> Self {
        Self { closed: blocks, asked: in_spans, ..Self::default() }
    }

    /// A block closed: its record is to be made.
    pub fn closed(&mut self, block: u32) {
        self.closed = self.closed.max(block);
        self.waiting.push_back(Job::Block(block));
    }

    /// The soft limit is passed: spans over what is closed are to be made, once until another block closes.
    pub fn pressed(&mut self) {
        if self.closed > self.asked && self.closed >= 2 {
            self.asked = self.closed;
            self.waiting.retain(|job| !matches!(job, Job::Spans(_)));
            self.waiting.push_back(Job::Spans(self.closed));
        }
    }

    /// The next job, for whoever has time. Records of blocks come before spans, which are made of them.
    pub fn take(&mut self) -> Option<Job> {
        if self.running.is_none() {
            self.running = self.waiting.pop_front();
            return self.running;
        }
        None
    }

    /// A job is done, or failed and need not be waited for.
    pub fn done(&mut self, job: Job, now: Millis) {
        if self.running == Some(job) {
            self.running = None;
        }
        if self.stalled && self.is_ready() {
            self.stalled = false;
            if let Some(stall) = self.stalls.last_mut() {
                stall.took = now.saturating_sub(stall.at);
            }
        }
    }

    /// Whether everything is made.
    pub fn is_ready(&self) -> bool {
        self.running.is_none() && self.waiting.is_empty()
    }

    /// The hard limit is passed. `true`: everything is made, and the window can be put together at once. `false`: the
    /// request waits until the last [`Schedule::done`], and that is recorded.
    pub fn needed(&mut self, now: Millis) -> bool {
        if self.is_ready() {
            return true;
        }
        if !self.stalled {
            self.stalled = true;
            let jobs = self.running.into_iter().chain(self.waiting.iter().copied()).collect();
            self.stalls.push(Stall { at: now, took: 0, jobs });
        }
        false
    }

    /// Every request that had to wait.
    pub fn stalls(&self) -> &[Stall] {
        &self.stalls
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::{Manner, Moment, Next, Thresholds, When};

    /// Somebody beside who makes one job after the other, each in so many milliseconds.
    struct Beside {
        each: Millis,
        at: Option<(Job, Millis)>,
        free: Millis,
        made: Vec<Job>,
    }

    impl Beside {
        /// Makes what can be made until then.
        fn work_until(&mut self, now: Millis, schedule: &mut Schedule) {
            loop {
                match self.at {
                    Some((job, until)) if until <= now => {
                        schedule.done(job, until);
                        self.made.push(job);
                        (self.at, self.free) = (None, until);
                    }
                    Some(_) => return,
                    None => {
                        let Some(job) = schedule.take() else {
                            self.free = now;
                            return;
                        };
                        self.at = Some((job, self.free + self.each));
                    }
                }
            }
        }
    }

    /// A session on a simulated clock: a turn takes `turn` ms and adds 20 tokens to a window of 1,000, a block closes every
    /// fifth turn, nothing but the hard limit compacts, and each job takes `job` ms. How often it was compacted.
    fn simulated(turn: Millis, job: Millis) -> (u32, Schedule, Vec<Job>) {
        let limits = Thresholds { manner: Manner::Seams { wait: 1000 }, turns: 1000, ..Thresholds::default() };
        let (mut schedule, mut when) = (Schedule::default(), When::new(limits));
        let mut beside = Beside { each: job, at: None, free: 0, made: Vec::new() };
        let (mut now, mut tokens, mut since, mut compactions) = (0, 0, 0, 0);
        for no in 1..=123_u32 {
            now += turn;
            beside.work_until(now, &mut schedule);
            (tokens, since) = (tokens + 20, since + 1);
            if no % 5 == 2 {
                schedule.closed(no / 5 + 1);
            }
            if limits.presses(tokens, 1000) {
                schedule.pressed();
            }
            let moment = Moment { tokens, window: 1000, turns: since, topic: false, seam: None };
            if let Next::Compact(_) = when.turn(&moment) {
                compactions += 1;
                while !schedule.needed(now) {
                    now += 1;
                    beside.work_until(now, &mut schedule);
                }
                (tokens, since) = (300, 0);
            }
        }
        (compactions, schedule, beside.made)
    }

    /// A1.7: at a hard limit every record of a closed block is there, and the spans are.
    #[test]
    fn a_hard_limit_finds_the_work_done() {
        let (compactions, schedule, made) = simulated(1000, 400);
        assert!(compactions >= 3, "{compactions}");
        assert_eq!(schedule.stalls(), []);
        assert!(made.contains(&Job::Block(1)) && made.iter().any(|job| matches!(job, Job::Spans(_))), "{made:?}");
        let blocks: Vec<u32> =
            made.iter().filter_map(|job| if let Job::Block(no) = job { Some(*no) } else { None }).collect();
        assert!(blocks.iter().copied().eq(1..=blocks.len() as u32), "each once, in order: {blocks:?}");
    }

    /// A1.7: where it does not, the request waits as long as the work takes, and the stall is recorded.
    #[test]
    fn a_stall_is_recorded_with_what_it_waited_for() {
        let (compactions, schedule, _) = simulated(10, 400);
        assert!(compactions >= 3);
        let stall = schedule.stalls().first().cloned();
        let waited = |stall: Stall| stall.took > 0 && stall.took <= 400 * stall.jobs.len() as u64 && stall.at > 0;
        assert!(stall.is_some_and(waited), "{:?}", schedule.stalls());
    }

    #[test]
    fn spans_are_asked_for_once_until_another_block_closes_and_come_after_records() {
        let mut schedule = Schedule::default();
        schedule.closed(1);
        schedule.pressed();
        assert_eq!(schedule.take(), Some(Job::Block(1)), "one block needs no span");
        assert_eq!(schedule.take(), None, "one at a time");
        schedule.done(Job::Block(1), 5);
        schedule.closed(2);
        schedule.pressed();
        schedule.pressed();
        schedule.closed(3);
        schedule.pressed();
        let mut all = Vec::new();
        while let Some(job) = schedule.take() {
            all.push(job);
            schedule.done(job, 9);
        }
        assert_eq!(all, [Job::Block(2), Job::Block(3), Job::Spans(3)]);
        assert!(schedule.needed(10) && schedule.stalls().is_empty());
        let mut resumed = Schedule::resumed(3, 3);
        resumed.pressed();
        assert!(resumed.is_ready(), "what was made before a restart is not made again");
    }
}
