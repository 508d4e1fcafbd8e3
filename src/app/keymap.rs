//! Which key means which command. Made from the table of commands and what the person changed.

use std::collections::HashMap;

use super::Key;
use super::command::{Command, Context, TABLE};

/// What keys pressed so far mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// This command.
    Command(Command),
    /// The beginning of a longer sequence.
    Beginning,
    /// Nothing.
    Nothing,
}

/// Keys and their commands.
#[derive(Clone, Debug)]
pub struct Keymap {
    bindings: Vec<(Vec<Key>, Command)>,
}

impl Keymap {
    /// The keys of the table, with those of some commands replaced: command id -> key sequences. What cannot be
    /// understood is returned as sentences for the person.
    pub fn new(changed: &HashMap<String, Vec<String>>) -> (Self, Vec<String>) {
        let mut wrong: Vec<String> = changed
            .keys()
            .filter(|id| !TABLE.iter().any(|spec| spec.id == **id))
            .map(|id| format!("no command is called {id} (? lists them)"))
            .collect();
        let mut bindings: Vec<(Vec<Key>, Command)> = Vec::new();
        // Changed keys come first, so they win over a default that another command has.
        for own in [true, false] {
            for spec in TABLE {
                let given: Vec<&str> = match (changed.get(spec.id), own) {
                    (Some(keys), true) => keys.iter().map(String::as_str).collect(),
                    (None, false) => spec.keys.to_vec(),
                    (Some(_), false) | (None, true) => continue,
                };
                for keys in given {
                    match Key::sequence(keys) {
                        Some(keys) => bindings.push((keys, spec.command)),
                        None => wrong.push(format!("{}: no key is called {keys}", spec.id)),
                    }
                }
            }
        }
        wrong.sort();
        (Self { bindings }, wrong)
    }

    /// What these keys mean here.
    pub fn meaning(&self, context: Context, keys: &[Key]) -> Meaning {
        let here = || self.bindings.iter().filter(|(_, command)| command.spec().contexts.contains(&context));
        if let Some((_, command)) = here().find(|(bound, _)| bound == keys) {
            return Meaning::Command(*command);
        }
        if here().any(|(bound, _)| bound.starts_with(keys)) { Meaning::Beginning } else { Meaning::Nothing }
    }

    /// The keys of a command as they are shown, the first one first; empty when it has none.
    pub fn keys(&self, command: Command) -> Vec<String> {
        let shown = |keys: &[Key]| {
            let single = keys.iter().all(|key| matches!(key.code, super::KeyCode::Char(_)) && !key.ctrl && !key.alt);
            let names: Vec<String> = keys.iter().map(Key::to_string).collect();
            names.join(if single { "" } else { " " })
        };
        self.bindings.iter().filter(|(_, bound)| *bound == command).map(|(keys, _)| shown(keys)).collect()
    }

    /// The first key of a command as it is shown.
    pub fn key(&self, command: Command) -> Option<String> {
        self.keys(command).into_iter().next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_key_replaces_the_default_and_wins_over_another_commands() {
        let changed = HashMap::from([("follow".to_owned(), vec!["j".to_owned()])]);
        let (keymap, wrong) = Keymap::new(&changed);
        assert!(wrong.is_empty());
        assert_eq!(keymap.meaning(Context::Transcript, &[Key::char('j')]), Meaning::Command(Command::Follow));
        assert_eq!(keymap.meaning(Context::Transcript, &[Key::char('F')]), Meaning::Nothing);
    }

    #[test]
    fn what_cannot_be_understood_is_said() {
        let changed = HashMap::from([
            ("nosuch".to_owned(), vec!["j".to_owned()]),
            ("follow".to_owned(), vec!["hyper-x".to_owned()]),
        ]);
        let (_, wrong) = Keymap::new(&changed);
        assert_eq!(wrong, ["follow: no key is called hyper-x", "no command is called nosuch (? lists them)"]);
    }

    #[test]
    fn a_sequence_begins_before_it_is_complete() {
        let (keymap, _) = Keymap::new(&HashMap::new());
        let g = Key::char('g');
        assert_eq!(keymap.meaning(Context::Transcript, &[g]), Meaning::Beginning);
        assert_eq!(keymap.meaning(Context::Transcript, &[g, g]), Meaning::Command(Command::First));
        assert_eq!(keymap.key(Command::First).as_deref(), Some("gg"));
    }
}
