//! The use cases, and the only place where reading, storing, lifting and checking meet. The command line and the
//! terminal screen are thin clients of what is here.

mod across;
mod again;
mod alarms;
mod answers;
mod append;
mod arrival;
mod audit;
#[cfg(test)]
mod audited;
mod bench;
mod budget;
mod checking;
mod closing;
mod compile;
mod context;
mod cost;
mod course;
mod curve;
mod depth;
mod desk;
mod doubted;
mod drafts;
mod engine;
mod examine;
mod exchange;
mod extracting;
mod fault;
mod gone;
mod guard;
mod import;
mod lay;
mod lineage;
mod making;
mod overdue;
mod overview;
mod own;
mod pass;
mod pins;
mod pool;
mod reading;
mod recent;
mod records;
mod resolve;
mod said;
mod search;
mod spanning;
mod standing;
mod summariser;
#[cfg(test)]
mod tests;
mod turns;
mod utterance;
mod values;
mod verify;
mod weights;
mod window;
#[cfg(test)]
mod world;

pub use crate::compile::cost::{Cost, Habits, PRICE, Steps, Way, dollars, paper};
pub use crate::compile::spans::Chain;
pub use crate::compile::window::{Assembled, LedgerOverBudget, Region, RegionKind, Rendition};
pub use crate::compile::{
    Brief, Extractive, GateRegion, Idempotence, Job, Key, Limits, Liveness, Manner, Moment, Next, Permit, Protocol,
    Provenance, Refused, Rules, Sentence, Share, Stall, Summariser, SummariserKind, SummariserSettings, SummaryError,
    Thresholds, Validity, Why, kill_programs,
};
pub use crate::extract::{Extracted, Kind};
pub use crate::handback::{DEFAULT_TOKENS, LedgerText};
pub use crate::store::{Closed, Quotes, Stays, StaysAs};
pub use append::{Appending, Taken};
pub use bench::{Finds, SessionInfo, Settings, Skipped, Target, Workbench};
pub use budget::{BUDGETS, usual_budget};
pub use compile::{Compiled, Instead, Pace};
pub use context::{Asked, Check, Context, HowMuch};
pub use cost::SessionCost;
pub use curve::Curve;
pub use depth::Depths;
pub use desk::Desk;
pub use drafts::{Drafted, narrate, narrative};
pub use engine::{Compacted, Engine, EngineRules, Handover, NotCompacted};
pub use examine::{AgentStore, Examined};
pub use exchange::TakenEntries;
pub use extracting::{Seen, Texts, extracting};
pub use fault::{Fault, guarded};
pub use import::{Import, Imports, regular_file};
pub use lineage::lineage_in;
pub use overdue::Overdue;
pub use overview::Overview;
pub use pins::Hand;
use reading::Reading;
pub use standing::{RegionStanding, read_again};
pub use summariser::summariser;
pub use utterance::Utterance;
pub use values::{Cancel, Found, Hearing, MarkerCheck, MarkerRecord, Problem, RawLine, Saved, Sought, Spot, Window};
pub use weights::WouldClose;
