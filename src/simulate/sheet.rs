//! What an experiment comes to: figures beside the published ones, pictures, and what was assumed. How it is printed
//! stands in `cli`.

use super::plot::Plot;

/// The outcome of one experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// As the command calls it.
    pub name: &'static str,
    /// What it asks, in a sentence.
    pub question: String,
    /// What the random numbers follow from.
    pub seed: u64,
    /// What was set, as name and value.
    pub settings: Vec<(&'static str, String)>,
    /// The figures.
    pub tables: Vec<Table>,
    /// The picture of them.
    pub plot: Plot,
    /// What the figures say, in sentences.
    pub reading: Vec<String>,
    /// What was taken for granted, in sentences.
    pub assumed: Vec<String>,
}

/// Figures that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// What they are about.
    pub title: String,
    /// One figure each.
    pub rows: Vec<Row>,
}

/// One figure, beside the published one.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What it counts.
    pub what: String,
    /// `None` where nothing was published for these settings.
    pub published: Option<f64>,
    /// What this run gives.
    pub ours: f64,
    /// How it is counted.
    pub unit: Unit,
}

/// How a figure is counted; a share is kept as a number from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Whole things.
    Count,
    /// Things, on average.
    Mean,
    /// Tokens.
    Tokens,
    /// A share, in hundredths.
    Percent,
    /// A share that is small, in hundredths with four places.
    FinePercent,
    /// A share, in thousandths.
    Share,
    /// So many times as much.
    Times,
}

impl Table {
    /// A table without rows.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), rows: Vec::new() }
    }

    /// With one more row. `published` is `None` where nothing was published for these settings.
    #[must_use]
    pub fn row(mut self, what: impl Into<String>, unit: Unit, published: impl Into<Option<f64>>, ours: f64) -> Self {
        self.rows.push(Row { what: what.into(), published: published.into(), ours, unit });
        self
    }
}

impl Row {
    /// Ours without the published one; `None` where there is none.
    pub fn difference(&self) -> Option<f64> {
        self.published.map(|published| self.ours - published)
    }

    /// The difference as it is told: `+34,518 (+15 %)`, `+2.4 points`. Empty where nothing was published.
    pub fn told_difference(&self) -> String {
        let (Some(difference), Some(published)) = (self.difference(), self.published) else { return String::new() };
        let sign = if difference < 0.0 { "−" } else { "+" };
        let size = self.unit.tell(difference.abs());
        if size == self.unit.tell(0.0) {
            return "none".to_owned();
        }
        match self.unit {
            Unit::Percent | Unit::FinePercent => format!("{sign}{} points", size.trim_end_matches(" %")),
            Unit::Tokens if published > 0.0 => {
                format!("{sign}{size} ({sign}{:.0} %)", (difference / published).abs() * 100.0)
            }
            Unit::Count | Unit::Mean | Unit::Tokens | Unit::Share => format!("{sign}{size}"),
            Unit::Times => format!("{sign}{}", size.trim_end_matches('×')),
        }
    }
}

impl Unit {
    /// The word that stands for it in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Mean => "mean",
            Self::Tokens => "tokens",
            Self::Percent | Self::FinePercent | Self::Share => "share",
            Self::Times => "times",
        }
    }

    /// The number as it is told.
    pub fn tell(self, number: f64) -> String {
        match self {
            Self::Count | Self::Tokens => grouped(number),
            Self::Mean => format!("{number:.2}"),
            Self::Percent => format!("{:.1} %", number * 100.0),
            Self::FinePercent => format!("{:.4} %", number * 100.0),
            Self::Share => format!("{number:.3}"),
            Self::Times => format!("{number:.2}×"),
        }
    }
}

/// A whole number with a comma between thousands.
pub fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits.as_str()), |rest| ("-", rest));
    let mut told = sign.to_owned();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            told.push(',');
        }
        told.push(digit);
    }
    told
}

#[cfg(test)]
mod tests {
    use super::{Row, Table, Unit, grouped};

    #[test]
    fn a_figure_is_told_beside_the_published_one() {
        let table = Table::new("")
            .row("", Unit::Tokens, 233_502.0, 268_020.0)
            .row("", Unit::Percent, 0.764, 0.7625)
            .row("", Unit::Share, 0.746, 0.746_1)
            .row("", Unit::Mean, 10.7, 13.05)
            .row("", Unit::Count, 4.0, 6.0)
            .row("", Unit::Times, 2.04, 1.97)
            .row("", Unit::FinePercent, None, 0.000_556);
        let told: Vec<String> = table
            .rows
            .iter()
            .map(|row: &Row| format!("{} | {}", row.unit.tell(row.ours), row.told_difference()))
            .collect();
        assert_eq!(
            told,
            [
                "268,020 | +34,518 (+15 %)",
                "76.2 % | −0.2 points",
                "0.746 | none",
                "13.05 | +2.35",
                "6 | +2",
                "1.97× | −0.07",
                "0.0556 % | ",
            ]
        );
    }

    #[test]
    fn thousands_stand_apart() {
        let table = [(0.0, "0"), (999.0, "999"), (1_000.4, "1,000"), (1_056_000.0, "1,056,000"), (-1_500.0, "-1,500")];
        for (number, told) in table {
            assert_eq!(grouped(number), told);
        }
    }
}
