//! An item of a text as JSON.

use serde::Serialize;

use crate::workbench::Seen;

/// One line of `stet extract --format json`.
#[derive(Serialize)]
pub struct Item<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    field: &'static str,
    class: Option<&'a str>,
    text: Option<&'a str>,
    value: Option<&'a str>,
    unit: Option<&'a str>,
    label: Option<&'a str>,
    comparator: Option<&'a str>,
    range: Option<[usize; 2]>,
    cue: Option<&'a str>,
    negated: bool,
    certainty: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<&'a str>,
}

impl<'a> Item<'a> {
    /// What was seen.
    pub fn of(seen: &'a Seen<'_>) -> Self {
        match seen {
            Seen::Item { text, from, line, item } => {
                let figure = item.figure.as_ref();
                let said = |text: &'a String| (!text.is_empty()).then_some(text.as_str());
                Self {
                    line: *line,
                    field: item.kind.name(),
                    class: item.class,
                    text: text.get(item.range.clone()),
                    value: figure.map(|figure| figure.value.as_str()),
                    unit: figure.and_then(|figure| said(&figure.unit)),
                    label: figure.and_then(|figure| said(&figure.label)),
                    comparator: figure.and_then(|figure| said(&figure.comparator)),
                    range: Some([item.range.start + from, item.range.end + from]),
                    cue: item.cue.clone().and_then(|cue| text.get(cue)),
                    negated: item.negated,
                    certainty: Some(item.certainty.level()),
                    evidence: item.evidence.clone().and_then(|evidence| text.get(evidence)),
                }
            }
            Seen::NotAnalysed { kind, why, line } => Self {
                line: *line,
                field: kind.name(),
                class: Some(why),
                text: None,
                value: None,
                unit: None,
                label: None,
                comparator: None,
                range: None,
                cue: None,
                negated: false,
                certainty: None,
                evidence: None,
            },
        }
    }
}
