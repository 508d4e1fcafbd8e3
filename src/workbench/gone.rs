//! Items that rest on words which were not to be kept: nothing is held against what cannot be looked at.

use std::collections::HashSet;

use crate::compile::Original;
use crate::record::{Finding, Item, Judgement, Record, Verdict};
use crate::session::SourceRef;

/// Parts that records name and whose texts are not there any more, by their sequence.
#[derive(Default)]
pub(super) struct Gone(HashSet<u64>);

impl Gone {
    /// Whether the text of this part, which a record names, is not there.
    pub fn notes(&mut self, named: &Original) -> bool {
        let gone = named.part.text.is_empty();
        if gone {
            self.0.insert(named.seq.0);
        }
        gone
    }

    /// Takes back what was said of items all of whose originals are gone.
    pub fn take_back(&self, record: &Record, judgements: &mut [Judgement], findings: &mut Vec<Finding>) {
        // What cites no byte, as a call without a word, has lost none.
        let went = |source: &SourceRef| source.range.0 < source.range.1 && self.0.contains(&source.seq.0);
        let is_gone = |item: &Item| !item.sources.is_empty() && item.sources.iter().all(went);
        let gone: Vec<bool> = record.items.iter().map(is_gone).collect();
        for (judgement, _) in judgements.iter_mut().zip(&gone).filter(|(_, gone)| **gone) {
            let why = Some("originals gone".to_owned());
            *judgement = Judgement { verdict: Verdict::Unchecked, why, better: None };
        }
        findings.retain(|finding| finding.item.is_none_or(|at| !gone[at]));
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::world::World;
    use super::super::{Cancel, MarkerRecord, Target};
    use crate::compile::{Extractive, Rules, Triggers};
    use crate::record::FindingKind;
    use crate::session::SessionKey;
    use crate::store::Quotes;

    fn part(no: u32, text: &str) -> String {
        format!(r#"{{"type":"part","id":"t{no}","turn":"t{no}","role":"user","kind":"text","text":"{text}"}}"#)
    }

    #[test]
    fn what_rests_on_words_that_went_is_unchecked_and_nothing_of_it_is_called_invented() {
        let world = World::of(&[]);
        let (bench, key) = (world.bench(), SessionKey::new("stet", "quiet"));
        let mut appending = bench.append(&key, Some(Quotes::Keep)).unwrap();
        let mut say = |lines: &[String]| {
            let lines: Vec<Vec<u8>> = lines.iter().map(|line| line.clone().into_bytes()).collect();
            assert_eq!(appending.take(&lines).unwrap().refused, None);
        };
        say(&[part(0, "Never lock /srv/orders.sql, the retry ceiling is 7.")]);
        say(&(1..8).map(|no| part(no, "go on")).collect::<Vec<_>>());
        say(&[
            r#"{"type":"compaction","id":"k1","summary":null,"record":true}"#.to_owned(),
            r#"{"type":"record","compaction":"k1",
                "entities":[{"text":"/srv/orders.sql","class":"path","source":{"part":"t0","quote":"/srv/orders.sql"}}],
                "figures":[{"text":"retry ceiling 9","label":"retry ceiling","value":9,"unit":"",
                            "source":{"part":"t0","quote":"retry ceiling is 7"}}],
                "constraints":[{"text":"Never lock it","source":{"part":"t0","quote":"Never lock"}}]}"#
                .replace('\n', ""),
        ]);
        say(&(8..12).map(|no| part(no, "go on with /srv/items.sql")).collect::<Vec<_>>());
        let target = Target::Kept { db: world.db(), key: key.clone() };
        let rules = Rules { target: 5, cap: 5, on: Triggers::NONE };
        let compiled = bench.compile(&target, rules, &Extractive, &mut |_| {}).unwrap();
        assert_eq!(compiled.blocks.len(), 2);
        say(&[
            r###"{"type":"compaction","id":"k2","record":true,"summary":"## Facts\n- /srv/orders.sql has a retry ceiling of 9\n- /srv/items.sql is next"}"###.to_owned(),
            part(12, "go on"),
        ]);
        let mut desk = bench.open(&target).unwrap();
        desk.index(&Cancel::default(), &mut |_| ()).unwrap();
        let records = desk.records(&Cancel::default()).unwrap();
        let told = |no: usize| -> Vec<String> {
            let items = records[no].record.items.iter();
            items
                .map(|item| format!("{} {:?} {}", item.text, item.verdict, item.why.as_deref().unwrap_or("")))
                .collect()
        };
        assert_eq!(
            told(0),
            [
                "/srv/orders.sql Unchecked originals gone",
                "retry ceiling 9 Unchecked originals gone",
                "Never lock it Unchecked originals gone",
            ]
        );
        assert!(told(1).iter().any(|item| item.starts_with("/srv/items.sql Verified")), "{:?}", told(1));
        assert!(told(1).iter().any(|item| item.starts_with("/srv/orders.sql Unchecked")), "{:?}", told(1));
        let mut findings = records.iter().flat_map(MarkerRecord::findings);
        assert_eq!(findings.find(|finding| finding.kind == FindingKind::Invented), None);
        assert_eq!(records[0].findings(), []);
        let lineage = desk.lineage("m1.c1", &Cancel::default()).unwrap();
        assert!(lineage.generations.iter().any(|one| one.text == "Never lock it"), "{lineage:?}");
    }
}
