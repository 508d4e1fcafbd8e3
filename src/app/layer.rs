//! What lies over the transcript: screens of their own, and prompts that want an answer.

use super::command::Context;
use super::edit::Edit;
use super::findings_screen::FindingsList;
use super::known::Selected;
use super::lineage_screen::LineagePage;
use super::outline_screen::OutlinePage;
use super::window_screen::WindowPage;
use crate::record::{Outcome, Settlement};
use crate::view::Row;
use crate::workbench::RawLine;

/// The rows of a raw line, and for how many cells they were made.
#[derive(Clone, Debug, Default)]
pub(super) struct LaidRaw {
    pub cells: Option<usize>,
    pub rows: Vec<Row>,
}

/// One thing that lies over what was there before.
#[derive(Clone, Debug)]
pub(super) enum Layer {
    /// The ways to correct an item.
    Menu { selected: Selected, at: usize },
    /// How an open item was settled.
    Settle { selected: Selected, ways: Vec<Settlement>, at: usize, outcome: Outcome },
    /// The words of a correction, or of the answer that settles an open item.
    Reword { selected: Selected, edit: Edit, before: String, failed: Option<String>, settled: Option<Outcome> },
    /// What to search for.
    Search(Edit),
    /// Every command, filtered.
    Palette { edit: Edit, at: usize },
    /// Every key, filtered.
    Help { edit: Edit, typing: bool, top: usize },
    /// The pinned entries.
    Ledger { at: usize, top: usize },
    /// One line as it is stored; empty while it is read.
    Raw { line: Option<RawLine>, top: usize, laid: LaidRaw },
    /// The text that stands for a region of the window.
    Region { title: String, text: String, top: usize, laid: LaidRaw },
    /// What could not be read.
    Troubles { at: usize, top: usize },
    /// What the checks found.
    Findings(FindingsList),
    /// One claim through all generations.
    Lineage(LineagePage),
    /// What the next request carries.
    Window(WindowPage),
    /// Blocks, markers and the curve.
    Outline(OutlinePage),
    /// Text would be lost.
    Quit,
}

impl Layer {
    /// Where keys have their meaning, for a layer that is a screen of its own; `None` for prompts, which take all keys.
    pub fn context(&self) -> Option<Context> {
        match self {
            Layer::Ledger { .. } => Some(Context::Ledger),
            Layer::Help { typing: false, .. } => Some(Context::Help),
            Layer::Raw { .. } | Layer::Region { .. } => Some(Context::Raw),
            Layer::Troubles { .. } => Some(Context::Troubles),
            Layer::Findings(_) => Some(Context::Findings),
            Layer::Lineage(_) => Some(Context::Lineage),
            Layer::Window(_) => Some(Context::Window),
            Layer::Outline(_) => Some(Context::Outline),
            Layer::Help { .. }
            | Layer::Menu { .. }
            | Layer::Settle { .. }
            | Layer::Reword { .. }
            | Layer::Search(_)
            | Layer::Palette { .. }
            | Layer::Quit => None,
        }
    }

    /// Whether it fills the screen.
    pub fn is_screen(&self) -> bool {
        matches!(
            self,
            Layer::Ledger { .. }
                | Layer::Help { .. }
                | Layer::Raw { .. }
                | Layer::Region { .. }
                | Layer::Troubles { .. }
                | Layer::Findings(_)
                | Layer::Lineage(_)
                | Layer::Window(_)
                | Layer::Outline(_)
        )
    }
}
