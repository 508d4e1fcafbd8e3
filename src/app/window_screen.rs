//! What the next request carries as a screen: its regions in their order, against a budget that keys change.

use super::jump::remember;
use super::layer::{LaidRaw, Layer};
use super::ledger_screen;
use super::state::{Goal, Pending};
use super::{Effect, Request, State, outline_screen};
use crate::view::{self, Carried, Row, Tone, WindowSum, counted, thousands};
use crate::workbench::{BUDGETS, Context, LedgerOverBudget, RegionKind, Spot, usual_budget};

/// The page as it is shown now.
#[derive(Clone, Debug, Default)]
pub(super) struct WindowPage {
    /// The entry that the cursor is on.
    pub at: usize,
    /// The first row of the screen.
    top: usize,
    answer: Answer,
    /// How many turns the session had when it was answered, once all of it was read.
    turns: Option<u32>,
}

/// What came of putting it together.
#[derive(Clone, Debug, Default)]
enum Answer {
    /// Not done yet.
    #[default]
    Waiting,
    Window(Box<Context>, WindowSum),
    LedgerAlone(LedgerOverBudget),
    /// It did not work: why, and what to do.
    Failed(String),
}

impl WindowPage {
    /// How many entries the list has: each region, and before the recent turns what they come to.
    fn len(&self) -> usize {
        match &self.answer {
            Answer::Window(context, sum) => context.window.regions.len() + usize::from(sum.recent.is_some()),
            Answer::Waiting | Answer::LedgerAlone(_) | Answer::Failed(_) => 0,
        }
    }

    fn entry(&self, at: usize) -> Option<(Carried<'_>, &WindowSum)> {
        let Answer::Window(context, sum) = &self.answer else { return None };
        let regions = &context.window.regions;
        let Some(recent) = &sum.recent else { return Some((Carried::Region(regions.get(at)?), sum)) };
        let first = regions.len() - recent.count;
        let carried = match at {
            at if at < first => Carried::Region(regions.get(at)?),
            at if at == first => Carried::Recent(recent),
            at => Carried::Region(regions.get(at - 1)?),
        };
        Some((carried, sum))
    }
}

fn page(state: &mut State) -> Option<&mut WindowPage> {
    state.layers.iter_mut().rev().find_map(|layer| match layer {
        Layer::Window(page) => Some(page),
        _ => None,
    })
}

/// `W`: opens it; on the screen itself it is put together anew.
pub(super) fn open(state: &mut State) {
    if !matches!(state.layers.last(), Some(Layer::Window(_))) {
        state.layers.push(Layer::Window(WindowPage::default()));
    }
    ask(state);
    outline_screen::ask(state);
}

fn ask(state: &mut State) {
    state.pending.retain(|_, pending| *pending != Pending::Assemble);
    let budget = budget(state);
    state.ask(Pending::Assemble, |request| Effect::Assemble { request, budget });
}

/// Puts it together anew where it is open: something of it has changed.
pub(super) fn refresh_if_open(state: &mut State) {
    if page(state).is_some() {
        ask(state);
    }
}

/// What a person said, else what is usual.
fn budget(state: &State) -> u64 {
    state.budget.unwrap_or_else(|| usual_budget(state.known.markers.iter().map(|(marker, _)| marker)))
}

/// `+`: the next larger budget, or exactly the number that was typed.
pub(super) fn more(state: &mut State, typed: Option<u32>) {
    let now = budget(state);
    let next = typed.filter(|typed| *typed > 0).map(u64::from);
    change(state, next.or(BUDGETS.into_iter().find(|budget| *budget > now)), "largest");
}

/// `-`: the next smaller budget.
pub(super) fn less(state: &mut State) {
    let now = budget(state);
    change(state, BUDGETS.into_iter().rev().find(|budget| *budget < now), "smallest");
}

fn change(state: &mut State, to: Option<u64>, last: &str) {
    let Some(to) = to else {
        return state.say(format!("this is the {last} budget of the list: a number before + sets any other"));
    };
    state.budget = Some(to);
    ask(state);
}

/// It is put together.
pub(super) fn arrived(state: &mut State, request: Request, context: Context) {
    let sum = WindowSum::of(&context.window);
    answered(state, request, Answer::Window(Box::new(context), sum));
}

/// What is pinned does not fit by itself.
pub(super) fn ledger_alone(state: &mut State, request: Request, over: LedgerOverBudget) {
    answered(state, request, Answer::LedgerAlone(over));
}

fn answered(state: &mut State, request: Request, answer: Answer) {
    if state.pending.get(&request) == Some(&Pending::Assemble) {
        state.pending.remove(&request);
        put(state, answer);
    }
}

/// It could not be put together.
pub(super) fn failed(state: &mut State, why: String) {
    put(state, Answer::Failed(why));
}

fn put(state: &mut State, answer: Answer) {
    let turns = state.known.complete.then_some(state.known.turns);
    if let Some(page) = page(state) {
        (page.answer, page.turns) = (answer, turns);
        page.at = page.at.min(page.len().saturating_sub(1));
    }
    keep_on_screen(state);
}

/// The figures for the row over the screen.
pub(super) fn summary(state: &State, page: &WindowPage) -> String {
    let signs = state.settings.signs;
    if state.waits_for(&Pending::Assemble) {
        return format!("{} tok {}", thousands(budget(state)), signs.more);
    }
    match &page.answer {
        Answer::Window(_, sum) => format!("{} {} of {} tok", signs.alike, thousands(sum.tokens), thousands(sum.budget)),
        Answer::Waiting | Answer::LedgerAlone(_) | Answer::Failed(_) => format!("{} tok", thousands(budget(state))),
    }
}

fn cells(state: &State) -> usize {
    usize::from(state.width).saturating_sub(1)
}

/// The rows before the list: what it comes to, and what a reader should know beside the figures.
fn prefix(state: &State, page: &WindowPage) -> Vec<Row> {
    let (signs, cells) = (state.settings.signs, cells(state));
    match &page.answer {
        Answer::Waiting => view::remark(&format!("putting it together{}", signs.more), cells, Tone::Dim),
        Answer::Failed(why) => view::remark(why, cells, Tone::Warning),
        Answer::LedgerAlone(over) => {
            let mut rows = view::remark(&view::ledger_alone(*over, signs), cells, Tone::Warning);
            let todo = "+ gives a larger budget; L shows the entries, and x there withdraws one.";
            rows.extend(view::remark(todo, cells, Tone::Text));
            rows
        }
        Answer::Window(context, sum) => {
            let mut rows = vec![view::window_total(sum, cells, signs), Row::blank()];
            let notes = notes(state, page, context, sum);
            if !notes.is_empty() {
                rows.extend(notes);
                rows.push(Row::blank());
            }
            rows.push(view::region_heads(sum, cells));
            rows
        }
    }
}

fn notes(state: &State, page: &WindowPage, context: &Context, sum: &WindowSum) -> Vec<Row> {
    let (signs, cells) = (state.settings.signs, cells(state));
    let overview = state.overview.as_ref();
    let name = overview.map_or("SESSION", |overview| overview.name.as_str());
    let mut rows = Vec::new();
    if let (Some(over), 1..) = (sum.over(), context.blocks) {
        let out = context.ledger_left_out.is_empty() && context.window.regions.iter().all(|region| region.drafts == 0);
        let whole = if out { ", and nothing is left out" } else { "" };
        let much = format!("It is too much by {}", thousands(over));
        let larger = "+ gives a larger budget";
        let text = match context.in_brief {
            None => format!("{much}, and its records are in brief already. {larger}."),
            Some(tokens) if tokens > sum.budget => {
                let still = thousands(tokens);
                format!("{much}{whole}. {larger}; with its records in brief it would still be {still}.")
            }
            Some(_) => format!("{much}{whole}. {larger}; this shortens the records:"),
        };
        rows.extend(view::remark(&text, cells, Tone::Warning));
        if context.in_brief.is_some_and(|tokens| tokens <= sum.budget) {
            rows.extend(view::command(&format!("stet window {name} --budget {} --brief", sum.budget), cells));
        }
    }
    match overview {
        Some(overview) => rows.extend(view::closing_rows(overview, cells, signs)),
        None if context.blocks == 0 => {
            let text = format!("No block is closed yet. Which would close is being looked up{}", signs.more);
            rows.extend(view::remark(&text, cells, Tone::Dim));
        }
        None => {}
    }
    let mut say = |text: &str, tone: Tone| rows.extend(view::remark(text, cells, tone));
    if let (0, Some((last, _))) = (context.blocks, state.known.markers.last()) {
        let all = if last.no == 1 { "m1".to_owned() } else { format!("m1{}m{}", signs.dash, last.no) };
        say(
            &format!("What the agent's own compactions kept ({all}) is not in it: it is made from the originals."),
            Tone::Dim,
        );
    }
    if context.behind > 0 {
        let turns = counted(context.behind.into(), "turn");
        say(&format!("{turns} of the file are not in its copy yet: compile it once more."), Tone::Warning);
    }
    if !context.ledger_left_out.is_empty() {
        let left = counted(context.ledger_left_out.len() as u64, "entry");
        say(
            &format!("{left} of the ledger do not fit under its own cap: stet ledger print {name} says which."),
            Tone::Warning,
        );
    }
    if let Some(since) = page.turns.and_then(|turns| state.known.turns.checked_sub(turns)).filter(|since| *since > 0) {
        say(&format!("{} since: W puts it together anew.", counted(since.into(), "turn")), Tone::Accent);
    }
    rows
}

/// The rows that have room.
pub(super) fn body(state: &State, page: &WindowPage) -> Vec<Row> {
    let mut rows = prefix(state, page);
    let (before, height) = (rows.len(), state.body_height());
    rows.drain(..page.top.min(before));
    let mut at = page.top.saturating_sub(before);
    while let Some((entry, sum)) = page.entry(at).filter(|_| rows.len() < height) {
        let row = view::region_row(entry, sum, cells(state), state.settings.signs);
        rows.push(if at == page.at { state.with_cursor(row) } else { row });
        state.rows_built.set(state.rows_built.get() + 1);
        at += 1;
    }
    rows.truncate(height);
    rows
}

/// The entry at a row of the screen.
pub(super) fn entry_at(state: &State, page: &WindowPage, row: usize) -> Option<usize> {
    let at = (page.top + row).checked_sub(prefix(state, page).len())?;
    (at < page.len()).then_some(at)
}

/// Moves the cursor.
pub(super) fn step(state: &mut State, by: isize) {
    if let Some(page) = page(state) {
        page.at = page.at.saturating_add_signed(by).min(page.len().saturating_sub(1));
    }
    keep_on_screen(state);
}

fn keep_on_screen(state: &mut State) {
    let height = state.body_height();
    let Some(Layer::Window(page)) = state.layers.last() else { return };
    let row = prefix(state, page).len() + page.at;
    let Some(page) = self::page(state) else { return };
    // At the first entry what stands before it is shown too.
    let first = if page.at == 0 { 0 } else { row };
    page.top = page.top.clamp((row + 1).saturating_sub(height).min(first), first);
}

/// `Enter`: to the first turn of a region, or to the ledger.
pub(super) fn enter(state: &mut State) {
    let Some(Layer::Window(page)) = state.layers.last() else { return };
    let Some((entry, _)) = page.entry(page.at) else { return };
    let turns = match entry {
        Carried::Recent(recent) => Some(recent.turns),
        Carried::Region(region) if region.kind == RegionKind::Ledger => return ledger_screen::open(state),
        Carried::Region(region) => region.turns,
    };
    match turns {
        Some((from, _)) => go_to_turn(state, from),
        None => state.say("the text that the agent begins with is not in the session"),
    }
}

/// `v`: what the request carries for a row. Turns stand as they were said, and are looked at in the session.
pub(super) fn text(state: &mut State) {
    let Some(Layer::Window(page)) = state.layers.last() else { return };
    let Some((entry, _)) = page.entry(page.at) else { return };
    let region = match entry {
        Carried::Region(region) if region.kind != RegionKind::Turn => region,
        Carried::Region(_) | Carried::Recent(_) => return enter(state),
    };
    if region.text.is_empty() {
        return state.say("nothing stands there");
    }
    let no = region.no.map(|no| format!(" {no}")).unwrap_or_default();
    let the = if no.is_empty() { "the " } else { "" };
    let title = format!("In the window for {the}{}{no}", region.kind.name());
    let (text, laid) = (region.text.clone(), LaidRaw::default());
    state.layers.push(Layer::Region { title, text, top: 0, laid });
}

/// Leaves the screens for a turn.
pub(super) fn go_to_turn(state: &mut State, no: u32) {
    state.layers.clear();
    remember(state);
    state.load(Spot::Turn(no), Pending::Replace(Goal::Turn(no)));
}
