//! A summary cut into claims: the smallest bullets, table rows and sentences that stand alone, each under its headings.
//! Headings, code fences, lists of files in tags and the frame that a harness puts around a summary are no claims.

use std::ops::Range;

use crate::extract::{Language, Word, Zone, Zones, quotes, words};
use crate::text::sentences;

use super::context::{Context, of_heading};

/// One claim and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub range: Range<usize>,
    /// Of the nearest heading that says something about it.
    pub context: Option<Context>,
}

/// What a summary is made of.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    pub claims: Vec<Claim>,
    /// Sentences of the harness, in order.
    pub boilerplate: Vec<Range<usize>>,
}

/// A heading with at most so many words and a colon is no claim.
const TITLE_WORDS: usize = 8;

/// The claims of a summary, in order.
pub fn claims(summary: &str, language: &Language) -> Claims {
    let zones = Zones::of(summary);
    let mut reading = Reading { language, text: summary, found: Claims::default(), headings: Vec::new(), block: None };
    let mut at = 0;
    let mut listing = false;
    for line in summary.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        if zones.at(range.start) == Zone::Fence {
            reading.flush(Next::Code);
            continue;
        }
        let trimmed = line.trim();
        if let Some(tag) = tag(trimmed) {
            reading.flush(Next::Other);
            listing = tag.starts_with("read-files") || tag.starts_with("modified-files");
            reading.tag(tag);
        } else if let Some((tag, inner)) = tagged(trimmed) {
            reading.flush(Next::Other);
            reading.tag(tag);
            let start = range.start + (line.len() - line.trim_start().len()) + tag.len() + 2;
            reading.line(inner, start);
            reading.flush(Next::Other);
            reading.tag("/");
        } else if trimmed.is_empty() {
            reading.flush(Next::Other);
        } else if !listing {
            reading.line(line, range.start);
        }
    }
    reading.flush(Next::Other);
    reading.found
}

/// What follows a block, as far as it matters for what the block is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Code,
    /// A bullet under it.
    Deeper,
    Other,
}

/// A bullet or a paragraph that is being read.
struct Block {
    range: Range<usize>,
    indent: usize,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bullet,
    Numbered,
    Paragraph,
}

/// A heading that is in force. `rank`: the level of a `#` heading, 10 for a title line, 20 and the indent for a bullet.
struct Heading {
    rank: usize,
    context: Option<Context>,
}

struct Reading<'a> {
    language: &'a Language,
    text: &'a str,
    found: Claims,
    headings: Vec<Heading>,
    block: Option<Block>,
}

impl Reading<'_> {
    fn line(&mut self, line: &str, start: usize) {
        let indent = line.len() - line.trim_start().len();
        let from = start + indent;
        let content = line.trim();
        if content.starts_with('#') {
            self.flush(Next::Other);
            let level = content.bytes().take_while(|b| *b == b'#').count();
            return self.open(level, &content[level..]);
        }
        if content.starts_with('|') {
            self.flush(Next::Other);
            return self.row(content, from);
        }
        if is_rule(content) {
            return self.flush(Next::Other);
        }
        let (kind, marker) = marker(content);
        let goes_on = matches!(&self.block, Some(block) if kind == Kind::Paragraph && !ends_title(&self.text[block.range.clone()]));
        if goes_on && let Some(block) = &mut self.block {
            block.range.end = from + content.len();
            return;
        }
        let deeper = kind != Kind::Paragraph && self.block.as_ref().is_some_and(|block| block.indent < indent);
        self.flush(if deeper { Next::Deeper } else { Next::Other });
        self.block = Some(Block { range: from + marker..from + content.len(), indent, kind });
    }

    /// Ends the block: it is a heading, or it holds claims.
    fn flush(&mut self, next: Next) {
        let Some(block) = self.block.take() else { return };
        let text = &self.text[block.range.clone()];
        let rank = 20 + block.indent;
        let bullet = block.kind != Kind::Paragraph;
        self.headings.retain(|heading| heading.rank < rank || (!bullet && heading.rank == rank && block.indent > 0));
        if !bullet && block.indent == 0 && is_title(text, block.kind, next, self.language) {
            return self.open(10, text);
        }
        if is_title(text, block.kind, next, self.language) {
            return self.headings.push(Heading { rank, context: of_heading(text, self.language) });
        }
        let said = self.said(block.range.clone());
        self.sentences(said, bullet);
        // A bullet with a label, or with a lead-in, stands over the bullets under it.
        if bullet || text.ends_with(':') {
            let context = self.of_label(text).or_else(|| lead_in(text, self.language));
            self.headings.push(Heading { rank, context });
        }
    }

    fn sentences(&mut self, said: Range<usize>, bullet: bool) {
        let context = self.context();
        let quoted = said.start > 0 && self.text[..said.start].ends_with(['"', '“']);
        let own = self.of_label(&self.text[said.clone()]);
        for sentence in whole_quotes(&self.text[said.clone()]) {
            let range = said.start + sentence.start..said.start + sentence.end;
            let text = &self.text[range.clone()];
            let heard = words(text);
            if self.language.boilerplate.at(&heard, 0).is_some() {
                self.found.boilerplate.push(range);
            } else if !heard.is_empty() && (quoted || !leads_in(text, &heard, self.language)) {
                let context = if bullet { own.filter(|own| *own != Context::Narrative).or(context) } else { context };
                self.found.claims.push(Claim { range, context });
            }
        }
    }

    /// The block without the quotation marks around the whole of it.
    fn said(&self, range: Range<usize>) -> Range<usize> {
        let text = &self.text[range.clone()];
        for (open, close) in [("\"", "\""), ("“", "”"), ("«", "»")] {
            if let Some(inner) = text.strip_prefix(open).and_then(|text| text.strip_suffix(close))
                && !inner.trim().is_empty()
                && !inner.contains(['“', '«'])
                && inner.matches('"').count() % 2 == 0
            {
                return range.start + open.len()..range.end - close.len();
            }
        }
        range
    }

    fn row(&mut self, content: &str, from: usize) {
        let is_head = self.text[from + content.len()..]
            .trim_start_matches(['\r', '\n'])
            .split('\n')
            .next()
            .is_some_and(is_separator);
        if is_separator(content) || is_head {
            return;
        }
        let inner = content.trim_matches(|c: char| c == '|' || c.is_whitespace());
        if !words(inner).is_empty() {
            let start = from + content.find(inner).unwrap_or_default();
            let context = self.context();
            self.found.claims.push(Claim { range: start..start + inner.len(), context });
        }
    }

    fn open(&mut self, rank: usize, heading: &str) {
        self.headings.retain(|open| open.rank < rank);
        self.headings.push(Heading { rank, context: of_heading(heading, self.language) });
    }

    fn tag(&mut self, tag: &str) {
        self.headings.clear();
        if !tag.starts_with('/') {
            self.open(0, tag);
        }
    }

    /// What the label at its start says about a bullet.
    fn of_label(&self, text: &str) -> Option<Context> {
        label(text).and_then(|label| of_heading(label, self.language))
    }

    fn context(&self) -> Option<Context> {
        self.headings.iter().rev().find_map(|heading| heading.context)
    }
}

/// The name in a line that is one tag: `overview`, `/overview`.
fn tag(line: &str) -> Option<&str> {
    let name = line.strip_prefix('<')?.strip_suffix('>')?;
    let bare = name.trim_start_matches('/');
    let is_name = !bare.is_empty() && bare.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    is_name.then_some(name)
}

/// A short sentence that only announces what follows: `The list shows:`.
fn leads_in(text: &str, heard: &[Word], language: &Language) -> bool {
    text.ends_with(':') && heard.len() <= TITLE_WORDS && !language.actions.is_in(heard)
}

/// The name and the content of a line that is one element: `<goal>Ship it</goal>`.
fn tagged(line: &str) -> Option<(&str, &str)> {
    let end = line.find('>')?;
    let name = tag(&line[..=end]).filter(|name| !name.starts_with('/'))?;
    let inner = line[end + 1..].strip_suffix('>')?.strip_suffix(name)?.strip_suffix("</")?;
    Some((name, inner))
}

/// What kind of line this is, and where its content begins.
fn marker(content: &str) -> (Kind, usize) {
    for bullet in ["- ", "* ", "• ", "+ ", "– ", "· "] {
        if let Some(rest) = content.strip_prefix(bullet) {
            return (Kind::Bullet, bullet.len() + spaces(rest));
        }
    }
    match numbering(content) {
        Some(end) => (Kind::Numbered, end + spaces(&content[end..])),
        None => (Kind::Paragraph, 0),
    }
}

/// The end of `1.`, `2)`, `1.2.`, `b.`, `iv)`, `(3)` or `(c)` at the start of a line, with the space behind it.
fn numbering(content: &str) -> Option<usize> {
    let open = usize::from(content.starts_with('('));
    let body = &content[open..];
    let len = body.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'.').count();
    let stem = body[..len].trim_end_matches('.');
    let digits = |piece: &str| !piece.is_empty() && piece.len() <= 3 && piece.bytes().all(|b| b.is_ascii_digit());
    let letters = stem.len() == 1 && stem.bytes().all(|b| b.is_ascii_alphabetic());
    let roman = stem.len() <= 5 && stem.bytes().all(|b| matches!(b, b'i' | b'v' | b'x' | b'I' | b'V' | b'X'));
    if stem.is_empty() || !(letters || roman || stem.split('.').count() <= 4 && stem.split('.').all(digits)) {
        return None;
    }
    let rest = &body[stem.len()..];
    let closed = match open {
        0 => rest.starts_with(") ") || rest.starts_with(". "),
        _ => rest.starts_with(") "),
    };
    closed.then_some(open + stem.len() + 2)
}

fn spaces(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

fn is_rule(content: &str) -> bool {
    content.len() >= 3 && content.bytes().all(|b| matches!(b, b'-' | b'=' | b'_' | b'*'))
}

fn is_separator(row: &str) -> bool {
    row.contains('-') && row.trim().bytes().all(|b| matches!(b, b'|' | b'-' | b':' | b' '))
}

fn ends_title(text: &str) -> bool {
    is_bold(text) || text.ends_with(':')
}

fn is_bold(text: &str) -> bool {
    let inner = text
        .trim_end_matches(':')
        .strip_prefix("**")
        .and_then(|text| text.strip_suffix("**").or_else(|| text.strip_suffix(":**")));
    inner.is_some_and(|inner| !inner.contains("**"))
}

/// Whether a block only names what follows it.
fn is_title(text: &str, kind: Kind, next: Next, language: &Language) -> bool {
    let short = || words(text).len() <= TITLE_WORDS;
    let colon = text.ends_with(':') || text.ends_with(":**");
    match kind {
        Kind::Paragraph => (colon || is_bold(text)) && short(),
        Kind::Bullet | Kind::Numbered if next != Next::Other && is_name(text, language) => true,
        Kind::Bullet | Kind::Numbered => {
            colon
                && short()
                && (is_bold(text) || of_heading(text, language).is_some() || !language.actions.is_in(&words(text)))
        }
    }
}

/// Whether a bullet holds nothing but code, and perhaps where in it: `**src/a.rs** (line 3)`.
fn is_name(text: &str, language: &Language) -> bool {
    let name = text.trim_end_matches(':').split(" (").next().unwrap_or_default().trim_matches('*');
    let aside = &text[text.find(" (").unwrap_or(text.len())..];
    let is_code = words(name).iter().all(|word| word.code) || (name.contains(['/', '.']) && !name.contains(' '));
    is_code && !language.done.is_in(&words(aside)) && language.actions.find(&words(aside)).is_none()
}

/// The sentences of a text; one that ends inside a quotation goes on.
fn whole_quotes(text: &str) -> Vec<Range<usize>> {
    let quoted = quotes(text);
    let mut whole: Vec<Range<usize>> = Vec::new();
    for sentence in sentences(text) {
        let inside = |at: usize| {
            let next = quoted.partition_point(|quote| quote.end <= at);
            quoted.get(next).is_some_and(|quote| quote.start < at)
        };
        match whole.last_mut() {
            Some(last) if inside(sentence.start) => last.end = sentence.end,
            Some(_) | None => whole.push(sentence),
        }
    }
    whole
}

/// The label at the start of a claim: of `**Fix**: Added …` and `Solved: …`.
fn label(text: &str) -> Option<&str> {
    let end = text.find(':').filter(|end| *end <= 60)?;
    let label = text[..end].trim_matches(|c: char| c == '*' || c.is_whitespace());
    (words(label).len() <= 5).then_some(label)
}

/// What a sentence that ends in a colon says about the list under it.
fn lead_in(text: &str, language: &Language) -> Option<Context> {
    let last = text.strip_suffix(':')?;
    let from = sentences(last).last()?.start;
    let heard = words(&last[from..]);
    language.open.is_in(&heard).then_some(Context::Open)
}
