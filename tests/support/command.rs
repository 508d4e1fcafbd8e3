//! The program as a person at a shell has it: a home of its own, a limit on its time.

use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A home that nobody else uses; gone when dropped.
pub struct Home {
    folder: tempfile::TempDir,
}

/// What a run left behind.
pub struct Ran {
    /// `None` when a signal ended it, or when it took too long and was ended.
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
    pub late: bool,
}

impl Home {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The program in this home, with a fixed time zone and language.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stet"));
        command
            .env_clear()
            .env("HOME", self.path())
            .env("XDG_DATA_HOME", self.path().join("data"))
            .env("XDG_CONFIG_HOME", self.path().join("config"))
            .env("XDG_CACHE_HOME", self.path().join("cache"))
            .env("XDG_STATE_HOME", self.path().join("state"))
            .env("TMPDIR", std::env::temp_dir())
            .env("LC_ALL", "C.UTF-8")
            .env("TZ", "UTC")
            .env("USER", "tester")
            .env("RUST_BACKTRACE", "0");
        command
    }

    /// Runs to the end, or until `limit` has passed.
    pub fn run<S: AsRef<OsStr>>(&self, args: &[S], folder: &Path, limit: Duration) -> Ran {
        let mut command = self.command();
        command.args(args).current_dir(folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let started = Instant::now();
        let mut child = command.spawn().unwrap();
        let out = drain(child.stdout.take());
        let err = drain(child.stderr.take());
        let (mut code, mut late) = (None, false);
        loop {
            if let Some(status) = child.try_wait().unwrap() {
                code = status.code();
                break;
            }
            if started.elapsed() > limit {
                late = true;
                let _ = child.kill();
                let _ = child.wait();
                break;
            }
            thread::sleep(Duration::from_millis(3));
        }
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program prints UTF-8");
        Ran { code, out: text(out.join().unwrap()), err: text(err.join().unwrap()), late }
    }
}

fn drain(from: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    let mut from = from.expect("piped");
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        bytes
    })
}
