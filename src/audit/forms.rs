//! The fair forms of a name: how else one may write it without inventing anything.

use crate::extract::Language;

/// What a name is looked for as: itself first, then without what only dresses it.
pub(super) fn forms(name: &str) -> Vec<String> {
    let bare = bare(name);
    let mut forms = vec![name.to_owned(), bare.to_owned()];
    // A plural or a possessive.
    for ending in ["'s", "’s", "es", "s"] {
        if let Some(one) = bare.strip_suffix(ending).filter(|one| one.len() >= 3) {
            forms.push(one.to_owned());
        }
    }
    for (head, tail) in splits(bare) {
        forms.push(head.to_owned());
        forms.push(tail.to_owned());
    }
    forms.retain(|form| !form.is_empty());
    let mut seen = std::collections::HashSet::new();
    forms.retain(|form| seen.insert(form.clone()));
    forms
}

/// How else a value with its unit may be written: `26h`, `26 hours`, `26-hour`, `twenty six hours`.
pub(super) fn amounts(value: &str, unit: &str, language: &Language) -> Vec<String> {
    let digits = value.replace(',', "");
    let unit = unit.to_lowercase();
    let first = language.unit_forms.get(unit.as_str());
    let same = language.unit_forms.iter().filter(|(_, form)| Some(*form) == first).map(|(word, _)| word);
    let units: Vec<&str> = std::iter::once(unit.as_str()).chain(same).filter(|unit| !unit.is_empty()).collect();
    let values = std::iter::once(digits.as_str()).chain(language.other_forms(&digits));
    let written = |value: &str, unit: &str| ["", " ", "-"].map(|mark| format!("{value}{mark}{unit}"));
    values.flat_map(|value| units.iter().flat_map(move |unit| written(value, unit))).collect()
}

/// A name without quotes, brackets of a call, the place in a file, and `./`.
pub(super) fn bare(name: &str) -> &str {
    let name = name.trim_matches(|c: char| matches!(c, '`' | '\'' | '"' | '*' | ' '));
    let name = name.strip_prefix("./").unwrap_or(name).trim_start_matches('@');
    let name = name.trim_end_matches("()").trim_end_matches(['/', '\\', '.', ':', ',']);
    let mut kept = name;
    // `main.rs:12:3`
    while let Some((head, tail)) = kept.rsplit_once(':')
        && !tail.is_empty()
        && tail.bytes().all(|b| b.is_ascii_digit() || b == b'-')
        && head.rsplit('.').next().is_some_and(|ext| ext.len() < head.len() && ext.contains(char::is_alphabetic))
    {
        kept = head;
    }
    kept
}

/// Where a name joins two: at a separator of paths and of programs. At most so many.
pub(super) fn splits(bare: &str) -> Vec<(&str, &str)> {
    const MOST: usize = 16;
    let mut found = Vec::new();
    for mark in ["/", "::", "\\", ".", "#", "+", "->", "=", "@"] {
        for (at, _) in bare.match_indices(mark).take(MOST) {
            let (head, tail) = (&bare[..at], &bare[at + mark.len()..]);
            // An extension is no name.
            let extension = mark == "." && tail.len() <= 4 && !tail.contains('.');
            if !tail.is_empty() && !extension {
                found.push((head, tail));
            }
        }
    }
    found.truncate(2 * MOST);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_bare_without_its_dress() {
        for (name, want) in [
            ("`run()`", "run"),
            ("./src/main.rs:12:3", "src/main.rs"),
            ("src/", "src"),
            ("localhost:8080", "localhost:8080"),
            ("a.rs", "a.rs"),
        ] {
            assert_eq!(bare(name), want);
        }
    }

    #[test]
    fn an_amount_is_written_with_each_form_of_its_unit() {
        let written = amounts("12", "h", Language::english());
        for form in ["12h", "12 hours", "12-hour", "twelve hrs"] {
            assert!(written.iter().any(|one| one == form), "{form}");
        }
        assert!(amounts("12", "", Language::english()).is_empty());
    }

    #[test]
    fn a_path_splits_at_each_folder_and_not_at_its_extension() {
        assert_eq!(splits("a/b/c.rs"), [("a", "b/c.rs"), ("a/b", "c.rs")]);
        assert_eq!(splits("x.total"), [("x", "total")]);
    }
}
