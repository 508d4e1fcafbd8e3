//! What can happen to the state.

use crate::record::{Ledger, Lineage};
use crate::session::Batch;
use crate::workbench::{Context, LedgerOverBudget, MarkerRecord, Overview, RawLine, Saved, Sought, Window};

use super::Request;

/// A key without its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyCode {
    /// A character, Shift included.
    Char(char),
    /// Return.
    Enter,
    /// Escape.
    Esc,
    /// Tab.
    Tab,
    /// Shift and Tab.
    BackTab,
    /// Deletes to the left.
    Backspace,
    /// Deletes to the right.
    Delete,
    /// An arrow.
    Up,
    /// An arrow.
    Down,
    /// An arrow.
    Left,
    /// An arrow.
    Right,
    /// To the start.
    Home,
    /// To the end.
    End,
    /// A screen up.
    PageUp,
    /// A screen down.
    PageDown,
    /// A function key, from 1.
    F(u8),
}

/// A key as it was pressed. Shift is part of the character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// Which one.
    pub code: KeyCode,
    /// Ctrl was held.
    pub ctrl: bool,
    /// Alt was held.
    pub alt: bool,
}

/// What the mouse did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseKind {
    /// The left button was pressed.
    Click,
    /// One notch up.
    WheelUp,
    /// One notch down.
    WheelDown,
}

/// What the mouse did, and in which cell (from 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mouse {
    /// What.
    pub kind: MouseKind,
    /// From the left.
    pub column: u16,
    /// From the top.
    pub row: u16,
}

/// Everything that changes the state. Results carry the number of their request; a stale one is ignored.
#[derive(Debug)]
pub enum Action {
    /// A key was pressed.
    Key(Key),
    /// The mouse was used.
    Mouse(Mouse),
    /// Text was pasted, unsanitised.
    Paste(String),
    /// The terminal has this size now.
    Resize {
        /// In cells.
        width: u16,
        /// In rows.
        height: u16,
    },
    /// The editor came back with this text; `None` when it was left without saving.
    Edited(Option<String>),
    /// Entries that were asked for.
    Window(Request, Window),
    /// A record, perhaps without its sources at first.
    Record(Request, Box<MarkerRecord>),
    /// The ledger as it is now.
    Ledger(Ledger),
    /// An entry is committed.
    Saved(Request, Box<Saved>),
    /// A review mark is committed.
    Reviewed(Request),
    /// A word on a finding is committed.
    Alarmed(Request),
    /// The checked record of a marker.
    Checked(Request, Box<MarkerRecord>),
    /// Every record was checked.
    AuditDone(Request),
    /// A claim through all generations.
    Lineage(Request, Lineage),
    /// What the next request carries.
    Assembled(Request, Box<Context>),
    /// What is pinned does not fit into it by itself.
    LedgerOverBudget(Request, LedgerOverBudget),
    /// The session at a glance.
    Overview(Request, Box<Overview>),
    /// The bytes of a line.
    Raw(Request, RawLine),
    /// Where the search ended; `None` when there is nothing.
    Found(Request, Sought),
    /// What an agent would be told, and its tokens.
    Told(Request, String, u64),
    /// From the thread that reads the whole session.
    Indexed(Batch),
    /// What was asked for could not be done: what, why, what to do.
    Failed(Request, String),
    /// The file was cut or replaced since it was opened: what is shown is no longer what is stored.
    Rewritten,
    /// The file is no longer where it was, or there again.
    Gone(bool),
    /// Something to say that nobody asked for (a worker died).
    Notice(String),
}
