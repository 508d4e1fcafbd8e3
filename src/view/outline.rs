//! A session at a glance: how full the context was, as a picture in cells, and blocks and markers, one after the other.

use super::closing::{closed_by, range};
use super::marker::told;
use super::{MarkerLine, Row, Run, Signs, Tone, marker, thousands};
use crate::record::{Block, Span};
use crate::text::{Shown, cut};
use crate::workbench::Curve;

/// Cells left of the picture, for its figures.
const MARGIN: usize = 12;
/// A short session is not drawn wider than so many cells a turn.
const WIDEST: usize = 6;

/// The curve laid out for so many cells: made once for a width and a height.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plot {
    /// Rows of the picture.
    height: usize,
    /// How high each column is, in eighths of a row.
    levels: Vec<usize>,
    turns: usize,
    /// The cells that there are.
    room: usize,
    /// The highest figure.
    most: u64,
    told: bool,
    /// Where compactions stand: the column behind the last turn before, and the number.
    drops: Vec<(usize, u32)>,
}

impl Plot {
    /// Lays it out. `drops` are the compactions: the last turn before each, and its number.
    pub fn of(curve: &Curve, drops: &[(u32, u32)], cells: usize, height: usize) -> Self {
        let turns = curve.tokens.len();
        let room = cells.saturating_sub(MARGIN + 1).max(1);
        let columns = if turns == 0 { 0 } else { room.min(turns * (room / turns).clamp(1, WIDEST)) };
        let most = curve.tokens.iter().copied().max().unwrap_or(0);
        let mut plot = Self { height, levels: Vec::new(), turns, room, most, told: curve.told, drops: Vec::new() };
        plot.levels = (0..columns)
            .map(|column| {
                let (from, to) = (column * turns / columns, (column + 1) * turns / columns);
                let highest = curve.tokens[from..to.max(from + 1)].iter().copied().max().unwrap_or(0);
                let level = u128::from(highest) * (8 * height) as u128 / u128::from(most.max(1));
                (level as usize).max(usize::from(highest > 0))
            })
            .collect();
        plot.drops = drops.iter().map(|(after, no)| (plot.column(*after), *no)).collect();
        plot
    }

    /// The first column that holds nothing before the turn with this index (from 0).
    fn column(&self, turn: u32) -> usize {
        let columns = self.levels.len();
        (turn as usize * columns).div_ceil(self.turns.max(1)).min(columns.saturating_sub(1))
    }

    /// The picture and, below it, where compactions stand. The columns of some turns, inclusive, are marked.
    pub fn rows(&self, marked: Option<(u32, u32)>, signs: &Signs) -> Vec<Row> {
        let marked = marked.map(|(from, to)| {
            let (from, end) = (self.column(from.saturating_sub(1)), to as usize * self.levels.len());
            from..(end.div_ceil(self.turns.max(1))).max(from + 1)
        });
        let is_marked = |column: usize| marked.as_ref().is_some_and(|marked| marked.contains(&column));
        let about = if self.told { "" } else { signs.alike };
        let mut rows: Vec<Row> = (0..self.height)
            .map(|row| {
                let label = match row {
                    0 => format!("{about}{}", thousands(self.most)),
                    row if row + 1 == self.height => "0".to_owned(),
                    _ => String::new(),
                };
                let mut runs = vec![Run::dim(&format!("{label:>width$} {} ", signs.wall, width = MARGIN - 3))];
                let floor = (self.height - 1 - row) * 8;
                let cell = |column: usize| match self.levels[column].saturating_sub(floor) {
                    0 => ' ',
                    level => signs.levels[level.min(8) - 1],
                };
                let mut column = 0;
                while column < self.levels.len() {
                    let here = is_marked(column);
                    let end =
                        (column..self.levels.len()).find(|at| is_marked(*at) != here).unwrap_or(self.levels.len());
                    let text: String = (column..end).map(cell).collect();
                    runs.push(Run::new(&text, if here { Tone::Accent } else { Tone::Dim }));
                    column = end;
                }
                Row::of(runs)
            })
            .collect();
        rows.push(self.foot(signs));
        rows
    }

    /// Where compactions stand, each named where there is room.
    fn foot(&self, signs: &Signs) -> Row {
        let mut line = String::new();
        let mut used = 0;
        for (column, no) in &self.drops {
            let name = format!("m{no}");
            if *column < used || column + name.len() > self.room + 1 {
                continue;
            }
            line.extend(std::iter::repeat_n(' ', *column - used));
            line.push_str(&name);
            line.push(' ');
            used = column + name.len() + 1;
        }
        let corner = format!("{:>width$} {} ", "tokens", signs.wall, width = MARGIN - 3);
        Row::of([Run::dim(&corner), Run::dim(line.trim_end())])
    }
}

/// One thing of the outline.
#[derive(Clone, Copy, Debug)]
pub enum Outlined<'a> {
    /// A block, and the tokens of the text that stands for it.
    Block(&'a Block, Option<u64>),
    /// The same of a span.
    Span(&'a Span, Option<u64>),
    /// A compaction.
    Marker(&'a MarkerLine),
    /// Turns behind the last block: the first and the last.
    Open(u32, u32),
}

/// Whether the list is too narrow for all in one row.
fn is_narrow(cells: usize) -> bool {
    cells < 100
}

/// How many rows each thing has.
pub fn outlined_height(cells: usize) -> usize {
    if is_narrow(cells) { 2 } else { 1 }
}

/// As many words as have room: a number is there whole, or not at all.
fn whole_words<'a>(text: &'a str, room: usize, signs: &Signs) -> &'a str {
    let ends = text.char_indices().filter(|(_, c)| *c == ' ').map(|(at, _)| at).chain([text.len()]);
    let fits = |end: &usize| text[..*end].chars().count() <= room && !text[..*end].ends_with(signs.arrow);
    ends.rev().find(fits).map_or("", |end| &text[..end])
}

/// What is told of a thing, column by column.
struct Told<'a> {
    name: [Run; 2],
    turns: String,
    tokens: String,
    why: String,
    generation: Option<u32>,
    /// A compaction, of which it is told what was found.
    marker: Option<&'a MarkerLine>,
}

/// The rows of one thing.
pub fn outlined_rows(of: Outlined<'_>, cells: usize, signs: &Signs) -> Vec<Row> {
    let narrow = is_narrow(cells);
    let Told { name: [name, sign], turns, tokens, why, generation, marker } = tell(of, signs);
    let found = |used: usize| marker.map(|line| told(line, cells.saturating_sub(used))).unwrap_or_default();
    let pad = 10_usize.saturating_sub(name.width() + sign.width());
    let turns = cut(&Shown::line(&turns), 15);
    let mut first =
        vec![Run::text("   "), name, sign, Run::text(&" ".repeat(pad)), Run::dim(&format!("{:<15} ", turns.as_str()))];
    let generation = |word: &str| generation.map(|no| format!("{word} {no}")).unwrap_or_default();
    if narrow {
        first.push(Run::text(whole_words(&tokens, cells.saturating_sub(30), signs)));
        let told = if cells < 64 { [String::new(), generation("gen")] } else { [why, generation("generation")] };
        let told: Vec<String> = told.into_iter().filter(|text| !text.is_empty()).collect();
        let dot = format!(" {} ", signs.dot);
        let told = told.join(&dot);
        let mut second = vec![Run::dim(&format!("             {told}"))];
        let dot = if told.is_empty() { Run::text("") } else { Run::dim(&dot) };
        let found = found(second[0].width() + dot.width());
        if !found.is_empty() {
            second.push(dot);
            second.extend(found);
        }
        return vec![Row::of(first), Row::of(second)];
    }
    first.extend([
        Run::text(&format!("{tokens:<23} ")),
        Run::dim(&format!("{why:<16}")),
        Run::dim(&format!("{:<8}", generation("gen"))),
    ]);
    first.extend(found(first.iter().map(Run::width).sum()));
    vec![Row::of(first)]
}

fn tell<'a>(of: Outlined<'a>, signs: &Signs) -> Told<'a> {
    let arrow = signs.arrow;
    let change = |before: u64, after: Option<u64>| match after {
        Some(after) => format!("{} {arrow} {} tok", thousands(before), thousands(after)),
        None => format!("{} tok", thousands(before)),
    };
    let plain = |text: String| [Run::text(&text), Run::text("")];
    match of {
        Outlined::Block(block, text) => Told {
            name: plain(format!("block {}", block.no)),
            turns: format!("turns {}", range(block.run.turns, signs)),
            tokens: change(block.run.tokens, text),
            why: closed_by(block.closed_by, block.turned).to_owned(),
            generation: Some(block.generation),
            marker: None,
        },
        Outlined::Span(span, text) => Told {
            name: plain(format!("span {}", span.no)),
            turns: format!("turns {}", range(span.run.turns, signs)),
            tokens: change(span.run.tokens, text),
            why: format!("blocks {}", range(span.blocks, signs)),
            generation: Some(span.generation),
            marker: None,
        },
        Outlined::Open(from, to) => Told {
            name: plain("open".to_owned()),
            turns: format!("turns {}", range((from, to), signs)),
            tokens: "not closed yet".to_owned(),
            why: String::new(),
            generation: None,
            marker: None,
        },
        Outlined::Marker(line) => {
            let no = line.no.map_or_else(|| signs.more.to_owned(), |no| no.to_string());
            Told {
                name: [
                    Run::new(&format!("m{no}"), Tone::Strong),
                    Run::new(&format!(" {}", signs.marker), Tone::Accent),
                ],
                turns: marker::turns(line, signs),
                tokens: marker::tokens(line, signs).unwrap_or_default(),
                why: line.trigger.and_then(marker::word).unwrap_or_default().to_owned(),
                generation: line.generation,
                marker: Some(line),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The picture of a curve in rows of text; marked cells are told below, as `^`.
    fn picture(tokens: &[u64], drops: &[(u32, u32)], cells: usize, marked: (u32, u32)) -> Vec<String> {
        let curve = Curve { tokens: tokens.to_vec(), told: true };
        let rows = Plot::of(&curve, drops, MARGIN + 1 + cells, 2).rows(Some(marked), &Signs::ASCII);
        let mut text: Vec<String> = rows.iter().map(|row| row.plain().chars().skip(MARGIN).collect()).collect();
        let marks = rows[0].runs.iter().flat_map(|run| {
            let sign = if run.tone == Tone::Accent { '^' } else { ' ' };
            std::iter::repeat_n(sign, run.width())
        });
        text.push(marks.skip(MARGIN).collect::<String>().trim_end().to_owned());
        text
    }

    #[test]
    fn a_curve_rises_and_drops_where_compactions_stand() {
        // Two columns a turn: the third turn comes after m1.
        assert_eq!(picture(&[8, 16, 2], &[(2, 1)], 6, (1, 2)), ["  ##", "####::", "    m1", "^^^^"]);
        // Four turns a column: the highest of them counts, and what is marked begins with a whole column.
        let many: Vec<u64> = (1..=16).collect();
        assert_eq!(picture(&many, &[(9, 1)], 4, (9, 12)), ["  =#", "=###", "   m1", "  ^"]);
        assert_eq!(picture(&[], &[], 4, (1, 1)), ["", "", "", ""]);
        assert_eq!(picture(&[0, 0], &[], 2, (2, 2)), ["", "", "", " ^"]);
    }

    #[test]
    fn no_number_is_cut() {
        let text = "57,339 → 1,204 tok";
        for (room, want) in [(40, text), (17, "57,339 → 1,204"), (10, "57,339"), (8, "57,339"), (5, "")] {
            assert_eq!(whole_words(text, room, &Signs::UNICODE), want, "{room}");
        }
    }
}
