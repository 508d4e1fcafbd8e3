//! What a session reports about its own work, as it passes: the state of each task on the agent's list, and numbers that
//! stand beside tests.

use foldhash::HashMap;

use crate::session::Speaker;

use super::tasks::{Told, tasks};

/// States and numbers with where they were told.
#[derive(Clone, Debug, Default)]
pub(super) struct Reports {
    /// By the words of a task: where it was told, and whether it was over then. In the order of the session.
    tasks: HashMap<String, Vec<(u64, bool)>>,
    /// The words of each task that has a number.
    numbered: HashMap<String, String>,
    /// By number: where it stood first beside tests.
    tallies: HashMap<u32, u64>,
}

/// So far around such a word a number belongs to it.
const BESIDE: usize = 32;

impl Reports {
    /// A text of the session that stands at a place.
    pub(super) fn hear(&mut self, text: &str, speaker: Speaker, at: u64) {
        for told in tasks(text, speaker) {
            self.task(told, at);
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

    fn task(&mut self, Told { no, words, over }: Told, at: u64) {
        let before = no.as_ref().and_then(|no| self.numbered.get(no)).cloned();
        if let (Some(no), Some(words)) = (no, &words) {
            self.numbered.insert(no, words.clone());
        }
        let renamed = before.as_ref().filter(|before| words.as_ref().is_some_and(|words| words != *before));
        let state = over.or_else(|| self.tasks.get(renamed?)?.last().map(|(_, over)| *over));
        if let Some(before) = renamed {
            self.tasks.entry(before.clone()).or_default().push((at, true));
        }
        if let (Some(words), Some(over)) = (words.or(before), state) {
            self.tasks.entry(words).or_default().push((at, over));
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
    fn a_task_is_meant_by_its_number_once_it_was_made() {
        let mut reports = Reports::default();
        for (at, speaker, text) in [
            (10, Speaker::Tool, "Task #1 created successfully: Lint the code"),
            (11, Speaker::Tool, "Added todo #2: Test the code"),
            (20, Speaker::Assistant, "taskId: 1\nstatus: completed"),
            (30, Speaker::Tool, "Todo #2 completed"),
            (40, Speaker::Assistant, "taskId: 1\nsubject: Lint all code\nstatus: pending"),
            (50, Speaker::Assistant, "taskId: 9\nstatus: pending"),
        ] {
            reports.hear(text, speaker, at);
        }
        for (before, want) in [
            (15, &["Lint the code", "Test the code"][..]),
            (25, &["Test the code"]),
            (35, &[]),
            (60, &["Lint all code"]),
        ] {
            let mut undone: Vec<&str> = reports.undone(before).collect();
            undone.sort_unstable();
            assert_eq!(undone, want, "{before}");
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
