//! Lines that their writer did not write though nothing marks them: what a program printed, and a talk or a mail that was
//! copied in. They are told by how they begin. What a person may have written so stays theirs, one word apart: `warning:`
//! in small letters is a program's, `Warning:` may be anybody's.

use std::ops::Range;
use std::sync::OnceLock;

use super::zones::is_logged;

/// The head of a mail has at most so many lines.
const HEAD: usize = 6;
/// A line says within so many bytes what it is.
const START: usize = 200;

/// The stretches of whole lines that were pasted, in order. Behind the first line of a talk all of the text is: nobody can
/// tell where somebody's own words begin again.
pub fn pasted(text: &str) -> Vec<Range<usize>> {
    let end = talk(text).unwrap_or(text.len());
    let mut found: Vec<Range<usize>> = Vec::new();
    // Lines that a program may have printed, right before this one.
    let mut open: Option<usize> = None;
    let mut printing = false;
    let mut at = 0;
    for line in text[..end].split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let goes_on = printing && line.starts_with([' ', '\t']) && !is_bullet(line);
        (printing, open) = match printed(line) {
            Printed::Sure => {
                push(&mut found, open.unwrap_or(range.start)..range.end);
                (true, None)
            }
            Printed::Perhaps if printing => {
                push(&mut found, range);
                (true, None)
            }
            Printed::Perhaps => (false, open.or(Some(range.start))),
            Printed::No if goes_on && !line.trim().is_empty() => {
                push(&mut found, range);
                (true, None)
            }
            Printed::No => (false, None),
        };
    }
    if end < text.len() {
        push(&mut found, end..text.len());
    }
    found
}

fn push(found: &mut Vec<Range<usize>>, range: Range<usize>) {
    match found.last_mut() {
        Some(last) if last.end == range.start => last.end = range.end,
        Some(_) | None => found.push(range),
    }
}

fn is_bullet(line: &str) -> bool {
    line.trim_start().starts_with(['-', '*', '+', '•'])
}

/// Whether a program printed a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Printed {
    No,
    /// Beside a line that surely is.
    Perhaps,
    Sure,
}

fn printed(line: &str) -> Printed {
    let line = line.trim();
    let start = &line[..line.floor_char_boundary(START)];
    let lists = lists();
    let sure = lists.printed.iter().any(|begin| line.starts_with(begin))
        || start.split_once(": ").is_some_and(|(who, what)| is_placed(who) || is_told(who, what))
        || is_named(line)
        || is_numbered(line)
        || is_logged(line) && (!line.starts_with(char::is_uppercase) || line.starts_with("File ") || is_leveled(line));
    if sure {
        Printed::Sure
    } else if is_logged(line) || lists.beside.iter().any(|begin| line.starts_with(begin)) {
        Printed::Perhaps
    } else {
        Printed::No
    }
}

/// `Makefile:3: …`, `src/a.rs:12:5: …`, `src\a.cs(12,5): …`
fn is_placed(place: &str) -> bool {
    let marks = |c: char| c.is_ascii_digit() || matches!(c, ':' | ',' | '(' | ')');
    let file = place.trim_end_matches(marks);
    let line = &place[file.len()..];
    // `localhost:8080` is no file.
    let named = file.contains(['.', '/', '\\']) || file.ends_with("file");
    named && !file.contains(char::is_whitespace) && (line.starts_with(':') && line.len() > 1 || line.ends_with(')'))
}

/// `ld: fatal error: …`
fn is_told(program: &str, what: &str) -> bool {
    let levels = ["error: ", "warning: ", "note: ", "fatal error: ", "fatal: "];
    !program.contains(char::is_whitespace) && levels.iter().any(|level| what.starts_with(level))
}

/// `java.io.IOException: …`, `DeprecationWarning: …`
fn is_named(line: &str) -> bool {
    let Some((name, _)) = line.split_once(':') else { return false };
    let kind = ["Error", "Exception", "Warning"].into_iter().find_map(|kind| name.strip_suffix(kind));
    kind.is_some_and(|before| !before.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_')))
}

/// `3:5  error  …`, as a linter sets it, and `12 | …`, as a compiler shows code.
fn is_numbered(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':');
    let word = rest.trim_start();
    rest.len() < line.len() && (word.starts_with("error ") || word.starts_with("warning ") || rest.starts_with(" |"))
}

/// `ERROR:root:…`, `WARN com.shop.Cart - …`: behind the level stands who says it.
fn is_leveled(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let who = rest.trim_start_matches([' ', ':']).split_whitespace().next().unwrap_or_default();
    let inner = who.trim_end_matches([':', '.', ',']);
    rest.starts_with(':') && !rest.starts_with(": ") || inner.starts_with('[') || inner.contains(['.', ':'])
}

/// Where a talk or a mail begins that was copied in.
fn talk(text: &str) -> Option<usize> {
    let lists = lists();
    let mut first: Option<(usize, String)> = None;
    let mut mail: Option<(usize, usize)> = None;
    let mut at = 0;
    for (no, line) in text.split_inclusive('\n').enumerate() {
        let start = at;
        at += line.len();
        if is_forwarded(line) {
            return Some(start);
        }
        let Some(name) = speaker(line) else { continue };
        if lists.alone.contains(&name.as_str()) {
            // Those before it speak in the same talk.
            return Some(first.map_or(start, |(from, _)| from));
        }
        if lists.together.contains(&name.as_str()) {
            match &first {
                Some((from, other)) if *other != name => return Some(*from),
                Some(_) => {}
                None => first = Some((start, name.clone())),
            }
        }
        if lists.from.contains(&name.as_str()) {
            mail = Some((no, start));
        } else if let Some((from, start)) = mail.filter(|_| lists.about.contains(&name.as_str()))
            && no - from < HEAD
        {
            return Some(start);
        }
    }
    None
}

/// `Human: …`, `**Assistant**`, `## User`, `[user]: …`: the name in small letters.
fn speaker(line: &str) -> Option<String> {
    let line = line.trim();
    let marks = ['*', '_', '#', '[', ']', '<', '>', ' '];
    let (name, _) = match line.split_once(':') {
        Some(parts) => parts,
        None if line.starts_with(['*', '#', '[']) => (line, ""),
        None => return None,
    };
    let name = name.trim_matches(marks);
    (name.len() <= 16 && !name.contains(char::is_whitespace)).then(|| name.to_lowercase())
}

/// `----- Original Message -----`
fn is_forwarded(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("--")
        && ["original message", "forwarded message", "ursprüngliche nachricht", "message d'origine", "mensaje original"]
            .contains(&line.trim_matches(['-', ' ']).to_lowercase().as_str())
}

/// Lists of beginnings and names; see the files.
#[derive(Default)]
struct Lists {
    printed: Vec<&'static str>,
    beside: Vec<&'static str>,
    alone: Vec<&'static str>,
    together: Vec<&'static str>,
    from: Vec<&'static str>,
    about: Vec<&'static str>,
}

fn lists() -> &'static Lists {
    static LISTS: OnceLock<Lists> = OnceLock::new();
    LISTS.get_or_init(|| {
        let mut lists = Lists::default();
        let lines = |list: &'static str| list.lines().filter(|line| !line.is_empty() && !line.starts_with("# "));
        for line in lines(include_str!("../../assets/lexicon/tools/printed.txt")) {
            match line.strip_prefix("beside: ") {
                Some(begin) => lists.beside.push(begin),
                None => lists.printed.push(line),
            }
        }
        for (what, names) in
            lines(include_str!("../../assets/lexicon/tools/talkers.txt")).filter_map(|line| line.split_once(": "))
        {
            match what {
                "alone" => &mut lists.alone,
                "together" => &mut lists.together,
                "from" => &mut lists.from,
                _ => &mut lists.about,
            }
            .extend(names.split(' '));
        }
        lists
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stays of a text.
    fn own(text: &str) -> String {
        let mut own = text.to_owned();
        for range in pasted(text).into_iter().rev() {
            own.replace_range(range, "");
        }
        own
    }

    #[test]
    fn what_a_program_printed_is_told_from_what_a_person_wrote_by_how_it_begins() {
        for line in [
            "Makefile:3: *** you must set FOO.  Stop.",
            "src/main.rs:12:5: you must not use this",
            "src\\Shop.cs(12,5): error CS0103: the name must exist",
            "error: you must set FOO",
            "error[E0308]: types must match",
            "warning: you should never use `gets`",
            "ld: fatal error: the symbol must be defined",
            "npm ERR! You must never run this as root",
            "fatal: you must specify a branch",
            "remote: you must not push to main",
            "hint: you must merge first",
            "TypeError: the callback must be a function",
            "java.lang.IllegalStateException: must not be called twice",
            "DeprecationWarning: never use this",
            "(node:9) Warning: must set it",
            "2026-03-02 09:14:00 you must never retry",
            "[09:14:00] never retry",
            "[WARN] never retry",
            "ERROR:root:you must not retry",
            "WARN com.shop.Cart - must never be empty",
            "  3:5  error  You must not leave this empty  no-empty",
            "12 | // you must never get here",
            "  = help: you must use `let` here",
            "$ git push --never-mind",
        ] {
            assert_eq!(own(line), "", "{line}");
        }
        for line in [
            "Warning: never deploy on Friday.",
            "Note: you must keep the old column.",
            "note: you must keep the old column",
            "Rule 3: never deploy on Friday.",
            "At 09:14: never retry.",
            "In src/main.rs:12 you must not use unwrap.",
            "Errors: never swallow them.",
            "On errors: you must always retry.",
            "ERROR lines must never be dropped.",
            "Port 8080: never use it.",
            "From eu-west: never copy anything.",
            "You must handle this: error: never ignored",
            "C:\\data must never be touched: it is shared.",
            "localhost:8080: never restart it.",
        ] {
            assert_eq!(own(line), line, "{line}");
        }
    }

    #[test]
    fn beside_a_line_that_a_program_printed_stand_more_of_them() {
        for (text, kept) in [
            ("Warning: you must close it\n    at close (a.js:1:2)\nNever close it.", "Never close it."),
            ("error: no\n  you must\nnote: you must too\n\nnote: keep it", "\nnote: keep it"),
            ("error: no\n- never do that again", "- never do that again"),
            ("Rules:\n  never push\nerror: no\n", "Rules:\n  never push\n"),
        ] {
            assert_eq!(own(text), kept, "{text}");
        }
    }

    #[test]
    fn a_talk_or_a_mail_that_was_copied_goes_on_to_the_end() {
        for (text, kept) in [
            ("See:\nHuman: go\nAssistant: I must never.\n\nI must.", "See:\n"),
            ("**Assistant**\nI must never.", ""),
            ("See.\n\n## User\nnever\n\n## Assistant\nok", "See.\n\n"),
            ("User: never\nAgent: ok", ""),
            (
                "User: must never see an error.\nUser: must log in.",
                "User: must never see an error.\nUser: must log in.",
            ),
            ("System: must never stop.", "System: must never stop."),
            ("Look:\nFrom: Jo\nTo: us\nSubject: rules\n\nNever.", "Look:\n"),
            ("From: eu-west\nTo: us-east\nNever touch it.", "From: eu-west\nTo: us-east\nNever touch it."),
            ("ok\n-----Original Message-----\nNever.", "ok\n"),
        ] {
            assert_eq!(own(text), kept, "{text}");
        }
    }
}
