//! A picture in cells: strokes as dots (three a cell, which every font has), a mark of its own for each line, a band as shade.
//! Colour only repeats what marks and strokes tell.

use super::{Line, Plot, Stroke};

/// How wide the picture may be, in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width(pub usize);

/// A piece of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its signs.
    pub text: String,
    /// Which line of the picture it belongs to; `None` for axes and words.
    pub line: Option<usize>,
}

/// Rows of the picture without axis and legend.
const ROWS: usize = 16;
/// No picture is narrower, nor wider: a wide one is flat.
const NARROWEST: usize = 48;
const WIDEST: usize = 100;
/// Left of the axis.
const MARGIN: usize = 8;
/// Full on a line, hollow where marks stand alone.
const FULL: [char; 5] = ['●', '◆', '▲', '■', '×'];
const HOLLOW: [char; 5] = ['○', '◇', '△', '□', '+'];
const SHADE: char = '░';
/// Dots of a cell, one below the other, and its sign by which of them are set, from the upper one. A broken line is told
/// by its sign.
const DOWN: usize = 3;
const DASHES: [char; 3] = ['-', '=', '~'];
const SIGNS: [char; 8] = [' ', '˙', '·', ':', '.', ':', ':', ':'];

#[derive(Clone, Copy, Default)]
struct Cell {
    dots: usize,
    dash: Option<char>,
    mark: Option<char>,
    shade: bool,
    line: Option<usize>,
}

struct Canvas {
    columns: usize,
    cells: Vec<Cell>,
}

/// The picture, row by row: title, plane with its axes, legend.
pub fn terminal(plot: &Plot, width: Width) -> Vec<Vec<Run>> {
    let columns = width.0.clamp(NARROWEST, WIDEST) - MARGIN - 2;
    let mut canvas = Canvas { columns, cells: vec![Cell::default(); columns * ROWS] };
    // The first line is the one to be seen: it is drawn last, and its marks stand above the others'.
    for (no, line) in plot.lines.iter().enumerate().rev() {
        canvas.shade(plot, line, no);
    }
    for (no, line) in plot.lines.iter().enumerate().rev() {
        canvas.stroke(plot, line, no);
    }
    // Marks that stand alone, which others measured, stay above what they are compared with.
    let marked = |points: bool| {
        let all = plot.lines.iter().enumerate().rev();
        all.filter(move |(_, line)| line.has_marks() && (line.stroke == Stroke::Points) == points)
    };
    for (no, line) in marked(false).chain(marked(true)) {
        canvas.marks(plot, line, no);
    }
    let mut rows = vec![words(&plot.title), words(&plot.y.label)];
    rows.extend((0..ROWS).map(|row| {
        let tick = plot.y.ticks.iter().find(|tick| row_of(plot.y.along(**tick)) == row);
        let told = tick.map_or_else(String::new, |tick| plot.y.tell(*tick));
        let axis = if tick.is_some() { '┤' } else { '│' };
        let mut runs = words(&format!("{told:>width$} {axis}", width = MARGIN - 1));
        runs.extend(canvas.row(row));
        runs
    }));
    rows.extend(foot(plot, columns));
    rows.push(Vec::new());
    rows.extend(plot.lines.iter().enumerate().map(|(no, line)| legend(plot, line, no)));
    rows
}

/// The mark of a line.
fn sign(line: &Line, no: usize) -> char {
    match line.stroke {
        Stroke::Points => HOLLOW[no % HOLLOW.len()],
        Stroke::Marked | Stroke::Dashed | Stroke::Steps => FULL[no % FULL.len()],
    }
}

/// The sign of a broken line: every one has its own.
fn dash(plot: &Plot, no: usize) -> char {
    let before = plot.lines[..no].iter().filter(|line| line.stroke == Stroke::Dashed).count();
    DASHES[before % DASHES.len()]
}

fn words(text: &str) -> Vec<Run> {
    vec![Run { text: text.to_owned(), line: None }]
}

/// The row of cells for a share of the height.
fn row_of(along: f64) -> usize {
    ROWS - 1 - dot(along, ROWS * DOWN) / DOWN
}

/// The dot for a share of a length.
fn dot(along: f64, dots: usize) -> usize {
    (along * (dots - 1) as f64).round() as usize
}

impl Canvas {
    fn at(&mut self, column: usize, row: usize) -> &mut Cell {
        &mut self.cells[row * self.columns + column]
    }

    /// Where a point is, in dots from the left and from the top.
    fn place(&self, plot: &Plot, (x, y): (f64, f64)) -> (usize, usize) {
        (dot(plot.x.along(x), self.columns), ROWS * DOWN - 1 - dot(plot.y.along(y), ROWS * DOWN))
    }

    fn shade(&mut self, plot: &Plot, line: &Line, no: usize) {
        for pair in line.band.windows(2) {
            let from = self.place(plot, (pair[0].0, 0.0)).0;
            let to = self.place(plot, (pair[1].0, 0.0)).0;
            for column in from..=to {
                let share = if to == from { 0.0 } else { (column - from) as f64 / (to - from) as f64 };
                // A step holds its band up to the next point.
                let share = if line.stroke == Stroke::Steps { 0.0 } else { share };
                let between = |a: f64, b: f64| a + (b - a) * share;
                let top = row_of(plot.y.along(between(pair[0].2, pair[1].2)));
                let foot = row_of(plot.y.along(between(pair[0].1, pair[1].1)));
                for row in top..=foot {
                    let cell = self.at(column, row);
                    cell.shade = true;
                    cell.line = Some(no);
                }
            }
        }
    }

    fn stroke(&mut self, plot: &Plot, line: &Line, no: usize) {
        let dash = (line.stroke == Stroke::Dashed).then(|| dash(plot, no));
        let corners: Vec<(usize, usize)> = line.corners().into_iter().map(|corner| self.place(plot, corner)).collect();
        for pair in corners.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let steps = from.0.abs_diff(to.0).max(from.1.abs_diff(to.1));
            for step in 0..=steps {
                let share = if steps == 0 { 0.0 } else { step as f64 / steps as f64 };
                let along = |a: usize, b: usize| (a as f64 + (b as f64 - a as f64) * share).round() as usize;
                let (x, y) = (along(from.0, to.0), along(from.1, to.1));
                let cell = self.at(x, y / DOWN);
                // Dots of two lines in one cell would read as a third: the one that is drawn later has it.
                if cell.line != Some(no) {
                    cell.dots = 0;
                }
                cell.dots |= 1 << (y % DOWN);
                cell.dash = dash;
                cell.line = Some(no);
            }
        }
    }

    fn marks(&mut self, plot: &Plot, line: &Line, no: usize) {
        for point in &line.points {
            let (x, y) = self.place(plot, *point);
            let cell = self.at(x, y / DOWN);
            cell.mark = Some(sign(line, no));
            cell.line = Some(no);
        }
    }

    fn row(&self, row: usize) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for cell in &self.cells[row * self.columns..(row + 1) * self.columns] {
            let ground = if cell.shade { SHADE } else { ' ' };
            let sign = cell.mark.unwrap_or(match cell.dots {
                0 => ground,
                dots => cell.dash.unwrap_or(SIGNS[dots]),
            });
            match runs.last_mut().filter(|run| run.line == cell.line) {
                Some(run) => run.text.push(sign),
                None => runs.push(Run { text: sign.to_string(), line: cell.line }),
            }
        }
        runs
    }
}

/// The axis at the foot, its numbers and its label.
fn foot(plot: &Plot, columns: usize) -> [Vec<Run>; 3] {
    let mut line: Vec<char> = vec!['─'; columns];
    let mut numbers: Vec<char> = vec![' '; columns + MARGIN];
    for tick in &plot.x.ticks {
        let column = dot(plot.x.along(*tick), columns);
        line[column] = '┬';
        let told: Vec<char> = plot.x.tell(*tick).chars().collect();
        let from = (column + MARGIN - told.len() / 2).min(numbers.len() - told.len());
        // Numbers that would touch the one before are left out.
        if numbers[from - 1..from + told.len()].iter().all(|sign| *sign == ' ') {
            numbers[from..from + told.len()].copy_from_slice(&told);
        }
    }
    let text = |signs: &[char]| signs.iter().collect::<String>();
    let label = plot.x.label.as_str();
    let indent = MARGIN + columns.saturating_sub(label.chars().count()) / 2;
    [
        words(&format!("{:>width$}└{}", "", text(&line), width = MARGIN)),
        words(&format!(" {}", text(&numbers).trim_end())),
        words(&format!("{:>indent$}{label}", "")),
    ]
}

fn legend(plot: &Plot, line: &Line, no: usize) -> Vec<Run> {
    let mark = sign(line, no);
    let sample = match line.stroke {
        Stroke::Marked | Stroke::Steps => format!("··{mark}··"),
        Stroke::Dashed => dash(plot, no).to_string().repeat(5),
        Stroke::Points => format!("  {mark}  "),
    };
    let band = if line.band.is_empty() { String::new() } else { format!("  ({SHADE} 95 % band)") };
    vec![
        Run { text: " ".repeat(MARGIN + 1), line: None },
        Run { text: sample, line: Some(no) },
        Run { text: format!("  {}{band}", line.name), line: None },
    ]
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Line, Plot, Stroke};
    use super::{Width, terminal};

    fn plot(lines: Vec<Line>) -> Plot {
        Plot { title: "title".into(), x: Axis::counted("passes", 4, 1), y: Axis::share("kept"), lines }
    }

    fn rows(plot: &Plot, width: usize) -> Vec<String> {
        terminal(plot, Width(width)).iter().map(|row| row.iter().map(|run| run.text.as_str()).collect()).collect()
    }

    #[test]
    fn axes_marks_and_legend_stand_where_they_belong() {
        let falling = Line::new("falling", Stroke::Marked, vec![(0.0, 1.0), (4.0, 0.0)]);
        let level = Line::new("level", Stroke::Dashed, vec![(0.0, 0.5), (4.0, 0.5)]);
        let low = Line::new("low", Stroke::Dashed, vec![(0.0, 0.25), (4.0, 0.25)]);
        let shown = rows(&plot(vec![falling, level, low]), 48);
        assert_eq!((shown[0].as_str(), shown[1].as_str()), ("title", "kept"));
        assert!(shown[2].starts_with("  100 % ┤●"), "{}", shown.join("\n"));
        assert!(shown[17].starts_with("    0 % ┤") && shown[17].ends_with('●'), "{}", shown.join("\n"));
        assert!(shown.iter().any(|row| row.contains("50 % ┤---")), "a broken line has a sign of its own");
        assert!(shown.iter().any(|row| row.contains("25 % ┤===")), "and so has the next");
        assert!(shown.iter().any(|row| row.trim() == "passes"));
        assert_eq!(shown[19].split_whitespace().collect::<Vec<_>>(), ["0", "1", "2", "3", "4"]);
        assert!(shown[shown.len() - 3].contains("●··  falling") && shown[shown.len() - 1].contains("=====  low"));
    }

    #[test]
    fn no_row_is_wider_than_the_terminal_and_numbers_beyond_the_axes_stay_inside() {
        let mut wild = Line::new("wild", Stroke::Steps, vec![(-3.0, 7.0), (2.0, -1.0), (99.0, 0.5)]);
        wild.band = vec![(-3.0, -1.0, 9.0), (99.0, 0.2, 0.4)];
        let plot = plot(vec![wild, Line::new("none", Stroke::Points, Vec::new())]);
        for width in [0, 48, 80, 100, 400] {
            let widest = rows(&plot, width).iter().map(|row| row.chars().count()).max();
            assert!(widest <= Some(width.clamp(48, 100)), "{width}: {widest:?}");
        }
    }

    #[test]
    fn a_line_that_is_the_first_is_seen_above_the_others() {
        let same = |name| Line::new(name, Stroke::Points, vec![(2.0, 0.5)]);
        let shown = terminal(&plot(vec![same("first"), same("second")]), Width(60));
        let marked: Vec<_> = shown[..18].iter().flatten().filter_map(|run| run.line).collect();
        assert_eq!(marked, [0]);
    }
}
