//! What a screen shows: rows of runs with a *tone* (a meaning, not a colour). No terminal type is known here.

mod closing;
mod evidence;
mod finding;
mod findings;
mod fold;
mod forgotten;
mod inline;
mod ledger;
mod lens;
mod lineage;
mod marker;
mod outline;
mod picture;
mod prose;
mod raw;
mod record;
mod retention;
mod row;
mod signs;
mod table;
mod tool;
mod turn;
mod window;
mod words;

pub use closing::{NONE_YET, closed_by, closing_rows, command, compile_command, remark};
pub use evidence::{Evidence, Evident, Link, Surroundings, evidence, evidence_below, evidence_keys, noun, sources};
pub use finding::{Answer, Seen};
pub use findings::{
    KeptAt, ListedFinding, curve_rows, finding_height, finding_rows, kind_at, kind_row, no_findings, what_cells,
};
pub use fold::{folded, note, unread};
pub use ledger::{EntryRows, ToldText, entry_height, entry_rows, told_rows};
pub use lens::{Laid, Lens, Piece, find_in_row, mark_found};
pub use lineage::{LineageRows, lineage_help, lineage_rows};
pub use marker::{MarkerLine, Tally, marker};
pub use outline::{Outlined, Plot, outlined_height, outlined_rows};
pub use picture::{Area, Picture};
pub use prose::{prose, unmarked, wrapped};
pub use raw::raw;
pub use record::{Below, FIELDS, RecordRows, named, record};
pub use retention::{kept_in_all, kept_of};
pub use row::{Row, Run, Tone};
pub use signs::Signs;
pub use turn::{said_text, turn, who};
pub use window::{
    Carried, RecentTurns, WindowSum, ledger_alone, region_heads, region_row, share_bar, through, window_total,
};
pub use words::{Zone, counted, thousands};
