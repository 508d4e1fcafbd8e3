//! What the person and their terminal want, as far as the screen is concerned.

use std::collections::HashMap;

use crate::view::{Signs, Zone};

/// What the person and their terminal want.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The signs in use.
    pub signs: &'static Signs,
    /// The reader's time zone.
    pub zone: Zone,
    /// Command id -> key sequences, in place of the default ones.
    pub keys: HashMap<String, Vec<String>>,
    /// The mouse is taken from the terminal.
    pub mouse: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { signs: &Signs::UNICODE, zone: Zone::utc(), keys: HashMap::new(), mouse: true }
    }
}

impl Settings {
    /// Whether evidence stands beside the record instead of below the row.
    pub(super) fn is_wide(width: usize) -> bool {
        // One column of the terminal is the scrollbar's.
        width + 1 >= 110
    }

    /// Cells of a record's rows.
    pub(super) fn record_cells(width: usize) -> usize {
        if Self::is_wide(width) { (width * 6 / 10).min(104) } else { width.saturating_sub(1).clamp(1, 104) }
    }
}
