//! What a session reports about its own work, as it passes: the state of each task on the agent's list, and numbers that
//! stand beside tests.

use std::collections::HashMap;

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
const BESIDE: usize = 40;
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
                for number in numbers(&text[from..to]) {
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

fn numbers(text: &str) -> impl Iterator<Item = u32> {
    text.split(|c: char| !c.is_ascii_digit())
        .filter(|run| (1..=4).contains(&run.len()))
        .filter_map(|run| run.parse().ok())
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
