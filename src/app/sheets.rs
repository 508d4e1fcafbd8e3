//! Prompts as sheets over the lower edge of the screen.

use super::known::{choice_key, choice_words};
use super::layer::Layer;
use super::{State, correct, prompts};
use crate::record::Outcome;
use crate::text::{Shown, cut, width};
use crate::view::{Area, Picture, Row, Run, Tone, unmarked, wrapped};

/// A sheet's rows, and where in them a person types.
struct Sheet {
    title: String,
    rows: Vec<Row>,
    caret: Option<(usize, usize)>,
}

/// Paints what a prompt asks, above the row `foot`.
pub(super) fn paint(state: &State, layer: &Layer, foot: u16, picture: &mut Picture) {
    let cells = usize::from(state.width).saturating_sub(7).clamp(8, 100);
    let sheet = match layer {
        Layer::Menu { selected, at } => menu(state, *selected, *at, cells),
        Layer::Settle { selected, ways, at, outcome } => {
            let Some((_, item)) = state.known.item(*selected) else { return };
            settle(state, &item.text, ways, *at, *outcome, cells)
        }
        Layer::Reword { edit, failed, settled, .. } => reword(state, edit, failed.as_deref(), *settled, cells),
        Layer::Search(edit) => {
            let row = Row::of([Run::new("   / ", Tone::Accent), Run::text(edit.text())]);
            Sheet { title: "Search".into(), rows: vec![row], caret: Some((5 + width(&Shown::line(edit.before())), 0)) }
        }
        Layer::Palette { edit, at } => palette(state, edit, *at, cells),
        Layer::Quit => Sheet {
            title: "Leave?".into(),
            rows: vec![Row::of([
                Run::text("   What you typed is not saved.   "),
                Run::new("y", Tone::Accent),
                Run::text(" leave   "),
                Run::new("n", Tone::Accent),
                Run::text(" stay"),
            ])],
            caret: None,
        },
        Layer::Help { edit, typing: true, .. } => {
            picture.caret = Some((((10 + width(&Shown::line(edit.before()))) as u16).min(state.width - 1), 0));
            return;
        }
        Layer::Help { .. }
        | Layer::Ledger { .. }
        | Layer::Raw { .. }
        | Layer::Region { .. }
        | Layer::Troubles { .. }
        | Layer::Findings(_)
        | Layer::Lineage(_)
        | Layer::Window(_)
        | Layer::Outline(_) => return,
    };
    let room = usize::from(foot).saturating_sub(2).max(1);
    let mut rows = vec![
        Row::of([
            Run::new(&format!(" {0}{0} ", state.settings.signs.light), Tone::Accent),
            Run::new(&format!("{} ", sheet.title), Tone::Heading),
        ])
        .fill(state.settings.signs.light),
        Row::blank(),
    ];
    let lead = rows.len();
    // A long sheet is scrolled so that the caret, or the chosen row, is on it.
    let wanted = sheet.caret.map(|(_, row)| row).or_else(|| sheet.rows.iter().position(|row| row.selected));
    let space = room.saturating_sub(lead + 1).max(1);
    let skip = wanted.map_or(0, |row| (row + 1).saturating_sub(space));
    rows.extend(sheet.rows.into_iter().skip(skip).take(space));
    rows.push(Row::blank());
    let height = rows.len().min(usize::from(foot)) as u16;
    let y = foot - height;
    if let Some((column, row)) = sheet.caret {
        let row = y + (lead + row - skip) as u16;
        picture.caret = Some(((column as u16).min(state.width - 1), row.min(foot.saturating_sub(1))));
    }
    picture.areas.push(Area { x: 0, y, width: state.width, height, rows });
}

fn menu(state: &State, selected: super::known::Selected, at: usize, cells: usize) -> Sheet {
    let mut rows = Vec::new();
    let Some((_, item)) = state.known.item(selected) else {
        return Sheet { title: String::new(), rows, caret: None };
    };
    for (nth, choice) in correct::ways(state, selected).iter().enumerate() {
        let words = choice_words(item.field, *choice, !item.sources.is_empty());
        let row = Row::of([
            Run::text("   "),
            Run::new(&choice_key(*choice).to_string(), Tone::Accent),
            Run { text: cut(&Shown::line(&format!("  {words}")), cells), ..Run::text("") },
        ]);
        rows.push(if nth == at { state.with_cursor(row) } else { row });
    }
    let words = unmarked(&item.text).split_whitespace().collect::<Vec<_>>().join(" ");
    let name = state.known.name(selected);
    let title = cut(&Shown::line(&format!("{name}  {words}")), cells.saturating_sub(4));
    Sheet { title: title.as_str().to_owned(), rows, caret: None }
}

/// The ways in which an open item may have ended, with the chosen one.
fn outcomes(chosen: Outcome) -> Row {
    let mut how = vec![Run::text("   it was   ")];
    for other in Outcome::ALL {
        let name = match other {
            Outcome::Decided => "decided",
            Outcome::RuledOut => "ruled out",
            Outcome::Done => "done",
        };
        let chosen = *other == chosen;
        let text = if chosen { format!("[{name}]") } else { format!(" {name} ") };
        how.push(Run::new(&text, if chosen { Tone::Accent } else { Tone::Dim }));
        how.push(Run::text("  "));
    }
    Row::of(how)
}

fn settle(
    state: &State,
    open: &str,
    ways: &[crate::record::Settlement],
    at: usize,
    outcome: Outcome,
    cells: usize,
) -> Sheet {
    let signs = state.settings.signs;
    let (quote, unquote) = signs.quotes;
    let words = open.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = cut(&Shown::line(&format!("Settled: {words}")), cells.saturating_sub(4));
    let mut rows = vec![outcomes(outcome), Row::blank()];
    for (nth, way) in ways.iter().enumerate() {
        let turn = way.source.as_ref().map_or_else(|| "no turn".to_owned(), |source| format!("t{}", source.turn));
        let text = match &way.source {
            Some(_) => {
                format!("{quote}{}{unquote}", unmarked(&way.text).split_whitespace().collect::<Vec<_>>().join(" "))
            }
            None => "this record does not say by what".to_owned(),
        };
        let text = cut(&Shown::line(&text), cells.saturating_sub(14));
        let row = Row::of([Run::text("   "), Run::dim(&format!("{turn:<9}")), Run { text, ..Run::text("") }]);
        rows.push(if nth == at { state.with_cursor(row) } else { row });
    }
    Sheet { title: title.as_str().to_owned(), rows, caret: None }
}

fn reword(
    state: &State,
    edit: &super::edit::Edit,
    failed: Option<&str>,
    settled: Option<Outcome>,
    cells: usize,
) -> Sheet {
    let mut rows: Vec<Row> = wrapped(edit.text(), cells, Tone::Text);
    // A caret after a space at a break stands at the end of that row.
    let before = wrapped(edit.before(), cells, Tone::Text);
    let row = before.len().saturating_sub(1);
    let column = before.last().map_or(0, Row::width);
    for row in &mut rows {
        row.runs.insert(0, Run::text("   "));
    }
    if let Some(why) = failed {
        rows.push(Row::blank());
        for mut row in wrapped(&format!("not saved: {why}"), cells, Tone::Warning) {
            row.runs.insert(0, Run::text("   "));
            rows.push(row);
        }
    }
    let title = if prompts::waits(state) {
        format!("Reword: saving{}", state.settings.signs.more)
    } else if settled.is_some() {
        "Settled: type the answer".to_owned()
    } else {
        "Reword".to_owned()
    };
    let mut row = row;
    if let Some(outcome) = settled {
        rows.splice(0..0, [outcomes(outcome), Row::blank()]);
        row += 2;
    }
    Sheet { title, rows, caret: Some((3 + column.min(cells), row)) }
}

fn palette(state: &State, edit: &super::edit::Edit, at: usize, cells: usize) -> Sheet {
    let mut rows = vec![Row::of([Run::new("   : ", Tone::Accent), Run::text(edit.text())]), Row::blank()];
    let most = prompts::palette_rows(state);
    let found = prompts::palette(state, edit.text());
    let skip = (at + 1).saturating_sub(most);
    for (nth, spec) in found.iter().enumerate().skip(skip).take(most) {
        let key = state.keymap.key(spec.command).unwrap_or_default();
        let beside = 3 + 18 + if key.is_empty() { 0 } else { width(&Shown::line(&key)) + 2 };
        let sentence = cut(&Shown::line(spec.sentence), (cells + 3).saturating_sub(beside));
        let row = Row::of([
            Run::text("   "),
            Run::new(&format!("{:<18}", spec.name), Tone::Strong),
            Run { text: sentence, ..Run::dim("") },
        ])
        .right(Run::new(&key, Tone::Accent))
        .measure(cells + 3);
        rows.push(if nth == at { state.with_cursor(row) } else { row });
    }
    if found.is_empty() {
        rows.push(Row::of([Run::dim("   no command has these words")]));
    }
    Sheet { title: "Commands".into(), rows, caret: Some((5 + width(&Shown::line(edit.before())), 0)) }
}
