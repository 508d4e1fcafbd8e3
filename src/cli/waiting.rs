//! Says on a terminal who is waited for: a line for each stretch of turns whose prose is being written, with how long that
//! takes already, and a line for every try that came to nothing.

use indicatif::MultiProgress;

use super::print;
use crate::workbench::{Brief, Sentence, Summariser, SummaryError};

/// A summariser that is watched while it works.
pub struct Watched {
    of: Box<dyn Summariser>,
    lines: MultiProgress,
}

impl Watched {
    /// Shows among these lines what this one does.
    pub fn new(mut of: Box<dyn Summariser>, lines: MultiProgress) -> Self {
        let (above, who) = (lines.clone(), of.name());
        of.hear_tries(Box::new(move |why| print::above(&above, &format!("note: {who}: {why}"))));
        Self { of, lines }
    }
}

impl Summariser for Watched {
    fn name(&self) -> String {
        self.of.name()
    }

    fn window(&self) -> u64 {
        self.of.window()
    }

    fn picks(&self) -> bool {
        self.of.picks()
    }

    fn summarise(&self, brief: &Brief, stop: &dyn Fn() -> bool) -> Result<Vec<Sentence>, SummaryError> {
        // Who only picks sentences is not waited for.
        let line = (!self.picks()).then(|| print::waiting(&self.lines, &told(brief, &self.name())));
        let answer = self.of.summarise(brief, stop);
        if let Some(line) = line {
            line.finish_and_clear();
        }
        answer
    }
}

/// `turns 81–121: waiting for command llm`
fn told(brief: &Brief, who: &str) -> String {
    match (brief.originals.first(), brief.originals.last()) {
        (Some(first), Some(last)) => format!("turns {}–{}: waiting for {who}", first.turn, last.turn),
        (None, _) | (_, None) => format!("waiting for {who}"),
    }
}
