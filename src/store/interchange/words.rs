//! Values inside lines: times, hashes, bytes, the id of a part's line.

use serde::de::{Deserializer, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

/// The id of a part's line. A line of one part is called as the part where nothing else is said.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) enum OfLine {
    #[default]
    TheParts,
    None,
    Id(String),
}

impl OfLine {
    pub(super) fn is_the_parts(&self) -> bool {
        *self == OfLine::TheParts
    }
}

impl<'de> Deserialize<'de> for OfLine {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(value)?.map_or(OfLine::None, OfLine::Id))
    }
}

impl Serialize for OfLine {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            OfLine::TheParts | OfLine::None => out.serialize_none(),
            OfLine::Id(id) => out.serialize_str(id),
        }
    }
}

/// A time: RFC 3339, or milliseconds since 1970 where no calendar reaches.
#[derive(Clone, Copy, Default)]
pub(super) struct At(pub(super) i64);

impl Serialize for At {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(time) => out.collect_str(&time),
            Err(_) => out.serialize_i64(self.0),
        }
    }
}

impl<'de> Deserialize<'de> for At {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        struct Time;
        impl Visitor<'_> for Time {
            type Value = At;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("a time as RFC 3339 or in milliseconds since 1970")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<At, E> {
                let time: jiff::Timestamp = text.parse().map_err(|_| E::custom(format!("{text:?} is no time")))?;
                Ok(At(time.as_millisecond()))
            }

            fn visit_i64<E>(self, ms: i64) -> Result<At, E> {
                Ok(At(ms))
            }

            fn visit_u64<E: serde::de::Error>(self, ms: u64) -> Result<At, E> {
                i64::try_from(ms).map(At).map_err(|_| E::custom("a time out of range"))
            }
        }
        value.deserialize_any(Time)
    }
}

/// The bytes of hexadecimal text.
pub(super) fn unhex(text: &str) -> Result<Vec<u8>, String> {
    let wrong = || "raw_hex is not hexadecimal".to_owned();
    if !text.len().is_multiple_of(2) || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(wrong());
    }
    text.as_bytes()
        .chunks(2)
        .map(|pair| {
            let pair = std::str::from_utf8(pair).map_err(|_| wrong())?;
            u8::from_str_radix(pair, 16).map_err(|_| wrong())
        })
        .collect()
}

/// A hash, or which key does not hold one.
pub(super) fn hash(key: &str, text: &str) -> Result<crate::session::Hash, String> {
    crate::session::Hash::from_hex(text).ok_or_else(|| format!("{key} is not a SHA-256 in hexadecimal"))
}

/// A JSON value as text: a string as it is, anything else as JSON.
pub(super) fn plain(value: serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    }
}
