//! `stet simulate`: an experiment as a table, a plot, and what was assumed.

use anyhow::{Context, Result};
use indicatif::ProgressBar;

use crate::cli::args::{Format, Simulate};
use crate::cli::print::{self, Colour, Out, Text, columns};
use crate::cli::{Outcome, json};
use crate::simulate::{Sheet, Table, Width, arms, drift, hedges, inversion, survival, svg, terminal, triggers};

pub(super) fn simulate(wanted: &Simulate) -> Result<Outcome> {
    let showing = wanted.showing();
    let bar = steps(wanted).map(|steps| print::progress_of_sessions(steps, "drawing"));
    let sheet = sheet(wanted, &mut || bar.iter().for_each(|bar| bar.inc(1)));
    bar.iter().for_each(ProgressBar::finish_and_clear);
    if let Some(path) = &showing.svg {
        std::fs::write(path, svg(&sheet.plot))
            .with_context(|| format!("cannot write the plot to {}", path.display()))?;
    }
    let mut out = Out::new(Text::Safe);
    match showing.format {
        Format::Json => out.exact(&format!("{}\n", json::line(&json::simulation(&sheet))?))?,
        Format::Text => tell(&mut out, &sheet)?,
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

/// How many steps an experiment says; `None` where it is over at once, whatever its settings are.
fn steps(wanted: &Simulate) -> Option<u64> {
    match wanted {
        Simulate::Inversion(wanted) => Some(inversion::steps(wanted.runs)),
        Simulate::Triggers(wanted) => Some(triggers::steps(wanted.runs)),
        Simulate::Survival(_) | Simulate::Drift(_) | Simulate::Hedges(_) | Simulate::Arms(_) => None,
    }
}

fn sheet(wanted: &Simulate, step: &mut dyn FnMut()) -> Sheet {
    let seed = wanted.showing().seed;
    match wanted {
        Simulate::Survival(wanted) => {
            let windows = if wanted.window.is_empty() { survival::WINDOWS.to_vec() } else { wanted.window.clone() };
            let (loss, runs, profile) = (wanted.loss, wanted.runs, wanted.profile);
            survival::experiment(&survival::Settings { loss, windows, runs, profile, seed })
        }
        Simulate::Drift(wanted) => drift::experiment(drift::Settings { runs: wanted.runs, seed }),
        Simulate::Hedges(wanted) => hedges::experiment(hedges::Settings { items: wanted.items, seed }),
        Simulate::Inversion(wanted) => {
            let (items, passes, runs) = (wanted.items, wanted.passes, wanted.runs);
            inversion::experiment(inversion::Settings { items, passes, runs, seed }, step)
        }
        Simulate::Triggers(wanted) => {
            triggers::experiment(triggers::Settings { runs: wanted.runs, thread: wanted.thread, seed }, step)
        }
        Simulate::Arms(wanted) => {
            let (items, passes, loss, pinned, every) =
                (wanted.items, wanted.passes, wanted.loss, wanted.pinned, wanted.every);
            arms::experiment(arms::Settings { items, passes, loss, pinned, every, seed })
        }
    }
}

/// The narrowest text that is not broken further.
const NARROW: usize = 48;

fn tell(out: &mut Out, sheet: &Sheet) -> Result<()> {
    let width = columns();
    let paragraph = |out: &mut Out, text: &str| out.wrapped(text, "", width.max(NARROW));
    paragraph(out, &sheet.question)?;
    let settings = sheet.settings.iter().map(|(name, value)| format!("{name} {value}"));
    let settings: Vec<String> = settings.chain([format!("seed {}", sheet.seed)]).collect();
    paragraph(out, &settings.join(" · "))?;
    for table in &sheet.tables {
        out.line("")?;
        rows(out, table)?;
    }
    out.line("")?;
    let colour = Colour::of_stdout();
    for row in terminal(&sheet.plot, Width(width)) {
        out.coloured(row.iter().map(|run| (run.text.as_str(), run.line)), colour)?;
    }
    out.line("")?;
    for told in &sheet.reading {
        paragraph(out, told)?;
    }
    out.line("")?;
    out.line("assumed:")?;
    for told in &sheet.assumed {
        out.wrapped(told, "- ", width.max(NARROW))?;
    }
    Ok(())
}

fn rows(out: &mut Out, table: &Table) -> Result<()> {
    let wide = |cells: &mut dyn Iterator<Item = String>| cells.map(|cell| cell.chars().count()).max().unwrap_or(0);
    let told =
        |number: Option<f64>, row: &crate::simulate::Row| number.map_or("–".to_owned(), |it| row.unit.tell(it));
    let what = wide(&mut table.rows.iter().map(|row| row.what.clone()));
    let ours = wide(&mut table.rows.iter().map(|row| row.unit.tell(row.ours))).max("ours".len());
    // Where nothing of a table was published, two columns less are to be read.
    let known = table.rows.iter().any(|row| row.published.is_some());
    let published = wide(&mut table.rows.iter().map(|row| told(row.published, row))).max("published".len());
    out.line(&table.title)?;
    if known {
        out.line(&format!("  {:<what$}  {:>published$}  {:>ours$}  difference", "", "published", "ours"))?;
    }
    for row in &table.rows {
        let here = row.unit.tell(row.ours);
        let line = if known {
            let published_one = told(row.published, row);
            format!("  {:<what$}  {published_one:>published$}  {here:>ours$}  {}", row.what, row.told_difference())
        } else {
            format!("  {:<what$}  {here:>ours$}", row.what)
        };
        out.line(line.trim_end())?;
    }
    Ok(())
}
