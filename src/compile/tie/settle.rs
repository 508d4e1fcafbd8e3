//! The verdict that a tie alone allows: an exact quote is verified, everything else waits for the check.

use crate::extract::quotes;
use crate::record::{Detail, Field, Item, Record, Verdict};
use crate::session::SourceRef;

/// A quoted span must say something: shorter ones stand anywhere.
const SPAN: usize = 12;

/// Gives the items their sources, one list for each, and what follows from them alone. An item whose text, or each of
/// whose quoted spans, stands word for word in one of its sources is verified; any other is unchecked and says why.
pub fn settle(record: &mut Record, sources: Vec<Vec<SourceRef>>) {
    let mut sources = sources.into_iter();
    for item in &mut record.items {
        item.sources = sources.next().unwrap_or_default();
        (item.verdict, item.why) = if item.sources.is_empty() {
            (Verdict::Unchecked, Some("no turn before it holds these words".to_owned()))
        } else if is_quoted(item) {
            (Verdict::Verified, None)
        } else {
            (Verdict::Unchecked, Some("not checked yet".to_owned()))
        };
    }
}

fn is_quoted(item: &Item) -> bool {
    let held = |span: &str| item.sources.iter().any(|source| source.quote.contains(span));
    match item.field {
        Field::Entities => held(item.text.trim_end_matches("()")),
        // A bare number stands anywhere: its label must stand beside it.
        Field::Figures => match &item.detail {
            Detail::Figure { label, value, .. } => {
                let label = label.to_lowercase();
                !label.is_empty()
                    && item.sources.iter().any(|source| {
                        source.quote.contains(value.as_str()) && source.quote.to_lowercase().contains(&label)
                    })
            }
            Detail::Plain | Detail::Entity { .. } | Detail::Action { .. } | Detail::RuledOut { .. } => false,
        },
        Field::Narrative | Field::Constraints | Field::Decisions | Field::Actions | Field::RuledOut | Field::Open => {
            let whole = item.text.trim_end_matches(['.', ':']);
            if whole.len() >= 8 && held(whole) {
                return true;
            }
            let spans: Vec<&str> = quotes(&item.text)
                .into_iter()
                .map(|range| item.text[range].trim_end_matches(['.', ',', '…']).trim())
                .collect();
            let telling = |span: &&str| span.len() >= SPAN && span.contains(' ');
            !spans.is_empty() && spans.iter().any(telling) && spans.iter().all(|span| held(span))
        }
    }
}
