//! Jobs in order: worked on by several threads, handed over one after the other. The calling thread works too, so `n`
//! threads are `n`, and one is none but the caller; only where jobs come while they are worked on, one more feeds them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How far work may run ahead of what was handed over, in jobs. A job may be begun only when the one so many before it
/// was handed over, whatever the number of threads: what it may know of earlier ones is always the same.
pub(super) const AHEAD: usize = 8;

/// How many threads work on one session at most: more wait for each other.
pub(super) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(AHEAD)
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Go,
    Stop,
}

struct State<J, R> {
    /// Not begun yet, and whether more may come.
    waiting: VecDeque<J>,
    open: bool,
    /// Begun, finished and waiting, handed over.
    begun: usize,
    finished: BTreeMap<usize, R>,
    handed: usize,
    stopped: bool,
}

struct Pool<J, R> {
    /// How far work may run ahead of what was handed over.
    ahead: usize,
    state: Mutex<State<J, R>>,
    changed: Condvar,
}

/// What a thread finds to do.
enum Task<J, R> {
    Work(usize, J),
    Hand(usize, R),
    End,
}

impl<J, R> Pool<J, R> {
    fn of(waiting: VecDeque<J>, open: bool, ahead: usize) -> Self {
        let state = State { waiting, open, begun: 0, finished: BTreeMap::new(), handed: 0, stopped: false };
        Self { ahead, state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<J, R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State<J, R>>) -> MutexGuard<'a, State<J, R>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a job in, as soon as not too many wait.
    fn feed(&self, job: J) -> Next {
        let mut state = self.lock();
        while !state.stopped && state.waiting.len() >= self.ahead {
            state = self.wait(state);
        }
        if state.stopped {
            return Next::Stop;
        }
        state.waiting.push_back(job);
        self.changed.notify_all();
        Next::Go
    }

    fn next(&self, hands: bool) -> Task<J, R> {
        let mut state = self.lock();
        loop {
            let is_done = !state.open && state.waiting.is_empty() && state.handed == state.begun;
            if state.stopped || is_done {
                return Task::End;
            }
            let handed = state.handed;
            if hands && let Some(result) = state.finished.remove(&handed) {
                return Task::Hand(handed, result);
            }
            if state.begun < handed + self.ahead
                && let Some(job) = state.waiting.pop_front()
            {
                state.begun += 1;
                // Who feeds may wait for the place.
                self.changed.notify_all();
                return Task::Work(state.begun - 1, job);
            }
            state = self.wait(state);
        }
    }

    fn finish(&self, job: usize, result: R) {
        self.lock().finished.insert(job, result);
        self.changed.notify_all();
    }

    fn close(&self) {
        self.lock().open = false;
        self.changed.notify_all();
    }

    fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }
}

/// Stops the others when its thread panics: they would wait for its job for ever.
struct Bell<'a, J, R>(&'a Pool<J, R>);

impl<J, R> Drop for Bell<'_, J, R> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

impl<J: Send, R: Send> Pool<J, R> {
    /// The calling thread hands over, and works where there is nothing to hand over.
    fn run<W>(
        &self,
        threads: usize,
        begin: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, J) -> R + Sync,
        mut hand: impl FnMut(usize, R) -> Next,
    ) {
        std::thread::scope(|scope| {
            let (begin, work) = (&begin, &work);
            for _ in 1..threads {
                scope.spawn(move || {
                    let _bell = Bell(self);
                    let mut own = begin();
                    while let Task::Work(no, job) = self.next(false) {
                        self.finish(no, work(&mut own, job));
                    }
                });
            }
            let _bell = Bell(self);
            let mut own = None;
            loop {
                match self.next(true) {
                    Task::End => break,
                    Task::Work(no, job) => self.finish(no, work(own.get_or_insert_with(begin), job)),
                    Task::Hand(no, result) => {
                        if hand(no, result) == Next::Stop {
                            self.stop();
                            break;
                        }
                        self.lock().handed += 1;
                        self.changed.notify_all();
                    }
                }
            }
        });
    }
}

/// Works on the jobs `0..count` and hands their results over in order, on the calling thread. `begin` makes what one
/// thread keeps between its jobs.
pub(super) fn in_order<W, R: Send>(
    threads: usize,
    count: usize,
    begin: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, usize) -> R + Sync,
    hand: impl FnMut(usize, R) -> Next,
) {
    Pool::of((0..count).collect(), false, AHEAD).run(threads.min(count), begin, work, hand);
}

/// Works on the jobs that another thread feeds, while it does, and hands their results over in order, on the calling
/// thread. At most `ahead` of them wait, and as many are worked on or wait to be handed over. Gives what the feeding
/// thread comes to; it is told where nobody takes its jobs any more.
pub(super) fn as_they_come<J: Send, R: Send, F: Send>(
    threads: usize,
    ahead: usize,
    feed: impl FnOnce(&dyn Fn(J) -> Next) -> F + Send,
    work: impl Fn(J) -> R + Sync,
    hand: impl FnMut(usize, R) -> Next,
) -> F {
    let pool = Pool::of(VecDeque::new(), true, ahead);
    std::thread::scope(|scope| {
        let pool = &pool;
        let feeding = scope.spawn(move || {
            let _bell = Bell(pool);
            let fed = feed(&|job| pool.feed(job));
            pool.close();
            fed
        });
        pool.run(threads, || (), |(), job| work(job), hand);
        feeding.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Two things side by side, where there are threads for it.
pub(super) fn both<A: Send, B>(threads: usize, one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B) -> (A, B) {
    if threads < 2 {
        return (one(), other());
    }
    std::thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        (one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), other)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_whatever_the_number_of_threads() {
        for threads in [1, 2, 8] {
            for (count, stop_at) in [(0, 99), (1, 99), (100, 99), (100, 30)] {
                let mut got = Vec::new();
                in_order(
                    threads,
                    count,
                    || 0_usize,
                    |made, job| {
                        *made += 1;
                        job * 2
                    },
                    |job, result| {
                        got.push((job, result));
                        if job == stop_at { Next::Stop } else { Next::Go }
                    },
                );
                let want: Vec<_> = (0..count.min(stop_at + 1)).map(|job| (job, job * 2)).collect();
                assert_eq!(got, want, "{threads} threads");
            }
        }
    }

    #[test]
    fn jobs_that_come_one_by_one_are_handed_over_in_order_and_who_feeds_hears_when_nobody_takes_them() {
        for (threads, ahead) in [(1, 1), (2, 3), (8, 40)] {
            for (count, stop_at) in [(0, 99), (1, 99), (100, 99), (100, 30)] {
                let mut got = Vec::new();
                let fed = as_they_come(
                    threads,
                    ahead,
                    |feed| (0..count).take_while(|job| feed(*job) == Next::Go).count(),
                    |job| job * 2,
                    |no, result| {
                        got.push((no, result));
                        if no == stop_at { Next::Stop } else { Next::Go }
                    },
                );
                let want: Vec<_> = (0..count.min(stop_at + 1)).map(|job| (job, job * 2)).collect();
                assert_eq!(got, want, "{threads} threads");
                let most = if count > stop_at { stop_at + 1 + 2 * ahead } else { count };
                assert!((want.len()..=most).contains(&fed), "{fed} of {count}, {ahead} ahead");
            }
        }
    }

    #[test]
    fn a_job_begins_only_when_the_one_so_many_before_it_was_handed_over() {
        let handed = std::sync::atomic::AtomicUsize::new(0);
        let order = std::sync::atomic::Ordering::SeqCst;
        in_order(
            4,
            200,
            || (),
            |(), job| assert!(job < handed.load(order) + AHEAD + 1),
            |job, ()| {
                handed.store(job + 1, order);
                Next::Go
            },
        );
        assert_eq!(handed.load(order), 200);
    }
}
