//! The sentences of a text's prose and what each of them does. No identifier and no figure is looked for, so that this is
//! quick enough for every turn.

use std::ops::Range;

use super::certainty::Certainty;
use super::items::Extracted;
use super::items::Kind;
use super::prose::{Prose, Sentence};
use super::statements::{self, Reply, Said};
use super::{Language, Zone, Zones};

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
    /// What it does with what was said before it; `None` where only its own words, apart from the text around them, tell.
    pub reply: Option<Reply>,
}

impl Told {
    /// A sentence that does these things.
    pub(super) fn of(said: &Said, does: &[Extracted], zones: &Zones) -> Self {
        let Said { tokens, sentence, .. } = said;
        let text = tokens.text;
        let start = text[..sentence.range.start].rfind('\n').map_or(0, |at| at + 1);
        Self {
            range: sentence.range.clone(),
            does: does.iter().map(|item| (item.kind, item.class.unwrap_or_default())).collect(),
            certainty: said.certainty,
            cell: sentence.row.is_some(),
            heading: text[start..sentence.range.start].trim_start().starts_with('#'),
            reply: stands_alone(text, sentence, zones).then(|| Reply::told(tokens, sentence)),
        }
    }

    /// Whether it does this.
    pub fn is(&self, kind: Kind, class: &str) -> bool {
        self.does.contains(&(kind, class)) || class.is_empty() && self.does.iter().any(|(of, _)| *of == kind)
    }
}

/// The sentences of the prose of a text, in order: no code, no log, no quote, nothing that a harness or a paste put in.
pub fn told(text: &str, language: &Language) -> Vec<Told> {
    let zones = Zones::of(text);
    let prose = Prose::of(text, &zones, language);
    let told = prose.sentences.iter().map(|sentence| {
        let said = Said::of(&prose, sentence, language);
        let mut does = Vec::new();
        statements::of_sentence(&said, &mut does);
        Told::of(&said, &does, &zones)
    });
    told.collect()
}

/// Whether the words of a sentence are the same without the text around it: it is one line of prose, and nothing in it
/// could open code, a quote or anything else that is no prose.
fn stands_alone(text: &str, sentence: &Sentence, zones: &Zones) -> bool {
    let said = &text[sentence.range.clone()];
    sentence.row.is_none()
        && memchr::memchr2(b'`', b'\n', said.as_bytes()).is_none()
        && !said.starts_with(['>', '<', '~', '|', '@'])
        && !said.starts_with("diff ")
        && zones.holds(&sentence.range, Zone::Prose)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
    proptest! {
        #[test]
        fn what_a_sentence_replies_is_the_same_where_it_stands_alone(picked in prop::collection::vec(0..PIECES.len(), 0..12)) {
            let text: String = picked.into_iter().map(|at| PIECES[at]).collect();
            for one in told(&text, Language::english()) {
                if let Some(reply) = one.reply {
                    prop_assert_eq!(reply, Reply::of(&text[one.range], Language::english()));
                }
            }
        }
    }

    /// What cues and zones are made of, and what stands between them.
    const PIECES: [&str; 32] = [
        "ok",
        "Yes",
        "No",
        ", ",
        " ",
        ". ",
        "\n",
        "\n\n",
        "`",
        "``` ",
        "\n```\n",
        "> ",
        "- ",
        "# ",
        "| ",
        "<some-tag>",
        "</some-tag>",
        "don't",
        "actually it is",
        "write access",
        "the proxy",
        "don’t like it",
        "09:14:07 up\n",
        "@@ -1 ",
        "diff --git a\n",
        "~~~\n",
        "はい。",
        "? ",
        "!",
        "_",
        "--",
        "turns out to be",
    ];
}
