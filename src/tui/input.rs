//! The thread that reads the terminal. It never spins on a terminal that went away, and it stops when it is dropped,
//! so that an editor or a shell can have what is typed.

use std::io::PipeWriter;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::mpsc::Sender;
use std::thread::{self, JoinHandle};

use anyhow::Context;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::event::Event;
use super::keys::Keys;

/// How long what follows an escape may take: a slow line cuts sequences in two.
const PAUSE: Timespec = Timespec { tv_sec: 0, tv_nsec: 30_000_000 };

/// The reading thread.
pub(super) struct Input {
    stop: Option<PipeWriter>,
    thread: Option<JoinHandle<()>>,
}

impl Input {
    pub(super) fn start(tty: &OwnedFd, events: Sender<Event>) -> anyhow::Result<Self> {
        let tty = tty.try_clone().context("taking hold of the terminal")?;
        let (stopped, stop) = std::io::pipe().context("making a pipe")?;
        let thread = thread::Builder::new()
            .name("keys".to_owned())
            .spawn(move || {
                if read(&tty, &stopped, &events) == End::Gone {
                    // Nobody listens when the loop has ended already.
                    let _ = events.send(Event::Gone);
                }
            })
            .context("starting the thread that reads the keys")?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        // The reader wakes when the last writer of its pipe is gone.
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[derive(PartialEq, Eq)]
enum End {
    Stopped,
    Gone,
}

fn read(tty: impl AsFd, stopped: impl AsFd, events: &Sender<Event>) -> End {
    let mut keys = Keys::default();
    let mut buffer = [0_u8; 1 << 14];
    let mut out = Vec::new();
    loop {
        let mut watched = [PollFd::new(&tty, PollFlags::IN), PollFd::new(&stopped, PollFlags::IN)];
        let ready = match poll(&mut watched, keys.is_undecided().then_some(&PAUSE)) {
            Ok(ready) => ready,
            Err(Errno::INTR) => continue,
            Err(_) => return End::Gone,
        };
        let (terminal, stop) = (watched[0].revents(), watched[1].revents());
        if !stop.is_empty() {
            return End::Stopped;
        }
        if ready == 0 {
            keys.pause(&mut out);
        } else if terminal.contains(PollFlags::IN) {
            match rustix::io::read(&tty, &mut buffer) {
                // The end of a terminal: it was closed on the other side.
                Ok(0) => return End::Gone,
                Ok(len) => keys.feed(&buffer[..len], &mut out),
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(_) => return End::Gone,
            }
        } else if !terminal.is_empty() {
            return End::Gone;
        }
        for input in out.drain(..) {
            if events.send(Event::Typed(input)).is_err() {
                return End::Stopped;
            }
        }
    }
}
