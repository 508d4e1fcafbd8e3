//! What the next request carries: what it comes to, and its regions, one a row.

use super::closing::range;
use super::{Row, Run, Signs, Tone, counted, thousands};
use crate::text::{Shown, cut};
use crate::workbench::{Assembled, LedgerOverBudget, Region, RegionKind};

/// What a window comes to, counted once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WindowSum {
    /// What it holds.
    pub tokens: u64,
    /// What it may hold.
    pub budget: u64,
    /// The turns that stand in it as they were said; `None` where there are none.
    pub recent: Option<RecentTurns>,
    /// The number of its last turn; 0 without any.
    pub last: u32,
}

/// The turns that no block stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecentTurns {
    /// The first and the last.
    pub turns: (u32, u32),
    /// How many regions they are.
    pub count: usize,
    /// What they take.
    pub tokens: u64,
}

impl WindowSum {
    /// Counts a window.
    pub fn of(window: &Assembled) -> Self {
        let said = window.regions.iter().filter(|region| region.kind == RegionKind::Turn);
        let recent = said.fold(None::<RecentTurns>, |sum, region| {
            let (from, to) = region.turns.unwrap_or_default();
            let sum = sum.unwrap_or(RecentTurns { turns: (from, to), ..RecentTurns::default() });
            let turns = (sum.turns.0, to);
            Some(RecentTurns { turns, count: sum.count + 1, tokens: sum.tokens + region.tokens })
        });
        let last = window.regions.iter().filter_map(|region| region.turns).map(|(_, to)| to).max();
        Self { tokens: window.tokens(), budget: window.budget, recent, last: last.unwrap_or(0) }
    }

    /// So many tokens are too many; `None` while it fits.
    pub fn over(&self) -> Option<u64> {
        self.tokens.checked_sub(self.budget).filter(|over| *over > 0)
    }
}

/// As many cells as its share of the whole, in eighths. Whatever is a part of it shows something.
pub fn share_bar(part: u64, whole: u64, cells: usize, signs: &Signs) -> String {
    let most = cells as u128 * 8;
    let eighths = (u128::from(part) * most / u128::from(whole.max(1))).min(most) as usize;
    let eighths = eighths.max(usize::from(part > 0));
    let full = std::iter::repeat_n(signs.shares[7], eighths / 8);
    full.chain((eighths % 8).checked_sub(1).map(|last| signs.shares[last])).collect()
}

/// A row of the list.
#[derive(Clone, Copy, Debug)]
pub enum Carried<'a> {
    /// A region.
    Region(&'a Region),
    /// The turns that stand as they were said, together.
    Recent(&'a RecentTurns),
}

/// The total against the budget.
pub fn window_total(sum: &WindowSum, cells: usize, signs: &Signs) -> Row {
    let (alike, dot) = (signs.alike, signs.dot);
    let share = u128::from(sum.tokens) * 100 / u128::from(sum.budget.max(1));
    let (tokens, budget) = (thousands(sum.tokens), thousands(sum.budget));
    let long = format!("   {alike} {tokens} of {budget} tok {dot} {share} %");
    let (rests, tone) = match sum.over() {
        Some(over) => {
            let over = thousands(over);
            ([format!("over budget by {over}"), format!("{over} too much")], Tone::Warning)
        }
        None => (std::array::from_fn(|_| format!("{} free", thousands(sum.budget - sum.tokens))), Tone::Text),
    };
    // A number is there whole, or not at all: the longest of these that has room.
    let short = format!("   {alike} {tokens} of {budget}");
    let ways = [(&long, &rests[0]), (&long, &rests[1]), (&short, &rests[0]), (&short, &rests[1])];
    let fits = |(held, rest): &(&String, &String)| held.chars().count() + 3 + rest.len() <= cells;
    let Some((held, rest)) = ways.into_iter().find(fits) else {
        return Row::of([Run::new(&format!("   {}", rests[1]), tone)]);
    };
    let room = cells.saturating_sub(held.chars().count() + rest.len() + 7).min(40);
    let mut runs = vec![Run::new(held, Tone::Strong), Run::text("   ")];
    if room >= 8 {
        let bar = share_bar(sum.tokens, sum.budget, room, signs);
        runs.push(Run::new(&format!("{bar:<room$}"), tone));
        runs.push(Run::dim(&format!("{} ", signs.wall)));
    }
    runs.push(Run::new(rest, tone));
    Row::of(runs)
}

/// What is said where what is pinned does not fit by itself.
pub fn ledger_alone(of: LedgerOverBudget, signs: &Signs) -> String {
    format!(
        "The ledger alone takes {} {} tokens of a budget of {}. Nothing else could make room for it: there is no window.",
        signs.alike,
        thousands(of.tokens),
        thousands(of.budget)
    )
}

/// How wide the columns are.
struct Columns {
    turns: usize,
    tokens: usize,
    bar: usize,
    /// What is left for the words.
    words: usize,
}

const NAME: usize = 11;

impl Columns {
    fn of(sum: &WindowSum, cells: usize) -> Self {
        let digits = |n: u64| n.to_string().len();
        let turns = (2 * digits(sum.last.into()) + 1).max(5);
        let tokens = thousands(sum.tokens).len().max(6);
        let bar = match cells {
            0..45 => 0,
            45..60 => 6,
            60..100 => 12,
            _ => 24,
        };
        let used = 3 + NAME + turns + 2 + tokens + 2 + bar + 2;
        Self { turns, tokens, bar, words: cells.saturating_sub(used) }
    }
}

/// The names of the columns.
pub fn region_heads(sum: &WindowSum, cells: usize) -> Row {
    let Columns { turns, tokens, bar, words } = Columns::of(sum, cells);
    let through = if words >= 8 { "through" } else { "" };
    let share = if bar > 13 { "of the budget" } else { "share" };
    let share = cut(&Shown::line(share), bar);
    let text = format!(
        "   {:<NAME$}{:>turns$}  {:>tokens$}  {:<bar$}  {through}",
        "region",
        "turns",
        "tokens",
        share.as_str()
    );
    Row::of([Run::dim(text.trim_end())])
}

/// A region, or the turns together: what, which turns, how much, and through what it comes.
pub fn region_row(of: Carried<'_>, sum: &WindowSum, cells: usize, signs: &Signs) -> Row {
    let columns = Columns::of(sum, cells);
    let (name, turns, tokens) = match of {
        Carried::Recent(recent) => ("recent".to_owned(), Some(recent.turns), recent.tokens),
        Carried::Region(region) => {
            let no = region.no.map(|no| format!(" {no}")).unwrap_or_default();
            let indent = if region.kind == RegionKind::Turn { "  " } else { "" };
            (format!("{indent}{}{no}", region.kind.name()), region.turns, region.tokens)
        }
    };
    let turns = turns.map(|turns| range(turns, signs)).unwrap_or_default();
    let quiet = matches!(of, Carried::Region(region) if region.kind == RegionKind::Turn);
    // Of many turns, those that take next to nothing show nothing.
    let least = sum.budget / (8 * columns.bar.max(1) as u64);
    let bar = if quiet && tokens < least { String::new() } else { share_bar(tokens, sum.budget, columns.bar, signs) };
    let bar = cut(&Shown::line(&bar), columns.bar);
    let Columns { turns: wide, tokens: figures, bar: bars, words } = columns;
    let mut runs = vec![
        Run::new(&format!("   {name:<NAME$}"), if quiet { Tone::Dim } else { Tone::Strong }),
        Run::dim(&format!("{turns:>wide$}  ")),
        Run::text(&format!("{:>figures$}  ", thousands(tokens))),
        Run::text(&format!("{:<bars$}  ", bar.as_str())),
    ];
    let (text, tone) = through(of, words, signs);
    runs.push(Run { text: cut(&Shown::line(&text), words), ..Run::new("", tone) });
    Row::of(runs)
}

/// Through what the words of a region came, as long as there is room for, and how it is to be seen.
pub fn through(of: Carried<'_>, room: usize, signs: &Signs) -> (String, Tone) {
    let (arrow, dot) = (signs.arrow, signs.dot);
    // The longest of these that has room, else the last.
    let fitting = |ways: &[&str]| {
        let fits = ways.iter().find(|way| way.chars().count() <= room).or(ways.last());
        fits.map_or_else(String::new, |way| (*way).to_owned())
    };
    let region = match of {
        Carried::Recent(recent) => {
            let turns = counted(recent.count as u64, "turn");
            let ways = [format!("{turns} in no block, as they were said"), format!("{turns}, as they were said")];
            return (fitting(&[&ways[0], &ways[1], "as said"]), Tone::Text);
        }
        Carried::Region(region) => region,
    };
    let chain = match region.kind {
        RegionKind::System if region.tokens == 0 => return (fitting(&["not known here", "unknown"]), Tone::Dim),
        RegionKind::System => return ("as given".to_owned(), Tone::Text),
        RegionKind::Ledger if region.tokens == 0 => return (fitting(&["nothing is pinned", "empty"]), Tone::Dim),
        RegionKind::Ledger => return (fitting(&["pinned, word for word", "pinned"]), Tone::Text),
        RegionKind::Turn => {
            let words = words(&region.text, room);
            let nothing = || fitting(&["(nothing that is sent again)", "(nothing sent)"]);
            return (if words.is_empty() { nothing() } else { words }, Tone::Dim);
        }
        RegionKind::Block => format!("turn {arrow} block"),
        RegionKind::Span => format!("turn {arrow} block {arrow} span"),
    };
    let gone = if region.present { String::new() } else { format!(" {dot} originals gone") };
    let no = region.generation;
    let left: u32 = region.left_out.iter().map(|(_, count)| count).sum();
    let left = if left == 0 { String::new() } else { format!(" {dot} {} left out", counted(left.into(), "item")) };
    let drafts = match region.drafts {
        0 => String::new(),
        drafts => format!(" {dot} {} left out", counted(drafts.into(), "draft")),
    };
    let left = left + &drafts;
    let ways = [format!("{chain} {dot} generation {no}"), format!("{chain} {dot} gen {no}"), format!("gen {no}")];
    let ways = ways.map(|way| format!("{way}{left}{gone}"));
    let tone = if region.present && left.is_empty() { Tone::Text } else { Tone::Warning };
    (fitting(&[&ways[0], &ways[1], &ways[2]]), tone)
}

/// What a turn begins with, behind the line that says which it is: more than has room where there is more, so that the cut
/// is seen.
fn words(text: &str, room: usize) -> String {
    let said = text.split_once('\n').map_or(text, |(_, said)| said);
    let mut line = String::new();
    for word in said.split_whitespace() {
        // The space at its end is no part of it.
        if line.chars().count() > room + 1 {
            break;
        }
        line.push_str(word);
        line.push(' ');
    }
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_share_and_never_longer_than_the_whole() {
        for (part, whole, want) in [
            (0, 8, ""),
            (1, 8, "▌"),
            (4, 8, "██"),
            (7, 8, "███▌"),
            (8, 8, "████"),
            (90, 8, "████"),
            (1, 9_000, "▏"),
            (3, 0, "████"),
        ] {
            assert_eq!(share_bar(part, whole, 4, &Signs::UNICODE), want, "{part} of {whole}");
        }
        assert_eq!(share_bar(7, 8, 4, &Signs::ASCII), "###:");
    }

    #[test]
    fn what_a_turn_begins_with_is_longer_than_its_room_where_it_goes_on() {
        for (room, want) in [(6, "aaa bbb"), (7, "aaa bbb ccc"), (8, "aaa bbb ccc"), (99, "aaa bbb ccc ddd")] {
            assert_eq!(words("turn 7\naaa bbb ccc\nddd", room), want, "{room}");
        }
    }

    #[test]
    fn a_number_of_the_total_is_there_whole_or_not_at_all() {
        for (tokens, budget) in [(57_339, 9_900), (9_900, 57_339)] {
            let sum = WindowSum { tokens, budget, ..WindowSum::default() };
            for cells in 20..130 {
                let row = window_total(&sum, cells, &Signs::UNICODE).plain();
                assert!(row.trim_end().chars().count() <= cells, "{cells}: {row}");
                let numbers = row.split_whitespace().filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
                let whole = ["57,339", "9,900", "47,439", "579", "17"];
                let numbers: Vec<&str> = numbers.collect();
                assert!(!numbers.is_empty() && numbers.iter().all(|number| whole.contains(number)), "{cells}: {row}");
            }
        }
    }

    #[test]
    fn a_turn_of_which_nothing_is_sent_says_so() {
        let turn = |text: &str| Region {
            kind: RegionKind::Turn,
            no: None,
            turns: Some((7, 7)),
            parts: 0..1,
            tokens: 5,
            generation: 0,
            present: true,
            drafts: 0,
            left_out: Vec::new(),
            text: text.to_owned(),
        };
        for (text, room, want) in [
            ("[turn 7 · user]\nGo on.\n", 40, "Go on."),
            ("[turn 7 · assistant]\n", 40, "(nothing that is sent again)"),
            ("[turn 7 · assistant]\n", 15, "(nothing sent)"),
        ] {
            assert_eq!(through(Carried::Region(&turn(text)), room, &Signs::UNICODE).0, want, "{text}");
        }
    }
}
