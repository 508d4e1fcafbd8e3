//! One part while it is read, and the words cut out of it for an item.

use std::ops::Range;
use std::sync::Arc;

use foldhash::HashMap;

use super::Original;
use super::candidate::{Candidate, Home};
use super::features::Group;
use super::plan::Plan;
use super::quote::quote_range;
use super::tally::Best;
use crate::record::Excerpt;
use crate::session::PartKind;

/// A part up to this length is about one thing.
const SHORT: usize = 3000;
/// So far around a quote its surroundings go, and in what somebody writes: one long text speaks of a claim in several places.
const AROUND: usize = 400;
const AROUND_TOLD: usize = 1600;

/// One part while it is read. What its candidates need of it is made when it is needed first: most parts are nobody's
/// source.
pub(super) struct Pass<'a> {
    pub plan: &'a Plan,
    original: &'a Original<'a>,
    pub text: &'a str,
    home: Option<Arc<Home>>,
    whole: Option<Arc<str>>,
    /// Where stretches were cut out of a long text: many candidates are the same words.
    cut: HashMap<Range<usize>, Excerpt>,
}

impl<'a> Pass<'a> {
    pub fn of(plan: &'a Plan, original: &'a Original<'a>) -> Self {
        Self { plan, original, text: &original.part.text, home: None, whole: None, cut: HashMap::default() }
    }

    pub fn original(&self) -> &'a Original<'a> {
        self.original
    }

    fn home(&mut self) -> &Arc<Home> {
        self.home.get_or_insert_with(|| Arc::new(Home::of(self.original)))
    }

    pub fn fits(&mut self, group: &Group) -> f32 {
        self.home().fits(group)
    }

    /// A stretch of the text: of the whole, where that is not much more, else for itself.
    fn around(&mut self, range: Range<usize>) -> Excerpt {
        let text = self.text;
        if text.len() <= 2 * range.len() {
            return Excerpt::of(self.whole.get_or_insert_with(|| text.into()), range);
        }
        self.cut.entry(range.clone()).or_insert_with(|| Excerpt::from(&text[range])).clone()
    }

    pub fn candidate(&mut self, best: &Best) -> Candidate {
        let text = self.text;
        let range = quote_range(text, best, &self.plan.features);
        let far = match self.original.part.kind {
            PartKind::Text => AROUND_TOLD,
            PartKind::Thinking | PartKind::ToolCall { .. } | PartKind::ToolResult { .. } | PartKind::Opaque { .. } => {
                AROUND
            }
        };
        let from = text.floor_char_boundary(range.start.saturating_sub(far));
        let to = text.ceil_char_boundary((range.end + far).min(text.len()));
        Candidate {
            score: 0.0,
            bonus: 0.0,
            whole: 0.0,
            short: text.len() <= SHORT,
            features: best.hits.iter().map(|hit| hit.feature).collect(),
            range: (range.start, range.end),
            around: self.around(from..to),
            at: (range.start - from, range.end - from),
            home: Arc::clone(self.home()),
        }
    }
}
