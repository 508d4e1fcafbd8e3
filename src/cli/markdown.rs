//! Transcripts and records as Markdown. Foreign text stands in quotations, so that nothing in it becomes a heading.

use std::io;

use super::print::Out;
use super::text::{clock, correction, marker, said_by, sign, who};
use super::walk::Step;
use crate::record::Effective;
use crate::session::{Entry, Fold, Outline, PartKind, Turn};
use crate::view::{FIELDS, named};
use crate::workbench::MarkerRecord;

/// One step of the walk through a transcript.
pub fn step(out: &mut Out, outline: &Outline, step: &Step) -> io::Result<()> {
    match step {
        Step::Entry(entry) => self::entry(out, outline, entry),
        Step::Opens(fold) => opens(out, fold),
        Step::Closes { fold: Fold::Noise, .. } => Ok(()),
        Step::Closes { .. } => {
            out.line("*End of it.*")?;
            out.line("")
        }
    }
}

fn opens(out: &mut Out, fold: &Fold) -> io::Result<()> {
    let title = match fold {
        Fold::Abandoned => "Rewound: nobody's context holds these turns",
        Fold::SubAgent { .. } => "A sub-agent",
        Fold::Repeat => "Written once more",
        Fold::Noise => return Ok(()),
    };
    out.line(&format!("*{title}:*"))?;
    out.line("")
}

fn entry(out: &mut Out, outline: &Outline, entry: &Entry) -> io::Result<()> {
    match entry {
        Entry::Turn(turn) => self::turn(out, turn),
        Entry::Marker { place, .. } => {
            let compaction = outline.compactions.iter().find(|compaction| compaction.place == *place);
            let told = compaction.map_or_else(|| "⊟".to_owned(), |compaction| marker(outline, compaction));
            out.line("---")?;
            out.line("")?;
            out.line(&format!("**{told}**"))?;
            out.line("")?;
            out.line("---")?;
            out.line("")
        }
        Entry::Note { saved, .. } => {
            out.line(&format!("*{} old tool results were cleared*", saved.cleared))?;
            out.line("")
        }
        Entry::Folded { fold, .. } => opens(out, fold),
        Entry::Unread(trouble) => {
            out.line(&format!("**{}**", super::text::unread(trouble, outline)))?;
            out.line("")
        }
    }
}

fn turn(out: &mut Out, turn: &Turn) -> io::Result<()> {
    let no = match (&turn.no, &turn.result_of) {
        (Some(no), _) => no.to_string(),
        (None, Some(of)) => format!("turn {of}, later"),
        (None, None) => "…".to_owned(),
    };
    let at = turn.at.map(|at| format!(" · {}", clock(at))).unwrap_or_default();
    out.line(&format!("### {no} · {}{at}", who(turn.role)))?;
    out.line("")?;
    for said in &turn.parts {
        let label = match &said.part.kind {
            PartKind::Text => None,
            PartKind::Thinking => Some("thinking".to_owned()),
            PartKind::ToolCall { name, .. } => Some(format!("calls `{}`", name.replace('`', "'"))),
            PartKind::ToolResult { ok: true, .. } => Some("result".to_owned()),
            PartKind::ToolResult { ok: false, .. } => Some("error".to_owned()),
            PartKind::Opaque { what } => Some(what.clone()),
        };
        if let Some(label) = label {
            out.line(&format!("*{label}*"))?;
            out.line("")?;
        }
        if !said.part.text.is_empty() {
            out.block(&said.part.text, "> ")?;
            out.line("")?;
        }
    }
    Ok(())
}

/// A record with the ledger laid over it.
pub fn record(out: &mut Out, outline: &Outline, marked: &MarkerRecord, laid: &Effective) -> io::Result<()> {
    out.line(&format!("## {}", marker(outline, &marked.compaction)))?;
    let names = marked.record.names();
    for field in FIELDS {
        let items: Vec<_> = laid.items.iter().enumerate().filter(|(_, laid)| laid.item.field == field).collect();
        if items.is_empty() {
            continue;
        }
        out.line("")?;
        out.line(&format!("### {}", field.title()))?;
        out.line("")?;
        for (at, laid) in items {
            let name = &names[at];
            match (laid.overruled(), laid.pinned()) {
                (Some(entry), _) => {
                    out.line(&format!("- ✗ {name} ~~{}~~", named(laid.item)))?;
                    out.line(&format!("  - {} (L{})", correction(entry), entry.no))?;
                }
                (None, Some(entry)) => {
                    out.line(&format!("- ✓ {name} {} (pinned as it is, L{})", named(laid.item), entry.no))?;
                }
                (None, None) => out.line(&format!("- {} {name} {}", sign(laid.item.verdict), named(laid.item)))?,
            }
            for source in laid.item.sources.iter().take(3) {
                out.line(&format!("  - turn {}, {}: “{}”", source.turn, said_by(source.speaker), source.quote))?;
            }
        }
    }
    for orphan in &laid.orphans {
        out.line("")?;
        out.line(&format!("- ✗ L{} {} (its item is gone)", orphan.no, correction(orphan)))?;
    }
    Ok(())
}
