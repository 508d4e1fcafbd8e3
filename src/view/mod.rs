//! What a screen shows: rows of runs with a *tone* (a meaning, not a colour). No terminal type is known here.

mod row;

pub use row::{Row, Run, Tone};
