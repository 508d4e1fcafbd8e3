//! A terminal for tests: a pty with a program on it, and an emulator that says what a person would see.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

/// How long a test waits for what should happen at once; tests run beside others on slow machines.
const PATIENCE: Duration = Duration::from_secs(20);

struct Seen {
    emulator: vt100::Parser,
    raw: Vec<u8>,
    /// The test's side of the terminal is to be closed.
    closing: bool,
}

/// A terminal with a program on it.
pub struct Terminal {
    master: Option<Box<dyn MasterPty + Send>>,
    keys: Option<Box<dyn Write + Send>>,
    child: Box<dyn Child + Send + Sync>,
    seen: Arc<Mutex<Seen>>,
    modes_before: String,
}

impl Terminal {
    /// Starts a program on a terminal of this size.
    pub fn start(command: CommandBuilder, columns: u16, rows: u16) -> Self {
        let pair = native_pty_system().openpty(size(columns, rows)).unwrap();
        let modes_before = modes(pair.master.as_ref());
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut output = pair.master.try_clone_reader().unwrap();
        let keys = pair.master.take_writer().unwrap();
        let seen = Arc::new(Mutex::new(Seen {
            emulator: vt100::Parser::new(cells(rows), cells(columns), 0),
            raw: Vec::new(),
            closing: false,
        }));
        let shared = Arc::clone(&seen);
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            // An error is how a pty says that the other side is gone.
            while let Ok(len @ 1..) = output.read(&mut buffer) {
                let mut seen = shared.lock().unwrap();
                seen.emulator.process(&buffer[..len]);
                seen.raw.extend_from_slice(&buffer[..len]);
                if seen.closing {
                    return;
                }
            }
        });
        Self { master: Some(pair.master), keys: Some(keys), child, seen, modes_before }
    }

    /// Sends bytes as if they were typed.
    pub fn send(&mut self, bytes: &str) {
        let keys = self.keys.as_mut().unwrap();
        keys.write_all(bytes.as_bytes()).unwrap();
        keys.flush().unwrap();
    }

    /// What a person sees.
    pub fn screen(&self) -> String {
        self.seen.lock().unwrap().emulator.screen().contents()
    }

    /// Whether the program is on the alternate screen.
    pub fn is_alternate(&self) -> bool {
        self.seen.lock().unwrap().emulator.screen().alternate_screen()
    }

    /// Every byte that the program wrote.
    pub fn raw(&self) -> Vec<u8> {
        self.seen.lock().unwrap().raw.clone()
    }

    /// Waits until the screen holds this text.
    pub fn wait_for(&self, text: &str) {
        self.wait_until(&format!("{text:?} on the screen"), |terminal| terminal.screen().contains(text));
    }

    /// Waits until something is so.
    pub fn wait_until(&self, what: &str, mut is_so: impl FnMut(&Self) -> bool) {
        let until = Instant::now() + PATIENCE;
        while !is_so(self) {
            assert!(Instant::now() < until, "waited in vain for {what}; the screen is\n{}", self.screen());
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Gives the terminal another size.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.seen.lock().unwrap().emulator.screen_mut().set_size(cells(rows), cells(columns));
        self.master.as_ref().unwrap().resize(size(columns, rows)).unwrap();
    }

    /// Says that the terminal has this size, of which no more than a thousand by five hundred cells can be seen.
    pub fn resize_unseen(&mut self, columns: u16, rows: u16) {
        self.seen.lock().unwrap().emulator.screen_mut().set_size(cells(500), cells(1000));
        self.master.as_ref().unwrap().resize(size(columns, rows)).unwrap();
    }

    /// Sends a signal to the program.
    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    /// Closes the terminal under the program, which must answer to a key.
    pub fn close(&mut self) {
        // The reading thread holds the terminal open until something comes: dropping the keys types an end of file.
        self.seen.lock().unwrap().closing = true;
        self.keys = None;
        self.master = None;
    }

    /// Waits for the end of the program.
    pub fn wait(&mut self) -> ExitStatus {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < until, "the program does not end; the screen is\n{}", self.screen());
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// The state letter of the program as the system shows it: `S` sleeps, `T` is stopped.
    pub fn state(&self) -> char {
        self.stat().0
    }

    /// Processor time that the program has used, in ticks.
    pub fn ticks(&self) -> u64 {
        self.stat().1
    }

    fn stat(&self) -> (char, u64) {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid().as_raw_nonzero())).unwrap();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        (fields[0].chars().next().unwrap(), fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap())
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(self.child.process_id().unwrap().cast_signed()).unwrap()
    }

    /// The modes of the terminal as they are now.
    pub fn modes(&self) -> String {
        modes(self.master.as_ref().unwrap().as_ref())
    }

    /// Fails unless the terminal is as it was before the program came.
    pub fn assert_given_back(&self) {
        self.wait_until("the normal screen", |terminal| !terminal.is_alternate());
        assert_eq!(self.modes(), self.modes_before, "the modes of the terminal");
        let seen = self.seen.lock().unwrap();
        let screen = seen.emulator.screen();
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert!(!screen.bracketed_paste(), "pastes are marked");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "clicks are caught");
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Gone already, in most tests.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The emulator has no screen without a cell.
fn cells(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).unwrap_or(NonZeroU16::MIN)
}

fn size(cols: u16, rows: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn modes(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios().unwrap())
}

/// What a program wrote that is neither text nor one of the few sequences that this one needs.
pub fn foreign_sequences(raw: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(raw);
    let mut rest = text.as_ref();
    let mut foreign = Vec::new();
    while let Some(c) = rest.chars().next() {
        let len = if c == '\u{1b}' { sequence(rest) } else { c.len_utf8() };
        let (this, after) = rest.split_at(len);
        if c.is_control() && !is_ours(this) {
            foreign.push(this.to_owned());
        }
        rest = after;
    }
    foreign
}

/// The length of the sequence at the front.
fn sequence(text: &str) -> usize {
    let body = &text[1..];
    let end = match body.chars().next() {
        Some('[') => body[1..].find(|c: char| ('@'..='~').contains(&c)).map(|at| at + 2),
        Some(']') => body.find('\u{7}').map(|at| at + 1).or_else(|| body.find("\u{1b}\\").map(|at| at + 2)),
        _ => None,
    };
    1 + end.unwrap_or(0)
}

fn is_ours(sequence: &str) -> bool {
    const MODES: [&str; 6] = ["?25", "?1049", "?2004", "?1000", "?1006", "?2026"];
    // A terminal turns the line ends of a dying program's last words into these.
    if matches!(sequence, "\r" | "\n") {
        return true;
    }
    if let Some(answer) = sequence.strip_prefix("\u{1b}]") {
        let clipboard = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+/=".contains(&b));
        let body = answer.trim_end_matches(['\u{7}', '\u{1b}', '\\']);
        return body == "11;?" || body.strip_prefix("52;c;").is_some_and(clipboard);
    }
    let Some(body) = sequence.strip_prefix("\u{1b}[") else { return false };
    let Some(last) = body.chars().last() else { return false };
    let params = &body[..body.len() - 1];
    match last {
        'h' | 'l' => MODES.contains(&params),
        'm' | 'H' | 'J' | 'K' => params.chars().all(|c| c.is_ascii_digit() || c == ';' || c == ':'),
        'c' => params.is_empty(),
        _ => false,
    }
}
