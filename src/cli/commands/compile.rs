//! `stet compile`: blocks with their records, from the originals, into the stet database.

use anyhow::{Result, ensure};
use indicatif::MultiProgress;
use serde::Serialize;

use super::{Bench, Failures, note_passed_over};
use crate::cli::args::{Compile, Format};
use crate::cli::print::{self, Out, Text};
use crate::cli::text::count;
use crate::cli::waiting::Watched;
use crate::cli::{Outcome, ending, json};
use crate::record::{Field, Record, Turned};
use crate::session::TurnNo;
use crate::view::{closed_by, thousands};
use crate::workbench::{self, Compiled, Idempotence, Instead, Pace, Rules, SummariserKind, Target};

#[derive(Serialize)]
struct BlocksJson {
    schema: &'static str,
    session: json::SessionJson,
    blocks: Vec<BlockJson>,
    spans: Vec<SpanJson>,
    open: Option<OpenJson>,
}

#[derive(Serialize)]
struct BlockJson {
    n: u32,
    from: u32,
    to: u32,
    from_id: String,
    closed_by: &'static str,
    /// What told that the talk turned; `null` where nothing did, or where that was not stored yet.
    turned: Option<&'static str>,
    /// Calls whose results come behind it.
    cut: Vec<String>,
    generation: u32,
    tokens: u64,
    standing: json::StandingJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<json::RecordJson>,
}

#[derive(Serialize)]
struct SpanJson {
    n: u32,
    from: u32,
    to: u32,
    from_id: String,
    blocks: [u32; 2],
    generation: u32,
    tokens: u64,
    standing: json::StandingJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<json::RecordJson>,
}

#[derive(Serialize)]
struct OpenJson {
    from: u32,
    to: u32,
    from_id: String,
    tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<json::RecordJson>,
}

/// One session that cannot be compiled does not keep the others from it.
pub(super) fn compile(bench: &Bench, wanted: &Compile) -> Result<Outcome> {
    let (target, cap) = (wanted.target, wanted.cap);
    ensure!(
        cap >= target,
        "cannot close blocks of {target} turns and more (--target) at {cap} turns at the latest (--cap): give a --cap of \
         {target} or more, or a --target of {cap} or less"
    );
    let rules = Rules { target, cap, ..Rules::default() };
    let mut out = Out::new(Text::Safe);
    let mut failures = Failures::default();
    let mut who = bench.settings.summariser()?;
    who.kind = wanted.summariser.as_deref().and_then(SummariserKind::named).unwrap_or(who.kind);
    let lines = MultiProgress::new();
    let summariser = Watched::new(workbench::summariser(&who)?, lines.clone());
    ending::take_programs_along()?;
    let mut outcome = Outcome::Fine;
    for name in &wanted.sessions {
        let found = match bench.bench.find_all(name) {
            Ok(found) => found,
            Err(error) => {
                failures.add(error);
                continue;
            }
        };
        if found.targets.is_empty() && found.troubles.is_empty() {
            failures.add(anyhow::anyhow!("cannot compile {}: no session is in it", name.display()));
        }
        found.troubles.into_iter().for_each(|trouble| failures.add(trouble));
        for target in &found.targets {
            let copying = lines.add(print::progress(0, "copying"));
            let closing = lines.add(print::progress_of(0, "closing", "blocks"));
            let compiled = bench.bench.compile(target, rules, &summariser, &mut |pace| {
                let (bar, done, whole) = match pace {
                    Pace::Copied { done, whole } => (&copying, done, whole),
                    Pace::Closed { done, found } => (&closing, done, found),
                };
                if matches!(pace, Pace::Closed { .. }) {
                    copying.finish_and_clear();
                }
                bar.set_length(whole);
                bar.set_position(done);
            });
            closing.finish_and_clear();
            copying.finish_and_clear();
            match compiled {
                Ok(compiled) => {
                    tell_instead(&compiled.instead, target);
                    if !compiled.instead.is_empty() {
                        outcome = Outcome::Instead;
                    }
                    match wanted.format {
                        Format::Json => as_json(bench, &compiled, target, wanted.records, &mut out)?,
                        Format::Text => as_text(bench, &compiled, wanted.records, rules, &mut out)?,
                    }
                    out.flush()?;
                }
                Err(error) => {
                    if let Some(instead) = error.downcast_ref::<Instead>() {
                        tell_instead(instead, target);
                    }
                    failures.add(error);
                }
            }
        }
        note_passed_over(name, found.passed_over);
    }
    out.flush()?;
    failures.end(outcome)
}

/// Where a summariser failed.
fn tell_instead(instead: &Instead, target: &Target) {
    for (what, failed) in [("block", &instead.blocks), ("span", &instead.spans)] {
        for (no, why) in failed {
            let prose = "the prose is taken from the originals";
            print::note(&format!("{}: {what} {no}: {prose}: {why}", target.name()));
        }
    }
}

fn as_json(bench: &Bench, compiled: &Compiled, target: &Target, records: bool, out: &mut Out) -> Result<()> {
    let mut info = compiled.info.clone();
    // The session is read from the database; it is named as it was asked for.
    target.path().clone_into(&mut info.path);
    let record = |record: &Record, of: &str| records.then(|| json::own(record, of));
    let standing = bench.bench.how_it_stands(compiled)?;
    let (of_blocks, of_spans) = standing.split_at(compiled.blocks.len());
    let blocks = compiled.blocks.iter().zip(of_blocks).map(|(block, standing)| BlockJson {
        n: block.no,
        from: block.run.turns.0,
        to: block.run.turns.1,
        from_id: block.run.from_id.clone(),
        closed_by: block.closed_by.name(),
        turned: block.turned.map(Turned::name),
        cut: block.cut.clone(),
        generation: block.generation,
        tokens: block.run.tokens,
        standing: json::standing(standing, &block.record),
        record: record(&block.record, &format!("b{}", block.no)),
    });
    let spans = compiled.spans.iter().zip(of_spans).map(|(span, standing)| SpanJson {
        n: span.no,
        from: span.run.turns.0,
        to: span.run.turns.1,
        from_id: span.run.from_id.clone(),
        blocks: [span.blocks.0, span.blocks.1],
        generation: span.generation,
        tokens: span.run.tokens,
        standing: json::standing(standing, &span.record),
        record: record(&span.record, &format!("s{}", span.no)),
    });
    let open = compiled.open.as_ref().map(|(run, kept)| OpenJson {
        from: run.turns.0,
        to: run.turns.1,
        from_id: run.from_id.clone(),
        tokens: run.tokens,
        record: record(kept, "open"),
    });
    let document = BlocksJson {
        schema: "stet.blocks/1",
        session: json::session(&info),
        blocks: blocks.collect(),
        spans: spans.collect(),
        open,
    };
    Ok(out.exact(&format!("{}\n", json::line(&document)?))?)
}

fn as_text(bench: &Bench, compiled: &Compiled, with_records: bool, rules: Rules, out: &mut Out) -> Result<()> {
    let info = &compiled.info;
    let title = info.title.as_ref().unwrap_or(&info.key.id);
    let blocks = count(compiled.blocks.len() as u64, "block", "blocks");
    let new = match compiled.new + compiled.new_spans {
        0 => "nothing is due".to_owned(),
        _ => format!("{} new", compiled.new),
    };
    out.line(&format!("{title}   {} · {blocks}, {new}", count(info.turns.into(), "turn", "turns")))?;
    let records = compiled.blocks.iter().map(|block| &*block.record);
    let mut again = workbench::read_again(records.chain(compiled.spans.iter().map(|span| &*span.record))).into_iter();
    for (block, cut) in compiled.blocks.iter().zip(&compiled.cut) {
        let (from, to) = block.run.turns;
        let claims = count(block.record.items.len() as u64, "item", "items");
        let tokens = thousands(block.run.tokens);
        out.line(&format!(
            "  b{}  turns {from}–{to} · {} · ≈ {tokens} tok · {claims}",
            block.no,
            closed_by(block.closed_by, block.turned)
        ))?;
        if !cut.is_empty() {
            let call = |(tool, turn): &(String, Option<TurnNo>)| match turn {
                Some(turn) => format!("{tool} (turn {turn})"),
                None => tool.clone(),
            };
            let calls: Vec<String> = cut.iter().map(call).collect();
            out.line(&format!("      cut from their results: {}", calls.join(", ")))?;
        }
        tell_lost(&block.record, again.next(), out)?;
        if with_records {
            record(&block.record, out)?;
        }
    }
    for span in &compiled.spans {
        let ((from, to), (first, last)) = (span.run.turns, span.blocks);
        let generation = span.generation;
        out.line(&format!("  s{}  turns {from}–{to} · blocks {first}–{last} · generation {generation}", span.no))?;
        tell_lost(&span.record, again.next(), out)?;
        if with_records {
            record(&span.record, out)?;
        }
    }
    for (region, wrong) in bench.bench.what_is_wrong(compiled)? {
        out.line(&format!("  {region}: {wrong}"))?;
    }
    if let Some((run, kept)) = &compiled.open {
        let (from, to) = run.turns;
        out.line(&format!("  open  turns {from}–{to} · ≈ {} tok", thousands(run.tokens)))?;
        if with_records {
            record(kept, out)?;
        }
    }
    out.line(
        "  ≈ tok: four bytes of what was said, called and answered are one; what an agent thought is not counted",
    )?;
    if compiled.blocks.len() > compiled.new && rules != Rules::default() {
        let Rules { target, cap, .. } = rules;
        out.line(&format!(
            "  what was closed before stays as it is: --target {target} and --cap {cap} cut only what follows"
        ))?;
    }
    Ok(())
}

/// So many facts are told one by one.
const TOLD: usize = 5;

/// What a summary made of this record instead of the originals would lose; nothing where it would lose nothing.
fn tell_lost(record: &Record, again: Option<Idempotence>, out: &mut Out) -> Result<()> {
    let Some(idempotence) = again.filter(|again| !again.lost.is_empty()) else { return Ok(()) };
    let lost = idempotence.lost.iter().take(TOLD);
    let told: Vec<String> = lost.map(|at| format!("{} {}", record.name(*at), record.items[*at].text)).collect();
    let more = idempotence.lost.len().saturating_sub(TOLD);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let (again, facts) = (idempotence.again(), idempotence.facts);
    Ok(out.line(&format!("      read again, it gives {again} of {facts} facts: without {}{more}", told.join(", ")))?)
}

fn record(record: &Record, out: &mut Out) -> Result<()> {
    for field in Field::ALL {
        let mut items = record.of(field).peekable();
        if items.peek().is_some() {
            out.line(&format!("      {}", field.title()))?;
        }
        for (no, item) in items {
            let turn = item.sources.first().map_or_else(String::new, |source| format!("   turn {}", source.turn));
            let why = item.why.as_ref().map_or_else(String::new, |why| format!("   draft: {why}"));
            out.line(&format!("        {}{no}  {}{turn}{why}", field.letter(), item.text))?;
        }
    }
    Ok(())
}
