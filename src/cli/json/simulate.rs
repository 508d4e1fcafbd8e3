//! The shape of `stet simulate --format json`.

use serde::Serialize;

use crate::simulate::{Axis, Line, Row, Scale, Sheet, Table};

/// An experiment.
#[derive(Serialize)]
pub struct SimulationJson<'a> {
    schema: &'static str,
    experiment: &'static str,
    question: &'a str,
    seed: u64,
    settings: Vec<SettingJson<'a>>,
    tables: Vec<TableJson<'a>>,
    plot: PlotJson<'a>,
    reading: &'a [String],
    assumed: &'a [String],
}

#[derive(Serialize)]
struct SettingJson<'a> {
    name: &'static str,
    value: &'a str,
}

#[derive(Serialize)]
struct TableJson<'a> {
    title: &'a str,
    rows: Vec<RowJson<'a>>,
}

#[derive(Serialize)]
struct RowJson<'a> {
    what: &'a str,
    unit: &'static str,
    published: Option<f64>,
    ours: f64,
    difference: Option<f64>,
}

#[derive(Serialize)]
struct PlotJson<'a> {
    title: &'a str,
    x: AxisJson<'a>,
    y: AxisJson<'a>,
    lines: Vec<LineJson<'a>>,
}

#[derive(Serialize)]
struct AxisJson<'a> {
    label: &'a str,
    unit: &'static str,
    from: f64,
    to: f64,
}

#[derive(Serialize)]
struct LineJson<'a> {
    name: &'a str,
    points: Vec<[f64; 2]>,
    band: Vec<[f64; 3]>,
}

/// See [`SimulationJson`].
pub fn simulation(sheet: &Sheet) -> SimulationJson<'_> {
    SimulationJson {
        schema: "stet.simulation/1",
        experiment: sheet.name,
        question: &sheet.question,
        seed: sheet.seed,
        settings: sheet.settings.iter().map(|(name, value)| SettingJson { name, value }).collect(),
        tables: sheet.tables.iter().map(table).collect(),
        plot: PlotJson {
            title: &sheet.plot.title,
            x: axis(&sheet.plot.x),
            y: axis(&sheet.plot.y),
            lines: sheet.plot.lines.iter().map(line).collect(),
        },
        reading: &sheet.reading,
        assumed: &sheet.assumed,
    }
}

fn table(table: &Table) -> TableJson<'_> {
    TableJson { title: &table.title, rows: table.rows.iter().map(row).collect() }
}

fn row(row: &Row) -> RowJson<'_> {
    let unit = row.unit.name();
    RowJson { what: &row.what, unit, published: row.published, ours: row.ours, difference: row.difference() }
}

fn axis(axis: &Axis) -> AxisJson<'_> {
    let unit = match axis.scale {
        Scale::Plain => "count",
        Scale::Percent => "share",
    };
    AxisJson { label: &axis.label, unit, from: axis.from, to: axis.to }
}

fn line(line: &Line) -> LineJson<'_> {
    let points = line.points.iter().map(|(x, y)| [*x, *y]).collect();
    LineJson { name: &line.name, points, band: line.band.iter().map(|(x, low, high)| [*x, *low, *high]).collect() }
}
