//! The identities everything stored refers to. Display numbers (`41`, `m2`, `L3`) are never among them.

use std::fmt;

use sha2::{Digest, Sha256};

/// A SHA-256, as stored and shown (lower-case hex).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// The hash of nothing: what the first link of a chain points back to.
    pub const ZERO: Hash = Hash([0; 32]);

    /// The hash of these bytes alone.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The hash over length-prefixed fields, so that no two lists of fields run together.
    pub fn of_fields<'a>(fields: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut all = HashedFields::default();
        for field in fields {
            all.add([field]);
        }
        all.hash()
    }

    /// `None` unless these are exactly 64 hexadecimal digits.
    pub fn from_hex(text: &str) -> Option<Self> {
        if text.len() != 64 || !text.is_ascii() {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        }
        Some(Self(bytes))
    }
}

/// Fields on their way into one hash, see [`Hash::of_fields`].
#[derive(Clone, Default)]
pub struct HashedFields(Sha256);

impl HashedFields {
    /// Adds one field, given in pieces.
    pub fn add<const N: usize>(&mut self, pieces: [&[u8]; N]) {
        self.0.update((pieces.iter().map(|piece| piece.len() as u64).sum::<u64>()).to_le_bytes());
        for piece in pieces {
            self.0.update(piece);
        }
    }

    /// The hash over all that was added.
    pub fn hash(self) -> Hash {
        Hash(self.0.finalize().into())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Which conversation this is, wherever its file lies: the agent, the first session id in its own file or row
/// (else the hash of its first line), and the sub-agent's id for a sub-agent's own file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionKey {
    /// `claude-code`, `pi`, `stet`, …
    pub agent: String,
    /// The agent's id of the session, or `sha256:…` of its first line.
    pub id: String,
    /// The sub-agent's id, for the session of a sub-agent's file.
    pub sub: Option<String>,
}

impl SessionKey {
    /// The key of a session that is nobody's sub-agent.
    pub fn new(agent: impl Into<String>, id: impl Into<String>) -> Self {
        Self { agent: agent.into(), id: id.into(), sub: None }
    }
}

/// `claude-code:0a1b…` and `claude-code:0a1b…/a0ad4f…`: unique, and stable when the file moves.
impl fmt::Display for SessionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.agent, self.id)?;
        self.sub.iter().try_for_each(|sub| write!(f, "/{sub}"))
    }
}

/// Which compaction of a session: the agent's own id of the event, else the index of its line, and the hash of its
/// summary, because some agents rewrite a summary in place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MarkerKey {
    /// The agent's id, or `line:N` (from 0).
    pub id: String,
    /// The hash of the summary's text; of nothing where it cannot be read.
    pub summary: Hash,
}

/// A part's place in its session's file order, from 0. Sub-agent files count on after the main file's parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartSeq(pub u64);

/// A turn's number, for display only: `41`, or `41.1.3` for the third turn of the first sub-agent that turn 41 started.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TurnNo(pub Vec<u32>);

impl TurnNo {
    /// The number of a turn of the session itself.
    pub fn main(no: u32) -> Self {
        Self(vec![no])
    }
}

impl fmt::Display for TurnNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, no) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str(".")?;
            }
            write!(f, "{no}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_run_together() {
        assert_ne!(Hash::of_fields([b"ab".as_slice(), b"c"]), Hash::of_fields([b"a".as_slice(), b"bc"]));
    }

    #[test]
    fn a_hash_reads_back_what_it_prints() {
        let hash = Hash::of(b"stet");
        assert_eq!(Hash::from_hex(&hash.to_string()), Some(hash));
        assert_eq!(Hash::from_hex("zz"), None);
    }
}
