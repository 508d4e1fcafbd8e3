//! `stet ls`: the sessions found on this machine.

use anyhow::Result;
use serde::Serialize;

use super::Bench;
use crate::cli::args::Format;
use crate::cli::print::{self, Out, Text};
use crate::cli::{Outcome, json, text};
use crate::workbench::SessionInfo;

#[derive(Serialize)]
struct SessionsJson {
    schema: &'static str,
    sessions: Vec<json::ListedJson>,
    /// Stores that could not be read.
    troubles: Vec<String>,
}

pub(super) fn ls(bench: &Bench, format: Format) -> Result<Outcome> {
    let (found, troubles) = bench.bench.list(&mut |target| bench.read(target));
    let mut out = Out::new(Text::Safe);
    match format {
        Format::Json => {
            let sessions = found.iter().map(json::listed).collect();
            let document = SessionsJson { schema: "stet.sessions/1", sessions, troubles };
            out.exact(&format!("{}\n", json::line(&document)?))?;
        }
        Format::Text => {
            table(&mut out, &found)?;
            for trouble in &troubles {
                print::note(trouble);
            }
        }
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

fn table(out: &mut Out, found: &[SessionInfo]) -> Result<()> {
    if found.is_empty() {
        print::note("no sessions were found (stet doctor says where they are looked for; stet demo shows a sample)");
        return Ok(());
    }
    out.line(&format!(
        "{:<16}  {:<12}  {:>6}  {:>7}  {:<36}  {}",
        "last change", "agent", "turns", "markers", "id", "title"
    ))?;
    for info in found {
        let modified = info.modified.map(text::clock).unwrap_or_default();
        let title = info.title.as_deref().unwrap_or_default();
        out.line(
            format!(
                "{modified:<16}  {:<12}  {:>6}  {:>7}  {:<36}  {title}",
                info.key.agent, info.turns, info.compactions, info.key.id
            )
            .trim_end(),
        )?;
    }
    Ok(())
}
