//! Turns the bytes that a terminal sends into keys, clicks, pastes and answers. No IO and no clock here.
//!
//! An own reader, because answers about colours come between the keys: what does not know them takes them for typing.

use crate::app::{Key, KeyCode, Mouse, MouseKind};

/// What a terminal sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Input {
    Key(Key),
    Mouse(Mouse),
    /// Line ends are `\n`. `cut` says that it was longer than `PASTE`.
    Paste {
        text: String,
        cut: bool,
    },
    /// The colour behind the text: red, green, blue.
    Background([u8; 3]),
    /// The terminal said what it is, so it has answered everything that was asked before.
    Answered,
}

/// Bytes kept of one paste.
pub(super) const PASTE: usize = 1 << 20;
/// Bytes kept of one sequence; no terminal sends longer ones.
const SEQUENCE: usize = 4096;
const PASTE_END: &[u8] = b"\x1b[201~";

/// The bytes that are not understood yet.
#[derive(Debug, Default)]
pub(super) struct Keys {
    waiting: Vec<u8>,
    paste: Option<Paste>,
}

#[derive(Debug, Default)]
struct Paste {
    bytes: Vec<u8>,
    cut: bool,
}

/// What the bytes at the front are.
enum Step {
    /// This many bytes, and what they say; `None` for what is not for us.
    Read(usize, Option<Input>),
    /// More bytes decide.
    Wait,
}

impl Keys {
    /// Takes bytes and gives what they say.
    pub(super) fn feed(&mut self, bytes: &[u8], out: &mut Vec<Input>) {
        let mut rest = bytes;
        while !rest.is_empty() {
            if let Some(paste) = &mut self.paste {
                // Straight into the paste, so that a large one is not looked at again and again.
                let (used, ended) = paste.take(rest);
                rest = &rest[used..];
                if ended {
                    out.extend(self.paste.take().map(Paste::finish));
                }
                continue;
            }
            self.waiting.extend_from_slice(rest);
            rest = &[];
            self.read(false, out);
            if self.paste.is_some() {
                let pasted = std::mem::take(&mut self.waiting);
                self.feed(&pasted, out);
            }
        }
    }

    /// Whether a pause decides what was sent: a lone escape is a key.
    pub(super) fn is_undecided(&self) -> bool {
        self.paste.is_none() && !self.waiting.is_empty()
    }

    /// Nothing more came for a while: what waits is all there is.
    pub(super) fn pause(&mut self, out: &mut Vec<Input>) {
        if self.paste.is_none() {
            self.read(true, out);
        }
    }

    fn read(&mut self, paused: bool, out: &mut Vec<Input>) {
        let mut at = 0;
        while at < self.waiting.len() {
            let bytes = &self.waiting[at..];
            if bytes.starts_with(b"\x1b[200~") {
                self.paste = Some(Paste::default());
                at += 6;
                break;
            }
            match step(bytes, paused) {
                Step::Read(len, input) => {
                    out.extend(input);
                    at += len;
                }
                Step::Wait if bytes.len() > SEQUENCE => at += bytes.len(),
                Step::Wait => break,
            }
        }
        self.waiting.drain(..at);
    }
}

impl Paste {
    /// Takes bytes up to the end mark; says how many it used and whether the mark was there.
    fn take(&mut self, bytes: &[u8]) -> (usize, bool) {
        // The mark may have begun in the bytes before.
        let seam = self.bytes.len().saturating_sub(PASTE_END.len() - 1);
        let before = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        if let Some(at) = memchr::memmem::find(&self.bytes[seam..], PASTE_END) {
            let end = seam + at + PASTE_END.len();
            self.bytes.truncate(seam + at);
            self.shorten(0);
            return (end - before, true);
        }
        self.shorten(PASTE_END.len());
        (bytes.len(), false)
    }

    /// Drops what is too much, but keeps the last bytes, in which the end mark may have begun.
    fn shorten(&mut self, keep: usize) {
        if self.bytes.len() > PASTE + keep {
            self.cut = true;
            let tail = self.bytes.len() - keep;
            self.bytes.drain(PASTE..tail);
        }
    }

    fn finish(self) -> Input {
        let text = String::from_utf8_lossy(&self.bytes).replace("\r\n", "\n").replace('\r', "\n");
        Input::Paste { text, cut: self.cut }
    }
}

fn step(bytes: &[u8], paused: bool) -> Step {
    match bytes {
        [0x1b] if paused => Step::Read(1, plain(KeyCode::Esc)),
        [0x1b] => Step::Wait,
        [0x1b, b'[', rest @ ..] => or_alt(csi(rest), b'[', paused && rest.is_empty(), 2),
        [0x1b, b'O', rest @ ..] => or_alt(ss3(rest), b'O', paused && rest.is_empty(), 2),
        [0x1b, b']', rest @ ..] if rest.first().is_none_or(u8::is_ascii_digit) => {
            or_alt(osc(rest), b']', paused && rest.is_empty(), 2)
        }
        [0x1b, 0x1b, ..] => Step::Read(1, plain(KeyCode::Esc)),
        [0x1b, rest @ ..] => match typed(rest, paused) {
            Step::Read(len, Some(Input::Key(key))) => Step::Read(len + 1, Some(Input::Key(Key { alt: true, ..key }))),
            Step::Read(len, other) => Step::Read(len + 1, other),
            Step::Wait => Step::Wait,
        },
        _ => typed(bytes, paused),
    }
}

/// A sequence after its two first bytes; when nothing follows them, they were typed with Alt.
fn or_alt(sequence: Step, letter: u8, typed: bool, prefix: usize) -> Step {
    match sequence {
        Step::Read(len, input) => Step::Read(len + prefix, input),
        Step::Wait if typed => {
            let code = KeyCode::Char(char::from(letter));
            Step::Read(prefix, Some(Input::Key(Key { code, ctrl: false, alt: true })))
        }
        Step::Wait => Step::Wait,
    }
}

fn key(code: KeyCode) -> Key {
    Key { code, ctrl: false, alt: false }
}

#[expect(clippy::unnecessary_wraps, reason = "it stands beside sequences that say nothing")]
fn plain(code: KeyCode) -> Option<Input> {
    Some(Input::Key(key(code)))
}

/// One character or control character.
fn typed(bytes: &[u8], paused: bool) -> Step {
    let first = bytes[0];
    let ctrl = |c: char| Some(Input::Key(Key { code: KeyCode::Char(c), ctrl: true, alt: false }));
    let input = match first {
        b'\r' => plain(KeyCode::Enter),
        b'\t' => plain(KeyCode::Tab),
        // Some terminals send the one, some the other for the same key.
        0x7f | 0x08 => plain(KeyCode::Backspace),
        0x00 => ctrl(' '),
        0x01..=0x1a => ctrl(char::from(first - 1 + b'a')),
        0x1b => plain(KeyCode::Esc),
        0x1c..=0x1f => ctrl(char::from(first + 0x40).to_ascii_lowercase()),
        _ => return character(bytes, paused),
    };
    Step::Read(1, input)
}

fn character(bytes: &[u8], paused: bool) -> Step {
    let len = match bytes[0] {
        0..=0x7f => 1,
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf7 => 4,
        // No character begins so.
        _ => return Step::Read(1, None),
    };
    let Some(whole) = bytes.get(..len) else {
        return if paused { Step::Read(1, None) } else { Step::Wait };
    };
    match std::str::from_utf8(whole).ok().and_then(|text| text.chars().next()) {
        Some(c) if !c.is_control() => Step::Read(len, plain(KeyCode::Char(c))),
        Some(_) => Step::Read(len, None),
        None => Step::Read(1, None),
    }
}

/// After `ESC O`.
fn ss3(rest: &[u8]) -> Step {
    let Some(letter) = rest.first() else { return Step::Wait };
    Step::Read(1, letter_key(*letter).and_then(plain))
}

/// The keys that are named by a letter.
fn letter_key(letter: u8) -> Option<KeyCode> {
    Some(match letter {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'H' => KeyCode::Home,
        b'F' => KeyCode::End,
        b'M' => KeyCode::Enter,
        b'P'..=b'S' => KeyCode::F(letter - b'P' + 1),
        b'Z' => KeyCode::BackTab,
        _ => return None,
    })
}

/// The keys that are named by a number.
fn number_key(number: u32) -> Option<KeyCode> {
    Some(match number {
        1 | 7 => KeyCode::Home,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => KeyCode::F((number - 10) as u8),
        17..=21 => KeyCode::F((number - 11) as u8),
        23 | 24 => KeyCode::F((number - 12) as u8),
        _ => return None,
    })
}

/// After `ESC [`.
fn csi(rest: &[u8]) -> Step {
    // The Linux console names its function keys so.
    if let [b'[', tail @ ..] = rest {
        return match tail.first() {
            None => Step::Wait,
            Some(letter @ b'A'..=b'E') => Step::Read(2, plain(KeyCode::F(letter - b'A' + 1))),
            Some(_) => Step::Read(2, None),
        };
    }
    let Some(end) = rest.iter().position(|b| !(0x20..=0x3f).contains(b)) else { return Step::Wait };
    let last = rest[end];
    if !(0x40..=0x7e).contains(&last) {
        // Broken off by another key.
        return Step::Read(end, None);
    }
    if end == 0 && last == b'M' {
        // A click as old terminals send it: three bytes more, which must not be taken for keys.
        return if rest.len() < 4 { Step::Wait } else { Step::Read(4, None) };
    }
    let params = &rest[..end];
    Step::Read(end + 1, sequence(params, last))
}

fn sequence(params: &[u8], last: u8) -> Option<Input> {
    if let Some(b'<') = params.first() {
        return mouse(&numbers(&params[1..]), last);
    }
    if let Some(b'?') = params.first() {
        return (last == b'c').then_some(Input::Answered);
    }
    let numbers = numbers(params);
    let first = numbers.first().copied().unwrap_or(1);
    let modifiers = numbers.get(1).copied().unwrap_or(1);
    let code = match last {
        b'~' if first == 27 => return unicode_key(numbers.get(2).copied()?, modifiers),
        b'~' => number_key(first)?,
        b'u' => return unicode_key(first, modifiers),
        letter => letter_key(letter)?,
    };
    Some(Input::Key(modified(code, modifiers)))
}

/// Numbers between semicolons; what stands after a colon is detail that no key here needs.
fn numbers(params: &[u8]) -> Vec<u32> {
    params
        .split(|b| *b == b';')
        .take(8)
        .map(|field| {
            let digits = field.iter().take_while(|b| b.is_ascii_digit());
            digits.fold(0_u32, |n, b| n.saturating_mul(10).saturating_add(u32::from(b - b'0')))
        })
        .collect()
}

fn modified(code: KeyCode, modifiers: u32) -> Key {
    let bits = modifiers.saturating_sub(1);
    Key { code, ctrl: bits & 4 != 0, alt: bits & 2 != 0 }
}

/// A key by its character, as terminals send what has no older name.
fn unicode_key(code: u32, modifiers: u32) -> Option<Input> {
    let shifted = modifiers.saturating_sub(1) & 1 != 0;
    let code = match code {
        9 if shifted => KeyCode::BackTab,
        9 => KeyCode::Tab,
        13 | 57414 => KeyCode::Enter,
        27 => KeyCode::Esc,
        8 | 127 => KeyCode::Backspace,
        // Keys without a character.
        0..=31 | 57344..=63743 => return None,
        _ => {
            let c = char::from_u32(code)?;
            KeyCode::Char(if shifted { c.to_uppercase().next().unwrap_or(c) } else { c })
        }
    };
    Some(Input::Key(modified(code, modifiers)))
}

fn mouse(numbers: &[u32], last: u8) -> Option<Input> {
    let [button, column, row] = *numbers else { return None };
    let moved = button & 32 != 0;
    let kind = match button & 0b1100_0011 {
        0 if last == b'M' && !moved => MouseKind::Click,
        64 => MouseKind::WheelUp,
        65 => MouseKind::WheelDown,
        _ => return None,
    };
    let cell = |n: u32| u16::try_from(n.saturating_sub(1)).unwrap_or(u16::MAX);
    Some(Input::Mouse(Mouse { kind, column: cell(column), row: cell(row) }))
}

/// After `ESC ]`: an answer, up to BEL or `ESC \`.
fn osc(rest: &[u8]) -> Step {
    let Some(end) = rest.iter().position(|b| matches!(b, 0x07 | 0x1b)) else { return Step::Wait };
    let len = match (rest[end], rest.get(end + 1)) {
        (0x07, _) => end + 1,
        (_, Some(b'\\')) => end + 2,
        (_, Some(_)) => end,
        (_, None) => return Step::Wait,
    };
    Step::Read(len, background(&rest[..end]))
}

/// `11;rgb:ffff/ffff/ffff`, with one to four digits for each colour.
fn background(answer: &[u8]) -> Option<Input> {
    let text = std::str::from_utf8(answer).ok()?.strip_prefix("11;")?;
    let digits = text.strip_prefix("rgb:").or_else(|| text.strip_prefix("rgba:"))?;
    let mut colours = digits.split('/').map(|part| {
        let most = 16_u32.checked_pow(u32::try_from(part.len()).ok()?)?.checked_sub(1).filter(|most| *most > 0)?;
        u8::try_from(u32::from_str_radix(part, 16).ok()? * 255 / most).ok()
    });
    let mut next = || colours.next().flatten();
    Some(Input::Background([next()?, next()?, next()?]))
}

#[cfg(test)]
mod tests {
    use super::{Input, Keys, PASTE};
    use crate::app::{KeyCode, MouseKind};

    fn told(input: &Input) -> String {
        match input {
            Input::Key(key) => {
                let name = match key.code {
                    KeyCode::Char(c) => c.to_string(),
                    other => format!("{other:?}"),
                };
                format!("{}{}{name}", if key.ctrl { "C-" } else { "" }, if key.alt { "A-" } else { "" })
            }
            Input::Mouse(mouse) => {
                let kind = match mouse.kind {
                    MouseKind::Click => "click",
                    MouseKind::WheelUp => "up",
                    MouseKind::WheelDown => "down",
                };
                format!("{kind}@{},{}", mouse.column, mouse.row)
            }
            Input::Paste { text, cut } => format!("paste{}:{text:?}", if *cut { " cut" } else { "" }),
            Input::Background(rgb) => format!("background{rgb:?}"),
            Input::Answered => "answered".to_owned(),
        }
    }

    fn read(bytes: &[u8], step: usize) -> String {
        let mut keys = Keys::default();
        let mut out = Vec::new();
        for piece in bytes.chunks(step) {
            keys.feed(piece, &mut out);
        }
        if keys.is_undecided() {
            keys.pause(&mut out);
        }
        out.iter().map(told).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn bytes_become_keys_however_they_are_cut() {
        let table: [(&[u8], &str); 30] = [
            (b"jG\r\t", "j G Enter Tab"),
            (b"\x1b", "Esc"),
            (b"\x1b\x1b", "Esc Esc"),
            (b"\x1bx", "A-x"),
            (b"\x1b[", "A-["),
            (b"\x1bO", "A-O"),
            (b"\x1b]", "A-]"),
            (b"\x1b]x", "A-] x"),
            (b"\x03\x1a\x0a\x00\x1f", "C-c C-z C-j C-  C-_"),
            (b"\x7f\x08", "Backspace Backspace"),
            ("é日👩".as_bytes(), "é 日 👩"),
            (b"\xff\xc3(a", "( a"),
            (b"\x1b[A\x1b[B\x1b[C\x1b[D\x1bOA", "Up Down Right Left Up"),
            (b"\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[7~\x1b[8~", "Home End Home End Home End"),
            (b"\x1b[5~\x1b[6~\x1b[3~\x1b[2~", "PageUp PageDown Delete"),
            (b"\x1b[1;5A\x1b[1;3B\x1b[1;2C", "C-Up A-Down Right"),
            (b"\x1bOP\x1b[15~\x1b[24~\x1b[[B", "F(1) F(5) F(12) F(2)"),
            (b"\x1b[Z", "BackTab"),
            (b"\x1b[106;5u\x1b[27;5;106~\x1b[97;2u\x1b[9;2u", "C-j C-j A BackTab"),
            (b"\x1b[<0;3;4M\x1b[<0;3;4m\x1b[<64;1;1M\x1b[<65;80;24M", "click@2,3 up@0,0 down@79,23"),
            (b"\x1b[<35;3;4M\x1b[<2;3;4Mq", "q"),
            (b"\x1b[M !!q", "q"),
            (b"\x1b[I\x1b[Oq", "q"),
            (b"\x1b]11;rgb:ffff/8080/0000\x07", "background[255, 128, 0]"),
            (b"\x1b]11;rgb:1/2/3\x1b\\\x1b[?62;c", "background[17, 34, 51] answered"),
            (b"\x1b]11;nonsense\x07j", "j"),
            (b"\x1b[200~two\r\nlines\rq\x1b[201~q", "paste:\"two\\nlines\\nq\" q"),
            (b"\x1b[200~\x1b[31m\x1b[201~", "paste:\"\\u{1b}[31m\""),
            (b"\x1b[12\x1b[Aj", "Up j"),
            (b"\x1b[999999999999;1~q", "q"),
        ];
        for (bytes, expected) in table {
            assert_eq!(read(bytes, usize::MAX), expected, "{:?}", String::from_utf8_lossy(bytes));
            assert_eq!(read(bytes, 1), expected, "byte by byte {:?}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn an_answer_that_never_ends_is_not_typed() {
        let mut keys = Keys::default();
        let mut out = Vec::new();
        keys.feed(b"\x1b]11;rgb:", &mut out);
        keys.pause(&mut out);
        assert!(out.is_empty());
        keys.feed(&[b'0'; 5000], &mut out);
        keys.feed(b"j", &mut out);
        assert_eq!(out.iter().map(told).collect::<Vec<_>>(), ["j"]);
    }

    #[test]
    fn a_huge_paste_is_cut_and_says_so() {
        let mut keys = Keys::default();
        let mut out = Vec::new();
        let mut bytes = b"\x1b[200~".to_vec();
        bytes.resize(10 << 20, b'x');
        bytes.extend_from_slice(b"\x1b[201~j");
        for piece in bytes.chunks(1021) {
            keys.feed(piece, &mut out);
        }
        let [Input::Paste { text, cut: true }, Input::Key(_)] = &out[..] else { panic!("{} inputs", out.len()) };
        assert_eq!(text.len(), PASTE);
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_it_stop(bytes in proptest::collection::vec(
            proptest::prop_oneof![proptest::prelude::any::<u8>(), proptest::sample::select(b"\x1b[]O<;0126~MAu\x07\\".to_vec())], 0..80,
        )) {
            let mut keys = Keys::default();
            let mut out = Vec::new();
            keys.feed(&bytes, &mut out);
            keys.pause(&mut out);
            keys.feed(b"\x1b[201~\x07\x1b\\   zzz", &mut out);
            let last: Vec<String> = out.iter().rev().take(1).map(told).collect();
            proptest::prop_assert_eq!(last, vec!["z".to_owned()]);
        }
    }
}
