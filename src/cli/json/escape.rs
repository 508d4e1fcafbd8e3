//! JSON in which nothing can act on a terminal: control characters and those that turn or hide text are escaped.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::Formatter;

/// A value as one line of JSON, without the line end.
pub fn line(value: &impl Serialize) -> serde_json::Result<String> {
    let mut bytes = Vec::new();
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, Inert))?;
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// Compact JSON in which control characters and those that turn or hide text are escaped.
struct Inert;

impl Formatter for Inert {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        // All bytes without a stop: most text is plain, and this is told of many at a time.
        if fragment.bytes().fold(true, |plain, byte| plain & (b' '..=b'~').contains(&byte)) {
            return writer.write_all(fragment.as_bytes());
        }
        let mut from = 0;
        for (at, c) in fragment.char_indices().filter(|(_, c)| acts(*c)) {
            writer.write_all(&fragment.as_bytes()[from..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            from = at + c.len_utf8();
        }
        writer.write_all(&fragment.as_bytes()[from..])
    }
}

/// Escapes what acts on a terminal in lines of JSON that pass through. Such a character stands only inside strings.
pub struct Escaping<W: Write> {
    to: W,
    line: Vec<u8>,
}

impl<W: Write> Escaping<W> {
    /// Writes on to this.
    pub fn new(to: W) -> Self {
        Self { to, line: Vec::new() }
    }
}

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n') else {
            self.line.extend_from_slice(bytes);
            return Ok(bytes.len());
        };
        self.line.extend_from_slice(&bytes[..end]);
        let whole = std::mem::replace(&mut self.line, bytes[end + 1..].to_vec());
        for line in String::from_utf8_lossy(&whole).split('\n') {
            Inert.write_string_fragment(&mut self.to, line)?;
            self.to.write_all(b"\n")?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{61c}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}
