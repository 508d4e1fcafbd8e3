//! What a session reports about its own work, as it passes: the state of each task on the agent's list, and numbers that
//! stand beside tests.

use foldhash::HashMap;

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

/// The tasks in the arguments of a call: `"content":"…","status":"…"`.
fn tasks(text: &str) -> impl Iterator<Item = (String, bool)> {
    let mut parts = text.split("\"content\":");
    parts.next();
    parts.filter_map(|part| {
        let (task, rest) = part.trim_start().strip_prefix('"')?.split_once('"')?;
        let state = rest.split_once("\"status\":")?.1.trim_start().strip_prefix('"')?.split('"').next()?;
        let done = match state {
            "completed" | "done" => true,
            "pending" | "in_progress" | "todo" => false,
            _ => return None,
        };
        Some((task.to_owned(), done))
    })
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
    fn a_number_beside_tests_is_known_from_there_on() {
        let mut reports = Reports::default();
        reports.hear("Summary: 31 passed in 2 s", Speaker::Tool, 10);
        for (number, before, want) in [(31, 20, true), (31, 10, false), (32, 20, false)] {
            assert_eq!(reports.counted(number, before), want, "{number} {before}");
        }
    }
}
