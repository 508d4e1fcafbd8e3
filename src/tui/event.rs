//! What comes to the loop from its threads.

use std::sync::mpsc::Sender;

use crate::app::Action;

use super::highlight::InkedLine;
use super::keys::Input;
use super::signals::Heard;

/// Something that happened.
#[derive(Debug)]
pub(super) enum Event {
    /// The terminal sent something.
    Typed(Input),
    /// A worker has something to say.
    Done(Action),
    Signal(Heard),
    /// The terminal went away.
    Gone,
    /// The person's editor ended, with this text; `None` when nothing was saved.
    Edited(anyhow::Result<Option<String>>),
    /// Lines of code have their colours.
    Inked(Vec<InkedLine>),
}

/// Tells the loop what was done elsewhere, from any thread.
#[derive(Clone, Debug)]
pub struct Tell(Sender<Event>);

impl Tell {
    pub(super) fn new(events: Sender<Event>) -> Self {
        Self(events)
    }

    /// Gives an action to the loop; `false` when it ended.
    pub fn tell(&self, action: Action) -> bool {
        self.0.send(Event::Done(action)).is_ok()
    }

    /// Gives colours of code to the loop; `false` when it ended.
    pub(super) fn inked(&self, lines: Vec<InkedLine>) -> bool {
        self.0.send(Event::Inked(lines)).is_ok()
    }
}
