//! One program, run to its end: what it is given on stdin, what it prints, and nothing left of it behind a time limit or
//! a stop. No shell stands between: the arguments are given as they are.

use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

/// How often it is looked whether somebody wants it to stop.
const LOOK: Duration = Duration::from_millis(20);
/// Of what it says on stderr the last bytes are kept.
const STDERR: usize = 4 * 1024;
/// What it leaves behind may hold its output open for so long.
const LINGER: Duration = Duration::from_secs(1);

/// What a run is bounded by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub time: Duration,
    /// Of its output.
    pub bytes: usize,
}

/// Why there is no output.
#[derive(Debug)]
pub(super) enum Ended {
    Stopped,
    Failed(String),
}

/// What a reader of one stream tells.
enum Told {
    Out(Vec<u8>),
    TooMuch,
    Err(Vec<u8>),
}

/// The process groups of all programs that run now.
static GROUPS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

fn groups() -> MutexGuard<'static, Vec<Pid>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all programs that run now, with what they started. None is started afterwards, and nobody hears how they ended:
/// this is for who ends the process at once.
pub fn kill_programs() {
    let groups = groups();
    for group in &*groups {
        let _ = kill_process_group(*group, Signal::KILL);
    }
    std::mem::forget(groups);
}

/// The process group of a program. Whatever of it still runs is killed when this is dropped.
struct Running(Child);

impl Running {
    fn start(command: &mut Command) -> std::io::Result<Self> {
        // Held while it starts: it is killed with the others, or not started at all.
        let mut groups = groups();
        let child = command.process_group(0).spawn()?;
        groups.push(Pid::from_child(&child));
        Ok(Self(child))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let group = Pid::from_child(&self.0);
        groups().retain(|one| *one != group);
        // It may have ended by itself: then there is nothing to kill.
        let _ = kill_process_group(group, Signal::KILL);
        let _ = self.0.wait();
    }
}

/// Runs it with this on its stdin; what it prints.
pub(super) fn run(argv: &[String], input: String, bounds: Bounds, stop: &dyn Fn() -> bool) -> Result<Vec<u8>, Ended> {
    let failed = |why: String| Ended::Failed(why);
    let [program, args @ ..] = argv else { return Err(failed("no program is named".to_owned())) };
    let mut command = Command::new(program);
    // It is to read what it is given, not what lies around here.
    command.args(args).current_dir(std::env::temp_dir());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = Running::start(&mut command)
        .map_err(|error| failed(format!("cannot be started: {error} (is it installed, and on PATH?)")))?;
    let told = listen(&mut running.0, input, bounds.bytes);
    let until = Instant::now() + bounds.time;
    let (mut out, mut err, mut status) = (None, None, None);
    let mut left = None;
    while out.is_none() || err.is_none() || status.is_none() {
        if stop() {
            return Err(Ended::Stopped);
        }
        if Instant::now() >= until {
            return Err(failed(format!(
                "no answer within {} s (raise timeout under [summariser])",
                bounds.time.as_secs_f32()
            )));
        }
        match told.recv_timeout(LOOK) {
            Ok(Told::Out(bytes)) => out = Some(bytes),
            Ok(Told::Err(bytes)) => err = Some(bytes),
            Ok(Told::TooMuch) => {
                return Err(failed(format!("it printed more than {} bytes (raise max_bytes)", bounds.bytes)));
            }
            // The readers have ended: it is only waited for the program.
            Err(RecvTimeoutError::Disconnected) if out.is_some() => std::thread::sleep(LOOK),
            Err(RecvTimeoutError::Disconnected | RecvTimeoutError::Timeout) => {}
        }
        if status.is_none() {
            status = running.0.try_wait().map_err(|error| failed(format!("cannot be waited for: {error}")))?;
        } else if *left.get_or_insert_with(Instant::now) + LINGER < Instant::now() {
            return Err(failed("it ended and left something running that holds its output".to_owned()));
        }
    }
    match status {
        Some(status) if status.success() => Ok(out.unwrap_or_default()),
        Some(status) => Err(failed(ended(status, &err.unwrap_or_default()))),
        None => Err(failed("it did not end".to_owned())),
    }
}

/// Feeds its stdin and reads both of its outputs, each on a thread: a program may print before it has read all.
fn listen(child: &mut Child, input: String, most: usize) -> Receiver<Told> {
    let (tell, told) = channel();
    if let Some(mut stdin) = child.stdin.take() {
        // A program that reads nothing closes it: that is its own affair.
        std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    }
    if let Some(stdout) = child.stdout.take() {
        let tell = tell.clone();
        std::thread::spawn(move || read_out(stdout, most, &tell));
    }
    if let Some(stderr) = child.stderr.take() {
        std::thread::spawn(move || read_err(stderr, &tell));
    }
    told
}

fn read_out(mut from: impl Read, most: usize, tell: &Sender<Told>) {
    let mut bytes = Vec::new();
    let read = from.by_ref().take(most as u64 + 1).read_to_end(&mut bytes);
    let told = if read.is_ok() && bytes.len() > most { Told::TooMuch } else { Told::Out(bytes) };
    let _ = tell.send(told);
}

fn read_err(mut from: impl Read, tell: &Sender<Told>) {
    let mut last = Vec::new();
    let mut chunk = [0; 4096];
    while let Ok(read) = from.read(&mut chunk) {
        if read == 0 {
            break;
        }
        last.extend_from_slice(&chunk[..read]);
        let over = last.len().saturating_sub(STDERR);
        last.drain(..over);
    }
    let _ = tell.send(Told::Err(last));
}

/// How it ended, with the last line of what it complained about.
fn ended(status: ExitStatus, err: &[u8]) -> String {
    let err = String::from_utf8_lossy(err);
    let last = err.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it says nothing of why");
    let (last, _) = crate::text::without_secrets(last);
    match status.code() {
        Some(code) => format!("it ended with exit code {code}: {last}"),
        None => format!("a signal ended it: {last}"),
    }
}
