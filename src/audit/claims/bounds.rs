//! How far a value may go: `at most 45 cm`, `no wider than 45 cm` and `45 cm or less` say the same, and `at least 45 cm`
//! turns it round.

use std::ops::Range;
use std::sync::OnceLock;

use super::lists::{Words, named, words};
use super::statement::Statement;
use super::wording::negates;

/// On which side of a value something lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// It is the least.
    Above,
    /// It is the most.
    Below,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Self::Above => Self::Below,
            Self::Below => Self::Above,
        }
    }
}

/// A value that bounds something.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// Where what it bounds lies.
    pub side: Side,
    /// Its digits.
    pub value: String,
    /// From the words that bound it to the value, in bytes.
    pub range: Range<usize>,
    /// Said in words that mean nothing else: `at most`, `no more than`. `Over 20 MB` may also be what is refused.
    pub plain: bool,
    /// A no is part of it.
    pub no: bool,
}

/// So far before a value the words stand that bound it, and before them a no.
const FAR: usize = 6;

struct Cues {
    most: Words,
    least: Words,
    more: Words,
    less: Words,
    over: Words,
    under: Words,
    since: Words,
    on: Words,
}

fn cues() -> &'static Cues {
    static CUES: OnceLock<Cues> = OnceLock::new();
    CUES.get_or_init(|| {
        let list = include_str!("../../../assets/lexicon/en/bounds.txt");
        let of = |name| words(named(list, name));
        Cues {
            most: of("most"),
            least: of("least"),
            more: of("more"),
            less: of("less"),
            over: of("over"),
            under: of("under"),
            since: of("since"),
            on: of("on"),
        }
    })
}

/// The bounds in a sentence, in order.
pub fn bounds(statement: &Statement) -> Vec<Bound> {
    (0..statement.tokens.len())
        .filter_map(|at| {
            let value = statement.tokens[at].digits()?.to_owned();
            let found = before(statement, at).or_else(|| behind(statement, at))?;
            Some(Bound { value, range: found.range.start..statement.tokens[at].range.end, ..found })
        })
        .collect()
}

/// The bounds of both that hold the same value from the same side.
pub fn alike<'b>(one: &'b [Bound], other: &'b [Bound]) -> Option<(&'b Bound, &'b Bound)> {
    one.iter().find_map(|a| Some((a, other.iter().find(|b| a.value == b.value && a.side == b.side)?)))
}

/// The bounds of both that hold the same value from two sides.
pub fn opposed<'b>(one: &'b [Bound], other: &'b [Bound]) -> Option<(&'b Bound, &'b Bound)> {
    let against = |a: &Bound, b: &Bound| a.plain && b.plain && a.value == b.value && a.side != b.side;
    one.iter().find_map(|a| Some((a, other.iter().find(|b| against(a, b))?)))
}

/// The words before one, the nearest first, until a mark or another number stands between.
fn run_up(statement: &Statement, to: usize) -> impl Iterator<Item = usize> + '_ {
    let joined = move |at: &usize| {
        let gap = &statement.text[statement.tokens[*at].range.end..statement.tokens[at + 1].range.start];
        !gap.contains([',', ';', ':', '(', ')', '.']) && statement.tokens[*at].digits().is_none()
    };
    (0..to).rev().take(FAR).take_while(joined)
}

/// A bound that begins here, in bytes; its value is still to be put in.
fn bound(from: usize, side: Side, plain: bool, no: bool) -> Bound {
    Bound { side, value: String::new(), range: from..from, plain, no }
}

fn before(statement: &Statement, value: usize) -> Option<Bound> {
    let cues = cues();
    let word = |at: usize| statement.tokens.get(at).map_or("", |token| token.lower.as_str());
    run_up(statement, value).take(3).find_map(|at| {
        let begin = |at: usize| statement.tokens[at].range.start;
        let at_before = at > 0 && word(at - 1) == "at";
        let is = |list: &Words| list.contains(word(at));
        let fixed = match word(at) {
            "most" if at_before => Some(Side::Below),
            "least" if at_before => Some(Side::Above),
            "to" if at > 0 && word(at - 1) == "up" => Some(Side::Below),
            _ if is(&cues.most) => Some(Side::Below),
            _ if is(&cues.least) => Some(Side::Above),
            _ => None,
        };
        if let Some(side) = fixed {
            return Some(bound(begin(if at_before { at - 1 } else { at }), side, word(at) != "to", false));
        }
        let than = word(at + 1) == "than";
        let side = if is(&cues.over) || than && is(&cues.more) {
            Side::Above
        } else if is(&cues.under) || than && is(&cues.less) {
            Side::Below
        } else if is(&cues.since) && is_open(statement, value) {
            Side::Above
        } else if word(at) == "by" && statement.text[statement.tokens[value].range.end..].starts_with(':') {
            Side::Below
        } else {
            return None;
        };
        let Some(no) = run_up(statement, at).find(|at| negates(word(*at))) else {
            return Some(bound(begin(at), side, false, false));
        };
        Some(bound(begin(no), side.other(), than, true))
    })
}

/// `From 3 July on`.
fn is_open(statement: &Statement, value: usize) -> bool {
    let next = statement.tokens[value + 1..].iter().take(2);
    next.into_iter().any(|token| cues().on.contains(token.lower.as_str()))
}

/// `45 cm or less`, `45 cm at most`.
fn behind(statement: &Statement, value: usize) -> Option<Bound> {
    let cues = cues();
    let rest = &statement.tokens[value + 1..];
    let pair = rest.windows(2).take(3).find(|pair| matches!(pair[0].lower.as_str(), "or" | "at"))?;
    let word = pair[1].lower.as_str();
    let side = match pair[0].lower.as_str() {
        "at" if word == "most" => Side::Below,
        "at" if word == "least" => Side::Above,
        "or" if cues.more.contains(word) || cues.over.contains(word) => Side::Above,
        "or" if cues.less.contains(word) || cues.under.contains(word) => Side::Below,
        _ => return None,
    };
    Some(bound(statement.tokens[value].range.start, side, true, false))
}

#[cfg(test)]
mod tests {
    use super::super::terms::Terms;
    use super::*;

    #[test]
    fn a_bound_is_a_value_and_the_side_on_which_something_lies() {
        use Side::{Above, Below};
        for (text, want) in [
            ("at most 45 cm wide", Some((Below, true))),
            ("no wider than 45 cm", Some((Below, true))),
            ("must not be wider than 45 cm", Some((Below, true))),
            ("45 cm or less", Some((Below, true))),
            ("45 cm at most", Some((Below, true))),
            ("a maximum of 45 cm", Some((Below, true))),
            ("at least 45 cm", Some((Above, true))),
            ("never for less than 45 days", Some((Above, true))),
            ("must not come before 45", Some((Above, false))),
            ("on or after 45", Some((Above, false))),
            ("from 45 on", Some((Above, false))),
            ("over 45 MB is refused", Some((Above, false))),
            ("sent by 18:00", Some((Below, false))),
            ("raised by 18", None),
            ("from 45 to 60", None),
            ("most of the 45 files", None),
            ("45 cm", None),
        ] {
            let found = bounds(&Statement::of(text, &Terms::default()));
            let got = found.first().map(|bound| (bound.side, bound.plain));
            assert_eq!(got, want, "{text}");
        }
    }
}
