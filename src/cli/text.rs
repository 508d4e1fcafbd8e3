//! Transcripts and records as plain text, in the words of the screen.

use std::io;

use super::found::Found;
use super::print::Out;
use super::report;
use super::walk::Step;
use crate::record::{Effective, EffectiveItem, Field, FindingKind, LedgerEntry, Verdict};
use crate::session::{
    Compaction, Entry, Fold, Noise, Outline, Part, PartKind, Role, Speaker, Trigger, Trouble, Turn, TurnNo,
};
use crate::view::{FIELDS, named, thousands};
use crate::workbench::{Chain, MarkerRecord};

/// The sign of a verdict.
pub fn sign(verdict: Verdict) -> char {
    match verdict {
        Verdict::Verified => '✓',
        Verdict::Contested => '✗',
        Verdict::Weak => '≈',
        // What is not borne out is not yet wrong: a finding says that.
        Verdict::Unsupported | Verdict::WrongTurn | Verdict::Laundered | Verdict::Unchecked => '?',
    }
}

/// `no markers`, `1 marker`, `1,204 markers`.
pub fn count(n: u64, one: &str, many: &str) -> String {
    match n {
        0 => format!("no {many}"),
        1 => format!("1 {one}"),
        _ => format!("{} {many}", thousands(n)),
    }
}

/// `6 turns · 1 marker`
pub fn size(turns: u32, markers: usize) -> String {
    format!("{} · {}", count(turns.into(), "turn", "turns"), count(markers as u64, "marker", "markers"))
}

/// A time on this machine's clock; empty for a time that no calendar holds.
pub fn clock(at: i64) -> String {
    jiff::Timestamp::from_millisecond(at).map_or_else(
        |_| String::new(),
        |at| at.to_zoned_datetime(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string(),
    )
}

/// `turns 1–41, 44`
pub fn ranges(ranges: &[(u32, u32)]) -> String {
    let one = |(from, to): &(u32, u32)| if from == to { from.to_string() } else { format!("{from}–{to}") };
    let list = ranges.iter().map(one).collect::<Vec<_>>().join(", ");
    match ranges {
        [] => "no turns".to_owned(),
        [(from, to)] if from == to => format!("turn {list}"),
        _ => format!("turns {list}"),
    }
}

/// A marker in one line, without its rule: `m1 ⊟ turns 1–41 · auto · 48,120 → 1,204 tok · generation 1`
pub fn marker(outline: &Outline, compaction: &Compaction) -> String {
    let mut told = vec![format!("m{} ⊟ {}", compaction.no, ranges(&outline.turn_ranges(&compaction.covers)))];
    if compaction.trigger != Trigger::Unknown {
        told.push(compaction.trigger.name().to_owned());
    }
    match (compaction.tokens_before, compaction.tokens_after) {
        (Some(before), Some(after)) => told.push(format!("{} → {} tok", thousands(before), thousands(after))),
        (Some(before), None) => told.push(format!("{} tok before", thousands(before))),
        (None, Some(after)) => told.push(format!("{} tok after", thousands(after))),
        (None, None) => {}
    }
    if let Some(generation) = compaction.generation {
        told.push(format!("generation {generation}"));
    }
    told.join(" · ")
}

/// Where a block begins: `·· block 3 → span 1 → request · generation 1`
pub fn chain(chain: &Chain) -> String {
    let block = chain.block.map(|no| format!("block {no} → ")).unwrap_or_default();
    let span = chain.span.map(|no| format!("span {no} → ")).unwrap_or_default();
    format!("·· {block}{span}request · generation {}", chain.generation)
}

/// Who speaks in a turn.
pub fn who(role: Role) -> &'static str {
    match role {
        Role::User => "you",
        Role::Assistant => "agent",
        Role::System => "system",
    }
}

/// Who said a source.
pub fn said_by(speaker: Speaker) -> &'static str {
    match speaker {
        Speaker::User => "you",
        Speaker::Assistant => "agent",
        Speaker::Tool => "tool",
        Speaker::System => "system",
    }
}

/// A transcript, written entry by entry.
pub struct Transcript<'a> {
    out: &'a mut Out,
    outline: &'a Outline,
}

impl<'a> Transcript<'a> {
    /// Writes to `out`; numbers come from the outline.
    pub fn new(out: &'a mut Out, outline: &'a Outline) -> Self {
        Self { out, outline }
    }

    /// One step of the walk through it.
    pub fn step(&mut self, step: &Step, depth: usize) -> io::Result<()> {
        let indent = "┆ ".repeat(depth);
        match step {
            Step::Entry(entry) => self.entry(entry, &indent),
            Step::Opens(fold) => self.opens(fold, &indent),
            Step::Closes { noise, empty, .. } => {
                self.noise(noise, &indent)?;
                if *empty { self.out.line("") } else { Ok(()) }
            }
        }
    }

    fn entry(&mut self, entry: &Entry, indent: &str) -> io::Result<()> {
        match entry {
            Entry::Turn(turn) => self.turn(turn, indent),
            Entry::Marker { place, .. } => {
                let compaction = self.outline.compactions.iter().find(|compaction| compaction.place == *place);
                let told = compaction.map_or_else(|| "⊟".to_owned(), |compaction| marker(self.outline, compaction));
                self.out.line(&format!("{indent}━━ {told} ━━"))?;
                self.out.line("")
            }
            Entry::Note { saved, .. } => {
                let tokens = saved.saved.map_or_else(String::new, |n| format!(", {} tok saved", thousands(n)));
                self.out.line(&format!("{indent}·· {} old tool results were cleared{tokens}", saved.cleared))?;
                self.out.line("")
            }
            Entry::Folded { fold, .. } => self.opens(fold, indent),
            Entry::Unread(trouble) => {
                self.out.line(&format!("{indent}!! {}", unread(trouble, self.outline)))?;
                self.out.line("")
            }
        }
    }

    fn turn(&mut self, turn: &Turn, indent: &str) -> io::Result<()> {
        let no = match (&turn.no, &turn.result_of) {
            (Some(no), _) => no.to_string(),
            (None, Some(of)) => format!("(turn {of}, later)"),
            (None, None) => "…".to_owned(),
        };
        let at = turn.at.map(clock).unwrap_or_default();
        self.out.line(format!("{indent}{no:>4}  {:<6} {at}", who(turn.role)).trim_end())?;
        for said in &turn.parts {
            self.part(&said.part, indent)?;
            if let Some(lossy) = &said.lossy {
                self.out.line(&format!("{indent}      ({lossy})"))?;
            }
        }
        self.noise(&turn.noise, indent)?;
        self.out.line("")
    }

    fn part(&mut self, part: &Part, indent: &str) -> io::Result<()> {
        let deep = format!("{indent}      ");
        let deeper = format!("{indent}        ");
        match &part.kind {
            PartKind::Text => self.out.block(&part.text, &deep),
            PartKind::Thinking => {
                self.out.line(&format!("{deep}(thinking)"))?;
                self.out.block(&part.text, &deeper)
            }
            PartKind::ToolCall { name, .. } => {
                self.out.line(&format!("{deep}> {name}"))?;
                self.out.block(&part.text, &deeper)
            }
            PartKind::ToolResult { ok, .. } => {
                self.out.line(&format!("{deep}< {}", if *ok { "result" } else { "error" }))?;
                self.out.block(&part.text, &deeper)
            }
            PartKind::Opaque { what } => self.out.line(&format!("{deep}[{what}]")),
        }
    }

    fn opens(&mut self, fold: &Fold, indent: &str) -> io::Result<()> {
        let title = match fold {
            Fold::Abandoned => "rewound: nobody's context holds these turns".to_owned(),
            Fold::SubAgent { agent, .. } if agent.is_empty() => "a sub-agent".to_owned(),
            Fold::SubAgent { agent, .. } => format!("sub-agent {agent}"),
            Fold::Repeat => "written once more".to_owned(),
            Fold::Noise => return Ok(()),
        };
        self.out.line(&format!("{indent}┆ {title}"))
    }

    fn noise(&mut self, noise: &[Noise], indent: &str) -> io::Result<()> {
        let mut words: Vec<(&str, usize)> = Vec::new();
        for one in noise {
            match words.iter_mut().find(|(word, _)| *word == one.what) {
                Some((_, count)) => *count += 1,
                None => words.push((&one.what, 1)),
            }
        }
        if words.is_empty() {
            return Ok(());
        }
        let list: Vec<String> = words.iter().map(|(word, count)| format!("{count} {word}")).collect();
        self.out.line(&format!("{indent}      · {}", list.join(", ")))
    }
}

/// What a line that could not be read is called.
pub fn unread(trouble: &Trouble, outline: &Outline) -> String {
    let line = trouble.line.or_else(|| outline.line_number(trouble.file, trouble.offset));
    match line {
        Some(line) => format!("line {line} could not be read: {}", trouble.why),
        None => format!("the line at byte {} could not be read: {}", trouble.offset, trouble.why),
    }
}

/// What is said of a line that was read with a loss.
pub fn mended(trouble: &Trouble, outline: &Outline) -> String {
    let line = trouble.line.or_else(|| outline.line_number(trouble.file, trouble.offset));
    match line {
        Some(line) => format!("line {line}: {}", trouble.why),
        None => format!("the line at byte {}: {}", trouble.offset, trouble.why),
    }
}

/// A record with the ledger laid over it, and what was found there.
pub fn record(
    out: &mut Out,
    outline: &Outline,
    marked: &MarkerRecord,
    laid: &Effective,
    found: &[Found],
) -> io::Result<()> {
    out.line(&format!("━━ {} ━━", marker(outline, &marked.compaction)))?;
    let (checked, claims) = laid.progress(&marked.reviewed);
    out.line(&format!("   {checked} of {claims} checked"))?;
    let counts = report::counts(found.iter().map(|found| found.finding));
    if !counts.is_empty() {
        out.line(&format!("   {counts}"))?;
    }
    let names = marked.record.names();
    let width = names.iter().map(String::len).max().unwrap_or(2);
    for field in FIELDS {
        let items: Vec<_> = laid.items.iter().enumerate().filter(|(_, laid)| laid.item.field == field).collect();
        if items.is_empty() {
            continue;
        }
        out.line("")?;
        out.line(&format!("   {}", field.title()))?;
        for (at, laid) in items {
            let reviewed = marked.reviewed.contains(&at);
            let wrong = found.iter().any(|found| found.item == Some(at));
            let own = if wrong { '✗' } else { sign(laid.item.verdict) };
            record_item(out, &format!("{:<width$}", names[at]), own, laid, reviewed)?;
            for found in found.iter().filter(|found| found.item == Some(at)) {
                let of = found.at.0;
                let again = if of == marked.compaction.no { String::new() } else { format!(", as at m{of}") };
                out.line(&format!("     ! {}{again}: {}", found.finding.kind.plain(), found.finding.why))?;
            }
        }
    }
    forgotten(out, found)?;
    orphans(out, laid.orphans.iter().copied())
}

/// Forgotten things that are listed; the audit tells the others.
const FORGOTTEN: usize = 12;

/// What was said, needed and not kept, what matters most first.
fn forgotten(out: &mut Out, found: &[Found]) -> io::Result<()> {
    let lost = found.iter().map(|found| found.finding).filter(|finding| finding.kind == FindingKind::Lost);
    let lost: Vec<_> = lost.collect();
    if lost.is_empty() {
        return Ok(());
    }
    out.line("")?;
    out.line("   Forgotten")?;
    for finding in lost.iter().take(FORGOTTEN) {
        let turns = source_turns(finding.sources.iter().map(|source| &source.turn));
        out.line(&format!("   − {}  {turns}", finding.text))?;
    }
    if lost.len() > FORGOTTEN {
        out.line(&format!("   and {} more", lost.len() - FORGOTTEN))?;
    }
    Ok(())
}

/// Corrections without their item: shown, never dropped.
pub fn orphans<'a>(out: &mut Out, entries: impl Iterator<Item = &'a LedgerEntry>) -> io::Result<()> {
    let mut entries = entries.peekable();
    if entries.peek().is_some() {
        out.line("")?;
        out.line("   Corrections whose item is gone")?;
    }
    entries.try_for_each(|entry| {
        let about = entry.draft.corrects.as_ref().map_or("", |anchor| anchor.text.as_str());
        out.line(&format!("   ✗ L{}  {}  (on: {about})", entry.no, correction(entry)))
    })
}

fn record_item(out: &mut Out, name: &str, own: char, laid: &EffectiveItem, reviewed: bool) -> io::Result<()> {
    let item = laid.item;
    let sign = match (laid.overruled(), laid.pinned()) {
        (Some(_), _) => '✗',
        (None, Some(_)) => '✓',
        (None, None) => own,
    };
    let turns = source_turns(item.sources.iter().map(|source| &source.turn));
    let right = if reviewed { " · checked" } else { "" };
    // Of what is borne out, a word may be said besides: an open question was answered.
    let besides = item.why.as_deref().filter(|_| matches!(item.verdict, Verdict::Verified | Verdict::Weak));
    let besides = besides.filter(|_| item.field == Field::Open);
    let note = item.not_analysed().or(besides).map_or_else(String::new, |why| format!("  ({why})"));
    let why = match (&item.why, item.sources.is_empty()) {
        (Some(why), true) => format!("  ({why})"),
        (_, true) => "  (no turn was found for it)".to_owned(),
        (_, false) => format!("  {turns}{note}"),
    };
    out.line(&format!("   {sign} {name}  {}{why}{right}", named(item)))?;
    if let Some(entry) = laid.overruled() {
        out.line(&format!("        {}   L{}", correction(entry), entry.no))?;
    }
    if let Some(entry) = laid.pinned() {
        out.line(&format!("        pinned as it is   L{}", entry.no))?;
    }
    Ok(())
}

fn source_turns<'a>(turns: impl Iterator<Item = &'a TurnNo>) -> String {
    let mut seen: Vec<String> = Vec::new();
    for turn in turns {
        let name = format!("t{turn}");
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    if seen.len() > 3 {
        let more = seen.len() - 3;
        seen.truncate(3);
        seen.push(format!("+{more}"));
    }
    seen.join(" ")
}

/// What stands under an item that was corrected.
pub fn correction(entry: &LedgerEntry) -> String {
    let word = entry.draft.kind.name().replace('_', " ");
    format!("{word}: “{}”", entry.draft.text)
}
