//! Claude Code: `projects/<slug>/<session>.jsonl`, sub-agents beside it in `<session>/subagents/agent-*.jsonl`.

mod about;
mod line;
mod message;
mod noise;
mod sides;
mod words;

use std::path::{Path, PathBuf};

use super::head;
use super::json::Value;
use super::lines::{FindSides, Lines};
use super::parts::owned;
use super::{Env, Format, OpenError};
use crate::session::{Head, Log, SessionKey};

/// Claude Code's session files.
pub(super) struct ClaudeCode;

impl Format for ClaudeCode {
    fn name(&self) -> &'static str {
        "claude-code"
    }

    fn recognises(&self, head: &[u8]) -> bool {
        head::tell(head, is_ours)
    }

    fn open(&self, path: &Path) -> Result<Box<dyn Log>, OpenError> {
        let (source, start) = head::open(path)?;
        let text = String::from_utf8_lossy(&start);
        let about = about::About::of(&text, path);
        let id = about.session.clone().unwrap_or_else(|| head::first_line_id(&start));
        let find: Option<FindSides> = if about.sub.is_none() { Some(sides::find) } else { None };
        let key = SessionKey { agent: self.name().to_owned(), id, sub: about.sub };
        let head = Head { key, path: path.to_owned(), title: about.title, sides: Vec::new(), rows: false };
        Ok(Box::new(Lines::new(source, head, line::parse, find)))
    }

    fn places(&self, env: &Env) -> Vec<PathBuf> {
        if let Some(root) = env.path("CLAUDE_CONFIG_DIR") {
            return vec![root.join("projects")];
        }
        let homes = [".claude/projects", ".config/claude/projects"];
        homes.iter().filter_map(|place| Some(env.home.as_ref()?.join(place))).collect()
    }

    fn is_side_file(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("agent-") || path.parent().is_some_and(|folder| folder.ends_with("subagents"))
    }
}

/// Whether this line is written by Claude Code; `None` where it does not tell.
fn is_ours(line: Value<'_>) -> Option<bool> {
    let kind = owned(line.get("type"))?;
    let has = |key: &str| line.get(key).is_some();
    // A relative of this format keeps its payloads in `systemPayload` and its texts in `parts`.
    if has("systemPayload") || line.at(&["message", "parts"]).is_some() {
        return Some(false);
    }
    let ids = has("uuid") || has("sessionId") || has("parentUuid");
    let ours = match kind.as_str() {
        "session" | "session_meta" | "session.start" => return Some(false),
        "user" | "assistant" => line.at(&["message", "content"]).is_some() || ids && has("message"),
        "system" => line.at(&["message", "content"]).is_some() || ids && has("subtype"),
        "progress" => ids && has("data"),
        "attachment" => ids && has("attachment"),
        "summary" => has("leafUuid"),
        "file-history-snapshot" => has("snapshot"),
        _ => noise::is_known(&kind) && has("sessionId"),
    };
    ours.then_some(true)
}
