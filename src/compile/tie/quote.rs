//! Which words of a part are quoted for a candidate, and whether a feature stands where a run of it was met.

use std::ops::Range;

use crate::extract::runs::{is_run, is_word};

use super::features::{Feature, Kind};
use super::scan::UNIT;
use super::tally::{Best, Hit};

/// A quote is never longer, a whole claim apart.
const QUOTE: usize = 900;
/// So far from a word a number is still its number.
const NEAR: usize = 32;

/// The exact words where there are any, else the unit, trimmed and cut around its first telling hit.
pub fn quote_range(text: &str, best: &Best, features: &[Feature]) -> Range<usize> {
    let kind = |hit: &Hit| features[hit.feature as usize].kind;
    if let Some(hit) = best.hits.iter().find(|hit| kind(hit) == Kind::Exact) {
        return sentence(text, hit.start..hit.end);
    }
    let quoted = best.hits.iter().filter(|hit| kind(hit) == Kind::Quote);
    let (mut start, mut end) = best.unit;
    if let Some(longest) = quoted.max_by_key(|hit| hit.end - hit.start) {
        if longest.end > end {
            end = longest.end;
        }
        start = start.min(longest.start);
    }
    if end - start > QUOTE {
        let hit = best.hits.iter().find(|hit| kind(hit).is_strong()).or(best.hits.first());
        let middle = hit.map_or(start, |hit| hit.start);
        let from = middle.saturating_sub(QUOTE / 3).max(start);
        let to = (from + QUOTE).min(end).max(hit.map_or(0, |hit| hit.end.min(from + 2 * QUOTE)));
        (start, end) = (text.ceil_char_boundary(from), text.floor_char_boundary(to));
    }
    let (start, end) = (text.ceil_char_boundary(start), text.floor_char_boundary(end));
    let kept = text.get(start..end).unwrap_or_default();
    let lead = kept.len() - kept.trim_start().len();
    start + lead..start + lead + kept.trim().len()
}

/// The whole of what these words stand in: a quotation without its hedge would say something else.
fn sentence(text: &str, range: Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    let ends = |at: usize| {
        bytes[at] == b'\n'
            || matches!(bytes[at], b'.' | b'!' | b'?') && bytes.get(at + 1).is_none_or(|next| *next == b' ')
    };
    let least = range.start.saturating_sub(UNIT);
    let start = (least..range.start).rev().find(|at| ends(*at)).map_or(least, |at| at + 1);
    let most = (range.end + UNIT).min(text.len());
    let last = range.end.saturating_sub(1);
    let end = (last..most).find(|at| ends(*at)).map_or(most, |at| if bytes[at] == b'\n' { at } else { at + 1 });
    let (start, end) = (text.ceil_char_boundary(start).min(range.start), text.floor_char_boundary(end).max(range.end));
    let kept = &text[start..end];
    let lead = kept.len() - kept.trim_start().len();
    start + lead..start + lead + kept.trim().len()
}

/// Whether a number stands near these words.
pub fn number_near(bytes: &[u8], unit: &Range<usize>, start: usize, end: usize) -> bool {
    let from = start.saturating_sub(NEAR).max(unit.start);
    let to = (end + NEAR).min(unit.end);
    let digit = |at: usize| bytes[at].is_ascii_digit() && (at == 0 || !is_run(bytes[at - 1]));
    (from..start).chain(end..to).any(digit)
}

/// Where the feature stands, if the token at `start` is the one at `offset` in its bytes.
pub fn stands(text: &str, start: usize, offset: usize, feature: &Feature) -> Option<(usize, usize)> {
    let (bytes, wanted) = (text.as_bytes(), feature.bytes.as_bytes());
    let from = start.checked_sub(offset)?;
    let to = from + wanted.len();
    if bytes.get(from..to)? != wanted {
        return None;
    }
    let before = from.checked_sub(1).map(|at| bytes[at]);
    let after = bytes.get(to).copied();
    let (first, last) = (feature.bytes.chars().next()?, feature.bytes.chars().next_back()?);
    // Beyond ASCII only the whole character says whether it is a letter or a sign.
    let joins = |beside: Option<u8>, c: &dyn Fn() -> Option<char>| match beside {
        Some(byte) if byte < 0x80 => is_run(byte),
        Some(_) => c().is_some_and(is_word),
        None => false,
    };
    if is_word(first) && joins(before, &|| text.get(..from)?.chars().next_back())
        || is_word(last) && joins(after, &|| text.get(to..)?.chars().next())
    {
        return None;
    }
    let next_is = |at: Option<usize>, is: fn(u8) -> bool| at.and_then(|at| bytes.get(at)).is_some_and(|byte| is(*byte));
    let digit = |byte: u8| byte.is_ascii_digit();
    let other = match feature.kind {
        // `8080` is not in `8080.5` or `1,8080`.
        Kind::Figure | Kind::Small => {
            matches!(before, Some(b'.' | b',')) && next_is(from.checked_sub(2), digit)
                || matches!(after, Some(b'.' | b',')) && next_is(Some(to + 1), digit)
        }
        // `main.rs` is not in `main.rs.bak`, nor `SO-12` in `SO-12-1`.
        Kind::Name | Kind::Base => {
            wanted.contains(&b'.') && after == Some(b'.') && next_is(Some(to + 1), is_run)
                || last.is_ascii_digit() && after == Some(b'-') && next_is(Some(to + 1), digit)
        }
        Kind::Exact | Kind::Quote | Kind::Piece | Kind::Word | Kind::Label | Kind::Beside => false,
    };
    (!other).then_some((from, to))
}
