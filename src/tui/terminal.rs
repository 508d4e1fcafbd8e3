//! The modes of the terminal: taken once, given back however the program ends. What is drawn is not decided here.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::panic;
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};

use anyhow::Context;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::clipboard::CopyToClipboard;
use ratatui::crossterm::queue;
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetpgrp, tcgetwinsize, tcsetattr};

/// Alternate screen, no cursor, nothing on it, pastes marked.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[2J\x1b[?2004h";
/// Everything of ours off, in whatever state the screen was left.
const LEAVE: &str = "\x1b[?2026l\x1b[?1006l\x1b[?1000l\x1b[?2004l\x1b[0m\x1b[?25h\x1b[?1049l";
/// Clicks and the wheel, without the moves between them.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1000l";
/// The screen shows nothing of a frame until it is whole.
const BEGIN_FRAME: &str = "\x1b[?2026h";
const END_FRAME: &str = "\x1b[?2026l";
/// What colour is behind the text; and what are you, which every terminal answers.
const ASK_BACKGROUND: &str = "\x1b]11;?\x07\x1b[c";
/// Terminals take no more on the clipboard; the limit is for the coded text, which is a third longer.
pub(super) const CLIPBOARD: usize = 74_000;

/// How the terminal was before, while its modes are ours. Kept where a dying thread finds it.
static BEFORE: Mutex<Option<Before>> = Mutex::new(None);

struct Before {
    tty: OwnedFd,
    modes: Termios,
}

/// The terminal that this program was started on, for reading: standard input, or the one that belongs to the process.
pub(super) fn tty() -> io::Result<OwnedFd> {
    let input = io::stdin();
    if rustix::termios::isatty(&input) {
        return input.as_fd().try_clone_to_owned();
    }
    Ok(File::options().read(true).write(true).open("/dev/tty")?.into())
}

/// The modes that the terminal has now.
pub(super) fn modes(tty: impl AsFd) -> anyhow::Result<Termios> {
    tcgetattr(tty).context("asking the terminal for its modes")
}

/// Whether what is typed goes to this program, and not to a shell that put it into the background.
pub(super) fn in_foreground(tty: impl AsFd) -> bool {
    // Without job control there is no background.
    tcgetpgrp(tty).map_or(true, |group| group == rustix::process::getpgrp())
}

/// What is used of a terminal at most: no screen is larger, and some say so.
const LARGEST: (u16, u16) = (1000, 500);

/// Columns and rows; zero where the terminal does not know.
pub(super) fn size(tty: impl AsFd) -> (u16, u16) {
    tcgetwinsize(tty).map_or((0, 0), |size| (size.ws_col.min(LARGEST.0), size.ws_row.min(LARGEST.1)))
}

/// Gives the terminal back as it was. Does nothing when that was done; may be called from any thread.
pub(super) fn restore() {
    // A thread that died while it held the lock has nothing to say about what it holds.
    let Some(before) = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
    // A terminal that is gone takes nothing back, and there is nobody left to tell.
    let _ = write_all(io::stdout(), LEAVE.as_bytes());
    // What was typed for this program, and what the terminal still answers, is not for the shell.
    let _ = tcsetattr(&before.tty, OptionalActions::Flush, &before.modes);
}

fn write_all(to: impl AsFd, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(&to, bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Gives the terminal back when this thread panics, before the message is printed. Panics of other threads stay off
/// the screen: they are caught and told as notices.
pub(super) struct PanicGuard(());

impl PanicGuard {
    pub(super) fn install() -> Self {
        let ours: ThreadId = thread::current().id();
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if thread::current().id() == ours {
                restore();
                before(info);
            }
        }));
        Self(())
    }
}

impl Drop for PanicGuard {
    fn drop(&mut self) {
        if thread::panicking() {
            restore();
        } else {
            drop(panic::take_hook());
        }
    }
}

type Backend = CrosstermBackend<Out>;

/// The way to the terminal: what is written goes out in one piece when it is flushed, and nowhere once it is muted.
/// The library says a last word when it is dropped; by then the terminal is no longer ours, or gone.
struct Out {
    terminal: File,
    waiting: Vec<u8>,
    muted: Rc<Cell<bool>>,
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let written = if self.muted.get() { Ok(()) } else { write_all(&self.terminal, &self.waiting) };
        self.waiting.clear();
        written
    }
}

/// The terminal with our modes on. Dropping it gives the terminal back.
pub(super) struct Screen {
    tty: OwnedFd,
    terminal: Terminal<Backend>,
    muted: Rc<Cell<bool>>,
    size: (u16, u16),
}

impl Screen {
    /// Takes the terminal. `modes` are those to give it back with; they are kept until `restore`.
    pub(super) fn enter(tty: &OwnedFd, mouse: bool, modes: Termios) -> anyhow::Result<Self> {
        let tty = tty.try_clone().context("taking hold of the terminal")?;
        let mut raw = modes.clone();
        raw.make_raw();
        *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(Before { tty: tty.try_clone()?, modes });
        let entered = Self::enter_raw(tty, &raw, mouse);
        if entered.is_err() {
            restore();
        }
        entered
    }

    fn enter_raw(tty: OwnedFd, raw: &Termios, mouse: bool) -> anyhow::Result<Self> {
        tcsetattr(&tty, OptionalActions::Now, raw).context("setting the terminal's modes")?;
        write_all(io::stdout(), ENTER.as_bytes()).context("writing to the terminal")?;
        let size = size(&tty);
        let muted = Rc::default();
        let mut screen = Self { terminal: terminal(size, Rc::clone(&muted))?, tty, muted, size };
        screen.mouse(mouse)?;
        Ok(screen)
    }

    pub(super) fn size(&self) -> (u16, u16) {
        self.size
    }

    /// Looks how large the terminal is now; the next frame is drawn whole.
    pub(super) fn resize(&mut self) -> anyhow::Result<(u16, u16)> {
        self.size = size(&self.tty);
        self.write("\x1b[0m\x1b[2J")?;
        self.muted.set(true);
        self.muted = Rc::default();
        self.terminal = terminal(self.size, Rc::clone(&self.muted))?;
        Ok(self.size)
    }

    /// Draws one frame. A terminal without a cell shows nothing.
    pub(super) fn draw(&mut self, paint: impl FnOnce(&mut Frame)) -> anyhow::Result<()> {
        if self.size.0 == 0 || self.size.1 == 0 {
            return Ok(());
        }
        self.terminal.backend_mut().write_all(BEGIN_FRAME.as_bytes())?;
        self.terminal.draw(paint)?;
        self.write(END_FRAME)
    }

    /// Asks what colour is behind the text. The answer comes among the keys.
    pub(super) fn ask_background(&mut self) -> anyhow::Result<()> {
        self.write(ASK_BACKGROUND)
    }

    /// Whether clicks and the wheel come to us, or to the terminal's own selection.
    pub(super) fn mouse(&mut self, capture: bool) -> anyhow::Result<()> {
        self.write(if capture { MOUSE_ON } else { MOUSE_OFF })
    }

    /// Puts a text on the clipboard of the terminal. The caller keeps to `CLIPBOARD`.
    pub(super) fn copy(&mut self, text: &str) -> anyhow::Result<()> {
        let writer = self.terminal.backend_mut();
        queue!(writer, CopyToClipboard::to_clipboard_from(text))?;
        writer.flush().context("writing to the terminal")
    }

    fn write(&mut self, text: &str) -> anyhow::Result<()> {
        let writer = self.terminal.backend_mut();
        writer.write_all(text.as_bytes())?;
        Write::flush(writer).context("writing to the terminal")
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.muted.set(true);
        restore();
    }
}

/// A fixed area: asking the terminal for its size or its cursor between two frames would block on a dead one.
fn terminal((columns, rows): (u16, u16), muted: Rc<Cell<bool>>) -> anyhow::Result<Terminal<Backend>> {
    let terminal = io::stdout().as_fd().try_clone_to_owned().context("taking hold of the terminal")?.into();
    let backend = CrosstermBackend::new(Out { terminal, waiting: Vec::new(), muted });
    let viewport = Viewport::Fixed(Rect::new(0, 0, columns, rows));
    Terminal::with_options(backend, TerminalOptions { viewport }).context("writing to the terminal")
}
