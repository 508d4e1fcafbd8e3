//! `stet ledger list`, `history` and `print`: reading.

use std::collections::HashMap;

use anyhow::Result;
use serde::Serialize;

use super::{Bench, document};
use crate::cli::args::{Format, LedgerPrint, LedgerRead};
use crate::cli::print::{self as printing, Out, Text};
use crate::cli::{Outcome, json, text};
use crate::record::{Act, Anchor, Ledger, Standing, Status};
use crate::session::Hash;
use crate::text::{Shown, width};
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
            heading(&mut desk, &ledger, &mut out)?;
            let rows: Vec<Row> = ledger.entries.iter().rev().map(|standing| row(&ledger, standing, &names)).collect();
            let widths = widths(&rows);
            rows.iter().try_for_each(|row| out.line(&row.line(&widths)))?;
            if rows.is_empty() {
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

fn heading(desk: &mut Desk, ledger: &Ledger, out: &mut Out) -> Result<()> {
    let title = desk.title().unwrap_or_else(|| desk.head().key.id.clone());
    out.line(&format!("{title}   ledger · {}", text::count(ledger.entries.len() as u64, "entry", "entries")))?;
    out.line("")?;
    Ok(())
}

/// `L8   open   active   t22   ana   2026-03-02 14:07   corrects m1.d2   “…”`
struct Row([String; 8]);

impl Row {
    /// In columns; the last, which runs long, is not filled up.
    fn line(&self, widths: &[usize; 8]) -> String {
        let fill = |(cell, width): (&String, &usize)| format!("{cell}{}", " ".repeat(width - cells(cell)));
        let shown: Vec<String> = self.0.iter().zip(widths).filter(|(_, width)| **width > 0).map(fill).collect();
        format!("  {}", shown.join("  ")).trim_end().to_owned()
    }
}

fn cells(text: &str) -> usize {
    width(&Shown::line(text))
}

fn widths(rows: &[Row]) -> [usize; 8] {
    std::array::from_fn(|column| rows.iter().map(|row| cells(&row.0[column])).max().unwrap_or(0))
}

fn row(ledger: &Ledger, standing: &Standing, names: &HashMap<Hash, Option<String>>) -> Row {
    let entry = &standing.entry;
    let draft = &entry.draft;
    let of = draft.target.and_then(|hash| ledger.at(hash)).map(|at| ledger.entries[at].entry.no);
    let turn = draft.source.as_ref().map_or_else(String::new, |source| format!("t{}", source.turn));
    let (kind, about, text) = if let Some(of) = of {
        let verb = match draft.act {
            Act::Withdrawn => "withdraws",
            Act::Reinstated => "reinstates",
            Act::Confirmed => "confirms",
            _ => "is about",
        };
        (format!("{verb} L{of}"), String::new(), String::new())
    } else {
        let about = match (&draft.corrects, names.get(&entry.hash).cloned().flatten()) {
            (None, _) => String::new(),
            (Some(_), Some(name)) if draft.act == Act::Pinned => format!("pins {name}"),
            (Some(_), Some(name)) => format!("corrects {name}"),
            (Some(_), None) => "its item is gone".to_owned(),
        };
        (draft.kind.name().replace('_', " "), about, format!("“{}”", draft.text))
    };
    let status = match standing.status {
        Status::Active => String::new(),
        Status::Proposed | Status::Superseded | Status::Withdrawn => standing.status.name().to_owned(),
    };
    Row([format!("L{}", entry.no), kind, status, turn, draft.author.clone(), text::clock(entry.at), about, text])
}

pub(super) fn history(bench: &Bench, read: &LedgerRead) -> Result<Outcome> {
    let mut desk = bench.open(&read.session)?;
    let (ledger, names) = named(&mut desk)?;
    if read.format == Format::Json {
        return json_document(&ledger, &names);
    }
    let mut out = Out::new(Text::Safe);
    heading(&mut desk, &ledger, &mut out)?;
    let rows: Vec<Row> = ledger.entries.iter().map(|standing| row(&ledger, standing, &names)).collect();
    let widths = widths(&rows);
    for (standing, row) in ledger.entries.iter().zip(&rows) {
        let draft = &standing.entry.draft;
        out.line(&row.line(&widths))?;
        let hash = standing.entry.hash.to_string();
        out.line(&format!("        as {}, via {}, {}", draft.act.name(), draft.via.name(), &hash[..12]))?;
        if let Some(source) = &draft.source {
            out.line(&format!("        turn {}, {}: “{}”", source.turn, text::said_by(source.speaker), source.quote))?;
        }
        if let Some(anchor) = draft.corrects.as_ref().filter(|anchor| anchor.text != draft.text) {
            out.line(&format!("        the item: “{}”", anchor.text))?;
        }
        if let Some(reason) = &draft.reason {
            out.line(&format!("        because {reason}"))?;
        }
    }
    if rows.is_empty() {
        out.line("  nothing is pinned yet")?;
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
    let told = desk.told(print.max_tokens)?;
    let left_out: Vec<String> = told.left_out.iter().map(|no| format!("L{no}")).collect();
    match print.format {
        Format::Json => document(&ToldJson { schema: "stet.told/1", text: told.text, tokens: told.tokens, left_out }),
        Format::Text => {
            let mut out = Out::new(Text::Safe);
            out.exact(&told.text)?;
            out.flush()?;
            if told.text.is_empty() && left_out.is_empty() {
                printing::note("nothing is pinned, so an agent is told nothing");
            } else if told.text.is_empty() {
                printing::note(&format!("nothing fits in {} tokens, so nothing is told", print.max_tokens));
            }
            Ok(Outcome::Fine)
        }
    }
}
