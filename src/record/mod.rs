//! What was kept, and what was said about it: records with their items, verdicts, findings, and the ledger of
//! corrections that is laid over them. Values only; nothing here reads, stores or shows.

mod alarm;
mod anchor;
mod block;
mod checked;
mod correction;
mod effective;
mod fact;
mod finding;
mod item;
mod ledger;
mod lineage;
mod lookup;
mod passage;
mod proposal;
mod quoted;
mod retention;

pub use alarm::Alarm;
pub use anchor::{Anchor, AnchorAt};
pub use block::{Block, ClosedBy, Run, Span, Turned};
pub use checked::{CheckStage, Checked, Judgement};
pub use correction::{Choice, Correction, choices, one_key};
pub use effective::{Effective, EffectiveItem, entered, lay, lay_known};
pub use fact::{Again, Fact};
pub use finding::{Finding, FindingKind, Severity};
pub use item::{Detail, Field, Item, MOST_CHECKED, NOT_ANALYSED, Record, Verdict, text_hash};
pub use ledger::{
    Act, Draft, EntryKind, Ledger, LedgerEntry, Outcome, Quote, Standing, Status, Via, entry_hash, rechained,
};
pub use lineage::{Change, Generation, Lineage};
pub use lookup::Lookup;
pub use passage::{Excerpt, Manner, Origin, Passage};
pub use proposal::{Settlement, chosen, settled, settlements, telling_words};
pub use quoted::Quoted;
pub use retention::{Kept, Retention, Warning};
