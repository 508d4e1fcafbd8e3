//! What can happen to the state.

use crate::record::Ledger;
use crate::session::Batch;
use crate::workbench::{Found, MarkerRecord, RawLine, Saved, Window};

use super::Request;

/// A key without its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyCode {
    Char(char),
    Enter,
    Esc,
    Tab,
    BackTab,
    Backspace,
    Delete,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    F(u8),
}

/// A key as it was pressed. Shift is part of the character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    pub code: KeyCode,
    pub ctrl: bool,
    pub alt: bool,
}

/// What the mouse did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseKind {
    Click,
    WheelUp,
    WheelDown,
}

/// What the mouse did, and in which cell (from 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mouse {
    pub kind: MouseKind,
    pub column: u16,
    pub row: u16,
}

/// Everything that changes the state. Results carry the number of their request; a stale one is ignored.
#[derive(Debug)]
pub enum Action {
    Key(Key),
    Mouse(Mouse),
    Paste(String),
    Resize { width: u16, height: u16 },
    /// The editor came back with this text; `None` when it was left without saving.
    Edited(Option<String>),
    Window(Request, Window),
    Record(Request, Box<MarkerRecord>),
    Ledger(Ledger),
    Saved(Request, Box<Saved>),
    Reviewed(Request),
    Raw(Request, RawLine),
    Found(Request, Option<Found>),
    Told(Request, String, u64),
    /// From the thread that reads the whole session.
    Indexed(Batch),
    /// What was asked for could not be done: what, why, what to do.
    Failed(Request, String),
    /// Something to say that nobody asked for (a worker died, the file was rewritten).
    Notice(String),
}
