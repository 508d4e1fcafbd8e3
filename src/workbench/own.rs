//! Which of the words that came from a person are their own: not what they pasted, quoted or handed on.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use crate::extract::{Lexicon, pasted, words};

/// A longer text is mostly pasted: only what stands before and behind the paste is a person's own.
const PASTED: usize = 6_000;
/// A person's own words around a paste are not longer than this.
const AROUND: usize = 1_000;

/// What of a text a person wrote: all of it up to where somebody else's words are handed on, and of a long text what stands
/// around the paste; each stretch with where it begins. Lines in them that were pasted are blank.
pub(super) fn own_words(text: &str) -> Vec<(usize, String)> {
    let own = without_pasted(text);
    stretches(&own).into_iter().map(|range| (range.start, own[range].to_owned())).collect()
}

/// The same text, as long as it was: bytes of pasted lines are spaces.
fn without_pasted(text: &str) -> Cow<'_, str> {
    let pasted = pasted(text);
    if pasted.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    for range in pasted {
        kept.push_str(&text[kept.len()..range.start]);
        kept.extend(text[range].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
    }
    kept.push_str(&text[kept.len()..]);
    Cow::Owned(kept)
}

fn stretches(text: &str) -> Vec<Range<usize>> {
    let end = handed_on(text).unwrap_or(text.len());
    if text.len() <= PASTED {
        return Some(0..end).filter(|own| !own.is_empty()).into_iter().collect();
    }
    let first = text.find("\n\n").unwrap_or(text.len()).min(end);
    let mut own = Vec::new();
    if first > 0 && first <= AROUND {
        own.push(0..first);
    }
    let kept = text.trim_end();
    let last = kept.rfind("\n\n").map_or(0, |at| at + 2);
    if last >= first && last < end && kept.len() - last <= AROUND && end == text.len() {
        own.push(last..kept.len());
    }
    own
}

/// Where a line ends behind which somebody else's words are handed on; nobody can tell where those end.
fn handed_on(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        let said = line.trim_end();
        let last = said.rfind(['.', '!', '?', ';']).map_or(said, |mark| &said[mark..]);
        if said.ends_with(':')
            && at < text.len()
            && HANDED_ON.get_or_init(|| Lexicon::parse(HANDED)).is_in(&words(last))
        {
            return Some(at);
        }
    }
    None
}

const HANDED: &str = include_str!("../../assets/lexicon/en/handed_on.txt");
static HANDED_ON: OnceLock<Lexicon> = OnceLock::new();

/// What stands between the lines `<name …>` and `</name>`.
pub(super) fn elements(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: HashMap<&str, usize> = HashMap::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some(tag) = line.trim().strip_prefix('<').and_then(|tag| tag.strip_suffix('>')) else { continue };
        if let Some(name) = tag.strip_prefix('/') {
            found.extend(open.remove(name).map(|from| from..at));
        } else if let Some(name) = tag.split_whitespace().next().filter(|name| name.starts_with(char::is_alphabetic)) {
            open.entry(name).or_insert(start);
        }
    }
    found
}

/// Whether a cue stands between single quotation marks of its sentence. An apostrophe stands behind a letter.
pub(super) fn in_single_marks(text: &str, sentence: &Range<usize>, cue: &Range<usize>) -> bool {
    let before = &text[sentence.start..cue.start];
    let opens = |(at, c): (usize, char)| {
        let outside = before[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || "([:".contains(c));
        matches!(c, '\'' | '‘') && outside
    };
    let Some((open, mark)) = before.char_indices().rfind(|mark| opens(*mark)) else { return false };
    let closes = |held: &str| {
        held.char_indices().any(|(at, c)| {
            let inside = held[..at].chars().next_back().is_some_and(|c| !c.is_whitespace());
            let outside = held[at + c.len_utf8()..].chars().next().is_none_or(|c| !c.is_alphanumeric());
            matches!(c, '\'' | '’') && inside && outside
        })
    };
    !closes(&before[open + mark.len_utf8()..]) && closes(&text[cue.end..sentence.end])
}
