//! Words that say nearly the same of a thing done or spoken of. The lines are data; words are looked up by their stems.

use std::sync::OnceLock;

use foldhash::HashMap;

use crate::extract::stem;

use super::lists::lines;
use super::terms::Term;

fn rows() -> &'static HashMap<String, Vec<usize>> {
    static ROWS: OnceLock<HashMap<String, Vec<usize>>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let mut rows: HashMap<String, Vec<usize>> = HashMap::default();
        for (row, line) in lines(include_str!("../../../assets/lexicon/en/synonyms.txt")).enumerate() {
            for word in line.split_whitespace() {
                let stem = std::str::from_utf8(stem(word.as_bytes())).unwrap_or(word);
                rows.entry(stem.to_owned()).or_default().push(row);
            }
        }
        rows
    })
}

/// The lines on which a stem stands.
pub fn of(stem: &str) -> &'static [usize] {
    rows().get(stem).map_or(&[], Vec::as_slice)
}

/// Whether two words are forms of one, or say nearly the same.
pub fn same(a: &Term, b: &Term) -> bool {
    a.number == b.number || a.kin.iter().any(|row| b.kin.contains(row))
}
