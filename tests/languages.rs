//! Languages: which one a text is written in, and what is found in four that are not English. The sentences stand under
//! `tests/languages/`, with what is to be found in each.

use std::ops::Range;

use stet::extract::{Certainty, Kind, Language, certainty, extract, negations};
use stet::workbench::{Seen, Texts, extracting};

/// Thirty sentences a field, and those that were written when the lists stood.
const SENTENCES: [(&str, [&str; 2]); 4] = [
    ("German", [include_str!("languages/de.txt"), include_str!("languages/de.more.txt")]),
    ("French", [include_str!("languages/fr.txt"), include_str!("languages/fr.more.txt")]),
    ("Spanish", [include_str!("languages/es.txt"), include_str!("languages/es.more.txt")]),
    ("Japanese", [include_str!("languages/ja.txt"), include_str!("languages/ja.more.txt")]),
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
#[expect(clippy::print_stdout, reason = "how well each field is found is read by hand")]
fn negation_certainty_questions_and_constraints_are_found_in_four_languages() {
    let mut low = Vec::new();
    for (name, lists) in SENTENCES {
        for (no, list) in lists.into_iter().enumerate() {
            let cases = cases(list);
            for field in ["negation", "certainty", "question", "constraint"] {
                let mut sum = Score::default();
                let of_field: Vec<_> = cases.iter().filter(|case| case.field == field).collect();
                assert!(no > 0 || of_field.len() == 30, "{name} {field}: {}", of_field.len());
                for case in &of_field {
                    let language = Language::of(&case.text).language().expect("a language with lists");
                    assert_eq!(language.title(), name, "{}", case.text);
                    score(case, language, &mut sum);
                }
                println!("{name:<9}{field:<11}{:>3} sentences  F {:.3}", of_field.len(), sum.f());
                for error in &sum.errors {
                    println!("    {error}");
                }
                if sum.f() < 0.8 {
                    low.push(format!("{name} {field} {:.3}", sum.f()));
                }
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

#[test]
fn a_text_that_says_nothing_of_its_language_tells_none() {
    for text in
        ["", "4711", "src/main.rs", "`nicht`", "```\nund nicht\n```", "retry_ceiling = 5", "> nein, bitte nicht"]
    {
        assert!(Language::told(text).is_none(), "{text}");
    }
}

#[test]
fn only_the_beginning_of_a_long_text_is_looked_at() {
    let long = "Das ist nicht die Ursache. ".repeat(400) + &"This is not the cause at all. ".repeat(40_000);
    assert_eq!(Language::of(&long).name(), "German");
    assert_eq!(Language::of(&"nicht ".repeat(200_000)).name(), "German");
    assert_eq!(Language::of(&"ü".repeat(100_000)).name(), "German");
}

/// What is told of a text: each field with its words, or that it is not analysed.
fn told(text: &str, texts: Texts) -> Vec<String> {
    let mut told = Vec::new();
    extracting(&mut text.as_bytes(), texts, &mut |seen| {
        told.push(match seen {
            Seen::Item { text, item, .. } => format!("{}: {}", item.kind.name(), &text[item.range.clone()]),
            Seen::NotAnalysed { kind, why, .. } => format!("{} {why}", kind.name()),
        });
        Ok(())
    })
    .expect("a text in memory is read");
    told
}

#[test]
fn what_a_language_has_no_words_for_is_not_analysed_and_names_and_figures_always_are() {
    let german = [
        "decisions not analysed (German)",
        "actions not analysed (German)",
        "ruled_out not analysed (German)",
        "constraints: Der Timeout in src/net.rs darf höchstens 30 Sekunden sein.",
        "entities: src/net.rs",
        "figures: höchstens 30 Sekunden",
    ];
    assert_eq!(told("Der Timeout in src/net.rs darf höchstens 30 Sekunden sein.", Texts::Whole), german);
    let dutch = told("Waarom is src/net.rs niet aangepast? De poort is 8080.", Texts::Whole);
    let missing = ["constraints", "decisions", "actions", "ruled_out", "open", "hedge", "negation"];
    let missing = missing.map(|field| format!("{field} not analysed (Dutch)"));
    assert_eq!(dutch[..7], missing);
    // A question mark is the same in all of them.
    assert_eq!(dutch[7..], ["open: Waarom is src/net.rs niet aangepast?", "entities: src/net.rs", "figures: 8080"]);
    assert_eq!(
        told("最大3回まで再試行します。", Texts::Whole)[3..],
        ["constraints: 最大3回まで再試行します。", "figures: 最大3回"]
    );
}

#[test]
fn each_line_is_read_in_its_own_language() {
    let lines =
        "We did not touch the cache.\nDer Cache ist nicht schuld.\n8080\nkeine Ahnung\nLe cache n'est pas en cause.\n";
    let negations: Vec<_> = told(lines, Texts::Lines).into_iter().filter(|one| one.starts_with("negation: ")).collect();
    assert_eq!(
        negations,
        ["negation: touch the cache", "negation: Der Cache ist nicht schuld", "negation: Le cache n'est pas en cause"]
    );
}
