//! Which turn a line belongs to, whose it is, and which turns were rewound.

use super::{LineMeta, Number, Outline, TurnMeta, id_hash, message_hash};
use crate::session::turn::starts_agent;
use crate::session::{FileNo, Line, Part, PartKind, Role, Speaker};

impl Outline {
    /// A first message that follows a line which is not here means that the beginning is missing.
    pub(super) fn see_beginning(&mut self, line: &Line) {
        if !self.build.saw_message && line.file == FileNo(0) {
            self.build.saw_message = true;
            self.starts_midway =
                line.parent.as_deref().is_some_and(|parent| !self.build.ids.contains_key(&id_hash(parent)));
        }
    }

    pub(super) fn turn_of_message(&mut self, line: &Line, role: Role, message: Option<&str>, parts: &[Part]) -> u32 {
        let agent = self.agent_of(line);
        let known = match role {
            Role::User => self.answered(parts).or_else(|| self.of_message(role, message)),
            Role::Assistant | Role::System => self.of_message(role, message),
        };
        let turn = known.unwrap_or_else(|| self.new_turn(line, role, agent));
        self.turns[turn as usize].by_user |= parts.iter().any(|part| part.speaker == Speaker::User);
        if let Some(message) = message {
            self.build.messages.insert(message_hash(role, message), turn);
        }
        for part in parts {
            match &part.kind {
                PartKind::ToolCall { id, name } => {
                    let id = id.as_deref().map(id_hash);
                    if let Some(id) = id {
                        self.build.calls.insert(id, turn);
                    }
                    if starts_agent(name) {
                        self.build.open_agents.push((id, turn));
                    }
                }
                PartKind::ToolResult { id, .. } => {
                    let id = id.as_deref().map(id_hash);
                    self.build.open_agents.retain(|(call, _)| *call != id);
                }
                PartKind::Text | PartKind::Thinking | PartKind::Opaque { .. } => {}
            }
        }
        self.build.last_turn = Some(turn);
        turn
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
            PartKind::ToolResult { id: None, .. } => self.build.last_turn,
            PartKind::Text | PartKind::Thinking | PartKind::ToolCall { .. } | PartKind::Opaque { .. } => None,
        })
    }

    /// The sub-agent that a line belongs to; lines marked so with no agent running are the session's own.
    fn agent_of(&mut self, line: &Line) -> Option<String> {
        let agent = line.sidechain.clone()?;
        if line.file == FileNo(0) && agent.is_empty() && self.build.open_agents.is_empty() {
            return None;
        }
        if line.file == FileNo(0)
            && !self.agents.contains_key(&agent)
            && let Some((_, turn)) = self.build.open_agents.last().copied()
        {
            self.start_agent(agent.clone(), turn);
        }
        Some(agent)
    }

    pub(super) fn start_agent(&mut self, agent: String, turn: u32) {
        if !self.agents.contains_key(&agent) {
            let nth = self.build.agents_of.entry(turn).or_default();
            *nth += 1;
            self.agents.insert(agent, (turn, *nth));
        }
    }

    fn new_turn(&mut self, line: &Line, role: Role, agent: Option<String>) -> u32 {
        let number = match agent {
            None => {
                self.main_turns += 1;
                Number::Main(self.main_turns)
            }
            Some(agent) => {
                let started = self.agents.get(&agent).copied();
                let no = self.build.side_turns.entry(agent).or_default();
                *no += 1;
                Number::Sub { under: started.map(|(turn, _)| turn), agent: started.map_or(1, |(_, nth)| nth), no: *no }
            }
        };
        let id = line.id.clone().unwrap_or_else(|| self.build.lines_of_file.to_string());
        self.turns.push(TurnMeta {
            role,
            place: line.place(0),
            id: id.into_boxed_str(),
            at: line.at,
            number,
            abandoned: false,
            by_user: false,
        });
        self.turns.len() as u32 - 1
    }

    /// Walks back from the last message; a message turn that the walk never meets was rewound. Links may lie: where
    /// one leads nowhere or in a circle, the line before in file order is taken.
    pub(super) fn find_abandoned(&mut self) {
        let own = |line: &LineMeta| line.file == FileNo(0) && !line.repeat;
        let is_main = |turn: u32| matches!(self.turns[turn as usize].number, Number::Main(_));
        if self.build.parents.iter().all(Option::is_none) {
            return;
        }
        let mut on_path = vec![false; self.turns.len()];
        let mut seen = vec![false; self.lines.len()];
        let mut at = self.lines.iter().rposition(|line| own(line) && line.turn.is_some_and(is_main));
        while let Some(line) = at {
            seen[line] = true;
            if let Some(turn) = self.lines[line].turn {
                on_path[turn as usize] = true;
            }
            let parent = self.build.parents[line].or_else(|| self.build.logical.get(&(line as u32)).copied());
            at = parent
                .and_then(|id| self.build.ids.get(&id))
                .map(|line| *line as usize)
                .filter(|line| !seen[*line])
                .or_else(|| (0..line).rev().find(|line| own(&self.lines[*line]) && !seen[*line]));
        }
        for (turn, on_path) in self.turns.iter_mut().zip(on_path) {
            turn.abandoned = !on_path && turn.place.file == FileNo(0) && matches!(turn.number, Number::Main(_));
        }
    }
}
