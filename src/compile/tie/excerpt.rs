//! One part while it is read, and the words cut out of it for an item.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::Original;
use super::candidate::{Candidate, Origin};
use super::features::Group;
use super::plan::Plan;
use super::quote::quote_range;
use super::tally::Best;
use crate::session::{Hash, PartKind};

/// A part up to this length is about one thing.
const SHORT: usize = 3000;
/// So far around a quote its surroundings go, and in what somebody writes: one long text speaks of a claim in several places.
const AROUND: usize = 400;
const AROUND_TOLD: usize = 1600;

/// One part while it is read.
pub(super) struct Pass<'a> {
    pub plan: &'a Plan,
    pub original: &'a Original<'a>,
    pub text: &'a str,
    pub origin: Option<Arc<Origin>>,
}

/// Words cut out of a part; many items are tied to the same, and most to none.
#[derive(Debug)]
pub struct Quote {
    pub text: Box<str>,
    hash: OnceLock<Hash>,
}

impl Quote {
    fn of(text: &str) -> Self {
        Self { text: text.into(), hash: OnceLock::new() }
    }

    pub fn hash(&self) -> Hash {
        *self.hash.get_or_init(|| Hash::of(self.text.as_bytes()))
    }
}

/// What was quoted last: the range, its words, and what stands around them.
pub(super) type Quoted = Option<(Range<usize>, (Arc<Quote>, Arc<str>))>;

impl Pass<'_> {
    /// Made when it is needed first: most parts are nobody's source.
    fn origin(&mut self) -> &Arc<Origin> {
        self.origin.get_or_insert_with(|| Arc::new(Origin::of(self.original)))
    }

    pub fn fits(&mut self, group: &Group) -> f32 {
        self.origin().fits(group)
    }

    pub fn candidate(&mut self, best: &Best, last: &mut Quoted) -> Candidate {
        let text = self.text;
        let range = quote_range(text, best, &self.plan.features);
        let far = match self.original.part.kind {
            PartKind::Text => AROUND_TOLD,
            PartKind::Thinking | PartKind::ToolCall { .. } | PartKind::ToolResult { .. } | PartKind::Opaque { .. } => {
                AROUND
            }
        };
        let from = text.floor_char_boundary(range.start.saturating_sub(far));
        let (quote, around) = match last {
            Some((same, texts)) if *same == range => texts.clone(),
            Some(_) | None => {
                let to = text.ceil_char_boundary((range.end + far).min(text.len()));
                (Arc::new(Quote::of(&text[range.clone()])), Arc::from(&text[from..to]))
            }
        };
        *last = Some((range.clone(), (Arc::clone(&quote), Arc::clone(&around))));
        Candidate {
            score: 0.0,
            bonus: 0.0,
            whole: 0.0,
            short: text.len() <= SHORT,
            features: best.hits.iter().map(|hit| hit.feature).collect(),
            range: (range.start, range.end),
            quote,
            around,
            at: range.start - from,
            origin: Arc::clone(self.origin()),
        }
    }
}
