//! What a model answered, as plain sentences. It is not believed and not obeyed: list signs, fences and prefaces go, what
//! is too long is left out, and the rest is a draft. Control characters stay as they are until something is shown.

use super::Sentence;
use crate::text::sentences;

/// A longer sentence is none.
const LONGEST: usize = 600;
/// Of an answer so much is looked at.
const LOOKED_AT: usize = 64 * 1024;

/// At most so many sentences of an answer, in order. None where it holds nothing that reads as one.
pub(super) fn parse(answer: &str, most: usize) -> Vec<Sentence> {
    let answer = &answer[..answer.floor_char_boundary(LOOKED_AT)];
    let mut found: Vec<Sentence> = Vec::new();
    let mut fenced = false;
    for line in answer.lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        let plain = plain(line);
        // What only says that something follows, and what stands between tags.
        let said = !plain.ends_with(':') && !(plain.starts_with('<') && plain.ends_with('>'));
        for range in sentences(plain).into_iter().filter(|_| said) {
            let text = plain[range].trim();
            if found.len() < most && text.len() <= LONGEST && text.chars().filter(|c| c.is_alphabetic()).count() > 2 {
                let sentence = Sentence { text: text.to_owned(), sources: Vec::new() };
                if !found.contains(&sentence) {
                    found.push(sentence);
                }
            }
        }
    }
    found
}

/// A line without what opens a heading, a point of a list or a quote, and without the signs of bold type around it.
fn plain(line: &str) -> &str {
    let mut rest = line.trim_start_matches(['#', '>']).trim_start();
    for sign in ["- [ ] ", "- [x] ", "- ", "* ", "+ ", "• ", "– "] {
        if let Some(behind) = rest.strip_prefix(sign) {
            rest = behind.trim_start();
            break;
        }
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if (1..=2).contains(&digits)
        && let Some(behind) = rest[digits..].strip_prefix(". ").or_else(|| rest[digits..].strip_prefix(") "))
    {
        rest = behind.trim_start();
    }
    match rest.strip_prefix("**").and_then(|inner| inner.strip_suffix("**")) {
        Some(inner) if !inner.contains("**") => inner,
        Some(_) | None => rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parsed(answer: &str) -> Vec<String> {
        parse(answer, 3).into_iter().map(|one| one.text).collect()
    }

    #[test]
    fn an_answer_is_plain_sentences_and_no_more_than_wanted() {
        for (answer, want) in [
            ("The export was fixed. The test passes.", vec!["The export was fixed.", "The test passes."]),
            (
                "Here is the summary:\n\n1. The export was fixed.\n2) It runs.",
                vec!["The export was fixed.", "It runs."],
            ),
            ("## **The export was fixed.**\n- [x] It runs.\n", vec!["The export was fixed.", "It runs."]),
            ("```text\nThe export was fixed.\n```", vec!["The export was fixed."]),
            ("<summary>\n> It runs.\n</summary>", vec!["It runs."]),
            ("It runs. It runs. It runs.", vec!["It runs."]),
            ("One is. Two is. Three is. Four is.", vec!["One is.", "Two is.", "Three is."]),
            ("Colour \u{1b}[31mred stays until it is shown.", vec!["Colour \u{1b}[31mred stays until it is shown."]),
            ("...\n--\n7\n", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(parsed(answer), want, "{answer}");
        }
        assert!(parsed(&"word ".repeat(400_000)).is_empty(), "one endless sentence is none");
    }

    proptest! {
        #[test]
        fn any_answer_is_parsed(answer in ".{0,400}", most in 0_usize..5) {
            let found = parse(&answer, most);
            prop_assert!(found.len() <= most && found.iter().all(|one| one.sources.is_empty()));
        }
    }
}
