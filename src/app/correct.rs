//! Correcting an item: the one-key fix, the menu, review marks; pinning what was forgotten. Nothing is said to be saved here; that
//! is said when the answer comes.

use super::edit::Edit;
use super::findings::Subject;
use super::known::Selected;
use super::layer::Layer;
use super::saving::{self, Done};
use super::state::{Pending, Way};
use super::{Effect, State};
use crate::record::{
    Act, Choice, Correction, EntryKind, Field, Item, Outcome, Settlement, choices, chosen, one_key, settled,
    settlements,
};
use crate::session::Originals;
use crate::view::Answer;

/// The selected item, or a word about why there is none.
fn item(state: &mut State) -> Option<(Selected, Item)> {
    let selected = match state.subject() {
        Some(Subject::Item(selected)) => selected,
        Some(Subject::Finding(..)) => {
            state.say("this stands in no item of the record: there is nothing to correct or to mark in it");
            return None;
        }
        None => {
            state.say("no item is selected: ] goes to the next compaction, Enter unfolds it");
            return None;
        }
    };
    if state.rewritten {
        state.warn("not saved: the file was rewritten since it was opened; open it again");
        return None;
    }
    if state.is_saving() {
        state.say(format!("saving{}", state.settings.signs.more));
        return None;
    }
    let (record, item) = state.known.item(selected)?;
    let (partial, item) = (record.partial, item.clone());
    if partial {
        state.say("the originals are still being read: a moment");
        return None;
    }
    Some((selected, item))
}

/// `x`: the likeliest fix.
pub(super) fn fix(state: &mut State) {
    if let Some(subject @ Subject::Finding(..)) = state.subject() {
        return pin(state, subject);
    }
    let Some((selected, item)) = item(state) else { return };
    if let Some(no) = corrected_by(state, selected) {
        return say_corrected(state, no);
    }
    if becomes_never_said(&item) && state.known.is_beginning_missing(selected.marker) {
        menu(state);
        return state.say("it may have been said in the missing beginning: choose how to correct it");
    }
    choose(state, selected, &item, Choice::Fix);
}

/// Pins what was forgotten: the original words, with their turn.
fn pin(state: &mut State, subject: Subject) {
    let Some((_, seen)) = state.known.finding_of(subject) else { return };
    if !seen.is_forgotten() {
        return state.say("this stands in no item of the record: there is nothing to correct in it");
    }
    if let Answer::Entered(entry) = seen.answer {
        let no = entry.no;
        return state.say(format!("pinned already as L{no}: x in the ledger (L) takes it back"));
    }
    let source = seen.finding.sources.first().cloned();
    let text = source.as_ref().map_or_else(|| seen.finding.text.clone(), |source| source.quote.clone());
    let kind = EntryKind::of(seen.finding.field);
    let correction = Correction { act: Act::Pinned, kind, outcome: None, text, source, note: None };
    if state.rewritten {
        return state.warn("not saved: the file was rewritten since it was opened; open it again");
    }
    if state.is_saving() {
        return state.say(format!("saving{}", state.settings.signs.more));
    }
    state.say(format!("saving{}", state.settings.signs.more));
    state.ask(Pending::Correct { note: None }, |request| Effect::Correct {
        request,
        anchor: None,
        correction,
        reason: None,
    });
}

pub(super) fn corrected_by(state: &State, selected: Selected) -> Option<u32> {
    let (_, effective) = state.known.effective(selected.marker)?;
    effective.items.get(selected.item)?.corrected_by.map(|entry| entry.no)
}

fn say_corrected(state: &mut State, no: u32) {
    let back = if state.mine.last() == Some(&Done::Entry(no)) {
        "u takes it back"
    } else {
        "x in the ledger (L) takes it back"
    };
    state.say(format!("already corrected by L{no}: {back}, c corrects it otherwise"));
}

/// Whether the fix has no original to put in the item's place.
pub(super) fn becomes_never_said(item: &Item) -> bool {
    match item.field {
        Field::Narrative | Field::Entities | Field::Figures | Field::Constraints | Field::Actions => {
            item.sources.is_empty()
        }
        Field::Decisions | Field::RuledOut | Field::Open => false,
    }
}

/// `c`: the other ways.
pub(super) fn menu(state: &mut State) {
    if let Some((selected, _)) = item(state) {
        let ways = ways(state, selected).len();
        keep_in_sight(state, ways);
        state.layers.push(Layer::Menu { selected, at: 0 });
    }
}

/// The ways to correct an item, without the fix where it could only say what nobody can know.
pub(super) fn ways(state: &State, selected: Selected) -> Vec<Choice> {
    let Some((record, item)) = state.known.item(selected) else { return Vec::new() };
    let fixes = item.field == Field::Open || one_key(item, record.compaction.originals).is_some();
    choices(item.field).iter().copied().filter(|choice| *choice != Choice::Fix || fixes).collect()
}

/// A sheet with this many rows is about to cover the lower part of the screen: the item stays in sight.
fn keep_in_sight(state: &mut State, rows: usize) {
    state.transcript.keep_above(rows + 3, &state.known, &state.settings);
}

/// Does what was chosen for an item: at once, or after it was said how.
pub(super) fn choose(state: &mut State, selected: Selected, item: &Item, choice: Choice) {
    match (choice, item.field) {
        (Choice::Fix, Field::Open) => {
            let record = state.known.records.get(&selected.marker);
            let ways = record.map(|record| settlements(item, &record.record)).unwrap_or_default();
            if ways.is_empty() {
                // Nothing in the session says how: the person does.
                return type_words(state, selected, String::new(), Some(Outcome::Decided));
            }
            keep_in_sight(state, ways.len() + 2);
            let outcome = ways.first().map_or(Outcome::Decided, |way| way.outcome);
            state.layers.push(Layer::Settle { selected, ways, at: 0, outcome });
        }
        (Choice::Reword, _) => {
            type_words(state, selected, item.text.clone(), None);
        }
        (Choice::Fix | Choice::WasDecided | Choice::NeverSaid | Choice::PinAsIs, _) => {
            let originals = state.known.records.get(&selected.marker).map(|record| record.compaction.originals);
            match chosen(item, choice, None, originals.unwrap_or(Originals::Gone)) {
                Some(correction) => enter(state, selected, correction),
                None => {
                    state.say("the session's beginning is not in the file, so nobody can say that it was never said");
                }
            }
        }
    }
}

/// Asks for the words of a correction; `before` stands there at first. `settled` is how an open item ended.
fn type_words(state: &mut State, selected: Selected, before: String, settled: Option<Outcome>) {
    keep_in_sight(state, if settled.is_some() { 5 } else { 3 });
    let draft = state.draft.take_if(|(of, _)| *of == selected).map(|(_, text)| text);
    let edit = Edit::new(draft.unwrap_or_else(|| before.clone()));
    state.layers.push(Layer::Reword { selected, edit, before, failed: None, settled });
}

/// Enters an open item as settled in this way.
pub(super) fn settle(state: &mut State, selected: Selected, way: Settlement, outcome: Outcome) {
    enter(state, selected, settled(Settlement { outcome, ..way }));
}

/// An open item as settled in a person's own words.
pub(super) fn answered(outcome: Outcome, text: String) -> Correction {
    settled(Settlement { outcome, text, source: None })
}

/// Has a correction stored.
pub(super) fn enter(state: &mut State, selected: Selected, correction: Correction) {
    if state.rewritten {
        return state.warn("not saved: the file was rewritten since it was opened; open it again");
    }
    let Some(anchor) = state.known.anchor(selected) else { return };
    let note = correction.note;
    state.say(format!("saving{}", state.settings.signs.more));
    state.ask(Pending::Correct { note }, |request| Effect::Correct {
        request,
        anchor: Some(anchor),
        correction,
        reason: None,
    });
}

/// `v`: checked, right; or the mark is taken back.
pub(super) fn right(state: &mut State) {
    let Some((selected, item)) = item(state) else { return };
    if !item.field.is_claim() {
        return state.say("only what states something is counted as checked: names and figures are not");
    }
    if let Some(no) = corrected_by(state, selected) {
        return say_corrected(state, no);
    }
    let checked = !state.known.records[&selected.marker].reviewed.contains(&selected.item);
    saving::review(state, selected, checked, Way::Anew);
}
