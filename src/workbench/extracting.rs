//! What the extractor sees in a text that is no session. Nothing is held but the text; line by line no more than a line.

use std::io::BufRead;

use crate::extract::{Detected, Extracted, Kind, Language, extract, pieces};

/// What is told of a text.
#[derive(Debug)]
pub enum Seen<'a> {
    /// An item.
    Item {
        /// The text that its ranges count in.
        text: &'a str,
        /// Where that begins in what is read.
        from: usize,
        /// Its line from 1, where every line is a text of its own.
        line: Option<u64>,
        /// What was found.
        item: &'a Extracted,
    },
    /// A field that the language has no words for: nothing is said about it.
    NotAnalysed {
        /// The field.
        kind: Kind,
        /// `not analysed (Dutch)`
        why: &'a str,
        /// The first line in that language, where every line is a text of its own.
        line: Option<u64>,
    },
}

/// What one text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texts {
    /// All that is read.
    Whole,
    /// Each line.
    Lines,
}

/// A whole text is looked at in pieces of about so many bytes.
const PIECE: usize = 256 * 1024;

/// Reads to the end and tells what is seen, in order. How many texts held bytes that are no UTF-8 comes back; each such
/// byte is read as the sign `�`.
///
/// # Errors
///
/// What reading or telling says.
pub fn extracting(
    reader: &mut impl BufRead,
    texts: Texts,
    tell: &mut impl FnMut(Seen<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    match texts {
        Texts::Whole => whole(reader, tell),
        Texts::Lines => by_line(reader, tell),
    }
}

fn whole(reader: &mut impl BufRead, tell: &mut impl FnMut(Seen<'_>) -> anyhow::Result<()>) -> anyhow::Result<u64> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    let (text, garbled) = decoded(bytes);
    let language = Languages::default().told(Language::of(&text), None, tell)?;
    for piece in pieces(&text, PIECE) {
        let held = &text[piece.clone()];
        for item in extract(held, language) {
            tell(Seen::Item { text: held, from: piece.start, line: None, item: &item })?;
        }
    }
    Ok(garbled)
}

fn by_line(reader: &mut impl BufRead, tell: &mut impl FnMut(Seen<'_>) -> anyhow::Result<()>) -> anyhow::Result<u64> {
    // A line that says nothing of its language is read as the beginning is.
    let most = Language::of(&String::from_utf8_lossy(reader.fill_buf()?));
    let mut languages = Languages::default();
    let (mut no, mut garbled) = (0, 0);
    let mut bytes = Vec::new();
    while reader.read_until(b'\n', &mut bytes)? > 0 {
        no += 1;
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
            bytes.pop_if(|last| *last == b'\r');
        }
        let (text, bad) = decoded(std::mem::take(&mut bytes));
        garbled += bad;
        let language = languages.told(Language::told(&text).unwrap_or(most), Some(no), tell)?;
        for item in extract(&text, language) {
            tell(Seen::Item { text: &text, from: 0, line: Some(no), item: &item })?;
        }
        bytes = text.into_bytes();
        bytes.clear();
    }
    Ok(garbled)
}

fn decoded(bytes: Vec<u8>) -> (String, u64) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, 0),
        Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), 1),
    }
}

/// The languages that were seen.
#[derive(Default)]
struct Languages(Vec<&'static str>);

impl Languages {
    /// The lists to read with; tells once for each language which fields it has no words for.
    fn told(
        &mut self,
        seen: Detected,
        line: Option<u64>,
        tell: &mut impl FnMut(Seen<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<&'static Language> {
        let language = seen.lists();
        if !self.0.contains(&seen.name()) {
            self.0.push(seen.name());
            let why = format!("not analysed ({})", seen.name());
            for kind in Kind::ALL.into_iter().filter(|kind| !language.covers(*kind)) {
                tell(Seen::NotAnalysed { kind, why: &why, line })?;
            }
        }
        Ok(language)
    }
}
