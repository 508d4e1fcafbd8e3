//! How the outcome of a check stands in its row: JSON with short keys, written and read by this program alone.

use serde::{Deserialize, Serialize};

use super::super::names::{speaker, speaker_named};
use super::Audited;
use crate::record::{Checked, Detail, Field, Finding, FindingKind, Item, Record, Severity, Verdict};
use crate::session::{FileNo, Hash, MarkerKey, PartSeq, Place, SourceRef, TurnNo};

/// A line for the calls and one for each marker, so that only one of them is in memory as a shape.
pub(super) fn written(audited: &Audited) -> Vec<u8> {
    let answered: Vec<(u64, u64, u64)> = audited.answered.iter().map(|(call, from, to)| (call.0, *from, *to)).collect();
    // Strings, numbers and lists only: nothing in a shape can fail to be written.
    let mut bytes = serde_json::to_vec(&answered).unwrap_or_default();
    for marker in &audited.markers {
        bytes.push(b'\n');
        bytes.extend(serde_json::to_vec(&MarkerShape::from(marker)).unwrap_or_default());
    }
    bytes
}

/// `None` where these bytes are no such outcome.
pub(super) fn read(bytes: &[u8]) -> Option<Audited> {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let answered: Vec<(u64, u64, u64)> = serde_json::from_slice(lines.next()?).ok()?;
    let markers = lines.map(|line| serde_json::from_slice::<MarkerShape>(line).ok()?.value());
    Some(Audited {
        markers: markers.collect::<Option<_>>()?,
        answered: answered.into_iter().map(|(call, from, to)| (PartSeq(call), from, to)).collect(),
    })
}

#[derive(Serialize, Deserialize)]
struct MarkerShape {
    id: String,
    summary: String,
    record: RecordShape,
    compiled: RecordShape,
    findings: Vec<FindingShape>,
    refetch: u64,
}

#[derive(Serialize, Deserialize)]
struct RecordShape {
    #[serde(rename = "r")]
    rules: u32,
    #[serde(rename = "s")]
    summary: String,
    #[serde(rename = "i")]
    items: Vec<ItemShape>,
}

#[derive(Serialize, Deserialize)]
struct ItemShape {
    #[serde(rename = "f")]
    field: String,
    #[serde(rename = "t")]
    text: String,
    #[serde(rename = "r", default, skip_serializing_if = "Option::is_none")]
    range: Option<(usize, usize)>,
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
    detail: Option<DetailShape>,
    #[serde(rename = "s")]
    sources: Vec<SourceShape>,
    #[serde(rename = "v")]
    verdict: String,
    #[serde(rename = "w", default, skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(rename = "b", default, skip_serializing_if = "Option::is_none")]
    better: Option<SourceShape>,
    #[serde(rename = "o", default, skip_serializing_if = "Option::is_none")]
    own: Option<(String, u32)>,
}

#[derive(Serialize, Deserialize)]
enum DetailShape {
    #[serde(rename = "e")]
    Entity(String),
    #[serde(rename = "f")]
    Figure(String, String, String),
    #[serde(rename = "a")]
    Action(String, String, Option<bool>),
    #[serde(rename = "r")]
    RuledOut(String, String),
}

#[derive(Serialize, Deserialize)]
struct SourceShape {
    #[serde(rename = "t")]
    turn: Vec<u32>,
    #[serde(rename = "i")]
    turn_id: String,
    #[serde(rename = "l", default, skip_serializing_if = "Option::is_none")]
    line_id: Option<String>,
    #[serde(rename = "p")]
    place: (u16, u64, u32),
    #[serde(rename = "n")]
    seq: u64,
    #[serde(rename = "r")]
    range: (usize, usize),
    #[serde(rename = "q")]
    quote: String,
    #[serde(rename = "s")]
    speaker: String,
}

#[derive(Serialize, Deserialize)]
struct FindingShape {
    kind: String,
    severity: String,
    field: String,
    item: Option<usize>,
    text: String,
    summary_range: Option<(usize, usize)>,
    markers: Vec<u32>,
    sources: Vec<SourceShape>,
    needed_again: Vec<(Vec<u32>, String)>,
    acted_on: Vec<(Vec<u32>, String)>,
    decisive: Vec<(usize, usize)>,
    decisive_there: Vec<(usize, usize)>,
    why: String,
}

impl From<&(MarkerKey, Record, Checked)> for MarkerShape {
    fn from((key, record, checked): &(MarkerKey, Record, Checked)) -> Self {
        Self {
            id: key.id.clone(),
            summary: key.summary.to_string(),
            record: record.into(),
            compiled: (&*checked.compiled).into(),
            findings: checked.findings.iter().map(Into::into).collect(),
            refetch: checked.refetch_tokens,
        }
    }
}

impl From<&Record> for RecordShape {
    fn from(record: &Record) -> Self {
        let items = record.items.iter().map(Into::into).collect();
        Self { rules: record.rules, summary: record.summary.clone(), items }
    }
}

impl From<&Item> for ItemShape {
    fn from(item: &Item) -> Self {
        Self {
            field: item.field.letter().to_string(),
            text: item.text.clone(),
            range: item.range,
            detail: match &item.detail {
                Detail::Plain => None,
                Detail::Entity { class } => Some(DetailShape::Entity(class.clone())),
                Detail::Figure { label, value, unit } => {
                    Some(DetailShape::Figure(label.clone(), value.clone(), unit.clone()))
                }
                Detail::Action { tool, args, ok } => Some(DetailShape::Action(tool.clone(), args.clone(), *ok)),
                Detail::RuledOut { claim, evidence } => Some(DetailShape::RuledOut(claim.clone(), evidence.clone())),
            },
            sources: item.sources.iter().map(Into::into).collect(),
            verdict: item.verdict.name().to_owned(),
            why: item.why.clone(),
            better: item.better.as_ref().map(Into::into),
            own: item.own.clone(),
        }
    }
}

impl From<&SourceRef> for SourceShape {
    fn from(source: &SourceRef) -> Self {
        Self {
            turn: source.turn.0.clone(),
            turn_id: source.turn_id.clone(),
            line_id: source.line_id.clone(),
            place: (source.place.file.0, source.place.offset, source.place.part),
            seq: source.seq.0,
            range: source.range,
            quote: source.quote.clone(),
            speaker: speaker(source.speaker).to_owned(),
        }
    }
}

impl From<&Finding> for FindingShape {
    fn from(finding: &Finding) -> Self {
        let turns =
            |told: &[(TurnNo, String)]| told.iter().map(|(turn, what)| (turn.0.clone(), what.clone())).collect();
        Self {
            kind: finding.kind.name().to_owned(),
            severity: finding.severity.name().to_owned(),
            field: finding.field.letter().to_string(),
            item: finding.item,
            text: finding.text.clone(),
            summary_range: finding.summary_range,
            markers: finding.markers.clone(),
            sources: finding.sources.iter().map(Into::into).collect(),
            needed_again: turns(&finding.needed_again),
            acted_on: turns(&finding.acted_on),
            decisive: finding.decisive.clone(),
            decisive_there: finding.decisive_there.clone(),
            why: finding.why.clone(),
        }
    }
}

impl MarkerShape {
    fn value(self) -> Option<(MarkerKey, Record, Checked)> {
        let key = MarkerKey { id: self.id, summary: Hash::from_hex(&self.summary)? };
        let checked = Checked {
            findings: self.findings.into_iter().map(FindingShape::value).collect::<Option<_>>()?,
            compiled: self.compiled.value()?.into(),
            refetch_tokens: self.refetch,
            ..Checked::default()
        };
        Some((key, self.record.value()?, checked))
    }
}

impl RecordShape {
    fn value(self) -> Option<Record> {
        let items = self.items.into_iter().map(ItemShape::value).collect::<Option<_>>()?;
        Some(Record { items, summary: self.summary, rules: self.rules })
    }
}

impl ItemShape {
    fn value(self) -> Option<Item> {
        Some(Item {
            field: field(&self.field)?,
            text: self.text,
            range: self.range,
            detail: match self.detail {
                None => Detail::Plain,
                Some(DetailShape::Entity(class)) => Detail::Entity { class },
                Some(DetailShape::Figure(label, value, unit)) => Detail::Figure { label, value, unit },
                Some(DetailShape::Action(tool, args, ok)) => Detail::Action { tool, args, ok },
                Some(DetailShape::RuledOut(claim, evidence)) => Detail::RuledOut { claim, evidence },
            },
            sources: self.sources.into_iter().map(SourceShape::value).collect::<Option<_>>()?,
            verdict: Verdict::named(&self.verdict)?,
            why: self.why,
            better: match self.better {
                Some(better) => Some(better.value()?),
                None => None,
            },
            own: self.own,
        })
    }
}

impl SourceShape {
    fn value(self) -> Option<SourceRef> {
        let (file, offset, part) = self.place;
        Some(SourceRef {
            turn: TurnNo(self.turn),
            turn_id: self.turn_id,
            line_id: self.line_id,
            place: Place { file: FileNo(file), offset, part },
            seq: PartSeq(self.seq),
            range: self.range,
            hash: Hash::of(self.quote.as_bytes()),
            quote: self.quote,
            speaker: speaker_named(&self.speaker)?,
        })
    }
}

impl FindingShape {
    fn value(self) -> Option<Finding> {
        let turns = |told: Vec<(Vec<u32>, String)>| told.into_iter().map(|(turn, what)| (TurnNo(turn), what)).collect();
        Some(Finding {
            kind: FindingKind::named(&self.kind)?,
            severity: Severity::named(&self.severity)?,
            field: field(&self.field)?,
            item: self.item,
            text: self.text,
            summary_range: self.summary_range,
            markers: self.markers,
            sources: self.sources.into_iter().map(SourceShape::value).collect::<Option<_>>()?,
            needed_again: turns(self.needed_again),
            acted_on: turns(self.acted_on),
            decisive: self.decisive,
            decisive_there: self.decisive_there,
            why: self.why,
        })
    }
}

fn field(letter: &str) -> Option<Field> {
    Field::ALL.into_iter().find(|field| letter.chars().eq([field.letter()]))
}
