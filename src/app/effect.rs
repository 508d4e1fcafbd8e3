//! What the state wants done by those who may touch the world.

use crate::record::{Alarm, Anchor, Correction};
use crate::session::Place;
use crate::workbench::Spot;

/// The number of a request; results carry it back.
pub type Request = u64;

/// What is to be done. Everything that reads or stores is answered by an [`super::Action`] with the same number.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields say what the calls of the desk say; `request` comes back with the answer")]
#[expect(clippy::large_enum_variant, reason = "effects are few and short-lived")]
pub enum Effect {
    /// Entries around a place. Answered by `Window`.
    Load { request: Request, spot: Spot, budget: usize },
    /// The record of marker `no`. Answered by `Record`, perhaps twice.
    Record { request: Request, no: u32 },
    /// Counts that a person opened the record of marker `no`.
    Opened { no: u32 },
    /// Answered by `Saved`.
    Correct { request: Request, anchor: Option<Anchor>, correction: Correction, reason: Option<String> },
    /// Answered by `Saved`.
    Withdraw { request: Request, no: u32 },
    /// Answered by `Saved`.
    Reinstate { request: Request, no: u32 },
    /// Answered by `Saved`.
    Confirm { request: Request, no: u32 },
    /// Answered by `Reviewed`.
    Review { request: Request, anchor: Anchor, checked: bool },
    /// Says that a finding is a wrong alarm, or takes that back. Answered by `Alarmed`.
    WrongAlarm { request: Request, alarm: Alarm, wrong: bool },
    /// Checks the records of all markers. Answered by `Checked` for each, then by `AuditDone`; one that was asked before
    /// ends.
    Audit { request: Request },
    /// One claim through all generations: an item by its name, or a text. Answered by `Lineage`.
    Lineage { request: Request, what: String },
    /// Puts together what the next request carries, in so many tokens; one that was asked before ends. Answered by
    /// `Assembled` or `LedgerOverBudget`.
    Assemble { request: Request, budget: u64 },
    /// The session at a glance; one that was asked before ends. Answered by `Overview`.
    Overview { request: Request },
    /// Answered by `Raw`.
    Raw { request: Request, place: Place },
    /// Answered by `Found`. Another search or `StopSearch` ends it.
    Search { request: Request, needle: String, from: Place, forward: bool },
    /// Nobody waits for the search any more.
    StopSearch,
    /// Answered by `Told`.
    Told { request: Request },
    /// Puts sanitised text on the clipboard.
    Copy(String),
    /// Opens this text in the person's editor. Answered by `Edited`.
    Edit(String),
    /// Takes the mouse from the terminal, or gives it back.
    Mouse { capture: bool },
    /// Leaves to the shell until it brings the program back.
    Suspend,
    /// Ends the program.
    Quit,
}
