//! The values that calls were given and that somebody may have said: what is worth its bytes most.

use foldhash::HashMap;
use serde_json::Value;

/// A longer value is no name.
const LONG: usize = 80;

/// One value, as it stands in the arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Used {
    /// The argument that it was given as.
    pub label: String,
    /// Exactly as it stands.
    pub value: String,
    /// It is a number.
    pub number: bool,
}

/// Every value with a digit in these arguments; none where they are no JSON.
pub(super) fn used(args: &str) -> Vec<Used> {
    let mut found = Vec::new();
    if let Ok(value) = serde_json::from_str(args) {
        walk("", &value, &mut found);
    }
    found
}

/// JSON is read no deeper than its reader allows, so neither is this.
fn walk(label: &str, value: &Value, found: &mut Vec<Used>) {
    let text = match value {
        Value::Object(members) => return members.iter().for_each(|(name, value)| walk(name, value, found)),
        Value::Array(values) => return values.iter().for_each(|value| walk(label, value, found)),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) => return,
    };
    let fits = (2..=LONG).contains(&text.len()) && !text.contains(char::is_whitespace);
    if fits && text.bytes().any(|b| b.is_ascii_digit()) {
        let number = value.is_number() || text.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b',');
        found.push(Used { label: label.to_owned(), value: text, number });
    }
}

/// Tokens with a digit that somebody said, and whether a person did.
#[derive(Default)]
pub(super) struct Said(HashMap<String, bool>);

impl Said {
    /// Takes up words.
    pub fn hear(&mut self, text: &str, by_user: bool) {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '@' | '#' | '+' | ',');
        let counts = |token: &&str| token.bytes().any(|b| b.is_ascii_digit());
        for token in text.split(|c| !is_part(c)).filter(counts) {
            let token = token.trim_matches(['.', ',', ':', '-', '#', '/']);
            if (2..=LONG).contains(&token.len()) {
                *self.0.entry(token.replace(',', "")).or_default() |= by_user;
            }
        }
    }

    /// 2 for what a person said, 1 for what the agent said, 0 for what nobody did.
    pub fn rank(&self, value: &str) -> u8 {
        self.0.get(&value.replace(',', "")).map_or(0, |by_user| 1 + u8::from(*by_user))
    }
}
