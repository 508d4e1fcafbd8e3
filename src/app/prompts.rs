//! Keys in prompts: menus, the line being typed, the palette.

use super::command::{Spec, TABLE};
use super::edit::Edit;
use super::known::choice_key;
use super::layer::Layer;
use super::state::Pending;
use super::{Effect, Key, KeyCode, State, correct, jump, update};
use crate::record::{Choice, Correction, Outcome, chosen};
use crate::text::Shown;

/// A key while a prompt takes all keys.
pub(super) fn key(state: &mut State, pressed: Key) {
    if pressed.code == KeyCode::Esc {
        return escape(state);
    }
    let most = palette_rows(state);
    let Some(mut layer) = state.layers.pop() else { return };
    let stays = match &mut layer {
        Layer::Menu { selected, at } => {
            let Some((_, item)) = state.known.item(*selected) else { return };
            let item = item.clone();
            let all = correct::ways(state, *selected);
            match pressed.code {
                KeyCode::Down | KeyCode::Char('j') => *at = (*at + 1).min(all.len().saturating_sub(1)),
                KeyCode::Up | KeyCode::Char('k') => *at = at.saturating_sub(1),
                KeyCode::Enter => {
                    let Some(choice) = all.get(*at) else { return };
                    return correct::choose(state, *selected, &item, *choice);
                }
                KeyCode::Char('q') => return,
                KeyCode::Char('e') => {
                    let selected = *selected;
                    correct::choose(state, selected, &item, Choice::Reword);
                    return state.effects.push(Effect::Edit(Shown::lines(&item.text).as_str().to_owned()));
                }
                KeyCode::Char(c) => {
                    if let Some(choice) = all.iter().find(|choice| choice_key(**choice) == c) {
                        return correct::choose(state, *selected, &item, *choice);
                    }
                }
                _ => {}
            }
            true
        }
        Layer::Settle { selected, ways, at, outcome } => match pressed.code {
            KeyCode::Enter => {
                let Some(way) = ways.get(*at).cloned() else { return };
                let (selected, outcome) = (*selected, *outcome);
                state.layers.push(layer);
                return correct::settle(state, selected, way, outcome);
            }
            KeyCode::Left | KeyCode::Right | KeyCode::Char('h' | 'l') | KeyCode::Tab => {
                *outcome = next_outcome(*outcome, matches!(pressed.code, KeyCode::Left | KeyCode::Char('h')));
                true
            }
            KeyCode::Up | KeyCode::Down | KeyCode::Char('j' | 'k') => {
                let down = matches!(pressed.code, KeyCode::Down | KeyCode::Char('j'));
                *at = if down { (*at + 1).min(ways.len().saturating_sub(1)) } else { at.saturating_sub(1) };
                if let Some(way) = ways.get(*at) {
                    *outcome = way.outcome;
                }
                true
            }
            KeyCode::Char('q') => return,
            _ => true,
        },
        Layer::Reword { selected, edit, failed, before, settled } => {
            if pressed.code == KeyCode::Enter && !pressed.alt {
                let text = edit.text().trim().to_owned();
                *failed = None;
                let selected = *selected;
                // A record that was read anew meanwhile may hold another item there.
                let item = state.known.item(selected).filter(|(_, item)| item.text == *before);
                let correction = match *settled {
                    Some(outcome) => Some(correct::answered(outcome, text)),
                    None => item.and_then(|(record, item)| {
                        chosen(item, Choice::Reword, Some(text), record.compaction.originals)
                    }),
                };
                if correction.is_none() {
                    *failed = Some("the record was read anew, and the item is not where it was".to_owned());
                }
                state.layers.push(layer);
                return save_reword(state, selected, correction);
            }
            if pressed == Key::ctrl('e') {
                state.effects.push(Effect::Edit(Shown::lines(edit.text()).as_str().to_owned()));
            } else if let (KeyCode::Tab | KeyCode::BackTab, Some(outcome)) = (pressed.code, settled.as_mut()) {
                *outcome = next_outcome(*outcome, pressed.code == KeyCode::BackTab);
            } else if pressed.code == KeyCode::Enter {
                edit.insert("\n");
            } else {
                edit.key(pressed);
            }
            if edit.is_full() {
                state.say("a correction holds no more than 64 kB");
            }
            true
        }
        Layer::Search(edit) => {
            if pressed.code == KeyCode::Enter {
                let text = edit.text().to_owned();
                return search(state, text);
            }
            edit.key(pressed);
            true
        }
        Layer::Palette { edit, at } => match pressed.code {
            KeyCode::Enter => {
                let chosen = palette(state, edit.text()).get(*at).copied();
                if let Some(spec) = chosen {
                    update::run(state, spec.command, None);
                }
                return;
            }
            KeyCode::Down | KeyCode::Tab => {
                *at = (*at + 1).min(palette(state, edit.text()).len().saturating_sub(1));
                true
            }
            KeyCode::Up | KeyCode::BackTab => {
                *at = at.saturating_sub(1);
                true
            }
            KeyCode::PageDown => {
                *at = (*at + most).min(palette(state, edit.text()).len().saturating_sub(1));
                true
            }
            KeyCode::PageUp => {
                *at = at.saturating_sub(most);
                true
            }
            _ if pressed == Key::ctrl('n') => {
                *at = (*at + 1).min(palette(state, edit.text()).len().saturating_sub(1));
                true
            }
            _ if pressed == Key::ctrl('p') => {
                *at = at.saturating_sub(1);
                true
            }
            _ => {
                edit.key(pressed);
                *at = 0;
                true
            }
        },
        Layer::Help { edit, typing, top } => {
            if pressed.code == KeyCode::Enter {
                *typing = false;
            } else {
                edit.key(pressed);
                *top = 0;
            }
            true
        }
        Layer::Ledger { .. }
        | Layer::Raw { .. }
        | Layer::Region { .. }
        | Layer::Troubles { .. }
        | Layer::Findings(_)
        | Layer::Lineage(_)
        | Layer::Window(_)
        | Layer::Outline(_)
        | Layer::Quit => true,
    };
    if stays {
        state.layers.push(layer);
    }
}

/// The next way in which an open item may have ended, coming round.
fn next_outcome(outcome: Outcome, back: bool) -> Outcome {
    let all = Outcome::ALL;
    let here = all.iter().position(|other| *other == outcome).unwrap_or(0);
    all[(here + if back { all.len() - 1 } else { 1 }) % all.len()]
}

fn escape(state: &mut State) {
    if matches!(state.layers.last(), Some(Layer::Reword { .. })) && state.is_saving() {
        return;
    }
    match state.layers.last_mut() {
        Some(Layer::Help { edit, typing, .. }) => {
            *typing = false;
            *edit = Edit::default();
        }
        Some(Layer::Reword { selected, edit, before, settled, .. }) if edit.text() != before => {
            state.draft = Some((*selected, edit.text().to_owned()));
            let key = if settled.is_some() { "x" } else { "c r" };
            state.layers.pop();
            state.say(format!("not saved: {key} brings the words back"));
        }
        Some(_) => {
            state.layers.pop();
        }
        None => {}
    }
}

fn save_reword(state: &mut State, selected: super::known::Selected, correction: Option<Correction>) {
    let Some(correction) = correction else { return };
    if state.is_saving() {
        return;
    }
    if correction.text.is_empty() {
        return state.warn(if correction.outcome.is_some() {
            "there are no words: say how it was settled"
        } else {
            "there are no words: n in the menu says that it was never said"
        });
    }
    correct::enter(state, selected, correction);
}

fn search(state: &mut State, text: String) {
    if text.is_empty() {
        return;
    }
    state.needle = text;
    state.forward = true;
    jump::search(state, true);
}

/// The commands of the screen below it that what was typed may mean, the likeliest first: those whose name begins so,
/// then those with these words in their name, then in their sentence. A command that enters something in the ledger is
/// never found by its sentence, for Enter would run it.
pub(super) fn palette(state: &State, typed: &str) -> Vec<&'static Spec> {
    let below = state.layers.iter().rev().find_map(Layer::context).unwrap_or(super::command::Context::Transcript);
    let typed = typed.trim().to_lowercase();
    let has_words = |text: &str| {
        let mut words = typed.split_whitespace();
        words.all(|word| text.split(|c: char| !c.is_alphanumeric()).any(|other| other.starts_with(word)))
    };
    let rank = |spec: &Spec| {
        let sentence = spec.sentence.to_lowercase();
        if spec.name.starts_with(&typed) || spec.id.starts_with(&typed) {
            Some(0)
        } else if has_words(&format!("{} {}", spec.name, spec.id)) {
            Some(1)
        } else {
            (has_words(&format!("{} {sentence}", spec.name)) && !spec.command.writes()).then_some(2)
        }
    };
    let here = TABLE.iter().filter(|spec| spec.contexts.contains(&below));
    let mut found: Vec<_> = here.filter_map(|spec| Some((rank(spec)?, spec))).collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, spec)| spec).collect()
}

/// How many commands the palette shows at once.
pub(super) fn palette_rows(state: &State) -> usize {
    usize::from(state.height).saturating_sub(10).clamp(1, 12)
}

/// The commands that hold every word of what was typed.
pub(super) fn matching(typed: &str) -> Vec<&'static Spec> {
    let words: Vec<String> = typed.split_whitespace().map(str::to_lowercase).collect();
    let holds = |spec: &&Spec| {
        let text = format!("{} {} {} {}", spec.id, spec.name, spec.sentence, spec.keys.join(" ")).to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    TABLE.iter().filter(holds).collect()
}

/// Text that was pasted: only prompts take it.
pub(super) fn paste(state: &mut State, text: &str) {
    let line = text.replace(['\r', '\n'], " ");
    match state.layers.last_mut() {
        Some(Layer::Reword { edit, .. }) => {
            edit.insert(&text.replace("\r\n", "\n").replace('\r', "\n"));
            if edit.is_full() {
                state.say("a correction holds no more than 64 kB");
            }
        }
        Some(Layer::Palette { edit, at }) => {
            edit.insert(&line);
            *at = 0;
        }
        Some(Layer::Search(edit) | Layer::Help { edit, typing: true, .. }) => edit.insert(&line),
        _ => {}
    }
}

/// The person's own editor came back.
pub(super) fn edited(state: &mut State, text: Option<String>) {
    if let (Some(Layer::Reword { edit, .. }), Some(text)) = (state.layers.last_mut(), text) {
        *edit = Edit::new(text.trim_end().to_owned());
    }
}

pub(super) fn type_in_help(state: &mut State) {
    if let Some(Layer::Help { typing, .. }) = state.layers.last_mut() {
        *typing = true;
    }
}

/// Keys while it is asked whether text may be lost.
pub(super) fn quit_key(state: &mut State, pressed: Key) {
    match pressed.code {
        KeyCode::Char('y' | 'Y') => state.effects.push(Effect::Quit),
        KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc | KeyCode::Enter => {
            state.layers.pop();
        }
        _ => {}
    }
}

/// Whether the prompt waits for what is being stored.
pub(super) fn waits(state: &State) -> bool {
    state.pending.values().any(|pending| matches!(pending, Pending::Correct { .. }))
}
