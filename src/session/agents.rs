//! Which turn started which sub-agent. Results name their agents; older files name none, then calls and agents are
//! paired in the order in which they begin.

use std::collections::HashMap;

/// The sub-agents of a session and the calls that start them.
#[derive(Clone, Debug, Default)]
pub(super) struct Agents {
    /// Sub-agent -> the turn that started it, and which of that turn's agents it is.
    started: HashMap<String, (u32, u32)>,
    /// Turn -> its agents, in the order in which they were met.
    of_turn: HashMap<u32, Vec<String>>,
    calls: Vec<Call>,
    by_id: HashMap<u64, usize>,
    /// Calls without a result, oldest first; answered ones are dropped when they come to the end.
    open: Vec<usize>,
    open_count: usize,
    /// Every call before this one has its agent.
    unlinked: usize,
    lost: Vec<String>,
}

#[derive(Clone, Copy, Debug)]
struct Call {
    turn: u32,
    named: bool,
    answered: bool,
    linked: bool,
}

impl Agents {
    pub(super) fn starter(&self, agent: &str) -> Option<(u32, u32)> {
        self.started.get(agent).copied()
    }

    pub(super) fn started_by(&self, turn: u32) -> Vec<&str> {
        self.of_turn.get(&turn).into_iter().flatten().map(String::as_str).collect()
    }

    pub(super) fn is_any_running(&self) -> bool {
        self.open_count > 0
    }

    /// A call that starts a sub-agent.
    pub(super) fn call(&mut self, id: Option<u64>, turn: u32) {
        let at = self.calls.len();
        self.calls.push(Call { turn, named: id.is_some(), answered: false, linked: false });
        self.open.push(at);
        self.open_count += 1;
        if let Some(id) = id {
            self.by_id.insert(id, at);
        }
    }

    /// A result came; if it answers such a call, its agent runs no more.
    pub(super) fn result(&mut self, id: Option<u64>) {
        let call = match id {
            Some(id) => self.by_id.get(&id).copied(),
            None => self.last_open().filter(|call| !self.calls[*call].named),
        };
        if let Some(call) = call.and_then(|call| self.calls.get_mut(call))
            && !std::mem::replace(&mut call.answered, true)
        {
            self.open_count -= 1;
        }
    }

    fn last_open(&mut self) -> Option<usize> {
        while self.open.last().is_some_and(|call| self.calls[*call].answered) {
            self.open.pop();
        }
        self.open.last().copied()
    }

    /// A result names the agent that this call started: it is no other's.
    pub(super) fn link(&mut self, id: Option<u64>) {
        if let Some(call) = id.and_then(|id| self.by_id.get(&id)) {
            self.calls[*call].linked = true;
        }
    }

    /// This turn started the agent, unless another did before.
    pub(super) fn start(&mut self, agent: &str, turn: u32) {
        if !self.started.contains_key(agent) {
            let agents = self.of_turn.entry(turn).or_default();
            agents.push(agent.to_owned());
            self.started.insert(agent.to_owned(), (turn, agents.len() as u32));
        }
    }

    /// A line of an agent inside the session's own file, while an agent runs: the oldest call without one is its.
    pub(super) fn meet_running(&mut self, agent: &str) {
        if self.started.contains_key(agent) {
            return;
        }
        let call = self.next_unlinked().filter(|call| !self.calls[*call].answered).or_else(|| self.last_open());
        if let Some(call) = call {
            self.calls[call].linked = true;
            self.start(agent, self.calls[call].turn);
        }
    }

    /// The first line of an agent's own file: if no result named it, the oldest call without an agent is its.
    pub(super) fn meet_file(&mut self, agent: &str) {
        if self.started.contains_key(agent) || self.lost.iter().any(|lost| lost == agent) {
            return;
        }
        match self.next_unlinked() {
            Some(call) => {
                self.calls[call].linked = true;
                self.start(agent, self.calls[call].turn);
            }
            None => self.lost.push(agent.to_owned()),
        }
    }

    fn next_unlinked(&mut self) -> Option<usize> {
        while self.calls.get(self.unlinked).is_some_and(|call| call.linked) {
            self.unlinked += 1;
        }
        self.calls.get(self.unlinked).map(|_| self.unlinked)
    }

    /// The turn whose agent runs, for lines that name no agent.
    pub(super) fn running_turn(&mut self) -> Option<u32> {
        self.last_open().map(|call| self.calls[call].turn)
    }
}
