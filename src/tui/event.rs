//! What comes to the loop from its threads.

use crate::app::Action;

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
}
