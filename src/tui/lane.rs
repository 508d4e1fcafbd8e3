//! One worker thread with its queue. What is to be done is not known here; what happens when it fails or panics is.

use std::sync::mpsc::{Sender, channel};
use std::thread;

use anyhow::{Context, anyhow};

use crate::app::{Action, Request};
use crate::session::LogError;
use crate::workbench::{Cancel, Problem, guarded};

use super::event::Tell;

/// Whether a job may be left out.
pub(super) enum Urge {
    /// Left out once it is cancelled.
    Reads(Cancel),
    /// Done whatever happens: a person asked for it to be kept.
    Writes,
}

type Work<T> = Box<dyn FnOnce(&mut T) -> Result<(), Problem> + Send>;

struct Job<T> {
    request: Option<Request>,
    urge: Urge,
    work: Work<T>,
}

/// A thread that owns a `T` and does jobs with it, one after the other. It ends when this is dropped and its queue is
/// empty.
pub(super) struct Lane<T> {
    jobs: Sender<Job<T>>,
}

impl<T: 'static> Lane<T> {
    /// Starts the thread; `make` is called on it. When that fails, every job is answered with why.
    /// `alive` is held until the thread ends.
    pub(super) fn start(
        name: &'static str,
        make: impl FnOnce() -> Result<T, Problem> + Send + 'static,
        tell: Tell,
        alive: Sender<()>,
    ) -> anyhow::Result<Self> {
        let (jobs, queue) = channel::<Job<T>>();
        thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                let _alive = alive;
                let mut made = guarded(make);
                for Job { request, urge, work } in queue {
                    if matches!(&urge, Urge::Reads(cancel) if cancel.is_cancelled()) {
                        continue;
                    }
                    let done = match &mut made {
                        Ok(thing) => guarded(|| work(thing)),
                        Err(problem) => Err(anyhow!("{}", said(problem))),
                    };
                    // What was cancelled has nothing to say any more.
                    if matches!(&urge, Urge::Reads(cancel) if cancel.is_cancelled()) {
                        continue;
                    }
                    if let Err(problem) = done {
                        tell_rewritten(&problem, &tell);
                        let why = said(&problem);
                        tell.tell(
                            request.map_or_else(|| Action::Notice(why.clone()), |no| Action::Failed(no, why.clone())),
                        );
                    }
                }
            })
            .with_context(|| format!("starting the thread {name}"))?;
        Ok(Self { jobs })
    }

    /// Queues a job. A failure is answered as `Failed` with this request, or as a notice without one.
    pub(super) fn send(
        &self,
        request: Option<Request>,
        urge: Urge,
        work: impl FnOnce(&mut T) -> Result<(), Problem> + Send + 'static,
    ) {
        // The thread only ends after this sender, so the queue is there.
        let _ = self.jobs.send(Job { request, urge, work: Box::new(work) });
    }
}

/// A session whose file was cut or replaced is told as such: nothing that is shown of it is true any more.
pub(super) fn tell_rewritten(problem: &Problem, tell: &Tell) {
    let rewritten =
        |cause: &(dyn std::error::Error + 'static)| matches!(cause.downcast_ref(), Some(LogError::Rewritten { .. }));
    if problem.chain().any(rewritten) {
        tell.tell(Action::Rewritten);
    }
}

/// A problem with its causes in one line.
pub(super) fn said(problem: &Problem) -> String {
    format!("{problem:#}")
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use anyhow::anyhow;

    use super::{Lane, Urge};
    use crate::app::Action;
    use crate::tui::event::{Event, Tell};
    use crate::workbench::Cancel;

    fn told(event: Event) -> String {
        match event {
            Event::Done(Action::Failed(request, why)) => format!("{request} failed: {why}"),
            Event::Done(Action::Notice(text)) => format!("notice: {text}"),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn jobs_are_done_in_order_and_faults_become_answers() {
        let (tell, actions) = channel();
        let (alive, ended) = channel();
        let lane = Lane::start("test", || Ok(Vec::<u8>::new()), Tell::new(tell), alive).unwrap();
        let (seen, saw) = channel();
        let cancelled = Cancel::default();
        cancelled.cancel();
        lane.send(Some(1), Urge::Reads(Cancel::default()), |bytes| {
            bytes.push(1);
            Ok(())
        });
        lane.send(Some(2), Urge::Reads(Cancel::default()), |_| panic!("odd"));
        lane.send(Some(3), Urge::Reads(cancelled), |bytes| {
            bytes.push(3);
            Ok(())
        });
        lane.send(None, Urge::Writes, |_| Err(anyhow!("disk full").context("saving")));
        lane.send(Some(5), Urge::Writes, move |bytes| {
            bytes.push(5);
            seen.send(bytes.clone())?;
            Ok(())
        });
        drop(lane);
        assert_eq!(saw.recv().unwrap(), [1, 5], "queued work is done, cancelled work is not");
        assert!(
            ended
                .recv_timeout(Duration::from_secs(5))
                .is_err_and(|e| e == std::sync::mpsc::RecvTimeoutError::Disconnected)
        );
        let answers: Vec<String> = actions.iter().map(told).collect();
        assert_eq!(
            answers,
            ["2 failed: a fault in this program (odd); nothing that was saved is lost", "notice: saving: disk full"]
        );
    }

    #[test]
    fn without_its_thing_a_lane_says_why_to_every_job() {
        let (tell, actions) = channel();
        let lane = Lane::<u8>::start("test", || Err(anyhow!("no such file")), Tell::new(tell), channel().0).unwrap();
        lane.send(Some(7), Urge::Writes, |_| Ok(()));
        assert_eq!(told(actions.recv().unwrap()), "7 failed: no such file");
    }
}
