//! A picture as SVG: no script, no font of its own, light or dark as the reader's screen is.

use std::fmt::Write as _;

use super::{Line, Plot, Stroke};

const SIZE: (f64, f64) = (760.0, 440.0);
/// The plane: left, top, right, foot. The legend stands below it.
const LEFT: f64 = 74.0;
const TOP: f64 = 62.0;
const RIGHT: f64 = 736.0;
const FOOT: f64 = 330.0;
/// The legend's first line, and the step to the next.
const LEGEND: (f64, f64) = (398.0, 22.0);
/// Ink, quiet ink, paper, grid, and the lines' colours, light and dark. The colours are told apart by the colour-blind too.
const LIGHT: ([&str; 4], [&str; 6]) =
    (["#1f2328", "#59636e", "#ffffff", "#d8dee4"], ["#0b62a8", "#b3470a", "#0a7d5c", "#8c2f86", "#6b5900", "#59636e"]);
const DARK: ([&str; 4], [&str; 6]) =
    (["#e6edf3", "#9aa4af", "#0d1117", "#30363d"], ["#58b0ff", "#ff9d5c", "#3fd1a0", "#e08bd9", "#e3c94a", "#9aa4af"]);

/// The picture as an SVG document.
pub fn svg(plot: &Plot) -> String {
    let rows = plot.lines.len().div_ceil(2) as f64;
    let height = SIZE.1.max(LEGEND.0 + rows * LEGEND.1);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0} {height:.0}\" role=\"img\" \
         font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif\" font-size=\"14\">\n\
         <title>{}</title>\n<style>\n{}@media (prefers-color-scheme: dark) {{\n{}}}\n</style>\n\
         <rect class=\"paper\" width=\"100%\" height=\"100%\" rx=\"8\"/>\n",
        SIZE.0,
        escaped(&plot.title),
        rules(LIGHT),
        rules(DARK)
    );
    text(&mut out, (LEFT, 26.0), "start", "ink title", &plot.title);
    text(&mut out, (LEFT, 48.0), "start", "quiet", &plot.y.label);
    axes(&mut out, plot);
    // Marks that stand alone, which others measured, stay above what they are compared with.
    let (points, drawn): (Vec<_>, Vec<_>) =
        plot.lines.iter().enumerate().partition(|(_, line)| line.stroke == Stroke::Points);
    for (no, line) in drawn.into_iter().rev().chain(points) {
        draw(&mut out, plot, line, no);
    }
    for (no, line) in plot.lines.iter().enumerate() {
        let column = if no % 2 == 0 { LEFT } else { f64::midpoint(LEFT, RIGHT) };
        legend(&mut out, line, no, (column, LEGEND.0 + (no / 2) as f64 * LEGEND.1));
    }
    out + "</svg>\n"
}

fn rules(([ink, quiet, paper, grid], lines): ([&str; 4], [&str; 6])) -> String {
    let mut rules = format!(
        ".ink {{ fill: {ink} }} .title {{ font-weight: 600; font-size: 16px }} .quiet {{ fill: {quiet} }}\n\
         .paper {{ fill: {paper} }} .grid {{ stroke: {grid}; stroke-width: 1 }} .axis {{ stroke: {quiet}; stroke-width: 1.2 }}\n"
    );
    for (no, colour) in lines.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(
            rules,
            ".l{no} {{ stroke: {colour}; fill: none; stroke-width: 2.2 }} .m{no} {{ fill: {colour}; stroke: {paper}; \
             stroke-width: 1.2 }} .h{no} {{ fill: none; stroke: {colour}; stroke-width: 2 }} .b{no} {{ fill: {colour}; opacity: .16 }}"
        );
    }
    rules
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn text(out: &mut String, (x, y): (f64, f64), anchor: &str, class: &str, words: &str) {
    let words = escaped(words);
    let _ = writeln!(out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>");
}

/// Where a point is.
fn place(plot: &Plot, (x, y): (f64, f64)) -> (f64, f64) {
    (LEFT + plot.x.along(x) * (RIGHT - LEFT), FOOT - plot.y.along(y) * (FOOT - TOP))
}

fn axes(out: &mut String, plot: &Plot) {
    for tick in &plot.y.ticks {
        let y = place(plot, (plot.x.from, *tick)).1;
        let _ = writeln!(out, "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{RIGHT}\" y2=\"{y:.1}\"/>");
        text(out, (LEFT - 10.0, y + 5.0), "end", "quiet", &plot.y.tell(*tick));
    }
    let _ = writeln!(out, "<path class=\"axis\" d=\"M{LEFT} {TOP}V{FOOT}H{RIGHT}\" fill=\"none\"/>");
    for tick in &plot.x.ticks {
        let x = place(plot, (*tick, plot.y.from)).0;
        let _ = writeln!(out, "<line class=\"axis\" x1=\"{x:.1}\" y1=\"{FOOT}\" x2=\"{x:.1}\" y2=\"{}\"/>", FOOT + 5.0);
        text(out, (x, FOOT + 21.0), "middle", "quiet", &plot.x.tell(*tick));
    }
    text(out, (f64::midpoint(LEFT, RIGHT), FOOT + 42.0), "middle", "quiet", &plot.x.label);
}

fn path(corners: impl Iterator<Item = (f64, f64)>) -> String {
    let mut path = String::new();
    for (at, (x, y)) in corners.enumerate() {
        let _ = write!(path, "{}{x:.1} {y:.1}", if at == 0 { 'M' } else { 'L' });
    }
    path
}

fn draw(out: &mut String, plot: &Plot, line: &Line, no: usize) {
    let style = no % LIGHT.1.len();
    if !line.band.is_empty() {
        // As the line goes: a step holds its band up to the next point.
        let edge = |of: fn(&(f64, f64, f64)) -> f64| {
            let points = line.band.iter().map(|band| (band.0, of(band))).collect();
            Line::new("", line.stroke, points).corners()
        };
        let around = edge(|band| band.2).into_iter().chain(edge(|band| band.1).into_iter().rev());
        let _ = writeln!(out, "<path class=\"b{style}\" d=\"{}Z\"/>", path(around.map(|point| place(plot, point))));
    }
    let corners = line.corners();
    if !corners.is_empty() {
        let dash = dash(line);
        let path = path(corners.into_iter().map(|corner| place(plot, corner)));
        let _ = writeln!(out, "<path class=\"l{style}\"{dash} d=\"{path}\"/>");
    }
    if line.has_marks() {
        line.points.iter().for_each(|point| mark(out, line, no, place(plot, *point)));
    }
}

fn dash(line: &Line) -> &'static str {
    match line.stroke {
        Stroke::Dashed => " stroke-dasharray=\"7 5\"",
        Stroke::Marked | Stroke::Points | Stroke::Steps => "",
    }
}

/// A mark in the form that belongs to a line: circle, lozenge, triangle, square, cross; hollow and larger where marks
/// stand alone, so that both are seen where they agree.
fn mark(out: &mut String, line: &Line, no: usize, (x, y): (f64, f64)) {
    let (class, size) = if line.stroke == Stroke::Points { ('h', 6.6) } else { ('m', 4.6) };
    let class = format!("class=\"{class}{}\"", no % LIGHT.1.len());
    let _ = match no % 5 {
        0 => writeln!(out, "<circle {class} cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{size}\"/>"),
        1 => {
            let r = size * 1.25;
            writeln!(out, "<path {class} d=\"M{x:.1} {:.1}l{r:.1} {r:.1}l-{r:.1} {r:.1}l-{r:.1} -{r:.1}Z\"/>", y - r)
        }
        2 => {
            let (top, half, tall) = (y - size * 1.3, size * 1.25, size * 2.1);
            let width = half * 2.0;
            writeln!(out, "<path {class} d=\"M{x:.1} {top:.1}l{half:.1} {tall:.1}h-{width:.1}Z\"/>")
        }
        3 => {
            let (left, top, side) = (x - size, y - size, size * 2.0);
            writeln!(out, "<rect {class} x=\"{left:.1}\" y=\"{top:.1}\" width=\"{side}\" height=\"{side}\"/>")
        }
        _ => {
            let (left, right, top, foot) = (x - size, x + size, y - size, y + size);
            // Strokes alone: a cross has no inside to fill.
            let class = format!("class=\"h{}\"", no % LIGHT.1.len());
            let cross = format!("M{left:.1} {top:.1}L{right:.1} {foot:.1}M{left:.1} {foot:.1}L{right:.1} {top:.1}");
            writeln!(out, "<path {class} d=\"{cross}\"/>")
        }
    };
}

fn legend(out: &mut String, line: &Line, no: usize, (x, y): (f64, f64)) {
    let style = no % LIGHT.1.len();
    if !line.band.is_empty() {
        let _ =
            writeln!(out, "<rect class=\"b{style}\" x=\"{x:.1}\" y=\"{:.1}\" width=\"34\" height=\"14\"/>", y - 12.0);
    }
    if line.stroke != Stroke::Points {
        let (y, to, dash) = (y - 5.0, x + 34.0, dash(line));
        let _ = writeln!(out, "<path class=\"l{style}\"{dash} d=\"M{x:.1} {y:.1}H{to:.1}\"/>");
    }
    if line.has_marks() {
        mark(out, line, no, (x + 17.0, y - 5.0));
    }
    let band = if line.band.is_empty() { "" } else { ", 95 % band" };
    text(out, (x + 44.0, y), "start", "ink", &format!("{}{band}", line.name));
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Line, Plot, Stroke};
    use super::svg;

    #[test]
    fn a_picture_is_whole_without_scripts_and_in_both_lights() {
        let mut steps = Line::new("a < b & \"c\"", Stroke::Steps, vec![(0.0, 1.0), (4.0, 0.2)]);
        steps.band = vec![(0.0, 1.0, 1.0), (4.0, 0.1, 0.3)];
        let lines = vec![steps, Line::new("model", Stroke::Dashed, vec![(0.0, 1.0), (4.0, 0.0)])];
        let drawn = svg(&Plot { title: "t".into(), x: Axis::counted("x", 4, 2), y: Axis::share("y"), lines });
        assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
        assert!(drawn.contains("prefers-color-scheme: dark") && !drawn.contains("<script") && !drawn.contains("NaN"));
        assert!(drawn.contains("a &lt; b &amp; &quot;c&quot;, 95 % band"));
        for (tag, count) in [("<circle", 3), ("stroke-dasharray", 2), ("class=\"b0\"", 2)] {
            assert_eq!(drawn.matches(tag).count(), count, "{tag}");
        }
    }
}
