//! A line read in one pass.

use super::Value;
use super::scan::{between, blanks, skip};

/// A place in a line that only moves on: whoever reads a value either descends into it or passes over it, so that
/// every byte is looked at once, however deep it lies.
pub(in super::super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(in super::super) fn of(value: Value<'a>) -> Self {
        Self { text: value.0, at: 0 }
    }

    /// The first byte of the value that comes.
    pub(in super::super) fn next_byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// How far it has come, in bytes.
    pub(in super::super) fn position(&self) -> usize {
        self.at
    }

    /// Passes over the value that comes.
    pub(in super::super) fn value(&mut self) -> Value<'a> {
        let start = self.at;
        self.at = skip(self.text.as_bytes(), start);
        Value(self.text.get(start..self.at).unwrap_or_default())
    }

    /// What is read by this, as one value.
    pub(in super::super) fn whole(&mut self, read: impl FnOnce(&mut Self)) -> Value<'a> {
        let start = self.at;
        read(self);
        Value(self.text.get(start..self.at).unwrap_or_default())
    }

    /// Meets every member of the object that comes; a member that is not read is passed over. Of anything that is no
    /// object nothing is met.
    pub(in super::super) fn object(&mut self, mut meet: impl FnMut(&str, &mut Self)) {
        if self.next_byte() != Some(b'{') {
            self.value();
            return;
        }
        self.at += 1;
        loop {
            self.at = between(self.text.as_bytes(), self.at);
            if self.next_byte() != Some(b'"') {
                self.close(b'}');
                return;
            }
            let key = self.value();
            self.at = blanks(self.text.as_bytes(), self.at);
            if self.next_byte() != Some(b':') {
                return;
            }
            self.at = blanks(self.text.as_bytes(), self.at + 1);
            let before = self.at;
            let Some(key) = key.text() else { return };
            meet(&key, self);
            if self.at == before {
                self.value();
            }
        }
    }

    /// The same for the elements of a list.
    pub(in super::super) fn list(&mut self, mut meet: impl FnMut(&mut Self)) {
        if self.next_byte() != Some(b'[') {
            self.value();
            return;
        }
        self.at += 1;
        loop {
            self.at = between(self.text.as_bytes(), self.at);
            match self.next_byte() {
                None | Some(b']' | b'}') => {
                    self.close(b']');
                    return;
                }
                Some(_) => {}
            }
            let before = self.at;
            meet(self);
            if self.at == before {
                self.value();
            }
            if self.at == before {
                return;
            }
        }
    }

    fn close(&mut self, end: u8) {
        self.at += usize::from(self.next_byte() == Some(end));
    }
}
