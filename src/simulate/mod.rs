//! Experiments with compaction: what survives it, what drifts, what is made up, what it costs. Seeded: the same settings
//! give the same figures on every machine. Nothing here reads a session or prints; assumptions are told with the figures.
//!
//! | | experiment | shows |
//! |---|---|---|
//! | [`survival`] | 36 facts, a small window | the oldest go first, as (1−l)ⁿ; searching again costs twice as much |
//! | [`drift`] | 20 facts, 10 passes | facts go at a steady rate, statements that nobody made come |
//! | [`hedges`] | hedged statements, 6 passes | later passes destroy more than the first one: no constant rate fits |
//! | [`inversion`] | 40 items, 6 passes | what a small rate for each item and pass comes to for a session |
//! | [`triggers`] | sessions with topics | a compaction at a seam cuts no thread; one under pressure does |
//! | [`arms`] | recursive, hierarchical, ledger, none | a rewriting multiplies losses, a rebuild from originals does not |

pub mod arms;
mod chance;
pub mod drift;
mod engine;
pub mod hedges;
pub mod inversion;
mod plot;
mod sheet;
pub mod survival;
pub mod triggers;

pub use chance::Chance;
pub use engine::{Course, Hazard, Policy, Span};
pub use plot::{Axis, Line, Plot, Run, Scale, Stroke, Width, svg, terminal};
pub use sheet::{Row, Sheet, Table, Unit};

/// The seed where none is named.
pub const SEED: u64 = 1;
