//! Many pieces of work done on several threads and told in their order. What waits to be told is bounded: nobody runs far
//! ahead of the slowest.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::{Condvar, Mutex, PoisonError};

use crate::workbench::{Problem, guarded};

/// As many threads as this machine has room for, two at least.
pub(super) fn pace() -> NonZero<usize> {
    let room = std::thread::available_parallelism().map_or(2, NonZero::get);
    NonZero::new(room.clamp(2, 8)).unwrap_or(NonZero::<usize>::MIN)
}

/// For each thread so many finished pieces may wait.
const WAITING: usize = 4;

struct Ahead<D> {
    next: usize,
    told: usize,
    done: BTreeMap<usize, Result<D, Problem>>,
    stopped: bool,
}

/// Does every piece and tells each with what came of it, in their order, on this thread. A piece that panics is a problem
/// of its own; when `tell` says `false`, nothing more is begun.
pub(super) fn in_order<W: Sync, D: Send>(
    work: &[W],
    threads: NonZero<usize>,
    one: &(dyn Fn(&W) -> Result<D, Problem> + Sync),
    tell: &mut dyn FnMut(&W, Result<D, Problem>) -> bool,
) {
    let ahead = Mutex::new(Ahead { next: 0, told: 0, done: BTreeMap::new(), stopped: false });
    let moved = Condvar::new();
    let lock = || ahead.lock().unwrap_or_else(PoisonError::into_inner);
    let threads = threads.get().min(work.len().max(1));
    let worker = || {
        loop {
            let mut state = lock();
            while !state.stopped && state.next < work.len() && state.next >= state.told + threads * WAITING {
                state = moved.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if state.stopped || state.next >= work.len() {
                return;
            }
            let at = state.next;
            state.next += 1;
            drop(state);
            let done = guarded(|| one(&work[at]));
            lock().done.insert(at, done);
            moved.notify_all();
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(worker);
        }
        for (at, piece) in work.iter().enumerate() {
            let mut state = lock();
            let done = loop {
                if let Some(done) = state.done.remove(&at) {
                    break done;
                }
                state = moved.wait(state).unwrap_or_else(PoisonError::into_inner);
            };
            state.told = at + 1;
            drop(state);
            moved.notify_all();
            if !tell(piece, done) {
                lock().stopped = true;
                moved.notify_all();
                return;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[test]
    fn pieces_are_told_in_their_order_and_nobody_runs_far_ahead() {
        let work: Vec<usize> = (0..200).collect();
        let (begun, told) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let most = AtomicUsize::new(0);
        let threads = NonZero::new(3).unwrap_or(NonZero::<usize>::MIN);
        let one = |no: &usize| {
            let ahead = begun.fetch_add(1, Ordering::SeqCst) + 1 - told.load(Ordering::SeqCst);
            most.fetch_max(ahead, Ordering::SeqCst);
            std::thread::sleep(Duration::from_micros(if no.is_multiple_of(7) { 800 } else { 20 }));
            if *no == 90 { panic!("odd") } else { Ok(no * 2) }
        };
        let mut seen = Vec::new();
        in_order(&work, threads, &one, &mut |no, done| {
            seen.push((*no, done.map_err(|fault| fault.to_string())));
            told.fetch_add(1, Ordering::SeqCst);
            true
        });
        for (no, done) in &seen {
            match no {
                90 => {
                    assert_eq!(done, &Err("a fault in this program (odd); nothing that was saved is lost".to_owned()))
                }
                _ => assert_eq!(done, &Ok(no * 2)),
            }
        }
        assert!(seen.iter().map(|(no, _)| no).eq(&work));
        assert!(most.load(Ordering::SeqCst) <= 3 * WAITING + 4, "{most:?}");
    }

    #[test]
    fn nothing_more_is_begun_when_nobody_listens() {
        let work: Vec<usize> = (0..1000).collect();
        let begun = AtomicUsize::new(0);
        let threads = NonZero::new(2).unwrap_or(NonZero::<usize>::MIN);
        let one = |_: &usize| Ok(begun.fetch_add(1, Ordering::SeqCst));
        in_order(&work, threads, &one, &mut |no, _| *no < 4);
        assert!(begun.load(Ordering::SeqCst) < 40, "{begun:?}");
    }
}
