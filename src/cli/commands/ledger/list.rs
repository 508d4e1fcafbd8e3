//! `stet ledger list`, `history` and `print`: reading.

use std::collections::HashMap;

use anyhow::Result;
use serde::Serialize;

use super::{Bench, document};
use crate::cli::args::{Format, LedgerPrint, LedgerRead};
use crate::cli::print::{self as printing, Out, Text};
use crate::cli::{Outcome, json, text};
use crate::handback;
use crate::record::{Act, Anchor, Ledger, Standing, Status};
use crate::session::Hash;
use crate::workbench::{Cancel, Desk};

#[derive(Serialize)]
struct LedgerJson {
    schema: &'static str,
    entries: Vec<json::EntryJson>,
}

/// The ledger, and the display names of the items that its entries correct. The session is read only when there are any.
fn named(desk: &mut Desk) -> Result<(Ledger, HashMap<Hash, Option<String>>)> {
    let ledger = desk.ledger()?;
    let anchors: Vec<(Hash, Anchor)> = ledger
        .entries
        .iter()
        .filter_map(|standing| Some((standing.entry.hash, standing.entry.draft.corrects.clone()?)))
        .collect();
    if !anchors.is_empty() {
        desk.index(&Cancel::default(), &mut |_| ())?;
    }
    let mut names = HashMap::new();
    for (hash, anchor) in anchors {
        names.insert(hash, desk.name_of(&anchor)?);
    }
    Ok((ledger, names))
}

pub(super) fn list(bench: &Bench, read: &LedgerRead) -> Result<Outcome> {
    let mut desk = bench.open(&read.session)?;
    let (ledger, names) = named(&mut desk)?;
    match read.format {
        Format::Json => json_document(&ledger, &names),
        Format::Text => {
            let mut out = Out::new(Text::Safe);
            out.line(&format!("Ledger of {}", desk.head().key.id))?;
            out.line("")?;
            for standing in ledger.entries.iter().rev() {
                out.line(&line(&ledger, standing, &names))?;
            }
            if ledger.entries.is_empty() {
                out.line("  nothing is pinned yet")?;
            }
            out.flush()?;
            Ok(Outcome::Fine)
        }
    }
}

fn json_document(ledger: &Ledger, names: &HashMap<Hash, Option<String>>) -> Result<Outcome> {
    let entries = ledger
        .entries
        .iter()
        .map(|standing| {
            let hash = standing.entry.hash;
            json::entry(ledger, standing, &|_| names.get(&hash).cloned().flatten())
        })
        .collect();
    document(&LedgerJson { schema: "stet.ledger/1", entries })
}

/// `  L8  open  “…”   t22   ana   14:07   corrects m1.d2`
fn line(ledger: &Ledger, standing: &Standing, names: &HashMap<Hash, Option<String>>) -> String {
    let entry = &standing.entry;
    let draft = &entry.draft;
    let name = format!("L{}", entry.no);
    let of = draft.target.and_then(|hash| ledger.at(hash)).map(|at| ledger.entries[at].entry.no);
    let at = text::clock(entry.at);
    let standing = match standing.status {
        Status::Active => String::new(),
        Status::Proposed | Status::Superseded | Status::Withdrawn => format!("   {}", standing.status.name()),
    };
    if let Some(of) = of {
        let verb = match draft.act {
            Act::Withdrawn => "withdraws",
            Act::Reinstated => "reinstates",
            Act::Confirmed => "confirms",
            Act::Reopened | Act::Replaced | Act::Reworded | Act::Settled | Act::NeverSaid | Act::Pinned => "is about",
        };
        return format!("  {name:<4} {verb} L{of}   {}   {at}{standing}", draft.author);
    }
    let turn = draft.source.as_ref().map_or_else(String::new, |source| format!("   t{}", source.turn));
    let corrects = match (&draft.corrects, names.get(&entry.hash).cloned().flatten()) {
        (None, _) => String::new(),
        (Some(_), Some(name)) => format!("   corrects {name}"),
        (Some(anchor), None) => format!("   its item is gone: “{}”", anchor.text),
    };
    let kind = draft.kind.name().replace('_', " ");
    format!("  {name:<4} {kind:<10}  “{}”{turn}   {}   {at}{corrects}{standing}", draft.text, draft.author)
}

pub(super) fn history(bench: &Bench, read: &LedgerRead) -> Result<Outcome> {
    let mut desk = bench.open(&read.session)?;
    let (ledger, names) = named(&mut desk)?;
    if read.format == Format::Json {
        return json_document(&ledger, &names);
    }
    let mut out = Out::new(Text::Safe);
    for standing in &ledger.entries {
        let draft = &standing.entry.draft;
        out.line(&line(&ledger, standing, &names))?;
        let via = format!("as {}, via {}", draft.act.name(), draft.via.name());
        out.line(&format!("       {via}, {}", standing.entry.hash))?;
        if let Some(source) = &draft.source {
            out.line(&format!("       turn {}, {}: “{}”", source.turn, text::said_by(source.speaker), source.quote))?;
        }
        if let Some(reason) = &draft.reason {
            out.line(&format!("       because {reason}"))?;
        }
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

#[derive(Serialize)]
struct ToldJson {
    schema: &'static str,
    text: String,
    tokens: u64,
    left_out: Vec<String>,
}

pub(super) fn print(bench: &Bench, print: &LedgerPrint) -> Result<Outcome> {
    let mut desk = bench.open(&print.session)?;
    let told = handback::told(&desk.ledger()?, print.max_tokens);
    let left_out: Vec<String> = told.left_out.iter().map(|no| format!("L{no}")).collect();
    match print.format {
        Format::Json => document(&ToldJson { schema: "stet.told/1", text: told.text, tokens: told.tokens, left_out }),
        Format::Text => {
            let mut out = Out::new(Text::Safe);
            out.exact(&told.text)?;
            out.flush()?;
            if told.text.is_empty() {
                printing::note("stet: nothing is pinned, so an agent is told nothing");
            }
            Ok(Outcome::Fine)
        }
    }
}
