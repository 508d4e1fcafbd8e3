//! Handing a session over: what a new one begins with when the old one was compacted often enough. The new one has the
//! ledger of the old one, entry by entry, its record as its first words, and says where it comes from.

use serde_json::{Value, json};

use super::{Engine, EngineRules, numbered};
use crate::compile::{Amount, render, spans};
use crate::record::{LedgerEntry, Record, lay};
use crate::session::{Body, Depth, FileNo, Hash, MarkerKey, SessionKey};
use crate::store::{Access, Store};
use crate::workbench::{Problem, guard};

/// What the line says that names the session before.
const LINK: &str = "handed over from";

/// What a session leaves to the one that goes on with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handover {
    /// The session that was handed over.
    pub from: SessionKey,
    /// What its closed blocks hold, without what the ledger overrules.
    pub record: Record,
    /// Record and ledger as an agent reads them; every line names its turn in the old session.
    pub text: String,
    record_text: String,
    entries: Vec<LedgerEntry>,
}

impl Engine {
    /// What a new session begins with. Nothing of this one changes.
    pub fn handover(&mut self) -> Result<Handover, Problem> {
        self.compile()?;
        let blocks = Store::open(&self.db, Access::ReadOnly)?.blocks(&self.key)?;
        let mut record = spans::merged(blocks.iter().map(|block| &*block.record));
        numbered(&mut record, self.course.outline());
        let ledger = self.desk.ledger()?;
        let nowhere = MarkerKey { id: String::new(), summary: Hash::of(b"") };
        let laid = lay(&record, &ledger, &self.key, &nowhere);
        let stands = laid.items.iter().filter(|laid| laid.overruled().is_none());
        let record = Record { items: stands.map(|laid| laid.item.clone()).collect(), ..Record::default() };
        let last = blocks.last().map_or(0, |block| block.run.turns.1);
        let head = format!("handed over from {} · turns 1–{last}", self.key.id);
        let record_text = guard::unfenced(&render(&head, &record, Amount::Whole).text).into_owned();
        let text = format!("{record_text}\n{}", self.desk.told(crate::handback::DEFAULT_TOKENS)?.text);
        let entries = ledger.entries.into_iter().map(|standing| standing.entry).collect();
        Ok(Handover { from: self.key.clone(), record, text, record_text, entries })
    }

    /// Begins a new session with what another one left, in the same or in another database. One that holds anything
    /// already is not begun again.
    pub fn begin(db: &std::path::Path, session: &str, rules: EngineRules, from: &Handover) -> Result<Self, Problem> {
        let mut engine = Self::with(db, session, rules)?;
        anyhow::ensure!(
            engine.desk.outline().lines.is_empty(),
            "cannot begin {session} with a handover: it has begun already (choose another name)"
        );
        let SessionKey { agent, id, sub } = &from.from;
        let link = json!({"agent": agent, "id": id, "sub": sub}).to_string();
        let link = json!({"type": "line", "id": "handover", "kind": "noise", "what": LINK, "text": link});
        // What the system says is no original of anything: no record is ever made of this one.
        let words = json!({
            "type": "part", "id": "handover.0", "turn": "handover", "role": "system", "speaker": "system",
            "kind": "text", "at": (rules.clock)(), "text": from.record_text,
        });
        engine.take(&[link.to_string().into_bytes(), words.to_string().into_bytes()])?;
        engine.parts = engine.desk.outline().parts();
        Store::open(&engine.db, Access::Write)?.take_entries(&engine.key, &from.entries)?;
        Ok(engine)
    }

    /// The session that this one goes on with; `None` for one that began by itself.
    pub fn handed_over_from(&mut self) -> Result<Option<SessionKey>, Problem> {
        let first = self.desk.log_again()?.forward(FileNo(0), 0, 1, Depth::Full)?.lines.into_iter().next();
        let Some(Body::Noise { what, text, .. }) = first.map(|line| line.body) else { return Ok(None) };
        let Ok(link) = serde_json::from_str::<Value>(&text) else { return Ok(None) };
        let said = |name: &str| link.get(name).and_then(Value::as_str).map(str::to_owned);
        let key = || Some(SessionKey { agent: said("agent")?, id: said("id")?, sub: said("sub") });
        Ok(if what == LINK { key() } else { None })
    }
}
