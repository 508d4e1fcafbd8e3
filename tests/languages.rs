//! Languages: which one a text is written in, and what is found in four that are not English. The sentences stand under
//! `tests/languages/`, with what is to be found in each.

use std::ops::Range;

use stet::extract::{Certainty, Kind, Language, certainty, extract, negations};

const SENTENCES: [(&str, &str); 4] = [
    ("German", include_str!("languages/de.txt")),
    ("French", include_str!("languages/fr.txt")),
    ("Spanish", include_str!("languages/es.txt")),
    ("Japanese", include_str!("languages/ja.txt")),
];

const TEXTS: &str = include_str!("languages/detect.txt");

/// A line with what is to be found in it.
struct Case {
    field: &'static str,
    text: String,
    /// Words that are negated, or not.
    words: Vec<(Range<usize>, bool)>,
    /// Whether the sentence has what its field is about.
    has: bool,
}

/// `== field` opens a field; `[word]` is negated and `{word}` is not; `+` has what the field is about and `-` has not.
fn cases(list: &'static str) -> Vec<Case> {
    let mut field = "";
    let mut cases = Vec::new();
    for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        if let Some(name) = line.strip_prefix("== ") {
            field = name;
            continue;
        }
        let mut case = Case { field, text: String::new(), words: Vec::new(), has: line.starts_with("+ ") };
        let line = if field == "negation" { line } else { &line[2..] };
        let mut start = 0;
        for c in line.chars() {
            match c {
                '[' | '{' => start = case.text.len(),
                ']' | '}' => case.words.push((start..case.text.len(), c == ']')),
                _ => case.text.push(c),
            }
        }
        assert_eq!(case.words.is_empty(), field != "negation", "{line}");
        cases.push(case);
    }
    cases
}

/// What was found against what should have been.
#[derive(Default)]
struct Score {
    right: u32,
    wrong: u32,
    missed: u32,
    errors: Vec<String>,
}

impl Score {
    fn add(&mut self, found: bool, wanted: bool, text: &str) {
        self.right += u32::from(found && wanted);
        self.wrong += u32::from(found && !wanted);
        self.missed += u32::from(!found && wanted);
        if found != wanted {
            self.errors.push(format!("{} {text}", if wanted { "missed" } else { "wrong " }));
        }
    }

    fn f(&self) -> f64 {
        f64::from(2 * self.right) / f64::from(2 * self.right + self.wrong + self.missed).max(1.0)
    }
}

fn score(case: &Case, language: &Language, score: &mut Score) {
    let text = case.text.as_str();
    let holds = |kind: Kind| extract(text, language).iter().any(|item| item.kind == kind);
    match case.field {
        "negation" => {
            let found = negations(text, language);
            for (word, wanted) in &case.words {
                let held = |range: &Range<usize>| range.start < word.end && word.start < range.end;
                let negated = found.iter().any(|one| held(&one.scope));
                score.add(negated, *wanted, &format!("{}: {text}", &text[word.clone()]));
            }
        }
        "certainty" => score.add(certainty(text, language).0 < Certainty::Wanted, case.has, text),
        "question" => score.add(holds(Kind::Open), case.has, text),
        "constraint" => score.add(holds(Kind::Constraints), case.has, text),
        other => panic!("no field {other}"),
    }
}

#[test]
fn negation_certainty_questions_and_constraints_are_found_in_four_languages() {
    let mut low = Vec::new();
    for (name, list) in SENTENCES {
        let cases = cases(list);
        for field in ["negation", "certainty", "question", "constraint"] {
            let mut sum = Score::default();
            let of_field: Vec<_> = cases.iter().filter(|case| case.field == field).collect();
            assert_eq!(of_field.len(), 30, "{name} {field}");
            for case in of_field {
                let language = Language::of(&case.text).language().expect("a language with lists");
                assert_eq!(language.title(), name, "{}", case.text);
                score(case, language, &mut sum);
            }
            println!("{name:<9}{field:<11} F {:.3}", sum.f());
            for error in &sum.errors {
                println!("    {error}");
            }
            if sum.f() < 0.8 {
                low.push(format!("{name} {field} {:.3}", sum.f()));
            }
        }
    }
    assert!(low.is_empty(), "{low:#?}");
}

#[test]
fn the_language_of_a_short_text_is_told() {
    let mut wrong = Vec::new();
    for line in TEXTS.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '='])) {
        let (want, text) = line.split_once(':').expect("language: text");
        let text = text.trim_start().replace("\\n", "\n");
        let seen = Language::of(&text).name();
        if seen != want {
            wrong.push(format!("{text}: {seen}, not {want}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
