//! The evidence of one item: the claim, the original words beside it, and what can be done.

use super::{Row, Run, Signs, Tone, Zone, unmarked, wrapped};
use crate::record::{Field, Item, LedgerEntry, Verdict};
use crate::session::{SourceRef, Speaker};
use crate::text::find;

/// The words around a source, as they were read from the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Original {
    /// The sentence or line that holds the quote.
    pub text: String,
    /// Where in that text the quote stands.
    pub range: (usize, usize),
    /// When it was said.
    pub at: Option<i64>,
}

/// What is known of an item.
#[expect(clippy::struct_excessive_bools, reason = "each answers a question of its own")]
pub struct Evidence<'a> {
    /// `m1.d2`.
    pub name: String,
    /// The item.
    pub item: &'a Item,
    /// The entry that overrules it.
    pub corrected_by: Option<&'a LedgerEntry>,
    /// A person marked it as right.
    pub reviewed: bool,
    /// `None` while it is being read.
    pub original: Option<&'a Original>,
    /// Sources are still being looked for.
    pub partial: bool,
    /// What `x` would do.
    pub fix: &'a str,
    /// Turns that its marker reaches are not in the file.
    pub beginning_missing: bool,
    /// It is shown before its item is selected: what can be done with it is not said yet.
    pub preview: bool,
}

/// Its rows within these cells, without what can be done with it.
pub fn evidence(of: &Evidence<'_>, cells: usize, signs: &Signs, zone: &Zone) -> Vec<Row> {
    let mut page = Page { cells: cells.max(8), signs, rows: Vec::new() };
    let verdict = if of.corrected_by.is_some() { "corrected" } else { word(of.item.verdict) };
    let tone = match (of.corrected_by, of.item.verdict) {
        (Some(_), _) => Tone::Accent,
        (None, Verdict::Verified | Verdict::Unchecked) => Tone::Strong,
        (None, Verdict::Weak | Verdict::Unsupported | Verdict::Contested | Verdict::WrongTurn | Verdict::Laundered) => {
            Tone::Warning
        }
    };
    page.rows.push(Row::of([Run::new(verdict, tone)]).right(Run::dim(&of.name)).measure(page.cells));
    page.gap();
    page.head("the record says");
    let said = unmarked(&of.item.text);
    let decisive = of.item.sources.first().map(|source| unmarked(&source.quote));
    page.quoted(&said, decisive.and_then(|quote| find(&said, &quote).next()));
    page.gap();
    match of.item.sources.first() {
        Some(source) => original(source, of, zone, &mut page),
        None if of.partial => page.plain(&format!("reading the originals{}", signs.more), Tone::Dim),
        None => {
            page.plain("No turn could be tied to this.", Tone::Text);
            let why =
                if of.beginning_missing { MISSING } else { "Nothing in the turns it was made from has these words." };
            page.plain(why, Tone::Dim);
        }
    }
    if let Some(better) = &of.item.better {
        page.gap();
        page.plain(&format!("It stands in turn {} rather:", better.turn), Tone::Text);
        page.quoted(&better.quote, None);
    }
    why(of, &mut page);
    page.rows
}

/// What can be done with the item, in rows that stay in sight however long the rest is.
pub fn evidence_keys(of: &Evidence<'_>, cells: usize, signs: &Signs) -> Vec<Row> {
    let mut page = Page { cells: cells.max(8), signs, rows: Vec::new() };
    actions(of, &mut page);
    page.rows
}

/// The same in a few rows, for a terminal too narrow for a pane: they open below the item.
pub fn evidence_below(of: &Evidence<'_>, cells: usize, signs: &Signs, zone: &Zone) -> Vec<Row> {
    let before = format!("     {} ", signs.hang);
    let inner = cells.saturating_sub(before.chars().count() + 1).max(8);
    let mut page = Page { cells: inner, signs, rows: Vec::new() };
    let (open, close) = signs.quotes;
    let words = unmarked(&of.item.text).split_whitespace().collect::<Vec<_>>().join(" ");
    let repeats = of.item.sources.first().is_some_and(|source| source.quote == of.item.text);
    if !repeats && crate::text::width(&crate::text::Shown::line(&words)) > cells.saturating_sub(22) {
        page.plain(&words, Tone::Text);
    }
    match of.item.sources.first() {
        Some(source) => {
            let at = of.original.and_then(|original| original.at);
            let at = at.map_or_else(String::new, |at| format!(" {}", zone.clock(at)));
            let said = format!("t{} {}{at}  ", source.turn, speaker(source.speaker));
            let (text, range) = match of.original {
                Some(original) => (original.text.as_str(), original.range.0..original.range.1),
                None => (source.quote.as_str(), 0..source.quote.len()),
            };
            let (before, inside, after) = parted(text, Some(range));
            let pieces = [
                (said.as_str(), Tone::Dim),
                (open, Tone::Dim),
                (before.as_str(), Tone::Text),
                (inside.as_str(), Tone::Marked),
                (after.as_str(), Tone::Text),
                (close, Tone::Dim),
            ];
            page.rows.extend(super::prose::flowed(&pieces, inner, "", ""));
        }
        None if of.partial => page.plain(&format!("reading the originals{}", signs.more), Tone::Dim),
        None => page.plain(
            &format!(
                "No turn could be tied to this.{}",
                if of.beginning_missing { format!(" {MISSING}") } else { String::new() }
            ),
            Tone::Text,
        ),
    }
    let kept = page.rows.len();
    why(of, &mut page);
    page.rows = page
        .rows
        .into_iter()
        .enumerate()
        .filter(|(at, row)| *at < kept || !row.runs.is_empty())
        .map(|(_, row)| row)
        .collect();
    page.rows
        .into_iter()
        .map(|mut row| {
            row.runs.insert(0, Run::dim(&before));
            row.measure = 0;
            row
        })
        .collect()
}

/// Where it may have been said.
const MISSING: &str = "The beginning of this session is missing: it may have been said there.";

/// A text before, in and after a range, without its marks; all of it before where the range does not fit.
fn parted(text: &str, range: Option<std::ops::Range<usize>>) -> (String, String, String) {
    let parts =
        range.and_then(|range| Some((text.get(..range.start)?, text.get(range.clone())?, text.get(range.end..)?)));
    let (before, inside, after) = parts.unwrap_or((text, "", ""));
    (unmarked(before), unmarked(inside), unmarked(after))
}

fn original(source: &SourceRef, of: &Evidence<'_>, zone: &Zone, page: &mut Page<'_>) {
    let mut head = format!("turn {}, {}", source.turn, speaker(source.speaker));
    if let Some(at) = of.original.and_then(|original| original.at) {
        head = format!("{head}, {}", zone.clock(at));
    }
    page.head(&head);
    match of.original {
        Some(original) => page.quoted(&original.text, Some(original.range.0..original.range.1)),
        None => page.quoted(&source.quote, Some(0..source.quote.len())),
    }
    let others = of.item.sources.len() - 1;
    if others > 0 {
        let turns: Vec<_> = of.item.sources.iter().skip(1).take(6).map(|source| format!("t{}", source.turn)).collect();
        let more = if others > 6 { page.signs.more } else { "" };
        page.plain(&format!("also in {}{more}", turns.join(", ")), Tone::Dim);
    }
}

fn why(of: &Evidence<'_>, page: &mut Page<'_>) {
    page.gap();
    if let Some(entry) = of.corrected_by {
        page.plain(&format!("L{} by {}: {}", entry.no, entry.draft.author, super::ledger::says(entry)), Tone::Accent);
        let repeats =
            |text: &str| text == of.item.text || of.item.sources.first().is_some_and(|source| text == source.quote);
        if !entry.draft.text.is_empty() && !repeats(&entry.draft.text) {
            page.quoted(&entry.draft.text, None);
        }
        if let Some(reason) = &entry.draft.reason {
            page.plain(reason, Tone::Dim);
        }
        return;
    }
    match (&of.item.why, of.item.verdict) {
        (Some(why), Verdict::Unchecked) if why.starts_with("not checked") => page.plain("Not checked yet.", Tone::Text),
        (Some(why), Verdict::Unchecked) => page.plain(&format!("Not checked: {why}."), Tone::Text),
        (Some(why), _) => page.plain(why, Tone::Text),
        (None, Verdict::Verified) => page.plain("Its words stand in the original.", Tone::Text),
        (None, Verdict::Unchecked) => page.plain("Not checked yet.", Tone::Text),
        (None, Verdict::Weak | Verdict::Unsupported | Verdict::Contested | Verdict::WrongTurn | Verdict::Laundered) => {
        }
    }
    if of.reviewed {
        page.plain(&format!("{} checked by a person", page.signs.seen), Tone::Accent);
    }
}

fn actions(of: &Evidence<'_>, page: &mut Page<'_>) {
    if of.preview {
        return page.plain("The first claim; the cursor on another row shows that one here.", Tone::Dim);
    }
    if of.corrected_by.is_some() {
        page.keys(&[("c", "correct it otherwise")]);
    } else {
        page.keys(&[("x", of.fix)]);
        let right = if of.reviewed { "take the mark back" } else { "it is right" };
        page.keys(&[("c", "more"), ("v", right)]);
    }
    if let Some(source) = of.item.sources.first() {
        page.keys(&[("Enter", &format!("go to turn {}", source.turn))]);
    }
}

/// The words for what the check says.
fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Verified => "verified",
        Verdict::Weak => "weak",
        Verdict::Unsupported => "unsupported",
        Verdict::Contested => "contested",
        Verdict::WrongTurn => "wrong turn",
        Verdict::Laundered => "only a summary says so",
        Verdict::Unchecked => "unchecked",
    }
}

fn speaker(speaker: Speaker) -> &'static str {
    match speaker {
        Speaker::User => "you",
        Speaker::Assistant => "agent",
        Speaker::Tool => "tool",
        Speaker::System => "system",
    }
}

/// The word for what an item's field holds, in a sentence.
pub(super) fn noun(field: Field) -> &'static str {
    match field {
        Field::Narrative => "sentence",
        Field::Entities => "name",
        Field::Figures => "figure",
        Field::Constraints => "constraint",
        Field::Decisions => "decision",
        Field::Actions => "action",
        Field::RuledOut => "ruled-out item",
        Field::Open => "open item",
    }
}

struct Page<'a> {
    cells: usize,
    signs: &'a Signs,
    rows: Vec<Row>,
}

impl Page<'_> {
    fn gap(&mut self) {
        if self.rows.last().is_some_and(|row| !row.runs.is_empty()) {
            self.rows.push(Row::blank());
        }
    }

    fn head(&mut self, text: &str) {
        self.rows.extend(wrapped(text, self.cells, Tone::Dim));
    }

    fn plain(&mut self, text: &str, tone: Tone) {
        self.rows.extend(wrapped(text, self.cells, tone));
    }

    /// A quotation, hanging after its opening mark, with words in it marked.
    fn quoted(&mut self, text: &str, marked: Option<std::ops::Range<usize>>) {
        let (open, close) = self.signs.quotes;
        let (before, inside, after) = parted(text, marked);
        let pieces = [
            (open, Tone::Dim),
            (before.as_str(), Tone::Text),
            (inside.as_str(), Tone::Marked),
            (after.as_str(), Tone::Text),
            (close, Tone::Dim),
        ];
        self.rows.extend(super::prose::flowed(&pieces, self.cells, "  ", "   "));
    }

    fn keys(&mut self, keys: &[(&str, &str)]) {
        let mut runs = Vec::new();
        for (at, (key, does)) in keys.iter().enumerate() {
            let gap = if at > 0 { "     " } else { "" };
            runs.extend([Run::text(gap), Run::new(key, Tone::Accent), Run::text(&format!("  {does}"))]);
        }
        let row = Row::of(runs);
        if row.width() <= self.cells {
            self.rows.push(row);
            return;
        }
        for (key, does) in keys {
            let rows = super::prose::flowed(
                &[(key, Tone::Accent), ("  ", Tone::Text), (does, Tone::Text)],
                self.cells,
                "",
                "   ",
            );
            self.rows.extend(rows);
        }
    }
}
