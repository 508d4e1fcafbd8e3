//! Prose cut into what can stand alone: a bullet, a table row, a heading, a sentence. Code and quoted lines are left out.

use std::ops::Range;

use crate::text::sentences;

/// What a unit looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// In running text.
    Sentence,
    /// After a bullet or a number.
    Bullet,
    /// Between bars.
    Row,
    /// After `#`, or a line all in bold.
    Heading,
}

/// A unit and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// In bytes of the text, without its mark.
    pub range: Range<usize>,
    pub shape: Shape,
    /// Which paragraph or list it stands in: units of one section speak of the same.
    pub section: u32,
    /// The line before it ends in a colon, and this is one of its bullets.
    pub under: bool,
    /// It is a part of a sentence.
    pub part: bool,
}

/// A line of no more bytes is short.
const SHORT: usize = 100;

/// The units of a text, in order.
pub(super) fn units(text: &str) -> Vec<Unit> {
    let mut cut = Cut { text, found: Vec::new(), section: 0, running: None };
    let mut at = 0;
    let mut fenced = false;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line.trim();
        if bare.starts_with("```") || bare.starts_with("~~~") {
            cut.close();
            fenced = !fenced;
        } else if fenced || bare.starts_with('>') {
            cut.close();
        } else if bare.is_empty() {
            cut.close();
            cut.section += 1;
        } else {
            cut.line(start, line);
        }
    }
    cut.close();
    cut.found
}

/// Sentences that share a short line are one unit: they say one thing together.
pub(super) fn short_lines(text: &str, units: Vec<Unit>) -> Vec<Unit> {
    let mut found: Vec<Unit> = Vec::with_capacity(units.len());
    for unit in units {
        match found.last_mut() {
            Some(last)
                if last.shape == unit.shape
                    && unit.range.end - last.range.start <= SHORT
                    && text.get(last.range.end..unit.range.start).is_some_and(|gap| gap == " ") =>
            {
                last.range.end = unit.range.end;
            }
            Some(_) | None => found.push(unit),
        }
    }
    found
}

struct Cut<'a> {
    text: &'a str,
    found: Vec<Unit>,
    section: u32,
    /// The lines of running text that are not cut yet.
    running: Option<Range<usize>>,
}

impl Cut<'_> {
    fn line(&mut self, start: usize, line: &str) {
        let lead = start + line.len() - line.trim_start().len();
        let bare = line.trim();
        let end = lead + bare.len();
        if bare.starts_with('#') {
            self.close();
            self.section += 1;
            let mark = bare.len() - bare.trim_start_matches(['#', ' ']).len();
            self.push(lead + mark..end, Shape::Heading);
        } else if bare.starts_with('|') {
            self.close();
            if bare.chars().any(char::is_alphanumeric) {
                self.push(lead..end, Shape::Row);
            }
        } else if let Some(mark) = bullet(bare) {
            self.close();
            self.sentences(lead + mark..end, Shape::Bullet);
        } else if is_bold(bare) {
            self.close();
            self.push(lead..end, Shape::Heading);
        } else {
            self.running = Some(self.running.as_ref().map_or(lead, |lines| lines.start)..end);
        }
    }

    fn close(&mut self) {
        if let Some(lines) = self.running.take() {
            self.sentences(lines, Shape::Sentence);
        }
    }

    fn sentences(&mut self, range: Range<usize>, shape: Shape) {
        for sentence in sentences(&self.text[range.clone()]) {
            self.push(range.start + sentence.start..range.start + sentence.end, shape);
        }
    }

    fn push(&mut self, range: Range<usize>, shape: Shape) {
        let under = shape == Shape::Bullet
            && self.found.last().is_some_and(|last| {
                last.section + 1 >= self.section
                    && (last.under || self.text[last.range.clone()].trim_end_matches('*').ends_with(':'))
            });
        if !range.is_empty() {
            self.found.push(Unit { range, shape, section: self.section, under, part: false });
        }
    }
}

/// The length of a bullet or list number with the space behind it.
fn bullet(line: &str) -> Option<usize> {
    let mark = line.find(' ')?;
    let number = line[..mark].strip_suffix(['.', ')']).is_some_and(|no| {
        (1..=3).contains(&no.len())
            && no.bytes().all(|b| b.is_ascii_alphanumeric())
            && (no.len() == 1 || no.bytes().all(|b| b.is_ascii_digit()))
    });
    (number || matches!(&line[..mark], "-" | "*" | "+" | "•" | "–"))
        .then(|| line.len() - line[mark..].trim_start().len())
}

fn is_bold(line: &str) -> bool {
    let inner = line.trim_end_matches([':', '.']).strip_prefix("**").and_then(|rest| rest.strip_suffix("**"));
    inner.is_some_and(|inner| !inner.contains("**"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_where_something_can_stand_alone() {
        let text = "One. Two\nwraps here.\n\n## Head\n- first point: yes\n- second\n\n| a | b |\n|---|---|\n```\ncode. Not this\n```\n> quoted\n**So it goes.**\n2. last";
        let seen: Vec<_> = units(text).into_iter().map(|unit| (&text[unit.range], unit.shape)).collect();
        assert_eq!(
            seen,
            [
                ("One.", Shape::Sentence),
                ("Two\nwraps here.", Shape::Sentence),
                ("Head", Shape::Heading),
                ("first point: yes", Shape::Bullet),
                ("second", Shape::Bullet),
                ("| a | b |", Shape::Row),
                ("**So it goes.**", Shape::Heading),
                ("last", Shape::Bullet),
            ]
        );
    }

    #[test]
    fn sentences_of_a_short_line_belong_together() {
        let text = "Note: optional. May be left out.\n\nElse.\nNot here.";
        let seen: Vec<_> = short_lines(text, units(text)).into_iter().map(|unit| &text[unit.range]).collect();
        assert_eq!(seen, ["Note: optional. May be left out.", "Else.", "Not here."]);
    }

    #[test]
    fn bullets_under_a_colon_belong_to_it() {
        let under: Vec<bool> = units("Keep these:\n- a\n- b\n\nElse\n- c").into_iter().map(|unit| unit.under).collect();
        assert_eq!(under, [false, true, true, false, false]);
    }
}
