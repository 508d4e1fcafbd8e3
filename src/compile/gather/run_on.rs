//! A person's sentence that runs on into a question: `ok, leave it, can we add a test?` says something and then asks
//! something. What stands before the question is a statement of its own.

use std::ops::Range;
use std::sync::OnceLock;

use foldhash::HashSet;

/// What begins a question, what only asks to confirm, and what cannot stand alone.
#[derive(Default)]
struct Lists {
    asks: HashSet<&'static str>,
    tags: HashSet<&'static str>,
    leans: HashSet<&'static str>,
}

fn lists() -> &'static Lists {
    static LISTS: OnceLock<Lists> = OnceLock::new();
    LISTS.get_or_init(|| {
        let mut lists = Lists::default();
        for line in include_str!("../../../assets/lexicon/en/run_on.txt").lines() {
            let Some((name, entries)) = line.split_once(": ").filter(|_| !line.starts_with('#')) else { continue };
            let list = match name {
                "asks" => &mut lists.asks,
                "tag" => &mut lists.tags,
                _ => &mut lists.leans,
            };
            list.extend(entries.split(", "));
        }
        lists
    })
}

/// How a question begins, and what only asks to confirm, is no longer than this.
const BEGIN: usize = 40;

/// What is said and what is asked in a sentence, each in its bytes; `None` where it does not run on.
pub(super) fn run_on(sentence: &str) -> Option<[Range<usize>; 2]> {
    let asked = sentence.trim_end().strip_suffix('?')?;
    for (at, _) in asked.match_indices(", ") {
        let (said, rest) = (&asked[..at], asked[at + 2..].trim());
        // Behind each of many commas only so much is looked at: a long list is read once.
        let question = rest[..rest.floor_char_boundary(BEGIN)].to_lowercase().replace('’', "'");
        let stands = said.split_whitespace().nth(1).is_some();
        if stands && (is_tag(&question) || !leans(said) && asks(&question)) {
            return Some([0..at, sentence.len() - sentence[at + 1..].trim_start().len()..sentence.len()]);
        }
    }
    None
}

fn is_tag(question: &str) -> bool {
    lists().tags.contains(question)
}

/// By its first word or its first two.
fn asks(question: &str) -> bool {
    let mut words = question.split(' ');
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    lists().asks.contains(first) || lists().asks.contains(format!("{first} {second}").as_str())
}

fn leans(said: &str) -> bool {
    let first = said.split_whitespace().next().unwrap_or_default().to_lowercase();
    lists().leans.contains(first.trim_end_matches(','))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_a_question_is_said_by_itself() {
        for (sentence, want) in [
            ("ok, leave it, can we add a test?", Some(["ok, leave it", "can we add a test?"])),
            ("the rows stay where they are, right?", Some(["the rows stay where they are", "right?"])),
            ("Both jobs share one lock, doesn’t it?", Some(["Both jobs share one lock", "doesn’t it?"])),
            ("I moved it, what's left?", Some(["I moved it", "what's left?"])),
            ("if it fails twice, it stops, no?", Some(["if it fails twice, it stops", "no?"])),
            // Neither a word alone, nor what leans on the question, nor a list stands by itself.
            ("ok, can we add a test?", None),
            ("if it fails, can we retry?", None),
            ("For the export, do we need a lock?", None),
            ("Is it red, green, or blue?", None),
            ("The lock is gone, I think.", None),
            ("?", None),
            (", ?", None),
        ] {
            let seen = run_on(sentence).map(|parts| parts.map(|part| &sentence[part]));
            assert_eq!(seen, want, "{sentence}");
        }
    }

    /// Each comma once: what a hostile text makes of many takes minutes otherwise.
    #[test]
    fn a_long_list_is_read_once() {
        let list = format!("it is {} or not?", "a, ".repeat(200_000));
        let started = std::time::Instant::now();
        assert_eq!(run_on(&list), None);
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }
}
