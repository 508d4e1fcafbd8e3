//! The verdict that a tie alone allows: an exact quote is verified, everything else waits for the check.

use std::ops::Range;

use crate::extract::{Language, quotes, words};
use crate::record::{Detail, Field, Item, MOST_CHECKED, Record, Verdict};
use crate::session::{SourceRef, Speaker};
use crate::text::sentences;

/// A quoted span must say something: shorter ones stand anywhere.
const SPAN: usize = 12;
/// Of the sentence that it stands in, a quotation must be so many hundredths; and of a claim that quotes, what it
/// quotes. Less may leave out what turns the sense around.
const MOST: usize = 60;
const HALF: usize = 50;

/// Gives the items their sources, one list for each that is looked for (see [`Record::checked`]), and what follows from them alone. An item whose text, or each of
/// whose quoted spans, stands word for word in one of its sources is verified, unless the sentence there says it less
/// firmly; any other is unchecked and says why.
pub fn settle(record: &mut Record, sources: Vec<Vec<SourceRef>>) {
    let language = Language::english();
    let passed_over = record.items.len().saturating_sub(sources.len());
    let sources = std::iter::repeat_n(None, passed_over).chain(sources.into_iter().map(Some));
    for (item, sources) in record.items.iter_mut().zip(sources) {
        let Some(sources) = sources else {
            let why = format!("the record has more than {MOST_CHECKED} items, and no more are looked for");
            (item.sources, item.verdict, item.why) = (Vec::new(), Verdict::Unchecked, Some(why));
            continue;
        };
        item.sources = sources;
        (item.verdict, item.why) = if item.sources.is_empty() {
            (Verdict::Unchecked, Some("no turn before it holds these words".to_owned()))
        } else if is_held(item, language) {
            (Verdict::Verified, None)
        } else {
            (Verdict::Unchecked, Some("not checked yet".to_owned()))
        };
    }
}

fn is_held(item: &Item, language: &Language) -> bool {
    match item.field {
        Field::Entities => {
            let name = item.text.trim_end_matches("()");
            item.sources.iter().any(|source| source.quote.contains(name))
        }
        // A bare number stands anywhere: its label must stand beside it.
        Field::Figures => match &item.detail {
            Detail::Figure { label, value, .. } => is_labelled(item, label, value, language),
            Detail::Plain | Detail::Entity { .. } | Detail::Action { .. } | Detail::RuledOut { .. } => false,
        },
        Field::Narrative | Field::Constraints | Field::Decisions | Field::Actions | Field::RuledOut | Field::Open => {
            is_quoted(item, language)
        }
    }
}

fn is_labelled(item: &Item, label: &str, value: &str, language: &Language) -> bool {
    let (label, value) = (label.to_lowercase(), value.to_lowercase());
    let forms = language.other_forms(&value);
    !label.is_empty()
        && item.sources.iter().any(|source| {
            let quote = source.quote.to_lowercase();
            let has = |form: &str| words(&quote).iter().any(|word| word.lower == form);
            (quote.contains(&value) || forms.iter().any(|form| has(form))) && quote.contains(&label)
        })
}

fn is_quoted(item: &Item, language: &Language) -> bool {
    let held = |span: &str| item.sources.iter().any(|source| says(item, source, span, language));
    let whole = item.text.trim_end_matches(['.', ':']);
    if whole.len() >= 8 && held(whole) {
        return true;
    }
    let spans: Vec<&str> =
        quotes(&item.text).into_iter().map(|range| item.text[range].trim_end_matches(['.', ',', '…']).trim()).collect();
    let telling = |span: &&str| span.len() >= SPAN && span.contains(' ');
    let quoted: usize = spans.iter().map(|span| span.len()).sum();
    quoted * 100 >= item.text.len() * HALF && spans.iter().any(telling) && spans.iter().all(|span| held(span))
}

/// Whether this source says these words, as most of a sentence and no less firmly than the item.
fn says(item: &Item, source: &SourceRef, span: &str, language: &Language) -> bool {
    if matches!(item.field, Field::Constraints | Field::Decisions)
        && matches!(source.speaker, Speaker::Tool | Speaker::System)
    {
        return false;
    }
    let asserts = matches!(item.field, Field::Decisions | Field::RuledOut | Field::Actions);
    let quote = source.quote.as_str();
    quote.match_indices(span).any(|(at, _)| {
        let around = around(quote, at..at + span.len());
        let sentence = &quote[around];
        // Nobody here knows the part: what an own record quotes may be half a sentence.
        let complete = !asserts || item.own.is_none() || sentence.ends_with(['.', '!', '…', '"', '”']);
        let soft = is_soft(sentence, language);
        // `the address check` alone rules nothing out: the sentence must.
        let heard = words(sentence);
        let denied = item.field != Field::RuledOut
            || language.ruled_out.is_in(&heard)
            || language.refusals.is_in(&heard)
            || heard.iter().any(|word| language.denials.contains(&word.lower));
        let firmer = item.field != Field::Open && soft && (asserts || !is_soft(&item.text, language));
        span.len() * 100 >= sentence.len() * MOST && complete && denied && !firmer
    })
}

/// The sentences that these words stand in.
fn around(quote: &str, span: Range<usize>) -> Range<usize> {
    let touched = sentences(quote).into_iter().filter(|one| one.start < span.end && span.start < one.end);
    touched.fold(span.clone(), |all, one| all.start.min(one.start)..all.end.max(one.end))
}

/// A question, or words that leave it open.
fn is_soft(sentence: &str, language: &Language) -> bool {
    let heard: Vec<_> = words(sentence).into_iter().filter(|word| !word.code).collect();
    sentence.contains('?') || language.hedges.is_in(&heard)
}
