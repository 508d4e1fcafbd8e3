//! Where things end in a JSON text that is known to be one, or cut.

use memchr::memchr2;

pub(super) fn blanks(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(b' ' | b'\t' | b'\r' | b'\n') = bytes.get(at) {
        at += 1;
    }
    at
}

/// Past white space and commas between members.
pub(super) fn between(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(b' ' | b'\t' | b'\r' | b'\n' | b',') = bytes.get(at) {
        at += 1;
    }
    at
}

/// Where the value that starts here ends; where it starts if there is none.
pub(super) fn skip(bytes: &[u8], start: usize) -> usize {
    match bytes.get(start) {
        Some(b'"') => skip_string(bytes, start),
        Some(b'{' | b'[') => {
            let mut depth = 0usize;
            let mut at = start;
            while let Some(byte) = bytes.get(at) {
                match byte {
                    b'"' => {
                        at = skip_string(bytes, at);
                        continue;
                    }
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => {
                        depth -= 1;
                        if depth == 0 {
                            return at + 1;
                        }
                    }
                    _ => {}
                }
                at += 1;
            }
            at
        }
        _ => {
            let rest = bytes.get(start..).unwrap_or_default();
            let len = rest.iter().take_while(|b| !matches!(b, b',' | b'}' | b']' | b' ' | b'\t' | b'\r' | b'\n'));
            start + len.count()
        }
    }
}

fn skip_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    // Most strings are short, and a search is dear to begin.
    while let Some(byte) = bytes.get(at).filter(|_| at < start + 24) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += found;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}
