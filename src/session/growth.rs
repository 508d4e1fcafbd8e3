//! How an outline grows, line by line. What is needed only while lines still come is kept apart in [`Build`].

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

use super::outline::Number;
use super::turn::starts_agent;
use super::{
    Body, Boundary, FileNo, Line, LineMeta, Outline, Part, PartKind, PartSeq, Role, Speaker, Trouble, TurnMeta, Usage,
};

/// Agents that start agents deeper than this get no numbers: nobody could read them.
const DEEPEST: u8 = 16;
/// No further is looked for who started whom.
const LONGEST_CHAIN: usize = 1000;

pub(super) type ById = HashMap<u64, u32, BuildHasherDefault<DefaultHasher>>;

/// What is needed only while lines still come. Ids are kept as 64-bit hashes.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says one thing that was seen or is waited for")]
pub(super) struct Build {
    pub ids: ById,
    messages: ById,
    calls: ById,
    /// Line -> the line it says it follows.
    pub parents: Vec<Option<u64>>,
    pub logical: HashMap<u32, u64>,
    /// Line of each compaction, with what it said.
    pub boundaries: Vec<(u32, Boundary)>,
    pub walked: super::branches::Walked,
    /// Some line says which one it follows.
    pub is_linked: bool,
    /// How many turns are known to be rewound.
    pub abandoned: usize,
    /// Sub-agent -> its turns, and the other way round.
    pub side_turns: HashMap<Arc<str>, Vec<u32>>,
    owners: HashMap<u32, Arc<str>>,
    last_turn: Option<u32>,
    /// Calls of the last turn that lack their result.
    open_calls: u32,
    pub waiting_summary: bool,
    pub waiting_tokens: bool,
    saw_id: bool,
    pub told_markers: usize,
    pub told_troubles: usize,
    pub read_to: u64,
    last_file: FileNo,
}

pub(super) fn id_hash(id: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(id)
}

fn message_hash(role: Role, message: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one((role, message))
}

impl Outline {
    /// Adds the next line. Lines of a file come in order; at first the session's own file is read, then its
    /// sub-agents', and what is appended to any of them later comes when it comes.
    pub fn push(&mut self, line: &Line) {
        let index = self.lines.len() as u32;
        if self.build.last_file != line.file {
            self.build.last_file = line.file;
            self.build.last_turn = None;
        }
        let id = line.id.as_deref().map(id_hash);
        let repeat = id.is_some_and(|id| self.build.ids.contains_key(&id)) && matches!(line.body, Body::Message { .. });
        if line.file == FileNo(0) {
            self.first_at = self.first_at.or(line.at);
            self.last_at = line.at.or(self.last_at);
            self.build.read_to = line.offset + line.len;
            self.see_beginning(line);
        }
        let own = self.lines_of(line.file) as u32;
        if line.blanks > 0 {
            let blanks = self.blanks_before(line.file, own) + line.blanks;
            self.blanks.insert((line.file, own), blanks);
        }
        if let Some(why) = line.lossy.as_ref().filter(|_| !matches!(line.body, Body::Unread { .. })) {
            let line_no = u64::from(own) + 1 + self.blanks_before(line.file, own);
            self.mended.push(Trouble { file: line.file, offset: line.offset, line: Some(line_no), why: why.clone() });
        }
        let seq = PartSeq(self.next_seq);
        let mut count = 0;
        let mut turn = None;
        match &line.body {
            Body::Message { .. } if repeat => {}
            Body::Message { role, message, parts, usage } => {
                count = parts.len() as u32;
                let its = self.message(line, *role, message.as_deref(), parts, *usage);
                turn = Some(its);
                let is_late = |no| no < self.main_turns || line.file != FileNo(0);
                if matches!(self.turns[its as usize].number, Number::Main(no) if is_late(no)) {
                    self.late.push(index);
                }
                self.next_seq += u64::from(count);
            }
            Body::Compaction { boundary, summary } => self.boundary(index, line, boundary, summary.as_ref()),
            Body::Summary(summary) => self.summary(index, line, summary),
            Body::Note(_) => self.notes += 1,
            Body::Noise { what, title, .. } => self.name_session(what, title.as_deref()),
            Body::Unread { why } => self.troubles.push(Trouble {
                file: line.file,
                offset: line.offset,
                line: Some(u64::from(own) + 1 + self.blanks_before(line.file, own)),
                why: why.clone(),
            }),
        }
        if let Some(id) = id {
            self.build.ids.entry(id).or_insert(index);
        }
        self.build.is_linked |= line.parent.is_some();
        self.build.parents.push(line.parent.as_deref().map(id_hash));
        if let Some(logical) = &line.logical_parent {
            self.build.logical.insert(index, id_hash(logical));
        }
        let file = usize::from(line.file.0);
        if self.files.len() <= file {
            self.files.resize(file + 1, Vec::new());
        }
        self.files[file].push(index);
        self.lines.push(LineMeta { file: line.file, offset: line.offset, seq, parts: count, turn, repeat });
    }

    /// A first line that follows a line which is not here means that the beginning is missing.
    fn see_beginning(&mut self, line: &Line) {
        if line.id.is_some() && !std::mem::replace(&mut self.build.saw_id, true) {
            self.starts_midway |= line.parent.is_some();
        }
    }

    /// What a person called the session goes before any other name, and the last such name before earlier ones.
    fn name_session(&mut self, what: &str, title: Option<&str>) {
        let Some(title) = title else { return };
        if what == "custom title" || self.title.is_none() {
            self.title = Some(title.to_owned());
        }
    }

    fn message(&mut self, line: &Line, role: Role, message: Option<&str>, parts: &[Part], usage: Option<Usage>) -> u32 {
        let turn = self.turn_of_message(line, role, message, parts);
        if self.turns[turn as usize].is_main() {
            self.build.waiting_summary = false;
            if let (true, Some(usage), Some(marker)) =
                (self.build.waiting_tokens, usage.filter(|usage| usage.input > 0), self.compactions.last_mut())
            {
                marker.tokens_after = marker.tokens_after.or(Some(usage.input));
                self.build.waiting_tokens = false;
            }
        }
        if let Some(agent) = &line.started_agent {
            let call = parts.iter().find_map(|part| match &part.kind {
                PartKind::ToolResult { id, .. } => id.as_deref().map(id_hash),
                PartKind::Text | PartKind::Thinking | PartKind::ToolCall { .. } | PartKind::Opaque { .. } => None,
            });
            self.agents.link(call);
            if !self.is_within(turn, agent) {
                self.agents.start(agent, turn);
            }
        }
        turn
    }

    /// Whether a turn is this sub-agent's own, or one of an agent that it started: no agent starts itself.
    fn is_within(&self, turn: u32, agent: &str) -> bool {
        self.above(turn).any(|turn| self.build.owners.get(&turn).is_some_and(|owner| **owner == *agent))
    }

    /// A turn, the one that started the agent whose turn it is, and so on.
    pub(super) fn above(&self, turn: u32) -> impl Iterator<Item = u32> {
        let above = |turn: &u32| self.agents.starter(self.build.owners.get(turn)?).map(|(turn, _)| turn);
        std::iter::successors(Some(turn), above).take(LONGEST_CHAIN)
    }

    fn turn_of_message(&mut self, line: &Line, role: Role, message: Option<&str>, parts: &[Part]) -> u32 {
        let agent = self.agent_of(line);
        let known = match role {
            Role::User => self.answered(parts).or_else(|| self.of_message(role, message)),
            Role::Assistant | Role::System => self.of_message(role, message),
        };
        let turn = known.unwrap_or_else(|| self.new_turn(line, role, agent));
        if self.build.last_turn != Some(turn) {
            self.build.open_calls = 0;
        }
        if let Some(message) = message {
            self.build.messages.insert(message_hash(role, message), turn);
        }
        self.hear(turn, parts);
        self.build.last_turn = Some(turn);
        turn
    }

    /// Parts of the last line, which belong to this turn.
    fn hear(&mut self, turn: u32, parts: &[Part]) {
        self.turns[turn as usize].by_user |= parts.iter().any(|part| part.speaker == Speaker::User);
        for part in parts {
            match &part.kind {
                PartKind::ToolCall { id, name } => {
                    let id = id.as_deref().map(id_hash);
                    self.build.open_calls += 1;
                    if let Some(id) = id {
                        self.build.calls.insert(id, turn);
                    }
                    if starts_agent(name) {
                        self.agents.call(id, turn);
                    }
                }
                PartKind::ToolResult { id, .. } => {
                    self.build.open_calls = self.build.open_calls.saturating_sub(1);
                    self.agents.result(id.as_deref().map(id_hash));
                }
                PartKind::Text | PartKind::Thinking | PartKind::Opaque { .. } => {}
            }
        }
    }

    /// The line that was pushed last, once more with parts behind those that it had: where a session is stored part by
    /// part, its last line is not whole before the next one comes. `false` where only reading everything anew tells what it
    /// is now: another file's lines came behind it, or it may belong to another turn.
    pub fn lengthen(&mut self, line: &Line) -> bool {
        let index = self.lines.len() as u32;
        let Some(last) = self.lines.last().copied() else { return false };
        let (Body::Message { role, message, parts, .. }, Some(turn)) = (&line.body, last.turn) else { return false };
        if (last.file, last.offset) != (line.file, line.offset) || line.started_agent.is_some() {
            return false;
        }
        let began_here = self.turns[turn as usize].line + 1 == index;
        let its = match role {
            Role::User => self.answered(parts),
            Role::Assistant | Role::System => self.of_message(*role, message.as_deref()),
        };
        if its.map_or(!began_here, |its| its != turn) {
            return false;
        }
        let new = parts.get(last.parts as usize..).unwrap_or_default();
        self.hear(turn, new);
        self.next_seq += new.len() as u64;
        if let Some(last) = self.lines.last_mut() {
            last.parts = parts.len() as u32;
        }
        true
    }

    fn of_message(&self, role: Role, message: Option<&str>) -> Option<u32> {
        self.build.messages.get(&message_hash(role, message?)).copied()
    }

    /// The turn whose call these results answer, unless the person said something of their own beside them.
    fn answered(&self, parts: &[Part]) -> Option<u32> {
        let own_words =
            |part: &Part| part.speaker == Speaker::User && !matches!(part.kind, PartKind::ToolResult { .. });
        if parts.iter().any(own_words) {
            return None;
        }
        parts.iter().find_map(|part| match &part.kind {
            PartKind::ToolResult { id: Some(id), .. } => self.build.calls.get(&id_hash(id)).copied(),
            PartKind::ToolResult { id: None, .. } => self.build.last_turn.filter(|_| self.build.open_calls > 0),
            PartKind::Text | PartKind::Thinking | PartKind::ToolCall { .. } | PartKind::Opaque { .. } => None,
        })
    }

    /// The sub-agent that a line belongs to; lines marked so with no agent running are the session's own.
    pub(super) fn agent_of(&mut self, line: &Line) -> Option<String> {
        let agent = line.sidechain.clone()?;
        if line.file != FileNo(0) {
            self.agents.meet_file(&agent);
            return Some(agent);
        }
        if agent.is_empty() {
            // Older files name no agents: those that one turn starts are told as one.
            let turn = self.agents.is_any_running().then(|| self.agents.running_turn()).flatten()?;
            let agent = format!("?{turn}");
            self.agents.meet_running(&agent);
            return Some(agent);
        }
        self.agents.meet_running(&agent);
        Some(agent)
    }

    fn new_turn(&mut self, line: &Line, role: Role, agent: Option<String>) -> u32 {
        let index = self.turns.len() as u32;
        let number = match agent {
            None => {
                self.main_turns += 1;
                self.main.push(index);
                Number::Main(self.main_turns)
            }
            Some(agent) => {
                let started = self.agents.starter(&agent);
                let depth = started.map_or(0, |(turn, _)| match self.turns[turn as usize].number {
                    Number::Main(_) => 1,
                    Number::Sub { depth, .. } => depth.saturating_add(1),
                });
                let agent: Arc<str> = agent.into();
                self.build.owners.insert(index, Arc::clone(&agent));
                let turns = self.build.side_turns.entry(agent).or_default();
                turns.push(index);
                let no = turns.len() as u32;
                Number::Sub {
                    under: started.map(|(turn, _)| turn).filter(|_| depth <= DEEPEST),
                    agent: started.map_or(1, |(_, nth)| nth),
                    no,
                    depth,
                }
            }
        };
        let id = line.id.clone().unwrap_or_else(|| self.lines_of(line.file).to_string());
        self.turns.push(TurnMeta {
            role,
            place: line.place(0),
            id: id.into_boxed_str(),
            at: line.at,
            number,
            line: self.lines.len() as u32,
            abandoned: false,
            by_user: false,
        });
        index
    }
}
