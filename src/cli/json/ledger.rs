//! An entry of a ledger as JSON.

use serde::Serialize;

use super::{SourceJson, quote, time};
use crate::record::{Anchor, Ledger, Outcome, Standing};

/// An entry of a ledger.
#[derive(Serialize)]
pub struct EntryJson {
    id: String,
    kind: &'static str,
    #[serde(rename = "as")]
    act: &'static str,
    outcome: Option<&'static str>,
    text: String,
    status: &'static str,
    corrects: Option<String>,
    target: Option<String>,
    source: Option<SourceJson>,
    via: &'static str,
    author: String,
    reason: Option<String>,
    at: String,
    hash: String,
    prev: String,
    origin: Option<String>,
    /// The item can no longer be found in its record.
    orphan: bool,
}

/// An entry; `named` gives the display name of the item that it corrects, `None` for an orphan.
pub fn entry(ledger: &Ledger, standing: &Standing, named: &dyn Fn(&Anchor) -> Option<String>) -> EntryJson {
    let entry = &standing.entry;
    let draft = &entry.draft;
    let corrects = draft.corrects.as_ref().map(named);
    EntryJson {
        id: format!("L{}", entry.no),
        kind: draft.kind.name(),
        act: draft.act.name(),
        outcome: draft.outcome.map(Outcome::name),
        text: draft.text.clone(),
        status: standing.status.name(),
        orphan: matches!(corrects, Some(None)),
        corrects: corrects.flatten(),
        target: draft.target.and_then(|hash| ledger.at(hash)).map(|at| format!("L{}", ledger.entries[at].entry.no)),
        source: draft.source.as_ref().map(quote),
        via: draft.via.name(),
        author: draft.author.clone(),
        reason: draft.reason.clone(),
        at: time(entry.at),
        hash: entry.hash.to_string(),
        prev: entry.prev.to_string(),
        origin: draft.origin.map(|hash| hash.to_string()),
    }
}
