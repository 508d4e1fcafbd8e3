//! The program in a terminal of 200×50, timed as a person would: from the key to the text on the screen.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

const ROWS: NonZero<u16> = NonZero::new(50).expect("50 rows");
const COLUMNS: NonZero<u16> = NonZero::new(200).expect("200 columns");

/// A program that runs in a terminal, and what the terminal shows.
pub struct Screen {
    started: Instant,
    emulator: vt100::Parser,
    output: Receiver<Vec<u8>>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    _master: Box<dyn MasterPty + Send>,
}

impl Screen {
    /// Starts the program on a session, in a home of its own.
    pub fn open(session: &Path, home: &Path) -> Self {
        let size = PtySize { rows: ROWS.get(), cols: COLUMNS.get(), pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_stet"));
        command.args([OsString::from("open"), session.into()]);
        command.env_clear();
        for (name, value) in [("TERM", "xterm-256color"), ("LC_ALL", "C.UTF-8"), ("TZ", "UTC"), ("USER", "bench")] {
            command.env(name, value);
        }
        command.env("HOME", home);
        command.env("XDG_DATA_HOME", home.join("data"));
        let mut reader = pair.master.try_clone_reader().unwrap();
        let keys = pair.master.take_writer().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let started = Instant::now();
        let child = pair.slave.spawn_command(command).unwrap();
        Self { started, emulator: vt100::Parser::new(ROWS, COLUMNS, 0), output, keys, child, _master: pair.master }
    }

    /// The time from the start until one of these stands on the screen.
    pub fn first(&mut self, texts: &[&str]) -> Duration {
        self.wait(texts);
        self.started.elapsed()
    }

    /// The time from these keys until the text stands on the screen.
    pub fn press(&mut self, keys: &str, text: &str) -> Duration {
        let pressed = Instant::now();
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
        self.wait(&[text]);
        pressed.elapsed()
    }

    fn wait(&mut self, texts: &[&str]) {
        let until = Instant::now() + Duration::from_mins(1);
        loop {
            let shown = self.emulator.screen().contents();
            if texts.iter().any(|text| shown.contains(text)) {
                return;
            }
            let left = until.saturating_duration_since(Instant::now());
            let Ok(bytes) = self.output.recv_timeout(left) else {
                panic!("{texts:?} did not come; the screen shows:\n{shown}");
            };
            self.answer(&bytes);
            self.emulator.process(&bytes);
        }
    }

    /// What a terminal says when it is asked for its kind and its background.
    fn answer(&mut self, bytes: &[u8]) {
        let asked = String::from_utf8_lossy(bytes);
        for (question, answer) in
            [("\x1b]11;?", "\x1b]11;rgb:1d1d/2020/2121\x1b\\"), ("\x1b[c", "\x1b[?62c"), ("\x1b[6n", "\x1b[1;1R")]
        {
            if asked.contains(question) {
                let _ = self.keys.write_all(answer.as_bytes());
            }
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
