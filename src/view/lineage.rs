//! One claim through its generations: what was said, and how each record tells it.

use super::evidence::word;
use super::{Row, Run, Signs, Tone, prose, wrapped};
use crate::record::{Generation, Lineage};

/// Rows of a lineage, each with the generation that it belongs to; `None` for what belongs to none.
pub type LineageRows = Vec<(Row, Option<usize>)>;

/// Steps of certainty.
const STEPS: usize = 7;
/// Cells for what is said against the original, and against the generation before.
const AGAINST: usize = 34;
const BEFORE: usize = 24;

/// All rows. `names` gives a generation's name: `m4.d2`.
pub fn lineage_rows(of: &Lineage, names: &dyn Fn(&Generation) -> String, cells: usize, signs: &Signs) -> LineageRows {
    let mut rows: LineageRows = vec![(Row::blank(), None)];
    if of.generations.is_empty() {
        let text = "no record and no turn holds this claim";
        rows.push((Row::of([Run::dim(&format!("   {text}"))]), None));
        return rows;
    }
    let wide = cells >= 96;
    if wide {
        let head = Row::of([Run::text("   ")])
            .right(Run::dim(&format!("{:<AGAINST$}{:<BEFORE$}", "against the original", "against the one before")));
        rows.push((head.measure(cells), None));
    }
    let first = of.first_change();
    let original = of.generations.first().is_some_and(|first| first.marker.is_none());
    let sure = of.generations.first().and_then(|first| first.certainty);
    for (at, one) in of.generations.iter().enumerate() {
        let lost = one.certainty.is_none();
        let mut runs = vec![Run::text("   "), Run::new(&format!("{:<9}", names(one)), Tone::Strong)];
        match one.certainty {
            Some(level) => {
                runs.push(Run::text(&gauge(level, signs)));
                runs.push(Run::text(&format!(" {:<10}", certainty(level))));
                runs.push(Run::new(if one.negated { " denied" } else { "" }, Tone::Strong));
            }
            None => runs.push(Run::new("forgotten here", Tone::Warning)),
        }
        let verdict = one.verdict.filter(|_| !lost).map_or_else(String::new, |verdict| format!("  {}", word(verdict)));
        let mut row = Row::of(runs);
        let against = match one.told(sure) {
            _ if at == 0 && one.marker.is_none() => ("as it was said".to_owned(), Tone::Dim),
            Some(told) if Some(at) == first => (format!("first change: {told}"), Tone::Warning),
            Some(told) if one.changed.is_some() || one.differs.is_none() => (told.to_owned(), Tone::Warning),
            Some(told) => (told.to_owned(), Tone::Dim),
            None if !original => ("no original found".to_owned(), Tone::Dim),
            None => ("no change found".to_owned(), Tone::Dim),
        };
        let before = match one.pairwise {
            Some(change) => {
                let before = of.generations[..at].iter().rev().find_map(|other| other.certainty);
                (one.word(change, before).to_owned(), Tone::Warning)
            }
            None if at == 0 => (String::new(), Tone::Dim),
            None => ("nothing".to_owned(), Tone::Dim),
        };
        if wide {
            let columns = [(against, AGAINST), (before, BEFORE)];
            if row.width() + verdict.chars().count() + 2 + AGAINST + BEFORE <= cells {
                row.runs.push(Run::dim(&verdict));
            }
            for ((text, tone), cells) in columns {
                row = row.right(Run::new(&format!("{text:<cells$}"), tone));
            }
            rows.push((row.measure(cells), Some(at)));
        } else {
            if row.width() + verdict.chars().count() < cells {
                row.runs.push(Run::dim(&verdict));
            }
            rows.push((row, Some(at)));
            let mut told = vec![Run::text("     "), Run::dim("original: "), Run::new(&against.0, against.1)];
            let beside = [Run::dim("   before: "), Run::new(&before.0, before.1)];
            let used = told.iter().chain(&beside).map(Run::width).sum::<usize>();
            if at > 0 && used <= cells {
                told.extend(beside);
            } else if at > 0 {
                rows.push((Row::of(std::mem::take(&mut told)), Some(at)));
                told = vec![Run::dim("     before:   "), Run::new(&before.0, before.1)];
            }
            rows.push((Row::of(told), Some(at)));
        }
        if !one.text.is_empty() {
            rows.extend(quoted(one, cells, signs).into_iter().map(|row| (row, Some(at))));
        }
        rows.push((Row::blank(), None));
    }
    rows
}

/// The wording, with the words that decide marked.
fn quoted(one: &Generation, cells: usize, signs: &Signs) -> Vec<Row> {
    let (open, close) = signs.quotes;
    let parts = super::evidence::parted(&one.text, &one.decisive);
    let mut pieces = vec![(open, Tone::Dim)];
    pieces.extend(parts.iter().map(|(text, tone)| (text.as_str(), *tone)));
    pieces.push((close, Tone::Dim));
    prose::flowed(&pieces, cells.saturating_sub(4).clamp(8, 104), "     ", "      ")
}

/// Seven cells, filled up to the step.
fn gauge(level: u8, signs: &Signs) -> String {
    let (empty, full) = (signs.levels[0], signs.levels[5]);
    (0..STEPS).map(|step| if step <= usize::from(level) { full } else { empty }).collect()
}

/// A step of certainty in a word.
fn certainty(level: u8) -> &'static str {
    match level {
        0 => "asked",
        1 => "if",
        2 => "possible",
        3 => "believed",
        4 => "proposed",
        5 => "wanted",
        _ => "decided",
    }
}

/// What the screen is about, said below it.
pub fn lineage_help(cells: usize) -> Vec<Row> {
    let text = "The bar goes from asked to decided. A change is counted against the original; the last column says what \
                a look at the summary before alone would have shown.";
    let mut rows = wrapped(text, cells.saturating_sub(6).clamp(8, 100), Tone::Dim);
    for row in &mut rows {
        row.runs.insert(0, Run::text("   "));
    }
    rows
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::record::{Change, FindingKind};

    #[test]
    fn what_is_said_of_a_generation_leaves_room_before_what_stands_beside_it() {
        let original = Generation { certainty: Some(6), text: "The ceiling is 7.".to_owned(), ..Generation::default() };
        for found in [None, Some(FindingKind::Inverted), Some(FindingKind::Misattributed)] {
            for changed in
                [None, Some(Change::Certainty), Some(Change::Polarity), Some(Change::Value), Some(Change::Lost)]
            {
                let later =
                    Generation { marker: Some(2), item: Some(0), changed, differs: changed, found, ..original.clone() };
                let lineage = Lineage { text: String::new(), generations: vec![original.clone(), later] };
                for cells in 96..130 {
                    let rows = lineage_rows(&lineage, &|_| "m2.n12".to_owned(), cells, &Signs::UNICODE);
                    let row = rows.iter().map(|(row, _)| row).find(|row| row.plain().contains("nothing")).unwrap();
                    assert!(row.plain().contains("  nothing"), "{}", row.plain());
                    let right: usize = row.right.iter().map(Run::width).sum();
                    assert!(row.width() + right < cells, "{cells}: {}", row.plain());
                }
            }
        }
    }
}
