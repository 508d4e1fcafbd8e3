//! Lines put together to what a person reads: turns with their results under their calls, markers, notes and folds.
//!
//! [`group`] knows only the lines it is given, so that a window can be shown before an outline exists. What only the
//! whole file can tell (numbers, abandoned branches, repeats, who started a sub-agent) is laid over it later.

use std::collections::HashMap;

use super::{
    Body, Boundary, FileNo, Line, Part, PartKind, Place, Role, Speaker, Summary, TokensSaved, Trouble, TurnNo, Usage,
};

/// The parts of one message in one role, results under their calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    pub role: Role,
    /// `None` while the outline has not come this far, and for repeats.
    pub no: Option<TurnNo>,
    /// The agent's id of the first line; `None` where the agent gives none.
    pub id: Option<String>,
    pub at: Option<i64>,
    /// Its first line.
    pub place: Place,
    pub parts: Vec<Said>,
    /// A call still lacks its result.
    pub open: bool,
    pub usage: Option<Usage>,
    /// Meta and bookkeeping lines that follow it: folded.
    pub noise: Vec<Noise>,
    /// The sub-agents that its results name.
    pub agents: Vec<String>,
    /// A result whose call stands elsewhere: the turn of the call, once the outline knows it.
    pub result_of: Option<TurnNo>,
}

/// One part of a turn with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    pub place: Place,
    pub line_id: Option<String>,
    pub part: Part,
    /// What was mended while its line was decoded.
    pub lossy: Option<String>,
}

/// A line that carries nothing said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noise {
    pub place: Place,
    /// A short word: `progress`, `hook`, `meta`.
    pub what: String,
    pub text: String,
}

/// Why entries are folded away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fold {
    /// A branch that was rewound: nobody's context holds it.
    Abandoned,
    /// The turns of a sub-agent. `file` is 0 where they stand in the session's own file.
    SubAgent { agent: String, file: FileNo },
    /// The same line ids once more (preserved messages written again, a resumed file).
    Repeat,
    /// Meta and bookkeeping lines before the first turn or after a marker.
    Noise,
}

/// One thing in the transcript, in file order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    Turn(Turn),
    /// A compaction. What it covers is the outline's to say.
    Marker {
        place: Place,
        id: Option<String>,
        at: Option<i64>,
        boundary: Boundary,
        summary: Option<(Place, Summary)>,
    },
    /// A micro-compaction.
    Note {
        place: Place,
        at: Option<i64>,
        saved: TokensSaved,
    },
    Folded {
        fold: Fold,
        place: Place,
        entries: Vec<Entry>,
        noise: Vec<Noise>,
    },
    Unread(Trouble),
}

impl Entry {
    /// The place of its first line.
    pub fn place(&self) -> Place {
        match self {
            Entry::Turn(turn) => turn.place,
            Entry::Marker { place, .. } | Entry::Note { place, .. } | Entry::Folded { place, .. } => *place,
            Entry::Unread(trouble) => Place { file: trouble.file, offset: trouble.offset, part: 0 },
        }
    }
}

/// Whether a tool of this name starts a sub-agent.
pub fn starts_agent(tool: &str) -> bool {
    matches!(tool, "Task" | "Agent" | "task" | "agent" | "subagent" | "dispatch_agent")
}

/// The lines as entries, in the order of each entry's first line.
pub fn group(lines: &[Line]) -> Vec<Entry> {
    let mut grouping = Grouping::default();
    lines.iter().for_each(|line| grouping.add(line));
    grouping.done()
}

/// The first line at which a turn surely begins, when what stands before `lines` is unknown.
pub fn clean_start(lines: &[Line]) -> Option<usize> {
    let mut seen: Option<&str> = None;
    lines.iter().position(|line| match &line.body {
        Body::Message { role: Role::Assistant, message: Some(message), .. } => {
            let fresh = seen.is_some_and(|before| before != message);
            seen = Some(message);
            fresh
        }
        Body::Message { role: Role::Assistant | Role::System, .. } | Body::Compaction { .. } | Body::Note(_) => true,
        Body::Message { role: Role::User, parts, .. } => parts.iter().any(|part| !is_result(part)),
        Body::Summary(_) | Body::Noise { .. } | Body::Unread { .. } => false,
    })
}

fn is_result(part: &Part) -> bool {
    matches!(part.kind, PartKind::ToolResult { .. })
}

#[derive(Default)]
struct Grouping {
    entries: Vec<Entry>,
    /// Role and message id -> entry.
    messages: HashMap<(Role, String), usize>,
    /// Call id -> entry.
    calls: HashMap<String, usize>,
    /// Sub-agent (or no name) -> entry of its fold and its own lines so far.
    agents: HashMap<String, (usize, Vec<Line>)>,
    agent_calls_open: usize,
    /// The last turn, for noise and for results without an id.
    last: Option<usize>,
}

impl Grouping {
    fn add(&mut self, line: &Line) {
        if let Some(agent) = &line.sidechain
            && (!agent.is_empty() || self.agent_calls_open > 0)
        {
            return self.side(agent.clone(), line);
        }
        let place = line.place(0);
        match &line.body {
            Body::Message { role: Role::Assistant, message, parts, usage } => {
                let entry = self.turn_of_message(line, Role::Assistant, message.as_deref());
                self.say(entry, line, parts.iter().collect(), *usage);
            }
            Body::Message { role: Role::System, message, parts, usage } => {
                let entry = self.turn_of_message(line, Role::System, message.as_deref());
                self.say(entry, line, parts.iter().collect(), *usage);
            }
            Body::Message { role: Role::User, message, parts, usage } => {
                self.user(line, message.as_deref(), parts, *usage);
            }
            Body::Compaction { boundary, summary } => {
                self.last = None;
                self.entries.push(Entry::Marker {
                    place,
                    id: line.id.clone(),
                    at: line.at,
                    boundary: boundary.clone(),
                    summary: summary.clone().map(|summary| (place, summary)),
                });
            }
            Body::Summary(text) => self.summary(line, text),
            Body::Note(saved) => self.entries.push(Entry::Note { place, at: line.at, saved: saved.clone() }),
            Body::Noise { what, text, .. } => {
                self.noise(Noise { place, what: what.clone(), text: text.clone() });
            }
            Body::Unread { why } => self.entries.push(Entry::Unread(Trouble {
                file: line.file,
                offset: line.offset,
                line: None,
                why: why.clone(),
            })),
        }
    }

    /// A summary belongs to the boundary just before it; one without a boundary is a marker of its own.
    fn summary(&mut self, line: &Line, text: &Summary) {
        let here = (line.place(0), text.clone());
        let open = self.entries.iter_mut().rev().find_map(|entry| match entry {
            Entry::Marker { summary, .. } => Some(summary),
            Entry::Turn(_) | Entry::Note { .. } | Entry::Folded { .. } | Entry::Unread(_) => None,
        });
        if self.last.is_none()
            && let Some(slot @ None) = open
        {
            *slot = Some(here);
            return;
        }
        self.last = None;
        self.entries.push(Entry::Marker {
            place: line.place(0),
            id: line.id.clone(),
            at: line.at,
            boundary: Boundary::default(),
            summary: Some(here),
        });
    }

    fn turn_of_message(&mut self, line: &Line, role: Role, message: Option<&str>) -> usize {
        let Some(message) = message else { return self.open_turn(line, role) };
        let key = (role, message.to_owned());
        if let Some(entry) = self.messages.get(&key) {
            return *entry;
        }
        let entry = self.open_turn(line, role);
        self.messages.insert(key, entry);
        entry
    }

    /// Results go under their calls; what the person said beside them is a turn of its own.
    fn user(&mut self, line: &Line, message: Option<&str>, parts: &[Part], usage: Option<Usage>) {
        let mut rest = Vec::new();
        let mut home = None;
        for part in parts {
            let PartKind::ToolResult { id, .. } = &part.kind else {
                rest.push(part);
                continue;
            };
            let call = match id {
                Some(id) => self.calls.get(id).copied(),
                None => self.last.filter(|entry| self.turn(*entry).is_some_and(|turn| turn.open)),
            };
            match call {
                Some(entry) => {
                    self.say(entry, line, vec![part], usage);
                    home = Some(entry);
                }
                None => rest.push(part),
            }
        }
        if rest.is_empty() && !parts.is_empty() {
            return;
        }
        match home {
            // A reminder beside a result is no turn: nobody said it.
            Some(entry) if rest.iter().all(|part| part.speaker != Speaker::User) => {
                self.say(entry, line, rest, usage);
            }
            _ => {
                let entry = self.turn_of_message(line, Role::User, message);
                self.say(entry, line, rest, usage);
            }
        }
    }

    fn open_turn(&mut self, line: &Line, role: Role) -> usize {
        let entry = self.entries.len();
        self.entries.push(Entry::Turn(Turn {
            role,
            no: None,
            id: line.id.clone(),
            at: line.at,
            place: line.place(0),
            parts: Vec::new(),
            open: false,
            usage: None,
            noise: Vec::new(),
            agents: Vec::new(),
            result_of: None,
        }));
        self.last = Some(entry);
        entry
    }

    fn turn(&mut self, entry: usize) -> Option<&mut Turn> {
        match self.entries.get_mut(entry) {
            Some(Entry::Turn(turn)) => Some(turn),
            _ => None,
        }
    }

    fn say(&mut self, entry: usize, line: &Line, parts: Vec<&Part>, usage: Option<Usage>) {
        for part in &parts {
            if let PartKind::ToolCall { id, name } = &part.kind {
                self.agent_calls_open += usize::from(starts_agent(name));
                if let Some(id) = id {
                    self.calls.insert(id.clone(), entry);
                }
            }
        }
        let mut answered_agents = 0;
        let Some(turn) = self.turn(entry) else { return };
        turn.usage = turn.usage.or(usage);
        turn.agents.extend(line.started_agent.clone());
        for part in parts {
            let said = Said {
                place: line.place(part.block),
                line_id: line.id.clone(),
                part: part.clone(),
                lossy: line.lossy.clone(),
            };
            let at = match &part.kind {
                PartKind::ToolResult { id, .. } => {
                    turn.parts.iter().position(|other| calls(&other.part, id.as_deref()))
                }
                _ => None,
            };
            match at {
                Some(at) => {
                    answered_agents += usize::from(
                        matches!(&turn.parts[at].part.kind, PartKind::ToolCall { name, .. } if starts_agent(name)),
                    );
                    let after = turn.parts[at + 1..].iter().take_while(|other| is_result(&other.part)).count();
                    turn.parts.insert(at + 1 + after, said);
                }
                None => turn.parts.push(said),
            }
        }
        turn.open = has_open_call(&turn.parts);
        self.agent_calls_open = self.agent_calls_open.saturating_sub(answered_agents);
    }

    fn noise(&mut self, noise: Noise) {
        if let Some(turn) = self.last.and_then(|entry| self.turn(entry)) {
            return turn.noise.push(noise);
        }
        if let Some(Entry::Folded { fold: Fold::Noise, noise: folded, .. }) = self.entries.last_mut() {
            return folded.push(noise);
        }
        let place = noise.place;
        self.entries.push(Entry::Folded { fold: Fold::Noise, place, entries: Vec::new(), noise: vec![noise] });
    }

    fn side(&mut self, agent: String, line: &Line) {
        let mut own = line.clone();
        own.sidechain = None;
        if let Some((_, lines)) = self.agents.get_mut(&agent) {
            return lines.push(own);
        }
        let entry = self.entries.len();
        self.entries.push(Entry::Folded {
            fold: Fold::SubAgent { agent: agent.clone(), file: line.file },
            place: line.place(0),
            entries: Vec::new(),
            noise: Vec::new(),
        });
        self.agents.insert(agent, (entry, vec![own]));
    }

    fn done(mut self) -> Vec<Entry> {
        for (entry, lines) in self.agents.into_values() {
            if let Some(Entry::Folded { entries, .. }) = self.entries.get_mut(entry) {
                *entries = group(&lines);
            }
        }
        self.entries
    }
}

/// Whether this part is the call that a result with this id answers. Without an id it is the last call.
fn calls(part: &Part, result: Option<&str>) -> bool {
    matches!(&part.kind, PartKind::ToolCall { id, .. } if id.as_deref() == result)
}

fn has_open_call(parts: &[Said]) -> bool {
    let ids = |wanted: fn(&PartKind) -> Option<Option<&str>>| {
        parts.iter().filter_map(move |said| wanted(&said.part.kind)).collect::<Vec<_>>()
    };
    let calls = ids(|kind| match kind {
        PartKind::ToolCall { id, .. } => Some(id.as_deref()),
        _ => None,
    });
    let results = ids(|kind| match kind {
        PartKind::ToolResult { id, .. } => Some(id.as_deref()),
        _ => None,
    });
    let unnamed = |all: &[Option<&str>]| all.iter().filter(|id| id.is_none()).count();
    unnamed(&calls) > unnamed(&results) || calls.iter().any(|id| id.is_some() && !results.contains(id))
}
