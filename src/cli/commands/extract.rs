//! `stet extract`: what the extractor sees in a text.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Range;

use anyhow::{Context, Result};

use crate::cli::args::{Extract, Format};
use crate::cli::json::{Item, line};
use crate::cli::print::{self, Out, Text};
use crate::cli::{Outcome, text};
use crate::workbench::{Extracted, Kind, Seen, Texts, extracting};

pub(super) fn extract(wanted: &Extract) -> Result<Outcome> {
    let name = wanted.file.as_ref().map_or_else(|| "stdin".to_owned(), |path| path.display().to_string());
    let opened: Box<dyn Read> = match &wanted.file {
        Some(path) => Box::new(File::open(path).with_context(|| format!("cannot read {name}"))?),
        None => Box::new(io::stdin().lock()),
    };
    let mut reader = BufReader::with_capacity(64 * 1024, opened);
    let mut out = Out::new(Text::Safe);
    let texts = if wanted.lines { Texts::Lines } else { Texts::Whole };
    let garbled = extracting(&mut reader, texts, &mut |seen| match wanted.format {
        Format::Json => {
            let mut told = line(&Item::of(&seen))?;
            told.push('\n');
            Ok(out.exact(&told)?)
        }
        Format::Text => Ok(out.line(&told(&seen))?),
    })
    .with_context(|| format!("cannot extract from {name}"))?;
    out.flush()?;
    if garbled > 0 {
        let count = text::count(garbled, "text holds", "texts hold");
        print::note(&format!("{name}: {count} bytes that are no UTF-8; each is read as the sign \u{fffd}"));
    }
    Ok(Outcome::Fine)
}

fn told(seen: &Seen<'_>) -> String {
    match seen {
        Seen::Item { text, from, line, item } => one(text, item, *from, *line),
        Seen::NotAnalysed { kind, why, line } => format!("{}{:<20} {why}", at_line(*line), kind.name()),
    }
}

/// `3: `; nothing where lines are no texts of their own.
fn at_line(no: Option<u64>) -> String {
    no.map_or_else(String::new, |no| format!("{no}: "))
}

/// `negation  12–31  it was «not» the cache`
fn one(text: &str, item: &Extracted, from: usize, no: Option<u64>) -> String {
    let mut told = at_line(no);
    let class = item.class.map_or_else(String::new, |class| format!(" {class}"));
    let range = format!("{}–{}", item.range.start + from, item.range.end + from);
    // Writing to a string cannot fail.
    let _ = write!(told, "{:<20} {range:<11} {}", format!("{}{class}", item.kind.name()), marked(text, item));
    let figure = item.figure.iter().flat_map(|figure| [("label", &figure.label), ("unit", &figure.unit)]);
    for (name, value) in figure.filter(|(_, value)| !value.is_empty()) {
        let _ = write!(told, " · {name} {value}");
    }
    if let Some(evidence) = item.evidence.clone().and_then(|evidence| text.get(evidence)) {
        let _ = write!(told, " · evidence: {evidence}");
    }
    if item.negated && item.kind != Kind::Negation {
        told.push_str(" · negated");
    }
    if item.certainty.level() < 6 {
        let _ = write!(told, " · certainty {}", item.certainty.level());
    }
    told
}

/// The words of an item with its cue between «».
fn marked(text: &str, item: &Extracted) -> String {
    let part = |range: Range<usize>| text.get(range).unwrap_or_default();
    let Some(cue) = &item.cue else { return part(item.range.clone()).to_owned() };
    let whole = item.range.start.min(cue.start)..item.range.end.max(cue.end);
    format!("{}«{}»{}", part(whole.start..cue.start), part(cue.clone()), part(cue.end..whole.end))
}
