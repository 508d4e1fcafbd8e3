//! A tiny notation for sessions, for tests only. One line each: `id^parent@message~agent BODY`, where the body is
//! `u text`, `a text`, `> call Tool`, `< call`, `< call started-agent`, `--` (boundary), `-- kept,ids`,
//! `-- head..tail`, `-- ..last-covered`, `== summary`, `. noise`, `! why`, `/` (another file begins), `_` (a blank line).

use super::{
    Body, Boundary, FileNo, Line, Outline, Part, PartKind, Role, Segment, Speaker, Summary, TokensSaved, group,
};

pub(super) fn lines(text: &str) -> Vec<Line> {
    let mut file = 0;
    let mut lines = Vec::new();
    let mut blank_lines = 0;
    for row in text.lines().map(str::trim).filter(|row| !row.is_empty()) {
        if row == "/" {
            file += 1;
            continue;
        }
        if row == "_" {
            blank_lines += 1;
            continue;
        }
        let blanks = std::mem::take(&mut blank_lines);
        let (about, body) = row.split_once(' ').unwrap_or((row, ""));
        let (mark, rest) = body.split_once(' ').unwrap_or((body, ""));
        let (about, agent) = split(about, '~');
        let (about, message) = split(about, '@');
        let (id, parent) = split(about, '^');
        let mut started_agent = None;
        let message = |role, kind, speaker| Body::Message {
            role,
            message: message.map(str::to_owned),
            parts: vec![Part { block: 0, kind, speaker, text: rest.to_owned() }],
            usage: None,
        };
        let (first, second) = rest.split_once(' ').unwrap_or((rest, ""));
        let call_id = (first != "-").then(|| first.to_owned());
        let body = match mark {
            "u" => message(Role::User, PartKind::Text, Speaker::User),
            "a" => message(Role::Assistant, PartKind::Text, Speaker::Assistant),
            ">" => message(
                Role::Assistant,
                PartKind::ToolCall { id: call_id, name: second.to_owned() },
                Speaker::Assistant,
            ),
            "<" => {
                started_agent = Some(second.to_owned()).filter(|agent| !agent.is_empty());
                message(Role::User, PartKind::ToolResult { id: call_id, ok: true }, Speaker::Tool)
            }
            "--" => {
                let last_covered = rest.strip_prefix("..");
                let segment = rest.split_once("..").filter(|_| last_covered.is_none());
                let is_list = segment.is_none() && last_covered.is_none();
                let kept = rest.split(',').filter(|id| !id.is_empty() && is_list);
                let boundary = Boundary {
                    preserved: kept.map(str::to_owned).collect(),
                    preserved_segment: segment.map(|(h, t)| Segment { head: h.into(), tail: t.into() }),
                    last_covered: last_covered.map(str::to_owned),
                    ..Boundary::default()
                };
                Body::Compaction { boundary, summary: None }
            }
            "==" => Body::Summary(Summary { text: rest.to_owned() }),
            "." => Body::Noise { what: rest.to_owned(), title: None, text: String::new() },
            "!" => Body::Unread { why: rest.to_owned() },
            "note" => Body::Note(TokensSaved::default()),
            other => panic!("{other} in {row}"),
        };
        lines.push(Line {
            file: FileNo(file),
            offset: lines.len() as u64 * 10,
            len: 9,
            blanks,
            id: (id != "-").then(|| id.to_owned()),
            parent: parent.map(str::to_owned),
            logical_parent: None,
            at: None,
            sidechain: agent.map(str::to_owned),
            started_agent,
            body,
            lossy: None,
        });
    }
    lines
}

fn split(text: &str, at: char) -> (&str, Option<&str>) {
    text.split_once(at).map_or((text, None), |(before, after)| (before, Some(after)))
}

pub(super) fn outline(text: &str) -> Outline {
    let mut outline = Outline::default();
    for line in lines(text) {
        outline.push(&line);
    }
    outline.finish();
    outline
}

/// One entry a row: `turn a1: a, > t1, < t1 +2 noise`, folds with their entries in brackets.
pub(super) fn entries(text: &str) -> Vec<String> {
    group(&lines(text)).iter().map(show).collect()
}

fn show(entry: &super::Entry) -> String {
    use super::Entry;
    match entry {
        Entry::Turn(turn) => {
            let parts: Vec<_> = turn
                .parts
                .iter()
                .map(|said| match &said.part.kind {
                    PartKind::ToolCall { id, .. } => format!("> {}", id.as_deref().unwrap_or("-")),
                    PartKind::ToolResult { id, .. } => format!("< {}", id.as_deref().unwrap_or("-")),
                    PartKind::Text | PartKind::Thinking | PartKind::Opaque { .. } => said.part.text.clone(),
                })
                .collect();
            let noise = if turn.noise.is_empty() { String::new() } else { format!(" +{} noise", turn.noise.len()) };
            let open = if turn.open { " open" } else { "" };
            format!("{}: {}{noise}{open}", turn.id.as_deref().unwrap_or("-"), parts.join(", "))
        }
        Entry::Marker { id, summary, .. } => {
            let summary = summary.as_ref().map_or("no summary", |(_, summary)| &summary.text);
            format!("== {}: {summary}", id.as_deref().unwrap_or("-"))
        }
        Entry::Note { .. } => "note".into(),
        Entry::Folded { fold, entries, noise, .. } => {
            let inner: Vec<_> = entries.iter().map(show).collect();
            let name = match fold {
                super::Fold::SubAgent { agent, .. } => format!("agent {agent:?}"),
                super::Fold::Noise => format!("{} noise", noise.len()),
                super::Fold::Abandoned => "abandoned".into(),
                super::Fold::Repeat => "repeat".into(),
            };
            format!("[{name} {}]", inner.join("; "))
        }
        Entry::Unread(trouble) => format!("! {}", trouble.why),
    }
}
