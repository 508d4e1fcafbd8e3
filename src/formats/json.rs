//! JSON as other programs write it: checked once by serde_json, then walked in place.
//!
//! Nothing here recurses, so hostile depth costs nothing; nothing is copied but strings that hold escapes; wrong
//! types are `None`. Half a surrogate pair becomes U+FFFD and is told. Of a key that stands twice the last one counts.

mod cursor;
mod escapes;
mod scan;

use std::borrow::Cow;

use serde_json::value::RawValue;

pub(super) use cursor::Cursor;
use escapes::decode;
use scan::{between, blanks, skip};

/// One JSON value: its own text, without white space around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Value<'a>(&'a str);

/// What was done to a text so that it can be shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mended {
    /// Half surrogate pairs, now U+FFFD.
    pub surrogates: usize,
    /// The text went on: its length in the file, in bytes.
    pub cut: Option<usize>,
}

/// The value that this whole text is; an error says why it is none.
pub(super) fn read(text: &str) -> Result<Value<'_>, String> {
    match serde_json::from_str::<&RawValue>(text) {
        Ok(raw) => Ok(Value(raw.get())),
        Err(error) => {
            let what = error.to_string();
            let what = what.rsplit_once(" at line ").map_or(what.as_str(), |(what, _)| what);
            Err(format!("not JSON: {what} (column {})", error.column()))
        }
    }
}

/// The value that this text begins with, whatever follows it and wherever it is cut. For guessing only.
pub(super) fn peek(text: &str) -> Value<'_> {
    let start = blanks(text.as_bytes(), 0);
    let end = skip(text.as_bytes(), start);
    Value(text.get(start..end).unwrap_or_default())
}

impl<'a> Value<'a> {
    /// Exactly as it stands in the file.
    pub(super) fn raw(self) -> &'a str {
        self.0
    }

    pub(super) fn is_object(self) -> bool {
        self.0.starts_with('{')
    }

    pub(super) fn is_array(self) -> bool {
        self.0.starts_with('[')
    }

    pub(super) fn is_null(self) -> bool {
        self.0 == "null"
    }

    pub(super) fn is_true(self) -> bool {
        self.0 == "true"
    }

    /// `object`, `list`, `text`, `number`, … for messages.
    pub(super) fn kind(self) -> &'static str {
        match self.0.as_bytes().first() {
            Some(b'{') => "an object",
            Some(b'[') => "a list",
            Some(b'"') => "a text",
            Some(b't' | b'f') => "true or false",
            Some(b'n') => "null",
            Some(_) => "a number",
            None => "nothing",
        }
    }

    /// The string between its quotes, still with its escapes; `None` for anything else.
    pub(super) fn escaped(self) -> Option<&'a str> {
        let inner = self.0.strip_prefix('"')?;
        Some(inner.strip_suffix('"').unwrap_or(inner))
    }

    /// The decoded string; `None` for anything else.
    pub(super) fn text(self) -> Option<Cow<'a, str>> {
        self.escaped().map(|inner| decode(inner, usize::MAX, &mut Mended::default()))
    }

    /// The decoded string up to a limit in bytes, with what had to be mended.
    pub(super) fn text_within(self, limit: usize, mended: &mut Mended) -> Option<Cow<'a, str>> {
        self.escaped().map(|inner| decode(inner, limit, mended))
    }

    /// The decoded string; `None` when it is empty or no string.
    pub(super) fn name(self) -> Option<Cow<'a, str>> {
        self.text().filter(|text| !text.is_empty())
    }

    pub(super) fn number(self) -> Option<u64> {
        self.0.parse().ok().or_else(|| self.0.parse::<f64>().ok().filter(|n| n.is_finite()).map(|n| n as u64))
    }

    /// The members of an object; none for anything else.
    pub(super) fn members(self) -> Members<'a> {
        Members { text: if self.is_object() { self.0 } else { "" }, at: 1 }
    }

    /// The elements of a list; none for anything else.
    pub(super) fn items(self) -> Items<'a> {
        Items { text: if self.is_array() { self.0 } else { "" }, at: 1 }
    }

    /// The last member with this key.
    pub(super) fn get(self, key: &str) -> Option<Value<'a>> {
        self.members().filter(|(name, _)| name == key).last().map(|(_, value)| value)
    }

    /// A path of keys.
    pub(super) fn at(self, path: &[&str]) -> Option<Value<'a>> {
        path.iter().try_fold(self, |value, key| value.get(key))
    }
}

/// The members of one object, in file order.
pub(super) struct Members<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Members<'a> {
    type Item = (Cow<'a, str>, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.text.as_bytes();
        let key_start = between(bytes, self.at);
        if bytes.get(key_start) != Some(&b'"') {
            return None;
        }
        let key_end = skip(bytes, key_start);
        let colon = blanks(bytes, key_end);
        if bytes.get(colon) != Some(&b':') {
            return None;
        }
        let start = blanks(bytes, colon + 1);
        let end = skip(bytes, start);
        self.at = end;
        let key = Value(self.text.get(key_start..key_end)?);
        let value = self.text.get(start..end).filter(|value| !value.is_empty())?;
        Some((key.text()?, Value(value)))
    }
}

/// The elements of one list, in file order.
pub(super) struct Items<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Items<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.text.as_bytes();
        let start = between(bytes, self.at);
        let end = skip(bytes, start);
        self.at = end;
        self.text.get(start..end).filter(|value| !value.is_empty()).map(Value)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn strings_are_decoded_and_broken_pairs_mended() {
        for (escaped, want, surrogates) in [
            (r#""plain""#, "plain", 0),
            (r#""a\"b\\c\/d\n\t""#, "a\"b\\c/d\n\t", 0),
            (r#""\u00e9\u0000""#, "é\0", 0),
            (r#""\ud83d\ude42""#, "🙂", 0),
            (r#""cut \ud83d""#, "cut \u{fffd}", 1),
            (r#""\ude42\ud83d swapped""#, "\u{fffd}\u{fffd} swapped", 2),
            (r#""\ud83d\u0041""#, "\u{fffd}A", 1),
        ] {
            let mut mended = Mended::default();
            let value = read(escaped).unwrap();
            assert_eq!(value.text_within(1000, &mut mended).unwrap(), want, "{escaped}");
            assert_eq!(mended.surrogates, surrogates, "{escaped}");
        }
    }

    #[test]
    fn a_long_text_is_cut_between_characters_and_says_so() {
        for inner in ["ééééé", "é\\néééé"] {
            let text = format!("\"{inner}\"");
            let mut mended = Mended::default();
            let cut = read(&text).unwrap().text_within(5, &mut mended).unwrap().into_owned();
            assert!(cut.len() <= 5 && cut.starts_with('é'), "{cut}");
            assert_eq!(mended.cut, Some(inner.len()));
        }
    }

    #[test]
    fn members_and_items_are_walked_in_order_and_the_last_of_a_key_counts() {
        let value = read(r#" {"a":1 , "b":[1,"x,]",{"c":[]} ],"a":{"d":"}"}} "#).unwrap();
        let keys: Vec<_> = value.members().map(|(key, value)| format!("{key}={}", value.raw())).collect();
        assert_eq!(keys, ["a=1", r#"b=[1,"x,]",{"c":[]} ]"#, r#"a={"d":"}"}"#]);
        assert_eq!(value.at(&["a", "d"]).unwrap().text().unwrap(), "}");
        let items: Vec<_> = value.get("b").unwrap().items().map(Value::raw).collect();
        assert_eq!(items, ["1", "\"x,]\"", "{\"c\":[]}"]);
    }

    #[test]
    fn a_cursor_meets_each_value_once_whether_it_is_read_or_not() {
        let value = read(r#"{"a":[1,{"b":"x"},[2]],"skipped":{"c":[]},"d":"last"}"#).unwrap();
        let mut met = Vec::new();
        Cursor::of(value).object(|key, at| match key {
            "a" => at.list(|at| {
                if at.next_byte() == Some(b'{') {
                    at.object(|key, at| met.push(format!("a.{key}={}", at.value().raw())));
                }
            }),
            "d" => met.push(format!("{key}={}", at.value().raw())),
            _ => {}
        });
        assert_eq!(met, ["a.b=\"x\"", "d=\"last\""]);
        for broken in ["", "{", "{\"a\"", "{\"a\":", "[", "[1", "{\"a\":[}", "[}]"] {
            Cursor::of(peek(broken)).object(|_, at| at.list(|_| {}));
            Cursor::of(peek(broken)).list(|at| at.object(|_, _| {}));
        }
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = format!("{{\"x\":{}1{},\"y\":2}}", "[".repeat(200_000), "]".repeat(200_000));
        assert_eq!(read(&deep).unwrap().get("y").unwrap().number(), Some(2));
        assert!(read(&"[".repeat(200_000)).is_err());
    }

    #[test]
    fn what_is_no_json_says_why() {
        for (text, want) in [
            ("{\"a\":1", "not JSON: EOF while parsing an object (column 6)"),
            ("{} {}", "not JSON: trailing characters (column 4)"),
            ("NaN", "not JSON: expected value (column 1)"),
        ] {
            assert_eq!(read(text).unwrap_err(), want);
        }
    }

    #[test]
    fn a_cut_object_still_shows_its_first_members() {
        let cut = peek(r#"  {"type":"user","message":{"content":"half a wo"#);
        assert_eq!(cut.get("type").unwrap().text().unwrap(), "user");
        assert_eq!(peek("").get("type"), None);
        assert_eq!(peek("{\"a\\").get("a"), None);
    }
}
