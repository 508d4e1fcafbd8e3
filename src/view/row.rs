//! Rows, runs and tones.

use crate::text::{Shown, width};

/// What a run of text means. The theme turns it into a look; signs and words carry the meaning where there is no colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tone {
    /// What is there to be read.
    #[default]
    Text,
    /// Quiet chrome: rules, times, hints.
    Dim,
    /// The one accent: what can be acted on.
    Accent,
    /// The one warning colour: findings and what went wrong.
    Warning,
    /// A title.
    Heading,
    /// Said with weight.
    Strong,
    /// Said with a lean.
    Emphasis,
    /// Overruled: struck through.
    Struck,
    /// Program text, commands and their output.
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
    /// Safe to be written to a terminal.
    pub text: Shown,
    /// What it means.
    pub tone: Tone,
    /// Code in this language, for the highlighter.
    pub language: Option<&'static str>,
}

impl Run {
    /// A run of one line's text; foreign text is made safe here.
    pub fn new(text: &str, tone: Tone) -> Self {
        Self { text: Shown::line(text), tone, language: None }
    }

    /// A run in the tone of plain text.
    pub fn text(text: &str) -> Self {
        Self::new(text, Tone::Text)
    }

    /// A run of quiet chrome.
    pub fn dim(text: &str) -> Self {
        Self::new(text, Tone::Dim)
    }

    /// The cells it takes.
    pub fn width(&self) -> usize {
        width(&self.text)
    }
}

/// One row of a screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// From the left edge on.
    pub runs: Vec<Run>,
    /// Set against the right edge.
    pub right: Vec<Run>,
    /// The cursor is on it.
    pub selected: bool,
    /// Fill what is left between the two with this character (rules).
    pub fill: Option<char>,
    /// Where the right edge is, in cells; 0 for the edge of the area.
    pub measure: u16,
}

impl Row {
    /// A row of these runs.
    pub fn of(runs: impl Into<Vec<Run>>) -> Self {
        Self { runs: runs.into(), ..Self::default() }
    }

    /// A row with nothing on it.
    pub fn blank() -> Self {
        Self::default()
    }

    /// The same row with this at its right edge.
    #[must_use]
    pub fn right(mut self, run: Run) -> Self {
        self.right.push(run);
        self
    }

    /// The same row, filled with this character up to the right edge.
    #[must_use]
    pub fn fill(mut self, with: char) -> Self {
        self.fill = Some(with);
        self
    }

    /// The same row with its right edge here.
    #[must_use]
    pub fn measure(mut self, cells: usize) -> Self {
        self.measure = u16::try_from(cells).unwrap_or(u16::MAX);
        self
    }

    /// Its text from left to right, as it would be copied.
    pub fn plain(&self) -> String {
        let left: String = self.runs.iter().map(|run| run.text.as_str()).collect();
        let right: String = self.right.iter().map(|run| run.text.as_str()).collect();
        if right.is_empty() { left.trim_end().to_owned() } else { format!("{}  {right}", left.trim_end()) }
    }

    /// The cells its left runs take.
    pub fn width(&self) -> usize {
        self.runs.iter().map(Run::width).sum()
    }
}
