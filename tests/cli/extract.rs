//! What the extractor sees in a text, as it is printed.

use serde_json::Value;

use crate::golden::golden;
use crate::home::{Home, Ran};

const NOTES: &str = "\
Never lock orders between 08:00 and 20:00.
The gateway was ruled out: its log is clean.

Should orders.status become an enum? I'm not sure it's worth a migration.

- up to 5 retries, 250 ms apart, see src/retry.rs:12
- we decided on the queue

```
it is not 7
```
";

fn objects(ran: &Ran) -> Vec<Value> {
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_text_is_told_item_by_item() {
    let home = Home::new();
    home.file("notes.md", NOTES);
    golden("extract", &home.told(&["extract", "notes.md"]));
    golden("extract-help", &home.told(&["extract", "--help"]));
}

#[test]
fn every_range_is_the_text_it_stands_for() {
    let home = Home::new();
    home.file("notes.md", NOTES);
    let whole = objects(&home.run(["extract", "notes.md", "--format", "json"]));
    assert!(whole.len() > 10);
    for item in &whole {
        let at = |no: usize| item["range"][no].as_u64().unwrap() as usize;
        assert_eq!(item["text"], NOTES[at(0)..at(1)], "{item}");
        assert!(item.get("line").is_none(), "{item}");
    }
    assert_eq!(objects(&home.feed(["extract", "--format", "json"], NOTES)), whole, "stdin is read as a file is");
}

#[test]
fn every_line_is_a_text_of_its_own() {
    let home = Home::new();
    let text = "it is not\r\nthe cache\n\nno timeout\n";
    home.file("lines.txt", text);
    let seen: Vec<_> = objects(&home.run(["extract", "--lines", "--format", "json", "lines.txt"]))
        .iter()
        .map(|item| format!("{} {} {} {}", item["line"], item["field"], item["text"], item["range"]))
        .collect();
    assert_eq!(seen, ["1 \"negation\" \"not\" [6,9]", "4 \"negation\" \"timeout\" [3,10]"]);
}

#[test]
fn a_field_that_is_not_analysed_says_in_which_line_its_language_began() {
    let home = Home::new();
    home.file("lines.txt", "it is not the cache\nDer Cache ist nicht schuld.\nDas ist nicht der Grund.\n");
    let seen: Vec<_> = objects(&home.run(["extract", "--lines", "--format", "json", "lines.txt"]))
        .iter()
        .filter(|item| item["text"].is_null())
        .map(|item| format!("{} {} {}", item["line"], item["field"], item["class"]))
        .collect();
    let told = |field: &str| format!("2 \"{field}\" \"not analysed (German)\"");
    assert_eq!(seen, ["decisions", "actions", "ruled_out"].map(told));
    let text = home.run(["extract", "--lines", "lines.txt"]).out;
    assert!(text.lines().any(|line| line.starts_with("2: decisions") && line.contains("not analysed")), "{text}");
}

#[test]
fn what_is_no_text_is_said_and_what_is_no_file_is_an_error() {
    let home = Home::new();
    home.file("bytes.txt", b"it is \xff not the cache\n");
    let ran = home.run(["extract", "bytes.txt"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("«not» the cache") && ran.err.contains("no UTF-8"), "{}{}", ran.out, ran.err);
    for name in ["gone.txt", "."] {
        let ran = home.run(["extract", name]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        assert!(ran.err.starts_with("stet: cannot ") && ran.err.contains(name), "{}", ran.err);
    }
}

#[test]
fn a_language_without_words_for_a_field_says_so() {
    let home = Home::new();
    let text = "Ik weet niet of dat zo is, maar het was niet de cache en wij gaan het niet doen.\n";
    let items = objects(&home.feed(["extract", "--format", "json"], text));
    let told: Vec<_> = items.iter().map(|item| (item["field"].as_str(), item["class"].as_str())).collect();
    assert!(told.contains(&(Some("negation"), Some("not analysed (Dutch)"))), "{told:?}");
    assert!(items.iter().all(|item| item["range"].is_null()), "{items:?}");
}

#[test]
fn text_of_others_cannot_act_on_the_terminal() {
    let home = Home::new();
    let ran = home.feed(["extract"], "it is not a \u{1b}[31mred\u{202e} one\n");
    assert!(!ran.out.contains(['\u{1b}', '\u{202e}']), "{:?}", ran.out);
    let ran = home.feed(["extract", "--format", "json"], "it is not a \u{1b}[31mred\u{202e} one\n");
    assert!(!ran.out.contains(['\u{1b}', '\u{202e}']) && ran.out.contains("\\u001b"), "{:?}", ran.out);
}
