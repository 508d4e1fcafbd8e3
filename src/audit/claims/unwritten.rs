//! A message in a list of what the person wrote, between quotation marks, that nobody wrote.

use std::collections::BTreeMap;

use crate::record::{Finding, FindingKind, Severity};

use super::super::context::line_of;
use super::findings::{make, quoted};
use super::{Heard, section};

/// Fewer words say too little.
const FEWEST: usize = 4;
/// So much of it must stand in one text for it to be a message shortened or put right.
const HELD: f32 = 0.5;

/// A quotation of which no text holds the half.
pub(super) fn unwritten(heard: &Heard) -> Option<Finding> {
    let claim = heard.claim;
    let (line, _) = line_of(heard.case.record, heard.item);
    let line = line.trim().trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '"' | '“' | '['));
    // Several on one line are no whole messages.
    let inside = line.strip_prefix(['"', '“']).and_then(|line| line.strip_suffix(['"', '”']));
    let quotes = inside.is_some_and(|inside| !inside.contains(['"', '“', '”']));
    let shortened = ["…", "...", "["].iter().any(|mark| line.contains(mark));
    let enough = claim.tokens.len() >= FEWEST && claim.content().count() >= 2;
    let is_message = quotes && section::is_of_person(heard.case, heard.item);
    if !heard.case.is_whole() || !is_message || shortened || !enough {
        return None;
    }
    let mut texts: BTreeMap<u64, f32> = BTreeMap::new();
    for original in &heard.originals {
        *texts.entry(original.seq()).or_default() += original.cover;
    }
    if texts.values().any(|held| *held >= HELD) {
        return None;
    }
    let why = format!(
        "The summary lists {} among the user's messages; nobody wrote it before this compaction",
        quoted(&claim.text)
    );
    let mut finding = make(heard, FindingKind::Invented, Severity::Medium, why);
    finding.decisive = vec![(0, heard.item.text.len())];
    Some(finding)
}
