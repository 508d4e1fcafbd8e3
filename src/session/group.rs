//! Lines put together to entries.
//!
//! [`group`] knows only the lines it is given, so that a window can be shown before an outline exists. What only the
//! whole file can tell (numbers, abandoned branches, repeats, who started a sub-agent) is laid over it later.

use std::collections::{HashMap, HashSet};

use super::talk::Talk;
use super::turn::starts_agent;
use super::{
    Body, Boundary, Entry, Fold, Line, Noise, Part, PartKind, Role, Said, Speaker, Summary, Trouble, Turn, Usage,
};

/// The lines as entries, in the order of each entry's first line. Every part stands in exactly one entry.
///
/// Lines of a sub-agent's file become one fold; so do lines that repeat the id of one before them.
pub fn group(lines: &[Line]) -> Vec<Entry> {
    group_knowing(lines, |_| false)
}

/// The same, where more is known of which lines repeat an id: the first may stand before these lines.
pub fn group_knowing(lines: &[Line], is_repeat: impl Fn(&Line) -> bool) -> Vec<Entry> {
    let mut grouping = Grouping::default();
    let mut ids = HashSet::new();
    for line in lines {
        let is_message = matches!(line.body, Body::Message { .. });
        let seen = line.id.as_deref().is_some_and(|id| !ids.insert(id));
        if is_message && (seen || is_repeat(line)) {
            grouping.repeat(line);
        } else {
            grouping.add(line);
        }
    }
    grouping.done()
}

/// The lines of one fold, in which nothing is folded away again.
fn inner(lines: &[Line]) -> Vec<Entry> {
    let mut grouping = Grouping::default();
    for line in lines {
        grouping.add(line);
    }
    grouping.done()
}

/// The first line at which a turn surely begins, when what stands before `lines` is unknown.
pub fn clean_start(lines: &[Line]) -> Option<usize> {
    let mut seen: Option<(Role, &str)> = None;
    lines.iter().position(|line| match &line.body {
        Body::Message { role, message: Some(message), .. } => {
            let this = (*role, message.as_str());
            let begins = seen.is_some_and(|before| before != this);
            seen = Some(this);
            begins
        }
        Body::Message { role: Role::Assistant | Role::System, .. } | Body::Compaction { .. } | Body::Note(_) => true,
        // A reminder beside a result belongs to the turn of the call.
        Body::Message { role: Role::User, parts, .. } => {
            !parts.iter().any(is_result) || parts.iter().any(|part| !is_result(part) && part.speaker == Speaker::User)
        }
        Body::Summary(_) | Body::Noise { .. } | Body::Unread { .. } => false,
    })
}

fn is_result(part: &Part) -> bool {
    matches!(part.kind, PartKind::ToolResult { .. })
}

#[derive(Default)]
struct Grouping {
    entries: Vec<Entry>,
    /// What stands under which call, by entry.
    talks: HashMap<usize, Talk>,
    /// Role and message id -> entry.
    messages: HashMap<(Role, String), usize>,
    /// Call id -> its entry, and which of that entry's parts it is.
    calls: HashMap<String, (usize, usize)>,
    /// Sub-agent (or no name) -> the entry of its fold and its own lines so far.
    agents: HashMap<String, (usize, Vec<Line>)>,
    /// The same of agents without a name that have ended.
    ended_agents: Vec<(usize, Vec<Line>)>,
    /// The same of repeated lines: those that follow each other share a fold.
    repeats: Vec<(usize, Vec<Line>)>,
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
            Body::Message { role: role @ (Role::Assistant | Role::System), message, parts, usage } => {
                let entry = self.turn_of_message(line, *role, message.as_deref());
                self.say(entry, line, parts, *usage);
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
            Body::Noise { what, text, .. } => self.noise(Noise { place, what: what.clone(), text: text.clone() }),
            Body::Unread { why } => self.entries.push(Entry::Unread(Trouble {
                file: line.file,
                offset: line.offset,
                line: None,
                why: why.clone(),
            })),
        }
    }

    /// A summary belongs to the boundary before it if no turn stands between; else it is a marker of its own.
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
        let own_words = parts.iter().any(|part| !is_result(part) && part.speaker == Speaker::User);
        let homes: Vec<Option<usize>> = parts.iter().map(|part| self.home(part)).collect();
        let first_home = homes.iter().flatten().next().copied();
        let mut own_turn = None;
        for (part, home) in parts.iter().zip(homes) {
            // A reminder beside a result is no turn: nobody said it.
            let known = home.or_else(|| first_home.filter(|_| !own_words)).or(own_turn);
            let entry = known.unwrap_or_else(|| self.turn_of_message(line, Role::User, message));
            if known.is_none() {
                own_turn = Some(entry);
            }
            self.say(entry, line, std::slice::from_ref(part), usage);
        }
        if parts.is_empty() {
            self.turn_of_message(line, Role::User, message);
        }
    }

    /// The turn of the call that this part answers.
    fn home(&mut self, part: &Part) -> Option<usize> {
        match &part.kind {
            PartKind::ToolResult { id: Some(id), .. } => self.calls.get(id).map(|(entry, _)| *entry),
            PartKind::ToolResult { id: None, .. } => {
                let last = self.last?;
                self.talks.get_mut(&last)?.oldest_open().map(|_| last)
            }
            PartKind::Text | PartKind::Thinking | PartKind::ToolCall { .. } | PartKind::Opaque { .. } => None,
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

    fn say(&mut self, entry: usize, line: &Line, parts: &[Part], usage: Option<Usage>) {
        if let Some(turn) = self.turn(entry) {
            turn.usage = turn.usage.or(usage);
            if let Some(agent) = line.started_agent.as_ref().filter(|agent| !turn.agents.contains(agent)) {
                turn.agents.push(agent.clone());
            }
        }
        let talk = self.talks.entry(entry).or_default();
        for part in parts {
            let at = talk.parts.len();
            match &part.kind {
                PartKind::ToolCall { id, name } => {
                    self.agent_calls_open += usize::from(starts_agent(name));
                    talk.calls.push(at);
                    if let Some(id) = id {
                        self.calls.insert(id.clone(), (entry, at));
                    }
                }
                PartKind::ToolResult { id, .. } => {
                    let named = id.as_ref().and_then(|id| self.calls.get(id));
                    let call = match (id, named) {
                        (Some(_), Some((home, call))) => Some(*call).filter(|_| *home == entry),
                        (Some(_), None) => None,
                        (None, _) => talk.oldest_open(),
                    };
                    if let Some(call) = call {
                        talk.under.insert(at, call);
                        let is_agent = matches!(&talk.parts[call].part.kind,
                            PartKind::ToolCall { name, .. } if starts_agent(name));
                        if talk.answered.insert(call, at).is_none() && is_agent {
                            self.agent_calls_open = self.agent_calls_open.saturating_sub(1);
                            // Agents without a name are told apart by when they run.
                            self.ended_agents.extend(self.agents.remove(""));
                        }
                    }
                }
                PartKind::Text | PartKind::Thinking | PartKind::Opaque { .. } => {}
            }
            talk.parts.push(Said {
                place: line.place(part.block),
                line_id: line.id.clone(),
                part: part.clone(),
                lossy: line.lossy.clone(),
            });
        }
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

    fn repeat(&mut self, line: &Line) {
        let mut own = line.clone();
        own.sidechain = None;
        let last = self.entries.len().checked_sub(1);
        if let Some((entry, lines)) = self.repeats.last_mut()
            && Some(*entry) == last
        {
            return lines.push(own);
        }
        self.repeats.push((self.entries.len(), vec![own]));
        self.entries.push(Entry::Folded {
            fold: Fold::Repeat,
            place: line.place(0),
            entries: Vec::new(),
            noise: Vec::new(),
        });
    }

    fn done(mut self) -> Vec<Entry> {
        let folds = std::mem::take(&mut self.agents).into_values().chain(std::mem::take(&mut self.ended_agents));
        for (entry, lines) in folds.chain(std::mem::take(&mut self.repeats)) {
            if let Some(Entry::Folded { entries, .. }) = self.entries.get_mut(entry) {
                *entries = inner(&lines);
            }
        }
        for (entry, talk) in std::mem::take(&mut self.talks) {
            if let Some(turn) = self.turn(entry) {
                (turn.parts, turn.open) = talk.done();
            }
        }
        self.entries
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::fmt::Write as _;

    use proptest::prelude::*;

    use super::super::notation::{entries, lines};
    use super::super::{Place, Role};
    use super::*;

    #[test]
    fn results_stand_under_their_calls_however_they_come() {
        for (session, want) in [
            (
                "a1@m a look\na2@m > t1 Read\na3@m > t2 Read\nr2 < t2\nr1 < t1\na4@n a done",
                vec!["a1: look, > t1, < t1, > t2, < t2", "a4: done"],
            ),
            ("a1 > t1 Bash\nu1 u wait\nr1 < t1\nu2 u go", vec!["a1: > t1, < t1", "u1: wait", "u2: go"]),
            ("a1 > - Bash\nr1 < -\nr2 < -", vec!["a1: > -, < -", "r2: < -"]),
            ("a1 > t1 Bash\nr1 < t1\nr2 < t1", vec!["a1: > t1, < t1, < t1"]),
            ("r1 < gone\na1 > t9 Bash", vec!["r1: < gone", "a1: > t9 open"]),
        ] {
            assert_eq!(entries(session), want, "{session}");
        }
    }

    #[test]
    fn a_marker_is_a_boundary_a_summary_or_both() {
        for (session, want) in [
            ("u1 u hi\nb1 --\ns1 == sum\nu2 u on", vec!["u1: hi", "== b1: sum", "u2: on"]),
            ("u1 u hi\ns1 == sum", vec!["u1: hi", "== s1: sum"]),
            ("u1 u hi\nb1 --\nu2 u on\ns1 == sum", vec!["u1: hi", "== b1: no summary", "u2: on", "== s1: sum"]),
            ("b1 --\nn . progress\ns1 == sum", vec!["== b1: sum", "[1 noise ]"]),
        ] {
            assert_eq!(entries(session), want, "{session}");
        }
    }

    #[test]
    fn what_a_sub_agent_says_is_folded_and_lines_without_an_agent_are_not() {
        for (session, want) in [
            (
                "a1 > t1 Task\nx1~ u find\nx2~ a found\nr1 < t1\na2 > t2 Task\ny1~ u more\nr2 < t2",
                vec!["a1: > t1, < t1", "[agent \"\" x1: find; x2: found]", "a2: > t2, < t2", "[agent \"\" y1: more]"],
            ),
            ("u1~ u hello\na1~ a hi", vec!["u1: hello", "a1: hi"]),
            ("x1~A u find\nu1 u hi\nx2~A a found", vec!["[agent \"A\" x1: find; x2: found]", "u1: hi"]),
        ] {
            assert_eq!(entries(session), want, "{session}");
        }
    }

    #[test]
    fn lines_that_repeat_an_id_are_folded_and_stay_reachable() {
        for (session, want) in [
            ("u1 u hi\nu1 u other\nu2 u on", vec!["u1: hi", "[repeat u1: other]", "u2: on"]),
            (
                "u1 u a\na1@m a b\nb --\ns == sum\nu1 u a\na1@m a b\nu2 u c",
                vec!["u1: a", "a1: b", "== b: sum", "[repeat u1: a; a1: b]", "u2: c"],
            ),
        ] {
            assert_eq!(entries(session), want, "{session}");
        }
        let known = group_knowing(&lines("u1 u hi\nu2 u on"), |line| line.id.as_deref() == Some("u1"));
        assert!(matches!(known[0], Entry::Folded { fold: Fold::Repeat, .. }));
    }

    #[test]
    fn noise_hangs_on_the_turn_before_it_and_bad_lines_stand_where_they_are() {
        assert_eq!(
            entries("n . a\nu1 u hi\nn . b\nn . c\n- ! bad\nnote note"),
            ["[1 noise ]", "u1: hi +2 noise", "! bad", "note"]
        );
    }

    #[test]
    fn a_window_starts_where_a_turn_surely_begins() {
        for (session, want) in [
            ("a1@m a one\na2@m > t Read\nr < t\na3@n a two", Some(3)),
            ("a1@m a one\nr < t\nu1 u hi", Some(2)),
            ("r < t\nn . x\nb --", Some(2)),
            ("a1@m a one", None),
        ] {
            assert_eq!(clean_start(&lines(session)), want, "{session}");
        }
    }

    fn parts_of(entries: &[Entry], found: &mut HashMap<Place, usize>) {
        for entry in entries {
            match entry {
                Entry::Turn(turn) => turn.parts.iter().for_each(|said| *found.entry(said.place).or_default() += 1),
                Entry::Folded { entries, .. } => parts_of(entries, found),
                Entry::Marker { .. } | Entry::Note { .. } | Entry::Unread(_) => {}
            }
        }
    }

    proptest! {
        #[test]
        fn every_part_stands_in_exactly_one_entry(
            rows in proptest::collection::vec((0..9u8, 0..4u8, 0..3u8, 0..4u8, 0..3u8), 0..40),
        ) {
            let mut text = String::new();
            for (body, call, message, side, id) in rows {
                let id = ["-", "x", "y"][usize::from(id)];
                let message = ["", "@m", "@n"][usize::from(message)];
                let side = ["", "~", "~A", "~B"][usize::from(side)];
                let call = ["-", "t1", "t2", "t3"][usize::from(call)];
                let body = ["u hi", "a yo", "> C Read", "> C Task", "< C", "< C A", "--", "== sum", ". noise"]
                    [usize::from(body)].replace('C', call);
                let _ = writeln!(text, "{id}{message}{side} {body}");
            }
            let lines = lines(&text);
            let mut found = HashMap::new();
            parts_of(&group(&lines), &mut found);
            for line in &lines {
                if let Body::Message { role: Role::User | Role::Assistant | Role::System, parts, .. } = &line.body {
                    for part in parts {
                        prop_assert_eq!(found.remove(&line.place(part.block)), Some(1));
                    }
                }
            }
            prop_assert!(found.is_empty());
        }
    }
}
