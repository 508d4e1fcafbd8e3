//! A picture of numbers: axes and lines as values. `terminal` and `svg` draw the same picture; what it shows is decided
//! by the experiments.

mod svg;
mod terminal;

pub use svg::svg;
pub use terminal::{Run, Width, terminal};

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// What is to be seen, in some words.
    pub title: String,
    /// From left to right.
    pub x: Axis,
    /// From the foot to the top.
    pub y: Axis,
    /// What is drawn, the most important one first.
    pub lines: Vec<Line>,
}

/// One direction of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What is counted along it.
    pub label: String,
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// Where numbers stand along it.
    pub ticks: Vec<f64>,
    /// How the numbers are written.
    pub scale: Scale,
}

/// How numbers stand at an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// As they are.
    Plain,
    /// A share in hundredths.
    Percent,
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What they are.
    pub name: String,
    /// Where they are, from left to right.
    pub points: Vec<(f64, f64)>,
    /// How far off each may be: x, low, high. Empty where that is not known.
    pub band: Vec<(f64, f64, f64)>,
    /// How they are drawn.
    pub stroke: Stroke,
}

/// How points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// Joined, with a mark at each.
    Marked,
    /// Joined by a broken line, without marks.
    Dashed,
    /// Marks alone: figures that others measured.
    Points,
    /// Level up to the next point, as a share is that only changes there; with marks.
    Steps,
}

impl Axis {
    /// From 0 to 100 %.
    pub fn share(label: &str) -> Self {
        let ticks = vec![0.0, 0.25, 0.5, 0.75, 1.0];
        Self { label: label.to_owned(), from: 0.0, to: 1.0, ticks, scale: Scale::Percent }
    }

    /// Whole numbers from 0 to `to`, a number at every `step`.
    pub fn counted(label: &str, to: u32, step: u32) -> Self {
        let ticks = (0..=to).step_by(step.max(1) as usize).map(f64::from).collect();
        Self { label: label.to_owned(), from: 0.0, to: f64::from(to.max(1)), ticks, scale: Scale::Plain }
    }

    /// How far along the axis a number is, from 0 to 1; numbers beyond its ends stand at them.
    fn along(&self, number: f64) -> f64 {
        ((number - self.from) / (self.to - self.from)).clamp(0.0, 1.0)
    }

    /// A number as it stands at the axis.
    fn tell(&self, number: f64) -> String {
        match self.scale {
            Scale::Percent => format!("{:.0} %", number * 100.0),
            Scale::Plain => format!("{number}"),
        }
    }
}

impl Line {
    /// Points without a band.
    pub fn new(name: impl Into<String>, stroke: Stroke, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, band: Vec::new(), stroke }
    }

    /// The points between which straight strokes are drawn.
    fn corners(&self) -> Vec<(f64, f64)> {
        match self.stroke {
            Stroke::Marked | Stroke::Dashed => self.points.clone(),
            Stroke::Points => Vec::new(),
            Stroke::Steps => {
                let mut corners: Vec<(f64, f64)> = Vec::new();
                for point in &self.points {
                    corners.extend(corners.last().map(|last| (point.0, last.1)));
                    corners.push(*point);
                }
                corners
            }
        }
    }

    fn has_marks(&self) -> bool {
        match self.stroke {
            Stroke::Marked | Stroke::Points | Stroke::Steps => true,
            Stroke::Dashed => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, Stroke};

    #[test]
    fn a_stepped_line_stays_level_up_to_its_next_point() {
        let corners = |stroke| Line::new("", stroke, vec![(0.0, 1.0), (2.0, 0.5)]).corners();
        assert_eq!(corners(Stroke::Marked), [(0.0, 1.0), (2.0, 0.5)]);
        assert_eq!(corners(Stroke::Steps), [(0.0, 1.0), (2.0, 1.0), (2.0, 0.5)]);
        assert_eq!(corners(Stroke::Points), []);
    }
}
