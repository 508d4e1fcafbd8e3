//! What a session reports about its own work, as it passes: the state of each task on the agent's list, and numbers that
//! stand beside tests.

use foldhash::HashMap;

use serde_json::Value;

use crate::session::Speaker;

/// States and numbers with where they were told.
#[derive(Clone, Debug, Default)]
pub(super) struct Reports {
    /// By the words of a task: where it was told last, and whether it was done then. In the order of the session.
    tasks: HashMap<String, Vec<(u64, bool)>>,
    /// By number: where it stood first beside tests.
    tallies: HashMap<u32, u64>,
}

/// So far around such a word a number belongs to it.
const BESIDE: usize = 32;
/// Longer texts are no lists.
const LIST: usize = 64 * 1024;

impl Reports {
    /// A text of the session that stands at a place.
    pub(super) fn hear(&mut self, text: &str, speaker: Speaker, at: u64) {
        if speaker == Speaker::Assistant && text.len() <= LIST {
            for (task, done) in tasks(text) {
                self.tasks.entry(task).or_default().push((at, done));
            }
        }
        for word in ["pass", "PASS", "Pass", "test", "Test"] {
            for found in memchr::memmem::find_iter(text.as_bytes(), word) {
                let from = text.floor_char_boundary(found.saturating_sub(BESIDE));
                let to = text.ceil_char_boundary((found + BESIDE).min(text.len()));
                let (before, behind) = (last_number(&text[from..found]), first_number(&text[found..to]));
                for number in before.into_iter().chain(behind) {
                    self.tallies.entry(number).or_insert(at);
                }
            }
        }
    }

    /// Tasks that were not done when they were told last before a place.
    pub(super) fn undone(&self, before: u64) -> impl Iterator<Item = &str> {
        self.tasks.iter().filter_map(move |(task, states)| {
            let last = states.iter().rev().find(|(at, _)| *at < before)?;
            (!last.1).then_some(task.as_str())
        })
    }

    /// Whether a number stood beside tests before a place.
    pub(super) fn counted(&self, number: u32, before: u64) -> bool {
        self.tallies.get(&number).is_some_and(|at| *at < before)
    }
}

/// The tasks in the arguments of a call, which stand as JSON: `todos: [{"content":"…","status":"…"}]`. What is no list of
/// tasks with their states holds none.
fn tasks(text: &str) -> Vec<(String, bool)> {
    let states = ["\"status\"", "\"state\"", "\"done\"", "\"completed\""];
    if !states.iter().any(|state| memchr::memmem::find(text.as_bytes(), state.as_bytes()).is_some()) {
        return Vec::new();
    }
    let mut tasks = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let list = at + line.split_once(": ").filter(|(name, _)| is_name(name)).map_or(0, |(name, _)| name.len() + 2);
        at += line.len();
        if !text[list..].starts_with('[') {
            continue;
        }
        // No other argument begins within a list: each part of the text is read once.
        let mut values = serde_json::Deserializer::from_str(&text[list..]).into_iter::<Value>();
        if let Some(Ok(Value::Array(listed))) = values.next() {
            tasks.extend(listed.iter().filter_map(task));
        }
    }
    tasks
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
}

/// A task and whether it is done; `None` for one that is neither done nor to be done.
fn task(value: &Value) -> Option<(String, bool)> {
    let named = |names: &[&str]| names.iter().find_map(|name| value.get(name));
    let task = named(&["content", "text", "task", "title", "step"])?.as_str()?.trim();
    let done = match named(&["status", "state", "done", "completed"])? {
        Value::Bool(done) => *done,
        Value::String(state) => match state.as_str() {
            "completed" | "complete" | "done" => true,
            "pending" | "in_progress" | "in-progress" | "todo" => false,
            _ => return None,
        },
        Value::Null | Value::Number(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    (!task.is_empty()).then(|| (task.to_owned(), done))
}

/// `31 unit` before `tests`: only words stand between.
fn last_number(text: &str) -> Option<u32> {
    let end = text.rfind(|c: char| c.is_ascii_digit())? + 1;
    let digits = text[..end].bytes().rev().take_while(u8::is_ascii_digit).count();
    let start = end - digits;
    let free = start == 0 || text[..start].ends_with([' ', '(', '/', '\n', '*']);
    (free && is_plain(&text[end..])).then(|| text[start..end].parse().ok()).flatten()
}

/// `tests: 31`.
fn first_number(text: &str) -> Option<u32> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let end = text[start..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |at| start + at);
    is_plain(&text[..start]).then(|| text[start..end].parse().ok()).flatten()
}

fn is_plain(between: &str) -> bool {
    between.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | ':' | '*' | '/' | '(' | '|' | '`'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_state_of_a_task_counts_and_only_before_a_place() {
        let mut reports = Reports::default();
        let call = |state: &str| format!("todos: [{{\"content\":\"Lint the code\",\"status\":\"{state}\"}}]");
        reports.hear(&call("pending"), Speaker::Assistant, 10);
        reports.hear(&call("completed"), Speaker::Assistant, 20);
        for (before, want) in [(10, 0), (15, 1), (25, 0)] {
            assert_eq!(reports.undone(before).count(), want, "{before}");
        }
    }

    #[test]
    fn a_list_of_tasks_is_read_as_json() {
        for (text, want) in [
            (r#"todos: [{"content":"Say \"hi\"","status":"pending"}]"#, &[("Say \"hi\"", false)][..]),
            (r#"todos: [{"status":"completed","activeForm":"Linting","content":"Lint"}]"#, &[("Lint", true)]),
            (r#"todos: [ {"id":1, "text":"Lint", "done":false} ]"#, &[("Lint", false)]),
            (
                r#"plan: [{"step":"Lint","status":"in_progress"},{"step":"Test","status":"done"}]"#,
                &[("Lint", false), ("Test", true)],
            ),
            (r#"todos: [{"content":"Lint","status":"cancelled"},{"content":3,"status":"done"}]"#, &[]),
            (r#"path: a.json\ncontent: {"content":"Lint","status":"pending"}"#, &[]),
            (r#"todos: [{"content":"Lint","status":"pending""#, &[]),
            (r#"note: [x] seen\nids: [1]\ntodos: [{"content":"Lint","status":"pending"}]"#, &[("Lint", false)]),
        ] {
            let want: Vec<_> = want.iter().map(|(task, done)| ((*task).to_owned(), *done)).collect();
            assert_eq!(tasks(&text.replace("\\n", "\n")), want, "{text}");
        }
    }

    #[test]
    fn a_number_beside_tests_is_known_from_there_on() {
        let mut reports = Reports::default();
        reports.hear("Summary: 31 passed in 2 s", Speaker::Tool, 10);
        for (number, before, want) in [(31, 20, true), (31, 10, false), (32, 20, false)] {
            assert_eq!(reports.counted(number, before), want, "{number} {before}");
        }
    }
}
