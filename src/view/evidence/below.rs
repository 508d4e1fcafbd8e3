//! Evidence in a few rows, for a terminal too narrow for a pane: they open below the row.

use super::page::{Page, folded, parted};
use super::{Evidence, Evident, Link, MISSING, came_of_it, speaker, why};
use crate::text::{Shown, width};
use crate::view::{Run, Signs, Tone, Zone, unmarked};

/// The rows below the item or finding.
pub fn evidence_below(of: &Evidence<'_>, cells: usize, signs: &Signs, zone: &Zone) -> Vec<Evident> {
    let before = format!("     {} ", signs.hang);
    let inner = cells.saturating_sub(before.chars().count() + 1).max(8);
    let mut page = Page::new(inner, signs);
    let sources = of.sources();
    let words = folded(&unmarked(of.text()));
    let repeats = sources.first().is_some_and(|source| source.quote == of.text());
    let decisive = of.finding().is_some_and(|finding| !finding.decisive.is_empty());
    let long = width(&Shown::line(&words)) > cells.saturating_sub(22);
    if of.item.is_some() && !repeats && (decisive || long) {
        let parts = parted(of.text(), &of.decisive());
        let folds: Vec<(&str, Tone)> = parts.iter().map(|(text, tone)| (text.as_str(), *tone)).collect();
        page.flowed(&folds);
    }
    match sources.first() {
        Some(source) => {
            let at = of.original.and_then(|original| original.at);
            let at = at.map_or_else(String::new, |at| format!(" {}", zone.clock(at)));
            let said = format!("t{} {}{at}  ", source.turn, speaker(source.speaker));
            let (text, marks) = of.decisive_there(&source.quote);
            let (open, close) = signs.quotes;
            let parts = parted(&text, &marks);
            let mut pieces = vec![(said.as_str(), Tone::Dim), (open, Tone::Dim)];
            pieces.extend(parts.iter().map(|(text, tone)| (text.as_str(), *tone)));
            pieces.push((close, Tone::Dim));
            page.flowed(&pieces);
        }
        None if of.partial => page.plain(&format!("reading the originals{}", signs.more), Tone::Dim),
        None if of.finding().is_some() => page.plain("No turn says this.", Tone::Text),
        None => {
            let missing = if of.beginning_missing { format!(" {MISSING}") } else { String::new() };
            page.plain(&format!("No turn could be tied to this.{missing}"), Tone::Text);
        }
    }
    if let Some(better) = of.item.and_then(|item| item.better.as_ref()) {
        let head = format!("It stands in turn {} rather.", better.turn);
        page.linked(&[(&head, Tone::Text)], "", Link::Words(better.place, better.range));
    }
    let kept = page.rows.len();
    why(of, &mut page);
    came_of_it(of, &mut page);
    let rows = page.rows.into_iter().enumerate();
    let filled = rows.filter(|(at, evident)| *at < kept || !evident.row.runs.is_empty()).map(|(_, evident)| evident);
    filled
        .map(|mut evident| {
            evident.row.runs.insert(0, Run::dim(&before));
            evident.row.measure = 0;
            evident
        })
        .collect()
}
