//! What a tool call is about: its nature, its target, and a key by which the same call is known again. Tools are known
//! by their names alone, and a command by its first words; nothing is run and no path is looked at.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// What a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Nature {
    /// It reads one thing.
    Read,
    /// It looks for something.
    Search,
    /// It changes something.
    Write,
    /// It runs a command that may do anything.
    Run,
}

impl Nature {
    /// What is said when such a call was made once more.
    pub fn again(self) -> &'static str {
        match self {
            Nature::Read => "read again",
            Nature::Search => "looked up again",
            Nature::Write => "done again",
            Nature::Run => "run again",
        }
    }

    /// What such a call did, before its target.
    pub fn did(self) -> &'static str {
        match self {
            Nature::Read => "read",
            Nature::Search => "looked up",
            Nature::Write => "wrote",
            Nature::Run => "ran",
        }
    }
}

/// A call made sense of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    /// The tool's name.
    pub tool: String,
    pub nature: Nature,
    /// Whether the tool runs commands: then its target is one, and says by itself what was done.
    pub command: bool,
    /// What it is about, in bytes of the call's text; empty where it has no arguments.
    pub target: Range<usize>,
    /// Equal for calls that do the same to the same.
    pub key: u64,
}

/// Longer arguments are told apart by their beginning.
const KEYED: usize = 600;

/// Endings of files that are written to be read by people.
const PROSE: [&str; 5] = [".md", ".mdx", ".txt", ".rst", ".adoc"];

/// Arguments that hold words for people or for another agent.
const SAID: [&str; 3] = ["plan", "prompt", "todos"];

/// Whether the call writes down words for people, or says them to another agent: what stands in it was said, not done.
pub(super) fn writes_prose(call: &Call, text: &str) -> bool {
    let target = &text[call.target.clone()];
    let said = |line: &str| line.split_once(": ").is_some_and(|(name, _)| SAID.contains(&name));
    (call.nature == Nature::Write && is_prose(target)) || text.lines().any(said) || only_says(target)
}

fn is_prose(path: &str) -> bool {
    PROSE.iter().any(|ending| path.trim_end_matches(['"', '\'']).ends_with(ending))
}

/// Whether every command of a line only says something: into the history of its files, or into a file for people. What is
/// piped into another command is done by that one.
fn only_says(command: &str) -> bool {
    let line = super::shell::line(command);
    let says = |[first, second]: &[&str; 2]| {
        let said = |entry: &str| entry == *first || entry.split_once(' ') == Some((first, second));
        include_str!("../../../assets/lexicon/tools/says.txt").lines().any(said)
    };
    let to_people = !line.redirects || is_prose(line.target);
    !line.piped && !line.in_place && to_people && line.before.iter().chain([&line.begins()]).all(says)
}

/// Makes sense of a call from the tool's name and its arguments, one `name: value` a line.
pub(super) fn call(tool: &str, text: &str) -> Call {
    let target = target(text);
    let said = &text[target.clone()];
    let lower = tool.to_lowercase();
    let named = |list: &'static str| words(list).any(|part| lower.contains(part));
    let is_command = named(include_str!("../../../assets/lexicon/tools/run.txt"));
    let (nature, about) = if is_command {
        command(said)
    } else if named(include_str!("../../../assets/lexicon/tools/write.txt")) {
        (Nature::Write, Some(said))
    } else if named(include_str!("../../../assets/lexicon/tools/read.txt")) {
        (Nature::Read, Some(said))
    } else if named(include_str!("../../../assets/lexicon/tools/search.txt")) {
        (Nature::Search, None)
    } else {
        (Nature::Run, None)
    };
    let mut hasher = DefaultHasher::new();
    nature.hash(&mut hasher);
    if let Some(about) = about {
        about.hash(&mut hasher);
    } else {
        lower.hash(&mut hasher);
        let beside = include_str!("../../../assets/lexicon/tools/beside.txt");
        for line in text[..text.floor_char_boundary(KEYED)].lines() {
            let name = line.split_once(':').map_or("", |(name, _)| name);
            if !words(beside).any(|word| word == name) {
                let said = if is_command { without_view(line) } else { line.trim() };
                said.hash(&mut hasher);
            }
        }
    }
    Call { tool: tool.to_owned(), nature, command: is_command, target, key: hasher.finish() }
}

/// A command without what only says how much of its output is shown: `make test 2>&1 | tail -30` runs `make test`.
fn without_view(command: &str) -> &str {
    let mut command = command.trim();
    loop {
        let shown = command
            .rsplit_once('|')
            .filter(|(_, last)| matches!(last.split_whitespace().next(), Some("head" | "tail")));
        let bare = shown.map_or(command, |(run, _)| run).trim_end();
        let bare = bare.strip_suffix("2>&1").unwrap_or(bare).trim_end();
        if bare.len() == command.len() {
            return command;
        }
        command = bare;
    }
}

/// The key of a call that reads this.
pub(super) fn read_key(path: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    Nature::Read.hash(&mut hasher);
    path.hash(&mut hasher);
    hasher.finish()
}

/// The value of the argument that says what the call is about; else the first value.
fn target(text: &str) -> Range<usize> {
    let head = &text[..text.floor_char_boundary(4 * KEYED)];
    let value = |name: &str| {
        let mut at = 0;
        head.split_inclusive('\n').find_map(|line| {
            let start = at;
            at += line.len();
            let value = line.strip_prefix(name)?.strip_prefix(':')?;
            Some(start + line.len() - value.len()..start + line.len())
        })
    };
    let targets = include_str!("../../../assets/lexicon/tools/targets.txt");
    let found = words(targets).find_map(value).or_else(|| {
        let line = head.split_inclusive('\n').next()?;
        let name = line.find(": ").map_or(0, |at| at + 2);
        Some(name..line.len())
    });
    let range = found.unwrap_or_default();
    let said = &text[range.clone()];
    let lead = said.len() - said.trim_start().len();
    range.start + lead..range.start + lead + said.trim().len()
}

/// What a command does, and its object where it reads one thing.
fn command(said: &str) -> (Nature, Option<&str>) {
    let line = super::shell::line(said);
    let mut heard = line.words.iter().copied();
    let first = heard.next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
    let second = heard.next().unwrap_or_default();
    if matches!(first, "bash" | "sh" | "zsh")
        && matches!(second, "-c" | "-lc")
        && let Some(script) = heard.next().filter(|script| script.len() < said.len())
    {
        return command(script);
    }
    let list = |list: &'static str| words(list).any(|word| word == first);
    if line.redirects || line.in_place {
        return (Nature::Write, None);
    }
    if list(include_str!("../../../assets/lexicon/tools/commands_read.txt")) && !line.piped {
        return (Nature::Read, line.words.last().copied());
    }
    let writes = include_str!("../../../assets/lexicon/tools/git_writes.txt");
    if first == "git" && words(writes).any(|word| word == second) {
        return (Nature::Write, None);
    }
    if list(include_str!("../../../assets/lexicon/tools/commands_search.txt")) {
        return (Nature::Search, None);
    }
    (Nature::Run, None)
}

fn words(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace)
}

/// Whether a result says that its call went wrong, beyond what the agent marked: a command's exit code.
pub(super) fn failed(result: &str) -> bool {
    let head = &result[..result.floor_char_boundary(200)];
    let code = |mark: &str| {
        let rest = &head[head.find(mark)? + mark.len()..];
        let rest = rest.trim_start_matches([':', ' ']);
        rest.chars().next().filter(char::is_ascii_digit).map(|digit| digit != '0')
    };
    code("Exit code").or_else(|| code("exit code")).or_else(|| code("exit status")).unwrap_or(false)
        || head.trim_start().starts_with("Traceback (most recent call last)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_known_by_what_it_does_to_what() {
        for (tool, text, nature, target) in [
            ("Read", "file_path: src/a.rs\noffset: 3", Nature::Read, "src/a.rs"),
            ("Bash", "command: cat src/a.rs\ndescription: look", Nature::Read, "cat src/a.rs"),
            ("Bash", "command: cd x && git log --oneline", Nature::Search, "cd x && git log --oneline"),
            ("Bash", "command: rg 'a > b' src", Nature::Search, "rg 'a > b' src"),
            ("Bash", "command: bash -lc \"cat a.rs > b.rs\"", Nature::Write, "bash -lc \"cat a.rs > b.rs\""),
            ("Bash", "command: git commit -m 'a'", Nature::Write, "git commit -m 'a'"),
            ("bash", "command: cargo test", Nature::Run, "cargo test"),
            ("write", "path: a.md\ncontent: hello", Nature::Write, "a.md"),
            ("Grep", "pattern: x\npath: src", Nature::Search, "src"),
            ("psql", "host: db\nsql: select 1", Nature::Run, "select 1"),
            ("noargs", "", Nature::Run, ""),
        ] {
            let call = call(tool, text);
            assert_eq!((call.nature, &text[call.target]), (nature, target), "{tool} {text}");
        }
    }

    #[test]
    fn the_same_call_has_the_same_key_however_it_is_made() {
        let key = |tool, text| call(tool, text).key;
        assert_eq!(key("Read", "file_path: a.rs\noffset: 3"), key("read", "path: a.rs"));
        assert_eq!(key("Read", "file_path: a.rs"), key("Bash", "command: cat a.rs"));
        assert_eq!(key("Read", "file_path: a b.rs"), key("Bash", "command: cat 'a b.rs'"));
        assert_eq!(key("Bash", "command: make\ndescription: one"), key("Bash", "command: make\ndescription: two"));
        assert_eq!(key("Bash", "command: make test"), key("Bash", "command: make test 2>&1 | tail -5"));
        assert_ne!(key("Bash", "command: make test"), key("Bash", "command: make test | grep head"));
        assert_ne!(key("Read", "file_path: a.rs"), key("Read", "file_path: b.rs"));
        assert_ne!(key("Read", "file_path: a.rs"), key("Edit", "file_path: a.rs"));
    }

    #[test]
    fn an_exit_code_says_whether_a_command_failed() {
        for (result, want) in [("Exit code 1\nFAILED", true), ("exit code: 0", false), ("14 passed", false)] {
            assert_eq!(failed(result), want, "{result}");
        }
    }
}
