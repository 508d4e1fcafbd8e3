//! Rows, runs and tones.

use crate::text::Shown;

/// What a run of text means. The theme turns it into a look; signs and words carry the meaning where there is no colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tone {
    #[default]
    Text,
    /// Quiet chrome: rules, times, hints.
    Dim,
    /// The one accent: what can be acted on.
    Accent,
    /// The one warning colour: findings and what went wrong.
    Warning,
    Heading,
    Strong,
    Emphasis,
    /// Overruled: struck through.
    Struck,
    Code,
    /// The person's words.
    User,
    /// Words that decide: marked in both texts of the evidence.
    Marked,
    /// A search hit.
    Found,
}

/// Text of one tone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub text: Shown,
    pub tone: Tone,
    /// Code in this language, for the highlighter.
    pub language: Option<&'static str>,
}

impl Run {
    /// A run of one line's text; foreign text is made safe here.
    pub fn new(text: &str, tone: Tone) -> Self {
        Self { text: Shown::line(text), tone, language: None }
    }
}

/// One row of a screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub runs: Vec<Run>,
    /// Set against the right edge.
    pub right: Vec<Run>,
    pub selected: bool,
    /// Fill what is left between the two with this character (rules).
    pub fill: Option<char>,
}
