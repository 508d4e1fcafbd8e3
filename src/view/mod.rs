//! What a screen shows: rows of runs with a *tone* (a meaning, not a colour). No terminal type is known here.

mod evidence;
mod fold;
mod inline;
mod ledger;
mod lens;
mod marker;
mod picture;
mod prose;
mod raw;
mod record;
mod row;
mod signs;
mod table;
mod tool;
mod turn;
mod words;

pub use evidence::{Evidence, Original, evidence, evidence_below, evidence_keys};
pub use fold::{folded, note, unread};
pub use ledger::{EntryRows, ToldText, entry_height, entry_rows, told_rows};
pub use lens::{Laid, Lens, Piece, find_in_row, mark_found};
pub use marker::{MarkerLine, marker};
pub use picture::{Area, Picture};
pub use prose::{prose, unmarked, wrapped};
pub use raw::raw;
pub use record::{FIELDS, RecordRows, record};
pub use row::{Row, Run, Tone};
pub use signs::Signs;
pub use turn::{said_text, turn, who};
pub use words::{Zone, counted, thousands};
