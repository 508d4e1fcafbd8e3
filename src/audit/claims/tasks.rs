//! The agent's own list of tasks, as its calls and their results tell of it: the whole list as JSON, one task at a time by
//! its number, or a list in plain lines. Tools are not asked for by name: other agents have the same list.

use serde_json::Value;

use crate::session::Speaker;

/// What a text tells of one task. It has a number or words, or both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    /// By which later texts mean it.
    pub no: Option<String>,
    /// What is to be done.
    pub words: Option<String>,
    /// Whether it is no longer to be done; `None` where that is not said.
    pub over: Option<bool>,
}

/// Longer texts are no lists.
const LONGEST: usize = 64 * 1024;
/// What a result says of one task or of a list is no longer.
const BRIEF: usize = 8 * 1024;

/// The tasks in a text of this speaker, in order; none where it holds none.
pub(super) fn tasks(text: &str, speaker: Speaker) -> Vec<Told> {
    match speaker {
        Speaker::Assistant if text.len() <= LONGEST => changed(text).map_or_else(|| listed(text), |one| vec![one]),
        Speaker::Tool if text.len() <= BRIEF && begins(text) => text.lines().filter_map(line).collect(),
        Speaker::Assistant | Speaker::Tool | Speaker::User | Speaker::System => Vec::new(),
    }
}

/// Whether a state is one of a task that is no longer to be done; `None` for what is no state.
fn is_over(state: &str) -> Option<bool> {
    match state {
        "completed" | "complete" | "done" | "x" | "X" | "✓" | "deleted" => Some(true),
        "pending" | "in_progress" | "in-progress" | "todo" | "uncompleted" | "" | "~" => Some(false),
        _ => None,
    }
}

/// One task that a call changes: `taskId: 3` and `status: completed`, each in its line.
fn changed(text: &str) -> Option<Told> {
    if !text.starts_with("taskId: ") && !text.contains("\ntaskId: ") {
        return None;
    }
    let value = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    Some(Told {
        no: value("taskId").map(|no| no.trim().to_owned()),
        words: value("subject").map(|words| words.trim().to_owned()),
        over: value("status").and_then(|state| is_over(state.trim())),
    })
}

/// The tasks in the arguments of a call, which stand as JSON: `todos: [{"content":"…","status":"…"}]`. What is no list of
/// tasks with their states holds none.
fn listed(text: &str) -> Vec<Told> {
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
fn task(value: &Value) -> Option<Told> {
    let named = |names: &[&str]| names.iter().find_map(|name| value.get(name));
    let words = named(&["content", "text", "task", "title", "step"])?.as_str()?.trim();
    let over = match named(&["status", "state", "done", "completed"])? {
        Value::Bool(done) => *done,
        Value::String(state) => is_over(state)?,
        Value::Null | Value::Number(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    (!words.is_empty()).then(|| Told { no: None, words: Some(words.to_owned()), over: Some(over) })
}

/// Whether a result may begin with what `line` reads.
fn begins(text: &str) -> bool {
    ["Task #", "Added todo #", "Todo #", "[", "#"].iter().any(|start| text.starts_with(start))
}

/// A line of a result: `Task #3 created successfully: …`, `Added todo #3: …`, `Todo #3 completed`, `[x] #3: …`,
/// `#3 [pending] …`.
fn line(line: &str) -> Option<Told> {
    let made = ["Task #", "Added todo #"].iter().find_map(|start| line.strip_prefix(start));
    if let Some((no, rest)) = made.map(numbered) {
        let words = rest.strip_prefix(" created successfully: ").or_else(|| rest.strip_prefix(": "))?;
        return told(no, words, Some(false));
    }
    if let Some((no, rest)) = line.strip_prefix("Todo #").map(numbered) {
        return told(no, "", Some(is_over(rest.trim())?));
    }
    if let Some((state, rest)) = line.strip_prefix('[').and_then(|rest| rest.split_once("] #")) {
        let (no, rest) = numbered(rest);
        return told(no, rest.strip_prefix(": ")?, Some(is_over(state.trim())?));
    }
    let (no, rest) = numbered(line.strip_prefix('#')?);
    let (state, words) = rest.trim_start_matches('.').strip_prefix(" [")?.split_once("] ")?;
    told(no, words, Some(is_over(state)?))
}

/// The digits at the start, and what stands behind them.
fn numbered(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

fn told(no: &str, words: &str, over: Option<bool>) -> Option<Told> {
    let words = Some(words.trim()).filter(|words| !words.is_empty()).map(str::to_owned);
    (!no.is_empty()).then(|| Told { no: Some(no.to_owned()), words, over })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `3 Lint done`: number, words and state, each only where it is told.
    fn shown(text: &str, speaker: Speaker) -> Vec<String> {
        let all = tasks(&text.replace("\\n", "\n"), speaker).into_iter();
        all.map(|one| {
            let state = one.over.map(|over| if over { "over" } else { "open" });
            [one.no, one.words, state.map(str::to_owned)].into_iter().flatten().collect::<Vec<_>>().join(" ")
        })
        .collect()
    }

    #[test]
    fn a_whole_list_is_read_as_json() {
        for (text, want) in [
            (r#"todos: [{"content":"Say \"hi\"","status":"pending"}]"#, &["Say \"hi\" open"][..]),
            (r#"todos: [{"status":"completed","activeForm":"Linting","content":"Lint"}]"#, &["Lint over"]),
            (r#"todos: [ {"id":1, "text":"Lint", "done":false} ]"#, &["Lint open"]),
            (
                r#"plan: [{"step":"Lint","status":"in_progress"},{"step":"Test","status":"done"}]"#,
                &["Lint open", "Test over"],
            ),
            (r#"todos: [{"content":"Lint","status":"cancelled"},{"content":3,"status":"done"}]"#, &[]),
            (r#"path: a.json\ncontent: {"content":"Lint","status":"pending"}"#, &[]),
            (r#"todos: [{"content":"Lint","status":"pending""#, &[]),
            (r#"note: [x] seen\nids: [1]\ntodos: [{"content":"Lint","status":"pending"}]"#, &["Lint open"]),
        ] {
            assert_eq!(shown(text, Speaker::Assistant), want, "{text}");
        }
    }

    #[test]
    fn a_task_that_is_told_of_by_itself_has_its_number() {
        for (speaker, text, want) in [
            (Speaker::Assistant, "taskId: 2\\nstatus: in_progress", &["2 open"][..]),
            (Speaker::Assistant, "status: completed\\ntaskId: 2", &["2 over"]),
            (Speaker::Assistant, "taskId: 2\\nstatus: deleted", &["2 over"]),
            (Speaker::Assistant, "taskId: 2\\nsubject: Lint twice", &["2 Lint twice"]),
            (Speaker::Assistant, "subject: Lint\\ndescription: all of it", &[]),
            (Speaker::Tool, "Task #2 created successfully: Lint the crate", &["2 Lint the crate open"]),
            (Speaker::Tool, "Added todo #4: Lint the crate", &["4 Lint the crate open"]),
            (Speaker::Tool, "Todo #4 completed", &["4 over"]),
            (Speaker::Tool, "Todo #4 uncompleted", &["4 open"]),
            (Speaker::Tool, "Todo #4 not found", &[]),
            (Speaker::Tool, "[x] #1: Lint\\n[ ] #2: Test", &["1 Lint over", "2 Test open"]),
            (Speaker::Tool, "#1 [completed] Lint\\n#2. [pending] Test", &["1 Lint over", "2 Test open"]),
            (Speaker::Tool, "# Heading\\n[link] text\\nTask #x created", &[]),
            (Speaker::User, "Todo #4 completed", &[]),
        ] {
            assert_eq!(shown(text, speaker), want, "{text}");
        }
    }
}
