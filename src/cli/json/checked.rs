//! What the check of one marker says, as JSON.

use serde::Serialize;
use serde_json::Value;

use super::{MarkerJson, SourceJson, marker, source, turn};
use crate::record::{Finding, Kept, Retention, Warning};
use crate::session::{Outline, TurnNo};
use crate::workbench::MarkerRecord;

/// How much was kept, by field.
#[derive(Serialize)]
pub struct RetentionJson {
    entities: KeptJson,
    figures: KeptJson,
    constraints: KeptJson,
    decisions: KeptJson,
    actions: KeptJson,
    ruled_out: KeptJson,
    open: KeptJson,
    hedges: KeptJson,
}

#[derive(Serialize)]
struct KeptJson {
    r#in: u32,
    kept: u32,
}

/// What only a check tells.
#[derive(Serialize)]
pub struct CheckedJson {
    /// By the stretch of turns that it was first said in, each known by the marker that replaced it.
    retention_by_stretch: Vec<StretchJson>,
    /// Of what was said before m1: over the markers, a curve.
    retention_of_first: RetentionJson,
    /// How many findings somebody said to be wrong alarms.
    wrong_alarms: usize,
    warnings: Vec<WarningJson>,
}

#[derive(Serialize)]
struct StretchJson {
    marker: String,
    retention: RetentionJson,
}

#[derive(Default, Serialize)]
struct WarningJson {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    turns: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    calls: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unchecked: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<u64>,
    text: String,
}

/// One thing that a compaction did wrong.
#[derive(Serialize)]
pub struct FindingJson {
    id: String,
    kind: &'static str,
    severity: &'static str,
    field: &'static str,
    item: Option<String>,
    text: String,
    corrected_by: Option<String>,
    summary_range: Option<[usize; 2]>,
    markers: Vec<String>,
    sources: Vec<SourceJson>,
    needed_again: Vec<TurnJson>,
    acted_on: Vec<TurnJson>,
    why: String,
}

/// A turn after the compaction, and what happened there.
#[derive(Serialize)]
struct TurnJson {
    turn: Value,
    what: String,
}

/// A marker with what its check says, without its items; of the findings those that `shown` lets pass.
pub fn checked(outline: &Outline, marked: &MarkerRecord, shown: &dyn Fn(&Finding) -> bool) -> MarkerJson {
    let plain = marker(outline, &marked.compaction);
    let Some(checked) = &marked.checked else { return plain };
    let names = marked.record.names();
    let all = checked.findings.iter().enumerate().filter(|(_, found)| shown(found));
    let findings = all.map(|(at, found)| finding(marked.compaction.no, at, &names, found, checked.corrected_by(at)));
    let stretches = checked.stretches.iter();
    MarkerJson {
        findings: findings.collect(),
        retention: Some(retention(&checked.retention)),
        refetch_tokens: Some(checked.refetch_tokens),
        checked: Some(CheckedJson {
            retention_by_stretch: stretches
                .map(|(no, kept)| StretchJson { marker: format!("m{no}"), retention: retention(kept) })
                .collect(),
            retention_of_first: retention(&checked.first),
            wrong_alarms: checked.wrong_alarms.len(),
            warnings: checked.warnings.iter().map(warning).collect(),
        }),
        ..plain
    }
}

fn finding(no: u32, at: usize, names: &[String], found: &Finding, corrected: Option<u32>) -> FindingJson {
    let turns = |all: &[(TurnNo, String)]| {
        all.iter().map(|(no, what)| TurnJson { turn: turn(no), what: what.clone() }).collect()
    };
    FindingJson {
        id: format!("m{no}.{}", at + 1),
        kind: found.kind.name(),
        severity: found.severity.name(),
        field: found.field.name(),
        item: found.item.and_then(|at| names.get(at)).map(|name| format!("m{no}.{name}")),
        text: found.text.clone(),
        corrected_by: corrected.map(|no| format!("L{no}")),
        summary_range: found.summary_range.map(|(start, end)| [start, end]),
        markers: found.markers.iter().map(|no| format!("m{no}")).collect(),
        sources: found.sources.iter().map(source).collect(),
        needed_again: turns(&found.needed_again),
        acted_on: turns(&found.acted_on),
        why: found.why.clone(),
    }
}

fn retention(kept: &Retention) -> RetentionJson {
    let count = |kept: Kept| KeptJson { r#in: kept.held, kept: kept.kept };
    RetentionJson {
        entities: count(kept.entities),
        figures: count(kept.figures),
        constraints: count(kept.constraints),
        decisions: count(kept.decisions),
        actions: count(kept.actions),
        ruled_out: count(kept.ruled_out),
        open: count(kept.open),
        hedges: count(kept.hedges),
    }
}

fn warning(warning: &Warning) -> WarningJson {
    let plain = WarningJson { kind: warning.name(), text: warning.sentence(), ..WarningJson::default() };
    match warning {
        Warning::Thrashing { turns } => WarningJson { turns: Some(*turns), ..plain },
        Warning::Grown { from, to } => WarningJson { from: Some(*from), to: Some(*to), ..plain },
        Warning::CutCalls { calls } => WarningJson { calls: Some(*calls), ..plain },
        Warning::TooMany { unchecked, items } => {
            WarningJson { unchecked: Some(*unchecked), items: Some(*items), ..plain }
        }
        Warning::EmptySummary | Warning::NoSummary => plain,
    }
}
