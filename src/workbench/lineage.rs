//! One claim through all generations of a session.

use super::{Cancel, Desk, MarkerRecord, Problem};
use crate::audit::{Followed, Rendering, forgotten, lineage};
use crate::record::{FindingKind, Lineage};

impl Desk {
    /// Follows an item (`m5.d2`) or a sentence through every record, back to the words that it comes from. The session must
    /// be read to its end.
    pub fn lineage(&mut self, what: &str, cancel: &Cancel) -> Result<Lineage, Problem> {
        lineage_in(&self.records(cancel)?, what)
    }
}

/// The same in checked records that were read already.
pub fn lineage_in(records: &[MarkerRecord], what: &str) -> Result<Lineage, Problem> {
    let renderings: Vec<Rendering> = records.iter().map(rendering).collect();
    let followed = match named(what) {
        Some((no, name)) => {
            let at = records.iter().position(|marked| marked.compaction.no == no);
            let item = at.and_then(|at| records[at].record.find(name));
            let Some((at, item)) = at.zip(item) else {
                anyhow::bail!("cannot find the item {what}: no record holds it (stet show SESSION -m {no} lists them)");
            };
            Followed::Item(at, item)
        }
        None => Followed::Text(what),
    };
    let lineage = lineage(&renderings, followed);
    if lineage.generations.is_empty() {
        let findings = records.iter().flat_map(MarkerRecord::findings);
        let mut lost = findings.filter(|finding| finding.kind == FindingKind::Lost && finding.text == what);
        if let Some(source) = lost.find_map(|finding| finding.sources.first()) {
            return Ok(forgotten(&renderings, source));
        }
        anyhow::bail!(
            "cannot follow {what:?}: no record holds a claim like it (name an item, such as m1.d1; stet show SESSION -m 1 lists them)"
        );
    }
    Ok(lineage)
}

fn rendering(marked: &MarkerRecord) -> Rendering<'_> {
    Rendering { compaction: &marked.compaction, record: &marked.record, findings: marked.findings() }
}

/// `m5.d2`: the marker's number and the item's name in it.
fn named(what: &str) -> Option<(u32, &str)> {
    let (marker, item) = what.trim().split_once('.')?;
    let no = marker.strip_prefix(['m', 'M'])?.parse().ok()?;
    let letter = item.chars().next()?;
    let digits = item.strip_prefix(letter)?;
    let is_item = letter.is_ascii_alphabetic() && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    is_item.then_some((no, item))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_told_from_a_sentence() {
        for (what, want) in [
            ("m5.d2", Some((5, "d2"))),
            (" m12.r10 ", Some((12, "r10"))),
            ("m5.d", None),
            ("m5", None),
            ("must be 7.5", None),
            ("make it so.", None),
        ] {
            assert_eq!(named(what), want, "{what}");
        }
    }
}
