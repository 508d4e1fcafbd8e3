//! A small session in memory, and a worker that answers what the state asks for.

use std::collections::{HashMap, VecDeque};

use stet::app::{Action, Effect, Key, Settings, State, update};
use stet::record::{
    Act, Change, Checked, Correction, Detail, Draft, EntryKind, Field, Finding, FindingKind, Generation, Item, Kept,
    Ledger, LedgerEntry, Lineage, Quote, Record, Retention, Severity, Verdict, Via, Warning, entry_hash,
};
use stet::session::{
    Body, Boundary, Entry, FileNo, Fold, Hash, Head, Line, MarkerKey, Outline, Part, PartKind, PartSeq, Place, Role,
    SessionKey, SourceRef, Speaker, Summary, TokensSaved, Trigger, TurnNo, group,
};
use stet::workbench::{Found, Hearing, MarkerRecord, RawLine, Saved, Sought, Spot, Window};

/// 2026-03-02, 09:00 UTC.
const NINE: i64 = 1_772_442_000_000;

/// A session that the tests write line by line.
pub struct World {
    pub lines: Vec<Line>,
    pub records: HashMap<u32, Vec<Item>>,
    reviewed: HashMap<u32, Vec<usize>>,
    /// What the checks find, by marker; nothing is checked while it is `None`.
    pub checks: Option<HashMap<u32, Checked>>,
    /// The answers of the check are held back.
    pub slow_checks: bool,
    /// What is told of a claim through its generations.
    pub lineage: Lineage,
    waiting_checks: Option<stet::app::Request>,
    entries: Vec<LedgerEntry>,
    /// Lines in one window.
    pub lines_at_once: usize,
    /// Answers that are held back.
    pub slow_records: bool,
    late: Vec<(stet::app::Request, u32)>,
    /// Every save fails with this.
    pub full_disk: bool,
    /// What was said of findings: the words of each, and whether it is a wrong alarm.
    pub alarms: Vec<(String, bool)>,
    /// So many turns from the beginning cannot be searched.
    pub unsearched: u32,
    /// Effects that reach the world outside.
    pub seen: Vec<Effect>,
    pub outline: Outline,
    /// The turns of its blocks; nothing is compiled while it is empty.
    pub blocks: Vec<(u32, u32)>,
    /// The markers whose records were opened.
    pub opened: Vec<u32>,
    /// The budgets of the windows that were asked for.
    pub budgets: Vec<u64>,
    /// Sub-agents with files of their own: the line that started each, and its lines.
    pub sides: Vec<(String, u64, Vec<Line>)>,
}

impl Default for World {
    fn default() -> Self {
        Self {
            lines: Vec::new(),
            records: HashMap::new(),
            reviewed: HashMap::new(),
            checks: None,
            slow_checks: false,
            lineage: Lineage::default(),
            waiting_checks: None,
            entries: Vec::new(),
            lines_at_once: 1_000,
            slow_records: false,
            late: Vec::new(),
            full_disk: false,
            alarms: Vec::new(),
            unsearched: 0,
            seen: Vec::new(),
            outline: Outline::default(),
            blocks: Vec::new(),
            opened: Vec::new(),
            budgets: Vec::new(),
            sides: Vec::new(),
        }
    }
}

pub fn key() -> SessionKey {
    SessionKey::new("claude-code", "orders-migration")
}

pub fn head() -> Head {
    Head {
        key: key(),
        path: "/sessions/orders.jsonl".into(),
        title: Some("orders-migration".into()),
        sides: Vec::new(),
        rows: true,
    }
}

fn part(kind: PartKind, speaker: Speaker, text: &str) -> Part {
    Part { block: 0, kind, speaker, text: text.to_owned() }
}

impl World {
    fn push(&mut self, body: Body) -> &mut Line {
        let n = self.lines.len() as u64;
        self.lines.push(Line {
            file: FileNo(0),
            offset: n * 100,
            len: 99,
            blanks: 0,
            id: Some(format!("line-{n}")),
            parent: None,
            logical_parent: None,
            at: Some(NINE + n as i64 * 60_000),
            sidechain: None,
            started_agent: None,
            body,
            lossy: None,
        });
        self.lines.last_mut().unwrap()
    }

    fn message(&mut self, role: Role, message: Option<&str>, parts: Vec<Part>) {
        let message = message.map(str::to_owned);
        self.push(Body::Message { role, message, parts, usage: None });
    }

    pub fn you(&mut self, text: &str) {
        self.message(Role::User, None, vec![part(PartKind::Text, Speaker::User, text)]);
    }

    pub fn agent(&mut self, text: &str) {
        self.message(Role::Assistant, None, vec![part(PartKind::Text, Speaker::Assistant, text)]);
    }

    /// One turn of the agent: thinking, words, a call and its result.
    pub fn works(&mut self, thinking: &str, text: &str, (tool, arguments): (&str, &str), (ok, result): (bool, &str)) {
        let n = self.lines.len();
        let id = Some(format!("call-{n}"));
        let mut parts = Vec::new();
        if !thinking.is_empty() {
            parts.push(part(PartKind::Thinking, Speaker::Assistant, thinking));
        }
        if !text.is_empty() {
            parts.push(part(PartKind::Text, Speaker::Assistant, text));
        }
        let call = PartKind::ToolCall { id: id.clone(), name: tool.to_owned() };
        parts.push(part(call, Speaker::Assistant, arguments));
        for (block, part) in parts.iter_mut().enumerate() {
            part.block = block as u32;
        }
        self.message(Role::Assistant, Some(&format!("message-{n}")), parts);
        let result = part(PartKind::ToolResult { id, ok }, Speaker::Tool, result);
        self.message(Role::User, None, vec![result]);
    }

    pub fn noise(&mut self, what: &str, text: &str) {
        self.push(Body::Noise { what: what.into(), title: None, text: text.into() });
    }

    pub fn unread(&mut self, why: &str) {
        self.push(Body::Unread { why: why.into() });
    }

    pub fn cleared(&mut self, cleared: usize, saved: u64) {
        self.push(Body::Note(TokensSaved { before: None, saved: Some(saved), cleared }));
    }

    /// Starts a sub-agent.
    pub fn calls_agent(&mut self, agent: &str) {
        let call = PartKind::ToolCall { id: Some("call-agent".into()), name: "Task".into() };
        let parts = vec![part(call, Speaker::Assistant, &format!("description: {agent}"))];
        self.message(Role::Assistant, Some("message-agent"), parts);
    }

    /// The session's beginning is not in the file: its first line answers one that is not there.
    pub fn begins_midway(&mut self) {
        self.lines[0].parent = Some("gone".into());
    }

    /// A sub-agent with a file of its own, started by the line before.
    pub fn side_file(&mut self, agent: &str, texts: &[&str]) {
        let file = FileNo(self.sides.len() as u16 + 1);
        let mut other = World::default();
        for text in texts {
            other.agent(text);
        }
        let mut lines = other.lines;
        for line in &mut lines {
            line.file = file;
        }
        let starter = (self.lines.len() as u64 - 1) * 100;
        self.sides.push((agent.to_owned(), starter, lines));
    }

    /// Said by a sub-agent inside the file.
    pub fn side(&mut self, text: &str) {
        let said = part(PartKind::Text, Speaker::Assistant, text);
        let body = Body::Message { role: Role::Assistant, message: None, parts: vec![said], usage: None };
        self.push(body).sidechain = Some("a1".into());
    }

    pub fn compacted(&mut self, before: u64, after: u64, items: Vec<Item>) {
        let boundary = Boundary {
            trigger: Some(Trigger::Auto),
            tokens_before: Some(before),
            tokens_after: Some(after),
            ..Boundary::default()
        };
        let summary = items.iter().map(|item| item.text.as_str()).collect::<Vec<_>>().join("\n");
        self.push(Body::Compaction { boundary, summary: Some(Summary { text: summary }) });
        let no = self.records.len() as u32 + 1;
        self.records.insert(no, items);
    }

    /// A part whose text holds the quote, as a source.
    fn source(&self, quote: &str) -> SourceRef {
        for (at, line) in self.lines.iter().enumerate() {
            let Body::Message { parts, .. } = &line.body else { continue };
            for part in parts {
                let Some(start) = part.text.find(quote) else { continue };
                let mut outline = Outline::default();
                self.lines[..=at].iter().for_each(|line| outline.push(line));
                let turn = outline.turn_at(line.file, line.offset).unwrap();
                return SourceRef {
                    turn: outline.number(turn).unwrap(),
                    turn_id: turn.id.to_string(),
                    line_id: line.id.clone(),
                    place: line.place(part.block),
                    seq: PartSeq(0),
                    range: (start, start + quote.len()),
                    quote: quote.to_owned(),
                    hash: Hash::of(quote.as_bytes()),
                    speaker: part.speaker,
                };
            }
        }
        panic!("nobody says {quote:?}");
    }

    /// An item of the next record; `quote` is what it rests on.
    pub fn item(&self, field: Field, text: &str, quote: Option<&str>) -> Item {
        let sources: Vec<SourceRef> = quote.map(|quote| self.source(quote)).into_iter().collect();
        let exact = quote.is_some_and(|quote| text.contains(quote));
        Item {
            field,
            text: text.to_owned(),
            range: Some((0, text.len())),
            detail: Detail::Plain,
            verdict: if exact { Verdict::Verified } else { Verdict::Unchecked },
            why: (!exact).then(|| {
                if quote.is_some() { "its words are not the original's" } else { "no turn holds these words" }
                    .to_owned()
            }),
            better: None,
            own: None,
            sources,
        }
    }

    pub fn ledger(&self) -> Ledger {
        Ledger::replay(self.entries.iter().cloned())
    }

    fn enter(&mut self, draft: Draft) -> Saved {
        let no = self.entries.len() as u32 + 1;
        let prev = self.entries.last().map_or(Hash::ZERO, |entry| entry.hash);
        let at = NINE + 5 * 3_600_000 + i64::from(no) * 60_000;
        let hash = entry_hash(no, &key(), at, &draft, prev);
        let entry = LedgerEntry { no, session: key(), at, draft, prev, hash };
        self.entries.push(entry.clone());
        Saved { entry, told: Hearing::NoAgentConnected, ledger: self.ledger() }
    }

    fn draft(act: Act) -> Draft {
        Draft {
            kind: EntryKind::Fact,
            act,
            outcome: None,
            text: String::new(),
            corrects: None,
            target: None,
            source: None,
            via: Via::Tui,
            author: "ana".into(),
            reason: None,
            proposed: false,
            origin: None,
        }
    }

    fn about(&mut self, act: Act, no: u32) -> Saved {
        let target = self.entries[no as usize - 1].hash;
        self.enter(Draft { target: Some(target), ..Self::draft(act) })
    }

    fn correct(&mut self, anchor: Option<stet::record::Anchor>, correction: Correction) -> Saved {
        let source = correction.source.map(|source| Quote {
            turn: source.turn.to_string(),
            turn_id: source.turn_id,
            line_id: source.line_id,
            part: source.place.part,
            range: source.range,
            quote: source.quote,
            hash: source.hash,
            speaker: source.speaker,
        });
        self.enter(Draft {
            kind: correction.kind,
            outcome: correction.outcome,
            text: correction.text,
            corrects: anchor,
            source,
            ..Self::draft(correction.act)
        })
    }

    fn window(&self, spot: Spot) -> Window {
        let file = match spot {
            Spot::Around(place) => place.file,
            Spot::Before(file, _) | Spot::After(file, _) => file,
            Spot::Start | Spot::End | Spot::Turn(_) => FileNo(0),
        };
        if file != FileNo(0) {
            return self.side_window(file, spot);
        }
        let n = self.lines.len();
        let at_once = self.lines_at_once;
        let line = |offset: u64| (offset / 100) as usize;
        let (from, to) = match spot {
            Spot::Start => (0, at_once.min(n)),
            Spot::End => (n.saturating_sub(at_once), n),
            Spot::Around(place) => {
                let from = line(place.offset).saturating_sub(at_once / 2);
                (from, (from + at_once).min(n))
            }
            Spot::Turn(no) => {
                let place = self.outline.main_turn(no).map_or(n as u64 * 100, |turn| turn.place.offset);
                let from = line(place).saturating_sub(at_once / 2);
                (from, (from + at_once).min(n))
            }
            Spot::Before(_, offset) => (line(offset).saturating_sub(at_once), line(offset)),
            Spot::After(_, offset) => (line(offset), (line(offset) + at_once).min(n)),
        };
        let mut entries = group(&self.lines[from..to]);
        self.number(&mut entries);
        // A sub-agent's own file is a fold with nothing in it, under the turn that started it.
        for (at, (agent, starter, _)) in self.sides.iter().enumerate() {
            let started = |entry: &Entry| matches!(entry, Entry::Turn(turn) if turn.place.offset == *starter);
            if let Some(turn) = entries.iter().position(started) {
                let file = FileNo(at as u16 + 1);
                entries.insert(
                    turn + 1,
                    Entry::Folded {
                        fold: Fold::SubAgent { agent: agent.clone(), file },
                        place: Place { file, offset: 0, part: 0 },
                        entries: Vec::new(),
                        noise: Vec::new(),
                    },
                );
            }
        }
        Window {
            entries,
            file: FileNo(0),
            start: from as u64 * 100,
            end: to as u64 * 100,
            at_start: from == 0,
            at_end: to == n,
            pending: 0,
            size: n as u64 * 100,
        }
    }

    /// Two lines of a sub-agent's file at a time.
    fn side_window(&self, file: FileNo, spot: Spot) -> Window {
        let (_, starter, lines) = &self.sides[usize::from(file.0) - 1];
        let n = lines.len();
        let line = |offset: u64| ((offset / 100) as usize).min(n);
        let (from, to) = match spot {
            Spot::Before(_, offset) => (line(offset).saturating_sub(2), line(offset)),
            Spot::Around(place) => (line(place.offset), (line(place.offset) + 2).min(n)),
            Spot::After(_, offset) => (line(offset), (line(offset) + 2).min(n)),
            Spot::Start | Spot::End | Spot::Turn(_) => (0, n),
        };
        let mut entries = group(&lines[from..to]);
        let main = self.outline.turn_at(FileNo(0), *starter).and_then(|turn| self.outline.number(turn));
        for (nth, entry) in entries.iter_mut().enumerate() {
            if let (Entry::Turn(turn), Some(main)) = (entry, &main) {
                turn.no = Some(TurnNo(vec![main.0[0], 1, (from + nth) as u32 + 1]));
            }
        }
        Window {
            entries,
            file,
            start: from as u64 * 100,
            end: to as u64 * 100,
            at_start: from == 0,
            at_end: to == n,
            pending: 0,
            size: n as u64 * 100,
        }
    }

    fn number(&self, entries: &mut [Entry]) {
        for entry in entries {
            match entry {
                Entry::Turn(turn) => {
                    let meta = self.outline.turn_at(turn.place.file, turn.place.offset);
                    turn.no = meta.and_then(|meta| self.outline.number(meta));
                }
                Entry::Folded { entries, .. } => self.number(entries),
                Entry::Marker { .. } | Entry::Note { .. } | Entry::Unread(_) => {}
            }
        }
    }

    fn record(&self, no: u32, partial: bool) -> MarkerRecord {
        self.record_of(no, partial, false)
    }

    /// The answers of the check.
    fn checked(&self, request: stet::app::Request) -> Vec<Action> {
        let all = if self.checks.is_some() { self.records.len() as u32 } else { 0 };
        let mut answers: Vec<Action> =
            (1..=all).map(|no| Action::Checked(request, Box::new(self.record_of(no, false, true)))).collect();
        answers.push(Action::AuditDone(request));
        answers
    }

    /// The check that was held back tells this of the first marker, and goes on.
    pub fn tell_check(&mut self, state: &mut State, checked: &Checked) {
        let Some(request) = self.waiting_checks else { return };
        self.checks = Some([(1, checked.clone())].into());
        let record = self.record_of(1, false, true);
        self.drive(state, Action::Checked(request, Box::new(record)));
    }

    /// The check that was held back fails.
    pub fn stop_checks(&mut self, state: &mut State, why: &str) {
        let Some(request) = self.waiting_checks.take() else { return };
        self.drive(state, Action::Failed(request, why.to_owned()));
    }

    /// The check that was held back comes to its end.
    pub fn finish_checks(&mut self, state: &mut State) {
        let Some(request) = self.waiting_checks.take() else { return };
        for action in self.checked(request) {
            self.drive(state, action);
        }
    }

    fn record_of(&self, no: u32, partial: bool, checked: bool) -> MarkerRecord {
        let mut items = self.records.get(&no).cloned().unwrap_or_default();
        if partial {
            for item in &mut items {
                item.sources.clear();
                (item.verdict, item.why) = (Verdict::Unchecked, None);
            }
        }
        MarkerRecord {
            compaction: self.outline.compactions[no as usize - 1].clone(),
            record: std::sync::Arc::new(Record { items, summary: String::new(), rules: 1 }),
            reviewed: self.reviewed.get(&no).cloned().unwrap_or_default(),
            checked: self.checks.as_ref().filter(|_| checked).map(|checks| {
                let checked = checks.get(&no).cloned().unwrap_or_default();
                std::sync::Arc::new(checked)
            }),
            partial,
        }
    }

    fn found(&self, needle: &str, from: Place, forward: bool) -> Option<Found> {
        let hits: Vec<Place> = self
            .lines
            .iter()
            .chain(self.sides.iter().flat_map(|(_, _, lines)| lines))
            .flat_map(|line| match &line.body {
                Body::Compaction { summary: Some(summary), .. } => {
                    let holds = summary.text.to_lowercase().contains(&needle.to_lowercase());
                    holds.then(|| line.place(0)).into_iter().collect()
                }
                Body::Message { parts, .. } => parts
                    .iter()
                    .filter(|part| part.text.to_lowercase().contains(&needle.to_lowercase()))
                    .map(|part| line.place(part.block))
                    .collect(),
                _ => Vec::new(),
            })
            .collect();
        let (ahead, round) = if forward {
            (hits.iter().find(|place| **place > from), hits.first())
        } else {
            (hits.iter().rev().find(|place| **place < from), hits.last())
        };
        Some(Found { place: *ahead.or(round)?, wrapped: ahead.is_none(), unsearched: self.unsearched })
    }

    /// A ledger of this many pins.
    pub fn pins(&mut self, count: usize) -> Ledger {
        for n in 0..count {
            self.enter(Draft { text: format!("fact {n}"), ..Self::draft(Act::Pinned) });
        }
        self.ledger()
    }

    /// The ledger as if its corrections had been made at another marker.
    pub fn re_anchored(&self, marker: MarkerKey) -> Ledger {
        let mut entries = self.entries.clone();
        for anchor in entries.iter_mut().filter_map(|entry| entry.draft.corrects.as_mut()) {
            anchor.marker = marker.clone();
        }
        Ledger::replay(entries)
    }

    pub fn answer(&mut self, effect: Effect) -> Vec<Action> {
        let failed =
            |request| vec![Action::Failed(request, "the disk is full (free some space, then save again)".into())];
        match effect {
            Effect::Load { request, spot, .. } => vec![Action::Window(request, self.window(spot))],
            Effect::Record { request, no } => {
                let mut actions = vec![Action::Record(request, Box::new(self.record(no, true)))];
                if self.slow_records {
                    self.late.push((request, no));
                } else {
                    actions.push(Action::Record(request, Box::new(self.record(no, false))));
                }
                actions
            }
            Effect::Opened { no } => {
                self.opened.push(no);
                Vec::new()
            }
            Effect::Correct { request, .. }
            | Effect::Withdraw { request, .. }
            | Effect::Reinstate { request, .. }
            | Effect::Confirm { request, .. }
            | Effect::Review { request, .. }
            | Effect::WrongAlarm { request, .. }
                if self.full_disk =>
            {
                failed(request)
            }
            Effect::Correct { request, anchor, correction, .. } => {
                vec![Action::Saved(request, Box::new(self.correct(anchor, correction)))]
            }
            Effect::Withdraw { request, no } => vec![Action::Saved(request, Box::new(self.about(Act::Withdrawn, no)))],
            Effect::Reinstate { request, no } => {
                vec![Action::Saved(request, Box::new(self.about(Act::Reinstated, no)))]
            }
            Effect::Confirm { request, no } => vec![Action::Saved(request, Box::new(self.about(Act::Confirmed, no)))],
            Effect::Review { request, .. } => vec![Action::Reviewed(request)],
            Effect::WrongAlarm { request, alarm, wrong } => {
                self.alarms.push((alarm.text, wrong));
                vec![Action::Alarmed(request)]
            }
            Effect::Audit { request } if self.slow_checks => {
                self.waiting_checks = Some(request);
                Vec::new()
            }
            Effect::Audit { request } => self.checked(request),
            Effect::Assemble { request, budget } => {
                self.budgets.push(budget);
                vec![match self.context(budget) {
                    Ok(context) => Action::Assembled(request, Box::new(context)),
                    Err(over) => Action::LedgerOverBudget(request, over),
                }]
            }
            Effect::Overview { request } => vec![Action::Overview(request, Box::new(self.overview()))],
            Effect::Lineage { request, .. } => vec![Action::Lineage(request, self.lineage.clone())],
            Effect::Raw { request, place } => {
                let line = place.offset / 100 + 1;
                let bytes = format!("{{\"line\":{line},\"text\":\"caf\u{e9} \u{1b}[31m\"}}").into_bytes();
                vec![Action::Raw(request, RawLine { path: "/sessions/orders.jsonl".into(), line: Some(line), bytes })]
            }
            Effect::Search { request, needle, from, forward } => {
                let found = self.found(&needle, from, forward);
                let nowhere = match self.unsearched {
                    0 => Sought::Nowhere,
                    unsearched => Sought::NotInWhatIsLeft { unsearched },
                };
                vec![Action::Found(request, found.map_or(nowhere, Sought::Here))]
            }
            Effect::Told { request } => {
                let lines: Vec<String> = self
                    .ledger()
                    .active()
                    .map(|entry| format!("- {}: {}", entry.draft.kind.name().to_uppercase(), entry.draft.text))
                    .collect();
                let text = lines.join("\n");
                let tokens = text.len() as u64 / 4;
                vec![Action::Told(request, text, tokens)]
            }
            other @ (Effect::StopSearch
            | Effect::Copy(_)
            | Effect::Edit(_)
            | Effect::Mouse { .. }
            | Effect::Suspend
            | Effect::Quit) => {
                self.seen.push(other);
                Vec::new()
            }
        }
    }

    /// Hands these to the state, and answers what it asks for until it asks for nothing.
    pub fn drive(&mut self, state: &mut State, action: Action) {
        let mut waiting = VecDeque::from([action]);
        while let Some(action) = waiting.pop_front() {
            for effect in update(state, action) {
                waiting.extend(self.answer(effect));
            }
        }
    }

    /// The records that were held back come.
    pub fn finish_records(&mut self, state: &mut State) {
        for (request, no) in std::mem::take(&mut self.late) {
            let record = self.record(no, false);
            self.drive(state, Action::Record(request, Box::new(record)));
        }
    }

    /// Reads the whole session, as the background does.
    pub fn index(&mut self, state: &mut State) {
        let mut outline = Outline::default();
        self.lines.iter().for_each(|line| outline.push(line));
        outline.finish();
        let batch = outline.batch();
        self.outline = outline;
        self.drive(state, Action::Indexed(batch));
    }

    /// A state that shows the start of the session, wholly read.
    pub fn open(&mut self, (width, height): (u16, u16)) -> State {
        self.open_with((width, height), Settings::default())
    }

    pub fn open_with(&mut self, size: (u16, u16), settings: Settings) -> State {
        let mut state = self.open_unread(size, settings);
        self.index(&mut state);
        state
    }

    /// A state that shows the start of a session of which no more is known.
    pub fn open_unread(&mut self, (width, height): (u16, u16), settings: Settings) -> State {
        let mut state = State::new(&head(), width, height, settings);
        for effect in state.start() {
            for action in self.answer(effect) {
                self.drive(&mut state, action);
            }
        }
        let ledger = self.ledger();
        self.drive(&mut state, Action::Ledger(ledger));
        state
    }

    /// Types keys: `jj<Enter>x`, `<ctrl-d>`.
    pub fn keys(&mut self, state: &mut State, keys: &str) {
        let mut rest = keys;
        while let Some(c) = rest.chars().next() {
            let (name, after) = match rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
                Some((name, after)) => (name, after),
                None => (&rest[..c.len_utf8()], &rest[c.len_utf8()..]),
            };
            let key =
                if name == " " { Key::char(' ') } else { Key::parse(name).unwrap_or_else(|| panic!("no key {name}")) };
            self.drive(state, Action::Key(key));
            rest = after;
        }
    }
}

/// A finding of a marker.
fn finding(kind: FindingKind, severity: Severity, field: Field, item: Option<usize>, text: &str) -> Finding {
    Finding {
        kind,
        severity,
        field,
        item,
        text: text.to_owned(),
        summary_range: item.map(|_| (0, text.len())),
        markers: vec![1],
        sources: Vec::new(),
        needed_again: Vec::new(),
        acted_on: Vec::new(),
        decisive: Vec::new(),
        decisive_there: Vec::new(),
        why: String::new(),
    }
}

/// Where a word stands in a text.
fn at(text: &str, words: &str) -> (usize, usize) {
    let start = text.find(words).unwrap();
    (start, start + words.len())
}

/// The same migration, its records checked: a question that became a decision, an invented action, and what was
/// forgotten.
pub fn checked_orders() -> World {
    let mut world = orders();
    let question = "Should orders.status become an enum? Not sure it's worth a migration on a table that size.";
    let claim = "convert orders.status to an enum";
    let turned = Finding {
        markers: vec![1, 2],
        sources: vec![world.source(question)],
        acted_on: vec![(TurnNo::main(10), "wrote a migration for it".to_owned())],
        decisive: vec![at(claim, "convert")],
        decisive_there: vec![at(question, "Should"), at(question, "Not sure it's worth")],
        why: "you asked, with a doubt; nobody agreed to it".to_owned(),
        ..finding(FindingKind::Inverted, Severity::High, Field::Decisions, Some(6), claim)
    };
    let invented = Finding {
        why: "no turn before this compaction speaks of partitions".to_owned(),
        ..finding(FindingKind::Invented, Severity::Medium, Field::RuledOut, Some(8), "partitioning by month")
    };
    let lost = |field, text: &str, quote: &str| Finding {
        sources: vec![world.source(quote)],
        decisive_there: vec![(0, quote.len())],
        why: "the record does not hold it".to_owned(),
        ..finding(FindingKind::Lost, Severity::Low, field, None, text)
    };
    let mut findings = vec![turned, invented];
    findings.push(Finding {
        severity: Severity::Medium,
        needed_again: vec![(TurnNo::main(9), "asked again".to_owned()), (TurnNo::main(11), "said again".to_owned())],
        ..lost(Field::Constraints, "Ask before touching the export job.", "Ask before touching the export job.")
    });
    findings.push(lost(Field::Figures, "90 MB of index", "90 MB of index"));
    for at in 1..13 {
        let quote = ["batches of 5,000 rows", "varchar(32)", "11 min 42 s"][at % 3];
        findings.push(lost(Field::Figures, &format!("{quote}, once more ({at})"), quote));
    }
    let kept = |held, kept| Kept { held, kept };
    let retention = Retention {
        entities: kept(9, 4),
        figures: kept(14, 1),
        constraints: kept(3, 2),
        decisions: kept(2, 2),
        actions: kept(4, 1),
        ruled_out: kept(0, 0),
        open: kept(2, 1),
        hedges: kept(3, 1),
    };
    let first = Checked {
        findings,
        retention,
        refetch_tokens: 5_210,
        warnings: vec![Warning::CutCalls { calls: 2 }],
        ..Checked::default()
    };
    let second = Checked {
        retention: Retention { figures: kept(14, 0), constraints: kept(3, 0), ..retention },
        ..Checked::default()
    };
    let generation = |marker, item, text: &str, certainty, changed, pairwise| Generation {
        marker,
        item,
        source: marker.is_none().then(|| world.source(question)),
        text: text.to_owned(),
        certainty,
        negated: false,
        verdict: marker.map(|_| Verdict::Contested),
        found: marker.map(|_| FindingKind::Inverted),
        differs: marker.map(|_| Change::Polarity),
        changed,
        pairwise,
        decisive: Vec::new(),
    };
    let mut original = generation(None, None, question, Some(0), None, None);
    original.decisive = vec![at(question, "Should"), at(question, "Not sure")];
    world.lineage = Lineage {
        text: claim.to_owned(),
        generations: vec![
            original,
            generation(Some(1), Some(6), claim, Some(6), Some(Change::Polarity), Some(Change::Certainty)),
            generation(Some(2), Some(0), claim, Some(6), None, None),
        ],
    };
    world.checks = Some(HashMap::from([(1, first), (2, second)]));
    // What the checks say of the items.
    for (no, item, verdict) in [(1, 6, Verdict::Contested), (1, 8, Verdict::Unsupported), (2, 0, Verdict::Contested)] {
        let item = &mut world.records.get_mut(&no).unwrap()[item];
        (item.verdict, item.why) = (verdict, None);
    }
    world
}

/// A migration in which a doubt becomes a decision.
pub fn orders() -> World {
    let mut world = World::default();
    world.you(
        "We move the orders table to the new cluster this week. Two rules:\n\n\
         - never lock orders between 08:00 and 20:00\n\
         - no new dependencies in the billing service\n\n\
         Start with the backfill, please.",
    );
    world.works(
        "The user gives two hard constraints. A batched backfill keeps locks short.\nI should look at the schema first.",
        "I look at the schema first, then write the backfill in **batches of 5,000 rows**.",
        ("Bash", "command: psql orders -c '\\d orders'\ndescription: show the table"),
        (true, "Table \"public.orders\"\n Column | Type\n id     | bigint\n status | varchar(32)"),
    );
    world.works(
        "",
        "",
        ("Bash", "command: psql orders -f backfill.sql"),
        (false, "ERROR:  canceling statement due to lock timeout\nCONTEXT:  while updating tuple (81,12) in relation \"orders\""),
    );
    world.noise("progress", "running hook");
    world.noise("progress", "hook done");
    world.agent(
        "The first run hit a lock timeout. With smaller batches it finished:\n\n\
         | step | rows | time |\n|---|---|---|\n| backfill | 4,812,330 | 11 min 42 s |\n| verify | 4,812,330 | 58 s |\n\n\
         ```sql\nUPDATE orders SET region = 'eu' WHERE id BETWEEN $1 AND $2;\n```\n\n\
         `orders.status` is still a varchar(32) with 9 values.",
    );
    world.you("Should orders.status become an enum? Not sure it's worth a migration on a table that size.");
    world.agent(
        "It would save about 90 MB of index. The lock is the risk: `ALTER TYPE` on 4.8 M rows takes the table for \
         minutes. I would keep the old column until Friday either way.",
    );
    world.unread("not JSON: expected `,` or `}` at column 81");
    world.you("Who owns the nightly export? Ask before touching the export job.");
    let items = vec![
        world.item(Field::Narrative, "The orders table moves to the new cluster; the backfill is done.", None),
        world.item(Field::Entities, "orders.status", Some("orders.status")),
        world.item(Field::Figures, "4,812,330 rows", Some("4,812,330")),
        world.item(
            Field::Constraints,
            "never lock orders between 08:00 and 20:00",
            Some("never lock orders between 08:00 and 20:00"),
        ),
        world.item(
            Field::Constraints,
            "no new dependencies in the billing service",
            Some("no new dependencies in the billing service"),
        ),
        world.item(Field::Decisions, "keep the old column until Friday", Some("keep the old column until Friday")),
        world.item(
            Field::Decisions,
            "convert orders.status to an enum",
            Some("Should orders.status become an enum? Not sure it's worth a migration on a table that size."),
        ),
        world.item(Field::Actions, "ran the backfill of orders", Some("psql orders -f backfill.sql")),
        world.item(Field::RuledOut, "partitioning by month", None),
        world.item(Field::Open, "Who owns the nightly export?", Some("Who owns the nightly export?")),
    ];
    world.compacted(48_120, 1_204, items);
    world.agent("I go on with the export job.");
    world.cleared(6, 21_400);
    world.works(
        "",
        "A helper looks for the owner.",
        ("Task", "description: find the owner\nprompt: Who owns the nightly export?"),
        (true, "billing owns it"),
    );
    world.you("Good. Go on.");
    let items = vec![
        world.item(Field::Decisions, "convert orders.status to an enum", Some("orders.status")),
        world.item(Field::Decisions, "the nightly export is owned by billing", Some("billing owns it")),
        world.item(Field::Open, "Who owns the nightly export?", Some("Who owns the nightly export?")),
    ];
    world.compacted(51_900, 1_480, items);
    world.agent("The export job is switched over. Nothing else is open.");
    world
}
