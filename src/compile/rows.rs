//! The table in the map of this room is whole: every mechanism and every ruling has its row, every test that a row names is
//! there, and one of them carries the number of the row in its name or above it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::path::Path;

/// The numbers that the table must hold, by part.
const ROWS: [(&str, std::ops::RangeInclusive<u32>); 4] =
    [("A1.", 1..=15), ("A2.", 16..=21), ("A4.", 22..=31), ("C", 1..=17)];

/// Every function below a folder with what stands above it.
fn functions(folder: &Path, found: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            functions(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let mut above = String::new();
            for line in std::fs::read_to_string(&path).unwrap().lines().map(str::trim) {
                match line.split_once("fn ").filter(|(before, _)| before.is_empty() || before.ends_with(' ')) {
                    _ if line.starts_with(['/', '#']) => above.push_str(line),
                    Some((_, rest)) => {
                        let name = rest.split(['(', '<']).next().unwrap().to_owned();
                        found.entry(name).or_default().push_str(&std::mem::take(&mut above));
                    }
                    None => above.clear(),
                }
            }
        }
    }
}

/// The numbers of a row: `A1.1–3` are three, `A1.10, A4.31` two.
fn numbers(cell: &str) -> Vec<String> {
    let one = |said: &str| match said.trim().split_once('–') {
        Some((first, last)) => {
            let (part, first) = first.rsplit_once('.').unwrap();
            let all = first.parse::<u32>().unwrap()..=last.parse().unwrap();
            all.map(|no| format!("{part}.{no}")).collect()
        }
        None => vec![said.trim().to_owned()],
    };
    cell.split(',').flat_map(one).collect()
}

/// `A1.6` stands in `a1_6_a_block_closes` and in `A1.6: …`, and not in `A1.60`.
fn carries(text: &str, number: &str) -> bool {
    let stands = |number: &str| {
        text.match_indices(number).any(|(at, _)| {
            let (before, behind) = (&text[..at], &text[at + number.len()..]);
            !behind.starts_with(|c: char| c.is_ascii_digit()) && !before.ends_with(char::is_alphanumeric)
        })
    };
    stands(number) || stands(&number.to_lowercase().replace('.', "_"))
}

#[test]
fn every_row_of_the_table_names_tests_that_are_there_and_carry_its_number() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut tests = BTreeMap::new();
    functions(&root.join("src"), &mut tests);
    functions(&root.join("tests"), &mut tests);
    let map = include_str!("mod.rs");
    let rows: Vec<Vec<&str>> =
        map.lines().filter_map(|line| Some(line.strip_prefix("//! |")?.split('|').map(str::trim).collect())).collect();
    let mut wrong = Vec::new();
    let mut held = Vec::new();
    for row in rows.iter().filter(|row| row[0].starts_with(['A', 'C'])) {
        let is_name = |said: &&str| !said.contains(['/', '.', ' ']);
        let named: Vec<&str> = row[2].split('`').skip(1).step_by(2).filter(is_name).collect();
        wrong.extend(named.iter().filter(|name| !tests.contains_key(**name)).map(|name| format!("no test {name}")));
        for number in numbers(row[0]) {
            let carried = named.iter().any(|name| carries(name, &number) || carries(&tests[*name], &number));
            wrong.extend((!carried).then(|| format!("{number} stands at none of its tests")));
            held.push(number);
        }
    }
    let wanted = ROWS.into_iter().flat_map(|(part, all)| all.map(move |no| format!("{part}{no}")));
    wrong.extend(wanted.chain(["A3".to_owned()]).filter(|one| !held.contains(one)).map(|one| format!("no row {one}")));
    assert!(wrong.is_empty(), "{wrong:#?}");
}
