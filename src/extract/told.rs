//! The sentences of a text's prose and what each of them does. No identifier and no figure is looked for, so that this is
//! quick enough for every turn.

use std::ops::Range;

use super::certainty::Certainty;
use super::items::Kind;
use super::prose::Prose;
use super::statements::{self, Said};
use super::{Language, Zones};

/// One sentence of prose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// In bytes of the text, without what opens a bullet or a heading.
    pub range: Range<usize>,
    /// What it does, and what it is more precisely; empty where it only tells.
    pub does: Vec<(Kind, &'static str)>,
    /// How certain it is.
    pub certainty: Certainty,
    /// A cell of a table.
    pub cell: bool,
    /// A line of a heading.
    pub heading: bool,
}

impl Told {
    /// Whether it does this.
    pub fn is(&self, kind: Kind, class: &str) -> bool {
        self.does.contains(&(kind, class)) || class.is_empty() && self.does.iter().any(|(of, _)| *of == kind)
    }
}

/// The sentences of the prose of a text, in order: no code, no log, no quote, nothing that a harness or a paste put in.
pub fn told(text: &str, language: &Language) -> Vec<Told> {
    let prose = Prose::of(text, &Zones::of(text), language);
    let mut found = Vec::with_capacity(prose.sentences.len());
    for sentence in &prose.sentences {
        let said = Said::of(&prose, sentence, language);
        let mut items = Vec::new();
        statements::of_sentence(&said, &mut items);
        let start = text[..sentence.range.start].rfind('\n').map_or(0, |at| at + 1);
        found.push(Told {
            range: sentence.range.clone(),
            does: items.iter().map(|item| (item.kind, item.class.unwrap_or_default())).collect(),
            certainty: said.certainty,
            cell: sentence.row.is_some(),
            heading: text[start..sentence.range.start].trim_start().starts_with('#'),
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_prose_is_told_and_each_sentence_with_what_it_does() {
        let text =
            "# Plan\nAdded the index. Should we ship?\n```\nAdded code.\n```\n> Added a quote.\n- still to do: docs\n";
        let seen: Vec<_> = told(text, Language::english())
            .into_iter()
            .map(|one| {
                (text[one.range.clone()].to_owned(), one.does.first().map_or("", |(_, class)| class), one.heading)
            })
            .collect();
        let want = [
            ("Plan", "", true),
            ("Added the index.", "claimed", false),
            ("Should we ship?", "question", false),
            ("still to do: docs", "todo", false),
        ];
        assert_eq!(seen, want.map(|(text, class, heading)| (text.to_owned(), class, heading)));
    }
}
