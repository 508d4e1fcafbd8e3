//! Words that say nearly the same, and the forms of irregular ones. The rows are data; words are looked up by their stems.

use std::sync::OnceLock;

use foldhash::HashMap;

use super::lists::{irregular, lines, stem_of};
use super::terms::Term;

/// Rows of stems, and the rows on which each stands.
struct Table {
    rows: Vec<Vec<String>>,
    by_stem: HashMap<String, Vec<usize>>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let synonyms = lines(include_str!("../../../assets/lexicon/en/synonyms.txt"));
        let synonyms = synonyms.map(|line| line.split_whitespace().map(stem_of).collect());
        let rows: Vec<Vec<String>> = irregular().chain(synonyms).collect();
        let mut by_stem: HashMap<String, Vec<usize>> = HashMap::default();
        for (no, row) in rows.iter().enumerate() {
            for stem in row {
                by_stem.entry(stem.clone()).or_default().push(no);
            }
        }
        Table { rows, by_stem }
    })
}

/// The rows on which a stem stands.
pub fn of(stem: &str) -> &'static [usize] {
    table().by_stem.get(stem).map_or(&[], Vec::as_slice)
}

/// A stem, and those that may stand for it.
pub fn around(stem: &str) -> impl Iterator<Item = &str> {
    let others = of(stem).iter().flat_map(|row| &table().rows[*row]).map(String::as_str);
    std::iter::once(stem).chain(others.filter(move |other| *other != stem))
}

/// Whether two words are forms of one, or say nearly the same.
pub fn same(a: &Term, b: &Term) -> bool {
    a.number == b.number || a.kin_bits & b.kin_bits != 0 && a.kin.iter().any(|row| b.kin.contains(row))
}
