//! Rust source as lines of code: comments and the insides of strings blanked, lines of tests marked. No parser: what
//! the rules of the house ask is visible to the eye, and so to this.

use std::path::Path;

/// One file of the project.
pub struct Source {
    /// From the top of the repository, with `/`.
    pub path: String,
    pub text: String,
    pub code: Vec<CodeLine>,
    /// Its comments, in their lines, and of a file that is no Rust all of it.
    pub notes: String,
}

/// One line without comments and without what stands in strings.
pub struct CodeLine {
    /// From 1.
    pub no: usize,
    pub code: String,
    /// It stands in a module under `#[cfg(test)]`.
    pub test: bool,
}

impl Source {
    pub fn new(path: String, text: String) -> Self {
        let (bare, notes) = if is_rust(&path) { code_and_notes(&text) } else { (String::new(), text.clone()) };
        let mut code: Vec<CodeLine> = bare
            .lines()
            .enumerate()
            .map(|(at, line)| CodeLine { no: at + 1, code: line.into(), test: false })
            .collect();
        mark_tests(&mut code);
        // A module of tests in files of its own.
        if path.starts_with("src/") && (path.ends_with("/tests.rs") || path.contains("/tests/")) {
            for line in &mut code {
                line.test = true;
            }
        }
        Self { path, text, code, notes }
    }

    /// Every text file that the project speaks with; samples are data and not among them.
    pub fn all() -> Vec<Self> {
        let top = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = Vec::new();
        for place in ["src", "tests", "assets", ".ci", "README.md", "Cargo.toml"] {
            walk(top, &top.join(place), &mut files);
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files
    }

    /// The room it stands in; `None` for `lib.rs`, `main.rs` and what is not under `src`.
    pub fn room(&self) -> Option<&str> {
        Some(self.path.strip_prefix("src/")?.split_once('/')?.0)
    }

    /// What it names at the top of the crate, with the line: `crate::x`, `crate::{x, y::z}`, `super::super::x`.
    pub fn uses(&self) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        let starts: Vec<(usize, usize, &str)> = self.openings();
        let all: String = self.code.iter().flat_map(|line| [line.code.as_str(), "\n"]).collect();
        for (line, offset, _) in &starts {
            let rest = &all[*offset..];
            match rest.strip_prefix('{') {
                Some(group) => found.extend(group_heads(group).map(|(at, name)| {
                    let lines = group[..at].matches('\n').count();
                    (line + lines, name.to_owned())
                })),
                None => found.push((*line, ident(rest).to_owned())),
            }
        }
        found
    }

    /// Where a path from the top of the crate goes on: line, offset in the whole code, what opened it.
    fn openings(&self) -> Vec<(usize, usize, &'static str)> {
        let depth = self.path.trim_end_matches(".rs").trim_end_matches("/mod").split('/').count() - 1;
        let mut offset = 0;
        let mut found = Vec::new();
        for line in &self.code {
            for (at, _) in line.code.match_indices("crate::") {
                if !line.code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$') {
                    found.push((line.no, offset + at + "crate::".len(), "crate"));
                }
            }
            let up = depth + usize::from(line.test);
            let climb = "super::".repeat(up);
            for (at, _) in line.code.match_indices(&climb) {
                if !line.code[..at].ends_with("super::") {
                    found.push((line.no, offset + at + climb.len(), "super"));
                }
            }
            offset += line.code.len() + 1;
        }
        found
    }
}

/// Whether a file of this name holds Rust.
pub fn is_rust(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|ending| ending == "rs")
}

fn walk(top: &Path, path: &Path, files: &mut Vec<Source>) {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).unwrap().map(Result::unwrap);
        entries.for_each(|entry| walk(top, &entry.path(), files));
    } else if let Ok(text) = std::fs::read_to_string(path) {
        let name = path.strip_prefix(top).unwrap().to_string_lossy().replace('\\', "/");
        files.push(Source::new(name, text));
    }
}

fn ident(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())]
}

/// The first name of each member of a `{…}` group, with its offset.
fn group_heads(group: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut depth = 0_i32;
    let mut heads = Vec::new();
    let mut fresh = true;
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => fresh = true,
            c if fresh && depth == 0 && (c.is_alphanumeric() || c == '_') => {
                heads.push((at, ident(&group[at..])));
                fresh = false;
            }
            _ => {}
        }
        if depth < 0 {
            break;
        }
    }
    heads.into_iter()
}

/// Whether the code holds the word, not as a part of a longer one.
pub fn holds_word(code: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + word.len()..].chars().next();
        let goes_on =
            word.starts_with(part) && before.is_some_and(part) || word.ends_with(part) && after.is_some_and(part);
        !goes_on
    })
}

fn mark_tests(code: &mut [CodeLine]) {
    let mut at = 0;
    while at < code.len() {
        if !code[at].code.contains("#[cfg(test)]") {
            at += 1;
            continue;
        }
        let mut depth = 0_i32;
        let mut opened = false;
        while at < code.len() {
            code[at].test = true;
            let line = &code[at].code;
            let ends_here = line.trim_end().ends_with(';') && !opened;
            for c in line.chars() {
                opened |= c == '{';
                depth += i32::from(c == '{') - i32::from(c == '}');
            }
            at += 1;
            if ends_here || (opened && depth <= 0) {
                break;
            }
        }
    }
}

/// The code with comments and the insides of strings and characters as blanks, and the comments with all else as
/// blanks; lines stay where they are.
fn code_and_notes(text: &str) -> (String, String) {
    let bytes: Vec<char> = text.chars().collect();
    let (mut code, mut notes) = (String::with_capacity(text.len()), String::with_capacity(text.len()));
    let mut at = 0;
    let blank = |c: &char| if *c == '\n' { '\n' } else { ' ' };
    while at < bytes.len() {
        let rest = &bytes[at..];
        let end = match rest {
            ['/', '/', ..] => at + rest.iter().position(|c| *c == '\n').unwrap_or(rest.len()),
            ['/', '*', ..] => at + 2 + position(&rest[2..], &['*', '/']).map_or(rest.len() - 2, |n| n + 2),
            ['"', ..] => at + string_end(rest),
            ['r', '"' | '#', ..] if raw_string(rest).is_some() && !word_before(&bytes, at) => {
                at + raw_string(rest).unwrap_or(1)
            }
            ['\'', '\\', ..] => at + 2 + rest[2..].iter().skip(1).position(|c| *c == '\'').map_or(0, |n| n + 2),
            ['\'', _, '\'', ..] => at + 3,
            [c, ..] => {
                code.push(*c);
                notes.push(blank(c));
                at += 1;
                continue;
            }
            [] => break,
        };
        let end = end.min(bytes.len()).max(at + 1);
        let is_note = matches!(rest, ['/', '/' | '*', ..]);
        code.extend(bytes[at..end].iter().map(blank));
        notes.extend(bytes[at..end].iter().map(|c| if is_note { *c } else { blank(c) }));
        at = end;
    }
    (code, notes)
}

fn word_before(bytes: &[char], at: usize) -> bool {
    at > 0 && (bytes[at - 1].is_alphanumeric() || bytes[at - 1] == '_') && bytes[at - 1] != 'b'
}

fn position(text: &[char], needle: &[char]) -> Option<usize> {
    text.windows(needle.len()).position(|window| window == needle)
}

fn string_end(rest: &[char]) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

fn raw_string(rest: &[char]) -> Option<usize> {
    let hashes = rest[1..].iter().take_while(|c| **c == '#').count();
    if rest.get(1 + hashes) != Some(&'"') {
        return None;
    }
    let close: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
    let body = 2 + hashes;
    Some(body + position(&rest[body..], &close).map_or(rest.len() - body, |n| n + close.len()))
}
