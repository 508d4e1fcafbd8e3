//! By which name a summary calls the person: a customer, or somebody who is known, is no `user` there.

use crate::extract::{Language, Word, words};
use crate::record::Record;

use super::super::capitals::is_name;
use super::lists::lists;
use super::statement::Statement;

/// The names of the person, in lower case; none where the summary says `the user` alone.
#[derive(Debug, Default)]
pub struct Persona {
    names: Vec<String>,
}

impl Persona {
    /// Who wants something in the first claim of a record, where that is somebody with a name: `Ada Lind (order 7) wants …`.
    pub fn of(record: &Record) -> Self {
        let claims = record.items.iter().filter(|item| item.field.is_claim() && item.range.is_some());
        let first = claims.min_by_key(|item| item.range).map(|item| item.text.as_str()).unwrap_or_default();
        let mut plain = String::from(first);
        if let Some((start, end)) = first.find(" (").zip(first.find(')')).filter(|(start, end)| start < end) {
            plain.replace_range(start..=end, "");
        }
        let heard = words(&plain);
        let is_capital = |word: &&Word| plain[word.range.clone()].starts_with(char::is_uppercase) && !word.code;
        let language = Language::english();
        let named = |word: &&Word| {
            let one = std::slice::from_ref(*word);
            language.is_content(&word.lower) && !language.people.is_in(one) && !lists().agents.is_in(one)
        };
        let names: Vec<&Word> = heard.iter().take_while(is_capital).collect();
        let acts = lists().initiatives.iter().map(|(_, list)| list).chain(lists().sayings.iter().map(|(_, list)| list));
        let wants = acts.into_iter().any(|list| list.at(&heard, names.len()).is_some());
        if !(1..=3).contains(&names.len()) || !names.iter().all(named) || !wants {
            return Self::default();
        }
        Self { names: names.iter().map(|word| word.lower.to_string()).collect() }
    }

    /// Whether the person is meant by this word: by a name of theirs, or by a pronoun where nobody else is named.
    pub fn is_named(&self, claim: &Statement, heard: &[Word], at: usize) -> bool {
        let word = &*heard[at].lower;
        let is_own = |word: &str| self.names.iter().any(|name| name == word);
        let alone = || {
            let names = (0..heard.len()).filter(|no| is_name(&claim.text, heard, *no, Language::english()));
            names.into_iter().all(|no| is_own(heard[no].lower.trim_end_matches("'s")))
        };
        is_own(word) || !self.names.is_empty() && lists().vague.contains(word) && alone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::claims::terms::Terms;
    use crate::audit::world::record;
    use crate::record::Field::Narrative;

    #[test]
    fn the_person_has_the_name_of_who_wants_something_first() {
        for (first, text, want) in [
            ("Ada Lind (order 7) wants her money back.", "Ada paid twice", vec!["ada"]),
            ("Ada wants her money back.", "She paid twice", vec!["she"]),
            ("Ada wants her money back.", "Then she asked Ruth", vec![]),
            ("The user wants the money back.", "She paid twice", vec![]),
            ("Money is owed to Ada.", "Ada paid twice", vec![]),
            ("Postgres holds the orders.", "Postgres is slow", vec![]),
        ] {
            let mut record = record(&[(Narrative, first)]);
            record.items.iter_mut().for_each(|item| item.range = Some((0, first.len())));
            let persona = Persona::of(&record);
            let claim = Statement::of(text, &Terms::default());
            let heard = words(text);
            let is = |at: &usize| persona.is_named(&claim, &heard, *at);
            let found: Vec<&str> = (0..heard.len()).filter(is).map(|at| &*heard[at].lower).collect();
            assert_eq!(found, want, "{first} / {text}");
        }
    }
}
