//! A line or row of the session exactly as it is stored, made safe to look at.

use std::fmt::Write;

use super::{Row, Tone, wrapped};

/// Bytes of a raw line that are laid out at most.
const LIMIT: usize = 256 * 1024;

/// The rows of a raw line within these cells. Bytes that are no text are shown as `\xNN`.
pub fn raw(bytes: &[u8], cells: usize) -> Vec<Row> {
    let shown = &bytes[..bytes.len().min(LIMIT)];
    let mut text = String::with_capacity(shown.len());
    for chunk in shown.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    let mut rows = wrapped(&text, cells, Tone::Code);
    if bytes.len() > LIMIT {
        let rest = super::thousands((bytes.len() - LIMIT) as u64);
        rows.extend(wrapped(&format!("… {rest} more bytes"), cells, Tone::Dim));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_named() {
        let rows: Vec<_> = raw(b"{\"a\":\"\xff\"}", 80).iter().map(Row::plain).collect();
        assert_eq!(rows, ["{\"a\":\"\\xff\"}"]);
    }
}
