//! A summariser's sentences held against the originals. This is the one place where a draft becomes an item (A9): with
//! the source that was found, or not at all.

use std::sync::Arc;

use super::checking::listen;
use super::pass::HEAD;
use crate::audit::{Case, Consents, Presence, Reader, Voice, added, check};
use crate::compile::{
    Brief, Merge, Original, Plan, RULES, Scanner, Sentence, Spoken, Summariser, SummaryError, Ties, lift, settle,
};
use crate::extract::{Language, negations};
use crate::record::{Detail, Field, Item, Passage, Record, Verdict};
use crate::session::{Compaction, FileNo, Hash, MarkerKey, Originals, PartKind, PartSeq, Place, Ranges, Trigger};

/// One sentence of the narrative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drafted {
    /// The sentence, with its sources where any were found.
    pub item: Item,
    /// Why it is still a draft and no item of the record; `None` for an item.
    pub draft: Option<String>,
}

/// So many sentences are wanted.
const SENTENCES: usize = 4;

/// The prose of these originals by this summariser, each sentence held against them. A summariser that fails leaves
/// nothing behind but its reason, and no other field of a record ever depended on this.
pub fn narrate(
    summariser: &dyn Summariser,
    originals: &[Spoken],
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Drafted>, SummaryError> {
    if originals.iter().all(|spoken| spoken.part.text.trim().is_empty()) {
        return Ok(Vec::new());
    }
    let sentences = summariser.summarise(&Brief { originals, sentences: SENTENCES }, stop)?;
    // One that gives more than was asked for is cut off, whoever wrote it.
    Ok(narrative(sentences.into_iter().take(SENTENCES).collect(), originals))
}

/// The sentences in their order, each held against these originals, which are all that they may rest on. One that was
/// taken word for word from where it says stays as it is; any other becomes an item where the originals bear it out, and
/// stays a draft where they do not.
pub fn narrative(sentences: Vec<Sentence>, originals: &[Spoken]) -> Vec<Drafted> {
    let quoted: Vec<bool> = sentences.iter().map(|sentence| is_quoted(sentence, originals)).collect();
    let written = sentences.iter().zip(&quoted).filter(|(_, quoted)| !**quoted).map(|(one, _)| one.text.as_str());
    let mut checked = checked(&written.collect::<Vec<_>>(), originals).into_iter();
    let drafted = sentences.into_iter().zip(quoted).filter_map(|(sentence, quoted)| {
        if quoted {
            let Sentence { text, sources } = sentence;
            return Some(Drafted { item: Item { sources, verdict: Verdict::Verified, ..item(text) }, draft: None });
        }
        checked.next()
    });
    drafted.collect()
}

/// Whether it names words of these originals that are exactly it: what a summariser says of its sources is not believed.
fn is_quoted(sentence: &Sentence, originals: &[Spoken]) -> bool {
    let stands = |source: &crate::session::SourceRef| {
        let at = originals.partition_point(|spoken| spoken.seq < source.seq);
        let spoken = originals.get(at).filter(|spoken| spoken.seq == source.seq && spoken.place == source.place);
        spoken.is_some_and(|spoken| {
            spoken.part.text.get(source.range.0..source.range.1) == Some(sentence.text.as_str())
                && spoken.part.speaker == source.speaker
                && source.quote == sentence.text
        })
    };
    !sentence.sources.is_empty() && sentence.sources.iter().all(stands)
}

/// What a model wrote, checked.
fn checked(written: &[&str], originals: &[Spoken]) -> Vec<Drafted> {
    if written.is_empty() {
        return Vec::new();
    }
    let (mut record, of) = record(written);
    let compaction = compaction(originals);
    let heard = Heard::of(&record, &compaction, originals);
    let passages: Vec<Vec<Passage>> = heard.ties.iter().map(|ties| ties.passages.clone()).collect();
    settle(&mut record, heard.ties.iter().map(Ties::sources).collect());
    let case = Case {
        compaction: &compaction,
        record: &record,
        passages: &passages,
        presence: &heard.presence,
        consents: &heard.consents,
    };
    let (judgements, findings) = check(&case, &mut Reader::default());
    // The first thing that speaks against a sentence, or against a name or figure in it.
    let mut against: Vec<Option<String>> = vec![None; written.len()];
    for finding in findings.iter().filter(|finding| finding.kind.is_accusing()) {
        if let Some(sentence) = finding.item.and_then(|item| of.get(item)) {
            against[*sentence].get_or_insert_with(|| finding.why.clone());
        }
    }
    for (no, judgement) in judgements.iter().enumerate() {
        let why = || judgement.why.clone().unwrap_or_else(|| format!("{:?} is not said", record.items[no].text));
        match judgement.verdict {
            Verdict::Verified | Verdict::Weak => {}
            // Of a name or a figure it says only that there is nothing to hold it against.
            Verdict::Unchecked if no >= written.len() => {}
            Verdict::Unsupported
            | Verdict::Contested
            | Verdict::WrongTurn
            | Verdict::Laundered
            | Verdict::Unchecked => {
                against[of[no]].get_or_insert_with(why);
            }
        }
    }
    let sentences = record.items.into_iter().take(written.len()).zip(judgements).zip(against);
    sentences
        .map(|((told, judgement), against)| {
            let unsaid = told.sources.is_empty().then(|| "no turn says this".to_owned());
            let draft = against.or(unsaid).or_else(|| turned(&told)).or_else(|| added(&told.text, &told.sources));
            let verdict = match judgement.verdict {
                Verdict::Verified | Verdict::Weak if told.sources.is_empty() => Verdict::Unsupported,
                // The sentence holds for itself, but something in it does not.
                Verdict::Verified | Verdict::Weak if draft.is_some() => Verdict::Contested,
                verdict => verdict,
            };
            let why = draft.clone().or(judgement.why);
            Drafted { item: Item { sources: told.sources, verdict, why, ..item(told.text) }, draft }
        })
        .collect()
}

/// Why what speaks of the same does not say the same: one denies something and the other nothing. A model's words
/// are not given the benefit of the doubt.
fn turned(told: &Item) -> Option<String> {
    let denies = |text: &str| !negations(text, Language::english()).is_empty();
    let denied = denies(&told.text);
    let source = told.sources.first().filter(|best| denies(&best.quote) != denied)?;
    let (what, other) =
        if denied { ("does not deny it", "sentence does") } else { ("denies something", "sentence does not") };
    Some(format!("turn {} {what}, and this {other}", source.turn))
}

/// The sentences as a record, and behind them the names and figures in each; of every item which sentence it is of.
fn record(written: &[&str]) -> (Record, Vec<usize>) {
    let mut record = Record { rules: RULES, ..Record::default() };
    let (mut mentioned, mut of) = (Vec::new(), Vec::new());
    for (no, text) in written.iter().enumerate() {
        let start = record.summary.len();
        record.summary.push_str(text);
        record.summary.push('\n');
        let lifted = lift(text).items;
        // What it states is checked as what it is: a decision needs somebody who agreed, a constraint somebody who binds.
        let field = lifted.iter().map(|item| item.field).find(|field| field.is_claim()).unwrap_or(Field::Narrative);
        let range = Some((start, start + text.len()));
        record.items.push(Item { field, range, ..item((*text).to_owned()) });
        for held in lifted.into_iter().filter(|item| !item.field.is_claim()) {
            let range = held.range.map(|(from, to)| (start + from, start + to));
            mentioned.push(Item { range, ..held });
            of.push(no);
        }
    }
    record.items.extend(mentioned);
    let of = (0..written.len()).chain(of).collect();
    (record, of)
}

fn item(text: String) -> Item {
    Item {
        field: Field::Narrative,
        text,
        range: None,
        detail: Detail::Plain,
        sources: Vec::new(),
        verdict: Verdict::Unchecked,
        why: None,
        better: None,
        own: None,
    }
}

/// As if a compaction had replaced exactly these originals.
fn compaction(originals: &[Spoken]) -> Compaction {
    let mut reaches = Ranges::default();
    for spoken in originals {
        reaches.add(spoken.seq.0..spoken.seq.0 + 1);
    }
    let own = originals.iter().filter(|spoken| spoken.place.file == FileNo(0));
    let end = own.map(|spoken| spoken.place.offset).max().map_or(1, |last| last + 1);
    Compaction {
        no: 1,
        key: MarkerKey { id: String::new(), summary: Hash::of(b"") },
        place: Place { file: FileNo(0), offset: end, part: 0 },
        summary: None,
        after_turn: None,
        at: None,
        trigger: Trigger::Unknown,
        tokens_before: None,
        tokens_after: None,
        covers: reaches.clone(),
        reaches,
        generation: Some(1),
        originals: Originals::Present,
        own_record: false,
    }
}

/// What the originals say of a record.
struct Heard {
    ties: Vec<Ties>,
    presence: Presence,
    consents: Consents,
}

impl Heard {
    fn of(record: &Record, compaction: &Compaction, originals: &[Spoken]) -> Self {
        let plan = Arc::new(Plan::new(&[(record, &compaction.reaches)]));
        let (mut scanner, mut merge) = (Scanner::new(&plan), Merge::new(&plan));
        scanner.begin(&Arc::default());
        let mut presence = Presence::asking([(record, compaction.place.offset)]);
        let mut consents = Consents::default();
        for spoken in originals {
            let original = original(spoken);
            let part = &spoken.part;
            let at = if spoken.place.file == FileNo(0) { spoken.place.offset } else { 0 };
            if let PartKind::ToolCall { name, .. } = &part.kind {
                presence.see(name, at);
            }
            presence.see(&part.text, at);
            let mut values = Vec::new();
            scanner.feed(&original, &mut |run, key| {
                if run.start >= HEAD && presence.is_value(key) {
                    values.push(run.start);
                }
            });
            let all = match part.kind {
                PartKind::Text | PartKind::Thinking | PartKind::Opaque { .. } => part.text.len(),
                PartKind::ToolCall { .. } | PartKind::ToolResult { .. } => HEAD.min(part.text.len()),
            };
            let voice = Voice {
                turn: &spoken.turn,
                turn_id: &spoken.turn_id,
                line_id: spoken.line_id.as_deref(),
                place: spoken.place,
                seq: spoken.seq,
                speaker: part.speaker,
            };
            presence.hear(&part.text, all, &values, &voice);
            listen(&mut consents, &original);
        }
        let overheard = presence.overheard();
        presence.add(overheard, 0);
        merge.add(originals.first().map_or(0, |first| first.seq.0), scanner.end());
        let ties = merge.finish().into_iter().next().map(|(_, ties)| ties).unwrap_or_default();
        Self { ties, presence, consents }
    }
}

fn original(spoken: &Spoken) -> Original<'_> {
    Original {
        part: &spoken.part,
        place: spoken.place,
        line_id: spoken.line_id.as_deref(),
        seq: PartSeq(spoken.seq.0),
        turn: &spoken.turn,
        turn_id: &spoken.turn_id,
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#[path = "drafts_tests.rs"]
mod tests;
