//! What an audit found, as plain text for people: a line for each marker, the findings worst first with their evidence,
//! how much was kept, and what is wrong with a compaction as such.

use std::io;

use super::found::Found;
use super::print::Out;
use super::text::{count, marker, said_by};
use crate::record::{Checked, Field, Finding, FindingKind, Item, Kept, Record, Retention, Verdict, Warning};
use crate::session::{Outline, TurnNo};
use crate::view::thousands;
use crate::workbench::MarkerRecord;

/// So many findings of a kind are told; of what is forgotten, which is ranked, fewer.
const IN_FULL: usize = 20;
const FORGOTTEN: usize = 8;
/// Turns that are told after a finding.
const TURNS: usize = 3;
/// The longest quote or claim in one place, in characters.
const LONG: usize = 400;
const BAR: u32 = 20;

/// `1 turned round  2 made firmer  9 forgotten`; empty where nothing was found.
pub fn counts<'a>(findings: impl Iterator<Item = &'a Finding>) -> String {
    let mut counts = [0_u64; FindingKind::ALL.len()];
    findings.for_each(|finding| counts[finding.kind as usize] += 1);
    let told = FindingKind::ALL.iter().zip(counts).filter(|(_, count)| *count > 0);
    told.map(|(kind, count)| format!("{} {}", thousands(count), kind.plain())).collect::<Vec<_>>().join("  ")
}

/// A marker with what it shows; of the findings those that `shown` lets pass.
pub fn report(
    out: &mut Out,
    outline: &Outline,
    marked: &MarkerRecord,
    all: &[Found],
    shown: &dyn Fn(&Finding) -> bool,
) -> io::Result<()> {
    let nothing = Checked::default();
    let checked = marked.checked.as_deref().unwrap_or(&nothing);
    let asked: Vec<&Found> = all.iter().filter(|found| shown(found.finding)).collect();
    let found = counts(asked.iter().map(|found| found.finding));
    let instead = checked.warnings.iter().find_map(Warning::instead_of_findings).unwrap_or("nothing found");
    let found = match (found.is_empty(), all.len(), unread(&marked.record)) {
        (false, ..) => found,
        (true, 0, Some(unread)) => format!("{instead}, {unread}"),
        (true, 0, None) => instead.to_owned(),
        (true, others, _) => {
            format!("nothing of what was asked for, {}", count(others as u64, "other finding", "other findings"))
        }
    };
    out.line(&format!("━━ {} · {found} ━━", marker(outline, &marked.compaction)))?;
    kept(out, &checked.retention)?;
    for warning in &checked.warnings {
        out.line(&format!("   !!  {}", warning.sentence()))?;
    }
    let names = marked.record.names();
    let mut told = [0_usize; FindingKind::ALL.len()];
    for found in asked {
        let kind = found.finding.kind;
        let of_kind = &mut told[kind as usize];
        *of_kind += 1;
        if *of_kind <= most(kind) {
            out.line("")?;
            one(out, marked, &names, found)?;
        }
    }
    for (kind, told) in FindingKind::ALL.iter().zip(told) {
        if let Some(more) = told.checked_sub(most(*kind)).filter(|more| *more > 0) {
            out.line("")?;
            out.line(&format!("   and {more} more {} (--format json tells them all)", kind.plain()))?;
        }
    }
    out.line("")?;
    if checked.refetch_tokens > 0 {
        out.line(&format!("   ≈ {} tok were spent on what had been forgotten", thousands(checked.refetch_tokens)))?;
    }
    if !checked.wrong_alarms.is_empty() {
        let alarms = count(checked.wrong_alarms.len() as u64, "finding was", "findings were");
        out.line(&format!("   {alarms} said to be a wrong alarm"))?;
    }
    out.line(&format!("   {}", verdicts(marked)))?;
    out.line("")
}

fn most(kind: FindingKind) -> usize {
    if kind == FindingKind::Lost { FORGOTTEN } else { IN_FULL }
}

/// `61 of 102 kept`, with a bar, and by field.
fn kept(out: &mut Out, retention: &Retention) -> io::Result<()> {
    let all = retention.total();
    if all.held == 0 {
        return Ok(());
    }
    out.line(&format!("   {}  {} of {} kept", bar(all), all.kept, all.held))?;
    let fields = Field::ALL.into_iter().filter_map(|field| Some((field.title().to_lowercase(), retention.of(field)?)));
    let hedges = std::iter::once(("hedges".to_owned(), retention.hedges));
    let told = fields.chain(hedges).filter(|(_, kept)| kept.held > 0);
    let told: Vec<String> = told.map(|(name, kept)| format!("{name} {}/{}", kept.kept, kept.held)).collect();
    out.line(&format!("   {}", told.join(" · ")))
}

fn bar(kept: Kept) -> String {
    let full = (kept.kept * BAR).div_ceil(kept.held.max(1)).min(BAR) as usize;
    format!("{}{}", "█".repeat(full), "░".repeat(BAR as usize - full))
}

/// What is told at another marker is only named here.
fn one(out: &mut Out, marked: &MarkerRecord, names: &[String], found: &Found) -> io::Result<()> {
    let (no, finding) = (marked.compaction.no, found.finding);
    let (of, nth) = found.at;
    let item = found.item.and_then(|item| names.get(item)).map(|name| format!(" · m{no}.{name}"));
    let others = finding.markers.iter().filter(|other| **other != no).map(|no| format!("m{no}"));
    let others = if of == no { others.collect::<Vec<_>>().join(", ") } else { format!("m{of}, and told there") };
    let also = if others.is_empty() { String::new() } else { format!(" · also in {others}") };
    let corrected = found.corrected.map_or_else(String::new, |no| format!(" · corrected by L{no}"));
    out.line(&format!(
        "   m{of}.{}  {} · {}{}{also}{corrected}",
        nth + 1,
        finding.kind.plain(),
        finding.severity.name(),
        item.unwrap_or_default()
    ))?;
    let says = if finding.kind == FindingKind::Lost { "missing" } else { "says" };
    quoted(out, says, "", &found.text(marked))?;
    if of != no {
        return Ok(());
    }
    for source in finding.sources.iter().take(2) {
        // What is missing is often told in the very words of its source.
        let same = finding.kind == FindingKind::Lost && source.quote.trim() == finding.text.trim();
        let (turn, who) = (format!("turn {}", source.turn), said_by(source.speaker));
        if same {
            out.line(&format!("        {turn:<10}{who}"))?;
        } else {
            quoted(out, &turn, &format!("{who}: "), &source.quote)?;
        }
    }
    out.line(&format!("        {:<10}{}", "why", finding.why))?;
    turns(out, "acted on", &finding.acted_on)?;
    // Where it was needed again, its `why` says.
    if finding.kind == FindingKind::Lost { Ok(()) } else { turns(out, "needed", &finding.needed_again) }
}

fn quoted(out: &mut Out, label: &str, who: &str, text: &str) -> io::Result<()> {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    out.line(&format!("        {label:<10}{who}“{}”", cut(&words)))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONG) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn turns(out: &mut Out, label: &str, all: &[(TurnNo, String)]) -> io::Result<()> {
    for (no, what) in all.iter().take(TURNS) {
        out.line(&format!("        {label:<10}turn {no}: {}", cut(what)))?;
    }
    if all.len() > TURNS {
        out.line(&format!("        {:<10}and {} turns more", "", all.len() - TURNS))?;
    }
    Ok(())
}

/// `40 items: 31 verified, 6 weak, 3 unchecked`
fn verdicts(marked: &MarkerRecord) -> String {
    const ALL: [Verdict; 7] = [
        Verdict::Verified,
        Verdict::Weak,
        Verdict::WrongTurn,
        Verdict::Contested,
        Verdict::Unsupported,
        Verdict::Laundered,
        Verdict::Unchecked,
    ];
    let items = &marked.record.items;
    let of = |verdict: Verdict| items.iter().filter(|item| item.verdict == verdict).count();
    let told: Vec<String> = ALL
        .into_iter()
        .map(|verdict| (verdict, of(verdict)))
        .filter(|(_, n)| *n > 0)
        .map(|(verdict, n)| format!("{n} {}", verdict.name()))
        .collect();
    let unread = unread(&marked.record).map_or_else(String::new, |unread| format!("; {unread}"));
    let items = count(items.len() as u64, "item", "items");
    if told.is_empty() { items } else { format!("{items}: {}{unread}", told.join(", ")) }
}

/// `12 not analysed (German)`; `None` where every item could be read.
fn unread(record: &Record) -> Option<String> {
    let mut unread: Vec<(&str, u64)> = Vec::new();
    for why in record.items.iter().filter_map(Item::not_analysed) {
        match unread.iter_mut().find(|(known, _)| *known == why) {
            Some((_, count)) => *count += 1,
            None => unread.push((why, 1)),
        }
    }
    let told: Vec<String> = unread.iter().map(|(why, count)| format!("{} {why}", thousands(*count))).collect();
    Some(told.join(", ")).filter(|told| !told.is_empty())
}
