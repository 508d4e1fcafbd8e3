//! Jobs in order: worked on by several threads, handed over one after the other. The calling thread works too, so `n`
//! threads are `n`, and one is none but the caller.

use std::collections::BTreeMap;
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

struct State<R> {
    /// Begun, finished and waiting, handed over.
    begun: usize,
    finished: BTreeMap<usize, R>,
    handed: usize,
    stopped: bool,
}

struct Pool<R> {
    count: usize,
    state: Mutex<State<R>>,
    changed: Condvar,
}

/// What a thread finds to do.
enum Task<R> {
    Work(usize),
    Hand(usize, R),
    End,
}

impl<R> Pool<R> {
    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self, hands: bool) -> Task<R> {
        let mut state = self.lock();
        loop {
            if state.stopped || state.handed == self.count {
                return Task::End;
            }
            let handed = state.handed;
            if hands && let Some(result) = state.finished.remove(&handed) {
                return Task::Hand(handed, result);
            }
            if state.begun < self.count && state.begun < handed + AHEAD {
                state.begun += 1;
                return Task::Work(state.begun - 1);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn finish(&self, job: usize, result: R) {
        self.lock().finished.insert(job, result);
        self.changed.notify_all();
    }

    fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }
}

/// Stops the others when its thread panics: they would wait for its job for ever.
struct Bell<'a, R>(&'a Pool<R>);

impl<R> Drop for Bell<'_, R> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

/// Works on the jobs `0..count` and hands their results over in order, on the calling thread. `begin` makes what one
/// thread keeps between its jobs.
pub(super) fn in_order<W, R: Send>(
    threads: usize,
    count: usize,
    begin: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, usize) -> R + Sync,
    mut hand: impl FnMut(usize, R) -> Next,
) {
    let state = State { begun: 0, finished: BTreeMap::new(), handed: 0, stopped: false };
    let pool = Pool { count, state: Mutex::new(state), changed: Condvar::new() };
    std::thread::scope(|scope| {
        let pool = &pool;
        let (begin, work) = (&begin, &work);
        for _ in 1..threads.min(count) {
            scope.spawn(move || {
                let _bell = Bell(pool);
                let mut own = begin();
                while let Task::Work(job) = pool.next(false) {
                    let result = work(&mut own, job);
                    pool.finish(job, result);
                }
            });
        }
        let _bell = Bell(pool);
        let mut own = None;
        loop {
            match pool.next(true) {
                Task::End => break,
                Task::Work(job) => {
                    let result = work(own.get_or_insert_with(begin), job);
                    pool.finish(job, result);
                }
                Task::Hand(job, result) => {
                    if hand(job, result) == Next::Stop {
                        pool.stop();
                        break;
                    }
                    pool.lock().handed += 1;
                    pool.changed.notify_all();
                }
            }
        }
    });
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
