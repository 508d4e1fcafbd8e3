//! The evidence of one item or finding: the claim, the original words beside it, why, and what came of it.

mod below;
mod page;
mod words;

pub use below::evidence_below;
pub(super) use page::parted;
use page::{Page, begun};
pub use words::noun;
use words::speaker;
pub(super) use words::{short_noun, word};

use super::{Answer, Row, Run, Seen, Signs, Tone, Zone, finding, unmarked};
use crate::record::{Finding, FindingKind, Item, LedgerEntry, Verdict};
use crate::session::{Place, SourceRef, TurnNo};
use crate::text::find;

/// The words around a source, as they were read from the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surroundings {
    /// The sentence or line that holds the quote.
    pub text: String,
    /// Where in that text the quote stands.
    pub range: (usize, usize),
    /// When it was said.
    pub at: Option<i64>,
}

/// Where a row of evidence leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// To words of a part.
    Words(Place, (usize, usize)),
    /// To a turn.
    Turn(TurnNo),
}

/// A row of evidence, and where it leads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evident {
    /// What is painted.
    pub row: Row,
    /// `None` for a row that leads nowhere.
    pub link: Option<Link>,
}

/// What is known of an item or of a finding.
#[expect(clippy::struct_excessive_bools, reason = "each answers a question of its own")]
pub struct Evidence<'a> {
    /// `m1.d2`, or `m1` for what is in no item.
    pub name: String,
    /// The item; `None` for something forgotten.
    pub item: Option<&'a Item>,
    /// What the check found.
    pub seen: Option<Seen<'a>>,
    /// The entry that overrules the item.
    pub corrected_by: Option<&'a LedgerEntry>,
    /// A person marked it as right.
    pub reviewed: bool,
    /// `None` while it is being read.
    pub original: Option<&'a Surroundings>,
    /// Sources are still being looked for.
    pub partial: bool,
    /// What `x` would do.
    pub fix: &'a str,
    /// Turns that its marker reaches are not in the file.
    pub beginning_missing: bool,
    /// It is shown before its item is selected: what can be done with it is not said yet.
    pub preview: bool,
    /// It stands beside a list of findings: `Enter` goes to the item in its record, not to a turn.
    pub listed: bool,
}

impl<'a> Evidence<'a> {
    /// The finding.
    fn finding(&self) -> Option<&'a Finding> {
        self.seen.map(|seen| seen.finding)
    }

    /// The originals that it rests on: those that show the finding, then the others of the item.
    pub fn sources(&self) -> Vec<&'a SourceRef> {
        sources(self.item, self.finding())
    }

    /// What the record says, or what is missing from it.
    fn text(&self) -> &'a str {
        match (self.item, self.finding()) {
            (Some(item), _) => &item.text,
            (None, Some(finding)) => &finding.text,
            (None, None) => "",
        }
    }

    /// The words of the claim that decide.
    fn decisive(&self) -> Vec<(usize, usize)> {
        let text = self.text();
        if let Some(finding) = self.finding().filter(|finding| !finding.decisive.is_empty()) {
            // The finding may quote less than the item holds, or more.
            let Some(at) = text.find(&finding.text) else { return Vec::new() };
            return finding.decisive.iter().map(|(from, to)| (from + at, to + at)).collect();
        }
        let quote = self.sources().first().map(|source| unmarked(&source.quote)).unwrap_or_default();
        if quote.is_empty() || self.finding().is_some() {
            return Vec::new();
        }
        find(text, &quote).next().map(|range| (range.start, range.end)).into_iter().collect()
    }

    /// The words of the first source that decide, in the text that is shown of it.
    fn decisive_there(&self, quote: &str) -> (String, Vec<(usize, usize)>) {
        let (text, range) = match self.original {
            Some(original) => (original.text.clone(), original.range),
            None => (quote.to_owned(), (0, quote.len())),
        };
        let marks = match self.finding().filter(|finding| !finding.decisive_there.is_empty()) {
            Some(finding) => finding
                .decisive_there
                .iter()
                .map(|(from, to)| (range.0 + from, (range.0 + to).min(range.1)))
                .filter(|(from, to)| from < to)
                .collect(),
            None => vec![range],
        };
        (text, marks)
    }
}

/// The originals of a finding, then those of its item that are not among them, each words once.
pub fn sources<'a>(item: Option<&'a Item>, finding: Option<&'a Finding>) -> Vec<&'a SourceRef> {
    let mut all: Vec<&SourceRef> = finding.map(|finding| finding.sources.iter().collect()).unwrap_or_default();
    for source in item.into_iter().flat_map(|item| &item.sources) {
        let overlaps = |known: &&SourceRef| {
            known.place == source.place && known.range.0 < source.range.1 && source.range.0 < known.range.1
        };
        if !all.iter().any(overlaps) {
            all.push(source);
        }
    }
    all
}

/// Its rows within these cells, without what can be done with it.
pub fn evidence(of: &Evidence<'_>, cells: usize, signs: &Signs, zone: &Zone) -> Vec<Evident> {
    let mut page = Page::new(cells, signs);
    let (verdict, tone) = verdict(of);
    page.push(Row::of([Run::new(&verdict, tone)]).right(Run::dim(&of.name)).measure(page.cells));
    page.gap();
    let sources = of.sources();
    if of.item.is_some() {
        page.plain("the record says", Tone::Dim);
        page.quoted(of.text(), &of.decisive());
        page.gap();
    } else if !sources.first().is_some_and(|source| source.quote.contains(of.text())) {
        page.plain("missing from the record", Tone::Dim);
        page.quoted(of.text(), &of.decisive());
        page.gap();
    }
    match sources.first() {
        Some(source) => original(source, &sources[1..], of, zone, &mut page),
        None => nowhere(of, &mut page),
    }
    if let Some(better) = of.item.and_then(|item| item.better.as_ref()) {
        page.gap();
        let head = format!("It stands in turn {} rather:", better.turn);
        page.linked(&[(&head, Tone::Text)], "", Link::Words(better.place, better.range));
        page.quoted(&better.quote, &[]);
    }
    why(of, &mut page);
    came_of_it(of, &mut page);
    page.rows
}

/// What can be done with it, in rows that stay in sight however long the rest is.
pub fn evidence_keys(of: &Evidence<'_>, cells: usize, signs: &Signs) -> Vec<Row> {
    let mut page = Page::new(cells, signs);
    actions(of, &mut page);
    page.rows.into_iter().map(|evident| evident.row).collect()
}

/// What is said of it, in a word or two.
fn verdict(of: &Evidence<'_>) -> (String, Tone) {
    if let Some(seen) = of.seen {
        let plain = seen.finding.kind.plain();
        return match seen.answer {
            Answer::Open => (plain.to_owned(), Tone::Warning),
            Answer::Entered(_) => (format!("{plain}: {}", finding::answered(&seen)), Tone::Accent),
            Answer::WrongAlarm => (format!("{plain}: a wrong alarm"), Tone::Accent),
        };
    }
    if of.corrected_by.is_some() {
        return ("corrected".to_owned(), Tone::Accent);
    }
    match of.item.map_or(Verdict::Unchecked, |item| item.verdict) {
        verdict @ (Verdict::Verified | Verdict::Weak | Verdict::Unchecked) => (word(verdict).to_owned(), Tone::Strong),
        verdict @ (Verdict::Unsupported | Verdict::Contested | Verdict::WrongTurn | Verdict::Laundered) => {
            (word(verdict).to_owned(), Tone::Warning)
        }
    }
}

/// Where it may have been said.
const MISSING: &str = "The beginning of this session is missing: it may have been said there.";

fn nowhere(of: &Evidence<'_>, page: &mut Page<'_>) {
    if of.partial {
        return page.plain(&format!("reading the originals{}", page.signs.more), Tone::Dim);
    }
    if of.finding().is_some() {
        return page.plain("No turn says this.", Tone::Text);
    }
    page.plain("No turn could be tied to this.", Tone::Text);
    let why = if of.beginning_missing { MISSING } else { "Nothing in the turns it was made from has these words." };
    page.plain(why, Tone::Dim);
}

fn original(source: &SourceRef, others: &[&SourceRef], of: &Evidence<'_>, zone: &Zone, page: &mut Page<'_>) {
    let mut head = format!("turn {}, {}", source.turn, speaker(source.speaker));
    if let Some(at) = of.original.and_then(|original| original.at) {
        head = format!("{head}, {}", zone.clock(at));
    }
    page.linked(&[(&head, Tone::Dim)], "", Link::Words(source.place, source.range));
    let (text, marks) = of.decisive_there(&source.quote);
    page.quoted(&text, &marks);
    for other in others.iter().take(3) {
        let head = format!("also turn {}, {}  ", other.turn, speaker(other.speaker));
        let words = begun(&other.quote, page.cells.saturating_sub(head.len()).max(8));
        page.linked(&[(&head, Tone::Dim), (&words, Tone::Text)], "   ", Link::Words(other.place, other.range));
    }
    if others.len() > 3 {
        let turns: Vec<_> = others.iter().skip(3).take(6).map(|source| format!("t{}", source.turn)).collect();
        let more = if others.len() > 9 { page.signs.more } else { "" };
        page.plain(&format!("and in {}{more}", turns.join(", ")), Tone::Dim);
    }
}

fn why(of: &Evidence<'_>, page: &mut Page<'_>) {
    page.gap();
    if let Some(finding) = of.finding() {
        page.plain(&sentence(&finding.why), Tone::Text);
        let again: Vec<String> = finding.markers.iter().map(|no| format!("m{no}")).collect();
        if again.len() > 1 {
            let what = if finding.kind == FindingKind::Lost { "Missing in" } else { "Said in" };
            page.plain(&format!("{what} {}.", listed(&again)), Tone::Dim);
        }
    }
    if let Some(entry) = of.corrected_by {
        page.plain(&format!("L{} by {}: {}", entry.no, entry.draft.author, super::ledger::says(entry)), Tone::Accent);
        let repeats = |text: &str| text == of.text() || of.sources().first().is_some_and(|source| text == source.quote);
        if !entry.draft.text.is_empty() && !repeats(&entry.draft.text) {
            page.quoted(&entry.draft.text, &[]);
        }
        if let Some(reason) = &entry.draft.reason {
            page.plain(reason, Tone::Dim);
        }
        return;
    }
    let Some(item) = of.item else { return };
    if of.finding().is_none() {
        match (&item.why, item.verdict) {
            (Some(why), Verdict::Unchecked) if why.starts_with("not checked") => {
                page.plain("Not checked yet.", Tone::Text);
            }
            (Some(why), Verdict::Unchecked) => page.plain(&format!("Not checked: {why}."), Tone::Text),
            (Some(why), _) => page.plain(&sentence(why), Tone::Text),
            (None, Verdict::Verified) => page.plain("Its words stand in the original.", Tone::Text),
            (None, Verdict::Unchecked) => page.plain("Not checked yet.", Tone::Text),
            (None, Verdict::Weak) => page.plain("The original says something like this, in other words.", Tone::Text),
            (None, Verdict::Unsupported | Verdict::Contested | Verdict::WrongTurn | Verdict::Laundered) => {}
        }
    }
    if of.reviewed {
        page.plain(&format!("{} checked by a person", page.signs.seen), Tone::Accent);
    }
}

/// Where it was missed, and what the agent did on the strength of it.
fn came_of_it(of: &Evidence<'_>, page: &mut Page<'_>) {
    let Some(finding) = of.finding() else { return };
    let parts = [("needed again", &finding.needed_again), ("what the agent did next", &finding.acted_on)];
    for (head, turns) in parts.into_iter().filter(|(_, turns)| !turns.is_empty()) {
        page.gap();
        page.plain(head, Tone::Dim);
        for (turn, what) in turns.iter().take(6) {
            let before = format!("  turn {turn}  ");
            page.linked(&[(&before, Tone::Accent), (what, Tone::Text)], "     ", Link::Turn(turn.clone()));
        }
        if turns.len() > 6 {
            page.plain(&format!("  and {} more turns", turns.len() - 6), Tone::Dim);
        }
    }
}

/// With a capital at its start and a full stop at its end.
fn sentence(text: &str) -> String {
    let text = text.trim();
    let mut chars = text.chars();
    let first: String = chars.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
    // A name keeps its own letters.
    let plain = text.split_whitespace().next().is_some_and(|word| word.chars().all(char::is_alphabetic));
    let start = if plain { format!("{first}{}", chars.as_str()) } else { text.to_owned() };
    if start.ends_with(['.', '!', '?', '”', '"']) || start.is_empty() { start } else { format!("{start}.") }
}

/// `m1, m2 and m3`; long lists by their ends.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [all @ .., last] if all.len() < 8 => format!("{} and {last}", all.join(", ")),
        [first, .., last] => format!("{first} to {last} ({} records)", names.len()),
    }
}

fn actions(of: &Evidence<'_>, page: &mut Page<'_>) {
    if of.preview {
        let what = if of.seen.is_some() { "The worst finding" } else { "The first claim" };
        return page.plain(&format!("{what}; the cursor on another row shows that one here."), Tone::Dim);
    }
    if let Some(seen) = of.seen.filter(|_| of.item.is_none()) {
        match seen.answer {
            Answer::Open if seen.is_forgotten() => page.keys(&[("x", "pin it as it was said"), ("w", "wrong alarm")]),
            Answer::Open => page.keys(&[("w", "wrong alarm")]),
            Answer::Entered(_) => {}
            Answer::WrongAlarm => page.keys(&[("w", "no wrong alarm after all")]),
        }
    } else if of.corrected_by.is_some() {
        page.keys(&[("c", "correct it otherwise")]);
    } else {
        page.keys(&[("x", of.fix)]);
        let right = if of.reviewed { "take the mark back" } else { "it is right" };
        page.keys(&[("c", "more"), ("v", right)]);
        match of.seen.map(|seen| seen.answer) {
            Some(Answer::WrongAlarm) => page.keys(&[("w", "no wrong alarm after all")]),
            Some(Answer::Open | Answer::Entered(_)) => page.keys(&[("w", "wrong alarm"), ("i", "lineage")]),
            None => {}
        }
    }
    if of.listed {
        return page.keys(&[("Enter", "to it in its record")]);
    }
    if let Some(source) = of.sources().first() {
        page.keys(&[("Enter", &format!("go to turn {}", source.turn))]);
    }
    if of.finding().is_some_and(|finding| !finding.needed_again.is_empty() || !finding.acted_on.is_empty()) {
        page.keys(&[("Tab", "to the turns named here")]);
    }
}
