//! A whole screen as areas of rows: all that a terminal is told.

use super::Row;

/// Rows at a place. What was painted there before is gone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// The first column, from 0.
    pub x: u16,
    /// The first row, from 0.
    pub y: u16,
    /// In cells.
    pub width: u16,
    /// In rows; rows beyond it are not painted, missing ones are empty.
    pub height: u16,
    /// From the top.
    pub rows: Vec<Row>,
}

/// A whole screen. Later areas lie over earlier ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// In the order in which they are painted.
    pub areas: Vec<Area>,
    /// Where a person types, if they do: column and row, from 0.
    pub caret: Option<(u16, u16)>,
}
