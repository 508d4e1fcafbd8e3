//! A text as the checks of prose read it: its sentences, each with its words and the cues in them. What is code, a log, a
//! quote or not somebody's own words is left out.

use std::ops::Range;

use super::cues::Hit;
use super::tokens::Tokens;
use super::{Language, Zone, Zones};
use crate::text::sentences;

/// A text's prose.
pub(super) struct Prose<'a> {
    pub tokens: Tokens<'a>,
    pub sentences: Vec<Sentence>,
}

/// A sentence, a bullet, a heading or a cell of a table.
pub(super) struct Sentence {
    /// In bytes of the text.
    pub range: Range<usize>,
    /// Its words among the tokens.
    pub words: Range<usize>,
    /// The cues in it, in order.
    pub hits: Vec<Hit>,
    /// Of a cell of a table, of which little may be said: the first cell of its row, which says what the row is about.
    pub row: Option<Range<usize>>,
}

impl<'a> Prose<'a> {
    /// The prose of a text.
    pub fn of(text: &'a str, zones: &Zones, language: &Language) -> Self {
        let tokens = Tokens::of_prose(text, zones);
        let mut sentences = Vec::new();
        for (block, row) in blocks(text, zones) {
            for range in self::sentences(&text[block.clone()]) {
                let range = block.start + range.start..block.start + range.end;
                let words = tokens.within(&range);
                if words.is_empty() {
                    continue;
                }
                let hits = language.cues.hits(&tokens, words.clone());
                sentences.push(Sentence { range, words, hits, row: row.clone() });
            }
        }
        Self { tokens, sentences }
    }

    /// One sentence, whatever it looks like.
    pub fn of_sentence(text: &'a str, language: &Language) -> Self {
        let zones = Zones::of(text);
        let tokens = Tokens::of_prose(text, &zones);
        let words = 0..tokens.len();
        let hits = language.cues.hits(&tokens, words.clone());
        Self { sentences: vec![Sentence { range: 0..text.len(), words, hits, row: None }], tokens }
    }
}

/// A stretch of sentences; of a cell with the first cell of its row.
type Block = (Range<usize>, Option<Range<usize>>);

/// Paragraphs, bullets, headings and cells, in order.
fn blocks(text: &str, zones: &Zones) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<Range<usize>> = None;
    let mut at = 0;
    let mut zone = zones.iter().peekable();
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        // The zone in which the line begins; those of inline code follow on the line.
        while zone.peek().is_some_and(|(held, _)| held.end <= range.start) {
            zone.next();
        }
        let (mut held, mut kind) = zone.peek().cloned().unwrap_or((range.clone(), Zone::Prose));
        let mut from = range.start;
        while kind == Zone::Aside && held.end < range.end {
            from = held.end;
            zone.next();
            (held, kind) = zone.peek().cloned().unwrap_or((range.clone(), Zone::Prose));
        }
        let row = is_row(line);
        match kind {
            Zone::Prose | Zone::InlineCode | Zone::Table => {}
            Zone::Fence | Zone::Quote | Zone::Log | Zone::Diff | Zone::Aside => {
                blocks.extend(open.take().map(|block| (block, None)));
                continue;
            }
        }
        let line = &text[from..range.end];
        if row {
            blocks.extend(open.take().map(|block| (block, None)));
            let mut start = from;
            let mut first = None;
            for cell in line.split('|') {
                let kept = cell.trim();
                if !kept.is_empty() {
                    let lead = start + cell.len() - cell.trim_start().len();
                    let row = first.get_or_insert(lead..lead + kept.len());
                    blocks.push((start..start + cell.len(), Some(row.clone())));
                }
                start += cell.len() + 1;
            }
        } else if line.trim().is_empty() {
            blocks.extend(open.take().map(|block| (block, None)));
        } else if let Some(lead) = lead(line) {
            blocks.extend(open.take().map(|block| (block, None)));
            let block = from + lead..range.end;
            if is_heading(line) { blocks.push((block, None)) } else { open = Some(block) }
        } else {
            match &mut open {
                Some(block) => block.end = range.end,
                None => open = Some(from..range.end),
            }
        }
    }
    blocks.extend(open.map(|block| (block, None)));
    blocks
}

fn is_row(line: &str) -> bool {
    let line = line.trim();
    line.len() > 1 && line.starts_with('|') && line[1..].contains('|')
}

fn is_heading(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// The length of what opens a bullet, a numbered point or a heading; `None` where the line goes on with what was before.
fn lead(line: &str) -> Option<usize> {
    let trimmed = line.trim_start();
    let indent = line.len() - trimmed.len();
    let mark = trimmed.trim_start_matches('#');
    let mark = if mark.len() < trimmed.len() {
        trimmed.len() - mark.len()
    } else if trimmed.starts_with(['-', '*', '+', '•', '–']) {
        trimmed.chars().next().map_or(1, char::len_utf8)
    } else {
        let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
        if !(1..=3).contains(&digits) || !trimmed[digits..].starts_with(['.', ')']) {
            return None;
        }
        digits + 1
    };
    trimmed[mark..].starts_with([' ', '\t']).then_some(indent + mark)
}
