//! The only place that writes to stdout and stderr. Text of a session passes the sanitiser unless `--raw` was asked for.

use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::text::{Shown, wrap};

/// Whether foreign text is made safe for a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// Nothing in it can act on a terminal.
    Safe,
    /// As it is stored.
    Raw,
}

/// Whether there is colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// On a terminal that shows it, unless `NO_COLOR` is set.
    Some,
    /// Nowhere else.
    None,
}

impl Colour {
    /// What stdout is given.
    pub fn of_stdout() -> Self {
        Self::of(io::stdout().is_terminal(), |name| std::env::var_os(name))
    }

    fn of(terminal: bool, environment: impl Fn(&str) -> Option<OsString>) -> Self {
        let set = |name: &str| environment(name).filter(|value| !value.is_empty());
        let dumb = set("TERM").is_none_or(|term| term == "dumb");
        if terminal && !dumb && set("NO_COLOR").is_none() { Self::Some } else { Self::None }
    }
}

/// How wide a page is: the terminal's width, as far as lines can be read; 80 where there is no terminal.
pub fn columns() -> usize {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok();
    let columns = size.map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0);
    columns.map_or(80, |columns| columns.min(100))
}

/// Whether the reader of our output went away, which is no error, however it was told on its way up.
static READER_LEFT: AtomicBool = AtomicBool::new(false);

/// Where everything is printed to; what goes wrong there says so.
struct Stdout;

impl Stdout {
    fn told(error: io::Error) -> io::Error {
        if error.kind() == io::ErrorKind::BrokenPipe {
            READER_LEFT.store(true, Ordering::Relaxed);
            return error;
        }
        io::Error::new(error.kind(), format!("cannot write the output: {error}"))
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::stdout().write(bytes).map_err(Self::told)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush().map_err(Self::told)
    }
}

/// What a command prints to.
pub struct Out {
    to: To,
    text: Text,
}

enum To {
    Stdout(BufWriter<Stdout>),
    /// Printed later, in its turn.
    Kept(Vec<u8>),
}

impl Write for To {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            To::Stdout(out) => out.write(bytes),
            To::Kept(kept) => kept.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            To::Stdout(out) => out.flush(),
            To::Kept(kept) => kept.flush(),
        }
    }
}

impl Out {
    /// Prints to stdout.
    pub fn new(text: Text) -> Self {
        Self { to: To::Stdout(BufWriter::with_capacity(64 * 1024, Stdout)), text }
    }

    /// Keeps what is printed until its turn comes.
    pub fn kept(text: Text) -> Self {
        Self { to: To::Kept(Vec::new()), text }
    }

    /// What was kept; nothing of what went to stdout.
    pub fn into_kept(self) -> Vec<u8> {
        match self.to {
            To::Stdout(_) => Vec::new(),
            To::Kept(kept) => kept,
        }
    }

    /// One line; line ends in it are shown as a sign.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        match self.text {
            Text::Safe => writeln!(self.to, "{}", Shown::line(text).as_str()),
            Text::Raw => writeln!(self.to, "{text}"),
        }
    }

    /// A text of several lines, each set in by `indent`.
    pub fn block(&mut self, text: &str, indent: &str) -> io::Result<()> {
        for line in text.lines() {
            let line = match self.text {
                Text::Safe => Shown::line(line).as_str().to_owned(),
                Text::Raw => line.to_owned(),
            };
            if line.is_empty() {
                writeln!(self.to)?;
            } else {
                writeln!(self.to, "{indent}{line}")?;
            }
        }
        Ok(())
    }

    /// A text of our own, broken at words; `lead` stands before its first line, and as much room before the others.
    pub fn wrapped(&mut self, text: &str, lead: &str, width: usize) -> io::Result<()> {
        let room = width.saturating_sub(lead.chars().count());
        let text = Shown::line(text);
        for (no, line) in wrap(&text, room).into_iter().enumerate() {
            let lead = if no == 0 { lead.to_owned() } else { " ".repeat(lead.chars().count()) };
            writeln!(self.to, "{lead}{}", &text.as_str()[line])?;
        }
        Ok(())
    }

    /// One line of pieces; those of a number have the colour of that number, where there is colour.
    pub fn coloured<'a>(
        &mut self,
        pieces: impl Iterator<Item = (&'a str, Option<usize>)>,
        colour: Colour,
    ) -> io::Result<()> {
        const COLOURS: [u8; 6] = [34, 33, 32, 35, 36, 31];
        let line = pieces.fold(String::new(), |line, (text, number)| {
            let text = Shown::line(text);
            match number.filter(|_| colour == Colour::Some) {
                Some(no) => format!("{line}\u{1b}[{}m{}\u{1b}[0m", COLOURS[no % COLOURS.len()], text.as_str()),
                None => line + text.as_str(),
            }
        });
        writeln!(self.to, "{}", line.trim_end())
    }

    /// What was made safe already: JSON, the text that an agent is told, a schema.
    pub fn exact(&mut self, text: &str) -> io::Result<()> {
        self.to.write_all(text.as_bytes())
    }

    /// Hands everything on; a reader that went away is noticed here at the latest.
    pub fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// `note: what` on stderr, beside an answer that is fine.
pub fn note(text: &str) {
    aside(&format!("note: {text}"));
}

/// `stet: what: why (what to do)`
pub fn error(error: &anyhow::Error) {
    aside(&format!("stet: {}", message(error)));
}

/// One line to stderr as it is. That it cannot be written is no reason to fail.
pub fn aside(text: &str) {
    let _ = writeln!(io::stderr(), "{}", Shown::line(text).as_str());
}

/// The chain of an error in one line; a cause that its context already tells is not told twice.
pub fn message(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        if text.contains(&cause) {
            continue;
        }
        if !text.is_empty() {
            text.push_str(": ");
        }
        text.push_str(&cause);
    }
    text
}

/// What somebody waits for did not reach them: that they went away is an error too.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct Unheard {
    /// What was to be told, and what to do.
    pub what: &'static str,
    /// Why it was not.
    pub source: io::Error,
}

/// Whether it only says that the reader of our output went away, which is no error.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    if error.is::<Unheard>() {
        return false;
    }
    READER_LEFT.load(Ordering::Relaxed)
        || error.chain().any(|cause| {
            let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
            let json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
            io.or(json) == Some(io::ErrorKind::BrokenPipe)
        })
}

/// A count of sessions on stderr; it shows nothing where stderr is no terminal.
pub fn progress_of_sessions(total: u64, doing: &'static str) -> ProgressBar {
    progress_of(total, doing, "sessions, {eta} left")
}

/// A count of something on stderr; it shows nothing where stderr is no terminal.
pub fn progress_of(total: u64, doing: &'static str, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(total);
    if io::stderr().is_terminal() {
        let style = ProgressStyle::with_template(&format!("{{msg}} {{wide_bar}} {{pos}} of {{len}} {what}"));
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(doing);
    } else {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    bar
}

/// A bar of bytes on stderr; it shows nothing where stderr is no terminal.
pub fn progress(total: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(total);
    if io::stderr().is_terminal() {
        let style = ProgressStyle::with_template("{msg} {wide_bar} {bytes}/{total_bytes}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(Shown::line(what).as_str().to_owned());
    } else {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    bar
}

/// A line on stderr, last of these, that says what is waited for and for how long already; nothing where stderr is no
/// terminal.
pub fn waiting(lines: &MultiProgress, what: &str) -> ProgressBar {
    let bar = lines.add(ProgressBar::new_spinner());
    if io::stderr().is_terminal() {
        let style = ProgressStyle::with_template("{msg}, {elapsed}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.set_message(Shown::line(what).as_str().to_owned());
        bar.enable_steady_tick(Duration::from_secs(1));
    }
    bar
}

/// One line to stderr above these, which stays; nothing where stderr is no terminal.
pub fn above(lines: &MultiProgress, text: &str) {
    let _ = lines.println(Shown::line(text).as_str());
}

#[cfg(test)]
mod tests {
    use super::Colour;

    #[test]
    fn colour_is_for_terminals_that_want_it() {
        let term = ("TERM", "xterm-256color");
        for (terminal, set, colour) in [
            (true, &[term][..], Colour::Some),
            (false, &[term], Colour::None),
            (true, &[term, ("NO_COLOR", "1")], Colour::None),
            (true, &[term, ("NO_COLOR", "")], Colour::Some),
            (true, &[("TERM", "dumb")], Colour::None),
            (true, &[], Colour::None),
        ] {
            let value = |name: &str| set.iter().find(|one| one.0 == name).map(|one| one.1.into());
            assert_eq!(Colour::of(terminal, value), colour, "{set:?}");
        }
    }
}
