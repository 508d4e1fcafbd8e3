//! The thread that hears signals. It also ends the program when the loop does not: a thread that hangs in a write to
//! a dead terminal hears nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use anyhow::Context;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::{Handle, Signals};

use super::event::Event;
use super::terminal::restore;

/// How long the loop has to end by itself.
const GRACE: Duration = Duration::from_millis(700);

/// What a signal means to the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// End, as if by this signal.
    End(i32),
    /// Stop until somebody continues us.
    Stop,
    /// We were continued.
    Continue,
    /// The terminal has another size.
    Resize,
}

/// Hears signals until it is dropped.
pub(super) struct Hearing(Handle);

impl Hearing {
    /// `editing` says that an editor has the terminal: a Ctrl-C there is for the editor.
    pub(super) fn start(events: Sender<Event>, editing: Arc<AtomicBool>) -> anyhow::Result<Self> {
        let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH])
            .context("asking to be told of signals")?;
        let handle = signals.handle();
        thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || {
                for signal in &mut signals {
                    let heard = match signal {
                        SIGINT | SIGQUIT if editing.load(Ordering::Relaxed) => continue,
                        SIGTSTP => Heard::Stop,
                        SIGCONT => Heard::Continue,
                        SIGWINCH => Heard::Resize,
                        other => Heard::End(other),
                    };
                    if events.send(Event::Signal(heard)).is_err() {
                        return;
                    }
                    if let Heard::End(signal) = heard {
                        end_later(signal);
                    }
                }
            })
            .context("starting the thread that hears signals")?;
        Ok(Self(handle))
    }
}

impl Drop for Hearing {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Ends the program by force after a while. A loop that ends in time ends the process first.
fn end_later(signal: i32) {
    // Without a thread left for it the loop is trusted.
    let _ = thread::Builder::new().name("last resort".to_owned()).spawn(move || {
        thread::sleep(GRACE);
        restore();
        end_by(signal);
    });
}

/// Ends the program as the signal would have, so that whoever sent it sees that it worked.
pub(super) fn end_by(signal: i32) {
    if signal_hook::low_level::emulate_default_handler(signal).is_err() {
        std::process::exit(128 + signal);
    }
}
